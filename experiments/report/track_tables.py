"""Tables of a track: averages, precision, recall and F1 by task, and who is best on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from alignrank.common.names import count
from alignrank.common.table import Table
from alignrank.evaluation import Averages, Comparison, averages
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.evaluation.multitask.score_table import Mismatch


def track_tables(results: TrackResults, on_mismatch: Mismatch) -> list[Table]:
    """Return the averages, and precision, recall and F1 on each task."""
    averages_by_system = {
        system: averages(
            {task: by_system.get(system) for task, by_system in results.alignments.items()},
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
    header += ["F1", "better", "not significantly different", "worse"]
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
        rows.append([*row, result.scores[name].f1, *map(_few, (better, level, worse))])
    method = f"{first.test} with {first.correction} on each task by itself"
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
