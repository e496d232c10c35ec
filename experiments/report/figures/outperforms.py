"""The "outperforms" graph: systems in layers, best on top, an arrow from better to worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from evaluation.ranking import Edge, Point, drawn_edges, layout
from ontologies.common.names import short

from .style import COLOURS, figure_style


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
    edges = list(edges)
    arrows, reduced = drawn_edges(edges)
    longest = max((len(short(name)) for layer in layers for name in layer), default=1)
    box = max(1.0, 0.085 * longest + 0.35)
    places, routes = layout(layers, arrows, box=box, lane=0.3, gap=0.35)
    left = min(x for x, _ in places.values()) - box / 2
    right = max(x for x, _ in places.values()) + box / 2
    note = "no significant difference"
    if edges:
        note = f"{len(edges)} significant differences; an arrow points from better to worse"
    if reduced:
        note += "\n(arrows that follow from others are not drawn)"
    with figure_style():
        figure = Figure(figsize=(max(3.6, right - left + 1.0), 0.9 * len(layers) + 0.8))
        axes = figure.add_subplot()
        axes.set_axis_off()
        for route in routes:
            _arrow(axes, [(x, -layer) for x, layer in route])
        for name, (x, layer) in places.items():
            _box(axes, name, x, -layer, box, (scores or {}).get(name, ""))
        for k in range(len(layers)):
            axes.text(left - 0.3, -k, str(k + 1), ha="right", va="center", color="0.45")
        middle = (left + right) / 2
        note_y = -len(layers) + 0.5
        axes.text(middle, note_y, note, ha="center", va="top", fontsize=7, color="0.35")
        axes.set_xlim(left - 0.6, right + 0.4)
        axes.set_ylim(-len(layers) + 0.1, 0.5)
        axes.set_title(title)
    return figure


def _arrow(axes: Axes, route: list[Point]) -> None:
    """Draw a smooth arrow from the lower edge of the first box to the upper edge of the last."""
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
