"""The page that asks the questions: one file, without a network, with no hint at any system."""

from __future__ import annotations

from html import escape

from alignrank.experiments.report.html import POLICY, asset, data_json
from alignrank.ontologies import Ontology, local_name

from .questions_file import CELLS, COLUMNS, QuestionsFile, entities_of

#: The largest number of synonyms, definitions, parents and children of an entity on the page.
MOST = 8


def judge_page(file: QuestionsFile, source: Ontology, target: Ontology) -> str:
    """Return the page for a file of questions."""
    sides = []
    for side, ontology in enumerate((source, target)):
        children = _children(ontology)
        names = entities_of(file.pairs, side)
        sides.append({iri: _entity(iri, ontology, children) for iri in names})
    data = {
        "draw": file.draw,
        "header": file.header,
        "columns": list(COLUMNS),
        "cells": CELLS,
        "rows": [[row.get(column, "") for column in COLUMNS] for row in file.rows],
        "pairs": [list(pair) for pair in file.pairs],
        "verdicts": list(file.verdicts),
        "questions": [list(rows) for rows in file.questions],
        "sources": sides[0],
        "targets": sides[1],
    }
    title = "Are these the same?"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{escape(title)}</title><style>{asset('judge.css')}</style></head>"
        f"<body>{asset('judge.html')}"
        f'<script type="application/json" id="data">{data_json(data)}</script>'
        f"<script>{asset('judge.js')}</script></body></html>\n"
    )


def _children(ontology: Ontology) -> dict[str, list[str]]:
    """Return the children of each entity."""
    children: dict[str, list[str]] = {}
    for child, parents in ontology.parents.items():
        for parent in parents:
            children.setdefault(parent, []).append(child)
    return children


def _entity(iri: str, ontology: Ontology, children: dict[str, list[str]]) -> dict[str, object]:
    """Return what the page shows of an entity."""
    if iri not in ontology:
        return {"label": local_name(iri)}
    label, *synonyms = ontology.entities[iri].names()
    relatives = (ontology.parents.get(iri, ()), sorted(children.get(iri, ())))
    parents, below = ([ontology.entities[k].names()[0] for k in group] for group in relatives)
    return {
        "label": label,
        "synonyms": _some(synonyms),
        "definitions": _some(list(ontology.definitions.get(iri, ()))),
        "parents": _some(parents),
        "children": _some(below),
    }


def _some(names: list[str]) -> list[str]:
    """Return the first names, and how many more there are."""
    if len(names) <= MOST:
        return names
    return [*names[: MOST - 1], f"and {len(names) - MOST + 1} more"]
