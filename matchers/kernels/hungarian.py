"""Compiled search for the best one-to-one pairs: on a whole matrix, and along sparse edges.

`optimal_columns` is the Hungarian algorithm on a whole matrix (Crouse 2016). It makes the same
choice as scipy but reads few entries of each row. `augment` follows sparse edges. Rows and columns
have prices: where u_i + v_j >= X_ij everywhere, no other pairs are better.
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

#: Columns that share one least distance.
BLOCK = 64
#: A search that reads more than one whole row in so many steps goes on as scipy does: whole rows,
#: which cost a quarter of what it takes to read one for its best entries.
STEPS_OF_A_READING = 4
#: Most searches that then begin with whole rows before best entries are tried again.
LONGEST_PAUSE = 256
#: Rounding error of lengths and prices, relative to the largest value; a generous bound.
ROUNDING = 1e-12


class Rows(NamedTuple):
    """Similarities: a whole matrix, or edges (other similarities are 0)."""

    #: Shape (n, m). For edges it is room for one row, shape (1, m).
    whole: Floats
    #: The edges of row i are ``[starts[i] : starts[i + 1]]``; a whole matrix has none.
    starts: Indices
    columns: Indices
    similarities: Floats


class Best(NamedTuple):
    """The best entries of each row at the time when the whole row was last read."""

    #: Columns and their X_ij, shape (n, n_best).
    columns: Indices
    similarities: Floats
    #: -X_ij - v_j of the worst of them; infinity before the row is first read, minus infinity
    #: before the second time: a row that is read once needs no list.
    worst: Floats


class Search(NamedTuple):
    """State of a search: of each column, and of blocks of columns."""

    #: Distance of the column from the first row.
    distance: Floats
    #: Of each block: the least distance of an open column.
    nearest: Floats
    #: The row before the column.
    before: Indices
    #: v_j; minus infinity for a column that the search has passed.
    price: Floats
    #: The columns in scipy's order, and each column's place in it.
    order: Indices
    place_of: Indices


class SearchSteps(NamedTuple):
    """The steps of a search: each reaches a row, and then takes a column."""

    #: Distance of the row from the first row.
    length: Floats
    #: Lower bound of the distance of columns that are not among the best of the row.
    limit: Floats
    row: Indices
    #: The step of each row.
    of_row: Indices
    column: Indices
    #: The column's place in the order when the step took it.
    place: Indices


def optimal_columns(matrix: Floats | csr_array, n_best: int = 32) -> tuple[Indices, Floats, Floats]:
    """Pair every row, one after the other, by a shortest augmenting path (Crouse 2016).

    Paths and ties are those of `scipy.optimize.linear_sum_assignment` on the negative matrix. From
    a row i at distance d, column j is at ``d - X_ij - u_i - v_j``, rounded in this order. Among
    the nearest columns the last unpaired one is next, in scipy's order of open columns. If all
    are paired, the first one is next.

    Only the best entries of a row are read: those with the least ``-X_ij - v_j`` when the whole
    row was last read. No v_j ever rises, so no other column is nearer than the worst of them. The
    whole row is read again where another column might be the nearest of all. Where that is often,
    as on products i·j, the search and some that follow read whole rows only.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), n <= m; or edges (other similarities are 0).
    n_best
        Number of best entries of a row.

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
    column_of = np.full(n, -1)
    u = np.zeros(n)
    v = np.zeros(m)
    shape = n, min(n_best, m)
    best = Best(np.empty(shape, np.int64), np.empty(shape), np.full(n, np.inf))
    backwards = np.arange(m)[::-1]
    n_blocks = -(-m // BLOCK)
    search = Search(
        distance=np.full(m, np.inf),
        nearest=np.full(n_blocks, np.inf),
        before=np.full(m, -1),
        price=np.zeros(m),
        order=backwards.copy(),
        place_of=backwards.copy(),
    )
    steps = SearchSteps(*np.empty((2, n)), *np.empty((4, n), np.int64))
    if isinstance(matrix, csr_array):
        starts = matrix.indptr.astype(np.int64)
        columns = matrix.indices.astype(np.int64)
        rows = Rows(np.empty((1, m)), starts, columns, matrix.data)
        values = matrix.data
    else:
        no_edges = np.empty(0, np.int64)
        rows = Rows(matrix, no_edges, no_edges, np.empty(0))
        values = matrix
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
    # How many searches still read whole rows, and how many will after the next failure.
    remaining = 0
    pause = 1
    for source in range(len(column_of)):
        reads_whole = remaining > 0
        if reads_whole:
            remaining -= 1
        readings = 0
        row = source
        length = 0.0
        step = 0
        while True:
            steps.row[step] = row
            steps.of_row[row] = step
            steps.length[step] = length
            steps.limit[step] = np.inf
            if reads_whole or not np.isfinite(best.worst[row]):
                line = _row(rows, row)
                all_reached = reads_whole and step > 0
                _reach_all(line, row, length, u[row], search, all_reached)
                if best.worst[row] == np.inf:
                    best.worst[row] = -np.inf
                elif not reads_whole:
                    _keep_best(line, v, best, row, worth)
            else:
                # From this row to its best columns. Other columns are not nearer than `limit`.
                columns = best.columns[row]
                _reach(columns, best.similarities[row], row, length, step, u, search, steps)
                steps.limit[step] = length - u[row] + best.worst[row] - ROUNDING * size
            step += 1
            # Read whole rows again until none of their other columns can be the nearest.
            while True:
                length = search.nearest[_first_minimum(search.nearest, len(search.nearest))]
                if reads_whole:
                    break
                again = _first_minimum(steps.limit, step)
                if length < steps.limit[again]:
                    break
                row = steps.row[again]
                line = _row(rows, row)
                _reach(every, line, row, steps.length[again], again, u, search, steps)
                steps.limit[again] = np.inf
                readings += 1
                if STEPS_OF_A_READING * readings <= step + 2 * STEPS_OF_A_READING:
                    _keep_best(line, v, best, row, worth)
                    continue
                for k in range(step):
                    if steps.limit[k] < np.inf:
                        row = steps.row[k]
                        line = _row(rows, row)
                        _reach(every, line, row, steps.length[k], k, u, search, steps)
                reads_whole = True
                pause = min(2 * pause, LONGEST_PAUSE)
                remaining = pause
            column = _next(length, search, row_of)
            # As in scipy, the last open column takes its place.
            place = search.place_of[column]
            search.order[place] = search.order[m - step]
            search.place_of[search.order[place]] = place
            steps.column[step - 1] = column
            steps.place[step - 1] = place
            row = row_of[column]
            if row < 0:  # unpaired: the path ends here
                break
            # The column is passed: find the least distance of its block again.
            search.price[column] = -np.inf
            block = column // BLOCK
            search.nearest[block] = np.inf
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, m)):
                if search.price[j] > -np.inf and search.distance[j] < search.nearest[block]:
                    search.nearest[block] = search.distance[j]
        # Change the prices of all reached rows and columns: every pair on the path is tight.
        u[source] += length
        for k in range(step - 1):
            j = steps.column[k]
            rise = length - search.distance[j]
            u[row_of[j]] += rise
            v[j] -= rise
            size = max(size, -v[j])
        # Back along the path: each row takes the column through which the path left it.
        while row != source:
            row = search.before[column]
            row_of[column] = row
            further = column_of[row]
            column_of[row] = column
            column = further
        # Restore the state before the search, and scipy's order of the columns.
        for k in range(step - 1, -1, -1):
            last = m - 1 - k
            search.order[last] = search.order[steps.place[k]]
            search.place_of[search.order[last]] = last
            search.order[steps.place[k]] = steps.column[k]
            search.place_of[steps.column[k]] = steps.place[k]
            search.price[steps.column[k]] = v[steps.column[k]]
        for j in range(m):
            search.distance[j] = np.inf
        for block in range(len(search.nearest)):
            search.nearest[block] = np.inf
        if not reads_whole:
            pause = max(pause // 2, 1)


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
    columns: Any,
    similarities: Any,
    row: int,
    length: float,
    step: int,
    u: Any,
    search: Any,
    steps: Any,
) -> None:
    """Reach columns from the row of a step. Of equal distances, the earliest step's stays."""
    distance, nearest, before, price, _, _ = search
    for k in range(len(columns)):
        j = columns[k]
        reached = length - similarities[k] - u[row] - price[j]
        if reached <= distance[j] and reached < np.inf:
            if reached < distance[j]:
                distance[j] = reached
                before[j] = row
                if reached < nearest[j // BLOCK]:
                    nearest[j // BLOCK] = reached
            elif steps.of_row[before[j]] > step:
                before[j] = row


@helper
def _reach_all(
    similarities: Any, row: int, length: float, row_price: float, search: Any, all_reached: bool
) -> None:
    """Reach all columns from the last row. Of equal distances, the earlier row's stays.

    `all_reached`: an earlier row reached every column.
    """
    for block in range(len(search.nearest)):
        if all_reached and search.nearest[block] == np.inf:  # all its columns are passed
            continue
        start = block * BLOCK
        values = similarities[start : start + BLOCK]
        price = search.price[start : start + BLOCK]
        distance = search.distance[start : start + BLOCK]
        number_nearer = 0  # to count is fast, and few blocks have any that is nearer
        for k in range(len(values)):
            number_nearer += length - values[k] - row_price - price[k] < distance[k]
        if number_nearer == 0:
            continue
        for k in range(len(values)):
            reached = length - values[k] - row_price - price[k]
            if reached < distance[k]:
                distance[k] = reached
                search.before[start + k] = row
                if reached < search.nearest[block]:
                    search.nearest[block] = reached


@helper
def _keep_best(similarities: Any, v: Any, best: Any, row: int, worth: Any) -> None:
    """Write the columns with the least -X_ij - v_j of a row."""
    n_best = len(worth)
    columns = best.columns[row]
    for k in range(n_best):
        worth[k] = np.inf
    for j in range(len(similarities)):
        value = -similarities[j] - v[j]
        if value < worth[n_best - 1]:
            k = n_best - 1
            while k > 0 and worth[k - 1] > value:
                worth[k] = worth[k - 1]
                columns[k] = columns[k - 1]
                k -= 1
            worth[k] = value
            columns[k] = j
    for k in range(n_best):
        best.similarities[row, k] = similarities[columns[k]]
    best.worst[row] = worth[n_best - 1]


@helper
def _next(length: float, search: Any, row_of: Any) -> int:
    """Return the column at this distance that scipy takes."""
    first = -1
    free = -1
    place_of = search.place_of
    for block in range(len(search.nearest)):
        if search.nearest[block] == length:
            for j in range(block * BLOCK, min(block * BLOCK + BLOCK, len(search.distance))):
                if search.distance[j] == length and search.price[j] > -np.inf:
                    if first < 0 or place_of[j] < place_of[first]:
                        first = j
                    if row_of[j] < 0 and (free < 0 or place_of[j] > place_of[free]):
                        free = j
    if free < 0:
        return first
    return free


@helper
def _first_minimum(values: Any, number: int) -> int:
    """Return the place of the first least value."""
    place = 0
    for k in range(number):
        if values[k] < values[place]:
            place = k
    return place


@kernel
def augment(starts: Any, neighbours: Any, weights: Any, row_prices: Any, column_prices: Any) -> Any:
    """Pair rows, one after the other, each by a shortest augmenting path.

    A path alternates between edges outside and inside the pairing. It ends at an unpaired column,
    or at a row that is better unpaired. Its length is the loss of the total of the prices
    (Dijkstra's algorithm on u_i + v_j - weight, which is never below 0). Then the prices of all
    reached rows and columns change, so that every pair is tight.

    Parameters
    ----------
    starts, neighbours, weights
        Columns and weights of the edges of row i: ``[starts[i] : starts[i + 1]]``.
    row_prices, column_prices
        Prices: no edge has a weight above the sum of its row's and column's price. They are
        changed in place: then every pair's weight is that sum.

    Returns
    -------
    ndarray
        The column of each row, -1 for none.
    """
    m = len(column_prices)
    column_of = np.full(len(row_prices), -1)
    row_of = np.full(m, -1)
    # Of each column: its distance, the row before it, whether the search has passed it.
    distance = np.full(m, np.inf)
    before = np.empty(m, np.int64)
    passed = np.zeros(m, np.bool_)
    # The columns that are reached, and those that are passed.
    touched = np.empty(m, np.int64)
    scanned = np.empty(m, np.int64)
    for source in range(len(row_prices)):
        heap = [(0.0, 0)]  # an empty list of this type
        heap.pop()
        # The shortest path so far: the row `leaves` gives up its column, or a column is free.
        number_touched = number_scanned = 0
        length = row_prices[source]
        leaves = source
        ends_at = -1
        node = source
        so_far = 0.0
        while True:
            # From this row to its neighbours. Columns beyond `length` cannot shorten the path.
            for k in range(starts[node], starts[node + 1]):
                j = neighbours[k]
                step = so_far + max(row_prices[node] + column_prices[j] - weights[k], 0.0)
                if step < distance[j] and step < length:
                    if distance[j] == np.inf:
                        touched[number_touched] = j
                        number_touched += 1
                    distance[j] = step
                    before[j] = node
                    heapq.heappush(heap, (step, j))
            # The nearest column that is not passed. The heap may have older entries of a column.
            nearest = -1
            while len(heap) > 0 and nearest < 0:
                so_far, j = heapq.heappop(heap)
                if not passed[j]:
                    nearest = j
            if nearest < 0 or so_far >= length:
                break
            node = row_of[nearest]
            if node < 0:  # a free column: no path is shorter
                length = so_far
                ends_at = nearest
                break
            passed[nearest] = True
            scanned[number_scanned] = nearest
            number_scanned += 1
            if so_far + row_prices[node] < length:
                length = so_far + row_prices[node]
                leaves = node
        # Prices change by the difference of the distances to the column and to the path's end.
        row_prices[source] -= length
        for k in range(number_scanned):
            j = scanned[k]
            row_prices[row_of[j]] -= length - distance[j]
            column_prices[j] += length - distance[j]
            passed[j] = False
        # Back along the path: each row takes the column through which the path left it.
        j = ends_at
        if ends_at < 0:
            j = column_of[leaves]
            column_of[leaves] = -1
        while j >= 0:
            node = before[j]
            row_of[j] = node
            j, column_of[node] = column_of[node], j
        # Only what this search touched is cleared for the next one.
        for k in range(number_touched):
            distance[touched[k]] = np.inf
    return column_of
