"""The two sides of a matching: entities of one kind, with their prepared names."""

from __future__ import annotations

from dataclasses import dataclass

from ontologies.ontology import Entity, Kind, Ontology


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one kind on one side.

    Parameters
    ----------
    iris
        Their IRIs, in order.
    names
        The prepared names of each.
    ontology
        The ontology that they are from.
    nameless
        Number of entities that are left out for want of a name.
    """

    iris: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    ontology: Ontology
    nameless: int = 0

    def __len__(self) -> int:
        return len(self.iris)

    @property
    def entities(self) -> list[Entity]:
        """The entities themselves, in order."""
        return [self.ontology.entities[iri] for iri in self.iris]


@dataclass(frozen=True, slots=True)
class KindCandidates:
    """What can be matched within one kind: every source entity with every target entity."""

    kind: Kind
    source: Side
    target: Side

    @property
    def pairs(self) -> int:
        """Number of candidate pairs, n * m."""
        return len(self.source) * len(self.target)
