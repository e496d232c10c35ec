"""Tables as CSV files that a spreadsheet can open without running anything in them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from ontologies.common.files import write_text


def cell(value: object) -> str:
    """Return `value` as a CSV cell: floats so that they read back exactly, NaN as nothing.

    Text that a spreadsheet would take for a formula gets an apostrophe in front; the relation ``=``
    by itself is none.

    Examples
    --------
    >>> cell(0.1), cell(float("nan")), cell("=1+1"), cell("@me"), cell("="), cell(-1)
    ('0.1', '', "'=1+1", "'@me", '=', '-1')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str) and value != "=" and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table of rows with a header line.

    Examples
    --------
    >>> csv_text(["system", "f1"], [["=cmd()", 0.5]]).splitlines()
    ['system,f1', "'=cmd(),0.5"]
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([cell(name) for name in header])
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table of rows with a header line."""
    write_text(path, csv_text(header, rows))


def write_matrix(path: Path, names: Sequence[str], matrix: Sequence[Sequence[object]]) -> None:
    """Write a square matrix with the systems' names along both sides."""
    rows = ([name, *matrix[i]] for i, name in enumerate(names))
    write_rows(path, ["", *names], rows)
