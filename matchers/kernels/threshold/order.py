"""Jaro's bound from the order of characters, for pairs that have enough of them in common.

Of the c matching characters of s and of t, in turn, those that agree are a common subsequence: at
most l, the length of the longest one. With a <= l of them Jaro's similarity is at most ::

    (c/n + c/m + 1 - floor((c - a) / 2) / c) / 3  <=  (c/n + c/m + 1/2 + (l + 1) / (2c)) / 3

Convex in c, this is largest at the least c or at the largest: c = l + 1 or what s and t have in
common. As n - c characters of s and m - c of t are without a partner, those that agree are no
further apart than that: only so near a diagonal l is counted, for 512 targets at once. In a bit of
vector j it is noted whether l grows at place j of a target.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import LANES, PLANES, load, store, sum_bits, vectors, zeros
from matchers.kernels.strings.encoding import Slices
from matchers.machine.compiled import helper, kernel

from .signatures import Signatures, in_common

#: So few of 512 targets are kept unseen: to look at all takes as long as to compare these.
FEW = 8


@kernel
def may_reach(
    sources: Any,
    targets: Any,
    slices: Slices,
    signatures: tuple[Signatures, Signatures],
    rows: Any,
    columns: Any,
    first: int,
    least: Any,
) -> Any:
    """Return which of some pairs may reach a similarity, as indices.

    Parameters
    ----------
    slices
        Of the targets from `first` on.
    signatures
        Of the characters of the sources and of the targets.
    rows, columns
        The pairs; those of one row are best neighbours, with their columns in order.
    first
        No column is before it.
    least
        Jaro's similarity that is needed, by the length of the common prefix, 0, ..., 4.
    """
    kept = np.empty(len(rows), np.int64)
    line, digits = vectors(slices.width[-1] + 3), vectors(PLANES)
    lengths = np.empty(LANES, np.uint16)
    number, start = 0, 0
    while start < len(rows):
        row, block = rows[start], (columns[start] - first) // LANES
        end = start + 1
        while end < len(rows) and rows[end] == row and (columns[end] - first) // LANES == block:
            end += 1
        n, s_start = sources.lengths[row], sources.starts[row]
        many = end - start > FEW
        if many:
            m = targets.lengths[columns[start]]
            # so many characters must match at least; the longest target is the last
            matching = int((3.0 * least[4] - 1.0) / (1.0 / n + 1.0 / m) - 1e-6)
            before, after = n - matching, targets.lengths[columns[end - 1]] - matching
            s = sources.codes[s_start : s_start + n]
            _note_growth(s, slices, block, max(before, 0), max(after, 0), line)
            sum_bits(line, slices.width[block], digits, lengths, 0)
        for k in range(start, end):
            column = columns[k]
            kept[number] = k
            if not many:
                number += 1
                continue
            m = targets.lengths[column]
            share = 1.0 / n + 1.0 / m
            ordered = int(lengths[(column - first) % LANES])
            if not _reaches(share, min(n, m), ordered, least[4]):
                continue
            common = in_common(signatures, row, column)
            if _reaches(share, common, ordered, least[0]):
                number += 1
            elif least[4] < least[0]:
                prefix = _prefix(sources, targets, row, column)
                number += _reaches(share, common, ordered, least[prefix])
        start = end
    return kept[:number]


@helper
def _note_growth(s: Any, slices: Any, block: int, before: int, after: int, line: Any) -> None:
    """Write where the longest common subsequence of s and so much of a target grows.

    Place i of s is compared with the places i - before, ..., i + after.
    """
    width = slices.width[block]
    for j in range(width):
        store(line, j, zeros())
    for i in range(0, len(s), 2):  # two places at a time, so that vectors are loaded half as often
        place = slices.row[block, s[i]]
        next_place = slices.row[block, s[i + 1]] if i + 1 < len(s) else 0
        here = next_here = zeros()  # whether it is longer with this place of s than without
        for j in range(max(0, i - before), min(width, i + after + 2)):
            above = load(line, j)
            grown = above | here | load(slices.words, place + j)
            between = grown & ~here
            here = grown & ~above
            grown = between | next_here | load(slices.words, next_place + j)
            store(line, j, grown & ~next_here)
            next_here = grown & ~between


@helper
def _reaches(share: float, common: int, ordered: int, least: float) -> bool:
    """Return whether the bound does, with `share` 1/n + 1/m; it is multiplied by 2c or 1."""
    of_all = (common * share + 0.5 - 3.0 * least) * (2.0 * common) + (ordered + 1)
    return of_all >= 0.0 or (ordered + 1) * share + 1.0 >= 3.0 * least


@helper
def _prefix(sources: Any, targets: Any, row: int, column: int) -> int:
    """Return the length of the common prefix, 4 at most."""
    prefix: Any = np.int64(0)
    s, t = sources.starts[row], targets.starts[column]
    most = min(4, sources.lengths[row], targets.lengths[column])
    while prefix < most and sources.codes[s + prefix] == targets.codes[t + prefix]:
        prefix += 1
    return int(prefix)


def least_jaro(threshold: float, winkler: bool) -> NDArray[np.float64]:
    """Return which Jaro similarity a threshold needs, by the length of the common prefix."""
    bonus = np.arange(5) * (0.1 * winkler)
    boosted = np.maximum((threshold - bonus) / (1.0 - bonus), 0.7)  # up to .7 there is no bonus
    return np.minimum(boosted, threshold)
