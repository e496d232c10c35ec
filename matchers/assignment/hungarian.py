"""The one-to-one pairing of a matrix with the largest total: scipy's, found faster, with proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matchers.errors import MatcherError

from .proof import TOLERANCE, Duals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from matchers.metrics.base import Matrix

    Indices = NDArray[np.intp]

#: Entries from which our own kernel is used: it is some three times as fast as scipy, and is
#: compiled, or read from the disk, at its first use.
LARGE = 1_000_000


def optimal_pairs(matrix: Matrix) -> tuple[Indices, Indices, Duals | None]:
    """Return the pairing that ``linear_sum_assignment(matrix, maximize=True)`` of scipy returns.

    The same one, also of several optimal ones: a large matrix is paired along the very paths that
    scipy finds, of which few of its entries tell (`matchers.kernels.pairing.hungarian`). The duals
    that come with it are feasible and add up to the total, which proves the optimum (weak
    duality).

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0. One with n > m is copied.

    Returns
    -------
    rows, columns
        The min(n, m) pairs, in the order of the rows.
    duals
        Of a large matrix.

    Raises
    ------
    MatcherError
        If an entry is infinite.
    ArithmeticError
        If the proof fails.

    Examples
    --------
    >>> import numpy as np
    >>> rows, columns, _ = optimal_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
    >>> columns.tolist()
    [1, 0]
    """
    import numpy as np

    largest = refuse_infinite(matrix)
    if matrix.size < LARGE:
        if min(matrix.shape) == 1:  # no reason to import scipy, which takes a fifth of a second
            return *np.divmod(np.atleast_1d(matrix.argmax()), matrix.shape[1]), None
        from scipy.optimize import linear_sum_assignment

        return *linear_sum_assignment(matrix, maximize=True), None

    from matchers.kernels.pairing.hungarian import optimal_columns
    from matchers.kernels.pairing.prices import number_above

    n, m = matrix.shape
    wide = np.ascontiguousarray(matrix if n <= m else matrix.T)
    columns, u, v = optimal_columns(wide)
    u, v = -u, -v
    tolerance = TOLERANCE * largest
    gap = abs(wide[np.arange(len(wide)), columns].sum() - u.sum() - v.sum())
    one_to_one = len(np.unique(columns)) == len(columns)
    feasible = v.min(initial=0.0) >= -tolerance and not number_above(wide, u, v, tolerance)
    if not (one_to_one and feasible and gap <= tolerance):
        raise ArithmeticError("the pairing of the matrix is not proved optimal")
    if n <= m:
        return np.arange(n), columns, Duals(u, v)
    rows = np.argsort(columns)
    return columns[rows], rows, Duals(v, u)


def refuse_infinite(similarities: NDArray[np.float64]) -> float:
    """Return the largest similarity, 0 if there is none; raise `MatcherError` if it is infinite."""
    largest = float(similarities.max(initial=0.0))
    if largest == float("inf"):
        raise MatcherError("a similarity is infinite")
    return largest
