"""Jaro's bound from the order of characters, for pairs that have enough of them in common.

Of the c matching characters of s and of t, in turn, those that agree are a common subsequence: at
most l, the length of the longest one. With a <= l of them Jaro's similarity is at most ::

    (c/n + c/m + 1 - floor((c - a) / 2) / c) / 3  <=  (c/n + c/m + 1/2 + (l + 1) / (2c)) / 3

Convex in c, this is largest at the least c or at the largest: c = l + 1 or what s and t have in
common. l takes four operations for each character of t (Hyyrö 2004): a bit of a word is 0 at the
places of s where the longest common subsequence with what was seen of t grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.strings.encoding import longest
from matchers.machine.compiled import helper, kernel

from .signatures import Signatures, count_bits, in_common

_WORD = 64


@kernel
def may_reach(
    sources: Any,
    targets: Any,
    alphabet: int,
    signatures: tuple[Signatures, Signatures],
    rows: Any,
    columns: Any,
    least: Any,
) -> Any:
    """Return which of some pairs may reach a similarity, as indices.

    Parameters
    ----------
    signatures
        Of the characters of the sources and of the targets.
    rows, columns
        The pairs; those of one row and one length of t are best neighbours.
    least
        Jaro's similarity that is needed, by the length of the common prefix, 0, ..., 4.
    """
    kept = np.empty(len(rows), np.int64)
    words = 1 + longest(sources) // _WORD
    places, left = np.zeros((words, alphabet), np.uint64), np.empty(words, np.uint64)
    lengths = np.empty(4, np.int64)
    number, start = 0, 0
    while start < len(rows):
        row, m = rows[start], targets.lengths[columns[start]]
        end = start + 1
        while end < len(rows) and rows[end] == row and targets.lengths[columns[end]] == m:
            end += 1
        n, s_start = sources.lengths[row], sources.starts[row]
        share = 1.0 / n + 1.0 / m
        for i in range(n):
            places[i // _WORD, sources.codes[s_start + i]] |= np.uint64(1) << np.uint64(i % _WORD)
        for k in range(start, end, 4):
            if n <= _WORD:
                _four_lengths(targets, columns, k, end - 1, m, places[0], lengths)
            for p in range(min(4, end - k)):
                column = columns[k + p]
                if n > _WORD:
                    lengths[p] = _long_length(targets, column, places, left[: 1 + (n - 1) // _WORD])
                common = in_common(signatures, row, column)
                kept[number] = k + p
                if _reaches(share, common, lengths[p], least[0]):
                    number += 1
                elif least[4] < least[0]:
                    prefix = _prefix(sources, targets, row, column)
                    number += _reaches(share, common, lengths[p], least[prefix])
        for i in range(n):
            places[i // _WORD, sources.codes[s_start + i]] = 0
        start = end
    return kept[:number]


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


@helper
def _four_lengths(
    targets: Any, columns: Any, first: int, last: int, m: int, places: Any, lengths: Any
) -> None:
    """Write the lengths of the longest common subsequences of four pairs, `last` the last of all.

    Each step waits for the one before: four at a time keep the processor busy.
    """
    codes, starts = targets.codes, targets.starts
    # unsigned, so that nobody asks whether an index is negative
    at, at1 = np.uint64(starts[columns[first]]), np.uint64(starts[columns[min(first + 1, last)]])
    at2 = np.uint64(starts[columns[min(first + 2, last)]])
    at3 = np.uint64(starts[columns[min(first + 3, last)]])
    a = b = c = d = ~np.uint64(0)
    for j in range(np.uint64(m)):
        here, here1 = places[codes[at + j]], places[codes[at1 + j]]
        here2, here3 = places[codes[at2 + j]], places[codes[at3 + j]]
        a = (a + (a & here)) | (a & ~here)
        b = (b + (b & here1)) | (b & ~here1)
        c = (c + (c & here2)) | (c & ~here2)
        d = (d + (d & here3)) | (d & ~here3)
    lengths[0], lengths[1] = count_bits(~a), count_bits(~b)
    lengths[2], lengths[3] = count_bits(~c), count_bits(~d)


@helper
def _long_length(targets: Any, column: int, places: Any, left: Any) -> int:
    """Return the length of the longest common subsequence; s has as many words as `left`."""
    left[:] = ~np.uint64(0)
    for j in range(targets.starts[column], targets.starts[column + 1]):
        carry = np.uint64(0)
        for w in range(len(left)):
            before, here = left[w], places[w, targets.codes[j]]
            both = before & here
            total = before + both
            over = np.uint64(total < both)
            total += carry
            carry = over | np.uint64(total < carry)
            left[w] = total | (before & ~here)
    length: Any = np.int64(0)
    for w in range(len(left)):
        length += count_bits(~left[w])
    return int(length)


def least_jaro(threshold: float, winkler: bool) -> NDArray[np.float64]:
    """Return which Jaro similarity a threshold needs, by the length of the common prefix."""
    bonus = np.arange(5) * (0.1 * winkler)
    boosted = np.maximum((threshold - bonus) / (1.0 - bonus), 0.7)  # up to .7 there is no bonus
    return np.minimum(boosted, threshold)
