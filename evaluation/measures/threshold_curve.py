"""An alignment at every threshold on the confidence, and thresholds chosen by cross-validation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import ge
from statistics import median_low
from typing import ClassVar, NamedTuple

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import check_universe, without_unknown
from alignrank.evaluation.credit.credits import (
    FloatArray,
    ZeroDivision,
    ratios,
    unstated_confidences,
)
from alignrank.evaluation.significance.clustered import Clusters
from alignrank.ontologies.alignment import Alignment

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


class Point(NamedTuple):
    """The alignment at one threshold (``confidence >= threshold``)."""

    threshold: float
    found: int
    correct: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False)
class Curve(Tabular):
    """An alignment at every threshold that its confidences allow.

    Correspondences of equal confidence enter together: their order does not matter.

    Parameters
    ----------
    confidence
        Confidences of the correspondences, falling.
    correct
        Whether each is in the reference.
    entities, reference
        Source entity of each correspondence, and of each reference correspondence.
    cautions
        Sentences that must be shown with the values.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> c = curve(a, Alignment([Correspondence("a", "x")]))
    >>> c.best.threshold, c.best.f1
    (0.9, 1.0)
    """

    confidence: FloatArray
    correct: FloatArray
    entities: tuple[str, ...]
    reference: tuple[str, ...]
    cautions: tuple[str, ...] = ()

    less_is_better: ClassVar[bool] = False

    @cached_property
    def _last(self) -> IntArray:
        """Index of the last correspondence of each group of equal confidence."""
        return np.flatnonzero(np.diff(self.confidence, append=np.nan))

    def _at_thresholds(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weight of found and of correct ones down to each distinct confidence."""
        size = np.cumsum(weights, axis=-1)[..., self._last]
        correct = np.cumsum(weights * self.correct, axis=-1)[..., self._last]
        return size, correct

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """One point for each distinct confidence, falling."""
        size, correct = self._at_thresholds(np.ones(len(self.confidence)))
        reference = np.full(len(size), len(self.reference))
        rates = ratios(np.stack([correct, size, correct, reference], axis=1)).tolist()
        thresholds = self.confidence[self._last].tolist()
        points = []
        for k, threshold in enumerate(thresholds):
            points.append(Point(threshold, int(size[k]), int(correct[k]), *rates[k]))
        return tuple(points)

    @property
    def best(self) -> Point:
        """The point of the largest F1; of several, that of the highest threshold.

        It is chosen with the reference, so it is an upper bound: a threshold that is chosen without
        the reference gives no larger F1.

        Raises
        ------
        EvaluationError
            If the alignment is empty.
        """
        if not self.points:
            raise EvaluationError("an empty alignment has no best threshold")
        return max(self.points, key=lambda p: p.f1)

    def to_frame(self) -> Frame:
        """Return the points as a table."""
        return frame(self.points, columns=Point._fields)

    # resampling ---------------------------------------------------------------------------------

    #: Names of the columns that `resampled` returns.
    columns: ClassVar[tuple[str, ...]] = ("average_precision", "best_f1")

    @property
    def sources(self) -> frozenset[str]:
        """Source entities of the alignment and the reference."""
        return frozenset((*self.entities, *self.reference))

    def resampled(
        self, weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return average precision and best F1 where source entities count more than once.

        The average precision is Σ (recall gained) · (precision at the threshold), correspondences
        of equal confidence together.

        Parameters
        ----------
        weights
            (b, n): the number of times that each source entity counts in each of b samples.
        index
            Column of each source entity.
        zero_division
            What 0/0 means for F1.

        Returns
        -------
        ndarray
            (b, 2).
        """
        of_found, of_reference = self._weights(weights, index)
        size, correct = self._at_thresholds(of_found)
        gained = np.diff(correct, axis=-1, prepend=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(size > 0, correct / size, 0.0)
            area = (gained * precision).sum(axis=-1) / of_reference
        total = np.broadcast_to(of_reference[:, None], size.shape)
        f1 = ratios(np.stack([correct, size, correct, total], axis=-1), zero_division)[..., 2]
        return np.stack([area, f1.max(axis=1, initial=0.0)], axis=1)

    def best_thresholds(self, fold: IntArray, folds: int, index: Mapping[str, int]) -> FloatArray:
        """Return for each fold the threshold of the largest F1 on the other folds: (b, folds).

        Of several the highest; infinite where the alignment is empty. Each fold is counted once and
        subtracted from the sum: a tenth of the work of counting the other folds for each.

        Parameters
        ----------
        fold
            (b, n): the fold of each source entity, in each of b divisions.
        folds
            Number of folds.
        index
            Column of each source entity.
        """
        if not len(self.confidence):
            return np.full((len(fold), folds), np.inf)
        thresholds = self.confidence[self._last]
        of_found = fold[:, [index[entity] for entity in self.entities]] * len(thresholds)
        of_found += np.searchsorted(self._last, np.arange(len(self.confidence)))

        def in_other_folds(weights: FloatArray | None = None) -> FloatArray:
            sums = _sums(of_found, folds * len(thresholds), weights)
            own = sums.reshape(len(fold), folds, -1)
            outside: FloatArray = np.cumsum(own.sum(axis=1, keepdims=True) - own, axis=2)
            return outside

        size = in_other_folds()
        own = _sums(fold[:, [index[entity] for entity in self.reference]], folds)
        reference = (len(self.reference) - own)[..., None]
        f1 = 2.0 * in_other_folds(self.correct) / np.maximum(size + reference, 1.0)
        best: FloatArray = thresholds[f1.argmax(axis=2)]
        return best

    def resampled_auc(
        self, weights: FloatArray, index: Mapping[str, int], universe: int
    ) -> FloatArray:
        """Return the area under the ROC curve over all pairs in each of b samples: (b, 1).

        It is the probability that a correct pair has a higher confidence than a wrong one, equal
        ones counting one half (Mann-Whitney); pairs that the alignment lacks have confidence 0. NaN
        if there are no correct or no wrong pairs.

        Parameters
        ----------
        weights, index
            As for `resampled`.
        universe
            Number of all pairs, see `universe_size`.

        Raises
        ------
        EvaluationError
            If the universe is smaller than the number of pairs in alignment and reference.
        """
        of_found, positives = self._weights(weights, index)
        wrong = of_found[:, self.correct == 0].sum(axis=1)
        check_universe(universe, positives + wrong, weights)
        size, correct = self._at_thresholds(of_found)
        if len(self.confidence) and self.confidence[-1] == 0.0:
            # pairs of confidence 0 count like those that the alignment lacks
            size = size[:, :-1]
            correct = correct[:, :-1]
        start = np.zeros((len(weights), 1))
        x = np.hstack([start, size - correct, universe - positives[:, None]])
        y = np.hstack([start, correct, positives[:, None]])
        with np.errstate(invalid="ignore", divide="ignore"):
            trapezoids = np.diff(x) * (y[:, 1:] + y[:, :-1]) / 2
            area = trapezoids.sum(axis=1, keepdims=True)
            result: FloatArray = area / (x[:, -1:] * y[:, -1:])
        return result

    def _weights(
        self, weights: FloatArray, index: Mapping[str, int]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the weight of each found one, and of the whole reference, in each sample."""
        of_reference = weights[:, [index[entity] for entity in self.reference]]
        of_found = weights[:, [index[entity] for entity in self.entities]]
        return of_found, of_reference.sum(axis=1)


def curve(alignment: Alignment, reference: Alignment) -> Curve:
    """Return an alignment at every threshold.

    Parameters
    ----------
    alignment, reference
        Pairs that the reference marks ``?`` leave both.
    """
    evaluated = without_unknown(alignment, reference)
    columns = evaluated.alignment.columns
    confidence = np.array(columns.confidence)
    falling = np.argsort(-confidence, kind="stable")
    correct = np.array([key in evaluated.reference for key in columns.row_keys()], dtype=float)
    return Curve(
        confidence[falling],
        correct[falling],
        tuple(map(columns.entity1.__getitem__, falling.tolist())),
        tuple(evaluated.reference.columns.entity1),
        unstated_confidences(alignment),
    )


#: With more systems nobody can tell their curves apart.
MOST_CURVES = 20


def drawable_curves(alignments: Mapping[str, Alignment], reference: Alignment) -> dict[str, Curve]:
    """Return each system at every threshold; nothing for more systems than a figure can show."""
    if len(alignments) > MOST_CURVES:
        return {}
    return {name: curve(alignment, reference) for name, alignment in alignments.items()}


#: Number of divisions of the clusters, and number of folds of each division.
REPEATS = 50
FOLDS = 10


@dataclass(frozen=True)
class CrossFit:
    """Result of `crossfit`.

    Parameters
    ----------
    alignment
        The alignment without correspondences below the threshold of their source entity.
    thresholds
        Threshold by source entity; infinite where the alignment is empty.
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
    clusters: Clusters | None = None,
    entities: Iterable[str] = (),
) -> CrossFit:
    """Cut an alignment at F1-optimal thresholds that were chosen on other source entities.

    A threshold that is chosen on the evaluated entities is too good. So the thresholds come from
    ten-fold cross-validation, repeated 50 times: each fold gets the threshold with the largest F1
    on the other nine. An entity's threshold is the median of the fifty, all of them chosen without
    its cluster. A cluster's folds are hashed from its name: they depend neither on the other
    clusters nor on their order nor on a seed.

    Parameters
    ----------
    alignment
        With confidences, not yet cut.
    reference
        Reference alignment; ``?`` pairs are left out.
    clusters
        Cluster by source entity; an entity in none is its own cluster.
    entities
        Further source entities that need a threshold.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(50))
    >>> noise = [Correspondence(f"a#{k}", "b#x", "=", 0.2) for k in range(50)]
    >>> fitted = crossfit(Alignment([*r, *noise]), r)
    >>> fitted.range, fitted.alignment == r
    ((1.0, 1.0, 1.0), True)
    """
    sources = {*alignment.columns.entity1, *reference.columns.entity1}
    index = {entity: k for k, entity in enumerate(sorted(sources.union(entities)))}
    if not index:
        return CrossFit(alignment, {})
    folds = _folds((clusters or {}).get(entity, entity) for entity in index)
    by_fold = curve(alignment, reference).best_thresholds(folds, FOLDS, index)
    by_entity = np.take_along_axis(by_fold, folds, axis=1)
    thresholds = dict(zip(index, np.median(by_entity, axis=0).tolist(), strict=True))
    columns = alignment.columns
    of_rows = map(thresholds.__getitem__, columns.entity1)
    cut = alignment.with_columns(columns.where(map(ge, columns.confidence, of_rows)))
    return CrossFit(cut, thresholds)


def f1_of_choice(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    clusters: Clusters | None = None,
) -> float:
    """Return the F1 of the alignment with the largest F1, chosen by cross-validation.

    The largest of several F1 is too large for other data: it was chosen on these. So each of ten
    folds takes the alignment with the largest F1 on the other nine; F1 is that of the folds
    together, and the mean over 50 divisions.

    Parameters
    ----------
    alignments
        Alignments to choose from, by name.
    reference, clusters
        As in `crossfit`.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(50))
    >>> f1_of_choice({"all": r, "none": Alignment()}, r)
    1.0
    """
    curves = [curve(alignment, reference) for alignment in alignments.values()]
    index = {entity: k for k, entity in enumerate(sorted({e for c in curves for e in c.sources}))}
    folds = _folds((clusters or {}).get(entity, entity) for entity in index)

    def by_fold(entities: Iterable[str], weights: FloatArray | None = None) -> FloatArray:
        return _sums(folds[:, [index[entity] for entity in entities]], FOLDS, weights)

    # (alignments, divisions, folds)
    correct = np.stack([by_fold(c.entities, c.correct) for c in curves])
    sizes = np.stack([by_fold((*c.entities, *c.reference)) for c in curves])
    correct_elsewhere, sizes_elsewhere = (
        counts.sum(axis=2, keepdims=True) - counts for counts in (correct, sizes)
    )
    chosen = (correct_elsewhere / np.maximum(sizes_elsewhere, 1.0)).argmax(axis=0)[None]
    correct_of_chosen, size_of_chosen = (
        np.take_along_axis(counts, chosen, 0).sum(axis=2) for counts in (correct, sizes)
    )
    return float(np.mean(2 * correct_of_chosen / np.maximum(size_of_chosen, 1.0)))


def _sums(cells: IntArray, n: int, weights: FloatArray | None = None) -> FloatArray:
    """Return the sums of weights in n cells, row by row: (b, n) of the cells (b, m)."""
    first = np.arange(len(cells))[:, None] * n
    tiled = None if weights is None else np.tile(weights, len(cells))
    sums = np.bincount((cells + first).ravel(), tiled, n * len(cells))
    return sums.astype(float).reshape(-1, n)


def _folds(clusters: Iterable[str]) -> IntArray:
    """Return the fold of each cluster, hashed from its name: (repeats, clusters)."""
    digests = [hashlib.shake_256(name.encode()).digest(4 * REPEATS) for name in clusters]
    numbers = np.frombuffer(b"".join(digests), dtype="<u4").reshape(-1, REPEATS)
    return (numbers % FOLDS).T.astype(np.intp)
