"""How similar the right and the wrong correspondences are, system by system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .style import COLOURS, figure_style, short

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evaluation.curves import Curve

#: Width of a bar.
BINS = 20
_COLUMNS = 3


def draw_similarities(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw how the confidences of right (up) and of wrong (down) correspondences lie.

    Parameters
    ----------
    curves
        `evaluation.curves.curve` of each system, by name: a panel each, in this order.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        All panels have the same axes. A bar is .05 wide; the last one holds confidence 1.

    Examples
    --------
    >>> from evaluation.curves import curve
    >>> from ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_similarities({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> len(figure.axes)
    1
    """
    import numpy as np
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.ticker import FuncFormatter

    columns = min(_COLUMNS, len(curves))
    rows = -(-len(curves) // columns)
    edges = np.linspace(0, 1, BINS + 1)
    with figure_style():
        figure = NewFigure(figsize=(2.3 * columns + 0.5, 1.5 * rows + 0.7), layout="constrained")
        panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes, (name, curve) in zip(panels.flat, curves.items(), strict=False):
            right = curve.correct > 0
            for chosen, sign, colour in ((right, 1, COLOURS[0]), (~right, -1, COLOURS[1])):
                heights = np.histogram(curve.confidence[chosen], edges)[0]
                axes.bar(edges[:-1], sign * heights, 0.9 / BINS, align="edge", color=colour)
            axes.axhline(0, color="black", linewidth=0.6)
            axes.set_title(short(name), fontsize=8.5)
            counts = f"{int(right.sum())} right, {int((~right).sum())} wrong"
            axes.text(0.03, 0.9, counts, transform=axes.transAxes, fontsize=6.5, color="0.3")
            axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{abs(y):g}"))
            axes.set_xlim(0, 1)
            axes.set_xticks((0, 0.25, 0.5, 0.75, 1), ("0", ".25", ".5", ".75", "1"))
        for axes in panels.flat[len(curves) :]:
            axes.set_visible(False)
        figure.supxlabel("similarity", fontsize=9)
        figure.supylabel("wrong (down)   right (up)", fontsize=9)
        if title:
            figure.suptitle(title, fontsize=10)
    return figure
