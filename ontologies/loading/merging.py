"""Merges two ontologies and an alignment: all axioms of both, and an axiom per correspondence.

As in the OWL of SSSOM, an owl:Axiom annotates each axiom of the alignment with confidence and file.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from alignrank.common.errors import Argument, LoadingError, MergingError
from alignrank.common.files import FilePath, replacing, sha256
from alignrank.common.names import MutableTexts, Texts
from alignrank.ontologies.alignment import Alignment, Correspondence, Denials
from alignrank.ontologies.ontology import Kind, Ontology
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS, SKOS, XSD

from . import parts_of
from .syntax import bracketed

#: Predicate of each relation between two entities of a kind; ``>`` is ``<`` with swapped entities.
_PREDICATES = {
    Kind.CLASS: {"=": f"{OWL}equivalentClass", "<": f"{RDFS}subClassOf", "%": f"{OWL}disjointWith"},
    Kind.PROPERTY: {
        "=": f"{OWL}equivalentProperty",
        "<": f"{RDFS}subPropertyOf",
        "%": f"{OWL}propertyDisjointWith",
    },
    Kind.ANNOTATION_PROPERTY: {"<": f"{RDFS}subPropertyOf"},  # OWL has no other axiom for them
    Kind.INDIVIDUAL: {"=": f"{OWL}sameAs", "%": f"{OWL}differentFrom"},
}
_INSTANCES = {
    "InstanceOf": (Kind.INDIVIDUAL, Kind.CLASS),
    "HasInstance": (Kind.CLASS, Kind.INDIVIDUAL),
}
_PROPERTY_TYPES = {f"<{OWL}{kind}Property>" for kind in ("Object", "Datatype", "Annotation")}
_OF_CONCEPTS = {"=": f"{SKOS}exactMatch", "<": f"{SKOS}broadMatch"}
_NEGATED = "stated, but negated by the same alignment"
_TYPE, _ONTOLOGY = ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{OWL}Ontology")
_IMPORTS = ox.NamedNode(f"{OWL}imports")
_PREFIXES = {"owl": OWL, "rdfs": RDFS, "skos": SKOS, "xsd": XSD}
_PREFIXES |= {"dcterms": "http://purl.org/dc/terms/", "sssom": "https://w3id.org/sssom/"}
_REPLACES = f"{_PREFIXES['dcterms']}replaces"
Statement = tuple[str, str, str]
Node = ox.NamedNode | ox.BlankNode | ox.Triple


@dataclass(frozen=True)
class MergedOntology:
    """Two ontologies and the axioms of an alignment, as one ontology.

    Parameters
    ----------
    triples
        All of both files and of their imports, and the alignment's; none twice.
    used
        Correspondences that became axioms, or joined two entities.
    left_out
        Number of the others, by reason.
    joined
        IRI under which an entity goes, by the IRI that it had; empty unless entities are joined.
    """

    triples: tuple[ox.Triple, ...]
    used: Alignment
    left_out: Mapping[str, int]
    joined: Texts


def statements(
    c: Correspondence, kinds: tuple[Kind | None, Kind | None], *, concepts: bool = False
) -> tuple[Statement, ...]:
    """Return the triples that state a correspondence; () if OWL has none for it.

    Parameters
    ----------
    c
        A correspondence.
    kinds
        Of its entities; None for one that is not declared, which fits any.
    concepts
        Whether both are SKOS concepts.

    Examples
    --------
    >>> statements(Correspondence("a#Book", "b#Work", "<"), (Kind.CLASS, Kind.CLASS))
    (('a#Book', 'http://www.w3.org/2000/01/rdf-schema#subClassOf', 'b#Work'),)
    >>> statements(Correspondence("a#Book", "b#writes"), (Kind.CLASS, Kind.PROPERTY))
    ()
    """
    source, target = c.pair
    kind = kinds[0] or kinds[1] or Kind.CLASS
    expected = _INSTANCES.get(c.relation, (kind, kind))
    if any(k not in (None, fitting) for k, fitting in zip(kinds, expected, strict=True)):
        return ()
    if c.relation == "InstanceOf":
        return ((source, _TYPE.value, target),)
    if c.relation == "HasInstance":
        return ((target, _TYPE.value, source),)
    predicates = _OF_CONCEPTS if concepts else _PREDICATES[kind]
    if c.relation in predicates:
        return ((source, predicates[c.relation], target),)
    if "<" not in predicates or c.relation not in ("=", ">"):
        return ()
    narrower = (target, predicates["<"], source)
    if c.relation == ">":
        return (narrower,)
    # no axiom of this kind states equality: each is below the other
    return narrower, (source, predicates["<"], target)


def merge_ontologies(
    source: Ontology, target: Ontology, alignment: Alignment, *, join: bool = False
) -> MergedOntology:
    """Merge two ontologies by an alignment.

    Each correspondence becomes an axiom of its kind (equivalentClass, subPropertyOf, sameAs,
    skos:exactMatch ...), annotated with its confidence and the alignment's file. Correspondences
    that the alignment negates are left out, and counted. Other annotations of the two ontologies
    stay, but only the merged one is declared as an ontology, and only it has imports.

    Parameters
    ----------
    source, target
        As loaded from files, which are read again for all that an `Ontology` does not hold.
    alignment
        Between their entities.
    join
        Whether entities that ``=`` relates go under one IRI, the source's, instead; the merged
        ontology then says which IRIs it replaces.

    Raises
    ------
    MergingError
        If no correspondence can be used, or two entities would be joined that are stated not to be
        equivalent: the message says why.
    LoadingError
        If a file cannot be read again.
    """
    stated = list(_stated(source, target))
    types = defaultdict[str, set[str]](set)
    for triple in stated:
        if triple.predicate == _TYPE:
            types[str(triple.subject)].add(str(triple.object))
    denied = Denials(alignment.negated, ())
    meanings: dict[Correspondence, tuple[Statement, ...]] = {}
    left_out: Counter[str] = Counter()
    for c in alignment:
        meaning, reason = _meaning(c, source, target, types)
        if c.key in denied:
            left_out[_NEGATED] += 1
        elif meaning:
            meanings[c] = meaning
        else:
            left_out[reason] += 1
    if left_out and not meanings:
        files = shlex.join((source.path, target.path, alignment.path))
        raise MergingError(
            f"{alignment.path}: no correspondence can be used (first reason: {next(iter(left_out))}"
            f"): alignrank check {files} says more"
        )
    if alignment.negated:
        left_out["negated: OWL has no axiom for it"] = len(alignment.negated)
    joined = _joined(meanings) if join else {}
    _refuse_joined(joined, alignment)
    headers = {t.subject for t in stated if (t.predicate, t.object) == (_TYPE, _ONTOLOGY)}
    files = " ".join((source.sha256, target.sha256, alignment.sha256))
    merged = ox.NamedNode(f"urn:alignrank:merged:{sha256(files.encode())[:16]}")
    turtle = [
        *(f"@prefix {prefix}: <{iri}> ." for prefix, iri in _PREFIXES.items()),
        *_header(merged, headers, (source, target, alignment)),
        *_axioms(meanings, joined, alignment),
    ]
    added = ox.parse("\n".join(turtle), format=ox.RdfFormat.TURTLE, lenient=True)
    names: dict[object, Node] = {h: merged for h in headers if isinstance(h, ox.BlankNode)}
    names |= {ox.NamedNode(old): ox.NamedNode(new) for old, new in joined.items()}
    copied = (
        _renamed(t, names)
        for t in stated
        if t.subject not in headers or (t.predicate != _IMPORTS and t.object != _ONTOLOGY)
    )
    triples = tuple(dict.fromkeys((*(quad.triple for quad in added), *copied)))
    return MergedOntology(triples, Alignment(meanings), left_out, joined)


def _stated(*ontologies: Ontology) -> Iterator[ox.Triple]:
    """Generate the triples of all files, each read once; blank nodes get names of their file."""
    paths = (path for o in ontologies for path in (o.path, *o.imported))
    for number, path in enumerate(dict.fromkeys(Path(path).resolve() for path in paths)):
        names: dict[object, Node] = {}
        for triple in _triples_of(path):
            for node in (triple.subject, triple.object):
                if isinstance(node, ox.BlankNode):
                    names.setdefault(node, ox.BlankNode(f"f{number}n{len(names)}"))
            yield _renamed(triple, names)


def _triples_of(path: Path) -> Iterator[ox.Triple]:
    for quads in parts_of(path)[0]:
        for quad in quads:
            yield quad.triple


def _renamed(triple: ox.Triple, names: Mapping[object, Node]) -> ox.Triple:
    """Return a triple with the new names of its nodes."""
    return ox.Triple(*(names.get(node, node) for node in triple))


def _meaning(
    c: Correspondence, source: Ontology, target: Ontology, types: Mapping[str, set[str]]
) -> tuple[tuple[Statement, ...], str]:
    """Return the triples that state a correspondence, and the reason where there are none."""
    entity1 = source.entities.get(c.entity1)
    entity2 = target.entities.get(c.entity2)
    if entity1 is None or entity2 is None:
        return (), "of what the ontologies do not declare, or only as deprecated"
    of_one, of_two = (types[bracketed(iri)] for iri in c.pair)
    if entity1.kind is Kind.PROPERTY and of_one & _PROPERTY_TYPES != of_two & _PROPERTY_TYPES:
        return (), "of an object and a data property, which OWL cannot join"
    concepts = f"<{SKOS}Concept>" in of_one & of_two and f"<{OWL}Class>" not in of_one | of_two
    axioms = statements(c, (entity1.kind, entity2.kind), concepts=concepts)
    return axioms, f"{c.relation} between {entity1.kind} and {entity2.kind}"


def _joined(correspondences: Iterable[Correspondence]) -> MutableTexts:
    """Return the new IRI of each joined entity: of all that ``=`` connects, that of the first."""
    joined_to: MutableTexts = {}

    def root(iri: str) -> str:
        while iri in joined_to:
            iri = joined_to[iri]
        return iri

    for c in correspondences:
        root1 = root(c.entity1)
        root2 = root(c.entity2)
        if c.relation == "=" and root1 != root2:
            joined_to[root2] = root1
    return {iri: root(iri) for iri in joined_to}


def _refuse_joined(joined: Texts, alignment: Alignment) -> None:
    """Raise `MergingError` if two entities are joined that the alignment states to differ."""
    for n in alignment.negated:
        root1, root2 = (joined.get(iri, iri) for iri in n.pair)
        if n.relation == "=" and root1 == root2:
            raise MergingError(
                f"{alignment.path}: {n.entity1} and {n.entity2} are stated not to be equivalent, "
                f"but correspondences with others join them: leave out {Argument('join', True)}"
            )


def _header(
    merged: ox.NamedNode, headers: set[Node], read: tuple[Ontology, Ontology, Alignment]
) -> Iterator[str]:
    """Generate the merged ontology's declaration, sources and imports, in Turtle."""
    yield f"{merged} a owl:Ontology ."
    for term in ("sssom:confidence", "dcterms:source", "dcterms:replaces"):
        yield f"{term} a owl:AnnotationProperty ."
    files = [ox.Literal(f"{Path(file.path).name} (SHA-256 {file.sha256})") for file in read]
    for origin in (*sorted(h for h in map(str, headers) if h.startswith("<")), *files):
        yield f"{merged} dcterms:source {origin} ."
    for iri in sorted({*read[0].missing_imports, *read[1].missing_imports}):
        yield f"{merged} owl:imports {bracketed(iri)} ."


def _axioms(
    meanings: Mapping[Correspondence, Sequence[Statement]],
    joined: Texts,
    alignment: Alignment,
) -> Iterator[str]:
    """Generate the axioms of correspondences, with confidence and file, in Turtle."""
    file = ox.Literal(Path(alignment.path).name)
    for place, (c, meaning) in enumerate(meanings.items()):
        confidence = ""
        if alignment.has_confidences:
            confidence = f'sssom:confidence "{c.confidence!r}"^^xsd:double ; '
        if joined and c.relation == "=":
            iri = joined.get(c.entity1, c.entity1)
            meaning = [(iri, _REPLACES, old) for old in c.pair if old != iri]
        for number, (subject, predicate, value) in enumerate(meaning):
            subject_iri = bracketed(joined.get(subject, subject))
            value_iri = bracketed(value if predicate == _REPLACES else joined.get(value, value))
            # only two different classes can be disjoint: a class disjoint with itself is empty
            if subject_iri == value_iri and predicate == f"{OWL}disjointWith":
                predicate = f"{RDFS}subClassOf"
                value_iri = f"<{OWL}Nothing>"
            yield (
                f"{subject_iri} <{predicate}> {value_iri} . _:a{place}x{number} a owl:Axiom ; "
                f"owl:annotatedSource {subject_iri} ; owl:annotatedProperty <{predicate}> ; "
                f"owl:annotatedTarget {value_iri} ; {confidence}dcterms:source {file} ."
            )


def write_merged(merged: MergedOntology, path: FilePath) -> None:
    """Write a merged ontology in the format of the file's ending, read it back and compare.

    Raises
    ------
    MergingError
        If the ending is unknown, or not every triple comes back: RDF/XML cannot hold all.
    """
    ending = Path(path).suffix.lower().replace(".owl", ".rdf")
    form = ox.RdfFormat.from_extension(ending[1:])
    if form is None:
        raise MergingError(f"{path}: its ending says no format: use .owl, .ttl or .nt")
    with replacing(path) as draft:
        # by a file of Python: where the disk is full, its error has the cause
        with draft.open("wb") as file:
            ox.serialize(merged.triples, file, format=form, prefixes=_PREFIXES)
        try:
            whole = _counted(_triples_of(draft)) >= _counted(merged.triples)
        except LoadingError:
            whole = False
        if not whole:
            raise MergingError(
                f"{path}: this format cannot say all that the files do: write one that ends in .nt"
            )


def _counted(triples: Iterable[ox.Triple]) -> Counter[ox.Triple]:
    """Count the triples with all blank nodes made equal: writing renames them."""
    blank = ox.BlankNode("blank")
    return Counter(
        _renamed(triple, {node: blank for node in triple if isinstance(node, ox.BlankNode)})
        for triple in triples
    )
