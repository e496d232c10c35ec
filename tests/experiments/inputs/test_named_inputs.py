"""Systems named on the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from alignrank import compare
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, read_evaluation
from alignrank.experiments.inputs.named_inputs import (
    find_entity,
    named_files,
    slugs,
    systems_on_task,
)
from alignrank.ontologies import load_ontology
from alignrank.ontologies.tasks import bundled_task


def test_names_come_from_the_option_or_the_stem() -> None:
    assert named_files(["AML=x/aml.rdf", "y/LogMap.rdf"]) == {
        "AML": Path("x/aml.rdf"),
        "LogMap": Path("y/LogMap.rdf"),
    }


def test_an_ending_that_all_files_share_is_no_part_of_a_name() -> None:
    files = ["y/AML-hp-mp-2019.rdf", "y/POMAP++-hp-mp-2019.rdf", "mine=x-hp-mp-2019.rdf"]
    assert list(named_files(files)) == ["AML", "POMAP++", "mine"]
    assert list(named_files(["x/AML-hp-mp-2019.rdf", "mine.rdf"])) == ["AML-hp-mp-2019", "mine"]


def test_a_file_whose_name_holds_an_equals_sign(tmp_path: Path) -> None:
    path = tmp_path / "t=0.8.rdf"
    path.touch()
    assert named_files([str(path)]) == {"t=0.8": path}


def test_a_name_without_a_file_is_not_the_current_folder() -> None:
    assert named_files(["mine="]) == {"mine=": Path("mine=")}


def test_the_same_name_twice_is_an_error() -> None:
    with pytest.raises(ExperimentError, match="two files are called 'AML'"):
        named_files(["a/AML.rdf", "b/AML.rdf"])


def test_names_that_would_overwrite_each_other_on_disk_are_an_error() -> None:
    assert slugs(["rapidfuzz:ratio", "jaro"]) == {
        "rapidfuzz:ratio": "rapidfuzz-ratio",
        "jaro": "jaro",
    }
    with pytest.raises(ExperimentError, match="same file name"):
        slugs(["a:b", "a/b"])
    with pytest.raises(ExperimentError, match="same file name"):
        slugs(["AML", "aml"])


def test_the_ontologies_of_a_task_are_read_only_where_a_filter_needs_them() -> None:
    task = bundled_task("library")
    systems = {"system_good": task.alignments["system_good"]}
    assert set(read_evaluation(systems, task.reference, AlignmentOptions()).inputs) == {
        "reference",
        "alignment system_good",
    }
    by_kind = AlignmentOptions(filters=("kind=class",))
    filtered = read_evaluation(systems, task.reference, by_kind)
    assert {"source", "target"} < set(filtered.inputs)


def test_a_name_that_is_a_part_of_others_is_answered_with_these() -> None:
    library = load_ontology(bundled_task("library").source)
    with pytest.raises(ExperimentError, match=r"is called 'newsp': give its IRI.*, as newspaper"):
        find_entity(library, "newsp")


def test_the_systems_of_a_folder_are_compared_by_themselves(tmp_path: Path) -> None:
    """A folder counted as one system, and those of the campaign joined it."""
    library = bundled_task("library")
    for name in ("one", "two"):
        shutil.copy(library.alignments["system_good"], tmp_path / f"{name}.rdf")
    by_task = systems_on_task("library", None, tmp_path, [])
    assert by_task is not None
    assert list(named_files(by_task.systems)) == ["one", "two"]
    runs = systems_on_task("library", None, None, [f"mine={tmp_path}"])
    assert runs is not None
    joined = ["mine@1", "mine@2", *sorted(library.alignments)]
    assert list(named_files(runs.systems)) == joined


def test_a_system_keeps_its_name_beside_one_of_the_task(tmp_path: Path) -> None:
    """On the command line two names clashed; in Python the task's file replaced the user's."""
    mine = tmp_path / "system_good.rdf"
    shutil.copy(bundled_task("library").alignments["system_bad"], mine)
    by_task = systems_on_task("library", None, mine, [])
    assert by_task is not None
    files = named_files(by_task.systems)
    assert files["system_good"] == mine
    assert files["system_good-library"] == bundled_task("library").alignments["system_good"]
    scores = compare(systems={"system_good": mine}, task="library").summary.scores
    assert scores["system_good"] == scores["system_bad"]
    assert scores["system_good-library"].f1 > scores["system_good"].f1
