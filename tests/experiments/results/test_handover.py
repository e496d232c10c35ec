"""A folder is handed over in one step; two runs do not lose each other's results."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from experiments.errors import ExperimentError
from experiments.results import handover
from experiments.results.folder import results_folder
from experiments.results.handover import MANIFEST, finish_handover, handed_over


def fill(out: Path, content: Mapping[str, str], *, overwrite: bool = False) -> None:
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
    fill(out, {"a.txt": "first"})
    (stage / "a.txt").write_text("second")
    with pytest.raises(ExperimentError, match=r"not empty any more.*another run.*--overwrite"):
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
    fill(out, OLD)
    for name, text in mine.items():
        (out / name).write_text(text)
    with suppress(KeyboardInterrupt), signalled(monkeypatch, signal.SIGINT, step):
        fill(out, NEW, overwrite=True)
    assert held(out) in (OLD | mine, NEW | mine)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_stopped_handover_is_finished_by_the_next_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    fill(out, OLD)
    (out / "mine.txt").write_text("mine")
    replaced = os.replace

    def failing(one: str, two: str) -> None:
        if Path(two).name == "b.csv":
            raise OSError(errno.EIO, "Input/output error", str(one), None, str(two))
        replaced(one, two)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        with pytest.raises(OSError, match=re.escape(str(out / "tables" / "b.csv"))):
            fill(out, NEW, overwrite=True)
    assert held(out) != NEW | {"mine.txt": "mine"}
    finish_handover(out)
    assert held(out) == NEW | {"mine.txt": "mine"}
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("exchange", [True, False])
def test_the_current_folder_stays_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    out = tmp_path / "out"
    fill(out, OLD)
    if exchange:
        monkeypatch.chdir(out)
    else:  # a system without the call
        monkeypatch.setattr(handover, "_exchanged", lambda *_: False)
    before = out.stat().st_ino
    fill(Path() if exchange else out, NEW, overwrite=True)
    assert held(out) == NEW
    assert out.stat().st_ino == before
    assert not (out / "tables" / "gone.csv").exists()


def test_what_is_replaced_whole_is_exchanged(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fill(out, OLD)
    before = out.stat().st_ino
    fill(out, NEW, overwrite=True)
    assert held(out) == NEW
    assert out.stat().st_ino != before


def test_a_folder_behind_a_link_stays_behind_it(tmp_path: Path) -> None:
    link, real = tmp_path / "link", tmp_path / "far" / "real"
    real.mkdir(parents=True)
    link.symlink_to(real)
    fill(link, OLD)
    fill(link, NEW, overwrite=True)
    assert link.is_symlink()
    assert held(real) == NEW


@pytest.mark.parametrize("where", ["tables", "tables/b.csv"])
def test_a_link_of_the_users_where_results_go_is_refused(tmp_path: Path, where: str) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    (out / where).parent.mkdir(parents=True)
    elsewhere.mkdir()
    (out / where).symlink_to(elsewhere)
    with pytest.raises(ExperimentError, match=f"{where} stands where results go"):
        fill(out, NEW, overwrite=True)
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
        fill(tmp_path / "c", {"c.txt": "c"})
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
    thread = threading.Thread(target=fill, args=(tmp_path / "out", NEW))
    thread.start()
    thread.join()
    assert held(tmp_path / "out") == NEW
