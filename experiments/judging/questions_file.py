"""The file of questions, and the page that asks them.

The file is SSSOM, one row for each pair, and a spreadsheet can fill it, too. The page is blind: it
shows no system, vote or score.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from alignrank.common.files import sha256
from alignrank.evaluation.judged.draw import Questions, numbers_text
from alignrank.evaluation.judged.judgements import (
    LEFT_OUT,
    NUMBERS,
    POOL,
    SEED,
    SYSTEM,
    pool_digest,
)
from alignrank.evaluation.judged.pool import Pair
from alignrank.experiments.report.html import asset
from alignrank.experiments.report.pairs_page import (
    SAVE,
    UNDO,
    Button,
    cell,
    entities,
    page_of_pairs,
)
from alignrank.ontologies import Ontology
from alignrank.ontologies.formats.cells import MODIFIER
from alignrank.ontologies.formats.curies import Prefixes
from alignrank.ontologies.formats.sssom import OWN_ID, UNLICENSED
from alignrank.ontologies.formats.sssom_writing import header_lines
from alignrank.ontologies.vocabulary import EXTENSION, XSD

#: Columns of the file. The extension columns are declared in the header.
COLUMNS = (
    "question",
    "subject_id",
    "subject_label",
    "verdict",
    MODIFIER,
    "predicate_id",
    "object_id",
    "object_label",
    "mapping_justification",
    "reviewer_agreement",
    "weight",
)
#: Names of the facts in the header that are the ontologies' digests.
ONTOLOGIES = ("source sha256", "target sha256")
EXTENSIONS = {"question": "integer", "verdict": "string", "weight": "integer"}
UNJUDGED, JUDGED = "semapv:UnspecifiedMatching", "semapv:ManualMappingCuration"
#: The cells of a row by its verdict; the page writes the same.
CELLS = {
    "": {"mapping_justification": UNJUDGED},
    "right": {"verdict": "right", "mapping_justification": JUDGED},
    "wrong": {"verdict": "wrong", "mapping_justification": JUDGED, MODIFIER: "Not"},
    "cannot tell": {
        "verdict": "cannot tell",
        "mapping_justification": JUDGED,
        "reviewer_agreement": "0",
    },
}
QUESTION_BUTTONS = (
    Button("right", "Right", "r", "right"),
    Button("wrong", "Wrong", "w", "wrong"),
    Button("unsure", "Cannot tell", "c", "cannot tell"),
    UNDO,
    SAVE,
)


@dataclass(frozen=True)
class QuestionsFile:
    """The file of questions, row by row.

    Parameters
    ----------
    header
        The lines of metadata, each with its line end.
    rows
        The cells by column, as they are written; those of `CELLS` are empty.
    pairs
        The pair of each row.
    verdicts
        The verdict of each row, a key of `CELLS`.
    questions
        The rows of each question, in the order in which they are asked.
    draw
        A digest of the ontologies and the seed: the same after further systems were added.
    verdict_numbers
        The numbers of answers at which verdicts come.
    """

    header: str
    rows: tuple[dict[str, str], ...]
    pairs: tuple[Pair, ...]
    verdicts: tuple[str, ...]
    questions: tuple[tuple[int, ...], ...]
    draw: str
    verdict_numbers: tuple[int, ...]

    @property
    def is_open(self) -> list[bool]:
        """Whether a row of each question has no verdict."""
        return [any(not self.verdicts[k] for k in rows) for rows in self.questions]

    @property
    def beginning(self) -> int:
        """The number of questions that are answered before the first open one."""
        return [*self.is_open, True].index(True)

    def to_text(self) -> str:
        """Return the file's text."""
        out = io.StringIO()
        out.write(self.header)
        out.write("\t".join(COLUMNS) + "\n")
        for row, verdict in zip(self.rows, self.verdicts, strict=True):
            cells = row | CELLS[verdict]
            out.write("\t".join(cells.get(column, "") for column in COLUMNS) + "\n")
        return out.getvalue()


def questions_file(
    questions: Questions,
    label: Callable[[str], str],
    digests: Mapping[str, str],
    verdicts: Mapping[Pair, float],
    ontologies: tuple[str, str],
    left_out: Mapping[str, str],
) -> QuestionsFile:
    """Return the file of drawn questions.

    Parameters
    ----------
    questions
        In their order.
    label
        The label of an entity.
    digests
        SHA-256 of each system's file, by name.
    verdicts
        Those that were given before: 1 right, 0 wrong, NaN cannot tell.
    ontologies
        SHA-256 of the source's and the target's file.
    left_out
        The entities whose pairs are left out, each with the reason.
    """
    pool = questions.pool
    pairs_of_question: list[list[Pair]] = [[] for _ in pool.sources]
    for pair, question in zip(pool.pairs, pool.question.tolist(), strict=True):
        pairs_of_question[question].append(pair)
    prefixes = Prefixes()
    rows: list[dict[str, str]] = []
    pairs, rows_of_question = [], []
    for number, question in enumerate(questions.order.tolist(), 1):
        first = len(rows)
        for pair in pairs_of_question[question]:
            source, target = pair
            row = {
                "question": str(number),
                "subject_id": prefixes.curie(source),
                "subject_label": label(source),
                "predicate_id": "skos:exactMatch",
                "object_id": prefixes.curie(target),
                "object_label": label(target),
                "weight": f"{questions.weights[question]:.17g}",
            }
            rows.append({column: cell(text) for column, text in row.items()})
            pairs.append(pair)
        rows_of_question.append(tuple(range(first, len(rows))))
    digest = pool_digest(pool.pairs)
    numbers = questions.verdict_numbers
    facts = {SEED: questions.seed, POOL: digest, NUMBERS: " ".join(map(str, numbers))}
    facts |= dict(zip(ONTOLOGIES, ontologies, strict=True))
    facts |= {SYSTEM + name: digest_of_file for name, digest_of_file in sorted(digests.items())}
    entities_by_reason: dict[str, list[str]] = {}
    for iri, reason in sorted(left_out.items()):
        entities_by_reason.setdefault(reason, []).append(iri)
    facts |= {LEFT_OUT + reason: "\n".join(iris) for reason, iris in entities_by_reason.items()}
    other = "|".join(f"{quote(k, safe=' ')}={quote(v, safe='')}" for k, v in facts.items())
    slots: dict[str, object] = {
        "curie_map": dict(sorted(prefixes.namespaces.items(), key=lambda item: item[1])),
        "sssom_version": "1.1",
        "mapping_set_id": OWN_ID + digest,
        "license": UNLICENSED,
        "other": other,
        "extension_definitions": [
            {"slot_name": name, "property": f"{EXTENSION}#{name}", "type_hint": f"{XSD}{kind}"}
            for name, kind in EXTENSIONS.items()
        ],
    }
    return QuestionsFile(
        header_lines(slots),
        tuple(rows),
        tuple(pairs),
        tuple(_word(verdicts.get(pair)) for pair in pairs),
        tuple(rows_of_question),
        sha256("\n".join([*ontologies, questions.seed]).encode())[:16],
        numbers,
    )


def _word(verdict: float | None) -> str:
    """Return the verdict as the file names it."""
    if verdict is None:
        return ""
    if math.isnan(verdict):
        return "cannot tell"
    if verdict == 1:
        return "right"
    return "wrong"


def judge_page(file: QuestionsFile, source: Ontology, target: Ontology) -> str:
    """Return the page for a file of questions."""
    data = {
        "draw": file.draw,
        "name": "questions.sssom.tsv",
        "saved": "The file is where your browser keeps downloads. Put it over the file "
        "questions.sssom.tsv beside this page, or name it: alignrank compare --judged FILE",
        "header": file.header,
        "columns": list(COLUMNS),
        "cells": CELLS,
        "rows": [[row.get(column, "") for column in COLUMNS] for row in file.rows],
        "verdicts": list(file.verdicts),
        "questions": [list(rows) for rows in file.questions],
        "verdictsAfter": [*file.verdict_numbers, len(file.questions)],
        **entities(file.pairs, source, target),
    }
    listed = numbers_text(file.verdict_numbers, len(file.questions))
    return page_of_pairs(
        data,
        "Are these the same?",
        QUESTION_BUTTONS,
        asset("judge-help.html").format(verdicts=listed),
        body=asset("judge.html"),
        script=asset("judge.js") + asset("verdicts.js"),
    )
