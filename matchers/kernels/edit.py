"""Hamming; Levenshtein, Needleman-Wunsch and Kondrak's measures: one recurrence, other gains.

Let strings of length n and m be aligned with gap cost g. Pairing two characters saves two gaps.
So the alignment of least cost is the one of highest score, with the gain w = 2g - cost of a pair ::

    S(i, 0) = S(0, j) = 0,  S(i, j) = max(S(i-1, j), S(i, j-1), S(i-1, j-1) + w(i, j))

The cost is g (n + m) - S(n, m). The gain is w = base + e. Here e is the number of positions at
which the n-grams that end at i and j agree; single characters are n-grams with n = 1:

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


@kernel
def pair_equal_positions(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return the number of positions with equal characters for chosen pairs."""
    equal = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s = text(sources, rows[k])
        t = text(targets, columns[k])
        for i in range(min(len(s), len(t))):
            equal[k] += s[i] == t[i]
    return equal


@kernel
def sliced_equal_positions(sources: Any, slices: Any, planes: Any, digits: Any, equal: Any) -> None:
    """Count the positions with equal characters, for 512 targets at once."""
    blocks = len(slices.width)
    for block in range(blocks):
        for row in range(len(sources.lengths)):
            s = text(sources, row)
            positions = min(len(s), slices.width[block])
            for i in range(positions):
                first = slices.row[block, s[i]]
                store(planes, i, load(slices.words, first + i))
            sum_bits(planes, positions, digits, equal, row * blocks + block)


_LONGER = Linear(1, 1)  # the longer length
HAMMING = {
    "hamming": Ratio(_LONGER, offset=_LONGER),
    "ontosim-hamming": Ratio(_LONGER, offset=_LONGER, empty=0.0),
}


#: Vectors for one number. With more, four rows of a table do not fit the processor's registers.
_WIDEST_FOR_FOUR_ROWS = 4


def _family(ngram: int, base: int, ratios: dict[str, Ratio]) -> Family:
    # To define a kernel takes time, so each is defined at its first use.
    def sliced(*arrays: Any) -> None:
        _sliced_kernel(ngram, base)(*arrays)

    return counted(ratios, pair_scores, ngram, base, sliced=sliced, largest=ngram + base)


def _similarity(gap: int, substitution: int, empty: float = 1.0) -> Ratio:
    return Ratio(Linear(substitution, gap), offset=Linear(2 * gap, gap), empty=empty)


def _with_ontosim(name: str, gap: int) -> dict[str, Ratio]:
    return {name: _similarity(gap, 1), f"ontosim-{name}": _similarity(gap, 1, empty=0.0)}


@kernel
def pair_scores(sources: Any, targets: Any, rows: Any, columns: Any, ngram: int, base: int) -> Any:
    """Return S(n, m) of chosen pairs.

    Pair k is the text ``rows[k]`` of the sources and ``columns[k]`` of the targets.
    """
    scores = np.empty(len(rows), np.int64)
    # One row of the table; S(i, j) replaces S(i-1, j).
    line = np.empty(longest(targets) + 1, np.int32)
    for k in range(len(rows)):
        s = text(sources, rows[k])
        t = text(targets, columns[k])
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

    Costs are exact for pairs that reach the threshold. For other pairs they may be too large: a
    path of cost `limit` stays within limit / gap cells of the diagonal, and only these are filled.
    """
    costs = np.empty(len(rows), np.int64)
    line = np.empty(longest(targets) + 2, np.int32)
    for k in range(len(rows)):
        s = text(sources, rows[k])
        t = text(targets, columns[k])
        n = len(s)
        m = len(t)
        largest = min(n, m) + gap * abs(n - m)
        limit: Any = np.int64((1.0 - threshold) * largest + 1e-6)
        costs[k] = largest
        band: Any = limit // gap
        if abs(n - m) > band:
            continue
        for j in range(min(m, band) + 1):
            line[j] = gap * j
        for i in range(1, n + 1):
            first = max(1, i - band)
            last = min(m, i + band)
            if i + band <= m:
                line[last] = limit + 1  # the row above does not reach this cell
            diagonal = line[first - 1]
            cost: Any = gap * i if i <= band else limit + 1
            line[first - 1] = row_minimum = cost
            for j in range(first, last + 1):
                above = line[j]
                substitution = diagonal + (s[i - 1] != t[j - 1])
                cost = min(substitution, min(above, cost) + gap)
                line[j] = cost
                diagonal = above
                row_minimum = min(row_minimum, cost)
            if row_minimum > limit:
                break
        else:
            costs[k] = min(line[m], largest)
    return costs


@helper
def agreement(s: Any, i: int, t: Any, j: int, ngram: int) -> int:
    """Return the number of positions at which the n-grams that end at i and j agree.

    A string is preceded by marked copies of its first letter. They equal only marked copies.
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
    """Return the kernel that fills the tables of 512 targets at once."""
    planes = ngram + base  # vectors for one difference of neighbouring cells
    together = 4 if planes <= _WIDEST_FOR_FOUR_ROWS else 1
    agreeing = ngram
    agreeing_together = ngram * together
    planes_together = planes * together

    @kernel
    def score(sources: Any, slices: Any, line: Any, digits: Any, scores: Any) -> None:
        """Write S(n, m); `line` is h of one row of the table."""
        numbers = np.empty(4 * ngram, np.int64)
        edges = np.empty(4 * ngram, np.int64)
        blocks = len(slices.width)
        for block in range(blocks):
            width = slices.width[block]
            for row in range(len(sources.lengths)):
                s = text(sources, row)
                # Above the first row all differences are 0.
                for k in range(width * planes):
                    store(line, k, zeros())
                i: Any = np.int64(0)  # no literal: see `helper`
                # Several rows at once, as long as there are so many.
                while i + together <= len(s):
                    _locate(s, i, ngram, slices.row[block], numbers, edges)
                    at = load_numbers(numbers, agreeing_together)
                    edge = load_numbers(edges, agreeing_together)
                    v = zero_planes(planes_together)
                    for j in range(width):
                        agreement = load_agreement(slices.words, at, edge, j, ngram)
                        h = load_planes(line, j * planes, planes)
                        h, v = align_column(agreement, h, v, base)
                        store_planes(line, j * planes, h)
                    i += together
                # The last rows, one by one.
                while i < len(s):
                    _locate(s, i, ngram, slices.row[block], numbers, edges)
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
def _locate(s: Any, i: int, ngram: int, row: Any, numbers: Any, edges: Any) -> None:
    """Write the numbers of the vectors for the agreement of the n-grams that end at i, i + 1, ...

    The string s is preceded by marked copies of its first letter. If both n-grams contain marked
    copies, the first letters are compared. If only one does, they do not agree (vector 0).
    """
    for k in range(len(numbers)):
        back = k % ngram
        at = i + k // ngram - back
        numbers[k] = -back
        edges[k] = 0
        if at < 0:
            edges[k] = row[s[0]]
        elif at < len(s):
            numbers[k] = row[s[at]] - back


#: By metric: the size of an n-gram, the gain of a pair without agreement, and the ratio.
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
    counted(HAMMING, pair_equal_positions, sliced=sliced_equal_positions),
)
