"""The terminal: what is printed there, how wide, and nothing with ``--quiet`` or ``--json``."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, TextIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from ontologies.common.files import json_text
from ontologies.common.names import visible
from ontologies.common.table import ColumnKind, Table

Mode = Literal["text", "quiet", "json"]
_MODE: ContextVar[Mode] = ContextVar("mode", default="text")
#: Where JSON is printed; None: the standard output.
_JSON_STREAM: ContextVar[TextIO | None] = ContextVar("JSON stream", default=None)
#: Width of a line in a pipe: of no table is anything left out there.
_PIPE = 20_000


def set_mode(mode: Mode) -> None:
    """Choose what commands print: text, nothing, or their summary as JSON."""
    _MODE.set(mode)


def console() -> Console:
    """Return a console as wide as the terminal; in a pipe, lines are not cut."""
    quiet = _MODE.get() != "text"
    wide = _Console(highlight=False, emoji=False, markup=False, quiet=quiet)
    if wide.is_terminal:
        return wide
    return _Console(highlight=False, emoji=False, markup=False, width=_PIPE, quiet=quiet)


class _Console(Console):
    """Shows signs that a terminal would obey, as in the name of a file, instead of sending them."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*(visible(o) if isinstance(o, str) else o for o in objects), **options)


def say(text: str) -> None:
    """Print a line of text, unless ``--quiet`` or ``--json`` was given."""
    if _MODE.get() == "text":
        print(visible(text), flush=True)


def finish(content: Mapping[str, object], out: Path | None) -> None:
    """Say where the results are; with ``--json`` print the summary instead."""
    if _MODE.get() == "json":
        print(json_text(content), file=_JSON_STREAM.get())
    elif out is not None:
        console().print(f"Results: {out}", soft_wrap=True)


def print_json(content: object) -> None:
    """Print a result as JSON; null where a value is undefined."""
    print(json_text(content, indent=1), file=_JSON_STREAM.get())


@contextmanager
def only_json() -> Iterator[None]:
    """Divert all but JSON to the error stream, as what a metric of the user's own prints."""
    token = _JSON_STREAM.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _JSON_STREAM.reset(token)


def terminal_table(
    shown: Table, *, wrapped: Collection[str] = (), widest: int | None = None
) -> RichTable:
    """Return a table for a console of `rich`.

    Parameters
    ----------
    shown
        What to show; its title and footnote are not.
    wrapped
        Names of the columns whose cells go over several lines where the terminal is narrow; in
        others they are cut.
    widest
        Width at which the cells of the first column are cut: the numbers beside are to be seen.
    """
    table = RichTable(box=None, pad_edge=False, show_header=any(shown.header))
    for k, (name, number) in enumerate(zip(shown.header, shown.is_number(), strict=True)):
        table.add_column(
            Text(visible(name)),
            justify="right" if number else "left",
            no_wrap=name not in wrapped,
            overflow="fold" if name in wrapped else "ellipsis",
            max_width=None if k else widest,
        )
    for i, row in enumerate(shown.cells()):
        styles = ["bold" if (i, k) in shown.strong else "" for k in range(len(row))]
        table.add_row(
            *(Text(visible(cell), style) for cell, style in zip(row, styles, strict=True))
        )
    return table


def print_numbers(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, widest: int | None = None
) -> None:
    """Print rows under a header, names to the left, numbers to the right.

    Parameters
    ----------
    header, rows
        The table.
    widest
        Width at which names are cut on a terminal: the numbers beside them are to be seen.
    """
    out = console()
    numbers: list[ColumnKind] = ["number"] * (len(header) - 1)
    table = Table("", header, rows, kinds=["text", *numbers])
    out.print(terminal_table(table, widest=widest if out.is_terminal else None))


def print_cautions(cautions: Iterable[str]) -> None:
    """Print sentences that the reader must know, one line each."""
    out = console()
    for caution in cautions:
        out.print(f"note: {caution}", soft_wrap=True)


def p_value(p: float) -> str:
    """Return "= 0.0123", or a bound where the number underflows.

    Examples
    --------
    >>> p_value(0.01234), p_value(0.0)
    ('= 0.0123', '< 1e-300')
    """
    return f"= {p:.3g}" if p > 1e-300 else "< 1e-300"


def decimals(value: float | None, digits: int = 3) -> str:
    """Return a score with some decimals, a dash where it is undefined."""
    return "–" if value is None else f"{value:.{digits}f}"
