"""The tasks of a track: each by itself (`compare`), and the organiser's page (`study`)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.evaluation import Comparison
from alignrank.ontologies.tasks import bundled_task
from tests.ontologies.tasks.test_campaigns import TRACK, YEAR, listed

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


def test_a_file_that_cannot_be_read_counts_as_0_in_compare(shell: Any, folders: Folders) -> None:
    """The system was left out of that task, after "counted as 0"."""
    (broken,) = folders[1].glob("*/x-z/Half/systemAlignment.rdf")
    broken.write_text("<rdf:RDF")
    assert "--on-mismatch zero" in shell.refused("compare", *folders)
    content = shell.json("compare", *folders, "--on-mismatch", "zero")
    assert not [text for text in content["cautions"] if "there is no alignment" in text]
    task = content["tasks"]["x-z"]
    assert Comparison.from_dict(task).deciding.edges == (("Full", "Half"),)
    assert any("Half counts as 0: not readable" in each["text"] for each in task["cautions"])
    study = ("study", folders[1], "--reference", folders[0], "--on-mismatch", "zero")
    assert "counted as 0." in shell(*study)[2]


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


def iris(task: str, k: int, *, target: int | None = None) -> tuple[str, str]:
    left, right = task.split("-")
    return f"http://{left}#e{k}", f"http://{right}#e{k if target is None else target}"


def stated(task: str, relation: str, numbers: range) -> list[ar.Correspondence]:
    return [ar.Correspondence(*iris(task, k), relation) for k in numbers]


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """A track of two tasks with a filter; its references have relations of every kind."""
    data = tmp_path / "data"
    folder = data / "shelves"
    for name in ("ontologies", "reference", "systems-2026"):
        (folder / name).mkdir(parents=True)
    for side in "xyz":
        classes = "".join(
            f'<owl:Class rdf:about="http://{side}#e{k}"><rdfs:label>{side}{k}</rdfs:label>'
            "</owl:Class>"
            for k in range(60)
        )
        (folder / "ontologies" / f"{side}.owl").write_text(
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            'xmlns:owl="http://www.w3.org/2002/07/owl#" '
            f'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">{classes}</rdf:RDF>'
        )
    for task in ("x-y", "x-z"):
        equal, narrower = stated(task, "=", range(40)), stated(task, "<", range(40, 48))
        unknown, denied = stated(task, "?", range(48, 54)), stated(task, "%", range(54, 60))
        reference = [*equal, *narrower, *unknown, *denied]
        ar.write_alignment(ar.Alignment(reference), folder / "reference" / f"{task}.rdf")
        wrong = [ar.Correspondence(*iris(task, k, target=k + 1)) for k in range(5)]
        many = [*equal[:35], *stated(task, "=", range(46, 57)), *narrower[:4], *wrong, *denied[4:]]
        few = ar.Alignment([*equal[5:25], *narrower[:6]])
        few = few.renamed(str, lambda iri: iri.replace("http://", "HTTP://"))  # case is mended
        ar.write_alignment(ar.Alignment(many), folder / "systems-2026" / f"Many-{task}.rdf")
        ar.write_alignment(few, folder / "systems-2026" / f"Few-{task}.rdf")
    files = [path for path in sorted(folder.rglob("*.*")) if "systems" not in str(path)]
    (data / "campaign.toml").write_text(TRACK.format(files=listed(data, files)))
    year = YEAR.format(files=listed(data, [*(folder / "systems-2026").iterdir()]), good="1, 2, 3")
    (data / "campaign-2026.toml").write_text(year)
    return folder


RATES = ("precision", "recall", "f1")
Rates = dict[str, tuple[float, ...]]


def rates_of(content: Any) -> Rates:
    """Return precision, recall and F1 of every system of a comparison."""
    return {
        name: tuple(round(getattr(scores, rate), 9) for rate in RATES)
        for name, scores in Comparison.from_dict(content).scores.items()
    }


def rates_of_scores(content: Any) -> Rates:
    values = {
        (value["system"], value["name"]): round(value["value"], 9)
        for value in content["scores"]
        if value["measure"] == "standard"
    }
    return {name: tuple(values[name, rate] for rate in RATES) for name in content["systems"]}


def rates_of_study(out: Path) -> Rates:
    table = out / "tables" / "precision-recall-and-f1-by-task.csv"
    _, *rows = (row.split(",") for row in table.read_text().splitlines())
    return {
        row[1]: tuple(round(float(cell), 3) for cell in row[2:]) for row in rows if row[0] == "x-y"
    }


def to_three(rates: Rates) -> Rates:
    return {name: tuple(round(rate, 3) for rate in of_system) for name, of_system in rates.items()}


def doors_of_gate(shell: Any, track: Path, *options: str) -> list[Rates]:
    """Return the rates by one task and by the folder; its measure is of one rate."""
    systems, reference = track / "systems-2026", track / "reference"
    folders = []
    for name in ("Many", "Few"):
        folder = track / name
        folder.mkdir(exist_ok=True)
        for path in systems.glob(f"{name}-*"):
            shutil.copy(path, folder)
        folders.append(folder)
    doors = []
    for old, new, gold in (
        (*folders, reference),
        (folders[0] / "Many-x-y.rdf", folders[1] / "Few-x-y.rdf", reference / "x-y.rdf"),
    ):
        values = []
        for rate in RATES:
            words = ("--reference", gold, "--measure", rate, *options, "--json")
            _, printed, _ = shell("gate", old, new, *words)
            values.append(json.loads(printed))
        doors.append(
            {
                name: tuple(round(value[age], 9) for value in values)
                for name, age in (("Many", "old"), ("Few", "new"))
            }
        )
    return doors


@pytest.mark.parametrize("filters", [(), ("--filter", "none"), ("--filter", "relation=any")])
def test_every_door_gives_a_task_the_same_precision_recall_and_f1(
    shell: Any, track: Path, filters: tuple[str, ...], tmp_path: Path
) -> None:
    systems, reference = track / "systems-2026", track / "reference"
    gold = reference / "x-y.rdf"
    named = [f"{name}={systems / f'{name}-x-y.rdf'}" for name in ("Many", "Few")]
    expected = rates_of_scores(shell.json("score", gold, *named, *filters))
    assert rates_of(shell.json("compare", gold, *named, *filters)) == expected
    of_tasks = shell.json("compare", reference, systems, *filters)["tasks"]
    assert [rates_of(content) for content in of_tasks.values()] == [expected] * 2
    assert doors_of_gate(shell, track, *filters) == [expected] * 2
    out = tmp_path / "study"
    shell.json("study", systems, "--reference", reference, "--out", out, *filters)
    assert rates_of_study(out) == to_three(expected)
    if filters != ("--filter", "none"):
        return
    protocol = ("--protocol", "mohammadi-2018")  # to the letter: without the track's filter
    assert rates_of(shell.json("compare", gold, *named, *protocol)) == expected
    of_tasks = shell.json("compare", reference, systems, *protocol)["tasks"]
    assert [rates_of(content) for content in of_tasks.values()] == [expected] * 2
    assert of_tasks["x-y"]["provenance"]["settings"]["filters"] == []


def test_place_counts_as_compare_does(shell: Any, track: Path, tmp_path: Path) -> None:
    systems, gold, data = track / "systems-2026", track / "reference" / "x-y.rdf", track.parent
    named = [f"{name}={systems / f'{name}-x-y.rdf'}" for name in ("Many", "Few")]
    few = rates_of(shell.json("compare", gold, *named))["Few"]
    mine = tmp_path / "mine"
    mine.mkdir()
    for task in ("x-y", "x-z"):
        shutil.copy(systems / f"Many-{task}.rdf", mine / f"{task}.rdf")
    words = ("--data", data, "--year", "2026")
    alone = shell.json("place", mine / "x-y.rdf", "--task", "shelves/x-y", *words)
    assert rates_of(alone)["Few"] == few
    out = tmp_path / "placed"
    shell.json("place", mine, "--task", "shelves", *words, "--out", out)
    summary = json.loads((out / "summary.json").read_text())["table"]
    f1 = dict(zip(summary["systems"], summary["scores"][0], strict=True))
    assert round(f1["Few"], 9) == few[2]


def test_a_task_of_a_folder_has_the_cautions_and_inputs_of_one_alone(
    shell: Any, track: Path
) -> None:
    systems, reference = track / "systems-2026", track / "reference"
    content = shell.json("compare", reference, systems)
    negated = "the reference holds 6 negated correspondences: nothing to find, and wrong to assert"
    assert f"2 tasks (x-y, x-z): {negated}" in content["cautions"]
    result = Comparison.from_dict(content["tasks"]["x-y"])
    assert negated in [caution.text for caution in result.cautions]
    files = {str(reference / "x-y.rdf"), *map(str, systems.glob("*-x-y.rdf"))}
    assert {file.path for file in result.provenance.inputs.values()} == files


def test_copies_of_the_focus_are_named_for_each_task(shell: Any, track: Path) -> None:
    systems = track / "systems-2026"
    shutil.copy(systems / "Many-x-y.rdf", systems / "Twin-x-y.rdf")
    shutil.copy(systems / "Few-x-z.rdf", systems / "Twin-x-z.rdf")
    content = shell.json("compare", track / "reference", systems, "--focus", "Many")
    said = "x-y: same correspondences as Many, so not compared with it: Twin"
    assert said in content["cautions"]


@pytest.mark.parametrize("focus", [(), ("--focus", "Half")])
def test_a_system_that_finds_all_of_a_small_task_is_not_named_for_each_task(
    shell: Any, folders: Folders, focus: tuple[str, ...]
) -> None:
    content = shell.json("compare", *folders, *focus)
    assert not [text for text in content["cautions"] if "holds just the reference" in text]
    said = [caution["text"] for caution in content["tasks"]["x-y"]["cautions"]]
    assert any("Full holds just the reference alignment" in text for text in said)


def test_runs_of_a_system_on_the_tasks_of_a_folder_count_by_their_mean(
    shell: Any, track: Path
) -> None:
    systems = track / "systems-2026"
    for task in ("x-y", "x-z"):
        for name in ("Many", "Few"):
            path = systems / f"{name}-{task}.rdf"
            again = ar.read_alignment(path)
            ar.write_alignment(
                again.where(lambda c: not c.entity1.endswith("7")),
                systems / f"{name}@2-{task}.rdf",
            )
            path.rename(systems / f"{name}@1-{task}.rdf")
    for focus in ((), ("--focus", "Many")):
        tasks = shell.json("compare", track / "reference", systems, *focus)["tasks"]
        assert [content["systems"] for content in tasks.values()] == [["Few", "Many"]] * 2
    for path in systems.glob("Few*"):
        path.unlink()
    said = "on no task do two systems differ"
    assert said in shell.refused("compare", track / "reference", systems)


def test_a_system_with_runs_keeps_its_name_where_one_run_is_left(shell: Any, track: Path) -> None:
    """It was called by its run there, and the task was left out with a focus."""
    systems = track / "systems-2026"
    for name in ("Many", "Few"):
        for task in ("x-y", "x-z"):
            (systems / f"{name}-{task}.rdf").rename(systems / f"{name}@1-{task}.rdf")
        again = ar.read_alignment(systems / f"{name}@1-x-y.rdf")
        again = again.where(lambda c: not c.entity1.endswith("7"))
        ar.write_alignment(again, systems / f"{name}@2-x-y.rdf")
    given = ("compare", track / "reference", systems)
    assert "Many on 2" in shell.printed(*given)
    for focus in ((), ("--focus", "Many")):
        content = shell.json(*given, *focus)
        tasks = content["tasks"]
        assert [set(content["systems"]) for content in tasks.values()] == [{"Few", "Many"}] * 2
        said = [caution["text"] for caution in tasks["x-z"]["cautions"]]
        assert "Many has an alignment here for 1 of its 2 runs" in said
        assert any("no alignment on 1 task of Few@2, 1 task of" in c for c in content["cautions"])
    (systems / "Few@2-x-y.rdf").unlink()
    assert "task x-y: the runs leave fewer than two degrees" in shell.refused(*given)
    (systems / "Many@1-x-z.rdf").rename(systems / "Many-x-z.rdf")
    assert "system 'Many' stands beside 'Many@1', a run of it" in shell.refused(*given)


def test_swapped_sides_in_a_folder_are_no_silent_zero(shell: Any, tmp_path: Path) -> None:
    space = "http://purl.obolibrary.org/obo/"
    right = ar.Alignment(ar.Correspondence(f"{space}HP_{k}", f"{space}MP_{k}") for k in range(9))
    for name in ("references", "systems"):
        (tmp_path / name).mkdir()
    ar.write_alignment(right, tmp_path / "references" / "hp-mp.rdf")
    ar.write_alignment(right, tmp_path / "systems" / "Good-hp-mp.rdf")
    ar.write_alignment(right.swapped(), tmp_path / "systems" / "Turned-hp-mp.rdf")
    text = shell.refused("compare", tmp_path / "references", tmp_path / "systems")
    assert "1 result foreign to the reference (Turned/hp-mp)" in text
