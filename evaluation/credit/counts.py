"""Precision, recall, F-measure and overall, from three counts."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment
from ontologies.common.tables import Tabular

from .credits import ZeroDivision

if TYPE_CHECKING:
    import pandas as pd

#: What is judged: (entity1, entity2, relation), or (entity1, entity2) where relations are ignored.
Item = tuple[str, ...]

_EMPTY = {"oaei": 1.0, "zero": 0.0, "nan": math.nan}


@dataclass(frozen=True)
class Scores(Tabular):
    """How good one alignment is: three counts, and the measures that follow from them.

    Parameters
    ----------
    found
        |A|, the judged correspondences of the alignment.
    correct
        |A ∩ R|.
    reference
        |R|.
    zero_division
        What 0/0 means: ``oaei`` — an empty alignment has precision 1, an empty reference recall 1
        (the Alignment API's convention); ``zero`` — 0; ``nan`` — undefined.

    Raises
    ------
    EvaluationError
        If the counts contradict each other, or `zero_division` is unknown.

    Examples
    --------
    >>> s = Scores(found=4, correct=3, reference=6)
    >>> s.precision, s.recall, s.f1, s.overall
    (0.75, 0.5, 0.6, 0.3333333333333333)
    >>> round(s.f(0.5), 4)
    0.6818
    """

    found: int
    correct: int
    reference: int
    zero_division: ZeroDivision = "oaei"

    def __post_init__(self) -> None:
        if not 0 <= self.correct <= min(self.found, self.reference):
            raise EvaluationError(
                f"correct is {self.correct}: it must lie between 0 and both found "
                f"({self.found}) and reference ({self.reference})"
            )
        if self.zero_division not in _EMPTY:
            raise EvaluationError(
                f"zero_division {self.zero_division!r} is unknown: use one of {', '.join(_EMPTY)}"
            )

    @property
    def wrong(self) -> int:
        """|A − R|, the false positives."""
        return self.found - self.correct

    @property
    def missed(self) -> int:
        """|R − A|, the false negatives."""
        return self.reference - self.correct

    @property
    def precision(self) -> float:
        """|A ∩ R| / |A|, in [0, 1] or NaN."""
        return self.correct / self.found if self.found else _EMPTY[self.zero_division]

    @property
    def recall(self) -> float:
        """|A ∩ R| / |R|, in [0, 1] or NaN."""
        return self.correct / self.reference if self.reference else _EMPTY[self.zero_division]

    @property
    def f1(self) -> float:
        """2 |A ∩ R| / (|A| + |R|), the harmonic mean of precision and recall."""
        return self.f(1.0)

    def f(self, beta: float) -> float:
        """Return F-beta = (1 + β²) |A ∩ R| / (β² |R| + |A|); β > 1 favours recall.

        It is 0/0 only where both sides are empty (van Rijsbergen 1979).
        """
        if not beta > 0 or math.isinf(beta):
            raise EvaluationError(f"beta is {beta!r}: it must be a positive number, such as 1")
        weight = beta * beta * self.reference + self.found
        return (1 + beta * beta) * self.correct / weight if weight else _EMPTY[self.zero_division]

    @property
    def overall(self) -> float:
        """(|A ∩ R| − |A − R|) / |R| = recall · (2 − 1 / precision), at most 1.

        Negative where more is wrong than right: removing the wrong correspondences costs more than
        starting anew (Melnik, Garcia-Molina and Rahm 2002). −∞ for a reference that is empty while
        the alignment is not.
        """
        if self.reference:
            return (self.correct - self.wrong) / self.reference
        return -math.inf if self.found else _EMPTY[self.zero_division]

    def to_dict(self) -> dict[str, float]:
        """Return precision, recall, f1 and overall by name."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "overall": self.overall,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row: the three counts, precision, recall, f1 and overall."""
        import pandas as pd

        counts = {"found": self.found, "correct": self.correct, "reference": self.reference}
        return pd.DataFrame([counts | self.to_dict()])


def score(
    alignment: Alignment,
    reference: Alignment,
    *,
    relations: bool = True,
    zero_division: ZeroDivision = "oaei",
) -> Scores:
    """Compare an alignment with the reference as sets; confidence plays no part.

    Parameters
    ----------
    alignment, reference
        What was found, and what is right. A pair that the reference holds with the relation ``?``
        is not judged: the alignment's correspondences of these two entities, with any relation
        and in either direction, count neither way.
    relations
        Whether a correspondence is (entity1, entity2, relation) or only (entity1, entity2).
    zero_division
        As in `Scores`.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    >>> found = [("a", "x"), ("y", "b"), ("c", "z")]
    >>> s = score(Alignment(Correspondence(*pair) for pair in found), r)
    >>> s.found, s.correct, s.reference
    (2, 1, 1)
    """
    unjudged = unjudged_pairs(reference)
    found = judged_items(alignment, unjudged, relations=relations)
    right = judged_items(reference, unjudged, relations=relations)
    return Scores(len(found), len(found & right), len(right), zero_division)


def unjudged_pairs(reference: Alignment) -> frozenset[tuple[str, str]]:
    """Return the pairs that the reference leaves open (relation ``?``), in both directions."""
    open_pairs = {c.pair for c in reference if c.relation == "?"}
    return frozenset(open_pairs | {(entity2, entity1) for entity1, entity2 in open_pairs})


def judged_items(
    alignment: Alignment, unjudged: Collection[tuple[str, str]], *, relations: bool = True
) -> set[Item]:
    """Return what of an alignment is judged, as a set."""
    keys = alignment.keys
    if unjudged:
        keys = frozenset(k for k in keys if k[:2] not in unjudged)
    return set(keys) if relations else {k[:2] for k in keys}
