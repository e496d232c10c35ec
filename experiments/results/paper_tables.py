"""The tables of a paper: scores, p-values, discordant counts and significant differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evaluation.credit.credits import LESS_IS_BETTER
from evaluation.ranking.graph import rank_ranges
from experiments.errors import ExperimentError
from experiments.report.words import VIEWS
from ontologies.common.registry import Registry
from ontologies.common.table import Table

if TYPE_CHECKING:
    from .reading import Decided


def p_text(p: float) -> str:
    """Return a p-value for a table.

    Examples
    --------
    >>> p_text(0.04212), p_text(3e-9), p_text(1.0)
    ('0.042', '<0.001', '1.000')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def scores(content: Mapping[str, Any], found: Decided) -> Table:
    """Return precision, recall and F1 with the ranks; of a study the scores by task."""
    if found.view == "tasks":
        return _study_scores(content, found)
    if found.view in content.get("values", {}):
        return _measured(content, found)
    if "scores" not in content:
        raise ExperimentError("these results hold no scores, only counts: use p, adjusted or edges")
    places = rank_ranges(found.systems, found.edges)
    measures = ("precision", "recall", "f1")
    rows = [
        [
            name,
            content["counts"][name]["found"],
            content["counts"][name]["correct"],
            *(content["scores"][name][m] for m in measures),
            places[name],
        ]
        for name in found.systems
    ]
    return Table(
        "Scores and ranks",
        ["system", "found", "correct", "precision", "recall", "F1", "rank"],
        rows,
        f"Rank: {_how(found)}. A range: these systems cannot all be told apart.",
        ["text", "number", "number", "number", "number", "number", "text"],
        _best(rows, range(3, 6)),
    )


def _measured(content: Mapping[str, Any], found: Decided) -> Table:
    """Return what the systems were compared by, a measure, with the ranks."""
    places, values = rank_ranges(found.systems, found.edges), content["values"][found.view]
    rows = [[name, values[name], places[name]] for name in found.systems]
    best = set() if found.view in LESS_IS_BETTER else _best(rows, range(1, 2))
    note = f"Rank: {_how(found)}. A range: these systems cannot all be told apart."
    return Table(
        "Scores and ranks",
        ["system", found.view, "rank"],
        rows,
        note,
        ["text", "number", "text"],
        best,
    )


def p_values(content: Mapping[str, Any], found: Decided) -> Table:
    """Return the p-values before correction."""
    return _matrix("p-values", found, found.p, f"{found.test}, not adjusted; {_view(found)}.")


def adjusted(content: Mapping[str, Any], found: Decided) -> Table:
    """Return the adjusted p-values, the significant ones strong."""
    significant = {frozenset(edge) for edge in found.edges}
    strong = {
        (i, j + 1)
        for i, one in enumerate(found.systems)
        for j, two in enumerate(found.systems)
        if frozenset((one, two)) in significant
    }
    note = f"{_how(found)}. Bold: significant at {found.alpha:g}."
    return _matrix("Adjusted p-values", found, found.adjusted, note, strong)


def discordant(content: Mapping[str, Any], found: Decided) -> Table:
    """Return what the row's system has right and the column's wrong."""
    if found.discordant is None:
        raise ExperimentError("these results hold no discordant counts: use scores, p or adjusted")
    note = f"A cell counts what the row's system has right and the column's wrong; {_view(found)}."
    return _matrix("Discordant counts", found, found.discordant, note)


def edges(content: Mapping[str, Any], found: Decided) -> Table:
    """Return the significant differences, those of the best systems first."""
    place = {name: i for i, name in enumerate(found.systems)}
    rows = []
    for better, worse in sorted(found.edges, key=lambda e: (place[e[0]], place[e[1]])):
        i, j = place[better], place[worse]
        counts = [found.discordant[i][j], found.discordant[j][i]] if found.discordant else []
        rows.append([better, worse, *counts, found.p[i][j], found.adjusted[i][j]])
    counted = ["better only", "worse only"] if found.discordant else []
    return Table(
        "Significant differences",
        ["better", "worse", *counted, "p", "adjusted p"],
        rows,
        f"{_how(found)}, level {found.alpha:g}.",
        show=p_text,
    )


#: By the name that the command line gives them.
TABLES: Registry[Callable[[Mapping[str, Any], Decided], Table]] = Registry(
    "--table",
    {
        "scores": scores,
        "p": p_values,
        "adjusted": adjusted,
        "discordant": discordant,
        "edges": edges,
    },
    ExperimentError,
)


def _study_scores(content: Mapping[str, Any], found: Decided) -> Table:
    order = [content["systems"].index(name) for name in found.systems]
    table = [[row[k] for k in order] for row in content["scores"]]
    strong = {(i, k + 1) for i, row in enumerate(table) for k, x in enumerate(row) if x == max(row)}
    means = [math.fsum(column) / len(column) for column in zip(*table, strict=True)]
    rows = [[task, *row] for task, row in zip(content["tasks"], table, strict=True)]
    mean_ranks = [content["mean_ranks"][name] for name in found.systems]
    return Table(
        f"Scores ({content['measure']})",
        ["task", *found.systems],
        [*rows, ["mean", *means], ["mean rank", *mean_ranks]],
        strong=strong,
    )


def _matrix(
    title: str,
    found: Decided,
    matrix: Sequence[Sequence[object]],
    note: str,
    strong: Collection[tuple[int, int]] = (),
) -> Table:
    rows = [
        [name, *(None if i == j else value for j, value in enumerate(matrix[i]))]
        for i, name in enumerate(found.systems)
    ]
    return Table(title, ["", *found.systems], rows, note, strong=strong, show=p_text)


def _best(rows: Sequence[Sequence[Any]], columns: Collection[int]) -> set[tuple[int, int]]:
    strong = set()
    for k in columns:
        largest = max((row[k] for row in rows if row[k] is not None), default=None)
        strong |= {(i, k) for i, row in enumerate(rows) if row[k] == largest is not None}
    return strong


def _view(found: Decided) -> str:
    return VIEWS.get(found.view, found.view)


def _how(found: Decided) -> str:
    return f"{found.test} with {found.correction}; {_view(found)}"
