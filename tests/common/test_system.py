"""What only some systems have is never assumed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import alignrank.common.system
from alignrank.common.system import lock, open_folder
from alignrank.ontologies.tasks import bundled_task

#: Removes what Windows does not have, then runs the command line.
_BLOCKED = """
import os, signal, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
for module, name in ((os, "fork"), (os, "fchdir"), (os, "sysconf"), (signal, "pthread_sigmask")):
    delattr(module, name)
from alignrank.experiments.start import main
sys.argv = ["alignrank", *sys.argv[1:]]
main()
"""
LIBRARY = bundled_task("library")


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["demo", "--out", "results"],
        ["compare", LIBRARY.reference, *LIBRARY.alignments.values(), "--source", LIBRARY.source],
        ["match", LIBRARY.source, LIBRARY.target, "--out", "a.rdf"],
        ["convert", LIBRARY.reference, "a.sssom.tsv"],
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_commands_run_without_what_only_unix_has(tmp_path: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-c", _BLOCKED, *map(str, arguments)]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_a_lock_is_held_until_its_handle_is_closed(tmp_path: Path) -> None:
    first, second = open_folder(tmp_path), open_folder(tmp_path)
    assert first is not None
    assert second is not None
    assert lock(first, wait=True)
    assert not lock(second, wait=False)
    os.close(first)
    assert lock(second, wait=False)
    os.close(second)
    assert open_folder(tmp_path / "none") is None


def test_this_machine_knows_its_memory() -> None:
    available = alignrank.common.system.available_memory()
    assert available is None or 2**20 < available < 2**50


def test_the_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + 2**25
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, resource.RLIM_INFINITY))
    assert (alignrank.common.system.available_memory() or 2**60) <= 2**25


def test_what_a_control_group_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"memory.max": "1000", "memory.current": "900", "memory.stat": "inactive_file 300"}
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}\n")
    unlimited = tmp_path / "unlimited"
    unlimited.mkdir()
    for name, text in (files | {"memory.max": "max"}).items():
        (unlimited / name).write_text(f"{text}\n")
    monkeypatch.setattr(alignrank.common.system, "_control_groups", lambda: [unlimited, tmp_path])
    assert alignrank.common.system.available_memory() == 400
