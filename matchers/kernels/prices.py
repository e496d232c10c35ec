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
def least_slack(matrix: Any, prices: Any, column_prices: Any) -> float:
    """Return the least u_i + v_j - X_ij, infinity for an empty matrix."""
    least = np.inf
    for row in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            least = min(least, prices[row] + column_prices[j] - matrix[row, j])
    return least


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


@kernel
def most_underpriced(
    matrix: Any, prices: Any, column_prices: Any, tolerance: float, most: int
) -> NDArray[np.int64]:
    """Return, of each row, where X_ij most exceeds u_i + v_j + tolerance: `most` places at most.

    As row * m + column, in order.
    """
    rows, columns = matrix.shape
    room = min(most, columns)
    found = np.empty(rows * room, np.int64)
    excess, places = np.empty(room), np.empty(room, np.int64)
    end = 0
    for row in range(rows):
        number = 0
        least = tolerance
        for j in range(columns):
            value = matrix[row, j] - prices[row] - column_prices[j]
            if value > least:
                k = number if number < room else room - 1
                while k > 0 and excess[k - 1] < value:
                    excess[k], places[k] = excess[k - 1], places[k - 1]
                    k -= 1
                excess[k], places[k] = value, j
                if number < room:
                    number += 1
                if number == room:
                    least = excess[room - 1]
        for k in range(number):
            found[end + k] = row * columns + places[k]
        end += number
    return np.sort(found[:end])


@kernel
def best_of_columns(matrix: Any, most: int) -> NDArray[np.int64]:
    """Return, of each column, where X_ij is largest and above 0: `most` places at most.

    As row * m + column, in order.
    """
    rows, columns = matrix.shape
    best, places = np.zeros((columns, most)), np.full((columns, most), -1)
    least = np.zeros(columns)
    for row in range(rows):
        for j in range(columns):
            value = matrix[row, j]
            if value > least[j]:
                k = most - 1
                while k > 0 and best[j, k - 1] < value:
                    best[j, k], places[j, k] = best[j, k - 1], places[j, k - 1]
                    k -= 1
                best[j, k], places[j, k] = value, row * columns + j
                least[j] = best[j, most - 1]
    found = places.ravel()
    return np.sort(found[found >= 0])
