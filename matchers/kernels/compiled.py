"""How kernels are compiled, and how they run on several threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending

F = TypeVar("F", bound=Callable[..., Any])
Task = TypeVar("Task")
Result = TypeVar("Result")

#: Pairs of strings in a task for a thread: some milliseconds at most, and counts that fit a cache.
PAIRS_PER_TASK = 2**18


def forget_stale(folder: Path) -> None:
    """Delete the compiled kernels of a folder if any of its sources has changed since.

    Numba compares a kernel's own file only: after a change in what it calls it would run old code.
    """
    files = [(path.name, path.stat()) for path in sorted(folder.glob("*.py"))]
    stamp = repr([(name, status.st_size, status.st_mtime_ns) for name, status in files])
    cache = folder / "__pycache__"
    stamp_file = cache / "kernels.stamp"
    with suppress(OSError):  # a folder that cannot be written to has no stale kernels either
        if stamp_file.is_file() and stamp_file.read_text() == stamp:
            return
        for compiled in [*cache.glob("*.nbi"), *cache.glob("*.nbc")]:
            compiled.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp_file.write_text(stamp)


forget_stale(Path(__file__).parent)


def kernel(function: F) -> F:
    """Compile a function at its first call: without the interpreter lock, kept on disk."""
    try:
        return cast(F, numba.njit(nogil=True, cache=True, error_model="numpy")(function))
    except RuntimeError:  # no folder can be written to: compile anew in each process
        return cast(F, numba.njit(nogil=True, error_model="numpy")(function))


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a kernel's instruction from a function that types it and emits its LLVM code.

    Arguments that are literals in the kernel come with their values.
    """
    made: Callable[..., Any] = numba.extending.intrinsic(prefer_literal=True)(function)
    return made


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
) -> Iterator[Result]:
    """Do tasks on several threads, and yield their results in order as they come.

    After an exception, a keyboard interrupt too, no further task is begun.
    """
    threads = min(threads or available_processors(), len(tasks))
    if threads <= 1:
        yield from map(work, tasks)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, tasks)


def available_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
