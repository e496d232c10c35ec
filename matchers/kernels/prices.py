"""A matrix against the prices of its rows and columns, entry by entry: X_ij against u_i + v_j."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel


@kernel
def raise_prices(matrix: Any, rows: Any, prices: Any, column_prices: Any) -> None:
    """Raise v_j to the largest X_ij - u_i over the rows ``rows[k]``, with u_i = ``prices[k]``."""
    for k in range(len(rows)):
        row, price = rows[k], prices[k]
        for j in range(matrix.shape[1]):
            demanded = matrix[row, j] - price
            column_prices[j] = max(column_prices[j], demanded)


@kernel
def number_above(matrix: Any, prices: Any, column_prices: Any, tolerance: float) -> int:
    """Return how many X_ij exceed u_i + v_j by more than a tolerance."""
    number = 0
    for row in range(matrix.shape[0]):
        least = prices[row] + tolerance
        for j in range(matrix.shape[1]):
            number += matrix[row, j] - least > column_prices[j]
    return number


def tight_entries(
    matrix: NDArray[np.float64],
    prices: NDArray[np.float64],
    column_prices: NDArray[np.float64],
    tolerance: float,
) -> NDArray[np.int64]:
    """Return where X_ij reaches u_i + v_j - tolerance and exceeds twice the tolerance, row by row.

    Examples
    --------
    >>> matrix, zero = np.array([[0.5, 1.0], [0.0, 0.5]]), np.zeros(2)
    >>> tight_entries(matrix, np.array([1.0, 0.5]), zero, 1e-9).tolist()
    [[0, 1], [1, 1]]
    """
    counts = _count_tight(matrix, prices, column_prices, tolerance)
    found = np.empty((int(counts.sum()), 2), np.int64)
    _list_tight(matrix, prices, column_prices, tolerance, counts, found)
    return found


@kernel
def _count_tight(matrix: Any, prices: Any, column_prices: Any, tolerance: float) -> Any:
    counts = np.zeros(matrix.shape[0], np.int64)
    for row in range(matrix.shape[0]):
        number = 0
        for j in range(matrix.shape[1]):
            price = prices[row] + column_prices[j]
            value = matrix[row, j]
            number += (value >= price - tolerance) & (value > 2 * tolerance)
        counts[row] = number
    return counts


@kernel
def _list_tight(
    matrix: Any, prices: Any, column_prices: Any, tolerance: float, counts: Any, found: Any
) -> None:
    place = 0
    for row in range(matrix.shape[0]):
        last = place + counts[row]
        j = 0
        while place < last:
            price = prices[row] + column_prices[j]
            value = matrix[row, j]
            if (value >= price - tolerance) & (value > 2 * tolerance):
                found[place, 0] = row
                found[place, 1] = j
                place += 1
            j += 1
