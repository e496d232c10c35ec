"""What a threshold on the confidence does, with ties right; and thresholds fitted elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import median_low
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import check_universe, judged
from alignrank.evaluation.credit.credits import (
    FloatArray,
    ZeroDivision,
    ratios,
    unstated_confidences,
)
from alignrank.evaluation.credit.tied_ranks import Tie, average_precision, groups
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

    Correspondences of equal confidence enter together: no order among them decides a value.

    Parameters
    ----------
    confidence
        Confidences of the correspondences, falling.
    correct
        Whether each is in the reference.
    entities, reference
        Source entity of each correspondence, and of each one of the reference.
    cautions
        Sentences that whoever shows the values must show too.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> a = Alignment([Correspondence("a", "x", "=", 0.9), Correspondence("b", "x", "=", 0.4)])
    >>> c = curve(a, Alignment([Correspondence("a", "x")]))
    >>> c.best.threshold, c.best.f1, c.average_precision()
    (0.9, 1.0, 1.0)
    """

    confidence: FloatArray
    correct: FloatArray
    entities: tuple[str, ...]
    reference: tuple[str, ...]
    cautions: tuple[str, ...] = ()

    @cached_property
    def _ends(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Index of the last correspondence of each group of equal confidence."""
        if not len(self.confidence):
            return np.empty(0, dtype=np.intp)
        return np.append(np.flatnonzero(np.diff(self.confidence)), len(self.confidence) - 1)

    def _at_thresholds(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weight found, and found correctly, down to each distinct confidence."""
        found = np.cumsum(weights, axis=-1)[..., self._ends]
        correct = np.cumsum(weights * self.correct, axis=-1)[..., self._ends]
        return found, correct

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """One point for each distinct confidence, falling."""
        found, correct = self._at_thresholds(np.ones(len(self.confidence)))
        sums = np.stack([correct, found, correct, np.full(len(found), len(self.reference))], axis=1)
        return tuple(
            Point(float(threshold), int(n), int(right), *rates)
            for threshold, n, right, rates in zip(
                self.confidence[self._ends], found, correct, ratios(sums).tolist(), strict=True
            )
        )

    @property
    def best(self) -> Point:
        """The point of the largest F1; of several, that of the highest threshold.

        It is found by looking at the reference, so it is an upper bound of what a threshold chosen
        without it reaches.

        Raises
        ------
        EvaluationError
            If the alignment is empty.
        """
        if not self.points:
            raise EvaluationError("an empty alignment has no best threshold")
        return max(self.points, key=lambda p: p.f1)

    def average_precision(self, tie: Tie | Literal["group"] = "group") -> float:
        """Return the average precision over the reference, in [0, 1].

        Parameters
        ----------
        tie
            ``group``: Σ (recall gained) · (precision at the threshold), equal confidences together;
            ``average``: the expectation over the orders of equal confidences, ``min`` the best
            order, ``max`` the worst.
        """
        if tie == "group":
            one_each = np.ones((1, len(self.confidence)))
            total = np.array([len(self.reference)], dtype=float)
            return float(self._average_precision(*self._at_thresholds(one_each), total)[0])
        flags = zip(self.confidence.tolist(), (self.correct > 0).tolist(), strict=True)
        return average_precision(groups(flags, tie), len(self.reference))

    def roc_auc(self, universe: int) -> float:
        """Return the area under the ROC curve over all pairs, in [0, 1].

        The probability that a correct pair has a higher confidence than a wrong one, equal ones
        counting one half (Mann-Whitney); pairs that the alignment lacks have confidence 0. NaN if
        there are no correct or no wrong pairs.

        Parameters
        ----------
        universe
            Number of all pairs, see `universe_size`.

        Raises
        ------
        EvaluationError
            If the universe is smaller than the pairs that it must hold.
        """
        column = {source: k for k, source in enumerate(self.sources)}
        return float(self.resampled_auc(np.ones((1, len(column))), column, universe)[0, 0])

    def _auc(self, weights: FloatArray, right: FloatArray, universe: int) -> FloatArray:
        found, correct = self._at_thresholds(weights)
        if len(self.confidence) and self.confidence[-1] == 0.0:
            found, correct = found[:, :-1], correct[:, :-1]  # as if they were not listed
        start = np.zeros((len(weights), 1))
        x = np.hstack([start, found - correct, universe - right[:, None]])
        y = np.hstack([start, correct, right[:, None]])
        with np.errstate(invalid="ignore", divide="ignore"):
            area = (np.diff(x) * (y[:, 1:] + y[:, :-1]) / 2).sum(axis=1)
            result: FloatArray = area / (x[:, -1] * y[:, -1])
        return result

    def to_frame(self) -> Frame:
        """Return the points as a table."""
        return frame(self.points, columns=Point._fields)

    # resampling ---------------------------------------------------------------------------------

    #: What `resampled` returns.
    columns: ClassVar[tuple[str, ...]] = ("average_precision", "best_f1")

    @property
    def sources(self) -> frozenset[str]:
        """Source entities of the alignment and the reference."""
        return frozenset((*self.entities, *self.reference))

    def resampled(
        self, weights: FloatArray, column: Mapping[str, int], zero_division: ZeroDivision = "oaei"
    ) -> FloatArray:
        """Return average precision and best F1 where source entities count more than once.

        Parameters
        ----------
        weights
            (b, n): how often each source entity counts in each of b samples.
        column
            Column of each source entity.
        zero_division
            What 0/0 means for F1.

        Returns
        -------
        ndarray
            (b, 2).
        """
        of_found, of_reference = self._weights(weights, column)
        found, correct = self._at_thresholds(of_found)
        area = self._average_precision(found, correct, of_reference)
        total = np.broadcast_to(of_reference[:, None], found.shape)
        f1 = ratios(np.stack([correct, found, correct, total], axis=-1), zero_division)[..., 2]
        return np.stack([area, f1.max(axis=1, initial=0.0)], axis=1)

    def best_thresholds(self, fold: IntArray, folds: int, column: Mapping[str, int]) -> FloatArray:
        """Return for each fold the threshold of the largest F1 on all others: (b, folds).

        Of several the highest; infinite where the alignment is empty. A fold is counted once, and
        taken from the whole: a tenth of the work of counting all others for each.

        Parameters
        ----------
        fold
            (b, n): the fold of each source entity, in each of b divisions.
        folds
            How many there are.
        column
            Column of each source entity.
        """
        shape = (len(fold), folds, len(self._ends))
        if not len(self.confidence):
            return np.full(shape[:2], np.inf)
        division = np.arange(len(fold))[:, None] * folds
        of_found = fold[:, [column[entity] for entity in self.entities]] + division
        of_reference = fold[:, [column[entity] for entity in self.reference]] + division
        threshold = np.searchsorted(self._ends, np.arange(len(self.confidence)))
        place = (of_found * shape[2] + threshold).ravel()

        def elsewhere(weights: FloatArray) -> FloatArray:
            own = np.bincount(place, np.tile(weights, len(fold)), np.prod(shape)).reshape(shape)
            others: FloatArray = np.cumsum(own.sum(axis=1, keepdims=True) - own, axis=2)
            return others

        found, correct = elsewhere(np.ones(len(self.confidence))), elsewhere(self.correct)
        wanted = len(self.reference) - np.bincount(of_reference.ravel(), None, np.prod(shape[:2]))
        f1 = 2.0 * correct / np.maximum(found + wanted.reshape(*shape[:2], 1), 1.0)
        chosen: FloatArray = self.confidence[self._ends][f1.argmax(axis=2)]
        return chosen

    def resampled_auc(
        self, weights: FloatArray, column: Mapping[str, int], universe: int
    ) -> FloatArray:
        """Return the area under the ROC curve in each of b samples: (b, 1)."""
        of_found, right = self._weights(weights, column)
        wrong = of_found[:, self.correct == 0].sum(axis=1)
        check_universe(universe, right + wrong, weights)
        return self._auc(of_found, right, universe)[:, None]

    def _weights(
        self, weights: FloatArray, column: Mapping[str, int]
    ) -> tuple[FloatArray, FloatArray]:
        """Weight of each found correspondence, and of the whole reference, in each sample."""
        of_reference = weights[:, [column[entity] for entity in self.reference]]
        of_found = weights[:, [column[entity] for entity in self.entities]]
        return of_found, of_reference.sum(axis=1)

    def _average_precision(
        self, found: FloatArray, correct: FloatArray, reference: FloatArray
    ) -> FloatArray:
        gained = np.diff(correct, axis=-1, prepend=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            precision = np.where(found > 0, correct / found, 0.0)
            area: FloatArray = (gained * precision).sum(axis=-1) / reference
        return area


def curve(alignment: Alignment, reference: Alignment) -> Curve:
    """Return an alignment at every threshold.

    Parameters
    ----------
    alignment, reference
        Pairs that the reference marks ``?`` leave both.
    """
    kept = judged(alignment, reference)
    falling = sorted(kept.alignment, key=lambda c: -c.confidence)
    return Curve(
        np.array([c.confidence for c in falling], dtype=float),
        np.array([c in kept.reference for c in falling], dtype=float),
        tuple(c.entity1 for c in falling),
        tuple(c.entity1 for c in kept.reference),
        unstated_confidences(alignment),
    )


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
    >>> from alignrank.ontologies.alignment import Correspondence
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
