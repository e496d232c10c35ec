"""A person's decisions in an alignment: what was accepted, what was rejected."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from alignrank.common.errors import AlignmentError

from .alignment import (
    COMMENT,
    JUSTIFICATION,
    MATCH_STRING,
    NO_TERM,
    Alignment,
    Correspondence,
    NegatedCorrespondence,
)
from .ontology import Ontology

#: The justification of a mapping that a person decided.
CURATED = "semapv:ManualMappingCuration"


@dataclass(frozen=True)
class Decisions:
    """What a person accepted and rejected.

    Parameters
    ----------
    accepted
        Correspondences that hold; each says so in its `extra`.
    rejected
        Statements that a correspondence does not hold.
    undecided
        Correspondences without a decision.
    """

    accepted: tuple[Correspondence, ...] = ()
    rejected: tuple[NegatedCorrespondence, ...] = ()
    undecided: tuple[Correspondence, ...] = ()

    @property
    def denied(self) -> frozenset[tuple[str, str]]:
        """The pairs that are rejected as equivalent."""
        return frozenset(
            (n.entity1, n.entity2) for n in self.rejected if n.relation == "=" and not n.is_no_match
        )

    def with_comments(self, alignment: Alignment) -> Alignment:
        """Return the alignment with the comments of undecided pairs, such as marks."""
        comments = {c.pair: dict(c.extra).get(COMMENT) for c in self.undecided}
        if not any(comments.values()):
            return alignment
        commented = []
        for c in alignment:
            if comment := comments.get(c.pair):
                facts = {COMMENT: comment, **dict(c.extra)}
                c = replace(c, extra=tuple(sorted(facts.items())))
            commented.append(c)
        return alignment.with_correspondences(commented)


NOTHING_DECIDED = Decisions()


def decisions_of(alignment: Alignment) -> Decisions:
    """Return the decisions that an alignment states.

    A correspondence is accepted if its justification is semapv:ManualMappingCuration; whatever the
    alignment negates is rejected.

    Examples
    --------
    >>> c = Correspondence("a#x", "b#x", extra=((JUSTIFICATION, CURATED),))
    >>> len(decisions_of(Alignment([c, Correspondence("a#y", "b#y")])).accepted)
    1
    """
    of_set = alignment.metadata.get("mapping_justification", "")
    accepted = []
    undecided = []
    for c in alignment:
        facts = dict(c.extra)
        usual = "" if MATCH_STRING in facts else of_set
        if facts.get(JUSTIFICATION, usual) == CURATED:
            facts[JUSTIFICATION] = CURATED
            accepted.append(replace(c, extra=tuple(sorted(facts.items()))))
        else:
            undecided.append(c)
    return Decisions(tuple(accepted), alignment.negated, tuple(undecided))


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
    """Return the decisions that an alignment of two ontologies states.

    Raises
    ------
    AlignmentError
        If nothing is decided, a pair is accepted and rejected, or an entity is not in its ontology.
    """
    decisions = decisions_of(alignment)
    if not decisions.accepted and not decisions.rejected:
        raise AlignmentError(
            f"{alignment.path} accepts and rejects nothing: write {CURATED} into "
            "mapping_justification of right rows and Not into predicate_modifier of wrong ones"
        )
    denied = {key for n in decisions.rejected for key in n.denied}
    for c in decisions.accepted:
        if c.key in denied:
            raise AlignmentError(
                f"{alignment.path}: {c.entity1} and {c.entity2} are accepted and rejected: leave "
                "one of the two out"
            )
    pairs = [c.pair for c in decisions.accepted]
    pairs += [(n.entity1, n.entity2) for n in decisions.rejected]
    for iri1, iri2 in pairs:
        for iri, ontology in ((iri1, source), (iri2, target)):
            if iri not in ontology and iri != NO_TERM:
                place = ontology.path or "the ontology"
                swapped = " (swap the ontologies?)" if iri in target or iri in source else ""
                raise AlignmentError(
                    f"{alignment.path} decides on {iri}, which is not in {place}{swapped}: mend "
                    "the row, or name the ontologies that were matched"
                )
    return decisions
