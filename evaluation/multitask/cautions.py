"""What a reader must know before believing a study, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from alignrank.common.cautions import Caution
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.ontologies.ontology import local_name

from .pair_tests import paired_t
from .posthoc import POSTHOC_TESTS
from .score_table import ScoreTable

#: Corrections under which the smallest adjusted p-value is the number of pairs times p.
_FULL_PRICE = ("nemenyi", "bonferroni", "holm", "shaffer", "bergmann-hommel")


def cautions(table: ScoreTable, view: Pairwise, margin: float | None) -> tuple[Caution, ...]:
    """Return the cautions of a study.

    Parameters
    ----------
    table, margin
        As in `alignrank.evaluation.multitask.study`.
    view
        Every pair, decided.
    """
    alpha, test = view.alpha, view.test
    by_kind = {
        "few-tasks": _few_tasks(table, view),
        "identical": _identical(table),
        "not-normal": _not_normal(table, test, alpha),
        "pool": _pool(table, test, alpha),
        "logic": _logic(view),
        "shared-ontologies": _shared_ontologies(table),
        "scale": _scale(table, margin),
    }
    return tuple(Caution(kind, text) for kind, texts in by_kind.items() for text in texts)


def _few_tasks(table: ScoreTable, view: Pairwise) -> Iterator[str]:
    n = len(table.tasks)
    if view.test not in ("signed-rank", "sign"):
        return
    smallest = 2 / 2**n
    alpha, times = view.alpha, view.questions if view.correction in _FULL_PRICE else 1
    if smallest * times > alpha:
        price = f", {min(smallest * times, 1.0):.3g} after correction" if times > 1 else ""
        yield (
            f"With {n} tasks the smallest possible p-value is 2/2^{n} = {smallest:.3g}{price}: no "
            f"difference, however large, can be significant at {alpha:g}."
        )


def _identical(table: ScoreTable) -> Iterator[str]:
    for i, j in combinations(range(len(table.systems)), 2):
        if np.array_equal(table.scores[:, i], table.scores[:, j]):
            yield (
                f"{table.systems[i]} and {table.systems[j]} have the same score on every task: "
                "every p-value of the two is 1 by definition."
            )


def _not_normal(table: ScoreTable, test: str, alpha: float) -> Iterator[str]:
    pairs = list(combinations(range(len(table.systems)), 2))
    results = [paired_t(table.scores[:, i], table.scores[:, j]) for i, j in pairs]
    failing = [
        f"{table.systems[i]}–{table.systems[j]}"
        for (i, j), result in zip(pairs, results, strict=True)
        if result.normality_p <= alpha
    ]
    if failing:
        listed = ", ".join(failing[:5]) + (", …" if len(failing) > 5 else "")
        advice = " Take the signed-rank test." if test == "paired-t" else ""
        yield (
            "The paired t-test's precondition fails: the differences are not normal (Shapiro–Wilk "
            f"at {alpha:g}) for {len(failing)} of {len(pairs)} pairs: {listed}.{advice}"
        )
    elif len(table.tasks) < 10:
        yield (
            f"With {len(table.tasks)} tasks it can hardly be checked whether the differences are "
            "normal, as the paired t-test supposes."
        )
    if any(np.isinf(result.t) for result in results):
        yield (
            "Some differences are the same on every task: the paired t-test's p is 0 there, a "
            "limit and no evidence of that strength."
        )


def _pool(table: ScoreTable, test: str, alpha: float) -> Iterator[str]:
    """Say which verdicts of a mean-rank test hang on who else takes part."""
    k = len(table.systems)
    if not POSTHOC_TESTS[test].pooled or k < 3:
        return
    whole, _ = POSTHOC_TESTS[test].compare(table.scores)
    flips = set()
    for omitted in range(k):
        remaining = np.delete(np.arange(k), omitted)
        p, _ = POSTHOC_TESTS[test].compare(table.scores[:, remaining])
        changed = (p <= alpha) != (whole[np.ix_(remaining, remaining)] <= alpha)
        flips |= {
            (int(remaining[a]), int(remaining[b])) for a, b in np.argwhere(np.triu(changed, 1))
        }
    yield (
        "Mean ranks depend on which other systems are in the pool"
        + (
            ": without one of them the unadjusted verdict changes for "
            + ", ".join(f"{table.systems[i]}–{table.systems[j]}" for i, j in sorted(flips))
            if flips
            else " (here leaving any one out changes no unadjusted verdict)"
        )
        + ". The signed-rank test does not have this fault."
    )


def _logic(view: Pairwise) -> Iterator[str]:
    correction = view.correction
    if view.test == "sign" and correction in ("shaffer", "bergmann-hommel"):
        yield (
            f"{correction} supposes that A = B and B = C imply A = C. Medians of differences, "
            "which the sign test is about, need not obey that: take 'holm'."
        )
    if not view.adjusted[correction].exact.all():
        yield (
            "The search for exact Bergmann–Hommel values ended at its budget: some adjusted "
            "p-values are upper bounds, which still control the error."
        )
    for circle in view.ranking.cycles:
        yield (
            f"The significant differences run in a circle among {', '.join(circle)}: no ranking "
            "fits them."
        )


def _shared_ontologies(table: ScoreTable) -> Iterator[str]:
    pairs = known_ontologies(table)
    if everywhere := set[str].intersection(*map(set, pairs)) if pairs else ():
        yield (
            f"The tasks are not independent: all {len(pairs)} share the ontology "
            f"{local_name(min(everywhere))}. What is found holds for tasks with it only."
        )


def _scale(table: ScoreTable, margin: float | None) -> Iterator[str]:
    largest = float(np.abs(table.scores).max())
    if margin is not None and largest > 1:
        yield (
            f"The scores reach {largest:g}, and the region of practical equivalence is ±{margin:g} "
            "in the same units. Set it to a difference that does not matter."
        )


def task_ontologies(tasks: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the two ontologies of each task, or nothing if the names do not tell them.

    Names tell them if each has two parts around one hyphen, as ``cmt-conference`` has, and some
    ontology occurs in several tasks but none in all. Case does not count.

    Examples
    --------
    >>> task_ontologies(["cmt-confOf", "cmt-ekaw", "confof-ekaw"])
    (('cmt', 'confof'), ('cmt', 'ekaw'), ('confof', 'ekaw'))
    >>> task_ontologies(["data-1", "data-2", "test-1"]), task_ontologies(["Wine", "Zoo"])
    ((), ())
    """
    pairs = [tuple(task.casefold().split("-")) for task in tasks]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return ()
    if any(name.isdecimal() for pair in pairs for name in pair):  # tasks that are numbered
        return ()
    counts = [sum(name in pair for pair in pairs) for name in {n for pair in pairs for n in pair}]
    if max(counts) < 2 or max(counts) == len(pairs):
        return ()
    return tuple((pair[0], pair[1]) for pair in pairs)


def known_ontologies(table: ScoreTable) -> tuple[tuple[str, str], ...]:
    """Return the two ontologies of each task where tasks share some, else nothing.

    They are those that the table knows, or those that the tasks are named after.
    """
    pairs = table.ontologies or task_ontologies(table.tasks)
    names = [name for pair in pairs for name in set(pair)]
    return tuple(pairs) if len(names) > len(set(names)) else ()
