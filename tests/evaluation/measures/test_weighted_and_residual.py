"""What string equality finds, and what goes beyond it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.measures.measure import residual, trivial_alignment, weighted
from alignrank.evaluation.uncertainty.score_intervals import credit_intervals
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
from tests.evaluation.worked_example import GOLDEN, REFERENCE, SYSTEM, aligned, alignments


def one_entity(iri, label, *, kind=Kind.CLASS, synonym=None):
    synonyms = (Label(synonym),) if synonym else ()
    return Ontology("", {iri: Entity(iri, kind, (Label(label),), synonyms)})


def test_residual_example():
    case = GOLDEN["recall_plus"]
    got = residual(
        aligned(case["system"]), aligned(case["reference"]), aligned(case["trivial_baseline"])
    )
    assert [list(c.pair) for c in got.found] == case["residual_melt"]["A"]
    assert [list(c.pair) for c in got.reference] == case["residual_melt"]["R"]
    assert got.scores().recall == case["recall_plus"]
    assert got.scores().precision == case["residual_melt"]["P"]


@pytest.mark.parametrize(
    ("one", "two", "narrow", "wide"),
    [
        ("Bus_Stop", "bus-stop", True, True),
        ("busStop", "bus stop", True, True),
        ("Straße", "STRASSE", False, True),
        ("vitamin D", "vitamin-d", True, True),
        ("head/neck", "head neck", False, True),
        ("bus", "tram", False, False),
        ("--", "__", False, False),
    ],
)
def test_what_is_trivially_the_same(one, two, narrow, wide):
    source, target = one_entity("a", one), one_entity("b", two)
    assert bool(len(trivial_alignment(source, target))) == narrow
    assert bool(len(trivial_alignment(source, target, "wide"))) == wide


def test_trivial_pairs_respect_kinds_and_synonyms():
    source, target = one_entity("a", "stop"), one_entity("b", "halt", synonym="stop")
    assert len(trivial_alignment(source, target)) == 0
    assert len(trivial_alignment(source, target, "wide")) == 1
    assert len(trivial_alignment(source, one_entity("p", "stop", kind=Kind.PROPERTY))) == 0
    with pytest.raises(EvaluationError, match="normalisation 'melt' is unknown: use one of oaei"):
        trivial_alignment(source, target, "melt")


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


def test_credit_below_0_is_no_share() -> None:
    """Nothing said so, and the interval of a recall of −1 was [0, NaN] with a complex error."""
    a = Alignment(Correspondence(f"a{k}", f"b{k}", "=", 0.3) for k in range(9))
    r = Alignment(Correspondence(f"a{k}", f"b{k}", "=", 0.1) for k in range(9))
    earned = weighted(a, r, "api2013")
    scores = earned.scores()
    assert scores.recall == pytest.approx(-1.0)
    assert len(earned.cautions) == 1
    intervals = credit_intervals(earned)
    assert math.isnan(intervals["recall"].low)
    assert math.isnan(intervals["f1"].high)
    assert 0 <= intervals["precision"].low < scores.precision < intervals["precision"].high <= 1
