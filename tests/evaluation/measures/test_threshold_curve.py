"""Precision and recall along the threshold."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given

from evaluation.credit.counts import score
from evaluation.errors import EvaluationError
from evaluation.measures.threshold_curve import curve
from ontologies.alignment import Alignment, Correspondence
from tests.evaluation.worked_example import GOLDEN, REFERENCE, SYSTEM, aligned, alignments


def test_curve_example():
    got = curve(SYSTEM, REFERENCE)
    expected = GOLDEN["threshold_curve"]
    keys = ("threshold", "found", "tp", "P", "R", "F1")
    for point, row in zip(got.points, expected, strict=True):
        assert tuple(point) == pytest.approx(tuple(row[k] for k in keys))
    assert (got.best.f1, got.best.threshold) == (GOLDEN["best_F1"], GOLDEN["best_threshold"])
    hits = [[p.recall, p.precision] for p, c in zip(got.points, got.correct, strict=True) if c]
    assert hits == GOLDEN["pr_points_at_hits"][1:]
    for tie in ("group", "average", "min", "max"):
        area = got.average_precision(tie)
        assert area == pytest.approx(GOLDEN["MAP_over_reference_api_run"])
    assert got.roc_auc(GOLDEN["universe"]) == pytest.approx(GOLDEN["roc_auc_all_pairs"])
    assert list(got.to_frame().columns)[:2] == ["threshold", "found"]


def test_ties_example():
    tied, expected = curve(aligned(GOLDEN["system"], 0.5), REFERENCE), GOLDEN["ties"]
    assert tied.average_precision("min") == pytest.approx(expected["MAP_optimistic"])
    assert tied.average_precision("max") == pytest.approx(expected["MAP_pessimistic"])
    average = tied.average_precision("average")
    assert average == pytest.approx(expected["MAP_expected_over_permutations"])
    assert tied.average_precision() == pytest.approx(3 / 6 * 3 / 4)
    assert len(tied.points) == 1


@given(alignments, alignments)
def test_points_are_the_alignment_cut_at_each_threshold(a, r):
    got = curve(a, r)
    for point in got.points:
        counts = score(a.at_least(point.threshold), r)
        assert (point.found, point.correct) == (counts.found, counts.correct)
        assert (point.precision, point.recall, point.f1) == pytest.approx(
            (counts.precision, counts.recall, counts.f1)
        )


@given(alignments, alignments)
def test_auc_is_mann_whitney_over_all_pairs(a, r):
    a, r = (Alignment(Correspondence(*c.pair, "=", c.confidence) for c in x) for x in (a, r))
    values = dict.fromkeys(product("abc", "xyz"), 0.0) | {c.pair: c.confidence for c in a}
    right = [v for pair, v in values.items() if pair in r.pairs]
    wrong = [v for pair, v in values.items() if pair not in r.pairs]
    got = curve(a, r).roc_auc(9)
    if not right or not wrong:
        assert math.isnan(got)
    else:
        wins = sum((x > y) + (x == y) / 2 for x in right for y in wrong)
        assert got == pytest.approx(wins / len(right) / len(wrong))


def test_curves_of_nothing():
    empty = curve(Alignment(), REFERENCE)
    assert empty.points == ()
    assert empty.average_precision() == empty.average_precision("average") == 0
    assert empty.roc_auc(49) == 0.5
    with pytest.raises(EvaluationError, match="an empty alignment has no best threshold"):
        _ = empty.best
    assert math.isnan(curve(SYSTEM, Alignment()).average_precision())
    with pytest.raises(EvaluationError, match="universe is 5, but alignment and reference hold 7"):
        curve(SYSTEM, REFERENCE).roc_auc(5)
