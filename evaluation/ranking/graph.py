"""From significant differences to a graph, and to as much of a ranking as the graph holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .answer import answer
from .layout import Edge
from .svg import graph_svg

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


@dataclass(frozen=True)
class Ranking:
    """Which systems are significantly better than which, and what order that makes.

    Non-significance is not transitive, so the layers alone can mislead: where `weak_order` is
    False, some systems of different layers are not significantly different (`unordered`), and the
    rank intervals and groups say what is known.

    Parameters
    ----------
    systems
        Names.
    alpha
        Level.
    edges
        Pairs (better, worse), by the order of the systems.
    layers
        Best first. A system's layer is 1 + the longest chain of edges that ends in it.
    rank_intervals
        For each system [1 + systems significantly better, n − systems significantly worse].
    groups
        Maximal sets of two or more systems that are mutually not significantly different: the bars
        of a critical-difference diagram.
    unordered
        Pairs (higher, lower) in different layers without an edge.
    intransitive
        Triples (a, b, c) with edges a → b → c but none a → c.
    cycles
        Sets of systems that beat each other in a circle and share a layer. Tests whose direction
        follows one score per system (McNemar's) never have any.
    """

    systems: tuple[str, ...]
    alpha: float
    edges: tuple[Edge, ...]
    layers: tuple[tuple[str, ...], ...]
    rank_intervals: dict[str, tuple[int, int]]
    groups: tuple[tuple[str, ...], ...]
    unordered: tuple[Edge, ...]
    intransitive: tuple[tuple[str, str, str], ...]
    cycles: tuple[tuple[str, ...], ...] = ()

    @property
    def weak_order(self) -> bool:
        """Whether the layers are the whole truth: every pair across layers has its edge."""
        return not self.unordered and not self.cycles

    @property
    def transitive(self) -> bool:
        """Whether a → b → c always comes with a → c."""
        return not self.intransitive

    def layer(self, system: str) -> int:
        """Return the layer of a system, 1 for the best."""
        return next(k for k, layer in enumerate(self.layers, 1) if system in layer)

    def graph(self) -> nx.DiGraph:
        """Return the graph: a node for each system with its layer and rank interval."""
        import networkx as nx

        graph = nx.DiGraph()
        for name in self.systems:
            low, high = self.rank_intervals[name]
            graph.add_node(name, layer=self.layer(name), rank_low=low, rank_high=high)
        graph.add_edges_from(self.edges)
        return graph

    def rank_range(self, system: str) -> str:
        """Return a system's rank as text: ``2``, or ``2–4`` where it cannot be told apart."""
        low, high = self.rank_intervals[system]
        return str(low) if low == high else f"{low}–{high}"

    def to_svg(self, notes: Mapping[str, str] | None = None) -> str:
        """Return the graph as an SVG element: layers, best on top, arrows from better to worse.

        Parameters
        ----------
        notes
            A second line of text under each name.
        """
        return graph_svg(self.layers, self.edges, notes=notes)

    def _repr_html_(self) -> str:
        words = f"<p><bdi>{escape(answer(self.systems, self.edges))}</bdi></p>\n"
        return words + self.to_svg()

    def to_graphml(self) -> str:
        """Return the graph as GraphML, which yEd, Gephi and igraph read."""
        import networkx as nx

        return "\n".join(nx.generate_graphml(self.graph(), named_key_ids=True)) + "\n"

    def to_dot(self) -> str:
        """Return the graph in Graphviz' DOT language, one rank for each layer.

        Examples
        --------
        >>> print(rank(["a", "b"], [[0, 3], [-3, 0]], [[1, 0.01], [0.01, 1]]).to_dot(), end="")
        digraph outperforms {
          { rank=same; "a"; }
          { rank=same; "b"; }
          "a" -> "b";
        }
        """

        def quoted(name: str) -> str:
            return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'

        layers = [
            f"  {{ rank=same; {' '.join(quoted(name) + ';' for name in layer)} }}"
            for layer in self.layers
        ]
        edges = [f"  {quoted(better)} -> {quoted(worse)};" for better, worse in self.edges]
        return "\n".join(["digraph outperforms {", *layers, *edges, "}"]) + "\n"

    def to_frame(self) -> pd.DataFrame:
        """Tabulate, one row for a system: layer, rank interval, how many it beats and is beaten by.

        The rows come by layer.
        """
        import pandas as pd

        n = len(self.systems)
        names = [name for layer in self.layers for name in layer]
        return pd.DataFrame(
            {
                "system": names,
                "layer": [self.layer(name) for name in names],
                "rank_low": [self.rank_intervals[name][0] for name in names],
                "rank_high": [self.rank_intervals[name][1] for name in names],
                "better_than": [n - self.rank_intervals[name][1] for name in names],
                "worse_than": [self.rank_intervals[name][0] - 1 for name in names],
            }
        )


def rank(
    systems: Sequence[str], advantage: ArrayLike, adjusted: ArrayLike, alpha: float = 0.05
) -> Ranking:
    """Draw an edge from i to j where i is ahead and the adjusted p-value is at most alpha.

    Parameters
    ----------
    systems
        n names.
    advantage
        (n, n): positive where the row is ahead of the column. No edge where it is 0.
    adjusted
        (n, n) adjusted p-values; the diagonal is not read.
    alpha
        Level.

    Notes
    -----
    Mohammadi, Atashin, Hofman and Tan 2018, section 5: the layers are their Table 4 where the graph
    is a strict weak order.

    Examples
    --------
    a and c differ, but neither differs from b:

    >>> ahead = [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    >>> p = [[1, 0.3, 0.01], [0.3, 1, 0.2], [0.01, 0.2, 1]]
    >>> r = rank(["a", "b", "c"], ahead, p)
    >>> r.layers, r.weak_order, r.unordered
    ((('a', 'b'), ('c',)), False, (('b', 'c'),))
    >>> r.rank_intervals, r.groups
    ({'a': (1, 2), 'b': (1, 3), 'c': (2, 3)}, (('a', 'b'), ('b', 'c')))
    """
    import networkx as nx

    names, n = tuple(systems), len(systems)
    beats = (np.asarray(advantage) > 0) & (np.asarray(adjusted) <= alpha)
    np.fill_diagonal(beats, False)
    layers, cycles = _layers(beats)
    depth = {i: k for k, layer in enumerate(layers) for i in layer}
    apart = ~(beats | beats.T)
    np.fill_diagonal(apart, False)
    cliques = nx.find_cliques(nx.from_numpy_array(apart))
    two_steps = (beats.astype(np.int64) @ beats) > 0

    def named(indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[i] for i in indices)

    return Ranking(
        systems=names,
        alpha=alpha,
        edges=tuple((names[i], names[j]) for i, j in np.argwhere(beats).tolist()),
        layers=tuple(named(layer) for layer in layers),
        rank_intervals={
            name: (1 + int(beats[:, i].sum()), n - int(beats[i].sum()))
            for i, name in enumerate(names)
        },
        groups=tuple(named(g) for g in sorted(sorted(c) for c in cliques if len(c) > 1)),
        unordered=tuple(
            (names[i], names[j]) for i, j in np.argwhere(apart).tolist() if depth[i] < depth[j]
        ),
        intransitive=tuple(
            (names[i], names[k], names[j])
            for i, j in np.argwhere(two_steps & ~beats).tolist()
            for k in range(n)
            if i != j and beats[i, k] and beats[k, j]
        ),
        cycles=tuple(named(c) for c in cycles),
    )


def _layers(beats: np.ndarray) -> tuple[list[list[int]], list[list[int]]]:
    """Return the indices layer by layer, and the cycles, whose members share a layer."""
    import networkx as nx

    acyclic = nx.condensation(nx.from_numpy_array(beats, create_using=nx.DiGraph))
    members = acyclic.nodes.data("members")
    cycles = sorted(sorted(group) for _, group in members if len(group) > 1)
    layers = [
        sorted(i for node in generation for i in acyclic.nodes[node]["members"])
        for generation in nx.topological_generations(acyclic)
    ]
    return layers, cycles
