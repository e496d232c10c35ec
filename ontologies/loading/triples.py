"""The triples of an ontology and its imports, by predicate; those of other libraries' graphs."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from typing import IO, NamedTuple, Protocol, runtime_checkable

import pyoxigraph as ox

from alignrank.common.names import MutableTexts, Pair
from alignrank.ontologies.ontology import Label
from alignrank.ontologies.vocabulary import OWL, RDF

from .syntax import bracketed

_IMPORTS = f"{OWL}imports"
#: A text with its language after an @, which may be empty: "Heart@en", "Lung@".
_PLAIN_LITERAL = f"{RDF}PlainLiteral"


class _Text(NamedTuple):
    """A literal and the node that has it; language and datatype are '' where none is stated."""

    subject: str
    text: str
    language: str
    datatype: str


class Triples:
    r"""Triples of one or several files.

    IRIs are given as text; blank nodes as text that begins with ``_:``, each part's for itself.

    Examples
    --------
    >>> lines = '<http://a#x> <http://a#p> <http://a#y> . <http://a#x> <http://a#q> "z"@EN .'
    >>> triples = Triples()
    >>> triples.add(ox.parse(lines, format=ox.RdfFormat.TURTLE))
    >>> list(triples.links("http://a#p")), list(triples.texts("http://a#q", ["http://a#x"]))
    ([('http://a#x', 'http://a#y')], [('http://a#x', Label(text='z', lang='en', scope=''))])
    """

    def __init__(self) -> None:
        self._links: defaultdict[str, list[Pair]] = defaultdict(list)
        self._texts: defaultdict[str, list[_Text]] = defaultdict(list)
        self._blank_nodes = 0

    def add(self, quads: Iterable[ox.Quad]) -> None:
        """Add the triples of a file, or of a part of one."""
        kept: MutableTexts = {}  # each IRI is kept once
        blank_nodes: MutableTexts = {}

        def node(term: object) -> str:
            if isinstance(term, ox.NamedNode):
                return kept.setdefault(term.value, term.value)
            name = str(term)
            if name not in blank_nodes:
                blank_nodes[name] = self._new_blank_node()
            return blank_nodes[name]

        for quad in quads:
            subject = node(quad.subject)
            predicate = quad.predicate.value
            value = quad.object
            if isinstance(value, ox.Literal):
                # en_US is how Java spells it, and no tag
                tag = (value.language or "").strip().replace("_", "-")
                language = kept.setdefault(tag, tag)
                datatype = (
                    "" if language else kept.setdefault(value.datatype.value, value.datatype.value)
                )
                text = _Text(subject, value.value, language, datatype)
                self._texts[predicate].append(text)
            elif not isinstance(value, ox.Triple):
                self._links[predicate].append((subject, node(value)))

    def _new_blank_node(self) -> str:
        self._blank_nodes += 1
        return f"_:{self._blank_nodes}"

    @property
    def predicates(self) -> list[str]:
        """Every predicate that is used, sorted."""
        return sorted({*self._links, *self._texts})

    def links(self, *predicates: str) -> list[Pair]:
        """Return (subject, object) for triples with one of `predicates` between two nodes."""
        return [link for predicate in predicates for link in self._links.get(predicate, ())]

    def subjects(self, predicate: str, node: str) -> Iterator[str]:
        """Yield the subject of each triple with this predicate and object."""
        return (s for s, o in self._links.get(predicate, ()) if o == node)

    def texts(self, predicate: str, subjects: Container[str]) -> Iterator[tuple[str, Label]]:
        """Yield (subject, text with language) for the literals that `predicate` gives `subjects`.

        Outer white space is dropped, and so are texts of nothing else.
        """
        for subject, text, language, datatype in self._texts.get(predicate, ()):
            if subject not in subjects:
                continue
            if datatype == _PLAIN_LITERAL and "@" in text:
                text, _, language = text.rpartition("@")
            if stripped := text.strip():
                yield subject, Label(stripped, language.lower())

    def headers(self) -> list[str]:
        """Return the nodes that are declared as ontologies, sorted."""
        return sorted(set(self.subjects(f"{RDF}type", f"{OWL}Ontology")))

    def n_triples(self) -> bytes:
        """Return everything but the imports as N-Triples, with datatypes."""
        lines = [
            f"{_term(s)} {_term(predicate)} {_term(o)} .\n"
            for predicate, links in self._links.items()
            if predicate != _IMPORTS
            for s, o in links
        ]
        for predicate, texts in self._texts.items():
            for subject, text, language, datatype in texts:
                literal = str(ox.Literal(text))
                if language:
                    literal += f"@{language}"
                elif datatype:
                    literal += f"^^<{datatype}>"
                lines.append(f"{_term(subject)} {_term(predicate)} {literal} .\n")
        return "".join(lines).encode()


def _term(node: str) -> str:
    return node if node.startswith("_:") else bracketed(node)


@runtime_checkable
class RdflibGraph(Protocol):
    """The part of ``rdflib.Graph`` that is needed here."""

    def serialize(self, *, format: str) -> str:  # noqa: A002 -- rdflib's own name
        """Return the triples as text."""


@runtime_checkable
class OwlreadyOntology(Protocol):
    """The part of ``owlready2.Ontology`` that is needed here."""

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
