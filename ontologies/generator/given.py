"""A given ontology to be altered: what the generator can carry over of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from ontologies.errors import OntologyError
from ontologies.loading import load_with_triples
from ontologies.loading.triples import Triples
from ontologies.ontology import Entity, Kind, Label, Ontology, local_name
from ontologies.vocabulary import OWL, RDF, RDFS, XSD

from .lexicon import words_in
from .model import THING, Item, Model, safe_name
from .seed import BASE

_OBJECT = {
    f"{OWL}{what}Property" for what in ("Object", "Transitive", "Symmetric", "InverseFunctional")
}


@dataclass(frozen=True, eq=False)
class Given:
    """An ontology from a file, ready to be altered.

    Parameters
    ----------
    model
        Its classes, properties and individuals with their IRIs; labels (the first, English before
        others; further ones count as synonyms), comments, synonyms, super-classes, domains,
        ranges, types, facts, existential restrictions and disjointness.
    path, sha256
        The file, and the SHA-256 of its bytes.
    left_out
        How many of what else it holds are left out, by what they are.
    """

    model: Model
    path: str = ""
    sha256: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)


def read_given(
    path: str | os.PathLike[str], *, imports: str | os.PathLike[str] | None = None
) -> Given:
    """Read an ontology file to generate pairs from.

    Parameters
    ----------
    path, imports
        As `load_ontology` takes them: any format that loads.

    Raises
    ------
    OntologyError
        If the file cannot be read or holds no class.

    Examples
    --------
    >>> from ontologies.tasks import bundled_task
    >>> given = read_given(bundled_task("library").source)
    >>> len(given.model.items), given.left_out
    (60, {'other axiom on a class': 5})
    """
    with load_with_triples(path, imports=imports) as (triples, ontology):
        if not ontology.of_kind(Kind.CLASS):
            raise OntologyError(f"{path} has no class: the generator alters classes first of all")
        model, left_out = _Reader(triples, ontology).read()
    return Given(model, ontology.path, ontology.sha256, left_out)


class _Reader:
    """Fills a model from an ontology and its triples."""

    def __init__(self, triples: Triples, ontology: Ontology) -> None:
        self._triples = triples
        self._ontology = ontology
        self._model = Model(ontology.iri.rstrip("#/") or f"{BASE}/source")
        self._keys: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
        self._left_out: Counter[str] = Counter()

    def read(self) -> tuple[Model, dict[str, int]]:
        """Return the model, and what was left out."""
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
        stated = len(pairs) - len(self._model.disjoint)
        self._left_out["contradiction"] += stated
        self._left_out["equivalence"] += len(self._ontology.equivalents)
        return self._model, {what: n for what, n in sorted(self._left_out.items()) if n}

    def _add_parents(self) -> None:
        classes = self._keys[Kind.CLASS]
        parents = self._ontology.parents
        self._model.parents = dict.fromkeys(classes.values(), ())
        for iri, key in classes.items():
            for parent in (classes[p] for p in parents.get(iri, ()) if p in classes):
                # what would close a cycle is left out: each below the other
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
        classes, found = self._keys[Kind.CLASS], dict[str, int]()
        for property_, class_ in sorted(self._triples.links(predicate)):
            if property_ in self._keys[Kind.PROPERTY] and class_ != f"{OWL}Thing":
                if class_ in classes and property_ not in found:
                    found[property_] = classes[class_]
                elif not class_.startswith(XSD):
                    self._left_out["other domain or range"] += 1
        return found

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
        classes, properties = self._keys[Kind.CLASS], self._keys[Kind.PROPERTY]
        on = dict(self._triples.links(f"{OWL}onProperty"))
        fillers = dict(self._triples.links(f"{OWL}someValuesFrom"))
        axioms = sorted(self._triples.links(f"{RDFS}subClassOf", f"{OWL}equivalentClass"))
        below = set(self._triples.links(f"{RDFS}subClassOf"))
        found: dict[tuple[int, int, int], None] = {}
        for class_, expression in axioms:
            if class_ not in classes or not expression.startswith("_:"):
                continue
            key = properties.get(on.get(expression, ""))
            filler = classes.get(fillers.get(expression, ""))
            if key in self._model.ranges and filler and (class_, expression) in below:
                found[classes[class_], key, filler] = None
            else:
                self._left_out["other axiom on a class"] += 1
        self._model.restrictions = sorted(found)


def _item(entity: Entity, comment: Label | None) -> Item:
    first = min(entity.labels, key=_english_first, default=None)
    others = (x for x in (*entity.labels, *entity.synonyms) if first and x.text != first.text)
    name = local_name(entity.iri)
    return Item(
        entity.kind,
        words_in(first.text if first else name),
        safe_name(name),
        first.text if first else None,
        first.lang if first else "",
        comment,
        tuple(dict.fromkeys(others)) if first else entity.synonyms,
    )


def _english_first(label: Label) -> tuple[int, Label]:
    return 0 if label.lang.startswith("en") else 1 if not label.lang else 2, label
