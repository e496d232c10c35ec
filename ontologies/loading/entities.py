"""From triples to entities: what a class, a label or a parent is in a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from alignrank.ontologies.ontology import DOMAIN, RANGE, Entity, Kind, Label, Ontology
from alignrank.ontologies.vocabulary import (
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

# In order of precedence: who is several things (punning) is the first of them.
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
_SKOS_HELPERS = {f"{SKOS}ConceptScheme", f"{SKOS}Collection", f"{SKOS}OrderedCollection"}
_SUPERS = (f"{RDFS}subClassOf", f"{RDFS}subPropertyOf", f"{SKOS}broader")
_EQUIVALENCES = (f"{OWL}equivalentClass", f"{OWL}equivalentProperty", f"{OWL}sameAs")
_NEVER = ("_:", *LANGUAGE)
#: What stands on both sides of these is a class, by RDFS and OWL.
_OF_CLASSES = (f"{RDFS}subClassOf", f"{OWL}equivalentClass", f"{OWL}disjointWith")
_DEPRECATED = {f"{OWL}DeprecatedClass", f"{OWL}DeprecatedProperty"}
_OBSOLETE = {f"{OBO_IN_OWL}ObsoleteClass", f"{OBO_IN_OWL}ObsoleteProperty"}


def read_ontology(
    triples: Triples,
    headers: list[str],
    missing_imports: Sequence[str] = (),
    label_properties: Sequence[str] = (),
) -> Ontology:
    """Return what triples state as an `Ontology` (without path and missing imports).

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
    instances: defaultdict[str, list[str]] = defaultdict(list)
    for s, o in triples.links(f"{RDF}type"):
        instances[o].append(s)
    kinds = _kinds(instances)
    used = _used_classes(triples, instances, missing_imports)
    kinds.update((iri, Kind.CLASS) for iri in used if iri not in kinds)
    left_out = {
        "deprecated": _deprecated(triples, instances, kinds),
        "helper": _helpers(instances, kinds),
        "ignored": _flagged(triples, USE_IN_ALIGNMENT, ("false", "0"), kinds),
    }
    for reason in left_out.values():
        for iri in reason:
            kinds.pop(iri, None)
    replacements = _replacements(triples, left_out["deprecated"])
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
        replacements=replacements,
        left_out={reason: len(iris) for reason, iris in left_out.items() if iris},
    )


def _kinds(instances: Mapping[str, list[str]]) -> dict[str, Kind]:
    """Return what kind each entity is; blank nodes and the language's own terms are none."""
    kinds: dict[str, Kind] = {}
    # an instance of some class, even of one that is declared elsewhere or has no name
    for type_, nodes in instances.items():
        if not type_.startswith(LANGUAGE):
            kinds.update(dict.fromkeys(nodes, Kind.INDIVIDUAL))
    for type_, kind in reversed(_KINDS.items()):
        kinds.update(dict.fromkeys(instances.get(type_, ()), kind))
    return {iri: kind for iri, kind in kinds.items() if not iri.startswith(_NEVER)}


def _used_classes(
    triples: Triples, instances: Mapping[str, list[str]], missing_imports: Sequence[str]
) -> set[str]:
    """Return the classes that are used as such, but declared as nothing.

    The objects of rdf:type are left out: often they belong to vocabularies that describe data. So
    are those of rdfs:range of anything but an object property: they may be datatypes.
    """
    classes = set(chain.from_iterable(triples.links(*_OF_CLASSES)))
    classes.update(class_ for _, class_ in triples.links(f"{RDFS}domain"))
    object_properties = set(instances.get(f"{OWL}ObjectProperty", ()))
    classes.update(o for s, o in triples.links(f"{RDFS}range") if s in object_properties)
    declared = set(chain.from_iterable(instances.values()))
    elsewhere = (*_NEVER, OBO_IN_OWL, *(iri.rstrip("#/") for iri in missing_imports))
    return {iri for iri in classes - declared if not iri.startswith(elsewhere)}


def _types(
    instances: Mapping[str, list[str]], kinds: dict[str, Kind]
) -> dict[str, tuple[str, ...]]:
    """Return the classes of each individual."""
    types_by_iri: defaultdict[str, set[str]] = defaultdict(set)
    for type_, nodes in instances.items():
        if kinds.get(type_) is Kind.CLASS:
            for iri in nodes:
                if kinds.get(iri) is Kind.INDIVIDUAL:
                    types_by_iri[iri].add(type_)
    return {iri: tuple(sorted(types_by_iri[iri])) for iri in sorted(types_by_iri)}


def _deprecated(
    triples: Triples, instances: Mapping[str, list[str]], kinds: dict[str, Kind]
) -> set[str]:
    flagged = _flagged(triples, f"{OWL}deprecated", ("true", "1"), kinds)
    typed = {iri for type_ in _DEPRECATED for iri in instances.get(type_, ())}
    below = {s for above in _SUPERS for node in _OBSOLETE for s in triples.subjects(above, node)}
    return (flagged | typed | below) & kinds.keys()


def _flagged(
    triples: Triples, predicate: str, flags: tuple[str, ...], kinds: dict[str, Kind]
) -> set[str]:
    """Return the entities to which a predicate gives one of some texts."""
    return {s for s, text in triples.texts(predicate, kinds) if text.text.lower() in flags}


def _replacements(triples: Triples, deprecated: set[str]) -> dict[str, str]:
    """Return what replaces each deprecated entity; '' where nothing or several things do."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for iri, replacement in triples.links(*REPLACED_BY):
        named[iri].add(replacement)
    for predicate in REPLACED_BY:
        for iri, text in triples.texts(predicate, deprecated):
            prefix, colon, local = text.text.partition(":")
            is_iri = local.startswith("//")
            named[iri].add(text.text if is_iri or not colon else f"{OBO}{prefix}_{local}")
    replacements = {}
    for iri in sorted(deprecated):
        last, followed = iri, {iri}
        while last in deprecated and len(named[last]) == 1:
            (last,) = named[last]
            if last in followed:
                break
            followed.add(last)
        replacements[iri] = "" if last in deprecated else last
    return replacements


def text_properties(triples: Triples, ontology: Ontology) -> dict[str, int]:
    """Return how many entities have a text of each property."""
    return {
        predicate: len({iri for iri, _ in triples.texts(predicate, ontology.entities)})
        for predicate in triples.predicates
    }


def _helpers(instances: Mapping[str, list[str]], kinds: dict[str, Kind]) -> set[str]:
    """Return the oboInOwl vocabulary and the nodes that carry synonyms, definitions, schemes."""
    vocabulary = {iri for iri in kinds if iri.startswith(OBO_IN_OWL)}
    nodes = {
        iri
        for type_, of_type in instances.items()
        if type_.startswith(OBO_IN_OWL) or type_ in _SKOS_HELPERS
        for iri in of_type
        if kinds.get(iri) is Kind.INDIVIDUAL
    }
    return vocabulary | nodes


def _labels(
    triples: Triples, scopes: Mapping[str, str], kinds: dict[str, Kind]
) -> dict[str, tuple[Label, ...]]:
    """Return the texts of each entity, also those of nodes that stand for one.

    `scopes` holds the scope of each predicate.
    """
    labels_by_iri: defaultdict[str, set[Label]] = defaultdict(set)
    carriers = defaultdict(list)
    for predicate, scope in scopes.items():
        for s, label in triples.texts(predicate, kinds):
            labels_by_iri[s].add(label._replace(scope=scope))
        for s, node in triples.links(predicate):
            if s in kinds and node not in kinds:
                carriers[node].append((s, scope))
    for predicate in NODE_TEXTS:
        for node, label in triples.texts(predicate, carriers):
            for s, scope in carriers[node]:
                labels_by_iri[s].add(label._replace(scope=scope))
    return {iri: tuple(sorted(texts)) for iri, texts in labels_by_iri.items()}


def _parents(triples: Triples, kinds: dict[str, Kind]) -> dict[str, tuple[str, ...]]:
    parents_by_child: defaultdict[str, set[str]] = defaultdict(set)
    narrower = ((o, s) for s, o in triples.links(f"{SKOS}narrower"))
    for child, parent in (*triples.links(*_SUPERS), *narrower):
        if child != parent and child in kinds and parent in kinds:
            parents_by_child[child].add(parent)
    return {child: tuple(sorted(parents_by_child[child])) for child in sorted(parents_by_child)}


def _related(triples: Triples, kinds: dict[str, Kind]) -> tuple[tuple[str, str, str], ...]:
    """Return domains, ranges, and what classes are restricted to have some of."""
    fillers, on = (
        dict(triples.links(f"{OWL}{ending}")) for ending in ("someValuesFrom", "onProperty")
    )
    links = {
        (s, on[node], fillers[node])
        for s, node in (triples.links(f"{RDFS}subClassOf") if fillers and on else ())
        if node in fillers and node in on
    }
    for relation, predicate in ((DOMAIN, f"{RDFS}domain"), (RANGE, f"{RDFS}range")):
        links |= {(s, relation, o) for s, o in triples.links(predicate)}
    return tuple(sorted(link for link in links if link[0] in kinds and link[2] in kinds))


def _disjoints(
    triples: Triples, instances: Mapping[str, list[str]], kinds: dict[str, Kind]
) -> tuple[tuple[str, ...], ...]:
    disjoint_sets = [set(pair) for pair in triples.links(f"{OWL}disjointWith")]
    groups = set(instances.get(f"{OWL}AllDisjointClasses", ()))
    lists = [head for s, head in triples.links(f"{OWL}members") if s in groups]
    lists += [head for _, head in triples.links(f"{OWL}disjointUnionOf")]
    if lists:
        first, tails = dict(triples.links(f"{RDF}first")), dict(triples.links(f"{RDF}rest"))
        disjoint_sets += [set(_members(head, first, tails)) for head in lists]
    of_classes = (
        sorted(iri for iri in members if kinds.get(iri) is Kind.CLASS) for members in disjoint_sets
    )
    return tuple(sorted({tuple(group) for group in of_classes if len(group) > 1}))


def _empty(triples: Triples, kinds: dict[str, Kind]) -> tuple[str, ...]:
    nothing, same = f"{OWL}Nothing", f"{OWL}equivalentClass"
    empty = {*triples.subjects(f"{RDFS}subClassOf", nothing), *triples.subjects(same, nothing)}
    empty |= {o for s, o in triples.links(same) if s == nothing}
    empty |= {s for s, o in triples.links(f"{OWL}disjointWith") if s == o}
    return tuple(sorted(iri for iri in empty if kinds.get(iri) is Kind.CLASS))


def _members(head: str, first: dict[str, str], tails: dict[str, str]) -> Iterator[str]:
    """Yield the members of an RDF list, which may be broken or circular."""
    visited = set()
    while head in first and head not in visited:
        visited.add(head)
        yield first[head]
        head = tails.get(head, "")


def _iri(triples: Triples, instances: Mapping[str, list[str]], headers: list[str]) -> str:
    """Return the ontology's IRI: its header's, else its only concept scheme's, else ''."""
    headers = [iri for iri in headers if not iri.startswith(("_:", NO_BASE))]
    if len(headers) > 1:
        importing = {s for s, _ in triples.links(f"{OWL}imports")}
        headers = [iri for iri in headers if iri in importing] or headers
    if not headers:
        headers = list(dict.fromkeys(instances.get(f"{SKOS}ConceptScheme", ())))
        headers = headers if len(headers) == 1 else []
    return headers[0] if headers else ""
