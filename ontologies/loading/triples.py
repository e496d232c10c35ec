"""The triples of an ontology and its imports, in a World of owlready2."""

from __future__ import annotations

import gc
import io
import re
from collections.abc import Container, Iterator

from alignrank.ontologies.ontology import Label
from alignrank.ontologies.vocabulary import OWL, RDF, XSD

#: What makes owlready2 act is kept under another name in the World, with this in front: it would
#: fetch imports, run the Python module that an ontology names, make a Python class of every
#: property (and stop where one is a class as well), and write numbers anew.
_ASIDE = "urn:alignrank:aside:"
_ACTING = re.compile(
    rb"<(?=%b(?:imports|Ontology|ObjectProperty|DatatypeProperty|AnnotationProperty|real)>|%b\w+>"
    rb"|http://www\.lesfleursdunormal\.fr/static/_downloads/owlready_ontology\.owl#)"
    % (re.escape(OWL).encode(), re.escape(XSD).encode())
)
#: Bytes of files after which the cycles are collected in which owlready2 leaves what it has read.
_MOST_LEFT = 2**24
#: What owlready2 declares as ontologies for itself.
_OUR_OWN = ("urn:alignrank:file:", "http://anonymous")
#: Blanks beyond ASCII, which an IRI may hold, though owlready2 takes them for its end.
_BLANKS = re.compile(
    rb"\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80"
)
_ESCAPED = re.compile(r"\\u([0-9A-F]{4})")
#: A text with its language after an @, which may be empty: "Heart@en", "Lung@".
_PLAIN_LITERAL = f"{RDF}PlainLiteral"
# owlready2 keeps a World's triples in SQLite, as numbers, and runs queries on these tables. Its own
# SPARQL becomes such queries too, but takes .1 s to start and five times as long to answer. They
# have no index by predicate, so each gets one when it is first asked.
_NAMES = "SELECT storid, iri FROM resources WHERE storid > ?"
_ODD_NAMES = rf"{_NAMES} AND (iri LIKE '%\%' OR iri LIKE '{_ASIDE}%')"
_NUMBERS = f"SELECT storid FROM resources WHERE iri IN (?, '{_ASIDE}' || ?)"
_INDEX = "CREATE INDEX IF NOT EXISTS {0}_by_predicate ON {0}(p)"
_PREDICATES = "SELECT DISTINCT p FROM {}"
_LINKS = "SELECT s, o FROM objs WHERE p = ? ORDER BY rowid"
_SUBJECTS = "SELECT s FROM objs WHERE p = ? AND o = ? ORDER BY rowid"
_TEXTS = "SELECT s, o, d FROM datas WHERE p = ? ORDER BY rowid"


class Triples:
    r"""Triples in a World that nothing else shares; `close` it when they are read.

    IRIs are given as text; blank nodes as text that begins with ``_:``, each file's for itself.

    Examples
    --------
    >>> triples = Triples()
    >>> triples.add(b'<http://a#x> <http://a#p> <http://a#y> .\n')
    >>> triples.add(b'<http://a#x> <http://a#q> "z"@EN .\n')
    >>> list(triples.links("http://a#p")), list(triples.texts("http://a#q", ["http://a#x"]))
    ([('http://a#x', 'http://a#y')], [('http://a#x', Label(text='z', lang='en', scope=''))])
    """

    def __init__(self) -> None:
        from owlready2 import World  # slow, and alignments can be judged without an ontology

        self._world = World()
        self._files = self._left = 0
        self._names = _NodeNames()
        self._by_name: dict[str, list[int]] = {}

    def add(self, triples: bytes) -> None:
        """Add the triples of a file, or of a part of one, in N-Triples."""
        ontology = self._world.get_ontology(f"urn:alignrank:file:{self._files}#")
        # the comment tells owlready2 the format: it looks at the beginning
        text = b"# N-Triples\n" + _ACTING.sub(b"<" + _ASIDE.encode(), triples)
        if not text.isascii():
            text = _BLANKS.sub(lambda blank: b"\\u%04X" % ord(blank[0].decode()), text)
        ontology.load(fileobj=io.BytesIO(text))
        self._files += 1
        self._left += len(text)
        if self._left > _MOST_LEFT:
            gc.collect()
            self._left = 0
        query = self._world.graph.execute
        last = (max(self._names, default=0),)
        self._names.update(query(_NAMES, last))
        self._names.update((number, _as_stated(iri)) for number, iri in query(_ODD_NAMES, last))
        self._by_name = {}

    @property
    def predicates(self) -> list[str]:
        """Every predicate that is used, sorted."""
        return sorted(self._numbers())

    def _numbers(self) -> dict[str, list[int]]:
        """Return the numbers of every predicate by its name."""
        if not self._by_name:
            query = self._world.graph.execute
            numbers = set[int]()
            for table in ("objs", "datas"):
                query(_INDEX.format(table))
                numbers.update(p for (p,) in query(_PREDICATES.format(table)))
            for number in sorted(numbers):
                self._by_name.setdefault(self._names[number], []).append(number)
        return self._by_name

    def links(self, *predicates: str) -> list[tuple[str, str]]:
        """Return (subject, object) for triples with one of `predicates` between two nodes."""
        query = self._world.graph.execute
        names = self._names
        return [
            (names[s], names[o])
            for predicate in predicates
            for number in self._numbers().get(predicate, ())
            for s, o in query(_LINKS, (number,))
        ]

    def subjects(self, predicate: str, node: str) -> Iterator[str]:
        """Yield the subject of each triple with this predicate and object."""
        query = self._world.graph.execute
        for (of_node,) in query(_NUMBERS, (node, node)):
            for number in self._numbers().get(predicate, ()):
                yield from (self._names[s] for (s,) in query(_SUBJECTS, (number, of_node)))

    def texts(self, predicate: str, subjects: Container[str]) -> Iterator[tuple[str, Label]]:
        """Yield (subject, text with language) for the literals that `predicate` gives `subjects`.

        Outer white space is dropped, and so are texts of nothing else.
        """
        query = self._world.graph.execute
        numbers = self._numbers().get(predicate, ())
        for s, value, datatype in (row for number in numbers for row in query(_TEXTS, (number,))):
            subject = self._names[s]
            if subject not in subjects:
                continue
            # a language comes as @en, a datatype as a number
            language = datatype[1:] if isinstance(datatype, str) else ""
            if "@" in value and self._names.get(datatype) == _PLAIN_LITERAL:
                value, _, language = value.rpartition("@")
            if text := value.replace(f"<{_ASIDE}", "<").strip():
                yield subject, Label(text, language.lower())

    def headers(self) -> list[str]:
        """Return the nodes that are declared as ontologies, sorted."""
        declared = set(self.subjects(f"{RDF}type", f"{OWL}Ontology"))
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


class _NodeNames(dict[int, str]):
    """Names of nodes by number; owlready2 numbers blank nodes below zero."""

    def __missing__(self, number: int) -> str:
        return f"_:{-number}"


def _as_stated(iri: str) -> str:
    """Return an IRI as its file states it."""
    iri = iri.removeprefix(_ASIDE)
    if "\\" in iri:
        return _ESCAPED.sub(lambda code: chr(int(code.group(1), 16)), iri)
    return iri
