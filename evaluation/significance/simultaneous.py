"""All pairs of systems resampled together, and simultaneous confidence intervals of differences.

With D (clusters × systems) the right answers per cluster and E (flips × clusters) random signs,
S = E·D holds every pair's resampled statistic as S_s − S_t: the pairs keep the dependence that they
have in the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.executor import executor
from alignrank.common.files import plain
from alignrank.common.progress import blocks
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.significance.clustered import squared_distances, tilted_sums
from alignrank.evaluation.significance.mcnemar import Floats, Ints, off_diagonal, pair_columns
from alignrank.evaluation.significance.randomisation import random_signs

#: Number of random flips; if there are no more than this, all are taken.
FLIPS = 20_000


@dataclass(frozen=True, eq=False)
class JointFlips:
    r"""Every pair's sign-flip statistic, as observed and under the same flips of clusters.

    Parameters
    ----------
    sums
        (systems, flips): S; a pair's statistic is the difference of two rows. The first column
        holds the observed statistics.
    tails
        By pair (i < j, in the order of `numpy.triu_indices`): P(\|Σ ±d_k\| ≥ v) for v = 0, 1, …,
        exact. Pairs with the same \|d_k\| share one table.
    exhaustive
        Whether the flips are all possible ones, each once.
    """

    sums: Ints
    tails: tuple[Floats, ...]
    exhaustive: bool

    def tail(self, first: int, second: int) -> Floats:
        """Return a pair's exact two-sided p-value under every flip; the first is the observed."""
        n = len(self.sums)
        pair = first * n - first * (first + 1) // 2 + second - first - 1
        p: Floats = self.tails[pair][np.abs(self.sums[first] - self.sums[second])]
        return p

    @property
    def p(self) -> Floats:
        """(systems, systems): the observed p-values, those of ``sign-flip``; NaN diagonal."""
        n = len(self.sums)
        p = np.full((n, n), np.nan)
        for (i, j), tail in zip(combinations(range(n), 2), self.tails, strict=True):
            p[i, j] = p[j, i] = tail[abs(self.sums[i, 0] - self.sums[j, 0])]
        return p


def joint_flips(counts: Ints, *, flips: int = FLIPS, seed: int = 0) -> JointFlips:
    """Flip the differences of whole clusters at random, for all pairs of systems at once.

    Parameters
    ----------
    counts
        (systems, clusters): the number of items of each cluster that a system has right
        (`alignrank.evaluation.significance.clustered.per_unit`).
    flips
        Number of random flips; if the clusters allow no more than these, all are taken.
    seed
        Of the signs.

    Raises
    ------
    EvaluationError
        If there is no cluster, or `flips` is not positive.

    Examples
    --------
    >>> flips = joint_flips(np.array([[1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0]]))
    >>> flips.sums.shape, float(flips.p[0, 1])
    ((2, 32), 0.0625)
    """
    if flips < 1:
        raise EvaluationError(f"flips is {flips}: it must be a positive number, such as {FLIPS}")
    if not counts.size:
        raise EvaluationError("there is no item to compare the systems by")
    gains = (counts - counts.min(axis=0)).astype(float)  # shared answers change no difference
    gains = gains[:, gains.any(axis=0)]
    exhaustive = 2 ** gains.shape[1] <= flips
    sums = _all_sums(gains) if exhaustive else _random_sums(gains, flips, seed)
    tables: dict[bytes, Floats] = {}
    tails = []
    for i, j in combinations(range(len(counts)), 2):
        sizes = np.bincount(np.abs(counts[i] - counts[j]))
        key = sizes.tobytes()
        if key not in tables:
            tables[key] = tail_table(sizes)
        tails.append(tables[key])
    return JointFlips(sums, tuple(tails), exhaustive)


def tail_table(sizes: Ints) -> Floats:
    r"""Return P(\|Σ ±d_k\| ≥ v) for v = 0, 1, …, Σ d_k, every sign a fair coin.

    Parameters
    ----------
    sizes
        The number of d_k that are 0, 1, 2, …

    Examples
    --------
    >>> tail_table(np.array([0, 2, 1])).tolist()  # 1, 1 and 2: the sum is 0, ±2, or ±4
    [1.0, 0.75, 0.75, 0.25, 0.25]
    """
    steps = np.flatnonzero(sizes[1:]) + 1
    reach = int(sizes @ np.arange(len(sizes)))
    # the sum is 2U − reach, U = Σ step · Bin(times, 1/2); 1e-25 of its mass is left out
    start, probabilities = tilted_sums(steps, sizes[steps], 0.0)
    upper = np.zeros(reach + 2)
    upper[start : start + len(probabilities)] = probabilities
    upper = np.cumsum(upper[::-1])[::-1]
    upper = 2 * upper[(reach + np.arange(reach + 1) + 1) // 2]
    upper[0] = 1.0
    return np.minimum(upper, 1.0)


def _all_sums(gains: Floats) -> Ints:
    """Return S under every choice of signs, all plus first."""
    sums = np.zeros((len(gains), 1))
    for cluster in gains.T[:, :, None]:
        sums = np.concatenate([sums + cluster, sums - cluster], axis=1)
    return sums.astype(np.int64)


def _random_sums(gains: Floats, flips: int, seed: int) -> Ints:
    rng = np.random.default_rng(seed)
    sums = [gains.sum(axis=1, keepdims=True)]
    block = max(1, _CELLS // gains.shape[1])
    for start in range(0, flips, block):
        signs = random_signs(rng, min(block, flips - start), gains.shape[1])
        sums.append(gains @ signs.T)
    return np.ascontiguousarray(np.concatenate(sums, axis=1).astype(np.int64))


#: With fewer items, or fewer clusters of them, the intervals may cover too rarely (.94 at 30,
#: docs/simulation.md).
ENOUGH_ITEMS = 120
ENOUGH_CLUSTERS = 30

#: Numerators and denominators of ratios, each (n, K).
Sums = tuple[Floats, Floats]

_CELLS = 4_000_000  # numbers held at a time


@dataclass(frozen=True, eq=False)
class Simultaneous(Tabular):
    """Simultaneous confidence intervals of the differences of all pairs.

    Parameters
    ----------
    measure, systems
        The measure, and the names of the systems.
    level
        Probability that all intervals hold, for this ontology's clusters.
    values
        (n,): the measure by system.
    standard_error
        (n, n): of the difference; NaN diagonal.
    low, high
        (n, n): limits of row − column, in [−1, 1]; NaN diagonal.
    quantile
        Half the width of each interval in standard errors.
    clusters
        Number of clusters of items that were resampled.
    """

    measure: str
    systems: tuple[str, ...]
    level: float
    values: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    quantile: float
    clusters: int

    @property
    def difference(self) -> Floats:
        """(n, n): row − column."""
        return self.values[:, None] - self.values[None, :]

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "difference": self.difference,
            "standard error": self.standard_error,
            "low": self.low,
            "high": self.high,
        }
        return frame({"measure": self.measure, **pair_columns(self.systems, matrices)})

    def to_dict(self) -> dict[str, object]:
        """Return measure, level, number of clusters, and difference, low and high as lists."""
        content: dict[str, object] = {
            "measure": self.measure,
            "level": self.level,
            "clusters": self.clusters,
        }
        for name in ("difference", "low", "high"):
            content[name] = plain(off_diagonal(getattr(self, name)).tolist())
        return content


def ratio_differences(
    systems: Sequence[str],
    numerator: Floats,
    denominator: Floats,
    *,
    measure: str,
    level: float = 0.95,
    focus: str | None = None,
    flips: int = FLIPS,
    seed: int = 0,
) -> Simultaneous:
    r"""Return simultaneous intervals Δ ± c·se of the differences of ratios.

    With v = Σ a / Σ b over the clusters, ψ_k = (a_k − v b_k) / Σ b is a cluster's influence and
    h_k = b_k / Σ b its weight; v falls by ψ_k / (1 − h_k) without the cluster, so that
    se² = Σ (ψ_s,k / (1 − h_s,k) − ψ_t,k / (1 − h_t,k))². In each flip the ratio is refitted:
    ψ*_k = ε_k ψ_k − h_k Σ ε_l ψ_l, Δ* = Σ ε_k (ψ_s,k − ψ_t,k), and se*² = Σ (ψ*_s,k − ψ*_t,k)².
    c is the quantile over flips of the largest \|Δ*\| / se* of all pairs.

    Parameters
    ----------
    systems
        n names.
    numerator, denominator
        (n, K): a and b of each cluster.
    measure
        Name for the result.
    level
        Probability that all intervals hold.
    focus
        Only the differences from this system need to hold together; None: those of all pairs.
    flips, seed
        Number of random flips, and their seed.

    Raises
    ------
    EvaluationError
        If a system's denominators are all 0, or there are fewer than two clusters.

    Notes
    -----
    The standard error CR3 of Bell and McCaffrey 2002, Survey Methodology 28:169–181. With Σ ψ²
    alone .944 of the runs of 200 items in anatomy's clusters are covered in place of .95 (.957 with
    CR3; 10,000 runs). The only cluster of a system counts as one without influence.
    """
    totals = denominator.sum(axis=1)
    if not totals.all():
        empty = systems[int(np.argmin(totals))]
        raise EvaluationError(f"{empty} has no {measure}: it found nothing")
    clusters = numerator.shape[1]
    if clusters < 2:
        raise EvaluationError("an interval needs two clusters of items or more: there is only one")
    values, influence = _influences(numerator, denominator)
    shares = denominator / totals[:, None]
    pairs = list(combinations(range(len(systems)), 2))
    if focus is not None:
        pairs = [pair for pair in pairs if systems.index(focus) in pair]
    largest = _largest_ratios(influence, shares, pairs, flips, seed)
    quantile = float(np.quantile(largest, level, method="higher"))
    without_cluster = influence / np.where(shares < 1, 1 - shares, 1)
    error = off_diagonal(np.sqrt(squared_distances(without_cluster)))
    difference = values[:, None] - values
    low = np.clip(difference - quantile * error, -1.0, 1.0)
    high = np.clip(difference + quantile * error, -1.0, 1.0)
    return Simultaneous(
        measure, tuple(systems), level, values, error, low, high, quantile, clusters
    )


def ratio_design_effects(items: Sums, clusters: Sums) -> Floats:
    """Return (n, n): the factor by which clusters multiply the variance of a difference of ratios.

    K/(K − 1) Σ (ψ_s − ψ_t)² over the K clusters, divided by the same over the items; NaN where no
    item differs.

    Parameters
    ----------
    items, clusters
        Numerator and denominator (n, K) of the ratios, by item and by cluster.

    Examples
    --------
    >>> a, b = np.array([[1.0, 1, 0, 0], [1, 1, 1, 1]]), np.ones((2, 4))
    >>> halves = a.reshape(2, 2, 2).sum(axis=2), b.reshape(2, 2, 2).sum(axis=2)
    >>> float(ratio_design_effects((a, b), halves)[0, 1])  # both of each half differ, or none
    3.0
    """
    of_items = _variances(*items)
    of_clusters = _variances(*clusters)
    return np.where(of_items > 1e-15, of_clusters / np.maximum(of_items, 1e-15), np.nan)


def _variances(numerator: Floats, denominator: Floats) -> Floats:
    """Return (n, n): K/(K − 1) Σ (ψ_s − ψ_t)²."""
    units = numerator.shape[1]
    _, influence = _influences(numerator, denominator)
    return np.asarray(squared_distances(influence) * units / (units - 1))


def _influences(numerator: Floats, denominator: Floats) -> tuple[Floats, Floats]:
    """Return v = Σ a / Σ b, shape (n,), and ψ, shape (n, K); 0 where Σ b is."""
    totals = np.maximum(denominator.sum(axis=1), 1e-300)
    values = numerator.sum(axis=1) / totals
    return values, (numerator - values[:, None] * denominator) / totals[:, None]


def _largest_ratios(
    influence: Floats, shares: Floats, pairs: Iterable[tuple[int, int]], flips: int, seed: int
) -> Floats:
    """Return for each flip the largest |Δ*| / (Σ (ψ*_s − ψ*_t)²)^½ of some pairs.

    Multiplied out, Σ (ψ*_s − ψ*_t)² needs only Σ ε ψ_s h_t for all s and t, and where systems share
    their denominators h is a single vector.
    """
    n, clusters = influence.shape
    distinct, row_of = np.unique(shares, axis=0, return_inverse=True)
    row_of = row_of.reshape(-1)
    products = (influence[:, None] * distinct).reshape(-1, clusters).T
    gram = distinct @ distinct.T
    squares = squared_distances(influence)
    rounding = 1e-12 * np.diag(influence @ influence.T).max()
    pairs = [(s, t) for s, t in pairs if squares[s, t] > rounding]
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // (clusters + products.shape[1]))

    def largest_of(signs: Floats) -> Floats:
        total = np.ascontiguousarray((signs @ influence.T).T)
        cross = np.ascontiguousarray((signs @ products).T).reshape(n, len(distinct), -1)
        largest = np.zeros(len(signs))
        for s, t in pairs:
            a = row_of[s]
            b = row_of[t]
            square = squares[s, t] - 2 * total[s] * (cross[s, a] - cross[t, a])
            square += 2 * total[t] * (cross[s, b] - cross[t, b])
            square += total[s] ** 2 * gram[a, a] + total[t] ** 2 * gram[b, b]
            square -= 2 * total[s] * total[t] * gram[a, b]
            square = np.maximum(square, 1e-12 * squares[s, t])
            largest = np.maximum(largest, (total[s] - total[t]) ** 2 / square)
        return np.asarray(np.sqrt(largest))

    sizes = blocks(flips, block, "intervals")
    tasks = ((random_signs(rng, rows, clusters),) for rows in sizes)
    return np.concatenate([largest for _, largest in executor().run(largest_of, tasks)])
