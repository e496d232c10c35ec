"""The data commands: what they print, and how they end."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.cli import main
from experiments.looking.data_sets import contents
from ontologies.common.files import sha256
from ontologies.tasks import bundled_folder
from ontologies.tasks.catalogue import DataSet, RemoteFile

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
    monkeypatch.setattr("ontologies.tasks.catalogue.data_sets", lambda: known)
    monkeypatch.setattr("experiments.looking.data_sets.data_sets", lambda: known)
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


def test_every_ontology_at_hand_loads(oaei: Path) -> None:
    found = {c.ontology: c for c in contents(oaei)}
    assert len(found) == 10 + 2 + 7 + 5
    assert all(c.classes + c.properties + c.individuals > 0 for c in found.values())
    human = found["anatomy/human.owl"]
    assert (human.classes, human.labelled, human.synonyms) == (3298, 3299, 5264)
    assert found["ontologies/edas.owl"].individuals == 114


def test_what_does_not_load_is_said_and_left_out_of_the_table(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "broken.ttl").write_text("@prefix : <http://e.org#> .\n:A a")
    (tmp_path / "whole.ttl").write_text(":A a <http://www.w3.org/2002/07/owl#Class> .".replace(
        ":A", "<http://e.org#A>"
    ))  # fmt: skip
    (tmp_path / "folder.owl").mkdir()
    code, text = run("table", "--data", str(tmp_path))
    assert code == 0
    assert "broken.ttl, line 2: not valid Turtle" in caplog.text
    assert "folder.owl" not in caplog.text
    rows = [line.split() for line in text.splitlines() if "whole.ttl" in line]
    assert [row[1:4] for row in rows] == [["1", "0", "0"]]
