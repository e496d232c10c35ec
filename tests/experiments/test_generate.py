"""The command that writes generated pairs, and the ranking of what it wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.cli import main
from ontologies.tasks import bundled_task, find_tasks


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["alignrank", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_preset_is_written_the_same_twice_and_ranks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for out in (one, two):
        options = ["--classes", "40", "--preset", "near-miss", "--out", str(out)]
        assert _run(monkeypatch, "generate", *options) == 0
    assert _bytes(one) == _bytes(two)
    assert [task.name for task in find_tasks(str(one))] == ["10", "20", "30", "40", "50"]
    metrics = ["--metric", "equality", "--metric", "levenshtein"]
    assert _run(monkeypatch, "rank", "--task", str(one), *metrics) == 0
    assert "2 systems on 5 tasks (F1)" in capsys.readouterr().out


def test_another_seed_gives_another_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in ("1", "2"):
        out = str(tmp_path / seed)
        assert _run(monkeypatch, "generate", "--classes", "20", "--seed", seed, "--out", out) == 0
    assert _bytes(tmp_path / "1")["source.owl"] != _bytes(tmp_path / "2")["source.owl"]


def test_a_full_folder_and_two_ways_at_once_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "something").touch()
    assert _run(monkeypatch, "generate", "--out", str(tmp_path)) == 2
    assert "is not empty" in capsys.readouterr().err
    both = ["--alter", "spec.toml", "--preset", "scale", "--out", str(tmp_path / "new")]
    assert _run(monkeypatch, "generate", *both) == 2
    assert "name one of them" in capsys.readouterr().err
    assert _run(monkeypatch, "generate", "--preset", "hard", "--out", str(tmp_path / "new")) == 2
    assert "preset 'hard' is unknown" in capsys.readouterr().err


def test_a_given_ontology_is_the_source_of_every_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(bundled_task("library").target)
    one, two = tmp_path / "one", tmp_path / "two"
    for out in (one, two):
        options = ["--from", path, "--preset", "near-miss", "--out", str(out)]
        assert _run(monkeypatch, "generate", *options) == 0
    said = capsys.readouterr().out
    assert "other axiom on a class (6), super-property (2)" in said
    assert "'synonym' knows no other" in said
    assert _bytes(one) == _bytes(two)
    manifest = json.loads((one / "10" / "manifest.json").read_text())
    assert manifest["from"] == "target.owl"
    metrics = ["--metric", "equality", "--metric", "levenshtein"]
    assert _run(monkeypatch, "rank", "--task", str(one / "10"), *metrics) == 0


def test_what_cannot_be_given_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(bundled_task("library").source)
    broken = tmp_path / "broken.owl"
    broken.write_bytes(Path(path).read_bytes()[:2000])
    out = ["--out", str(tmp_path / "new")]
    for options, said in (
        (["--from", path, "--classes", "10"], "--from gives one: name one of them"),
        (["--from", path, "--preset", "scale"], "of several sizes, and one is given"),
        (["--from", str(broken)], "line 46: not well-formed XML"),
        (["--from", str(tmp_path / "none.owl")], "does not exist"),
        (["--from", path, "--imports", str(broken)], "is not a folder"),
    ):
        assert _run(monkeypatch, "generate", *options, *out) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
        assert not (tmp_path / "new").exists()
