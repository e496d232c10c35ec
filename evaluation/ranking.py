"""From significant differences to a graph: its layers, ranks, answer in words and layout."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import permutations
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from alignrank.common.names import count
from alignrank.common.table import Frame, Tabular, frame

if TYPE_CHECKING:
    import networkx as nx

#: Names of two systems: the better one, the worse one.
Edge = tuple[str, str]
#: Where a picture of the graph puts something.
Point = tuple[float, float]


@dataclass(frozen=True)
class Ranking(Tabular):
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
        """Return a system's rank as text: ``2``, or ``2–4`` where it cannot be told apart."""
        return _range(*self.rank_sets[system])

    def _repr_html_(self) -> str:
        """Show the answer in words, and the systems with their layers and ranks."""
        words = f"<p><bdi>{escape(answer(self.systems, self.edges))}</bdi></p>\n"
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
        n = len(self.systems)
        names = [name for layer in self.layers for name in layer]
        return frame(
            {
                "system": names,
                "layer": [self.layer(name) for name in names],
                "rank_low": [self.rank_sets[name][0] for name in names],
                "rank_high": [self.rank_sets[name][1] for name in names],
                "better_than": [n - self.rank_sets[name][1] for name in names],
                "worse_than": [self.rank_sets[name][0] - 1 for name in names],
            }
        )


def rank(
    systems: Sequence[str],
    advantage: ArrayLike,
    adjusted: ArrayLike,
    alpha: float = 0.05,
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
    layers, cycles = _layers(beats)
    level = [next(k for k, layer in enumerate(layers) if i in layer) for i in range(n)]
    apart = ~(beats | beats.T)
    np.fill_diagonal(apart, False)

    def named(indices: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[i] for i in indices)

    def paired(matrix: NDArray[np.bool_]) -> tuple[Edge, ...]:
        return tuple((names[i], names[j]) for i, j in np.argwhere(matrix).tolist())

    return Ranking(
        systems=names,
        alpha=alpha,
        edges=paired(beats),
        layers=tuple(named(layer) for layer in layers),
        rank_sets={
            name: (1 + int(beats[:, i].sum()), n - int(beats[i].sum()))
            for i, name in enumerate(names)
        },
        groups=tuple(named(group) for group in _maximal_groups(apart)),
        unordered=paired(apart & (np.array(level)[:, None] < level)),
        cycles=tuple(named(c) for c in cycles),
    )


def _layers(beats: NDArray[np.bool_]) -> tuple[list[list[int]], list[list[int]]]:
    """Return the indices layer by layer, and the cycles, whose members share a layer."""
    n = len(beats)
    reaches = beats | np.eye(n, dtype=bool)
    for _ in range(n.bit_length()):  # chains twice as long each time
        reaches = (reaches.astype(np.int64) @ reaches) > 0
    in_circle = reaches & reaches.T
    above = reaches & ~in_circle
    depth = np.zeros(n, dtype=np.int64)
    for i in np.argsort(above.sum(axis=0), kind="stable"):  # what is above it comes before it
        depth[i] = 1 + depth[above[:, i]].max(initial=-1)
    layers = [np.flatnonzero(depth == k).tolist() for k in range(int(depth.max(initial=-1)) + 1)]
    circles = {tuple(np.flatnonzero(row).tolist()) for row in in_circle if row.sum() > 1}
    return layers, [list(circle) for circle in sorted(circles)]


def _maximal_groups(apart: NDArray[np.bool_]) -> list[list[int]]:
    """Return the largest sets of two and more systems of which no two differ."""
    import networkx as nx

    cliques = nx.find_cliques(nx.from_numpy_array(apart))
    return sorted(sorted(clique) for clique in cliques if len(clique) > 1)


def rank_ranges(systems: Iterable[str], edges: Iterable[Edge]) -> dict[str, str]:
    """Return each system's rank: 1 + how many are better, to n − how many are worse.

    Where no difference to a neighbour is significant this is an interval, so that a ranking that
    is not a weak order does not look like one.

    Examples
    --------
    >>> rank_ranges(["a", "b", "c"], [("a", "b"), ("a", "c")])
    {'a': '1', 'b': '2–3', 'c': '2–3'}
    """
    names = list(systems)
    arrows = {(better, worse) for better, worse in edges}
    wins = Counter(better for better, _ in arrows)
    losses = Counter(worse for _, worse in arrows)
    return {name: _range(1 + losses[name], len(names) - wins[name]) for name in names}


def winners(pairs: Iterable[Edge], edges: Iterable[Edge]) -> dict[Edge, str]:
    """Return for every pair of systems the better one, '' where the edges do not say.

    Examples
    --------
    >>> winners([("a", "b"), ("a", "c")], [("c", "a")])
    {('a', 'b'): '', ('a', 'c'): 'c'}
    """
    better = {frozenset(edge): edge[0] for edge in edges}
    return {pair: better.get(frozenset(pair), "") for pair in pairs}


def verdict_words(
    systems: Sequence[str], edges: Iterable[Edge], unreachable: Iterable[Edge] = ()
) -> dict[Edge, str]:
    """Return for every ordered pair what is known of the first: ``better``, ``worse`` and so on.

    Parameters
    ----------
    systems
        All names.
    edges
        Pairs (better, worse).
    unreachable
        Pairs that cannot reach significance; others without an edge are ``undecided``.

    Examples
    --------
    >>> verdict_words(["a", "b"], [("b", "a")])["a", "b"]
    'worse'
    """
    words = dict.fromkeys(permutations(systems, 2), "undecided")
    for pair in unreachable:
        words[pair] = words[pair[::-1]] = "cannot reach significance"
    for better, worse in edges:
        words[better, worse] = "better"
        words[worse, better] = "worse"
    return words


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


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


#: With more groups than this, or more systems, only the number of undecided pairs is said.
_GROUPS = 6
_GROUPED = 20
#: Of more names than the first only the second are written, and fewer of more characters.
_MANY = 12
_SOME = 6
_LONG = 160


def enumeration(names: Sequence[str]) -> str:
    """Return names as English prose writes them; of many or long ones, some and how many others.

    Examples
    --------
    >>> enumeration(["a"]), enumeration(["a", "b"]), enumeration(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    >>> enumeration([f"s{k}" for k in range(30)])
    's0, s1, s2, s3, s4, s5 and 24 others'
    >>> enumeration([60 * "-" + name for name in "abcde"])[-14:]
    'b and 3 others'
    """
    number = len(names) if len(names) <= _MANY else _SOME
    while number > 2 and len(", ".join(names[:number])) > _LONG:
        number -= 1
    if number < len(names):
        names = [*names[:number], count(len(names) - number, "other")]
    if len(names) <= 1:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


#: Fewer arrows than this, between more systems than this, are all named.
_FEW = 4


def answer(systems: Sequence[str], edges: Iterable[Edge]) -> str:
    """Say in one or two sentences what the significant differences amount to.

    Parameters
    ----------
    systems
        All names.
    edges
        Pairs (better, worse).

    Returns
    -------
    str
        "Cannot be told apart" is said of systems without an arrow between any two of them, never
        "equal".

    Examples
    --------
    >>> answer(["a", "b", "c"], [("a", "b"), ("a", "c")])
    'a is better than the other two. b and c cannot be told apart.'
    >>> answer(["a", "b", "c", "d"], [("a", "c"), ("a", "d"), ("b", "d")])
    'a and b are beaten by none. Cannot be told apart: a and b; b and c; c and d.'
    >>> answer(["a", "b", "c", "d", "e"], [("a", "e")])
    'a is better than e. No other of the 10 differences is significant.'
    >>> answer(list("abcdef"), [("a", "f"), ("b", "f"), ("c", "f"), ("d", "f")])
    'f is worse than 4 of the 5 others. No other of the 15 differences is significant.'
    >>> answer(["a", "b"], [("b", "a")])
    'b is better than a.'
    >>> answer(["a", "b"], [])
    'No difference is significant: a and b cannot be told apart.'
    """
    arrows = set(edges)
    n = len(systems)
    if not arrows:
        return f"No difference is significant: {enumeration(systems)} cannot be told apart."
    pairs = n * (n - 1) // 2
    sentences = [f"{s} is better than {t}" for s, t in permutations(systems, 2) if (s, t) in arrows]
    remaining = f"No other of the {pairs} differences is significant."
    if n == 2:
        return f"{sentences[0]}."
    if len(arrows) < _FEW < n:
        return f"{'; '.join(sentences)}. {remaining}"
    if len(losers := {t for _, t in arrows}) == 1 and n > len(arrows) + 1:
        return f"{losers.pop()} is worse than {len(arrows)} of the {n - 1} others. {remaining}"
    beats = {s: sum((s, t) in arrows for t in systems) for s in systems}
    beaten = {s: sum((t, s) in arrows for t in systems) for s in systems}
    best = [s for s in systems if not beaten[s]]
    words = {3: "the other two", 4: "the other three", 5: "the other four"}
    if not best:
        first = "Each is beaten by another."
    elif len(best) == 1 and beats[best[0]] == n - 1:
        first = f"{best[0]} is better than {words.get(n, f'all {n - 1} others')}."
    elif len(best) == 1:
        first = (
            f"{best[0]} is beaten by none and better than {beats[best[0]]} of the {n - 1} others."
        )
    else:
        first = f"{enumeration(best)} are beaten by none."
    open_pairs = pairs - len({frozenset(arrow) for arrow in arrows})
    if not open_pairs:
        return f"{first} Every difference is significant."
    groups = undecided_groups(systems, arrows) if n <= _GROUPED else []
    if len(groups) == 1:
        return f"{first} {enumeration(groups[0])} cannot be told apart."
    long = len("; ".join(map(", ".join, groups))) > 2 * _LONG
    if long or not 0 < len(groups) <= _GROUPS:
        return f"{first} {open_pairs} of the {pairs} pairs cannot be told apart."
    listed = "; ".join(enumeration(group) for group in groups)
    return f"{first} Cannot be told apart: {listed}."


#: Of so many others at most each is named.
_NAMED = 6


def answer_focus(system: str, systems: Sequence[str], edges: Iterable[Edge]) -> str:
    """Say how one system does against each other; the others were not compared with each other.

    Of many, given best first, only the neighbours are named.

    Examples
    --------
    >>> answer_focus("a", ["a", "b", "c"], [("a", "b")])
    'a is better than b; a cannot be told apart from c.'
    >>> answer_focus("d", list("abcdefgh"), [("a", "d"), ("b", "d"), ("d", "g"), ("d", "h")])
    'd stands between b and g: better than 2, worse than 2, undecided with 3 of 7.'
    """
    arrows = set(edges)
    rivals = [s for s in systems if s != system]
    better = [s for s in rivals if (system, s) in arrows]
    worse = [s for s in rivals if (s, system) in arrows]
    undecided = [s for s in rivals if s not in better and s not in worse]
    clauses = []
    if len(rivals) > _NAMED:
        where = f"between {worse[-1]} and {better[0]}" if worse and better else ""
        where = where or (f"above {better[0]}" if better else "")
        where = where or (f"below {worse[-1]}" if worse else "among all")
        return (
            f"{system} stands {where}: better than {len(better)}, worse than {len(worse)}, "
            f"undecided with {len(undecided)} of {len(rivals)}."
        )
    if better:
        clauses.append(f"{system} is better than {enumeration(better)}")
    if worse:
        clauses.append(f"{system} is worse than {enumeration(worse)}")
    if undecided:
        clauses.append(f"{system} cannot be told apart from {enumeration(undecided)}")
    return "; ".join(clauses) + "."


def undecided_groups(systems: Sequence[str], edges: Iterable[Edge]) -> list[tuple[str, ...]]:
    """Return the largest groups of systems without an arrow between any two, the best first.

    Examples
    --------
    >>> undecided_groups(["a", "b", "c"], [("c", "a")])
    [('b', 'c'), ('a', 'b')]
    """
    place = {name: k for k, name in enumerate(systems)}
    differ = np.eye(len(systems), dtype=bool)
    losses = np.zeros(len(systems), dtype=np.int64)
    for better, worse in set(edges):
        differ[place[better], place[worse]] = differ[place[worse], place[better]] = True
        losses[place[worse]] += 1
    groups = [
        (float(losses[group].mean()), tuple(systems[k] for k in group))
        for group in _maximal_groups(~differ)
    ]
    return [names for _, names in sorted(groups)]


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
    after = defaultdict(set)
    for better, worse in whole:
        after[better].add(worse)
    implied = {(a, c) for a, b in whole for c in after.get(b, ())}
    transitive = implied <= whole
    has_cycle = any(a == b for a, b in whole)
    if not transitive or has_cycle:
        return sorted(whole), False
    return sorted(whole - implied), bool(implied)


def layout(
    layers: Sequence[Sequence[str]], arrows: Sequence[Edge], *, box: float, lane: float, gap: float
) -> tuple[dict[str, Point], list[list[Point]]]:
    """Place the systems layer by layer; an arrow over several layers gets a lane of its own.

    Each layer is ordered by the mean place of what points to it (Sugiyama's barycentre rule), the
    lanes of passing arrows among them, so that no arrow runs behind a box.

    Parameters
    ----------
    layers
        Names by layer, best first.
    arrows
        Pairs (better, worse) to draw.
    box, lane, gap
        Width of a box, of a lane, and of the space between them.

    Returns
    -------
    places
        Centre of each box; y is the layer's number, from 0 downwards.
    routes
        For each arrow the points that it passes: its box, its lanes, its other box.

    Examples
    --------
    >>> places, routes = layout([["a"], ["b", "c"]], [("a", "b")], box=2, lane=0.5, gap=1)
    >>> places["a"], places["b"], places["c"], routes
    ((0.0, 0.0), (-1.5, 1.0), (1.5, 1.0), [[(0.0, 0.0), (-1.5, 1.0)]])
    """
    layer_of = {name: k for k, layer in enumerate(layers) for name in layer}
    places: dict[str, Point] = {}
    lanes: dict[Edge, list[Point]] = {arrow: [] for arrow in arrows}

    def pull(item: str | Edge) -> float:
        """Mean place of what leads here; a lane follows its own arrow."""
        if isinstance(item, tuple):
            return (lanes[item] or [places[item[0]]])[-1][0]
        above = [
            (lanes[a] or [places[a[0]]])[-1][0] for a in arrows if a[1] == item and a[0] in places
        ]
        return sum(above) / len(above) if above else 0.0

    for k, layer in enumerate(layers):
        passing = [a for a in arrows if layer_of[a[0]] < k < layer_of[a[1]]]
        ordered: list[str | Edge] = sorted(
            [*layer, *passing], key=lambda item: (pull(item), str(item))
        )
        widths = [lane if isinstance(item, tuple) else box for item in ordered]
        x = -(sum(widths) + gap * (len(widths) - 1)) / 2
        for item, width in zip(ordered, widths, strict=True):
            point = (x + width / 2, float(k))
            if isinstance(item, tuple):
                lanes[item].append(point)
            else:
                places[item] = point
            x += width + gap
    return places, [[places[a[0]], *lanes[a], places[a[1]]] for a in arrows]
