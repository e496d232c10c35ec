"""The Alignment API's RDF/XML format, as the OAEI's files are written.

Definition: Jérôme Euzenat, "An API for ontology alignment", ISWC 2004, and the format's page at
https://moex.gitlabpages.inria.fr/alignapi/format.html. Real files stray from it in many ways; the
reader takes every way that is known to occur.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Mapping
from xml.parsers import expat

from alignrank.common.errors import AlignmentError
from alignrank.common.names import MutableTexts, Pair
from alignrank.common.raw_bytes import check_doctype
from alignrank.ontologies.alignment import (
    NO_TERM,
    PREDICATE,
    PREDICATES,
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    extra_of,
)
from alignrank.ontologies.vocabulary import ALIGNMENT, EXTENSION, NOT_XML, OWL, RDF, SSSOM, XSD

from .cells import Cells

_ENTITIES = {"entity1", "entity2"}
_ONTOLOGIES = ("onto1", "onto2")
#: Elements of a header that are no facts, or are facts of what is said in other places.
_NO_FACTS = {"", "xml", "map", "Cell", "Ontology", *_ONTOLOGIES, "uri1", "uri2"}
#: Elements of a cell that are no facts beyond it.
_OF_A_CELL = {"", "entity1", "entity2", "measure", "relation"}
_FORMALISM = f"OWL2.0 {OWL}"
_STATED = "statedConfidence"
_BARE_AMPERSAND = re.compile(rb"&(?!#?\w+;)")


def is_xml(text: str) -> bool:
    """Return whether a file's text begins as XML does."""
    return text.lstrip().startswith("<")


def parse_alignment_rdf(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment that an Alignment RDF file holds.

    Parameters
    ----------
    data
        The file's bytes.
    cells
        Empty; they know the file.

    Raises
    ------
    AlignmentError
        If the XML is not well-formed, there is no alignment in it, a cell lacks an entity or has
        one that is not an IRI (EDOAL, level 2), or a confidence is not a number.
    """
    check_doctype(data, cells.path, AlignmentError)
    reader = _Reader(cells)
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as reason:
        raise _not_well_formed(data, cells, reason) from None
    except ValueError as reason:  # an encoding that stands too far back to have been seen
        raise AlignmentError(f"{cells.path}, line 1: {reason}: save the file as UTF-8") from None
    if not reader.is_alignment:
        raise AlignmentError(
            f"{cells.path} is XML, but holds no <Alignment> in the namespace {ALIGNMENT}: is it an "
            "ontology?"
        )
    metadata = reader.metadata
    for key, usual in _usual(reader.ontologies).items():
        if metadata.get(key) == usual:
            del metadata[key]
    alignment = cells.alignment(
        ontology1=reader.ontologies.get("1", ""),
        ontology2=reader.ontologies.get("2", ""),
        metadata=metadata,
        foreign=reader.foreign,
    )
    if metadata.get("type") == _type(alignment):
        alignment.metadata = {key: text for key, text in metadata.items() if key != "type"}
    return alignment


def _usual(ontologies: Mapping[str, str]) -> MutableTexts:
    """Return the usual header of an alignment, by the key of its metadata."""
    usual = {"level": "0"}
    for side in "12":
        usual[f"location{side}"] = ontologies.get(side, "")
        usual[f"formalism{side}"] = _FORMALISM
    return usual


def _not_well_formed(data: bytes, cells: Cells, reason: expat.ExpatError) -> AlignmentError:
    lines = data.splitlines()
    line = lines[reason.lineno - 1] if reason.lineno <= len(lines) else b""
    hint = "the file is truncated or damaged"
    if _BARE_AMPERSAND.search(line):
        hint = "write & as &amp; in an IRI"
    cause = expat.ErrorString(reason.code)
    return cells.error(reason.lineno, f"not well-formed XML ({cause}): {hint}")


class _Reader:
    """Expat's handlers: elements are known by their local name, in any order and nesting.

    A cell is whatever element holds entity1 and entity2: <Cell>, or rdf:Description as RDF
    libraries write it.
    """

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.is_alignment = False
        self.ontologies: MutableTexts = {}
        self.metadata: MutableTexts = {}
        self.foreign: Counter[str] = Counter()
        self._open: list[Pair] = []
        self._cell: MutableTexts = {}
        self._cell_line = 0
        self._extra: list[Pair] = []
        self._attributes: MutableTexts = {}
        self._text: list[str] = []
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text.append

    def _start(self, tag: str, attributes: MutableTexts) -> None:
        namespace, _, name = tag.rpartition(" ")
        is_alignment = namespace.removesuffix("#") == ALIGNMENT
        self._open.append((namespace, name if is_alignment else ""))
        self._text.clear()
        self._attributes = attributes
        if (is_alignment and name == "Cell") or tag == f"{RDF} Description":
            self._cell = {}
            about = attributes.get(f"{RDF} about", "")
            self._extra = [(f"{RDF}about", about)] if about and is_alignment else []
            self._extra += [(key, text) for key, text in attributes.items() if " " not in key]
            self._cell_line = self.parser.CurrentLineNumber
        if tag == f"{RDF} RDF":
            for key, text in attributes.items():  # AML names itself in an attribute
                self._note("" if " " in key else key, text)
        if not is_alignment:
            resource = attributes.get(f"{RDF} resource", "")
            self.is_alignment |= tag == f"{RDF} type" and resource.endswith("Alignment")
        elif name == "Alignment":
            self.is_alignment = True
            self._note(f"{RDF}about", attributes.get(f"{RDF} about", ""))
        elif name == "Formalism":
            facts = {key.rpartition(" ")[2]: text for key, text in attributes.items()}
            self._note(f"formalism{self._side}", f"{facts.get('name', '')} {facts.get('uri', '')}")
        elif name in ("entity1", "entity2"):
            if name in self._cell:
                raise self.cells.error(
                    self.parser.CurrentLineNumber,
                    f"a second {name} in its cell: give each correspondence a cell of its own",
                )
            self._cell[name] = self._entity(name, attributes)
        elif name in _ONTOLOGIES:
            self._ontology(name[-1], attributes.get(f"{RDF} resource", ""))
        elif name == "Ontology" and self._parent in _ONTOLOGIES:
            self._ontology(self._parent[-1], attributes.get(f"{RDF} about", ""))

    def _entity(self, name: str, attributes: MutableTexts) -> str:
        # MELT states a no-match by null, and earlier by nothing
        iri = attributes.get(f"{RDF} resource", "").strip() or "null"
        if f"{RDF} resource" not in attributes:
            raise self.cells.error(
                self.parser.CurrentLineNumber,
                f"{name} has no rdf:resource: complex correspondences (EDOAL, level 2) are not "
                "supported, only named entities are",
            )
        return iri

    def _ontology(self, side: str, iri: str) -> None:
        if iri := iri.strip():
            first_iri = self.ontologies.setdefault(side, iri)
            self._note(f"uri{side}", iri if iri != first_iri else "")

    def _note(self, key: str, text: str) -> None:
        """Keep a fact about the alignment, beside earlier ones of the same name."""
        if key and (text := text.strip()):
            earlier = self.metadata.get(key, text)
            self.metadata[key] = text if earlier == text else f"{earlier}; {text}"

    @property
    def _side(self) -> str:
        """1 or 2 within an ontology's description."""
        return next((name[-1] for _, name in self._open if name in _ONTOLOGIES), "")

    @property
    def _parent(self) -> str:
        if len(self._open) > 1:
            return self._open[-2][1]
        return ""

    def _end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        namespace, name = self._open[-1]
        if name in ("measure", "relation"):
            self._cell[name] = text
        elif name in ("onto1", "onto2", "uri1", "uri2"):
            self._ontology(name[-1], text)
        elif name == "location" and self._side:
            self._note(f"location{self._side}", text)
        elif self._parent == "Alignment" and name not in _NO_FACTS:
            self._note(name, text)
        elif self._parent == "Cell" and name not in _OF_A_CELL and text:
            self._extra.append((f"{ALIGNMENT}#{name}", text))
        elif namespace not in (RDF, "") and not name:
            self._foreign(namespace, tag.rpartition(" ")[2], text)
        if name == "Cell" or (tag == f"{RDF} Description" and self._cell.keys() & _ENTITIES):
            self._add_cell()
        self._open.pop()
        self._text.clear()
        self._attributes = {}

    def _add_cell(self) -> None:
        cell = self._cell
        self._cell = {}
        self.is_alignment = True
        self.cells.add(
            cell.get("entity1", ""),
            cell.get("entity2", ""),
            cell.get("relation"),
            cell.get(_STATED, cell.get("measure")),
            line=self._cell_line,
            extra=self._extra,
        )
        self._extra = []

    def _foreign(self, namespace: str, name: str, text: str) -> None:
        own = namespace.removesuffix("#") == EXTENSION
        key = self._attributes.get(f"{EXTENSION}# name", name) if own else namespace + name
        if own and name == _STATED:
            self._cell[_STATED] = text
        elif self._parent == "Alignment" and text:
            self._note(key, text)
        else:
            if namespace != SSSOM:
                self.foreign[namespace] += 1
            text = text or self._attributes.get(f"{RDF} resource", "")
            if text and (self._parent == "Cell" or self._open[-2][0] == RDF):
                self._extra.append((key, text))


_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    SSSOM: "sssom",
}
#: Namespaces in which a reader looks for what it knows.
_OUR_OWN = {ALIGNMENT, RDF.removesuffix("#"), EXTENSION}
_XML_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_ESCAPED = re.compile('[&<>"\n\r\t]')


def alignment_rdf(alignment: Alignment) -> str:
    """Return `alignment` in the Alignment RDF format, one ``<map><Cell>`` per correspondence.

    The same alignment gives the same text. Metadata goes into an extension namespace, which
    readers of the format skip; a key that is an IRI keeps its own namespace.

    Raises
    ------
    AlignmentError
        If a text holds characters that XML cannot.
    """
    prefixes: MutableTexts = {}
    facts = dict(alignment.metadata)
    about = facts.pop(f"{RDF}about", "")
    level = facts.pop("level", "0")
    type_ = facts.pop("type", _type(alignment))
    ontologies = [
        *_ontology("1", alignment.ontology1, facts),
        *_ontology("2", alignment.ontology2, facts),
    ]
    metadata = [f"  {_fact(key, text, prefixes)}" for key, text in sorted(facts.items())]
    cells = [line for c in alignment for line in _cell(c, prefixes)]
    no_matches = (_as_cell(n) for n in alignment.negated if n.is_no_match)
    cells += [line for c in no_matches for line in _cell(c, prefixes)]
    declared = {
        "xmlns": f"{ALIGNMENT}#",
        "xmlns:rdf": RDF,
        "xmlns:xsd": XSD,
        "xmlns:align": f"{ALIGNMENT}#",
        "xmlns:alext": f"{EXTENSION}#",
        **{f"xmlns:{prefix}": namespace for namespace, prefix in prefixes.items()},
    }
    attributes = "\n         ".join(f"{k}={attribute(v)}" for k, v in declared.items())
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<rdf:RDF {attributes}>",
        f"<Alignment rdf:about={attribute(about)}>" if about else "<Alignment>",
        "  <xml>yes</xml>",
        f"  <level>{_escaped(level)}</level>",
        f"  <type>{_escaped(type_)}</type>",
        *metadata,
        *ontologies,
        *cells,
        "</Alignment>",
        "</rdf:RDF>",
    ]
    text = "\n".join(lines) + "\n"
    wrong = NOT_XML.search(text)
    if wrong:
        raise AlignmentError(
            f"alignment {alignment.name!r} holds the character {wrong.group()!r}, which XML cannot "
            f"hold: {text[max(0, wrong.start() - 60) : wrong.start()]!r}"
        )
    return text


def cautions_of_rdf(alignment: Alignment) -> list[str]:
    """Return cautions on facts that the format has no word for."""
    if alignment.has_confidences or not alignment:
        return []
    return ["no confidence is stated: each is written as 1.0, as the Alignment API does"]


def _type(alignment: Alignment) -> str:
    """Return ``11`` (one-to-one) or ``**`` (an entity has several partners)."""
    columns = alignment.columns
    if len(set(columns.entity1)) == len(set(columns.entity2)) == len(alignment):
        return "11"
    return "**"


def _fact(key: str, text: str, prefixes: MutableTexts) -> str:
    """Return a fact of no meaning here as an element that readers of the format skip.

    A key that is an IRI keeps its namespace, and gets a prefix in `prefixes`.
    """
    namespace = ""
    name = key
    if "/" in key or "#" in key:
        cut = max(key.rfind("#"), key.rfind("/")) + 1
        namespace = key[:cut]
        name = key[cut:]
    escaped = _escaped(text).replace("\r", "&#13;")
    if not _XML_NAME.match(name) or namespace.removesuffix("#") in _OUR_OWN:
        return f"<alext:fact alext:name={attribute(key)}>{escaped}</alext:fact>"
    prefix = "alext"
    if namespace:
        new = _PREFIXES.get(namespace, f"ns{len(prefixes) + 1}")
        prefix = prefixes.setdefault(namespace, new)
    return f"<{prefix}:{name}>{escaped}</{prefix}:{name}>"


def _ontology(side: str, iri: str, facts: MutableTexts) -> list[str]:
    """Return an ontology's description; what `facts` say of it is taken out of them."""
    location = facts.pop(f"location{side}", iri)
    name, _, language = facts.pop(f"formalism{side}", _FORMALISM).partition(" ")
    uri = facts.pop(f"uri{side}", "")
    if not (iri or location or uri):
        return []
    return [
        f"  <onto{side}>",
        f"    <Ontology rdf:about={attribute(iri)}>",
        f"      <location>{_escaped(location)}</location>",
        "      <formalism>",
        f"        <Formalism align:name={attribute(name)} align:uri={attribute(language)}/>",
        "      </formalism>",
        "    </Ontology>",
        f"  </onto{side}>",
        *([f"  <uri{side}>{_escaped(uri)}</uri{side}>"] if uri else []),
    ]


def _as_cell(n: NegatedCorrespondence) -> Correspondence:
    """Return a no-match as MELT writes it: with null for an entity."""
    entity1, entity2 = ("null" if iri == NO_TERM else iri for iri in n.pair)
    extra = dict(n.extra)
    if n.predicate != PREDICATES["="]:
        extra[PREDICATE] = n.predicate
    return Correspondence(entity1, entity2, extra=extra_of(extra))


def _cell(c: Correspondence, prefixes: MutableTexts) -> list[str]:
    relation = c.relation if c.stated_relation is None else c.stated_relation
    stated = []
    if c.stated_confidence is not None:
        stated = [f"      <alext:statedConfidence>{c.stated_confidence!r}</alext:statedConfidence>"]
    extra = dict(c.extra)
    about = extra.pop(f"{RDF}about", "")
    return [
        "  <map>",
        f"    <Cell rdf:about={attribute(about)}>" if about else "    <Cell>",
        f"      <entity1 rdf:resource={attribute(c.entity1)}/>",
        f"      <entity2 rdf:resource={attribute(c.entity2)}/>",
        f'      <measure rdf:datatype="{XSD}float">{float(c.confidence)!r}</measure>',
        f"      <relation>{_escaped(relation)}</relation>",
        *stated,
        *(f"      {_fact(key, text, prefixes)}" for key, text in extra.items()),
        "    </Cell>",
        "  </map>",
    ]


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def attribute(text: str) -> str:
    """Return the value of an attribute in its quotation marks; most have nothing to escape."""
    if not _ESCAPED.search(text):
        return f'"{text}"'
    from xml.sax.saxutils import quoteattr  # imports the modules of the network

    return quoteattr(text)
