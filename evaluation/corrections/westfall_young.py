"""Westfall and Young's min-P: a correction that knows how the pairs depend on each other.

Bergmann and Hommel's procedure multiplies the smallest p of a set of hypotheses by their number, as
if they shared nothing. Here it is compared with the smallest p that the same set has when clusters
of answers are flipped at random: near-copies of a system cost nothing, and few clusters less.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from alignrank.evaluation.significance.simultaneous import JointFlips

from .adjustment import CORRECTIONS, Adjusted
from .cliques import members, size

#: Nodes of the search that closes the test; ten systems have 115,975 partitions.
BUDGET = 150_000

#: With more pairs left by step-down the search is not begun.
MOST_LEFT = 150

#: p-values that are equal in truth may differ by rounding.
_ROUNDING = 1 + 1e-9

Pair = tuple[int, int]


def westfall_young(flips: JointFlips, *, alpha: float = 0.05, budget: int = BUDGET) -> Adjusted:
    """Adjust the sign-flip p-values of all pairs by joint resampling: step-down, then closed.

    With the pairs in ascending order of p and P_b their exact tails under flip b (0: observed),
    step-down gives pair q the largest over r ≤ q of #{b: min over l ≥ r of P_b,l ≤ P_0,r} / #flips.
    What that leaves at `alpha` is then rejected if each exhaustive set I with the pair (the pairs
    within the groups of a partition of the systems) has
    #{b: min over I of P_b ≤ min over I of P_0} / #flips ≤ alpha.

    Parameters
    ----------
    flips
        All pairs resampled together, by clusters.
    alpha
        The level at which the test is closed.
    budget
        Search nodes to use at most; pairs that are then open stay as step-down has them.

    Returns
    -------
    Adjusted
        A pair is rejected by the closed test exactly if its value is at most `alpha`. Values are
        step-down's, except of pairs that only the closed test rejects: there an upper bound, at
        most `alpha`. `exact` is False where the budget ended, and step-down decides.

    Notes
    -----
    Westfall and Young 1993, Resampling-based multiple testing; the exhaustive sets are Bergmann and
    Hommel's (1988). Ranks among the flips are never mixed with exact tails: that breaks ties.

    Examples
    --------
    >>> from alignrank.evaluation.significance.simultaneous import joint_flips
    >>> counts = np.array([[1] * 12, [0] * 12, [0] * 11 + [1]])
    >>> result = westfall_young(joint_flips(counts))
    >>> result.values[0].round(5).tolist(), float(result.values[1, 2])
    ([nan, 0.00049, 0.00098], 1.0)
    """
    n = len(flips.sums)
    pairs = list(zip(*(ends.tolist() for ends in np.triu_indices(n, 1)), strict=True))
    observed = flips.p
    pairs.sort(key=lambda pair: float(observed[pair]))
    values = dict(zip(pairs, _step_down(flips, pairs), strict=True))
    left = [pair for pair in pairs if values[pair] > alpha]
    exact = np.ones((n, n), dtype=np.bool_)
    search = _Closing(flips, left, alpha, budget)
    if len(left) > 1:  # one pair that is left is a set of its own
        settled = max((value for value in values.values() if value <= alpha), default=0.0)
        values |= search.rejected(settled)
        for i, j in search.unknown:
            exact[i, j] = exact[j, i] = False
    adjusted = np.full((n, n), np.nan)
    for (i, j), value in values.items():
        adjusted[i, j] = adjusted[j, i] = value
    facts = CORRECTIONS["westfall-young"]
    return Adjusted(adjusted, facts.name, alpha, False, exact, search.nodes, facts.validity)


def _step_down(flips: JointFlips, pairs: Sequence[Pair]) -> list[float]:
    """Return adjusted p-values of pairs that ascend in p."""
    smallest = np.ones(flips.sums.shape[1])
    shares = []
    for pair in reversed(pairs):
        tail = flips.tail(*pair)
        smallest = np.minimum(smallest, tail)
        shares.append(float((smallest <= tail[0] * _ROUNDING).mean()))
    return np.maximum.accumulate(shares[::-1]).tolist() if shares else []


class _Closing:
    """The search for exhaustive sets that keep the pairs that step-down left.

    A set with a pair that step-down rejects keeps nothing. So the sets are the partitions into
    cliques of the graph of the pairs that are left. For a pair r let "hits" of a pair be the flips
    that make it as small as r was observed, a set of bits. A set of pairs whose least is r has as
    p-value the share of flips in the union of its hits: it grows with the set, which bounds the
    search.
    """

    def __init__(self, flips: JointFlips, left: Sequence[Pair], alpha: float, budget: int) -> None:
        self.nodes = 0
        #: Pairs about which the budget told nothing.
        self.unknown: set[Pair] = set()
        self._flips = flips
        self._left = left
        self._budget = budget if len(left) <= MOST_LEFT else 0
        self._total = flips.sums.shape[1]
        self._limit = int(np.floor(alpha * self._total * _ROUNDING))
        self._known: dict[int, dict[Pair, int]] = {}
        self._most = 0
        self._hits: dict[Pair, int] = {}
        self._order: list[int] = []
        self._possible: list[int] = []

    def rejected(self, settled: float) -> dict[Pair, float]:
        """Return the pairs that no set keeps, with an upper bound of their adjusted p-value.

        Parameters
        ----------
        settled
            The largest value that step-down rejects; these are not below it.
        """
        kept: set[Pair] = set()
        found: dict[Pair, float] = {}
        for place, pair in enumerate(self._left):
            if pair in kept:
                continue
            self._most = 0
            for least in range(place + 1):
                blocks = self._keeping(pair, least)
                if self.nodes > self._budget:
                    self.unknown = set(self._left[place:]) - kept
                    return found
                if blocks:
                    kept |= {p for p in self._left if _within(blocks, p)}
                    break
            else:
                found[pair] = max(settled, self._most / self._total)
        return found

    def _keeping(self, pair: Pair, least: int) -> list[int] | None:
        """Return a partition that holds a pair and has a p-value above alpha, or None."""
        self.nodes += 1
        if self.nodes > self._budget:
            return None
        self._hits = hits = self._hits_of(least)
        ends = sorted({v for edge in hits for v in edge} - set(pair))
        self._order = ends
        self._possible = [0]  # hits of the edges that touch what is not yet placed
        for k in range(len(ends) - 1, -1, -1):
            touching = [bits for edge, bits in hits.items() if ends[k] in edge]
            self._possible.insert(0, _union([self._possible[0], *touching]))
        return self._place([1 << pair[0] | 1 << pair[1]], hits[pair], 0)

    def _place(self, blocks: list[int], hit: int, at: int) -> list[int] | None:
        """Put the vertices from the place `at` on into blocks, the largest first."""
        most = size(hit | self._possible[at])
        if most <= self._limit:
            self._most = max(self._most, most)
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
                more = _union([hit, *(self._hits[edge] for edge in edges)])
                if found := self._place(joined, more, at + 1):
                    return found
        return self._place([*blocks, 1 << v], hit, at + 1)

    def _hits_of(self, least: int) -> dict[Pair, int]:
        """Return the hits of every pair that is left whose p is not below that of `least`."""
        if least not in self._known:
            threshold = self._flips.tail(*self._left[least])[0] * _ROUNDING
            self._known[least] = {
                pair: int.from_bytes(np.packbits(self._flips.tail(*pair) <= threshold).tobytes())
                for pair in self._left[least:]
            }
        return self._known[least]


def _union(sets: Sequence[int]) -> int:
    union = 0
    for bits in sets:
        union |= bits
    return union


def _within(blocks: Sequence[int], pair: Pair) -> bool:
    ends = 1 << pair[0] | 1 << pair[1]
    return any(block & ends == ends for block in blocks)
