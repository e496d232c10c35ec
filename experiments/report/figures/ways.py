"""F1 of many ways to match, by metric: what the metric does and what the labels do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .style import COLOURS, figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_ways(f1: Mapping[tuple[str, str, bool], float]) -> Figure:
    """Draw one dot for each way: a line a metric, a colour a label preset, filled with synonyms.

    Parameters
    ----------
    f1
        F1 by (metric, preset, synonyms).

    Examples
    --------
    >>> figure = draw_ways({("jaro", "lower", False): 0.5, ("jaro", "lower", True): 0.6})
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['jaro']
    """
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.lines import Line2D

    metrics = list(dict.fromkeys(metric for metric, _, _ in f1))
    metrics.sort(key=lambda m: max(value for (name, _, _), value in f1.items() if name == m))
    presets = list(dict.fromkeys(preset for _, preset, _ in f1))
    colour = dict(zip(presets, COLOURS, strict=False))
    with figure_style():
        figure = NewFigure(figsize=(6.2, 0.36 * len(metrics) + 1.2))
        axes = figure.add_subplot()
        for (metric, preset, synonyms), value in f1.items():
            y = metrics.index(metric) + 0.16 * (presets.index(preset) - (len(presets) - 1) / 2)
            face = colour[preset] if synonyms else "white"
            axes.plot(value, y, "o", markersize=6, color=colour[preset], markerfacecolor=face)
        axes.set_yticks(range(len(metrics)), metrics)
        axes.set_xlabel("F1")
        axes.grid(axis="x", color="0.9")
        axes.set_axisbelow(True)
        handles = [
            Line2D([], [], marker="o", linestyle="", color=colour[p], label=p) for p in presets
        ]
        handles += [
            Line2D([], [], marker="o", linestyle="", color="0.3", label="with synonyms"),
            Line2D(
                [],
                [],
                marker="o",
                linestyle="",
                color="0.3",
                markerfacecolor="white",
                label="labels only",
            ),
        ]
        axes.legend(handles=handles, frameon=False, fontsize=7, loc="lower right")
    return figure
