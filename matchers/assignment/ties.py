"""Ties: the pairs that all optimal assignments share, and how far they differ."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from alignrank.common.table import Tabular

from .optimal import (
    Assignment,
    Indices,
    Matrix,
    Values,
    optimal_pairs,
    prove,
)

Pair = tuple[int, int]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CountRange(Tabular):
    """Smallest and largest count over all optimal assignments."""

    smallest: int
    largest: int

    def __add__(self, counts: CountRange) -> CountRange:
        return CountRange(self.smallest + counts.smallest, self.largest + counts.largest)


@dataclass(frozen=True, eq=False)
class Ties(Tabular):
    """All optimal assignments of a matrix at once.

    Two assignments are tied if their totals are equal up to rounding: each pair may be off by
    `Assignment.tolerance`. Pairs of similarity 0 do not count.

    Parameters
    ----------
    fixed
        Pairs that are in every optimal assignment.
    free
        Pairs that are in some optimal assignment, and not in all.
    similarities
        Similarity of each pair, the fixed ones first.
    needed
        For each free pair: 0, 1 or 2, the number of its ends (row, column) whose dual is positive.
        Every optimal assignment pairs those.
    threshold
        Smallest similarity that counts; one value, or one for each row.
    """

    fixed: Indices
    free: Indices
    similarities: Values
    needed: Indices
    threshold: float | Values = 0.0

    def at_least(self, threshold: float | Values) -> Ties:
        """Return the ties of the same assignments, cut at `threshold` after they are made."""
        return replace(self, threshold=threshold)

    @property
    def always(self) -> frozenset[Pair]:
        """Pairs that are in every optimal assignment."""
        return frozenset(_pairs(self.fixed[self._reaches_threshold[: len(self.fixed)]]))

    @property
    def sometimes(self) -> frozenset[Pair]:
        """Pairs that are in some optimal assignment, and not in all."""
        return frozenset(_pairs(self.free[self._reaches_threshold[len(self.fixed) :]]))

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

        For the correct pairs this is the range of the number of correct correspondences.

        Parameters
        ----------
        pairs
            (row, column) pairs.

        Examples
        --------
        >>> from alignrank.matchers.assignment.pairs import assign
        >>> matrix = np.array([[1.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.7]])
        >>> ties = find_ties(matrix, assign(matrix))
        >>> ties.always, sorted(ties.sometimes)
        (frozenset({(2, 2)}), [(0, 0), (0, 1), (1, 0)])
        >>> ties.count([(0, 1), (1, 0), (2, 2)]), ties.size
        (CountRange(smallest=1, largest=3), CountRange(smallest=2, largest=3))
        """
        # each pair as one number; a column beyond the width is in no tied pair
        width = 1 + max(int(self.fixed.max(initial=0)), int(self.free.max(initial=0)))
        codes = [row * width + column for row, column in pairs if column < width]
        tied_codes = np.concatenate([self.fixed, self.free]) @ (width, 1)
        counted = self._reaches_threshold & np.isin(tied_codes, codes)
        in_fixed, in_free = np.split(counted, [len(self.fixed)])
        certain = int(in_fixed.sum())
        result = CountRange(certain, certain)
        if in_free.any():
            result += _extremes(self.free, in_free, self.needed)
        return result

    @property
    def _reaches_threshold(self) -> Mask:
        """Whether each pair is at or above the threshold, the fixed pairs first."""
        threshold = self.threshold
        if isinstance(threshold, np.ndarray):
            rows = np.concatenate([self.fixed[:, 0], self.free[:, 0]])
            threshold = threshold[rows]
        return np.asarray(self.similarities >= threshold)


def find_ties(matrix: Matrix | csr_array, assignment: Assignment) -> Ties:
    """Return the pairs that are in all, and in some, optimal assignments of a matrix.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0; or sparse edges above 0: only stored pairs can be
        paired.
    assignment
        ``assign(matrix, "hungarian")`` or ``assign_edges(edges)``, one of the optimal assignments.

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
    column whose dual is positive (complementary slackness). Every optimal assignment is reached
    from `assignment` along cycles that alternate between pairs outside and inside it, and along
    alternating paths between rows and columns that may be left out. One further node, the hub,
    closes the paths to cycles: a pair is free if and only if it lies within a strongly connected
    component.

    Examples
    --------
    >>> from alignrank.matchers.assignment.pairs import assign_edges
    >>> edges = csr_array([[1.0, 0.5], [0.5, 0.0]])
    >>> find_ties(edges, assign_edges(edges)).size
    CountRange(smallest=1, largest=2)
    """
    duals, pairs = prove(matrix, assignment)
    similarities = matrix[*pairs.T] if len(pairs) else np.empty(0)
    n = len(duals.rows)
    column_of = np.full(n, -1)
    column_of[assignment.rows] = assignment.columns
    assigned = column_of[pairs[:, 0]] == pairs[:, 1]
    # nodes: the rows, then the columns
    nodes = np.add(pairs, (0, n))
    is_needed = np.concatenate([duals.rows, duals.columns]) > assignment.tolerance
    is_row = np.arange(len(is_needed)) < n
    component = _strong_components(nodes, assigned, is_needed, is_row)
    is_free = component[nodes[:, 0]] == component[nodes[:, 1]]
    is_fixed = assigned & ~is_free
    return Ties(
        pairs[is_fixed],
        pairs[is_free],
        np.concatenate([similarities[is_fixed], similarities[is_free]]),
        needed=is_needed[nodes[is_free]].sum(axis=1),
    )


def _strong_components(pairs: Indices, assigned: Mask, is_needed: Mask, is_row: Mask) -> Indices:
    """Return the strongly connected component of each node (rows, columns, and the hub).

    Arcs lead from row to column along an unassigned pair, and from column to row along an assigned
    one. An arc leads from the hub to each node where an alternating path can begin: an unpaired
    row, or a paired column that may be left out. An arc leads to the hub from each node where such
    a path can end: an unpaired column, or a paired row that may be left out.
    """
    hub = len(is_needed)
    paired = np.zeros(hub, dtype=bool)
    paired[pairs[assigned]] = True
    begins = np.flatnonzero(~is_needed & (is_row != paired))
    stops = np.flatnonzero(~is_needed & (is_row == paired))
    to_columns = pairs[~assigned]
    to_rows = pairs[assigned][:, ::-1]
    from_hub = np.column_stack([np.full(len(begins), hub), begins])
    to_hub = np.column_stack([stops, np.full(len(stops), hub)])
    arcs = np.concatenate([to_columns, to_rows, from_hub, to_hub])
    present = np.ones(len(arcs), dtype=np.int8)
    graph = coo_array((present, arcs.T), shape=(hub + 1, hub + 1))
    _, component = scipy.sparse.csgraph.connected_components(
        graph.tocsr(), directed=True, connection="strong"
    )
    return np.asarray(component, dtype=np.intp)


def _extremes(edges: Indices, counted: Mask, needed: Indices) -> CountRange:
    """Return the smallest and the largest number of counted edges of an optimal matching.

    Each row or column that every optimal matching pairs earns more than all counted edges
    together, so a matching of the largest weight pairs them all.
    """
    reward = counted.sum() + 1.0
    nodes = tuple(np.unique(side, return_inverse=True)[1] for side in edges.T)
    counts = []
    for sign in (-1.0, 1.0):
        weights = np.maximum(reward * needed + sign * counted, 0.0)
        rows, columns, _ = optimal_pairs(csr_array((weights, nodes)))
        is_counted = csr_array((counted & (weights > 0.0), nodes))
        counts.append(int(is_counted[rows, columns].sum()))
    return CountRange(*counts)


def _pairs(array: Indices) -> list[Pair]:
    return [(row, column) for row, column in array.tolist()]
