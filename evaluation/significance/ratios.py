"""Measures that are ratios of sums over source entities: how they vary, and precision's own test.

Precision, F1 and their like are no means over entities. To first order they vary like one: entity k
adds its influence ψ_k, the gradient of the measure at the sums times the entity's part of the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.counts import Formula, Totals, evaluated, jaccard, overall
from alignrank.evaluation.credit.credits import Credits, Evaluation, FloatArray, f_of_rates, ratios

from .clustered import Clusters, cluster_index
from .mcnemar import PairTest, chi_square, off_diagonal

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
    if not name.startswith("f") or not 0 < beta < np.inf:
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
