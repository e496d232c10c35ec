"""A matrix against the prices of its rows and columns, entry by entry: X_ij against u_i + v_j."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.machine.compiled import kernel

#: Entries of a row that are counted together.
BLOCK = 64


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
) -> tuple[NDArray[np.int64], int]:
    """Return where X_ij reaches u_i + v_j - tolerance and exceeds twice the tolerance, row by row.

    And how many X_ij above half the tolerance exceed u_i + v_j by more than it.

    Examples
    --------
    >>> matrix, zero = np.array([[0.5, 1.0], [0.0, 0.5]]), np.zeros(2)
    >>> pairs, above = tight_entries(matrix, np.array([1.0, 0.5]), zero, 1e-9)
    >>> pairs.tolist(), above
    ([[0, 1], [1, 1]], 0)
    """
    found = np.empty((2 * sum(matrix.shape), 2), np.int64)
    while True:
        number, above = _find_tight(matrix, prices, column_prices, tolerance, found)
        if number <= len(found):
            return found[:number].copy(), above
        found = np.empty((number, 2), np.int64)


@kernel
def _find_tight(
    matrix: Any, prices: Any, column_prices: Any, tolerance: float, found: Any
) -> tuple[int, int]:
    """List the tight entries, as many as there is room for; return their number, and that above."""
    number, above = 0, 0
    for row in range(matrix.shape[0]):
        least = prices[row] - 2 * tolerance
        line = matrix[row]
        for start in range(0, len(line), BLOCK):
            values, worth = line[start : start + BLOCK], column_prices[start : start + BLOCK]
            near = 0  # few blocks have any: they are counted faster than looked through
            for k in range(len(values)):
                near += (values[k] - least >= worth[k]) & (values[k] > 0.5 * tolerance)
            if near == 0:
                continue
            for k in range(len(values)):
                price, value = prices[row] + worth[k], values[k]
                above += value > price + tolerance
                if value >= price - tolerance and value > 2 * tolerance:
                    if number < len(found):
                        found[number, 0] = row
                        found[number, 1] = start + k
                    number += 1
    return number, above
