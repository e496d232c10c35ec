"""Processor seconds."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    gc.collect()
    start = clock()
    work()
    return clock() - start


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return the median, and the range if there is one."""
    low, middle, high = (
        f"{value:,.{digits}f}" for value in (min(values), statistics.median(values), max(values))
    )
    return middle if low == high else f"{middle} ({low}–{high})"


def least_seconds(
    work: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> float:
    """Return the least of three calls if one takes less than a tenth of a second."""
    first = seconds(work, clock)
    return first if first > 0.1 else min(first, *(seconds(work, clock) for _ in range(2)))
