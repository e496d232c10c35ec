"""Exact Bergmann–Hommel adjusted p-values, for a hundred systems and more.

The adjusted value of a pair is ``min(1, max{|I|·min_{l∈I} p_l : I exhaustive, pair ∈ I})``
(Bergmann and Hommel 1988), and an exhaustive set is all pairs within the blocks of a partition of
the systems. Let G(t) be the graph that joins two systems if their p is at least t. The sets whose
smallest p is at least t are the partitions of G(t) into cliques. So with M(t) the most pairs that
such a partition holds, and M(t, pair) the most if the pair lies in one block, the adjusted value is

    max over t ≤ p(pair), t one of the p-values, of t·M(t, pair),   and M(t, pair) ≤ M(t).

`_BoundSearch` first goes up through t and bounds M(t), which only falls. Every partition that it
meets gives all its pairs a lower bound. Then it takes pair by pair and searches the t whose bound
exceeds the pair's best value, the largest bound first, until none is left. Finding M is NP-hard in
general, so there is a budget; `Partitioner` describes the search. Where small p come from few cases
(134 systems, 60 clusters) their graphs are the hardest: so the largest p are settled first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from alignrank.common.progress import track
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints

from .cliques import Graph, Partition, Partitioner, fill, members, pairs_in

Scalar = TypeVar("Scalar", bound=np.generic)

#: Search nodes for one matrix of p-values.
DEFAULT_BUDGET = 160_000_000

#: The first bound of M(t) may use this part of the remaining budget: no pair may need a hard one.
FIRST_SHARE = 10_000

#: Graphs with too many cliques are listed anew so often while pairs are taken out.
TRIES = 100

_BELOW_ONE = float(np.nextafter(1.0, 0.0))


@dataclass(frozen=True, eq=False)
class BergmannHommel:
    """Adjusted p-values of all pairs.

    Parameters
    ----------
    values
        Symmetric (n, n) matrix with NaN diagonal.
    exact
        False where a value is only an upper bound; such a value still controls the family-wise
        error, and is never above Shaffer's.
    nodes
        Search nodes used.
    """

    values: Floats
    exact: Bools
    nodes: int


def bergmann_hommel(
    p: Floats, *, monotone: bool = False, budget: int = DEFAULT_BUDGET
) -> BergmannHommel:
    """Adjust the p-values of all pairs by the exhaustive sets (Bergmann and Hommel 1988).

    Parameters
    ----------
    p
        Symmetric (n, n) matrix in [0, 1]; the diagonal is not read.
    monotone
        Take the running maximum in the order of p, as scmamp and KEEL do.
    budget
        Most search nodes. A single search may use a sixteenth of the remaining ones. Where they do
        not suffice, the value is an upper bound.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.04], [0.02, 0.04, np.nan]])
    >>> bergmann_hommel(p).values[0].tolist()
    [nan, 0.03, 0.03]
    """
    search = _BoundSearch(p, budget)
    search.bound_all()
    values, exact = search.settle_pairs()
    if monotone:
        # monotone in ascending p; a maximum is exact where an exact value attains it
        last_of_equal = np.searchsorted(search.p, search.p, side="right") - 1
        attained = np.maximum.accumulate(np.where(exact, values, 0.0))[last_of_equal]
        values = np.maximum.accumulate(values)[last_of_equal]
        exact = attained == values
    values = search.matrix(values, np.nan)
    exact = search.matrix(exact, True)
    return BergmannHommel(values, exact, search.partitioner.nodes)


class _BoundSearch:
    """The search for one matrix; pairs are numbered in ascending order of p."""

    def __init__(self, p: Floats, budget: int) -> None:
        n = len(p)
        rows, columns = np.triu_indices(n, 1)
        order = np.argsort(p[rows, columns], kind="stable")
        self.rows = rows[order]
        self.columns = columns[order]
        self.p = p[self.rows, self.columns]
        self.number = np.full((n, n), self.p.size)  # the diagonal: one beyond the last pair
        self.number[self.rows, self.columns] = np.arange(self.p.size)
        self.number[self.columns, self.rows] = np.arange(self.p.size)

        self.best = np.append(self.p, np.inf)
        self.thresholds, self.first = np.unique(self.p, return_index=True)
        self.bounds = most_true(n, self.p.size - self.first)
        self.graphs: list[Graph] = []
        self.coloured = np.zeros(self.thresholds.size, dtype=bool)
        self.partitioner = Partitioner(budget)

    def matrix(self, values: NDArray[Scalar], diagonal: float | bool) -> NDArray[Scalar]:
        """Lay out one value for each pair as a symmetric matrix."""
        laid_out: NDArray[Scalar] = np.append(values, diagonal)[self.number]
        return laid_out

    def bound_all(self) -> None:
        """Bound M(t) for every threshold, ascending, and use each partition on the way."""
        graph = Graph.complete(len(self.number))
        edges = list(zip(self.rows.tolist(), self.columns.tolist(), strict=True))
        thresholds = self.thresholds.tolist()
        removed = next_try = 0
        for k, t in enumerate(track(thresholds, len(thresholds), "Bergmann–Hommel, bounds")):
            first = int(self.first[k])
            lowest = float(self.best[first:].min())
            if lowest > _BELOW_ONE:
                break
            graph = graph.without(edges[removed:first])
            removed = first
            due = graph.cliques is not None
            if not due and first >= next_try:
                graph = graph.listed_anew()
                due = True
                next_try = first + len(edges) // TRIES
            self.graphs.append(graph)
            if due and t * self.bounds[k] > lowest:
                need = self._need(lowest, t)
                partition = self.partitioner.search(graph, need, share=FIRST_SHARE)
                self._raise_within(partition)
                self.bounds[k:] = np.minimum(self.bounds[k:], partition.pairs)

    def settle_pairs(self) -> tuple[Floats, Bools]:
        """Return the value of every pair, and whether it is exact."""
        size = self.p.size
        # the largest p first: their graphs have the fewest cliques
        pairs = track(reversed(range(size)), size, "Bergmann–Hommel, pairs")
        limits = np.array([self._settle(pair) for pair in pairs])[::-1]
        best = self.best[:-1]
        return np.minimum(1.0, np.maximum(best, limits)), limits <= best

    def _settle(self, pair: int) -> float:
        """Raise the pair's best value as far as it goes; return the limit that it cannot exceed."""
        count = int(np.searchsorted(self.thresholds, self.p[pair], side="right"))
        thresholds = self.thresholds[:count]
        bounds = self.bounds[:count].copy()
        open_ = ~self.coloured[:count]
        both = 1 << int(self.rows[pair]) | 1 << int(self.columns[pair])
        while (best := float(self.best[pair])) <= _BELOW_ONE:
            reach = thresholds * bounds
            limit = float(reach.max())
            k = int(np.argmax(reach * open_))
            promising = open_[k] and reach[k] > best and reach[k] >= min(limit, 1)
            if not promising or self.partitioner.spent:
                return limit  # no further search can lower or attain it
            graph = self.graphs[k]
            need = self._need(best, float(thresholds[k]))
            partition = self.partitioner.search(graph, need, both)
            self._raise_within(partition)
            bounds[k:] = np.minimum(bounds[k:], partition.pairs)
            open_[k] = partition.blocks is not None or partition.pairs <= need
            if not open_[k]:
                self._raise_within(fill(self.graphs[count - 1], both))
            if graph.cliques is None:  # then the bound holds for every pair
                self.coloured[k] = True
                self.bounds[k:] = np.minimum(self.bounds[k:], partition.pairs)
        return best

    def _raise_within(self, partition: Partition) -> None:
        """Raise the best value of every pair within a block."""
        if not partition.blocks:
            return
        block_of = np.arange(-len(self.number), 0)  # a system in no block is alone
        for k, block in enumerate(partition.blocks):
            block_of[list(members(block))] = k
        within = np.flatnonzero(block_of[self.rows] == block_of[self.columns])
        value = partition.pairs * self.p[within[0]]
        self.best[within] = np.maximum(self.best[within], value)

    def _need(self, value: float, t: float) -> int:
        """Return the largest number of pairs whose product with t is at most a value."""
        all_pairs = pairs_in(len(self.number))
        need = int(min(value / t, all_pairs))
        while need < all_pairs and t * (need + 1) <= value:
            need += 1
        while t * need > value:
            need -= 1
        return need


def most_true(systems: int, at_most: Ints) -> Ints:
    """Return for each number the largest number of pairs, at most it, that can be equal at once.

    Examples
    --------
    >>> most_true(5, np.array([10, 9, 5])).tolist()
    [10, 6, 4]
    """
    possible = np.array(true_hypotheses(systems))
    return possible[np.searchsorted(possible, at_most, side="right") - 1]


def true_hypotheses(systems: int) -> list[int]:
    """Return the numbers of pairs that can be equal at once among n systems, ascending.

    ``S(n) = ⋃_{j=1..n} {C(j,2) + x : x ∈ S(n−j)}``, ``S(0) = S(1) = {0}``.

    Examples
    --------
    >>> true_hypotheses(5)
    [0, 1, 2, 3, 4, 6, 10]
    """
    # S(n) as the bits of an integer: bit x is set if x pairs can be equal.
    sums = [1]
    for n in range(1, systems + 1):
        bits = 0
        for j in range(1, n + 1):
            bits |= sums[n - j] << (j * (j - 1) // 2)
        sums.append(bits)
    return [x for x in range(sums[-1].bit_length()) if sums[-1] >> x & 1]
