"""A generated ontology as RDF/XML: the same model gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from ontologies.ontology import Kind, Label

from .model import THING, Model

#: What no XML 1.0 file holds.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The end of an IRI that can be the name of a tag.
_LETTERS = "A-Za-z_\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff"
_NAME = re.compile(rf"[{_LETTERS}][{_LETTERS}0-9.-]*$")

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
         xmlns:owl="http://www.w3.org/2002/07/owl#"
         xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#"
         xmlns:g={namespace}>
  <owl:Ontology rdf:about={iri}/>
  <owl:AnnotationProperty
      rdf:about="http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"/>
"""

_RESTRICTION = """    <rdfs:subClassOf>
      <owl:Restriction>
        <owl:onProperty rdf:resource={property}/>
        <owl:someValuesFrom rdf:resource={filler}/>
      </owl:Restriction>
    </rdfs:subClassOf>"""


def to_rdf_xml(model: Model) -> str:
    """Return the ontology as RDF/XML."""
    head = _HEAD.format(namespace=quoteattr(f"{model.iri}#"), iri=quoteattr(model.iri))
    return (
        head
        + "\n".join([*_classes(model), *_properties(model), *_individuals(model)])
        + ("\n</rdf:RDF>\n")
    )


def _classes(model: Model) -> Iterator[str]:
    restrictions: dict[int, list[str]] = {}
    for key, property_, filler in model.restrictions:
        text = _RESTRICTION.format(property=_iri(model, property_), filler=_iri(model, filler))
        restrictions.setdefault(key, []).append(text)
    disjoint: dict[int, list[int]] = {}
    for one, two in model.disjoint:
        disjoint.setdefault(one, []).append(two)
    for key in model.keys(Kind.CLASS):
        yield f"  <owl:Class rdf:about={_iri(model, key)}>"
        yield from _annotations(model, key)
        for parent in model.parents[key]:
            yield _link(model, "rdfs:subClassOf", parent)
        yield from restrictions.get(key, [])
        for other in disjoint.get(key, []):
            yield _link(model, "owl:disjointWith", other)
        yield "  </owl:Class>"


def _properties(model: Model) -> Iterator[str]:
    string = '"http://www.w3.org/2001/XMLSchema#string"'
    for key in model.keys(Kind.PROPERTY):
        tag = "owl:ObjectProperty" if key in model.ranges else "owl:DatatypeProperty"
        yield f"  <{tag} rdf:about={_iri(model, key)}>"
        yield from _annotations(model, key)
        if model.domains[key] != THING:
            yield _link(model, "rdfs:domain", model.domains[key])
        if model.ranges.get(key, THING) != THING:
            yield _link(model, "rdfs:range", model.ranges[key])
        elif key not in model.ranges:
            yield f"    <rdfs:range rdf:resource={string}/>"
        yield f"  </{tag}>"


def _individuals(model: Model) -> Iterator[str]:
    facts: dict[int, list[str]] = {}
    for subject, property_, value in model.facts:
        tag = _tag(model, property_)
        if not tag:
            continue
        text = (
            f"    <{tag} rdf:resource={_iri(model, value)}/>"
            if isinstance(value, int)
            else f"    <{tag}>{_escaped(value)}</{tag.split()[0]}>"
        )
        facts.setdefault(subject, []).append(text)
    for key in model.keys(Kind.INDIVIDUAL):
        yield f"  <owl:NamedIndividual rdf:about={_iri(model, key)}>"
        for type_ in model.types[key]:
            yield _link(model, "rdf:type", type_)
        yield from _annotations(model, key)
        yield from facts.get(key, [])
        yield "  </owl:NamedIndividual>"


def _annotations(model: Model, key: int) -> Iterator[str]:
    item = model.items[key]
    if item.label is not None:
        yield _text("rdfs:label", Label(item.label, item.lang))
    if item.comment is not None:
        yield _text("rdfs:comment", item.comment)
    for synonym in item.synonyms:
        yield _text("oboInOwl:hasExactSynonym", synonym)


def _text(tag: str, label: Label) -> str:
    lang = f" xml:lang={quoteattr(label.lang)}" if label.lang else ""
    return f"    <{tag}{lang}>{_escaped(label.text)}</{tag}>"


def _escaped(text: str) -> str:
    # signs that XML cannot hold are left out; a carriage return would be read as a line feed
    return escape(_NOT_XML.sub("", text), {"\r": "&#13;"})


def _link(model: Model, tag: str, key: int) -> str:
    return f"    <{tag} rdf:resource={_iri(model, key)}/>"


def _iri(model: Model, key: int) -> str:
    return quoteattr(model.iri_of(key))


def _tag(model: Model, key: int) -> str:
    """Return a property as a tag; '' where its IRI ends in nothing that XML takes for a name."""
    iri = model.iri_of(key)
    name = _NAME.search(iri)
    if name is None:
        return ""
    space = iri[: name.start()]
    if space == f"{model.iri}#":
        return f"g:{name.group()}"
    return f"n:{name.group()} xmlns:n={quoteattr(space)}"
