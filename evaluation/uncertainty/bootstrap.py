"""How sure a value is: bootstrap intervals over source entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from evaluation.credit.counts import Item, judged_items, unjudged_pairs
from evaluation.credit.credits import FloatArray, ZeroDivision, ratios
from evaluation.credit.judgement import Judgement
from evaluation.errors import EvaluationError
from ontologies.alignment import Alignment
from ontologies.common.frames import Frame, frame
from ontologies.common.progress import track
from ontologies.common.table import Tabular

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
        Percentile interval.
    standard_error
        Standard deviation over the resamples.
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
    """Bootstrap intervals of the values of one measure.

    Parameters
    ----------
    intervals
        One for each value.
    units
        How many source entities, or clusters of them, were resampled.
    resamples, level, seed
        Settings.
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
    level: float = 0.95,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return percentile intervals of a measure by resampling source entities of A ∪ R.

    An entity brings all its found and all its reference correspondences with it, so that wrong
    correspondences vary like the right ones. (Resampling the reference alone would freeze them: the
    standard error of a precision comes out many times too small.) The matching behind a relaxed
    measure is made once, on the whole alignment.

    Parameters
    ----------
    judgement
        `Credits`, a `Curve`, or what else a measure of `MEASURES` gives.
    resamples
        How many.
    level
        Coverage of the intervals, in (0, 1).
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

    return _intervals(
        values, judgement.columns, judgement.sources, resamples, level, seed, clusters or {}
    )


def bootstrap_difference(
    first: Judgement,
    second: Judgement,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return intervals of the differences first − second, on the same resamples.

    Parameters
    ----------
    first, second
        The same measure of two alignments against one reference.
    resamples, level, seed, clusters, zero_division
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
        one, two = (x.resampled(weights, column, zero_division) for x in (first, second))
        difference: FloatArray = one - two
        return difference

    return _intervals(
        values,
        first.columns,
        first.sources | second.sources,
        resamples,
        level,
        seed,
        clusters or {},
    )


def _intervals(
    values: Callable[[FloatArray, Mapping[str, int]], FloatArray],
    names: tuple[str, ...],
    sources: frozenset[str],
    resamples: int,
    level: float,
    seed: int,
    clusters: Mapping[str, str],
) -> Intervals:
    if not sources:
        raise EvaluationError("alignment and reference are empty: there is nothing to resample")
    if resamples < 2 or not 0 < level < 1:
        raise EvaluationError(
            f"resamples {resamples} must be at least 2, and level {level} between 0 and 1"
        )
    column = {source: i for i, source in enumerate(sorted(sources))}
    units: dict[tuple[bool, str], int] = {}
    unit = np.array(
        [units.setdefault((s in clusters, clusters.get(s, s)), len(units)) for s in column]
    )
    estimate = values(np.ones((1, len(column))), column)[0]
    drawn = np.concatenate(
        [values(w[:, unit], column) for w in _weights(len(units), len(column), resamples, seed)]
    )
    return Intervals(
        tuple(
            percentiles(name, float(value), sample, level)
            for name, value, sample in zip(names, estimate, drawn.T, strict=True)
        ),
        len(units),
        resamples,
        level,
        seed,
    )


def _weights(units: int, entities: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each unit is drawn, in blocks of resamples that fit in little memory."""
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // entities)
    starts = range(0, resamples, block)
    for start in track(starts, len(starts), "bootstrap"):
        rows = min(block, resamples - start)
        drawn = rng.integers(0, units, size=(rows, units))
        drawn += np.arange(rows)[:, None] * units
        counts = np.bincount(drawn.ravel(), minlength=rows * units)
        yield counts.reshape(rows, units).astype(np.float64)


def percentiles(name: str, estimate: float, sample: FloatArray, level: float) -> Interval:
    """Return the percentile interval of a sample; its NaN are left out and counted."""
    defined = sample[~np.isnan(sample)]
    if len(defined) < 2:
        return Interval(name, estimate, np.nan, np.nan, np.nan, len(sample) - len(defined))
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        name,
        estimate,
        float(low),
        float(high),
        float(defined.std(ddof=1)),
        len(sample) - len(defined),
    )


def score_intervals(
    alignment: Alignment,
    reference: Alignment,
    *,
    resamples: int = 2000,
    level: float = 0.95,
    seed: int = 0,
    clusters: Mapping[str, str] | None = None,
    relations: bool = True,
) -> Intervals:
    """Return percentile intervals of precision, recall and F1 by resampling source entities.

    It is the bootstrap of `evaluation.bootstrap` for ordinary scores, and draws from the same
    distribution. But an entity matters by three counts only (found, correct and reference
    correspondences), and few different triples occur: how often each is drawn is one multinomial
    number, whatever the number of entities.

    Parameters
    ----------
    alignment, reference
        As for `evaluation.score`.
    resamples, level, seed, clusters
        As for `evaluation.bootstrap`.
    relations
        As for `evaluation.score`.

    Raises
    ------
    EvaluationError
        If alignment and reference are empty, or a setting is out of range.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> recall = score_intervals(r.where(lambda c: c.entity1 < "a6"), r)["recall"]
    >>> recall.estimate, 0.4 < recall.low < 0.5, 0.6 < recall.high < 0.7
    (0.56, True, True)
    """
    if resamples < 2 or not 0 < level < 1:
        raise EvaluationError(
            f"resamples {resamples} must be at least 2, and level {level} between 0 and 1"
        )
    unjudged = unjudged_pairs(reference)
    found = judged_items(alignment, unjudged, relations=relations)
    right = judged_items(reference, unjudged, relations=relations)
    if not found and not right:
        raise EvaluationError("alignment and reference are empty: there is nothing to resample")
    correct, a, r = (_by_unit(items, clusters or {}) for items in (found & right, found, right))
    kinds = Counter([(correct.get(u, 0), a.get(u, 0), r.get(u, 0)) for u in a.keys() | r.keys()])
    triples = np.array(sorted(kinds), dtype=np.float64)
    units = kinds.total()
    often = np.array([kinds[kind] for kind in sorted(kinds)])
    drawn = np.random.default_rng(seed).multinomial(units, often / units, size=resamples)
    order = [0, 1, 0, 2]  # correct, found, correct, reference: what `ratios` takes
    return Intervals(
        tuple(
            percentiles(name, float(value), sample, level)
            for name, value, sample in zip(
                ("precision", "recall", "f1"),
                ratios((often @ triples)[order]),
                ratios((drawn @ triples)[:, order]).T,
                strict=True,
            )
        ),
        units,
        resamples,
        level,
        seed,
    )


def _by_unit(items: Iterable[Item], clusters: Mapping[str, str]) -> Counter[Hashable]:
    """Count items by cluster, or by source entity where it is in none."""
    sources: Counter[Hashable] = Counter([item[0] for item in items])
    for source in clusters.keys() & sources.keys():
        sources["cluster", clusters[source]] += sources.pop(source)
    return sources
