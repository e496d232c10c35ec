"""What the reader of a study is told to be wary of; one ontology left out."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.special import stdtrit

from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.corrections.adjustment import adjust_pairs
from alignrank.evaluation.multitask import (
    POSTHOC_TESTS,
    score_folder,
    study,
)
from alignrank.evaluation.multitask.cautions import known_ontologies, task_ontologies
from alignrank.evaluation.multitask.shared_ontologies import shared_ontologies
from alignrank.evaluation.ranking import rank
from tests.evaluation.multitask.tables import ladder, saying, table

# --- what a study says ---------------------------------------------------------------------------


def test_too_few_tasks_are_said():
    said = saying(study(ladder(tasks=5, systems=2), margin=None), "smallest possible")
    assert said == [
        "With 5 tasks the smallest possible p-value is 2/2^5 = 0.0625: no difference, however "
        "large, can be significant at 0.05."
    ]
    eight = study(ladder(tasks=8), margin=None)  # 2/2^8 × 6 pairs = .047
    assert eight.edges
    assert not saying(eight, "smallest possible")
    seven = study(ladder(tasks=7), margin=None)
    assert saying(seven, "0.0938 after correction")
    assert not seven.edges
    assert not saying(
        study(ladder(tasks=7), AnalysisSettings(correction="hochberg"), margin=None), "smallest"
    )


def test_a_shift_without_spread_is_said():
    t = table([[0.5, 0.4], [0.6, 0.5], [0.7, 0.6]])
    assert saying(study(t, margin=None), "the same on every task")


def test_differences_that_are_not_normal_are_said():
    skewed = np.exp(np.linspace(-3, 3, 15)) / 30
    t = table(np.column_stack([0.2 + skewed, np.full(15, 0.2)]))
    said = saying(study(t, margin=None), "not normal")
    assert said[0].endswith("for 1 of 1 pairs: A–B.")
    assert (
        "signed-rank"
        in saying(study(t, AnalysisSettings(test="paired-t"), margin=None), "not normal")[0]
    )
    assert saying(study(ladder(tasks=8), margin=None), "hardly be checked")


def test_mean_ranks_depend_on_the_pool_and_it_is_said():
    """B beats A by far on 8 of 14 tasks, C, D and E lie between: each adds to the gap in ranks."""
    a = np.linspace(0.5, 0.6, 14)
    b = a + np.where(np.arange(14) < 8, 0.1, -0.001)
    between = np.where(np.arange(14) < 8, a + 0.05, a + 0.001)[:, None] + [[0, 1e-4, 2e-4]]
    t = table(np.column_stack([a, b, between]))
    said = saying(study(t, AnalysisSettings(test="friedman"), margin=None), "pool")
    assert len(said) == 1
    whole = POSTHOC_TESTS["friedman"].compare(t.scores)[0]
    flips = set()
    for left in range(5):
        rest = [s for s in range(5) if s != left]
        p = POSTHOC_TESTS["friedman"].compare(t.scores[:, rest])[0]
        for i, j in combinations(range(4), 2):
            if (p[i, j] <= 0.05) != (whole[rest[i], rest[j]] <= 0.05):
                flips.add(f"{'ABCDE'[rest[i]]}–{'ABCDE'[rest[j]]}")
    assert flips
    for flip in flips:
        assert flip in said[0]
    assert not saying(study(t, margin=None), "pool")


def test_the_sign_test_and_logical_corrections_do_not_go_together():
    assert saying(study(ladder(), AnalysisSettings(test="sign"), margin=None), "take 'holm'")
    assert not saying(
        study(ladder(), AnalysisSettings(test="sign", correction="holm"), margin=None),
        "take 'holm'",
    )


def test_a_circle_of_significant_differences_is_said():
    """By signs A beats B on two tasks of three, B beats C, C beats A."""
    rows = [[3, 2, 1], [1, 3, 2], [2, 1, 3]] * 40
    result = study(table(rows), AnalysisSettings(test="sign", correction="holm"), margin=None)
    assert set(result.edges) == {("A", "B"), ("B", "C"), ("C", "A")}
    said = saying(result, "circle")
    assert len(said) == 1
    assert "A, B, C: no ranking fits them" in said[0]


def test_scores_above_one_ask_for_another_margin():
    percent = ladder()
    percent = table(100 * percent.scores)
    assert saying(study(percent), "region of practical equivalence is ±0.01")
    assert not saying(study(percent, margin=None), "region")
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
    result = study(t, margin=None)
    independent = adjust_pairs(result.deciding.p_independent, "bergmann-hommel").values
    assert independent[0, 1] < 0.05  # with tasks as independent
    assert set(result.edges) == {("A", "C"), ("B", "C")}
    assert result.deciding.is_clustered
    assert result.answer() == [
        "A scores best (mean score 0.591); B is not significantly different.",
        "C is significantly worse.",
    ]
    few = [f"http:/{x}-http:/{y}" for x, y in combinations("abcd", 2)]
    stands = study(table(np.column_stack([base[:6] + 0.1, base[:6]]), tasks=few), margin=None)
    assert stands.edges == (("A", "B"),)
    assert stands.pairs[0].effects.mean_difference.low == pytest.approx(0.1)
    undone = result.pairs[0].effects.mean_difference  # with the ontologies left out, too
    error = shared_ontologies(t, known_ontologies(t)).standard_error[0, 1]
    assert undone.value - undone.low == pytest.approx(stdtrit(5, 0.975) * error)


def test_tasks_without_shared_ontologies_need_no_check():
    assert study(ladder(), margin=None).shared_p is None
    assert not saying(study(ladder(), margin=None), "independent")


def test_an_ontology_of_every_task_is_named_and_nothing_stands_without_it():
    ontologies = tuple(("s", f"t{k}") for k in range(len(ladder().tasks)))
    result = study(replace(ladder(), ontologies=ontologies), margin=None)
    assert result.edges == ()
    alone = study(ladder(), margin=None)
    assert alone.edges
    np.testing.assert_array_equal(result.deciding.p_independent, alone.deciding.chosen.p)
    assert (alone.deciding.unit, result.deciding.unit) == ("tasks", "clusters")
    assert saying(result, "share the ontology s. What is found holds for tasks with it only")


def test_the_conference_track_is_checked(oaei):
    folder = oaei / "conference"
    scores = score_folder(folder / "systems-2019", folder / "reference", mend_namespaces=True)
    result = study(scores)
    assert len({name for pair in known_ontologies(scores) for name in pair}) == 7
    assert result.edges == (("AML", "Wiktionary"),)
    view = result.deciding
    adjusted = adjust_pairs(view.p_independent, "bergmann-hommel").values
    independent = rank(view.systems, view.chosen.advantage, adjusted).edges
    assert len(set(independent) - set(view.edges)) == 9
    assert {better for better, _ in independent} == {"AML", "LogMap"}
    assert result.cautions[0].kind == "scores"
    assert result.cautions[0].text.startswith("42 files name http://confof#")
