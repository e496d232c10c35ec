"""The seed ontology: a tree of made-up equipment, with properties, individuals and axioms.

Every random choice has its own stream, so that a change of one changes no other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, count
from random import Random
from typing import TypeVar

from alignrank.common.errors import OntologyError
from alignrank.common.files import FilePath
from alignrank.ontologies.loading import load_with_triples
from alignrank.ontologies.loading.triples import Triples
from alignrank.ontologies.ontology import (
    OTHER_THINGS,
    Entity,
    Kind,
    Label,
    Ontology,
    local_name,
)
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS, XSD

from .model import THING, Item, Model, Pair, safe_name
from .spec import Shape, Words, lexicon, words_in, words_of

#: Namespace of everything generated.
BASE = "http://example.org/generated"

_SYLLABLES = ("bra", "cor", "del", "fen", "gol", "har", "jun", "kel", "lom", "mar", "nol", "por")
_ENDINGS = ("a", "en", "ik", "os", "um", "eth")


def seed_model(classes: int, seed: int, shape: Shape) -> Model:
    """Return a seed ontology.

    Parameters
    ----------
    classes
        Number of classes.
    seed
        Seed of all random choices.
    shape
        Shares of everything else.
    """
    model = Model(f"{BASE}/source")
    names = NameMaker(seed, "seed")
    _add_classes(model, classes, seed, shape, names)
    _add_properties(model, round(classes * shape.properties), seed, shape, names)
    _add_individuals(model, round(classes * shape.individuals), seed, names)
    _add_disjoint(model, seed, shape)
    for kind in (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL):
        keys = model.keys(kind)
        labelled = set(select(keys, shape.labels, seed, "labels", kind))
        commented = set(select(keys, shape.comments, seed, "comments", kind))
        with_synonym = set(select(keys, shape.synonyms, seed, "synonyms", kind))
        for key in keys:
            words = model.items[key].words
            if key in labelled:
                model.change(key, label=" ".join(words))
            if key in commented:
                model.change(key, comment=Label(_sentence(model, key), "en"))
            if key in with_synonym:
                model.change(key, synonyms=_synonyms(words))
    return model


class NameMaker:
    """Makes names, each once for entities of a kind.

    Parameters
    ----------
    seed, purpose
        Of the random choices.
    """

    def __init__(self, seed: int, *purpose: object) -> None:
        self._seed = seed
        self._purpose = purpose
        self._streams: dict[Kind, Random] = {}
        self._used: set[tuple[Kind, Words]] = set()

    def take(self, kind: Kind, words: Words) -> None:
        """Mark a name as used."""
        self._used.add((kind, _folded(words)))

    def item(self, kind: Kind) -> Item:
        """Return an entity with a new name."""
        if kind not in self._streams:
            self._streams[kind] = stream(self._seed, "names", kind, *self._purpose)
        for tries in count():
            words = _words(kind, self._streams[kind], extra=tries // 4)
            if (kind, _folded(words)) not in self._used:
                break
        self.take(kind, words)
        return Item(kind, words, local_part(kind, words))


def _folded(words: Words) -> Words:
    return tuple(word.casefold() for word in words)


def _words(kind: Kind, rng: Random, extra: int) -> Words:
    """Return a random name; `extra` more words where most short names are used."""
    pick = rng.choice
    length = 1 + (rng.random() < 0.4) + min(extra, 4)
    modifiers = rng.sample(words_of("modifier"), length)
    if kind is Kind.CLASS:
        return (*modifiers, pick(words_of("head")))
    if kind is Kind.PROPERTY:
        middle = modifiers[1:] if extra == 0 else modifiers
        return (pick(words_of("verb")), *middle, pick(words_of("head")), pick(words_of("noun")))
    proper = "".join(pick(_SYLLABLES) for _ in range(2 + extra)) + pick(_ENDINGS)
    return (pick(words_of("head")), proper.capitalize())


def local_part(kind: Kind, words: Words) -> str:
    """Return the last part of an IRI: ``SmallValve``, ``hasValveWeight``, ``valve_Corfena``.

    Examples
    --------
    >>> local_part(Kind.CLASS, ("small", "valve"))
    'SmallValve'
    """
    if kind is Kind.INDIVIDUAL:
        return safe_name("_".join(words))
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    return safe_name(camel if kind is Kind.CLASS else camel[:1].lower() + camel[1:])


def _add_classes(model: Model, n: int, seed: int, shape: Shape, names: NameMaker) -> None:
    rng = stream(seed, "parents")
    roots = max(1, round(n**0.25))
    counts: Counter[int] = Counter()
    keys: list[int] = []
    for i in range(n):
        key = model.add(names.item(Kind.CLASS))
        model.parents[key] = ()
        if i >= roots:
            # from a window that moves along: depth grows like log n
            first = _parent(rng, keys, counts, shape.max_children)
            parents = [first]
            if rng.random() < shape.multi_parent:
                second = _parent(rng, keys, counts, shape.max_children)
                if first not in model.ancestors(second) and second not in model.ancestors(first):
                    parents.append(second)
            counts.update(parents)
            model.parents[key] = tuple(parents)
        keys.append(key)


def _parent(rng: Random, keys: list[int], counts: Counter[int], max_children: int) -> int:
    """Return a class between the first eighth and the middle of the classes."""

    def is_open(key: int) -> bool:
        return not max_children or counts[key] < max_children

    n = len(keys)
    for _ in range(20):
        parent = keys[rng.randrange(n // 8, n // 2 + 1)]
        if is_open(parent):
            return parent
    return next(filter(is_open, reversed(keys)))


def _add_properties(model: Model, n: int, seed: int, shape: Shape, names: NameMaker) -> None:
    rng = stream(seed, "domains")
    classes = model.keys(Kind.CLASS)
    for i in range(n):
        key = model.add(names.item(Kind.PROPERTY))
        model.domains[key] = rng.choice(classes)
        if i % 2 == 0:
            model.ranges[key] = rng.choice(classes)
    for key in select(model.ranges, shape.restrictions, seed, "restrictions"):
        model.restrictions.append((model.domains[key], key, model.ranges[key]))


def _add_individuals(model: Model, n: int, seed: int, names: NameMaker) -> None:
    rng = stream(seed, "types")
    classes = model.keys(Kind.CLASS)
    by_type: dict[int, list[int]] = {}
    for _ in range(n):
        key = model.add(names.item(Kind.INDIVIDUAL))
        model.types[key] = (rng.choice(classes),)
        by_type.setdefault(model.types[key][0], []).append(key)
    for key in model.keys(Kind.PROPERTY):
        # only between individuals of the domain and range: a fact must imply no further type
        subjects = by_type.get(model.domains[key])
        if not subjects:
            continue
        if key not in model.ranges:
            model.facts.append((subjects[0], key, str(rng.randrange(1, 1000))))
        elif model.ranges[key] in by_type:
            model.facts.append((subjects[0], key, by_type[model.ranges[key]][-1]))


def _add_disjoint(model: Model, seed: int, shape: Shape) -> None:
    groups = {key: kids for key, kids in model.children().items() if len(kids) > 1}
    for key in select(groups, shape.disjoint, seed, "disjoint"):
        model.disjoint.append((groups[key][0], groups[key][1]))
    model.drop_contradictions()


def _sentence(model: Model, key: int) -> str:
    item = model.items[key]
    text = " ".join(item.words)
    if item.kind is Kind.CLASS:
        above = [" ".join(model.items[p].words) for p in model.parents[key]]
        if above:
            return f"A {text} is a kind of {' and of '.join(above)}."
        return f"Every {text}."
    if item.kind is Kind.PROPERTY:
        domain = " ".join(model.items[model.domains[key]].words)
        return f"States of a {domain} that it {text}."
    return f"The {item.words[0]} called {item.words[-1]}."


def _synonyms(words: Words) -> tuple[Label, ...]:
    entries = lexicon()
    synonyms = [entries[word].synonym if word in entries else word for word in words]
    return (Label(" ".join(synonyms), "en"),)


K = TypeVar("K", int, Pair)


def stream(seed: int, *purpose: object) -> Random:
    """Return a separate random stream for `purpose`.

    Examples
    --------
    >>> stream(1, "a").random() == stream(1, "a").random() != stream(1, "b").random()
    True
    """
    return Random(_digest(seed, *purpose))


def select(keys: Iterable[K], level: float, seed: int, *purpose: object) -> list[K]:
    """Return the first ⌊level · n + 0.5⌋ of n keys, in an order that does not depend on the level.

    Examples
    --------
    >>> few, many = (select(range(10), p, 7, "remove") for p in (0.2, 0.5))
    >>> few == many[:2], len(many)
    (True, 5)
    """
    if level <= 0:
        return []
    ordered = order(keys, seed, *purpose)
    return ordered[: math.floor(level * len(ordered) + 0.5)]


def order(keys: Iterable[K], seed: int, *purpose: object) -> list[K]:
    """Return the keys in a random order; other keys do not change the order of two keys."""
    return sorted(keys, key=lambda key: (_digest(seed, *purpose, key), key))


def _digest(*parts: object) -> int:
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:8], "big")


_OBJECT = {
    f"{OWL}{type_}Property" for type_ in ("Object", "Transitive", "Symmetric", "InverseFunctional")
}


@dataclass(frozen=True, eq=False)
class UserOntology:
    """An ontology from a file, for the generator.

    Parameters
    ----------
    model
        Its classes, properties and individuals with their IRIs; labels (the first, English before
        others; further ones count as synonyms), comments, synonyms, super-classes, domains,
        ranges, types, facts, existential restrictions and disjointness.
    path, sha256
        The file, and the SHA-256 of its bytes.
    left_out
        Number of statements and entities that are left out, by their kind.
    """

    model: Model
    path: str = ""
    sha256: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_user_ontology(path: FilePath, *, imports: FilePath | None = None) -> UserOntology:
    """Read an ontology file to generate pairs from.

    Parameters
    ----------
    path, imports
        As for `load_ontology`: any format that it reads.

    Raises
    ------
    OntologyError
        If the file cannot be read or holds no class.

    Examples
    --------
    >>> from alignrank.ontologies.tasks import bundled_task
    >>> given = read_user_ontology(bundled_task("library").source)
    >>> len(given.model.items), given.left_out
    (60, {'other axiom on a class': 5})
    """
    triples, ontology = load_with_triples(path, imports=imports)
    if not ontology.of_kind(Kind.CLASS):
        raise OntologyError(f"{path} has no class: the generator alters classes first of all")
    model, left_out = _ModelReader(triples, ontology).read()
    return UserOntology(model, ontology.path, ontology.sha256, left_out)


class _ModelReader:
    """Fills a model from an ontology and its triples."""

    def __init__(self, triples: Triples, ontology: Ontology) -> None:
        self._triples = triples
        self._ontology = ontology
        self._model = Model(ontology.iri.rstrip("#/") or f"{BASE}/source")
        self._keys: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
        self._left_out: Counter[str] = Counter()

    def read(self) -> tuple[Model, dict[str, int]]:
        """Return the model, and the counts of what is left out."""
        comments: dict[str, Label] = {}
        for iri, text in sorted(self._triples.texts(f"{RDFS}comment", self._ontology)):
            comments.setdefault(iri, text)
        for entity in self._ontology:
            if entity.kind is Kind.ANNOTATION_PROPERTY:
                self._left_out["annotation property"] += 1
                continue
            key = self._model.add(_item(entity, comments.get(entity.iri)))
            self._model.iris[key] = entity.iri
            self._keys[entity.kind][entity.iri] = key
        self._add_parents()
        self._add_properties()
        self._add_individuals()
        self._add_restrictions()
        classes = self._keys[Kind.CLASS]
        pairs = {pair for group in self._ontology.disjoints for pair in combinations(group, 2)}
        self._model.disjoint = [(classes[a], classes[b]) for a, b in sorted(pairs)]
        self._model.drop_contradictions()
        self._left_out["contradiction"] += len(pairs) - len(self._model.disjoint)
        self._left_out["equivalence"] += len(self._ontology.equivalents)
        return self._model, {kind: n for kind, n in sorted(self._left_out.items()) if n}

    def _add_parents(self) -> None:
        classes = self._keys[Kind.CLASS]
        parents = self._ontology.parents
        self._model.parents = dict.fromkeys(classes.values(), ())
        for iri, key in classes.items():
            for parent in (classes[p] for p in parents.get(iri, ()) if p in classes):
                # a link that would close a cycle is left out
                if key in self._model.ancestors(parent):
                    self._left_out["link of a cycle"] += 1
                else:
                    self._model.parents[key] += (parent,)
        self._left_out["super-property"] = sum(
            len(above) for iri, above in parents.items() if iri in self._keys[Kind.PROPERTY]
        )

    def _add_properties(self) -> None:
        properties = self._keys[Kind.PROPERTY]
        domains, ranges = (self._uses(f"{RDFS}{name}") for name in ("domain", "range"))
        typed = {s for s, o in self._triples.links(f"{RDF}type") if o in _OBJECT}
        linking = {p for _, p, _ in self._ontology.assertions}
        for iri, key in properties.items():
            self._model.domains[key] = domains.get(iri, THING)
            if iri in typed or iri in ranges or iri in linking:
                self._model.ranges[key] = ranges.get(iri, THING)

    def _uses(self, predicate: str) -> dict[str, int]:
        """Return the first class that `predicate` gives to each property."""
        classes = self._keys[Kind.CLASS]
        by_property: dict[str, int] = {}
        for property_, class_ in sorted(self._triples.links(predicate)):
            if property_ not in self._keys[Kind.PROPERTY] or class_ == f"{OWL}Thing":
                continue
            if class_ in classes and property_ not in by_property:
                by_property[property_] = classes[class_]
            elif not class_.startswith(XSD):
                self._left_out["other domain or range"] += 1
        return by_property

    def _add_individuals(self) -> None:
        classes, properties, individuals = (
            self._keys[kind] for kind in (Kind.CLASS, Kind.PROPERTY, Kind.INDIVIDUAL)
        )
        for iri, key in individuals.items():
            types = self._ontology.types.get(iri, ())
            self._model.types[key] = tuple(classes[t] for t in types)
        facts = self._model.facts
        for s, p, o in self._ontology.assertions:
            facts.append((individuals[s], properties[p], individuals[o]))
        for p, key in properties.items():
            if key not in self._model.ranges:
                stated = sorted(self._triples.texts(p, individuals))
                facts.extend((individuals[s], key, text.text) for s, text in stated)

    def _add_restrictions(self) -> None:
        classes = self._keys[Kind.CLASS]
        properties = self._keys[Kind.PROPERTY]
        properties_of = dict(self._triples.links(f"{OWL}onProperty"))
        fillers = dict(self._triples.links(f"{OWL}someValuesFrom"))
        axioms = sorted(self._triples.links(f"{RDFS}subClassOf", f"{OWL}equivalentClass"))
        below = set(self._triples.links(f"{RDFS}subClassOf"))
        restrictions: set[tuple[int, int, int]] = set()
        for class_, expression in axioms:
            if class_ not in classes or not expression.startswith("_:"):
                continue
            key = properties.get(properties_of.get(expression, ""))
            filler = classes.get(fillers.get(expression, ""))
            if key in self._model.ranges and filler and (class_, expression) in below:
                restrictions.add((classes[class_], key, filler))
            else:
                self._left_out["other axiom on a class"] += 1
        self._model.restrictions = sorted(restrictions)


def _item(entity: Entity, comment: Label | None) -> Item:
    """Return an entity of the file; its label is the first one, English before others."""
    local = local_name(entity.iri)
    name = safe_name(local)
    # all synonyms are written as exact ones: their scope goes, and so do those of other things
    usable = [s._replace(scope="") for s in entity.synonyms if s.scope not in OTHER_THINGS]
    if not entity.labels:
        synonyms = tuple(dict.fromkeys(usable))
        return Item(entity.kind, words_in(local), name, None, "", comment, synonyms)
    text, lang, _ = min(entity.labels, key=_english_first)
    names = dict.fromkeys((*entity.labels, *usable))
    synonyms = tuple(label for label in names if label.text != text)
    return Item(entity.kind, words_in(text), name, text, lang, comment, synonyms)


def _english_first(label: Label) -> tuple[bool, bool, Label]:
    return not label.lang.startswith("en"), bool(label.lang), label
