"""Compiled search for the best one-to-one pairs: on a whole matrix, and along sparse edges.

On a whole matrix the Hungarian algorithm (Crouse 2016) makes scipy's choice, read from few entries
of each row. Along sparse edges there are shortest augmenting paths. Prices of rows and columns,
u_i + v_j against every X_ij, prove that no other pairs are better.
"""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.compiled import helper, kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

#: Columns whose least distance is known together; entries of a row that are counted together.
BLOCK = 64
#: What rounding makes of lengths and prices, relative to the largest; with room.
ROUNDING = 1e-12


class Rows(NamedTuple):
    """Similarities, row by row: a whole matrix, or edges, beside which all are 0."""

    #: Shape (n, m); of edges room for one row, shape (1, m).
    whole: Floats
    #: The edges of row i are ``[starts[i] : starts[i + 1]]``; a whole matrix has none.
    starts: Indices
    columns: Indices
    similarities: Floats


class Best(NamedTuple):
    """The best entries of each row, as when the whole row was last looked at."""

    #: Columns and their X_ij, shape (n, few).
    columns: Indices
    similarities: Floats
    #: -X_ij - v_j of the worst of them; minus infinity where the row was not looked at yet.
    worst: Floats


class Search(NamedTuple):
    """What a search knows of each column, and of blocks of them."""

    #: How far it is.
    distance: Floats
    #: Of each block: the least distance of a column that is still to be passed.
    least: Floats
    #: The row before it.
    before: Indices
    #: Whether it is still to be passed.
    is_open: NDArray[np.bool_]
    #: The columns in scipy's order, and the place of each in it.
    order: Indices
    place_of: Indices


class Steps(NamedTuple):
    """The steps of a search: each comes to a row, and takes a column."""

    #: How far the row is.
    length: Floats
    #: How near the columns may be that were left out of its best ones.
    limit: Floats
    row: Indices
    #: The step of each row.
    of_row: Indices
    column: Indices
    #: The place of the column when it was taken.
    place: Indices


def optimal_columns(matrix: Floats | csr_array, few: int = 32) -> tuple[Indices, Floats, Floats]:
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
        Similarities, shape (n, m), n <= m; or edges, beside which all are 0.
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
    column_of, u, v = np.full(n, -1), np.zeros(n), np.zeros(m)
    shape = n, min(few, m)
    best = Best(np.empty(shape, np.int64), np.empty(shape), np.full(n, -np.inf))
    backwards = np.arange(m)[::-1]
    search = Search(
        np.full(m, np.inf),
        np.full(-(-m // BLOCK), np.inf),
        np.full(m, -1),
        np.ones(m, np.bool_),
        backwards.copy(),
        backwards.copy(),
    )
    steps = Steps(np.empty(n), np.empty(n), *(np.empty(n, np.int64) for _ in range(4)))
    if isinstance(matrix, csr_array):
        starts, columns = (of.astype(np.int64) for of in (matrix.indptr, matrix.indices))
        rows, values = Rows(np.empty((1, m)), starts, columns, matrix.data), matrix.data
    else:
        none = np.empty(0, np.int64)
        rows, values = Rows(matrix, none, none, np.empty(0)), matrix
    scratch = np.arange(m), np.empty(shape[1])
    size = float(values.max(initial=0.0))
    _pair_rows(rows, size, column_of, np.full(m, -1), u, v, best, search, steps, *scratch)
    return column_of, u, v


@kernel
def _pair_rows(
    rows: Any,
    size: float,
    column_of: Any,
    row_of: Any,
    u: Any,
    v: Any,
    best: Any,
    search: Any,
    steps: Any,
    every: Any,
    worth: Any,
) -> None:
    """Pair the rows. `size` is the largest X_ij, `every` all columns, `worth` has room for few."""
    m = len(row_of)
    for source in range(len(column_of)):
        row, length, step = source, 0.0, 0
        while True:
            # From this row to its best columns; the others are nearer than `limit` to none.
            if best.worst[row] == -np.inf:
                _keep_best(_row(rows, row), v, best, row, worth)
            _reach(
                best.columns[row], best.similarities[row], row, length, step, u, v, search, steps
            )
            steps.row[step] = row
            steps.of_row[row] = step
            steps.length[step] = length
            steps.limit[step] = length - u[row] + best.worst[row] - ROUNDING * size
            step += 1
            # The nearest column, once no column that was left out of a row's best can be nearer.
            while True:
                length = search.least[_least(search.least, len(search.least))]
                again = _least(steps.limit, step)
                if length < steps.limit[again]:
                    break
                row = steps.row[again]
                line = _row(rows, row)
                _reach(every, line, row, steps.length[again], again, u, v, search, steps)
                steps.limit[again] = np.inf
                _keep_best(line, v, best, row, worth)
            column = _next(length, search, row_of)
            # As scipy does: the last of the columns that are left takes its place.
            place = search.place_of[column]
            search.order[place] = search.order[m - step]
            search.place_of[search.order[place]] = place
            steps.column[step - 1] = column
            steps.place[step - 1] = place
            row = row_of[column]
            if row < 0:  # unpaired: the path ends here
                break
            # The column is passed; its block has to find its least distance anew.
            search.is_open[column] = False
            block = column // BLOCK
            search.least[block] = np.inf
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, m)):
                if search.is_open[j] and search.distance[j] < search.least[block]:
                    search.least[block] = search.distance[j]
        # The prices of all that was reached change, so that every pair on the path is tight.
        u[source] += length
        for k in range(step - 1):
            j = steps.column[k]
            rise = length - search.distance[j]
            u[row_of[j]] += rise
            v[j] -= rise
            size = max(size, -v[j])
        # Back along the path: each row takes the column by which it was left.
        while row != source:
            row = search.before[column]
            row_of[column] = row
            further = column_of[row]
            column_of[row] = column
            column = further
        # Everything is as before the search, scipy's order of the columns too.
        for k in range(step - 1, -1, -1):
            last = m - 1 - k
            search.order[last] = search.order[steps.place[k]]
            search.place_of[search.order[last]] = last
            search.order[steps.place[k]] = steps.column[k]
            search.place_of[steps.column[k]] = steps.place[k]
            search.is_open[steps.column[k]] = True
        for j in range(m):
            search.distance[j] = np.inf
        for block in range(len(search.least)):
            search.least[block] = np.inf


@helper
def _row(rows: Any, row: int) -> Any:
    """Return the whole row."""
    if len(rows.starts) == 0:
        return rows.whole[row]
    line = rows.whole[0]
    line[:] = 0.0
    for k in range(rows.starts[row], rows.starts[row + 1]):
        line[rows.columns[k]] = rows.similarities[k]
    return line


@helper
def _reach(
    some: Any,
    similarities: Any,
    row: int,
    length: float,
    step: int,
    u: Any,
    v: Any,
    search: Any,
    steps: Any,
) -> None:
    """Come to some columns from the row of a step, as if at its time: what came first remains."""
    distance, least, before, is_open, _, _ = search
    for k in range(len(some)):
        j = some[k]
        reached = length - similarities[k] - u[row] - v[j]
        if reached <= distance[j] and is_open[j]:
            if reached < distance[j]:
                distance[j] = reached
                before[j] = row
                if reached < least[j // BLOCK]:
                    least[j // BLOCK] = reached
            elif steps.of_row[before[j]] > step:
                before[j] = row


@helper
def _keep_best(similarities: Any, v: Any, best: Any, row: int, worth: Any) -> None:
    """Find the columns with the least -X_ij - v_j of a row."""
    few = len(worth)
    columns = best.columns[row]
    for k in range(few):
        worth[k] = np.inf
    for j in range(len(similarities)):
        value = -similarities[j] - v[j]
        if value < worth[few - 1]:
            k = few - 1
            while k > 0 and worth[k - 1] > value:
                worth[k] = worth[k - 1]
                columns[k] = columns[k - 1]
                k -= 1
            worth[k] = value
            columns[k] = j
    for k in range(few):
        best.similarities[row, k] = similarities[columns[k]]
    best.worst[row] = worth[few - 1]


@helper
def _next(length: float, search: Any, row_of: Any) -> int:
    """Return the column at this distance that scipy would take."""
    first, free = -1, -1
    place_of = search.place_of
    for block in range(len(search.least)):
        if search.least[block] == length:
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, len(search.distance))):
                if search.distance[j] == length and search.is_open[j]:
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


def augment(
    starts: Indices, neighbours: Indices, weights: Floats, own: Floats, other: Floats
) -> Indices:
    """Pair rows, one after the other, each by a shortest augmenting path.

    A path alternates between edges outside and inside the pairing. It ends at an unpaired column,
    or at a row that is better left unpaired. Its length is what the total of the prices loses
    along it (Dijkstra's algorithm on u_i + v_j - weight, which is never below 0); then the prices
    of all that was reached are changed so that every pair is tight.

    Parameters
    ----------
    starts, neighbours, weights
        Columns and weights of the edges of row i: ``[starts[i] : starts[i + 1]]``.
    own, other
        Prices of rows and columns: no edge is worth more than those of its ends together. Changed
        in place: then every pair is worth just that.

    Returns
    -------
    ndarray
        The column of each row, -1 for none.
    """
    n, m = len(own), len(other)
    column_of, row_of = np.full(n, -1), np.full(m, -1)
    of_columns = np.full(m, np.inf), np.empty(m, np.int64), np.zeros(m, np.bool_)
    lists = np.empty(m, np.int64), np.empty(m, np.int64)
    _augment(starts, neighbours, weights, own, other, column_of, row_of, *of_columns, *lists)
    return column_of


@kernel
def _augment(
    starts: Any,
    neighbours: Any,
    weights: Any,
    own: Any,
    other: Any,
    column_of: Any,
    row_of: Any,
    distance: Any,
    before: Any,
    done: Any,
    touched: Any,
    scanned: Any,
) -> None:
    """Pair the rows.

    Of each column in a search: how far it is, the row before it, whether it is passed. Of a
    search: the columns that it has reached, and those that it has passed.
    """
    for source in range(len(own)):
        heap = [(0.0, 0)]  # an empty list of this type
        heap.pop()
        # The shortest path known so far: the row `leaves` gives up its column, or a free column.
        number_touched = number_scanned = 0
        length, leaves, ends_at = own[source], source, -1
        node, so_far = source, 0.0
        while True:
            # From this row to its neighbours; what is not nearer than `length` is of no use.
            for k in range(starts[node], starts[node + 1]):
                j = neighbours[k]
                step = so_far + max(own[node] + other[j] - weights[k], 0.0)
                if step < distance[j] and step < length:
                    if distance[j] == np.inf:
                        touched[number_touched] = j
                        number_touched += 1
                    distance[j], before[j] = step, node
                    heapq.heappush(heap, (step, j))
            # The nearest column that is not passed yet; older entries of the heap are skipped.
            nearest = -1
            while len(heap) > 0 and nearest < 0:
                so_far, j = heapq.heappop(heap)
                if not done[j]:
                    nearest = j
            if nearest < 0 or so_far >= length:
                break
            node = row_of[nearest]
            if node < 0:  # a free column: no shorter path is left
                length, ends_at = so_far, nearest
                break
            done[nearest] = True
            scanned[number_scanned] = nearest
            number_scanned += 1
            if so_far + own[node] < length:
                length, leaves = so_far + own[node], node
        # The prices along the way change by what the path was shorter than its end.
        own[source] -= length
        for k in range(number_scanned):
            j = scanned[k]
            own[row_of[j]] -= length - distance[j]
            other[j] += length - distance[j]
            done[j] = False
        # Back along the path: each row takes the column by which it was left.
        j = ends_at
        if ends_at < 0:
            j, column_of[leaves] = column_of[leaves], -1
        while j >= 0:
            node = before[j]
            row_of[j] = node
            j, column_of[node] = column_of[node], j
        # Only what this search touched is cleared for the next one.
        for k in range(number_touched):
            distance[touched[k]] = np.inf


@kernel
def raise_prices(matrix: Any, rows: Any, prices: Any, column_prices: Any) -> None:
    """Raise v_j to the largest X_ij - u_i over the rows ``rows[k]``, with u_i = ``prices[k]``."""
    for k in range(len(rows)):
        row, price = rows[k], prices[k]
        for j in range(matrix.shape[1]):
            demanded = matrix[row, j] - price
            column_prices[j] = max(column_prices[j], demanded)


def number_above(
    matrix: Floats | csr_array, prices: Floats, column_prices: Floats, tolerance: float
) -> int:
    """Return how many X_ij exceed u_i + v_j by more than a tolerance.

    Of edges, beside which all is 0: how many edges, and how many u_i are below 0; no v_j may be.
    """
    if isinstance(matrix, csr_array):
        rows = np.repeat(np.arange(len(prices)), np.diff(matrix.indptr))
        above = matrix.data > prices[rows] + column_prices[matrix.indices] + tolerance
        return int(above.sum() + (prices < -tolerance).sum())
    return _count_above(matrix, prices, column_prices, tolerance)


@kernel
def _count_above(matrix: Any, prices: Any, column_prices: Any, tolerance: float) -> int:
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
