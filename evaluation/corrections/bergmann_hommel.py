"""Exact Bergmann–Hommel adjusted p-values, for a hundred systems and more.

The adjusted value of a pair is ``min(1, max{|I|·min_{l∈I} p_l : I exhaustive, pair ∈ I})``
(Bergmann and Hommel 1988), and an exhaustive set is all pairs within the blocks of a partition of
the systems. Let G(t) be the graph that joins two systems if their p is at least t. The sets whose
smallest p is at least t are the partitions of G(t) into cliques. So with M(t) the most pairs that
such a partition holds, and M(t, pair) the most if the pair is in one block, the adjusted value is

    max over t ≤ p(pair), t one of the p-values, of t·M(t, pair),   and M(t, pair) ≤ M(t).

`_Search` first goes up through t and bounds M(t), which only falls. Every partition it meets gives
all its pairs a lower bound. Then it takes pair by pair and looks at the t that could give more than
is known, the most promising first, until none is left. Finding M is NP-hard in general, so there is
a budget; `Partitioner` says how it is done. Where small p come from few cases (134 systems, 60
clusters) their graphs are the hardest: so the largest p are settled first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from alignrank.common.progress import track

from .cliques import Found, Graph, Partitioner, fill, members, pairs_in
from .stepwise import most_true

Floats = NDArray[np.float64]
Scalar = TypeVar("Scalar", bound=np.generic)

#: Search nodes for one matrix of p-values.
DEFAULT_BUDGET = 160_000_000

#: What a first bound of M(t) may use of the budget: where it is hard, its pairs may not need it.
FIRST_SHARE = 10_000

#: How often the cliques of graphs with too many are listed anew while pairs are taken out.
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
    exact: NDArray[np.bool_]
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
        Search nodes to use at most, a single search a sixteenth of what is left. Where it does not
        suffice, an upper bound stands for the value.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.04], [0.02, 0.04, np.nan]])
    >>> bergmann_hommel(p).values[0].tolist()
    [nan, 0.03, 0.03]
    """
    search = _Search(p, budget)
    search.bound_all()
    values, exact = search.settle_pairs()
    if monotone:
        values, exact = _running_maximum(search.p, values, exact)
    return BergmannHommel(
        search.matrix(values, np.nan), search.matrix(exact, True), search.partitioner.nodes
    )


class _Search:
    """The search for one matrix; pairs are numbered in ascending order of p."""

    def __init__(self, p: Floats, budget: int) -> None:
        n = len(p)
        rows, columns = np.triu_indices(n, 1)
        order = np.argsort(p[rows, columns], kind="stable")
        self.rows, self.columns = rows[order], columns[order]
        self.p = p[self.rows, self.columns]
        self.number = np.full((n, n), self.p.size)  # the diagonal: one beyond the last pair
        self.number[self.rows, self.columns] = np.arange(self.p.size)
        self.number[self.columns, self.rows] = np.arange(self.p.size)

        self.best = np.append(self.p, np.inf)
        self.thresholds, self.first = np.unique(self.p, return_index=True)
        self.bounds = most_true(n, self.p.size - self.first)
        self.graphs: list[Graph] = []
        self.coloured = np.zeros(self.thresholds.size, dtype=np.bool_)
        self.partitioner = Partitioner(budget)

    def matrix(self, values: NDArray[Scalar], diagonal: float | bool) -> NDArray[Scalar]:
        """Lay out one value for each pair as a symmetric matrix."""
        laid_out: NDArray[Scalar] = np.append(values, diagonal)[self.number]
        return laid_out

    def bound_all(self) -> None:
        """Go up through the thresholds: bound M(t), and gather good partitions on the way."""
        graph = Graph.complete(len(self.number))
        edges = list(zip(self.rows.tolist(), self.columns.tolist(), strict=True))
        last = [*self.first[1:].tolist(), len(edges)]
        thresholds = self.thresholds.tolist()
        next_try = 0
        for k, t in enumerate(track(thresholds, len(thresholds), "Bergmann–Hommel, bounds")):
            lowest = float(self.best[self.first[k] :].min())
            if lowest > _BELOW_ONE:
                break
            due = graph.cliques is not None
            if not due and self.first[k] >= next_try:
                graph, due = graph.listed_anew(), True
                next_try = int(self.first[k]) + len(edges) // TRIES
            self.graphs.append(graph)
            if due and t * self.bounds[k] > lowest:
                found = self.partitioner.search(graph, self._need(lowest, t), share=FIRST_SHARE)
                self._take(found)
                np.minimum(self.bounds[k:], found.pairs, out=self.bounds[k:])
            graph = graph.without(edges[self.first[k] : last[k]])

    def settle_pairs(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Give the value of every pair, and whether it is exact."""
        size = self.p.size  # the largest p first: their graphs have the fewest cliques
        pairs = track(reversed(range(size)), size, "Bergmann–Hommel, pairs")
        limits = np.array([self._settle(pair) for pair in pairs])[::-1]
        best = self.best[:-1]
        return np.minimum(1.0, np.maximum(best, limits)), limits <= best

    def _settle(self, pair: int) -> float:
        """Raise the pair's best value until it is known; give the limit that it cannot exceed."""
        count = int(np.searchsorted(self.thresholds, self.p[pair], side="right"))
        thresholds, bounds = self.thresholds[:count], self.bounds[:count].copy()
        open_ = ~self.coloured[:count]
        ends = 1 << int(self.rows[pair]) | 1 << int(self.columns[pair])
        while (best := float(self.best[pair])) <= _BELOW_ONE:
            reach = thresholds * bounds
            limit = float(reach.max())
            k = int(np.argmax(reach * open_))
            if (
                not open_[k]
                or reach[k] <= best
                or reach[k] < min(limit, 1)
                or self.partitioner.spent
            ):
                return limit  # which no other search lowers, or attains
            graph, need = self.graphs[k], self._need(best, float(thresholds[k]))
            found = self.partitioner.search(graph, need, ends)
            self._take(found)
            np.minimum(bounds[k:], found.pairs, out=bounds[k:])
            open_[k] = found.blocks is not None or found.pairs <= need
            if not open_[k]:
                self._take(fill(self.graphs[count - 1], ends))
            if graph.cliques is None:  # then the bound holds for every pair
                self.coloured[k] = True
                np.minimum(self.bounds[k:], found.pairs, out=self.bounds[k:])
        return best

    def _take(self, found: Found) -> None:
        """Let every pair within the blocks that were found profit from them."""
        if not found.blocks:
            return
        block_of = np.arange(-len(self.number), 0)  # who is in no block is alone
        for k, block in enumerate(found.blocks):
            block_of[list(members(block))] = k
        within = np.flatnonzero(block_of[self.rows] == block_of[self.columns])
        self.best[within] = np.maximum(self.best[within], found.pairs * self.p[within[0]])

    def _need(self, value: float, t: float) -> int:
        """Give the largest number of pairs whose product with t is not above what is known."""
        most = pairs_in(len(self.number))
        need = int(min(value / t, most))
        while need < most and t * (need + 1) <= value:
            need += 1
        while t * need > value:
            need -= 1
        return need


def _running_maximum(
    p: Floats, values: Floats, exact: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Make values monotone in p, which ascends; equal p get the same value.

    The maximum is exact where an exact value attains it.
    """
    last_of_equal = np.searchsorted(p, p, side="right") - 1
    highest = np.maximum.accumulate(values)[last_of_equal]
    attained = np.maximum.accumulate(np.where(exact, values, 0.0))[last_of_equal]
    return highest, attained == highest
