"""What the reader of a study is told to be wary of; one ontology left out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.special import stdtrit

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.multitask import (
    POSTHOC_TESTS,
    read_scores,
    read_track,
    score_track,
    study,
)
from alignrank.evaluation.multitask.posthoc import (
    ontologies_if_shared,
    shared_ontologies,
    task_ontologies,
)
from tests.evaluation.multitask.tables import ladder, saying, table

# --- what a study says ---------------------------------------------------------------------------


def test_too_few_tasks_are_said():
    few = study(
        ladder(tasks=5, systems=2), settings=AnalysisSettings(test="signed-rank"), margin=None
    )
    assert few.could_not_decide == (
        "5 tasks are too few: p of the signed-rank test cannot be below 0.0625. From 6 tasks on "
        "a difference can be significant."
    )
    eight = study(
        ladder(tasks=8), settings=AnalysisSettings(test="signed-rank"), margin=None
    )  # 2/2^8 × 6 pairs = .047
    assert eight.edges
    assert not eight.could_not_decide
    seven = study(ladder(tasks=7), settings=AnalysisSettings(test="signed-rank"), margin=None)
    assert "0.0938 after correction. From 8 tasks on a difference can be" in seven.could_not_decide
    assert not seven.edges
    free = study(
        ladder(tasks=7),
        settings=AnalysisSettings(test="signed-rank", correction="hochberg"),
        margin=None,
    )
    assert not free.could_not_decide
    holland = study(ladder(tasks=7), AnalysisSettings(test="sign", correction="holland"))
    assert "0.0902 after correction. From 8 tasks on" in holland.could_not_decide
    assert study(ladder(tasks=5), margin=None).edges, "t decides with five tasks"


def test_a_study_says_where_a_sharper_correction_decides_more():
    scores = np.random.default_rng(9).normal([0.5, 0.53, 0.55, 0.57], 0.04, (12, 4))
    blunt = study(table(scores), AnalysisSettings(correction="nemenyi"))
    assert set(blunt.edges) < set(study(table(scores)).edges)
    assert saying(blunt, "the verdict depends on the correction for")
    assert not saying(study(table(scores)), "depends on the correction")
    assert not saying(study(table(scores), AnalysisSettings(test="sign")), "depends on")


def test_nothing_is_tested_below_four_tasks():
    three = study(ladder(tasks=3), margin=None)
    assert three.edges == ()
    assert {pair.p for pair in three.pairs} == {1.0}
    assert three.could_not_decide.startswith("3 tasks cannot decide")
    assert not three.is_tested
    assert study(ladder(tasks=4), margin=None).is_tested


def test_a_steady_difference_is_evidence_up_to_rounding():
    """A tenth on four tasks: t with the spread of rounded scores; so is a larger one beside it."""
    four = study(table([[0.75, 0.65, 0.55 + 0.03 * (k == 1)] for k in range(4)]), margin=None)
    assert four.edges == (("A", "B"), ("A", "C"), ("B", "C"))
    t = four.pairs[0].t
    assert t.t == pytest.approx(0.1 / (0.01 / 6**0.5 / 2))
    assert four.pairs[0].effects.mean_difference.low > 0.08
    assert not four.could_not_decide
    of_runs = {"A@1": {"t": 0.7}, "A@2": {"t": 0.71}, "A@3": {"t": 0.72}, "B": {"t": 0.6}}
    assert read_scores(of_runs).rounding == 0.01, "a mean over runs has more decimals"
    assert study(table([[0.5, 0.5]] * 5), margin=None).pairs[0].p == 1


def test_scores_of_an_unknown_scale_need_more_tasks_than_those_of_one() -> None:
    points = [[50.0, 60.0], [70.0, 79.0], [10.0, 21.0], [40.0, 52.0], [61.0, 70.0]]
    unknown = study(table(points), margin=None)
    assert unknown.test == "signed-rank"
    assert unknown.could_not_decide.endswith("(scale: common), fewer tasks can decide.")
    common = study(replace(table(points), common_scale=True), margin=None)
    assert (common.test, common.edges) == ("paired-t", (("B", "A"),))


def test_a_test_of_another_estimand_names_it_and_orders_by_it() -> None:
    """B is ahead by a little on nineteen tasks, A by much on one: the means point the other way."""
    scores = [[0.5 + k / 100, 0.51 + k / 90] for k in range(19)] + [[0.9, 0.4]]
    by_ranks = study(table(scores), AnalysisSettings("signed-rank"), margin=None)
    assert by_ranks.edges == (("B", "A"),)
    assert by_ranks.deciding.order == ("B", "A")
    assert by_ranks.answer()[0] == (
        "B scores best (by the Hodges–Lehmann difference); A is significantly worse."
    )
    assert study(table(scores), margin=None).deciding.order == ("A", "B")


def test_differences_that_are_not_normal_are_said():
    skewed = np.exp(np.linspace(-3, 3, 15)) / 30
    t = table(np.column_stack([0.2 + skewed, np.full(15, 0.2)]))
    said = saying(study(t, settings=AnalysisSettings(test="paired-t"), margin=None), "not normal")
    assert said[0].startswith("The differences of 1 pair are not normal")
    assert "A–B" in said[0]
    assert not saying(
        study(t, settings=AnalysisSettings(test="signed-rank"), margin=None), "not normal"
    )


def test_an_arrow_against_the_means_is_said():
    """Nine small losses and three large gains."""
    gaps = np.array([-0.010, -0.011, -0.012, -0.013, -0.014, -0.015, -0.016, -0.017, -0.018])
    gaps = np.concatenate([gaps, -gaps - 0.02, [0.5]])
    scores = np.column_stack([0.4 + gaps, np.full(len(gaps), 0.4)])
    by_rank = study(table(scores), settings=AnalysisSettings(test="signed-rank"), margin=None)
    assert by_rank.estimand == "Hodges–Lehmann difference"
    assert by_rank.edges == (("B", "A"),)
    assert saying(by_rank, "though its mean is worse")
    by_mean = study(table(scores), margin=None)
    assert (by_mean.test, by_mean.estimand) == ("paired-t", "mean difference")
    assert by_mean.edges == ()
    assert not saying(by_mean, "though")


def test_scores_of_several_scales_have_no_mean():
    t = table(100 * ladder().scores)
    assert study(t, margin=None).test == "signed-rank"
    assert study(replace(t, common_scale=True), margin=None).test == "paired-t"


def test_mean_ranks_depend_on_the_pool_and_it_is_said():
    """B beats A by far on 8 of 14 tasks, C, D and E lie between: each adds to the gap in ranks."""
    a = np.linspace(0.5, 0.6, 14)
    b = a + np.where(np.arange(14) < 8, 0.1, -0.001)
    between = np.where(np.arange(14) < 8, a + 0.05, a + 0.001)[:, None] + [[0, 1e-4, 2e-4]]
    t = table(np.column_stack([a, b, between]))
    said = saying(study(t, settings=AnalysisSettings(test="friedman"), margin=None), "pool")
    assert len(said) == 1
    whole = POSTHOC_TESTS["friedman"].compare(t.scores, 0.0)[0]
    flips = set()
    for left in range(5):
        rest = [s for s in range(5) if s != left]
        p = POSTHOC_TESTS["friedman"].compare(t.scores[:, rest], 0.0)[0]
        for i, j in combinations(range(4), 2):
            if (p[i, j] <= 0.05) != (whole[rest[i], rest[j]] <= 0.05):
                flips.add(f"{'ABCDE'[rest[i]]}–{'ABCDE'[rest[j]]}")
    assert flips
    for flip in flips:
        assert flip in said[0]
    assert not saying(study(t, margin=None), "pool")


def test_the_sign_test_and_logical_corrections_do_not_go_together():
    assert saying(
        study(ladder(), settings=AnalysisSettings(test="sign"), margin=None), "take 'holm'"
    )
    assert not saying(
        study(ladder(), settings=AnalysisSettings(test="sign", correction="holm"), margin=None),
        "take 'holm'",
    )


def test_a_circle_of_significant_differences_is_said():
    """By signs A beats B on two tasks of three, B beats C, C beats A."""
    rows = [[3, 2, 1], [1, 3, 2], [2, 1, 3]] * 40
    result = study(
        table(rows), settings=AnalysisSettings(test="sign", correction="holm"), margin=None
    )
    assert set(result.edges) == {("A", "B"), ("B", "C"), ("C", "A")}
    said = saying(result, "circle")
    assert len(said) == 1
    assert "A, B, C: no ranking fits them" in said[0]


def test_scores_above_one_ask_for_another_margin():
    percent = ladder()
    percent = table(100 * percent.scores)
    assert saying(study(percent, margin=0.01), "region of practical equivalence is ±0.01")
    assert not saying(study(percent, margin=None), "region")
    assert not saying(study(ladder(), margin=0.01), "region")


# --- one ontology left out -----------------------------------------------------------------------


def test_ontologies_are_read_from_task_names():
    assert task_ontologies(["a-b", "A-c"]) == (("a", "b"), ("a", "c"))
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
    clear = base - 0.3 - 0.005 * np.arange(15)
    t = table(np.column_stack([base + gain, base, clear]), tasks=tasks)
    result = study(t, margin=None)
    assert result.test == "jackknife"
    assert set(result.edges) == {("A", "C"), ("B", "C")}
    alone = study(t, settings=AnalysisSettings(test="paired-t"), margin=None)
    assert ("A", "B") in alone.edges
    assert saying(alone, "are not independent, as the paired-t test supposes")
    few = [f"http:/{x}-http:/{y}" for x, y in combinations("abcd", 2)]
    stands = study(table(np.column_stack([base[:6] + 0.1, base[:6]]), tasks=few), margin=None)
    assert stands.edges == (("A", "B"),)
    assert stands.pairs[0].effects.mean_difference.low == pytest.approx(0.1)
    undone = result.pairs[0].effects.mean_difference  # with the ontologies left out, too
    error = shared_ontologies(t, ontologies_if_shared(t)).standard_error[0, 1]
    assert undone.value - undone.low == pytest.approx(stdtrit(5, 0.975) * error)


def test_tasks_without_shared_ontologies_need_no_jackknife():
    assert study(ladder(), margin=None).test == "paired-t"
    assert not saying(study(ladder(), margin=None), "independent")
    with pytest.raises(EvaluationError, match="these share none: use 'paired-t'"):
        study(ladder(), settings=AnalysisSettings(test="jackknife"), margin=None)


def test_an_ontology_of_every_task_is_named_and_nothing_is_tested():
    known = tuple(("s", f"t{k}") for k in range(len(ladder().tasks)))
    result = study(replace(ladder(), ontologies=known), margin=None)
    assert result.edges == ()
    assert result.could_not_decide.startswith("All 12 tasks share the ontology s")


def test_the_conference_track_is_checked(oaei):
    folder = oaei / "conference"
    scores = score_track(read_track(folder / "systems-2019", folder / "reference"))
    result = study(scores)
    assert len({name for pair in ontologies_if_shared(scores) for name in pair}) == 7
    assert result.edges == (("AML", "Wiktionary"),)
    assert str(result.cautions[0]).startswith("42 files name http://confof#")
