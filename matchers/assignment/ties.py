"""Ties: what all optimal assignments share, and how far they differ."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from alignrank.common.table import Tabular

from .optimal import Assignment, Duals, Indices, Matrix, edge_duals, pair_edges, prove

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CountRange(Tabular):
    """Smallest and largest count over all optimal assignments."""

    smallest: int
    largest: int

    def __add__(self, other: CountRange) -> CountRange:
        return CountRange(self.smallest + other.smallest, self.largest + other.largest)


@dataclass(frozen=True, eq=False)
class Ties(Tabular):
    """All optimal assignments of a matrix at once.

    Two assignments are tied if their totals are equal, as far as rounding lets it be told: each
    pair may be off by `Assignment.tolerance`. Pairs of similarity 0 are no pairs.

    Parameters
    ----------
    fixed
        Pairs that are in every optimal assignment.
    free
        Pairs that are in some optimal assignment, and not in all.
    similarities
        Similarity of each pair, the fixed ones first.
    needed
        For each free pair, how many of its two ends are paired in every optimal assignment.
    threshold
        Only pairs of at least this similarity count; one for all, or one for each row.
    """

    fixed: Indices
    free: Indices
    similarities: NDArray[np.float64]
    needed: Indices
    threshold: float | NDArray[np.float64] = 0.0

    def at_least(self, threshold: float | NDArray[np.float64]) -> Ties:
        """Return the same ties where only pairs of similarity `threshold` or more count.

        The assignments are those of the whole matrix: assign, then cut.
        """
        return replace(self, threshold=threshold)

    @property
    def always(self) -> frozenset[Pair]:
        """Pairs that are in every optimal assignment."""
        return frozenset(_pairs(self.fixed[self._counts[: len(self.fixed)]]))

    @property
    def sometimes(self) -> frozenset[Pair]:
        """Pairs that are in some optimal assignment, and not in all."""
        return frozenset(_pairs(self.free[self._counts[len(self.fixed) :]]))

    @property
    def unique(self) -> bool:
        """Whether all optimal assignments have the same pairs."""
        return not self.sometimes

    @property
    def size(self) -> CountRange:
        """Smallest and largest number of pairs of an optimal assignment."""
        return self.count(self.always | self.sometimes)

    def count(self, pairs: Collection[Pair]) -> CountRange:
        """Return how many of `pairs` an optimal assignment contains at least and at most.

        With the correct pairs this is the range of correct correspondences that ties leave open.

        Parameters
        ----------
        pairs
            (row, column) pairs.

        Examples
        --------
        >>> from alignrank.matchers.assignment.choose import assign
        >>> matrix = np.array([[1.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.7]])
        >>> ties = find_ties(matrix, assign(matrix))
        >>> ties.always, sorted(ties.sometimes)
        (frozenset({(2, 2)}), [(0, 0), (0, 1), (1, 0)])
        >>> ties.count([(0, 1), (1, 0), (2, 2)]), ties.size
        (CountRange(smallest=1, largest=3), CountRange(smallest=2, largest=3))
        """
        width = 1 + max(int(self.fixed.max(initial=0)), int(self.free.max(initial=0)))
        asked = [row * width + column for row, column in pairs if column < width]
        of_pairs = np.concatenate([self.fixed, self.free]) @ (width, 1)
        wanted = self._counts & np.isin(of_pairs, asked)
        certain = int(wanted[: len(self.fixed)].sum())
        result = CountRange(certain, certain)
        in_free = wanted[len(self.fixed) :]
        if in_free.any():
            result += _extremes(self.free, in_free, self.needed)
        return result

    @property
    def _counts(self) -> NDArray[np.bool_]:
        rows = np.concatenate([self.fixed[:, 0], self.free[:, 0]])
        of_row = self.threshold[rows] if isinstance(self.threshold, np.ndarray) else self.threshold
        return np.asarray(self.similarities >= of_row)


def find_ties(matrix: Matrix, assignment: Assignment) -> Ties:
    """Return what all optimal assignments of a matrix share, and how far they differ.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0.
    assignment
        ``assign(matrix, "hungarian")``, one of the optimal assignments.

    Returns
    -------
    Ties

    Raises
    ------
    ArithmeticError
        If the assignment is not optimal.

    Notes
    -----
    With optimal duals u and v (`alignrank.matchers.assignment.optimal`), the optimal assignments
    are exactly the matchings of the pairs with u_i + v_j = similarity that leave out no row or
    column whose dual is positive (complementary slackness). From the given one, any other is
    reached along cycles
    that alternate between pairs outside and inside it, and along alternating paths between rows
    and columns that may be left out. Closing the paths over one further node makes cycles of
    them, too: a pair is free if and only if it lies within a strongly connected component.
    """
    dual, pairs = prove(matrix, assignment)
    return _ties_of(dual, pairs, matrix[pairs[:, 0], pairs[:, 1]], assignment)


def find_edge_ties(edges: csr_array, assignment: Assignment) -> Ties:
    """Return what `find_ties` returns for the matrix that sparse edges stand for.

    Parameters
    ----------
    edges
        Similarities above 0, shape (n, m); what is not stored is no pair.
    assignment
        ``assign_edges(edges)``, one of the optimal assignments.

    Raises
    ------
    ArithmeticError
        If the assignment is not optimal.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> from alignrank.matchers.assignment.choose import assign_edges
    >>> edges = csr_array([[1.0, 0.5], [0.5, 0.0]])
    >>> find_edge_ties(edges, assign_edges(edges)).size
    CountRange(smallest=1, largest=2)
    """
    dual = assignment.duals or edge_duals(edges, assignment)
    rows = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))
    pairs = np.column_stack([rows, edges.indices.astype(np.intp)])
    slack = dual.rows[rows] + dual.columns[pairs[:, 1]] - edges.data
    lowest = min(slack.min(initial=0.0), dual.rows.min(initial=0.0), dual.columns.min(initial=0.0))
    rounding = assignment.tolerance
    if lowest < -rounding or abs(dual.total - assignment.total) > rounding:
        raise ArithmeticError("the assignment of the edges is not optimal")
    tight = (slack <= rounding) & (edges.data > 2 * rounding)
    return _ties_of(dual, pairs[tight], edges.data[tight], assignment)


def _ties_of(
    dual: Duals, pairs: Indices, similarities: NDArray[np.float64], assignment: Assignment
) -> Ties:
    """Return the ties, from the tight pairs and their similarities."""
    n = len(dual.rows)
    column_of = np.full(n, -1)
    column_of[assignment.rows] = assignment.columns
    assigned = column_of[pairs[:, 0]] == pairs[:, 1]
    needed = np.concatenate([dual.rows, dual.columns]) > assignment.tolerance
    ends = np.add(pairs, (0, n))  # nodes: the rows, then the columns
    component = _strong_components(ends, assigned, needed, np.arange(len(needed)) < n)
    is_free = component[ends[:, 0]] == component[ends[:, 1]]
    fixed, free = pairs[assigned & ~is_free], pairs[is_free]
    return Ties(
        fixed,
        free,
        similarities=np.concatenate([similarities[assigned & ~is_free], similarities[is_free]]),
        needed=needed[ends[is_free]].sum(axis=1),
    )


def _strong_components(
    ends: Indices, assigned: NDArray[np.bool_], needed: NDArray[np.bool_], is_row: NDArray[np.bool_]
) -> Indices:
    """Return the strongly connected component of each node (rows, columns, and the hub).

    Arcs lead from row to column along a pair that can be taken up, from column to row along one
    that can be given up; from the hub to where an alternating path can begin (an unpaired row, a
    column whose partner can be taken away), and to it from where one can end.
    """
    hub = len(needed)
    paired = np.zeros(hub, dtype=bool)
    paired[ends[assigned]] = True
    begins = np.flatnonzero(~needed & (is_row != paired))
    stops = np.flatnonzero(~needed & (is_row == paired))
    arcs = np.concatenate(
        [
            ends[~assigned],
            ends[assigned][:, ::-1],
            np.column_stack([np.full(len(begins), hub), begins]),
            np.column_stack([stops, np.full(len(stops), hub)]),
        ]
    )
    graph = coo_array((np.ones(len(arcs), dtype=np.int8), arcs.T), shape=(hub + 1, hub + 1))
    _, component = scipy.sparse.csgraph.connected_components(
        graph.tocsr(), directed=True, connection="strong"
    )
    return np.asarray(component, dtype=np.intp)


def _extremes(edges: Indices, wanted: NDArray[np.bool_], needed: Indices) -> CountRange:
    """Return the extremes of the number of wanted edges.

    Over the matchings that leave out no needed end: each needed end earns more than all wanted
    edges together, so a matching of the largest weight leaves none out.
    """
    reward = wanted.sum() + 1.0
    (rows, columns), shape = edges.T, tuple(edges.max(axis=0) + 1)
    counts = []
    for sign in (-1.0, 1.0):
        weights = reward * needed + sign * wanted
        useful = np.flatnonzero(weights > 0.0)
        chosen, _ = pair_edges(rows[useful], columns[useful], weights[useful], shape)
        counts.append(int(wanted[useful[chosen]].sum()))
    return CountRange(*counts)


def _pairs(array: Indices) -> list[Pair]:
    return [(row, column) for row, column in array.tolist()]
