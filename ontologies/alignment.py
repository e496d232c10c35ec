"""Correspondences and alignments: the result of matching, and the reference for it."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, islice
from operator import attrgetter, lt
from typing import Any, NamedTuple

from alignrank.common.errors import AlignmentError
from alignrank.common.names import Pair, Texts, count, one_line
from alignrank.common.table import ROWS, ColumnKind, Frame, Table, frame

from .ontology import Entity, Ontology, local_name
from .vocabulary import OWL, RDF, SKOS, SSSOM

#: Relations with a meaning here: equivalence, subsumption both ways (``<``: entity1 is narrower),
#: disjointness, instance-of both ways, and ``?`` for "unknown".
RELATIONS = ("=", "<", ">", "%", "InstanceOf", "HasInstance", "?")
#: Name under which `Correspondence.extra` holds the predicate that states the relation, where it is
#: not the usual one: owl:equivalentClass for ``=``.
PREDICATE = f"{SSSOM}predicate_id"
#: Names under which `Correspondence.extra` holds the labels of both entities, the name that both
#: share as the matcher compared it, and why the correspondence is thought right.
SUBJECT_LABEL, OBJECT_LABEL = f"{SSSOM}subject_label", f"{SSSOM}object_label"
MATCH_STRING, JUSTIFICATION = f"{SSSOM}match_string", f"{SSSOM}mapping_justification"
#: The predicate that states each relation where a file names no other.
PREDICATES = {
    "=": f"{SKOS}exactMatch",
    "<": f"{SKOS}broadMatch",
    ">": f"{SKOS}narrowMatch",
    "%": f"{OWL}disjointWith",
    "InstanceOf": f"{RDF}type",
}
#: Name under which the confidence of a negated correspondence is kept.
CONFIDENCE = f"{SSSOM}confidence"
#: Name under which `Correspondence.extra` holds a remark, such as a person's mark.
COMMENT = f"{SSSOM}comment"
#: Name under which `Alignment.metadata` says what the confidence is: probability or similarity.
CONFIDENCE_MEANING = "confidence_meaning"
#: The entity of a no-match: it stands where no entity corresponds.
NO_TERM = f"{SSSOM}NoTermFound"

#: Each relation that is another one read from target to source.
_MIRRORED = {"<": ">", ">": "<", "InstanceOf": "HasInstance", "HasInstance": "InstanceOf"}
#: Relations that mean the same when they are read from target to source.
_SYMMETRIC = {"=", "%", "?"}
#: Predicates with an inverse of their own; without one only symmetric relations can be turned.
_INVERSE = {f"{SKOS}broadMatch": f"{SKOS}narrowMatch", f"{SKOS}narrowMatch": f"{SKOS}broadMatch"}


#: What is said beyond a correspondence (`Correspondence.extra`): texts with their names.
Extra = tuple[Pair, ...]
#: Equal to a `Key`, and made faster.
RowKey = tuple[str, str, str]


class Key(NamedTuple):
    """The identity of a correspondence: its confidence is no part of it."""

    entity1: str
    entity2: str
    relation: str

    def swapped(self) -> Key:
        """Return the same correspondence, read from target to source."""
        return Key(self.entity2, self.entity1, _MIRRORED.get(self.relation, self.relation))


def extra_of(facts: Texts) -> Extra:
    """Return facts as `Correspondence.extra` holds them."""
    return tuple(sorted(facts.items()))


class _Row:
    """A row of an alignment: two entities, and what is said beyond."""

    __slots__ = ()
    entity1: str
    entity2: str
    extra: Extra

    @property
    def pair(self) -> Pair:
        """The two entities."""
        return self.entity1, self.entity2

    @property
    def labels(self) -> Pair:
        """The labels of the two entities; where none is stated, the last parts of their IRIs."""
        facts = dict(self.extra)
        label1 = facts.get(SUBJECT_LABEL) or local_name(self.entity1)
        return label1, facts.get(OBJECT_LABEL) or local_name(self.entity2)


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Correspondence(_Row):
    """One correspondence ``(entity1, entity2, relation, confidence)``.

    Parameters
    ----------
    entity1, entity2
        IRIs of the source's and the target's entity.
    relation
        One of `RELATIONS`; a file's unknown relation is ``?``.
    confidence
        In [0, 1].
    stated_relation, stated_confidence
        What the file said, where that differs (an unknown relation; a confidence outside [0, 1],
        which is clipped). None otherwise.
    extra
        Whatever else a file says of it, (name, text) by (name, text): kept by every format, used
        by nothing, and no part of what makes correspondences equal. A name is an IRI, or what a
        table's column is called.

    Raises
    ------
    AlignmentError
        If the confidence is NaN or outside [0, 1], the relation unknown, or an entity empty.

    Examples
    --------
    >>> Correspondence("http://a#Book", "http://b#book").key
    Key(entity1='http://a#Book', entity2='http://b#book', relation='=')
    >>> Correspondence("http://a#Book", "http://b#book", confidence=0.9)
    <Correspondence Book = book, 0.9>
    """

    entity1: str
    entity2: str
    relation: str = "="
    confidence: float = 1.0
    stated_relation: str | None = None
    stated_confidence: float | None = None
    extra: Extra = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.entity1 or not self.entity2:
            raise AlignmentError("a correspondence needs two entities: entity1 or entity2 is empty")
        if math.isnan(self.confidence) or not 0.0 <= self.confidence <= 1.0:
            raise AlignmentError(
                f"confidence {self.confidence!r} of ({self.entity1}, {self.entity2}) is outside "
                "[0, 1]: clip it, or divide percentages by 100"
            )
        if self.relation not in RELATIONS:
            raise AlignmentError(
                f"relation {self.relation!r} of ({self.entity1}, {self.entity2}) is unknown: use "
                f"one of {' '.join(RELATIONS)}"
            )

    def __repr__(self) -> str:
        names = f"{local_name(self.entity1)} {self.relation} {local_name(self.entity2)}"
        return f"<Correspondence {names}, {self.confidence:g}>"

    @property
    def key(self) -> Key:
        """Identity: (entity1, entity2, relation)."""
        return Key(self.entity1, self.entity2, self.relation)


class Columns(NamedTuple):
    """Correspondences as columns: the values of each field of `Correspondence`.

    A large file is read, merged and written without an object for each of its rows.

    Examples
    --------
    >>> columns = Columns.of([Correspondence("a#x", "b#y"), Correspondence("a#x", "b#x")])
    >>> columns.entity2, columns.merged().entity2
    (['b#y', 'b#x'], ['b#x', 'b#y'])
    """

    entity1: list[str]
    entity2: list[str]
    relation: list[str]
    confidence: array[float]
    stated_relation: list[str | None]
    stated_confidence: list[float | None]
    extra: list[Extra]

    @classmethod
    def of(cls, correspondences: Iterable[Correspondence] = ()) -> Columns:
        """Return the fields of correspondences."""
        return cls.of_rows(map(attrgetter(*cls._fields), correspondences))

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[object, ...]]) -> Columns:
        """Return the columns of rows; each row holds the fields of a valid correspondence."""
        return cls._of_lists([list(column) for column in zip(*rows, strict=True)])

    @classmethod
    def _of_lists(cls, columns: Sequence[list[Any]]) -> Columns:  # a type for each column
        columns = columns or [[] for _ in cls._fields]
        return cls._make((*columns[:3], array("d", columns[3]), *columns[4:]))

    def row_keys(self) -> Iterator[RowKey]:
        """Return the identity of each row: equal to its `Key`, and made faster."""
        return zip(self.entity1, self.entity2, self.relation, strict=True)

    def with_shared(self, iris: Texts) -> Columns:
        """Return the same rows with the strings of `iris` (each by itself) for equal entities."""
        entity1, entity2 = (list(map(iris.get, side, side)) for side in self[:2])
        return self._replace(entity1=entity1, entity2=entity2)

    def where(self, flags: Iterable[bool]) -> Columns:
        """Return the rows whose flag is true."""
        rows = compress(range(len(self.entity1)), flags)
        return self._taken(list(rows))

    def merged(self) -> Columns:
        """Return the rows in the order of their keys; of equal keys the highest confidence stays.

        Of several rows with the highest confidence the first stays.
        """
        if all(map(lt, self.row_keys(), islice(self.row_keys(), 1, None))):
            return self
        return self._taken(self._best_rows())

    def _best_rows(self) -> Sequence[int]:
        size = len(self.entity1)
        if len(set(self.entity1)) == size:
            return sorted(range(size), key=self.entity1.__getitem__)
        # three stable sorts need no tuple for each row
        rows = sorted(range(size), key=self.relation.__getitem__)
        rows.sort(key=self.entity2.__getitem__)
        rows.sort(key=self.entity1.__getitem__)
        best_rows = array("q")
        best_key = None
        for row in rows:
            key = self.entity1[row], self.entity2[row], self.relation[row]
            if key != best_key:
                best_rows.append(row)
                best_key = key
            elif self.confidence[row] > self.confidence[best_rows[-1]]:
                best_rows[-1] = row
        return best_rows

    def _taken(self, rows: Sequence[int]) -> Columns:
        return self._of_lists([list(map(column.__getitem__, rows)) for column in self])


@dataclass(frozen=True, slots=True, order=True)
class NegatedCorrespondence(_Row):
    """A statement that a predicate does *not* hold between two entities.

    It denies this predicate only: the pair may have another relation. It is no correspondence, so
    it is never found, missed or counted.

    Parameters
    ----------
    entity1, entity2
        IRIs of the source's and the target's entity. One of them is `NO_TERM` in a no-match: the
        predicate then holds between the entity and no entity of the other side.
    predicate
        IRI of the predicate that does not hold, such as skos:exactMatch.
    relation
        The relation that the predicate stands for, one of `RELATIONS`; the predicate itself where
        it stands for none of them.
    extra
        All that a file says beside (author, confidence), as in `Correspondence`.

    Examples
    --------
    >>> sorted(NegatedCorrespondence("a#x", "b#y", f"{SKOS}broadMatch", "<").denied)[0]
    Key(entity1='a#x', entity2='b#y', relation='<')
    """

    entity1: str
    entity2: str
    predicate: str
    relation: str
    extra: Extra = field(default=(), compare=False)

    @property
    def is_no_match(self) -> bool:
        """Whether an entity is stated to have no correspondence at all."""
        return NO_TERM in self.pair

    @property
    def denied(self) -> tuple[Key, Key]:
        """The correspondence that does not hold, read in both directions."""
        key = Key(self.entity1, self.entity2, self.relation)
        return key, key.swapped()

    def swapped(self) -> NegatedCorrespondence:
        """Return the statement read from target to source.

        It stays as it is, which is as true, where its predicate has no inverse.
        """
        is_symmetric = self.relation in _SYMMETRIC
        predicate = self.predicate if is_symmetric else _INVERSE.get(self.predicate)
        if predicate is None:
            return self
        return NegatedCorrespondence(
            *self.denied[1][:2], predicate, self.denied[1].relation, _turned(self.extra)
        )


class Denials(Set[Key]):
    """The correspondences that statements deny.

    A no-match denies the correspondences of its entity with every entity, so that they cannot be
    listed: ``in`` and ``&`` know them, while iteration and length leave them out.

    Parameters
    ----------
    negated
        The statements.
    stated
        Correspondences that are stated all the same, which are not denied.

    Examples
    --------
    >>> no_match = NegatedCorrespondence("a#x", NO_TERM, f"{SKOS}exactMatch", "=")
    >>> denials = Denials([no_match], ())
    >>> Key("a#x", "b#y", "=") in denials, Key("a#x", "b#y", "<") in denials, len(denials)
    (True, False, 0)
    """

    def __init__(self, negated: Iterable[NegatedCorrespondence], stated: Iterable[Key]) -> None:
        statements = list(negated)
        self._stated = frozenset(stated)
        pairs = (n for n in statements if not n.is_no_match)
        self._keys = frozenset(key for n in pairs for key in n.denied) - self._stated
        no_matches = (n for n in statements if n.is_no_match)
        denied_once = [key for n in no_matches for key in n.denied]
        self._sources = {(k.entity1, k.relation) for k in denied_once if k.entity2 == NO_TERM}

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, tuple) or len(item) != 3:
            return False
        key = Key(*item)
        if key in self._keys:
            return True
        swapped = key.swapped()
        ends = {(key.entity1, key.relation), (swapped.entity1, swapped.relation)}
        return key not in self._stated and not ends.isdisjoint(self._sources)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @classmethod
    def _from_iterable(cls, it: Iterable[Key]) -> frozenset[Key]:  # type: ignore[override]  # a part of a set is a plain set
        return frozenset(it)


@dataclass(frozen=True)
class ReadingNotes:
    """The mends that reading a file needed, for reports and `lint`.

    Parameters
    ----------
    cells
        Cells in the file, before duplicates were merged.
    duplicates
        Cells dropped because another had the same (entity1, entity2, relation); the highest
        confidence is kept.
    clipped
        Cells whose confidence was outside [0, 1].
    largest, smallest
        Largest and smallest confidence as stated; NaN for a file without cells.
    unknown_relations
        Number of cells by relation text that is not understood; they became ``?``.
    foreign
        What the reader does not understand: number of elements by XML namespace, or of filled
        fields by column name. What is said of a correspondence is kept as its `extra`.
    mended
        What had to be mended to read the file, and what was not read though it may be meant, in
        sentences.
    """

    cells: int = 0
    duplicates: int = 0
    clipped: int = 0
    largest: float = math.nan
    smallest: float = math.nan
    unknown_relations: Mapping[str, int] = field(default_factory=dict)
    foreign: Mapping[str, int] = field(default_factory=dict)
    mended: tuple[str, ...] = ()


#: Names of metadata that say something of one ontology: these with 1 or 2 at the end.
_OF_ONE_SIDE = {"location", "formalism", "uri"}


def _mirrored(key: str, text: str) -> Pair:
    """Return a piece of metadata, read from target to source."""
    if key[:-1] in _OF_ONE_SIDE and key[-1] in "12":
        return f"{key[:-1]}{3 - int(key[-1])}", text
    return _of_other_side(key), text[::-1] if key == "type" else text


def _of_other_side(key: str) -> str:
    """Return the name of the same fact about the other entity: object_label of subject_label."""
    for space in (SSSOM, ""):
        for word, partner in (("subject_", "object_"), ("object_", "subject_")):
            if key.startswith(space + word):
                return space + partner + key.removeprefix(space + word)
    return key


def _turned(extra: Extra) -> Extra:
    """Return further facts of a pair, read from target to source."""
    return extra_of({_of_other_side(key): text for key, text in extra})


def _without_predicate(c: Correspondence) -> Extra:
    """Return the further facts of a correspondence that hold when its relation is turned.

    A predicate such as rdfs:subClassOf has no inverse: the turned relation stands alone.
    """
    return tuple(fact for fact in c.extra if fact[0] != PREDICATE or c.relation in _SYMMETRIC)


class Alignment:
    """A frozen set of correspondences, in the order of (entity1, entity2, relation).

    Correspondences with the same key are merged; the highest confidence is kept. Set algebra
    (``|``, ``&``, ``-``, ``<=``) compares keys and ignores confidence.

    Parameters
    ----------
    correspondences
        In any order.
    ontology1, ontology2
        IRIs of the ontologies, '' where unknown.
    name
        Name of the system or metric that made it.
    path, sha256
        File that it was read from, and the SHA-256 of its bytes.
    metadata
        Further facts (method, settings) that the writers keep, as text. The names ``type``,
        ``level``, ``location1``, ``location2``, ``formalism1`` and so on are those of the Alignment
        API's header, where it says anything unusual.
    has_confidences
        Whether confidences are stated. Where they are not, each is 1.0, and formats that can leave
        confidences out do so.
    negated
        Correspondences that are stated not to hold, in any order. They are none of the alignment's:
        its length and its set algebra ignore them, and what is made of the alignment (its union
        with another, a cut, a filter) keeps them.
    columns
        The correspondences as columns, instead of `correspondences`.

    Examples
    --------
    >>> a = Alignment([Correspondence("a#x", "b#x", "=", 0.5), Correspondence("a#x", "b#x")])
    >>> len(a), a[("a#x", "b#x", "=")].confidence
    (1, 1.0)
    >>> b = Alignment([Correspondence("a#y", "b#y")])
    >>> sorted(c.entity1 for c in a | b), len(a & b), len(a - a)
    (['a#x', 'a#y'], 0, 0)
    """

    def __init__(
        self,
        correspondences: Iterable[Correspondence] = (),
        *,
        ontology1: str = "",
        ontology2: str = "",
        name: str = "",
        path: str = "",
        sha256: str = "",
        metadata: Texts | None = None,
        has_confidences: bool = True,
        negated: Iterable[NegatedCorrespondence] = (),
        columns: Columns | None = None,
    ) -> None:
        sized: tuple[Sized, ...] = columns or ()
        if len(set(map(len, sized))) > 1:
            raise AlignmentError("the columns of an alignment must have one length")
        #: All correspondences as columns.
        self.columns = (columns or Columns.of(correspondences)).merged()
        self.ontology1 = ontology1
        self.ontology2 = ontology2
        self.name = name
        self.path = path
        self.sha256 = sha256
        #: What the reader had to mend.
        self.notes = ReadingNotes(cells=len(self))
        self.metadata: Texts = dict(metadata or {})
        self.has_confidences = has_confidences
        self.negated = tuple(sorted(set(negated)))

    # made when they are first asked for
    @cached_property
    def _row_by_key(self) -> dict[RowKey, int]:
        return dict(zip(self.columns.row_keys(), range(len(self)), strict=True))

    @cached_property
    def _listed(self) -> tuple[Correspondence, ...]:
        return tuple(map(Correspondence, *self.columns))

    def __len__(self) -> int:
        return len(self.columns.entity1)

    def __iter__(self) -> Iterator[Correspondence]:
        return iter(self._listed)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Correspondence):  # a plain tuple, equal to the key, is made faster
            return (item.entity1, item.entity2, item.relation) in self._row_by_key
        return item in self._row_by_key

    def __getitem__(self, key: RowKey) -> Correspondence:
        return self._listed[self._row_by_key[Key(*key)]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignment):
            return False
        # what is said beyond correspondences makes no difference
        equal = self.columns[:-1] == other.columns[:-1]
        return equal and self.negated == other.negated

    def __hash__(self) -> int:
        return hash(tuple(self.columns.row_keys()))

    def __repr__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        return f"<Alignment {name}{count(len(self), 'correspondence')}>"

    def _repr_html_(self) -> str:
        rows = [
            [c.labels[0], c.relation, c.labels[1], f"{c.confidence:.4g}"]
            for c in islice(self, ROWS)
        ]
        caption = f"{self.name or 'Alignment'}: {count(len(self), 'correspondence')}"
        header = ["source", "relation", "target", "confidence"]
        kinds: list[ColumnKind] = ["text", "text", "text", "number"]
        return Table(caption, header, rows, kinds=kinds).to_preview(total=len(self))

    def to_frame(self) -> Frame:
        """Return one row for each correspondence.

        The columns are entity1, entity2, relation, confidence, subject_label and object_label. A
        confidence that no file states is NaN; a label that none states is the last part of the IRI.
        """
        columns = ["entity1", "entity2", "relation", "confidence", "subject_label", "object_label"]
        rows = [
            [*c.key, c.confidence if self.has_confidences else math.nan, *c.labels] for c in self
        ]
        return frame(rows, columns=columns)

    @property
    def keys(self) -> frozenset[Key]:
        """Identities (entity1, entity2, relation) of all correspondences."""
        return frozenset(map(Key, *self.columns[:3]))

    @property
    def pairs(self) -> frozenset[Pair]:
        """Pairs (entity1, entity2), in any relation."""
        return frozenset(zip(self.columns.entity1, self.columns.entity2, strict=True))

    @property
    def negative_counts(self) -> tuple[str, ...]:
        """The numbers of negated correspondences and of no-matches, in words."""
        no_matches = sum(n.is_no_match for n in self.negated)
        numbers = (len(self.negated) - no_matches, no_matches)
        words = ("negated correspondence", "unmatched entity")
        return tuple(count(n, word) for n, word in zip(numbers, words, strict=True) if n)

    def with_incompatible_negated(self) -> Alignment:
        """Return the alignment where ``%`` only denies ``=``: as in MELT, whose word is INCOMPAT.

        An alignment of nothing but ``%`` is about disjointness, and stays as it is.

        Examples
        --------
        >>> a = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#y", "b#x", "%")])
        >>> negating = a.with_incompatible_negated()
        >>> len(negating), negating.negative_counts
        (1, ('1 negated correspondence',))
        """
        relations = set(self.columns.relation)
        if "%" not in relations or relations <= {"%", "?"}:
            return self
        alignment = self.where(lambda c: c.relation != "%")
        statements = [
            NegatedCorrespondence(*c.pair, f"{SKOS}exactMatch", "=", c.extra)
            for c in self
            if c.relation == "%"
        ]
        alignment.negated = tuple(sorted({*self.negated, *statements}))
        alignment.notes = self.notes
        return alignment

    @property
    def denied(self) -> Denials:
        """The keys that `negated` denies, in both directions, without the alignment's own.

        They are wrong by a reference, also where it leaves their pair open.
        """
        return Denials(self.negated, self.keys if self.negated else ())

    def with_correspondences(
        self, correspondences: Iterable[Correspondence], **metadata: str
    ) -> Alignment:
        """Return an alignment of the same name and ontologies with other correspondences.

        Parameters
        ----------
        correspondences
            What it holds.
        metadata
            What it states otherwise, or beside.

        Examples
        --------
        >>> Alignment([], metadata={"metric": "jaro"}).with_correspondences([], cut="0.8").metadata
        {'metric': 'jaro', 'cut': '0.8'}
        """
        return self.with_columns(Columns.of(correspondences), **metadata)

    def with_columns(self, columns: Columns, **metadata: str) -> Alignment:
        """Return the alignment with other correspondences, given as columns."""
        # of fewer or more correspondences another type (one to one, …) may be true
        facts = dict(self.metadata)
        if len(columns.entity1) != len(self):
            facts.pop("type", None)
        return Alignment(
            columns=columns,
            ontology1=self.ontology1,
            ontology2=self.ontology2,
            name=self.name,
            path=self.path,
            sha256=self.sha256,
            metadata=facts | metadata,
            has_confidences=self.has_confidences,
            negated=self.negated,
        )

    def renamed(self, rename1: Callable[[str], str], rename2: Callable[[str], str]) -> Alignment:
        """Return the alignment between entities of other names.

        Parameters
        ----------
        rename1, rename2
            New IRI of a source entity and of a target entity, by the old one.
        """
        alignment = self.with_correspondences(
            replace(c, entity1=rename1(c.entity1), entity2=rename2(c.entity2)) for c in self
        )
        alignment.negated = tuple(
            sorted(
                replace(n, entity1=rename1(n.entity1), entity2=rename2(n.entity2))
                for n in self.negated
            )
        )
        return alignment

    def where(self, keep: Callable[[Correspondence], bool]) -> Alignment:
        """Return the correspondences for which `keep` is true."""
        return self.with_columns(self.columns.where(map(keep, self)))

    def at_least(self, threshold: float) -> Alignment:
        """Return the correspondences whose confidence is at least `threshold` (``>=``)."""
        flags = (confidence >= threshold for confidence in self.columns.confidence)
        return self.with_columns(self.columns.where(flags))

    def swapped(self) -> Alignment:
        """Return the alignment read from target to source; ``<`` and ``>`` change places."""
        turned = [(c, c.key.swapped()) for c in self]
        return Alignment(
            (
                replace(c, **key._asdict(), extra=_turned(_without_predicate(c)))
                for c, key in turned
            ),
            ontology1=self.ontology2,
            ontology2=self.ontology1,
            name=self.name,
            metadata=dict(_mirrored(key, text) for key, text in self.metadata.items()),
            has_confidences=self.has_confidences,
            negated=(n.swapped() for n in self.negated),
        )

    def __or__(self, other: Alignment) -> Alignment:
        union = self.with_correspondences([*self, *other])
        # rather a 1.0 that no file states than a stated confidence lost
        union.has_confidences = self.has_confidences or other.has_confidences
        union.negated = tuple(sorted({*self.negated, *other.negated}))
        return union

    def __and__(self, other: Alignment) -> Alignment:
        others = other._row_by_key
        flags = (key in others for key in self.columns.row_keys())
        return self.with_columns(self.columns.where(flags))

    def __sub__(self, other: Alignment) -> Alignment:
        others = other._row_by_key
        flags = (key not in others for key in self.columns.row_keys())
        return self.with_columns(self.columns.where(flags))

    def __le__(self, other: Alignment) -> bool:
        return self._row_by_key.keys() <= other._row_by_key.keys()


def with_labels(alignment: Alignment, source: Ontology, target: Ontology) -> Alignment:
    """Return the alignment with a label of both entities beside each correspondence.

    It is a label that both have, else the first in a language that both have, else the first; of
    the languages in which the alignment was matched, where it says so.

    Parameters
    ----------
    alignment
        Labels that it has already are replaced where the ontology has the entity.
    source, target
        The ontologies. An entity without a label has the last part of its IRI.

    Returns
    -------
    Alignment
        Each `Correspondence.extra` holds the facts `SUBJECT_LABEL` and `OBJECT_LABEL`.

    Examples
    --------
    >>> from alignrank.ontologies import Entity, Kind, Label
    >>> heart = Ontology("", {"a#1": Entity("a#1", Kind.CLASS, (Label("heart"),))})
    >>> organ = Ontology("", {"b#1": Entity("b#1", Kind.CLASS, (Label("Heart"),))})
    >>> (c,) = with_labels(Alignment([Correspondence("a#1", "b#1")]), heart, organ)
    >>> c.labels
    ('heart', 'Heart')
    """
    langs = alignment.metadata.get("langs", "all").lower().split()
    chosen = None if langs == ["all"] else langs

    columns = alignment.columns
    labelled = []
    for iri1, iri2, extra in zip(columns.entity1, columns.entity2, columns.extra, strict=True):
        facts = dict(extra)
        entities = source.entities.get(iri1), target.entities.get(iri2)
        for key, entity, partner in (
            (SUBJECT_LABEL, entities[0], entities[1]),
            (OBJECT_LABEL, entities[1], entities[0]),
        ):
            if entity is not None:
                facts[key] = one_line(_shown_label(entity, partner, chosen))
        labelled.append(extra_of(facts))
    return alignment.with_columns(columns._replace(extra=labelled))


def _shown_label(entity: Entity, partner: Entity | None, langs: Sequence[str] | None) -> str:
    """Return the label by which an entity stands beside the one that it is matched with."""
    labels = entity.labels
    if langs is not None:
        labels = tuple(label for label in labels if label.is_in(langs)) or labels
    if partner is None or len(labels) < 2:
        return labels[0].text if labels else entity.title()
    texts = {label.text.casefold() for label in partner.labels}
    languages = {label.lang for label in partner.labels}
    best = min(labels, key=lambda t: (t.text.casefold() not in texts, t.lang not in languages))
    return best.text
