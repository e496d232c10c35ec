"""Thresholds that were not fitted to what they are judged on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low

import numpy as np

from ontologies.alignment import Alignment

from .threshold_curve import IntArray, curve

#: How often the clusters are divided, and into how many folds.
REPEATS, FOLDS = 50, 10


@dataclass(frozen=True)
class CrossFit:
    """Result of `crossfit`.

    Parameters
    ----------
    alignment
        What is left of the alignment: each source entity cut at its own threshold.
    thresholds
        Threshold by source entity; infinite where there is nothing to choose on.
    """

    alignment: Alignment
    thresholds: Mapping[str, float]

    @property
    def range(self) -> tuple[float, float, float]:
        """The lowest threshold, the median and the highest; infinite without an entity."""
        values = sorted(self.thresholds.values()) or [np.inf]
        return values[0], median_low(values), values[-1]


def crossfit(
    alignment: Alignment,
    reference: Alignment,
    *,
    clusters: Mapping[str, str] | None = None,
    entities: Iterable[str] = (),
) -> CrossFit:
    """Cut an alignment at F1-optimal thresholds that were chosen on other source entities.

    A threshold chosen on the very reference that judges it flatters the alignment. So fifty times
    the clusters are divided into ten folds, and each fold gets the threshold with the largest F1 on
    the other nine. An entity's threshold is the median of the fifty, all of them chosen without its
    cluster. A cluster's folds come from its name alone: the same whatever else is compared, in
    whatever order, and without a seed.

    Parameters
    ----------
    alignment
        With confidences, not yet cut.
    reference
        What is right; ``?`` pairs are not judged.
    clusters
        Cluster by source entity; entities in none stand for themselves.
    entities
        Further source entities that need a threshold.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(50))
    >>> noise = [Correspondence(f"a#{k}", "b#x", "=", 0.2) for k in range(50)]
    >>> fitted = crossfit(Alignment([*r, *noise]), r)
    >>> fitted.range, fitted.alignment == r
    ((1.0, 1.0, 1.0), True)
    """
    sources = {c.entity1 for a in (alignment, reference) for c in a}
    column = {entity: k for k, entity in enumerate(sorted(sources.union(entities)))}
    folds = _folds((clusters or {}).get(entity, entity) for entity in column)
    seen = curve(alignment, reference)
    chosen = np.take_along_axis(seen.best_thresholds(folds, FOLDS, column), folds, axis=1)
    median = np.median(chosen, axis=0).tolist() if column else []
    thresholds = dict(zip(column, median, strict=True))
    kept = alignment.where(lambda c: c.confidence >= thresholds[c.entity1])
    return CrossFit(kept, thresholds)


def _folds(clusters: Iterable[str]) -> IntArray:
    """Return the fold of each cluster, hashed from its name: (repeats, clusters)."""
    digests = [hashlib.shake_256(name.encode()).digest(4 * REPEATS) for name in clusters]
    numbers = np.frombuffer(b"".join(digests), dtype="<u4").reshape(-1, REPEATS)
    return (numbers % FOLDS).T.astype(np.intp)
