"""All pairs of systems resampled together: one random sign per cluster serves every pair.

With D (clusters × systems) the right answers per cluster and E (flips × clusters) random signs,
S = E·D holds every pair's resampled statistic as S_s − S_t, so that the pairs keep the dependence
that the data give them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.errors import EvaluationError

from .clustered import tilted_sums
from .mcnemar import Floats, Ints
from .randomisation import random_signs

#: How many random flips are made, unless all of them are few enough to be tried.
FLIPS = 20_000

_CELLS = 4_000_000  # signs held at a time


@dataclass(frozen=True, eq=False)
class JointFlips:
    r"""Every pair's sign-flip statistic, as observed and under the same flips of clusters.

    Parameters
    ----------
    sums
        (systems, flips): S; a pair's statistic is the difference of two rows. The first column is
        what was observed.
    tails
        By pair (i < j, in the order of `numpy.triu_indices`): P(\|Σ ±d_k\| ≥ v) for v = 0, 1, …,
        exact. Pairs with the same \|d_k\| share one table.
    exhaustive
        Whether the flips are all that there are, each once.
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
        for (i, j), tail in zip(zip(*np.triu_indices(n, 1), strict=True), self.tails, strict=True):
            p[i, j] = p[j, i] = tail[abs(self.sums[i, 0] - self.sums[j, 0])]
        return p


def joint_flips(counts: Ints, *, flips: int = FLIPS, seed: int = 0) -> JointFlips:
    """Flip the differences of whole clusters at random, for all pairs of systems at once.

    Parameters
    ----------
    counts
        (systems, clusters): how many items of each cluster a system has right
        (`evaluation.significance.clustered.per_unit`).
    flips
        How many; where clusters are so few that there are no more than these, all are taken.
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
    gains = (counts - counts.min(axis=0)).astype(np.float64)  # what all have changes no difference
    gains = gains[:, gains.any(axis=0)]
    exhaustive = 2 ** gains.shape[1] <= flips
    signed = _all_sums(gains) if exhaustive else _random_sums(gains, flips, seed)
    first, second = np.triu_indices(len(counts), 1)
    tables: dict[bytes, Floats] = {}
    tails = []
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        sizes = np.bincount(np.abs(counts[i] - counts[j]))
        if sizes.tobytes() not in tables:
            tables[sizes.tobytes()] = tail_table(sizes)
        tails.append(tables[sizes.tobytes()])
    return JointFlips(signed, tuple(tails), exhaustive)


def tail_table(sizes: Ints) -> Floats:
    r"""Return P(\|Σ ±d_k\| ≥ v) for v = 0, 1, …, Σ d_k, every sign a fair coin.

    Parameters
    ----------
    sizes
        How many of the d_k are 0, 1, 2, …

    Examples
    --------
    >>> tail_table(np.array([0, 2, 1])).tolist()  # 1, 1 and 2: the sum is 0, ±2, or ±4
    [1.0, 0.75, 0.75, 0.25, 0.25]
    """
    steps = np.flatnonzero(sizes[1:]) + 1
    reach = int(sizes @ np.arange(len(sizes)))
    # the sum is 2U − reach, U = Σ step · Bin(times, 1/2); 1e-25 of its mass is left out
    least, chances = tilted_sums(steps, sizes[steps], 0.0)
    upper = np.zeros(reach + 2)
    upper[least : least + len(chances)] = chances
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
