"""Credits of correspondences, and the precision and recall that follow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.counts import score, without_unknown
from alignrank.evaluation.credit.credits import Credits, pooled, ratios, standard
from alignrank.evaluation.measures.summaries import by_relation
from tests.evaluation.worked_example import REFERENCE, SYSTEM, alignments, conventions


@given(alignments, alignments, conventions)
def test_standard_credits_are_the_scores(a, r, convention):
    kept = without_unknown(a, r)
    ours, counts = standard(kept.alignment, kept.reference), score(a, r, zero_division=convention)
    got = ours.scores(convention)
    assert (got.precision, got.recall, got.f1) == pytest.approx(
        (counts.precision, counts.recall, counts.f1), nan_ok=True
    )


@given(alignments, alignments)
def test_parts_add_up_to_the_whole(a, r):
    whole = standard(a, r)
    parts = [whole.where(lambda c, x=x: c.relation == x) for x in "=<?"]
    assert pooled(parts).sums.tolist() == whole.sums.tolist()
    assert sum(p.found for p in by_relation(whole).parts) == len(a)


def test_credits_of_the_wrong_length_are_an_error():
    with pytest.raises(
        EvaluationError, match="found_credit must hold one number for each of the 6"
    ):
        Credits.unweighted(SYSTEM, REFERENCE, [0, 0], [0, 0, 0, 0])
    with pytest.raises(EvaluationError, match="zero_division 'one' is unknown"):
        ratios(np.zeros(4), "one")


def test_credit_above_the_weight_is_an_error():
    message = "found_credit holds 1.5 for .*, whose weight is 1: a credit must not exceed"
    with pytest.raises(EvaluationError, match=message):
        Credits.unweighted(SYSTEM, REFERENCE, [0, 1.5, 0, 0, 0, 0], [0, 0, 0, 0])


def test_what_rounding_leaves_of_no_credit_is_no_error():
    pairs = tuple(SYSTEM)[:2]
    residue, weight = np.array([1e-16, 1.0]), np.array([0.0, 1.0])
    with_residue = Credits(pairs, pairs, residue, residue, weight, weight)
    assert with_residue.scores().f1 == pytest.approx(1)
