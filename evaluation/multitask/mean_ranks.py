"""Critical differences of mean ranks, for any number of systems and any level."""

from __future__ import annotations

import math

from evaluation.errors import EvaluationError


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
