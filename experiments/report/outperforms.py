"""The "outperforms" graph: systems in layers, best on top, an arrow from better to worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .style import COLOURS, figure_style, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Edge = tuple[str, str]
Point = tuple[float, float]


def drawn_edges(edges: Iterable[Edge]) -> tuple[list[Edge], bool]:
    """Return the arrows to draw, and whether some were left out because others imply them.

    A transitive graph is drawn by its transitive reduction, from which every arrow can be read
    off as a path; a graph that is not transitive is drawn whole.

    Examples
    --------
    >>> drawn_edges([("a", "b"), ("b", "c"), ("a", "c")])
    ([('a', 'b'), ('b', 'c')], True)
    >>> drawn_edges([("a", "b"), ("b", "c")])
    ([('a', 'b'), ('b', 'c')], False)
    """
    import networkx as nx

    graph = nx.DiGraph(sorted(edges))
    whole = sorted(graph.edges)
    if set(nx.transitive_closure_dag(graph).edges) != set(whole):
        return whole, False
    reduced = sorted(nx.transitive_reduction(graph).edges)
    return reduced, len(reduced) < len(whole)


def draw_outperforms(
    layers: Sequence[Sequence[str]],
    edges: Iterable[Edge],
    *,
    title: str = "",
    scores: Mapping[str, str] | None = None,
) -> Figure:
    """Draw the graph of significant differences.

    Parameters
    ----------
    layers
        Names by layer, best first: a layer's systems are pairwise not significantly different.
    edges
        Pairs (better, worse).
    title
        Heading.
    scores
        A second line of text under each name.

    Returns
    -------
    matplotlib.figure.Figure
        Arrows that other arrows imply (by transitivity) are left out, and a note says so.

    Examples
    --------
    >>> figure = draw_outperforms([["a"], ["b", "c"]], [("a", "b"), ("a", "c")], title="ifp")
    >>> len(figure.axes)
    1
    """
    from matplotlib.figure import Figure as NewFigure

    edges = list(edges)
    arrows, reduced = drawn_edges(edges)
    longest = max((len(short(name)) for layer in layers for name in layer), default=1)
    box = max(1.0, 0.085 * longest + 0.35)
    routes, places = _layout(layers, arrows, box)
    left = min(x for x, _ in places.values()) - box / 2
    right = max(x for x, _ in places.values()) + box / 2
    note = "no significant difference"
    if edges:
        note = f"{len(edges)} significant differences; an arrow points from better to worse"
    if reduced:
        note += "\n(arrows that follow from others are not drawn)"
    with figure_style():
        figure = NewFigure(figsize=(max(3.6, right - left + 1.0), 0.9 * len(layers) + 0.8))
        axes = figure.add_subplot()
        axes.set_axis_off()
        for route in routes:
            _arrow(axes, route)
        for name, (x, y) in places.items():
            _box(axes, name, x, y, box, (scores or {}).get(name, ""))
        for k in range(len(layers)):
            axes.text(left - 0.3, -k, str(k + 1), ha="right", va="center", color="0.45")
        middle = (left + right) / 2
        note_y = -len(layers) + 0.5
        axes.text(middle, note_y, note, ha="center", va="top", fontsize=7, color="0.35")
        axes.set_xlim(left - 0.6, right + 0.4)
        axes.set_ylim(-len(layers) + 0.1, 0.5)
        axes.set_title(title)
    return figure


def _layout(
    layers: Sequence[Sequence[str]], arrows: list[Edge], box: float
) -> tuple[list[list[Point]], dict[str, Point]]:
    """Place the systems layer by layer; an arrow over several layers gets a lane of its own.

    Each layer is ordered by the mean place of what points to it (Sugiyama's barycentre rule), the
    lanes of passing arrows among them, so that no arrow runs behind a box.
    """
    layer_of = {name: k for k, layer in enumerate(layers) for name in layer}
    places: dict[str, Point] = {}
    routes: dict[Edge, list[Point]] = {arrow: [] for arrow in arrows}

    def pull(item: str | Edge) -> float:
        """Mean place of what leads here; a lane follows its own arrow."""
        if isinstance(item, tuple):
            return (routes[item] or [places[item[0]]])[-1][0]
        above = [(routes[a] or [places[a[0]]])[-1][0] for a in arrows if a[1] == item]
        return sum(above) / len(above) if above else 0.0

    for k, layer in enumerate(layers):
        lanes = [a for a in arrows if layer_of[a[0]] < k < layer_of[a[1]]]
        ordered: list[str | Edge] = sorted(
            [*layer, *lanes], key=lambda item: (pull(item), str(item))
        )
        widths = [0.3 if isinstance(item, tuple) else box for item in ordered]
        x = -(sum(widths) + 0.35 * (len(widths) - 1)) / 2
        for item, width in zip(ordered, widths, strict=True):
            point = (x + width / 2, -float(k))
            if isinstance(item, tuple):
                routes[item].append(point)
            else:
                places[item] = point
            x += width + 0.35
    return [[places[a[0]], *between, places[a[1]]] for a, between in routes.items()], places


def _arrow(axes: Axes, route: list[Point]) -> None:
    """Draw a smooth arrow from the lower edge of the first box to the upper edge of the last."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    points = [(route[0][0], route[0][1] - 0.21)]
    points += [(x, y + dy) for x, y in route[1:-1] for dy in (0.2, -0.2)]
    points.append((route[-1][0], route[-1][1] + 0.23))
    vertices, codes = [points[0]], [Path.MOVETO]
    for before, here in pairwise(points):
        half = (before[1] + here[1]) / 2
        if len(points) == 2 or before[0] == here[0]:
            vertices.append(here)
            codes.append(Path.LINETO)
        else:
            vertices += [(before[0], half), (here[0], half), here]
            codes += [Path.CURVE4] * 3
    axes.add_patch(
        FancyArrowPatch(
            path=Path(vertices, codes),
            arrowstyle="-|>",
            mutation_scale=9,
            linewidth=0.9,
            color="0.35",
            zorder=1,
        )
    )


def _box(axes: Axes, name: str, x: float, y: float, width: float, score: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - 0.19),
            width,
            0.38,
            boxstyle="round,pad=0.02,rounding_size=0.08",
            facecolor="#E8F1F8",
            edgecolor=COLOURS[0],
            linewidth=0.9,
            zorder=2,
        )
    )
    axes.text(x, y + (0.07 if score else 0), short(name), ha="center", va="center", zorder=3)
    if score:
        axes.text(x, y - 0.1, score, ha="center", va="center", fontsize=6.5, color="0.3", zorder=3)
