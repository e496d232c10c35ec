"""The one-to-one pairing of few edges with the largest total: without their whole matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .proof import Duals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]


def pair_edges(
    rows: Indices, columns: Indices, weights: NDArray[np.float64], shape: tuple[int, ...]
) -> tuple[Indices, Duals]:
    """Return the positions of the edges of the one-to-one pairing with the largest total weight.

    Solved by shortest augmenting paths (Jonker & Volgenant 1987, on sparse edges).

    Parameters
    ----------
    rows, columns, weights
        The edges, none twice, row by row; weights above 0.
    shape
        Number of rows and of columns.

    Returns
    -------
    positions
        In order. The total is that of the Hungarian algorithm on the matrix whose other entries
        are 0.
    duals
        They prove it: no edge is worth more than u_i + v_j, every chosen one is worth just that,
        and what is not paired has price 0.

    Examples
    --------
    >>> import numpy as np
    >>> rows, columns = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> positions, duals = pair_edges(rows, columns, np.array([0.9, 0.8, 0.8]), (2, 2))
    >>> positions.tolist(), round(duals.total, 9)
    ([1, 2], 1.6)
    """
    import numpy as np

    from matchers.kernels.pairing.augmenting import augment

    n, m = shape
    u, v = np.zeros(n), np.zeros(m)
    np.maximum.at(u, rows, weights)
    column_of = augment(np.searchsorted(rows, np.arange(n + 1)), columns, weights, u, v)
    return np.flatnonzero(column_of[rows] == columns), Duals(u, v)
