"""How kernels are compiled, and kept for the next process."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numba.core.caching
import pytest

from alignrank.common.compiled import KERNELS, forget_stale, kernel

PROJECT = Path(__file__).parents[3]


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


def test_all_folders_of_kernels_are_stamped_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    below = tmp_path / "bits"
    for folder in (tmp_path, below):
        (folder / "__pycache__").mkdir(parents=True)
        (folder / "a.py").write_text("x = 1\n")
    forget_stale(tmp_path)
    compiled = [folder / "__pycache__" / "a.nbi" for folder in (tmp_path, below)]
    for path in compiled:
        path.write_text("")
    forget_stale(tmp_path)
    assert all(path.exists() for path in compiled)
    (below / "a.py").write_text("x = 10\n")  # what a kernel above it may call
    forget_stale(tmp_path)
    assert not any(path.exists() for path in compiled)


def test_every_compiled_source_lies_where_it_is_stamped() -> None:
    sources = (PROJECT / "matchers").rglob("*.py")
    compiled = {path for path in sources if "\n@kernel" in path.read_text(encoding="utf-8")}
    assert len(compiled) > 8
    assert all(path.is_relative_to(KERNELS) for path in compiled)


def test_kernels_work_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    assert kernel(_add_one)(1) == 2


def _add_one(x: int) -> int:
    return x + 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_cache_is_made_anew(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def loaded() -> int:
        made: Any = kernel(_add_one)
        assert made(1) == 2
        return sum(made.stats.cache_hits.values())

    assert (loaded(), loaded()) == (0, 1)
    (kept,) = tmp_path.rglob(f"*.{ending}")
    kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
    assert (loaded(), loaded()) == (0, 1)


def test_what_cannot_be_kept_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "save", full)
    assert kernel(_add_one)(1) == 2
