"""Files that owlready2 cannot read, or would misread, as the RDF that it reads right.

owlready2's own RDF/XML parser silently drops property attributes (``rdfs:label="..."`` in the tag
of a class: all of PROTON's labels), takes ``xml:base="http://e.org/o#"`` and ``#A`` for
``http://e.org/o##A``, cuts the last slash from IRIs, resolves relative ones wrongly or, with a dot
at the beginning, never, writes numbers anew, forgets inherited ``xml:lang``, and takes the content
of ``rdf:parseType="Literal"`` or ``"Resource"`` for nodes; its N-Triples parser wants one exact
spacing. Whatever is not surely read right goes through oxigraph, a complete RDF parser, to plain
N-Triples first; OWL/XML through horned-owl.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal
from xml.etree.ElementTree import C14NWriterTarget, ParseError, XMLParser

from ontologies.common.inputs import text_of
from ontologies.errors import LoadingError

from .syntax import Syntax, check_json, check_well_formed

if TYPE_CHECKING:
    import pyoxigraph as ox

# A tag with attributes of any other form than those that owlready2 surely reads right: references
# are absolute or begin with #. In a file where only the root is such a tag, nothing is misread.
_UNUSUAL_TAG = re.compile(
    rb"""<[\w:.-]+\s++(?!/?>
    | rdf:(?:about|resource)="(?:(?:\#|[A-Za-z][\w+.-]*:|&\w+;)[^"]*[^"/;])?"\s*/?>
    | rdf:(?:ID|nodeID|datatype)="(?:[^"]*[^"/;])?"\s*/?>
    | rdf:parseType="Collection">
    | xml:lang="[^"]*">[^<]*</
    )[^>]*>""",
    re.VERBOSE,
)
_UNUSUAL_ROOT = re.compile(rb"""(?<!<rdf:RDF)\s+rdf:|xml:lang|xml:base\s*=\s*["'][^"']*[\#&]""")
# Numbers, of which owlready2 keeps the value and not the text.
_NUMBER = re.compile(
    rb"""rdf:datatype="(?:http://www\.w3\.org/2001/XMLSchema\#|&xsd;)
    (?:decimal|float|double|(?:unsigned)?(?:[iI]nt|[lL]ong|[sS]hort|[bB]yte)|\w*[iI]nteger)["]""",
    re.VERBOSE,
)
# The same for OWL/XML.
_UNUSUAL_IRI = re.compile(
    rb"""(?:IRI\s*=\s*"|<IRI>\s*)(?!(?:\#|[\w+.-]*:|&\w+;)[^"<]*[^"<\s/;]["<])|IRI\s*=\s*'"""
)
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
#: Stands for no language, where xml:lang is empty.
_NONE = "x-none"
_HORNED: dict[Syntax, Literal["ofn", "omn", "obo", "owx"]] = {
    Syntax.FUNCTIONAL: "ofn",
    Syntax.MANCHESTER: "omn",
    Syntax.OBO: "obo",
    Syntax.OWL_XML: "owx",
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
    if syntax in (Syntax.RDF_XML, Syntax.OWL_XML) and _surely_read_right(data, syntax):
        return data, syntax
    if syntax in _HORNED:
        rdf = _through_horned_owl(data, syntax, path)
        return readable(rdf, Syntax.RDF_XML, path, base)
    return n_triples(data, syntax, path, base), Syntax.N_TRIPLES


def n_triples(data: bytes, syntax: Syntax, path: str | os.PathLike[str], base: str) -> bytes:
    """Return RDF of any syntax as N-Triples, without datatypes.

    Datatypes say nothing about names, and owlready2 gives up a file for one number that is none.
    """
    import pyoxigraph as ox

    if syntax is Syntax.RDF_XML:
        text = _canonical(data, syntax, path)
    else:
        text = text_of(data, path, LoadingError)
    if syntax is Syntax.JSON_LD:
        check_json(text, path)
    formats = {
        Syntax.RDF_XML: [ox.RdfFormat.RDF_XML],
        Syntax.N_TRIPLES: [ox.RdfFormat.N_TRIPLES],
        Syntax.TURTLE: [ox.RdfFormat.TURTLE, ox.RdfFormat.N3],
        Syntax.JSON_LD: [ox.RdfFormat.JSON_LD],
    }[syntax]
    reasons = []
    for one in formats:
        try:
            triples = _plain(ox.parse(text, format=one, base_iri=base))
            return ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b""
        except SyntaxError as reason:
            reasons.append(reason)
    where = f"{path}, line {reasons[0].lineno}" if reasons[0].lineno else f"{path}"
    if "remote contexts" in reasons[0].msg:
        raise LoadingError(
            f"{where}: its @context is the address of a file, and nothing is fetched: put that "
            "file's @context in its place"
        )
    why = " ".join(reasons[0].msg.split())  # it may quote a line break
    raise LoadingError(f"{where}: not valid {syntax}: {why}")


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
        check_well_formed(data, path)
        line, why = reason.position[0], str(reason).partition(":")[0]
        raise LoadingError(f"{path}, line {line}: not valid {syntax}: {why}") from None


def _plain(quads: Iterable[ox.Quad]) -> Iterable[ox.Triple]:
    import pyoxigraph as ox

    for quad in quads:
        value = quad.object
        if isinstance(value, ox.Literal) and value.language in (None, _NONE):
            yield ox.Triple(quad.subject, quad.predicate, ox.Literal(value.value))
        else:
            yield quad.triple


def _through_horned_owl(data: bytes, syntax: Syntax, path: str | os.PathLike[str]) -> bytes:
    import pyhornedowl

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


def _surely_read_right(data: bytes, syntax: Syntax) -> bool:
    if syntax is Syntax.OWL_XML:
        return b"ontologyIRI=" in data and not _UNUSUAL_IRI.search(data)
    unusual = _UNUSUAL_TAG.finditer(data)
    root = next(unusual, None)
    return (
        root is not None
        and root.group().startswith(b"<rdf:RDF")
        and not _UNUSUAL_ROOT.search(root.group())
        and next(unusual, None) is None
        and not _has_numbers(data)
    )


def _has_numbers(data: bytes) -> bool:
    """Return whether a number stands anywhere but in OWL's own elements, which are no labels."""
    tags = (data.rfind(b"<", 0, number.start()) for number in _NUMBER.finditer(data))
    return any(not data.startswith(b"<owl:", tag) for tag in tags)
