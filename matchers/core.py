"""The assignment problem of a large matrix, solved on few of its entries, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .assignment import Assignment
from .components import best_pairing
from .duals import TOLERANCE, Duals, edge_duals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .metrics.base import Matrix

#: Entries that the core begins with: the best of each row and of each column.
PER_ROW, PER_COLUMN = 12, 6
#: Underpriced entries of a row that are added at a time.
ADDED = 4
#: Rows or columns that are looked at together.
_BLOCK = 256


def assign_on_core(matrix: Matrix) -> Assignment:
    """Choose the one-to-one pairs with the largest total similarity.

    The problem is solved on a sparse core: the best entries of each row and column. The duals
    of that solution price every entry of the matrix; entries that are worth more than their row
    and column join the core, until there are none. Then the duals are feasible for the whole
    matrix and their sum is the total, which proves the optimum (weak duality). Nothing as large
    as the matrix is allocated.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0.

    Returns
    -------
    Assignment

    Raises
    ------
    ArithmeticError
        If the proof fails.

    Examples
    --------
    >>> import numpy as np
    >>> assign_on_core(np.array([[0.9, 0.8], [0.8, 0.1]])).columns.tolist()
    [1, 0]
    """
    import numpy as np
    from scipy.sparse import csr_array

    m = matrix.shape[1]
    core = _best_entries(matrix)
    while True:
        rows, columns = np.divmod(core, m)
        weights = matrix[rows, columns]
        best = best_pairing(rows, columns, weights)
        assignment = Assignment(rows[best], columns[best], weights[best], "hungarian")
        edges = csr_array((weights, (rows, columns)), shape=matrix.shape)
        dual = edge_duals(edges, assignment)
        underpriced = _underpriced(matrix, dual)
        larger = np.union1d(core, underpriced)
        if len(larger) == len(core):
            break
        core = larger
    gap = abs(dual.total - assignment.total)
    lowest = min(dual.rows.min(), dual.columns.min())
    if len(underpriced) or gap > TOLERANCE or lowest < -TOLERANCE:
        raise ArithmeticError("the assignment on the sparse core is not proved optimal")
    return assignment


def _best_entries(matrix: Matrix) -> NDArray[np.intp]:
    """Return row * m + column of the best entries of each row and column, without zeros."""
    import numpy as np

    n, m = matrix.shape
    found = []
    for start in range(0, n, _BLOCK):
        block = matrix[start : start + _BLOCK]
        best = np.argpartition(block, -min(PER_ROW, m), axis=1)[:, -PER_ROW:]
        found.append((np.arange(start, start + len(block))[:, None] * m + best).ravel())
    for start in range(0, m, _BLOCK):
        block = np.ascontiguousarray(matrix[:, start : start + _BLOCK].T)
        best = np.argpartition(block, -min(PER_COLUMN, n), axis=1)[:, -PER_COLUMN:]
        found.append((best * m + np.arange(start, start + len(block))[:, None]).ravel())
    keys: NDArray[np.intp] = np.unique(np.concatenate(found))
    return keys[matrix[np.divmod(keys, m)] > 0.0]


def _underpriced(matrix: Matrix, dual: Duals) -> NDArray[np.intp]:
    """Return row * m + column of the entries that most exceed the duals, a few of each row."""
    import numpy as np

    m = matrix.shape[1]
    found = [np.empty(0, dtype=np.intp)]
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK]
        excess = block - dual.rows[start : start + _BLOCK, None] - dual.columns
        rows = np.flatnonzero(excess.max(axis=1) > TOLERANCE)
        excess = excess[rows]
        most = np.argpartition(excess, -min(ADDED, m), axis=1)[:, -ADDED:]
        keys = (rows + start)[:, None] * m + most
        found.append(keys[np.take_along_axis(excess, most, axis=1) > TOLERANCE])
    return np.concatenate(found)
