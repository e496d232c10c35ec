"""What string equality finds, and what goes beyond it."""

from __future__ import annotations

import pytest

from evaluation.errors import EvaluationError
from evaluation.measures.residual import residual, trivial_alignment
from ontologies.ontology import Entity, Kind, Label, Ontology
from tests.evaluation.worked_example import GOLDEN, aligned


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
