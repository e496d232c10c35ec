"""A report as plain text."""

from __future__ import annotations

from collections.abc import Sequence

from .html import Report, Table


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows under a header: words at the left edge of their column, numbers at the right.

    Examples
    --------
    >>> print(aligned(["system", "F1"], [["a", "0.9"], ["longer", "0.85"]]))
    system    F1
    a        0.9
    longer  0.85
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numbers = [all(cell[:1] in "0123456789-−–" for cell in column[1:]) for column in columns]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in (header, *rows)
    )


def as_text(report: Report) -> str:
    """Return title, answer, tables and warnings of a report."""
    blocks = [report.title, *report.answer]
    blocks += [text for table in report.tables for text in _table(table)]
    return "\n\n".join([*blocks, *report.warnings])


def _table(table: Table) -> list[str]:
    text = f"{table.title}\n{aligned(table.header, table.rows)}"
    return [text, table.note] if table.note else [text]
