"""The paired t-test and the sign test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ontologies.common.tables import Tabular

from .ranks import differences


@dataclass(frozen=True)
class PairedT(Tabular):
    """Paired t-test of two systems.

    Parameters
    ----------
    n
        Tasks.
    mean
        Mean difference, first − second.
    t, df
        Statistic and degrees of freedom.
    p
        Two-sided.
    normality_p
        p-value of the Shapiro–Wilk test on the differences: small means that the t-test's
        precondition fails. NaN for fewer than three tasks or differences that are all the same.
    """

    n: int
    mean: float
    t: float
    df: int
    p: float
    normality_p: float


def paired_t(x: ArrayLike, y: ArrayLike) -> PairedT:
    """Test whether the mean difference of two systems' scores is zero.

    t = d̄ / (s_d / √N) with N − 1 degrees of freedom, where s_d is the standard deviation of the
    differences.

    Parameters
    ----------
    x, y
        One score per task for each system.

    Returns
    -------
    PairedT
        If all differences are zero: t is NaN and p is 1. If all are the same and not zero: t is
        infinite and p is 0, the limit; the normality of such differences cannot be tested.

    Raises
    ------
    EvaluationError
        If the scores are not two equally long vectors of finite numbers.

    Notes
    -----
    Student 1908. The √N is missing from the formula that Mohammadi, Hofman and Tan (Ontology
    Matching Evaluation: A Statistical Perspective) print.

    Examples
    --------
    >>> result = paired_t([3.0, 4.0, 8.0], [1.0, 3.0, 5.0])
    >>> round(result.t, 4), result.df, round(result.p, 4)
    (3.4641, 2, 0.0742)
    """
    from scipy import stats

    d = differences(x, y)
    n = len(d)
    mean = float(d.mean())
    if np.ptp(d) == 0:
        t = math.copysign(math.inf, mean) if mean else math.nan
        return PairedT(n, mean, t, n - 1, 0.0 if mean else 1.0, math.nan)
    t = mean / (float(d.std(ddof=1)) / math.sqrt(n))
    normality = float(stats.shapiro(d).pvalue) if n >= 3 else math.nan
    return PairedT(n, mean, t, n - 1, float(2 * stats.t.sf(abs(t), n - 1)), normality)


@dataclass(frozen=True)
class SignTest(Tabular):
    """Sign test of two systems.

    Parameters
    ----------
    wins, losses, ties
        Tasks on which the first is better, the second is, or neither.
    p
        Two-sided, exact.
    """

    wins: int
    losses: int
    ties: int
    p: float


def sign_test(x: ArrayLike, y: ArrayLike) -> SignTest:
    """Test whether each of two systems wins equally often: wins ~ Bin(wins + losses, 1/2).

    Tasks without a difference are left out; p is 1 if none is left.

    Raises
    ------
    EvaluationError
        If the scores are not two equally long vectors of finite numbers.

    Examples
    --------
    >>> sign_test([0.8, 0.7, 0.9, 0.6], [0.7, 0.5, 0.6, 0.6])
    SignTest(wins=3, losses=0, ties=1, p=0.25)
    """
    from scipy.special import bdtr

    d = differences(x, y)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    p = min(1.0, 2 * float(bdtr(min(wins, losses), wins + losses, 0.5))) if wins + losses else 1.0
    return SignTest(wins, losses, len(d) - wins - losses, p)
