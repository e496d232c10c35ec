"""The tables beside the table of systems: pairs, p-values, counts, judged questions, tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from math import isfinite

import numpy as np

from alignrank.common.files import plain
from alignrank.common.names import count
from alignrank.common.table import Table
from alignrank.evaluation import Averages, Comparison, Pairwise, averages
from alignrank.evaluation.comparison.contingency import heading
from alignrank.evaluation.judged.conclusions import CHANCE, Chance, Limits, PoolEstimate, in_tens
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.multitask.score_table import Mismatch
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.experiments.errors import ExperimentError

from .columns import interval_notes, p_number


def p_values(view: Pairwise) -> Table:
    """Return the p-values before correction."""
    note = f"{view.test}, not adjusted; {_heading(view)}."
    return _matrix("p-values", view, view.chosen.p, note)


def adjusted(view: Pairwise) -> Table:
    """Return the adjusted p-values, the significant ones strong."""
    place = {name: i for i, name in enumerate(view.order)}
    edges = [(place[better], place[worse]) for better, worse in view.edges]
    # a pair has two cells; the names stand in column 0
    strong = {(i, k + 1) for i, k in edges} | {(k, i + 1) for i, k in edges}
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
    """Return the significant differences, the best systems first."""
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
    rows = result.pair_rows()
    return Table(
        "Every pair", list(rows[0]), [list(row.values()) for row in rows], show="{:.4g}".format
    )


def _refused() -> Table:
    raise ExperimentError("these results are of one task: use scores")


def tables_of(view: Pairwise) -> dict[str, Callable[[], Table]]:
    """Return functions that make the further tables of a view, by their names (`NAMES`)."""
    return {
        "tasks": _refused,
        "p": partial(p_values, view),
        "adjusted": partial(adjusted, view),
        "discordant": partial(discordant, view),
        "edges": partial(edges, view),
        "pairs": partial(every_pair, view, "Every pair"),
    }


def tables_of_study(result: Study, view: Pairwise) -> dict[str, Callable[[], Table]]:
    """Return functions that make the further tables of a study, by their names (`NAMES`)."""
    tables = tables_of(view)
    tables["tasks"] = partial(scores_by_task, result, view)
    if view is result.deciding:  # else another test or correction was chosen
        tables["pairs"] = partial(pairs_of_study, result)
    return tables


#: Names of the further tables on the command line.
NAMES = ("tasks", "p", "adjusted", "discordant", "edges", "pairs")


def details_of_comparison(result: Comparison) -> list[Table]:
    """Return the tables of a comparison that only the page and ``--verbose`` show."""
    if result.pool is None:
        return []
    return [differences_in_pool(result.pool, result.deciding.systems)]


def details_of_study(result: Study) -> list[Table]:
    """Return the tables of a study that only the page and ``--verbose`` show."""
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
        p = np.fmax(matrix, matrix.T)  # fills the lower half, which is NaN
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
    for pair in combinations(estimate.order(names), 2):  # the better system first
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
    return [in_tens(chance.next), f"{chance.answers_for_80:,}"]


def difference_in_pool(limits: Limits, i: int, j: int, digits: int) -> str:
    """Return a difference with its limits, if they differ."""
    # minus zero, as of two equal systems, has no sign
    matrices = (limits.value, limits.low, limits.high)
    value, low, high = (f"{round(m[i, j], digits) + 0.0:+.{digits}f}" for m in matrices)
    if low == high:
        return value
    return f"{value} [{low} to {high}]"


# ---- many tasks


def track_tables(results: TrackResults, on_mismatch: Mismatch) -> list[Table]:
    """Return the averages, and precision, recall and F1 on each task."""
    averages_by_system = {
        system: averages(
            {
                task: None if (system, task) in results.unreadable else by_system.get(system)
                for task, by_system in results.alignments.items()
            },
            results.references,
            on_mismatch=on_mismatch,
        )
        for system in results.systems
    }
    rows: list[list[object]] = []
    winners = set()
    for task in results.references:
        rates = {s: a.tasks[task] for s, a in averages_by_system.items() if task in a.tasks}
        best = max((rate.f1 for rate in rates.values()), default=0.0)
        for system, rate in sorted(rates.items(), key=lambda item: (-item[1].f1, item[0])):
            if rate.f1 == best:
                winners |= {(len(rows), k) for k in (1, 4)}
            rows.append([task, system, rate.precision, rate.recall, rate.f1])
    by_task = Table(
        "Precision, recall and F1 by task",
        ["task", "system", "precision", "recall", "F1"],
        rows,
        "Bold: the best F1 of a task.",
        ["text", "text", "number", "number", "number"],
        winners,
        stem="precision-recall-and-f1-by-task",
    )
    best_first = dict(sorted(averages_by_system.items(), key=lambda item: -item[1].macro.f1))
    return [averages_table(best_first, results.seconds), by_task]


def averages_table(
    averages_by_system: Mapping[str, Averages], seconds: Mapping[str, float]
) -> Table:
    """Return micro and macro averages of each system, and the seconds that MELT measured."""
    header = ["system", "micro P", "R", "F1", "macro P", "R", "mean F1", "F1 of means", "tasks"]
    rows: list[list[object]] = []
    for name, average in averages_by_system.items():
        of_all = [*vars(average.micro).values(), *vars(average.macro).values()]
        rows.append([name, *of_all, average.f1_of_means, len(average.tasks)])
    if seconds:
        header.append("seconds")
        for row in rows:
            row.append(seconds.get(str(row[0])))
    return Table("Averages", header, rows, stem="averages")


def winners_table(comparisons: Mapping[str, Comparison]) -> Table:
    """Return for each task the system that scores best, or the focus, and how others compare."""
    first = next(iter(comparisons.values()))
    header = ["task", "reference", "system"]
    if first.deciding.values is not None:
        header.append(first.deciding.quantity)
    # several runs of a system have no F1 of their own
    has_f1 = all(result.scores for result in comparisons.values())
    header += ["F1"] * has_f1 + ["better", "not significantly different", "worse"]
    rows = []
    for task, result in comparisons.items():
        view = result.deciding
        name = view.focus or view.order[0]
        worse = [loser for winner, loser in view.edges if winner == name]
        better = [winner for winner, loser in view.edges if loser == name]
        level = [s for s in view.order if s not in (name, *worse, *better)]
        row: list[object] = [task, result.reference, name]
        if view.values is not None:
            row.append(view.values[name])
        if has_f1:
            row.append(result.scores[name].f1)
        rows.append([*row, *map(_few, (better, level, worse))])
    # a system may have several runs on some of the tasks only: another test decides there
    tests = " or ".join(dict.fromkeys(result.test for result in comparisons.values()))
    method = f"{tests} with {first.correction} on each task by itself"
    subject = first.focus or "the system that scores best"
    note = (
        f"System: {subject}; then the systems that are significantly better, not significantly "
        f"different, and significantly worse. Method: {method}, assuming independent "
        f"{first.deciding.units.name}; with more tasks come more differences by chance."
    )
    return Table("Each task by itself", header, rows, note, stem="each-task-by-itself")


def winners_sentence(comparisons: Mapping[str, Comparison]) -> str:
    """Say on how many tasks each system scores best, or how often the focus differs."""
    views = [result.deciding for result in comparisons.values()]
    focus = views[0].focus
    better = sum(
        any(winner == (focus or view.order[0]) for winner, _ in view.edges) for view in views
    )
    tasks = count(len(views), "task")
    if focus is not None:
        worse = sum(any(loser == focus for _, loser in view.edges) for view in views)
        return (
            f"{focus} is significantly better than a system on {better} of {tasks}, and "
            f"significantly worse on {worse}."
        )
    best = [_best(view) for view in views]
    wins = Counter(chain.from_iterable(best)).most_common()
    listed = ", ".join(f"{name} on {number}" for name, number in wins)
    if max(map(len, best)) > 1:
        listed += " (ties count for each)"
    return (
        f"Best of {tasks}: {listed}. A system is significantly worse than the best one on {better}."
    )


def _best(view: Pairwise) -> list[str]:
    """Return the system with the highest value, or all that share it."""
    if view.values is None:
        return [view.order[0]]
    highest = view.values[view.order[0]]
    return [name for name in view.order if view.values[name] == highest]


def _few(systems: Sequence[str]) -> str:
    """Return names, or their number where they are many."""
    if len(systems) > 3:
        return count(len(systems), "system")
    return ", ".join(systems)
