"""The graph of who outperforms whom as plain SVG text, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from .layout import Edge, Point, drawn_edges, layout

_LAYER, _LANE, _GAP = 74, 22, 22  # pixels: from layer to layer, a lane's width, between the boxes
_HALF = 20  # of a box's height
_LONGEST = 26


def graph_svg(
    layers: Sequence[Sequence[str]],
    edges: Sequence[Edge],
    *,
    notes: Mapping[str, str] | None = None,
) -> str:
    """Return the graph of significant differences as an SVG element.

    Parameters
    ----------
    layers
        Names by layer, best first.
    edges
        Pairs (better, worse); those that others imply are not drawn.
    notes
        A second line of text under each name.

    Returns
    -------
    str
        Its lines and text have the colour of the text around it, so that it suits a dark page.

    Examples
    --------
    >>> picture = graph_svg([["a"], ["b"]], [("a", "b")])
    >>> picture[:4], picture.count("<rect"), picture.count("marker-end")
    ('<svg', 2, 1)
    """
    arrows, _ = drawn_edges(edges)
    names = [name for layer in layers for name in layer]
    longest = max((len(_short(name)) for name in names), default=1)
    note = max(map(len, (notes or {}).values()), default=0)
    box = max(36 + 7.2 * longest, 16 + 6 * note)
    places, routes = layout(layers, arrows, box=box, lane=_LANE, gap=_GAP)
    across = [x for x, _ in places.values()] + [x for route in routes for x, _ in route]
    left, right = min(across) - box / 2 - 34, max(across) + box / 2 + 4
    height = _LAYER * (len(layers) - 1) + 2 * _HALF + 8
    size = f'width="{right - left:.0f}" height="{height}"'
    view = f'viewBox="{left:.1f} {-_HALF - 4} {right - left:.1f} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Who outperforms whom" '
        f'{size} {view} style="max-width:100%;height:auto" font-family="sans-serif">',
        '<defs><marker id="alignrank-tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="currentColor"/></marker>'
        "</defs>",
    ]
    parts += [_arrow(route) for route in routes]
    parts += [_text(left + 12, k * _LAYER + 4, str(k + 1), 11) for k in range(len(layers))]
    parts += [_box(name, *places[name], box, (notes or {}).get(name, "")) for name in names]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _arrow(route: Sequence[Point]) -> str:
    """Draw from the lower edge of the first box to the upper edge of the last."""
    down = [(x, y * _LAYER) for x, y in route]
    points = [(down[0][0], down[0][1] + _HALF)]
    points += [(x, y + dy) for x, y in down[1:-1] for dy in (-_HALF, _HALF)]
    points.append((down[-1][0], down[-1][1] - _HALF - 2))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (y1 + y2) / 2
        bent = len(points) > 2 and x1 != x2
        curve = f"C{x1:.1f} {half:.1f} {x2:.1f} {half:.1f} " if bent else "L"
        path += f"{curve}{x2:.1f} {y2:.1f}"
    return (
        f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity=".65" '
        'stroke-width="1.3" marker-end="url(#alignrank-tip)"/>'
    )


def _box(name: str, x: float, y: float, width: float, note: str) -> str:
    middle = y * _LAYER
    return (
        f'<g><title>{escape(name)}</title><rect x="{x - width / 2:.1f}" y="{middle - _HALF:.1f}" '
        f'width="{width:.1f}" height="{2 * _HALF}" rx="6" fill="#0072b2" fill-opacity=".1" '
        f'stroke="#0072b2"/>{_text(x, middle + (-2 if note else 5), _short(name), 13)}'
        f"{_text(x, middle + 13, note, 10.5) if note else ''}</g>"
    )


def _text(x: float, y: float, text: str, size: float) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="currentColor" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _short(name: str) -> str:
    """Return a name on one line, without signs that cannot be seen, its middle left out if long."""
    whole = "".join(c for c in " ".join(name.split()) if c.isprintable())
    if len(whole) <= _LONGEST:
        return whole
    return f"{whole[: _LONGEST // 2]}…{whole[-(_LONGEST // 2 - 1) :]}"
