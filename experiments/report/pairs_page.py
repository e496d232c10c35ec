"""Pages on pairs of entities, each one file without a network: questions, and a mapping to correct.

Questions are blind, with no hint at any system; a mapping shows confidences and evidence.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from pathlib import PurePath

from alignrank.common.files import JsonObject, sha256
from alignrank.common.names import Texts, grouped
from alignrank.evaluation.judged.pool import Pair
from alignrank.evaluation.significance.clustered import wholes_of
from alignrank.matchers.model import PRIOR_DECISIONS
from alignrank.matchers.names import stems_of, words_of
from alignrank.matchers.settings import normalise
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    Ontology,
    local_name,
)
from alignrank.ontologies.alignment import COMMENT, CONFIDENCE_MEANING, Key
from alignrank.ontologies.curation import (
    CHANGE,
    GONE,
    decisions_of,
    stated_confidence,
)
from alignrank.ontologies.formats.cells import MODIFIER
from alignrank.ontologies.formats.delimited import data_lines
from alignrank.ontologies.formats.sssom_writing import sssom
from alignrank.ontologies.hierarchy import inverse
from alignrank.ontologies.ontology import DOMAIN, RANGE
from alignrank.ontologies.vocabulary import Prefixes

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
REVIEW_BUTTONS = (
    Button("accept", "Accept", "a"),
    Button("equal", "=", "e"),
    Button("narrower", "Narrower", "n"),
    Button("broader", "Broader", "b"),
    Button("close", "Close", "c"),
    Button("reject", "None", "r"),
    Button("other", "Other partner", "p"),
    Button("mark", "Mark", "m"),
    UNDO,
    SAVE,
)
#: Columns that a decision fills, and that a mapping may not have.
DECISION_COLUMNS = (
    MODIFIER,
    "comment",
    "mapping_date",
    "reviewer_label",
    "review_date",
    "reviewer_agreement",
)
#: The most likely partners of each entity that are on the page.
Likely = Sequence[Mapping[str, Sequence[tuple[str, float]]]]


def review_page(
    alignment: Alignment,
    source: Ontology,
    target: Ontology,
    *,
    name: str = "mapping.sssom.tsv",
    likely: Likely = ({}, {}),
    matchable: Sequence[Sequence[str]] = ((), ()),
    sorting: str = "least sure",
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
    likely
        For source and target entities: likely partners that are not in the alignment, with their
        probabilities, the likeliest first.
    matchable
        The source and the target entities that may have a partner.
    sorting
        The column by which the rows stand at first, such as ``change``.
    """
    prefixes = Prefixes.declared_by(alignment.name, alignment.metadata)
    ontologies = source, target
    curies = [{iri: prefixes.curie(iri) for iri in ontology.entities} for ontology in ontologies]
    curie_map = json.dumps(prefixes.namespaces)
    text = sssom(alignment.with_columns(alignment.columns, curie_map=curie_map))
    lines, first = data_lines(text)
    header = "".join(io.StringIO(text).readlines()[: first - 1])
    columns, *table = csv.reader(lines, delimiter="\t")
    further = [title for title in DECISION_COLUMNS if title not in columns]
    columns += further
    decided = decisions_of(alignment)
    accepted = {c.key for c in decided.accepted}
    aside = set(decided.aside)
    statements: list[Correspondence | NegatedCorrespondence] = [*alignment, *alignment.negated]
    rows = []
    unlisted = []
    for statement, fields in zip(statements, table, strict=True):
        cells = [cell(field) for field in fields] + [""] * len(further)
        if isinstance(statement, NegatedCorrespondence) and statement.is_no_match:
            unlisted.append(cells)
            continue
        facts = dict(zip(columns, cells, strict=True))
        comment = " ".join(dict(statement.extra).get(COMMENT, "").split())
        is_close = facts["predicate_id"] == "skos:closeMatch"
        key = Key(statement.entity1, statement.entity2, "~" if is_close else statement.relation)
        rows.append(
            {
                "pair": key,
                "cells": cells,
                "verdict": GONE if statement in aside else _decision(statement, accepted, comment),
                "confidence": stated_confidence(statement),
                "evidence": GONE if statement in aside else names_kind(key, source, target),
                "change": dict(statement.extra).get(CHANGE, ""),
                "comment": comment,
            }
        )
    keys = ["\t".join((s.entity1, s.entity2, s.relation)) for s in statements]
    in_rows = [{getattr(s, side) for s in statements} for side in ("entity1", "entity2")]
    on_page = [
        in_rows[side]
        | likely[side].keys()
        | {iri for ps in likely[1 - side].values() for iri, _ in ps}
        for side in (0, 1)
    ]
    stated: list[dict[str, str]] = [{}, {}]
    for statement in statements:
        for side, (iri, label) in enumerate(zip(statement.pair, statement.labels, strict=True)):
            if iri not in ontologies[side]:
                stated[side][iri] = label
                curies[side][iri] = prefixes.curie(iri)
    sides = [
        _entities(ontology, iris, of_side, labels)
        for ontology, iris, of_side, labels in zip(ontologies, on_page, curies, stated, strict=True)
    ]
    data = {
        "draw": sha256("\n".join(keys).encode())[:16],
        "name": name,
        "saved": "The file is where your browser keeps downloads. Go on from it: "
        "alignrank match --from FILE",
        "title": " – ".join(PurePath(o.path).name or o.iri for o in ontologies),
        "files": [" ".join(filter(None, (o.iri, o.version))) for o in ontologies],
        "about": _about(alignment, ontologies),
        "meaning": alignment.metadata.get(CONFIDENCE_MEANING, "confidence"),
        "header": header,
        "columns": columns,
        "rows": rows,
        "unlisted": unlisted,
        "likely": likely,
        "matchable": matchable,
        "sorting": sorting,
        "sources": sides[0],
        "targets": sides[1],
    }
    return page_of_pairs(
        data,
        f"{alignment.name}: mapping",
        REVIEW_BUTTONS,
        asset("review-help.html"),
        body=asset("review.html"),
        script=asset("review.js"),
    )


def _about(alignment: Alignment, ontologies: Sequence[Ontology]) -> list[str]:
    """Return the lines below the title: versions, and the number of decisions learned from."""
    about = [
        f"{PurePath(o.path).name} {o.version or 'without a stated version'}"
        for o in ontologies
        if o.path
    ]
    facts = alignment.metadata
    if facts.get(CONFIDENCE_MEANING) == "probability":
        learned = facts.get(PRIOR_DECISIONS, "0")
        text = f"probabilities learned from {learned} decisions"
        if learned == "0":
            text = "decide some thirty of the least sure pairs: then match --from learns from them"
        about.append(text)
    return about


def _entities(ontology: Ontology, on_page: Set[str], curies: Texts, stated: Texts) -> JsonObject:
    """Return facts on all entities; of the entities that are shown also their neighbours.

    An entity that is not in the ontology has the label that the mapping states.
    """
    relatives = _relatives(ontology)
    facts: JsonObject = {}
    for iri in sorted(on_page | ontology.entities.keys()):
        of_entity: JsonObject = {"label": stated.get(iri) or local_name(iri)}
        if iri in on_page and iri not in stated:
            of_entity = _entity(iri, ontology, relatives)
        elif iri in ontology:
            label, *synonyms = ontology.entities[iri].names()
            of_entity = {"label": label, "synonyms": synonyms}
        kind = ontology.entities[iri].kind if iri in ontology else ""
        facts[iri] = {**of_entity, "curie": curies.get(iri, iri), "kind": kind}
    return facts


def _decision(
    statement: Correspondence | NegatedCorrespondence, accepted: Set[Key], comment: str
) -> str:
    """Return the decision on a statement."""
    if isinstance(statement, NegatedCorrespondence):
        return "rejected"
    if statement.key in accepted:
        return "accepted"
    if "marked" in comment.split("; "):
        return "marked"
    return ""


def page_of_pairs(
    data: Mapping[str, object],
    title: str,
    buttons: Sequence[Button],
    help_text: str,
    *,
    body: str,
    script: str,
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
    help_text
        HTML that stands below the buttons.
    body
        HTML of the page, with places for the buttons and the help.
    script
        JavaScript of the page, which defines `start`.
    """
    pressed = {button.key: [button.name, button.verdict] for button in buttons}
    elements = "\n".join(
        f'<button id="{button.name}" type="button">{button.text} <kbd>{button.key}</kbd></button>'
        for button in buttons
    )
    parts = {"buttons": elements, "help": help_text}
    for name, text in parts.items():
        body = body.replace(f"<!--{name}-->", text)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(title)}</title><style>{asset('judge.css')}</style></head>"
        f"<body>{body}"
        f'<script type="application/json" id="data">{data_json({**data, "keys": pressed})}</script>'
        f"<script>{asset('pairs.js')}{script}start();</script></body></html>\n"
    )


def entities(pairs: Sequence[Pair], source: Ontology, target: Ontology) -> JsonObject:
    """Return the pairs, and the facts that the page shows of the entities on both sides."""
    sides = []
    for side, ontology in enumerate((source, target)):
        relatives = _relatives(ontology)
        names = entities_of(pairs, side)
        sides.append({iri: _entity(iri, ontology, relatives) for iri in names})
    return {"pairs": [list(pair) for pair in pairs], "sources": sides[0], "targets": sides[1]}


def _relatives(ontology: Ontology) -> dict[str, Relatives]:
    """Return the neighbours of all entities, by kind of neighbour."""
    wholes = wholes_of(ontology)
    linked = grouped((relation, (start, end)) for start, relation, end in ontology.links)
    return {
        "parents": ontology.parents,
        "wholes": wholes,
        "children": inverse(ontology.parents),
        "parts": inverse(wholes),
        "domains": grouped(linked.get(DOMAIN, ())),
        "ranges": grouped(linked.get(RANGE, ())),
    }


def _entity(iri: str, ontology: Ontology, relatives: Mapping[str, Relatives]) -> JsonObject:
    """Return the facts that the page shows of an entity."""
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
    return [words_of(normalise(name, "words")) for name in names]


def cell(text: str) -> str:
    """Return a text as a cell of the file: on one line, quoted where it must be."""
    line = " ".join(text.split())
    if '"' not in line:
        return line
    return '"' + line.replace('"', '""') + '"'


def entities_of(pairs: Sequence[Pair], side: int) -> list[str]:
    """Return the distinct entities of one side (0 source, 1 target), sorted."""
    return sorted({pair[side] for pair in pairs})
