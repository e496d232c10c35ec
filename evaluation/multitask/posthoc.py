"""Every pair of systems over many tasks: p-values and directions, by several tests."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry, count, refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.ontologies.ontology import local_name

from .pair_tests import Method, sign_test, signed_rank, student
from .score_table import (
    Floats,
    ScoreTable,
    aligned_ranks,
    checked,
    differences,
    quade_ranks,
    task_ranks,
)
from .shared_ontologies import hub_sentence, hubs, ontologies_if_shared, shared_ontologies


@dataclass(frozen=True)
class PostHoc(Tabular):
    """p-values of all pairs of k systems.

    Parameters
    ----------
    test
        Name of the test in `POSTHOC_TESTS`.
    p
        (k, k), symmetric, NaN diagonal, two-sided, not adjusted.
    lead
        (k, k): positive where the row's system is ahead of the column's, in the test's own terms
        (mean difference, rank sums, wins, mean ranks); antisymmetric.
    """

    test: str
    p: Floats
    lead: Floats

    def to_frame(self) -> Frame:
        """Return one row for each pair of systems, by their numbers: lead and p."""
        i, j = np.triu_indices(len(self.p), 1)
        return frame({"system1": i, "system2": j, "lead": self.lead[i, j], "p": self.p[i, j]})


def posthoc(scores: ArrayLike, test: str = "signed-rank", *, least_spread: float = 0.0) -> PostHoc:
    """Compare every pair of systems.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    test
        ``signed-rank``, ``paired-t``, ``sign``: the two systems' own scores decide.
        ``signed-rank-normal``: the z of the signed-rank test, with zeros dropped and mean ranks for
        ties, against the normal distribution.
        ``friedman``, ``aligned-ranks``, ``quade``: z from mean ranks, which depend on what other
        systems are in the pool (Benavoli, Corani and Mangili 2016, JMLR 17:1–10).
    least_spread
        For ``paired-t``: what differences vary by at least, as rounded scores do.

    Returns
    -------
    PostHoc
        Not adjusted: see `alignrank.evaluation.corrections.adjusting.adjust`.

    Raises
    ------
    EvaluationError
        If the test is unknown, there are fewer than two tasks or systems, or a score is not
        finite.

    Notes
    -----
    z of the mean-rank tests is (R̄_i − R̄_j)/√(2 Σ_t S_t²/N²), S_t² = Σ_j (R_tj − R̄_t)²/(k−1): the
    exact variance when the k values of each task are shuffled. For Friedman without ties that is
    √(k(k+1)/(6N)), which is used with ties too, as published (conservative). scmamp, after García
    et al. 2010, divides by √(k(N+1)/6) for aligned ranks, too small by about √k (with 5 systems a
    test at 5 % rejects 4 true hypotheses of 10), and for Quade by a variance that is (k−1)/2 times
    the one under the null hypothesis.

    Examples
    --------
    >>> result = posthoc([[0.8, 0.7], [0.7, 0.5], [0.9, 0.6], [0.6, 0.2], [0.5, 0.1]])
    >>> float(result.p[0, 1]), bool(result.lead[0, 1] > 0)
    (0.0625, True)
    """
    p, lead = POSTHOC_TESTS.lookup(test).compare(checked(scores), least_spread)
    return PostHoc(test, p, lead)


def mean_rank_z(ranks: Floats) -> Floats:
    """Return z of all pairs from ranks (tasks × systems; small is good); positive: row is better.

    The variance is that of shuffling each task's ranks among the systems.

    Examples
    --------
    >>> mean_rank_z(np.array([[1.0, 2.0], [1.0, 2.0]]))[0, 1].round(4)
    np.float64(1.4142)
    """
    n, k = ranks.shape
    spread = ((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum() / (k - 1)
    return _z(ranks.mean(axis=0), math.sqrt(2 * float(spread)) / n)


def _z(means: Floats, error: float) -> Floats:
    gap = means[None, :] - means[:, None]
    return gap / error if error else np.zeros_like(gap)


def friedman_z(mean_ranks: Floats, tasks: int) -> Floats:
    """Return z = (R_j − R_i)/√(k(k+1)/(6N)) of all pairs; positive: the row's system is better.

    Examples
    --------
    >>> friedman_z(np.array([1.5, 3.0, 1.5]), 8)[0, 1].round(4)
    np.float64(3.0)
    """
    k = len(mean_ranks)
    return _z(mean_ranks, math.sqrt(k * (k + 1) / (6 * tasks)))


def p_of_z(z: Floats) -> Floats:
    """Return two-sided p-values, NaN on the diagonal.

    Examples
    --------
    >>> p_of_z(np.array([[0.0, 1.959964], [-1.959964, 0.0]]))[0, 1].round(4)
    np.float64(0.05)
    """
    p: Floats = 2 * scipy.special.ndtr(-np.abs(z))
    np.fill_diagonal(p, np.nan)
    return p


class _Compare(Protocol):
    def __call__(self, values: Floats, least_spread: float = 0.0) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True)
class PosthocTest:
    """A test of every pair over many tasks.

    Parameters
    ----------
    compare
        From scores, tasks × systems, to (k, k) p-values and leads; what a difference varies by at
        least is for the t-test.
    estimand
        What differs if it is significant, and in whose direction. A mean rank depends on which
        other systems take part.
    """

    compare: _Compare
    estimand: str


def _of_ranks(z_of: Callable[[Floats], Floats]) -> PosthocTest:
    """Make a test of what gives z of all pairs from ranks."""

    def compare(values: Floats, least_spread: float = 0.0) -> tuple[Floats, Floats]:
        z = z_of(values)
        return p_of_z(z), z

    return PosthocTest(compare, "mean rank")


def _of_pairs(
    test: Callable[[Floats, Floats, float], tuple[float, float]], estimand: str
) -> PosthocTest:
    """Make a test of all pairs of a test of two systems, which gives p and the first one's lead."""

    def compare(values: Floats, least_spread: float = 0.0) -> tuple[Floats, Floats]:
        k = values.shape[1]
        p, lead = np.full((k, k), np.nan), np.zeros((k, k))
        for i, j in combinations(range(k), 2):
            p[i, j], lead[i, j] = test(values[:, i], values[:, j], least_spread)
            p[j, i], lead[j, i] = p[i, j], -lead[i, j]
        return p, lead

    return PosthocTest(compare, estimand)


def _signed_rank(
    x: Floats, y: Floats, least_spread: float, method: Method = "auto"
) -> tuple[float, float]:
    result = signed_rank(x, y, method=method)
    return result.p, result.w_plus - result.w_minus


def _paired_t(x: Floats, y: Floats, least_spread: float) -> tuple[float, float]:
    mean, _, p = student(differences(x, y), least_spread)
    return p, mean


def _sign(x: Floats, y: Floats, least_spread: float) -> tuple[float, float]:
    result = sign_test(x, y)
    return result.p, result.wins - result.losses


#: Name to test; `default_test` chooses.
POSTHOC_TESTS = Registry(
    "test",
    {
        "signed-rank": _of_pairs(_signed_rank, "Hodges–Lehmann difference"),
        "paired-t": _of_pairs(_paired_t, "mean difference"),
        # as papers of ontology matching state it, however few the tasks are
        "signed-rank-normal": _of_pairs(
            partial(_signed_rank, method="normal"), "Hodges–Lehmann difference"
        ),
        "sign": _of_pairs(_sign, "number of tasks won"),
        "friedman": _of_ranks(lambda x: friedman_z(task_ranks(x).mean(axis=0), len(x))),
        "aligned-ranks": _of_ranks(lambda x: mean_rank_z(aligned_ranks(x))),
        "quade": _of_ranks(lambda x: mean_rank_z(quade_ranks(x))),
    },
    EvaluationError,
)


#: The mean difference over tasks that share ontologies, by leaving out one in turn.
JACKKNIFE = "jackknife"

#: With fewer tasks nothing is tested.
FEWEST_TASKS = 4


def estimand(test: str) -> str:
    """Return what a test compares, which gives the direction of a significant difference."""
    return POSTHOC_TESTS["paired-t" if test == JACKKNIFE else test].estimand


def default_test(table: ScoreTable) -> str:
    """Return the test that fits the scores.

    Scores of one scale have a mean over tasks, which the paired t-test tests. Where tasks share
    ontologies they are not independent, and ``jackknife`` tests the same mean. Scores of several
    scales have no mean: the signed-rank test.

    Notes
    -----
    Demšar 2006 (JMLR 7:1–30) recommends the signed-rank test. From four to seven tasks it cannot
    give an arrow among four systems, where t gives 1.5 to 3.8 of 6 true ones with an error of .05.
    t errs (.05 to .08) where a system rarely fails by much, and where two skewed systems meet on
    four to seven tasks (.09 to .10; docs/simulation.md).
    """
    if not table.common_scale:
        return "signed-rank"
    if ontologies_if_shared(table):
        return JACKKNIFE
    return "paired-t"


def tested(table: ScoreTable, test: str) -> tuple[PostHoc, str]:
    """Test every pair; where that is impossible every p is 1, and the reason stands beside."""
    refuse_unknown("test", test, (*POSTHOC_TESTS, JACKKNIFE), EvaluationError)
    ontologies = ontologies_if_shared(table)
    k = len(table.systems)
    means = table.gains.mean(axis=0)
    reason = ""
    if test == JACKKNIFE:
        if not ontologies:
            raise EvaluationError(
                f"test {JACKKNIFE!r} leaves out ontologies that tasks share, and these share none: "
                "use 'paired-t'"
            )
        if everywhere := set[str].intersection(*map(set, ontologies)):
            reason = (
                f"All {len(ontologies)} tasks share the ontology {local_name(min(everywhere))}: "
                "whether a difference holds without it cannot be tested. Add tasks without it, or "
                "take the test paired-t if that is no ontology."
            )
        elif len(hubs(ontologies)) == 2:
            reason = f"{hub_sentence(ontologies)} Nothing can be tested."
    if len(table.tasks) < FEWEST_TASKS:
        reason = (
            f"{count(len(table.tasks), 'task')} cannot decide: nothing is tested with fewer than "
            f"{FEWEST_TASKS}."
        )
    if reason:
        p = np.ones((k, k))
        np.fill_diagonal(p, np.nan)
        return PostHoc(test, p, means[:, None] - means), reason
    if test == JACKKNIFE:
        jackknifed = shared_ontologies(table, ontologies)
        return PostHoc(test, jackknifed.p, jackknifed.difference), ""
    return posthoc(table.gains, test, least_spread=table.spread_of_rounding), ""
