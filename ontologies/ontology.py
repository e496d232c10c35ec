"""An ontology: named entities of a kind, with labels and a hierarchy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import unquote

from alignrank.common.names import MutableTexts, Texts, count
from alignrank.common.table import Frame, Table, frame

from .vocabulary import IAO, LANGUAGE, OBO_IN_OWL

Iris = tuple[str, ...]
#: Subject, relation and object.
Link = tuple[str, str, str]

#: Relations of `Ontology.links` that are not properties.
DOMAIN, RANGE = "rdfs:domain", "rdfs:range"


class Kind(StrEnum):
    """Kind of a named entity. Entities of different kinds are never matched.

    Object and data properties are one kind, because real references hold correspondences between
    the two; SKOS concepts count as classes.
    """

    CLASS = "class"
    PROPERTY = "property"
    ANNOTATION_PROPERTY = "annotation-property"
    INDIVIDUAL = "individual"


class Label(NamedTuple):
    """A text that names an entity.

    Parameters
    ----------
    text
        The text.
    lang
        Its language tag in lower case, '' where there is none.
    scope
        Of a synonym: ``exact``, ``related``, ``broad`` or ``narrow``, '' where the file states
        none. Broad and narrow synonyms name another thing: nothing is matched by them.
    """

    text: str
    lang: str = ""
    scope: str = ""

    def is_in(self, languages: Collection[str]) -> bool:
        """Return whether the text is in one of the languages (lower case), or states none."""
        language = self.lang.lower()
        return not language or language in languages or language.split("-")[0] in languages


#: Scopes of synonyms that name something wider or narrower than their entity.
OTHER_THINGS = ("broad", "narrow")
#: What `Entity.scopes` holds for a name that is no synonym.
LABEL = "label"


def local_name(iri: str) -> str:
    """Return the last part of an IRI, percent-decoded.

    The part after the last ``#``; without one, after the last ``/`` or ``:``.

    Examples
    --------
    >>> local_name("http://cmt#Meta-Reviewer"), local_name("http://ex.org/stra%C3%9Fe/")
    ('Meta-Reviewer', 'straße')
    """
    stem = iri.rstrip("#/")
    for separator in "#/:":
        if separator in stem:
            stem = stem.rsplit(separator, 1)[1]
            break
    return unquote(stem)


def namespace(iri: str) -> str:
    """Return an IRI without its last part: up to the last ``#``, ``/`` or ``:``.

    Examples
    --------
    >>> namespace("http://cmt#Meta-Reviewer"), namespace("http://ex.org/a")
    ('http://cmt#', 'http://ex.org/')
    """
    return iri[: max(iri.rfind(mark, 0, len(iri) - 1) for mark in "#/:") + 1]


@dataclass(frozen=True, slots=True)
class Entity:
    """A named class, property, annotation property or individual.

    Parameters
    ----------
    iri
        Its full IRI.
    kind
        What it is.
    labels
        rdfs:label, skos:prefLabel and their like, sorted.
    synonyms
        skos:altLabel, oboInOwl synonyms of each scope and their like, sorted.
    """

    iri: str
    kind: Kind
    labels: tuple[Label, ...] = ()
    synonyms: tuple[Label, ...] = ()

    def names(self, *, synonyms: bool = True, langs: Collection[str] | None = None) -> list[str]:
        """Return the texts by which the entity can be matched, labels first, none twice.

        Parameters
        ----------
        synonyms
            Whether synonyms count.
        langs
            Languages to keep (``en`` keeps ``en-GB`` too); labels without a language tag are
            always kept. None keeps every language.

        Returns
        -------
        list of str
            Empty if the entity has labels, but none in `langs`. An entity with no label at all is
            named by the last part of its IRI.

        Examples
        --------
        >>> Entity("http://ex.org#ShelfMark", Kind.CLASS).names()
        ['ShelfMark']
        >>> e = Entity("http://ex.org#1", Kind.CLASS, (Label("bus stop", "en"),), (Label("halt"),))
        >>> e.names(), e.names(synonyms=False), e.names(langs=["fr"])
        (['bus stop', 'halt'], ['bus stop'], ['halt'])
        """
        return list(self.scopes(synonyms=synonyms, langs=langs))

    def title(self, langs: Collection[str] | None = None) -> str:
        """Return the text by which the entity is shown: its first name in these languages, if any.

        Examples
        --------
        >>> e = Entity("a#1", Kind.CLASS, (Label("abborre", "sv"), Label("perch", "en")))
        >>> e.title(), e.title(["en"]), e.title(["fr"])
        ('abborre', 'perch', 'abborre')
        """
        return (self.names(langs=langs) or self.names())[0]

    def scopes(
        self, *, synonyms: bool = True, langs: Collection[str] | None = None
    ) -> MutableTexts:
        """Return the scope of each of `names`: `LABEL`, or the scope of the synonym.

        Examples
        --------
        >>> synonyms = Label("halt", "", "exact"), Label("station", "", "broad")
        >>> Entity("http://ex.org#1", Kind.CLASS, (Label("stop"),), synonyms).scopes()
        {'stop': 'label', 'halt': 'exact'}
        """
        scoped = [(label, LABEL) for label in self.labels]
        if synonyms:
            scoped += [(s, s.scope) for s in self.synonyms if s.scope not in OTHER_THINGS]
        if langs is not None:
            languages = {lang.lower() for lang in langs}
            scoped = [(label, scope) for label, scope in scoped if label.is_in(languages)]
        if not self.labels and not scoped:
            return {local_name(self.iri): LABEL}
        scope_by_text: MutableTexts = {}
        for label, scope in scoped:
            scope_by_text.setdefault(label.text, scope)
        return scope_by_text


@dataclass(frozen=True, slots=True)
class KindCounts:
    """Number of entities of one kind, of labelled ones, and of all their synonyms."""

    entities: int
    labelled: int
    synonyms: int


@dataclass(frozen=True)
class Ontology:
    """A set of entities, as loaded from one file and its local imports.

    Parameters
    ----------
    iri
        The ontology's own IRI, '' where the file states none.
    entities
        Entity by IRI, in the order of the IRIs: whatever is computed from an ontology does not
        depend on the order of its file.
    parents
        Direct asserted named super-entities by IRI (rdfs:subClassOf, rdfs:subPropertyOf,
        skos:broader and the inverse of skos:narrower), sorted; an entity without any is absent.
        Both ends are among the entities, here and below.
    equivalents
        Pairs of IRIs stated equivalent (owl:equivalentClass, owl:equivalentProperty, owl:sameAs).
    disjoints
        Groups of two or more class IRIs, each sorted, that are stated to be disjoint one with
        another.
    empty
        Classes stated to have no instance: below, equivalent or equal to owl:Nothing, or disjoint
        with themselves; sorted.
    types
        Named classes of each individual, sorted.
    assertions
        (subject, property, object) between individuals, sorted.
    links
        (entity, relation, entity), sorted: (class, property, class) for each asserted restriction
        of a class to some values, as those of part_of; `DOMAIN` and `RANGE` of properties.
    definitions
        Texts by IRI that say what an entity is (skos:definition, IAO:0000115, oboInOwl's,
        rdfs:comment), sorted. Judges read them; nothing is matched by them.
    missing_imports
        IRIs of imports that no local file resolved; nothing is ever fetched.
    left_out
        Number of entities left out by reason: ``deprecated``, ``vocabulary`` (terms of oboInOwl),
        ``helper`` (nodes that carry synonyms, definitions and references), ``grouping`` (SKOS
        schemes and collections), ``ignored`` (Bio-ML's use_in_alignment is false).
    not_concepts
        The reason ``helper`` or ``grouping`` by the IRI of each entity left out for it.
    replacements
        Each deprecated entity and each alternative identifier, by IRI, with the one entity that
        replaces it by the file, or ''.
    suggestions
        The entities that the file names (replaced by, consider) for each entity that no single one
        replaces, by IRI.
    version
        Of the ontology: its version IRI, ``data-version`` or ``owl:versionInfo``; '' if unstated.
    path, sha256
        File that it was loaded from, and the SHA-256 of its bytes ('' where made in memory).
    imported
        Files of the imports that were read.
    mended
        What had to be mended in the files to read them, in sentences.
    """

    iri: str
    entities: Mapping[str, Entity]
    parents: Mapping[str, Iris] = field(default_factory=dict)
    equivalents: tuple[tuple[str, str], ...] = ()
    disjoints: tuple[Iris, ...] = ()
    empty: Iris = ()
    types: Mapping[str, Iris] = field(default_factory=dict)
    assertions: tuple[Link, ...] = ()
    links: tuple[Link, ...] = ()
    definitions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing_imports: Iris = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    not_concepts: Texts = field(default_factory=dict)
    replacements: Texts = field(default_factory=dict)
    suggestions: Mapping[str, Iris] = field(default_factory=dict)
    version: str = ""
    path: str = ""
    sha256: str = ""
    imported: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()

    def __hash__(self) -> int:  # of little, and fast: it is to be a key of what was computed
        return hash((self.iri, len(self.entities), len(self.parents)))

    def __len__(self) -> int:
        return len(self.entities)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities.values())

    def __contains__(self, iri: object) -> bool:
        return iri in self.entities

    def __repr__(self) -> str:
        name = self.iri or PurePath(self.path).name or "without an IRI"
        return f"<Ontology {name}: {count(len(self), 'entity')}>"

    def _repr_html_(self) -> str:
        counts = self.counts().items()
        rows = [[k, c.entities, c.labelled, c.synonyms] for k, c in counts]
        caption = f"{self.path or 'Ontology'}: {self.iri}"
        header = ["kind", "entities", "labelled", "synonyms"]
        return Table(caption, header, rows).to_preview()

    def to_frame(self) -> Frame:
        """Return one row for each entity: iri, kind, labels, synonyms, parents (tuples)."""
        rows = [
            {
                "iri": entity.iri,
                "kind": str(entity.kind),
                "labels": tuple(label.text for label in entity.labels),
                "synonyms": tuple(label.text for label in entity.synonyms),
                "parents": self.parents.get(entity.iri, ()),
            }
            for entity in self
        ]
        return frame(rows, columns=["iri", "kind", "labels", "synonyms", "parents"])

    def why_no_concept(self, iri: str) -> str:
        """Return why the IRI names no concept, '' where it may name one.

        Returns
        -------
        str
            ``vocabulary`` (terms of a language such as OWL, and of oboInOwl), ``helper`` or
            ``grouping``, as in `left_out`.

        Examples
        --------
        >>> Ontology("", {}).why_no_concept("http://www.geneontology.org/formats/oboInOwl#DbXref")
        'vocabulary'
        """
        if iri.startswith((*LANGUAGE, OBO_IN_OWL)):
            return "vocabulary"
        return self.not_concepts.get(iri, "")

    def kind_of(self, iri: str) -> str:
        """Return the kind of an entity as text; ``undeclared`` where it is not declared."""
        return str(self.entities[iri].kind) if iri in self.entities else "undeclared"

    def of_kind(self, kind: Kind) -> list[Entity]:
        """Return the entities of one kind, in the order of their IRIs."""
        entities = (entity for entity in self.entities.values() if entity.kind is kind)
        return sorted(entities, key=lambda entity: entity.iri)

    def counts(self) -> dict[Kind, KindCounts]:
        """Return how many entities there are of each kind, and how they are named.

        Examples
        --------
        >>> halt = Entity("http://ex.org#1", Kind.CLASS, (Label("stop"),), (Label("halt"),))
        >>> Ontology("http://ex.org", {halt.iri: halt}).counts()[Kind.CLASS]
        KindCounts(entities=1, labelled=1, synonyms=1)
        """
        counts = {}
        for kind in self.kinds:
            entities = self.of_kind(kind)
            labelled = sum(bool(entity.labels) for entity in entities)
            synonyms = sum(len(entity.synonyms) for entity in entities)
            counts[kind] = KindCounts(len(entities), labelled, synonyms)
        return counts

    @property
    def kinds(self) -> list[Kind]:
        """Kinds that at least one entity has."""
        present = {entity.kind for entity in self.entities.values()}
        return [kind for kind in Kind if kind in present]


def shared_entities(source: Ontology, target: Ontology) -> list[str]:
    """Return the entities that both ontologies have under one IRI and as one kind.

    An entity that has labels in one ontology only is not shared: the other merely refers to it. Nor
    is an entity without a name.
    """
    shared = []
    for entity in source:
        counterpart = target.entities.get(entity.iri)
        if counterpart is None or counterpart.kind is not entity.kind:
            continue
        has_name = any(map(str.strip, entity.names()))
        if has_name and bool(counterpart.labels) == bool(entity.labels):
            shared.append(entity.iri)
    return sorted(shared)


def is_of_vocabulary(entity: Entity) -> bool:
    """Return whether an entity serves to describe others, such as IAO's *definition*.

    Examples
    --------
    >>> is_of_vocabulary(Entity("http://purl.org/dc/terms/title", Kind.ANNOTATION_PROPERTY))
    True
    """
    return entity.kind is Kind.ANNOTATION_PROPERTY or entity.iri.startswith(IAO)


_WHY_LEFT_OUT = {
    "deprecated": "the file marks them so",
    "vocabulary": "they are terms of OBO's own vocabulary (oboInOwl)",
    "helper": "they only hold synonyms, definitions or references of other entities",
    "grouping": "they are schemes and collections of SKOS, no concepts",
    "ignored": "the file says that they are not to be matched (use_in_alignment)",
}


def left_out_cautions(left_out: Mapping[str, int]) -> list[str]:
    """Return a sentence on each reason for which entities are left out, as in `Ontology`.

    Examples
    --------
    >>> left_out_cautions({"deprecated": 2})
    ['2 deprecated entities left out: the file marks them so']
    """
    return [
        f"{count(n, f'{reason} entity')} left out: {_WHY_LEFT_OUT[reason]}"
        for reason, n in sorted(left_out.items())
        if n
    ]
