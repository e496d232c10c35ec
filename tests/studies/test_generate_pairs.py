"""Pairs from the command line: the same bytes twice, from an ontology of one's own, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import alignrank as ar
from alignrank.ontologies.tasks import bundled_task, find_tasks
from generate_pairs import main

LIBRARY = str(bundled_task("library").target)


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("made_of", [["--classes", "40"], ["--from", LIBRARY]])
def test_a_preset_is_written_the_same_twice_and_ranks(made_of: list[str], tmp_path: Path) -> None:
    for out in ("one", "two"):
        main([str(tmp_path / out), "--preset", "near-miss", *made_of])
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    names = [task.name for task in find_tasks(str(tmp_path / "one"))]
    assert names == ["10", "20", "30", "40", "50"]
    ranked = ar.rank(task=str(tmp_path / "one" / "10"), metrics=["equality", "levenshtein"])
    assert set(ranked.summary.systems) == {"equality", "levenshtein"}


def test_another_seed_gives_another_pair(tmp_path: Path) -> None:
    for seed in "12":
        main([str(tmp_path / seed), "--classes", "20", "--seed", seed])
    assert contents(tmp_path / "1")["source.owl"] != contents(tmp_path / "2")["source.owl"]


def test_what_a_given_ontology_lacks_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path), "--from", LIBRARY, "--preset", "near-miss"])
    printed = capsys.readouterr().out
    assert "other axiom on a class (6)" in printed
    assert "'synonym' has no other" in printed
    manifest = json.loads((tmp_path / "10" / "manifest.json").read_text())
    assert manifest["from"] == "target.owl"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--alter", "spec.toml", "--preset", "scale"], "not allowed with"),
        (["--from", LIBRARY, "--classes", "10"], "not allowed with"),
        (["--from", LIBRARY, "--preset", "scale"], "of several sizes, and one is given"),
        (["--from", "none.owl"], "does not exist"),
        (["--alter", "none.toml"], "none.toml"),
    ],
)
def test_what_cannot_be_done_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "out"), *words])
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_full_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "something").touch()
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "is not empty" in capsys.readouterr().err
