"""Weighted, curves, partial, residual, breakdown, agreement: worked examples and definitions."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.credit.counts import judged, score
from evaluation.credit.credits import Credits, pooled, ratios, standard
from evaluation.errors import EvaluationError
from evaluation.measures.breakdown import Arity, agreement, arity, by_kind, by_relation, difference
from evaluation.measures.curves import curve
from evaluation.measures.measure import universe_size
from evaluation.measures.residual import residual, trivial_alignment
from evaluation.measures.weighted import weighted
from ontologies.alignment import Alignment, Correspondence
from ontologies.ontology import Entity, Kind, Label, Ontology

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "measures.json").read_text("utf-8"))


def aligned(rows, confidence=None):
    """Rows of 2 (a pair), or 3 (with a relation or a confidence)."""
    made = []
    for one, two, *more in rows:
        relation = next((x for x in more if isinstance(x, str)), "=")
        stated = next((x for x in more if isinstance(x, float)), 1.0)
        made.append(Correspondence(one, two, relation, confidence or stated))
    return Alignment(made)


SYSTEM, REFERENCE = aligned(GOLDEN["system"]), aligned(GOLDEN["reference"])

correspondences = st.builds(
    Correspondence,
    st.sampled_from("abc"),
    st.sampled_from("xyz"),
    st.sampled_from(["=", "=", "<", "?"]),
    st.sampled_from([0.0, 0.3, 0.6, 1.0]),
)
alignments = st.lists(correspondences, max_size=8).map(Alignment)
conventions = st.sampled_from(["oaei", "zero", "nan"])


# credits ----------------------------------------------------------------------------------------


@given(alignments, alignments, conventions)
def test_standard_credits_are_the_scores(a, r, convention):
    kept = judged(a, r)
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


# weighted ---------------------------------------------------------------------------------------


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


# curves -----------------------------------------------------------------------------------------


def test_curve_example():
    got = curve(SYSTEM, REFERENCE)
    expected = GOLDEN["threshold_curve"]
    keys = ("threshold", "found", "tp", "P", "R", "F1")
    for point, row in zip(got.points, expected, strict=True):
        assert tuple(point) == pytest.approx(tuple(row[k] for k in keys))
    assert (got.best.f1, got.best.threshold) == (GOLDEN["best_F1"], GOLDEN["best_threshold"])
    assert got.interpolated().tolist() == GOLDEN["interpolated_11pt"]
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
    assert empty.interpolated().tolist() == [0.0] * 11
    assert empty.roc_auc(49) == 0.5
    with pytest.raises(EvaluationError, match="an empty alignment has no best threshold"):
        _ = empty.best
    assert math.isnan(curve(SYSTEM, Alignment()).average_precision())
    with pytest.raises(EvaluationError, match="universe is 5, but alignment and reference hold 7"):
        curve(SYSTEM, REFERENCE).roc_auc(5)


# partial references -----------------------------------------------------------------------------


def test_unjudged_pairs():
    case = GOLDEN["partial_reference"]["unknown_relation"]
    counts = score(aligned(case["A"]), aligned(case["R"]))
    kept = judged(aligned(case["A"]), aligned(case["R"]))
    got = standard(kept.alignment, kept.reference).scores()
    assert (got.precision, got.recall) == (case["P"], case["recall"])
    assert (counts.precision, counts.recall) == (case["P"], case["recall"])
    assert (kept.left_out_found, kept.left_out_reference) == (1, 1)


@pytest.mark.parametrize(
    ("completeness", "name"),
    [
        ("complete", "complete_gold"),
        ("source-target", "source_and_target_complete"),
        ("source", "source_complete_only"),
        ("none", "nothing_complete"),
    ],
)
def test_completeness(completeness, name):
    case = GOLDEN["partial_reference"]["partial_gold_source_and_target_complete"]
    kept = judged(aligned(case["A"]), aligned(case["R"]), completeness)
    got = standard(kept.alignment, kept.reference).scores()
    assert (got.precision, got.recall) == pytest.approx((case[name]["P"], case[name]["R"]))


def test_unknown_completeness():
    with pytest.raises(EvaluationError, match="completeness 'half' is unknown"):
        judged(SYSTEM, REFERENCE, "half")


# universe ---------------------------------------------------------------------------------------


def test_universe_counts_pairs_of_one_kind():
    def ontology(classes, properties):
        entities = [Entity(f"c{i}", Kind.CLASS) for i in range(classes)]
        entities += [Entity(f"p{i}", Kind.PROPERTY) for i in range(properties)]
        return Ontology("", {e.iri: e for e in entities})

    assert universe_size(ontology(3, 2), ontology(4, 5)) == 3 * 4 + 2 * 5


# recall+ and residual ---------------------------------------------------------------------------


def test_residual_example():
    case = GOLDEN["recall_plus"]
    got = residual(
        aligned(case["system"]), aligned(case["reference"]), aligned(case["trivial_baseline"])
    )
    assert [list(c.pair) for c in got.found] == case["residual_melt"]["A"]
    assert [list(c.pair) for c in got.reference] == case["residual_melt"]["R"]
    assert got.scores().recall == case["recall_plus"]
    assert got.scores().precision == case["residual_melt"]["P"]


def one_entity(iri, label, *, kind=Kind.CLASS, synonym=None):
    synonyms = (Label(synonym),) if synonym else ()
    return Ontology("", {iri: Entity(iri, kind, (Label(label),), synonyms)})


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


# breakdown and agreement ------------------------------------------------------------------------


def test_breakdown_by_kind():
    entities = {"c": Entity("c", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)}
    ontology = Ontology("", entities)
    a = aligned([["c", "c"], ["p", "p"], ["c", "p"], ["ghost", "c"]])
    parts = by_kind(standard(a, aligned([["c", "c"]])), ontology, ontology).parts
    assert {p.part: (p.found, p.reference, p.scores.precision) for p in parts} == {
        "class": (1, 1, 1.0),
        "class-property": (1, 0, 0.0),
        "property": (1, 0, 0.0),
        "undeclared-class": (1, 0, 0.0),
    }
    frame = by_kind(standard(a, a), ontology, ontology).to_frame()
    assert list(frame["part"]) == ["class", "class-property", "property", "undeclared-class"]


def test_arity():
    rows = [["a", "x"], ["b", "y"], ["b", "z"], ["c", "w"], ["d", "w"], ["e", "u"], ["e", "v"]]
    rows += [["f", "u"], ["f", "v"], ["f", "v", "<"]]
    assert arity(aligned(rows)) == Arity(1, 2, 2, 4)


@given(st.dictionaries(st.sampled_from("123"), alignments, min_size=1), alignments)
def test_agreement_counts(systems, reference):
    got = agreement(systems, reference)
    right = judged(reference, reference).reference
    assert sum(got.found_by.values()) == len(right)
    assert (got.jaccard == got.jaccard.T).all()
    assert (np.diag(got.jaccard) == 1).all()
    assert got.found_by.get(1, 0) == sum(len(a) for a in got.unique_correct.values())
    for name, alone in got.unique_correct.items():
        others = [a for other, a in systems.items() if other != name]
        assert all(c.key in right and not any(c.key in a for a in others) for c in alone)


def test_difference():
    got = difference(SYSTEM, REFERENCE)
    assert (len(got.both), len(got.only_first), len(got.only_second)) == (3, 3, 1)
