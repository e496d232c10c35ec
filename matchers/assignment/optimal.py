"""One-to-one pairs with the largest total similarity, and the proof of their optimality."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.common.table import Frame, Tabular, frame

Matrix = NDArray[np.float64]
Values = NDArray[np.float64]
Indices = NDArray[np.intp]

#: Largest difference of u_i + v_j from the similarity of a tight pair, relative to the largest
#: similarity of a pair. Similarities are rounded to 1e-16, and duals, sums of a few
#: thousand of them, err by less than 1e-12; different sums of such fractions as string metrics
#: give are hardly ever that close. (Totals add up over the pairs, and so may their differences.)
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Duals:
    """Optimal solution of the dual of the assignment problem.

    Every u_i and v_j is at least 0, every pair has u_i + v_j >= similarity, and the sum of all
    u_i and v_j is the largest total similarity.

    Parameters
    ----------
    rows, columns
        u and v.
    tight
        The pairs that optimal assignments can contain, row by row (`tight_entries`); None where
        they were not looked for.
    """

    rows: Values
    columns: Values
    tight: Indices | None = None

    @property
    def total(self) -> float:
        """Sum of all duals: no one-to-one pairing has a larger total similarity."""
        of_rows = self.rows.tolist()
        of_columns = self.columns.tolist()
        return math.fsum(of_rows) + math.fsum(of_columns)


@dataclass(frozen=True, eq=False)
class Assignment(Tabular):
    """One-to-one pairs of rows and columns, all of similarity above 0, in the order of the rows.

    Parameters
    ----------
    rows, columns
        Indices of the pairs.
    similarities
        Similarity of each pair.
    method
        Name of the method that chose them.
    duals
        The solver's duals, if it computes them.
    """

    rows: Indices
    columns: Indices
    similarities: Values
    method: str
    duals: Duals | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> float:
        """Sum of the similarities, correctly rounded."""
        return math.fsum(self.similarities.tolist())

    @property
    def tolerance(self) -> float:
        """Largest difference of u_i + v_j from the similarity of a tight pair.

        In an optimal assignment the largest similarity of a pair is at least half of the matrix's.
        """
        return TOLERANCE * float(self.similarities.max(initial=0.0))

    def at_least(self, threshold: float) -> Assignment:
        """Return the pairs of similarity `threshold` or more (``>=``)."""
        above = self.similarities >= threshold
        similarities = self.similarities[above]
        return Assignment(self.rows[above], self.columns[above], similarities, self.method)

    def to_frame(self) -> Frame:
        """Return one line per pair: ``row, column, similarity``."""
        return frame({"row": self.rows, "column": self.columns, "similarity": self.similarities})


#: Entries of some rows that fit the processor's cache.
ENTRIES_AT_ONCE = 2**15
#: Entries from which our own kernel is used: it is some three times as fast as scipy, and is
#: compiled, or read from the disk, at its first use.
LARGE = 1_000_000


def optimal_pairs(matrix: Matrix | csr_array) -> tuple[Indices, Indices, Duals | None]:
    """Return the pairing that ``linear_sum_assignment(matrix, maximize=True)`` of scipy returns.

    Of several optimal pairings it is the same one: a large matrix is paired along the paths that
    scipy finds, for which few of its entries are read
    (`alignrank.matchers.kernels.hungarian.optimal_columns`). Its duals are feasible and add up to
    the total, which proves the optimum (weak duality).

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0; copied if n > m. Or sparse edges, row by row: a
        large matrix is not filled in.

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
    >>> rows, columns, _ = optimal_pairs(np.array([[0.9, 0.8], [0.8, 0.1]]))
    >>> columns.tolist()
    [1, 0]
    """
    n, m = matrix.shape
    if n * m < LARGE:
        if isinstance(matrix, csr_array):
            matrix = matrix.toarray()
        return scipy_pairs(matrix)
    from alignrank.matchers.kernels.hungarian import optimal_columns

    wide = matrix if n <= m else matrix.T
    if isinstance(wide, np.ndarray):
        wide = values = np.ascontiguousarray(wide)
    else:
        wide = wide.tocsr()
        values = wide.data
    refuse_infinite(values)
    columns, u, v = optimal_columns(wide)
    u = -u
    v = -v
    similarities = wide[np.arange(len(u)), columns] if len(u) else np.empty(0)
    tolerance = TOLERANCE * float(similarities.max(initial=0.0))
    gap = abs(similarities.sum() - u.sum() - v.sum())
    one_to_one = len(np.unique(columns)) == len(columns)
    tight, above = tight_entries(wide, u, v, tolerance)
    if not (one_to_one and v.min(initial=0.0) >= -tolerance and not above and gap <= tolerance):
        raise ArithmeticError("the pairing of the matrix is not proved optimal")
    if n <= m:
        return np.arange(n), columns, Duals(u, v, tight)
    rows = np.argsort(columns)
    return columns[rows], rows, Duals(v, u, tight[np.lexsort(tight.T), ::-1])


def scipy_pairs(matrix: Matrix) -> tuple[Indices, Indices, None]:
    """Return optimal pairs as `optimal_pairs` does, found by scipy and without duals.

    Raises
    ------
    MatcherError
        If an entry is infinite.
    """
    try:
        rows, columns = scipy.optimize.linear_sum_assignment(matrix, maximize=True)
    except ValueError:
        refuse_infinite(matrix)
        raise
    return rows, columns, None


def refuse_infinite(similarities: Values) -> float:
    """Return the largest similarity, 0 if there is none; raise `MatcherError` if it is infinite."""
    largest = float(similarities.max(initial=0.0))
    if largest == float("inf"):
        raise MatcherError("a similarity is infinite")
    return largest


def pair_edges(
    rows: Indices, columns: Indices, weights: Values, shape: tuple[int, ...]
) -> tuple[Indices, Duals]:
    """Return the positions of the edges of a one-to-one pairing with the largest total weight.

    It needs no whole matrix: shortest augmenting paths (Jonker & Volgenant 1987, on sparse edges).

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
        The proof: no edge exceeds u_i + v_j, every chosen edge equals it, and unpaired rows and
        columns have dual 0.

    Examples
    --------
    >>> rows, columns = np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> positions, duals = pair_edges(rows, columns, np.array([0.9, 0.8, 0.8]), (2, 2))
    >>> positions.tolist(), round(duals.total, 9)
    ([1, 2], 1.6)
    """
    from alignrank.matchers.kernels.hungarian import augment

    n, m = shape
    u = np.zeros(n)
    v = np.zeros(m)
    np.maximum.at(u, rows, weights)
    column_of = augment(np.searchsorted(rows, np.arange(n + 1)), columns, weights, u, v)
    return np.flatnonzero(column_of[rows] == columns), Duals(u, v)


def tight_entries(
    matrix: Matrix | csr_array, prices: Values, column_prices: Values, tolerance: float
) -> tuple[Indices, int]:
    """Return where X_ij reaches u_i + v_j - tolerance and exceeds twice the tolerance, row by row.

    The second value is the number of X_ij that exceed u_i + v_j by more than the tolerance. Of
    sparse edges it counts edges and the negative u_i, which stand for similarities of 0 (no v_j is
    negative).

    Examples
    --------
    >>> matrix, zero = np.array([[0.5, 1.0], [0.0, 0.5]]), np.zeros(2)
    >>> pairs, above = tight_entries(matrix, np.array([1.0, 0.5]), zero, 1e-9)
    >>> pairs.tolist(), above
    ([[0, 1], [1, 1]], 0)
    """
    above = 0
    if isinstance(matrix, csr_array):
        rows = edge_rows(matrix)
        columns = matrix.indices.astype(np.intp)
        similarities = matrix.data
        above = int((prices < -tolerance).sum())
    else:
        n, m = matrix.shape
        step = max(1, ENTRIES_AT_ONCE // max(m, 1))
        places = [np.empty(0, dtype=np.intp)]
        for first in range(0, n, step):
            few = slice(first, first + step)
            # a wider margin: the sum is rounded another way here
            is_near = matrix[few] - column_prices >= (prices[few] - 2 * tolerance)[:, None]
            places.append(np.flatnonzero(is_near) + first * m)
        rows, columns = np.divmod(np.concatenate(places), max(m, 1))
        similarities = matrix[rows, columns]
    price = prices[rows] + column_prices[columns]
    above += int((similarities > price + tolerance).sum())
    is_tight = (similarities >= price - tolerance) & (similarities > 2 * tolerance)
    return np.column_stack([rows, columns])[is_tight], above


def prove(matrix: Matrix | csr_array, assignment: Assignment) -> tuple[Duals, Indices]:
    """Prove an assignment optimal, and return the pairs that optimal assignments can contain.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0; or sparse edges above 0: only stored pairs can be
        paired.
    assignment
        ``assign(matrix, "hungarian")`` or ``assign_edges(edges)``, one of the optimal assignments.

    Returns
    -------
    duals
        Those of the solver; if it computes none, the ones with the smallest v.
    pairs
        (row, column) with u_i + v_j = similarity > 0, to within `Assignment.tolerance`;
        shape (k, 2).

    Raises
    ------
    ArithmeticError
        If the assignment is not optimal: then there are no such duals.

    Notes
    -----
    A pair (i, j) of the assignment has u_i + v_j = similarity, and an unassigned row or column
    is worth 0. So v_j >= X_ij - X_ik + v_k for every row i that is assigned to k: a system of
    longest paths, solved by relaxation (Bellman 1958, Ford 1956). Only the rows whose column has
    risen are visited again.

    Examples
    --------
    >>> from alignrank.matchers.assignment.pairs import assign
    >>> matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> duals, pairs = prove(matrix, assign(matrix))
    >>> duals.rows.round(3).tolist(), duals.columns.round(3).tolist(), round(duals.total, 9)
    ([0.8, 0.7], [0.1, 0.0], 1.6)
    >>> pairs.tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    duals = assignment.duals or _relax(matrix, assignment)
    rounding = assignment.tolerance
    pairs, above = duals.tight, 0
    if pairs is None:
        pairs, above = tight_entries(matrix, duals.rows, duals.columns, rounding)
    lowest = min(duals.rows.min(initial=0.0), duals.columns.min(initial=0.0))
    gap = abs(duals.total - assignment.total)
    if above or lowest < -rounding or gap > rounding:
        raise ArithmeticError(
            f"the assignment is not optimal: {above} entries exceed their duals, the least of "
            f"which is {lowest:.3g}; and the sum of the duals differs from its total by {gap:.3g}"
        )
    return duals, pairs


def edge_rows(edges: csr_array) -> Indices:
    """Return the row of each edge."""
    return np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))


def _relax(matrix: Matrix | csr_array, assignment: Assignment) -> Duals:
    """Raise the smallest column duals until no row demands more."""
    n, m = matrix.shape
    row_of = np.full(m, -1)
    column_of = np.full(n, -1)
    row_of[assignment.columns] = assignment.rows
    column_of[assignment.rows] = assignment.columns
    similarity = np.zeros(n)
    similarity[assignment.rows] = assignment.similarities

    # An unassigned column that rises by more than rounding shows that there are no duals.
    least_rise = assignment.tolerance * np.where(row_of < 0, 1.0, 0.001)
    v = np.zeros(m + 1)  # the last stands for 'no column' and stays 0
    changed = np.arange(n)
    for _ in range(n + 1):
        risen = v[:m].copy()
        _raise_to_demand(matrix[changed], similarity[changed] - v[column_of[changed]], risen)
        up = np.flatnonzero(risen > v[:m] + least_rise)
        v[up] = risen[up]
        changed = row_of[up]
        if not len(up) or (changed < 0).any():
            break
    return Duals(similarity - v[column_of], v[:m])


def _raise_to_demand(rows: Matrix | csr_array, worth: Values, v: Values) -> None:
    """Raise v_j, in place, to the largest similarity - worth of some rows; overwrites the rows."""
    if isinstance(rows, csr_array):
        np.maximum.at(v, rows.indices, rows.data - worth[edge_rows(rows)])
    else:
        rows -= worth[:, None]
        np.maximum(v, rows.max(axis=0, initial=-np.inf), out=v)
