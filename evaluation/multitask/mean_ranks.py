"""Critical differences of mean ranks, for any number of systems and any level."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from evaluation.errors import EvaluationError
from ontologies.common.table import Tabular

from .omnibus import (
    Omnibus,
    friedman_of_mean_ranks,
    iman_davenport_of_mean_ranks,
)
from .posthoc import PostHoc, friedman_z, p_of_z


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


@dataclass(frozen=True)
class RankStudy(Tabular):
    """Result of `study_ranks`.

    Parameters
    ----------
    friedman, iman_davenport
        Tests of all systems at once.
    posthoc
        Every pair, not adjusted.
    critical_difference
        Nemenyi's, at `alpha`.
    alpha
        Its level.
    """

    friedman: Omnibus
    iman_davenport: Omnibus
    posthoc: PostHoc
    critical_difference: float
    alpha: float

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each pair of systems, as `PostHoc.to_frame`."""
        return self.posthoc.to_frame()


def study_ranks(mean_ranks: ArrayLike, tasks: int, *, alpha: float = 0.05) -> RankStudy:
    """Do the Friedman family's tests on mean ranks, without correction for ties.

    Parameters
    ----------
    mean_ranks
        One for each system; their mean is (k + 1)/2.
    tasks
        Number of tasks that they are means over.
    alpha
        Level of the critical difference.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems or tasks, or the ranks cannot be mean ranks.

    Examples
    --------
    Demšar 2006, section 3.2.2: four variants of C4.5 on 14 data sets.

    >>> result = study_ranks([44 / 14, 28 / 14, 40.5 / 14, 27.5 / 14], 14)
    >>> round(result.friedman.statistic, 3), round(result.iman_davenport.statistic, 3)
    (9.279, 3.686)
    >>> round(result.critical_difference, 2)
    1.25
    """
    ranks = np.asarray(mean_ranks, dtype=np.float64)
    k = ranks.size
    if ranks.ndim != 1 or k < 2 or tasks < 2:
        raise EvaluationError(
            f"mean_ranks has shape {ranks.shape} and tasks is {tasks}: give one mean rank for each "
            "of at least two systems, over at least two tasks"
        )
    in_range = bool(((ranks >= 1) & (ranks <= k)).all())
    if not in_range or abs(float(ranks.mean()) - (k + 1) / 2) > 0.01:
        raise EvaluationError(
            f"mean_ranks are {ranks.tolist()}: those of {k} systems lie between 1 and {k}, and "
            f"their mean is {(k + 1) / 2}"
        )
    z = friedman_z(ranks, tasks)
    return RankStudy(
        friedman=friedman_of_mean_ranks(ranks, tasks),
        iman_davenport=iman_davenport_of_mean_ranks(ranks, tasks),
        posthoc=PostHoc("friedman", p_of_z(z), z),
        critical_difference=nemenyi_critical_difference(k, tasks, alpha),
        alpha=alpha,
    )
