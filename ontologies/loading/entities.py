"""From triples to an ontology: which entities they state, with labels, parents and relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from alignrank.common.names import MutableTexts, Texts, grouped
from alignrank.ontologies.ontology import (
    DOMAIN,
    RANGE,
    Entity,
    Iris,
    Kind,
    Label,
    Link,
    Ontology,
    local_name,
    namespace,
)
from alignrank.ontologies.vocabulary import (
    ALTERNATIVE_ID,
    CONSIDER,
    DEFINITIONS,
    LABELS,
    LANGUAGE,
    NO_BASE,
    NODE_TEXTS,
    OBO,
    OBO_IN_OWL,
    OWL,
    RDF,
    RDFS,
    REPLACED_BY,
    SKOS,
    SYNONYMS,
    USE_IN_ALIGNMENT,
)

from .triples import Triples

T = TypeVar("T", str, Label)
#: Nodes by their type.
Instances = Mapping[str, list[str]]
#: The kind of each entity by its IRI.
Kinds = dict[str, Kind]

# In order of precedence: an entity of several types (punning) gets the kind of the first.
_KINDS = {
    f"{OWL}Class": Kind.CLASS,
    f"{RDFS}Class": Kind.CLASS,
    f"{OWL}DeprecatedClass": Kind.CLASS,
    f"{SKOS}Concept": Kind.CLASS,
    f"{OWL}ObjectProperty": Kind.PROPERTY,
    f"{OWL}DatatypeProperty": Kind.PROPERTY,
    f"{OWL}TransitiveProperty": Kind.PROPERTY,
    f"{OWL}SymmetricProperty": Kind.PROPERTY,
    f"{OWL}InverseFunctionalProperty": Kind.PROPERTY,
    f"{OWL}AnnotationProperty": Kind.ANNOTATION_PROPERTY,
    f"{OWL}FunctionalProperty": Kind.PROPERTY,
    f"{OWL}DeprecatedProperty": Kind.PROPERTY,
    f"{RDF}Property": Kind.PROPERTY,
    f"{OWL}NamedIndividual": Kind.INDIVIDUAL,
    f"{OWL}Thing": Kind.INDIVIDUAL,
}
_GROUPINGS = {f"{SKOS}ConceptScheme", f"{SKOS}Collection", f"{SKOS}OrderedCollection"}
_SUPERS = (f"{RDFS}subClassOf", f"{RDFS}subPropertyOf", f"{SKOS}broader")
_EQUIVALENCES = (f"{OWL}equivalentClass", f"{OWL}equivalentProperty", f"{OWL}sameAs")
#: Beginnings of what is never an entity: blank nodes and the language's own terms.
_NEVER = ("_:", *LANGUAGE)
#: Subject and object of these predicates are classes, by RDFS and OWL; or concepts, by SKOS.
_OF_CLASSES = (f"{RDFS}subClassOf", f"{OWL}equivalentClass", f"{OWL}disjointWith")
_OF_CONCEPTS = tuple(
    f"{SKOS}{relation}"
    for relation in ("broader", "broaderTransitive", "narrower", "narrowerTransitive", "related")
)
_DEPRECATED = {f"{OWL}DeprecatedClass", f"{OWL}DeprecatedProperty"}
_OBSOLETE = {f"{OBO_IN_OWL}ObsoleteClass", f"{OBO_IN_OWL}ObsoleteProperty"}


def read_ontology(
    triples: Triples,
    headers: list[str],
    missing_imports: Sequence[str] = (),
    label_properties: Sequence[str] = (),
) -> Ontology:
    """Return the `Ontology` that triples state; the caller adds its path and missing imports.

    Parameters
    ----------
    triples
        Of the ontology's file and its imports.
    headers
        Nodes that its own file declares as ontologies.
    missing_imports
        IRIs of imports that were not read; what is declared there is no entity.
    label_properties
        Further properties whose texts are labels.
    """
    instances = grouped((o, s) for s, o in triples.links(f"{RDF}type"))
    concepts = instances.setdefault(f"{SKOS}Concept", [])
    concepts += _untyped_concepts(triples, instances, missing_imports)
    kinds = _kinds(instances)
    used = _used_classes(triples, instances, missing_imports)
    kinds.update((iri, Kind.CLASS) for iri in used if iri not in kinds)
    carriers = {type_ for type_ in instances if type_.startswith(OBO_IN_OWL)}
    # nodes that only hold a synonym, a definition or a reference of an entity
    helpers = _instances_of(carriers, instances, kinds)
    left_out = {
        "deprecated": _deprecated(triples, instances, kinds),
        "vocabulary": {iri for iri in kinds if iri.startswith(OBO_IN_OWL)} - helpers,
        "helper": helpers,
        "grouping": _instances_of(_GROUPINGS, instances, kinds),
        "ignored": _flagged(triples, USE_IN_ALIGNMENT, ("false", "0"), kinds),
    }
    for reason in left_out.values():
        for iri in reason:
            kinds.pop(iri, None)
    replacements = _replacements(triples, left_out["deprecated"], kinds)
    labels = _labels(triples, dict.fromkeys((*LABELS, *label_properties), ""), kinds)
    synonyms = _labels(triples, SYNONYMS, kinds)
    definitions = _labels(triples, dict.fromkeys(DEFINITIONS, ""), kinds)
    entities = {
        iri: Entity(iri, kinds[iri], labels.get(iri, ()), synonyms.get(iri, ()))
        for iri in sorted(kinds)
    }
    individuals = {iri for iri, kind in kinds.items() if kind is Kind.INDIVIDUAL}
    return Ontology(
        iri=_iri(triples, instances, headers),
        entities=entities,
        parents=_parents(triples, kinds),
        equivalents=tuple(
            sorted({(s, o) for s, o in triples.links(*_EQUIVALENCES) if s in kinds and o in kinds})
        ),
        disjoints=_disjoints(triples, instances, kinds),
        empty=_empty(triples, kinds),
        types=_types(instances, kinds),
        assertions=tuple(
            sorted(
                {
                    (s, p, o)
                    for p in triples.predicates
                    if kinds.get(p) is Kind.PROPERTY
                    for s, o in triples.links(p)
                    if s in individuals and o in individuals
                }
            )
        ),
        links=_related(triples, kinds),
        definitions={iri: tuple(d.text for d in of_iri) for iri, of_iri in definitions.items()},
        not_concepts={iri: reason for reason in ("helper", "grouping") for iri in left_out[reason]},
        replacements=replacements,
        suggestions=_suggestions(triples, replacements, kinds),
        version=_version(triples, headers),
        left_out={reason: len(iris) for reason, iris in left_out.items() if iris},
    )


def _kinds(instances: Instances) -> Kinds:
    """Return the kind of each entity by its IRI."""
    kinds: Kinds = {}
    # An instance of any class is an individual, also if the class is declared elsewhere or blank.
    # The types of `_KINDS` overwrite this, the first of them last.
    for type_, nodes in instances.items():
        if not type_.startswith(LANGUAGE):
            kinds.update(dict.fromkeys(nodes, Kind.INDIVIDUAL))
    for type_, kind in reversed(_KINDS.items()):
        kinds.update(dict.fromkeys(instances.get(type_, ()), kind))
    return {iri: kind for iri, kind in kinds.items() if not iri.startswith(_NEVER)}


def _used_classes(
    triples: Triples, instances: Instances, missing_imports: Sequence[str]
) -> set[str]:
    """Return the classes that axioms use but no triple declares.

    Objects of rdf:type are left out: often they belong to vocabularies that describe data. Objects
    of rdfs:range count only for object properties: others may be datatypes.
    """
    classes = set(chain.from_iterable(triples.links(*_OF_CLASSES)))
    classes.update(class_ for _, class_ in triples.links(f"{RDFS}domain"))
    object_properties = set(instances.get(f"{OWL}ObjectProperty", ()))
    classes.update(o for s, o in triples.links(f"{RDFS}range") if s in object_properties)
    declared = set(chain.from_iterable(instances.values()))
    return _own(classes - declared, missing_imports)


def _own(iris: set[str], missing_imports: Sequence[str]) -> set[str]:
    """Return the IRIs that neither a language nor a missing import declares."""
    missing = (f"{iri.rstrip('#/')}{mark}" for iri in missing_imports for mark in "#/:_")
    foreign = (*_NEVER, OBO_IN_OWL, *missing)
    return {iri for iri in iris if not iri.startswith(foreign)}


def _untyped_concepts(
    triples: Triples, instances: Instances, missing_imports: Sequence[str]
) -> list[str]:
    """Return the concepts that no triple types as such, though SKOS says that they are.

    They are ends of a relation of SKOS, members of a scheme or collection, or instances of a class
    of concepts. What is declared as a property, class or grouping is none.
    """
    concepts = set(chain.from_iterable(triples.links(*_OF_CONCEPTS)))
    concepts.update(s for s, _ in triples.links(f"{SKOS}inScheme", f"{SKOS}topConceptOf"))
    concepts.update(o for _, o in triples.links(f"{SKOS}hasTopConcept", f"{SKOS}member"))
    concepts.difference_update(s for s, _ in triples.links(f"{SKOS}member"))
    types = {f"{SKOS}Concept"}
    subclasses = triples.links(f"{RDFS}subClassOf")
    while further := {s for s, o in subclasses if o in types} - types:
        types |= further
    for type_ in types:
        concepts.update(instances.get(type_, ()))
    others = {type_ for type_, kind in _KINDS.items() if kind is not Kind.INDIVIDUAL} | _GROUPINGS
    for type_ in others:
        concepts.difference_update(instances.get(type_, ()))
    return sorted(_own(concepts, missing_imports))


def _types(instances: Instances, kinds: Kinds) -> dict[str, Iris]:
    """Return the classes of each individual."""
    classes = (type_ for type_ in instances if kinds.get(type_) is Kind.CLASS)
    return _sorted(
        (iri, class_)
        for class_ in classes
        for iri in instances[class_]
        if kinds.get(iri) is Kind.INDIVIDUAL
    )


def _sorted(pairs: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Return the values of each entity, each once."""
    groups = sorted(grouped(pairs).items())
    return {iri: tuple(sorted(set(values))) for iri, values in groups}


def _deprecated(triples: Triples, instances: Instances, kinds: Kinds) -> set[str]:
    """Return the entities that a flag, a type or an obsolete parent marks as deprecated."""
    flagged = _flagged(triples, f"{OWL}deprecated", ("true", "1"), kinds)
    typed = {iri for type_ in _DEPRECATED for iri in instances.get(type_, ())}
    children = {s for parent in _OBSOLETE for p in _SUPERS for s in triples.subjects(p, parent)}
    return (flagged | typed | children) & kinds.keys()


def _flagged(triples: Triples, predicate: str, flags: tuple[str, ...], kinds: Kinds) -> set[str]:
    """Return the entities to which a predicate gives one of some texts."""
    return {s for s, text in triples.texts(predicate, kinds) if text.text.lower() in flags}


def _replacements(triples: Triples, deprecated: set[str], kinds: Kinds) -> MutableTexts:
    """Return the entity that replaces each deprecated one or was merged with it, or ''.

    A replacement that is deprecated is replaced in turn. '' stands where no entity, or more than
    one, is stated, and where entities replace each other in a circle.
    """
    merged = _sorted(
        (_identified(text.text, iri), iri)
        for iri, text in triples.texts(ALTERNATIVE_ID, kinds.keys() | deprecated)
    )
    stated = merged | _stated(triples, REPLACED_BY, deprecated)
    retired = deprecated | (merged.keys() - kinds.keys())
    replacements = {}
    for iri in sorted(retired):
        current = iri
        visited = {iri}
        while current in retired and len(stated.get(current, ())) == 1:
            (current,) = stated[current]
            if current in visited:
                break
            visited.add(current)
        replacements[iri] = "" if current in retired else current
    return replacements


def _suggestions(triples: Triples, replacements: Texts, kinds: Kinds) -> dict[str, Iris]:
    """Return the entities that the file names for each one that no single entity replaces."""
    without = {iri for iri, replacement in replacements.items() if not replacement}
    suggestions = {}
    for iri, named in _stated(triples, (*REPLACED_BY, CONSIDER), without).items():
        current = {replacements.get(entity, entity) for entity in named}
        suggestions[iri] = tuple(sorted(current & kinds.keys()))
    return suggestions


def _stated(triples: Triples, predicates: Sequence[str], iris: set[str]) -> dict[str, Iris]:
    """Return the entities that predicates name for some entities, as IRIs or as identifiers."""
    stated = [link for link in triples.links(*predicates) if link[0] in iris]
    for predicate in predicates:
        texts = triples.texts(predicate, iris)
        stated += ((iri, _identified(text.text, iri)) for iri, text in texts)
    return _sorted(stated)


def _identified(text: str, beside: str) -> str:
    """Return the entity of an IRI, or of an identifier such as UBERON:0000948.

    It stands in the namespace of the entity `beside` it if that has the same prefix, else in OBO's.
    """
    prefix, colon, number = text.partition(":")
    if not colon or number.startswith("//"):
        return text
    space = namespace(beside) if local_name(beside).startswith(f"{prefix}_") else OBO
    return f"{space}{prefix}_{number}"


def _instances_of(types: set[str], instances: Instances, kinds: Kinds) -> set[str]:
    """Return the individuals of some types."""
    of_types = (iri for type_ in types for iri in instances.get(type_, ()))
    return {iri for iri in of_types if kinds.get(iri) is Kind.INDIVIDUAL}


def _labels(triples: Triples, scopes: Texts, kinds: Kinds) -> dict[str, tuple[Label, ...]]:
    """Return the texts of each entity, also where a node stands between the entity and its text.

    `scopes` holds the scope of each predicate.
    """
    # (entity, scope) of each node that stands for a text
    carriers = grouped(
        (node, (s, scope))
        for predicate, scope in scopes.items()
        for s, node in triples.links(predicate)
        if s in kinds and node not in kinds
    )
    labels = [
        (s, label._replace(scope=scope))
        for predicate, scope in scopes.items()
        for s, label in triples.texts(predicate, kinds)
    ]
    for predicate in NODE_TEXTS:
        for node, label in triples.texts(predicate, carriers):
            labels += ((s, label._replace(scope=scope)) for s, scope in carriers[node])
    return _sorted(labels)


def _parents(triples: Triples, kinds: Kinds) -> dict[str, Iris]:
    """Return the parents of each entity that has some."""
    links = [*triples.links(*_SUPERS), *((o, s) for s, o in triples.links(f"{SKOS}narrower"))]
    return _sorted((s, o) for s, o in links if s != o and s in kinds and o in kinds)


def _related(triples: Triples, kinds: Kinds) -> tuple[Link, ...]:
    """Return domains, ranges and existential restrictions: (entity, relation, entity).

    A class with "subclass of some P filler" is linked to the filler by P.
    """
    properties = dict(triples.links(f"{OWL}onProperty"))
    fillers = dict(triples.links(f"{OWL}someValuesFrom"))
    restrictions = properties.keys() & fillers.keys()
    links: set[Link] = set()
    if restrictions:
        links = {
            (s, properties[node], fillers[node])
            for s, node in triples.links(f"{RDFS}subClassOf")
            if node in restrictions
        }
    for relation, predicate in ((DOMAIN, f"{RDFS}domain"), (RANGE, f"{RDFS}range")):
        links |= {(s, relation, o) for s, o in triples.links(predicate)}
    return tuple(sorted(link for link in links if link[0] in kinds and link[2] in kinds))


def _disjoints(triples: Triples, instances: Instances, kinds: Kinds) -> tuple[Iris, ...]:
    """Return the sets of classes that are stated to be pairwise disjoint."""
    disjoint_sets = [set(pair) for pair in triples.links(f"{OWL}disjointWith")]
    groups = set(instances.get(f"{OWL}AllDisjointClasses", ()))
    lists = [head for s, head in triples.links(f"{OWL}members") if s in groups]
    lists += [head for _, head in triples.links(f"{OWL}disjointUnionOf")]
    if lists:
        first = dict(triples.links(f"{RDF}first"))
        tails = dict(triples.links(f"{RDF}rest"))
        disjoint_sets += [set(list_members(head, first, tails)) for head in lists]
    of_classes = (
        sorted(iri for iri in members if kinds.get(iri) is Kind.CLASS) for members in disjoint_sets
    )
    return tuple(sorted({tuple(group) for group in of_classes if len(group) > 1}))


def _empty(triples: Triples, kinds: Kinds) -> Iris:
    """Return the classes that are stated to have no instances."""
    nothing = f"{OWL}Nothing"
    same = f"{OWL}equivalentClass"
    empty = {*triples.subjects(f"{RDFS}subClassOf", nothing), *triples.subjects(same, nothing)}
    empty |= {o for s, o in triples.links(same) if s == nothing}
    empty |= {s for s, o in triples.links(f"{OWL}disjointWith") if s == o}
    return tuple(sorted(iri for iri in empty if kinds.get(iri) is Kind.CLASS))


def list_members(head: str, first: MutableTexts, tails: MutableTexts) -> Iterator[str]:
    """Yield the members of an RDF list, which may be broken or circular."""
    visited = set()
    while head in first and head not in visited:
        visited.add(head)
        yield first[head]
        head = tails.get(head, "")


def _iri(triples: Triples, instances: Instances, headers: list[str]) -> str:
    """Return the ontology's IRI: its header's, else its only concept scheme's, else ''."""
    headers = [iri for iri in headers if not iri.startswith(("_:", NO_BASE))]
    # of several headers, those that import something
    if len(headers) > 1:
        importing = {s for s, _ in triples.links(f"{OWL}imports")}
        headers = [iri for iri in headers if iri in importing] or headers
    if not headers:
        headers = list(dict.fromkeys(instances.get(f"{SKOS}ConceptScheme", ())))
        headers = headers if len(headers) == 1 else []
    if headers:
        return headers[0]
    return ""


def _version(triples: Triples, headers: list[str]) -> str:
    """Return the version that an ontology's header states: its IRI, else its text; else ''."""
    iris = [iri for header, iri in triples.links(f"{OWL}versionIRI") if header in headers]
    iris += [text.text for _, text in triples.texts(f"{OWL}versionInfo", headers)]
    return next(iter(iris), "")
