"""From a comparison to its report: what the page shows, computed once, here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation import Comparison
from evaluation.comparison.pairwise import Pairwise
from evaluation.corrections import CORRECTIONS, adjust
from evaluation.measures.relaxed.near_pairs import Parents
from evaluation.measures.threshold_curve import Curve
from evaluation.ranking.graph import answer, rank_ranges
from experiments.results.folder import command, installation
from ontologies import Alignment, local_name
from ontologies.common.files import write_text
from ontologies.common.table import Table

from .cases import cases, mistakes
from .console import best_first, correct_range, decimals
from .html import AGAIN, INPUT, Report
from .words import VIEWS

#: With more systems than this the page carries the chosen test only, and no cases: it stays small.
MANY = 20
#: Points of a curve that are drawn.
POINTS = 150


def comparison_report(
    comparison: Comparison,
    content: Mapping[str, Any],
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    curves: Mapping[str, Curve],
    *,
    title: str,
    label: Callable[[str], str] = local_name,
    parents: tuple[Parents, Parents] | None = None,
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
        What was compared, for the cases.
    curves
        Systems along the threshold.
    title
        Heading of the page.
    label
        What an entity is called, by IRI.
    parents
        Parents of the entities of both sides, by IRI, which near misses are told by.
    tables
        Further tables.
    """
    systems = comparison.systems
    few = len(systems) <= MANY
    scored = bool(comparison.scores)
    edges = {view: graphs[comparison.correction] for view, graphs in comparison.edges.items()}
    first = next(iter(edges))
    data: dict[str, Any] = {
        "systems": list(systems),
        "scores": [content["scores"][s] if scored else {} for s in systems],
        "views": _views(comparison, content, few=few),
        "defaults": {
            "view": first,
            "test": comparison.test,
            "correction": comparison.correction,
            "alpha": comparison.alpha,
        },
        "curves": thinned_out(curves),
        "cases": cases(alignments, reference, label, parents) if few and alignments else None,
    }
    found = data["cases"]
    return Report(
        title=title,
        answer=[
            f"{VIEWS.get(view, view)}: {answer(systems, arrows)}" for view, arrows in edges.items()
        ],
        ranking=_ranking(content, rank_ranges(systems, edges[first]), first),
        mistakes=mistakes(systems, found, hierarchy=parents is not None) if found else None,
        decided=f"{comparison.test} with {comparison.correction}, α = {comparison.alpha:g}",
        tables=tables,
        warnings=[
            *comparison.cautions,
            *content.get("notes", []),
            *([] if few else [_too_many(comparison.test)]),
            comparison.validity,
        ],
        data=data,
        provenance=provenance(content),
    )


def write_report(folder: Path, report: Report) -> None:
    """Write ``report.html``, once the figures are drawn: the page holds the graph that is there."""
    view = report.data["defaults"]["view"]
    drawn = folder / "figures" / f"outperforms-{view}.svg"
    graph = drawn.read_text(encoding="utf-8") if drawn.is_file() else ""
    write_text(folder / "report.html", replace(report, graph=graph).to_html())


def _too_many(test: str) -> str:
    return (
        f"more than {MANY} systems: this page has {test} for its only test, and neither curves nor "
        "cases; alignrank plot and table show the rest, from this folder"
    )


def provenance(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return versions, settings, inputs with their hashes and the command as name and value."""
    facts = installation()
    facts += [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, value in content["settings"].items()
        if value not in (None, "", [])
    ]
    facts += [
        (
            f"{INPUT}{'' if name == file['path'] else name}",
            f"{file['path']} (SHA-256 {file['sha256']})",
        )
        for name, file in content["inputs"].items()
    ]
    return [*facts, (AGAIN, again)] if (again := command()) else facts


def _ranking(content: Mapping[str, Any], places: Mapping[str, str], view: str) -> Table | None:
    """Return the systems with their scores, or with the measure that they were compared by."""
    if values := content.get("values", {}).get(view):
        by_rank = sorted(values, key=lambda name: (int(places[name].split("–")[0]), name))
        rows = [[name, decimals(values[name]), places[name]] for name in by_rank]
        note = "The rank follows the choices above; a range: these cannot all be told apart."
        return Table("Scores and ranks", ["system", view, "rank"], rows, note)
    if "scores" not in content:
        return None
    intervals = content.get("intervals", {})
    rows = []
    for name in best_first(content, places):
        counts, scores = content["counts"][name], content["scores"][name]
        measures = [
            bounded(scores[m], intervals.get(name, {}).get(m))
            for m in ("precision", "recall", "f1")
        ]
        rows.append([name, str(counts["found"]), correct_range(counts), *measures, places[name]])
    notes = [
        f"The rank follows the choices above (at first: {view}); a range means that the systems in "
        "it cannot all be told apart."
    ]
    if any("correct_min" in counts for counts in content["counts"].values()):
        notes.append("Under the correct: the fewest and most that any optimal assignment has.")
    if intervals:
        notes.append(
            "Under the scores: 95 % bootstrap intervals, resampling source entities. Overlapping "
            "intervals do not mean that two systems cannot be told apart: the tests compare them "
            "case by case."
        )
    return Table(
        title="Scores and ranks",
        header=["system", "found", "correct", "precision", "recall", "F1", "rank"],
        rows=rows,
        footnote=" ".join(notes),
    )


def bounded(value: float | None, ends: Sequence[float | None] | None) -> str:
    """Return a score, with its interval where it has one.

    Examples
    --------
    >>> bounded(0.5, None), bounded(0.5, [0.41, 0.6])
    ('0.500', '0.500 [0.410–0.600]')
    """
    if not ends:
        return decimals(value)
    return f"{decimals(value)} [{decimals(ends[0])}–{decimals(ends[1])}]"


def _views(
    comparison: Comparison, content: Mapping[str, Any], *, few: bool
) -> dict[str, dict[str, Any]]:
    """Return what the page's graph needs of each view: with few systems, of every test made."""
    corrections = [name for name, facts in CORRECTIONS.items() if "N×N" in facts.comparisons]
    views = {}
    for view, result in comparison.views.items():
        tests = tuple(result.tests) if few else (result.test,)
        views[view] = {
            "discordant": content.get("discordant", {}).get(view),
            "advantage": {test: rounded(result.tests[test].advantage.tolist()) for test in tests},
            "p": {test: content["p"][view][test] for test in tests},
            "log10_p": {test: content["log10_p"][view][test] for test in tests},
            "adjusted": {
                test: {name: rounded(_adjusted(result, test, name)) for name in corrections}
                for test in tests
            },
        }
    return views


def _adjusted(result: Pairwise, test: str, correction: str) -> list[list[float]]:
    """Return adjusted p-values: those that the comparison was decided by are known already."""
    known = result.adjusted.get(correction) if test == result.test else None
    p = result.tests[test].p
    found: list[list[float]] = (known or adjust(p, correction, alpha=result.alpha)).values.tolist()
    return found


def rounded(matrix: list[list[float]]) -> list[list[float | None]]:
    """Return numbers with six digits, None for NaN, as the page's script takes them."""
    return [[None if math.isnan(x) else float(f"{x:.6g}") for x in row] for row in matrix]


def thinned_out(curves: Mapping[str, Curve]) -> dict[str, dict[str, list[float]]]:
    """Return threshold, precision, recall and F1 along each curve, at some `POINTS`."""
    thin = {}
    for name, known in curves.items():
        points = known.points
        step = max(1, math.ceil(len(points) / POINTS))
        kept = [p for i, p in enumerate(points) if i % step == 0 or i == len(points) - 1]
        thin[name] = {
            key: [round(getattr(p, key), 4) for p in kept]
            for key in ("threshold", "precision", "recall", "f1")
        }
    return thin
