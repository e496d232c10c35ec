"""A person's decisions in an alignment, also for new ontologies; the differences of mappings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from alignrank.common.errors import AlignmentError
from alignrank.common.names import MutableTexts, Pair, count, first_of, one_line

from .alignment import (
    COMMENT,
    CONFIDENCE,
    JUSTIFICATION,
    MATCH_STRING,
    NO_TERM,
    OBJECT_LABEL,
    PREDICATE,
    PREDICATES,
    SUBJECT_LABEL,
    Alignment,
    Correspondence,
    Denials,
    NegatedCorrespondence,
    extra_of,
)
from .ontology import Ontology, local_name
from .vocabulary import OBO, SSSOM, declared_prefixes, preferred_curie

#: The justification of a mapping that a person decided.
CURATED = "semapv:ManualMappingCuration"
#: From 1 (a reviewer agrees with the row) to -1 (the reviewer disagrees).
AGREEMENT = f"{SSSOM}reviewer_agreement"
#: Name under which `Correspondence.extra` says what is different since the earlier mapping: some of
#: the words below, with semicolons between.
CHANGE = "change"
NEW, RENAMED, REPLACED, GONE, CONFLICT = "new", "changed label", "replaced", "gone", "conflict"

#: The date of a decision.
MAPPING_DATE = f"{SSSOM}mapping_date"
#: What a set of mappings states of itself, and still states when its ontologies have new releases.
_OF_THE_SET = """comment creator_id creator_label curation_rule curation_rule_text curie_map
    issue_tracker license mapping_provider mapping_set_description mapping_set_id mapping_set_source
    mapping_set_title see_also""".split()  # noqa: SIM905 -- names in a line read best
#: Facts of a row that the matcher states anew.
_OF_THE_MATCHER = (JUSTIFICATION, MATCH_STRING, PREDICATE)

#: A row of an alignment, whether it states a correspondence or denies it.
Statement = Correspondence | NegatedCorrespondence
_Row = TypeVar("_Row", bound=Statement)


@dataclass(frozen=True)
class Change:
    """The fate of a row of an earlier mapping.

    Parameters
    ----------
    decision
        ``accepted``, ``rejected`` or ``undecided``.
    pair, labels
        The two entities and their labels, as the row states them.
    text
        What is different, and what was done.
    """

    decision: str
    pair: Pair
    labels: Pair
    text: str


@dataclass(frozen=True)
class Decisions:
    """A person's decisions on the rows of a mapping.

    Parameters
    ----------
    accepted
        Correspondences that hold; each says so in its `extra`.
    rejected
        Statements that a correspondence does not hold.
    undecided
        Correspondences without a decision.
    aside
        Rows that decide nothing now, and are kept: an entity of theirs is gone, or one row accepts
        what another rejects.
    earlier_pairs
        The pairs of the earlier mapping; None where there is none.
    changes
        What became of the rows of the earlier mapping, where anything is different.
    metadata
        What the earlier mapping states of itself, such as its title, creators and prefixes.
    """

    accepted: tuple[Correspondence, ...] = ()
    rejected: tuple[NegatedCorrespondence, ...] = ()
    undecided: tuple[Correspondence, ...] = ()
    aside: tuple[Statement, ...] = ()
    earlier_pairs: frozenset[Pair] | None = None
    changes: tuple[Change, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def denied(self) -> frozenset[Pair]:
        """The pairs that are rejected as equivalent, or accepted with another relation."""
        rejected = {n.pair for n in self.rejected if n.relation == "=" and not n.is_no_match}
        return frozenset(rejected | {c.pair for c in self.accepted if c.relation != "="})

    @property
    def unmatched(self) -> tuple[frozenset[str], frozenset[str]]:
        """The source and the target entities that are stated to be equivalent to no entity."""
        no_matches = [n for n in self.rejected if n.relation == "=" and n.is_no_match]
        source, target = (frozenset(n.pair[side] for n in no_matches) for side in (0, 1))
        return source - {NO_TERM}, target - {NO_TERM}

    def complete(self, alignment: Alignment) -> Alignment:
        """Return the alignment with the earlier mapping's facts beyond its decisions.

        These are the comments and further facts of undecided pairs, the rows that are kept aside,
        and the word `NEW` at pairs that the earlier mapping does not have.
        """
        if self.earlier_pairs is None:
            return alignment
        undecided: dict[Pair, Correspondence] = {}
        for c in self.undecided:
            undecided[c.pair] = _united(undecided.get(c.pair, c), c)
        remarks = {
            pair: {key: text for key, text in c.extra if key not in _OF_THE_MATCHER}
            for pair, c in undecided.items()
        }
        aside = [c for c in self.aside if isinstance(c, Correspondence)]
        remarks |= {c.pair: dict(c.extra) for c in aside}
        rows = [c for c in aside if c.key not in alignment]
        for c in alignment:
            facts = dict(remarks.get(c.pair, {}))
            if c.pair not in self.earlier_pairs:
                facts[CHANGE] = NEW
            rows.append(replace(c, extra=extra_of(facts | dict(c.extra))))
        completed = alignment.with_correspondences(rows, **{**self.metadata, **alignment.metadata})
        negated = (n for n in self.aside if isinstance(n, NegatedCorrespondence))
        completed.negated = tuple(sorted({*alignment.negated, *negated}))
        return completed

    def not_proposed(self, alignment: Alignment) -> list[Change]:
        """Return the undecided rows that an alignment of the same ontologies does not have."""
        partners: MutableTexts = {}
        for c in alignment:
            partners |= {c.entity1: c.labels[1], c.entity2: c.labels[0]}
        changes = []
        pairs = alignment.pairs
        for c in self.undecided:
            if c.pair in pairs:
                continue
            text = "not proposed again: below the threshold"
            for iri, label in zip(c.pair, c.labels, strict=True):
                if iri in partners:
                    text = f"not proposed again: the partner of {label} is {partners[iri]}"
            changes.append(Change("undecided", c.pair, c.labels, text))
        return changes


NOTHING_DECIDED = Decisions()


def decisions_of(alignment: Alignment) -> Decisions:
    """Return the decisions that an alignment states.

    A correspondence is accepted if its justification is semapv:ManualMappingCuration; whatever the
    alignment negates is rejected. Where a row states ``reviewer_agreement``, it is accepted above 0
    and rejected below. Rows of terms that are gone decide nothing: they are kept aside.

    Examples
    --------
    >>> c = Correspondence("a#x", "b#x", extra=((JUSTIFICATION, CURATED),))
    >>> len(decisions_of(Alignment([c, Correspondence("a#y", "b#y")])).accepted)
    1
    """
    current, aside = current_rows(alignment)
    return replace(_stated_decisions(current), aside=aside)


def current_rows(alignment: Alignment) -> tuple[Alignment, tuple[Statement, ...]]:
    """Return an alignment without the rows of terms that are gone, and these rows."""
    statements: list[Statement] = [*alignment, *alignment.negated]
    gone = tuple(row for row in statements if GONE in dict(row.extra).get(CHANGE, "").split("; "))
    if not gone:
        return alignment, gone
    aside = set(gone)
    current = alignment.where(lambda c: c not in aside)
    current.negated = tuple(n for n in alignment.negated if n not in aside)
    return current, gone


def gone_text(number: int) -> str:
    """Return how many rows of terms that are gone a mapping has.

    Examples
    --------
    >>> gone_text(2)
    '2 rows of terms that are gone'
    """
    return f"{count(number, 'row')} of terms that are gone"


def _stated_decisions(alignment: Alignment) -> Decisions:
    """Return the decisions of all rows, also of rows whose terms are gone."""
    of_set = alignment.metadata.get("mapping_justification", "")
    accepted = []
    undecided = []
    rejected = list(alignment.negated)
    for c in alignment:
        facts = dict(c.extra)
        usual = "" if MATCH_STRING in facts else of_set
        agreement = float(facts.get(JUSTIFICATION, usual) == CURATED)
        with suppress(ValueError):
            agreement = float(facts.get(AGREEMENT, agreement))
        if agreement > 0:
            facts[JUSTIFICATION] = CURATED
            accepted.append(replace(c, extra=extra_of(facts)))
        elif agreement < 0:
            rejected.append(_negated(c))
        else:
            undecided.append(c)
    return Decisions(tuple(accepted), tuple(rejected), tuple(undecided))


def _negated(c: Correspondence) -> NegatedCorrespondence:
    """Return the statement that a correspondence with which a reviewer disagrees does not hold."""
    facts = dict(c.extra)
    del facts[AGREEMENT]
    predicate = facts.pop(PREDICATE, "") or PREDICATES.get(c.relation, c.relation)
    facts |= {JUSTIFICATION: CURATED, CONFIDENCE: repr(c.confidence)}
    return NegatedCorrespondence(*c.pair, predicate, c.relation, extra_of(facts))


def recorded_threshold(alignment: Alignment, metric: str) -> float | None:
    """Return the threshold of the run that wrote an alignment; None if its metric was another one.

    Examples
    --------
    >>> recorded_threshold(Alignment(metadata={"metric": "ngram", "threshold": "0.7"}), "ngram")
    0.7
    """
    if alignment.metadata.get("metric") != metric:
        return None
    with suppress(ValueError):
        threshold = float(alignment.metadata.get("threshold", ""))
        if 0 <= threshold <= 1:
            return threshold
    return None


def checked_decisions(alignment: Alignment, source: Ontology, target: Ontology) -> Decisions:
    """Return the decisions of an alignment as they hold in two ontologies, perhaps newer ones.

    An entity that is no longer there is followed to the one that replaces it or was merged with it,
    else to the only one that the file suggests (consider). A row without such an entity is kept
    aside with a comment; so is a pair that one row accepts now and another rejects, which nobody
    decides. Rows that become the same are one row.

    Raises
    ------
    AlignmentError
        If nothing is decided, a pair is accepted and rejected, or one side names no entity of its
        ontology.
    """
    # a new release may have again what was gone, or a term that replaces it
    decisions = _stated_decisions(alignment)
    if not decisions.accepted and not decisions.rejected:
        raise AlignmentError(
            f"{alignment.path} accepts and rejects nothing: write {CURATED} into "
            "mapping_justification of right rows and Not into predicate_modifier of wrong ones"
        )
    denied = Denials(decisions.rejected, ())
    for c in decisions.accepted:
        if c.key in denied:
            raise AlignmentError(
                f"{alignment.path}: {c.entity1} and {c.entity2} are accepted and rejected: leave "
                "one of the two out"
            )
    _check_sides(alignment, source, target)
    dated = _with_date(decisions, alignment.metadata.get("mapping_date", ""))
    metadata = {key: text for key, text in alignment.metadata.items() if key in _OF_THE_SET}
    prefixes = declared_prefixes(alignment.name, metadata)
    # the prefix of all of OBO is none that people write
    prefixes = {prefix: space for prefix, space in prefixes.items() if space != OBO}
    metadata["curie_map"] = json.dumps(prefixes)
    return replace(_carried(dated, source, target), metadata=metadata)


def _with_date(decisions: Decisions, date: str) -> Decisions:
    """Return decisions that state the date of their set, where they have none of their own."""
    if not date:
        return decisions

    def dated(row: _Row) -> _Row:
        return replace(row, extra=extra_of({MAPPING_DATE: date, **dict(row.extra)}))

    accepted = tuple(map(dated, decisions.accepted))
    return replace(decisions, accepted=accepted, rejected=tuple(map(dated, decisions.rejected)))


def _check_sides(alignment: Alignment, source: Ontology, target: Ontology) -> None:
    """Refuse an alignment that names no entity of an ontology, now or before."""
    statements: list[Statement] = [*alignment, *alignment.negated]
    for side, ontology, partner in (("entity1", source, target), ("entity2", target, source)):
        iris = {getattr(statement, side) for statement in statements} - {NO_TERM}
        if iris and not any(iri in ontology or iri in ontology.replacements for iri in iris):
            place = ontology.path or "the ontology"
            swapped = " (swap the ontologies?)" if any(iri in partner for iri in iris) else ""
            raise AlignmentError(
                f"{alignment.path}: {min(iris)} is not in {place}, nor is any other {side} of the "
                f"file{swapped}: name the ontologies that were matched, or newer releases of them"
            )


def _carried(decisions: Decisions, source: Ontology, target: Ontology) -> Decisions:
    """Return decisions on the entities of two ontologies."""
    changes: list[Change] = []
    aside: list[Statement] = []

    def carried(decision: str, rows: Iterable[_Row]) -> Iterator[_Row]:
        """Yield the rows with their entities of today; note what is different."""
        for row in rows:
            now, remarks = _row_now(row, source, target)
            if CHANGE not in dict(now.extra):
                yield now
                continue
            is_gone = GONE in dict(now.extra)[CHANGE]
            if is_gone:
                done = "not proposed again" if decision == "undecided" else "kept with a comment"
                remarks = [*remarks, done]
            changes.append(Change(decision, row.pair, row.labels, "; ".join(remarks)))
            if not is_gone:
                yield now
            elif decision != "undecided":
                aside.append(now)

    accepted: dict[tuple[str, str, str], Correspondence] = {}
    for c in carried("accepted", decisions.accepted):
        same = accepted.get(c.key)
        accepted[c.key] = c if same is None else _united(same, c)
    # two predicates, such as exactMatch and equivalentClass, may stand for one relation
    rejected: dict[tuple[str, str, str], NegatedCorrespondence] = {}
    for n in carried("rejected", decisions.rejected):
        denial = (*n.pair, n.predicate)
        rejected[denial] = _united(n, *filter(None, [rejected.get(denial)]))
    undecided = tuple(carried("undecided", decisions.undecided))
    denied = Denials(rejected.values(), ())
    for key in [key for key in sorted(accepted) if key in denied]:
        c = accepted.pop(key)
        opposite = [n for n in rejected.values() if key in Denials([n], ())]
        for n in opposite:
            del rejected[*n.pair, n.predicate]
        remark = "accepted by one earlier row and rejected by another: decide again"
        changes.append(Change("accepted", c.pair, c.labels, remark))
        aside.append(_remarked(_united(c, *opposite), [remark], CONFLICT, without=JUSTIFICATION))
    rows: list[Statement] = [*accepted.values(), *rejected.values(), *undecided, *aside]
    return Decisions(
        tuple(accepted.values()),
        tuple(rejected.values()),
        undecided,
        aside=tuple(aside),
        earlier_pairs=frozenset(row.pair for row in rows),
        changes=tuple(changes),
    )


def _row_now(row: _Row, source: Ontology, target: Ontology) -> tuple[_Row, list[str]]:
    """Return a row with its entities of today, and remarks on the differences.

    The words of `CHANGE` are in the `extra` of the row.
    """
    facts = dict(row.extra)
    facts.pop(CHANGE, None)
    entities: list[str] = []
    words: list[str] = []
    remarks: list[str] = []
    for iri, name, ontology in zip(
        row.pair, (SUBJECT_LABEL, OBJECT_LABEL), (source, target), strict=True
    ):
        label = facts.get(name, "")
        entity, word, remark = _entity_now(iri, label, ontology)
        entities.append(entity)
        if word:
            words.append(word)
            remarks.append(remark)
        if entity in ontology:
            facts[name] = one_line(ontology.entities[entity].names()[0])
    kinds = [
        ontology.entities[iri].kind
        for iri, ontology in zip(entities, (source, target), strict=True)
        if iri in ontology
    ]
    if REPLACED in words and len(set(kinds)) > 1:
        # what replaces an entity by one of another kind replaces nothing
        words = [GONE]
        remarks.append(f"this replacement is of another kind ({kinds[0]}, {kinds[1]})")
    now = replace(row, extra=extra_of(facts))
    if GONE in words:
        now = replace(row, extra=tuple(f for f in row.extra if f[0] != CHANGE))
    elif words:
        now = replace(now, entity1=entities[0], entity2=entities[1])
    if words:
        now = _remarked(now, remarks, *dict.fromkeys(words))
    return now, remarks


def _entity_now(iri: str, label: str, ontology: Ontology) -> tuple[str, str, str]:
    """Return the entity of today, the word of `CHANGE` if anything is different, and a remark."""
    if iri == NO_TERM:
        return iri, "", ""
    name = f"{preferred_curie(iri)} ({label or local_name(iri)})"
    if iri in ontology:
        labels = [one_line(text.text) for text in ontology.entities[iri].labels]
        if not label or label in (labels or [local_name(iri)]):
            return iri, "", ""
        return iri, RENAMED, f"{name} is called {first_of(labels, 1)} now"
    named = (ontology.replacements.get(iri, ""), *ontology.suggestions.get(iri, ()))
    entities = [entity for entity in named if entity in ontology]
    names = [f"{preferred_curie(e)} ({ontology.entities[e].names()[0]})" for e in entities]
    if not entities:
        place = ontology.path or "the ontology"
        gone = (
            "is obsolete, without a replacement"
            if iri in ontology.replacements
            else f"is not in {place}"
        )
        return iri, GONE, f"{name} {gone}"
    if len(entities) > 1:
        return iri, GONE, f"{name} is obsolete: consider {' or '.join(names)}"
    reason = (
        "is replaced by"
        if ontology.replacements.get(iri)
        else "is obsolete; the only one to consider is"
    )
    return entities[0], REPLACED, f"{name} {reason} {names[0]}"


def _remarked(row: _Row, remarks: list[str], *words: str, without: str = "") -> _Row:
    """Return a row with remarks in its comment, and the words of `CHANGE`."""
    facts = dict(row.extra)
    facts.pop(without, None)
    earlier = facts.get(COMMENT, "")
    comments = dict.fromkeys([*filter(None, [earlier]), *(r for r in remarks if r not in earlier)])
    facts |= {COMMENT: "; ".join(comments), CHANGE: "; ".join(words)}
    return replace(row, extra=extra_of(facts))


def _united(row: _Row, *others: Statement) -> _Row:
    """Return a row with the comments of other rows on the same pair, and their facts."""
    facts = dict(row.extra)
    comments = [dict(r.extra).get(COMMENT, "") for r in (row, *others)]
    changes = [dict(r.extra).get(CHANGE, "") for r in (row, *others)]
    for other in others:
        facts = dict(other.extra) | facts
    for key, texts in ((COMMENT, comments), (CHANGE, changes)):
        if any(texts):
            facts[key] = "; ".join(dict.fromkeys(filter(None, texts)))
    return replace(row, extra=extra_of(facts))


#: What may differ on a pair, the most serious first.
CONTRADICTION, RELATION = "contradiction", "other relation"
OTHER_CONFIDENCE = "other confidence"
FIRST, SECOND, SAME = "only in the first", "only in the second", "the same"
KINDS = (CONTRADICTION, RELATION, OTHER_CONFIDENCE, FIRST, SECOND, SAME)
#: Name under which `Correspondence.extra` says what the first mapping states of the pair.
EARLIER = "earlier"


@dataclass(frozen=True)
class Difference:
    """The statements of two mappings on one pair of entities.

    Parameters
    ----------
    pair
        The source's and the target's entity.
    kind
        One of `KINDS`. A contradiction: one mapping states a relation that the other denies.
    first, second
        The statements of each mapping; none where it says nothing of the pair.
    """

    pair: Pair
    kind: str
    first: tuple[Statement, ...]
    second: tuple[Statement, ...]


def differences(first: Alignment, second: Alignment) -> list[Difference]:
    """Return the pairs on which two mappings differ, the most serious first.

    Examples
    --------
    >>> old = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#y", "b#y")])
    >>> new = Alignment([Correspondence("a#x", "b#x", confidence=0.9)])
    >>> [(d.pair, d.kind) for d in differences(old, new)]
    [(('a#x', 'b#x'), 'other confidence'), (('a#y', 'b#y'), 'only in the first')]
    """
    sides = _by_pair(first), _by_pair(second)
    have_confidences = first.has_confidences and second.has_confidences
    found = []
    for pair in sorted({*sides[0], *sides[1]}):
        statements = [side.get(pair, ()) for side in sides]
        kind = _kind(*statements)
        if kind == OTHER_CONFIDENCE and not have_confidences:
            kind = SAME
        found.append(Difference(pair, kind, *statements))
    return sorted(found, key=lambda difference: KINDS.index(difference.kind))


def _by_pair(alignment: Alignment) -> dict[Pair, tuple[Statement, ...]]:
    statements: dict[Pair, tuple[Statement, ...]] = {}
    for statement in (*alignment, *alignment.negated):
        statements[statement.pair] = (*statements.get(statement.pair, ()), statement)
    return statements


def _kind(first: Sequence[Statement], second: Sequence[Statement]) -> str:
    """Return how the statements of two mappings on one pair differ."""
    if not second:
        return FIRST
    if not first:
        return SECOND
    (stated, denied), (other_stated, other_denied) = map(_relations, (first, second))
    if stated & other_denied or denied & other_stated:
        return CONTRADICTION
    if stated != other_stated or denied != other_denied:
        return RELATION
    if sorted(map(stated_confidence, first)) != sorted(map(stated_confidence, second)):
        return OTHER_CONFIDENCE
    return SAME


def _relations(statements: Iterable[Statement]) -> tuple[set[str], set[str]]:
    """Return the stated relations, and the denied ones."""
    stated: set[str] = set()
    denied: set[str] = set()
    for statement in statements:
        is_denied = isinstance(statement, NegatedCorrespondence)
        (denied if is_denied else stated).add(statement.relation)
    return stated, denied


def stated_confidence(statement: Statement) -> float:
    """Return the confidence; of a denied relation the number that its row states, else 0."""
    if isinstance(statement, Correspondence):
        return statement.confidence
    with suppress(ValueError):  # it is kept as its file states it
        return float(dict(statement.extra).get(CONFIDENCE, 0))
    return 0.0


def said(statements: Iterable[Statement]) -> str:
    """Return a mapping's statements on a pair, as text.

    Examples
    --------
    >>> said([Correspondence("a#x", "b#x", confidence=0.9)])
    '= 0.900'
    """
    texts = []
    for statement in statements:
        text = f"not {statement.relation}"
        if isinstance(statement, Correspondence):
            text = f"{statement.relation} {statement.confidence:.3f}"
        texts.append(text)
    return "; ".join(texts)


def marked_union(found: Iterable[Difference], like: Alignment) -> Alignment:
    """Return all statements of two mappings, each with its kind of difference as `CHANGE`.

    Of a relation that both name, the row of the second stands: no file states a relation and
    denies it. What the first says of the pair stands beside, as `EARLIER`.

    Parameters
    ----------
    found
        As `differences` returns them.
    like
        The mapping whose metadata the result has.
    """
    rows: list[Correspondence] = []
    negated: list[NegatedCorrespondence] = []
    for difference in found:
        relations_of_second = {statement.relation for statement in difference.second}
        of_first = [s for s in difference.first if s.relation not in relations_of_second]
        for statement in (*of_first, *difference.second):
            facts = dict(statement.extra) | {CHANGE: difference.kind}
            if difference.kind == RELATION:
                is_first = statement.relation not in relations_of_second
                facts[CHANGE] += f", in the {'first' if is_first else 'second'}"
            if difference.kind not in (FIRST, SECOND, SAME):
                facts[EARLIER] = said(difference.first)
            extra = extra_of(facts)
            if isinstance(statement, Correspondence):
                rows.append(replace(statement, extra=extra))
            else:
                negated.append(replace(statement, extra=extra))
    union = like.with_correspondences(rows)
    union.negated = tuple(sorted(negated))
    return union
