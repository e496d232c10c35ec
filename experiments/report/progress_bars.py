"""Bars with the time left, for long work on a terminal; nothing in a pipe, nor with ``--quiet``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from ontologies.common.progress import show_progress

T = TypeVar("T")

#: Seconds that work must last before a bar is worth looking at.
PATIENCE = 0.3

#: Bars at a time: work within work has one, but not what is within that.
DEEPEST = 2


def show_bars() -> None:
    """Show the progress of whatever is tracked from now on, if standard error is a terminal."""
    show_progress(_bars.track if sys.stderr.isatty() else None)


def hide_bars() -> None:
    """Take away what is shown, also where an error has stopped the work."""
    show_progress(None)
    _bars.stop()


class _Bars:
    """One display for all bars: work within work has its bar below."""

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
        bar = display.add_task(what, total=total)
        try:
            for item in items:
                yield item
                display.advance(bar)
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


class _Patient(Progress):
    """Shows a bar once its work has lasted a while: short work does not flicker."""

    def get_renderables(self) -> Iterator[Table]:
        shown = [task for task in self.tasks if (task.elapsed or 0.0) > PATIENCE]
        yield self.make_tasks_table(shown)


def _display() -> Progress:
    return _Patient(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),  # else what is printed meanwhile would miss its pipe
    )
