"""Progress of long work: the work says how far it is; whoever runs it chooses how to show that.

Nothing is shown unless somebody asks for it with `show_progress`, as the command line does.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Show(Protocol):
    """Shows progress: it yields the items again while it shows how far they are."""

    def __call__(self, items: Iterable[T], total: int, what: str, /) -> Iterable[T]:
        """Yield `items`; `total` says how many they are, `what` what they are."""


_shown: list[Show] = []


def track(items: Iterable[T], total: int, what: str) -> Iterable[T]:
    """Return `items`, shown on their way if anybody wants to see them.

    Parameters
    ----------
    items
        The steps of the work.
    total
        How many there are.
    what
        What they are, for the reader: ``metrics``, ``swaps``.

    Examples
    --------
    >>> list(track("abc", 3, "letters"))
    ['a', 'b', 'c']
    """
    # what several threads do at a time is shown as one by the thread that waits for them
    drawn = _shown and threading.current_thread() is threading.main_thread()
    if drawn:
        return _shown[-1](items, total, what)
    return items


@contextmanager
def phase(what: str) -> Iterator[None]:
    """Show the name of a step of unknown length while the block lasts.

    Examples
    --------
    >>> with phase("loading"):
    ...     pass
    """
    for _ in track((None,), 1, what):
        yield


def blocks(total: int, most: int, what: str) -> Iterable[int]:
    """Return the sizes of blocks that make up `total`, each at most `most`, with progress shown.

    Examples
    --------
    >>> list(blocks(10, 4, "swaps"))
    [4, 4, 2]
    """
    sizes = [min(most, total - start) for start in range(0, total, most)]
    return track(sizes, len(sizes), what)


def show_progress(show: Show | None) -> None:
    """Choose the function that shows progress; None for none.

    Parameters
    ----------
    show
        Called with the arguments of `track`; yields the items.

    Examples
    --------
    >>> def count(items, total, what):
    ...     for k, item in enumerate(items, 1):
    ...         yield item
    ...         print(f"{k} of {total} {what}")
    >>> show_progress(count)
    >>> list(track("ab", 2, "letters"))
    1 of 2 letters
    2 of 2 letters
    ['a', 'b']
    >>> show_progress(None)
    """
    _shown[:] = [] if show is None else [show]
