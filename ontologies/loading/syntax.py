"""In which syntax an ontology file is written, told by its content; and its triples.

Every file goes through a complete parser: RDF through oxigraph, the syntaxes of OWL and OBO
through horned-owl.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Literal
from xml.etree.ElementTree import C14NWriterTarget, ParseError, XMLParser
from xml.parsers import expat

import pyoxigraph as ox

from alignrank.common.errors import ITEMS_ARE_READ_BY, LoadingError
from alignrank.common.files import FilePath, text_of
from alignrank.common.raw_bytes import check_doctype
from alignrank.ontologies.vocabulary import OWL

from .horned import DEEPEST, check_depth, obo_triples, owl_as_rdf_xml


class Syntax(StrEnum):
    """Formats that ontologies are written in; Turtle takes in N3, as far as that is RDF."""

    RDF_XML = "RDF/XML"
    OWL_XML = "OWL/XML"
    N_TRIPLES = "N-Triples"
    TURTLE = "Turtle"
    FUNCTIONAL = "OWL functional syntax"
    MANCHESTER = "Manchester syntax"
    OBO = "OBO"
    JSON_LD = "JSON-LD"


#: What is read as well in each syntax, or mended, beside stray bytes and other encodings.
MENDED = {
    Syntax.RDF_XML: "IRIs with blanks; an `rdf:ID` that stands twice",
    Syntax.OWL_XML: "",
    Syntax.N_TRIPLES: "Turtle that begins as N-Triples do",
    Syntax.TURTLE: "N3, as far as it is RDF",
    Syntax.FUNCTIONAL: "",
    Syntax.MANCHESTER: "",
    Syntax.OBO: "synonyms with marks that are not escaped, or without a scope; blanks and "
    "invalid addresses in cross-references; up to 100 lines that are no OBO and name neither an "
    "entity nor its parents are left out",
    Syntax.JSON_LD: "named graphs are read as one",
}
# The first significant words of each text format. N-Triples is a subset of Turtle, so it is asked
# first, and for a whole line.
_OPENINGS = [
    (
        Syntax.OBO,
        re.compile(
            r"(format-version|data-version|date|saved-by|auto-generated-by|import|subsetdef|idspace"
            r"|synonymtypedef|default-namespace|default-relationship-id-prefix|namespace-id-rule"
            r"|id-mapping|treat-xrefs-as-[a-z-]+|relax-unique-[a-z-]+|logical-definition-[a-z-]+"
            r"|property_value|remark|ontology|owl-axioms):|\[(Term|Typedef|Instance)\]"
        ),
    ),
    (Syntax.FUNCTIONAL, re.compile(r"(Prefix|Ontology)\s*\(")),
    (Syntax.MANCHESTER, re.compile(r"(Prefix|Ontology|Class|ObjectProperty):")),
    (
        Syntax.N_TRIPLES,
        re.compile(
            r'(<[^<>\s:]*:[^<>\s]*>|_:\S+)[ \t]*<[^<>\s]+>[ \t]*(<[^<>\s]+>|_:\S+|".*"\S*)[ \t]*\.'
            r"[ \t]*(#.*)?$",
            re.M,
        ),
    ),
    (
        Syntax.TURTLE,
        re.compile(
            r"@(prefix|base)\s|(prefix|base)\s+\S*\s*<|<[^<>\s:]*:[^<>\s]*>\s+(a\s|\S+:|<)", re.I
        ),
    ),
    (Syntax.TURTLE, re.compile(r"(\[|_?[\w.-]*:[\w.-]*\s+(a|<[^<>\s]+>|[\w.-]*:[\w.-]+)\s)")),
]
#: So many characters of a file say in which format it is.
_BEGINNING = 10_000
_COMMENTS = re.compile(r"(\s*[#!][^\n]*(\n|\Z))*\s*")


def recognise(data: bytes, path: FilePath) -> Syntax:
    r"""Return the format of an ontology file.

    Parameters
    ----------
    data
        The file's bytes.
    path
        The file, for error messages.

    Raises
    ------
    LoadingError
        If it is XML of another kind, or nothing that is known.

    Examples
    --------
    >>> recognise(b"@prefix owl: <http://www.w3.org/2002/07/owl#> .", "a.owl").value
    'Turtle'
    >>> recognise(b"# mine\nPrefix(:=<http://e.org#>)", "a.owl").value
    'OWL functional syntax'
    """
    if is_xml(data):
        return _xml_syntax(data, path)
    text = text_of(data, path, LoadingError)
    opening = _COMMENTS.sub("", text, count=1)[:_BEGINNING]
    if re.match(r"\{|\[\s*[{[\]]", opening):
        return Syntax.JSON_LD
    for syntax, pattern in _OPENINGS:
        if pattern.match(opening):
            return syntax
    raise LoadingError(f"{path} is in no format that is known: {', '.join(Syntax)} are read")


def is_xml(data: bytes) -> bool:
    """Return whether a file begins as XML does, in UTF-8 or UTF-16."""
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = data[:200].decode("utf-16", errors="ignore").lstrip().encode()
    return (
        re.match(
            rb"<(\?xml|!--|!DOCTYPE|[\w-]+(:[\w-]+)?(\s+[\w:-]+\s*=|\s*/?>\s*<(?!\w+://)))", start
        )
        is not None
    )


#: What expat raises: also where it does not know the encoding that a file states.
_NOT_XML = (expat.ExpatError, ValueError, LookupError)


def _xml_syntax(data: bytes, path: FilePath) -> Syntax:
    tag = ""

    def end_at_root(root: str, _: object) -> None:
        nonlocal tag
        tag = root
        raise StopIteration

    check_doctype(data, path, LoadingError)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = end_at_root
    try:
        parser.Parse(data, True)
    except StopIteration:
        pass
    except _NOT_XML as reason:
        raise LoadingError(_not_well_formed(path, reason)) from None
    if tag == f"{OWL} Ontology":
        return Syntax.OWL_XML
    if " " in tag:
        return Syntax.RDF_XML
    raise LoadingError(f"{path} is XML, but neither RDF/XML nor OWL/XML: its root is <{tag}>")


def check_json(text: str, path: FilePath) -> None:
    """Raise a `LoadingError` that names the line if JSON is broken."""
    try:
        json.loads(text)
    except json.JSONDecodeError as reason:
        why = f"not valid JSON-LD ({reason.msg}): the file is truncated or damaged"
        if reason.msg == "Extra data":
            why = f"a second JSON value, and an ontology is one: {ITEMS_ARE_READ_BY}"
        raise LoadingError(f"{path}, line {reason.lineno}: {why}") from None
    except RecursionError:
        raise LoadingError(
            f"{path}: no ontology: brackets are nested one within another too deeply to be read"
        ) from None
    except ValueError as reason:  # a number of thousands of digits
        raise LoadingError(f"{path}: not valid JSON-LD ({reason})") from None


#: Far beyond what anybody writes; the time to read XML grows with the square of their number.
_MOST_PREFIXES = 40_000


def check_well_formed(data: bytes, path: FilePath) -> None:
    """Raise a `LoadingError` that names the line if XML is broken."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def counted(things: str, limit: int) -> tuple[Callable[..., None], Callable[..., None]]:
        count = 0

        def more(*_: object) -> None:
            nonlocal count
            count += 1
            if count > limit:
                line = parser.CurrentLineNumber
                raise LoadingError(
                    f"{path}, line {line}: more than {limit} {things}: leave some out"
                )

        def less(*_: object) -> None:
            nonlocal count
            count -= 1

        return more, less

    parser.StartElementHandler, parser.EndElementHandler = counted(
        "elements one within another", DEEPEST
    )
    parser.StartNamespaceDeclHandler, parser.EndNamespaceDeclHandler = counted(
        "prefixes of namespaces", _MOST_PREFIXES
    )

    try:
        parser.Parse(data, True)
    except LoadingError:
        raise
    except _NOT_XML as reason:
        raise LoadingError(_not_well_formed(path, reason)) from None


def _not_well_formed(path: FilePath, reason: Exception) -> str:
    if not isinstance(reason, expat.ExpatError):
        return f"{path}: its encoding cannot be read ({reason}): save the file as UTF-8"
    return (
        f"{path}, line {reason.lineno}: not well-formed XML ({expat.ErrorString(reason.code)}): "
        "the file is truncated or damaged"
    )


_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
#: Stands for no language, where xml:lang is empty.
_NO_LANGUAGE = "x-none"
_EXPRESSIONS: dict[Syntax, Literal["ofn", "omn", "owx"]] = {
    Syntax.FUNCTIONAL: "ofn",
    Syntax.MANCHESTER: "omn",
    Syntax.OWL_XML: "owx",
}
_RDF = {
    # Turtle may begin as N-Triples do
    Syntax.N_TRIPLES: (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE),
    Syntax.TURTLE: (ox.RdfFormat.TURTLE, ox.RdfFormat.N3),
    Syntax.JSON_LD: (ox.RdfFormat.JSON_LD,),
}
_QUOTED = re.compile("<<|>>")
_NOT_IN_AN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


def triples_of(
    data: bytes, syntax: Syntax, path: FilePath, base: str
) -> tuple[Iterator[list[ox.Quad]], list[str]]:
    """Return a file's triples, in parts, and cautions on mends.

    The cautions are complete when all parts are read. Each part has blank nodes of its own.

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
    if syntax is Syntax.RDF_XML:
        return iter([_of_rdf_xml(data, path, base)]), _repeated(data, path)
    text = text_of(data, path, LoadingError)
    if syntax is Syntax.OBO:
        return obo_triples(text, path, lambda xml: _of_rdf_xml(xml, path, base))
    if syntax is Syntax.OWL_XML:
        text = _canonical(data, syntax, path)
    if syntax in _EXPRESSIONS:
        xml = owl_as_rdf_xml(text, _EXPRESSIONS[syntax], syntax, path)
        return iter([_of_rdf_xml(xml, path, base)]), []
    if syntax is Syntax.JSON_LD:
        check_json(text, path)
    if syntax is Syntax.TURTLE:
        # quoted triples: the parser would abort
        advice = "quoted triples one within another: name the inner ones"
        check_depth(text, _QUOTED, {"<<": 1, ">>": -1}, path, advice)
    reasons = []
    for rdf_format in _RDF[syntax]:
        try:
            return iter([list(ox.parse(text, format=rdf_format, base_iri=base))]), []
        except SyntaxError as reason:
            reasons.append(reason)
    raise _invalid(reasons[0], syntax, path)


def _repeated(data: bytes, path: FilePath) -> list[str]:
    """Tell of the first rdf:ID that stands twice, which RDF/XML forbids."""
    identifiers: set[bytes] = set()
    for match in re.finditer(rb"""\srdf:ID\s*=\s*["']([^"']*)""", data):
        if (name := match.group(1)) in identifiers:
            line = data.count(b"\n", 0, match.end()) + 1
            words = f"rdf:ID {name.decode(errors='replace')!r} stands there again"
            return [f"{path}, line {line}: {words}, and is read as the same: write rdf:about"]
        identifiers.add(name)
    return []


def _of_rdf_xml(data: bytes, path: FilePath, base: str) -> list[ox.Quad]:
    # XML has one end of line, whatever the file has; oxigraph leaves it as it is
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return list(ox.parse(data, format=ox.RdfFormat.RDF_XML, base_iri=base))
    except SyntaxError:
        # it may be right all the same: oxigraph wants UTF-8, and texts without comments in them
        text = _canonical(data, Syntax.RDF_XML, path)
    try:
        # what no strict parser takes, such as an IRI with a blank in it
        quads = ox.parse(text, format=ox.RdfFormat.RDF_XML, base_iri=base, lenient=True)
        return list(map(_without_language, quads))
    except SyntaxError as reason:
        raise _invalid(reason, Syntax.RDF_XML, path) from None


def _without_language(quad: ox.Quad) -> ox.Quad:
    """Return a triple whose text states no language where that is `_NO_LANGUAGE`."""
    value = quad.object
    if isinstance(value, ox.Literal) and value.language == _NO_LANGUAGE:
        return ox.Quad(quad.subject, quad.predicate, ox.Literal(value.value))
    return quad


def bracketed(iri: str) -> str:
    """Return an IRI as N-Triples write it: what it must not hold is escaped."""
    return f"<{_NOT_IN_AN_IRI.sub(_escape, iri)}>"


def _escape(character: re.Match[str]) -> str:
    return f"\\u{ord(character.group()):04X}"


def _invalid(reason: SyntaxError, syntax: Syntax, path: FilePath) -> LoadingError:
    where = str(path)
    if reason.lineno:
        where = f"{path}, line {reason.lineno}"
    if "remote contexts" in reason.msg:
        return LoadingError(
            f"{where}: its @context is the address of a file, and nothing is fetched: put that "
            "file's @context in its place"
        )
    why = " ".join(reason.msg.split())  # it may quote a line break
    return LoadingError(f"{where}: not valid {syntax}: {why}")


class _Canonical(C14NWriterTarget):
    """Rewrites valid RDF that oxigraph refuses."""

    def pi(self, target: str, data: str | None) -> None:
        """Leave out processing instructions: no literal may hold one."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Write ``xml:lang=""``, which ends an inherited language, as a language of its own."""
        if attributes.get(_LANGUAGE) == "":
            attributes = {**attributes, _LANGUAGE: _NO_LANGUAGE}
        super().start(tag, attributes)


def _canonical(data: bytes, syntax: Syntax, path: FilePath) -> str:
    """Return canonical XML, which has neither UTF-16 nor any <!ENTITY> for others to stumble on."""
    text = io.StringIO()
    parser = XMLParser(target=_Canonical(text.write))
    try:
        parser.feed(data)
        parser.close()
        return text.getvalue()
    except ParseError as reason:
        line = reason.position[0]
        why = str(reason).partition(":")[0]
        raise LoadingError(f"{path}, line {line}: not valid {syntax}: {why}") from None
