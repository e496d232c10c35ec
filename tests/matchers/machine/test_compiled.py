"""How kernels are compiled, and kept for the next process."""

from __future__ import annotations

from pathlib import Path

import numba.core.caching
import pytest

from matchers.machine.compiled import forget_stale, kernel


def test_a_changed_source_makes_compiled_kernels_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    cache = tmp_path / "__pycache__"
    cache.mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    forget_stale(tmp_path)
    (cache / "a.nbi").write_text("")
    (cache / "a.nbc").write_text("")
    (cache / "a.pyc").write_text("")
    forget_stale(tmp_path)
    assert (cache / "a.nbi").exists()
    (tmp_path / "a.py").write_text("x = 10\n")
    forget_stale(tmp_path)
    assert sorted(path.name for path in cache.iterdir()) == ["a.pyc", "kernels.stamp"]


def test_kernels_work_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    assert kernel(_add_one)(1) == 2


def _add_one(x: int) -> int:
    return x + 1
