"""Ontologies that another library holds in memory, as N-Triples."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import IO, Protocol, runtime_checkable


@runtime_checkable
class RdflibGraph(Protocol):
    """An ``rdflib.Graph``, as far as it is needed."""

    def serialize(self, *, format: str) -> str:  # noqa: A002 -- rdflib's own name
        """Return the triples as text."""


@runtime_checkable
class OwlreadyOntology(Protocol):
    """An ``owlready2.Ontology``, as far as it is needed."""

    def save(self, file: IO[bytes], format: str) -> None:  # noqa: A002 -- owlready2's own name
        """Write the triples into a file."""

    def indirectly_imported_ontologies(self) -> Iterable[OwlreadyOntology]:
        """Return the ontology and all that it imports."""


Graph = RdflibGraph | OwlreadyOntology


def n_triples_of(graph: Graph) -> bytes:
    """Return the triples of a graph, and of an ontology's imports, as N-Triples."""
    if isinstance(graph, RdflibGraph):
        return graph.serialize(format="nt").encode()
    saved = io.BytesIO()
    for ontology in graph.indirectly_imported_ontologies():
        ontology.save(saved, format="ntriples")
    # owlready2 leaves carriage returns as they are, which no line may hold
    return saved.getvalue().replace(b"\r", rb"\r")
