"""How kernels are compiled, and how they run on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

ROWS_PER_TASK = 64


def kernel(function: F) -> F:
    """Compile a function at its first call: without the interpreter lock, kept on disk."""
    options = {"nogil": True, "cache": True, "error_model": "numpy"}
    return cast(F, numba.njit(**options)(function))


def run_rows(work: Callable[[int, int], None], rows: int, threads: int | None) -> None:
    """Call ``work(first, last)`` for chunks that make up ``range(rows)``, on several threads.

    Parameters
    ----------
    work
        Fills the rows first, ..., last - 1 of the result; releases the interpreter lock.
    rows
        Number of rows.
    threads
        Number of threads; None for one per processor that this process may use.
    """
    chunks = [(k, min(k + ROWS_PER_TASK, rows)) for k in range(0, rows, ROWS_PER_TASK)]
    threads = min(threads or available_processors(), len(chunks))
    if threads <= 1:
        for first, last in chunks:
            work(first, last)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(lambda chunk: work(*chunk), chunks):
            pass


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
