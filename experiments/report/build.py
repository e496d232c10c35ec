"""From a comparison to its report: what the page shows, computed once, here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluation import TESTS, Comparison
from evaluation.corrections import CORRECTIONS, adjust
from evaluation.curves import curve
from evaluation.words import answer
from ontologies import Alignment, local_name

from .console import best_first, correct_range, decimals, ranks
from .html import Report, Table
from .words import VIEWS

#: With more systems than this the page carries the chosen test only, and no cases: it stays small.
MANY = 20
_TIES = " Correct counts in brackets: the smallest and largest that any optimal assignment has."
#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    comparison: Comparison,
    content: Mapping[str, Any],
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    *,
    title: str,
    label: Callable[[str], str] = local_name,
    tables: Sequence[Table] = (),
) -> Report:
    """Build the report of `rank` and `compare`.

    Parameters
    ----------
    comparison
        What was computed.
    content
        Its `summary`.
    alignments, reference
        What was compared, for the cases and curves.
    title
        Heading of the page.
    label
        What an entity is called, by IRI.
    tables
        Further tables.
    """
    systems = comparison.systems
    few = len(systems) <= MANY
    scored = bool(comparison.scores)
    edges = {view: graphs[comparison.correction] for view, graphs in comparison.edges.items()}
    first = next(iter(edges))
    data = {
        "systems": list(systems),
        "scores": [content["scores"][s] if scored else {} for s in systems],
        "views": _views(comparison, content, TESTS if few else (comparison.test,)),
        "defaults": {
            "view": first,
            "test": comparison.test,
            "correction": comparison.correction,
            "alpha": comparison.alpha,
        },
        "curves": threshold_curves(alignments, reference) if few else {},
        "cases": _cases(systems, alignments, reference, label) if few and alignments else None,
    }
    return Report(
        title=title,
        answer=[
            f"{VIEWS.get(view, view)}: {answer(systems, arrows)}" for view, arrows in edges.items()
        ],
        ranking=_ranking(content, ranks(systems, edges[first]), first) if scored else None,
        tables=tables,
        warnings=[*comparison.warnings, *content.get("notes", []), comparison.validity],
        data=data,
        provenance=provenance(content),
    )


def provenance(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return settings, inputs with their hashes and the version as name and value."""
    facts = [("alignrank", content["version"])]
    facts += [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in content["settings"].items()
        if value is not None
    ]
    facts += [
        (f"input {name}", f"{file['path']} (SHA-256 {file['sha256']})")
        for name, file in content["inputs"].items()
    ]
    return facts


def _ranking(content: Mapping[str, Any], places: Mapping[str, str], view: str) -> Table:
    rows = []
    for name in best_first(content, places):
        counts, scores = content["counts"][name], content["scores"][name]
        measures = [decimals(scores[m]) for m in ("precision", "recall", "f1")]
        rows.append([name, str(counts["found"]), correct_range(counts), *measures, places[name]])
    return Table(
        title="Scores and ranks",
        header=["system", "found", "correct", "precision", "recall", "F1", "rank"],
        rows=rows,
        note=f"The rank follows the choices below (at first: {view}). A range means that the "
        "systems in it cannot all be told apart." + (_TIES if "correct_min" in counts else ""),
    )


def _views(
    comparison: Comparison, content: Mapping[str, Any], tests: Sequence[str]
) -> dict[str, Any]:
    corrections = [name for name, facts in CORRECTIONS.items() if "N×N" in facts.comparisons]
    views: dict[str, Any] = {}
    for view, result in comparison.views.items():
        if result.discordant is None:
            continue
        views[view] = {
            "discordant": content["discordant"][view],
            "p": {test: content["p"][view][test] for test in tests},
            "log10_p": {test: content["log10_p"][view][test] for test in tests},
            "adjusted": {
                test: {
                    name: rounded(adjust(result.tests[test].p, name).values.tolist())
                    for name in corrections
                }
                for test in tests
            },
        }
    return views


def rounded(matrix: list[list[float]]) -> list[list[float | None]]:
    """Return p-values with six digits, None for NaN, as the page's script takes them."""
    return [[None if math.isnan(p) else float(f"{p:.6g}") for p in row] for row in matrix]


def threshold_curves(
    alignments: Mapping[str, Alignment], reference: Alignment
) -> dict[str, dict[str, list[float]]]:
    """Return threshold, precision, recall and F1 along each system's confidences, thinned out."""
    curves = {}
    for name, alignment in alignments.items():
        points = curve(alignment, reference).points
        step = max(1, math.ceil(len(points) / POINTS))
        kept = [p for i, p in enumerate(points) if i % step == 0 or i == len(points) - 1]
        curves[name] = {
            key: [round(getattr(p, key), 4) for p in kept]
            for key in ("threshold", "precision", "recall", "f1")
        }
    return curves


def _cases(
    systems: Sequence[str],
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    label: Callable[[str], str],
) -> dict[str, Any]:
    """Return every pair that a system or the reference holds: judged how, found by whom."""
    found: dict[tuple[str, str], list[int]] = {c.pair: [] for c in reference}
    for k, name in enumerate(systems):
        for pair in sorted(alignments[name].pairs):
            found.setdefault(pair, []).append(k)
    right = {c.pair for c in reference if c.relation != "?"}
    unjudged = reference.pairs - right
    sides = [sorted({pair[side] for pair in found}) for side in (0, 1)]
    index = [{iri: i for i, iri in enumerate(side)} for side in sides]
    rows = [
        [
            index[0][one],
            index[1][two],
            1 if (one, two) in right else -1 if (one, two) in unjudged else 0,
            who,
        ]
        for (one, two), who in sorted(found.items())
    ]
    entities = [[[iri, label(iri)] for iri in side] for side in sides]
    return {"entities1": entities[0], "entities2": entities[1], "rows": rows}
