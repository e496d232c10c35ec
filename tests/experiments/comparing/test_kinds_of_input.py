"""What is named becomes one of six records; an option of another kind is refused by one rule."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation import AnalysisSettings
from alignrank.evaluation.comparison.answers import Answers, CountMatrix
from alignrank.evaluation.multitask.alignments_folder import TrackResults
from alignrank.experiments.comparing.kinds_of_input import (
    OPTIONS,
    Choices,
    RankedInput,
    read_input,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, EvaluationInput
from alignrank.experiments.inputs.judged_files import JudgedSystems
from alignrank.experiments.inputs.tables import TableInput, TableOptions, TotalsInput
from alignrank.ontologies import read_alignment
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")
USUAL = Choices()
TABLES = {
    "items": ("item,a,b\n1,1,0\n2,1,1\n3,0,1\n", TableInput),
    "counts": ("better,a,b\na,0,9\nb,3,0\n", TableInput),
    "totals": ("system,TP,FP,FN\na,80,10,20\nb,60,10,40\n", TotalsInput),
}


@pytest.fixture
def named(tmp_path: Path) -> dict[str, tuple[Any, ...]]:
    """Systems, reference and judged questions of each kind of input."""
    by_kind: dict[str, tuple[Any, ...]] = {}
    for kind, (text, _) in TABLES.items():
        path = tmp_path / f"{kind}.csv"
        path.write_text(text)
        by_kind[kind] = (None, path)
    for folder, stem in (("references", "x-y"), ("systems", "mine-x-y")):
        (tmp_path / folder).mkdir()
        shutil.copy(LIBRARY.reference, tmp_path / folder / f"{stem}.rdf")
    gold = {"q1": ["d1"], "q2": ["d2"]}
    runs = {name: {query: {"d1": 0.9, "d2": 0.1} for query in gold} for name in "ab"}
    rows = read_alignment(LIBRARY.reference)
    right = (("verdict", "right"),)
    answers = rows.with_correspondences(replace(row, extra=right) for row in rows)
    return by_kind | {
        "alignments": (LIBRARY.alignments, LIBRARY.reference),
        "tasks": ({"": tmp_path / "systems"}, tmp_path / "references"),
        "rankings": (runs, gold),
        "judged": (LIBRARY.alignments, None, [answers]),
    }


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        ("alignments", EvaluationInput),
        ("tasks", TrackResults),
        ("rankings", RankedInput),
        ("judged", JudgedSystems),
        *((kind, record) for kind, (_, record) in TABLES.items()),
    ],
)
def test_what_is_named_becomes_the_record_of_its_kind(
    kind: str, record: type[Any], named: dict[str, tuple[Any, ...]]
) -> None:
    systems, reference, *judged = named[kind]
    read = read_input(systems, reference, USUAL, *judged)
    assert type(read) is record
    if isinstance(read, TableInput):
        assert isinstance(read.table, Answers if kind == "items" else CountMatrix)


@pytest.mark.parametrize(
    ("kind", "choices", "message"),
    [
        ("items", replace(USUAL, measure="f1"), "measure=.* not with a table of items"),
        ("totals", replace(USUAL, margin=0.1), "margin=.* not with a table of totals"),
        ("tasks", replace(USUAL, margin=0.1), "margin=.* not with folders of tasks"),
        ("alignments", replace(USUAL, table=TableOptions(items=9)), "items=.* a table of counts"),
        (
            "rankings",
            replace(USUAL, analysis=AnalysisSettings(views=("ifp",))),
            "views=.* not with rankings: leave it out",
        ),
    ],
)
def test_an_option_of_another_kind_is_refused(
    kind: str, choices: Choices, message: str, named: dict[str, tuple[Any, ...]]
) -> None:
    with pytest.raises(ExperimentError, match=f"^{message}"):
        read_input(*named[kind], choices)


def test_a_foreign_option_has_its_name_on_the_command_line(
    shell: Any, named: dict[str, tuple[Any, ...]]
) -> None:
    message = shell.refused("compare", named["items"][1], "--resamples", "50")
    assert "--resamples goes with alignments or rankings, not with a table of items" in message


def test_ontologies_belong_to_alignments_only(named: dict[str, tuple[Any, ...]]) -> None:
    choices = replace(USUAL, alignments=AlignmentOptions(source=LIBRARY.source))
    with pytest.raises(
        ExperimentError, match=r"^source=\.\.\. goes with alignments or two mappings, not"
    ):
        read_input(*named["items"], choices)


def test_rankings_are_resampled_without_a_measure_that_is_named(
    named: dict[str, tuple[Any, ...]],
) -> None:
    choices = replace(USUAL, analysis=AnalysisSettings(n_resamples=500))
    assert isinstance(read_input(*named["rankings"], choices), RankedInput)
    with pytest.raises(ExperimentError, match="the seed belong to measure"):
        read_input(*named["alignments"], choices)
    flipped = replace(choices.analysis, correction="westfall-young")
    read_input(*named["alignments"], replace(choices, analysis=flipped))


def test_every_option_belongs_to_a_kind() -> None:
    assert {name for names in OPTIONS.values() for name in names} == {*USUAL.values}


def test_the_help_shows_first_what_most_people_need(shell: Any) -> None:
    text = shell.printed("compare", "--help")
    groups = ["Most used", "What decides", "Alignments", "Tables", "Judged questions"]
    places = [text.index(f"\n{group}") for group in groups]
    assert places == sorted(places)
    assert text[places[0] : places[1]].count("\n  -") == 5


@pytest.mark.parametrize(
    "header", ["entity1,entity2,relation,confidence", "source,target,predicate,score"]
)
def test_an_alignment_in_a_table_is_no_table_of_scores(tmp_path: Path, header: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"{header}\nhttp://a#x,http://b#x,=,0.9\nhttp://a#y,http://b#y,=,0.8\n")
    with pytest.raises(ExperimentError, match=r"mine\.csv is an alignment, no table: name the"):
        read_input(None, path, USUAL)


def test_systems_that_are_called_as_columns_of_entities_are_no_alignment(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("item,left,right\nq1,1,0\nq2,2,1\n")
    with pytest.raises(EvaluationError, match="it must be a number from 0 to 1"):
        read_input(None, path, USUAL)
