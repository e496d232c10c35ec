"""Compile kernels, and keep them on disk for the next process."""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numba
import numba.extending
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

_numba_config: Any = numba.config
#: Guards numba's folder for kernels, which is one setting for the whole process.
_CACHE_DIR_LOCK = threading.Lock()


def cache_root() -> Path:
    """Return the folder for compiled kernels: `NUMBA_CACHE_DIR`, or one of the user's caches."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return platformdirs.user_cache_path("alignrank") / "kernels"


def called_sources(module: ModuleType) -> set[Path]:
    """Return the files of all code that a module's kernels may call, its own file included.

    These are files of its folder and of the folder above. A module is found by a function or class
    that comes from it.
    """
    folder = Path(inspect.getfile(module)).parent.parent
    sources: set[Path] = set()
    open_modules = [module]
    while open_modules:
        importer = open_modules.pop()
        path = Path(getattr(importer, "__file__", None) or "/")
        if path not in sources and path.is_relative_to(folder):
            sources.add(path)
            origins: set[str] = {
                getattr(value, "__module__", None) or "" for value in vars(importer).values()
            }
            open_modules += [sys.modules[name] for name in origins & sys.modules.keys()]
    return sources


@functools.cache
def cache_folder(module: ModuleType, root: Path) -> Path | None:
    """Return the folder for the kernels of a module; None if it cannot be written to.

    Numba notices a change in the kernel's own file only, and would run old code of the helpers that
    it calls. So the folder is named by a hash of all files that the kernels may call
    (`called_sources`), and a change in one of them begins a new folder. The old one is removed.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted({*called_sources(module), Path(__file__)}):
        digest.update(path.read_bytes())
    source = Path(inspect.getfile(module))
    place = hashlib.sha256(str(source).encode()).hexdigest()
    folder = root / f"{source.stem}-{place[:16]}" / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    for sibling in folder.parent.iterdir():
        if sibling != folder:
            shutil.rmtree(sibling, ignore_errors=True)
    return folder


def kernel(function: F) -> F:
    """Compile a function at its first call: without the interpreter lock, kept on disk.

    Python calls it. What kernels call is a `helper`.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    folder = cache_folder(sys.modules[function.__module__], cache_root())
    if folder is None:
        return cast(F, numba.njit(**options)(function))
    with _CACHE_DIR_LOCK:
        usual = _numba_config.CACHE_DIR
        _numba_config.CACHE_DIR = str(folder)
        try:
            dispatcher = numba.njit(cache=True, **options)(function)
        finally:
            _numba_config.CACHE_DIR = usual

    @functools.wraps(dispatcher, updated=())
    def run(*arguments: Any) -> Any:
        try:
            return dispatcher(*arguments)
        except MemoryError:  # raised by the kernel itself, which may have written results
            raise
        except Exception:
            # A file of the cache is cut off, which raises whatever unpickling makes of it, or the
            # disk is full. Without files the kernel is compiled anew; a kernel that was compiled
            # but not written is ready.
            for path in folder.rglob("*.nb[ic]"):
                with suppress(OSError):
                    path.unlink()
            return dispatcher(*arguments)

    return cast(F, run)


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
    intrinsic: Callable[..., Any] = numba.extending.intrinsic(prefer_literal=True)(function)
    return intrinsic
