"""Levenshtein, Needleman-Wunsch and Kondrak's measures: one recurrence with different gains.

A least-cost alignment of strings of length n and m with gap cost g is a best-scoring one: pairing
two characters saves two gaps, so that with the gain w = 2g - cost of the pair ::

    S(i, 0) = S(0, j) = 0,  S(i, j) = max(S(i-1, j), S(i, j-1), S(i-1, j-1) + w(i, j))

and the cost is g (n + m) - S(n, m). Here w = base + e, e the number of positions at which the
n-grams that end at i and j agree (for plain characters n = 1):

=================  ===  ======  =======================================
metric             n    base    S is
=================  ===  ======  =======================================
levenshtein        1    1       n + m - cost
needleman-wunsch   1    3       2 (n + m) - cost
kondrak-*-sim      2,3  0       N times the similarity's numerator
kondrak-*-dist     2,3  2,3     N (n + m) - N times the distance
=================  ===  ======  =======================================
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel
from .family import Family, Job, Outputs, Work
from .ratios import Linear, Ratio


def _family(ngram: int, base: int, ratios: dict[str, Ratio]) -> Family:
    def prepare(job: Job, outs: Outputs) -> Work:
        pairs = job.pairs

        def work(first: int, last: int) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            scores = scalar_scores(
                rows.codes, rows.starts, targets.codes, targets.starts, ngram, base
            )
            for name, out in outs.items():
                ratios[name].fill(scores, rows, pairs, out[first:last])

        return work

    return Family(tuple(ratios), prepare)


def _similarity(gap: int, substitution: int, empty: float = 1.0) -> Ratio:
    return Ratio(Linear(substitution, gap), offset=Linear(2 * gap, gap), empty=empty)


def _with_ontosim(name: str, gap: int) -> dict[str, Ratio]:
    return {name: _similarity(gap, 1), f"ontosim-{name}": _similarity(gap, 1, empty=0.0)}


FAMILIES = (
    _family(1, 1, _with_ontosim("levenshtein", gap=1)),
    _family(1, 3, _with_ontosim("needleman-wunsch", gap=2)),
    _family(2, 0, {"kondrak-bi-sim": Ratio(Linear(2, 2))}),
    _family(3, 0, {"kondrak-tri-sim": Ratio(Linear(3, 3))}),
    _family(2, 2, {"kondrak-bi-dist": _similarity(2, 2)}),
    _family(3, 3, {"kondrak-tri-dist": _similarity(3, 3)}),
)


@kernel
def scalar_scores(
    s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any, ngram: int, base: int
) -> Any:
    """Return S(n, m) for every pair: the recurrence as it stands."""
    rows, columns = len(s_starts) - 1, len(t_starts) - 1
    scores = np.zeros((rows, columns), np.int32)
    longest = 0
    for k in range(columns):
        longest = max(longest, t_starts[k + 1] - t_starts[k])
    line = np.empty(longest + 1, np.int32)
    for row in range(rows):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        for k in range(columns):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
            line[:] = 0
            for i in range(len(s)):
                diagonal = 0
                for j in range(len(t)):
                    above = line[j + 1]
                    gain = base + _agreement(s, i, t, j, ngram)
                    line[j + 1] = max(line[j], above, diagonal + gain)
                    diagonal = above
            scores[row, k] = line[len(t)]
    return scores


@kernel
def _agreement(s: Any, i: int, t: Any, j: int, ngram: int) -> int:
    """Return at how many positions the n-grams that end at i and j agree.

    Before its first letter a string has marked copies of it, equal to marked copies only.
    """
    agree = 0
    for back in range(ngram):
        if i >= back and j >= back:
            agree += s[i - back] == t[j - back]
        elif i < back and j < back:
            agree += s[0] == t[0]
    return agree
