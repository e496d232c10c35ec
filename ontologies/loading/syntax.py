"""In which format an ontology file is written, told by its content and never by its ending."""

from __future__ import annotations

import json
import os
import re
from enum import StrEnum
from xml.parsers import expat

from ontologies.common.inputs import text_of
from ontologies.errors import LoadingError
from ontologies.vocabulary import OWL, RDF


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


# The first significant words of each text format. N-Triples is a subset of Turtle, so it is asked
# first, and for a whole line.
_OPENINGS = [
    (Syntax.OBO, re.compile(r"(format-version|ontology|data-version|default-namespace):|\[Term\]")),
    (Syntax.FUNCTIONAL, re.compile(r"(Prefix|Ontology)\s*\(")),
    (Syntax.MANCHESTER, re.compile(r"(Prefix|Ontology|Class|ObjectProperty):")),
    (
        Syntax.N_TRIPLES,
        re.compile(
            r'(<[^<>\s]*:[^<>\s]*>|_:\S+)[ \t]*<[^<>\s]+>[ \t]*(<[^<>\s]+>|_:\S+|".*"\S*)[ \t]*\.'
            r"[ \t]*(#.*)?$",
            re.M,
        ),
    ),
    (
        Syntax.TURTLE,
        re.compile(
            r"@(prefix|base)\s|(prefix|base)\s+\S*\s*<|<[^<>\s]*:[^<>\s]*>\s+(a\s|\S+:|<)", re.I
        ),
    ),
    (Syntax.TURTLE, re.compile(r"(\[|_?[\w.-]*:[\w.-]*\s+(a|<[^<>\s]+>|[\w.-]*:[\w.-]+)\s)")),
]
_COMMENTS = re.compile(r"(\s*[#!][^\n]*(\n|\Z))*\s*")


def recognise(data: bytes, path: str | os.PathLike[str]) -> Syntax:
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
    text = text_of(data, path, LoadingError) if not _is_xml(data) else ""
    if not text:
        return _xml_syntax(data, path)
    opening = _COMMENTS.sub("", text, count=1)
    if re.match(r"\{|\[\s*[{\]]", opening):
        return Syntax.JSON_LD
    for syntax, pattern in _OPENINGS:
        if pattern.match(opening):
            return syntax
    raise LoadingError(f"{path} is in no format that is known: {', '.join(Syntax)} are read")


def _is_xml(data: bytes) -> bool:
    start = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = data[:200].decode("utf-16", errors="ignore").lstrip().encode()
    return re.match(rb"<(\?xml|!--|!DOCTYPE|[\w:-]+(\s+[\w:-]+\s*=|\s*/?>\s*<))", start) is not None


#: What expat raises: also where it does not know the encoding that a file states.
_NOT_XML = (expat.ExpatError, ValueError, LookupError)


class _Found(Exception):  # noqa: N818
    """Ends an expat parse early, with what was looked for."""


def _xml_syntax(data: bytes, path: str | os.PathLike[str]) -> Syntax:
    def start(tag: str, attributes: dict[str, str]) -> None:
        raise _Found(tag)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    tag = ""
    try:
        parser.Parse(data, True)
    except _Found as found:
        tag = str(found)
    except _NOT_XML as reason:
        raise LoadingError(_not_well_formed(path, reason)) from None
    if tag == f"{OWL} Ontology":
        return Syntax.OWL_XML
    if " " in tag:
        return Syntax.RDF_XML
    raise LoadingError(f"{path} is XML, but neither RDF/XML nor OWL/XML: its root is <{tag}>")


def check_json(text: str, path: str | os.PathLike[str]) -> None:
    """Raise a `LoadingError` that names the line if JSON is broken."""
    try:
        json.loads(text)
    except json.JSONDecodeError as reason:
        raise LoadingError(
            f"{path}, line {reason.lineno}: not valid JSON-LD ({reason.msg}): the file is "
            "truncated or damaged"
        ) from None
    except (ValueError, RecursionError) as reason:  # a number of thousands of digits; deep nesting
        raise LoadingError(f"{path}: not valid JSON-LD ({reason})") from None


def check_well_formed(data: bytes, path: str | os.PathLike[str]) -> None:
    """Raise a `LoadingError` that names the line if XML is broken, or holds another file's text."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def refuse(context: str, base: str | None, system: str | None, public: str | None) -> int:
        # the context lists what is open: namespaces, and the entity
        entity = context.rpartition("\f")[2]
        raise LoadingError(
            f"{path}, line {parser.CurrentLineNumber}: the entity &{entity}; stands for the file "
            f"{system}, and no other file is read: put its text in its place"
        )

    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except LoadingError:
        raise
    except _NOT_XML as reason:
        raise LoadingError(_not_well_formed(path, reason)) from None


def _not_well_formed(path: str | os.PathLike[str], reason: Exception) -> str:
    if not isinstance(reason, expat.ExpatError):
        return f"{path}: its encoding cannot be read ({reason}): save the file as UTF-8"
    return (
        f"{path}, line {reason.lineno}: not well-formed XML ({expat.ErrorString(reason.code)}): "
        "the file is truncated or damaged"
    )


_HEADERS = [
    re.compile(rf"<([^<>\s]+)>\s+(a|<{RDF}type>)\s+(owl:Ontology|<{OWL}Ontology>)"),
    re.compile(r"^\s*Ontology\s*[(:]\s*<([^<>\s]+)>", re.M),
    re.compile(r"^ontology:\s*(\S+)", re.M),
]


def ontology_iri(data: bytes) -> str:
    r"""Return the ontology IRI that a file states in its header, '' where none is found.

    Examples
    --------
    >>> ontology_iri(b"@prefix : <http://e.org#> .\n<http://e.org> a owl:Ontology .")
    'http://e.org'
    """
    if _is_xml(data):
        return _xml_ontology_iri(data)
    text = data.decode("utf-8-sig", errors="replace")
    headers = (pattern.search(text) for pattern in _HEADERS)
    return next((header.group(1) for header in headers if header), "")


def _xml_ontology_iri(data: bytes) -> str:
    base = ""

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal base
        base = base or attributes.get("http://www.w3.org/XML/1998/namespace base", "")
        if tag == f"{OWL} Ontology":
            about = attributes.get("ontologyIRI", attributes.get(f"{RDF} about", ""))
            raise _Found(about or base)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)
    except _Found as found:
        return str(found)
    except _NOT_XML:
        pass
    return ""
