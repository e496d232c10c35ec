"""Confidence intervals of a value: by bootstrap, and Wilson's with effective numbers of cases.

Resampling only repeats a small sample: where all of ten correspondences are right, they are right
in every resample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.executor import executor
from alignrank.common.progress import blocks
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.contingency import Incidence
from alignrank.evaluation.credit.counts import FromCounts
from alignrank.evaluation.credit.credits import (
    Credits,
    Evaluation,
    FloatArray,
    ZeroDivision,
    ratios,
)
from alignrank.evaluation.significance.clustered import (
    Clusters,
    cluster_index,
    cluster_indices,
    intersections,
)
from alignrank.evaluation.significance.mcnemar import Ints
from alignrank.evaluation.significance.randomisation import (
    gradient,
    measure_of,
    small_sample,
    sums_by_unit,
)
from alignrank.evaluation.significance.score_limits import correlation_within

#: Coverage of the intervals.
LEVEL = DEFAULTS.level

_CELLS = 4_000_000  # weights held at a time: 32 MB


@dataclass(frozen=True)
class Interval(Tabular):
    """A value with its confidence interval.

    Parameters
    ----------
    name
        Name of the value, such as ``f1``.
    estimate
        The value from all entities.
    low, high
        Limits of the interval.
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
        Number of source entities, or clusters of them.
    resamples, level, seed
        Settings; `resamples` is 0 where a formula gives the intervals.
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
    evaluation: Evaluation,
    subtrahend: Evaluation | None = None,
    *,
    resamples: int = DEFAULTS.n_bootstrap,
    seed: int = DEFAULTS.seed,
    clusters: Clusters | None = None,
    partners: Clusters | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return 95% percentile intervals of a measure by resampling source entities of A ∪ R.

    Each entity is drawn with all its found and all its reference correspondences, so that wrong
    correspondences vary like the right ones. (If only the reference were resampled, they would not
    vary: the standard error of a precision would be many times too small.) The matching behind a
    relaxed measure is made once, on the whole alignment. For precision, recall and F1 take
    `credit_intervals`: percentiles cover too little in small samples. What follows from the counts,
    as `FromCounts` does, has at least the interval that the limits of F1 give it, with as many
    found and in the reference as there are.

    Parameters
    ----------
    evaluation
        `Credits`, a `Curve`, or another result of a measure of `MEASURES`.
    subtrahend
        The same measure of another alignment: then the intervals are those of the differences, on
        the same resamples. None: those of the values.
    resamples
        Number of resamples.
    seed
        Seed of the resampling; the same seed gives the same intervals.
    clusters
        Cluster by source entity, to resample whole clusters of entities that err together;
        entities that it lacks are clusters of their own.
    partners
        By source entity, the cluster of its partner, as for `credit_intervals`: they are resampled
        as well, and the wider interval counts.
    zero_division
        What 0/0 means.

    Raises
    ------
    EvaluationError
        If there are no source entities, a setting is out of range, or the two are of different
        measures.

    References
    ----------
    Efron & Tibshirani (1993), "An introduction to the bootstrap", chapter 13.

    Examples
    --------
    >>> from alignrank.evaluation.credit.credits import standard
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> a = r.where(lambda c: c.entity1 < "a6")
    >>> got = bootstrap(standard(a, r))["recall"]
    >>> got.estimate, 0.3 < got.low < got.estimate < got.high < 0.7
    (0.56, True)
    """
    sources = evaluation.sources
    if subtrahend is not None:
        sources |= subtrahend.sources
        if evaluation.columns != subtrahend.columns:
            raise EvaluationError(
                f"the first measure gives {', '.join(evaluation.columns)}, the second "
                f"{', '.join(subtrahend.columns)}: take the same measure for both"
            )

    def values(weights: FloatArray, index: Mapping[str, int]) -> FloatArray:
        of_first = evaluation.resampled(weights, index, zero_division)
        if subtrahend is None:
            return of_first
        return np.asarray(of_first - subtrahend.resampled(weights, index, zero_division))

    resampled = _resampled(values, evaluation.columns, sources, resamples, seed, clusters)
    if partners is not None:
        by_partners = _resampled(values, evaluation.columns, sources, resamples, seed, partners)
        pairs = zip(resampled.intervals, by_partners.intervals, strict=True)
        wider = tuple(
            replace(
                own,
                low=min(own.low, other.low),
                high=max(own.high, other.high),
                standard_error=max(own.standard_error, other.standard_error),
            )
            for own, other in pairs
        )
        resampled = replace(resampled, intervals=wider)
    if subtrahend is not None or not isinstance(evaluation, FromCounts):
        return resampled
    of_f1 = credit_intervals(
        evaluation.earned, clusters=clusters, partners=partners, zero_division=zero_division
    )["f1"]
    _, n_found, _, reference = evaluation.earned.sums
    correct = np.array([of_f1.low, of_f1.high]) * (n_found + reference) / 2
    limits = evaluation.by_correct(np.minimum(correct, min(n_found, reference)), zero_division)
    (interval,) = resampled.intervals
    low, high = min(interval.low, *limits.tolist()), max(interval.high, *limits.tolist())
    return replace(resampled, intervals=(replace(interval, low=low, high=high),))


def _resampled(
    values: Callable[[FloatArray, Mapping[str, int]], FloatArray],
    names: tuple[str, ...],
    sources: frozenset[str],
    resamples: int,
    seed: int,
    clusters: Clusters | None,
) -> Intervals:
    """Resample source entities, or clusters of them, as whole units."""
    if not sources:
        raise EvaluationError("alignment and reference are empty: there is nothing to resample")
    if resamples < 2:
        raise EvaluationError(f"resamples {resamples} must be at least 2")
    index = {source: i for i, source in enumerate(sorted(sources))}
    unit = cluster_index(list(index), clusters)
    units = int(unit.max()) + 1
    estimates = values(np.ones((1, len(index))), index)[0]
    weights = enumerate(_weights(units, len(index), resamples, seed))
    results = executor().run(lambda _, drawn: values(drawn[:, unit], index), weights)
    by_block = {block: resampled for (block, _), resampled in results}
    resampled = np.concatenate([by_block[block] for block in sorted(by_block)])
    intervals = []
    for name, estimate, sample in zip(names, estimates.tolist(), resampled.T, strict=True):
        defined = sample[~np.isnan(sample)]
        low = high = error = np.nan
        if len(defined) > 1:
            low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
            error = float(defined.std(ddof=1))
        undefined = len(sample) - len(defined)
        intervals.append(Interval(name, estimate, low, high, error, undefined))
    return Intervals(tuple(intervals), units, len(resampled), LEVEL, seed)


def _weights(units: int, entities: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how often each unit is drawn, in blocks of resamples that need little memory."""
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // entities)
    for rows in blocks(resamples, block, "bootstrap"):
        drawn = rng.integers(0, units, size=(rows, units))
        drawn += np.arange(rows)[:, None] * units
        counts = np.bincount(drawn.ravel(), minlength=rows * units)
        yield counts.reshape(rows, units).astype(float)


def wilson(
    share: ArrayLike, cases: ArrayLike, quantile: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of a share; the whole of [0, 1] without cases.

    Parameters
    ----------
    share
        In [0, 1].
    cases
        Number of cases, which need not be whole.
    quantile
        Half the width of a normal interval in standard errors; None: that of 95%.

    Notes
    -----
    Wilson 1927, Journal of the American Statistical Association 22:209–212.

    Examples
    --------
    >>> low, high = wilson(1.0, 10)
    >>> float(low.round(3)), float(high)
    (0.722, 1.0)
    """
    if quantile is None:
        quantile = scipy.special.ndtri(0.5 + LEVEL / 2)
    p = np.asarray(share, dtype=float)
    n = np.asarray(cases, dtype=float)
    z2 = np.asarray(quantile, dtype=float) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (p + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    # at the ends the limits are 0 and 1 exactly; rounding must not make them −1e-17
    low = np.where((p > 0) & (n > 0), centre - half, 0.0)
    return low, np.where((p < 1) & (n > 0), centre + half, 1.0)


def credit_intervals(
    earned: Credits,
    *,
    clusters: Clusters | None = None,
    partners: Clusters | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return 95% intervals of precision, recall and F1, by source entity or cluster of them.

    Each is a share p of N marks: precision of the found cells, recall of the reference cells, F1 of
    both, where a correct cell is two marks. `design_effects` gives the factor D by which the
    marks of one entity, and the entities of one cluster, enlarge the variance p(1 − p)/N. The
    interval is Wilson's for N/D cases, with Student's quantile of max(N/κ − 1, 1) degrees of
    freedom, where κ = Σ M_k²/N is the D of clusters whose M_k marks all agree.

    Parameters
    ----------
    earned
        Credits of one alignment under some measure. Where they are fractions, the intervals are
        wider than necessary. Where their sum is below 0, which is no share, limits are NaN.
    clusters
        Cluster by source entity; None: every entity is its own cluster.
    partners
        By source entity, the cluster of its partner in the reference, as
        `alignrank.evaluation.significance.crossed.reference_clusters` has them; None: unknown.
    zero_division
        What 0/0 means; its interval is the whole of [0, 1].

    Raises
    ------
    EvaluationError
        If alignment and reference are empty.

    Notes
    -----
    Wilson 1927. The coverage is .93 or more in six simulated designs of 1:n references and of
    clusters (docs/simulation.md). The percentile interval of a bootstrap covers .40 with 10 cells.

    Examples
    --------
    >>> from alignrank.evaluation.credit.credits import standard
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(10))
    >>> f1 = credit_intervals(standard(r, r))["f1"]
    >>> f1.estimate, round(f1.low, 3), f1.high
    (1.0, 0.661, 1.0)
    """
    indices = cluster_indices(sorted(earned.sources), clusters, partners)
    return _effective_intervals(sums_by_unit({"": earned}, None)[0], indices, zero_division)


def _effective_intervals(
    parts: FloatArray, clusters: tuple[Ints, list[Ints]], zero_division: ZeroDivision
) -> Intervals:
    """Return the `credit_intervals` of the entities' parts of the four sums."""
    if not len(parts):
        raise EvaluationError("alignment and reference are empty: no value has an interval")
    cluster, across = clusters
    sums = parts.sum(axis=0)
    credit = {"precision": sums[:1], "recall": sums[2:3], "f1": sums[[0, 2]]}
    estimates = ratios(sums, zero_division).tolist()
    intervals = []
    for name, estimate in zip(Credits.columns, estimates, strict=True):
        weights = {"precision": parts[:, 1], "recall": parts[:, 3]}
        marks = weights.get(name, parts[:, 1] + parts[:, 3])
        total = float(marks.sum())
        if not total > 0:
            intervals.append(Interval(name, estimate, 0.0, 1.0, np.nan))
            continue
        if (credit[name] < 0).any():
            intervals.append(Interval(name, estimate, np.nan, np.nan, np.nan))
            continue
        deviation = total * (parts @ gradient(measure_of(name), sums))
        marked = marks > 0
        of_marked = marks[marked], deviation[marked], cluster[marked]
        partners = [index[marked] for index in across]
        effect, largest_effect = design_effects(estimate, *of_marked, partners)
        degrees = max(total / largest_effect - 1, 1.0)
        quantile = scipy.special.stdtrit(degrees, 0.5 + LEVEL / 2)
        low, high = wilson(estimate, total / effect, quantile)
        error = (estimate * (1 - estimate) * effect / total) ** 0.5
        intervals.append(Interval(name, estimate, float(low), float(high), error))
    return Intervals(tuple(intervals), int(cluster.max()) + 1, 0, LEVEL, 0)


#: The least design effect: marks that seem to repel each other do so by chance.
LEAST_EFFECT = 0.3


def design_effects(
    share: float,
    marks: FloatArray,
    deviation: FloatArray,
    cluster: Ints,
    partners: Sequence[Ints] = (),
) -> tuple[float, float]:
    """Return the ratio of a share's variance to that of independent marks, and its upper bound.

    With N marks of n entities and v = p(1 − p), the marks of one entity correlate by
    ρ_w = [v + Σ_{m>1} (e² − m v)/(m − 1)] / [v + v Σ_{m>1} m], and
    V₁ = max(n/(n − 1) Σ e², v (N + ρ_w Σ m(m − 1))). With E_k = Σ e and q_k = Σ e² over the n_k
    entities of cluster k, entities correlate by
    ρ_b = [ē² + Σ_{n_k>1} (E_k² − q_k)/(n_k − 1)] / [ē² + Σ_{n_k>1} q_k], ē² the mean e²;
    both are cut to [0, 1]. D = max(V₁ (1 + ρ_b Σ n_k(n_k − 1)/n), K/(K − 1) Σ E_k²)/(N v),
    between .3 and κ; κ itself where p is 0 or 1. κ = Σ M_k²/N would be the effect if all M_k marks
    of a cluster agreed. Clusters of the partners add (V_t − V_st)/β of `crossed.Dependence`, with
    shares of marks, and their κ counts if it is the larger one.

    Parameters
    ----------
    share
        p, the share of the marks that are right.
    marks
        (n,): m_i > 0, the marks of each entity.
    deviation
        (n,): e_i, its right marks less p m_i.
    cluster, partners
        (n,): the number of its cluster, and of its partner's.

    Returns
    -------
    effect, largest_effect : float
        D and κ.
    """
    n = len(marks)
    total = float(marks.sum())
    largest = max(
        float((np.bincount(index, marks) ** 2).sum() / total) for index in (cluster, *partners)
    )
    v = share * (1 - share)
    if not v > 0:
        return largest, largest
    squares = deviation**2
    mean_square = float(squares.mean())
    several = marks > 1
    m = marks[several]
    agreement = float(((squares[several] - m * v) / (m - 1)).sum())
    within = min(max((v + agreement) / (v + v * float(m.sum())), 0.0), 1.0)
    spread = float((marks * (marks - 1)).sum())
    of_entities = max(small_sample(n) * n * mean_square, v * (total + within * spread))
    sizes = np.bincount(cluster)
    sums = np.bincount(cluster, deviation)
    of_clusters = small_sample(int((sizes > 0).sum())) * float((sums**2).sum())
    between = correlation_within(deviation, cluster, mean_square)
    of_entities *= 1 + between * float((sizes * (sizes - 1)).sum()) / n
    added = sum(_added(marks, deviation, cluster, index) for index in partners)
    effect = (max(of_entities, of_clusters) + added) / (total * v)
    return float(np.clip(effect, LEAST_EFFECT, largest)), largest


def _added(marks: FloatArray, deviation: FloatArray, cluster: Ints, partners: Ints) -> float:
    """Return the variance that the clusters of partners add to the sum of deviations."""
    w = np.bincount(partners, marks) / marks.sum()
    squares = float((w**2).sum())
    left = 1 - 2 * float((w**3).sum()) / squares + squares
    of_partners, of_both = (
        float((np.bincount(index, deviation) ** 2).sum())
        for index in (partners, intersections(cluster, partners))
    )
    if left < 1e-9:
        return math.inf if len(marks) > 1 else 0.0
    return max(of_partners - of_both, 0.0) / left


def system_intervals(
    table: Incidence, clusters: Clusters | None = None, partners: Clusters | None = None
) -> dict[str, Intervals]:
    """Return the `credit_intervals` of ordinary precision, recall and F1, of each system.

    Raises
    ------
    EvaluationError
        If alignment and reference are empty.

    Examples
    --------
    >>> from alignrank.evaluation.comparison.contingency import incidence
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> table = incidence({"mine": r.where(lambda c: c.entity1 < "a6")}, r)
    >>> recall = system_intervals(table)["mine"]["recall"]
    >>> recall.estimate, round(recall.low, 3), round(recall.high, 3)
    (0.56, 0.461, 0.654)
    """
    names, index = table.columns[0]
    intervals = {}
    for system, held in zip(table.systems, table.found, strict=True):
        correct = held & table.correct
        # the sums of `alignrank.evaluation.credit.credits.standard`, where all credit is 0 or 1
        sums = (correct, held, correct, table.correct)
        parts = np.stack([np.bincount(index, flags, len(names)) for flags in sums], axis=1)
        mentioned = np.flatnonzero(parts.any(axis=1))
        indices = cluster_indices([names[k] for k in mentioned.tolist()], clusters, partners)
        intervals[system] = _effective_intervals(parts[mentioned].astype(float), indices, "oaei")
    return intervals
