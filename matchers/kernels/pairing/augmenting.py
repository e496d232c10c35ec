"""Shortest augmenting paths along sparse edges, compiled."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.machine.compiled import kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


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
        heap = [(0.0, 0)]
        heap.pop()
        number_touched = number_scanned = 0
        length, leaves, ends_at = own[source], source, -1
        node, so_far = source, 0.0
        while True:
            for k in range(starts[node], starts[node + 1]):
                j = neighbours[k]
                step = so_far + max(own[node] + other[j] - weights[k], 0.0)
                if step < distance[j] and step < length:
                    if distance[j] == np.inf:
                        touched[number_touched] = j
                        number_touched += 1
                    distance[j], before[j] = step, node
                    heapq.heappush(heap, (step, j))
            nearest = -1
            while len(heap) > 0 and nearest < 0:
                so_far, j = heapq.heappop(heap)
                if not done[j]:
                    nearest = j
            if nearest < 0 or so_far >= length:
                break
            node = row_of[nearest]
            if node < 0:
                length, ends_at = so_far, nearest
                break
            done[nearest] = True
            scanned[number_scanned] = nearest
            number_scanned += 1
            if so_far + own[node] < length:
                length, leaves = so_far + own[node], node
        own[source] -= length
        for k in range(number_scanned):
            j = scanned[k]
            own[row_of[j]] -= length - distance[j]
            other[j] += length - distance[j]
            done[j] = False
        j = ends_at
        if ends_at < 0:
            j, column_of[leaves] = column_of[leaves], -1
        while j >= 0:
            node = before[j]
            row_of[j] = node
            j, column_of[node] = column_of[node], j
        for k in range(number_touched):
            distance[touched[k]] = np.inf
