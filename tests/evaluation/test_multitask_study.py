"""The study of a score table: decision, groups, warnings, one ontology left out."""

from __future__ import annotations

import json
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from evaluation.corrections import CORRECTIONS
from evaluation.errors import EvaluationError
from evaluation.multitask import (
    POSTHOC_TESTS,
    ScoreTable,
    decide,
    leave_one_ontology_out,
    paired_t,
    read_scores,
    score_folder,
    signed_rank,
    study,
)
from evaluation.multitask.cautions import task_ontologies


def table(scores, systems="ABCDEFG", tasks=None) -> ScoreTable:
    values = np.array(scores, dtype=float)
    names = tasks or [f"task {i}" for i in range(len(values))]
    return ScoreTable(tuple(names), tuple(systems[: values.shape[1]]), values)


def ladder(tasks=12, systems=4, noise=0.02, step=0.05) -> ScoreTable:
    """A is best, then B, …"""
    rng = np.random.default_rng(11)
    base = rng.uniform(0.4, 0.8, (tasks, 1))
    return table(base - step * np.arange(systems) + noise * rng.standard_normal((tasks, systems)))


def saying(result, text: str) -> list[str]:
    return [warning for warning in result.warnings if text in warning]


def test_the_papers_matrix_has_t_above_and_wilcoxon_below():
    t = ladder()
    p = study(t, rope=None).p_values
    for i, j in combinations(range(4), 2):
        assert p[i, j] == paired_t(t.scores[:, i], t.scores[:, j]).p
        assert p[j, i] == signed_rank(t.scores[:, i], t.scores[:, j]).p
    assert np.isnan(np.diag(p)).all()


def test_a_ladder_is_found_rung_by_rung():
    result = study(ladder(), rope=None)
    assert result.edges == tuple(combinations("ABCD", 2))
    assert result.groups == ()
    assert result.ranking.layers == (("A",), ("B",), ("C",), ("D",))
    assert result.adjusted.correction == "bergmann-hommel"
    assert [pair.better for pair in result.pairs] == ["A", "A", "A", "B", "B", "C"]
    flat = study(ladder(step=0, noise=0.2), rope=None)
    assert flat.edges == ()
    assert [set(group) for group in flat.groups] == [set("ABCD")]
    assert {pair.better for pair in flat.pairs} == {""}


@pytest.mark.parametrize("test", POSTHOC_TESTS)
@pytest.mark.parametrize(
    "correction", [c for c, f in CORRECTIONS.items() if "N×N" in f.comparisons]
)
def test_every_test_under_every_correction(test, correction):
    result = study(ladder(), test=test, correction=correction, rope=None)
    assert ("A", "D") in result.edges
    assert all(first < second for first, second in result.edges)
    for pair in result.pairs:
        assert pair.adjusted_p >= pair.p or pair.adjusted_p == pytest.approx(pair.p)
        assert (pair.better != "") == (pair.adjusted_p <= 0.05)
    if correction == "none":
        assert len(result.edges) >= len(study(ladder(), test=test, rope=None).edges)


@pytest.mark.parametrize(
    "correction", [c for c, f in CORRECTIONS.items() if "N×1" in f.comparisons]
)
def test_all_against_one(correction):
    result = study(ladder(), against="B", correction=correction, rope=None)
    assert result.edges == (("A", "B"), ("B", "C"), ("B", "D"))
    assert result.groups == ()
    assert result.adjusted.values.shape == (3,)
    compared = {
        (pair.system1, pair.system2) for pair in result.pairs if not math.isnan(pair.adjusted_p)
    }
    assert compared == {("A", "B"), ("B", "C"), ("B", "D")}
    assert study(ladder(), against="B", rope=None).correction == "holm"


def test_garcia_herrera_by_the_study(oaei):
    path = oaei.parent / "scores" / "garcia-herrera-2008.csv"
    if not path.exists():
        pytest.skip("the published score tables are not here")
    result = study(read_scores(path), test="friedman", rope=None)
    assert len(result.edges) == 8
    assert result.groups == (("C4.5", "NaiveBayes"), ("CN2", "k-NN(k=1)"))
    assert [round(rank, 3) for rank in result.mean_ranks] == [2.1, 3.25, 2.2, 4.333, 3.117]
    assert round(result.critical_difference, 3) == 1.114


# --- what a study says ---------------------------------------------------------------------------


def test_too_few_tasks_are_said():
    said = saying(study(ladder(tasks=5, systems=2), rope=None), "smallest possible")
    assert said == [
        "With 5 tasks the smallest possible p-value is 2/2^5 = 0.0625: no difference, however "
        "large, can be significant at 0.05."
    ]
    eight = study(ladder(tasks=8), rope=None)  # 2/2^8 × 6 pairs = .047
    assert eight.edges
    assert not saying(eight, "smallest possible")
    seven = study(ladder(tasks=7), rope=None)
    assert saying(seven, "0.0938 after correction")
    assert not seven.edges
    assert not saying(study(ladder(tasks=7), correction="hochberg", rope=None), "smallest")


def test_equal_and_constant_columns_have_defined_answers():
    same = table([[0.5, 0.5, 0.7], [0.6, 0.6, 0.7], [0.1, 0.1, 0.7], [0.2, 0.2, 0.7]])
    result = study(same, rope=0.01)
    assert saying(result, "A and B have the same score on every task")
    pair = result.pairs[0]
    assert pair.p == pair.adjusted_p == pair.t.p == pair.sign.p == 1
    assert pair.bayesian.equivalent == 1
    json.dumps(result.to_dict(), allow_nan=False)
    everything = study(table(np.full((4, 3), 0.5)), rope=None)
    assert everything.edges == ()
    assert everything.groups == (("A", "B", "C"),)


def test_a_shift_without_spread_is_said():
    t = table([[0.5, 0.4], [0.6, 0.5], [0.7, 0.6]])
    assert saying(study(t, rope=None), "the same on every task")


def test_differences_that_are_not_normal_are_said():
    skewed = np.exp(np.linspace(-3, 3, 15)) / 30
    t = table(np.column_stack([0.2 + skewed, np.full(15, 0.2)]))
    said = saying(study(t, rope=None), "not normal")
    assert said[0].endswith("for 1 of 1 pairs: A–B.")
    assert "signed-rank" in saying(study(t, test="paired-t", rope=None), "not normal")[0]
    assert saying(study(ladder(tasks=8), rope=None), "hardly be checked")


def test_mean_ranks_depend_on_the_pool_and_it_is_said():
    """B beats A by far on 8 of 14 tasks, C, D and E lie between: each adds to the gap in ranks."""
    a = np.linspace(0.5, 0.6, 14)
    b = a + np.where(np.arange(14) < 8, 0.1, -0.001)
    between = np.where(np.arange(14) < 8, a + 0.05, a + 0.001)[:, None] + [[0, 1e-4, 2e-4]]
    t = table(np.column_stack([a, b, between]))
    said = saying(study(t, test="friedman", rope=None), "pool")
    assert len(said) == 1
    whole = POSTHOC_TESTS["friedman"](t.scores)[0]
    flips = set()
    for left in range(5):
        rest = [s for s in range(5) if s != left]
        p = POSTHOC_TESTS["friedman"](t.scores[:, rest])[0]
        for i, j in combinations(range(4), 2):
            if (p[i, j] <= 0.05) != (whole[rest[i], rest[j]] <= 0.05):
                flips.add(f"{'ABCDE'[rest[i]]}–{'ABCDE'[rest[j]]}")
    assert flips
    for flip in flips:
        assert flip in said[0]
    assert not saying(study(t, rope=None), "pool")


def test_the_sign_test_and_logical_corrections_do_not_go_together():
    assert saying(study(ladder(), test="sign", rope=None), "take 'holm'")
    assert not saying(study(ladder(), test="sign", correction="holm", rope=None), "take 'holm'")


def test_a_circle_of_significant_differences_is_said():
    """By signs A beats B on two tasks of three, B beats C, C beats A."""
    rows = [[3, 2, 1], [1, 3, 2], [2, 1, 3]] * 40
    result = study(table(rows), test="sign", correction="holm", rope=None)
    assert set(result.edges) == {("A", "B"), ("B", "C"), ("C", "A")}
    said = saying(result, "circle")
    assert len(said) == 1
    assert "A, B, C: no ranking fits them" in said[0]


def test_scores_above_one_ask_for_another_rope():
    percent = ladder()
    percent = table(100 * percent.scores)
    assert saying(study(percent), "region of practical equivalence is ±0.01")
    assert not saying(study(percent, rope=None), "region")
    assert not saying(study(ladder()), "region")


# --- one ontology left out -----------------------------------------------------------------------


def test_ontologies_are_read_from_task_names():
    assert task_ontologies(["a-b", "A-c"]) == ()  # a is in all: leaving it out leaves nothing
    assert task_ontologies(["a-b", "A-c", "b-c"]) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert task_ontologies(["a-b", "c-d"]) == ()  # independent
    assert task_ontologies(["Hayes-Roth", "Tic-tac-toe"]) == ()
    assert task_ontologies(["a-", "b-a", "a-b"]) == ()


def test_a_difference_that_hangs_on_one_ontology_is_named():
    names = "abcdef"
    tasks = [f"{x}-{y}" for x, y in combinations(names, 2)]
    rng = np.random.default_rng(0)
    base = rng.uniform(0.4, 0.6, 15)
    large = iter([0.2, 0.21, 0.22, 0.23, 0.24])
    small = iter([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, -0.09, -0.1])
    gain = np.array([next(large) if "f" in task else next(small) for task in tasks])
    clear = base - 0.3 - 0.01 * np.arange(15)
    t = table(np.column_stack([base + gain, base, clear]), tasks=tasks)
    result = study(t, rope=None)
    assert ("A", "B") in result.edges
    without = {check.ontology: check for check in result.left_out}
    assert set(without) == set(names)
    assert without["f"].lost == (("A", "B"),)
    assert without["f"].tasks == 10
    assert set(without["f"].edges) == {("A", "C"), ("B", "C")}
    assert saying(result, "not independent: they pair 6 ontologies")
    assert any("without f" in said for said in saying(result, "A > B is not significant"))
    rest = t.select([task for task in tasks if "f" not in task])
    assert len(without["f"].edges) == len(decide(rest).ranking.edges)


def test_tasks_without_shared_ontologies_need_no_check():
    assert leave_one_ontology_out(ladder(), ()) == ()
    assert not saying(study(ladder(), rope=None), "independent")


def test_the_conference_track_is_checked(oaei):
    folder = oaei / "conference"
    scores = score_folder(folder / "systems-2019", folder / "reference", mend_namespaces=True)
    result = study(scores, samples=2000)
    assert len(result.left_out) == 7
    assert {check.tasks for check in result.left_out} == {15}
    assert len(result.edges) == 10
    assert {better for better, _ in result.edges} == {"AML", "LogMap"}
    assert set(result.groups[0]) == {"AML", "LogMap"}
    lost = {edge for check in result.left_out for edge in check.lost}
    assert lost == {("LogMap", "ALIN"), ("LogMap", "DOME"), ("LogMap", "Wiktionary")}
    assert result.warnings[0].startswith("42 files name http://confof#")


# --- what comes out, what is refused -------------------------------------------------------------


def test_a_study_as_json_and_as_a_frame():
    result = study(ladder(), samples=1000)
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["systems"] == ["A", "B", "C", "D"]
    assert plain["p_values"][0][0] is None
    assert plain["edges"][0] == ["A", "B"]
    assert len(plain["pairs"]) == 6
    assert plain["mean_ranks"]["A"] == result.mean_ranks[0]
    frame = result.to_frame()
    assert len(frame) == 6
    assert frame.loc[0, "better"] == "A"
    chances = frame[["chance_system1_better", "chance_equivalent", "chance_system2_better"]]
    assert chances.sum(axis=1).tolist() == pytest.approx([1] * 6)
    assert "chance_equivalent" not in study(ladder(), rope=None).to_frame()
    assert study(ladder(), samples=1000).to_dict() == result.to_dict()


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        ([[0.5, 0.6]], {}, "fewer than two tasks"),
        ([[0.5], [0.6]], {}, "fewer than two systems"),
        ([[0.5, 0.6], [0.1, 0.2]], {"against": "Z"}, "system 'Z' is not in the table: A, B"),
        ([[0.5, 0.6], [0.1, 0.2]], {"test": "anova"}, "'anova' is unknown"),
        ([[0.5, 0.6], [0.1, 0.2]], {"correction": "fdr"}, "'fdr' is unknown"),
        ([[0.5, 0.6], [0.1, 0.2]], {"correction": "shaffer", "against": "A"}, "use 'holm'"),
        ([[0.5, 0.6], [0.1, 0.2]], {"alpha": 5}, "alpha is 5"),
        ([[0.5, 0.6], [0.1, 0.2]], {"rope": -1}, "rope"),
    ],
)
def test_bad_input_is_named(scores, arguments, message):
    with pytest.raises(EvaluationError, match=message):
        study(table(scores), **arguments)


def test_a_table_of_another_kind_is_refused() -> None:
    wrong: Any = [[1.0, 2.0]]
    with pytest.raises(EvaluationError, match="table is a list: give a ScoreTable"):
        study(wrong)
