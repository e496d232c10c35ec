"""Results as small HTML tables, for notebooks and pages; all text in them is escaped."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

#: Longer texts are cut in a notebook; rows beyond the first few are only counted.
LONGEST, ROWS = 80, 10


def html_table(
    caption: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    strong: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table element.

    Parameters
    ----------
    caption
        What it shows.
    header
        Names of the columns.
    rows
        Text of the cells; each keeps its writing direction to itself.
    numbers
        Indices of the columns to set flush right.
    strong
        (row, column) of the cells to stand out.

    Examples
    --------
    >>> "<b>" in html_table("", ["name"], [["<b>bold</b>"]])
    False
    """

    def cell(i: int, k: int, text: str) -> str:
        inner = f"<bdi>{escape(text)}</bdi>"
        inner = f"<strong>{inner}</strong>" if (i, k) in strong else inner
        return f'<td style="text-align:{"right" if k in numbers else "left"}">{inner}</td>'

    head = "".join(f'<th scope="col"><bdi>{escape(name)}</bdi></th>' for name in header)
    body = "\n".join(
        f"<tr>{''.join(cell(i, k, text) for k, text in enumerate(row))}</tr>"
        for i, row in enumerate(rows)
    )
    return (
        f"<table>\n<caption><bdi>{escape(caption)}</bdi></caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
    )


def preview(
    caption: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    total: int | None = None,
) -> str:
    """Return a table for a notebook: the first rows, with long texts cut.

    Parameters
    ----------
    caption, header, rows, numbers
        As for `html_table`.
    total
        Number of all rows, where `rows` does not hold them all.

    Examples
    --------
    >>> preview("", ["n"], [[str(n)] for n in range(12)]).count("<tr>")
    12
    """
    shown = [[_cut(text) for text in row] for row in rows[:ROWS]]
    more = (len(rows) if total is None else total) - len(shown)
    if more > 0:
        shown.append([f"… and {more} more", *("" for _ in header[1:])])
    return html_table(_cut(caption), [_cut(name) for name in header], shown, numbers=numbers)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
