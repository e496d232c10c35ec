"""From significant differences to a graph: its layers, ranks and answer in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import enumeration, grouped
from alignrank.common.records import check_listed, check_pairs, check_same
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.corrections.cliques import maximal_cliques, members
from alignrank.evaluation.significance.mcnemar import Bools, Ints

if TYPE_CHECKING:
    import networkx as nx

#: Names of two systems: the better one, the worse one.
Edge = tuple[str, str]


@dataclass(frozen=True)
class Ranking(Tabular):
    """Significant differences between systems, and the order that they make.

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
    rank_sets
        For each system [1 + systems significantly better, n − systems significantly worse]: the
        places that it can have. All hold together, with the chance that all edges do (Klein, Wright
        and Wieczorek 2020; Mogstad, Romano, Shaikh and Wilhelm 2024, whose intervals of the
        differences the edges replace here: a closed test decides no less).
    groups
        Maximal sets of two or more systems that are mutually not significantly different: the bars
        of a critical-difference diagram.
    unordered
        Pairs (higher, lower) in different layers without an edge.
    cycles
        Sets of systems that beat each other in a circle and share a layer. Tests whose direction
        follows one score per system (McNemar's) never have any.
    """

    systems: tuple[str, ...]
    alpha: float
    edges: tuple[Edge, ...]
    layers: tuple[tuple[str, ...], ...]
    rank_sets: dict[str, tuple[int, int]]
    groups: tuple[tuple[str, ...], ...]
    unordered: tuple[Edge, ...]
    cycles: tuple[tuple[str, ...], ...] = ()

    def check(self, systems: Sequence[str]) -> None:
        """Refuse a ranking of other systems, as in a file that was changed by hand.

        Raises
        ------
        RecordError
            If something is missing, or names no system.
        """
        check_same("a ranking", self.systems, systems)
        check_same("rank_sets", self.rank_sets, systems)
        check_same("layers", chain(*self.layers), systems)
        check_pairs("a ranking", (*self.edges, *self.unordered), systems)
        check_listed("a ranking", chain(*self.groups, *self.cycles), systems)

    @property
    def weak_order(self) -> bool:
        """Whether the layers are the whole truth: every pair across layers has its edge."""
        return not self.unordered and not self.cycles

    def layer(self, system: str) -> int:
        """Return the layer of a system, 1 for the best."""
        return next(k for k, layer in enumerate(self.layers, 1) if system in layer)

    def graph(self) -> nx.DiGraph:
        """Return the graph: a node for each system with its layer and rank interval."""
        import networkx as nx

        graph = nx.DiGraph()
        for name in self.systems:
            low, high = self.rank_sets[name]
            graph.add_node(name, layer=self.layer(name), rank_low=low, rank_high=high)
        graph.add_edges_from(self.edges)
        return graph

    def rank_range(self, system: str) -> str:
        """Return a system's rank as text: ``2``, or its interval ``2–4``."""
        low, high = self.rank_sets[system]
        return str(low) if low == high else f"{low}–{high}"

    def _repr_html_(self) -> str:
        """Show the answer in words, and the systems with their layers and ranks."""
        order = sorted(self.systems, key=self.rank_sets.__getitem__)
        words = f"<p><bdi>{escape(' '.join(answer(order, self.edges)))}</bdi></p>\n"
        return words + super()._repr_html_()

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

    def to_frame(self) -> Frame:
        """Tabulate, one row for a system: layer, rank interval, how many it beats and is beaten by.

        The rows come by layer.
        """
        columns = ["system", "layer", "rank_low", "rank_high", "better_than", "worse_than"]
        rows = []
        for k, layer in enumerate(self.layers, 1):
            for name in layer:
                low, high = self.rank_sets[name]
                rows.append([name, k, low, high, len(self.systems) - high, low - 1])
        return frame(rows, columns)


def rank(
    systems: Sequence[str],
    advantage: ArrayLike,
    adjusted: ArrayLike,
    alpha: float = DEFAULTS.alpha,
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
    >>> r.rank_sets, r.groups
    ({'a': (1, 2), 'b': (1, 3), 'c': (2, 3)}, (('a', 'b'), ('b', 'c')))
    """
    names = tuple(systems)
    n = len(systems)
    beats = (np.asarray(advantage) > 0) & (np.asarray(adjusted) <= alpha)
    np.fill_diagonal(beats, False)
    depth, cycles = _depths(beats)
    n_layers = int(depth.max(initial=-1)) + 1
    apart = ~(beats | beats.T)
    np.fill_diagonal(apart, False)

    def named(indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[i] for i in indices)

    def paired(matrix: Bools) -> tuple[Edge, ...]:
        return tuple((names[i], names[j]) for i, j in np.argwhere(matrix).tolist())

    rank_sets = {}
    for i, name in enumerate(names):
        n_better = int(beats[:, i].sum())
        n_worse = int(beats[i].sum())
        rank_sets[name] = (1 + n_better, n - n_worse)
    return Ranking(
        systems=names,
        alpha=alpha,
        edges=paired(beats),
        layers=tuple(named(np.flatnonzero(depth == k).tolist()) for k in range(n_layers)),
        rank_sets=rank_sets,
        groups=tuple(named(group) for group in _maximal_groups(apart)),
        unordered=paired(apart & (depth[:, None] < depth)),
        cycles=tuple(named(c) for c in cycles),
    )


def _depths(beats: Bools) -> tuple[Ints, list[tuple[int, ...]]]:
    """Return the number of each system's layer, and the cycles, whose members share a layer."""
    n = len(beats)
    reaches = beats | np.eye(n, dtype=bool)
    for _ in range(n.bit_length()):  # chains twice as long each time
        reaches = (reaches.astype(float) @ reaches) > 0
    in_circle = reaches & reaches.T
    above = reaches & ~in_circle
    depth = np.zeros(n, dtype=np.int64)
    for i in np.argsort(above.sum(axis=0), kind="stable"):  # what is above it comes before it
        depth[i] = 1 + depth[above[:, i]].max(initial=-1)
    circles = {tuple(np.flatnonzero(row).tolist()) for row in in_circle if row.sum() > 1}
    return depth, sorted(circles)


def _maximal_groups(apart: Bools) -> list[list[int]]:
    """Return the largest sets of systems without a significant difference."""
    neighbours = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in apart]
    return sorted(list(members(clique)) for clique in maximal_cliques(neighbours))


def winners(pairs: Iterable[Edge], edges: Iterable[Edge]) -> dict[Edge, str]:
    """Return for every pair of systems the better one, '' where the edges do not say.

    Examples
    --------
    >>> winners([("a", "b"), ("a", "c")], [("c", "a")])
    {('a', 'b'): '', ('a', 'c'): 'c'}
    """
    better = {frozenset(edge): edge[0] for edge in edges}
    return {pair: better.get(frozenset(pair), "") for pair in pairs}


def letter_display(systems: Sequence[str], groups: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return each system's letters: systems that share a letter do not differ significantly.

    Parameters
    ----------
    systems
        Names, best first.
    groups
        The largest sets of systems of which no two differ significantly.

    Notes
    -----
    Piepho 2004, Journal of Computational and Graphical Statistics 13:456–466. After 26 letters
    come a1, b1 and so on.

    Examples
    --------
    >>> letter_display(["a", "b", "c", "d"], [["a", "b"], ["b", "c"]])
    {'a': 'a', 'b': 'ab', 'c': 'b', 'd': 'c'}
    """
    grouped = [set(group) for group in groups]
    alone = [{name} for name in systems if not any(name in group for group in grouped)]
    place = {name: k for k, name in enumerate(systems)}
    sets = sorted([*grouped, *alone], key=lambda group: sorted(place[name] for name in group))
    signs = [ascii_lowercase[k % 26] + str(k // 26 or "") for k in range(len(sets))]
    return {
        name: "".join(sign for sign, group in zip(signs, sets, strict=True) if name in group)
        for name in systems
    }


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _others(names: Sequence[str], all_others: int) -> str:
    """Return names that share a fate, or how many of the others they are."""
    number = len(names)
    if number == 1:
        return names[0]
    spelt = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    if number == all_others:
        return "both others" if number == 2 else f"all {spelt} others"
    return f"the other {spelt}"


def answer(
    systems: Sequence[str], edges: Iterable[Edge], quantity: str = "", *, best: int = 1
) -> list[str]:
    """Return the significant differences in sentences, the first about the best system.

    Parameters
    ----------
    systems
        All names, best first.
    edges
        Pairs (better, worse).
    quantity
        What the best system reaches, as ``F1 0.850``.
    best
        The number of systems that reach it: of equals none is the best.

    Returns
    -------
    list of str
        Sentences. Systems without an edge between them are *not significantly different*, never
        *equal*.

    Examples
    --------
    >>> answer(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "d")], "F1 0.850")
    ['a scores best (F1 0.850); b is not significantly different.', 'The other two are significantly worse.']
    >>> answer(["a", "b", "c"], [("a", "b"), ("a", "c")])
    ['a scores best; both others are significantly worse.']
    >>> answer(["a", "b", "c"], [])
    ['a scores best, but no difference is significant.']
    >>> answer(["a", "b"], [], "F1 0.850", best=2)
    ['a and b score the same (F1 0.850).']
    """  # noqa: E501  # a doctest's output is one line
    arrows = set(edges)
    leaders, rivals = systems[:best], systems[best:]
    reached = f"{enumeration(leaders)} score{'s' if best == 1 else ''} best"
    if not rivals:
        reached = f"{enumeration(leaders)} score the same"
    if quantity:
        reached += f" ({quantity})"
    if not rivals:
        return [f"{reached}."]
    if not arrows:
        return [f"{reached}, but no difference is significant."]
    beaten_by = {name: [s for s in leaders if (s, name) in arrows] for name in rivals}
    worse = [name for name in rivals if len(beaten_by[name]) == best]
    open_rivals = [name for name in rivals if not beaten_by[name]]
    sentences = [
        f"{name} is significantly worse than {enumeration(better)} only."
        for name, better in beaten_by.items()
        if 0 < len(better) < best
    ]
    are_worse = (
        f"{_others(worse, len(rivals))} {'is' if len(worse) == 1 else 'are'} significantly worse."
    )
    if worse and len(worse) == len(rivals):
        return [f"{reached}; {are_worse}"]
    if worse:
        capital = are_worse if len(worse) == 1 else are_worse[0].upper() + are_worse[1:]
        sentences.insert(0, capital)
    if not open_rivals:
        return [f"{reached}.", *sentences]
    verb = "is" if len(open_rivals) == 1 else "are"
    first = f"{reached}; {enumeration(open_rivals)} {verb} not significantly different."
    return [first, *sentences]


def assumption(unit: str) -> str:
    """Return the sentence on the assumption of tests without clusters."""
    return f"The tests assume independent {unit}."


#: Of so many others at most each is named.
_NAMED = 6


def answer_focus(
    system: str, systems: Sequence[str], edges: Iterable[Edge], same: Collection[str] = ()
) -> list[str]:
    """Say how one system does against each other; the others were not compared with each other.

    Of many, given best first, only the neighbours are named; of few, those that are right in the `same` cases.

    Examples
    --------
    >>> answer_focus("a", ["a", "b", "c"], [("a", "b")])
    ['a is significantly better than b; not significantly different from c.']
    >>> answer_focus("d", list("abcdefgh"), [("a", "d"), ("b", "d"), ("d", "g"), ("d", "h")])[0]
    'd is significantly better than 2 of 7 systems, worse than 2, and not significantly different from 3.'
    """  # noqa: E501  # a doctest's output is one line
    arrows = set(edges)
    rivals = [name for name in systems if name != system]
    better = [name for name in rivals if (system, name) in arrows]
    worse = [name for name in rivals if (name, system) in arrows]
    open_rivals = [name for name in rivals if name not in better and name not in worse]
    if len(open_rivals) == len(rivals) > _NAMED:
        return [f"{system} is not significantly different from any of {len(rivals)} systems."]
    if len(rivals) > _NAMED:
        sentences = [f"{system} is {_counts(len(better), len(worse), len(open_rivals))}."]
        if worse and better:
            sentences.append(
                f"{worse[-1]} is the nearest that is significantly better than {system}, "
                f"{better[0]} the nearest that is significantly worse."
            )
        return sentences
    clauses = []
    if better:
        clauses.append(f"significantly better than {enumeration(better)}")
    if worse:
        clauses.append(f"significantly worse than {enumeration(worse)}")
    if alike := [name for name in rivals if name in same]:
        clauses.append(f"right in the same cases as {enumeration(alike)}")
    if unlike := [name for name in open_rivals if name not in same]:
        clauses.append(f"not significantly different from {enumeration(unlike)}")
    return [f"{system} is {'; '.join(clauses)}."]


def _counts(better: int, worse: int, undecided: int) -> str:
    """Say than how many systems one is better, and than how many worse; of none, nothing.

    Examples
    --------
    >>> _counts(12, 0, 0)
    'significantly better than all 12 systems'
    >>> _counts(8, 11, 0)
    'significantly better than 8 of 19 systems and worse than 11'
    >>> _counts(0, 8, 2)
    'significantly worse than 8 of 10 systems and not significantly different from 2'
    """
    total = better + worse + undecided
    numbers = [
        ("better than", better),
        ("worse than", worse),
        ("not significantly different from", undecided),
    ]
    (verdict, number), *further = [pair for pair in numbers if pair[1]]
    if not further:
        return f"significantly {verdict} all {total} systems"
    *middle, last = [f"{verdict} {number}" for verdict, number in further]
    comma = "," if middle else ""
    first = f"significantly {verdict} {number} of {total} systems"
    return f"{', '.join([first, *middle])}{comma} and {last}"


def drawn_edges(edges: Iterable[Edge]) -> tuple[list[Edge], bool]:
    """Return the arrows to draw, and whether some were left out because others imply them.

    A transitive graph is drawn by its transitive reduction, from which every arrow can be read
    off as a path; a graph that is not transitive, or has cycles, is drawn whole.

    Examples
    --------
    >>> drawn_edges([("a", "b"), ("b", "c"), ("a", "c")])
    ([('a', 'b'), ('b', 'c')], True)
    >>> drawn_edges([("a", "b"), ("b", "c")])
    ([('a', 'b'), ('b', 'c')], False)
    """
    whole = set(edges)
    after = grouped(whole)
    implied = {(a, c) for a, b in whole for c in after.get(b, ())}
    transitive = implied <= whole
    has_cycle = any(a == b for a, b in whole)
    if not transitive or has_cycle:
        return sorted(whole), False
    return sorted(whole - implied), bool(implied)
