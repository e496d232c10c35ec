"""Rows of a matrix, filled on several threads."""

from __future__ import annotations

from collections.abc import Callable

from ontologies.common.executor import Executor

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
    for _ in Executor(1 if len(chunks) < 2 else threads).run(work, chunks):
        pass
