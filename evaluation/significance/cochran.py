"""Cochran's Q: whether any systems differ at all, before asking which."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evaluation.errors import EvaluationError
from ontologies.common.table import Tabular

from .mcnemar import counts


@dataclass(frozen=True)
class CochranQ(Tabular):
    """Cochran's Q test.

    Parameters
    ----------
    statistic
        Q; NaN where no two systems ever differ.
    df
        k − 1.
    p
        P(χ²(k − 1) ≥ Q); 1 where Q is undefined.
    """

    statistic: float
    df: int
    p: float


def cochran_q(discordant: ArrayLike) -> CochranQ:
    """Test whether k systems are all right equally often.

    Q = k (k − 1) Σ_j (C_j − C̄)² / Σ_i R_i (k − R_i), with C_j the items that system j has right and
    R_i the systems that have item i right. Both sums follow from the discordant counts alone:
    C_j − C_l = (j, l) − (l, j), and R_i (k − R_i) counts the ordered pairs that differ on item i.

    Parameters
    ----------
    discordant
        (k, k): cell (i, j) counts what i has right and j wrong.

    Raises
    ------
    EvaluationError
        If the matrix is not square or holds anything but counts.

    Notes
    -----
    Cochran 1950, Biometrika 37:256–266. For two systems it is McNemar's asymptotic test. It is a
    companion of the pairwise tests, not a gate: the corrections control the error without it.

    Examples
    --------
    >>> cochran_q([[0, 8], [2, 0]])
    CochranQ(statistic=3.6, df=1, p=0.05777957112359715)
    """
    from scipy.special import chdtrc

    table = counts(discordant, "discordant")
    if table.ndim != 2 or len(table) != len(table.T) or len(table) < 2:
        raise EvaluationError(f"discordant has shape {table.shape}: it must be square, 2 × 2 or up")
    k, off = len(table), int(table.sum() - np.trace(table))
    if off == 0:
        return CochranQ(float("nan"), k - 1, 1.0)
    # C_j − C̄, the mean of the differences to every system
    deviation = (table - table.T).mean(axis=1)
    q = float(k * (k - 1) * (deviation**2).sum() / off)
    return CochranQ(q, k - 1, float(chdtrc(k - 1, q)))
