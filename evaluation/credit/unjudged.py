"""References that do not judge everything: unjudged pairs and incomplete gold standards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment
from ontologies.common.table import Tabular

from .counts import unjudged_pairs

#: For which entities the reference is complete; found correspondences of others are not judged.
Completeness = Literal["complete", "source", "target", "source-target", "none"]


@dataclass(frozen=True)
class Judged(Tabular):
    """An alignment and a reference without what is not judged.

    Parameters
    ----------
    alignment, reference
        What remains of the two.
    left_out_found, left_out_reference
        How many correspondences were left out of each.
    """

    alignment: Alignment
    reference: Alignment
    left_out_found: int
    left_out_reference: int


def judged(
    alignment: Alignment, reference: Alignment, completeness: Completeness = "complete"
) -> Judged:
    """Leave out what the reference does not judge.

    A pair that the reference holds with the relation ``?`` leaves both sides, whatever relation
    the alignment gives it and in either direction. Under a partial gold standard a found
    correspondence that is not in the reference is judged only if a reference correspondence of the
    same relation shares its source (``source``), its target (``target``), or either of the two
    (``source-target``); ``none`` judges no such correspondence. Correct ones always count.

    Parameters
    ----------
    alignment, reference
        The two to compare.
    completeness
        For which entities the reference is complete.

    Raises
    ------
    EvaluationError
        If `completeness` is unknown.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    >>> a = Alignment([Correspondence("b", "y"), Correspondence("c", "z")])
    >>> j = judged(a, r)
    >>> sorted(j.alignment.pairs), sorted(j.reference.pairs)
    ([('c', 'z')], [('a', 'x')])
    >>> len(judged(a, r, "source-target").alignment)
    0
    """
    unjudged = unjudged_pairs(reference)
    kept, found = reference, alignment
    if unjudged:
        kept = reference.where(lambda c: c.pair not in unjudged)
        found = alignment.where(lambda c: c.pair not in unjudged)
    if completeness not in ("complete", "source", "target", "source-target", "none"):
        raise EvaluationError(
            f"completeness {completeness!r} is unknown: use complete, source, target, "
            "source-target or none"
        )
    if completeness != "complete":
        sources = {(c.entity1, c.relation) for c in kept} if "source" in completeness else set()
        targets = {(c.entity2, c.relation) for c in kept} if "target" in completeness else set()
        found = found.where(
            lambda c: (
                c in kept
                or (c.entity1, c.relation) in sources
                or (c.entity2, c.relation) in targets
            )
        )
    return Judged(found, kept, len(alignment) - len(found), len(reference) - len(kept))
