"""The tasks of a track: each by itself (`compare`), and the organiser's page (`study`)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.ontologies.tasks import bundled_task

Folders = tuple[Path, Path]


def alignment(task: str, names: str) -> ar.Alignment:
    left, right = task.split("-")
    pairs = ((f"http://{left}#{n.lower()}", f"http://{right}#{n}") for n in names)
    return ar.Alignment(ar.Correspondence(*pair) for pair in pairs)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    """MELT results of two systems on two tasks: one finds all, the other half and a wrong pair."""
    letters, references = "abcdefghijklmnopqrst", tmp_path / "references"
    references.mkdir()
    for task, good in (("x-y", "Full"), ("x-z", "Half")):
        ar.write_alignment(alignment(task, letters), references / f"{task}.rdf")
        for system in ("Full", "Half"):
            found = letters if system == good else letters[:10] + "U"
            folder = tmp_path / "results_1" / "track_v1" / task / system
            folder.mkdir(parents=True)
            ar.write_alignment(alignment(task, found), folder / "systemAlignment.rdf")
            measured = "Type,F1,Time\nALL,1.0,1500000000\n"
            (folder / "performance.csv").write_text(measured)
    return references, tmp_path / "results_1"


def test_compare_takes_each_task_of_a_folder_by_itself(shell: Any, folders: Folders) -> None:
    text = shell.printed("compare", *folders)
    assert text.startswith("Best of 2 tasks: Full on 1, Half on 1.")
    assert "significantly worse than the best one on 2" in text
    content = shell.json("compare", *folders, "--focus", "Half")["tasks"]
    assert content["x-y"]["views"]["entity"]["rankings"]["holm"]["edges"] == [["Full", "Half"]]
    files = sorted(folders[1].glob("*/x-y/*/*.rdf"))
    named = [f"{path.parent.name}={path}" for path in files]
    alone = shell.json("compare", folders[0] / "x-y.rdf", *named, "--focus", "Half")
    assert (alone["scores"], alone["views"]) == (content["x-y"]["scores"], content["x-y"]["views"])


def test_cautions_on_a_folder_are_in_its_json(shell: Any, folders: Folders) -> None:
    (missing,) = folders[1].glob("*/x-z/Half/systemAlignment.rdf")
    missing.unlink()
    content = shell.json("compare", *folders)
    said = "there is no alignment on 1 task of Half: only the others are compared there"
    assert said in content["cautions"]
    assert list(content["tasks"]) == ["x-y"]  # one system is left on the other task
    assert content["version"] == ar.__version__


def test_compare_refuses_what_goes_with_one_task(shell: Any, folders: Folders) -> None:
    references, results = folders
    task = references / "x-y.rdf"
    assert "name one folder of SYSTEM-task.rdf" in shell.refused("compare", references, task)
    assert "--cluster goes with alignments, not with folders of tasks" in shell.refused(
        "compare", *folders, "--cluster", "parent"
    )
    assert "--out goes with one task" in shell.refused("compare", *folders, "--out", results / "o")


def test_the_organisers_page_has_rates_winners_and_runtimes(
    shell: Any, folders: Folders, tmp_path: Path
) -> None:
    references, results = folders
    out = tmp_path / "out"
    printed = shell.json("study", results, "--reference", references, "--out", out)
    page = (out / "report.html").read_text()
    for title in ("Each task by itself", "Averages", "Precision, recall and F1 by task"):
        assert title in page
    rows = (out / "tables" / "precision-recall-and-f1-by-task.csv").read_text().splitlines()
    f1 = 20 / 31
    assert rows[:3] == ["task,system,precision,recall,F1", "x-y,Full,1.0,1.0,1.0", rows[2]]
    assert rows[2].startswith(f"x-y,Half,{10 / 11},0.5,{str(f1)[:6]}")
    averages = (out / "tables" / "averages.csv").read_text()
    assert averages.splitlines()[0].endswith("tasks,seconds")
    assert averages.splitlines()[1].endswith(",2,3.0")
    assert "<strong>Full</strong>" in page
    summary = json.loads((out / "summary.json").read_text())
    assert summary["provenance"]["settings"]
    assert printed == summary


def test_the_inputs_of_a_study_are_the_files_that_were_read(
    folders: Folders, tmp_path: Path
) -> None:
    references, _ = folders
    systems = tmp_path / "systems"
    systems.mkdir()
    for task in ("x-y", "x-z"):
        for system, names in (("One", "abc"), ("Two", "bcde")):
            path = systems / f"{system}-{task}.csv"
            rows = (",".join(c.pair) for c in alignment(task, names))
            path.write_text("\n".join(["entity1,entity2", *rows]))
    study = ar.study(systems, reference=references).summary
    files = [*systems.iterdir(), *references.iterdir()]
    assert {*study.provenance.inputs} == {*map(str, files)}


def test_a_table_of_one_system_is_named(shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("task,AML\na,0.5\nb,0.6\n")
    assert f"{path} holds the scores of AML only: add a column" in shell.refused("study", path)


def test_workers_for_a_table_of_scores_are_refused(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("task,a,b\nx,1,0\n")
    assert "leave --workers and --scheduler out" in shell.refused("study", table, "--workers", "2")


def test_messages_name_system_and_task(shell: Any, folders: Folders) -> None:
    references, results = folders
    path = next(results.glob("*/x-z/Half/systemAlignment.rdf"))
    ar.write_alignment(alignment("q-r", "ab"), path)
    text = shell.refused("study", results, "--reference", references)
    assert "(Half/x-z)" in text
    assert "systemAlignment" not in text


def test_classes_that_share_a_parent_are_known_from_the_ontologies_of_a_track(
    shell: Any, oaei: Path
) -> None:
    track = oaei / "conference"
    text = shell.printed(*("study", track / "systems-2019", "--reference", track / "reference"))
    said = " ".join(text.split())
    assert (
        "entities, adjusted for dependence between classes that share a parent), 9 of 21 pairs"
        in said
    )


def test_an_ontology_that_nobody_named_does_not_stop_a_study(shell: Any, tmp_path: Path) -> None:
    task = bundled_task("library")
    systems = tmp_path / "systems"
    systems.mkdir()
    for name in ("t0", "t1", "t2", "t3"):
        folder = tmp_path / "tasks" / name
        folder.mkdir(parents=True)
        shutil.copy(task.source, folder / "source.owl")
        shutil.copy(task.target, folder / "target.owl")
        shutil.copy(task.reference, folder / "reference.rdf")
        for system in ("system_good", "system_bad"):
            shutil.copy(task.alignments[system], systems / f"{system}-{name}.rdf")
    words = ("study", systems, "--reference", tmp_path / "tasks")
    assert "dependence between classes that share a parent" in " ".join(
        shell.printed(*words).split()
    )
    (tmp_path / "tasks" / "t2" / "source.owl").write_text("no ontology")
    _, printed, cautions = shell(*words)
    assert "taken as independent" in " ".join(printed.split())
    assert "source.owl" in cautions
