"""Differences between two mappings of the same ontologies, such as two releases of one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .alignment import CONFIDENCE, Alignment, Correspondence, NegatedCorrespondence
from .curation import CHANGE, Statement

#: What may differ on a pair, the most serious first.
CONTRADICTION, RELATION = "contradiction", "other relation"
OTHER_CONFIDENCE = "other confidence"
FIRST, SECOND, SAME = "only in the first", "only in the second", "the same"
KINDS = (CONTRADICTION, RELATION, OTHER_CONFIDENCE, FIRST, SECOND, SAME)
#: Name under which `Correspondence.extra` says what the first mapping states of the pair.
EARLIER = "earlier"


@dataclass(frozen=True)
class Difference:
    """What two mappings state of one pair of entities.

    Parameters
    ----------
    pair
        The source's and the target's entity.
    kind
        One of `KINDS`. A contradiction: one mapping states a relation that the other denies.
    first, second
        The statements of each mapping; none where it says nothing of the pair.
    """

    pair: tuple[str, str]
    kind: str
    first: tuple[Statement, ...]
    second: tuple[Statement, ...]


def differences(first: Alignment, second: Alignment) -> list[Difference]:
    """Return what differs on each pair that one of two mappings names, the most serious first.

    Examples
    --------
    >>> old = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#y", "b#y")])
    >>> new = Alignment([Correspondence("a#x", "b#x", confidence=0.9)])
    >>> [(d.pair, d.kind) for d in differences(old, new)]
    [(('a#x', 'b#x'), 'other confidence'), (('a#y', 'b#y'), 'only in the first')]
    """
    sides = _by_pair(first), _by_pair(second)
    found = []
    for pair in sorted({*sides[0], *sides[1]}):
        statements = [side.get(pair, ()) for side in sides]
        found.append(Difference(pair, _kind(*statements), *statements))
    return sorted(found, key=lambda difference: KINDS.index(difference.kind))


def _by_pair(alignment: Alignment) -> dict[tuple[str, str], tuple[Statement, ...]]:
    statements: dict[tuple[str, str], tuple[Statement, ...]] = {}
    for statement in (*alignment, *alignment.negated):
        pair = statement.entity1, statement.entity2
        statements[pair] = (*statements.get(pair, ()), statement)
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
    """Return the relations that are stated, and those that are denied."""
    stated: set[str] = set()
    denied: set[str] = set()
    for statement in statements:
        is_denied = isinstance(statement, NegatedCorrespondence)
        (denied if is_denied else stated).add(statement.relation)
    return stated, denied


def stated_confidence(statement: Statement) -> float:
    """Return the confidence; of a denied relation the one that its row states, 0 without."""
    if isinstance(statement, Correspondence):
        return statement.confidence
    return float(dict(statement.extra).get(CONFIDENCE) or 0)


def said(statements: Iterable[Statement]) -> str:
    """Return what a mapping says of a pair.

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
        first, second = (
            {statement.relation: statement for statement in statements}
            for statements in (difference.first, difference.second)
        )
        for relation, statement in (first | second).items():
            facts = dict(statement.extra) | {CHANGE: difference.kind}
            if difference.kind == RELATION:
                facts[CHANGE] += f", in the {'second' if relation in second else 'first'}"
            if difference.kind not in (FIRST, SECOND, SAME):
                facts[EARLIER] = said(difference.first)
            extra = tuple(sorted(facts.items()))
            if isinstance(statement, Correspondence):
                rows.append(replace(statement, extra=extra))
            else:
                negated.append(replace(statement, extra=extra))
    union = like.with_correspondences(rows)
    union.negated = tuple(sorted(negated))
    return union
