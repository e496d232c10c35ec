"""Locks, limits and memory of operating systems: asked for, and never assumed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from .errors import MatcherError

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
    """Limit the memory and the time of this process, where the system can do that.

    What goes beyond either ends it, without a dump of its memory.
    """
    if resource is None:
        return
    with suppress(OSError, ValueError):  # its limits may be lower already
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def available_memory() -> int | None:
    """Return the bytes that this process can still allocate, None where that cannot be told.

    The least of what the system has free, what the control groups (a container's limit) leave, and
    what the process may have (``ulimit -v``).
    """
    figures = [_system_available(), _control_group_available(), address_space_left()]
    limits = [figure for figure in figures if figure is not None]
    return min(limits, default=None)


def require_memory(needed: int, job: str) -> None:
    """Refuse a job that would not fit.

    Parameters
    ----------
    needed
        Bytes.
    job
        The job, as the message names it.

    Raises
    ------
    MatcherError
        If less than `needed` is available.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise MatcherError(
            f"{job} needs {needed / 2**30:.1f} GiB of memory, and {available / 2**30:.1f} GiB are "
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
    """Return the least memory that this process's control group and its parents leave."""
    limits = [_left_in(group) for group in _control_groups()]
    return min((limit for limit in limits if limit is not None), default=None)


def _control_groups() -> list[Path]:
    """Return the folders of the control groups that this process is in, the root's too."""
    root = Path("/sys/fs/cgroup")
    own = []
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("", "memory"):
                top = root / controllers
                group = top / path.lstrip("/")
                own += [group, *(parent for parent in group.parents if top in parent.parents)]
    return [*own, root, root / "memory"]


def _left_in(group: Path) -> int | None:
    for limit, usage in [
        ("memory.max", "memory.current"),
        ("memory.limit_in_bytes", "memory.usage_in_bytes"),
    ]:
        with suppress(OSError, ValueError):  # no such group, or 'max': no limit
            # files that were read count as usage, and are given up when space is needed
            lines = (group / "memory.stat").read_text().splitlines()
            cached = sum(int(x.split()[1]) for x in lines if x.startswith("inactive_file "))
            return int((group / limit).read_text()) - int((group / usage).read_text()) + cached
    return None
