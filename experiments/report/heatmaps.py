"""Heat maps over pairs of systems: how significant each difference is, and the counts behind it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .style import COLOURS, figure_style, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Matrix = Sequence[Sequence[float | None]]
#: Size of a cell in inches.
_CELL = 0.46
#: Blue where the row is better, orange where it is worse; paler from level to level.
_BETTER = (COLOURS[0], "#5BA3D0", "#BBD9EC")
_WORSE = (COLOURS[1], "#EB9A5B", "#F6D3B5")
_UNDECIDED = "#F2F2F2"


def p_text(p: float) -> str:
    """Return a p-value as a small cell shows it.

    Examples
    --------
    >>> p_text(1.0), p_text(0.0421), p_text(0.0021), p_text(1e-9)
    ('1', '.042', '.002', '<.001')
    """
    if p < 0.001:
        return "<.001"
    return "1" if p >= 0.9995 else f"{p:.3f}"[1:]


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
    alpha: float = 0.05,
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
    from matplotlib.patches import Patch, Rectangle

    arrows = set(edges)
    bounds = levels(alpha)
    better, worse = (colours[: len(bounds)] for colours in (_BETTER, _WORSE))
    figure, axes = _square(systems, title)
    with figure_style():
        for i, one in enumerate(systems):
            for j, two in enumerate(systems):
                value = p[i][j]
                if i == j or value is None or math.isnan(value):
                    continue
                shade = next((k for k, b in enumerate(bounds) if value <= b), -1)
                colour = _UNDECIDED
                if (one, two) in arrows:
                    colour = better[shade]
                elif (two, one) in arrows:
                    colour = worse[shade]
                axes.add_patch(Rectangle((j - 0.48, i - 0.48), 0.96, 0.96, color=colour, lw=0))
                ink = "white" if colour in (_BETTER[0], _WORSE[0]) else "black"
                axes.text(j, i, p_text(value), ha="center", va="center", fontsize=7, color=ink)
        handles = [
            [Patch(color=colours[k], label=f"row {word}, p ≤ {b:g}") for k, b in enumerate(bounds)]
            for word, colours in (("better", better), ("worse", worse))
        ]
        undecided = Patch(color=_UNDECIDED, label="cannot be told apart")
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
    import matplotlib as mpl
    import numpy as np

    table = np.array(counts, dtype=float)
    np.fill_diagonal(table, np.nan)
    figure, axes = _square(systems, title)
    largest = max(1.0, float(np.nanmax(table, initial=1.0)))
    colours = mpl.colormaps["Blues"]
    with figure_style():
        axes.imshow(table, cmap=colours, vmin=0, vmax=largest)
        for i, j in np.argwhere(~np.isnan(table)).tolist():
            ink = "white" if table[i, j] > 0.6 * largest else "black"
            words = f"{table[i, j]:g}"
            axes.text(j, i, words, ha="center", va="center", fontsize=7, color=ink)
        note = "a cell counts what the row's system has right and the column's wrong"
        axes.text(0, -0.03, note, fontsize=7, color="0.35", va="top", transform=axes.transAxes)
    return figure


def _square(systems: Sequence[str], title: str) -> tuple[Figure, Axes]:
    """Return an empty matrix with the systems' names along both sides."""
    from matplotlib.figure import Figure as NewFigure

    n = len(systems)
    names = [short(name) for name in systems]
    margin = 0.075 * max(map(len, names), default=1) + 0.3
    with figure_style():
        figure = NewFigure(figsize=(_CELL * n + margin, _CELL * n + 0.7 * margin))
        axes = figure.add_axes((0.0, 0.0, _CELL * n / (_CELL * n + margin), 1.0))
        axes.set_xlim(-0.5, n - 0.5)
        axes.set_ylim(n - 0.5, -0.5)
        axes.set_aspect("equal")
        axes.set_yticks(range(n), names)
        axes.set_xticks(range(n), names, rotation=40, ha="left", rotation_mode="anchor")
        axes.tick_params(length=0, labeltop=True, labelbottom=False)
        axes.spines[:].set_visible(False)
        axes.set_title(title, loc="left", pad=12)
    return figure, axes
