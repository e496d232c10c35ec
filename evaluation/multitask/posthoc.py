"""Every pair of systems over many tasks: p-values and directions, by several tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import EvaluationError
from .paired import paired_t, sign_test
from .ranks import Floats, aligned_ranks, checked, quade_ranks, task_ranks
from .signed_rank import signed_rank


@dataclass(frozen=True)
class PostHoc:
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


def posthoc(scores: ArrayLike, test: str = "signed-rank") -> PostHoc:
    """Compare every pair of systems.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    test
        ``signed-rank``, ``paired-t``, ``sign``: the two systems' own scores decide.
        ``friedman``, ``aligned-ranks``, ``quade``: z from mean ranks, which depend on what other
        systems are in the pool (Benavoli, Corani and Mangili 2016, JMLR 17:1–10).

    Returns
    -------
    PostHoc
        Not adjusted: see `evaluation.corrections.adjust`.

    Raises
    ------
    EvaluationError
        If the test is unknown, there are fewer than two tasks or systems, or a score is not
        finite.

    Notes
    -----
    z of the mean-rank tests is (R̄_i − R̄_j)/√(2 Σ_t S_t²/N²), S_t² = Σ_j (R_tj − R̄_t)²/(k−1): the
    exact variance when the k values of each task are shuffled. For Friedman without ties that is
    √(k(k+1)/(6N)), which is used with ties too, as published (conservative). García et al. 2010
    print √(k(N+1)/6) for aligned ranks, too small by about √k, and for Quade a variance that is
    off by (k−1)/2; neither is the variance under the null hypothesis.

    Examples
    --------
    >>> result = posthoc([[0.8, 0.7], [0.7, 0.5], [0.9, 0.6], [0.6, 0.2], [0.5, 0.1]])
    >>> float(result.p[0, 1]), bool(result.lead[0, 1] > 0)
    (0.0625, True)
    """
    if test not in POSTHOC_TESTS:
        raise EvaluationError(f"test {test!r} is unknown: use one of {', '.join(POSTHOC_TESTS)}")
    p, lead = POSTHOC_TESTS[test](checked(scores))
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


def _of_z(z: Floats) -> tuple[Floats, Floats]:
    from scipy.special import ndtr

    p = 2 * ndtr(-np.abs(z))
    np.fill_diagonal(p, np.nan)
    return p, z


def _friedman(values: Floats) -> tuple[Floats, Floats]:
    n, k = values.shape
    return _of_z(_z(task_ranks(values).mean(axis=0), math.sqrt(k * (k + 1) / (6 * n))))


def _aligned(values: Floats) -> tuple[Floats, Floats]:
    return _of_z(mean_rank_z(aligned_ranks(values)))


def _quade(values: Floats) -> tuple[Floats, Floats]:
    return _of_z(mean_rank_z(quade_ranks(values)))


def _pairwise(
    compare: Callable[[Floats, Floats], tuple[float, float]],
) -> Callable[[Floats], tuple[Floats, Floats]]:
    """Make a test of a matrix from a test of two systems that gives p and the first's lead."""

    def matrix(values: Floats) -> tuple[Floats, Floats]:
        k = values.shape[1]
        p, lead = np.full((k, k), np.nan), np.zeros((k, k))
        for i, j in combinations(range(k), 2):
            p[i, j], lead[i, j] = compare(values[:, i], values[:, j])
            p[j, i], lead[j, i] = p[i, j], -lead[i, j]
        return p, lead

    return matrix


def _signed_rank(x: Floats, y: Floats) -> tuple[float, float]:
    result = signed_rank(x, y)
    return result.p, result.w_plus - result.w_minus


def _paired_t(x: Floats, y: Floats) -> tuple[float, float]:
    result = paired_t(x, y)
    return result.p, result.mean


def _sign(x: Floats, y: Floats) -> tuple[float, float]:
    result = sign_test(x, y)
    return result.p, result.wins - result.losses


#: Name to test, the default first.
POSTHOC_TESTS: Mapping[str, Callable[[Floats], tuple[Floats, Floats]]] = MappingProxyType(
    {
        "signed-rank": _pairwise(_signed_rank),
        "paired-t": _pairwise(_paired_t),
        "sign": _pairwise(_sign),
        "friedman": _friedman,
        "aligned-ranks": _aligned,
        "quade": _quade,
    }
)

#: Those that compare mean ranks over the whole pool of systems.
MEAN_RANK_TESTS = ("friedman", "aligned-ranks", "quade")


def nemenyi_critical_difference(systems: int, tasks: int, alpha: float = 0.05) -> float:
    """Return by how much two mean ranks must differ to be significant among all pairs.

    CD = q_α/√2 · √(k(k+1)/(6N)), q_α the upper α quantile of the studentised range of k groups
    with infinite degrees of freedom: computed, for any k and α.

    Parameters
    ----------
    systems, tasks
        k and N.
    alpha
        Family-wise level in (0, 1).

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, no task, or alpha is outside (0, 1).

    Notes
    -----
    Nemenyi 1963; Demšar 2006, JMLR 7:1–30.

    Examples
    --------
    >>> round(nemenyi_critical_difference(4, 14), 3)
    1.254
    """
    from scipy.stats import studentized_range

    _check_design(systems, tasks, alpha)
    q = float(studentized_range.isf(alpha, systems, math.inf))
    return q / math.sqrt(2) * math.sqrt(systems * (systems + 1) / (6 * tasks))


def bonferroni_dunn_critical_difference(systems: int, tasks: int, alpha: float = 0.05) -> float:
    """Return by how much a mean rank must differ from one system's, the control's.

    CD = z_{1 − α/(2(k−1))} · √(k(k+1)/(6N)).

    Parameters
    ----------
    systems, tasks
        k (the control among them) and N.
    alpha
        Family-wise level in (0, 1).

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, no task, or alpha is outside (0, 1).

    Notes
    -----
    Dunn 1961; Demšar 2006, JMLR 7:1–30.

    Examples
    --------
    >>> round(bonferroni_dunn_critical_difference(4, 14), 3)
    1.168
    """
    from scipy.special import ndtri

    _check_design(systems, tasks, alpha)
    z = -float(ndtri(alpha / (2 * (systems - 1))))
    return z * math.sqrt(systems * (systems + 1) / (6 * tasks))


def _check_design(systems: int, tasks: int, alpha: float) -> None:
    if systems < 2 or tasks < 1 or not 0.0 < alpha < 1.0:
        raise EvaluationError(
            f"systems={systems}, tasks={tasks}, alpha={alpha}: there must be at least two systems "
            "and one task, and alpha between 0 and 1"
        )


def non_significant_groups(
    p: Floats, alpha: float, order: NDArray[np.intp] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of systems in which no pair differs significantly.

    Parameters
    ----------
    p
        (k, k) adjusted p-values.
    alpha
        A pair is significant if its p is at most alpha.
    order
        Systems from best to worst: the order within and between the groups. None: as they come.

    Returns
    -------
    tuple of tuple of int
        Maximal cliques of the graph of non-significance; a group need not be an interval of any
        ranking. A system that differs from all others is a group of its own.

    Examples
    --------
    >>> one = np.nan
    >>> p = np.array([[one, 0.4, 0.01], [0.4, one, 0.3], [0.01, 0.3, one]])
    >>> non_significant_groups(p, 0.05)
    ((0, 1), (1, 2))
    """
    import networkx as nx

    k = len(p)
    place = {s: i for i, s in enumerate(range(k) if order is None else order.tolist())}
    graph = nx.Graph()
    graph.add_nodes_from(range(k))
    graph.add_edges_from(np.argwhere(p > alpha).tolist())
    groups = [tuple(sorted(group, key=place.__getitem__)) for group in nx.find_cliques(graph)]
    return tuple(sorted(groups, key=lambda group: [place[s] for s in group]))
