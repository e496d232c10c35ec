"""Paths through a hierarchy: their number and lengths, without listing them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from alignrank.ontologies.hierarchy import Hierarchy

#: The virtual root above all top classes; no IRI is empty.
ROOT = ""


class Paths(NamedTuple):
    """The number of paths, and the sum of their lengths in edges: exact integers."""

    number: int
    length: int

    def extended(self) -> Paths:
        """Return the same paths, each with one more edge."""
        return Paths(self.number, self.length + self.number)

    def and_also(self, paths: Paths) -> Paths:
        """Return the paths of both."""
        return Paths(self.number + paths.number, self.length + paths.length)

    def continued(self, paths: Paths) -> Paths:
        """Return every path of this one followed by every one of `paths`."""
        length = self.length * paths.number + paths.length * self.number
        return Paths(self.number * paths.number, length)

    @property
    def mean(self) -> float:
        """Mean length in edges, 0 if there is no path."""
        return self.length / self.number if self.number else 0.0


_POINT = Paths(1, 0)
_NONE = Paths(0, 0)


class Chains:
    """Chains of a hierarchy: the paths from a leaf up to a root, with lengths in edges.

    Parameters
    ----------
    hierarchy
        Nodes and their direct links.
    virtual_root
        Put one root above all top nodes; chains then end there.

    Examples
    --------
    >>> chains = Chains(Hierarchy.of_parents({"Man": ["Person"], "Woman": ["Person"]}))
    >>> chains.total, chains.through("Man"), chains.mean_branching
    (Paths(number=2, length=4), Paths(number=1, length=2), 1.5)
    """

    def __init__(self, hierarchy: Hierarchy, *, virtual_root: bool = True) -> None:
        self.parents: dict[str, tuple[str, ...]] = {}
        self.branching: dict[str, int] = {}
        top: tuple[str, ...] = ()
        if virtual_root:
            self.parents[ROOT] = ()
            self.branching[ROOT] = len(hierarchy.roots)
            top = (ROOT,)
        for node, above in hierarchy.parents.items():
            self.parents[node] = above or top
        for node, below in hierarchy.children.items():
            self.branching[node] = len(below)
        self._place = {n: i for i, n in enumerate(self.parents)}

    def ancestors(self, node: str) -> list[str]:
        """Return the node and all above it, the lowest first."""
        ancestors = {node}
        stack = [node]
        while stack:
            for parent in self.parents[stack.pop()]:
                if parent not in ancestors:
                    ancestors.add(parent)
                    stack.append(parent)
        return sorted(ancestors, key=self._place.__getitem__, reverse=True)

    @cached_property
    def _up(self) -> dict[str, Paths]:
        """Paths from each node to a root."""
        result: dict[str, Paths] = {}
        for node, above in self.parents.items():
            paths = _NONE if above else _POINT
            for parent in above:
                paths = paths.and_also(result[parent].extended())
            result[node] = paths
        return result

    @cached_property
    def _down(self) -> dict[str, Paths]:
        """Paths from each node to a leaf."""
        result = {n: _NONE if self.branching[n] else _POINT for n in self.parents}
        for node in reversed(list(self.parents)):
            for parent in self.parents[node]:
                result[parent] = result[parent].and_also(result[node].extended())
        return result

    @cached_property
    def total(self) -> Paths:
        """All chains."""
        paths = _NONE
        for node, above in self.parents.items():
            if not above:
                paths = paths.and_also(self._down[node])
        return paths

    def through(self, node: str) -> Paths:
        """Return the chains through a node."""
        return self._up[node].continued(self._down[node])

    def through_either(self, first: str, second: str) -> Paths:
        """Return the chains through at least one of two different nodes."""
        number, length = self.through(first).and_also(self.through(second))
        for low, high in ((first, second), (second, first)):
            both = self._up[high].continued(self._between(low, high)).continued(self._down[low])
            number -= both.number
            length -= both.length
        return Paths(number, length)

    def _between(self, low: str, high: str) -> Paths:
        """Return the paths from `low` up to `high`."""
        result = {low: _POINT}
        for node in self.ancestors(low):
            for parent in self.parents[node]:
                result[parent] = result.get(parent, _NONE).and_also(result[node].extended())
        return result.get(high, _NONE)

    @cached_property
    def longest(self) -> dict[str, int]:
        """Longest length from a root to each node."""
        return self._lengths(max)

    @cached_property
    def shortest(self) -> dict[str, int]:
        """Shortest length from a root to each node."""
        return self._lengths(min)

    def _lengths(self, choose: Callable[..., int]) -> dict[str, int]:
        """Return a length from a root to each node, chosen among those of its parents plus 1."""
        lengths: dict[str, int] = {}
        for node, above in self.parents.items():
            lengths[node] = choose((lengths[parent] + 1 for parent in above), default=0)
        return lengths

    @cached_property
    def mean_branching(self) -> float:
        """Mean number of children of the nodes that have any."""
        inner = [b for b in self.branching.values() if b]
        return sum(inner) / len(inner) if inner else 0.0

    def tails(self, node: str) -> dict[str, dict[tuple[str | None, int], int]]:
        """Return the kinds of paths from each ancestor down to a node.

        Returns
        -------
        dict
            By ancestor, then by (first node on the path down, number of edges): the largest sum of
            branching over the nodes strictly between the two. The node itself has the empty path,
            ``{(None, 0): 0}``.
        """
        result: dict[str, dict[tuple[str | None, int], int]] = {node: {(None, 0): 0}}
        for below in self.ancestors(node):
            own = 0 if below == node else self.branching[below]
            best: dict[int, int] = {}
            for (_, edges), total in result[below].items():
                best[edges] = max(best.get(edges, 0), total)
            for parent in self.parents[below]:
                paths = result.setdefault(parent, {})
                for edges, total in best.items():
                    paths[below, edges + 1] = total + own
        return result
