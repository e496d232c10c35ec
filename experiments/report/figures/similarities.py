"""Similarities: of the right and the wrong correspondences, and of a pair's whole matrix."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from evaluation.measures.threshold_curve import Curve
from experiments.errors import ExperimentError
from ontologies.common.names import count, short

from .curves import best_first
from .style import COLOURS, figure_style

#: Number of bars from 0 to 1.
BINS = 20
#: How much of a row its tallest bars may fill, up and down.
_HEIGHT = 0.45


def draw_similarities(curves: Mapping[str, Curve], *, title: str = "") -> Figure:
    """Draw how the confidences of right (up) and of wrong (down) correspondences lie.

    Parameters
    ----------
    curves
        `evaluation.measures.threshold_curve.curve` of each system, by name: a row each, that of the
        largest F1 first.
    title
        Heading.

    Returns
    -------
    matplotlib.figure.Figure
        All rows have one scale. A bar is .05 wide; the last one holds confidence 1.

    Examples
    --------
    >>> from evaluation.measures.threshold_curve import curve
    >>> from ontologies import Alignment, Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> figure = draw_similarities({"mine": curve(a, Alignment([Correspondence("a", "x")]))})
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1 right', '1 wrong', 'right up, wrong down; the tallest bar is 1 correspondence']
    """
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
        figure = Figure(figsize=(5.2, 0.62 * len(curves) + 0.8))
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


Pairs = Collection[tuple[int, int]]
#: Up to this many rows and columns have names; up to this many columns, cells show their value.
_NAMED, _VALUED = 80, 16


def draw_similarity_matrix(
    matrix: ArrayLike,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    assigned: Pairs = (),
    right: Pairs = (),
    title: str = "",
) -> Figure:
    """Draw similarities as shades, with the assigned pairs ringed and the right ones framed.

    Parameters
    ----------
    matrix
        (n, m), in [0, 1].
    sources, targets
        Names of the n rows and m columns; those of larger matrices are left out.
    assigned
        (row, column) of the pairs that the assignment chose.
    right
        (row, column) of the pairs that the reference holds.
    title
        Heading.

    Raises
    ------
    ExperimentError
        If the names do not fit the matrix.

    Examples
    --------
    >>> figure = draw_similarity_matrix([[0.9, 0.1]], ["heart"], ["hart", "lung"], right=[(0, 0)])
    >>> [text.get_text() for text in figure.axes[0].texts][:2]
    ['.90', '.10']
    """
    table = np.asarray(matrix, dtype=float)
    n, m = len(sources), len(targets)
    if table.shape != (n, m):
        raise ExperimentError(
            f"matrix has the shape {table.shape}, but there are {n} sources and {m} targets"
        )
    named = max(n, m) <= _NAMED
    cell = 0.34 if m <= _VALUED else 0.17 if named else 6.0 / max(n, m)
    names = [[short(name, 28) for name in side] if named else [] for side in (sources, targets)]
    margins = [0.075 * max(map(len, side), default=2) + 0.4 for side in names]
    width, height = max(2.0, cell * m) + margins[0], max(1.0, cell * n) + margins[1]
    with figure_style():
        figure = Figure(figsize=(width, height))
        axes = figure.add_subplot()
        axes.imshow(table, cmap="Greys", vmin=0, vmax=1.25, interpolation="nearest")
        if named:
            axes.set_yticks(range(n), names[0], fontsize=7)
            axes.set_xticks(
                range(m), names[1], fontsize=7, rotation=60, ha="left", rotation_mode="anchor"
            )
        axes.tick_params(length=0, labeltop=True, labelbottom=False, top=False, bottom=False)
        if m <= _VALUED and named:
            for i, j in np.ndindex(n, m):
                words = f"{table[i, j]:.2f}".removeprefix("0")
                ink = "white" if table[i, j] > 0.75 else "black"
                axes.text(j, i, words, ha="center", va="center", fontsize=6, color=ink)
        for i, j in right:
            frame = Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, color=COLOURS[0], lw=1.6)
            axes.add_patch(frame)
        size = 72 * cell * 0.8
        rows, columns = zip(*assigned, strict=True) if assigned else ((), ())
        axes.plot(
            columns, rows, "o", markersize=size, markerfacecolor="none",
            markeredgecolor=COLOURS[1], markeredgewidth=1.2,
        )  # fmt: skip
        axes.set_title(title, pad=12)
        note = "orange ring: assigned; blue frame: right by the reference"
        if assigned or right:
            axes.annotate(
                note, (0, 0), (0, -6), xycoords="axes fraction", textcoords="offset points",
                fontsize=7, color="0.35", va="top",
            )  # fmt: skip
    return figure
