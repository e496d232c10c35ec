"""Two ontologies merged by an alignment, as the OWL axioms that a reasoner reads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from alignrank.common.errors import EvaluationError, LoadingError
from alignrank.common.files import sha256
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.loading import read_triples
from alignrank.ontologies.loading.entities import list_members
from alignrank.ontologies.loading.syntax import bracketed
from alignrank.ontologies.loading.triples import Triples
from alignrank.ontologies.merging.merged import Statement, statements
from alignrank.ontologies.ontology import Kind, Ontology
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS

from .reachability import Merged

_PROPERTY_TYPES = {f"{OWL}{kind}Property" for kind in ("Object", "Datatype", "Annotation")}
_SAME = {Kind.CLASS: f"{OWL}equivalentClass", Kind.INDIVIDUAL: f"{OWL}sameAs"}
_OF_ITSELF = re.compile(rf"^(<[^>]*>) <{re.escape(OWL)}disjointWith> \1 \.\n".encode(), re.M)


def merged_axioms(merged: Merged, alignment: Alignment) -> bytes:
    """Return the axioms of both ontologies, of their imports and of the alignment as N-Triples.

    Parameters
    ----------
    merged
        The ontologies; their files are read again for the axioms that an `Ontology` does not hold.
        An ontology without a file contributes the axioms of the object.
    alignment
        Correspondences without a meaning (`alignrank.ontologies.merging.merged.statements`) add
        nothing.
        Both entities of each correspondence are declared.

    Raises
    ------
    EvaluationError
        If a file cannot be read again.
    """
    ontologies = _ontology_axioms(merged.source, merged.target)
    return ontologies.triples + _lines(_axioms_of_alignment(merged, alignment, ontologies.types))


@dataclass(frozen=True)
class _OntologyAxioms:
    """The axioms of two ontologies as N-Triples, and the types of their properties."""

    triples: bytes
    types: _PropertyTypes


@lru_cache(maxsize=2)
def _ontology_axioms(source: Ontology, target: Ontology) -> _OntologyAxioms:
    """Return the axioms of two ontologies; cached, since a track has many alignments of them."""
    without = Merged(source, target, Alignment())
    triples = Triples()
    for ontology in (source, target):
        if not ontology.path:
            continue
        for path in (ontology.path, *ontology.imported):
            try:
                read_triples(triples, path)
            except LoadingError as error:
                raise EvaluationError(
                    f"{path} cannot be read again for a reasoner: {error}; use reachability"
                ) from error
    types = _PropertyTypes(triples, without)
    added = [*_axioms_of_ontology(source, types), *_axioms_of_ontology(target, types)]
    added += _disjoint_properties(triples)
    # HermiT stops at a class that is disjoint with itself; `Ontology.empty` states it instead
    return _OntologyAxioms(_OF_ITSELF.sub(b"", triples.n_triples()) + _lines(added), types)


def _lines(triples: Iterable[Statement]) -> bytes:
    return "".join("{} {} {} .\n".format(*map(_node, triple)) for triple in triples).encode()


class _PropertyTypes:
    """The types of the properties: OWL has axioms only for two properties of the same type."""

    def __init__(self, triples: Triples, merged: Merged) -> None:
        self._types: defaultdict[str, set[str]] = defaultdict(set)
        self._composite: set[str] = set()
        for iri, name in triples.links(f"{RDF}type"):
            if name in _PROPERTY_TYPES:
                self._types[iri].add(name)
            if name == f"{OWL}TransitiveProperty":
                self._composite |= merged.above(iri)
        for iri, _ in triples.links(f"{OWL}propertyChainAxiom"):
            self._composite |= merged.above(iri)

    def agree(self, first: str, second: str) -> bool:
        """Return whether two properties are of the same type."""
        return self._types[first] == self._types[second]

    def may_be_disjoint(self, first: str, second: str) -> bool:
        """Return whether OWL lets two properties be disjoint: annotations and chains may not."""
        annotation = f"{OWL}AnnotationProperty" in self._types[first] | self._types[second]
        composite = {first, second} & self._composite
        return self.agree(first, second) and not annotation and not composite


def _axioms_of_ontology(ontology: Ontology, types: _PropertyTypes) -> Iterator[Statement]:
    """Yield the axioms of an `Ontology`, which are all for one without a file."""
    kinds = {entity.iri: entity.kind for entity in ontology}
    for iri, kind in kinds.items():
        if kind is Kind.CLASS:
            yield iri, f"{RDF}type", f"{OWL}Class"
    for iri, above in ontology.parents.items():
        for parent in above:
            if kinds.get(iri) is Kind.CLASS:
                yield iri, f"{RDFS}subClassOf", parent
            elif kinds.get(iri) is Kind.PROPERTY and types.agree(iri, parent):
                yield iri, f"{RDFS}subPropertyOf", parent
    for first, second in ontology.equivalents:
        same = _SAME.get(kinds.get(first, Kind.CLASS), f"{OWL}equivalentProperty")
        if kinds.get(first) is kinds.get(second) and types.agree(first, second):
            yield first, same, second
    for group in ontology.disjoints:
        yield from _disjoint(group)
    for iri in ontology.empty:
        yield iri, f"{RDFS}subClassOf", f"{OWL}Nothing"
    for iri, classes in ontology.types.items():
        for parent in classes:
            yield iri, f"{RDF}type", parent


def _disjoint(group: Sequence[str]) -> Iterator[Statement]:
    """Yield that classes are disjoint, in axioms whose number is linear in theirs.

    Each is disjoint with the union of those after it. (rustdl drops ``owl:AllDisjointClasses``.)
    """
    name = f"urn:alignrank:union:{sha256(' '.join(group).encode())}"
    union = group[-1]
    for place in range(len(group) - 2, -1, -1):
        yield group[place], f"{OWL}disjointWith", union
        if place:
            larger = f"{name}:{place}"
            yield larger, f"{RDF}type", f"{OWL}Class"
            yield group[place], f"{RDFS}subClassOf", larger
            yield union, f"{RDFS}subClassOf", larger
            union = larger


def _disjoint_properties(triples: Triples) -> Iterator[Statement]:
    """Yield each two members of ``owl:AllDisjointProperties``, which rustdl drops."""
    groups = {s for s, o in triples.links(f"{RDF}type") if o == f"{OWL}AllDisjointProperties"}
    first, tails = dict(triples.links(f"{RDF}first")), dict(triples.links(f"{RDF}rest"))
    for group, head in triples.links(f"{OWL}members"):
        if group in groups:
            for one, other in combinations(list_members(head, first, tails), 2):
                yield one, f"{OWL}propertyDisjointWith", other


def _node(name: str) -> str:
    return name if name.startswith("_:") else bracketed(name)


def _axioms_of_alignment(
    merged: Merged, alignment: Alignment, types: _PropertyTypes
) -> Iterator[Statement]:
    """Yield the axioms of an alignment, and first that both entities of each are declared."""
    for c in alignment:
        kinds = merged.kinds(c)
        if c.relation in ("=", "<", ">", "%") and set(kinds) <= {None, Kind.CLASS}:
            yield from ((iri, f"{RDF}type", f"{OWL}Class") for iri in c.pair)
        # OWL has no axiom that joins an object and a data property
        allowed = types.may_be_disjoint if c.relation == "%" else types.agree
        if allowed(*c.pair):
            yield from statements(c, kinds)
