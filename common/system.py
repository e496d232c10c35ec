"""What only some operating systems have: asked for here, and never assumed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]  # no such module there
try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]  # no such module there


def lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file or folder until its handle is closed.

    Parameters
    ----------
    handle
        From `os.open`.
    wait
        Whether to wait while another process holds the lock.

    Returns
    -------
    bool
        False where another process holds it, or where the system or the file system has no locks.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def open_folder(path: str | os.PathLike[str]) -> int | None:
    """Return a handle of a folder; None where folders cannot be opened, as on Windows."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return None


def address_space_left() -> int | None:
    """Return the bytes of address space that ``ulimit -v`` leaves, None where there is no limit."""
    if resource is None:
        return None
    try:
        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return max(0, limit - pages * os.sysconf("SC_PAGE_SIZE"))
    except OSError:
        return None


def limit_this_process(memory: int, seconds: int) -> None:
    """Let this process take no more than so many bytes and seconds, where the system can do that.

    What goes beyond either ends it, without a dump of its memory.
    """
    if resource is None:
        return
    with suppress(OSError, ValueError):  # its limits may be lower already
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
