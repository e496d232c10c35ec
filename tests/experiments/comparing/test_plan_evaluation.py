"""`alignrank plan` as it is typed."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import alignrank as ar
from alignrank.common.results import version
from alignrank.evaluation.multitask.posthoc import ontologies_if_shared, shared_ontologies
from alignrank.evaluation.multitask.score_table import read_scores
from alignrank.evaluation.uncertainty.planning import Pilot, plan, plan_tasks
from alignrank.ontologies import Alignment, Correspondence, read_alignment, write_alignment
from alignrank.ontologies.tasks import bundled_task


def test_two_numbers_are_a_pilot(shell: Any) -> None:
    code, out, err = shell("plan", "--discordant", "0.1", "--difference", "0.02")
    expected = plan(Pilot(0.1, 0.02))
    assert code == 0
    sizes = [line.split()[0] for line in out.splitlines()[2:10]]
    assert (sizes[3], len(set(sizes))) == (str(expected.items), 8)
    assert "power: chance of" in out.splitlines()[10]
    needed = f"{expected.items} source entities are needed"
    assert out.startswith(f"{needed} to find a difference of 0.02 ")
    assert "source entities are taken as independent" in " ".join(err.split())
    found = json.loads(
        shell.run("plan", "--discordant", ".1", "--difference", ".02", "--json").stdout
    )
    assert (found["items"], found["version"]) == (expected.items, version())


def test_a_short_curve_is_shown_whole(shell: Any) -> None:
    stated = ("plan", "--spread", ".1", "--difference", ".2")
    curve = json.loads(shell.run(*stated, "--json").stdout)["curve"]
    assert len(curve) < 16
    _, _, *rows = shell.printed(*stated).splitlines()
    assert [row.split()[0] for row in rows[: len(curve)]] == [str(n) for n, _ in curve]


def test_what_a_size_finds_is_said(shell: Any, tmp_path: Path) -> None:
    text = shell.printed("plan", "--discordant", ".1", "--size", "500")
    gap = plan(Pilot(0.1, 0.0), size=500).difference
    assert text.startswith(f"With 500 source entities, a difference of {gap:.3g} or more in the ")
    assert "power: chance of a significant result if the difference is" in text
    assert shell.printed("plan", "--spread", ".1", "--size", "20").startswith("With 20 tasks, ")
    both = ("--size", "500", "--difference", ".02")
    refusal = shell.refused("plan", "--discordant", ".1", *both)
    assert "--size 500 asks for the difference: leave --difference out" in refusal
    with pytest.raises(ValueError, match=r"^size=500 asks for .*: leave difference=\.\.\. "):
        ar.plan(discordant=0.1, size=500, difference=0.02)
    assert "cannot be planned for" in shell.refused("plan", "--discordant", "0", "--size", "100")
    table = tmp_path / "items.csv"
    table.write_text("item,x,y\ni1,1,1\ni2,0,0\n")
    assert "cannot be planned for" in shell.refused("plan", table, "--size", "100")


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"spread": 0.1, "difference": 0.02, "systems": 1}, "systems=1: a plan is about 2"),
        ({"difference": 0.1}, r"difference=\.\.\. with discordant=\.\.\. or spread="),
        ({"discordant": 0.1}, r"a plan needs a pilot: .*; or difference=\.\.\. with discordant"),
        ({"spread": 0.1, "source": "a.owl"}, r"source=\.\.\. goes with a reference"),
    ],
)
def test_refusals_name_arguments(arguments: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal):
        ar.plan(**arguments)


def test_the_power_of_other_sizes_is_drawn() -> None:
    planned = ar.plan(discordant=0.1, difference=0.02)
    (curve, _, needed) = planned.plot().axes[0].lines
    assert curve.get_xydata().tolist() == [list(point) for point in planned.plan.curve]
    assert needed.get_xdata().tolist() == [1949]


def test_two_alignments_are_a_pilot_and_more_systems_need_more_items(shell: Any) -> None:
    task = bundled_task("foodchain")
    files = [task.reference, *(task.alignments[f"system_{name}"] for name in ("good", "bad"))]
    two, ten = (
        json.loads(
            shell.run("plan", *files, "--source", task.source, "--systems", n, "--json").stdout
        )
        for n in ("2", "10")
    )
    assert two["pilot"] == ten["pilot"]
    assert ten["items"] > two["items"]
    assert ten["level"] == two["level"] / 45


def test_what_cannot_be_planned_is_said(shell: Any, tmp_path: Path) -> None:
    reference = bundled_task("library").reference
    for given in ([], [reference], [reference, reference, reference, "--discordant", ".1"]):
        assert "a plan needs a pilot" in shell.refused("plan", *given)
    said = shell.refused("plan", "--discordant", ".1", "--difference", ".2")
    assert "cannot be planned for" in said


@pytest.mark.parametrize(
    "rows",
    [",a,b\na,0,30\nb,5,0\n", "system,TP,FP,FN\na,40,10,8\nb,30,5,18\n"],
    ids=["counts", "totals"],
)
def test_tables_that_compare_takes_for_counts_or_totals_are_no_scores_of_tasks(
    rows: str, shell: Any, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(rows)
    assert f"{table}: a pilot is a reference with" in shell.refused("plan", table)
    assert f"{table}: a gate takes alignments" in shell.refused("gate", table)


def test_a_json_file_is_named_with_the_cure_by_every_command_that_takes_a_table(
    shell: Any, tmp_path: Path
) -> None:
    table = tmp_path / "table.json"
    table.write_text('[{"item": "q1", "a": 1, "b": 0}]')
    for command in ("plan", "gate", "compare"):
        said = shell.refused(command, table)
        assert f"{table} is JSON or XML, and a table of scores is needed: write it as CSV" in said


def test_tasks_are_planned_by_two_numbers_or_by_scores(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("task,a,b\nt1,.7,.6\nt2,.8,.75\nt3,.6,.62\nt4,.5,.45\n")
    code, out, err = shell("plan", table)
    assert code == 0
    assert out.startswith(
        "12 tasks are needed to find a difference of 0.045 in the mean score with a "
    )
    assert "where they share ontologies, more are needed" in err
    planned = shell("plan", "--spread", ".08", "--difference", ".03")[1]
    assert planned.startswith("58 tasks are needed ")
    refusal = shell.refused("plan", table, "--source", table, "--target", table)
    assert "--source goes with a reference and alignments: leave it out" in refusal
    table.write_text("task,a,b,c\nt1,.7,.6,.5\nt2,.8,.75,.4\n")
    refusal = shell.refused("plan", table)
    assert "two systems, and there are 3: leave the columns of two in the table" in refusal


def test_a_pilot_of_one_system_says_what_a_pilot_is(shell: Any, tmp_path: Path) -> None:
    reference, alone = tmp_path / "ref.csv", tmp_path / "a.csv"
    for path in (reference, alone):
        path.write_text("entity1,entity2\nx#a,y#a\nx#b,y#b\n")
    refusal = shell.refused("plan", reference, alone)
    assert "ref.csv: a pilot is a reference with the alignments of two systems after it" in refusal


def test_graded_items_are_planned_as_the_refusal_says(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "items.csv"
    table.write_text("item,a,b\n1,.7,.6\n2,.8,.75\n3,.6,.62\n4,.5,.45\n")
    assert "for other scores name the first column task" in shell.refused("plan", table)
    table.write_text(table.read_text().replace("item", "task"))
    assert shell("plan", table)[0] == 0


def test_items_are_planned_by_answers_to_items(shell: Any, tmp_path: Path) -> None:
    rng = random.Random(5)
    answers = [[int(rng.random() < share) for share in (0.8, 0.82, 0.7, 0.72)] for _ in range(300)]
    table = tmp_path / "items.csv"
    rows = [f"i{k},{a},{b}" for k, (a, _, b, _) in enumerate(answers)]
    table.write_text("\n".join(["item,x,y", *rows]))
    code, out, err = shell("plan", table)
    discordant = sum(a != b for a, _, b, _ in answers) / 300
    gap = sum(a - b for a, _, b, _ in answers) / 300
    assert code == 0
    assert out.startswith(
        f"{plan(Pilot(discordant, gap)).items} items are needed to find a difference of "
    )
    assert "items are taken as independent" in err
    table.write_text("\n".join(["item,x,y,cluster", *(f"{row},{row[1:3]}" for row in rows)]))
    assert "independent" not in shell("plan", table)[2]
    rows = [f"i{k},{','.join(map(str, four))}" for k, four in enumerate(answers)]
    table.write_text("\n".join(["item,x@1,x@2,y@1,y@2", *rows]))
    assert " runs of each are needed to find a difference of " in shell("plan", table)[1]
    table.write_text("item,x,y\ni1,.5,1\ni2,1,0\n")
    assert "by right (1) and wrong (0) answers" in shell.refused("plan", table)


def test_tasks_that_share_ontologies_are_told(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("task,a,b\ncmt-ekaw,.7,.6\ncmt-sigkdd,.8,.75\nekaw-sigkdd,.6,.62\n")
    _, out, err = shell("plan", table)
    # jackknife: 0.113 · √3 is the spread from ontology to ontology
    jackknife = shared_ontologies(read_scores(table), ontologies_if_shared(read_scores(table)))
    spread = jackknife.standard_error[0, 1] * 3**0.5
    needed = plan_tasks(spread, jackknife.difference[0, 1]).needed
    assert out.startswith(f"{needed:.0f} ontologies are needed to find a difference of 0.0433 ")
    assert "jackknife over ontologies" in out
    assert "these tasks share ontologies" in err


def test_scores_of_several_scales_are_planned_by_ranks(shell: Any, tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("task,a,b\nt1,7,6\nt2,80,75\nt3,600,620\nt4,500,450\n")
    assert "signed-rank" in shell("plan", table)[1]


def test_a_frame_is_planned_for_as_its_file_is(tmp_path: Path) -> None:
    tables = {"task": [0.7, 0.8, 0.6, 0.5], "item": [1, 1, 0, 1]}
    for kind, scores in tables.items():
        frame = pd.DataFrame({kind: list("wxyz"), "a": scores, "b": [0.4, 0.7, 0.5, 0.2]})
        frame["b"] = frame["b"] if kind == "task" else [0, 1, 0, 0]
        frame.to_csv(tmp_path / "table.csv", index=False)
        by_file = ar.plan(tmp_path / "table.csv")
        assert ar.plan(frame).answer == by_file.answer
        assert ar.plan(frame.set_index(kind)).basis == by_file.basis


def test_runs_are_planned_by_runs(shell: Any, tmp_path: Path) -> None:
    rng = random.Random(4)
    reference = Alignment(Correspondence(f"http://a#{k}", f"http://b#{k}") for k in range(400))
    write_alignment(reference, tmp_path / "reference.rdf")
    shares = {"good@1": 0.9, "good@2": 0.84, "bad@1": 0.8, "bad@2": 0.85}
    for name, share in shares.items():
        part = Alignment(c for c in reference if rng.random() < share)
        write_alignment(part, tmp_path / f"{name}.rdf")
    files = [f"{name}={tmp_path / name}.rdf" for name in shares]
    _, out, _ = shell("plan", tmp_path / "reference.rdf", *files, "--difference", ".08")
    number, rest = out.split(" ", 1)
    assert int(number) > 1
    assert rest.startswith("runs of each are needed to find a difference of 0.08 in the share ")
    _, out, _ = shell("plan", tmp_path / "reference.rdf", *files, "--difference", ".01")
    out = " ".join(out.split())
    assert "No number of runs of each up to 100,000 would find" in out
    assert "with a chance of 80%: the items are too few." in out


def test_a_difference_that_does_not_vary_is_known_up_to_rounding(
    shell: Any, tmp_path: Path
) -> None:
    """`study` decides such scores by the t-test; the plan said that a sign test decides."""
    table = tmp_path / "scores.csv"
    table.write_text("task,a,b\nt1,0.7,0.6\nt2,0.5,0.4\nt3,0.8,0.7\nt4,0.3,0.2\n")
    printed = shell.printed("plan", table)
    assert "the difference varies by 0.041 (standard deviation); paired-t" in printed
    assert "significantly worse" in shell.printed("study", table)


def test_tasks_around_few_ontologies_are_planned_as_they_are_tested(
    shell: Any, tmp_path: Path
) -> None:
    """All ontologies were counted, though a study of such tasks tests nothing, or by the few."""
    table = tmp_path / "scores.csv"
    rows = [f"{own}-{partner},0.8,0.{6 + k}" for k, own in enumerate("mo") for partner in "uvwxyz"]
    table.write_text("\n".join(["task,a,b", *rows]))
    refused = shell.run("plan", table)
    assert refused.returncode != 0
    assert "they are two cases, not 12 tasks. Nothing can be tested" in refused.stderr
    rows += [f"p-{partner},0.8,0.65" for partner in "uvwxyz"]
    table.write_text("\n".join(["task,a,b", *rows]))
    planned = shell.run("plan", table)
    assert "over the tasks of 3 ontologies" in planned.stdout
    assert "they are three cases, not 18 tasks. Such ontologies are counted." in planned.stderr


def test_runs_of_unknown_clusters_have_a_caution(shell: Any, tmp_path: Path) -> None:
    """Only a plan of items said that the items are taken as independent."""
    rng = random.Random(4)
    names = ("good@1", "good@2", "bad@1", "bad@2")
    rows = [",".join(str(int(rng.random() < 0.7)) for _ in names) for _ in range(60)]
    table = tmp_path / "items.csv"
    table.write_text(
        "\n".join(["item," + ",".join(names), *(f"q{k},{r}" for k, r in enumerate(rows))])
    )
    assert "items are taken as independent" in shell("plan", table)[2]
    library = bundled_task("library")
    reference = read_alignment(library.reference)
    pairs = sorted(reference, key=lambda c: c.entity1)
    shares = (0.9, 0.8, 0.5, 0.4)
    files = []
    for name, share in zip(names, shares, strict=True):
        path = tmp_path / f"{name}.rdf"
        write_alignment(Alignment(c for c in pairs if rng.random() < share), path)
        files.append(f"{name}={path}")
    stated = ("plan", library.reference, *files)
    assert "taken as independent" not in shell(*stated)[2]
    shutil.copy(library.reference, tmp_path / "alone.rdf")
    said = shell("plan", tmp_path / "alone.rdf", *files)[2]
    assert "source entities are taken as independent: --source says which share a parent" in said


@pytest.mark.parametrize("side", ["source", "target"])
def test_an_ontology_without_alignments_is_named(side: str, shell: Any, tmp_path: Path) -> None:
    stated = ("plan", "--discordant", ".1", "--difference", ".02", f"--{side}", tmp_path)
    assert f"--{side} goes with a reference and alignments" in shell.refused(*stated)
