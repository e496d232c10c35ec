"""Charts of precision, recall and F1 at every threshold, of the confidences, and of power."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from alignrank.common.names import count, short_names
from alignrank.evaluation import Curve

from .style import COLOURS, Drawing, dot, figure_style, line, write_note

_NOTE = "dot: the largest F1, found by looking at the reference"
#: Number of bars from 0 to 1.
BINS = 20
#: How much of a row its tallest bars may fill, up and down.
_HEIGHT = 0.45


def draw_precision_recall(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw precision against recall at every threshold, over lines of equal F1.

    Parameters
    ----------
    curves
        `alignrank.evaluation.measures.threshold_curve.curve` of each system, by name.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        A system's line joins the points of its own confidences; a single point is a dot.

    Examples
    --------
    >>> from alignrank.evaluation.measures.threshold_curve import curve
    >>> from alignrank.ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_precision_recall({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> figure.axes[0].get_xlabel()
    'recall'
    """
    figure, axes = _square_chart(title)
    with figure_style():
        points = [point for curve in curves.values() for point in curve.points]
        left, bottom = _floor(p.recall for p in points), _floor(p.precision for p in points)
        # the lines of equal F1, each with its value where it leaves the chart: at its bottom, or at
        # its right edge
        sides = (np.linspace(start, 1, 200)[1:] for start in (left, bottom))
        recalls, precisions = np.meshgrid(*sides)
        f1, levels = 2 * precisions * recalls / (precisions + recalls), np.arange(1, 10) / 10
        lines = axes.contour(
            recalls, precisions, f1, levels, colors="0.85", linewidths=0.7, zorder=1
        )
        heights = np.maximum(bottom + 0.05 * (1 - bottom), levels / (2 - levels) + 0.02)
        places = zip(levels * heights / (2 * heights - levels), heights, strict=True)
        # the label of a line that is not in view would be set on another line
        in_view = [(recall, height) for recall, height in places if recall > left]
        axes.clabel(lines, fmt="F1 %.1f", colors="0.5", fontsize=6, manual=in_view)
        shown = short_names(curves)
        for k, name in enumerate(best_first(curves)):
            own = curves[name].points
            recall, precision = [p.recall for p in own], [p.precision for p in own]
            axes.plot(recall, precision, linewidth=1.3, zorder=3, **line(k))
            if own:
                best = curves[name].best
                label = f"{shown[name]}: F1 {best.f1:.3f} at {best.threshold:.3g}"
                axes.plot(best.recall, best.precision, linestyle="", zorder=4, **dot(k))
                # one entry of the legend shows both line and dot
                style = {"linestyle": "", **dot(k)}
                if len(own) > 1:
                    style = {**line(k), **dot(k)}
                axes.plot([], [], linewidth=1.3, label=label, **style)
        axes.set(xlim=(left, 1.01), ylim=(bottom, 1.01), xlabel="recall", ylabel="precision")
        _legend(axes, 1.13)
    return figure


def draw_power(
    curve: Sequence[tuple[int, float]], *, needed: float, power: float, unit: str
) -> Figure:
    """Draw the power of evaluations of several sizes.

    Parameters
    ----------
    curve
        Pairs of (size, power), ascending.
    needed, power
        The wanted power and the size that has it. A dot marks the size where it is finite.
    unit
        What a size counts.

    Examples
    --------
    >>> figure = draw_power([(50, 0.3), (200, 0.9)], needed=150, power=0.8, unit="items")
    >>> figure.axes[0].get_xlabel()
    'items'
    """
    figure, axes = _square_chart("")
    with figure_style():
        axes.plot(*zip(*curve, strict=True), linewidth=1.3, **line(0))
        axes.axhline(power, color="0.6", linewidth=0.8, linestyle=":")
        if math.isfinite(needed):
            label = f"{needed:.0f} {unit}: power {power:g}"
            axes.plot(needed, power, linestyle="", label=label, zorder=4, **dot(0))
            axes.legend(loc="lower right", frameon=False, fontsize=8)
        axes.set(ylim=(0, 1.01), xlabel=unit, ylabel="power (chance to find the difference)")
    return figure


def draw_threshold_sweep(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw F1 along the threshold; of a single system also precision and recall.

    Parameters
    ----------
    curves
        `alignrank.evaluation.measures.threshold_curve.curve` of each system, by name.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        Lines are steps: between two confidences nothing changes.

    Examples
    --------
    >>> from alignrank.evaluation.measures.threshold_curve import curve
    >>> from alignrank.ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_threshold_sweep({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> figure.axes[0].lines[0].get_ydata().tolist()  # precision at the thresholds 0, 0.4, 0.9
    [0.5, 0.5, 1.0]
    """
    figure, axes = _square_chart(title)
    shown, alone, measures = short_names(curves), len(curves) == 1, ["f1"]
    if alone:
        measures = ["precision", "recall", "f1"]
    with figure_style():
        drawn = [(s, m) for s in best_first(curves) if curves[s].points for m in measures]
        for k, (name, measure) in enumerate(drawn):
            rising = curves[name].points[::-1]
            threshold = [0.0, *(point.threshold for point in rising)]
            values = [getattr(point, measure) for point in (rising[0], *rising)]
            label = measure
            if measure == "f1":
                best = curves[name].best
                label = f"{'F1' if alone else shown[name]}: {best.f1:.3f} at {best.threshold:.3g}"
            # between two confidences the alignment is that of the upper one
            style = {"drawstyle": "steps-pre", "linewidth": 1.3, **line(k)}
            axes.plot(threshold, values, label=label, **style)
            if measure == "f1":
                axes.plot(best.threshold, best.f1, linestyle="", zorder=4, **dot(k))
        points = [point for curve in curves.values() for point in curve.points]
        left = _floor(point.threshold for point in points)
        bottom = _floor(getattr(point, measure) for point in points for measure in measures)
        axes.set(xlim=(left, 1.01), ylim=(bottom, 1.01), xlabel="threshold")
        axes.set_ylabel("" if alone else "F1")
        axes.grid(color="0.92")
        axes.set_axisbelow(True)
        _legend(axes, 1.0)
    return figure


def draw_similarities(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw histograms of confidences: of right correspondences up, of wrong ones down.

    Parameters
    ----------
    curves
        `alignrank.evaluation.measures.threshold_curve.curve` of each system, by name: a row each,
        that of the largest F1 first.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        All rows have one logarithmic scale. A bar is .05 wide; the last one holds confidence 1.

    Examples
    --------
    >>> from alignrank.evaluation.measures.threshold_curve import curve
    >>> from alignrank.ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_similarities({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> [text.get_text() for text in figure.axes[0].texts][:2]
    ['1 right', '1 wrong']
    """
    curves = {name: curves[name] for name in best_first(curves)}
    edges = np.linspace(0, 1, BINS + 1)
    # of each system, the confidences of right and of wrong correspondences
    confidences = [
        (curve.confidence[curve.correct > 0], curve.confidence[curve.correct <= 0])
        for curve in curves.values()
    ]
    counts = [[np.histogram(values, edges)[0] for values in sides] for sides in confidences]
    tallest = int(np.max(counts, initial=1))
    # most similarities are often 1: on a linear scale the other bars would not be seen
    heights = np.log1p(counts) / np.log1p(tallest)
    # All in one chart: a chart for each row would take some times as long to draw.
    with figure_style():
        figure = Drawing(figsize=(5.2, 0.62 * len(curves) + 0.8))
        axes = figure.add_subplot()
        # the y axis points down, so that the sign -1 is up
        for side, (name, sign, ink) in enumerate(
            (("right", -1, COLOURS[0]), ("wrong", 1, COLOURS[1]))
        ):
            bars = [
                _bar(edges[k], row, sign * _HEIGHT * heights[row, side, k])
                for row, of_system in enumerate(counts)
                for k in np.flatnonzero(of_system[side])
            ]
            axes.add_collection(PolyCollection(bars, facecolor=ink))
            for row, sides in enumerate(confidences):
                text = f"{len(sides[side])} {name}"
                axes.text(1.02, row + sign * 0.17, text, va="center", fontsize=7, color=ink)
        axes.hlines(range(len(curves)), 0, 1, color="black", linewidth=0.6)
        axes.set(xlim=(0, 1), ylim=(len(curves) - 0.5, -0.5), xlabel="similarity")
        axes.set_yticks(range(len(curves)), list(short_names(curves).values()))
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x", color="0.92")
        axes.set_axisbelow(True)
        note = "right up, wrong down; heights on a log scale, the tallest bar is "
        note += count(tallest, "correspondence")
        write_note(axes, 0, 1.01, note, va="bottom", transform=axes.transAxes)
        axes.set_title(title, pad=16)
    return figure


def _bar(x_left: float, base: float, height: float) -> list[tuple[float, float]]:
    """Return the corners of a bar."""
    x_right = x_left + 0.9 / BINS
    return [(x_left, base), (x_left, base + height), (x_right, base + height), (x_right, base)]


def _floor(values: Iterable[float]) -> float:
    """Return where an axis up to 1 begins: at a tenth below the smallest value, 0.8 at most."""
    smallest = min(values, default=0.0)
    return min(0.8, max(0.0, math.floor(10 * smallest - 0.3) / 10))


def best_first(curves: Mapping[str, Curve]) -> list[str]:
    """Return the systems in descending order of their largest F1, then by name."""
    return sorted(curves, key=lambda s: (-max((p.f1 for p in curves[s].points), default=0), s))


def _square_chart(title: str) -> tuple[Figure, Axes]:
    """Return a figure with one chart, which shows nothing yet."""
    with figure_style():
        figure = Drawing(figsize=(4.2, 4.2))
        axes = figure.add_subplot()
        axes.set_title(title)
    return figure, axes


def _legend(axes: Axes, x: float) -> None:
    """Put names and best values beside the chart, where no line can run behind them."""
    if axes.get_legend_handles_labels()[0]:
        legend = axes.legend(loc="upper left", bbox_to_anchor=(x, 1.0), frameon=False, fontsize=7.5)
        legend.set_title(_NOTE)
        legend.get_title().set_fontsize(6.5)
        legend.set_alignment("left")
