"""Files that owlready2 cannot read, or would misread, as the RDF that it reads right.

owlready2's own RDF/XML parser silently drops property attributes (``rdfs:label="..."`` in the tag
of a class: all of PROTON's labels), takes ``xml:base="http://e.org/o#"`` and ``#A`` for
``http://e.org/o##A``, cuts the last slash from IRIs, forgets inherited ``xml:lang``, and takes the
content of ``rdf:parseType="Literal"`` or ``"Resource"`` for nodes. Such files go through oxigraph,
a complete RDF parser, to N-Triples first.
"""

from __future__ import annotations

import os
import re
from typing import Literal
from xml.etree.ElementTree import canonicalize
from xml.parsers import expat

from .errors import LoadingError
from .inputs import text_of
from .syntax import Syntax, not_well_formed
from .vocabulary import RDF

_XML = "http://www.w3.org/XML/1998/namespace"
_SUBJECTS = {f"{RDF} about", f"{RDF} ID", f"{RDF} nodeID"}
_OBJECTS = {f"{RDF} resource", f"{RDF} nodeID", f"{RDF} datatype", f"{RDF} parseType", f"{RDF} ID"}
_IRIS = {f"{RDF} about", f"{RDF} resource"}
_HORNED: dict[Syntax, Literal["ofn", "omn", "obo"]] = {
    Syntax.FUNCTIONAL: "ofn",
    Syntax.MANCHESTER: "omn",
    Syntax.OBO: "obo",
}


def readable(
    data: bytes, syntax: Syntax, path: str | os.PathLike[str], base: str
) -> tuple[bytes, Syntax]:
    """Return a file's content in a form that owlready2 reads right, and its syntax.

    Parameters
    ----------
    data, syntax
        The file's bytes, and in which format they are.
    path
        The file, for error messages.
    base
        IRI against which relative IRIs are resolved where the file states none.

    Raises
    ------
    LoadingError
        If the content is not valid in its format; the line is named where the parser tells it.
    """
    if syntax in _HORNED:
        return _through_horned_owl(data, syntax, path), Syntax.RDF_XML
    if syntax in (Syntax.RDF_XML, Syntax.OWL_XML):
        misread = _scan(data, path)
        if syntax is Syntax.OWL_XML or not misread:
            return data, syntax
    return n_triples(data, syntax, path, base), Syntax.N_TRIPLES


def n_triples(data: bytes, syntax: Syntax, path: str | os.PathLike[str], base: str) -> bytes:
    """Return RDF of any syntax as N-Triples, one plain line per triple."""
    import pyoxigraph as ox

    formats = {
        Syntax.RDF_XML: ox.RdfFormat.RDF_XML,
        Syntax.N_TRIPLES: ox.RdfFormat.N_TRIPLES,
        Syntax.TURTLE: ox.RdfFormat.TURTLE,
        Syntax.JSON_LD: ox.RdfFormat.JSON_LD,
    }
    if syntax is Syntax.RDF_XML:
        # oxigraph knows neither UTF-16 nor every form of <!ENTITY>; canonical XML has neither
        data = canonicalize(data).encode()
    else:
        data = text_of(data, path, LoadingError).encode()
    try:
        quads = list(ox.parse(data, format=formats[syntax], base_iri=base))
    except SyntaxError as reason:
        where = f"{path}, line {reason.lineno}" if reason.lineno else f"{path}"
        raise LoadingError(f"{where}: not valid {syntax}: {reason.msg}") from None
    triples = {quad.triple for quad in quads}
    written = ox.serialize(sorted(triples, key=str), format=ox.RdfFormat.N_TRIPLES)
    return written or b""


def _through_horned_owl(data: bytes, syntax: Syntax, path: str | os.PathLike[str]) -> bytes:
    import pyhornedowl

    text = text_of(data, path, LoadingError)
    try:
        parsed = pyhornedowl.open_ontology_from_string(text, serialization=_HORNED[syntax])
        return parsed.save_to_string("rdf").encode()
    except ValueError as reason:
        raise LoadingError(_horned_message(str(reason), text, syntax, path)) from None


def _horned_message(reason: str, text: str, syntax: Syntax, path: str | os.PathLike[str]) -> str:
    """Return a sentence for horned-owl's error, which is a dump of its internal state."""
    where = f"{path}"
    if at := re.search(r"line_col: Pos\(\((\d+)", reason):
        where += f", line {at.group(1)}"
    elif at := re.search(r"ByteSpan\((\d+)", reason):
        where += f", line {text.encode()[: int(at.group(1))].count(10) + 1}"
    cause = re.search(r'ValidityError\("([^"]*)"', reason)
    what = cause.group(1) if cause else "it breaks off or is misspelt here"
    return f"{where}: not valid {syntax}: {what}"


def _scan(data: bytes, path: str | os.PathLike[str]) -> bool:
    """Check that XML is well-formed, and whether owlready2 would misread it as RDF/XML."""
    misread = False
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        # depth 0 is rdf:RDF; then nodes and properties alternate, as long as nothing is misread
        nonlocal misread, depth
        if depth == 0:
            base = attributes.get(f"{_XML} base", "")
            misread = tag != f"{RDF} RDF" or "#" in base or f"{_XML} lang" in attributes
        elif attributes:
            allowed = _SUBJECTS if depth % 2 else _OBJECTS
            for name, value in attributes.items():
                if name in _IRIS and value.endswith("/"):
                    misread = True
                elif name == f"{RDF} parseType":
                    misread |= value != "Collection"
                elif name == f"{_XML} lang" and not depth % 2:
                    continue
                elif name not in allowed:
                    misread = True
        depth += 1
        if misread:
            parser.StartElementHandler = parser.EndElementHandler = None

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as reason:
        raise LoadingError(not_well_formed(path, reason)) from None
    return misread
