"""What a reader must know before believing a study, each in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

import numpy as np

from alignrank.common.errors import Argument, Message
from alignrank.common.names import count, first_of
from alignrank.common.results import Caution
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.ranking import Edge

from .posthoc import JACKKNIFE, POSTHOC_TESTS, estimand
from .score_table import ScoreTable
from .shared_ontologies import hub_sentence, ontologies_if_shared

#: Corrections under which the smallest adjusted p-value is the number of pairs times p.
_FULL_PRICE = ("nemenyi", "bonferroni", "holm", "shaffer", "bergmann-hommel")


def cautions(
    table: ScoreTable,
    view: Pairwise,
    untested: str,
    margin: float | None,
    normality_p: Mapping[Edge, float],
) -> tuple[Caution, ...]:
    """Return the cautions of a study.

    Parameters
    ----------
    table, margin
        As in `alignrank.evaluation.multitask.study`.
    view
        Every pair, decided.
    untested
        Why nothing was tested; empty where it was.
    normality_p
        Of each pair's differences: `PairedT.normality_p`.
    """
    pool: Iterable[str] = ()
    if not untested:
        pool = _pool(table, view)
    by_kind = {
        "identical": _identical(table),
        "not-normal": _not_normal(view, normality_p),
        "against-means": _against_means(table, view),
        "pool": pool,
        "logic": _logic(view),
        "shared-ontologies": _shared_ontologies(table, view.test),
        "scale": _scale(table, margin),
    }
    return tuple(Caution(kind, text) for kind, texts in by_kind.items() for text in texts)


def could_not_decide(table: ScoreTable, view: Pairwise, untested: str) -> str:
    """Return why no difference could be significant, and what would help; else ''.

    Parameters
    ----------
    table
        The scores.
    view
        Every pair, decided.
    untested
        Why nothing was tested; empty where it was.
    """
    if untested:
        return untested
    test, alpha = view.test, view.alpha
    reason = f"the {test} test"
    if test not in ("signed-rank", "sign"):
        return ""
    n = len(table.tasks)
    smallest = 2 / 2**n
    pairs = view.questions if view.correction in _FULL_PRICE else 1
    if smallest * pairs <= alpha:
        return ""
    price = ""
    if pairs > 1:
        price = f", {min(smallest * pairs, 1.0):.3g} after correction"
    needed = math.ceil(1 + math.log2(pairs / alpha))
    one_system = ""
    if view.focus is None and pairs > 1 and smallest * (len(view.systems) - 1) <= alpha:
        one_system = " A comparison of one system with the others could, too."
    scale = ""
    if test == "signed-rank" and not table.common_scale:
        scale = " If all scores have the same scale (scale: common), fewer tasks can decide."
    return (
        f"{n} tasks are too few: p of {reason} cannot be below {smallest:.3g}{price}. From "
        f"{needed} tasks on a difference can be significant.{one_system}{scale}"
    )


def _identical(table: ScoreTable) -> Iterator[str]:
    for i, j in combinations(range(len(table.systems)), 2):
        if np.array_equal(table.scores[:, i], table.scores[:, j]):
            yield (
                f"{table.systems[i]} and {table.systems[j]} have the same score on every task: "
                "every p-value of the two is 1 by definition."
            )


def _not_normal(view: Pairwise, normality_p: Mapping[Edge, float]) -> Iterator[str]:
    if view.test != "paired-t":
        return
    alpha = view.alpha
    failing = ["–".join(pair) for pair, p in normality_p.items() if p <= alpha]
    if failing:
        yield Message(
            f"The differences of {count(len(failing), 'pair')} are not normal (Shapiro–Wilk at "
            f"{alpha:g}): {first_of(failing, 3)}. If a system fails rarely but badly, the paired "
            f"t-test finds false differences in more than {100 * alpha:g}% of studies: repeat it "
            "with ",
            Argument("test", "signed-rank"),
            ", and trust only what both tests find.",
        )


def _against_means(table: ScoreTable, view: Pairwise) -> Iterator[str]:
    """Name the arrows that the mean scores contradict, whatever else the test compares."""
    means = dict(zip(table.systems, table.scores.mean(axis=0).tolist(), strict=True))
    gains = dict(zip(table.systems, table.gains.mean(axis=0).tolist(), strict=True))
    for better, worse in view.edges:
        if gains[better] < gains[worse]:
            yield (
                f"{better} is better than {worse} by the {estimand(view.test)}, though its mean is "
                f"worse ({means[better]:.3f} against {means[worse]:.3f})."
            )


def _pool(table: ScoreTable, view: Pairwise) -> Iterator[str]:
    """Say which verdicts of a mean-rank test hang on who else takes part."""
    k = len(table.systems)
    test, alpha = view.test, view.alpha
    if estimand(test) != "mean rank" or k < 3:
        return
    whole, _ = POSTHOC_TESTS[test].compare(table.gains)
    flips = set()
    for omitted in range(k):
        remaining = np.delete(np.arange(k), omitted)
        p, _ = POSTHOC_TESTS[test].compare(table.gains[:, remaining])
        changed = (p <= alpha) != (whole[np.ix_(remaining, remaining)] <= alpha)
        flips |= {
            (int(remaining[a]), int(remaining[b])) for a, b in np.argwhere(np.triu(changed, 1))
        }
    changes = " (here leaving any one out changes no unadjusted verdict)"
    if flips:
        listed = ", ".join(f"{table.systems[i]}–{table.systems[j]}" for i, j in sorted(flips))
        changes = f": without one of them the unadjusted verdict changes for {listed}"
    yield (
        f"Mean ranks depend on which other systems are in the pool{changes}. The signed-rank test "
        "does not have this fault."
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


def _shared_ontologies(table: ScoreTable, test: str) -> Iterator[str]:
    ontologies = ontologies_if_shared(table)
    if ontologies and test == JACKKNIFE and (sentence := hub_sentence(ontologies)):
        yield sentence
    if ontologies and test != JACKKNIFE:
        yield (
            f"The tasks share ontologies and are not independent, as the {test} test supposes. The "
            f"test {JACKKNIFE!r} does not suppose it."
        )


def _scale(table: ScoreTable, margin: float | None) -> Iterator[str]:
    largest = float(np.abs(table.scores).max())
    if margin is not None and largest > 1:
        yield (
            f"The scores reach {largest:g}, and the region of practical equivalence is ±{margin:g} "
            "in the same units. Set it to a difference that does not matter."
        )
