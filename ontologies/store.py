"""The triples of an ontology and its imports, in one closed owlready2 World."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import LoadingError
from .ontology import Label
from .syntax import Syntax
from .vocabulary import OWL, RDF

_FORMATS = {Syntax.RDF_XML: "rdfxml", Syntax.OWL_XML: "owlxml", Syntax.N_TRIPLES: "ntriples"}
_hook = threading.Lock()


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
        self._iris: dict[int, str] = {}
        self._links: dict[str, list[tuple[int, int]]] = {}
        self._texts: dict[str, list[tuple[int, Any, int | str]]] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *reason: object) -> None:
        self._world.close()

    def add(self, data: bytes, syntax: Syntax, path: str | os.PathLike[str], base: str) -> None:
        """Parse a file into the store; relative IRIs without xml:base are resolved against `base`.

        Raises
        ------
        LoadingError
            If owlready2 cannot parse it.
        """
        from owlready2 import OwlReadyOntologyParsingError

        graph = self._world.get_ontology(f"file:///{len(self._graphs)}#").graph
        try:
            with _quiet():
                graph.parse(io.BytesIO(data), format=_FORMATS[syntax], default_base=base)
        except OwlReadyOntologyParsingError as reason:
            cause = reason.__cause__ or reason
            line = re.search(r"line (\d+)", str(reason))
            where = f"{path}, line {line.group(1)}" if line else f"{path}"
            raise LoadingError(f"{where}: not valid {syntax}: {cause}") from None
        self._graphs.append(graph)
        self._read()

    def _read(self) -> None:
        """Read the whole store once, grouped by predicate."""
        rows = self._world.graph.execute
        self._iris = dict(rows("SELECT storid, iri FROM resources"))
        links, texts = defaultdict(list), defaultdict(list)
        for s, p, o in rows("SELECT s, p, o FROM objs"):
            links[p].append((s, o))
        for s, p, o, d in rows("SELECT s, p, o, d FROM datas"):
            texts[p].append((s, o, d))
        self._links = {self._name(p): pairs for p, pairs in links.items()}
        self._texts = {self._name(p): values for p, values in texts.items()}

    def _name(self, number: int) -> str:
        return self._iris[number] if number > 0 else f"_:{-number}"

    @property
    def predicates(self) -> list[str]:
        """Predicates that link two nodes, sorted."""
        return sorted(self._links)

    def links(self, *predicates: str) -> Iterator[tuple[str, str]]:
        """Yield (subject, object) for triples with one of `predicates` between two nodes."""
        for predicate in predicates:
            for s, o in self._links.get(predicate, ()):
                yield self._name(s), self._name(o)

    def texts(self, *predicates: str) -> Iterator[tuple[str, Label]]:
        """Yield (subject, text with language) for triples with one of `predicates` and a literal.

        Outer white space is dropped, and so are texts of nothing else.
        """
        for predicate in predicates:
            for s, value, datatype in self._texts.get(predicate, ()):
                text = str(value).strip()
                lang = datatype[1:] if isinstance(datatype, str) else ""
                if text:
                    yield self._name(s), Label(text, lang)

    def headers(self) -> list[str]:
        """Return the IRIs that the first file declares as ontologies, sorted."""
        rows = self._world.graph.execute(
            "SELECT h.iri FROM objs, resources t, resources p, resources h WHERE objs.c = ? "
            "AND p.storid = objs.p AND p.iri = ? AND t.storid = objs.o AND t.iri = ? "
            "AND h.storid = objs.s",
            (self._graphs[0].c, f"{RDF}type", f"{OWL}Ontology"),
        )
        return sorted(iri for (iri,) in rows)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep owlready2 from printing the traceback of an error that it then raises."""
    with _hook:
        before, sys.excepthook = sys.excepthook, lambda *_: None
        try:
            yield
        finally:
            sys.excepthook = before
