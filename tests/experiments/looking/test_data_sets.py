"""The data commands: what they print and write, and how they end."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from alignrank.common.files import sha256
from alignrank.experiments.cli import main
from alignrank.ontologies import (
    Alignment,
    NegatedCorrespondence,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.tasks import bundled_folder, bundled_task, find_tasks
from alignrank.ontologies.tasks.catalogue import DataSet, RemoteFile
from alignrank.ontologies.vocabulary import SKOS
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
    monkeypatch.setattr("alignrank.experiments.looking.data_sets.data_sets", lambda *_: known)
    monkeypatch.setattr("alignrank.ontologies.tasks.catalogue.data_sets", lambda *_: known)
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


def test_the_data_folder_is_no_file_and_added_tasks_have_a_path(run: Run, tmp_path: Path) -> None:
    shutil.copytree(bundled_folder("vehicles"), tmp_path / "cars")
    assert run("path", "cars", "--data", str(tmp_path)) == (0, f"{tmp_path / 'cars'}\n")
    file = tmp_path / "file"
    file.touch()
    code, text = run("list", "--data", str(file))
    assert (code, f"--data {file} is a file: name a folder" in text) == (2, True)


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


@pytest.mark.parametrize("form", ["csv", "sssom.tsv"])
def test_what_lies_beside_the_reference_of_an_added_pair_is_kept(
    run: Run, data: Path, form: str
) -> None:
    task, reference = bundled_task("library"), data / f"mine.{form}"
    right, *others = read_alignment(task.reference)
    denied = NegatedCorrespondence(*right.pair, f"{SKOS}exactMatch", "=")
    write_alignment(Alignment(others, negated=[denied]), reference)
    if form == "sssom.tsv":
        lines = reference.read_text().splitlines(keepends=True)
        reference.write_text("".join(line for line in lines if not line.startswith("#")))
        header = "".join(line[1:] for line in lines if line.startswith("#"))
        (data / "mine.sssom.yml").write_text(header)
    files = [str(path) for path in (task.source, task.target, reference)]
    assert run("add", "my-pair", *files, "--data", str(data))[0] == 0
    (added,) = find_tasks("my-pair", [data])
    assert read_alignment(added.reference) == read_alignment(reference)
    assert read_alignment(added.reference).negated == (denied,)
