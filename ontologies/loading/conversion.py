"""Ontology files of every syntax as N-Triples, which owlready2 reads as they are.

owlready2's own RDF/XML parser silently drops property attributes (``rdfs:label="..."`` in the tag
of a class: all of PROTON's labels), doubles the mark of a base that ends in one, cuts the last
slash from IRIs, and forgets inherited languages. So every file goes through a complete parser
first: RDF through oxigraph, the syntaxes of OWL and OBO through horned-owl.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from typing import Literal
from xml.etree.ElementTree import C14NWriterTarget, ParseError, XMLParser

import pyhornedowl
import pyoxigraph as ox

from ontologies.common.inputs import text_of
from ontologies.errors import LoadingError

from .syntax import Syntax, check_json, check_well_formed

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
#: Stands for no language, where xml:lang is empty.
_NONE = "x-none"
_HORNED: dict[Syntax, Literal["ofn", "omn", "obo", "owx"]] = {
    Syntax.FUNCTIONAL: "ofn",
    Syntax.MANCHESTER: "omn",
    Syntax.OBO: "obo",
    Syntax.OWL_XML: "owx",
}
_RDF = {
    Syntax.N_TRIPLES: (ox.RdfFormat.N_TRIPLES,),
    Syntax.TURTLE: (ox.RdfFormat.TURTLE, ox.RdfFormat.N3),
    Syntax.JSON_LD: (ox.RdfFormat.JSON_LD,),
}
_NOT_IN_AN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


def n_triples(data: bytes, syntax: Syntax, path: str | os.PathLike[str], base: str) -> bytes:
    """Return a file's content as N-Triples.

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
    if syntax in (Syntax.RDF_XML, Syntax.OWL_XML):
        check_well_formed(data, path)
    if syntax in _HORNED:
        return _of_rdf_xml(_through_horned_owl(data, syntax, path), path, base)
    if syntax is Syntax.RDF_XML:
        return _of_rdf_xml(data, path, base)
    text = text_of(data, path, LoadingError)
    if syntax is Syntax.JSON_LD:
        check_json(text, path)
    reasons = []
    for rdf_format in _RDF[syntax]:
        try:
            # without the names of graphs
            triples = (q.triple for q in ox.parse(text, format=rdf_format, base_iri=base))
            return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
        except SyntaxError as reason:
            reasons.append(reason)
    raise _invalid(reasons[0], syntax, path)


def _of_rdf_xml(data: bytes, path: str | os.PathLike[str], base: str) -> bytes:
    try:
        parsed = ox.parse(data, format=ox.RdfFormat.RDF_XML, base_iri=base)
        return ox.serialize(parsed, format=ox.RdfFormat.N_TRIPLES) or b""
    except SyntaxError:
        # it may be right all the same: oxigraph wants UTF-8, and texts without comments in them
        text = _canonical(data, Syntax.RDF_XML, path)
    try:
        # what no strict parser takes, such as an IRI with a blank in it
        quads = ox.parse(text, format=ox.RdfFormat.RDF_XML, base_iri=base, lenient=True)
        lines = (f"{_term(q.subject)} {_term(q.predicate)} {_term(q.object)} .\n" for q in quads)
        return "".join(lines).encode()
    except SyntaxError as reason:
        raise _invalid(reason, Syntax.RDF_XML, path) from None


def _term(term: object) -> str:
    if isinstance(term, ox.NamedNode):
        return bracketed(term.value)
    if isinstance(term, ox.Literal) and term.language is None:
        return f"{ox.Literal(term.value)}^^{_term(term.datatype)}"
    if isinstance(term, ox.Literal) and term.language == _NONE:
        return str(ox.Literal(term.value))
    return str(term)


def bracketed(iri: str) -> str:
    """Return an IRI as N-Triples write it: what it must not hold is escaped."""
    return f"<{_NOT_IN_AN_IRI.sub(_escape, iri)}>"


def _escape(character: re.Match[str]) -> str:
    return f"\\u{ord(character.group()):04X}"


def _invalid(reason: SyntaxError, syntax: Syntax, path: str | os.PathLike[str]) -> LoadingError:
    where = f"{path}, line {reason.lineno}" if reason.lineno else f"{path}"
    if "remote contexts" in reason.msg:
        return LoadingError(
            f"{where}: its @context is the address of a file, and nothing is fetched: put that "
            "file's @context in its place"
        )
    why = " ".join(reason.msg.split())  # it may quote a line break
    return LoadingError(f"{where}: not valid {syntax}: {why}")


class _Canonical(C14NWriterTarget):
    """Writes what oxigraph refuses, though it is right, in another way."""

    def pi(self, target: str, data: str | None) -> None:
        """Leave out processing instructions: no literal may hold one."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Write ``xml:lang=""``, which ends an inherited language, as a language of its own."""
        if attributes.get(_LANGUAGE) == "":
            attributes = {**attributes, _LANGUAGE: _NONE}
        super().start(tag, attributes)


def _canonical(data: bytes, syntax: Syntax, path: str | os.PathLike[str]) -> str:
    """Return canonical XML, which has neither UTF-16 nor any <!ENTITY> for others to stumble on."""
    text = io.StringIO()
    parser = XMLParser(target=_Canonical(text.write))
    try:
        parser.feed(data)
        parser.close()
        return text.getvalue()
    except ParseError as reason:
        line, why = reason.position[0], str(reason).partition(":")[0]
        raise LoadingError(f"{path}, line {line}: not valid {syntax}: {why}") from None


def _through_horned_owl(data: bytes, syntax: Syntax, path: str | os.PathLike[str]) -> bytes:
    if syntax is Syntax.OWL_XML:
        text = _canonical(data, syntax, path)
    else:
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
