"""Links between entities as triples, in any syntax of RDF: skos:exactMatch and its like."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

from alignrank.common.errors import AlignmentError, LoadingError
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.loading.syntax import Syntax, n_triples, recognise
from alignrank.ontologies.ontology import namespace
from alignrank.ontologies.vocabulary import ALIGNMENT, LABELS, NO_BASE, OWL, RDF, SKOS, SSSOM

from .cells import CONFIDENCE, Cells
from .columns import as_number

_MATCHES = {f"{SKOS}{kind}Match" for kind in ("exact", "close", "broad", "narrow", "related")}
_EQUIVALENCES = {f"{OWL}{word}" for word in ("equivalentClass", "equivalentProperty", "sameAs")}
#: The local names of all these, as a text holds them.
_WORDS = re.compile(r"\b(exact|close|broad|narrow|related)Match\b|\b(equivalent\w+|sameAs)\b")
#: What JSON-LD has and no list of correspondences, and the other way round.
_JSON_LD, _OBJECTS = re.compile(r'"@(context|graph|id)"\s*:'), '"entity1"'
#: A triple that others annotate, as SSSOM's tools and OWL write it.
_ANNOTATED = tuple(f"{OWL}annotated{part}" for part in ("Source", "Property", "Target"))
_FORMATS = {
    Syntax.RDF_XML: ox.RdfFormat.RDF_XML,
    Syntax.N_TRIPLES: ox.RdfFormat.TURTLE,  # which may begin so
    Syntax.TURTLE: ox.RdfFormat.TURTLE,
    Syntax.JSON_LD: ox.RdfFormat.JSON_LD,
}
#: OBO's ontologies share a namespace; the letters before the number tell them apart.
_OBO = re.compile(r"[A-Za-z]+_(?=\d+$)")

_OF_AXIOMS = (*_ANNOTATED, f"{RDF}type")

Triple = tuple[str, str, str]


def holds_links(text: str) -> bool:
    """Return whether a file's text is RDF that may link entities, and no alignment by itself."""
    if ALIGNMENT in text:
        return False
    # the beginning is looked at first: the words are searched in the whole file
    try:
        if recognise(text.encode(), "") not in _FORMATS:
            return False
    except LoadingError:
        return False
    if text.lstrip().startswith(("{", "[")) and (_OBJECTS in text or not _JSON_LD.search(text)):
        return False
    return _WORDS.search(text) is not None


def is_alignment(data: bytes) -> bool:
    """Return whether RDF, as it begins, holds links between entities that it gives no labels."""
    links: set[str] = set()
    labelled: set[str] = set()
    try:
        for quad in ox.parse(data, format=_FORMATS[recognise(data, "")], base_iri=NO_BASE):
            triple = _names(quad)
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
    nodes: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for subject, predicate, value in _triples(data, cells.path):
        if _is_link(subject, predicate, value):
            links.add((subject, predicate, value))
        elif subject.startswith("_:") or predicate in _ANNOTATED:
            nodes[subject][predicate] = value
    annotations = _annotations(nodes.values())
    if not links and not annotations:
        raise AlignmentError(
            f"{cells.path} holds neither an alignment in the namespace {ALIGNMENT} nor links "
            "(skos:exactMatch, owl:equivalentClass …) between two namespaces: is it an ontology?"
        )
    for triple in sorted(links | annotations.keys()):
        facts = annotations.get(triple, {})
        confidence = facts.get(CONFIDENCE)
        if confidence is not None and 0 <= as_number(confidence) <= 1:
            facts.pop(CONFIDENCE)
        else:
            confidence = None
        entity1, predicate, entity2 = triple
        # triples have no lines
        cells.add(entity1, entity2, predicate, confidence, line=0, extra=facts.items())
    return cells.alignment()


def _triples(data: bytes, path: str | os.PathLike[str]) -> Iterator[Triple]:
    base = f"{NO_BASE}{quote(os.fsencode(Path(path).name))}"
    try:
        parts, _ = n_triples(data, recognise(data, path), path, base)
    except LoadingError as reason:
        raise AlignmentError(str(reason)) from None
    for part in parts:
        yield from map(_names, ox.parse(part, format=ox.RdfFormat.N_TRIPLES, lenient=True))


def _names(quad: ox.Quad) -> Triple:
    subject, value = (_name(term) for term in (quad.subject, quad.object))
    return subject, quad.predicate.value, value


def _name(term: object) -> str:
    """Return an IRI or the text of a literal; a blank node begins with ``_:``."""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)


def _is_link(subject: str, predicate: str, value: str) -> bool:
    if predicate not in _MATCHES and predicate not in _EQUIVALENCES:
        return False
    if subject.startswith("_:") or "://" not in value or value.startswith("_:"):
        return False
    return predicate in _MATCHES or _space(subject) != _space(value)


def _space(iri: str) -> str:
    """Return what tells the entities of an ontology from those of others."""
    start = namespace(iri)
    code = _OBO.match(iri[len(start) :])
    return start + code.group() if code else start


def _annotations(nodes: Iterable[Mapping[str, str]]) -> dict[Triple, dict[str, str]]:
    """Return what axioms say of their triples: of links, or of any that SSSOM speaks of."""
    annotations = {}
    for node in nodes:
        if not node.keys() >= set(_ANNOTATED):
            continue
        subject, predicate, value = (node[part] for part in _ANNOTATED)
        facts = {key: text for key, text in node.items() if text and key not in _OF_AXIOMS}
        if _is_link(subject, predicate, value) or any(key.startswith(SSSOM) for key in facts):
            annotations[subject, predicate, value] = facts
    return annotations
