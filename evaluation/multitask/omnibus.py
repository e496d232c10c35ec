"""Tests of all systems at once: Friedman, Iman–Davenport, aligned ranks, Quade."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.table import Tabular

from .score_table import Floats, aligned_ranks, checked, quade_ranks, task_ranks


@dataclass(frozen=True)
class Omnibus(Tabular):
    """A test of "no system differs from any other".

    Parameters
    ----------
    name
        Name of the test.
    statistic
        χ² or F.
    df
        Degrees of freedom: one for χ², two for F.
    p
        p-value.
    """

    name: str
    statistic: float
    df: tuple[int, ...]
    p: float


def friedman(scores: ArrayLike, *, tie_correction: bool = False) -> Omnibus:
    """Test whether the mean ranks of k systems over N tasks differ (Friedman).

    χ² = 12N/(k(k+1)) · [Σ R_j² − k(k+1)²/4], R_j the mean rank of system j; χ² with k − 1 degrees
    of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    tie_correction
        Divide by 1 − Σ(t³ − t)/(N(k³ − k)), where t systems tie in a task. The published examples
        do without, which is conservative.

    Returns
    -------
    Omnibus
        Statistic 0 and p 1 if every task ties all systems.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Friedman 1937, JASA 32:675–701; Demšar 2006, JMLR 7:1–30.

    Examples
    --------
    >>> friedman([[3, 2, 1], [3, 2, 1], [3, 1, 2]]).statistic.__round__(4)
    4.6667
    """
    return _friedman(task_ranks(scores), tie_correction)


def _friedman(ranks: Floats, tie_correction: bool) -> Omnibus:
    n, k = ranks.shape
    test = friedman_of_mean_ranks(ranks.mean(axis=0), n)
    if tie_correction:
        # Σ(r − (k+1)/2)² falls short of k(k² − 1)/12 per task by Σ(t³ − t)/12
        squares = float(((ranks - (k + 1) / 2) ** 2).sum())
        share = squares / (n * k * (k * k - 1) / 12)
        statistic = test.statistic / share if share else 0.0
        test = _chi_squared("Friedman, corrected for ties", statistic, k - 1)
    return test


def friedman_of_mean_ranks(mean_ranks: Floats, tasks: int) -> Omnibus:
    """Friedman's test from mean ranks, without correction for ties."""
    k = len(mean_ranks)
    excess = float((mean_ranks**2).sum()) - k * (k + 1) ** 2 / 4
    return _chi_squared("Friedman", 12 * tasks / (k * (k + 1)) * excess, k - 1)


def iman_davenport(scores: ArrayLike) -> Omnibus:
    """Friedman's test with Iman and Davenport's F, which is less conservative than χ².

    F = (N−1)χ²/(N(k−1) − χ²), F-distributed with k − 1 and (k−1)(N−1) degrees of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better. Ties are not corrected for.

    Returns
    -------
    Omnibus
        If all tasks rank the systems alike, F is infinite and p is (1/k!)^(N−1), the chance of
        that (Conover 1999).

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Iman and Davenport 1980, Communications in Statistics A 9:571–595.

    Examples
    --------
    >>> round(iman_davenport([[3, 2, 1], [3, 2, 1], [3, 1, 2]]).statistic, 4)
    7.0
    """
    ranks = task_ranks(scores)
    return _iman_davenport(_friedman(ranks, False), *ranks.shape)


def iman_davenport_of_mean_ranks(mean_ranks: Floats, tasks: int) -> Omnibus:
    """Iman and Davenport's test from mean ranks, without correction for ties."""
    return _iman_davenport(friedman_of_mean_ranks(mean_ranks, tasks), tasks, len(mean_ranks))


def _iman_davenport(chi2: Omnibus, n: int, k: int) -> Omnibus:
    name = chi2.name.replace("Friedman", "Iman–Davenport")
    return _f_test(name, (n - 1) * chi2.statistic, n * (k - 1) - chi2.statistic, n, k)


def friedman_aligned(scores: ArrayLike) -> Omnibus:
    """Friedman's test on aligned ranks, which also compares scores between tasks.

    T = (k−1)[Σ R̂_j² − (kN²/4)(kN+1)²] / [kN(kN+1)(2kN+1)/6 − Σ R̂_i²/k], R̂_j the rank sum of
    system j, R̂_i of task i; χ² with k − 1 degrees of freedom.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.

    Returns
    -------
    Omnibus
        Statistic 0 and p 1 if every task ties all systems.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Hodges and Lehmann 1962, Annals of Mathematical Statistics 33:482–497; García, Fernández,
    Luengo and Herrera 2010, Information Sciences 180:2044–2064.

    Examples
    --------
    >>> round(friedman_aligned([[3, 2, 1], [9, 5, 1], [3, 1, 2]]).statistic, 4)
    4.3167
    """
    ranks = aligned_ranks(scores)
    n, k = ranks.shape
    m = k * n
    between = float((ranks.sum(axis=0) ** 2).sum()) - k * n**2 / 4 * (m + 1) ** 2
    of_tasks = float((ranks.sum(axis=1) ** 2).sum()) / k
    within = m * (m + 1) * (2 * m + 1) / 6 - of_tasks
    statistic = (k - 1) * between / within if between else 0.0
    return _chi_squared("Friedman, aligned ranks", statistic, k - 1)


def quade(scores: ArrayLike) -> Omnibus:
    """Quade's test: tasks on which the systems lie further apart weigh more.

    With S_ij = Q_i (r_ij − (k+1)/2), A = Σ S_ij², B = Σ_j (Σ_i S_ij)²/N: F = (N−1)B/(A − B) with
    df k − 1 and (k−1)(N−1). A is summed, not taken from the closed form, which is
    wrong where there are ties.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.

    Returns
    -------
    Omnibus
        If all tasks rank the systems alike, F is infinite and p is (1/k!)^(N−1) (Conover 1999).

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, or a score is not finite.

    Notes
    -----
    Quade 1979, JASA 74:680–683.

    Examples
    --------
    >>> round(quade([[3, 2, 1], [9, 5, 1], [3, 1, 2]]).statistic, 4)
    5.2
    """
    s = quade_ranks(scores)
    n, k = s.shape
    a, b = float((s**2).sum()), float((s.sum(axis=0) ** 2).sum()) / n
    return _f_test("Quade", (n - 1) * b, a - b, n, k)


def omnibus_tests(scores: ArrayLike) -> tuple[Omnibus, ...]:
    """Run all omnibus tests; where systems tie, those that are corrected for ties come first.

    Examples
    --------
    >>> [test.name for test in omnibus_tests([[3, 2, 1], [9, 5, 1]])]
    ['Friedman', 'Iman–Davenport', 'Friedman, aligned ranks', 'Quade']
    """
    values = checked(scores)
    ranks = task_ranks(values)
    has_ties = bool((np.diff(np.sort(ranks, axis=1), axis=1) == 0).any())
    tests = []
    for tie_correction in (True, False) if has_ties else (False,):
        test = _friedman(ranks, tie_correction)
        tests += [test, _iman_davenport(test, *ranks.shape)]
    return (*tests, friedman_aligned(values), quade(values))


def _chi_squared(name: str, statistic: float, df: int) -> Omnibus:
    return Omnibus(name, statistic, (df,), float(scipy.special.chdtrc(df, max(statistic, 0.0))))


def _f_test(name: str, above: float, below: float, n: int, k: int) -> Omnibus:
    """F = above/below; where every task ranks the systems alike, Conover's convention."""
    df = (k - 1, (k - 1) * (n - 1))
    if above <= 0:
        return Omnibus(name, 0.0, df, 1.0)
    if below <= 1e-9 * above:
        return Omnibus(name, math.inf, df, math.exp(-(n - 1) * math.lgamma(k + 1)))
    return Omnibus(name, above / below, df, float(scipy.special.fdtrc(*df, above / below)))


def nemenyi_critical_difference(systems: int, tasks: int, alpha: float = DEFAULTS.alpha) -> float:
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
    if systems < 2 or tasks < 1 or not 0.0 < alpha < 1.0:
        raise EvaluationError(
            f"{Argument('systems', systems)}, tasks={tasks}, {Argument('alpha', alpha)}: there "
            "must be at least two systems "
            "and one task, and alpha between 0 and 1"
        )
    q = float(scipy.stats.studentized_range.isf(alpha, systems, math.inf))
    return q / math.sqrt(2) * math.sqrt(systems * (systems + 1) / (6 * tasks))
