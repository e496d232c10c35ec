"""One look for all figures: fonts, sizes, colours that colour-blind readers can tell apart."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from alignrank.common.files import replacing

#: Okabe & Ito's palette (2008), black last.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")

#: Colours of lines and dots: yellow is too pale on white.
_BOLD = tuple(colour for colour in COLOURS if colour != "#F0E442")

#: Arguments of matplotlib's functions by name: Any, because every name has a type of its own.
Style = dict[str, Any]


def line(k: int) -> Style:
    """Return colour and dashes of the k-th line of a chart; 28 lines are distinguishable."""
    dashes = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
    cycle, place = divmod(k, len(_BOLD))
    return {"color": _BOLD[place], "linestyle": dashes[cycle % len(dashes)]}


def dot(k: int) -> Style:
    """Return colour, shape and size of the k-th dot of a chart; 28 dots are distinguishable."""
    cycle, place = divmod(k, len(_BOLD))
    return {"color": _BOLD[place], "marker": "os^D"[cycle % 4], "markersize": 4.5}


def write_note(axes: Axes, x: float, y: float, text: str, **style: object) -> None:
    """Write a small grey note, below its place unless a style says otherwise."""
    look: Style = {"fontsize": 7, "color": "0.35", "va": "top", **style}
    axes.text(x, y, text, **look)


class Drawing(Figure):
    """A figure that a notebook shows by itself, though it was made without `pyplot`."""

    def _repr_svg_(self) -> str:
        return svg_text(self)


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in the house style, without a display and without touching the user's settings.

    A sign that the font lacks is drawn as a box; nobody is warned of it.
    """
    settings = mpl.rc_context(
        {
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "axes.titlesize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.dpi": 100,
            "savefig.dpi": 160,
            "svg.hashsalt": "alignrank",
            "text.parse_math": False,  # a name may hold dollar signs
            "svg.fonttype": "path",
            "pdf.fonttype": 42,
        }
    )
    with settings, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def save(figure: Figure, stem: Path, formats: tuple[str, ...] = ("svg",)) -> list[Path]:
    """Write `figure` as ``stem.svg`` (``.png``, ``.pdf``): the same figure gives the same bytes.

    Parameters
    ----------
    figure
        A matplotlib figure.
    stem
        Path without ending.
    formats
        Endings: ``svg``, ``png``, ``pdf``.

    Returns
    -------
    list of pathlib.Path
        The files written.
    """
    undated = {
        "svg": {"Date": None, "Creator": None},
        "png": {"Software": None},
        "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    }
    written = []
    with figure_style():
        box = _box(figure)
        for ending in formats:
            with replacing(stem.with_name(f"{stem.name}.{ending}")) as draft:
                figure.savefig(draft, format=ending, bbox_inches=box, metadata=undated[ending])
            written.append(stem.with_name(f"{stem.name}.{ending}"))
    return written


def svg_text(figure: Figure) -> str:
    """Return `figure` as SVG text, for a page that holds it."""
    text = io.StringIO()
    with figure_style():
        figure.savefig(text, format="svg", bbox_inches=_box(figure), metadata={"Date": None})
    return text.getvalue()


def _box(figure: Figure) -> Bbox | Literal["tight"]:
    """Return the drawn part of a figure. It is that of ``tight``, which draws all twice."""
    if figure.get_layout_engine() is not None:
        return "tight"
    return figure.get_tightbbox().padded(0.1)
