"""`alignrank gate` as it is typed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import alignrank as ar
from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment
from alignrank.ontologies.tasks import bundled_task, bundled_tasks

PAIRS = [Correspondence(f"http://a#{k:03}", f"http://b#{k:03}") for k in range(300)]


def written(path: Path, pairs: list[Correspondence]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_alignment(Alignment(pairs), path)
    return path


def test_exit_codes_and_the_sentence_first(shell: Any, tmp_path: Path) -> None:
    reference = written(tmp_path / "reference.rdf", PAIRS)
    good = written(tmp_path / "good.rdf", PAIRS[:280])
    bad = written(tmp_path / "bad.rdf", PAIRS[:200])
    close = written(tmp_path / "close.rdf", [*PAIRS[:270], *PAIRS[283:292]])
    for old, new, code, word in (
        (good, good, 0, "unchanged"),
        (good, bad, 1, "block"),
        (good, close, 3, "inconclusive"),
    ):
        result = shell("gate", old, new, "--reference", reference)
        assert (result[0], result[1].split(":")[0]) == (code, word)
    assert "❌ block" in shell("gate", good, bad, "--reference", reference, "--markdown")[1]


def test_a_table_of_answers_has_a_column_for_each_version(shell: Any, tmp_path: Path) -> None:
    lines = ["item,new,old", *(f"q{k},{int(k % 10 < 7)},{int(k % 10 < 8)}" for k in range(400))]
    table = tmp_path / "items.csv"
    table.write_text("\n".join(lines))
    code, out, err = shell("gate", table)
    assert (code, err) == (1, "")
    assert out.startswith("block: mean score 0.800 → 0.700 (change: -0.1")
    assert "assuming independent items (a column cluster tells which depend)" in out
    decided = ar.gate(pd.read_csv(table))
    assert decided == ar.gate(table)
    assert decided == ar.gate(pd.read_csv(table).set_index("item").to_dict())
    assert decided.answer == out.splitlines()[0]
    assert shell("gate", table, "--lower-is-better")[:2] == (
        0,
        out.replace("block", "pass").replace("score", "error").replace("a loss", "a gain"),
    )
    table.write_text("\n".join(lines).replace("new,old", "b,a"))
    code, out, _ = shell("gate", table, "--json")
    assert (code, json.loads(out)["decision"]) == (0, "pass")
    assert json.loads(out)["version"] == ar.__version__
    (caution,) = json.loads(out)["cautions"]
    assert caution == "by the order of the columns b is the old version, a the new."
    assert "--measure goes with alignments" in shell.refused("gate", table, "--measure", "f1")
    assert "--filter goes with alignments" in shell.refused("gate", table, "--filter", "relation==")
    with pytest.raises(
        ValueError, match=r"^reference=\.\.\. goes with alignments, not with a table of items"
    ):
        ar.gate(table, reference=table)


@pytest.mark.parametrize(
    "header", ["old,b", "b,new", "new,b", "b,old", "new@1,old@1", "New,b@1", "old@1,new", "NEW,Old"]
)
def test_a_column_called_old_or_new_is_that_version(
    header: str, shell: Any, tmp_path: Path
) -> None:
    first = header.casefold().split(",")[0].startswith("old") or header == "b,new"
    scores = (8, 7) if first else (7, 8)
    rows = [f"q{k},{int(k % 10 < scores[0])},{int(k % 10 < scores[1])}" for k in range(400)]
    table = tmp_path / "items.csv"
    table.write_text("\n".join([f"item,{header}", *rows]))
    code, out, err = shell("gate", table)
    assert (code, out[:31]) == (1, "block: mean score 0.800 → 0.700")
    assert ("by the name of the other column" in err) == ("b" in header)
    table.write_text("\n".join(["item,old,OLD", *rows]))
    assert "both systems are called old: rename one" in shell.refused("gate", table)


def test_tables_that_hold_no_two_versions_are_refused(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("task,old,new\nt1,.5,.6\nt2,.4,.7\n")
    said = shell.refused("gate", table)
    assert "table.csv holds scores of tasks: a gate takes answers by item; alignrank study" in said
    table.write_text("item,old,new\nq1,1,0\n")
    assert "q1 alone allows no test: " in (said := shell.refused("gate", table))
    assert said.rstrip().endswith("or a row for each item")
    table.write_text("item,a,b,c\nq1,1,0,1\nq2,1,0,1\n")
    said = shell.refused("gate", table)
    assert "table.csv has 3 systems: a gate compares an old version with a new one" in said
    with pytest.raises(ValueError, match=r"^the table has 3 systems: a gate compares"):
        ar.gate(pd.read_csv(table))
    with pytest.raises(ValueError, match=r"^old is missing: give its alignments, or a table"):
        ar.gate(None)  # type: ignore[arg-type]  # a variable that was never set
    records = tmp_path / "items.json"
    for key in ("item", "id"):
        lines = [f'{{"{key}": "q{k}", "old": 1, "new": 0}}' for k in range(3)]
        for text in (f"[{', '.join(lines)}]", "\n".join(lines)):
            records.write_text(text)
            assert "items.json is JSON or XML" in (refusal := shell.refused("gate", records))
            assert "write it as CSV" in refusal
    records.write_text('[{"entity1": "http://a#1", "entity2": "http://b#1"}]')
    assert "items.json: name the new version after it" in shell.refused("gate", records)
    alignment = written(tmp_path / "a.rdf", PAIRS)
    assert "a.rdf: name the new version after it" in shell.refused("gate", alignment)
    given = ("gate", alignment, alignment, "--reference", alignment, "--lower-is-better")
    assert "--lower-is-better goes with a table of items, not with" in shell.refused(*given)


def test_the_level_and_its_bounds_are_shown_as_they_are(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "items.csv"
    rows = [f"q{k},{int(k % 3 > 0)},{int(k % 7 > 1)}" for k in range(60)]
    table.write_text("\n".join(["item,old,new", *rows]))
    for alpha, confidence in ((".001", "99.8%"), ("1e-6", "99.9998%"), (".05", "90%")):
        assert f"with {confidence} confidence" in shell("gate", table, "--alpha", alpha)[1]
        markdown = shell("gate", table, "--alpha", alpha, "--markdown")[1]
        assert f"{confidence} limits of new − old" in markdown
    for command, name, high in (("gate", "alpha", 0.5), ("compare", "margin", 1)):
        usage = " ".join(shell(command, "--help")[1].split())
        assert f"(between 0 and {high:g}, exclusive)" in usage
        for value in ("0", f"{high:g}", "nan"):
            refusal = shell.refused(command, table, f"--{name}", value)
            assert f"'--{name}': {value} must lie between 0 and {high:g}" in refusal
    assert "'--margin': -0.5 is not in the range" in shell.refused("gate", table, "--margin", "-.5")


def test_folders_of_runs_and_of_tasks(shell: Any, tmp_path: Path) -> None:
    for task in ("x-y", "y-z"):
        written(tmp_path / "references" / f"{task}.rdf", PAIRS)
        written(tmp_path / "old" / f"{task}.rdf", PAIRS[:280])
        written(tmp_path / "new" / f"Mine-{task}.rdf", PAIRS[:200])
    references = tmp_path / "references"
    folders = tmp_path / "old", tmp_path / "new"
    assert shell("gate", *folders, "--reference", references)[0] == 1
    for version, right in (("one", 280), ("other", 200)):
        for run in (1, 2):
            written(tmp_path / version / f"mine-{run}.rdf", PAIRS[:right])
    versions = tmp_path / "one", tmp_path / "other"
    runs = shell("gate", *versions, "--reference", references / "x-y.rdf")
    assert runs[1].startswith("block")
    (tmp_path / "new" / "Mine-y-z.rdf").unlink()
    said = shell.refused("gate", *folders, "--reference", references)
    assert "Mine has no alignment for y-z: add it" in said


def test_a_track_by_name_knows_siblings_and_what_is_not_judged(shell: Any, tmp_path: Path) -> None:
    for task in bundled_tasks()[:4]:
        for version, system in (("old", "system_good"), ("new", "system_near_miss")):
            folder = tmp_path / version
            folder.mkdir(exist_ok=True)
            shutil.copy(task.alignments[system], folder / f"Mine-{task.name}.rdf")
        track = tmp_path / "track" / task.name
        track.mkdir(parents=True)
        for part in (task.source, task.target, task.reference):
            shutil.copy(part, track)
    given = ("gate", tmp_path / "old", tmp_path / "new", "--filter", "kind=class")
    code, out, err = shell(*given, "--task", tmp_path / "track")
    assert (code, out.split(":")[0]) == (1, "block")
    assert "if source entities are independent" not in out
    assert "left out, neither right nor wrong, by the rule kind=class: " in err
    one = bundled_task("library").alignments
    code, out, _ = shell(
        "gate", one["system_good"], one["system_bad"], "--task", "library", "--json"
    )
    assert code == 1
    assert json.loads(out)["clusters"] < len(read_alignment(bundled_task("library").reference))
    assert "name a task (--task) alone, or the reference (--reference)" in shell.refused(
        "gate", "a.rdf", "b.rdf"
    )


def test_a_foreign_version_is_refused_or_counts_as_0(shell: Any, tmp_path: Path) -> None:
    reference = written(tmp_path / "reference.rdf", PAIRS)
    good = written(tmp_path / "good.rdf", PAIRS[:280])
    foreign = written(tmp_path / "foreign.rdf", [Correspondence("http://q#1", "http://r#1")])
    given = ("gate", good, foreign, "--reference", reference)
    assert "--on-mismatch zero" in shell.refused(*given)
    code, out, err = shell(*given, "--on-mismatch", "zero")
    assert (code, out.split(":")[0]) == (1, "block")
    assert "all that new foreign found counts as wrong" in err


def test_a_file_of_a_folder_that_cannot_be_read_counts_as_0(shell: Any, tmp_path: Path) -> None:
    """It was called missing, after "counted as 0"."""
    for task in ("x-y", "y-z"):
        written(tmp_path / "references" / f"{task}.rdf", PAIRS)
        for version in ("old", "new"):
            written(tmp_path / version / f"Bad-{task}.rdf", PAIRS[:280])
    (tmp_path / "new" / "Bad-x-y.rdf").write_text("<rdf:RDF")
    given = ("gate", tmp_path / "old", tmp_path / "new", "--reference", tmp_path / "references")
    assert "--on-mismatch zero" in " ".join(shell.refused(*given).split())
    code, out, err = shell(*given, "--on-mismatch", "zero")
    assert (code, out.split(":")[0]) == (1, "block")
    assert "counted as 0." in err
    said = shell.refused(*given, "--on-mismatch", "drop")
    assert "Bad has no alignment for x-y: add it" in said


def test_the_papers_protocol_takes_no_other_test(shell: Any, tmp_path: Path) -> None:
    files = [written(tmp_path / f"{n}.rdf", PAIRS[:n]) for n in (300, 250, 200)]
    given = ("compare", *files, "--protocol", "mohammadi-2018", "--test", "exact")
    assert "--protocol sets the views and the test" in shell.refused(*given)


def test_a_folder_of_different_systems_is_refused(shell: Any, tmp_path: Path) -> None:
    reference = written(tmp_path / "reference.rdf", PAIRS)
    old = [written(tmp_path / "old" / f"{name}.rdf", PAIRS) for name in ("AML", "XMap")]
    told = shell.refused("gate", old[0].parent, reference, "--reference", reference)
    assert "different systems (AML, XMap)" in told


def test_a_folder_of_references_knows_its_ontologies_as_a_track_by_name_does(
    shell: Any, tmp_path: Path
) -> None:
    references = tmp_path / "references"
    for task in bundled_tasks()[:3]:
        folder = references / task.name
        folder.mkdir(parents=True)
        for part in (task.source, task.target, task.reference):
            shutil.copy(part, folder)
        for version, system in (("old", "system_good"), ("new", "system_near_miss")):
            (tmp_path / version).mkdir(exist_ok=True)
            shutil.copy(task.alignments[system], tmp_path / version / f"Mine-{task.name}.rdf")
    given = ("gate", tmp_path / "old", tmp_path / "new", "--json")
    by_name = shell(*given, "--task", references)
    assert shell(*given, "--reference", references) == by_name
    assert json.loads(by_name[1])["clusters"] is not None


def test_a_caution_on_both_versions_is_told_once(shell: Any, tmp_path: Path) -> None:
    for folder, name, target in (
        ("references", "x-y", "b"),
        ("old", "Mine-x-y", "B"),
        ("new", "Mine-x-y", "B"),
    ):
        (tmp_path / folder).mkdir()
        cells = [Correspondence(f"http://a#{k}", f"http://{target}#{k}") for k in range(9)]
        write_alignment(Alignment(cells), tmp_path / folder / f"{name}.rdf")
    folders = [tmp_path / folder for folder in ("old", "new", "references")]
    told = shell("gate", *folders[:2], "--reference", folders[2], "--json")[1]
    assert sum("http://B#" in caution for caution in json.loads(told)["cautions"]) == 1


def test_a_version_that_is_left_out_is_named(shell: Any, tmp_path: Path) -> None:
    """The message named no file."""
    reference = written(tmp_path / "reference.rdf", PAIRS)
    foreign = [Correspondence(f"http://c#{k}", f"http://d#{k}") for k in range(9)]
    new = written(tmp_path / "new.rdf", foreign)
    stated = ("gate", reference, new, "--reference", reference, "--on-mismatch")
    assert f"{new} is left out, as it is foreign to the reference" in shell.refused(*stated, "drop")
    assert shell(*stated, "zero")[0] == 1


def test_of_folders_options_that_cannot_apply_are_refused(shell: Any, tmp_path: Path) -> None:
    """They were read over where each version has a file for each task."""
    for folder, right in (("references", 300), ("old", 280), ("new", 270)):
        for task in ("one", "two"):
            stem = task if folder == "references" else f"mine-{task}"
            written(tmp_path / folder / f"{stem}.rdf", PAIRS[:right])
    old, new = tmp_path / "old", tmp_path / "new"
    stated = ("gate", old, new, "--reference", tmp_path / "references")
    assert shell(*stated)[0] == 1
    refusal = shell.refused(*stated, "--lower-is-better")
    assert "--lower-is-better goes with a table of items, not with alignments" in refusal
    with pytest.raises(ValueError, match="on_mismatch 'zeros' is unknown: did you mean zero"):
        ar.gate(old, new, reference=tmp_path / "references", on_mismatch="zeros")
