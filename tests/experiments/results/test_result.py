"""The results of `rank`, `compare` and `study`: written, and read back as they were."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import compare, compare_counts
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.results.folder import read_result, read_results, write_json
from alignrank.experiments.results.result import (
    SCHEMA,
    ComparisonResult,
    Counts,
    InputFile,
    Provenance,
)
from alignrank.experiments.results.study_result import KindSummary, StudyResult
from alignrank.ontologies import Alignment, Correspondence

HOW = {"command": "compare", "test": "mid-p", "correction": "bergmann-hommel", "alpha": 0.05}
WHERE = Provenance({**HOW, "views": ("ifp", "cfp")}, {"reference": InputFile("r.rdf", "0" * 64)})

entities = st.sampled_from("abcdef")
alignments = st.lists(st.tuples(entities, entities), unique=True, max_size=8).map(
    lambda pairs: Alignment(Correspondence(*pair) for pair in pairs)
)


def again(result: ComparisonResult | StudyResult) -> ComparisonResult | StudyResult:
    """Return what is read of what was written."""
    return type(result).from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), alignments, min_size=2, max_size=4),
    alignments.filter(bool),
    st.lists(st.text(max_size=9), max_size=3),
)
def test_a_comparison_is_read_back_as_it_was(
    systems: dict[str, Alignment], reference: Alignment, cautions: list[str]
) -> None:
    bounds = {name: {"f1": (0.25, float("nan"))} for name in systems}
    result = ComparisonResult.of(
        compare(systems, reference), WHERE, cautions=cautions, intervals=bounds
    )
    assert again(result) == result
    assert result.intervals is not None
    assert result.intervals[next(iter(systems))]["f1"] == (0.25, None)


def test_what_only_rank_knows_is_read_back() -> None:
    reference = Alignment(Correspondence(f"a{k}", f"b{k}") for k in range(20))
    systems = {"all": reference, "half": reference.where(lambda c: c.entity1 < "a2")}
    result = ComparisonResult.of(
        compare(systems, reference),
        WHERE,
        total_similarity={"all": {"class": 20.0}, "half": {"class": 10.5}},
        order="assign-then-cut",
        thresholds={"all": (0.5, 0.25), "half": (1.0, 0.0)},
        tie_proof={"ifp": [("all", "half")]},
        fingerprint="f" * 64,
    )
    counts = {**(result.counts or {}), "all": Counts(20, 20, 19, 20)}
    assert again(replace(result, counts=counts)) == replace(result, counts=counts)


def test_counts_alone_are_read_back() -> None:
    result = ComparisonResult.of(compare_counts([[0, 30], [5, 0]], ["new", "old"]), WHERE)
    assert again(result) == result
    assert "scores" not in result.to_dict()


@given(
    st.lists(
        st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=3, max_size=3),
        min_size=2,
        max_size=6,
    ),
    st.sampled_from([None, "b"]),
)
def test_a_study_is_read_back_as_it_was(scores: list[list[float]], focus: str | None) -> None:
    tasks = tuple(f"task {k}" for k in range(len(scores)))
    table = ScoreTable(tasks, ("a", "b", "c"), np.array(scores))
    summary = KindSummary("a", "class", 2, 3, 0, 0, None, None, 0.0, float("nan"), 0.0, 0.0)
    result = StudyResult.of(
        study(table, settings=AnalysisSettings(focus=focus), margin=None),
        WHERE,
        by_kind=[summary],
        cautions=["one"],
        thresholds={"a": {"task 0": 0.5}},
    )
    assert again(result) == result
    assert again(replace(result, by_kind=None)) == replace(result, by_kind=None)


def test_the_schema_is_the_first_key_and_another_one_is_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    result = ComparisonResult.of(compare_counts([[0, 30], [5, 0]], ["new", "old"]), WHERE)
    content = result.to_dict()
    assert next(iter(content.items())) == ("schema", SCHEMA)
    write_json(tmp_path / "summary.json", content)
    assert read_results(tmp_path) == result
    for other in ({**content, "schema": 99}, {k: v for k, v in content.items() if k != "schema"}):
        write_json(tmp_path / "summary.json", other)
        with pytest.raises(
            ExperimentError, match=r"summary\.json .*run the command again"
        ) as error:
            read_results(tmp_path)
        assert "\n" not in str(error.value)


def test_what_lacks_something_or_holds_something_else_is_refused_in_one_sentence() -> None:
    content = ComparisonResult.of(compare_counts([[0, 30], [5, 0]], ["a", "b"]), WHERE).to_dict()
    for change, message in (
        ({"p": "none"}, "p is 'none'"),
        ({"systems": [1, 2]}, "systems is 1"),
        ({"inputs": {"reference": {"path": "r.rdf"}}}, "sha256 is missing"),
    ):
        with pytest.raises(ExperimentError, match=message):
            read_result({**content, **change})
    with pytest.raises(ExperimentError, match="p is missing"):
        read_result({key: value for key, value in content.items() if key != "p"})


@pytest.mark.parametrize(("measure", "first"), [("f1", "high"), ("fallout", "low")])
def test_where_less_is_better_the_smaller_value_comes_first(measure: str, first: str) -> None:
    same = Alignment([Correspondence("a", "x")])
    result = ComparisonResult.of(compare({"high": same, "low": same}, same), WHERE)
    result = replace(result, counts=None, values={measure: {"high": 0.9, "low": 0.1}})
    assert result.best_first({"high": "1–2", "low": "1–2"})[0] == first
