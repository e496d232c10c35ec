"""How sure a value is: bootstrap intervals over source entities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.credit.credits import FloatArray, Judgement, ZeroDivision
from evaluation.errors import EvaluationError
from evaluation.significance.clustered import cluster_index
from ontologies.common.progress import blocks
from ontologies.common.table import Frame, Tabular, frame

#: Coverage of the intervals.
LEVEL = 0.95

_CELLS = 4_000_000  # of the weights that are held at a time: 32 MB


@dataclass(frozen=True)
class Interval(Tabular):
    """A value and how sure it is.

    Parameters
    ----------
    name
        What it is the value of.
    estimate
        From all entities.
    low, high
        Ends of the interval.
    standard_error
        Standard deviation, over the resamples or by formula; NaN for 0/0 by formula.
    undefined
        Resamples that were left out because the value is NaN there.
    """

    name: str
    estimate: float
    low: float
    high: float
    standard_error: float
    undefined: int = 0


@dataclass(frozen=True)
class Intervals(Tabular):
    """Intervals of the values of one measure.

    Parameters
    ----------
    intervals
        One for each value.
    units
        How many source entities, or clusters of them, there are.
    resamples, level, seed
        Settings; no resamples where a formula gives the intervals.
    """

    intervals: tuple[Interval, ...]
    units: int
    resamples: int
    level: float
    seed: int

    def __getitem__(self, name: str) -> Interval:
        return next(i for i in self.intervals if i.name == name)

    def to_frame(self) -> Frame:
        """Return one row for each value."""
        return frame([vars(i) for i in self.intervals])


def bootstrap(
    judgement: Judgement,
    *,
    resamples: int = 2000,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return 95 % percentile intervals of a measure by resampling source entities of A ∪ R.

    An entity brings all its found and all its reference correspondences with it, so that wrong
    correspondences vary like the right ones. (Resampling the reference alone would freeze them: the
    standard error of a precision comes out many times too small.) The matching behind a relaxed
    measure is made once, on the whole alignment. For precision, recall and F1 take
    `evaluation.uncertainty.score_intervals`: percentiles cover too little in small samples.

    Parameters
    ----------
    judgement
        `Credits`, a `Curve`, or what else a measure of `MEASURES` gives.
    resamples
        How many.
    seed
        Seed of the resampling; the same seed gives the same intervals.
    clusters
        Cluster by source entity, to resample whole clusters of entities that err together;
        entities that it lacks are clusters of their own.
    zero_division
        What 0/0 means.

    Raises
    ------
    EvaluationError
        If there are no source entities, or a setting is out of range.

    References
    ----------
    Efron & Tibshirani (1993), "An introduction to the bootstrap", chapter 13.

    Examples
    --------
    >>> from evaluation.credit.credits import standard
    >>> from ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> a = r.where(lambda c: c.entity1 < "a6")
    >>> got = bootstrap(standard(a, r))["recall"]
    >>> got.estimate, 0.3 < got.low < got.estimate < got.high < 0.7
    (0.56, True)
    """

    def values(weights: FloatArray, column: Mapping[str, int]) -> FloatArray:
        return judgement.resampled(weights, column, zero_division)

    return _intervals(values, judgement.columns, judgement.sources, resamples, seed, clusters)


def bootstrap_difference(
    first: Judgement,
    second: Judgement,
    *,
    resamples: int = 2000,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return intervals of the differences first − second, on the same resamples.

    Parameters
    ----------
    first, second
        The same measure of two alignments against one reference.
    resamples, seed, clusters, zero_division
        As for `bootstrap`.

    Raises
    ------
    EvaluationError
        If the two are of different measures, or as for `bootstrap`.
    """
    if first.columns != second.columns:
        raise EvaluationError(
            f"the first measure gives {', '.join(first.columns)}, the second "
            f"{', '.join(second.columns)}: take the same measure for both"
        )

    def values(weights: FloatArray, column: Mapping[str, int]) -> FloatArray:
        minuend, subtrahend = (j.resampled(weights, column, zero_division) for j in (first, second))
        return np.asarray(minuend - subtrahend)

    sources = first.sources | second.sources
    return _intervals(values, first.columns, sources, resamples, seed, clusters)


def _intervals(
    values: Callable[[FloatArray, Mapping[str, int]], FloatArray],
    names: tuple[str, ...],
    sources: frozenset[str],
    resamples: int,
    seed: int,
    clusters: Mapping[str, str] | None,
) -> Intervals:
    """Resample source entities, or clusters of them, as whole units."""
    _check(sources, resamples)
    column = {source: i for i, source in enumerate(sorted(sources))}
    unit = cluster_index(list(column), clusters)
    units = int(unit.max()) + 1
    estimates = values(np.ones((1, len(column))), column)[0]
    drawn = np.concatenate(
        [values(w[:, unit], column) for w in _weights(units, len(column), resamples, seed)]
    )
    return _percentiles(names, estimates, drawn, units, seed)


def _check(sources: Collection[str], resamples: int) -> None:
    if not sources:
        raise EvaluationError("alignment and reference are empty: there is nothing to resample")
    if resamples < 2:
        raise EvaluationError(f"resamples {resamples} must be at least 2")


def _weights(units: int, entities: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each unit is drawn, in blocks of resamples that fit in little memory."""
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // entities)
    for rows in blocks(resamples, block, "bootstrap"):
        drawn = rng.integers(0, units, size=(rows, units))
        drawn += np.arange(rows)[:, None] * units
        counts = np.bincount(drawn.ravel(), minlength=rows * units)
        yield counts.reshape(rows, units).astype(np.float64)


def _percentiles(
    names: tuple[str, ...], estimates: FloatArray, drawn: FloatArray, units: int, seed: int
) -> Intervals:
    """Return the intervals of values, from all entities and from each resample (a row)."""
    intervals = []
    for name, estimate, sample in zip(names, estimates.tolist(), drawn.T, strict=True):
        defined = sample[~np.isnan(sample)]
        low = high = error = np.nan
        if len(defined) > 1:
            low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
            error = float(defined.std(ddof=1))
        undefined = len(sample) - len(defined)
        intervals.append(Interval(name, estimate, low, high, error, undefined))
    return Intervals(tuple(intervals), units, len(drawn), LEVEL, seed)
