"""All pairs of systems resampled together, and simultaneous confidence intervals of differences.

With D (clusters × systems) the right answers per cluster and E (flips × clusters) random signs,
S = E·D holds every pair's resampled statistic as S_s − S_t: the pairs keep the dependence that they
have in the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.significance.clustered import tilted_sums
from alignrank.evaluation.significance.mcnemar import Floats, Ints, pair_columns
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


_CELLS = 4_000_000  # numbers held at a time


def count_pairs(systems: int, focus: str | None) -> int:
    """Return the number of pairs of so many systems, or of those with the one in focus."""
    return systems * (systems - 1) // 2 if focus is None else systems - 1


@dataclass(frozen=True, eq=False)
class Simultaneous(Tabular):
    """Simultaneous confidence intervals of the differences of all pairs.

    Parameters
    ----------
    measure, systems
        The measure, and the names of the systems.
    level
        Probability that all intervals hold, for this ontology's clusters.
    difference, standard_error, low, high
        (n, n): row − column, its standard error and its limits; NaN diagonal.
    """

    measure: str
    systems: tuple[str, ...]
    level: float
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "difference": self.difference,
            "standard error": self.standard_error,
            "low": self.low,
            "high": self.high,
        }
        return frame({"measure": self.measure, **pair_columns(self.systems, matrices)})
