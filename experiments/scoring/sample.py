"""The questions that a judge answers: drawn, written as a file, and asked by a page.

The file is SSSOM, one row for each pair, and a spreadsheet can fill it, too. The page is blind: it
shows no system, vote or score.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.files import JsonObject, sha256, write_text
from alignrank.common.names import MutableTexts, Texts, count, grouped, percent
from alignrank.common.results import Caution
from alignrank.evaluation.judged.draw import Questions, Schedule, draw, numbers_text
from alignrank.evaluation.judged.judgements import (
    LEFT_OUT,
    NUMBERS,
    POOL,
    SEED,
    SYSTEM,
    Judgements,
    pool_digest,
    read_judgements,
)
from alignrank.evaluation.judged.pool import Pair, no_concepts, of_concepts
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import labels, named_files
from alignrank.experiments.ranking.matching import match_ontologies
from alignrank.experiments.report.console import finish, print_cautions, print_prose
from alignrank.experiments.report.html import asset
from alignrank.experiments.report.pairs_page import (
    SAVE,
    UNDO,
    Button,
    cell,
    entities,
    page_of_pairs,
)
from alignrank.experiments.results.folder import check_free, results_folder
from alignrank.matchers import Settings, get_metric
from alignrank.matchers.by_name import FAMILIES
from alignrank.matchers.settings import DEFAULT_METRIC, default_threshold
from alignrank.ontologies import Alignment, Ontology, load_pair, read_alignment
from alignrank.ontologies.formats.cells import MODIFIER
from alignrank.ontologies.formats.delimited import is_joined_file, joined_tables
from alignrank.ontologies.formats.sssom import OWN_ID, UNLICENSED
from alignrank.ontologies.formats.sssom_writing import header_lines
from alignrank.ontologies.tasks.reader import AlignmentReader
from alignrank.ontologies.vocabulary import EXTENSION, XSD, Prefixes

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
#: The file's words for verdicts; NaN is "cannot tell".
_WORDS = {None: "", 1.0: "right", 0.0: "wrong"}
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
    rows: tuple[MutableTexts, ...]
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
    digests: Texts,
    verdicts: Mapping[Pair, float],
    ontologies: tuple[str, str],
    left_out: Texts,
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
    pairs_of_question = grouped(zip(pool.question.tolist(), pool.pairs, strict=True))
    prefixes = Prefixes()
    rows: list[MutableTexts] = []
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
    entities_by_reason = grouped((reason, iri) for iri, reason in sorted(left_out.items()))
    facts |= {LEFT_OUT + reason: "\n".join(iris) for reason, iris in entities_by_reason.items()}
    facts_text = "|".join(f"{quote(k, safe=' ')}={quote(v, safe='')}" for k, v in facts.items())
    slots: JsonObject = {
        "curie_map": dict(sorted(prefixes.namespaces.items(), key=lambda item: item[1])),
        "sssom_version": "1.1",
        "mapping_set_id": OWN_ID + digest,
        "license": UNLICENSED,
        "other": facts_text,
        "extension_definitions": [
            {"slot_name": name, "property": f"{EXTENSION}#{name}", "type_hint": f"{XSD}{kind}"}
            for name, kind in EXTENSIONS.items()
        ],
    }
    return QuestionsFile(
        header_lines(slots),
        tuple(rows),
        tuple(pairs),
        tuple(_WORDS.get(verdicts.get(pair), "cannot tell") for pair in pairs),
        tuple(rows_of_question),
        sha256("\n".join([*ontologies, questions.seed]).encode())[:16],
        numbers,
    )


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


#: The names of the two files that `sample` writes.
FILE, PAGE = "questions.sssom.tsv", "judge.html"


@dataclass(frozen=True)
class Drawn:
    """The drawn questions, the file that holds them, and cautions."""

    questions: Questions
    file: QuestionsFile
    cautions: Sequence[Caution]


def sample(
    source: Path,
    target: Path | None = None,
    alignments: Sequence[str] = (),
    *,
    out: Path = Path("judge"),
    add: Sequence[str] = (),
    seed: int = DEFAULTS.seed,
    first_verdict: int | None = None,
    imports: Path | None = None,
    label_properties: Sequence[str] = (),
    columns: Texts | None = None,
    predicates: Sequence[str] = (),
    overwrite: bool = False,
) -> None:
    """Draw questions for a judge where there is no reference, and a page.

    Without alignments, the nine standard metrics and the default matcher propose the pairs.
    """
    joined = is_joined_file(source)
    if joined:
        alignments = [str(source), *(() if target is None else [str(target)]), *alignments]
    elif target is None:
        raise ExperimentError("name the target ontology, too, or a joined table alone")
    earlier_file = out / FILE
    if add:
        check_drawn(out)
        if alignments and not joined:
            raise ExperimentError("--add names the new systems: leave the other alignments out")
    else:
        if earlier_file.is_file() and not overwrite:
            raise ExperimentError(
                f"{out} holds questions, and perhaps answers, which --overwrite deletes: name "
                "another folder with --out, or new systems with --add"
            )
        check_free(out, overwrite=overwrite)
    files = named_files(add or alignments)
    reader = AlignmentReader(columns, predicates).among(files.values())
    systems = {name: reader.system(path, name) for name, path in files.items()}
    if joined or target is None:
        tables = [*systems.values(), *(map(read_alignment, alignments) if add else ())]
        ontologies = joined_tables(tables)
    else:
        ontologies = load_pair(source, target, imports=imports, label_properties=label_properties)
    earlier = None
    if add:
        earlier = earlier_judgements(out, ontologies)
    drawn = draw_questions(
        *ontologies, systems, seed=seed, earlier=earlier, first_verdict=first_verdict
    )
    write_questions(drawn, *ontologies, out, overwrite=overwrite or bool(add))
    questions = drawn.questions
    number, numbers = len(questions.order), questions.verdict_numbers
    open_questions = sum(drawn.file.is_open)
    file, page = (shlex.quote(str(out / name)) for name in (FILE, PAGE))
    added = 0
    state = ""
    if earlier is not None:
        added = len({source for source, _ in set(questions.pool.pairs) - earlier.pairs})
        state = f": {added:,} with new pairs, {open_questions:,} without an answer"
    number_of_questions = count(number, "question")
    print_prose(f"{number_of_questions} in {file}, the most telling first{state}. Open {page}.")
    # which earlier system proposed which pair is not known: no forecast with --add
    widths: JsonObject = {}
    if earlier is not None:
        print_prose(_next_verdict(drawn.file))
    else:
        widths = _forecast(questions)
    n_answered = sum(verdict != "" for verdict in drawn.file.verdicts)
    if n_answered:
        print_prose(f"{count(n_answered, 'verdict')} kept; answers in the browser are kept, too.")
        if added:
            print_prose("They count again once the new questions before them are answered.")
    elif add:
        print_prose(
            f"No answer was in {file}: put the file there that you saved, and repeat this command. "
            "Answers in the browser are kept."
        )
    print_cautions(drawn.cautions)
    content = {
        "questions": number,
        "pairs": len(questions.pool.pairs),
        "file": str(out / FILE),
        "page": str(out / PAGE),
        "verdicts": list(numbers),
        **widths,
        "kept": n_answered,
        "added": added,
        "open": open_questions,
        "cautions": [str(caution) for caution in drawn.cautions],
    }
    finish(content)


def _forecast(questions: Questions) -> JsonObject:
    """Print when verdicts come and how exact the first is; return the half widths by name."""
    number, numbers = len(questions.order), questions.verdict_numbers
    if numbers:
        listed = numbers_text(numbers, number)
        print_prose(f"Verdicts come after {listed}: look as often as you like.")
        answers = numbers[0]
        level = 1 - Schedule(numbers, number).level_of(answers, DEFAULTS.alpha)
        at_level = f"{percent(level)}, the first verdict's level"
    else:
        pool = count(number, "question")
        print_prose(f"The pool has {pool}: the verdict comes when all are answered.")
        answers, level = number // 2, DEFAULTS.level
        at_level = f"{level:.0%}"
    if not answers:
        return {}
    f1, difference = questions.expected_half_widths(answers, level)
    sentence = f"{count(answers, 'answer')} will tell F1 to about ± {f1:.3f}"
    if difference:
        sentence += f", and differences of F1 to about ± {difference:.3f}"
    print_prose(f"{sentence} ({at_level}).")
    return {"answers": answers, "f1_half_width": f1, "difference_half_width": difference}


def _next_verdict(file: QuestionsFile) -> str:
    """Say when the next verdict comes, and how many questions are answered."""
    questions = len(file.questions)
    following = Schedule(file.verdict_numbers, questions).next_after(file.beginning)
    if following is None:
        return f"All {questions:,} questions are answered."
    after = f"{following:,}"
    if following == questions:
        after = f"all {questions:,}"
    return (
        f"The next verdict comes after {after} answers; the first {file.beginning:,} questions of "
        "the new order are answered."
    )


def draw_questions(
    source: Ontology,
    target: Ontology,
    systems: Mapping[str, Alignment],
    *,
    seed: int = DEFAULTS.seed,
    earlier: Judgements | None = None,
    first_verdict: int | None = None,
) -> Drawn:
    """Draw the questions of the systems; without systems, of our own metrics.

    Raises
    ------
    ExperimentError
        If a system proposes no equivalence of these ontologies.
    """
    if not systems:
        systems = own_systems(source, target)
    for name, alignment in systems.items():
        columns, place = alignment.columns, alignment.path or name
        if "=" not in columns.relation:
            raise ExperimentError(f"{place} holds no equivalence: leave it out")
        equal = (key[:2] for key in columns.row_keys() if key[2] == "=")
        if not any(pair[0] in source and pair[1] in target for pair in equal):
            raise ExperimentError(
                f"{place} holds no pair of {source.path} and {target.path}: swap the ontologies, "
                "or name those of the alignments"
            )
    digests = {name: alignment.sha256 for name, alignment in systems.items()}
    drawn_iris, left_out, verdicts = set[str](), dict[str, str](), dict[Pair, float]()
    if earlier is not None:
        drawn_iris, left_out = set(chain.from_iterable(earlier.pairs)), dict(earlier.left_out)
        digests, verdicts = {**earlier.digests, **digests}, dict(earlier.verdicts)
    reasons = no_concepts(systems, source, target, drawn_iris)
    matched, cautions = of_concepts(systems, reasons)
    reasons |= left_out
    questions = draw(matched, seed=str(seed), earlier=earlier, first_verdict=first_verdict)
    file = questions_file(
        questions,
        labels(source, target),
        digests,
        verdicts,
        (source.sha256, target.sha256),
        reasons,
    )
    return Drawn(questions, file, cautions)


def write_questions(
    drawn: Drawn, source: Ontology, target: Ontology, out: Path, *, overwrite: bool = False
) -> Path:
    """Write the questions and their page into a folder; return the file of questions."""
    with results_folder(out, overwrite=overwrite) as folder:
        write_text(folder / FILE, drawn.file.to_text())
        write_text(folder / PAGE, judge_page(drawn.file, source, target))
    return out / FILE


def own_systems(source: Ontology, target: Ontology) -> dict[str, Alignment]:
    """Return the alignments of the nine standard metrics and the default matcher."""
    systems = {}
    for name in (*FAMILIES["standard"], DEFAULT_METRIC):
        settings = Settings(threshold=default_threshold(name))
        matching, _, _ = match_ontologies(source, target, get_metric(name), settings)
        if len(matching.alignment):
            systems[name] = matching.alignment
    if not systems:
        raise ExperimentError("no metric finds a pair: name the systems' alignments")
    return systems


def check_drawn(out: Path) -> None:
    """Refuse a folder without questions, to which no system can be added."""
    if not (out / FILE).is_file():
        raise EvaluationError(
            f"{Argument('add')}: {out} holds no {FILE}: draw questions first, without "
            f"{Argument('add')}"
        )


def earlier_judgements(out: Path, ontologies: tuple[Ontology, Ontology]) -> Judgements:
    """Return the judgements in a folder of questions that were drawn from the same ontologies."""
    check_drawn(out)
    alignment = read_alignment(out / FILE)
    for name, ontology in zip(ONTOLOGIES, ontologies, strict=True):
        if alignment.metadata.get(name) != ontology.sha256:
            raise EvaluationError(
                f"{Argument('add')}: {alignment.path} was drawn from other ontologies than "
                f"{ontology.path}: "
                "name the same two, or another folder"
            )
    return read_judgements(alignment)
