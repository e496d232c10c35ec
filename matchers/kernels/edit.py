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

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from alignrank.common.compiled import helper, kernel

from .strings import Family, Linear, Ratio, counted, longest, text
from .vectors import (
    align_column,
    load,
    load_agreement,
    load_numbers,
    load_planes,
    store,
    store_planes,
    sum_bits,
    zero_planes,
    zeros,
)

#: With up to so many vectors for a number, four rows of a table fit the registers.
_WIDEST_FOR_FOUR_ROWS = 4


def _family(ngram: int, base: int, ratios: dict[str, Ratio]) -> Family:
    # the kernel is made when it is first used
    def sliced(*arrays: Any) -> None:
        _sliced_kernel(ngram, base)(*arrays)

    return counted(ratios, pair_scores, ngram, base, sliced=sliced, largest=ngram + base)


def _similarity(gap: int, substitution: int, empty: float = 1.0) -> Ratio:
    return Ratio(Linear(substitution, gap), offset=Linear(2 * gap, gap), empty=empty)


def _with_ontosim(name: str, gap: int) -> dict[str, Ratio]:
    return {name: _similarity(gap, 1), f"ontosim-{name}": _similarity(gap, 1, empty=0.0)}


@kernel
def pair_scores(sources: Any, targets: Any, rows: Any, columns: Any, ngram: int, base: int) -> Any:
    """Return S(n, m) of chosen pairs: the recurrence as it stands.

    Pair k is the text ``rows[k]`` of the sources and ``columns[k]`` of the targets.
    """
    scores = np.empty(len(rows), np.int64)
    line = np.empty(longest(targets) + 1, np.int32)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        line[: len(t) + 1] = 0
        for i in range(len(s)):
            diagonal = 0
            for j in range(len(t)):
                above = line[j + 1]
                gain = base + agreement(s, i, t, j, ngram)
                line[j + 1] = max(line[j], above, diagonal + gain)
                diagonal = above
        scores[k] = line[len(t)]
    return scores


@kernel
def pair_costs(
    sources: Any, targets: Any, rows: Any, columns: Any, gap: int, threshold: float
) -> Any:
    """Return the least cost of turning one string of a pair into the other; a substitution costs 1.

    Where the similarity is below the threshold it may be any larger cost. A path whose cost is
    not above `limit` leaves the diagonal by at most limit / gap cells: the others are not filled.
    """
    costs = np.empty(len(rows), np.int64)
    line = np.empty(longest(targets) + 2, np.int32)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        n, m = len(s), len(t)
        largest = min(n, m) + gap * abs(n - m)
        limit: Any = np.int64((1.0 - threshold) * largest + 1e-6)
        costs[k] = largest
        band: Any = limit // gap
        if abs(n - m) > band:
            continue
        for j in range(min(m, band) + 1):
            line[j] = gap * j
        for i in range(1, n + 1):
            first, last = max(1, i - band), min(m, i + band)
            if i + band <= m:
                line[last] = limit + 1  # not filled in the row above
            diagonal = line[first - 1]
            left: Any = gap * i if i <= band else limit + 1
            line[first - 1] = least = left
            for j in range(first, last + 1):
                above = line[j]
                left = min(diagonal + (s[i - 1] != t[j - 1]), min(above, left) + gap)
                line[j] = left
                diagonal = above
                least = min(least, left)
            if least > limit:
                break
        else:
            costs[k] = min(line[m], largest)
    return costs


@helper
def agreement(s: Any, i: int, t: Any, j: int, ngram: int) -> int:
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


@cache
def _sliced_kernel(ngram: int, base: int) -> Callable[..., None]:
    """Return the kernel of the recurrence for 512 targets at once."""
    planes = ngram + base  # vectors for a difference of neighbouring cells
    together = 4 if planes <= _WIDEST_FOR_FOUR_ROWS else 1
    agreeing, agreeing_together = ngram, ngram * together
    planes_together = planes * together

    @kernel
    def score(sources: Any, slices: Any, line: Any, digits: Any, scores: Any) -> None:
        """Write S(n, m); `line` is h of one row of the table."""
        numbers, edges = np.empty(4 * ngram, np.int64), np.empty(4 * ngram, np.int64)
        blocks = len(slices.width)
        for block in range(blocks):
            width = slices.width[block]
            for row in range(len(sources.lengths)):
                start, end = sources.starts[row], sources.starts[row + 1]
                for k in range(width * planes):  # above the first row all differences are 0
                    store(line, k, zeros())
                i = start
                while i + together <= end:  # as many rows at once as the registers hold
                    _locate(sources.codes, start, i, end, ngram, slices.row, block, numbers, edges)
                    at = load_numbers(numbers, agreeing_together)
                    edge = load_numbers(edges, agreeing_together)
                    v = zero_planes(planes_together)
                    for j in range(width):
                        agreement = load_agreement(slices.words, at, edge, j, ngram)
                        h = load_planes(line, j * planes, planes)
                        h, v = align_column(agreement, h, v, base)
                        store_planes(line, j * planes, h)
                    i += together
                while i < end:  # the rows that are left, one by one
                    _locate(sources.codes, start, i, end, ngram, slices.row, block, numbers, edges)
                    at = load_numbers(numbers, agreeing)
                    edge = load_numbers(edges, agreeing)
                    v = zero_planes(planes)
                    for j in range(width):
                        agreement = load_agreement(slices.words, at, edge, j, ngram)
                        h = load_planes(line, j * planes, planes)
                        h, v = align_column(agreement, h, v, base)
                        store_planes(line, j * planes, h)
                    i += 1
                # S(n, m) is the sum of the differences h of the last row, up to each target's end.
                for j in range(width):
                    longer = load(slices.words, slices.longer[block] + j)
                    for k in range(j * planes, (j + 1) * planes):
                        store(line, k, load(line, k) & longer)
                sum_bits(line, width * planes, digits, scores, row * blocks + block)

    return score


@helper
def _locate(
    codes: Any,
    start: int,
    i: int,
    end: int,
    ngram: int,
    row: Any,
    block: int,
    numbers: Any,
    edges: Any,
) -> None:
    """Write where the agreement of the n-grams that end at i, i + 1, ... is found.

    The string is ``codes[start:end]``. Before its first letter it has marked copies of it: where
    both n-grams reach so far, the agreement is that of the first letters; where only one does,
    there is none (vector 0).
    """
    for k in range(len(numbers)):
        back = k % ngram
        at = i + k // ngram - back
        numbers[k] = -back
        if start <= at < end:
            numbers[k] = row[block, codes[at]] - back
        edges[k] = row[block, codes[start]] if at < start else 0


#: By metric: the size of an n-gram, what an edit gains where none agrees, and the ratio.
KONDRAK = {
    "kondrak-bi-sim": (2, 0, Ratio(Linear(2, 2))),
    "kondrak-tri-sim": (3, 0, Ratio(Linear(3, 3))),
    "kondrak-bi-dist": (2, 2, _similarity(2, 2)),
    "kondrak-tri-dist": (3, 3, _similarity(3, 3)),
}
FAMILIES = (
    _family(1, 1, _with_ontosim("levenshtein", gap=1)),
    _family(1, 3, _with_ontosim("needleman-wunsch", gap=2)),
    *(_family(ngram, base, {name: ratio}) for name, (ngram, base, ratio) in KONDRAK.items()),
)
