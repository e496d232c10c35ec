"""Westfall and Young's min-P: a correction that uses the dependence between the pairs.

Bergmann and Hommel's procedure multiplies the smallest p of a set of hypotheses by their number, as
if they shared nothing. This one compares it with the smallest p of the same set when clusters of
answers are flipped at random: near-copies of a system cost nothing, and few clusters cost less.

With D (clusters × systems) the right answers per cluster and E (flips × clusters) random signs,
S = E·D holds every pair's resampled statistic as S_s − S_t: the pairs keep the dependence that they
have in the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.evaluation.significance.clustered import random_signs, tilted_sums
from alignrank.evaluation.significance.mcnemar import Floats, Ints

from .adjusting import CORRECTIONS, Adjusted
from .cliques import members, size

#: Nodes of the search that closes the test; ten systems have 115,975 partitions.
BUDGET = 150_000

#: With more open pairs after step-down than this there is no search.
MAX_OPEN_PAIRS = 150

#: p-values that are equal in truth may differ by rounding.
_ROUNDING = 1 + 1e-9

Pair = tuple[int, int]

_CELLS = 4_000_000  # numbers held at a time


@dataclass(frozen=True, eq=False)
class JointFlips:
    r"""Every pair's sign-flip statistic, as observed and under the same flips of clusters.

    Parameters
    ----------
    sums
        (systems, flips): S; a pair's statistic is the difference of two rows. The first column
        holds the observed statistics.
    tails
        By pair (i < j): P(\|Σ ±d_k\| ≥ v) for v = 0, 1, …, exact.
    """

    sums: Ints
    tails: Mapping[Pair, Floats]

    def tail(self, first: int, second: int) -> Floats:
        """Return a pair's exact two-sided p-value under every flip; the first is the observed."""
        p: Floats = self.tails[first, second][np.abs(self.sums[first] - self.sums[second])]
        return p

    @property
    def p(self) -> Floats:
        """(systems, systems): the observed p-values, those of ``sign-flip``; NaN diagonal."""
        n = len(self.sums)
        p = np.full((n, n), np.nan)
        for (i, j), tail in self.tails.items():
            p[i, j] = p[j, i] = tail[abs(self.sums[i, 0] - self.sums[j, 0])]
        return p


def joint_flips(
    counts: Ints, *, flips: int = DEFAULTS.n_resamples, seed: int = DEFAULTS.seed
) -> JointFlips:
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
        raise EvaluationError(f"flips is {flips}: it must be a positive number, such as 20000")
    if not counts.size:
        raise EvaluationError("there is no item to compare the systems by")
    gains = (counts - counts.min(axis=0)).astype(float)  # shared answers change no difference
    gains = gains[:, gains.any(axis=0)]
    takes_all = 2 ** gains.shape[1] <= flips
    sums = _all_sums(gains) if takes_all else _random_sums(gains, flips, seed)
    tails = {
        (i, j): tail_table(np.bincount(np.abs(counts[i] - counts[j])))
        for i, j in combinations(range(len(counts)), 2)
    }
    return JointFlips(sums, tails)


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


def westfall_young(
    flips: JointFlips,
    *,
    p: Floats | None = None,
    alpha: float = DEFAULTS.alpha,
    budget: int = BUDGET,
) -> Adjusted:
    """Adjust the sign-flip p-values of all pairs by joint resampling: step-down, then closed.

    With the pairs in ascending order of p and P_b their exact tails under flip b (0: observed),
    step-down gives pair q the largest over r ≤ q of #{b: min over l ≥ r of P_b,l ≤ P_0,r} / #flips.
    A pair that step-down does not reject at `alpha` is open. It is then rejected if each exhaustive
    set I with the pair (the pairs within the groups of a partition of the systems) has
    #{b: min over I of P_b ≤ min over I of P_0} / #flips ≤ alpha.

    Parameters
    ----------
    flips
        All pairs resampled together, by clusters.
    p
        (n, n): the observed p-values P_0 where they are larger than those of the flips, as those of
        `alignrank.evaluation.significance.crossed.crossed_test`. None: those of the flips.
    alpha
        The level at which the test is closed.
    budget
        Most search nodes; pairs that are still open then keep the value of step-down.

    Returns
    -------
    Adjusted
        The closed test rejects a pair exactly if its value is at most `alpha`. Values are
        those of step-down, except of pairs that only the closed test rejects: there an upper bound,
        at most `alpha`. `exact` is False where the budget ended, and step-down decides.

    Notes
    -----
    Westfall and Young 1993, Resampling-based multiple testing; the exhaustive sets are Bergmann and
    Hommel's (1988). Ranks among the flips are never mixed with exact tails: that breaks ties.

    Examples
    --------
    >>> counts = np.array([[1] * 12, [0] * 12, [0] * 11 + [1]])
    >>> result = westfall_young(joint_flips(counts))
    >>> result.values[0].round(5).tolist(), float(result.values[1, 2])
    ([nan, 0.00049, 0.00098], 1.0)
    """
    n = len(flips.sums)
    # not below those of the flips by rounding: the observed answers are one of the flips
    observed = flips.p if p is None else np.fmax(flips.p, p)
    pairs = sorted(combinations(range(n), 2), key=lambda pair: float(observed[pair]))
    values = dict(zip(pairs, _step_down(flips, observed, pairs), strict=True))
    open_pairs = [pair for pair in pairs if values[pair] > alpha]
    exact = np.ones((n, n), dtype=bool)
    search = _Closing(flips, observed, open_pairs, alpha, budget)
    if len(open_pairs) > 1:  # a single open pair is a set of its own
        significant = [value for value in values.values() if value <= alpha]
        values |= search.rejected(max(significant, default=0.0))
        for i, j in search.unknown:
            exact[i, j] = exact[j, i] = False
    adjusted = np.full((n, n), np.nan)
    for (i, j), value in values.items():
        adjusted[i, j] = adjusted[j, i] = value
    facts = CORRECTIONS["westfall-young"]
    return Adjusted(adjusted, facts.name, alpha, False, exact, search.nodes, facts.validity)


def _step_down(flips: JointFlips, observed: Floats, pairs: Sequence[Pair]) -> list[float]:
    """Return the step-down p-values of pairs that ascend in p."""
    smallest = np.ones(flips.sums.shape[1])
    shares = []
    for pair in reversed(pairs):
        smallest = np.minimum(smallest, flips.tail(*pair))
        shares.append(float((smallest <= observed[pair] * _ROUNDING).mean()))
    adjusted: list[float] = np.maximum.accumulate(shares[::-1]).tolist()
    return adjusted


class _Closing:
    """The search for exhaustive sets that retain open pairs: step-down did not reject these.

    A set with a pair that step-down rejects retains nothing. So the sets are the partitions into
    cliques of the graph of the open pairs. For a pair r let "hits" of a pair be the flips that make
    it as small as r was observed, a set of bits. A set of pairs whose smallest p is that of r has
    as p-value the share of flips in the union of its hits: it grows with the set, which bounds the
    search.
    """

    def __init__(
        self,
        flips: JointFlips,
        observed: Floats,
        pairs: Sequence[Pair],
        alpha: float,
        budget: int,
    ) -> None:
        self.nodes = 0
        #: Pairs that are undecided because the budget ended.
        self.unknown: set[Pair] = set()
        self._flips = flips
        self._observed = observed
        self._pairs = pairs
        self._budget = budget if len(pairs) <= MAX_OPEN_PAIRS else 0
        self._total = flips.sums.shape[1]
        self._limit = int(np.floor(alpha * self._total * _ROUNDING))
        self._hits_by_place: dict[int, dict[Pair, int]] = {}
        self._most_hits = 0
        self._hits: dict[Pair, int] = {}
        self._order: list[int] = []
        self._possible: list[int] = []

    def rejected(self, smallest: float) -> dict[Pair, float]:
        """Return the pairs that no set retains, with an upper bound of their adjusted p-value.

        Parameters
        ----------
        smallest
            The largest value that step-down rejects: the bounds are at least this.
        """
        retained: set[Pair] = set()
        bounds: dict[Pair, float] = {}
        for place, pair in enumerate(self._pairs):
            if pair in retained:
                continue
            self._most_hits = 0
            for lowest in range(place + 1):
                blocks = self._retaining(pair, lowest)
                if self.nodes > self._budget:
                    self.unknown = set(self._pairs[place:]) - retained
                    return bounds
                if blocks:
                    retained |= {p for p in self._pairs if _within(blocks, p)}
                    break
            else:
                bounds[pair] = max(smallest, self._most_hits / self._total)
        return bounds

    def _retaining(self, pair: Pair, lowest: int) -> list[int] | None:
        """Return a partition that holds a pair and has a p-value above alpha, or None."""
        self.nodes += 1
        if self.nodes > self._budget:
            return None
        self._hits = self._hits_of(lowest)
        self._order = sorted(set().union(*self._hits) - set(pair))
        self._possible = [0]  # hits of the edges that touch a vertex that is not yet placed
        for v in reversed(self._order):
            touching = [bits for edge, bits in self._hits.items() if v in edge]
            self._possible.insert(0, reduce(or_, touching, self._possible[0]))
        return self._place([1 << pair[0] | 1 << pair[1]], self._hits[pair], 0)

    def _place(self, blocks: list[int], hit: int, at: int) -> list[int] | None:
        """Put the vertices from the place `at` on into blocks, the largest first."""
        most_hits = size(hit | self._possible[at])
        if most_hits <= self._limit:
            self._most_hits = max(self._most_hits, most_hits)
            return None
        if at == len(self._order):
            return blocks
        self.nodes += 1
        if self.nodes > self._budget:
            return None
        v = self._order[at]
        for k in sorted(range(len(blocks)), key=lambda k: -size(blocks[k])):
            edges = [(min(u, v), max(u, v)) for u in members(blocks[k])]
            if all(edge in self._hits for edge in edges):
                joined = [*blocks[:k], blocks[k] | 1 << v, *blocks[k + 1 :]]
                hits = reduce(or_, [self._hits[edge] for edge in edges], hit)
                if partition := self._place(joined, hits, at + 1):
                    return partition
        return self._place([*blocks, 1 << v], hit, at + 1)

    def _hits_of(self, place: int) -> dict[Pair, int]:
        """Return the hits of every open pair whose p is not below that of the pair at a place."""
        if place not in self._hits_by_place:
            threshold = self._observed[self._pairs[place]] * _ROUNDING
            hits = {}
            for pair in self._pairs[place:]:
                bits = np.packbits(self._flips.tail(*pair) <= threshold)
                hits[pair] = int.from_bytes(bits.tobytes())
            self._hits_by_place[place] = hits
        return self._hits_by_place[place]


def _within(blocks: Sequence[int], pair: Pair) -> bool:
    both = 1 << pair[0] | 1 << pair[1]
    return any(block & both == both for block in blocks)
