"""The terminal: what is printed there, how wide, and bars of long work; little with ``--quiet``."""

from __future__ import annotations

import logging
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from functools import partial
from itertools import accumulate
from pathlib import Path
from textwrap import wrap
from time import monotonic
from typing import Any, Literal, NamedTuple, Protocol, TextIO, TypeVar, runtime_checkable

from rich.cells import cell_len
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as RichTable
from rich.text import Text

from alignrank.common.files import json_text
from alignrank.common.names import Texts, count, enumeration, first_of, visible
from alignrank.common.progress import show_progress
from alignrank.common.table import ColumnKind, Table

Mode = Literal["text", "quiet", "json"]
_MODE: ContextVar[Mode] = ContextVar("mode", default="text")
#: Where JSON is printed; None: the standard output.
_JSON_STREAM: ContextVar[TextIO | None] = ContextVar("JSON stream", default=None)
#: Width of a line in a pipe, in characters: so wide that no column of a table is left out.
_PIPE_WIDTH = 20_000
#: Smallest width of a cut name, and largest width of a line of prose on a terminal, in characters.
_MIN_NAME_WIDTH, _MAX_PROSE_WIDTH = 14, 100
#: Largest numbers of cautions, of rows of a ranking, and of lines of cautions on a terminal.
_MAX_CAUTIONS, ROWS, _MAX_CAUTION_LINES = 3, 12, 3
#: Lines of a terminal, and the lines besides a table's rows and its sentences: the header, the
#: count of further rows, cautions, and the results folder.
_SCREEN_LINES, _OTHER_LINES = 25, 6
#: Blanks between columns.
_GAP = 2


def set_mode(mode: Mode) -> None:
    """Choose the output of commands: text, nothing, or their summary as JSON."""
    _MODE.set(mode)


def console(*, stderr: bool = False) -> Console:
    """Return a console as wide as the terminal; in a pipe, lines are not cut."""
    plain = partial(_Console, highlight=False, emoji=False, markup=False, stderr=stderr)
    wide = plain(quiet=_MODE.get() != "text")
    if wide.is_terminal:
        return wide
    return plain(quiet=wide.quiet, width=_PIPE_WIDTH)


def is_verbose() -> bool:
    """Tell whether ``--verbose`` was typed: it prints what else only the report says."""
    return logging.getLogger().isEnabledFor(logging.INFO)


def is_short() -> bool:
    """Tell whether to print the most important only: to a terminal, without ``--verbose``."""
    return console().is_terminal and not is_verbose()


class _Console(Console):
    """Prints control characters, as in the name of a file, visibly: a terminal would obey them."""

    def print(self, *objects: Any, **options: Any) -> None:
        texts = [visible(item) if isinstance(item, str) else item for item in objects]
        super().print(*texts, **options)


def say(text: str) -> None:
    """Print a line of text, unless ``--quiet`` or ``--json`` was given."""
    if _MODE.get() == "text":
        print(visible(text), flush=True)


@runtime_checkable
class Summarised(Protocol):
    """A result that has a summary for JSON, as ``summary.json`` holds it."""

    def to_dict(self) -> Mapping[str, object]:
        """Return the summary."""


def finish(content: object, out: Path | None = None) -> None:
    """Say where the results are; with ``--json`` print `content` instead, undefined values as null.

    Of a result its summary is printed, which is made only then. It comes last: with ``--json`` no
    other function here prints to the standard output.
    """
    if _MODE.get() == "json":
        if isinstance(content, Summarised):
            content = content.to_dict()
        print(json_text(content), file=_JSON_STREAM.get())
    elif out is not None:
        say(f"Results: {out}")


def tell_failures(failures: Texts, unit: str) -> int:
    """Print why parts of a batch failed; return the exit code, 1 if any failed.

    Parameters
    ----------
    failures
        As `alignrank.experiments.results.steps.Batch` collects them.
    unit
        What the parts are: ``task``.
    """
    if not failures:
        return 0
    lines = [f"{name}: {why}" for name, why in failures.items()]
    heading = f"alignrank: {count(len(lines), unit)} failed:"
    print("\n  ".join(map(visible, [heading, *lines])), file=sys.stderr)
    return 1


def say_what_out_keeps(out: Path | None) -> None:
    """Print a hint at ``--out``, if no results folder was asked for."""
    if out is None:
        print_prose("No file is written: --out FOLDER saves a report and a text for a paper")


@contextmanager
def output(*, as_json: bool, quiet: bool) -> Iterator[None]:
    """Set the mode of ``--json`` and ``--quiet``, and progress bars; reset both afterwards.

    With JSON all other output, as that of a user's own metric, goes to the error stream.
    """
    if quiet:
        set_mode("quiet")
    else:
        show_bars()
    if as_json:
        set_mode("json")
    token = _JSON_STREAM.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr if as_json else sys.stdout):
            yield
    finally:
        _JSON_STREAM.reset(token)
        set_mode("text")
        show_progress(None)
        _bars.stop()  # also where an error has stopped the work


class TerminalTable(NamedTuple):
    """A table for a console of `rich`, and the headings of the columns that had no room."""

    table: RichTable
    left_out: list[str]


def terminal_table(
    content: Table, width: int, *, wrapped: Collection[str] = (), kept: Collection[str] = ()
) -> TerminalTable:
    """Return a table for a console of `rich`; its caption names columns that have no room.

    A number is never cut, and names of rows stay different. Where the terminal is narrow, names are
    cut, then columns are left out: the last ones first, but those that are kept after all others.

    Parameters
    ----------
    content
        The table; its title and footnote are left out.
    width
        Width of the terminal.
    wrapped
        Names of the columns whose cells may go over several lines instead of being cut.
    kept
        Names of the columns that are left out last.
    """
    header = [visible(name) for name in content.header]
    rows = [[visible(cell) for cell in row] for row in content.cells()]
    numeric = content.is_number()
    room = width + _GAP
    widths = [max(map(cell_len, column)) + _GAP for column in zip(header, *rows, strict=True)]
    # sorting is stable: of the others, and of the kept ones, the last column goes first
    leaving = sorted(range(len(header) - 1, 0, -1), key=lambda k: content.header[k] in kept)
    least_widths = [min(full, _MIN_NAME_WIDTH) for full in widths]
    for k, is_number in enumerate(numeric):
        if is_number or (wrapped and k == 0):
            least_widths[k] = widths[k]
    if leaving and not (numeric[0] or wrapped):
        # names stay different; beyond that they take the room that the one last column leaves
        different = _different([row[0] for row in rows], widths[0])
        least_widths[0] = min(different, max(least_widths[0], room - least_widths[leaving[-1]]))
    shown = list(range(len(header)))
    for k in leaving[:-1]:
        if sum(least_widths[column] for column in shown) > room:
            shown.remove(k)
    left_out = [k for k in range(len(header)) if k not in shown]
    table = RichTable(
        box=None, pad_edge=False, show_header=any(content.header), caption_justify="left"
    )
    if left_out:
        table.caption = Text(f"columns not shown: {', '.join(header[k] for k in left_out)}")
    for place, k in enumerate(shown):
        name = content.header[k]
        table.add_column(Text(header[k]), justify="right" if numeric[k] else "left")
        if name in wrapped:
            table.columns[place].overflow = "fold"
        else:
            other_widths = sum(widths[column] for column in shown) - widths[k]
            table.columns[place].no_wrap = True
            table.columns[place].max_width = max(least_widths[k], room - other_widths) - _GAP
    for i, row in enumerate(rows):
        styles = ["bold" if (i, k) in content.strong else "" for k in shown]
        table.add_row(*(Text(row[k], style) for k, style in zip(shown, styles, strict=True)))
    return TerminalTable(table, [content.header[k] for k in left_out])


def print_table(
    content: Table, *, wrapped: Collection[str] = (), kept: Collection[str] = ()
) -> list[str]:
    """Print a table as `terminal_table` makes it; return the columns that had no room."""
    out = console()
    table, left_out = terminal_table(content, out.width, wrapped=wrapped, kept=kept)
    out.print(table)
    return left_out


def _different(names: Sequence[str], full: int) -> int:
    """Return the smallest width, at most `full`, at which the names still differ when cut."""
    number = len(set(names))
    for width in range(_MIN_NAME_WIDTH, full):
        # one character of a cut name is the ellipsis
        if len({name[: width - _GAP - 1] for name in names}) == number:
            return width
    return full


def print_numbers(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    names: int = 1,
    kept: Collection[str] = (),
) -> list[str]:
    """Print rows under a header: columns of names first, then numbers, flush right.

    Columns that have no room are returned; those `kept` are left out last.
    """
    kinds: list[ColumnKind] = ["number"] * len(header)
    kinds[:names] = ["text"] * names
    return print_table(Table("", header, rows, kinds=kinds), kept=kept)


def print_ranked(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    of: int | None = None,
    beside: Sequence[str] = (),
    kept: Collection[str] = (),
) -> list[str]:
    """Print the first rows of a ranking: fewer if the sentences `beside` it take many lines.

    `of` is the number of systems that the ranking has, where `rows` are only some of them. Columns
    that have no room are returned; those `kept` are left out last.
    """
    room = _SCREEN_LINES - _OTHER_LINES - sum(map(_lines, beside))
    limit = max(1, min(ROWS, room))
    total = of or len(rows)
    if len(rows) > limit + 1:
        rows = rows[:limit]
    left_out = print_numbers(header, rows, kept=kept)
    if more := total - len(rows):
        print_prose(f"and {more} more (all are in the report: --out FOLDER)")
    return left_out


def print_prose(text: str, *, stderr: bool = False) -> None:
    """Print sentences, wrapped at words: at most 100 characters in a line of a terminal."""
    out = console(stderr=stderr)
    out.print(text, width=_prose_width(out))


def _prose_width(out: Console) -> int:
    """Return the width of a line of prose; in a pipe, lines are not cut."""
    if not out.is_terminal:
        return out.width
    return min(out.width, _MAX_PROSE_WIDTH)


def _lines(text: str) -> int:
    """Return how many lines of the terminal a text takes; in a pipe, one."""
    return len(wrap(text, _prose_width(console())))


def print_cautions(cautions: Iterable[object]) -> None:
    """Print cautions to the error stream: the first few, with --verbose all.

    A caution is never cut. On a terminal, cautions after the first are left for --verbose if all
    would take too many lines: answer and table must stay visible.
    """
    lines = [f"! {caution}" for caution in cautions]
    printed = list(lines)
    if not is_verbose():
        printed = lines[:_MAX_CAUTIONS]
        if console(stderr=True).is_terminal:
            fitting = sum(n <= _MAX_CAUTION_LINES for n in accumulate(map(_lines, printed)))
            printed = printed[: max(1, fitting)]
    if more := len(lines) - len(printed):
        printed[-1] += f" ({count(more, 'more caution')}: --verbose)"
    for text in printed:
        print_prose(text, stderr=True)


def best_first(value: str, text_by_system: Texts) -> str:
    """Return a sentence on the systems with the best value and the two after them.

    Parameters
    ----------
    value
        Name of the value.
    text_by_system
        Each system's value as text, the best first; systems of equal text are equally good.

    Examples
    --------
    >>> best_first("F1", {"AML": "0.943", "XMap": "0.896", "Lily": "0.830", "LPHOM": "0.718"})
    'Best F1: AML 0.943; then XMap 0.896, Lily 0.830 and 1 more.'
    >>> best_first("F1", {"a": "0.943", "b": "0.943"})
    'F1 of a and b: 0.943 each.'
    """
    best = next(iter(text_by_system.values()))
    leaders = [name for name, text in text_by_system.items() if text == best]
    further = [f"{name} {text}" for name, text in text_by_system.items() if text != best]
    each = f": {best} each" if len(leaders) > 1 else f" {best}"
    if not further:
        return f"{value} of {enumeration(leaders)}{each}."
    return f"Best {value}: {enumeration(leaders)}{each.lstrip(':')}; then {first_of(further, 2)}."


T = TypeVar("T")

#: Seconds that work must last before a bar is worth looking at.
PATIENCE = 0.3

#: The largest number of bars at a time: work and the work inside it; deeper work has no bar.
DEEPEST = 2


def show_bars() -> None:
    """Show the progress of tracked work from now on, if standard error is a terminal."""
    show_progress(_bars.track if sys.stderr.isatty() else None)


class _Bars:
    """One display for all bars: the bar of work inside other work stands below."""

    def __init__(self) -> None:
        self._display: Progress | None = None
        self._running = 0

    def track(self, items: Iterable[T], total: int, what: str) -> Iterator[T]:
        """Yield `items`; advance a bar after each."""
        if self._running == DEEPEST:
            yield from items
            return
        display = self._display = self._display or _display()
        if not self._running:
            display.start()
        self._running += 1
        bar, pace, start = display.add_task(what, total=total), Pace(), monotonic()
        try:
            for item in items:
                yield item
                display.update(bar, advance=1, is_steady=pace.is_steady(monotonic() - start))
        finally:
            self._running -= 1
            display.remove_task(bar)
            if not self._running:
                display.stop()

    def stop(self) -> None:
        """Clear the terminal's line, and leave it as it was."""
        if self._display is not None:
            self._display.stop()


_bars = _Bars()


class Pace:
    """Tells from when on the time left can be estimated: the pace kept within a factor of two."""

    def __init__(self) -> None:
        self._number = 0
        #: Seconds after 1, 2, 4, 8, … items.
        self._elapsed: list[float] = []
        self._steady = False

    def is_steady(self, elapsed: float) -> bool:
        """Count one more item; tell whether the pace has been steady.

        It has once the second half of the items took about the pace of the quarter before it.
        """
        self._number += 1
        if self._number == 2 ** len(self._elapsed):
            self._elapsed.append(elapsed)
            if self._number >= 4:
                earlier, half, now = self._elapsed[-3:]
                span = half - earlier  # the span from half to now holds twice as many items
                self._steady |= span <= now - half <= 4 * span
        return self._steady


class TimeLeft(TimeRemainingColumn):
    """The time that is left, as soon as the pace is steady."""

    def render(self, task: Task) -> Text:
        """Return the time, nothing before it can be estimated."""
        if not task.fields.get("is_steady"):
            return Text()
        return Text.assemble("left: ", super().render(task))


class _Patient(Progress):
    """Shows a bar once its work has lasted a while: short work does not flicker."""

    def get_renderables(self) -> Iterator[RichTable]:
        slow_tasks = [task for task in self.tasks if (task.elapsed or 0.0) > PATIENCE]
        yield self.make_tasks_table(slow_tasks)


def _display() -> Progress:
    return _Patient(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeLeft(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # else what is printed meanwhile would miss its pipe
    )
