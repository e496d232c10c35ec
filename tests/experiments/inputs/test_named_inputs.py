"""Systems named on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, read_evaluation
from alignrank.experiments.inputs.named_inputs import find_entity, named_files, slugs
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
