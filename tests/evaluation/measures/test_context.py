"""What measures need beside alignment and reference."""

from __future__ import annotations

from alignrank.evaluation.measures.measure import universe_size
from alignrank.ontologies.ontology import Entity, Kind, Ontology


def test_universe_counts_pairs_of_one_kind():
    def ontology(classes, properties):
        entities = [Entity(f"c{i}", Kind.CLASS) for i in range(classes)]
        entities += [Entity(f"p{i}", Kind.PROPERTY) for i in range(properties)]
        return Ontology("", {e.iri: e for e in entities})

    assert universe_size(ontology(3, 2), ontology(4, 5)) == 3 * 4 + 2 * 5
