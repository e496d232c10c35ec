"""A quick look: an ontology's counts, depth, names and what was left out; a mapping's page."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.looking.show import (
    describe,
    overview,
    print_overview,
    show_mapping,
)
from alignrank.experiments.report.console import print_cautions
from alignrank.ontologies import Entity, Kind, Label, Ontology, load_ontology
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")


def small() -> Ontology:
    entities = [
        Entity("x#Item", Kind.CLASS, (Label("item", "en"), Label("Ding", "de"))),
        Entity("x#Book", Kind.CLASS, (Label("book", "en"),), (Label("tome", "en"),)),
        Entity("x#Novel", Kind.CLASS, (Label("BOOK", "en"),)),
        Entity("x#owns", Kind.PROPERTY),
    ]
    return Ontology(
        "x",
        {e.iri: e for e in entities},
        {"x#Book": ("x#Item",), "x#Novel": ("x#Book",)},
        missing_imports=("http://elsewhere",),
        left_out={"helper": 3, "deprecated": 0},
        path="x.owl",
    )


def test_the_overview_counts() -> None:
    seen = overview(small())
    assert seen.counts[Kind.CLASS].entities == 3
    assert seen.languages == {"en": 4, "de": 1}
    assert seen.shared_names == 1  # book and BOOK
    assert seen.depth == {Kind.CLASS: 3}
    assert seen.roots == 1
    assert any("3 helper entities left out" in caution for caution in seen.cautions)
    assert [e.iri for e in seen.examples[Kind.CLASS]] == ["x#Book", "x#Item", "x#Novel"]
    assert json.loads(json.dumps(asdict(seen)))["roots"] == 1


def test_examples_are_spread_over_the_ontology() -> None:
    classes = {iri: Entity(iri, Kind.CLASS) for iri in "abcdefghijk"}
    examples = overview(Ontology("x", classes)).examples[Kind.CLASS]
    assert [entity.iri for entity in examples] == list("acegi")


def test_a_cycle_is_reported_and_does_not_hang(capsys: pytest.CaptureFixture[str]) -> None:
    entities = {iri: Entity(iri, Kind.CLASS) for iri in ("x#a", "x#b")}
    seen = overview(Ontology("x", entities, {"x#a": ("x#b",), "x#b": ("x#a",)}))
    assert seen.cycles == (("x#a", "x#b"),)
    print_overview(seen)
    assert "a cycle of super-entities: x#a, x#b" in capsys.readouterr().err


def test_an_empty_ontology_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    print_overview(overview(Ontology("", {})))
    assert "no labels" in capsys.readouterr().out


def test_what_was_mended_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mended.obo"
    path.write_bytes(b"format-version: 1.2\n\n[Term]\nid: A:1\nname: caf\xe9\n")
    print_overview(overview(load_ontology(path)))
    assert "line 5: 1 byte is not UTF-8, and read as Windows-1252" in capsys.readouterr().err


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_overview(overview(small()))
    out, errors = capsys.readouterr()
    assert "en 4, de 1" in out
    assert "3 helper entities left out: they only hold synonyms" in errors
    assert "imports not found locally: http://elsewhere" in errors


def test_hostile_labels_print_as_one_plain_line(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = ["\x1b[31mred\x07", "\u202eright", "two\nlines", "[bold]markup[/bold]", "x" * 10_000]
    line = describe(Entity("x#\x1b[2J", Kind.CLASS, tuple(Label(name) for name in hostile)))
    assert line.isprintable()
    assert len(line) < 600
    print_cautions([line])
    assert "[bold]markup[/bold]" in capsys.readouterr().err


def test_list_prints_the_lists_that_are_named(shell: Any) -> None:
    printed = shell.printed("list", "tests")
    assert printed.startswith("tests:\n")
    assert "metrics:" not in printed
    assert "metrics:" in shell.printed("list")
    assert "family: equality, levenshtein, " in shell.printed("list", "metrics")
    assert "nothing called 'test' is listed: did you mean tests?" in shell.refused("list", "test")


def test_a_file_that_is_no_ontology_is_refused_for_what_it_is(shell: Any, tmp_path: Path) -> None:
    assert "nowhere.owl does not exist" in shell.refused("show", tmp_path / "nowhere.owl")
    (tmp_path / "notes.txt").write_text("Nothing but words.")
    assert "in no format that is known" in shell.refused("show", tmp_path / "notes.txt")
    for paths in ([LIBRARY.reference], [LIBRARY.source, LIBRARY.target]):
        assert "name one ontology, or an alignment, its source" in shell.refused("show", *paths)


def test_examples_of_each_kind_are_shown(shell: Any) -> None:
    assert "class, for example:" in shell.printed("show", LIBRARY.source)


def test_the_page_is_a_file_whose_name_ends_in_html(tmp_path: Path) -> None:
    files = (LIBRARY.reference, LIBRARY.source, LIBRARY.target)
    show_mapping(*files, out=tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ExperimentError, match=r"page\.html exists"):
        show_mapping(*files, out=tmp_path / "page.html")
    for name in ("page.csv", "page.txt"):
        with pytest.raises(ExperimentError, match=f"{name}: the page must end in .html"):
            show_mapping(*files, out=tmp_path / name)


def test_the_page_of_a_file_whose_name_begins_with_a_dot_can_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda address: None)
    Path(".mine.rdf").write_bytes(LIBRARY.reference.read_bytes())
    show_mapping(Path(".mine.rdf"), LIBRARY.source, LIBRARY.target, page=True)
    assert Path("mine.html").is_file()
