"""How kernels are compiled, and kept for the next process."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.extending

F = TypeVar("F", bound=Callable[..., Any])

#: Where kernels call each other across files: numba keeps what it makes of a source beside it.
KERNELS = Path(__file__).parents[2] / "matchers" / "kernels"


def forget_stale(root: Path) -> None:
    """Delete the compiled kernels below a folder if any source there has changed since.

    Numba compares a kernel's own file only: after a change in what it calls it would run old code.
    """
    sources = [*sorted(root.rglob("*.py")), Path(__file__)]
    files = [(str(path), path.stat()) for path in sources]
    stamp = repr([(name, status.st_size, status.st_mtime_ns) for name, status in files]).encode()
    stamp_file = cache_of(root) / "kernels.stamp"
    with suppress(OSError):  # what cannot be written is not kept either
        if stamp_file.is_file() and stamp_file.read_bytes() == stamp:
            return
        for folder in sorted({path.parent for path in sources if path.is_relative_to(root)}):
            cache = cache_of(folder)
            for compiled in [*cache.glob("*.nbi"), *cache.glob("*.nbc")]:
                compiled.unlink(missing_ok=True)
        stamp_file.parent.mkdir(parents=True, exist_ok=True)
        stamp_file.write_bytes(stamp)


def cache_of(folder: Path) -> Path:
    """Return where numba keeps what it makes of the sources of a folder."""
    elsewhere = f"{folder.name}_{hashlib.sha1(str(folder.absolute()).encode()).hexdigest()}"
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen) / elsewhere
    if os.access(folder, os.W_OK):
        return folder / "__pycache__"
    appdirs: Any = importlib.import_module("numba.misc.appdirs")
    return Path(appdirs.user_cache_dir("numba", False)) / elsewhere


forget_stale(KERNELS)


def kernel(function: F) -> F:
    """Compile a function at its first call: without the interpreter lock, kept on disk."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    try:
        made = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder can be written to: compile anew in each process
        return cast(F, numba.njit(**options)(function))
    made._cache = _OptionalCache(made._cache)
    return cast(F, made)


class _OptionalCache:
    """What numba keeps of a kernel, and never what stops a run, as numba's own would.

    A file that cannot be read, as one cut off, is made anew; what cannot be written, as on a full
    disk, is not kept.
    """

    def __init__(self, kept: Any) -> None:
        self._kept = kept

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept, name)

    def load_overload(self, signature: object, target: object) -> object:
        try:
            return self._kept.load_overload(signature, target)
        except Exception:  # whatever unpickling makes of a damaged file
            with suppress(OSError):
                self._kept.flush()
            return None

    def save_overload(self, signature: object, compiled: object) -> None:
        with suppress(Exception):
            self._kept.save_overload(signature, compiled)


def helper(function: F) -> F:
    """Compile a function into the kernels that call it; Python itself cannot call it.

    Numbers that change must not start as literals (but as ``np.int64(0)``): a helper is compiled
    for a literal, and then once more for any number.
    """
    options: dict[str, Any] = {
        "error_model": "numpy",
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
    return cast(F, numba.njit(**options)(function))


def instruction(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a kernel's instruction from a function that types it and emits its LLVM code.

    Arguments that are literals in the kernel come with their values.
    """
    made: Callable[..., Any] = numba.extending.intrinsic(prefer_literal=True)(function)
    return made
