"""Duals of an optimal assignment: what each entity is worth, and the proof of optimality."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from matchers.metrics.base import Matrix

    from .choose import Assignment

    #: (rows, what each is worth, v): raises v in place.
    Demand = Callable[[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]], None]

#: How far u_i + v_j may be from the similarity of a pair that is called tight; relative to the
#: largest similarity of a pair. Similarities are rounded to 1e-16, and duals, sums of a few
#: thousand of them, err by less than 1e-12; different sums of such fractions as string metrics
#: give are hardly ever that close. (Totals add up over the pairs, and so may their differences.)
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Duals:
    """Optimal solution of the dual problem of the assignment problem.

    Every u_i and v_j is at least 0, every pair has u_i + v_j >= similarity, and the sum of all
    u_i and v_j is the largest total similarity: so no one-to-one pairing has a larger one.

    Parameters
    ----------
    rows, columns
        u and v.
    """

    rows: NDArray[np.float64]
    columns: NDArray[np.float64]

    @property
    def total(self) -> float:
        """Sum of all duals: no one-to-one pairing has a larger total similarity."""
        return math.fsum(self.rows.tolist()) + math.fsum(self.columns.tolist())


def tolerance(assignment: Assignment) -> float:
    """Return how far u_i + v_j may be from the similarity of a pair that is called tight.

    In an optimal assignment the largest similarity of a pair is at least half of the matrix's.
    """
    return TOLERANCE * float(assignment.similarities.max(initial=0.0))


def prove(matrix: Matrix, assignment: Assignment) -> tuple[Duals, NDArray[np.intp]]:
    """Prove an assignment optimal, and find the pairs that an optimal one can contain at all.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0.
    assignment
        ``assign(matrix, "hungarian")``.

    Returns
    -------
    duals
        Those of the solver; where it tells none, the ones with the smallest v.
    pairs
        (row, column) with u_i + v_j = similarity > 0, to within `tolerance`; shape (k, 2).

    Raises
    ------
    ArithmeticError
        If the assignment is not optimal: there are no such duals.

    Notes
    -----
    A pair (i, j) of the assignment has u_i + v_j = similarity, and an unassigned row or column
    is worth 0. So v_j >= X_ij - X_ik + v_k for every row i that is assigned to k: a system of
    longest paths, solved by relaxation (Bellman 1958, Ford 1956), looking again only at the rows
    whose column has risen.

    Examples
    --------
    >>> import numpy as np
    >>> from matchers.assignment.choose import assign
    >>> matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> found, pairs = prove(matrix, assign(matrix))
    >>> found.rows.round(3).tolist(), found.columns.round(3).tolist(), round(found.total, 9)
    ([0.8, 0.7], [0.1, 0.0], 1.6)
    >>> pairs.tolist()
    [[0, 0], [0, 1], [1, 0]]
    """
    from matchers.kernels.pairing.prices import raise_prices, tight_entries

    def demand(rows: NDArray[np.intp], worth: NDArray[np.float64], v: NDArray[np.float64]) -> None:
        raise_prices(matrix, rows, worth, v)

    found = assignment.duals or _relax(matrix.shape, assignment, demand)
    rounding = tolerance(assignment)
    pairs, above = tight_entries(matrix, found.rows, found.columns, rounding)
    lowest = min(*(float(x.min(initial=0.0)) for x in (found.rows, found.columns)))
    gap = abs(found.total - assignment.total)
    if above or lowest < -rounding or gap > rounding:
        raise ArithmeticError(
            f"the assignment is not optimal: {above} entries exceed their duals, the least of "
            f"which is {lowest:.3g}; and the sum of the duals differs from its total by {gap:.3g}"
        )
    return found, pairs


def edge_duals(edges: csr_array, assignment: Assignment) -> Duals:
    """Return the duals of the best pairing of sparse edges, not checked.

    Parameters
    ----------
    edges
        Similarities above 0, shape (n, m); what is missing cannot be paired.
    assignment
        The pairing with the largest total.
    """
    import numpy as np

    def demand(rows: NDArray[np.intp], worth: NDArray[np.float64], v: NDArray[np.float64]) -> None:
        found = edges[rows]
        np.maximum.at(v, found.indices, found.data - np.repeat(worth, np.diff(found.indptr)))

    return _relax(edges.shape, assignment, demand)


def _relax(shape: tuple[int, ...], assignment: Assignment, demand: Demand) -> Duals:
    """Raise the smallest column duals until no row demands more.

    `demand` raises v_j, in place, to the largest similarity - worth of the rows that it is given.
    """
    import numpy as np

    n, m = shape
    row_of, column_of = np.full(m, -1), np.full(n, -1)
    row_of[assignment.columns] = assignment.rows
    column_of[assignment.rows] = assignment.columns
    similarity = np.zeros(n)
    similarity[assignment.rows] = assignment.similarities

    # An unassigned column that rises by more than rounding shows that there are no duals.
    least_rise = tolerance(assignment) * np.where(row_of < 0, 1.0, 0.001)
    v = np.zeros(m + 1)  # the last stands for 'no column', worth nothing
    changed = np.arange(n)
    for _ in range(n + 1):
        risen = v[:m].copy()
        demand(changed, similarity[changed] - v[column_of[changed]], risen)
        up = np.flatnonzero(risen > v[:m] + least_rise)
        v[up] = risen[up]
        changed = row_of[up]
        if not len(up) or (changed < 0).any():
            break
    return Duals(similarity - v[column_of], v[:m])
