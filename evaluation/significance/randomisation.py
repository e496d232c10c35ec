"""Paired randomisation: whether two systems differ in any measure.

Under the null hypothesis the two systems' answers for an entity are exchangeable. The observed
difference in the measure is compared with the differences after the two answers of each entity are
swapped at random (Noreen 1989; Yeh 2000). Each difference is divided by its standard error: so the
test is valid also where only the measure is equal, such as F1 with different precision and recall
(Konietschke and Pauly 2014). Two measures need no random swaps: for recall they are the sign flips
of a sum, and for precision they would mislead (`weighted_score`).

Precision, F1 and their like are no means over entities. To first order they vary like one: entity k
adds its influence ψ_k, the gradient of the measure at the sums times the entity's part of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.executor import executor
from alignrank.common.progress import blocks, track
from alignrank.evaluation.credit.counts import (
    Formula,
    Totals,
    evaluated,
    jaccard,
    overall,
    without_unknown,
)
from alignrank.evaluation.credit.credits import (
    MOST_BETA,
    Credits,
    Evaluation,
    FloatArray,
    Whole,
    f_of_rates,
    ratios,
    values,
)
from alignrank.ontologies.alignment import Alignment, Correspondence

from .clustered import Clusters, cluster_index, random_signs, sign_flips
from .mcnemar import Bools, Ints, PairTest, chi_square, off_diagonal

#: A measure: from sums (..., 4) of found credit, found weight, reference credit and reference
#: weight to values (...).
Measure = Callable[[FloatArray], FloatArray]

_FORMULAS: Mapping[str, Formula] = {"overall": overall, "jaccard": jaccard}


def measure_of(name: str) -> Measure:
    """Return the measure of a name: precision, recall, overall, jaccard, or f and a number.

    Raises
    ------
    EvaluationError
        If there is none of this name.

    Examples
    --------
    >>> float(measure_of("f2")(np.array([3.0, 4.0, 3.0, 6.0])).round(4))
    0.5357
    """
    if name in ("precision", "recall"):
        place = ("precision", "recall").index(name)
        return lambda sums: ratios(sums)[..., place]
    if name in _FORMULAS:
        formula = _FORMULAS[name]
        # the credit of found ones stands for the number of correct ones
        return lambda sums: evaluated(
            formula, Totals(sums[..., 0], sums[..., 1], sums[..., 3], np.nan, 1.0)
        )
    try:
        beta = float(name.removeprefix("f"))
    except ValueError:
        beta = -1.0
    if not name.startswith("f") or not 0 < beta <= MOST_BETA:
        raise EvaluationError(
            f"measure {name!r} is unknown: use precision, recall, overall, jaccard, f1 or f with "
            "another number, such as f0.5"
        )
    return lambda sums: f_of_rates(ratios(sums), beta)


def sums_by_unit(earned: Mapping[str, Credits], clusters: Clusters | None) -> FloatArray:
    """Return (systems, units, 4): the part of each entity, or cluster of them, in the four sums."""
    entities = _entities(earned)
    index = dict(zip(entities, cluster_index(entities, clusters).tolist(), strict=True))
    units = max(index.values(), default=-1) + 1
    return np.stack([evaluation.by_source(index, units) for evaluation in earned.values()])


def _entities(earned: Mapping[str, Credits]) -> list[str]:
    return sorted(frozenset().union(*(evaluation.sources for evaluation in earned.values())))


def ratio_sums(measure: str, parts: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Return the numerators and denominators, each (systems, units), of a measure that is a ratio.

    Parameters
    ----------
    measure
        ``precision``, ``recall``, or ``f1``, which is a ratio of sums where found and reference
        correspondences earn the same credit. The result is None for any other measure.
    parts
        (systems, units, 4), of `sums_by_unit`.

    Examples
    --------
    >>> of, by = ratio_sums("f1", np.array([[[1.0, 1, 1, 1], [0, 2, 0, 1]]]))
    >>> of.tolist(), by.tolist()
    ([[2.0, 0.0]], [[2.0, 3.0]])
    """
    credit, found_weight, recalled, reference_weight = np.moveaxis(parts, -1, 0)
    if measure == "f1" and (credit == recalled).all():
        return 2 * credit, found_weight + reference_weight
    sums = {"precision": (credit, found_weight), "recall": (recalled, reference_weight)}
    return sums.get(measure)


def gradient(measure: Measure, sums: FloatArray) -> FloatArray:
    """Return the derivatives of a measure by its sums, by central differences.

    Parameters
    ----------
    measure
        From sums (..., 4) to values (...).
    sums
        (..., 4).

    Returns
    -------
    ndarray
        (..., 4). Multiplied by an entity's part of the sums it is the entity's influence: for F1
        ψ = (2c − v (f + r)) / (F + R), with v the value; the influences add up to 0.

    Examples
    --------
    >>> gradient(measure_of("precision"), np.array([3.0, 4.0, 3.0, 6.0])).round(6).tolist()
    [0.25, -0.1875, 0.0, 0.0]
    """
    step = 1e-5 * np.maximum(np.abs(sums), 1.0)
    slopes = []
    for k in range(sums.shape[-1]):
        shift = np.zeros_like(sums)
        shift[..., k] = step[..., k]
        rise = measure(sums + shift) - measure(sums - shift)
        slopes.append(rise / (2 * step[..., k]))
    return np.stack(slopes, axis=-1)


def linearised(
    evaluations: Mapping[str, Evaluation], name: str
) -> tuple[tuple[str, ...], dict[str, FloatArray]]:
    """Return the source entities, and for each run one value per entity whose mean is the measure.

    v + K ψ_k for the k-th of K entities: to first order the mean varies as the measure does (the
    infinitesimal jackknife; Efron 1982, The jackknife, the bootstrap and other resampling plans,
    section 6.3).

    Raises
    ------
    EvaluationError
        If an evaluation is no sum over entities.
    """
    earned = {
        run: evaluation
        for run, evaluation in evaluations.items()
        if isinstance(evaluation, Credits)
    }
    if len(earned) < len(evaluations):
        raise EvaluationError(
            "several runs are compared by measures that are sums over entities: name one run of "
            "each system for this one"
        )
    parts = sums_by_unit(earned, None)
    measure = measure_of(name)
    sums = parts.sum(axis=1)
    influences = np.einsum("rkj,rj->rk", parts, gradient(measure, sums))
    values = measure(sums)[:, None] + parts.shape[1] * influences
    return tuple(_entities(earned)), dict(zip(earned, values, strict=True))


def small_sample(units: int) -> float:
    """Return K / (K − 1), which makes the variance of K units' sum unbiased; 1 for one unit."""
    return units / (units - 1) if units > 1 else 1.0


def weighted_score(parts: FloatArray) -> PairTest:
    """Test for every pair of systems whether their precision is the same.

    z = (C_s/F_s − C_t/F_t) / √Var at the common v = (C_s + C_t) / (F_s + F_t), where Var is the
    larger of v(1 − v)(1/F_s + 1/F_t) − 2 Σ (c_s − v f_s)(c_t − v f_t) / (F_s F_t), the weighted
    score statistic, and K/(K − 1) Σ (ψ_s − ψ_t)², ψ = (c − v f)/F, which holds for clusters.

    Parameters
    ----------
    parts
        (n, K, 4): the parts of K entities, or clusters of them, in the sums of a measure.

    Notes
    -----
    Swapping answers would test whether the systems are exchangeable: with the same precision and
    another recall they are not, however many items there are. Kosinski 2013, Statistics in Medicine
    32:964–977.

    Examples
    --------
    One finds all 20 and is right on 10, the other finds the same 10 only:

    >>> one = [[k < 10, 1, k < 10, 1] for k in range(20)]
    >>> two = [[k < 10, k < 10, k < 10, 1] for k in range(20)]
    >>> test = weighted_score(np.array([one, two], dtype=float))
    >>> float(test.advantage[0, 1]), bool(test.p[0, 1] < 0.001)
    (-0.5, True)
    """
    credit = parts[..., 0]
    weight = parts[..., 1]
    n, units = credit.shape
    earned = credit.sum(axis=1)
    total = weight.sum(axis=1)
    z2 = np.zeros((n, n))
    advantage = np.zeros((n, n))
    for s, t in combinations(range(n), 2):
        if not (total[s] and total[t]):
            continue  # an empty alignment has no precision
        gap = earned[s] / total[s] - earned[t] / total[t]
        common = (earned[s] + earned[t]) / (total[s] + total[t])
        psi_s = (credit[s] - common * weight[s]) / total[s]
        psi_t = (credit[t] - common * weight[t]) / total[t]
        binomial = common * (1 - common) * (1 / total[s] + 1 / total[t])
        independent = binomial - 2 * float(psi_s @ psi_t)
        clustered = small_sample(units) * float(((psi_s - psi_t) ** 2).sum())
        variance = max(independent, clustered)
        advantage[s, t] = gap
        advantage[t, s] = -gap
        if variance > 0:
            z2[s, t] = z2[t, s] = gap**2 / variance
    p, log10_p = chi_square(z2)
    return PairTest(advantage, off_diagonal(p), off_diagonal(log10_p))


_CELLS = 4_000_000  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Randomisation:
    """Result of the paired randomisation test on every pair of systems.

    Parameters
    ----------
    values
        The measure by system.
    test
        Differences, p-values and their log10.
    method
        ``randomisation``, ``sign-flip`` (recall) or ``weighted-score`` (precision).
    units
        Number of entities, or clusters of them, on which at least two systems differ.
    cautions
        Sentences of the measure that must be shown with the values.
    parts
        (systems, units, 4): the share of each unit in the sums of credits; None without credits.
    less_is_better
        Whether the better system has the smaller value.
    """

    values: dict[str, float]
    test: PairTest
    method: str
    units: int
    cautions: tuple[str, ...] = ()
    parts: FloatArray | None = None
    less_is_better: bool = False


def randomisation(
    earned: Mapping[str, Credits],
    measure: str | Measure = "f1",
    *,
    clusters: Clusters | None = None,
    n_resamples: int = DEFAULTS.n_resamples,
    seed: int = DEFAULTS.seed,
) -> Randomisation:
    """Test every pair of systems by swapping their answers per source entity.

    p = (1 + number of swaps whose difference is at least as large) / (1 + swaps), two-sided, which
    is valid for any number of swaps (Phipson and Smyth 2010). Differences are divided by their
    standard error, which is computed again after each swap.

    Parameters
    ----------
    earned
        Credits of each system under some measure: of
        `alignrank.evaluation.credit.credits.standard`, or of the relaxed, weighted, semantic or
        residual measures.
    measure
        ``precision`` (the weighted score test), ``recall`` (exact sign flips where the credits are
        whole numbers), ``f1`` (or ``f0.5``, ``f2``...), ``overall`` or ``jaccard`` of the credits,
        or a function of their sums.
    clusters
        Cluster by entity: answers are swapped for a whole cluster at a time. None: per entity.
    n_resamples
        Number of random swaps; the same for all pairs.
    seed
        Of the random numbers.

    Raises
    ------
    EvaluationError
        If the measure is unknown, there are fewer than two systems, or `n_resamples` is not
        positive.

    Notes
    -----
    Credits are swapped as they are. Where one entity's answer changes another's credit (relaxed
    measures match found and reference correspondences one to one), that is an approximation.
    Konietschke and Pauly 2014, Statistics and Computing 24:283–296.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Alignment, Correspondence
    >>> from alignrank.evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a{k}", "b") for k in range(8))
    >>> none = Alignment()
    >>> result = randomisation({"all": standard(r, r), "none": standard(none, r)}, "recall")
    >>> result.values, float(result.test.p[0, 1].round(9)), 2 / 2**8
    ({'all': 1.0, 'none': 0.0}, 0.0078125, 0.0078125)
    """
    if len(earned) < 2:
        raise EvaluationError("a randomisation test compares two systems or more")
    if n_resamples < 1:
        raise EvaluationError(
            f"n_resamples is {n_resamples}: it must be a positive number, such as 20000"
        )
    parts = sums_by_unit(earned, clusters)
    result = randomised_sums(tuple(earned), parts, measure, n_resamples=n_resamples, seed=seed)
    return replace(result, cautions=_cautions(earned))


def randomised_sums(
    systems: Sequence[str],
    parts: FloatArray,
    measure: str | Measure,
    *,
    n_resamples: int = DEFAULTS.n_resamples,
    seed: int = DEFAULTS.seed,
) -> Randomisation:
    """Test every pair of systems by the units' parts of the sums (`sums_by_unit`).

    Parameters
    ----------
    systems
        n names.
    parts
        (n, units, 4).
    measure, n_resamples, seed
        As for `randomisation`.
    """
    formula = measure_of(measure) if isinstance(measure, str) else measure
    values = formula(parts.sum(axis=1))
    advantage = np.nan_to_num(values[:, None] - values)
    credit = parts[..., 2]
    weight = parts[..., 3]
    is_mean = measure == "recall" and (weight == weight[:1]).all()
    if measure == "precision":
        method = "weighted-score"
        test = weighted_score(parts)
    elif is_mean and (credit == np.floor(credit)).all():
        method = "sign-flip"
        test = replace(sign_flips(credit.astype(np.int64)), advantage=advantage)
    else:
        method = "randomisation"
        if is_mean:
            p = p_values_of_means(credit, weight[0], n_resamples, seed)
        else:
            p = p_values_of_ratios(parts, formula, n_resamples, seed)
        test = PairTest(advantage, p, np.log10(p))
    values_by_system = dict(zip(systems, values.tolist(), strict=True))
    return Randomisation(values_by_system, test, method, int(_differing(parts).sum()), parts=parts)


def _differing(parts: FloatArray) -> Bools:
    """Return the units on which at least two systems differ."""
    return np.asarray((parts != parts[:1]).any(axis=(0, 2)))


def p_values_of_ratios(
    parts: FloatArray, formula: Measure, n_resamples: int, seed: int
) -> FloatArray:
    """Return the randomisation p-values (n, n) of every pair of systems, for any measure."""
    differ = _differing(parts)
    pairs = [_SwappedPair(*two, formula, differ) for two in combinations(parts, 2)]

    def as_large(signs: FloatArray) -> Ints:
        by_unit = np.ascontiguousarray(signs.T)
        return np.array([pair.as_large(by_unit) for pair in pairs])

    return _p_values(len(parts), as_large, int(differ.sum()), n_resamples, seed)


def p_values_of_means(
    sums: FloatArray, weights: FloatArray, n_resamples: int, seed: int
) -> FloatArray:
    """Return the randomisation p-values (n, n) of every pair of weighted means.

    They are those of `p_values_of_ratios` for recall. The swapped difference of two means is a sum
    of signs times differences, so one product of matrices has it for all pairs.

    Parameters
    ----------
    sums
        (n, units): each unit's part of a system's sum.
    weights
        (units,): each unit's part of the divisor, the same for all systems.
    n_resamples, seed
        As for `randomisation`.
    """
    n, total = len(sums), weights.sum()
    first, second = np.triu_indices(n, 1)
    shares = sums / total
    squares = ((shares[first] - shares[second]) ** 2).sum(axis=1)
    differ = (sums != sums[:1]).any(axis=0)
    shares, weight = shares[:, differ], weights[differ]
    columns = np.concatenate([shares, shares * weight]).T

    def ratios(moved: FloatArray) -> FloatArray:
        """Return each pair's difference over its standard error, from Σ ε s and Σ ε s w."""
        shift = moved[:, first] - moved[:, second]
        crossed = moved[:, n + first] - moved[:, n + second]
        variance = squares - 2 * shift * crossed / total + shift**2 * (weights @ weights) / total**2
        return _ratio(np.abs(shift), variance)

    observed = ratios(columns.sum(axis=0)[None])[0]

    def as_large(signs: FloatArray) -> Ints:
        return _count_as_large(ratios(signs @ columns), observed)

    return _p_values(n, as_large, int(differ.sum()), n_resamples, seed)


def _p_values(
    n: int,
    as_large: Callable[[FloatArray], Ints],
    units: int,
    n_resamples: int,
    seed: int,
) -> FloatArray:
    """Return p-values (n, n): `as_large` counts, by pair, the signs (rows, units) as extreme."""
    rng = np.random.default_rng(seed)
    sizes = blocks(n_resamples, max(1, _CELLS // (units + 1)), "randomisation")
    tasks = ((random_signs(rng, rows, units),) for rows in sizes)
    counts = np.array([block for _, block in executor().run(as_large, tasks)]).sum(axis=0)
    p = np.full((n, n), np.nan)
    upper = np.triu_indices(n, 1)
    p[upper] = p.T[upper] = (1 + counts) / (1 + n_resamples)
    return p


def _count_as_large(swapped: FloatArray, observed: FloatArray | float) -> Ints:
    """Return the number of rows that are at least as large as the observed difference."""
    # "not smaller" also counts an undefined difference: never in favour of significance
    return np.asarray((~(swapped < observed * (1 - 1e-9))).sum(axis=0))


def _ratio(gap: FloatArray, squares: FloatArray) -> FloatArray:
    """Return a difference over its standard error, the root of `squares`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # rounding leaves no exact zeros
        ratio: FloatArray = gap / np.sqrt(np.where(squares > 1e-18, squares, 0.0))
    # a difference of 0 stays 0, also where its standard error is 0
    ratio[gap <= 1e-12] = 0.0
    return ratio


class _SwappedPair:
    """Two systems' answers, swapped per unit, and their difference over its standard error.

    With mean m_k and half difference h_k of the two systems' parts of the sums in unit k, and
    ε_k = −1 where they are swapped, Σ ε_k h_k gives the swapped sums. The influences differ by
    ψ_s − ψ_t = (g_s − g_t) · m_k + ε_k (g_s + g_t) · h_k with g the gradients there. So the sum of
    their squares needs only Σ ε_k m_k h_k', and sums that no swap changes.
    """

    def __init__(
        self, first: FloatArray, second: FloatArray, formula: Measure, differ: Bools
    ) -> None:
        mean = (first + second) / 2
        half = (first - second) / 2
        self.formula = formula
        self.middle = mean.sum(axis=0)
        self.mean_squares = mean.T @ mean
        self.half_squares = half.T @ half
        self.moved = half[differ].any(axis=1)  # of the rows of the signs
        mean = mean[differ][self.moved]
        half = half[differ][self.moved]
        crossed = (mean[:, :, None] * half[:, None]).reshape(len(half), 16)
        self.moving = np.hstack([half, crossed])
        self.observed = self._ratios(self.moving.sum(axis=0)[None])[0]

    def as_large(self, signs: FloatArray) -> int:
        """Return the number of columns of signs whose difference is at least the observed one."""
        swapped = self._ratios(signs[self.moved].T @ self.moving)
        return int(_count_as_large(swapped, self.observed))

    def _ratios(self, moved: FloatArray) -> FloatArray:
        """Return the difference over its standard error for sums Σ ε h and Σ ε m h' (b, 20)."""
        shift = moved[:, :4]
        crossed = moved[:, 4:].reshape(-1, 4, 4)
        first = self.middle + shift
        second = self.middle - shift
        gap = np.abs(self.formula(first) - self.formula(second))
        slope = gradient(self.formula, first)
        slope_of_second = gradient(self.formula, second)
        minus = slope - slope_of_second
        plus = slope + slope_of_second
        squares = ((minus @ self.mean_squares) * minus).sum(axis=1)
        squares += ((plus @ self.half_squares) * plus).sum(axis=1)
        squares += 2 * np.einsum("bi,bij,bj->b", minus, crossed, plus)
        return _ratio(gap, squares)


def _cautions(results: Mapping[str, Evaluation]) -> tuple[str, ...]:
    """Return the cautions of all systems' results, each with its system."""
    return tuple(f"{name}: {text}" for name, result in results.items() for text in result.cautions)


#: A measure without its context: from an alignment and a reference to its result.
MeasureFunction = Callable[[Alignment, Alignment], Evaluation]


def randomise(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    measure: MeasureFunction,
    value: str | None = None,
    *,
    clusters: Clusters | None = None,
    n_resamples: int = DEFAULTS.n_resamples,
    seed: int = DEFAULTS.seed,
) -> Randomisation:
    """Test every pair of systems in any measure, by swapping answers per source entity.

    Parameters
    ----------
    alignments, reference
        Alignment by system, and the reference alignment.
    measure
        The measure; `alignrank.evaluation.measures.measure` has them by name.
    value
        The value of the measure: a name of its columns, for credits also ``overall`` or ``f2`` and
        its like. None takes ``f1`` if the measure has it, else its first. The larger value is
        better, unless `Evaluation.less_is_better`.
    clusters, n_resamples, seed
        As in `alignrank.evaluation.significance.randomisation.randomisation`, which tests credits,
        all pairs at once. Other measures take a second or more for each pair.

    Raises
    ------
    EvaluationError
        If the measure has no such value, or belongs to the alignment as a whole (coherence): then
        no part of it can be swapped.

    Examples
    --------
    >>> from alignrank.evaluation.measures.threshold_curve import curve
    >>> cells = [(f"a{k}", "b", "=", 1 - k / 40) for k in range(20)]
    >>> first = Alignment(Correspondence(*cell) for cell in cells)
    >>> r = first.where(lambda c: c.confidence > 0.7)
    >>> turned = [replace(c, confidence=1.5 - c.confidence) for c in first]
    >>> result = randomise({"good": first, "turned": Alignment(turned)}, r, curve, n_resamples=999)
    >>> result.values["good"], bool(result.test.p[0, 1] < 0.05)
    (1.0, True)
    """
    results = {name: measure(a, reference) for name, a in alignments.items()}
    columns = next(iter(results.values())).columns if results else ()
    if not value:
        value = "f1" if "f1" in columns else "".join(columns[:1])
    earned = {name: j for name, j in results.items() if isinstance(j, Credits)}
    if len(earned) == len(results):
        return randomisation(earned, value, clusters=clusters, n_resamples=n_resamples, seed=seed)
    if value not in columns:
        raise EvaluationError(f"value {value!r} is unknown: use one of {', '.join(columns)}")
    if any(isinstance(j, Whole) for j in results.values()):
        raise EvaluationError(
            f"{value} belongs to the alignment as a whole: no parts of it can be swapped"
        )
    values_by_system = {name: values(j)[value] for name, j in results.items()}
    n = len(results)
    p = np.full((n, n), np.nan)
    units = 0
    pairs = list(combinations(enumerate(alignments.values()), 2))
    for (i, first), (j, second) in track(pairs, len(pairs), "randomisation, pairs"):
        pair = _SideBySide(first, second, reference, measure, clusters)
        units = max(units, pair.units)
        p[i, j] = p[j, i] = pair.p_value(columns.index(value), n_resamples, seed)
    numbers = np.array(list(values_by_system.values()))
    less_is_better = any(j.less_is_better for j in results.values())
    if less_is_better:
        numbers = -numbers
    test = PairTest(np.nan_to_num(numbers[:, None] - numbers), p, np.log10(p))
    return Randomisation(
        values_by_system,
        test,
        "randomisation",
        units,
        _cautions(results),
        less_is_better=less_is_better,
    )


class _SideBySide:
    """Two systems' answers in one alignment, each source entity twice, once for either system.

    To swap an entity's answers is to count its other copy. So every measure with a bootstrap
    interval also has a randomisation test, even if it is more than a sum, such as a curve.
    """

    def __init__(
        self,
        first: Alignment,
        second: Alignment,
        reference: Alignment,
        measure: MeasureFunction,
        clusters: Clusters | None,
    ) -> None:
        answers: list[Correspondence] = []
        correct: list[Correspondence] = []
        for side, alignment in enumerate((first, second)):
            counted = without_unknown(alignment, reference)
            answers += _copy(side, counted.alignment)
            correct += _copy(side, counted.reference)
        self.result = measure(Alignment(answers), Alignment(correct))
        sources = sorted(self.result.sources)
        self.index = {source: k for k, source in enumerate(sources)}
        self.side = np.array([int(source[0]) for source in sources])
        self.unit = cluster_index([source[1:] for source in sources], clusters)
        self.units = int(self.unit.max(initial=-1)) + 1

    def differences(self, swapped: Bools, place: int) -> FloatArray:
        """Return first − second for rows of swaps (b, units)."""
        weights = (swapped[:, self.unit] == self.side).astype(float)
        first = self.result.resampled(weights, self.index)[:, place]
        second = self.result.resampled(1 - weights, self.index)[:, place]
        return np.asarray(first - second)

    def p_value(self, place: int, n_resamples: int, seed: int) -> float:
        """Return the two-sided p-value of one value of the measure."""
        rng = np.random.default_rng(seed)
        unswapped = np.zeros((1, self.units), dtype=bool)
        observed = abs(self.differences(unswapped, place)[0])
        block = max(1, _CELLS // (len(self.side) + 1))
        as_large = 0
        for rows in blocks(n_resamples, block, "swaps"):
            signs = random_signs(rng, rows, self.units)
            swapped = np.abs(self.differences(signs > 0, place))
            # "not smaller" also counts an undefined difference: never in favour of significance
            as_large += int((~(swapped < observed - 1e-12)).sum())
        return (1 + as_large) / (1 + n_resamples)


def _copy(side: int, alignment: Alignment) -> list[Correspondence]:
    """Mark the source entities of one system's copy."""
    return [replace(c, entity1=f"{side}{c.entity1}") for c in alignment]
