"""`alignrank place`: a system among those of past campaigns."""

from __future__ import annotations

import json
import os
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.evaluation import score
from alignrank.evaluation.ranking import answer_focus
from alignrank.experiments.comparing import place as place_module
from alignrank.experiments.inputs.named_inputs import one_task
from alignrank.experiments.presentation.sentences import on_these_tasks
from alignrank.ontologies import read_alignment, write_alignment
from alignrank.ontologies.tasks import MatchingTask, archived, bundled_task, find_tasks
from alignrank.ontologies.tasks.catalogue import published
from alignrank.ontologies.tasks.filters import filtered, filters
from alignrank.ontologies.tasks.system_files import equal_alignments, past_files


def test_a_copy_of_a_system_stands_where_it_stood(shell: Any, oaei: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.rdf"
    shutil.copy(oaei / "anatomy" / "systems-2022" / "LogMap.rdf", mine)
    shown = shell("place", mine, "--data", oaei, "--year", "2018")
    assert shown[0] == 0, shown[2]
    assert shown[1].startswith(
        "mine is significantly better than 7 of 13 systems, worse than 1, and not significantly "
        "different from 5. AML is the nearest that is significantly better than mine, FCAMapX the "
        "nearest that is significantly worse."
    )
    adjusted = "adjusted for dependence between classes that share a parent"
    assert f"{adjusted}; Holm correction, 13 pairs, 5%; filter: oaei-anatomy." in shown[1]
    assert "left out, neither right nor wrong, by the rule oaei-anatomy: 2 of mine, " in shown[2]
    assert "mine & 0.917 & 0.848 & 0.881 & 2--7 \\\\ %" in shown[1]


def test_a_reference_brings_its_tasks_rules_to_every_command(shell: Any, oaei: Path) -> None:
    """AML's F1 of 2018 is .943, as published; siblings are dependent, without being asked."""
    anatomy = oaei / "anatomy"
    reference, old, new = (
        anatomy / name
        for name in ("reference.rdf", "systems-2018/LogMap.rdf", "systems-2018/AML.rdf")
    )
    compared, scored, planned, gated, by_name = (
        json.loads(shell("--json", *words)[1])
        for words in (
            ("compare", reference, old, new),
            ("score", reference, old, new, "--measure", "standard"),
            ("plan", reference, old, new),
            ("gate", old, new, "--reference", reference),
            ("gate", old, new, "--task", "anatomy", "--data", oaei),
        )
    )
    published = compared["scores"]["AML"]["f1"]
    assert round(published, 3) == 0.943
    assert [row["value"] for row in scored["scores"] if row["name"] == "f1"][1] == published
    assert gated["new"] == published
    in_python = ar.score(reference, {"AML": new}, measures="standard").values
    assert [value.value for value in in_python if value.name == "f1"] == [published]
    assert gated == by_name
    assert planned["pilot"]["design_effect"] > 1.5


def doors(
    shell: Any, oaei: Path, mine: Path, task: MatchingTask, year: str
) -> list[dict[str, Any]]:
    """Return what each of three ways to ask says of one file and year: JSON or a refusal."""
    name = task.name if task.name == task.track else f"{task.track}/{task.name}"
    systems = [f"{system}={path}" for system, path in archived(task)[year].items()]
    asked = ("--data", oaei, "--focus", "mine")
    answers = []
    for words in (
        ("place", mine, "--task", name, "--data", oaei, "--year", year),
        ("compare", "--task", name, mine, *systems, *asked),
        ("compare", task.reference, mine, *systems, "--focus", "mine"),
    ):
        code, out, told = shell("--json", *words)
        assert (code == 0) == bool(out), told
        answers.append(json.loads(out) if out else {"refused": told})
    return answers


def test_three_doors_give_one_answer(shell: Any, oaei: Path, tmp_path: Path) -> None:
    """A past system is mine; it and what equals another system are no questions of their own."""
    data = oaei / ".." / oaei.name
    (task,) = find_tasks("conference/cmt-ekaw", [data])
    mine = shutil.copy(archived(task)["2019"]["LogMap"], tmp_path / "mine.rdf")
    placed, by_task, by_reference = doors(shell, data, mine, task, "2019")
    assert placed == by_task == by_reference
    texts = [caution["text"] for caution in placed["cautions"]]
    assert "same correspondences as mine, so not compared with it: LogMap" in texts
    assert "LogMap" not in placed["systems"]


def test_a_choice_of_file_and_year_has_one_answer(shell: Any, oaei: Path, tmp_path: Path) -> None:
    """One pair of the conference by chance; `ALIGNRANK_DOORS=50` asks fifty times, anatomy too."""
    draws = int(os.environ.get("ALIGNRANK_DOORS", "1"))
    draw = random.Random(draws)
    tracks = ["conference"] if draws == 1 else ["conference", "anatomy"]
    for _ in range(draws):
        task = draw.choice(find_tasks(draw.choice(tracks), [oaei]))
        archive = archived(task)
        year = draw.choice(list(archive))
        chosen = draw.choice(list(archive[draw.choice(list(archive))].values()))
        mine = shutil.copy(chosen, tmp_path / "mine.rdf")
        placed, by_task, by_reference = doors(shell, oaei, mine, task, year)
        assert placed == by_task == by_reference, (chosen, year)


def test_a_copy_of_every_system_is_refused(shell: Any) -> None:
    task = bundled_task("library")
    good = task.alignments["system_good"]
    words = ("compare", task.reference, f"mine={good}", f"copy={good}", "--focus", "mine")
    refusal = "all systems have the correspondences of mine: add one that differs from it"
    assert refusal in shell.refused(*words)


def test_what_two_years_found_alike_counts_once(oaei: Path) -> None:
    """XMap 2016 and 2018 differ in bytes only; a campaign counts a system once, as papers do."""
    task = one_task("anatomy", oaei)
    files = past_files(task, ["2016", "2018"])
    copies = equal_alignments({name: read_alignment(path) for name, path in files.items()})
    assert copies["XMap-2016"] == "XMap-2018"
    assert not {"AML-2016", "AML-2018", "XMap-2018"} & copies.keys()
    assert "AML-2018" in past_files(task, ["2018"], taken="AML")


@pytest.mark.parametrize(("year", "systems"), [("2022", 10), ("2023", 9)])
def test_published_figures_are_computed_here_too(oaei: Path, year: str, systems: int) -> None:
    """To their two decimals, from the files and the track's filter."""
    task = one_task("anatomy", oaei)
    files = archived(task)[year]
    found = {name: read_alignment(path) for name, path in files.items()}
    judged, right, _ = filtered(found, read_alignment(task.reference), [filters()["oaei-anatomy"]])
    figures = published("anatomy", year)
    assert len(figures) == systems
    for name, rates in figures.items():
        scores = score(judged[name], right)
        ours = (scores.precision, scores.recall, scores.f1)
        assert [100 * x for x in ours] == pytest.approx(rates, abs=0.00501), name


def test_the_published_figures_are_compared_with_those_computed(
    shell: Any, oaei: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.rdf"
    shutil.copy(oaei / "anatomy" / "systems-2016" / "FCA_Map.rdf", mine)
    words = ("place", mine, "--data", oaei, "--year", "2023")
    agreed = "The published precision, recall and F1 (2023) of 9 of 9 systems are those computed"
    assert f"{agreed} here.\n" in shell.printed(*words)
    figures = published("anatomy", "2023")
    precision, *others = figures["OLaLa"]
    wrong = {**figures, "OLaLa": (precision + 1, *others)}
    monkeypatch.setattr(
        place_module, "published", lambda track, year, folders: wrong if year == "2023" else {}
    )
    text = shell.printed(*words)
    assert "of 8 of 9 systems are those computed here; not those of OLaLa" in text
    assert f"(precision {precision + 1:.2f} published, {precision:.2f} here)." in text
    assert "The published" not in shell.printed(*words[:-1], "2018")


def test_what_cannot_be_placed_is_said(shell: Any, oaei: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.rdf"
    shutil.copy(oaei / "anatomy" / "reference.rdf", mine)
    place = ("place", mine, "--data", oaei)
    assert (
        "mine holds just the reference alignment: is its file the reference?"
        in shell(*place, "--year", "2023")[2]
    )
    joined = shell("compare", "--task", "anatomy", mine, "--data", oaei)[1]
    assert "10 systems on anatomy (with those of 2023; place has all years)" in joined
    assert "year '2019' is unknown" in shell.refused(*place, "--year", "2019")
    assert "data fetch anatomy/systems-2017" in shell.refused(*place, "--year", "2017")
    assert "no campaign is known that solved library" in shell.refused(*place, "--task", "library")
    refusal = "conference is 21 tasks, and "
    assert refusal in shell.refused(*place, "--task", "conference")


def test_a_system_is_placed_on_a_track(shell: Any, oaei: Path, tmp_path: Path) -> None:
    """Over all tasks, as `study` does; the years are those whose files are here."""
    mine, systems = tmp_path / "mine", oaei / "conference" / "systems-2019"
    mine.mkdir()
    for path in systems.glob("LogMap-*.rdf"):
        correct = read_alignment(path)
        kept = correct.with_correspondences(list(correct)[1:])
        write_alignment(kept, mine / path.name.removeprefix("LogMap-"))
    place = ("place", mine, "--task", "conference", "--data", oaei)
    printed = shell.run(*place)
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith("mine is not significantly different from any of 7 systems.")
    assert (
        "adjusted for dependence between tasks that share ontologies; Holm correction, 7 pairs, "
        "5%; filter: oaei-conference."
    ) in printed.stdout
    placed = ar.place(mine, task="conference", data=oaei)
    both = tmp_path / "both"
    shutil.copytree(systems, both)
    for path in mine.iterdir():
        shutil.copy(path, both / f"mine-{path.name}")
    studied = ar.study(both, reference=oaei / "conference" / "reference", focus="mine").summary
    in_order = dict(zip(studied.systems, studied.table.scores.T.tolist(), strict=True))
    placed_scores = placed.summary.table.scores.T.tolist()
    assert dict(zip(placed.summary.systems, placed_scores, strict=True)) == in_order
    assert on_these_tasks(placed.summary) == on_these_tasks(studied) != []
    assert placed.answer == " ".join(printed.stdout.splitlines()[0].split())
    assert placed.summary.focus == "mine"
    for name in ("conference/cmt-ekaw", "anatomy"):
        one = shell.refused("place", mine, "--task", name, "--data", oaei)
        assert "holds 21 files, and" in one
        assert "is one task: give the file for this task" in one
    named = shell.printed("place", f"new={mine}", *place[2:])
    assert named.startswith("new is not significantly different from any of 7 systems.")
    for path in mine.iterdir():
        shutil.copy(systems / f"LogMap-{path.name}", path)
    copied = ar.place(mine, task="conference", data=oaei)
    assert "LogMap" not in copied.summary.systems
    assert "same correspondences as mine, so not compared with it: LogMap" in copied.cautions
    assert "year '2016' is unknown: did you mean 2019 or 2018" in shell.refused(
        *place, "--year", "2016"
    )
    assert "data fetch conference/systems-2018" in shell.refused(*place, "--year", "2018")


def test_of_many_others_the_neighbours_are_named() -> None:
    names = list("abcdefgh")
    (best,) = answer_focus("a", names, [("a", x) for x in "bcdefgh"])
    assert best == "a is significantly better than all 7 systems."
    (worst,) = answer_focus("h", names, [(x, "h") for x in "abcdefg"])
    assert worst == "h is significantly worse than all 7 systems."
    (first,) = answer_focus("a", names, [("a", x) for x in "fgh"])
    assert first == (
        "a is significantly better than 3 of 7 systems and not significantly different from 4."
    )
    (open_,) = answer_focus("d", names, [])
    assert open_ == "d is not significantly different from any of 7 systems."
    _, between = answer_focus("d", names, [("a", "d"), ("b", "d"), ("d", "g"), ("d", "h")])
    assert between == (
        "b is the nearest that is significantly better than d, g the nearest that is significantly "
        "worse."
    )


def test_a_system_with_the_same_answers_is_called_the_same(shell: Any, tmp_path: Path) -> None:
    """Its one different correspondence is wrong, too."""
    task = bundled_task("library")
    good, bad = (task.alignments[name] for name in ("system_good", "system_bad"))
    mine, reference = read_alignment(bad), read_alignment(task.reference)
    wrong = [c for c in mine if c.pair not in reference.pairs]
    changed = [replace(c, entity2=wrong[1].entity2) if c == wrong[0] else c for c in mine]
    write_alignment(mine.with_correspondences(changed), tmp_path / "copy.rdf")
    systems = (f"mine={bad}", tmp_path / "copy.rdf", f"good={good}")
    code, out, _ = shell("compare", task.reference, *systems, "--focus", "mine")
    (copy,) = [line.split() for line in out.splitlines() if line.startswith("copy ")]
    assert (code, copy[1:3]) == (0, ["the", "same"])


def test_a_reference_among_the_systems_is_noticed(shell: Any) -> None:
    task = bundled_task("library")
    for command in ("compare", "score"):
        good, bad = (task.alignments[name] for name in ("system_good", "system_bad"))
        _, _, told = shell(command, good, task.reference, bad)
        assert "! reference.rdf is judged by system_good.rdf: the reference comes first" in told
        _, _, told = shell(command, task.reference, good, bad)
        assert "comes first" not in told
