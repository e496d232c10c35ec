"""The tables beside the table of systems: pairs, p-values, counts, judged questions, tasks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial, singledispatch
from itertools import combinations
from math import isfinite

import numpy as np

from alignrank.common.files import plain
from alignrank.common.table import Table
from alignrank.evaluation import Pairwise
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.judged.conclusions import CHANCE, Chance, Limits, PoolEstimate, in_tens
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.experiments.errors import ExperimentError

from .columns import interval_notes, p_number
from .description import Result


def p_values(view: Pairwise) -> Table:
    """Return the p-values before correction."""
    note = f"{view.test}, not adjusted; {_heading(view)}."
    return _matrix("p-values", view, view.chosen.p, note)


def adjusted(view: Pairwise) -> Table:
    """Return the adjusted p-values, the significant ones strong."""
    place = {name: i for i, name in enumerate(view.order)}
    edges = [(place[better], place[worse]) for better, worse in view.edges]
    strong = {(i, k + 1) for edge in edges for i, k in (edge, edge[::-1])}
    note = f"{_method(view)}. Bold: significant at {view.alpha:g}."
    return _matrix("Adjusted p-values", view, view.adjusted_p, note, strong)


def discordant(view: Pairwise) -> Table:
    """Return the counts of items that the row's system has right and the column's wrong."""
    if view.counts is None:
        raise ExperimentError("these results hold no discordant counts: use scores, p or adjusted")
    note = (
        f"A cell counts what the row's system has right and the column's wrong; {_heading(view)}."
    )
    return _matrix("Discordant counts", view, view.counts.discordant, note)


def every_pair(view: Pairwise, title: str) -> Table:
    """Return a table with a row for each pair: its verdict, and what that rests on."""
    matrices, verdicts = view.pair_matrices(), view.verdicts
    rows: list[list[object]] = []
    for i, j in view.pairs_by_rank():
        first, second = view.systems[i], view.systems[j]
        values = [plain(matrix[i, j].item()) for matrix in matrices.values()]
        rows.append([first, second, verdicts[first, second], *values])
    header = ["system", "other", "it is", *matrices]
    names = [name.replace(" ", "_") for name in header]
    note, show = interval_notes(view), "{:.4g}".format
    return Table(title, header, rows, note, show=show, names=names)


def edges(view: Pairwise) -> Table:
    """Return the significant differences, those of the best systems first."""
    matrices: dict[str, Floats | Ints] = {}
    if view.counts is not None:
        matrices = {"better only": view.counts.discordant, "worse only": view.counts.discordant.T}
    matrices |= {"p": view.chosen.p, "adjusted p": view.adjusted_p}
    place = {name: i for i, name in enumerate(view.order)}
    rows = []
    for better, worse in sorted(view.edges, key=lambda edge: (place[edge[0]], place[edge[1]])):
        pair = view.systems.index(better), view.systems.index(worse)
        rows.append([better, worse, *(matrix[pair].item() for matrix in matrices.values())])
    note = f"{_method(view)}, level {view.alpha:g}."
    header = ["better", "worse", *matrices]
    return Table("Significant differences", header, rows, note, show=p_number)


def scores_by_task(result: Study, view: Pairwise) -> Table:
    """Return a study's scores by task, the best of each task strong."""
    index = [result.systems.index(name) for name in view.order]
    values, gains = result.table.scores[:, index], result.table.gains[:, index]
    best = np.argwhere(gains == gains.max(axis=1, keepdims=True)).tolist()
    rows = [[task, *row] for task, row in zip(result.table.tasks, values.tolist(), strict=True)]
    rows.append(["mean", *(result.table.means[name] for name in view.order)])
    rows.append(["mean rank", *(result.mean_ranks[name] for name in view.order)])
    title, strong = f"Scores ({result.table.measure})", {(i, k + 1) for i, k in best}
    return Table(title, ["task", *view.order], rows, strong=strong)


def pairs_of_study(result: Study) -> Table:
    """Return every pair of a study with its tests and effect sizes."""
    rows = result.to_frame()
    return Table("Every pair", list(rows.columns), rows.values.tolist(), show="{:.4g}".format)


def _refused() -> Table:
    raise ExperimentError("these results are of one task: use scores")


@singledispatch
def tables_of(result: Result, view: Pairwise) -> dict[str, Callable[[], Table]]:
    """Return functions that make the further tables of a view, by their names (`NAMES`)."""
    return {
        "tasks": _refused,
        "p": partial(p_values, view),
        "adjusted": partial(adjusted, view),
        "discordant": partial(discordant, view),
        "edges": partial(edges, view),
        "pairs": partial(every_pair, view, "Every pair"),
    }


@tables_of.register(Study)
def _tables_of_study(result: Study, view: Pairwise) -> dict[str, Callable[[], Table]]:
    own = {"tasks": partial(scores_by_task, result, view)}
    if view is result.deciding:  # else another test or correction was chosen
        own["pairs"] = partial(pairs_of_study, result)
    return {**tables_of.dispatch(object)(result, view), **own}


#: Of the further tables, as the command line calls them.
NAMES = ("tasks", "p", "adjusted", "discordant", "edges", "pairs")


@singledispatch
def details(result: Result) -> list[Table]:
    """Return the tables that only the page and ``--verbose`` show."""
    if result.pool is None:
        return []
    return [differences_in_pool(result.pool, result.deciding.systems)]


@details.register(Study)
def _details_of_study(result: Study) -> list[Table]:
    cells = [
        [test.name, f"{test.statistic:.4g}", ", ".join(map(str, test.df)), f"{test.p:.4g}"]
        for test in result.omnibus
    ]
    header = ["test", "statistic", "degrees of freedom", "p"]
    tables = [Table("All systems at once", header, cells)]
    if result.pooled is not None:
        tables.insert(0, every_pair(result.pooled, "On these tasks alone: every pair"))
    n, note = len(result.systems), "Not adjusted for the number of pairs."
    for test, of_pairs in (
        ("the paired t test", [pair.t.p for pair in result.pairs]),
        ("Wilcoxon's signed-rank test", [pair.wilcoxon.p for pair in result.pairs]),
    ):
        matrix = np.full((n, n), np.nan)
        matrix[np.triu_indices(n, 1)] = of_pairs
        p = np.fmax(matrix, matrix.T)
        tables.append(_matrix(f"p-values of {test}", result.deciding, p, note))
    return [*tables, adjusted(result.deciding)]


def _matrix(
    title: str,
    view: Pairwise,
    matrix: Floats | Ints,
    note: str,
    strong: Collection[tuple[int, int]] = (),
) -> Table:
    """Return a matrix of all pairs, the systems by rank."""
    rows = [
        [name, *(None if i == j else value for j, value in enumerate(row))]
        for i, (name, row) in enumerate(zip(view.order, view.in_order(matrix), strict=True))
    ]
    return Table(title, ["system", *view.order], rows, note, strong=strong, show=p_number)


def _heading(view: Pairwise) -> str:
    title = heading(view.view)
    return f"{title[0].lower()}{title[1:]}"


def _method(view: Pairwise) -> str:
    """Return the test, the correction and the view in few words."""
    return f"{view.test} with {view.correction}; {_heading(view)}"


# ---- judged questions


def differences_in_pool(estimate: PoolEstimate, names: Sequence[str]) -> Table:
    """Return the differences of each two systems in the pool, and whether they are significant."""
    verdicts = dict.fromkeys(estimate.whatever, "better, whatever right pairs the files lack")
    for better, worse, flip in estimate.if_complete:
        verdicts[better, worse] = "better in the pool"
        if isfinite(flip):
            verdicts[better, worse] = f"better below {flip:,.0f} right pairs in all"
    chances = {frozenset(chance.systems): chance for chance in estimate.chances}
    rows = []
    for pair in combinations(estimate.order(names), 2):
        i, j = map(names.index, pair)
        f1, correct = estimate.differences["f1"], estimate.differences["correct"]
        verdict = verdicts.get(pair, "not significantly different")
        row = [*pair, difference_in_pool(f1, i, j, 3), difference_in_pool(correct, i, j, 0)]
        if estimate.verdict is not None:
            row.append(verdict)
        if estimate.chances:
            row += _chance_cells(chances.get(frozenset(pair)))
        rows.append(row)
    header, sentences = ["system", "other", "F1 in the pool", "correct"], []
    if estimate.verdict is not None:
        header.append("in F1 it is")
    if estimate.judged < estimate.questions or estimate.cannot_tell:
        sentences.append("In brackets: limits that hold for all pairs together.")
    if estimate.chances:
        header += ["next verdict decides", "80% after"]
        sentences.append(
            "Next verdict decides: the chance, a forecast. 80% after: the number of answers at the "
            f"first verdict that decides with a chance of {CHANCE:.0%} or more."
        )
    return Table("Differences in the pool", header, rows, " ".join(sentences))


def _chance_cells(chance: Chance | None) -> list[str]:
    """Return the chance that the next verdict decides, and the answers that decide with 80%."""
    if chance is None:
        return ["", ""]
    if chance.answers_for_80 is None:
        return ["never", ""]
    return [in_tens(chance.next).removeprefix("of "), f"{chance.answers_for_80:,}"]


def difference_in_pool(limits: Limits, i: int, j: int, digits: int) -> str:
    """Return a difference with its limits, if they differ."""
    # minus zero, as of two equal systems, has no sign
    matrices = (limits.value, limits.low, limits.high)
    value, low, high = (f"{round(m[i, j], digits) + 0.0:+.{digits}f}" for m in matrices)
    if low == high:
        return value
    return f"{value} [{low} to {high}]"
