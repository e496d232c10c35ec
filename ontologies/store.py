"""The triples of an ontology and its imports, in one closed owlready2 World."""

from __future__ import annotations

import io
import sys
import threading
from collections import defaultdict
from collections.abc import Container, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from .ontology import Label
from .syntax import Syntax
from .vocabulary import OWL, RDF

_FORMATS = {Syntax.RDF_XML: "rdfxml", Syntax.OWL_XML: "owlxml", Syntax.N_TRIPLES: "ntriples"}
_hook = threading.Lock()


class Unparsable(Exception):  # noqa: N818
    """A file that owlready2 gives up."""


class Store:
    """A quad store that nothing else shares, read by predicate.

    owlready2 parses into it; nothing of owlready2 beyond that is used, because attributes go by
    short names, which collide, and because `Ontology.load` fetches imports and runs Python modules
    that an ontology may name.

    IRIs are given as text; blank nodes as text that begins with ``_:``.
    """

    def __init__(self) -> None:
        from owlready2 import World

        self._world = World()
        self._graphs: list[Any] = []
        self._links: dict[str, list[tuple[str, str]]] = {}
        self._texts: dict[str, list[tuple[str, object, object]]] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *reason: object) -> None:
        self._world.close()

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
        from owlready2 import OwlReadyOntologyParsingError

        graph = self._world.get_ontology(f"file:///{len(self._graphs)}#").graph
        try:
            with _quiet():
                graph.parse(io.BytesIO(data), format=_FORMATS[syntax], default_base=base)
        except OwlReadyOntologyParsingError as reason:
            graph.destroy()
            raise Unparsable(str(reason)) from reason
        self._graphs.append(graph)
        self._read()

    def _read(self) -> None:
        """Read the whole store once, grouped by predicate."""
        rows = self._world.graph.execute
        names = _Names(rows("SELECT storid, iri FROM resources"))
        links: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
        for s, p, o in rows("SELECT s, p, o FROM objs"):
            links[p].append((names[s], names[o]))
        texts: defaultdict[int, list[tuple[str, object, object]]] = defaultdict(list)
        for s, p, value, datatype in rows("SELECT s, p, o, d FROM datas"):
            texts[p].append((names[s], value, datatype))
        self._links = {names[p]: pairs for p, pairs in links.items()}
        self._texts = {names[p]: values for p, values in texts.items()}

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
                # a language comes as text, a datatype as a number
                yield s, Label(text, datatype[1:].lower() if isinstance(datatype, str) else "")

    def headers(self) -> list[str]:
        """Return the IRIs that the first file declares as ontologies, sorted."""
        number = "(SELECT storid FROM resources WHERE iri = ?)"
        rows = self._world.graph.execute(
            "SELECT iri FROM resources WHERE storid IN "
            f"(SELECT s FROM objs WHERE o = {number} AND p = {number} AND c = ?)",
            (f"{OWL}Ontology", f"{RDF}type", self._graphs[0].c),
        )
        return sorted(iri for (iri,) in rows)


class _Names(dict[int, str]):
    """IRI by owlready2's number; a blank node has a negative one and no IRI."""

    def __missing__(self, number: int) -> str:
        name = self[number] = f"_:{-number}"
        return name


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep owlready2 from printing the traceback of an error that it then raises."""
    with _hook:
        before, sys.excepthook = sys.excepthook, lambda *_: None
        try:
            yield
        finally:
            sys.excepthook = before
