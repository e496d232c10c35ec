"""Measures that need to know how many pairs there are: fallout, accuracy, MCC."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ontologies.ontology import Kind, Ontology

from .credits import ZeroDivision
from .errors import EvaluationError
from .scores import Scores


def universe_size(source: Ontology, target: Ontology) -> int:
    """Return the number of pairs of a source and a target entity of the same kind.

    Examples
    --------
    >>> from ontologies.ontology import Entity
    >>> one = Ontology("", {"A": Entity("A", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)})
    >>> two = Ontology("", {"B": Entity("B", Kind.CLASS), "C": Entity("C", Kind.CLASS)})
    >>> universe_size(one, two)
    2
    """
    return sum(len(source.of_kind(kind)) * len(target.of_kind(kind)) for kind in Kind)


@dataclass(frozen=True)
class UniverseScores:
    """Measures over all pairs. True negatives dominate all but the first two.

    Parameters
    ----------
    fallout
        FP / (|U| − |R|): share of the wrong pairs that were found.
    jaccard
        TP / |A ∪ R|.
    accuracy
        (TP + TN) / |U|.
    mcc
        Matthews correlation coefficient, in [−1, 1]; NaN where a margin is empty.
    """

    fallout: float
    jaccard: float
    accuracy: float
    mcc: float


def universe_scores(
    scores: Scores, universe: int, *, zero_division: ZeroDivision = "oaei"
) -> UniverseScores:
    """Return the measures that need the number of all pairs.

    Parameters
    ----------
    scores
        The counts, as `score` gives them.
    universe
        Number of all pairs, see `universe_size`.
    zero_division
        The Jaccard index of two empty sets: 1, 0 or NaN.

    Raises
    ------
    EvaluationError
        If the universe is smaller than the correspondences that it must hold.

    Examples
    --------
    >>> s = universe_scores(Scores(found=6, correct=3, reference=4), 49)
    >>> round(s.fallout, 4), round(s.jaccard, 4)
    (0.0667, 0.4286)
    """
    tp, fp, fn = scores.correct, scores.wrong, scores.missed
    tn = universe - tp - fp - fn
    if tn < 0:
        raise EvaluationError(
            f"universe is {universe}, but the two alignments hold {tp + fp + fn} pairs: check that "
            "the ontologies are those of the alignments"
        )
    margins = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return UniverseScores(
        fallout=fp / (fp + tn) if fp + tn else math.nan,
        jaccard=jaccard(scores, zero_division=zero_division),
        accuracy=(tp + tn) / universe if universe else math.nan,
        mcc=(tp * tn - fp * fn) / math.sqrt(margins) if margins else math.nan,
    )


def jaccard(scores: Scores, *, zero_division: ZeroDivision = "oaei") -> float:
    """Return TP / (|A| + |R| − TP), in [0, 1].

    Examples
    --------
    >>> jaccard(Scores(found=2, correct=1, reference=1))
    0.5
    """
    union = scores.found + scores.reference - scores.correct
    if union:
        return scores.correct / union
    return {"oaei": 1.0, "zero": 0.0, "nan": math.nan}[zero_division]
