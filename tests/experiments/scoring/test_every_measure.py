"""Every measure of systems, without files."""

from __future__ import annotations

import pytest

from alignrank.evaluation import MEASURES, Context, get_measure
from alignrank.experiments.scoring.every_measure import ScoringOptions, score_systems
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Ontology

RELAXED = [name for name in MEASURES if name.startswith("relaxed-")]


def test_no_source_entity_left_means_no_interval() -> None:
    """String equality finds the whole reference: nothing is left to resample."""
    one, two = (Ontology("", {f"{s}#Heart": Entity(f"{s}#Heart", Kind.CLASS)}) for s in "ab")
    whole = Alignment([Correspondence("a#Heart", "b#Heart")])
    found = score_systems(
        {"it": whole},
        whole,
        [get_measure("residual")],
        Context(one, two),
        ScoringOptions(resamples=10),
    )
    assert [(v.value, v.low) for v in found.values] == [(1.0, None)] * 3


@pytest.mark.parametrize("name", RELAXED)
def test_each_relaxed_measure_counts_a_near_miss(name: str) -> None:
    source = Ontology("", {"a#Car": Entity("a#Car", Kind.CLASS)})
    classes = {iri: Entity(iri, Kind.CLASS) for iri in ("b#Vehicle", "b#Van", "b#Car", "b#Bus")}
    target = Ontology("", classes, parents={"b#Van": ("b#Car",), "b#Car": ("b#Vehicle",)})
    scored = score_systems(
        {"mine": Alignment([Correspondence("a#Car", "b#Van")])},
        Alignment([Correspondence("a#Car", "b#Car")]),
        [get_measure(name)],
        Context(source, target),
        ScoringOptions(resamples=0),
    )
    assert {value.measure for value in scored.values} == {name}
    pairs = [] if name == "relaxed-categorisation" else [("b#Van", "b#Car")]
    assert [(miss.entity2, miss.correct2) for miss in scored.near_misses] == pairs
