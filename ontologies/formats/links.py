"""Reads alignments that are plain triples, such as skos:exactMatch, in any syntax of RDF."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

from alignrank.common.errors import AlignmentError, LoadingError
from alignrank.common.files import FilePath
from alignrank.ontologies.alignment import CONFIDENCE, Alignment
from alignrank.ontologies.loading.syntax import Syntax, n_triples, recognise
from alignrank.ontologies.ontology import namespace
from alignrank.ontologies.vocabulary import ALIGNMENT, LABELS, NO_BASE, OWL, RDF, SKOS, SSSOM

from .cells import Cells

_MATCHES = {f"{SKOS}{kind}Match" for kind in ("exact", "close", "broad", "narrow", "related")}
_EQUIVALENCES = {f"{OWL}{word}" for word in ("equivalentClass", "equivalentProperty", "sameAs")}
#: The local names of all these, as a text holds them.
_WORDS = re.compile(r"\b(exact|close|broad|narrow|related)Match\b|\b(equivalent\w+|sameAs)\b")
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

_OF_AXIOMS = (*_ANNOTATED, f"{RDF}type")

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


def is_alignment(data: bytes) -> bool:
    """Return whether the beginning of an RDF file links entities, most of which it does not label.

    An ontology labels the entities that it links to others.
    """
    links: set[str] = set()
    labelled: set[str] = set()
    try:
        for quad in ox.parse(data, format=_FORMATS[recognise(data, "")], base_iri=NO_BASE):
            triple = _triple(quad)
            if triple[1] in LABELS:
                labelled.add(triple[0])
            elif _is_link(*triple):
                links.add(triple[0])
    except (SyntaxError, LoadingError, KeyError):
        pass  # the beginning of a file may end anywhere
    return 2 * len(links & labelled) < len(links)


def parse_links(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment of the links that RDF holds.

    Links are triples of a ``skos:*Match`` between two IRIs, of one of OWL's equivalences between
    two namespaces, and axioms with SSSOM's annotations, which are kept.

    Raises
    ------
    AlignmentError
        If the file is no valid RDF, or holds no link.
    """
    links: set[Triple] = set()
    nodes: defaultdict[str, list[Fact]] = defaultdict(list)
    for subject, predicate, value in _triples(data, cells.path):
        if _is_link(subject, predicate, value):
            links.add((subject, predicate, value))
        elif subject.startswith("_:") or predicate in _ANNOTATED:
            nodes[subject].append((predicate, value))
    annotations = _annotations(nodes.values())
    if not links and not annotations:
        raise AlignmentError(
            f"{cells.path} holds neither an alignment in the namespace {ALIGNMENT} nor links "
            "(skos:exactMatch, owl:equivalentClass …) between two namespaces: is it an ontology?"
        )
    for triple in sorted(links | annotations.keys()):
        facts = sorted(annotations.get(triple, ()))
        extra = [fact for fact in facts if fact[0] != CONFIDENCE]
        confidences: list[str | None] = [text for name, text in facts if name == CONFIDENCE]
        entity1, predicate, entity2 = triple
        # each confidence is a cell of its own, so that repeated cells are counted as elsewhere
        for confidence in confidences or [None]:
            # triples have no lines
            cells.add(entity1, entity2, predicate, confidence, line=0, extra=extra)
    return cells.alignment()


def _triples(data: bytes, path: FilePath) -> Iterator[Triple]:
    """Yield the triples of a file in any syntax of RDF."""
    base = f"{NO_BASE}{quote(os.fsencode(Path(path).name))}"
    try:
        parts, _ = n_triples(data, recognise(data, path), path, base)
    except LoadingError as reason:
        raise AlignmentError(str(reason)) from None
    for part in parts:
        yield from map(_triple, ox.parse(part, format=ox.RdfFormat.N_TRIPLES, lenient=True))


def _triple(quad: ox.Quad) -> Triple:
    return _name(quad.subject), quad.predicate.value, _name(quad.object)


def _name(term: object) -> str:
    """Return an IRI or the text of a literal; a blank node begins with ``_:``."""
    if isinstance(term, ox.NamedNode | ox.Literal):
        return term.value
    return str(term)


def _is_link(subject: str, predicate: str, value: str) -> bool:
    """Return whether a triple states a match, or an equivalence between two namespaces."""
    if predicate not in _MATCHES and predicate not in _EQUIVALENCES:
        return False
    if subject.startswith("_:") or "://" not in value or value.startswith("_:"):
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
        if _is_link(subject, predicate, value) or any(name.startswith(SSSOM) for name, _ in facts):
            annotations[subject, predicate, value] |= facts
    return annotations
