"""The data commands and the generated pairs: what they print and write, and how they end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from alignrank.common.files import sha256
from alignrank.experiments.cli import main
from alignrank.ontologies.tasks import bundled_folder, bundled_task, find_tasks
from alignrank.ontologies.tasks.catalogue import DataSet, RemoteFile
from tests.conftest import FullDisk

#: Calls `alignrank data` with some arguments; returns the exit code and what is printed.
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["alignrank", "data", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        printed = capsys.readouterr()
        return int(stopped.value.code or 0), printed.out + printed.err

    return call


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of one set, one of whose two files is there."""
    files = (
        RemoteFile("mine/a.owl", "http://127.0.0.1:9/a", sha256(b"a"), 1),
        RemoteFile("mine/b.owl", "http://127.0.0.1:9/b", sha256(b"b"), 1),
    )
    known = {"mine": DataSet("mine", "two letters", "ask the author", files)}
    # this one first: what it imports now must not be what is patched
    monkeypatch.setattr("alignrank.experiments.looking.data_sets.data_sets", lambda: known)
    monkeypatch.setattr("alignrank.ontologies.tasks.catalogue.data_sets", lambda: known)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.owl").write_bytes(b"a")
    return tmp_path


def test_list_says_what_is_here(run: Run, data: Path) -> None:
    code, text = run("list", "--data", str(data))
    assert code == 0
    assert "ask the author" in text
    assert "in part" in text
    (data / "mine" / "b.owl").write_bytes(b"b")
    assert " yes " in run("list", "--data", str(data))[1]
    code, text = run("list", "--data", str(data / "mine"))
    assert " no " in text


def test_verify_ends_with_1_where_something_is_wrong(run: Run, data: Path) -> None:
    code, text = run("verify", "--data", str(data))
    assert code == 1
    assert "b.owl: missing" in text
    assert "1 of 2 files" in text
    (data / "mine" / "b.owl").write_bytes(b"b")
    assert run("verify", "mine", "--data", str(data))[0] == 0
    (data / "mine" / "a.owl").write_bytes(b"x")
    code, text = run("verify", "mine", "--data", str(data))
    assert (code, "a.owl: changed" in text) == (1, True)


def test_verify_says_of_what_was_never_fetched_that_it_is_not_there(
    run: Run, data: Path, tmp_path: Path
) -> None:
    code, text = run("verify", "mine", "--data", str(tmp_path / "empty"))
    assert (code, text) == (1, "mine: not there: alignrank data fetch mine\n")


def test_a_track_in_the_cache_of_melt_has_nothing_to_verify_by(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    melt = tmp_path / "oaei_track_cache" / "oaei.webdatacommons.org" / "food" / "v1" / "case"
    shutil.copytree(bundled_folder("vehicles"), melt)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ALIGNRANK_DATA", str(tmp_path / "none"))
    code, text = run("verify")
    assert code == 0
    assert "food/v1" in text
    assert "without checksums" in text
    assert run("path", "food/v1") == (0, f"{melt.parent}\n")


def test_fetch_says_the_licence_first(run: Run, data: Path) -> None:
    code, text = run("fetch", "mine", "--offline", "--data", str(data))
    assert code == 2
    assert text.index("ask the author") < text.index("without --offline")
    (data / "mine" / "b.owl").write_bytes(b"b")
    code, text = run("fetch", "mine", "--offline", "--data", str(data))
    assert (code, "0 files fetched, 2 there before" in text) == (0, True)


def test_path_is_the_folder_alone(run: Run, data: Path) -> None:
    code, text = run("path", "mine", "--data", str(data))
    assert (code, "there in part" in text) == (2, True)
    (data / "mine" / "b.owl").write_bytes(b"b")
    assert run("path", "mine", "--data", str(data)) == (0, f"{data / 'mine'}\n")
    code, text = run("path", "mine", "--data", str(data / "mine"))
    assert (code, "data fetch mine" in text) == (2, True)
    code, text = run("path", "yours", "--data", str(data))
    assert (code, "data set 'yours' is unknown" in text) == (2, True)


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
    shown = capsys.readouterr().out
    assert "Method: Means over tasks; no test." in shown  # all five tasks share an ontology
    assert {"equality", "levenshtein"} <= {line.split()[0] for line in shown.splitlines() if line}


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
    said = capsys.readouterr().err
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


def test_a_pair_of_ones_own_is_added_and_ranked_by_name(run: Run, data: Path) -> None:
    task = bundled_task("library")
    files = [str(path) for path in (task.source, task.target, task.reference)]
    where = ("--data", str(data))
    code, text = run("add", "my-pair", *files, *where)
    assert code == 0
    assert "my-pair: 48 correspondences between 60 entities and 72 entities" in text
    (found,) = find_tasks("my-pair", [data])
    assert found.source.read_bytes() == task.source.read_bytes()
    for name, said in (("my-pair", "already"), ("mine", "already"), ("a/b", "a-b would be one")):
        code, text = run("add", name, *files, *where)
        assert (code, said in text) == (2, True), text
    code, text = run("add", "turned", files[1], files[0], files[2], *where)
    assert (code, "swapping source and target mends it" in text) == (2, True)
    assert not (data / "turned").exists()


def test_a_full_disk_is_no_fault_of_the_pair_that_is_added(
    run: Run, data: Path, full_disk: FullDisk
) -> None:
    task = bundled_task("library")
    files = [str(path) for path in (task.source, task.target, task.reference)]
    with full_disk():
        code, text = run("add", "my-pair", *files, "--data", str(data))
    assert (code, f"{data / 'my-pair' / 'source.owl'}: file too large" in text) == (2, True)


def test_the_systems_of_any_year_are_fetched_by_that_year(run: Run, oaei: Path) -> None:
    """Those of 2016 lie in the set of the track itself, as shipped experiments ask for them."""
    fetch = ("fetch", "anatomy", "--offline", "--data", str(oaei), "--systems")
    for year, sets in (("2016", ["anatomy"]), ("2018", ["anatomy", "anatomy/systems-2018"])):
        code, printed = run(*fetch, year)
        assert code == 0
        assert [line.split(":")[0] for line in printed.splitlines()[::2]] == sets
    code, printed = run(*fetch, "2019")
    assert (code, "anatomy has no alignments of 2019, but of 2016, 2017" in printed) == (2, True)
