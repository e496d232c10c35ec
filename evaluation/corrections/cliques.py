"""Graphs as lists of their maximal cliques, and their partitions into cliques.

A set of systems is an integer whose bit i stands for system i: Python's integers are fast sets of
any size. A list of cliques runs from the largest to the smallest, without single vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

#: A graph with more maximal cliques times vertices is not searched; its partitions are bounded.
MOST_CLIQUES = 50_000

size = int.bit_count


def pairs_in(count: int) -> int:
    """Return the number of pairs among `count` systems."""
    return count * (count - 1) // 2


def members(vertices: int) -> Iterator[int]:
    """Yield the vertices of a set, ascending.

    Examples
    --------
    >>> list(members(0b1101))
    [0, 2, 3]
    """
    while vertices:
        lowest = vertices & -vertices
        yield lowest.bit_length() - 1
        vertices ^= lowest


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph, by its maximal cliques and by the neighbours of each vertex.

    `cliques` is None where they are too many (`MOST_CLIQUES`), and for the subgraphs of such a
    graph until `listed_anew` lists them.
    """

    cliques: list[int] | None
    neighbours: list[int]

    @classmethod
    def complete(cls, vertices: int) -> Graph:
        """Return the graph in which all are joined."""
        everyone = (1 << vertices) - 1
        return cls([everyone], [everyone ^ (1 << v) for v in range(vertices)])

    def without(self, edges: Iterable[tuple[int, int]]) -> Graph:
        """Return the graph without some edges.

        A clique with both vertices of an edge falls into two halves, each without one of them. A
        half is maximal if no vertex is joined to all of it.
        """
        cliques = self.cliques
        neighbours = self.neighbours.copy()
        for u, v in edges:
            both = 1 << u | 1 << v
            neighbours[u] &= ~both
            neighbours[v] &= ~both
            if cliques is None:
                continue
            broken = [clique for clique in cliques if clique & both == both]
            cliques = [clique for clique in cliques if clique & both != both]
            for clique in broken:
                halves = clique ^ 1 << u, clique ^ 1 << v
                cliques += [
                    half
                    for half in halves
                    if size(half) > 1 and not _joined_to_all(half, neighbours)
                ]
            if len(cliques) * len(neighbours) > MOST_CLIQUES:
                cliques = None
        if cliques is not None:
            cliques.sort(key=size, reverse=True)
        return Graph(cliques, neighbours)

    def listed_anew(self) -> Graph:
        """Return the graph with its maximal cliques, or itself if they are too many."""
        limit = MOST_CLIQUES // len(self.neighbours)
        cliques = list(islice(maximal_cliques(self.neighbours), limit + 1))
        if len(cliques) > limit:
            return self
        return Graph(sorted(cliques, key=size, reverse=True), self.neighbours)

    def holds(self, blocks: list[int]) -> bool:
        """Return whether every block is a clique."""
        for block in blocks:
            if any(block & ~self.neighbours[v] != 1 << v for v in members(block)):
                return False
        return True


def maximal_cliques(neighbours: Sequence[int]) -> Iterator[int]:
    """Yield the maximal cliques of two and more vertices.

    Parameters
    ----------
    neighbours
        The neighbours of each vertex.

    Notes
    -----
    Bron & Kerbosch 1973 with the pivot of Tomita, Tanaka & Takahashi 2006.

    Examples
    --------
    >>> sorted(maximal_cliques([0b0110, 0b0101, 0b1011, 0b0100]))
    [7, 12]
    """
    # a clique, the vertices that may join it, and those whose cliques were listed before
    branches = [(0, (1 << len(neighbours)) - 1, 0)]
    while branches:
        clique, candidates, listed = branches.pop()
        joined = candidates | listed
        if not joined and size(clique) > 1:
            yield clique
        if not candidates:
            continue
        pivot = max(members(joined), key=lambda v: size(candidates & neighbours[v]))
        for v in members(candidates & ~neighbours[pivot]):
            branches.append((clique | 1 << v, candidates & neighbours[v], listed & neighbours[v]))
            candidates ^= 1 << v
            listed |= 1 << v


def restricted(cliques: list[int], vertices: int) -> list[int]:
    """Cut the cliques to a set of vertices, the largest first; not all of them are maximal."""
    inside = {clique & vertices for clique in cliques}
    return sorted([clique for clique in inside if size(clique) > 1], key=size, reverse=True)


def maximal(cliques: list[int]) -> list[int]:
    """Leave out the cliques that lie within another; they come largest first.

    Examples
    --------
    >>> maximal([0b111, 0b011, 0b1100])
    [7, 12]
    """
    largest: list[int] = []
    for clique in cliques:
        for larger in largest:
            if clique & larger == clique:
                break
        else:
            largest.append(clique)
    return largest


def twins(cliques: list[int], pair: int) -> list[int]:
    """Return the cliques of the graph in which two joined vertices keep only common neighbours.

    All maximal ones are among them. A heaviest partition of this graph holds the two in one block:
    a vertex of the smaller of their two blocks would gain by moving to its twin.
    """
    return [c for c in cliques if c & pair == pair] + restricted(cliques, ~pair)


def components(cliques: list[int]) -> list[tuple[int, list[int]]]:
    """Split into connected parts: the vertices and the cliques of each.

    Examples
    --------
    >>> components([0b111, 0b1100, 0b110000])
    [(15, [7, 12]), (48, [48])]
    """
    parts: list[tuple[int, list[int]]] = []
    for clique in cliques:
        touched = [component for component in parts if component[0] & clique]
        vertices = clique
        joined = []
        for component in touched:
            vertices |= component[0]
            joined += component[1]
            parts.remove(component)
        if len(touched) > 1:
            joined.sort(key=size, reverse=True)
        parts.append((vertices, [*joined, clique]))
    return parts


def packing_bound(cliques: list[int], largest: int) -> int:
    """Bound the pairs within the blocks of any partition of a graph into cliques.

    A block of k vertices lies in a clique of at least k, so in one group of those that hang
    together by such cliques. Fill blocks under this condition alone, each as large as it can be: no
    partition holds more pairs, since moving a vertex to a block at least as large gains pairs.

    Parameters
    ----------
    cliques
        All that are maximal (others may be among them), the largest first.
    largest
        Size that no block exceeds.

    Examples
    --------
    Two groups of five vertices hold one block of three each, not three between them:

    >>> packing_bound([0b111, 0b11100, 0b111 << 5, 0b11100 << 5], largest=3)
    8
    """
    bound = 0
    groups: list[tuple[int, int]] = []  # the vertices, and how many are in no block yet
    for clique in cliques:
        free = size(clique)
        if free < largest:
            for at, (vertices, waiting) in enumerate(groups):
                if waiting > free:
                    pairs, waiting = _pack(waiting, largest, free)
                    groups[at] = vertices, waiting
                    bound += pairs
            largest = free
        vertices = clique
        apart = []
        for group in groups:
            if group[0] & clique:
                free += group[1] - size(group[0] & vertices)
                vertices |= group[0]
            else:
                apart.append(group)
        groups = [*apart, (vertices, free)]
    return bound + sum(_pack(free, largest, 1)[0] for _, free in groups)


def _pack(free: int, largest: int, smallest: int) -> tuple[int, int]:
    """Fill blocks of more than `smallest` vertices; return their pairs and the free vertices."""
    if free <= smallest:
        return 0, free
    full, free = divmod(free, largest)
    pairs = full * (largest * (largest - 1) // 2)
    if free > smallest:
        return pairs + free * (free - 1) // 2, 0
    return pairs, free


def _joined_to_all(clique: int, neighbours: list[int]) -> bool:
    """Return whether a vertex is joined to every member of a clique."""
    common = -1
    for v in members(clique):
        common &= neighbours[v]
        if not common:
            return False
    return True


def colouring_bound(neighbours: list[int]) -> int:
    """Bound the pairs within the blocks of any partition into cliques, without the cliques.

    A clique with v has at most as many other vertices as it takes colours to colour the neighbours
    of v, joined ones differently (here greedily); half the sum of these numbers is the bound.
    """
    colours = 0
    for uncoloured in neighbours:
        while uncoloured:
            colours += 1
            free = uncoloured
            while free:
                lowest = free & -free
                uncoloured ^= lowest
                free &= ~(lowest | neighbours[lowest.bit_length() - 1])
    return colours // 2


#: A connected part of a graph: its vertices, its maximal cliques (the largest first), the number
#: of its edges, and its `packing_bound`.
Part = tuple[int, list[int], int, int]

#: From (some vertices of a graph, the size that no block exceeds, need) to a bound of the pairs
#: within blocks of these vertices, and their connected parts if the bound is above need.
RestBounder = Callable[[int, int, int], tuple[int, list[Part]]]


def rest_bounder(cliques: list[int], neighbours: list[int]) -> RestBounder:
    """Return the function that bounds the pairs among the vertices outside the blocks so far.

    The search spends its time here and in `colouring_bound`;
    `alignrank.evaluation.corrections.compiled_cliques` has both compiled.
    """

    def bound_rest(vertices: int, largest: int, need: int) -> tuple[int, list[Part]]:
        inside = restricted(cliques, vertices)
        bound = packing_bound(inside, largest)
        parts: list[Part] = []
        if bound <= need:
            return bound, parts
        for connected, own in components(maximal(inside)):
            degrees = [size(neighbours[v] & connected) for v in members(connected)]
            parts.append((connected, own, sum(degrees) // 2, packing_bound(own, size(own[0]))))
        return bound, parts

    return bound_rest


#: One search may use this part of the remaining nodes, so that a hard one starves no other.
SHARE = 16

#: After so many nodes (half a second) the innermost steps are compiled (half a second; four, once).
LONG = 200_000


class Partition(NamedTuple):
    """The result of a search: a partition into cliques, or only a bound.

    Parameters
    ----------
    pairs
        With `blocks` the largest number of pairs within blocks; else an upper bound of it.
    blocks
        The blocks that attain it (without single vertices), or None.
    """

    pairs: int
    blocks: list[int] | None


def fill(graph: Graph, pair: int) -> Partition:
    """Take the largest clique with two joined vertices, and again the largest among the others.

    There is no partition if the graph lists no cliques.
    """
    cliques = graph.cliques or []
    blocks: list[int] = []
    remaining = [clique for clique in cliques if clique & pair == pair]
    while remaining:
        blocks.append(remaining[0])
        remaining = restricted(cliques, ~sum(blocks))
    return Partition(sum(pairs_in(size(block)) for block in blocks), blocks or None)


class _LimitReachedError(Exception):
    """The search has used its share of the budget."""


class Partitioner:
    """Find partitions into cliques with the most pairs, over many graphs that are nested.

    Branch and bound: in a best partition the largest block is a maximal clique (a vertex that
    could join it would gain by doing so), and so is the next largest among the other vertices. So
    the search takes the maximal cliques in turn, largest first; all that follow are no larger.

    The graphs must be nested: of any two, one is a subgraph of the other on the same vertices. So a
    result for a part of one serves in searches of the others.

    Parameters
    ----------
    budget
        Search nodes in all. A node is a clique that is read to bound the pairs outside a candidate
        for a block: a node takes much the same time in any graph.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nodes = 0
        self._limit = 0
        self._graph = Graph([], [])
        self._rest_bounder: Callable[[list[int], list[int]], RestBounder] = rest_bounder
        self._pair = 0
        #: By a set of vertices, the pair that stays together in it (0: none) and the number of its
        #: edges, which identifies the restriction of nested graphs to the set.
        self._cache: dict[tuple[int, int], dict[int, Partition]] = {}

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.budget - self.nodes < SHARE

    def search(self, graph: Graph, need: int, pair: int = 0, share: int = SHARE) -> Partition:
        """Find the most pairs, or show that they are not more than `need`.

        Parameters
        ----------
        graph
            The graph to partition; it is not searched where it lists no cliques.
        need
            Only partitions with more pairs matter.
        pair
            Two joined vertices (as a set) that must be in one block; 0 for none.
        share
            The search may use this part of the remaining nodes.

        Returns
        -------
        Partition
            With blocks: exact. Without: an upper bound, which is at most `need` unless the search
            reached its share of the budget.
        """
        bound_colours: Callable[[list[int]], int] = colouring_bound
        if self.nodes >= LONG:
            from . import (
                compiled_cliques,
            )  # late: it brings numba, which short searches do not need

            self._rest_bounder = compiled_cliques.rest_bounder
            bound_colours = compiled_cliques.colouring_bound
        cliques = graph.cliques
        if cliques is None or self.spent:
            return Partition(bound_colours(graph.neighbours), None)
        self._graph = graph
        self._pair = pair
        self._limit = self.nodes + max(0, self.budget - self.nodes) // share
        if pair:
            cliques = twins(cliques, pair)
        systems = len(graph.neighbours)
        bound_rest = self._rest_bounder(cliques, graph.neighbours)
        _, parts = bound_rest((1 << systems) - 1, systems, -1)
        try:
            return self._divide(parts, need)
        except _LimitReachedError:
            return self._divide(parts, pairs_in(systems))

    def _divide(self, parts: list[Part], need: int) -> Partition:
        """Search each connected part; stop when the sum of the bounds is not above need."""
        total = 0
        blocks: list[int] = []
        unsolved = []
        for vertices, inside, edges, bound in parts:
            if len(inside) == 1:
                total += bound
                blocks.append(vertices)
                continue
            estimate = self._estimate(vertices, edges, bound)
            total += estimate.pairs
            if estimate.blocks is None:
                unsolved.append((size(vertices), vertices, edges, estimate.pairs, inside))
            else:
                blocks += estimate.blocks
        if total <= need:
            return Partition(total, None)
        for _, vertices, edges, bound, inside in sorted(unsolved):
            result = self._branch(vertices, inside, bound, need - total + bound)
            self._cache[vertices, vertices & self._pair][edges] = result
            total += result.pairs - bound
            if result.blocks is None or total <= need:
                return Partition(total, None)
            blocks += result.blocks
        return Partition(total, blocks)

    def _estimate(self, vertices: int, edges: int, bound: int) -> Partition:
        """Return the cached result for a connected part, or a first bound."""
        pair = vertices & self._pair
        result = Partition(bound, None)
        results = self._cache.setdefault((vertices, pair), {})
        # with more edges, a partition may hold more pairs
        if cached := _with_fewest_edges(results, edges):
            if edges in results:
                return cached
            if cached.blocks is not None and self._graph.holds(cached.blocks):
                result = cached
            else:
                result = Partition(min(bound, cached.pairs), None)
        without_pair = _with_fewest_edges(self._cache.get((vertices, 0), {}), edges)
        if pair and result.blocks is None and without_pair is not None:
            # without the pair's condition a partition may only hold more
            result = Partition(min(result.pairs, without_pair.pairs), None)
        results[edges] = result
        return result

    def _branch(self, vertices: int, cliques: list[int], bound: int, need: int) -> Partition:
        """Try each maximal clique of a connected part as its largest block."""
        best: list[int] | None = None
        refuted = 0  # no branch that failed holds more
        following = bound  # nor does any that follows
        largest = 0
        all_pairs = pairs_in(size(vertices))
        bound_rest = self._rest_bounder(cliques, self._graph.neighbours)
        for clique in cliques:
            if size(clique) != largest:
                largest = size(clique)
                block = pairs_in(largest)
                # only the bound is needed here: no bound is above all pairs, so no parts are made
                following = min(following, bound_rest(vertices, largest, all_pairs)[0])
            if following <= need:
                refuted = max(refuted, following)
                break
            self.nodes += len(cliques)
            if self.nodes > self._limit:
                raise _LimitReachedError
            reach, parts = bound_rest(vertices & ~clique, largest, need - block)
            reach += block
            if reach > need:
                partition = self._divide(parts, need - block)
                reach = block + partition.pairs
                if reach > need and partition.blocks is not None:
                    need = reach
                    best = [clique, *partition.blocks]
            refuted = max(refuted, reach)
        if best is not None:
            return Partition(need, best)
        return Partition(min(refuted, bound), None)


def _with_fewest_edges(results: Mapping[int, Partition], edges: int) -> Partition | None:
    """Return the result with the fewest edges, but at least `edges`."""
    enough = [number for number in results if number >= edges]
    return results[min(enough)] if enough else None
