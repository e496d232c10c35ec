"""The assignment problem on sparse edges, where their matrix would be too large."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.intp]


def pair_by_edges(
    rows: Indices, columns: Indices, weights: NDArray[np.float64]
) -> tuple[Indices, NDArray[np.float64], NDArray[np.float64]]:
    """Return the one-to-one pairing of sparse edges with the largest total, and its prices.

    Solved by shortest augmenting paths (Jonker & Volgenant 1987, on sparse edges).

    Parameters
    ----------
    rows, columns, weights
        The edges, none twice, weights above 0, row by row.

    Returns
    -------
    column_of, u, v
        Column of each row, -1 for none; dual variables, none below 0, 0 for what is unpaired:
        no edge is worth more than u_i + v_j, and every pair just that.

    Examples
    --------
    >>> import numpy as np
    >>> rows, columns = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> pair_by_edges(rows, columns, np.array([0.9, 0.8, 0.8]))[0].tolist()
    [1, 0]
    """
    import numpy as np

    from .kernels.augmenting import augment

    n, m = int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1
    u, v = np.zeros(n), np.zeros(m)
    np.maximum.at(u, rows, weights)
    column_of, row_of = np.full(n, -1), np.full(m, -1)
    starts = np.searchsorted(rows, np.arange(n + 1))
    augment(starts, columns, weights, np.arange(n), u, v, column_of, row_of)
    return column_of, u, v
