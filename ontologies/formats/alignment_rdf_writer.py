"""Writing the Alignment API's RDF/XML format, in the form that the field's readers read."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from ..alignment import Alignment, Correspondence
from ..errors import AlignmentError
from ..vocabulary import ALIGNMENT, EXTENSION, RDF, XSD

_PREFIXES = {"http://purl.org/dc/elements/1.1/": "dc", "http://purl.org/dc/terms/": "dcterms"}
#: Namespaces in which a reader looks for what it knows.
_OUR_OWN = {ALIGNMENT, RDF.removesuffix("#"), EXTENSION}
_XML_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_ESCAPED = re.compile('[&<>"\n\r\t]')
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def alignment_rdf(alignment: Alignment) -> str:
    """Return `alignment` in the Alignment RDF format, one ``<map><Cell>`` per correspondence.

    The same alignment gives the same text. Metadata goes into an extension namespace, which
    readers of the format skip; a key that is an IRI keeps its own namespace.

    Raises
    ------
    AlignmentError
        If a text holds characters that XML cannot.
    """
    prefixes: dict[str, str] = {}
    metadata = [
        f"  {_fact(key, text, prefixes)}" for key, text in sorted(alignment.metadata.items())
    ]
    cells = [line for c in alignment for line in _cell(c, prefixes)]
    declared = {
        "xmlns": ALIGNMENT,
        "xmlns:rdf": RDF,
        "xmlns:xsd": XSD,
        "xmlns:align": f"{ALIGNMENT}#",
        "xmlns:alext": f"{EXTENSION}#",
        **{f"xmlns:{prefix}": namespace for namespace, prefix in prefixes.items()},
    }
    attributes = "\n         ".join(f"{k}={quoteattr(v)}" for k, v in declared.items())
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<rdf:RDF {attributes}>",
        "<Alignment>",
        "  <xml>yes</xml>",
        "  <level>0</level>",
        f"  <type>{_type(alignment)}</type>",
        *metadata,
        *_ontology("onto1", alignment.ontology1),
        *_ontology("onto2", alignment.ontology2),
        *cells,
        "</Alignment>",
        "</rdf:RDF>",
    ]
    text = "\n".join(lines) + "\n"
    wrong = _NOT_XML.search(text)
    if wrong:
        raise AlignmentError(
            f"alignment {alignment.name!r} holds the character {wrong.group()!r}, which XML cannot "
            f"hold: {text[max(0, wrong.start() - 60) : wrong.start()]!r}"
        )
    return text


def _type(alignment: Alignment) -> str:
    """Return ``??`` (one-to-one, perhaps partial) or ``**`` (nothing is promised)."""
    firsts = {c.entity1 for c in alignment}
    seconds = {c.entity2 for c in alignment}
    return "??" if len(firsts) == len(seconds) == len(alignment) else "**"


def _fact(key: str, text: str, prefixes: dict[str, str]) -> str:
    """Return a fact of no meaning here as an element that readers of the format skip.

    A key that is an IRI keeps its namespace, and gets a prefix in `prefixes`.
    """
    namespace, name = "", key
    if "/" in key or "#" in key:
        cut = max(key.rfind("#"), key.rfind("/")) + 1
        namespace, name = key[:cut], key[cut:]
    said = escape(text, {"\r": "&#13;"})
    if not _XML_NAME.match(name) or namespace.removesuffix("#") in _OUR_OWN:
        return f"<alext:fact alext:name={quoteattr(key)}>{said}</alext:fact>"
    prefix = "alext"
    if namespace:
        new = _PREFIXES.get(namespace, f"ns{len(prefixes) + 1}")
        prefix = prefixes.setdefault(namespace, new)
    return f"<{prefix}:{name}>{said}</{prefix}:{name}>"


def _ontology(role: str, iri: str) -> list[str]:
    if not iri:
        return []
    return [
        f"  <{role}>",
        f"    <Ontology rdf:about={quoteattr(iri)}>",
        f"      <location>{escape(iri)}</location>",
        "      <formalism>",
        '        <Formalism align:name="OWL2.0" align:uri="http://www.w3.org/2002/07/owl#"/>',
        "      </formalism>",
        "    </Ontology>",
        f"  </{role}>",
    ]


def _cell(c: Correspondence, prefixes: dict[str, str]) -> list[str]:
    relation = c.relation if c.stated_relation is None else c.stated_relation
    stated = []
    if c.stated_confidence is not None:
        stated = [f"      <alext:statedConfidence>{c.stated_confidence!r}</alext:statedConfidence>"]
    extra = dict(c.extra)
    about = extra.pop(f"{RDF}about", "")
    return [
        "  <map>",
        f"    <Cell rdf:about={quoteattr(about)}>" if about else "    <Cell>",
        f"      <entity1 rdf:resource={_attribute(c.entity1)}/>",
        f"      <entity2 rdf:resource={_attribute(c.entity2)}/>",
        f'      <measure rdf:datatype="{XSD}float">{float(c.confidence)!r}</measure>',
        f"      <relation>{relation if relation == '=' else escape(relation)}</relation>",
        *stated,
        *(f"      {_fact(key, text, prefixes)}" for key, text in extra.items()),
        "    </Cell>",
        "  </map>",
    ]


def _attribute(iri: str) -> str:
    """Return `quoteattr` of an IRI, most of which have nothing to escape."""
    return quoteattr(iri) if _ESCAPED.search(iri) else f'"{iri}"'
