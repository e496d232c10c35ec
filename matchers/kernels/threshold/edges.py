"""The entries of a matrix at or above a threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.machine.compiled import kernel


def entries_from(
    matrix: NDArray[np.float64], threshold: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows and columns of the entries at or above a threshold, row by row.

    Examples
    --------
    >>> rows, columns = entries_from(np.array([[0.5, 1.0], [0.1, 0.5]]), 0.5)
    >>> rows, columns
    (array([0, 0, 1]), array([0, 1, 1]))
    """
    counts = _count(matrix, threshold)
    columns = np.empty(int(counts.sum()), np.int64)
    _fill(matrix, threshold, counts, columns)
    return np.repeat(np.arange(len(counts)), counts), columns


@kernel
def _count(matrix: Any, threshold: float) -> Any:
    counts = np.zeros(len(matrix), np.int64)
    for row in range(len(matrix)):
        number = 0
        for j in range(matrix.shape[1]):
            number += matrix[row, j] >= threshold
        counts[row] = number
    return counts


@kernel
def _fill(matrix: Any, threshold: float, counts: Any, columns: Any) -> None:
    place = 0
    for row in range(len(matrix)):
        if counts[row] > 0:
            for j in range(matrix.shape[1]):
                if matrix[row, j] >= threshold:
                    columns[place] = j
                    place += 1
