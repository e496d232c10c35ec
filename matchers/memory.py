"""How much memory there is, and refusing what would not fit before it is tried."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import MatcherError


def available_memory() -> int | None:
    """Return the bytes that this process can still allocate, None where that cannot be told.

    The least of what the system has free and what the control group (a container's limit) leaves.
    """
    figures = [_system_available(), _control_group_available()]
    known = [figure for figure in figures if figure is not None]
    return min(known) if known else None


def require_memory(needed: int, what: str) -> None:
    """Refuse a job that would not fit.

    Parameters
    ----------
    needed
        Bytes.
    what
        The job, as the message names it.

    Raises
    ------
    MatcherError
        If less than `needed` is available.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise MatcherError(
            f"{what} needs {needed / 2**30:.1f} GiB of memory, and {available / 2**30:.1f} GiB are "
            "free: match in tiles with a threshold, match fewer kinds of entity, or leave out the "
            "synonyms"
        )


def _system_available() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:  # systems without /proc: what is installed is the best known bound
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _control_group_available() -> int | None:
    group = Path("/sys/fs/cgroup")
    for limit, usage, statistics in [
        ("memory.max", "memory.current", "memory.stat"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "memory/memory.stat"),
    ]:
        try:
            # files that were read count as usage, and are given up when space is needed
            lines = (group / statistics).read_text().splitlines()
            cached = sum(int(x.split()[1]) for x in lines if x.startswith("inactive_file "))
            used = int((group / usage).read_text()) - cached
            return int((group / limit).read_text()) - used
        except (OSError, ValueError):  # no such group, or 'max': no limit
            continue
    return None
