"""The best one-to-one pairing of few edges: component by component."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hungarian import optimal_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]

#: Largest component (rows * columns) that is solved as a dense matrix.
DENSE = 2_000_000


def components(rows: Indices, columns: Indices) -> list[Indices]:
    """Return the positions of the edges of each connected component.

    Examples
    --------
    >>> import numpy as np
    >>> [found.tolist() for found in components(np.array([0, 1, 1]), np.array([5, 5, 7]))]
    [[0, 1, 2]]
    """
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not len(rows):
        return []
    first_column = int(rows.max()) + 1
    size = first_column + int(columns.max()) + 1
    ones = np.ones(len(rows), dtype=np.int8)
    graph = coo_array((ones, (rows, columns + first_column)), shape=(size, size)).tocsr()
    of_edge = connected_components(graph, directed=False)[1][rows]
    order = np.argsort(of_edge, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(of_edge[order])) + 1)


def best_pairing(rows: Indices, columns: Indices, weights: NDArray[np.float64]) -> Indices:
    """Return the positions of the edges of the one-to-one pairing with the largest total weight.

    Parameters
    ----------
    rows, columns, weights
        The edges, none twice; weights above 0.

    Returns
    -------
    ndarray
        In the order of the rows. The total is that of the Hungarian algorithm on the matrix
        whose other entries are 0.

    Examples
    --------
    >>> import numpy as np
    >>> best_pairing(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.8]))
    array([1, 2])
    """
    import numpy as np

    chosen: list[Indices] = [np.empty(0, dtype=np.intp)]
    for edges in components(rows, columns):
        if len(edges) == 1:
            chosen.append(edges)
            continue
        row_ids, row = np.unique(rows[edges], return_inverse=True)
        column_ids, column = np.unique(columns[edges], return_inverse=True)
        dense = len(row_ids) * len(column_ids) <= DENSE
        solve = _best_dense if dense else _best_sparse
        chosen.append(edges[solve(row, column, weights[edges])])
    together = np.concatenate(chosen)
    return together[np.argsort(rows[together])]


def _best_dense(rows: Indices, columns: Indices, weights: NDArray[np.float64]) -> Indices:
    """Return the positions of the chosen edges, by the Hungarian algorithm."""
    import numpy as np

    shape = (int(rows.max()) + 1, int(columns.max()) + 1)
    matrix = np.zeros(shape)
    matrix[rows, columns] = weights
    edge = np.full(shape, -1)
    edge[rows, columns] = np.arange(len(rows))
    chosen_rows, chosen_columns, _ = optimal_pairs(matrix)
    found = edge[chosen_rows, chosen_columns]
    return found[found >= 0]


def _best_sparse(rows: Indices, columns: Indices, weights: NDArray[np.float64]) -> Indices:
    """Return the positions of the chosen edges, by shortest augmenting paths along the edges."""
    import numpy as np

    from .augmenting import pair_by_edges

    order = np.lexsort((columns, rows))
    column_of, _, _ = pair_by_edges(rows[order], columns[order], weights[order])
    return np.flatnonzero(column_of[rows] == columns)
