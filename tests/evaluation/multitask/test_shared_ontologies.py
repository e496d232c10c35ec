"""Tasks that share ontologies: the jackknife over ontologies, and what tasks tell systems apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.multitask.alignments_folder import read_track, score_track
from alignrank.evaluation.multitask.posthoc import shared_ontologies, task_ontologies
from alignrank.evaluation.multitask.score_table import ScoreTable
from alignrank.evaluation.multitask.study import study


def drawn(rng: np.random.Generator, ontologies: int) -> tuple[ScoreTable, list[tuple[str, str]]]:
    """Two systems that are equal on average, and differ by what they make of each ontology."""
    pairs = [(f"o{a}", f"o{b}") for a, b in combinations(range(ontologies), 2)]
    likes = {f"o{k}": effect for k, effect in enumerate(rng.normal(0, 0.05, ontologies))}
    gaps = np.array([likes[a] + likes[b] for a, b in pairs]) + rng.normal(0, 0.02, len(pairs))
    scores = np.stack([0.7 + gaps / 2, 0.7 - gaps / 2], axis=1)
    return ScoreTable(tuple(f"{a}-{b}" for a, b in pairs), ("a", "b"), scores), pairs


def test_the_level_holds_where_tasks_taken_as_independent_err_often() -> None:
    rng = np.random.default_rng(8)
    tests = [shared_ontologies(*drawn(rng, 7)) for _ in range(300)]
    assert np.mean([test.p[0, 1] <= 0.05 for test in tests]) <= 0.08


def test_the_error_is_the_jackknife_by_definition() -> None:
    table, pairs = drawn(np.random.default_rng(1), 5)
    gaps = table.scores[:, 0] - table.scores[:, 1]
    left = [
        np.mean([gap for gap, pair in zip(gaps, pairs, strict=True) if name not in pair])
        for name in ("o0", "o1", "o2", "o3", "o4")
    ]
    result = shared_ontologies(table, pairs)
    assert result.ontologies == ("o0", "o1", "o2", "o3", "o4")
    assert result.standard_error[0, 1] == pytest.approx(np.sqrt(4 / 5 * np.var(left) * 5))
    assert result.difference[0, 1] == pytest.approx(gaps.mean())


def star(own: str, partners: str) -> list[tuple[str, str]]:
    return [(hub, partner) for hub in own for partner in partners]


@pytest.mark.parametrize(
    ("pairs", "degrees"),
    [
        (list(combinations("abcd", 2)), 3),  # balanced: as many as ontologies, less 1
        ([*star("o", "abcdefgh"), ("p", "q")], 18**2 / 74 - 1),
        (star("opq", "uvwxyz"), 2),  # three ontologies of one's own are three cases
        ([*star("o", "abcd"), *star("p", "efgh"), *star("q", "ijkl"), *star("r", "mnst")], 3),
        (list(zip("abcdef", "bcdefa", strict=True)), 5),
    ],
)
def test_degrees_of_freedom_are_those_of_effective_ontologies(
    pairs: list[tuple[str, str]], degrees: float
) -> None:
    rng = np.random.default_rng(3)
    names = tuple(map("-".join, pairs))
    scores = 0.7 + rng.normal(0, 0.05, (len(pairs), 2))
    result = shared_ontologies(ScoreTable(names, ("x", "y"), scores), pairs)
    assert result.degrees == pytest.approx(degrees)
    t = abs(result.difference[0, 1]) / result.standard_error[0, 1]
    assert result.p[0, 1] == pytest.approx(2 * stats.t.sf(t, degrees))


def test_two_ontologies_of_ones_own_test_nothing() -> None:
    rng = np.random.default_rng(3)
    for pairs in (star("op", "uvwxyz"), [*star("o", "abcdef"), *star("p", "ghijkl")]):
        scores = np.stack([np.full(12, 0.9), 0.5 + rng.normal(0, 0.01, 12)], axis=1)
        names = tuple(map("-".join, pairs))
        result = study(ScoreTable(names, ("x", "y"), scores, ontologies=tuple(pairs)))
        assert result.edges == ()
        assert result.answer() == [
            "Every task contains one of o, p: they are two cases, not 12 tasks. Nothing can be "
            "tested."
        ]


def test_a_steady_difference_on_shared_ontologies_is_decided_up_to_rounding() -> None:
    pairs = list(combinations("abcd", 2))
    names = tuple(map("-".join, pairs))
    table = ScoreTable(names, ("x", "y"), np.array([[0.81, 0.71]] * 6))
    result = shared_ontologies(table, pairs)
    assert result.standard_error[0, 1] == pytest.approx(0.01 / 6)
    assert result.p[0, 1] < 0.001


def test_conference(oaei) -> None:
    """Of ten arrows that tasks give as independent units one remains."""
    folder = oaei / "conference"
    table = score_track(read_track(folder / "systems-2019", folder / "reference"))
    result = shared_ontologies(table, task_ontologies(table.tasks))
    assert len(result.ontologies) == 7
    significant = np.argwhere(np.triu(adjust(result.p, "holm").values <= 0.05, 1))
    assert [{table.systems[k] for k in pair} for pair in significant] == [{"AML", "Wiktionary"}]


def test_systems_that_do_not_differ() -> None:
    table = ScoreTable(("a-b", "a-c", "b-c"), ("x", "y"), np.full((3, 2), 0.5))
    result = shared_ontologies(table, [("a", "b"), ("a", "c"), ("b", "c")])
    assert result.p[0, 1] == 1


def test_bad_input_is_refused() -> None:
    table = ScoreTable(("a-b", "a-c"), ("x", "y"), np.array([[0.5, 0.6], [0.7, 0.6]]))
    with pytest.raises(EvaluationError, match="1 pair of ontologies for 2 tasks"):
        shared_ontologies(table, [("a", "b")])
    with pytest.raises(EvaluationError, match="a is in every task"):
        shared_ontologies(table, [("a", "b"), ("a", "c")])


def test_tasks_that_all_have_one_ontology_by_their_names_are_not_tested():
    tasks = tuple(f"cmt-{name}" for name in ("conference", "confOf", "edas", "ekaw", "iasted"))
    scores = np.column_stack([np.linspace(0.6, 0.7, 5), np.linspace(0.5, 0.58, 5)])
    result = study(ScoreTable(tasks, ("A", "B"), scores))
    assert not result.is_tested
    assert "All 5 tasks share the ontology cmt" in result.answer()[0]
