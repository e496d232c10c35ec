"""The triples of an ontology and its imports, as owlready2 parses them."""

from __future__ import annotations

import io
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from itertools import chain

from owlready2 import OwlReadyOntologyParsingError
from owlready2.driver import BaseSubGraph

from ontologies.ontology import Label
from ontologies.vocabulary import OWL, RDF

from .syntax import Syntax

_FORMATS = {Syntax.RDF_XML: "rdfxml", Syntax.OWL_XML: "owlxml", Syntax.N_TRIPLES: "ntriples"}
_hook = threading.Lock()

#: Each once, in the order of the files.
_Links = defaultdict[str, dict[tuple[str, str], None]]
_Texts = defaultdict[str, dict[tuple[str, object, object], None]]


class Unparsable(Exception):  # noqa: N818
    """A file that owlready2 gives up."""


class Store:
    """Triples by predicate, which nothing else shares.

    owlready2 parses them; nothing of owlready2 beyond that is used, because its attributes go by
    short names, which collide, because `Ontology.load` fetches imports and runs Python modules
    that an ontology may name, and because its data base takes more time than the parser.

    IRIs are given as text; blank nodes as text that begins with ``_:``.
    """

    def __init__(self) -> None:
        self._links: _Links = defaultdict(dict)
        self._texts: _Texts = defaultdict(dict)
        self._files = 0
        self._headers: list[str] = []

    def add(self, data: bytes, syntax: Syntax, base: str) -> None:
        """Parse a file into the store; relative IRIs without xml:base are resolved against `base`.

        Parameters
        ----------
        data, syntax
            The file's bytes, in RDF/XML, OWL/XML or N-Triples.
        base
            An IRI.

        Raises
        ------
        Unparsable
            If owlready2 gives up. Nothing of the file is in the store then.
        """
        parsed = _Parsed()
        try:
            with _quiet():
                parsed.parse(io.BytesIO(data), format=_FORMATS[syntax], default_base=base)
        except OwlReadyOntologyParsingError as reason:
            raise Unparsable(str(reason)) from reason
        node = _Nodes(self._files)
        for s, p, o in parsed.links:
            self._links[p][node[s], node[o]] = None
        for s, p, value, datatype in parsed.texts:
            self._texts[p][node[s], value, datatype] = None
        if not self._files:
            types = self.links(f"{RDF}type")
            self._headers = sorted({s for s, o in types if o == f"{OWL}Ontology"})
        self._files += 1

    @property
    def predicates(self) -> list[str]:
        """Predicates that link two nodes, sorted."""
        return sorted(self._links)

    def links(self, *predicates: str) -> Iterator[tuple[str, str]]:
        """Yield (subject, object) for triples with one of `predicates` between two nodes."""
        return chain.from_iterable(self._links.get(p, ()) for p in predicates)

    def texts(self, predicate: str, subjects: Container[str]) -> Iterator[tuple[str, Label]]:
        """Yield (subject, text with language) for the literals that `predicate` gives `subjects`.

        Outer white space is dropped, and so are texts of nothing else.
        """
        for s, value, datatype in self._texts.get(predicate, ()):
            if s in subjects and (text := str(value).strip()):
                # a language comes as @en, a datatype as an IRI or, from OWL/XML, as a number
                language = str(datatype)
                yield s, Label(text, language[1:].lower() if language.startswith("@") else "")

    def headers(self) -> list[str]:
        """Return the nodes that the first file declares as ontologies, sorted."""
        return self._headers


class _Nodes(dict[str, str]):
    """Nodes of a file by their names in it: two files may give the same name to blank nodes."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __missing__(self, name: str) -> str:
        node = self[name] = f"_:{self._file}{name[1:]}" if name.startswith("_:") else name
        return node


class _Parsed(BaseSubGraph):  # type: ignore[misc]  # owlready2 has no types
    """What owlready2's parsers fill: lists, in place of its data base."""

    def __init__(self) -> None:
        self.links: list[tuple[str, str, str]] = []
        self.texts: list[tuple[str, str, object, object]] = []

    def import_triples_from_queue(self, *_: object) -> tuple[Callable[..., object], ...]:
        """Return what takes links, texts, triples in triples, and the end of the file."""
        return self.links.extend, self.texts.extend, lambda triples: None, lambda: None

    def __len__(self) -> int:
        return 1  # of one that is empty owlready2 would say that it is an ontology


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep owlready2 from printing the traceback of an error that it then raises."""
    with _hook:
        before, sys.excepthook = sys.excepthook, lambda *_: None
        try:
            yield
        finally:
            sys.excepthook = before
