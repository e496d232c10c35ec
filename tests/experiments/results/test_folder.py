"""The results folder: whole or as it was before."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import numpy
import pytest
import rapidfuzz

from experiments.errors import ExperimentError
from experiments.results.folder import results_folder
from experiments.results.handover import MANIFEST


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


def test_manifest_names_the_versions(tmp_path: Path) -> None:
    fill(tmp_path / "out", "a.txt")
    manifest = json.loads((tmp_path / "out" / MANIFEST).read_text())
    assert manifest["python"] == platform.python_version()
    assert manifest["libraries"]["numpy"] == numpy.__version__
    assert manifest["libraries"]["rapidfuzz"] == rapidfuzz.__version__


def test_a_folder_that_holds_something_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ExperimentError, match=r"not empty.*--overwrite"):
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
