"""A similarity matrix as a picture: what is near what, what was assigned, and what is right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ontologies.common.wording import short

from .style import COLOURS, figure_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

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
    import numpy as np
    from matplotlib.figure import Figure as NewFigure
    from matplotlib.patches import Rectangle

    from experiments.errors import ExperimentError

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
        figure = NewFigure(figsize=(width, height))
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
