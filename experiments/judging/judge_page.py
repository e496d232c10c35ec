"""The page on pairs of entities: one file, without a network.

It asks blind questions, with no hint at any system (`judge_page`), or shows a mapping to correct
(`alignrank.experiments.judging.review_page`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from alignrank.evaluation.judged.pool import Pair
from alignrank.evaluation.significance.clustered import wholes_of
from alignrank.experiments.report.html import POLICY, asset, data_json
from alignrank.ontologies import Ontology, local_name
from alignrank.ontologies.ontology import DOMAIN, RANGE

from .questions_file import CELLS, COLUMNS, QuestionsFile, entities_of

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
QUESTIONS = (
    Button("right", "Right", "r", "right"),
    Button("wrong", "Wrong", "w", "wrong"),
    Button("unsure", "Cannot tell", "c", "cannot tell"),
    UNDO,
    SAVE,
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
        **entities(file.pairs, source, target),
    }
    return page_of_pairs(data, "Are these the same?", QUESTIONS, asset("judge-help.html"))


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
