"""The assignment problem of a large matrix, solved on few of its entries, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .assignment import Assignment
from .augmenting import SparsePairing
from .duals import TOLERANCE, Duals

if TYPE_CHECKING:
    from .metrics.base import Matrix

#: Entries that the core begins with: the best of each row and of each column.
PER_ROW, PER_COLUMN = 12, 6
#: Underpriced entries of a row that are added at a time.
ADDED = 4
#: An entry may exceed its prices by so much.
_ROUNDING = 1e-12


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

    from .kernels.prices import best_of_columns, most_underpriced, raise_prices

    n, m = matrix.shape
    pairing = SparsePairing(n, m)
    of_rows = most_underpriced(matrix, pairing.rows, pairing.columns, 0.0, PER_ROW)
    larger = np.union1d(of_rows, best_of_columns(matrix, PER_COLUMN))
    core = larger[:0]
    while len(larger) > len(core):
        core = larger
        rows, columns = np.divmod(core, m)
        pairing.solve(rows, columns, matrix[rows, columns])
        further = most_underpriced(matrix, pairing.rows, pairing.columns, _ROUNDING, ADDED)
        larger = np.union1d(core, further)
    rows = np.flatnonzero(pairing.column_of >= 0)
    columns = pairing.column_of[rows]
    assignment = Assignment(rows, columns, matrix[rows, columns], "hungarian")
    # What rounding leaves is added up as well: these prices are below no entry at all.
    prices = pairing.columns.copy()
    raise_prices(matrix, np.arange(n), pairing.rows, prices)
    gap = abs(Duals(pairing.rows, prices).total - assignment.total)
    lowest = min(pairing.rows.min(initial=0.0), prices.min(initial=0.0))
    if gap > TOLERANCE or lowest < -TOLERANCE:
        raise ArithmeticError("the assignment on the sparse core is not proved optimal")
    return assignment
