"""The page on which a person corrects a mapping."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from alignrank.common.files import sha256
from alignrank.experiments.report.html import asset
from alignrank.matchers.learned.names import stems_of, words_of
from alignrank.matchers.settings import prepare
from alignrank.ontologies import Alignment, Correspondence, NegatedCorrespondence, Ontology
from alignrank.ontologies.alignment import Key
from alignrank.ontologies.curation import CURATED, decisions_of
from alignrank.ontologies.formats.cells import CONFIDENCE, MODIFIER
from alignrank.ontologies.formats.delimited import data_lines
from alignrank.ontologies.formats.sssom_writing import sssom

from .judge_page import SAVE, UNDO, Button, entities, page_of_pairs
from .questions_file import cell

#: The cells of a row by the decision on it; the page writes them.
CELLS = {
    "": {},
    "accepted": {"mapping_justification": CURATED, MODIFIER: "", "comment": ""},
    "rejected": {"mapping_justification": CURATED, MODIFIER: "Not", "comment": ""},
    "marked": {"comment": "marked"},
}
BUTTONS = (
    Button("accept", "Accept", "a", "accepted"),
    Button("reject", "Reject", "r", "rejected"),
    Button("mark", "Mark", "m", "marked"),
    UNDO,
    SAVE,
)


def review_page(
    alignment: Alignment, source: Ontology, target: Ontology, *, name: str = "mapping.sssom.tsv"
) -> str:
    """Return the page for a mapping.

    Parameters
    ----------
    alignment
        With labels (`alignrank.ontologies.alignment.with_labels`).
    source, target
        The ontologies.
    name
        Of the file that the page saves.
    """
    lines, first = data_lines(text := sssom(alignment))
    header = "".join(io.StringIO(text).readlines()[: first - 1])
    columns, *rows = csv.reader(lines, delimiter="\t")
    further = [title for title in (MODIFIER, "comment") if title not in columns]
    columns += further
    accepted = {c.key for c in decisions_of(alignment).accepted}
    statements: list[Correspondence | NegatedCorrespondence] = [*alignment, *alignment.negated]
    comments = [""] * len(rows)
    if "comment" not in further:
        comments = [row[columns.index("comment")] for row in rows]
    verdicts = []
    for statement, comment in zip(statements, comments, strict=True):
        if isinstance(statement, NegatedCorrespondence):
            verdicts.append("rejected")
        elif statement.key in accepted:
            verdicts.append("accepted")
        elif comment == "marked":
            verdicts.append("marked")
        else:
            verdicts.append("")
    listed = [
        k
        for k, statement in enumerate(statements)
        if not (isinstance(statement, NegatedCorrespondence) and statement.is_no_match)
    ]
    keys = [Key(s.entity1, s.entity2, s.relation) for s in statements]
    data = {
        "draw": sha256("\n".join(map("\t".join, keys)).encode())[:16],
        "name": name,
        "saved": "The file is where your browser keeps downloads. Go on from it: "
        "alignrank match --from FILE",
        "header": header,
        "columns": columns,
        "cells": CELLS,
        "rows": [[cell(field) for field in row] + [""] * len(further) for row in rows],
        "verdicts": verdicts,
        "questions": [[k] for k in listed],
        "confidences": [_confidence(statement) for statement in statements],
        "evidence": [names_kind(key, source, target) for key in keys],
        **entities([(key.entity1, key.entity2) for key in keys], source, target),
        "pairs": keys,
    }
    return page_of_pairs(
        data,
        f"{alignment.name}: mapping",
        BUTTONS,
        asset("review-help.html"),
        above=asset("review.html"),
        script=asset("review.js"),
    )


def _confidence(statement: Correspondence | NegatedCorrespondence) -> float:
    """Return the confidence; of a rejected pair the one that its row states, 0 without."""
    if isinstance(statement, Correspondence):
        return statement.confidence
    return float(dict(statement.extra).get(CONFIDENCE) or 0)


def names_kind(key: Key, source: Ontology, target: Ontology) -> str:
    """Return how the names of two entities are alike.

    Returns
    -------
    str
        ``same label``, ``same name`` (a synonym), ``shared words`` or ``other names``.
    """
    sides = ((key.entity1, source), (key.entity2, target))
    if not all(iri in ontology for iri, ontology in sides):
        return "unknown entity"
    names = [_words(ontology.entities[iri].names()) for iri, ontology in sides]
    if names[0][0] == names[1][0]:
        return "same label"
    if set(names[0]) & set(names[1]):
        return "same name"
    stems = [frozenset[str]().union(*map(stems_of, of_entity)) for of_entity in names]
    if stems[0] & stems[1]:
        return "shared words"
    return "other names"


def _words(names: Sequence[str]) -> list[tuple[str, ...]]:
    return [words_of(prepare(name, "words")) for name in names]
