"""The triples of an ontology and its imports, in a World of owlready2."""

from __future__ import annotations

import io
import re
from collections.abc import Container, Iterator
from typing import Any

from ontologies.ontology import Label
from ontologies.vocabulary import OWL, RDF, XSD

#: What makes owlready2 act is kept under another name in the World, with this in front: it would
#: fetch imports, run the Python module that an ontology names, make a Python class of every
#: property (and stop where one is a class as well), and write numbers anew.
_ASIDE = "urn:alignrank:aside:"
_ACTING = re.compile(
    rb"<(?=%b(?:imports|Ontology|ObjectProperty|DatatypeProperty|AnnotationProperty|real)>|%b\w+>"
    rb"|http://www\.lesfleursdunormal\.fr/static/_downloads/owlready_ontology\.owl#)"
    % (re.escape(OWL).encode(), re.escape(XSD).encode())
)
#: What owlready2 declares as ontologies for itself.
_OUR_OWN = ("urn:alignrank:file:", "http://anonymous")
_ESCAPED = re.compile(r"\\u([0-9A-F]{4})")
# owlready2 keeps a World's triples in SQLite, as numbers, and runs queries on these tables. Its own
# SPARQL becomes such queries too, but takes .1 s to start and five times as long to answer.
_NAMES = "SELECT storid, iri FROM resources ORDER BY storid"
_PREDICATES = "SELECT p FROM objs UNION SELECT p FROM datas"
_LINKS = "SELECT s, o FROM objs WHERE p = ?"
_SUBJECTS = "SELECT s FROM objs WHERE p = ? AND o = ?"
_TEXTS = "SELECT s, o, d FROM datas WHERE p = ?"


class Triples:
    r"""Triples in a World that nothing else shares; `close` it when they are read.

    IRIs are given as text; blank nodes as text that begins with ``_:``, each file's for itself.

    Examples
    --------
    >>> triples = Triples()
    >>> triples.add(b'<http://a#x> <http://a#p> <http://a#y> .\n')
    >>> triples.add(b'<http://a#x> <http://a#q> "z"@EN .\n')
    >>> list(triples.links("http://a#p")), list(triples.texts("http://a#q", ["http://a#x"]))
    ([('http://a#x', 'http://a#y')], [('http://a#x', Label(text='z', lang='en'))])
    """

    def __init__(self) -> None:
        from owlready2 import World  # slow, and alignments can be judged without an ontology

        self._world = World()
        self._files = 0
        self._names: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def add(self, triples: bytes) -> None:
        """Add the triples of a file, in N-Triples."""
        ontology = self._world.get_ontology(f"urn:alignrank:file:{self._files}#")
        # the comment tells owlready2 the format: it looks at the beginning
        text = b"# N-Triples\n" + _ACTING.sub(b"<" + _ASIDE.encode(), triples)
        ontology.load(fileobj=io.BytesIO(text))
        self._files += 1
        self._names = {n: _as_stated(iri) for n, iri in self._query(_NAMES)}
        # of two with one name the later, which is aside
        self._numbers = {iri: number for number, iri in self._names.items()}

    @property
    def predicates(self) -> list[str]:
        """Every predicate that is used, sorted."""
        return sorted(self._names[number] for (number,) in self._query(_PREDICATES))

    def links(self, *predicates: str) -> Iterator[tuple[str, str]]:
        """Yield (subject, object) for triples with one of `predicates` between two nodes."""
        for predicate in predicates:
            for s, o in self._query(_LINKS, self._numbers.get(predicate)):
                yield self._node(s), self._node(o)

    def texts(self, predicate: str, subjects: Container[str]) -> Iterator[tuple[str, Label]]:
        """Yield (subject, text with language) for the literals that `predicate` gives `subjects`.

        Outer white space is dropped, and so are texts of nothing else.
        """
        for s, value, datatype in self._query(_TEXTS, self._numbers.get(predicate)):
            subject, text = self._node(s), value.replace(f"<{_ASIDE}", "<").strip()
            if text and subject in subjects:
                # a language comes as @en, a datatype as a number
                language = datatype[1:].lower() if isinstance(datatype, str) else ""
                yield subject, Label(text, language)

    def headers(self) -> list[str]:
        """Return the nodes that are declared as ontologies, sorted."""
        numbers = self._numbers[f"{RDF}type"], self._numbers[f"{OWL}Ontology"]
        declared = (self._node(s) for (s,) in self._query(_SUBJECTS, *numbers))
        return sorted(node for node in declared if not node.startswith(_OUR_OWN))

    def n_triples(self) -> bytes:
        """Return everything but the imports as N-Triples, with datatypes."""
        saved = io.BytesIO()
        self._world.save(saved, format="ntriples")
        imports = f"<{_ASIDE}{OWL}imports>".encode()
        lines = [line for line in saved.getvalue().split(b"\n") if imports not in line]
        # owlready2 leaves carriage returns as they are, which no line may hold
        return b"\n".join(lines).replace(b"\r", rb"\r").replace(b"<" + _ASIDE.encode(), b"<")

    def close(self) -> None:
        """Give the memory back."""
        self._world.close()

    def _query(self, sql: str, *numbers: int | None) -> Iterator[tuple[Any, ...]]:
        # Any: the columns of a query, as SQLite gives them
        return iter(self._world.graph.execute(sql, numbers))

    def _node(self, number: int) -> str:
        """Return a node's IRI; owlready2 numbers blank nodes below zero."""
        return self._names[number] if number > 0 else f"_:{-number}"


def _as_stated(iri: str) -> str:
    """Return an IRI as its file states it."""
    iri = iri.removeprefix(_ASIDE)
    return _ESCAPED.sub(lambda code: chr(int(code.group(1), 16)), iri) if "\\" in iri else iri
