"""An ontology that can be altered, and written as RDF/XML.

Entities have numbers, so that their names can change.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, replace
from itertools import chain, product
from typing import TypeVar
from urllib.parse import quote

from alignrank.ontologies.formats.alignment_rdf import attribute
from alignrank.ontologies.ontology import Kind, Label
from alignrank.ontologies.vocabulary import NOT_XML, OWL

from .spec import Words

#: Numbers of entities.
Keys = tuple[int, ...]
Pair = tuple[int, int]

#: Stands for the class of everything, where a property states no domain or range.
THING = 0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Item:
    """A named entity.

    Parameters
    ----------
    kind
        Class, property or individual.
    words
        Words of its names.
    name
        The IRI's last part.
    label, lang
        Its label, if it has one, and the label's language.
    comment
        Its comment, if it has one.
    synonyms
        Other names, and labels beyond the first.
    """

    kind: Kind
    words: Words
    name: str
    label: str | None = None
    lang: str = "en"
    comment: Label | None = None
    synonyms: tuple[Label, ...] = ()


@dataclass
class Model:
    """An ontology that can be altered.

    Parameters
    ----------
    iri
        The ontology's IRI; entities are named ``iri#name``.
    iris
        IRIs of the entities that come from a file.
    items
        Entities by number.
    parents
        Parents of every class; a root has none.
    domains, ranges
        Class numbers or `THING` by property; a datatype property has no entry in `ranges`.
    types
        Classes of every individual.
    facts
        (individual, property, individual or literal).
    restrictions
        (class, property, filler): existential restrictions.
    disjoint
        Pairs of classes.
    last
        The last number in use: no number is used twice.
    used_names
        All names, also of removed entities: no new entity gets one of them.
    """

    iri: str
    iris: dict[int, str] = field(default_factory=dict)
    items: dict[int, Item] = field(default_factory=dict)
    parents: dict[int, Keys] = field(default_factory=dict)
    domains: dict[int, int] = field(default_factory=dict)
    ranges: dict[int, int] = field(default_factory=dict)
    types: dict[int, Keys] = field(default_factory=dict)
    facts: list[tuple[int, int, int | str]] = field(default_factory=list)
    restrictions: list[tuple[int, int, int]] = field(default_factory=list)
    disjoint: list[Pair] = field(default_factory=list)
    last: int = 0
    used_names: set[str] = field(default_factory=set)

    def copy(self, iri: str) -> Model:
        """Return a copy under another IRI, which can be altered separately."""
        collections = {f.name: copy(getattr(self, f.name)) for f in fields(self)}
        return Model(**collections | {"iri": iri, "iris": {}})

    def keys(self, kind: Kind) -> list[int]:
        """Return the numbers of the entities of a kind."""
        return [key for key, item in self.items.items() if item.kind is kind]

    def iri_of(self, key: int) -> str:
        """Return an entity's IRI."""
        if key == THING:
            return f"{OWL}Thing"
        return self.iris.get(key) or f"{self.iri}#{self.items[key].name}"

    def add(self, item: Item) -> int:
        """Add an entity and return its number; a number is appended to a name that is in use."""
        self.last += 1
        name = free_name(item.name, self.used_names)
        self.items[self.last] = replace(item, name=name)
        self.used_names.add(name)
        return self.last

    def change(self, key: int, **changes: object) -> None:
        """Replace fields of an entity."""
        self.items[key] = replace(self.items[key], **changes)  # type: ignore[arg-type]
        self.used_names.add(self.items[key].name)

    @property
    def below_roots(self) -> list[int]:
        """The classes that have parents."""
        return [key for key, parents in self.parents.items() if parents]

    def children(self) -> dict[int, list[int]]:
        """Return the children of every class that has children."""
        children: dict[int, list[int]] = {}
        for child, parents in self.parents.items():
            for parent in parents:
                children.setdefault(parent, []).append(child)
        return children

    def ancestors(self, key: int) -> set[int]:
        """Return all classes above a class, and the class itself."""
        ancestors = {key}
        stack = [key]
        while stack:
            fresh = [p for p in self.parents.get(stack.pop(), ()) if p not in ancestors]
            ancestors.update(fresh)
            stack.extend(fresh)
        return ancestors

    def depths(self) -> dict[int, int]:
        """Return the level of every class: 0 for roots, else one more than its lowest parent's."""
        depths: dict[int, int] = {}
        for start in self.parents:
            stack = [start]
            while stack:
                parents = self.parents[stack[-1]]
                waiting = [p for p in parents if p not in depths]
                if waiting:
                    stack.extend(waiting)
                    continue
                depths[stack.pop()] = 1 + max((depths[p] for p in parents), default=-1)
        return depths

    def replace_classes(self, by: Mapping[int, Keys]) -> None:
        """Remove classes and use others in their place.

        Parameters
        ----------
        by
            The stand-ins of each removed class; they may themselves be replaced. A domain, a range
            or a restriction's filler gets the first stand-in; a restriction or disjointness of the
            class goes to all of them.
        """
        stand_ins = {key: _resolved(key, by) for key in by}

        def all_of(*keys: int) -> Keys:
            replaced = (stand_ins.get(key, (key,)) for key in keys)
            return tuple(dict.fromkeys(chain.from_iterable(replaced)))

        def first_of(key: int) -> int:
            return all_of(key)[0]

        parents = {key: all_of(*of_key) for key, of_key in self.parents.items() if key not in by}
        self.parents = {
            key: tuple(p for p in of_key if p != key) for key, of_key in parents.items()
        }
        self.types = {key: all_of(*types) for key, types in self.types.items()}
        self.domains = {key: first_of(domain) for key, domain in self.domains.items()}
        self.ranges = {key: first_of(range_) for key, range_ in self.ranges.items()}
        restrictions: dict[tuple[int, int, int], None] = {}
        for key, property_, filler in self.restrictions:
            restrictions |= {(k, property_, first_of(filler)): None for k in all_of(key)}
        self.restrictions = list(restrictions)
        disjoint: dict[Pair, None] = {}
        for x, y in self.disjoint:
            disjoint |= dict.fromkeys(product(all_of(x), all_of(y)))
        self.disjoint = list(disjoint)
        self.drop(Kind.CLASS, set(by))
        self.drop_contradictions()

    def drop(self, kind: Kind, keys: set[int]) -> None:
        """Remove entities, and every statement on a property or individual among them."""
        self.items = {key: item for key, item in self.items.items() if key not in keys}
        if kind is Kind.PROPERTY:
            self.domains = _without(self.domains, keys)
            self.ranges = _without(self.ranges, keys)
            self.restrictions = [r for r in self.restrictions if r[1] not in keys]
        if kind is not Kind.CLASS:
            self.types = _without(self.types, keys)
            self.facts = [f for f in self.facts if not {k for k in f if isinstance(k, int)} & keys]

    def drop_contradictions(self) -> None:
        """Remove the disjointness of classes that share a descendant, or of which one is above."""
        partners: dict[int, set[int]] = {}
        for x, y in self.disjoint:
            partners.setdefault(x, set()).add(y)
        wrong = {(x, y) for x, y in self.disjoint if y in self.ancestors(x)}
        wrong |= {(x, y) for x, y in self.disjoint if x in self.ancestors(y)}
        for key, parents in self.parents.items():
            if len(parents) > 1:
                above = self.ancestors(key)
                wrong |= {(x, y) for x in above for y in above & partners.get(x, set())}
        self.disjoint = [pair for pair in self.disjoint if pair not in wrong]


def safe_name(text: str) -> str:
    """Return a text as the last part of an IRI: other signs are percent-encoded.

    Examples
    --------
    >>> safe_name("Größe (cm)")
    'Größe%20%28cm%29'
    """
    return re.sub(r"[^\w.~-]", lambda sign: quote(sign.group(), safe=""), text)


def free_name(name: str, used_names: set[str]) -> str:
    """Return a name, with a number appended if it is in use."""
    number = 1
    free = name
    while free in used_names:
        number += 1
        free = f"{name}_{number}"
    return free


def _resolved(key: int, by: Mapping[int, Keys]) -> Keys:
    """Follow replacements of replacements to the classes that stay, each path once."""
    visited: dict[int, None] = {}
    stack = [key]
    while stack:
        current = stack.pop()
        if current not in visited:
            visited[current] = None
            stack.extend(reversed(by.get(current, ())))
    return tuple(k for k in visited if k not in by)


def _without(records: dict[int, T], keys: set[int]) -> dict[int, T]:
    return {key: value for key, value in records.items() if key not in keys}


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
"""
_SYNONYM = """  <owl:AnnotationProperty
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
    head = _HEAD.format(namespace=attribute(f"{model.iri}#"), iri=attribute(model.iri))
    if any(item.synonyms for item in model.items.values()):
        head += _SYNONYM
    body = "\n".join([*_classes(model), *_properties(model), *_individuals(model)])
    return f"{head}{body}\n</rdf:RDF>\n"


def _classes(model: Model) -> Iterator[str]:
    restrictions: dict[int, list[str]] = {}
    for key, property_, filler in model.restrictions:
        text = _RESTRICTION.format(property=_iri(model, property_), filler=_iri(model, filler))
        restrictions.setdefault(key, []).append(text)
    disjoint: dict[int, list[int]] = {}
    for x, y in model.disjoint:
        disjoint.setdefault(x, []).append(y)
    for key in model.keys(Kind.CLASS):
        yield f"  <owl:Class rdf:about={_iri(model, key)}>"
        yield from _annotations(model, key)
        for parent in model.parents[key]:
            yield _link(model, "rdfs:subClassOf", parent)
        yield from restrictions.get(key, [])
        for disjoint_key in disjoint.get(key, []):
            yield _link(model, "owl:disjointWith", disjoint_key)
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
        text = f"    <{tag}>{_escaped(str(value))}</{tag.split()[0]}>"
        if isinstance(value, int):
            text = f"    <{tag} rdf:resource={_iri(model, value)}/>"
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
    lang = f" xml:lang={attribute(label.lang)}" if label.lang else ""
    return f"    <{tag}{lang}>{_escaped(label.text)}</{tag}>"


def _escaped(text: str) -> str:
    # signs that XML does not allow are left out; a carriage return would be read as a line feed
    return html.escape(NOT_XML.sub("", text), quote=False).replace("\r", "&#13;")


def _link(model: Model, tag: str, key: int) -> str:
    return f"    <{tag} rdf:resource={_iri(model, key)}/>"


def _iri(model: Model, key: int) -> str:
    return attribute(model.iri_of(key))


def _tag(model: Model, key: int) -> str:
    """Return a property as a tag; '' if the end of its IRI is no XML name."""
    iri = model.iri_of(key)
    name = _NAME.search(iri)
    if name is None:
        return ""
    space = iri[: name.start()]
    if space == f"{model.iri}#":
        return f"g:{name.group()}"
    return f"n:{name.group()} xmlns:n={attribute(space)}"
