"""How much memory there is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import alignrank.common.memory


def test_this_machine_knows_its_memory() -> None:
    available = alignrank.common.memory.available_memory()
    assert available is None or 2**20 < available < 2**50


def test_the_limit_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + 2**25
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, resource.RLIM_INFINITY))
    assert (alignrank.common.memory.available_memory() or 2**60) <= 2**25


def test_what_a_control_group_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"memory.max": "1000", "memory.current": "900", "memory.stat": "inactive_file 300"}
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}\n")
    unlimited = tmp_path / "unlimited"
    unlimited.mkdir()
    for name, text in (files | {"memory.max": "max"}).items():
        (unlimited / name).write_text(f"{text}\n")
    monkeypatch.setattr(alignrank.common.memory, "_control_groups", lambda: [unlimited, tmp_path])
    assert alignrank.common.memory.available_memory() == 400
