"""A threshold that is not judged by what it was chosen on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluation.measures.curves import curve
from ontologies.alignment import Alignment


@dataclass(frozen=True)
class CrossFit:
    """Result of `crossfit`.

    Parameters
    ----------
    alignment
        What is left of the alignment: each half cut at the threshold chosen on the other.
    thresholds
        Threshold of the first and of the second half; infinite where the other half holds nothing
        to choose on.
    """

    alignment: Alignment
    thresholds: tuple[float, float]


def crossfit(
    alignment: Alignment, reference: Alignment, *, seed: int = 0, entities: Iterable[str] = ()
) -> CrossFit:
    """Cut an alignment at F1-optimal thresholds that were chosen on other source entities.

    The source entities of alignment and reference are split in two halves at random. The threshold
    with the largest F1 on one half cuts the other, both ways. A threshold chosen on the very
    reference that judges it flatters the alignment; this one does not.

    Parameters
    ----------
    alignment
        With confidences, not yet cut.
    reference
        What is right; ``?`` pairs are not judged.
    seed
        Of the split. The split depends on the seed and the names of the entities alone.
    entities
        Further source entities that are split. Alignments that will be compared need one split:
        give each of them the source entities of all.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(50))
    >>> noise = [Correspondence(f"a#{k}", "b#x", "=", 0.2) for k in range(50)]
    >>> fitted = crossfit(Alignment([*r, *noise]), r)
    >>> fitted.thresholds, fitted.alignment == r
    ((1.0, 1.0), True)
    """
    split = sorted({c.entity1 for a in (alignment, reference) for c in a}.union(entities))
    order = np.random.default_rng(seed).permutation(len(split))
    first = {split[i] for i in order[: len(split) // 2].tolist()}

    def half(whole: Alignment, *, is_first: bool) -> Alignment:
        return whole.where(lambda c: (c.entity1 in first) is is_first)

    thresholds = []
    kept = []
    for judged_is_first in (True, False):
        seen = curve(
            half(alignment, is_first=not judged_is_first),
            half(reference, is_first=not judged_is_first),
        )
        threshold = seen.best.threshold if seen.points else math.inf
        thresholds.append(threshold)
        kept += list(half(alignment, is_first=judged_is_first).at_least(threshold))
    return CrossFit(alignment.with_correspondences(kept), (thresholds[0], thresholds[1]))
