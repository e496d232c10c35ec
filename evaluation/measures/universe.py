"""How many pairs there are to choose from."""

from __future__ import annotations

from ontologies.ontology import Kind, Ontology


def universe_size(source: Ontology, target: Ontology) -> int:
    """Return the number of pairs of a source and a target entity of the same kind.

    Examples
    --------
    >>> from ontologies.ontology import Entity
    >>> one = Ontology("", {"A": Entity("A", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)})
    >>> two = Ontology("", {"B": Entity("B", Kind.CLASS), "C": Entity("C", Kind.CLASS)})
    >>> universe_size(one, two)
    2
    """
    return sum(len(source.of_kind(kind)) * len(target.of_kind(kind)) for kind in Kind)
