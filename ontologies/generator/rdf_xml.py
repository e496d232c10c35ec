"""A generated ontology as RDF/XML: the same model gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from ..ontology import Kind
from .model import Model

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
        yield _link(model, "rdfs:domain", model.domains[key])
        if key in model.ranges:
            yield _link(model, "rdfs:range", model.ranges[key])
        else:
            yield f"    <rdfs:range rdf:resource={string}/>"
        yield f"  </{tag}>"


def _individuals(model: Model) -> Iterator[str]:
    facts: dict[int, list[str]] = {}
    for subject, property_, value in model.facts:
        tag = f"g:{model.items[property_].name}"
        text = (
            f"    <{tag} rdf:resource={_iri(model, value)}/>"
            if isinstance(value, int)
            else f"    <{tag}>{escape(value)}</{tag}>"
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
    lang = f"xml:lang={quoteattr(item.lang)}"
    if item.label is not None:
        yield f"    <rdfs:label {lang}>{escape(item.label)}</rdfs:label>"
    if item.comment:
        yield f'    <rdfs:comment xml:lang="en">{escape(item.comment)}</rdfs:comment>'
    for synonym in item.synonyms:
        text = escape(synonym)
        yield f'    <oboInOwl:hasExactSynonym xml:lang="en">{text}</oboInOwl:hasExactSynonym>'


def _link(model: Model, tag: str, key: int) -> str:
    return f"    <{tag} rdf:resource={_iri(model, key)}/>"


def _iri(model: Model, key: int) -> str:
    # names are letters, digits, _ and -: nothing in them needs escaping, and they are tags as well
    return f'"{model.iri_of(key)}"'
