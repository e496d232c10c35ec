"""What a threshold does: precision against recall, and F1 along the threshold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from evaluation.measures.threshold_curve import Curve
from ontologies.common.names import short

from .style import dot, figure_style, line

_NOTE = "dot: the largest F1, found by looking at the reference"


def draw_precision_recall(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw precision against recall at every threshold, over contours of equal F1.

    Parameters
    ----------
    curves
        `evaluation.measures.threshold_curve.curve` of each system, by name.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        Only thresholds that an alignment's confidences allow are joined; one point is one dot.

    Examples
    --------
    >>> from evaluation.measures.threshold_curve import curve
    >>> from ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_precision_recall({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> figure.axes[0].get_xlabel()
    'recall'
    """
    figure, axes = _empty(title)
    with figure_style():
        _f_contours(axes)
        for k, name in enumerate(best_first(curves)):
            points = curves[name].points
            recall, precision = [p.recall for p in points], [p.precision for p in points]
            axes.plot(recall, precision, linewidth=1.3, zorder=3, **line(k))
            if points:
                best = curves[name].best
                label = f"{short(name)}: F1 {best.f1:.3f} at {best.threshold:.3g}"
                axes.plot(best.recall, best.precision, linestyle="", zorder=4, **dot(k))
                drawn = line(k) if len(points) > 1 else {"linestyle": ""}
                axes.plot([], [], linewidth=1.3, label=label, **{**drawn, **dot(k)})
        axes.set(xlim=(0, 1.01), ylim=(0, 1.01), xlabel="recall", ylabel="precision")
        axes.set_aspect("equal")
        _legend(axes, 1.13)
    return figure


def draw_threshold_sweep(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw F1 along the threshold; of a single system also precision and recall.

    Parameters
    ----------
    curves
        `evaluation.measures.threshold_curve.curve` of each system, by name.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        Lines are steps: between two confidences nothing changes.

    Examples
    --------
    >>> from evaluation.measures.threshold_curve import curve
    >>> from ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_threshold_sweep({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> [one.get_ydata().tolist() for one in figure.axes[0].lines][0]  # precision from 0, to 0.9
    [0.5, 0.5, 1.0]
    """
    figure, axes = _empty(title)
    alone = len(curves) == 1
    with figure_style():
        measures = ("precision", "recall", "f1") if alone else ("f1",)
        drawn = [(s, m) for s in best_first(curves) if curves[s].points for m in measures]
        for k, (name, measure) in enumerate(drawn):
            rising = curves[name].points[::-1]
            threshold = [0.0, *(point.threshold for point in rising)]
            values = [getattr(point, measure) for point in (rising[0], *rising)]
            label = measure
            if measure == "f1":
                best = curves[name].best
                label = f"{'F1' if alone else short(name)}: {best.f1:.3f} at {best.threshold:.3g}"
            # between two confidences the alignment is that of the upper one
            style = {"drawstyle": "steps-pre", "linewidth": 1.3, **line(k)}
            axes.plot(threshold, values, label=label, **style)
            if measure == "f1":
                axes.plot(best.threshold, best.f1, linestyle="", zorder=4, **dot(k))
        axes.set(xlim=(0, 1.01), ylim=(0, 1.01), xlabel="threshold")
        axes.set_ylabel("" if alone else "F1")
        axes.grid(color="0.92")
        axes.set_axisbelow(True)
        _legend(axes, 1.0)
    return figure


def best_first(curves: Mapping[str, Curve]) -> list[str]:
    """Return the systems by the largest F1 that a threshold can give them."""
    return sorted(curves, key=lambda s: (-max((p.f1 for p in curves[s].points), default=0), s))


def _empty(title: str) -> tuple[Figure, Axes]:

    with figure_style():
        figure = Figure(figsize=(4.2, 4.2))
        axes = figure.add_subplot()
        axes.set_title(title)
    return figure, axes


def _f_contours(axes: Axes) -> None:
    """Draw the lines of equal F1: precision = F · recall / (2 · recall − F)."""
    for tenth in range(1, 10):
        f = tenth / 10
        recall = f / 2 + np.geomspace(f / (2 - f) - f / 2, 1 - f / 2, 60)
        axes.plot(recall, f * recall / (2 * recall - f), color="0.85", linewidth=0.7, zorder=1)
        axes.text(
            1.015, f / (2 - f), f"F1 = {f:.1f}" if tenth == 9 else f"{f:.1f}",
            fontsize=6.5, color="0.5", va="center",
        )  # fmt: skip


def _legend(axes: Axes, x: float) -> None:
    """Put names and best values beside the chart, where no line can run behind them."""
    if axes.get_legend_handles_labels()[0]:
        legend = axes.legend(loc="upper left", bbox_to_anchor=(x, 1.0), frameon=False, fontsize=7.5)
        legend.set_title(_NOTE)
        legend.get_title().set_fontsize(6.5)
        legend.set_alignment("left")
