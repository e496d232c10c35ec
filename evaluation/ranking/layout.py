"""The graph of who outperforms whom, laid out in layers: which arrows to draw, and where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from .graph import Edge

Point = tuple[float, float]


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
    transitive, has_cycle = implied <= whole, any(a == b for a, b in whole)
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
