"""Pages on pairs of entities, each one file without a network: questions, and a mapping to correct.

Questions are blind, with no hint at any system; a mapping shows confidences and evidence.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from typing import Any

from alignrank.common.files import sha256
from alignrank.evaluation.judged import Pair
from alignrank.evaluation.significance.clustered import wholes_of
from alignrank.matchers.learned.names import stems_of, words_of
from alignrank.matchers.settings import prepare
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    Ontology,
    local_name,
)
from alignrank.ontologies.alignment import Key
from alignrank.ontologies.curation import CHANGE, CURATED, decisions_of
from alignrank.ontologies.differences import stated_confidence
from alignrank.ontologies.formats.cells import MODIFIER
from alignrank.ontologies.formats.delimited import data_lines
from alignrank.ontologies.formats.sssom_writing import sssom
from alignrank.ontologies.ontology import DOMAIN, RANGE

from .html import POLICY, asset, data_json

#: Entities by entity.
Relatives = Mapping[str, Sequence[str]]
#: The largest number of synonyms, definitions and relatives of one kind of an entity on the page.
MOST = 8


@dataclass(frozen=True)
class Button:
    """A button of the page.

    Parameters
    ----------
    name
        Its identifier in the page.
    text
        What stands on it.
    key
        The key that presses it.
    verdict
        The verdict that it gives; None for another action.
    """

    name: str
    text: str
    key: str
    verdict: str | None = None


UNDO, SAVE = Button("undo", "Undo", "u"), Button("save", "Save", "s")
#: The cells of a row by the decision on it; the page writes them.
REVIEW_CELLS = {
    "": {},
    "accepted": {"mapping_justification": CURATED, MODIFIER: "", "comment": ""},
    "rejected": {"mapping_justification": CURATED, MODIFIER: "Not", "comment": ""},
    "marked": {"comment": "marked"},
}
REVIEW_BUTTONS = (
    Button("accept", "Accept", "a", "accepted"),
    Button("reject", "Reject", "r", "rejected"),
    Button("mark", "Mark", "m", "marked"),
    UNDO,
    SAVE,
)


def review_page(
    alignment: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    name: str = "mapping.sssom.tsv",
    is_difference: bool = False,
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
    is_difference
        Whether it is the union of two mappings: a column says how each row differs
        (`alignrank.ontologies.differences.marked_union`), in two colours.
    """
    text = sssom(alignment)
    lines, first = data_lines(text)
    header = "".join(io.StringIO(text).readlines()[: first - 1])
    columns, *rows = csv.reader(lines, delimiter="\t")
    further = [title for title in (MODIFIER, "comment") if title not in columns]
    columns += further
    accepted = {c.key for c in decisions_of(alignment).accepted}
    statements: list[Correspondence | NegatedCorrespondence] = [*alignment, *alignment.negated]
    comments = [""] * len(rows)
    if "comment" not in further:
        comments = [row[columns.index("comment")] for row in rows]
    verdicts = [
        _decision(statement, accepted, comment)
        for statement, comment in zip(statements, comments, strict=True)
    ]
    listed = [
        k
        for k, statement in enumerate(statements)
        if not (isinstance(statement, NegatedCorrespondence) and statement.is_no_match)
    ]
    keys = [Key(s.entity1, s.entity2, s.relation) for s in statements]
    above = asset("review.html")
    if is_difference:
        above = above.replace("Names", "Difference")
        evidence = [dict(statement.extra)[CHANGE] for statement in statements]
    else:
        evidence = [names_kind(key, source, target) for key in keys]
    data = {
        "draw": sha256("\n".join(map("\t".join, keys)).encode())[:16],
        "name": name,
        "saved": "The file is where your browser keeps downloads. Go on from it: "
        "alignrank match --from FILE",
        "header": header,
        "columns": columns,
        "cells": REVIEW_CELLS,
        "rows": [[cell(field) for field in row] + [""] * len(further) for row in rows],
        "verdicts": verdicts,
        "questions": [[k] for k in listed],
        "confidences": [stated_confidence(statement) for statement in statements],
        "evidence": evidence,
        "sorting": "evidence" if is_difference else "confidence",
        **entities([(key.entity1, key.entity2) for key in keys], source, target),
        "pairs": keys,
    }
    return page_of_pairs(
        data,
        f"{alignment.name}: mapping",
        REVIEW_BUTTONS,
        asset("review-help.html"),
        above=above,
        script=asset("review.js"),
    )


def _decision(
    statement: Correspondence | NegatedCorrespondence, accepted: Set[Key], comment: str
) -> str:
    """Return the decision on a statement, a key of `REVIEW_CELLS`."""
    if isinstance(statement, NegatedCorrespondence):
        return "rejected"
    if statement.key in accepted:
        return "accepted"
    if comment == "marked":
        return "marked"
    return ""


def page_of_pairs(
    data: Mapping[str, Any],  # Any: what JSON holds
    title: str,
    buttons: Sequence[Button],
    help_text: str,
    *,
    above: str = "",
    script: str = "",
) -> str:
    """Return the page.

    Parameters
    ----------
    data
        What the scripts read: rows, columns, cells by verdict, pairs and entities.
    title
        Of the page.
    buttons
        In their order.
    help_text, above
        HTML that stands below the buttons, and above the pair.
    script
        JavaScript that runs after that of the page and before it starts.
    """
    pressed = {button.key: [button.name, button.verdict] for button in buttons}
    elements = "\n".join(
        f'<button id="{button.name}" type="button">{button.text} <kbd>{button.key}</kbd></button>'
        for button in buttons
    )
    parts = {"above": above, "buttons": elements, "help": help_text}
    body = asset("judge.html")
    for name, text in parts.items():
        body = body.replace(f"<!--{name}-->", text)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(title)}</title><style>{asset('judge.css')}</style></head>"
        f"<body>{body}"
        f'<script type="application/json" id="data">{data_json({**data, "keys": pressed})}</script>'
        f"<script>{asset('judge.js')}{script}start();</script></body></html>\n"
    )


def entities(pairs: Sequence[Pair], source: Ontology, target: Ontology) -> dict[str, object]:
    """Return the pairs, and what the page shows of the entities on both sides."""
    sides = []
    for side, ontology in enumerate((source, target)):
        wholes = wholes_of(ontology)
        relatives = {
            "parents": ontology.parents,
            "wholes": wholes,
            "children": _inverse(ontology.parents),
            "parts": _inverse(wholes),
            "domains": _linked(ontology, DOMAIN),
            "ranges": _linked(ontology, RANGE),
        }
        names = entities_of(pairs, side)
        sides.append({iri: _entity(iri, ontology, relatives) for iri in names})
    return {"pairs": [list(pair) for pair in pairs], "sources": sides[0], "targets": sides[1]}


def _inverse(links: Relatives) -> dict[str, list[str]]:
    """Return the entities that link to each entity."""
    inverse: dict[str, list[str]] = {}
    for start, ends in links.items():
        for end in ends:
            inverse.setdefault(end, []).append(start)
    return inverse


def _linked(ontology: Ontology, relation: str) -> dict[str, list[str]]:
    """Return the entities to which a relation links each entity."""
    linked: dict[str, list[str]] = {}
    for start, label, end in ontology.links:
        if label == relation:
            linked.setdefault(start, []).append(end)
    return linked


def _entity(iri: str, ontology: Ontology, relatives: Mapping[str, Relatives]) -> dict[str, object]:
    """Return what the page shows of an entity."""
    if iri not in ontology:
        return {"label": local_name(iri)}
    label, *synonyms = ontology.entities[iri].names()
    return {
        "label": label,
        "synonyms": _some(synonyms),
        "definitions": _some(list(ontology.definitions.get(iri, ()))),
        **{
            kind: _some([ontology.entities[k].names()[0] for k in sorted(set(links.get(iri, ())))])
            for kind, links in relatives.items()
        },
    }


def _some(names: list[str]) -> list[str]:
    """Return the first names, and how many more there are."""
    if len(names) <= MOST:
        return names
    return [*names[: MOST - 1], f"and {len(names) - MOST + 1} more"]


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


def cell(text: str) -> str:
    """Return a text as a cell of the file: on one line, quoted where it must be."""
    line = " ".join(text.split())
    if '"' not in line:
        return line
    return '"' + line.replace('"', '""') + '"'


def entities_of(pairs: Sequence[Pair], side: int) -> list[str]:
    """Return the distinct entities of one side (0 source, 1 target), sorted."""
    return sorted({pair[side] for pair in pairs})
