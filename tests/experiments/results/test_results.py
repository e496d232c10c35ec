"""The results folder: whole or as it was before."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import platform
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy
import pytest
import rapidfuzz

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.results.folder import (
    MANIFEST,
    changed_files,
    finish_handover,
    handed_over,
    results_folder,
)


def fill(out: Path, *names: str, overwrite: bool = False) -> None:
    with results_folder(out, overwrite=overwrite) as folder:
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(name)


def test_manifest_lists_the_files_with_their_hashes(tmp_path: Path) -> None:
    fill(tmp_path / "out", "a.txt", "sub/b.txt")
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert list(manifest["files"]) == ["a.txt", "sub/b.txt"]
    assert all(len(digest) == 64 for digest in manifest["files"].values())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out"]  # no temporary folder is left


def test_a_file_that_was_changed_since_the_run_is_named(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "a.txt", "b.txt", "sub/c.txt")
    assert changed_files(out) == []
    (out / "sub" / "c.txt").write_text("changed")
    (out / "a.txt").unlink()
    assert changed_files(out) == ["a.txt", "sub/c.txt"]


def test_manifest_names_the_versions(tmp_path: Path) -> None:
    fill(tmp_path / "out", "a.txt")
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert manifest["python"] == platform.python_version()
    assert manifest["libraries"]["numpy"] == numpy.__version__
    assert manifest["libraries"]["rapidfuzz"] == rapidfuzz.__version__


def test_a_folder_that_holds_something_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExperimentError, match=r"not empty.*overwrite=True"):
        fill(tmp_path, "a.txt")
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    with pytest.raises(ExperimentError, match="is a file"):
        fill(tmp_path / "out", "a.txt", overwrite=True)


def test_overwrite_removes_what_the_earlier_run_wrote_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "old.txt", "both.txt")
    (out / "mine.txt").write_text("mine")
    fill(out, "both.txt", "new.txt", overwrite=True)
    assert sorted(p.name for p in out.iterdir()) == ["both.txt", MANIFEST, "mine.txt", "new.txt"]


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt])
def test_an_interrupted_run_leaves_the_folder_as_it_was(
    tmp_path: Path, interruption: type[BaseException]
) -> None:
    out = tmp_path / "out"
    fill(out, "a.txt")
    before = {p: p.read_bytes() for p in out.iterdir()}

    def interrupted_run() -> None:
        with results_folder(out, overwrite=True) as folder:
            (folder / "a.txt").write_text("changed")
            raise interruption

    with pytest.raises(interruption):
        interrupted_run()
    assert {p: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_manifest_cannot_delete_outside_its_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, "a.txt")
    (tmp_path / "precious.txt").write_text("mine")
    (out / MANIFEST).write_text(json.dumps({"files": {"../precious.txt": "0"}}))
    fill(out, "a.txt", overwrite=True)
    assert (tmp_path / "precious.txt").read_text() == "mine"


def fill_aside(out: Path, content: Mapping[str, str], *, overwrite: bool = False) -> None:
    with results_folder(out, overwrite=overwrite) as folder:
        for name, text in content.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)


def held(out: Path) -> dict[str, str]:
    """What lies in a folder, but for the manifest."""
    files = (path for path in out.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(out).as_posix(): path.read_text() for path in files}


OLD = {"a.txt": "old", "tables/b.csv": "old", "tables/gone.csv": "old"}
NEW = {"a.txt": "new", "tables/b.csv": "new", "figures/c.svg": "new"}


def test_the_second_of_two_runs_into_a_new_folder_is_refused_and_the_first_kept(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    second = results_folder(out)
    stage = second.__enter__()
    fill_aside(out, {"a.txt": "first"})
    (stage / "a.txt").write_text("second")
    with pytest.raises(ExperimentError, match=r"not empty any more.*another run.*overwrite=True"):
        second.__exit__(None, None, None)
    assert held(out) == {"a.txt": "first"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@contextmanager
def signalled(monkeypatch: pytest.MonkeyPatch, number: int, step: int) -> Iterator[None]:
    """Send a signal to this process at a rename."""
    renamed, taken = os.rename, 0

    def rename(*arguments: str) -> None:
        nonlocal taken
        taken += 1
        if taken == step:
            os.kill(os.getpid(), number)
        renamed(*arguments)

    with monkeypatch.context() as patch:
        for name in ("rename", "replace"):
            patch.setattr(os, name, rename)
        yield


@pytest.mark.parametrize("mine", [{}, {"mine.txt": "mine"}])
@pytest.mark.parametrize("step", [1, 3, 5])
def test_ctrl_c_while_results_move_leaves_old_or_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mine: dict[str, str], step: int
) -> None:
    out = tmp_path / "out"
    fill_aside(out, OLD)
    for name, text in mine.items():
        (out / name).write_text(text)
    with suppress(KeyboardInterrupt), signalled(monkeypatch, signal.SIGINT, step):
        fill_aside(out, NEW, overwrite=True)
    assert held(out) in (OLD | mine, NEW | mine)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_stopped_handover_is_finished_by_the_next_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    fill_aside(out, OLD)
    (out / "mine.txt").write_text("mine")
    replaced = os.replace

    def failing(one: str, two: str) -> None:
        if Path(two).name == "b.csv":
            raise OSError(errno.EIO, "Input/output error", str(one), None, str(two))
        replaced(one, two)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        with pytest.raises(OSError, match=re.escape(str(out / "tables" / "b.csv"))):
            fill_aside(out, NEW, overwrite=True)
    assert held(out) != NEW | {"mine.txt": "mine"}
    finish_handover(out)
    assert held(out) == NEW | {"mine.txt": "mine"}
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("inside", [True, False])
def test_a_folder_that_is_written_again_stays_the_same_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: bool
) -> None:
    out = tmp_path / "out"
    fill_aside(out, OLD)
    if inside:
        monkeypatch.chdir(out)
    before = out.stat().st_ino
    fill_aside(Path() if inside else out, NEW, overwrite=True)
    assert held(out) == NEW
    assert out.stat().st_ino == before
    assert not (out / "tables" / "gone.csv").exists()


def test_a_folder_behind_a_link_stays_behind_it(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "far" / "real"
    real.mkdir(parents=True)
    link.symlink_to(real)
    fill_aside(link, OLD)
    fill_aside(link, NEW, overwrite=True)
    assert link.is_symlink()
    assert held(real) == NEW


@pytest.mark.parametrize("where", ["tables", "tables/b.csv"])
def test_a_link_of_the_users_where_results_go_is_refused(tmp_path: Path, where: str) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    (out / where).parent.mkdir(parents=True)
    elsewhere.mkdir()
    (out / where).symlink_to(elsewhere)
    with pytest.raises(ExperimentError, match=f"{where} stands where results go"):
        fill_aside(out, NEW, overwrite=True)
    assert [*out.iterdir()] == [out / where.split("/")[0]]
    assert [*elsewhere.iterdir()] == []


def _killed(out: Path) -> None:
    with handed_over(out) as folder:
        (folder / "half").touch()
        os.kill(os.getpid(), signal.SIGKILL)


def test_what_a_killed_run_leaves_is_removed_by_the_next_unless_somebody_holds_it(
    tmp_path: Path,
) -> None:
    process = multiprocessing.get_context("fork").Process(target=_killed, args=(tmp_path / "a",))
    process.start()
    process.join()
    assert len([*tmp_path.glob(".alignrank-*/half")]) == 1
    with handed_over(tmp_path / "b") as living:
        (living / "b.txt").write_text("b")
        assert [*tmp_path.iterdir()] == [living]
        fill_aside(tmp_path / "c", {"c.txt": "c"})
        assert living.is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c"]


def test_a_full_disk_names_the_file_where_it_would_be(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def full(folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(folder / "tables" / "b.csv"))

    with pytest.raises(OSError, match="No space") as caught, results_folder(out) as folder:
        full(folder)
    assert caught.value.filename == str(out / "tables" / "b.csv")
    assert [*tmp_path.iterdir()] == []


def test_threads_hand_over_too(tmp_path: Path) -> None:
    thread = threading.Thread(target=fill_aside, args=(tmp_path / "out", NEW))
    thread.start()
    thread.join()
    assert held(tmp_path / "out") == NEW
