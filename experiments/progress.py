"""Progress of long work: a bar with the time left on a terminal, nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yield `items`, showing how far the work is and the time left.

    Examples
    --------
    >>> list(track("abc", 3, "letters"))
    ['a', 'b', 'c']
    """
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        yield from progress.track(items, total=total, description=what)
