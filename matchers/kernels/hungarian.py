"""The Hungarian algorithm on a whole matrix, compiled: scipy's choice, read from few entries."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import helper, kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

#: Columns whose least distance is known together.
BLOCK = 64
#: What rounding makes of lengths and prices, relative to the largest; with room.
ROUNDING = 1e-12


def optimal_columns(matrix: Floats, few: int = 32) -> tuple[Indices, Floats, Floats]:
    """Pair every row, one after the other, by a shortest augmenting path (Crouse 2016).

    Path for path and tie for tie what `scipy.optimize.linear_sum_assignment` does with the
    negative of the matrix: column j is at ``d - X_ij - u_i - v_j`` from a row i at d, rounded in
    this order; of the nearest columns the last unpaired one is next, or else the first, in the
    order in which scipy keeps those that are left.

    But only the few best entries of a row are looked at: those with the least ``-X_ij - v_j`` when
    last the whole row was. As no v_j ever rises, no other column is nearer than the worst of them;
    where one might yet be the nearest of all, the whole row is looked at.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), n <= m.
    few
        How many entries of a row are kept beside each other.

    Returns
    -------
    column_of, u, v
        The column of each row, and duals: u_i + v_j <= -X_ij, equal for pairs; v_j <= 0.

    Examples
    --------
    >>> optimal_columns(np.array([[0.9, 0.8], [0.8, 0.1]]))[0].tolist()
    [1, 0]
    """
    n, m = matrix.shape
    column_of, row_of = np.full(n, -1), np.full(m, -1)
    u, v = np.zeros(n), np.zeros(m)
    best, worst = np.empty((n, min(few, m)), np.int64), np.full(n, -np.inf)
    kept = np.empty(best.shape)
    size = float(matrix.max(initial=0.0))
    backwards = np.arange(m)[::-1]
    of_columns = (
        np.full(m, np.inf),
        np.full(-(-m // BLOCK), np.inf),
        np.full(m, -1),
        np.ones(m, np.bool_),
        np.arange(m),
        backwards.copy(),
        backwards.copy(),
    )
    of_steps = (np.empty(n), np.empty(n), *(np.empty(n, np.int64) for _ in range(4)))
    worth = np.empty(min(few, m))
    _pair_rows(
        matrix, size, column_of, row_of, u, v, best, kept, worst, worth, *of_columns, *of_steps
    )
    return column_of, u, v


@kernel
def _pair_rows(
    matrix: Any,
    size: float,
    column_of: Any,
    row_of: Any,
    u: Any,
    v: Any,
    best: Any,
    kept: Any,
    worst: Any,
    worth: Any,
    distance: Any,
    least: Any,
    before: Any,
    is_open: Any,
    every: Any,
    order: Any,
    place_of: Any,
    lengths: Any,
    limits: Any,
    rows: Any,
    step_of: Any,
    columns: Any,
    places: Any,
) -> None:
    """Pair the rows.

    Of each row: its best columns, their X_ij, and -X_ij - v_j of the worst. Of each column in a
    search: how far it is, the row before it, whether it is still to be passed, its place in
    scipy's order; of each block: its least distance. Of each step: how far its row is, how near
    what was left out there may be, the row, the column that was taken and its place.
    """
    n, m = matrix.shape
    for source in range(n):
        row, length, steps = source, 0.0, 0
        while True:
            if worst[row] == -np.inf:
                worst[row] = _keep_best(matrix[row], v, best[row], kept[row], worth)
            _reach(
                best[row],
                kept[row],
                row,
                length,
                steps,
                u,
                v,
                distance,
                least,
                before,
                is_open,
                step_of,
            )
            rows[steps] = row
            step_of[row] = steps
            lengths[steps] = length
            limits[steps] = length - u[row] + worst[row] - ROUNDING * size
            steps += 1
            while True:
                length = least[_least(least, len(least))]
                again = _least(limits, steps)
                if length < limits[again]:
                    break
                row = rows[again]
                _reach(
                    every,
                    matrix[row],
                    row,
                    lengths[again],
                    again,
                    u,
                    v,
                    distance,
                    least,
                    before,
                    is_open,
                    step_of,
                )
                limits[again] = np.inf
                worst[row] = _keep_best(matrix[row], v, best[row], kept[row], worth)
            column = _next(length, distance, least, is_open, row_of, place_of)
            # As scipy does: the last of the columns that are left takes its place.
            place = place_of[column]
            order[place] = order[m - steps]
            place_of[order[place]] = place
            columns[steps - 1] = column
            places[steps - 1] = place
            row = row_of[column]
            if row < 0:
                break
            is_open[column] = False
            block = column // BLOCK
            least[block] = np.inf
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, m)):
                if is_open[j] and distance[j] < least[block]:
                    least[block] = distance[j]
        u[source] += length
        for step in range(steps - 1):
            j = columns[step]
            rise = length - distance[j]
            u[row_of[j]] += rise
            v[j] -= rise
            size = max(size, -v[j])
        while row != source:
            row = before[column]
            row_of[column] = row
            further = column_of[row]
            column_of[row] = column
            column = further
        for step in range(steps - 1, -1, -1):
            last = m - 1 - step
            order[last] = order[places[step]]
            place_of[order[last]] = last
            order[places[step]] = columns[step]
            place_of[columns[step]] = places[step]
            is_open[columns[step]] = True
        for j in range(m):
            distance[j] = np.inf
        for block in range(len(least)):
            least[block] = np.inf


@helper
def _reach(
    some: Any,
    similarities: Any,
    row: int,
    length: float,
    step: int,
    u: Any,
    v: Any,
    distance: Any,
    least: Any,
    before: Any,
    is_open: Any,
    step_of: Any,
) -> None:
    """Come to some columns from the row of a step, as if at its time: what came first remains."""
    for k in range(len(some)):
        j = some[k]
        reached = length - similarities[k] - u[row] - v[j]
        if reached <= distance[j] and is_open[j]:
            if reached < distance[j]:
                distance[j] = reached
                before[j] = row
                if reached < least[j // BLOCK]:
                    least[j // BLOCK] = reached
            elif step_of[before[j]] > step:
                before[j] = row


@helper
def _keep_best(row: Any, v: Any, best: Any, kept: Any, worth: Any) -> float:
    """Keep the columns with the least -X_ij - v_j of a row, and X_ij; return that of the worst."""
    few = len(worth)
    for k in range(few):
        worth[k] = np.inf
    for j in range(len(row)):
        value = -row[j] - v[j]
        if value < worth[few - 1]:
            k = few - 1
            while k > 0 and worth[k - 1] > value:
                worth[k] = worth[k - 1]
                best[k] = best[k - 1]
                k -= 1
            worth[k] = value
            best[k] = j
    for k in range(few):
        kept[k] = row[best[k]]
    last: float = worth[few - 1]
    return last


@helper
def _next(
    length: float, distance: Any, least: Any, is_open: Any, row_of: Any, place_of: Any
) -> int:
    """Return the column at this distance that scipy would take."""
    first, free = -1, -1
    for block in range(len(least)):
        if least[block] == length:
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, len(distance))):
                if distance[j] == length and is_open[j]:
                    if first < 0 or place_of[j] < place_of[first]:
                        first = j
                    if row_of[j] < 0 and (free < 0 or place_of[j] > place_of[free]):
                        free = j
    return first if free < 0 else free


@helper
def _least(values: Any, number: int) -> int:
    """Return the place of the first least value."""
    place = 0
    for k in range(number):
        if values[k] < values[place]:
            place = k
    return place
