"""Heat maps: of all pairs of systems, and of all pairs of entities.

How significant the difference of two systems is, and the counts behind it; how similar two entities
are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from numpy.typing import ArrayLike, NDArray

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import short, short_names
from alignrank.experiments.errors import ExperimentError

from .style import COLOURS, Drawing, Style, figure_style, write_note

Matrix = Sequence[Sequence[float | None]]
#: With more systems than this the cells are small and hold no numbers.
NUMBERED = 25
#: Blue where the row is better, orange where it is worse; paler from level to level.
_BETTER = (COLOURS[0], "#5BA3D0", "#BBD9EC")
_WORSE = (COLOURS[1], "#EB9A5B", "#F6D3B5")
_UNDECIDED = "#F2F2F2"
#: Colour of a number, by whether it stands on a dark cell.
_INK = {True: "white", False: "black"}
#: Up to this many rows and columns have names; up to this many columns, cells show their value.
_NAMED, _VALUED = 80, 16
Pairs = Collection[tuple[int, int]]


def p_text(p: float) -> str:
    """Return a p-value as a small cell shows it.

    Examples
    --------
    >>> p_text(1.0), p_text(0.0421), p_text(0.0021), p_text(1e-9)
    ('1', '.042', '.002', '<.001')
    """
    if p < 0.001:
        return "<.001"
    if p >= 0.9995:
        return "1"
    return f"{p:.3f}"[1:]


def levels(alpha: float) -> tuple[float, ...]:
    """Return the levels of significance that have a shade of their own, smallest first.

    Examples
    --------
    >>> levels(0.05), levels(0.01)
    ((0.001, 0.01, 0.05), (0.001, 0.01))
    """
    return (*(level for level in (0.001, 0.01) if level < alpha), alpha)


def draw_p_values(
    systems: Sequence[str],
    p: Matrix,
    edges: Iterable[tuple[str, str]],
    *,
    alpha: float = DEFAULTS.alpha,
    title: str = "",
) -> Figure:
    """Draw a matrix of (adjusted) p-values: colour for who is better, shade for how small p is.

    Parameters
    ----------
    systems
        n names, in the order to draw them.
    p
        (n, n), symmetric; None or NaN where a pair was not compared.
    edges
        Significant differences (better, worse): only these are coloured.
    alpha
        Level of significance, the bound of the palest shade.
    title
        Heading.

    Examples
    --------
    >>> figure = draw_p_values(["a", "b"], [[None, 0.003], [0.003, None]], [("a", "b")])
    >>> sorted(text.get_text() for text in figure.axes[0].texts)
    ['.003', '.003']
    """
    arrows = set(edges)
    bounds = levels(alpha)
    better, worse = (colours[: len(bounds)] for colours in (_BETTER, _WORSE))
    figure, axes = _square(systems, title)
    fill = np.zeros((len(systems), len(systems), 4))
    with figure_style():
        for i, system in enumerate(systems):
            for j, rival in enumerate(systems):
                value = p[i][j]
                if i == j or value is None or math.isnan(value):
                    continue
                shade = next((k for k, b in enumerate(bounds) if value <= b), -1)
                colour = _UNDECIDED
                if (system, rival) in arrows:
                    colour = better[shade]
                elif (rival, system) in arrows:
                    colour = worse[shade]
                fill[i, j] = to_rgba(colour)
                if len(systems) <= NUMBERED:
                    _number(axes, i, j, p_text(value), colour in (_BETTER[0], _WORSE[0]))
        _cells(axes, fill)
        handles = [
            [Patch(color=colours[k], label=f"row {word}, p ≤ {b:g}") for k, b in enumerate(bounds)]
            for word, colours in (("better", better), ("worse", worse))
        ]
        undecided = Patch(color=_UNDECIDED, label=f"not significant, p > {bounds[-1]:g}")
        axes.legend(
            handles=[*handles[0], undecided, *handles[1]],
            loc="upper left",
            bbox_to_anchor=(0.0, -0.02),
            ncols=2,
            frameon=False,
            fontsize=7,
        )
    return figure


def draw_discordance(systems: Sequence[str], counts: Matrix, *, title: str = "") -> Figure:
    """Draw the counts that McNemar's test compares: right in one system, wrong in the other.

    Parameters
    ----------
    systems
        n names, in the order to draw them.
    counts
        (n, n): cell (i, j) counts what i has right and j wrong.
    title
        Heading.

    Examples
    --------
    >>> figure = draw_discordance(["a", "b"], [[0, 30], [5, 0]])
    >>> [text.get_text() for text in figure.axes[0].texts][:2]
    ['30', '5']
    """
    table = np.array(counts, dtype=float)
    np.fill_diagonal(table, np.nan)
    figure, axes = _square(systems, title)
    largest = max(1.0, float(np.nanmax(table, initial=1.0)))
    with figure_style():
        _cells(axes, mpl.colormaps["Blues"](np.ma.masked_invalid(table / largest)))
        if len(table) <= NUMBERED:
            for i, j in np.argwhere(~np.isnan(table)).tolist():
                _number(axes, i, j, f"{table[i, j]:g}", bool(table[i, j] > 0.6 * largest))
        note = "a cell counts what the row's system has right and the column's wrong"
        write_note(axes, 0, -0.03, note, transform=axes.transAxes)
    return figure


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
    has_names = max(n, m) <= _NAMED
    if m <= _VALUED:
        cell = 0.34
    elif has_names:
        cell = 0.17
    else:
        cell = 6.0 / max(n, m)
    with figure_style():
        figure = Drawing(figsize=(cell * m, cell * n))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.imshow(table, cmap="Greys", vmin=0, vmax=1.25, interpolation="nearest")
        axes.set_xticks([])
        axes.set_yticks([])
        if has_names:
            _name_sides(
                axes, [short(s, 28) for s in sources], [short(t, 28) for t in targets], 7, 60
            )
        if m <= _VALUED and has_names:
            for i, j in np.ndindex(n, m):
                words = f"{table[i, j]:.2f}".removeprefix("0")
                _number(axes, i, j, words, bool(table[i, j] > 0.75), 6)
        for i, j in right:
            frame = Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, color=COLOURS[0], lw=1.6)
            axes.add_patch(frame)
        size = 72 * cell * 0.8
        rows, columns = [i for i, _ in assigned], [j for _, j in assigned]
        axes.plot(
            columns, rows, "o", markersize=size, markerfacecolor="none",
            markeredgecolor=COLOURS[1], markeredgewidth=1.2,
        )  # fmt: skip
        axes.set_title(title, pad=12)
        note = "orange ring: assigned; blue frame: right by the reference"
        if assigned or right:
            write_note(axes, 0, -0.03, note, transform=axes.transAxes)
    return figure


def _name_sides(
    axes: Axes, rows: Sequence[str], columns: Sequence[str], size: float, angle: float
) -> None:
    """Write the names of the rows beside the cells, and of the columns above them."""
    upright: Style = {"rotation": angle, "ha": "left", "rotation_mode": "anchor"}
    axes.set_yticks(range(len(rows)), rows, fontsize=size)
    axes.set_xticks(range(len(columns)), columns, fontsize=size, **upright)
    axes.tick_params(length=0, labeltop=True, labelbottom=False)


def _cells(axes: Axes, fill: NDArray[np.float64]) -> None:
    """Fill the cells of an (n, n, 4) array of colours."""
    edges = np.arange(len(fill) + 1) - 0.5
    axes.pcolormesh(edges, edges, fill, edgecolor="white", linewidth=0.8)


def _number(axes: Axes, i: int, j: int, text: str, is_on_dark: bool, size: float = 7) -> None:
    # a number lies within its cell: only names and legend decide how large the figure is
    ink = _INK[is_on_dark]
    axes.text(j, i, text, ha="center", va="center", fontsize=size, color=ink, in_layout=False)


def _square(systems: Sequence[str], title: str) -> tuple[Figure, Axes]:
    """Return an empty matrix with the systems' names along both sides."""
    n = len(systems)
    names = list(short_names(systems).values())
    cell, size, angle = 0.46, 9.0, 40
    if n > NUMBERED:
        cell, size, angle = 0.17, 6.5, 65
    with figure_style():
        # the names stand outside: a saved figure includes them
        figure = Drawing(figsize=(cell * n, cell * n))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.set_aspect("equal")
        _name_sides(axes, names, names, size, angle)
        axes.spines[:].set_visible(False)
        axes.set_title(title, loc="left", pad=12)
    return figure, axes
