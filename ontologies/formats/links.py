"""Reads alignments that are plain triples, such as skos:exactMatch, in any syntax of RDF."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import quote

import pyoxigraph as ox

from alignrank.common.errors import AlignmentError, LoadingError
from alignrank.common.files import FilePath, unpacked_name
from alignrank.ontologies.alignment import CONFIDENCE, Alignment
from alignrank.ontologies.loading.syntax import Syntax, recognise, triples_of
from alignrank.ontologies.ontology import namespace
from alignrank.ontologies.vocabulary import (
    ALIGNMENT,
    LABELS,
    LANGUAGE,
    NO_BASE,
    OWL,
    RDF,
    RDFS,
    SKOS,
    SSSOM,
)

from .cells import MODIFIER, Cells

_MATCHES = {f"{SKOS}{kind}Match" for kind in ("exact", "close", "broad", "narrow", "related")}
_SUBSUMPTIONS = {f"{RDFS}subClassOf", f"{RDFS}subPropertyOf"}
_AXIOMS = _SUBSUMPTIONS | {
    f"{OWL}{word}" for word in ("equivalentClass", "equivalentProperty", "sameAs")
}
#: The local names of all these, as a text holds them.
_WORDS = re.compile(
    r"\b((exact|close|broad|narrow|related)Match|equivalent\w+|sameAs|subClassOf|subPropertyOf)\b"
)
#: A key that JSON-LD has, and one of a JSON list of correspondences.
_JSON_LD, _JSON_LIST = re.compile(r'"@(context|graph|id)"\s*:'), '"entity1"'
#: A triple that others annotate, as SSSOM's tools and OWL write it.
_ANNOTATED = tuple(f"{OWL}annotated{part}" for part in ("Source", "Property", "Target"))
_FORMATS = {
    Syntax.RDF_XML: ox.RdfFormat.RDF_XML,
    Syntax.N_TRIPLES: ox.RdfFormat.TURTLE,  # a Turtle file may begin like N-Triples
    Syntax.TURTLE: ox.RdfFormat.TURTLE,
    Syntax.JSON_LD: ox.RdfFormat.JSON_LD,
}
#: OBO's ontologies share a namespace; each has its own letters before the number.
_OBO = re.compile(r"[A-Za-z]+_(?=\d+$)")

#: Beginnings of blank nodes and of the language's own terms.
_NO_ENTITIES = ("_:", *LANGUAGE)
_OF_AXIOMS = (*_ANNOTATED, f"{RDF}type")
#: How SSSOM's tools write that an annotated triple does not hold.
_MODIFIER, _NEGATIONS = f"{SSSOM}{MODIFIER}", ("Not", f"{SSSOM}NegatedPredicate")

Triple = tuple[str, str, str]
#: An annotation of an axiom: its property and its value.
Fact = tuple[str, str]


def holds_links(text: str) -> bool:
    """Return whether text is RDF that may link entities, and not in the Alignment format."""
    if ALIGNMENT in text:
        return False
    # the syntax first: it needs the beginning only, and the words need the whole text
    try:
        if recognise(text.encode(), "") not in _FORMATS:
            return False
    except LoadingError:
        return False
    if text.lstrip().startswith(("{", "[")) and (_JSON_LIST in text or not _JSON_LD.search(text)):
        return False
    return _WORDS.search(text) is not None


def is_alignment(data: bytes, syntax: Syntax) -> bool:
    """Return whether the beginning of an RDF file links entities and says little else of them.

    An ontology labels the entities that it links to others, or has them in its hierarchy.
    """
    links: set[str] = set()
    described: set[str] = set()
    is_annotated = False
    try:
        for quad in ox.parse(data, format=_FORMATS[syntax], base_iri=NO_BASE):
            subject, predicate, value = _triple(quad)
            if _is_link(subject, predicate, value):
                links.add(subject)
            elif predicate in LABELS:
                described.add(subject)
            elif predicate in _SUBSUMPTIONS and not value.startswith(_NO_ENTITIES):
                described.update((subject, value))
            is_annotated |= predicate.startswith(SSSOM)
    except (SyntaxError, KeyError):
        pass  # the beginning of a file may end anywhere
    return 2 * len(links & described) < len(links) or (is_annotated and not described)


def parse_links(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment of the links that RDF holds.

    Links are triples of a ``skos:*Match`` between two IRIs, of one of OWL's equivalences or of a
    subsumption between two namespaces, and axioms with SSSOM's annotations, which are kept; axioms
    with a ``predicate_modifier`` are negated correspondences. Subsumptions of entities that the
    file has in a hierarchy of its own are part of that, and no links.

    Raises
    ------
    AlignmentError
        If the file is no valid RDF, or holds no link.
    """
    links: set[Triple] = set()
    in_hierarchy: set[str] = set()
    nodes: defaultdict[str, list[Fact]] = defaultdict(list)
    for subject, predicate, value in _triples(data, cells.path):
        if _is_link(subject, predicate, value):
            links.add((subject, predicate, value))
        elif predicate in _SUBSUMPTIONS and not value.startswith(_NO_ENTITIES):
            in_hierarchy.update((subject, value))
        elif subject.startswith("_:") or predicate in _ANNOTATED:
            nodes[subject].append((predicate, value))
    links = {link for link in links if link[1] not in _SUBSUMPTIONS or link[0] not in in_hierarchy}
    annotations = _annotations(nodes.values())
    if not links and not annotations:
        raise AlignmentError(
            f"{cells.path} holds neither an alignment in the namespace {ALIGNMENT} nor links "
            "(skos:exactMatch, owl:equivalentClass …) between two namespaces: is it an ontology?"
        )
    for triple in sorted(links | annotations.keys()):
        facts = sorted(annotations.get(triple, ()))
        if any(name == _MODIFIER for name, _ in facts):
            _negate(triple, facts, cells, is_stated=triple in links)
            continue
        extra = [fact for fact in facts if fact[0] != CONFIDENCE]
        confidences: list[str | None] = [text for name, text in facts if name == CONFIDENCE]
        entity1, predicate, entity2 = triple
        # each confidence is a cell of its own, so that repeated cells are counted as elsewhere
        for confidence in confidences or [None]:
            # triples have no lines
            cells.add(entity1, entity2, predicate, confidence, line=0, extra=extra)
    return cells.alignment()


def _negate(triple: Triple, facts: Iterable[Fact], cells: Cells, *, is_stated: bool) -> None:
    """Add a negated correspondence, as an axiom with a ``predicate_modifier`` states it.

    Raises
    ------
    AlignmentError
        If the modifier is not Not, or the file states the same triple without it.
    """
    texts: dict[str, str] = {}
    for name, text in facts:
        texts[name] = f"{texts[name]}|{text}" if name in texts else text
    modifier = texts.pop(_MODIFIER)
    if modifier not in _NEGATIONS:
        raise cells.error(0, f"{MODIFIER} is {modifier!r}: write Not, or leave it out")
    if is_stated:
        raise cells.error(
            0, f"{' '.join(triple)} is negated, and stated as well: remove one of the two"
        )
    entity1, predicate, entity2 = triple
    confidence = texts.get(CONFIDENCE)
    cells.add(entity1, entity2, predicate, confidence, line=0, extra=texts.items(), is_negated=True)


def _triples(data: bytes, path: FilePath) -> Iterator[Triple]:
    """Yield the triples of a file in any syntax of RDF."""
    base = f"{NO_BASE}{quote(os.fsencode(unpacked_name(path).name))}"
    try:
        parts, _ = triples_of(data, recognise(data, path), path, base)
    except LoadingError as reason:
        raise AlignmentError(str(reason)) from None
    for part in parts:
        yield from map(_triple, part)


def _triple(quad: ox.Quad) -> Triple:
    return _name(quad.subject), quad.predicate.value, _name(quad.object)


def _name(term: object) -> str:
    """Return an IRI or the text of a literal; a blank node begins with ``_:``."""
    if isinstance(term, ox.NamedNode | ox.Literal):
        return term.value
    return str(term)


def _is_link(subject: str, predicate: str, value: str) -> bool:
    """Return whether a triple states a match, or an axiom between two namespaces."""
    if predicate not in _MATCHES and predicate not in _AXIOMS:
        return False
    if subject.startswith("_:") or "://" not in value or value.startswith(_NO_ENTITIES):
        return False
    return predicate in _MATCHES or _prefix(subject) != _prefix(value)


def _prefix(iri: str) -> str:
    """Return the beginning that the IRIs of one ontology share: namespace and OBO's letters."""
    start = namespace(iri)
    code = _OBO.match(iri[len(start) :])
    if code:
        return start + code.group()
    return start


def _annotations(nodes: Iterable[Iterable[Fact]]) -> dict[Triple, set[Fact]]:
    """Return the annotations of each annotated triple that is a link, or has a slot of SSSOM."""
    annotations: defaultdict[Triple, set[Fact]] = defaultdict(set)
    for node in nodes:
        parts = dict(node)
        if not parts.keys() >= set(_ANNOTATED):
            continue
        subject, predicate, value = (parts[part] for part in _ANNOTATED)
        facts = {(name, text) for name, text in node if text and name not in _OF_AXIOMS}
        states_link = predicate not in _SUBSUMPTIONS and _is_link(subject, predicate, value)
        if states_link or any(name.startswith(SSSOM) for name, _ in facts):
            annotations[subject, predicate, value] |= facts
    return annotations
