"""Partitions of a graph into cliques that hold as many pairs as possible."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from .cliques import (
    Graph,
    components,
    grouped_packing_bound,
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


class _Known:
    """What is known of sets of vertices in nested graphs.

    The restriction of nested graphs to a set of vertices is known by its number of edges; with
    more edges, a partition may hold more pairs. An entry is a set of vertices and the pair that
    must stay together in it (0 for none).
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, int], tuple[list[int], list[Found]]] = {}

    def nearest(self, vertices: int, pair: int, edges: int) -> tuple[int, Found] | None:
        """Give what is known with the fewest edges that are not fewer, and their number."""
        entry = self._entries.get((vertices, pair))
        if entry is None:
            return None
        at = bisect_left(entry[0], edges)
        return None if at == len(entry[0]) else (entry[0][at], entry[1][at])

    def keep(self, vertices: int, pair: int, edges: int, found: Found) -> None:
        """Remember, in place of what was known with as many edges."""
        numbers, known = self._entries.setdefault((vertices, pair), ([], []))
        at = bisect_left(numbers, edges)
        if at < len(numbers) and numbers[at] == edges:
            known[at] = found
        else:
            numbers.insert(at, edges)
            known.insert(at, found)


class Partitioner:
    """Find partitions into cliques with the most pairs, over many graphs that are nested.

    Branch and bound: in a best partition the largest block is a maximal clique (a vertex that
    could join it would gain by doing so), and so is the next largest of what is then left. So the
    search takes the maximal cliques in turn, largest first, and each time all that follow are no
    larger.

    The graphs that are searched must be nested: of any two, one is a subgraph of the other on the
    same vertices. So what was found for a part of one serves in searches of the others.

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
        self._known = _Known()

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
            edges = self._graph.edges_within(vertices)
            found = self._estimate(vertices, edges, inside)
            total += found.pairs
            if found.blocks is None:
                unknown.append((size(vertices), vertices, edges, found.pairs, inside))
            else:
                blocks += found.blocks
        if total <= need:
            return Found(total, None)
        for _, vertices, edges, bound, inside in sorted(unknown):
            found = self._branch(vertices, inside, bound, need - total + bound)
            self._known.keep(vertices, vertices & self._pair, edges, found)
            total += found.pairs - bound
            if found.blocks is None:
                return Found(total, None)
            blocks += found.blocks
            if total <= need:
                return Found(total, None)
        return Found(total, blocks)

    def _estimate(self, vertices: int, edges: int, cliques: list[int]) -> Found:
        """Give what is known of a connected part, or a first bound."""
        pair = vertices & self._pair
        nearest = self._known.nearest(vertices, pair, edges)
        if nearest is not None and nearest[0] == edges:
            return nearest[1]
        found = Found(grouped_packing_bound(cliques, size(cliques[0])), None)
        if nearest is not None:
            blocks = nearest[1].blocks
            if blocks is not None and self._graph.holds(blocks):
                found = nearest[1]
            else:
                found = Found(min(found.pairs, nearest[1].pairs), None)
        if pair and found.blocks is None:
            apart = self._known.nearest(vertices, 0, edges)
            if apart is not None:
                found = Found(min(found.pairs, apart[1].pairs), None)
        self._known.keep(vertices, pair, edges, found)
        return found

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
            reach = block + packing_bound(cliques, rest, largest)
            if reach > need:
                left = restricted(cliques, rest)
                reach = block + grouped_packing_bound(left, largest)
            if reach > need:
                found = self._divide(maximal(left), need - block)
                reach = block + found.pairs
                if reach > need and found.blocks is not None:
                    need, best = reach, [clique, *found.blocks]
            refuted = max(refuted, reach)
        if best is not None:
            return Found(need, best)
        return Found(min(refuted, bound), None)
