"""The study of a score table: decision, groups, JSON, what is refused."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.corrections.adjusting import CORRECTIONS, adjust
from alignrank.evaluation.multitask import (
    POSTHOC_TESTS,
    Study,
    paired_t,
    read_scores,
    signed_rank,
    study,
)
from alignrank.evaluation.multitask.posthoc import shared_ontologies
from alignrank.evaluation.multitask.score_table import ScoreTable
from alignrank.evaluation.multitask.study import study_with_choices
from tests.evaluation.multitask.tables import ladder, saying, table


def test_every_pair_has_the_p_values_of_t_and_wilcoxon():
    t = ladder()
    pairs = iter(study(t, margin=None).pairs)
    for (i, j), pair in zip(combinations(range(4), 2), pairs, strict=True):
        assert pair.t.p == paired_t(t.scores[:, i], t.scores[:, j]).p
        assert pair.wilcoxon.p == signed_rank(t.scores[:, i], t.scores[:, j]).p


def test_a_ladder_is_found_rung_by_rung():
    result = study(ladder(), margin=None)
    assert result.edges == tuple(combinations("ABCD", 2))
    assert result.groups == ()
    assert result.deciding.ranking.layers == (("A",), ("B",), ("C",), ("D",))
    assert result.correction == "bergmann-hommel"
    assert [pair.better for pair in result.pairs] == ["A", "A", "A", "B", "B", "C"]
    flat = study(ladder(step=0, noise=0.2), margin=None)
    assert flat.edges == ()
    assert [set(group) for group in flat.groups] == [set("ABCD")]
    assert {pair.better for pair in flat.pairs} == {""}


@pytest.mark.parametrize("test", POSTHOC_TESTS)
@pytest.mark.parametrize(
    "correction", [c for c, f in CORRECTIONS.items() if "N×N" in f.comparisons]
)
def test_every_test_under_every_correction(test, correction):
    settings = AnalysisSettings(test=test, correction=correction, alpha=0.05)
    result = study(ladder(), settings=settings, margin=None)
    assert ("A", "D") in result.edges
    assert all(first < second for first, second in result.edges)
    for pair in result.pairs:
        assert pair.adjusted_p >= pair.p or pair.adjusted_p == pytest.approx(pair.p)
        assert (pair.better != "") == (pair.adjusted_p <= 0.05)
    if correction == "none":
        usual = AnalysisSettings(test=test, alpha=0.05)
        assert len(result.edges) >= len(study(ladder(), settings=usual, margin=None).edges)


@pytest.mark.parametrize(
    "correction", [c for c, f in CORRECTIONS.items() if "N×1" in f.comparisons]
)
def test_all_against_one(correction):
    result = study(
        ladder(), settings=AnalysisSettings(focus="B", correction=correction), margin=None
    )
    assert result.edges == (("A", "B"), ("B", "C"), ("B", "D"))
    assert result.groups == ()
    assert int(np.isfinite(result.deciding.adjusted_p[1]).sum()) == 3
    compared = {
        (pair.system1, pair.system2) for pair in result.pairs if not math.isnan(pair.adjusted_p)
    }
    assert compared == {("A", "B"), ("B", "C"), ("B", "D")}
    assert study(ladder(), settings=AnalysisSettings(focus="B"), margin=None).correction == "holm"


def test_garcia_herrera_by_the_study(oaei):
    path = oaei.parent / "scores" / "garcia-herrera-2008.csv"
    if not path.exists():
        pytest.skip("the published score tables are not here")
    result = study(read_scores(path), settings=AnalysisSettings(test="friedman"), margin=None)
    assert len(result.edges) == 8
    assert result.groups == (("C4.5", "NaiveBayes"), ("CN2", "k-NN(k=1)"))
    assert [round(rank, 3) for rank in result.mean_ranks.values()] == [2.1, 3.25, 2.2, 4.333, 3.117]
    assert round(result.critical_difference, 3) == 1.114


def test_equal_and_constant_columns_have_defined_answers():
    same = table([[0.5, 0.5, 0.7], [0.6, 0.6, 0.7], [0.1, 0.1, 0.7], [0.2, 0.2, 0.7]])
    result = study(same, margin=0.01)
    assert saying(result, "A and B have the same score on every task")
    pair = result.pairs[0]
    assert pair.p == pair.adjusted_p == pair.t.p == pair.sign.p == 1
    assert pair.bayesian.equivalent == 1
    json.dumps(result.to_dict(), allow_nan=False)
    everything = study(table(np.full((4, 3), 0.5)), margin=None)
    assert everything.edges == ()
    assert everything.groups == (("A", "B", "C"),)


# --- what comes out, what is refused -------------------------------------------------------------


def test_a_study_as_json_and_as_a_frame():
    result = study(ladder(), margin=0.01)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["table"]["systems"] == ["A", "B", "C", "D"]
    ranking = plain["views"]["tasks"]["rankings"]["bergmann-hommel"]
    assert ranking["edges"][0] == ["A", "B"]
    assert len(plain["pairs"]) == 6
    assert plain["mean_ranks"] == dict(result.mean_ranks)
    frame = result.to_frame()
    assert len(frame) == 6
    assert (frame.loc[0, "system"], frame.loc[0, "it is"]) == ("A", "better")
    chances = frame[["chance_system1_better", "chance_equivalent", "chance_system2_better"]]
    assert chances.sum(axis=1).tolist() == pytest.approx([1] * 6)
    assert "chance_equivalent" not in study(ladder()).to_frame()
    assert Study.from_dict(plain).to_dict() == result.to_dict()


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        ([[0.5, 0.6]], {}, "fewer than two tasks"),
        ([[0.5], [0.6]], {}, "fewer than two systems"),
        ([[0.5, 0.6], [0.1, 0.2]], {"focus": "Z"}, "system 'Z' is unknown: use one of A, B"),
        ([[0.5, 0.6], [0.1, 0.2]], {"test": "anova"}, "'anova' is unknown"),
        ([[0.5, 0.6], [0.1, 0.2]], {"correction": "fdr"}, "'fdr' is unknown"),
        ([[0.5, 0.6], [0.1, 0.2]], {"correction": "shaffer", "focus": "A"}, "use holm"),
        ([[0.5, 0.6], [0.1, 0.2]], {"alpha": 5}, "alpha is 5"),
        ([[0.5, 0.6], [0.1, 0.2]], {"margin": -1}, "margin"),
    ],
)
def test_bad_input_is_named(scores, arguments, message):
    margin = arguments.pop("margin", 0.01)
    with pytest.raises(EvaluationError, match=message):
        study(table(scores), AnalysisSettings(**arguments), margin=margin)


def test_a_table_of_another_kind_is_refused() -> None:
    wrong: Any = [[1.0, 2.0]]
    with pytest.raises(EvaluationError, match="table is a list: give a ScoreTable"):
        study(wrong)


def test_with_a_focus_only_its_pairs_are_adjusted_for_shared_ontologies() -> None:
    rng = np.random.default_rng(4)
    pairs = tuple((f"o{a}", f"o{b}") for a, b in combinations(range(7), 2))
    scores = np.array([0.5, 0.55, 0.6, 0.62]) + rng.normal(0, 0.03, (len(pairs), 4))
    tasks = tuple(f"{a}-{b}" for a, b in pairs)
    known = ScoreTable(tasks, tuple("ABCD"), scores, ontologies=pairs)
    result = study(known, settings=AnalysisSettings(focus="A"), margin=None)
    p = shared_ontologies(known, pairs).p
    expected = adjust(p[0, 1:], "holm").values
    of_a = [pair.adjusted_p for pair in result.pairs if "A" in (pair.system1, pair.system2)]
    assert of_a == pytest.approx(expected.tolist())
    assert all(np.isnan(pair.adjusted_p) for pair in result.pairs if pair.system1 != "A")
    assert result.test == "jackknife"
    assert result.deciding.chosen.p[0, 1] == p[0, 1]


@pytest.mark.parametrize("focus", [None, "b"])
def test_pairs_are_listed_by_rank_with_the_better_one_first(focus: str | None) -> None:
    rng = np.random.default_rng(1)
    scores = np.clip(rng.normal([0.5, 0.8, 0.65], 0.05, (12, 3)), 0, 1)
    result = study(
        ScoreTable([f"t{k}" for k in range(12)], ["a", "b", "c"], scores),
        AnalysisSettings(focus=focus),
    )
    rows = result.to_frame()
    pairs = list(zip(rows["system"], rows["other"], strict=True))
    assert pairs == (
        [("b", "c"), ("b", "a"), ("c", "a")] if focus is None else [("b", "c"), ("b", "a")]
    )
    means = dict(zip("abc", scores.mean(axis=0), strict=True))
    for (first, other), row in zip(pairs, rows.to_dict("records"), strict=True):
        assert row["mean_difference"] == pytest.approx(means[first] - means[other])
        assert row["mean_difference_low"] < row["mean_difference"] < row["mean_difference_high"]
        assert row["it is"] == "better"


def test_a_mean_is_rounded_in_one_way() -> None:
    """The mean of these is .5265: numpy's sum rounds it up, the exact sum down."""
    scores = np.array([[0.229, 0.1], [0.945, 0.2], [0.901, 0.3], [0.031, 0.4]])
    table = ScoreTable(("t1", "t2", "t3", "t4"), ("a", "b"), scores)
    shown = f"{table.means['a']:.3f}"
    assert shown != f"{scores.mean(axis=0)[0]:.3f}"
    result = study(table)
    assert result.deciding.values == table.means
    assert f"mean score {shown}" in result.answer()[0]


@pytest.mark.parametrize("test", ["paired-t", "signed-rank"])
@pytest.mark.parametrize("focus", [None, "A"])
def test_no_interval_of_a_study_contradicts_its_verdict(test: str, focus: str | None):
    settings = AnalysisSettings(test=test, focus=focus)
    tested = {"paired-t": "mean_difference", "signed-rank": "hodges_lehmann"}[test]
    raw = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        scores = rng.normal([0.5, 0.53, 0.55, 0.57], 0.05, (12, 4))
        result = study(table(scores), settings)
        for pair in result.pairs:
            shown = getattr(pair.effects, tested)
            holds = shown.low <= 0 <= shown.high and not shown.is_cut
            assert holds == (not pair.better)
            # what one comparison alone would have said
            raw += (pair.wilcoxon.p < 0.05 if test == "signed-rank" else pair.t.p < 0.05) == holds
    assert raw > 20


def test_a_decided_pair_that_differs_on_few_tasks_has_an_interval_without_0():
    """The signed-rank test leaves equal tasks out; the median of all tasks is 0."""
    base = np.linspace(0.3, 0.7, 30)
    better = base + np.where(np.arange(30) < 8, np.arange(1, 31) / 100, 0)
    result = study(table(np.column_stack([better, base])), AnalysisSettings(test="signed-rank"))
    assert result.edges == (("A", "B"),)
    assert result.tested_differences("A")["B"][:2] == (0.0, 0.0)
    assert result.pairs[0].effects.hodges_lehmann.is_cut


def test_an_interval_of_f1_ends_where_f1_does():
    t = table([[0.95, 0.02], [0.99, 0.01], [0.9, 0.05], [0.97, 0.4]])
    free = study(t).pairs[0].effects.mean_difference
    bounded = study(replace(t, measure="F1")).pairs[0].effects.mean_difference
    assert free.high > 1 == bounded.high
    assert (free.low, free.value) == (bounded.low, bounded.value)
    percent = replace(t, scores=100 * t.scores, measure="F1")
    assert study(percent).pairs[0].effects.mean_difference.high == pytest.approx(100 * free.high)


def test_a_critical_difference_is_shown_where_it_decides_as_the_verdicts_do():
    nemenyi = AnalysisSettings(test="friedman", correction="nemenyi")
    diagram = study(ladder(), nemenyi).rank_diagram
    assert diagram.critical_difference == pytest.approx(1.354, abs=5e-4)
    # mean ranks 1.5 apart: beyond Nemenyi's 1.483, while Bonferroni's inequality asks for 1.523
    orders = [*["ABCD"] * 6, "DCBA", "ADBC", "BADC", "DBAC"]
    scores = [[-order.index(name) for name in "ABCD"] for order in orders]
    result = study(table(scores), nemenyi)
    assert result.mean_ranks["D"] - result.mean_ranks["A"] == 1.5
    assert 1.483 < result.critical_difference < 1.484
    assert result.deciding.verdicts["A", "D"] == "undecided"
    assert result.rank_diagram.critical_difference is None


def test_the_difference_beside_a_verdict_is_the_tested_one():
    scores = np.array([[0.6, 0.61]] * 18 + [[0.8, 0.5]] * 2) + np.arange(20)[:, None] * [0, 1e-4]
    t = table(scores)
    by_mean = study(t).tested_differences("A")["B"]
    by_rank = study(t, AnalysisSettings(test="signed-rank"))
    value, _, high, _ = by_rank.tested_differences("A")["B"]
    assert by_mean[0] > 0 > high > value
    assert by_rank.deciding.verdicts["A", "B"] == "worse"
    assert study(t, AnalysisSettings(test="friedman")).tested_differences("A") == {}


def test_a_test_that_the_page_offers_has_the_p_that_it_decides_by():
    even = table(np.linspace(0.5, 0.9, 8)[:, None] + [0.01, 0.0])  # the same gap on every task
    offered = study_with_choices(study(even, AnalysisSettings(test="sign"))).deciding
    decided = study(even, AnalysisSettings(test="paired-t")).deciding
    assert offered.tests["paired-t"].p[0, 1] == decided.chosen.p[0, 1]


def test_three_tasks_have_no_caution_on_a_test_that_was_not_made() -> None:
    result = study(table([[0.5, 0.6], [0.5, 0.7], [0.4, 0.6]]))
    assert not saying(result, "not normal")
