"""How similar the right and the wrong correspondences are, system by system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ontologies.common.wording import count, short

from .curves import best_first
from .style import COLOURS, figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluation.measures.curves import Curve

#: Number of bars from 0 to 1.
BINS = 20
#: How much of a row its tallest bars may fill, up and down.
_HEIGHT = 0.45


def draw_similarities(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw how the confidences of right (up) and of wrong (down) correspondences lie.

    Parameters
    ----------
    curves
        `evaluation.measures.curves.curve` of each system, by name: a row each, that of the largest
        F1 first.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        All rows have one scale. A bar is .05 wide; the last one holds confidence 1.

    Examples
    --------
    >>> from evaluation.measures.curves import curve
    >>> from ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_similarities({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1 right', '1 wrong', 'right up, wrong down; the tallest bar is 1 correspondence']
    """
    import numpy as np
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure as NewFigure

    curves = {name: curves[name] for name in best_first(curves)}
    edges = np.linspace(0, 1, BINS + 1)
    rights = [curve.correct > 0 for curve in curves.values()]
    counts = [
        [np.histogram(curve.confidence[chosen], edges)[0] for chosen in (right, ~right)]
        for curve, right in zip(curves.values(), rights, strict=True)
    ]
    tallest = int(np.max(counts, initial=1))
    # All in one chart: a chart for each row would take some times as long to draw.
    with figure_style():
        figure = NewFigure(figsize=(5.2, 0.62 * len(curves) + 0.8))
        axes = figure.add_subplot()
        for side, (name, sign, ink) in enumerate(
            (("right", -1, COLOURS[0]), ("wrong", 1, COLOURS[1]))
        ):
            bars = [
                _bar(edges[k], row, sign * _HEIGHT * of_system[side][k] / tallest)
                for row, of_system in enumerate(counts)
                for k in np.flatnonzero(of_system[side])
            ]
            axes.add_collection(PolyCollection(bars, facecolor=ink))
            for row, right in enumerate(rights):
                number = int(right.sum()) if name == "right" else int((~right).sum())
                axes.text(
                    1.02, row + sign * 0.17, f"{number} {name}", va="center", fontsize=7, color=ink
                )
        axes.hlines(range(len(curves)), 0, 1, color="black", linewidth=0.6)
        axes.set(xlim=(0, 1), ylim=(len(curves) - 0.5, -0.5), xlabel="similarity")
        axes.set_yticks(range(len(curves)), [short(name) for name in curves])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x", color="0.92")
        axes.set_axisbelow(True)
        note = f"right up, wrong down; the tallest bar is {count(tallest, 'correspondence')}"
        axes.text(0, 1.01, note, fontsize=7, color="0.35", va="bottom", transform=axes.transAxes)
        axes.set_title(title, pad=16)
    return figure


def _bar(left: float, base: float, height: float) -> list[tuple[float, float]]:
    """Return the corners of a bar."""
    right = left + 0.9 / BINS
    return [(left, base), (left, base + height), (right, base + height), (right, base)]
