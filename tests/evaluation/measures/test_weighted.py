"""Precision and recall weighted by confidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.credit.credits import standard
from evaluation.errors import EvaluationError
from evaluation.measures.weighted import weighted
from ontologies.alignment import Alignment, Correspondence
from tests.evaluation.worked_example import GOLDEN, REFERENCE, SYSTEM, aligned, alignments


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        ("fuzzy-min", "fuzzy_min"),
        ("api47", "alignment_api_4_7_run"),
        ("api2013", "alignment_api_2013_snapshot_formula_read_not_run"),
    ],
)
def test_weighted_examples(variant, name):
    rated = GOLDEN["weighted_reference"]
    for reference, expected in (
        (REFERENCE, GOLDEN["weighted"][name]),
        (aligned(rated["reference"]), rated[name]),
    ):
        got = weighted(SYSTEM, reference, variant).scores()
        assert (got.precision, got.recall) == pytest.approx((expected["P"], expected["R"]))


def test_symmetric_mean_example():
    got = weighted(SYSTEM, REFERENCE, "symmetric").scores()
    assert got.f1 == pytest.approx(GOLDEN["symmetric_mean_api_run"])


@given(alignments, alignments, st.sampled_from(["fuzzy-min", "api47", "api2013", "symmetric"]))
def test_weighted_is_ordinary_where_all_is_certain(a, r, variant):
    a, r = (Alignment(Correspondence(*c.key) for c in x if c.relation != "?") for x in (a, r))
    got, expected = weighted(a, r, variant).scores(), standard(a, r).scores()
    assert vars(got) == pytest.approx(vars(expected))


@given(alignments, alignments)
def test_fuzzy_precision_is_recall_the_other_way_round(a, r):
    a, r = (x.where(lambda c: c.relation != "?") for x in (a, r))
    there, back = weighted(a, r).scores("zero"), weighted(r, a).scores("zero")
    assert (there.precision, there.recall) == pytest.approx((back.recall, back.precision))
    assert 0 <= there.precision <= 1


def test_unknown_variant():
    with pytest.raises(EvaluationError, match="variant 'fuzzy' is unknown: did you mean fuzzy-min"):
        weighted(SYSTEM, REFERENCE, "fuzzy")
