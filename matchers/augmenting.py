"""The assignment problem on sparse edges, solved so that further edges can be added."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]


#: What prices may miss of a weight by rounding.
_ROUNDING = 1e-12


class SparsePairing:
    """The one-to-one pairing of sparse edges with the largest total, and the prices that prove it.

    Solved by shortest augmenting paths (Jonker & Volgenant 1987, on sparse edges). When edges are
    added, only the rows are paired anew whose prices the new edges exceed, and then the columns
    that lost their row.

    Parameters
    ----------
    n, m
        Number of rows and of columns.

    Attributes
    ----------
    rows, columns
        Prices u and v: dual variables, none below 0; 0 for what is unpaired.
    column_of
        Column of each row, -1 for none.

    Examples
    --------
    >>> import numpy as np
    >>> pairing = SparsePairing(2, 2)
    >>> pairing.solve(np.array([0, 1]), np.array([0, 0]), np.array([0.9, 0.8]))
    >>> pairing.column_of.tolist()
    [0, -1]
    >>> pairing.solve(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.8, 0.8]))
    >>> pairing.column_of.tolist()
    [1, 0]
    """

    def __init__(self, n: int, m: int) -> None:
        import numpy as np

        self.rows, self.columns = np.zeros(n), np.zeros(m)
        self.column_of = np.full(n, -1, dtype=np.int64)
        self._row_of = np.full(m, -1, dtype=np.int64)

    def solve(self, rows: Indices, columns: Indices, weights: NDArray[np.float64]) -> None:
        """Find the best pairing of some edges.

        Parameters
        ----------
        rows, columns, weights
            The edges, none twice, weights above 0, row by row; all of the last call and more.
        """
        import numpy as np

        from .kernels.augmenting import augment

        u, v = self.rows, self.columns
        worth = weights - v[columns]
        free = np.unique(rows[worth > u[rows] + _ROUNDING])
        lost = self.column_of[free]
        self._row_of[lost[lost >= 0]] = -1
        self.column_of[free] = -1
        np.maximum.at(u, rows, worth)
        starts = np.searchsorted(rows, np.arange(len(u) + 1))
        augment(starts, columns, weights, free, u, v, self.column_of, self._row_of)
        free = np.flatnonzero((self._row_of < 0) & (v > 0.0))
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(len(v) + 1))
        augment(starts, rows[order], weights[order], free, v, u, self._row_of, self.column_of)
