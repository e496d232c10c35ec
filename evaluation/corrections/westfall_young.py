"""Westfall and Young's min-P: a correction that uses the dependence between the pairs.

Bergmann and Hommel's procedure multiplies the smallest p of a set of hypotheses by their number, as
if they shared nothing. This one compares it with the smallest p of the same set when clusters of
answers are flipped at random: near-copies of a system cost nothing, and few clusters cost less.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from alignrank.evaluation.significance.simultaneous import JointFlips

from .adjustment import CORRECTIONS, Adjusted, Floats
from .cliques import members, size

#: Nodes of the search that closes the test; ten systems have 115,975 partitions.
BUDGET = 150_000

#: With more open pairs after step-down than this there is no search.
MAX_OPEN_PAIRS = 150

#: p-values that are equal in truth may differ by rounding.
_ROUNDING = 1 + 1e-9

Pair = tuple[int, int]


def westfall_young(
    flips: JointFlips, *, p: Floats | None = None, alpha: float = 0.05, budget: int = BUDGET
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
    >>> from alignrank.evaluation.significance.simultaneous import joint_flips
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
    """The search for exhaustive sets that retain open pairs, those that step-down did not reject.

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
            self._possible.insert(0, _union([self._possible[0], *touching]))
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
                hits = _union([hit, *(self._hits[edge] for edge in edges)])
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


def _union(sets: Sequence[int]) -> int:
    union = 0
    for bits in sets:
        union |= bits
    return union


def _within(blocks: Sequence[int], pair: Pair) -> bool:
    both = 1 << pair[0] | 1 << pair[1]
    return any(block & both == both for block in blocks)
