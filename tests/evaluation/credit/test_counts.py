"""Scores by hand, and by hypothesis against the definitions in sets."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError, Scores, score, without_unknown
from alignrank.evaluation.credit.counts import (
    Completeness,
    Totals,
    evaluated,
    jaccard,
    near_miss,
)
from alignrank.ontologies import Alignment, Correspondence, NegatedCorrespondence


def alignment(*cells: str) -> Alignment:
    """``"a=x"`` is the correspondence of a and x with the relation =."""
    return Alignment(Correspondence(cell[0], cell[2], cell[1]) for cell in cells)


CELLS = st.sets(
    st.tuples(st.sampled_from("abc"), st.sampled_from("=<?"), st.sampled_from("xyz")).map("".join)
)


@given(CELLS, CELLS)
def test_scores_are_the_set_definitions(found: set[str], right: set[str]) -> None:
    open_pairs = {(c[0], c[2]) for c in right if c[1] == "?"}
    a = {c for c in found if (c[0], c[2]) not in open_pairs}
    r = {c for c in right if (c[0], c[2]) not in open_pairs}
    s = score(alignment(*found), alignment(*right))
    assert (s.found, s.correct, s.reference) == (len(a), len(a & r), len(r))
    if a and r:
        assert s.precision == len(a & r) / len(a)
        assert s.recall == len(a & r) / len(r)
        assert s.overall == pytest.approx((len(a & r) - len(a - r)) / len(r))
        if a & r:
            harmonic = 2 * s.precision * s.recall / (s.precision + s.recall)
            assert s.f1 == pytest.approx(harmonic)
            assert s.overall == pytest.approx(s.recall * (2 - 1 / s.precision))


def test_relation_is_part_of_a_correspondence_unless_told_otherwise() -> None:
    a, r = alignment("a<x", "b=y"), alignment("a=x", "b=y")
    assert score(a, r).correct == 1
    assert score(a, r, relations=False).correct == 2


def test_confidence_plays_no_part() -> None:
    a = Alignment([Correspondence("a", "x", "=", 0.1)])
    assert score(a, alignment("a=x")).f1 == 1


@pytest.mark.parametrize("cell", ["b=y", "b<y", "y=b", "y>b"])
def test_unjudged_pair_counts_neither_way_in_any_relation_and_direction(cell: str) -> None:
    s = score(alignment("a=x", cell), alignment("a=x", "c=z", "b?y"))
    assert (s.found, s.correct, s.reference) == (1, 1, 2)


def test_unjudged_pair_that_is_also_asserted_is_not_judged() -> None:
    s = score(alignment("b=y"), alignment("b=y", "b?y", "a=x"))
    assert (s.found, s.correct, s.reference) == (0, 0, 1)


@pytest.mark.parametrize(
    ("counts", "oaei", "zero"),
    [
        ((0, 0, 5), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)),
        ((5, 0, 0), (0.0, 1.0, 0.0, -math.inf), (0.0, 0.0, 0.0, -math.inf)),
        ((0, 0, 0), (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_conventions_for_zero_divided_by_zero(
    counts: tuple[int, int, int], oaei: tuple[float, ...], zero: tuple[float, ...]
) -> None:
    assert tuple(Scores(*counts).to_dict().values()) == oaei
    assert tuple(Scores(*counts, "zero").to_dict().values()) == zero


def test_nan_convention_marks_what_is_undefined() -> None:
    s = Scores(0, 0, 5, "nan")
    assert math.isnan(s.precision)
    assert s.recall == 0
    assert math.isnan(Scores(0, 0, 0, "nan").f1)


def test_f_beta_leans_to_recall_as_beta_grows() -> None:
    s = Scores(found=10, correct=8, reference=16)
    assert s.f(2) == pytest.approx(5 * 8 / (4 * 16 + 10))
    assert s.recall < s.f(2) < s.f1 < s.f(0.5) < s.precision


@pytest.mark.parametrize("counts", [(3, 4, 9), (9, 4, 3), (3, -1, 3)])
def test_contradicting_counts_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(EvaluationError, match="correct is"):
        Scores(*counts)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(EvaluationError, match="zero_division 'one' is unknown"):
        Scores(1, 1, 1, "one")  # type: ignore[arg-type]
    for beta in (0.0, -1.0, math.nan, math.inf, 1e200):
        with pytest.raises(EvaluationError, match="beta is"):
            Scores(1, 1, 1).f(beta)


def negating(reference: Alignment, entity1: str, entity2: str, relation: str = "=") -> Alignment:
    """Add that a relation does not hold between two entities."""
    record = NegatedCorrespondence(entity1, entity2, "http://e.org/p", relation)
    return Alignment(reference, negated=[record])


def test_what_is_negated_is_not_to_be_found() -> None:
    right = negating(alignment("a=x"), "b", "y")
    s = score(alignment("a=x"), right)
    assert (s.found, s.correct, s.reference) == (1, 1, 1)
    s = score(alignment("a=x", "b=y"), right)
    assert (s.found, s.correct, s.reference) == (2, 1, 1)


def test_what_a_system_negates_is_no_answer() -> None:
    s = score(negating(alignment("a=x"), "b", "y"), alignment("a=x", "b=y"))
    assert (s.found, s.correct, s.reference) == (1, 1, 2)


def test_a_negation_judges_its_own_relation_only() -> None:
    right = negating(alignment("a<x", "b?y"), "a", "x")
    assert score(alignment("a<x"), right).correct == 1
    assert score(alignment("a=x"), right).wrong == 1
    right = negating(alignment("a=x", "b?y"), "b", "y")  # such as closeMatch, but not exactMatch
    for cell, judgements in (("b=y", 1), ("y=b", 1), ("b<y", 0)):
        s = score(alignment("a=x", cell), right)
        assert (s.wrong, s.reference) == (judgements, 1)


@pytest.mark.parametrize("completeness", get_args(Completeness))
def test_what_is_negated_is_judged_wherever_the_reference_is_incomplete(
    completeness: Completeness,
) -> None:
    right = negating(alignment("a=x", "b?y"), "b", "y")
    kept = without_unknown(alignment("a=x", "b=y", "b<y"), right, completeness)
    assert kept.alignment.keys == alignment("a=x", "b=y").keys
    assert kept.reference.keys == alignment("a=x").keys


def test_jaccard_is_the_share_of_the_union() -> None:
    correct, sizes, expected = np.array([[3.0, 0.0], [4.0, 0.0], [5.0, 0.0]])
    totals = Totals(correct, sizes, expected, pairs=20, empty=1.0)
    assert evaluated(jaccard, totals).tolist() == [0.5, 1.0]


def test_every_step_of_a_near_miss() -> None:
    partners = ({"a": ["x"]}, {"x": ["a"]})
    steps = {
        ("a", "y"): [({}, {"y": ["x"]}), ({}, {"x": ["y"]})],
        ("b", "x"): [({"b": ["a"]}, {}), ({"a": ["b"]}, {})],
    }
    expected = iter(range(4))
    for pair, hierarchies in steps.items():
        for parents in hierarchies:
            assert near_miss(*pair, partners, parents) == ("a", "x", next(expected))
    assert near_miss("b", "y", partners, ({"b": ["a"]}, {"y": ["x"]})) is None
    assert near_miss("a", "z", partners, ({}, {"z": ["y"], "y": ["x"]})) is None
