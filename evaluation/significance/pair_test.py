"""The shape of every test's result: one value for each pair of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def pair_columns(
    systems: Sequence[str], matrices: Mapping[str, NDArray[np.generic]]
) -> dict[str, object]:
    """Return the columns of a table with a row for each pair of systems.

    Parameters
    ----------
    systems
        n names.
    matrices
        (n, n) values by column; those above the diagonal are taken.

    Examples
    --------
    >>> pair_columns(["a", "b"], {"p": np.array([[0, 7], [7, 0]])})
    {'system1': ['a'], 'system2': ['b'], 'p': array([7])}
    """
    first, second = np.triu_indices(len(systems), 1)
    return {
        "system1": [systems[i] for i in first.tolist()],
        "system2": [systems[j] for j in second.tolist()],
        **{name: matrix[first, second] for name, matrix in matrices.items()},
    }
