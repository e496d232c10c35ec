"""The shape of every test's result: an advantage and a p-value for each pair of systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairTest:
    """One test on every pair of n systems.

    Parameters
    ----------
    advantage
        (n, n), antisymmetric: positive where the row is ahead of the column by this test's own
        yardstick.
    p, log10_p
        (n, n), symmetric, NaN on the diagonal: two-sided p and its log10, which does not underflow.
    """

    advantage: Floats
    p: Floats
    log10_p: Floats


def off_diagonal(matrix: Floats) -> Floats:
    """Return a copy with NaN on the diagonal."""
    copy = matrix.astype(np.float64)
    np.fill_diagonal(copy, np.nan)
    return copy
