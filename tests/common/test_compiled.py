"""How kernels are compiled, and kept for the next process."""

from __future__ import annotations

import errno
import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numba.core.caching
import pytest

from alignrank.common.compiled import cache_folder, called_sources, kernel

PROJECT = Path(__file__).parents[2]
#: A kernel in `calling/kernels.py` that calls helpers of its own folder and of the folder above.
SOURCES = {
    "above.py": "from alignrank.common.compiled import helper\n@helper\ndef f(x): return x + 1\n",
    "calling/beside.py": (
        "from alignrank.common.compiled import helper\n@helper\ndef g(x): return x + 10\n"
    ),
    "calling/kernels.py": (
        "from above import f\nfrom beside import g\n"
        "from alignrank.common.compiled import kernel\n"
        "@kernel\ndef h(x): return f(x) + g(x)\n"
        "print(h(0), sum(h.__wrapped__.stats.cache_hits.values()))\n"
    ),
}


#: Starts numba once; then runs the program of each line that it reads in a new process, a fork.
_FORKS = """
import os, runpy, sys
import numba
import alignrank.common.compiled
numba.njit(lambda x: x)(0)
for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            runpy.run_path(line.strip(), run_name="__main__")
            sys.stdout.flush()
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        print("failed", flush=True)
"""


@contextmanager
def new_processes(folder: Path) -> Iterator[Callable[[], str]]:
    """Give a function that runs the kernel in a new process.

    It returns the kernel's value, and how often it was read from the cache.
    """
    paths = os.pathsep.join(map(str, (PROJECT, folder, folder / "calling")))
    environment = {
        **os.environ,
        "PYTHONPATH": paths,
        "NUMBA_CACHE_DIR": str(folder / "cache"),
        # bytecode is kept by the second in which its source changed: the test changes it faster
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with subprocess.Popen(
        [sys.executable, "-c", _FORKS],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        requests, answers = process.stdin, process.stdout

        def run() -> str:
            print(folder / "calling" / "kernels.py", file=requests, flush=True)
            return answers.readline().strip()

        yield run


def test_a_changed_source_is_compiled_anew_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "calling").mkdir()
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    with new_processes(tmp_path) as run:
        assert [run(), run()] == ["11 0", "11 1"]
        (tmp_path / "calling/another.py").write_text("no kernel of another file calls this")
        assert run() == "11 1"
        before = set((tmp_path / "cache").rglob("*.nbi"))
        for source, old, new, value in (
            ("above.py", "x + 1\n", "x + 2\n", 12),
            ("calling/beside.py", "x + 10\n", "x + 11\n", 13),
        ):
            path = tmp_path / source
            path.write_text(path.read_text().replace(old, new))
            assert [run(), run()] == [f"{value} 0", f"{value} 1"]
            after = set((tmp_path / "cache").rglob("*.nbi"))
            assert len(after) == len(before) == 1  # the old files are removed
            assert after != before
            before = after


def test_a_kernel_is_kept_by_all_files_that_it_takes_a_name_from() -> None:
    number = 0
    for path in [*(PROJECT / "matchers").rglob("*.py"), *(PROJECT / "evaluation").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if "\n@kernel" in text:
            name = ".".join(["alignrank", *path.relative_to(PROJECT).with_suffix("").parts])
            module = importlib.import_module(name)
            sources = called_sources(module)
            assert Path(inspect.getfile(module)) in sources
            for origin in re.findall(
                r"^from (\.\S+|alignrank\.matchers\.kernels\.\S+) ", text, re.M
            ):
                absolute = importlib.util.resolve_name(origin, module.__package__)
                assert Path(inspect.getfile(sys.modules[absolute])) in sources, (name, origin)
            number += 1
    assert number > 6


def _add_one(x: int) -> int:
    return x + 1


def test_kernels_work_where_nothing_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    assert cache_folder(sys.modules[__name__], tmp_path / "file") is None
    assert kernel(_add_one)(1) == 2
    assert (tmp_path / "file").read_text() == ""


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_cache_is_made_anew(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def loaded() -> int:
        add_one: Any = kernel(_add_one)
        assert add_one(1) == 2
        return sum(add_one.__wrapped__.stats.cache_hits.values())

    assert (loaded(), loaded()) == (0, 1)
    (path,) = tmp_path.rglob(f"*.{ending}")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert (loaded(), loaded()) == (0, 1)


def test_what_cannot_be_kept_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", full)
    assert kernel(_add_one)(1) == 2


def test_other_kernels_of_the_process_are_kept_where_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "usual"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "ours"))
    kernel(_add_one)
    assert str(tmp_path / "usual") == numba.config.CACHE_DIR
