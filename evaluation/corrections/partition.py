"""Partitions of a graph into cliques that hold as many pairs as possible."""

from __future__ import annotations

from typing import NamedTuple

from .cliques import (
    Graph,
    components,
    maximal,
    packing_bound,
    pairs_in,
    restricted,
    size,
    twins,
)

#: One search may use this part of the nodes that are left, so that a hard one starves no other.
SHARE = 16


class Found(NamedTuple):
    """What a search found.

    Parameters
    ----------
    pairs
        With `blocks` the largest number of pairs within blocks; else an upper bound of it.
    blocks
        A partition that attains it (single vertices left out), or None.
    """

    pairs: int
    blocks: list[int] | None


class _LimitReachedError(Exception):
    """A search may not go on."""


class Partitioner:
    """Find partitions into cliques with the most pairs, over many graphs that are nested.

    Branch and bound: in a best partition the largest block is a maximal clique (a vertex that
    could join it would gain by doing so), and so is the next largest of what is then left. So the
    search takes the maximal cliques in turn, largest first, and each time all that follow are no
    larger.

    The graphs that are searched must be nested: each a subgraph of the one before on the same
    vertices, or the other way round. Their restriction to a set of vertices is then known by its
    number of edges, and what was found for it serves in every later search.

    Parameters
    ----------
    budget
        Search nodes to use in all. A node is a clique that is listed as a candidate for a block.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nodes = 0
        self._limit = 0
        self._graph = Graph([], [])
        self._pair = 0
        self._known: dict[tuple[int, int, int], Found] = {}

    @property
    def spent(self) -> bool:
        """Whether the budget allows no further search."""
        return self.budget - self.nodes < SHARE

    def search(self, graph: Graph, need: int, pair: int = 0) -> Found:
        """Find the most pairs, or show that they are not more than `need`.

        Parameters
        ----------
        graph
            The graph to partition; where it lists no cliques there is no search.
        need
            Only partitions with more pairs matter.
        pair
            Two joined vertices (as a set) that must be in one block; 0 for none.

        Returns
        -------
        Found
            With blocks: exact. Without: an upper bound, which is at most `need` unless the search
            reached its share of the budget.
        """
        if graph.cliques is None or self.spent:
            return Found(graph.colouring_bound(), None)
        self._graph, self._pair = graph, pair
        self._limit = self.nodes + max(0, self.budget - self.nodes) // SHARE
        cliques = twins(graph.cliques, pair) if pair else graph.cliques
        try:
            return self._divide(cliques, need)
        except _LimitReachedError:
            return self._divide(cliques, pairs_in(len(graph.neighbours)))

    def _divide(self, cliques: list[int], need: int) -> Found:
        """Search each connected part; stop when the sum of the bounds is not above need."""
        total = 0
        blocks: list[int] = []
        unknown = []
        for vertices, inside in components(cliques):
            if len(inside) == 1:
                total += pairs_in(size(vertices))
                blocks.append(vertices)
                continue
            key = (vertices, self._graph.edges_within(vertices), vertices & self._pair)
            found = self._known.get(key)
            if found is None:
                bound = packing_bound(inside, vertices, size(inside[0]))
                found = self._known[key] = Found(bound, None)
            total += found.pairs
            if found.blocks is None:
                unknown.append((size(vertices), found.pairs, key, inside))
            else:
                blocks += found.blocks
        if total <= need:
            return Found(total, None)
        for _, bound, key, inside in sorted(unknown):
            found = self._known[key] = self._branch(key[0], inside, bound, need - total + bound)
            total += found.pairs - bound
            if found.blocks is None:
                return Found(total, None)
            blocks += found.blocks
            if total <= need:
                return Found(total, None)
        return Found(total, blocks)

    def _branch(self, vertices: int, cliques: list[int], bound: int, need: int) -> Found:
        """Try each maximal clique of a connected part as its largest block."""
        self.nodes += len(cliques)
        if self.nodes > self._limit:
            raise _LimitReachedError
        best: list[int] | None = None
        refuted = 0  # no branch that failed holds more
        following = bound  # nor does any that follows
        largest = 0
        for clique in cliques:
            if size(clique) != largest:
                largest = size(clique)
                block = pairs_in(largest)
                following = min(following, packing_bound(cliques, vertices, largest))
            if following <= need:
                refuted = max(refuted, following)
                break
            rest = vertices & ~clique
            left = restricted(cliques, rest)
            reach = block + packing_bound(left, rest, largest)
            if reach > need:
                found = self._divide(maximal(left), need - block)
                reach = block + found.pairs
                if reach > need and found.blocks is not None:
                    need, best = reach, [clique, *found.blocks]
            refuted = max(refuted, reach)
        if best is not None:
            return Found(need, best)
        return Found(min(refuted, bound), None)
