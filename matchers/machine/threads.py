"""Work on several threads: rows of a matrix, or any tasks."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Pairs of strings in a task for a thread: some milliseconds at most, and counts that fit a cache.
PAIRS_PER_TASK = 2**18


def run_rows(work: Callable[[int, int], None], shape: tuple[int, int], threads: int | None) -> None:
    """Call ``work(first, last)`` for chunks that make up the rows, on several threads.

    Parameters
    ----------
    work
        Fills the rows first, ..., last - 1 of the result; releases the interpreter lock.
    shape
        Numbers of rows and columns.
    threads
        Number of threads; None for one per processor that this process may use.
    """
    rows, columns = shape
    step = max(1, PAIRS_PER_TASK // max(columns, 1))
    chunks = [(first, min(first + step, rows)) for first in range(0, rows, step)]
    for _ in run_all(lambda chunk: work(*chunk), chunks, threads):
        pass


def run_all(
    work: Callable[[Task], Result], tasks: Sequence[Task], threads: int | None
) -> Generator[Result, None, None]:
    """Do tasks on several threads, and yield their results in order as they come.

    After an exception, a keyboard interrupt too, no further task is begun.
    """
    threads = min(threads or available_processors(), len(tasks))
    if threads <= 1:
        yield from map(work, tasks)
        return
    failed = len(tasks)

    def begin(k: int) -> Result:
        nonlocal failed
        if k > failed:  # nobody waits for this one: what failed comes first
            raise CancelledError
        try:
            return work(tasks[k])
        except BaseException:
            failed = min(failed, k)
            raise

    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from pool.map(begin, range(len(tasks)))
        finally:
            failed = -1


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
