"""Processor seconds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    gc.collect()
    start = clock()
    work()
    return clock() - start
