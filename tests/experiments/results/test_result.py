"""The results of `rank`, `compare` and `study`: written, and read back as they were."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import RecordError
from alignrank.common.files import write_json
from alignrank.common.records import SCHEMA
from alignrank.common.results import Caution, InputFile, Provenance
from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    EntityClusters,
    Matched,
    compare,
    compare_counts,
    with_alternatives,
)
from alignrank.evaluation.multitask import ScoreTable, Study, study
from alignrank.evaluation.multitask.study import KindSummary
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.results.folder import read_result, read_results
from alignrank.ontologies import Alignment, Correspondence

ORIGIN = Provenance(
    {"command": "compare", "views": ["ifp", "cfp"]}, {"reference": InputFile("r.rdf", "0" * 64)}
)

entities = st.sampled_from("abcdef")
alignments = st.lists(st.tuples(entities, entities), unique=True, max_size=8).map(
    lambda pairs: Alignment(Correspondence(*pair) for pair in pairs)
)
texts = st.text(max_size=9)
cautions_of_results = st.builds(Caution, texts, texts, st.none() | texts, st.none() | texts)


def written(result: Comparison | Study) -> Any:
    """Return the content of ``summary.json``."""
    return json.loads(json.dumps(result.to_dict(), allow_nan=False))


def read_back(result: Comparison | Study) -> Any:
    """Return what is read of what was written; nothing is lost and nothing is new."""
    result_read = read_result(written(result))
    assert type(result_read) is type(result)
    assert written(result_read) == written(result)
    return result_read


def small_comparison() -> Comparison:
    return replace(compare_counts([[0, 30], [5, 0]], ["new", "old"]), provenance=ORIGIN)


@given(
    st.dictionaries(st.text(min_size=1, max_size=4), alignments, min_size=2, max_size=4),
    alignments.filter(bool),
    st.lists(cautions_of_results, max_size=3),
)
def test_a_comparison_is_read_back_as_it_was(
    systems: dict[str, Alignment], reference: Alignment, cautions: list[Caution]
) -> None:
    bounds = {name: {"f1": (0.25, math.nan)} for name in systems}
    result = replace(
        compare(systems, reference), provenance=ORIGIN, cautions=tuple(cautions), intervals=bounds
    )
    result_read = read_back(with_alternatives(result))
    low, high = result_read.intervals[next(iter(systems))]["f1"]
    assert low == 0.25
    assert math.isnan(high)
    assert result_read.cautions == result.cautions
    assert result_read.provenance == ORIGIN
    assert result_read.settings == result.settings
    assert result_read.answer() == result.answer()
    for name, view in result.views.items():
        view_read = result_read.views[name]
        assert (view_read.order, view_read.ranks, view_read.letters) == (
            (view.order, view.ranks, view.letters)
        )
        assert view.counts is not None
        assert view_read.counts is not None
        for matrix, matrix_read in (
            (view.adjusted_p, view_read.adjusted_p),
            (view.counts.discordant, view_read.counts.discordant),
        ):
            np.testing.assert_array_equal(matrix_read, matrix)
            assert matrix_read.dtype == matrix.dtype


def test_clusters_and_their_p_are_read_back() -> None:
    names = [f"{k:02}" for k in range(48)]
    reference, good, bad = (
        Alignment(Correspondence(name, "x") for name in part)
        for part in (names, names[8:], names[:24])
    )
    clusters = {name: str(int(name) // 8) for name in names}
    result = compare(
        {"good": good, "bad": bad}, reference, AnalysisSettings(clusters=EntityClusters(clusters))
    )
    view = read_back(result).deciding
    assert (view.test, view.units.name, view.is_clustered) == ("sign-flip", "clusters", True)
    np.testing.assert_array_equal(view.units.p_independent, result.deciding.units.p_independent)
    assert view.unreachable == result.deciding.unreachable == (("good", "bad"),)


def test_what_only_rank_knows_is_read_back() -> None:
    reference = Alignment(Correspondence(f"a{k}", f"b{k}") for k in range(20))
    systems = {"all": reference, "half": reference.where(lambda c: c.entity1 < "a2")}
    matched = Matched(
        order="assign-then-cut",
        total_similarity={"all": {"class": 20.0}, "half": {"class": 10.5}},
        thresholds={"all": (0.5, 0.25, 1.0), "half": (1.0, math.inf, math.inf)},
        correct_range={"all": (19, 20), "half": (10, 10)},
        tie_proof={"ifp": (("all", "half"),)},
    )
    result = replace(compare(systems, reference), provenance=ORIGIN, matched=matched)
    assert read_back(result).matched == matched


def test_counts_alone_are_read_back() -> None:
    result_read = read_back(small_comparison())
    assert result_read.scores == {}
    assert result_read.reference is None
    assert result_read.deciding.units.name == "cases"


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
    summary = KindSummary("a", "class", 2, 3, 0, 0, None, 0.5, 0.0, math.nan, 0.0)
    result = replace(
        study(table, AnalysisSettings(focus=focus), margin=None),
        provenance=ORIGIN,
        by_kind=(summary, replace(summary, correct_range=(0, 3))),
        cautions=(Caution("scores", "one"),),
        thresholds={"a": {"task 0": 0.5}},
    )
    result_read = read_back(result)
    assert result_read.answer() == result.answer()
    assert (result_read.table.tasks, result_read.systems) == (tasks, ("a", "b", "c"))
    assert result_read.mean_ranks == result.mean_ranks
    assert result_read.by_kind[1].correct_range == (0, 3)
    assert read_back(replace(result, by_kind=())).by_kind == ()


def test_the_schema_is_the_first_key_and_another_one_is_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    content = small_comparison().to_dict()
    assert list(content.items())[:2] == [("schema", SCHEMA), ("kind", "comparison")]
    write_json(tmp_path / "summary.json", content)
    assert written(read_results(tmp_path)) == json.loads(json.dumps(content))
    without = {key: value for key, value in content.items() if key != "schema"}
    for other_content in ({**content, "schema": 99}, without):
        write_json(tmp_path / "summary.json", other_content)
        with pytest.raises(
            ExperimentError, match=r"summary\.json .*run the command again"
        ) as error:
            read_results(tmp_path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("views", "ifp", "tests", "mid-p", "p"), "none", r"'none' is no list .*\['mid-p'\]\.p"),
        (("systems",), [1, 2], r"1 is no str @ it\.systems\[0\] \(and 1 more\)"),
        (("provenance", "inputs"), {"reference": {"path": "r.rdf"}}, "missing .*sha256"),
        (
            ("views", "ifp", "counts", "discordant"),
            [[0, 1.5], [0, 0]],
            "whole number .*discordant",
        ),
        (("settings", "alpha"), 7, "alpha .*settings"),
        (("views", "ifp", "tests"), None, "tests"),
    ],
)
def test_what_lacks_something_or_holds_something_else_is_refused_in_one_sentence(
    path: tuple[str, ...], value: object, message: str, tmp_path: Path
) -> None:
    content = written(small_comparison())
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(RecordError, match=message):
        read_result(content)
    write_json(tmp_path / "summary.json", content)
    with pytest.raises(ExperimentError, match=r"summary\.json does not fit: ") as error:
        read_results(tmp_path)
    assert "\n" not in str(error.value)


def test_what_is_missing_is_named() -> None:
    content = written(small_comparison())
    del content["views"]["ifp"]["tests"]["exact"]["p"]
    with pytest.raises(RecordError, match=r"field missing .*\['exact'\]\.p"):
        read_result(content)


@pytest.mark.parametrize(("measure", "first"), [("f1", "high"), ("fallout", "low")])
def test_where_less_is_better_the_smaller_value_comes_first(measure: str, first: str) -> None:
    same = Alignment([Correspondence("a", "x")])
    view = compare({"high": same, "low": same}, same).deciding
    facts = {"quantity": measure, "less_is_better": measure == "fallout"}
    view = replace(view, view=measure, values={"high": 0.9, "low": 0.1}, **facts)
    assert set(view.ranks.values()) == {"1–2"}
    assert view.order[0] == first
