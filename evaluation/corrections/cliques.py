"""Graphs as lists of their maximal cliques, and their partitions into cliques.

A set of systems is an integer whose bit i stands for system i: Python's integers are then fast
sets of any size. A list of cliques runs from the largest to the smallest and leaves out single
vertices.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import networkx as nx

#: A graph with more maximal cliques times vertices is not searched; its partitions are bounded.
MOST_CLIQUES = 50_000

size = int.bit_count


def pairs_in(count: int) -> int:
    """Give the number of pairs among `count` systems."""
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

    A graph with too many maximal cliques (`MOST_CLIQUES`) lists none (None); nor do its subgraphs,
    until one is listed anew.
    """

    cliques: list[int] | None
    neighbours: list[int]

    @classmethod
    def complete(cls, vertices: int) -> Graph:
        """Give the graph in which all are joined."""
        everyone = (1 << vertices) - 1
        return cls([everyone], [everyone ^ (1 << v) for v in range(vertices)])

    def without(self, edges: Iterable[tuple[int, int]]) -> Graph:
        """Give the graph that is left when some edges are taken out.

        A clique that held an edge falls into two, one without either end; a half stays if no
        vertex is joined to all of it.
        """
        cliques, neighbours = self.cliques, self.neighbours.copy()
        for u, v in edges:
            ends = 1 << u | 1 << v
            neighbours[u] &= ~ends
            neighbours[v] &= ~ends
            if cliques is None:
                continue
            halves = [
                clique ^ 1 << end
                for clique in cliques
                if clique & ends == ends and size(clique) > 2
                for end in (u, v)
            ]
            cliques = [clique for clique in cliques if clique & ends != ends]
            cliques += [half for half in halves if not _joined_to_all(half, neighbours)]
            if len(cliques) * len(neighbours) > MOST_CLIQUES:
                cliques = None
        if cliques is not None:
            cliques.sort(key=size, reverse=True)
        return Graph(cliques, neighbours)

    def listed_anew(self) -> Graph:
        """Give the graph with its maximal cliques unless they are many."""
        edges = [(u, v) for u, around in enumerate(self.neighbours) for v in members(around)]
        most = MOST_CLIQUES // len(self.neighbours)
        listed = islice(nx.find_cliques(nx.Graph(edges)), most + 1)
        found = [sum(1 << v for v in clique) for clique in listed]
        if len(found) > most:
            return self
        return Graph(sorted(found, key=size, reverse=True), self.neighbours)

    def holds(self, blocks: list[int]) -> bool:
        """Tell whether every block is a clique."""
        return all(
            block & ~self.neighbours[v] == 1 << v for block in blocks for v in members(block)
        )


def restricted(cliques: list[int], vertices: int) -> list[int]:
    """Give what is left of the cliques within a set, the largest first; not all are maximal."""
    left = {clique & vertices for clique in cliques}
    return sorted([clique for clique in left if size(clique) > 1], key=size, reverse=True)


def maximal(cliques: list[int]) -> list[int]:
    """Leave out the cliques that lie within another; the largest come first.

    Examples
    --------
    >>> maximal([0b111, 0b011, 0b1100])
    [7, 12]
    """
    kept: list[int] = []
    for clique in cliques:
        for larger in kept:
            if clique & larger == clique:
                break
        else:
            kept.append(clique)
    return kept


def twins(cliques: list[int], pair: int) -> list[int]:
    """Give all maximal cliques, and others, once two joined vertices keep only common neighbours.

    A partition of this graph that is as heavy as can be holds the two in one block: a vertex of
    the smaller of their two blocks would gain by moving to its twin.
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
        touched = [part for part in parts if part[0] & clique]
        if not touched:
            parts.append((clique, [clique]))
            continue
        vertices, joined = clique, []
        for part in touched:
            vertices |= part[0]
            joined += part[1]
            parts.remove(part)
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
        within = size(clique)
        if within < largest:
            for at, (vertices, free) in enumerate(groups):
                if free > within:
                    pairs, free = _pack(free, largest, within)
                    groups[at] = vertices, free
                    bound += pairs
            largest = within
        vertices, free = clique, within
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
    """Fill blocks with more than `smallest` vertices, as large as can be: pairs, vertices left."""
    if free <= smallest:
        return 0, free
    full, free = divmod(free, largest)
    pairs = full * (largest * (largest - 1) // 2)
    if free > smallest:
        return pairs + free * (free - 1) // 2, 0
    return pairs, free


def _joined_to_all(clique: int, neighbours: list[int]) -> bool:
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

#: From (what is left of a graph's vertices, the size that no block exceeds, need) to a bound of the
#: pairs within blocks of what is left, and its parts if the bound is above need.
RestBounder = Callable[[int, int, int], tuple[int, list[Part]]]


def rest_bounder(cliques: list[int], neighbours: list[int]) -> RestBounder:
    """Give the function that bounds what is left of a graph once blocks are taken out.

    The search spends its time here and in `colouring_bound`;
    `alignrank.evaluation.corrections.compiled_cliques` has both compiled.
    """

    def bound_rest(rest: int, largest: int, need: int) -> tuple[int, list[Part]]:
        left = restricted(cliques, rest)
        bound = packing_bound(left, largest)
        if bound <= need:
            return bound, []
        return bound, [
            (
                vertices,
                inside,
                sum(size(neighbours[v] & vertices) for v in members(vertices)) // 2,
                packing_bound(inside, size(inside[0])),
            )
            for vertices, inside in components(maximal(left))
        ]

    return bound_rest


#: One search may use this part of the nodes that are left, so that a hard one starves no other.
SHARE = 16

#: After so many nodes (half a second) the innermost steps are compiled (half a second; four, once).
LONG = 200_000


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


def fill(graph: Graph, pair: int) -> Found:
    """Take the largest clique with two joined vertices, then the largest of what is left, and on.

    Gives no partition if the graph lists no cliques.
    """
    blocks = [clique for clique in graph.cliques or () if clique & pair == pair][:1]
    while blocks and (left := restricted(graph.cliques or [], ~sum(blocks))):
        blocks.append(left[0])
    return Found(sum(pairs_in(size(block)) for block in blocks), blocks or None)


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
        Search nodes to use in all. A node is a clique that is looked at to bound what a candidate
        for a block leaves: so many take much the same time in any graph.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nodes = 0
        self._limit = 0
        self._graph = Graph([], [])
        self._rest_bounder: Callable[[list[int], list[int]], RestBounder] = rest_bounder
        self._pair = 0
        self._known = _Known()

    @property
    def spent(self) -> bool:
        """Whether the budget allows no further search."""
        return self.budget - self.nodes < SHARE

    def search(self, graph: Graph, need: int, pair: int = 0, share: int = SHARE) -> Found:
        """Find the most pairs, or show that they are not more than `need`.

        Parameters
        ----------
        graph
            The graph to partition; where it lists no cliques there is no search.
        need
            Only partitions with more pairs matter.
        pair
            Two joined vertices (as a set) that must be in one block; 0 for none.
        share
            The search may use this part of the nodes that are left.

        Returns
        -------
        Found
            With blocks: exact. Without: an upper bound, which is at most `need` unless the search
            reached its share of the budget.
        """
        plain = rest_bounder, colouring_bound
        self._rest_bounder, bound_colours = plain if self.nodes < LONG else _compiled()
        if graph.cliques is None or self.spent:
            return Found(bound_colours(graph.neighbours), None)
        self._graph, self._pair = graph, pair
        self._limit = self.nodes + max(0, self.budget - self.nodes) // share
        cliques = twins(graph.cliques, pair) if pair else graph.cliques
        systems = len(graph.neighbours)
        _, parts = self._rest_bounder(cliques, graph.neighbours)((1 << systems) - 1, systems, -1)
        try:
            return self._divide(parts, need)
        except _LimitReachedError:
            return self._divide(parts, pairs_in(systems))

    def _divide(self, parts: list[Part], need: int) -> Found:
        """Search each connected part; stop when the sum of the bounds is not above need."""
        total = 0
        blocks: list[int] = []
        unknown = []
        for vertices, inside, edges, bound in parts:
            if len(inside) == 1:
                total += bound
                blocks.append(vertices)
                continue
            found = self._estimate(vertices, edges, bound)
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
            if found.blocks is None or total <= need:
                return Found(total, None)
            blocks += found.blocks
        return Found(total, blocks)

    def _estimate(self, vertices: int, edges: int, bound: int) -> Found:
        """Give what is known of a connected part, or a first bound."""
        pair = vertices & self._pair
        nearest = self._known.nearest(vertices, pair, edges)
        if nearest is not None and nearest[0] == edges:
            return nearest[1]
        found = Found(bound, None)
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
        best: list[int] | None = None
        refuted = 0  # no branch that failed holds more
        following = bound  # nor does any that follows
        largest = 0
        bound_rest = self._rest_bounder(cliques, self._graph.neighbours)
        for clique in cliques:
            if size(clique) != largest:
                largest = size(clique)
                block = pairs_in(largest)
                everything = pairs_in(size(vertices))  # no bound is above it: no parts are wanted
                following = min(following, bound_rest(vertices, largest, everything)[0])
            if following <= need:
                refuted = max(refuted, following)
                break
            self.nodes += len(cliques)
            if self.nodes > self._limit:
                raise _LimitReachedError
            reach, parts = bound_rest(vertices & ~clique, largest, need - block)
            reach += block
            if reach > need:
                found = self._divide(parts, need - block)
                reach = block + found.pairs
                if reach > need and found.blocks is not None:
                    need, best = reach, [clique, *found.blocks]
            refuted = max(refuted, reach)
        if best is not None:
            return Found(need, best)
        return Found(min(refuted, bound), None)


def _compiled() -> tuple[Callable[[list[int], list[int]], RestBounder], Callable[[list[int]], int]]:
    from . import compiled_cliques  # late: it brings numba, which short searches do not need

    return compiled_cliques.rest_bounder, compiled_cliques.colouring_bound
