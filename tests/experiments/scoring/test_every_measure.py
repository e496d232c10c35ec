"""Every measure of systems, without files."""

from __future__ import annotations

from alignrank.evaluation import Context, get_measure
from alignrank.experiments.scoring.every_measure import ScoringOptions, score_systems
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Ontology


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
