"""Diagrams of a ranking of systems.

The "outperforms" graph: systems in layers, best on top, an arrow from better to worse. The
critical-difference diagram: mean ranks on an axis, bars over systems that do not differ
significantly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from alignrank.common.names import count, short_names
from alignrank.evaluation.ranking import Edge, drawn_edges

from .style import COLOURS, Drawing, Style, figure_style, write_note

#: Where a picture of the graph puts something.
Point = tuple[float, float]


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
    shown = short_names(name for layer in layers for name in layer)
    longest = max(map(len, shown.values()), default=1)
    box = max(1.0, 0.085 * longest + 0.35)
    places, routes = layout(layers, arrows, box=box, lane=0.3, gap=0.35)
    sides = [x + side for x, _ in places.values() for side in (-box / 2, box / 2)]
    sides += [x for route in routes for x, _ in route]
    x_left, x_right = min(sides), max(sides)
    note = "no significant difference"
    if edges:
        differences = count(len(edges), "significant difference")
        note = f"{differences}; an arrow points from better to worse"
    if reduced:
        note += "\n(arrows that follow from others are not drawn)"
    with figure_style():
        figure = Drawing(figsize=(max(3.6, x_right - x_left + 1.0), 0.9 * len(layers) + 0.8))
        axes = figure.add_subplot()
        axes.set_axis_off()
        for route in routes:
            _arrow(axes, [(x, -layer) for x, layer in route])
        for name, (x, layer) in places.items():
            _box(axes, shown[name], x, -layer, box, (scores or {}).get(name, ""))
        write_note(axes, (x_left + x_right) / 2, -len(layers) + 0.5, note, ha="center")
        axes.set_xlim(x_left - 0.4, x_right + 0.4)
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
    axes.text(x, y + (0.07 if score else 0), name, ha="center", va="center", zorder=3)
    if score:
        axes.text(x, y - 0.1, score, ha="center", va="center", fontsize=6.5, color="0.3", zorder=3)


#: Distances in axis units: between bars, between names, and from the axis to the first bar.
_BAR, _NAME, _GAP = 0.22, 0.32, 0.3


def segments(
    mean_ranks: Mapping[str, float], group: Sequence[str]
) -> list[tuple[float, float, bool]]:
    """Return the pieces of a group's bar: (from, to, whether no outsider lies between).

    A group of systems of which no two differ significantly need not be neighbours on the axis: a
    bar that ran through would take in systems that do differ.

    Examples
    --------
    >>> segments({"a": 1.0, "b": 2.0, "c": 3.0}, ["a", "b"])
    [(1.0, 2.0, True)]
    >>> segments({"a": 1.0, "b": 2.0, "c": 3.0}, ["a", "c"])
    [(1.0, 3.0, False)]
    """
    members = sorted(mean_ranks[name] for name in group)
    outsiders = [rank for name, rank in mean_ranks.items() if name not in group]
    return [
        (low, high, not any(low < rank < high for rank in outsiders))
        for low, high in pairwise(members)
    ]


def bar_rows(
    mean_ranks: Mapping[str, float], groups: Iterable[Sequence[str]]
) -> list[list[Sequence[str]]]:
    """Return the groups of two and more systems in rows in which no two bars overlap.

    Examples
    --------
    >>> bar_rows({"a": 1, "b": 2, "c": 3, "d": 4}, [["a", "b"], ["b", "c"], ["c", "d"]])
    [[['a', 'b'], ['c', 'd']], [['b', 'c']]]
    """

    def ends(group: Sequence[str]) -> tuple[float, float]:
        ranks = [mean_ranks[name] for name in group]
        return min(ranks), max(ranks)

    rows: list[list[Sequence[str]]] = []
    for group in sorted((group for group in groups if len(group) > 1), key=ends):
        for row in rows:
            if ends(row[-1])[1] < ends(group)[0]:
                row.append(group)
                break
        else:
            rows.append([group])
    return rows


def draw_critical_difference(
    mean_ranks: Mapping[str, float],
    groups: Iterable[Sequence[str]],
    *,
    critical_difference: float | None = None,
    title: str = "",
) -> Figure:
    """Draw mean ranks and the largest groups of systems that do not differ significantly.

    Parameters
    ----------
    mean_ranks
        Mean rank by system; 1 is best and stands on the left.
    groups
        Maximal non-significant groups, as a study has them. A bar has a dot for each member; it
        is dotted where it passes a system that is not in the group.
    critical_difference
        Nemenyi's, drawn as a ruler above the axis. Leave it out where another test made the
        groups.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        Save it with `alignrank.experiments.report.figures.style.save`.

    Examples
    --------
    >>> figure = draw_critical_difference({"a": 1.2, "b": 1.8, "c": 3.0}, [["a", "b"], ["c"]])
    >>> len(figure.axes)
    1
    """
    order = sorted(mean_ranks, key=lambda name: (mean_ranks[name], name))
    rows = bar_rows(mean_ranks, groups)
    low = math.floor(min(mean_ranks.values()))
    high = max(math.ceil(max(mean_ranks.values())), low + 1)
    half = math.ceil(len(order) / 2)
    first_name = -(_GAP + _BAR * len(rows) + 0.15)
    bottom = first_name - _NAME * (half - 1)
    top = 0.5
    if critical_difference:
        top = 1.0
    shown = short_names(order)
    longest = max(map(len, shown.values()))
    with figure_style():
        figure = Drawing(figsize=(4.6 + 0.16 * longest, 0.9 * (top - bottom) + 0.5))
        axes = figure.add_subplot()
        axes.set_axis_off()
        _axis(axes, low, high)
        if critical_difference:
            half_length = critical_difference / 2
            middle = low + half_length
            axes.errorbar(middle, 0.66, xerr=half_length, color="0.35", linewidth=1, capsize=3)
            text = f"CD = {critical_difference:.3f}"
            axes.text(middle, 0.74, text, ha="center", va="bottom", fontsize=7)
        for r, row in enumerate(rows):
            for group in row:
                _bar(axes, mean_ranks, group, -_GAP - _BAR * r)
        margin = 0.06 * (high - low)
        for i, name in enumerate(order):
            is_left = i < half
            depth, edge = len(order) - 1 - i, high + margin
            if is_left:
                depth, edge = i, low - margin
            _name(axes, shown[name], mean_ranks[name], first_name - _NAME * depth, edge, is_left)
        axes.set_xlim(low - 2 * margin, high + 2 * margin)
        axes.set_ylim(bottom - 0.8, top)
        note = "mean ranks, 1 is best; a bar joins systems of which no two differ significantly"
        write_note(axes, (low + high) / 2, bottom - 0.5, note, ha="center")
        axes.set_title(title)
    return figure


def _axis(axes: Axes, low: int, high: int) -> None:
    axes.plot([low, high], [0, 0], color="black", linewidth=1)
    # at most about ten ticks, whatever the number of systems
    step = math.ceil((high - low) / 10)
    for tick in range(low, high + 1, step):
        axes.plot([tick, tick], [0, 0.09], color="black", linewidth=1)
        axes.text(tick, 0.14, str(tick), ha="center", va="bottom", fontsize=8)


def _bar(axes: Axes, mean_ranks: Mapping[str, float], group: Sequence[str], y: float) -> None:
    for start, end, whole in segments(mean_ranks, group):
        style: Style = {"linewidth": 1.4, "linestyle": (0, (1, 1.5))}
        if whole:
            style = {"linewidth": 2.6, "linestyle": "-"}
        axes.plot([start, end], [y, y], color=COLOURS[0], solid_capstyle="butt", zorder=3, **style)
    ranks = [mean_ranks[name] for name in group]
    axes.plot(ranks, [y] * len(ranks), "o", color=COLOURS[0], markersize=4.2, zorder=4)


def _name(axes: Axes, name: str, rank: float, y: float, edge: float, is_left: bool) -> None:
    axes.plot([rank, rank, edge], [0, y, y], color="0.55", linewidth=0.8, zorder=1)
    words, side = f" ({rank:.2f}) {name}", "left"
    if is_left:
        words, side = f"{name} ({rank:.2f}) ", "right"
    axes.text(edge, y, words, ha=side, va="center", fontsize=8)


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

    def last_place(arrow: Edge) -> float:
        """Return the place of the arrow's last lane; of the system that it leaves without one."""
        if lanes[arrow]:
            return lanes[arrow][-1][0]
        return places[arrow[0]][0]

    def pull(item: str | Edge) -> float:
        """Return the mean place of the arrows that lead here; a lane follows its own arrow."""
        if isinstance(item, tuple):
            return last_place(item)
        above = [last_place(arrow) for arrow in arrows if arrow[1] == item and arrow[0] in places]
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
