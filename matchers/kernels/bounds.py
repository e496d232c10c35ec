"""Upper bounds of similarities: by lengths, common characters, and the order of these.

A bound is the metric's formula with the best possible value for everything unknown. n and m are
the lengths. c is the number of characters (or trigrams) in common, with repetitions. p is the
length of the common prefix, at most 4. Arrays are broadcast. Pairs that may reach the threshold are
compared by the metric's kernel, with the same bits.

A further bound holds for Jaro. The matching characters that agree are a common subsequence. So
their number a is at most l, the length of the longest one. With c matching characters Jaro's
similarity is at most ::

    (c/n + c/m + 1 - floor((c - a) / 2) / c) / 3  <=  (c/n + c/m + 1/2 + (l + 1) / (2c)) / 3

This is convex in c, so it is largest at the least c, which is l + 1, or at the largest, which is
the number of common characters. n - c characters of s and m - c of t have no partner. Agreeing
characters are no further apart than that, and l is counted only near the diagonal, for 512 targets
at once. Bit vector j has the targets where l grows at place j.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

from . import edit, jaro, ngram, smoa, substring
from .signatures import NEVER, Signatures, bound_in_common
from .strings import Linear, Ratio, Slices, Texts, slice_targets
from .vectors import (
    LANES,
    MOST,
    PLANES,
    load,
    store,
    sum_bits,
    vectors,
    zeros,
)

#: A number, or an array of them.
Array = Any
Values = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]

#: The largest amount by which rounding brings a bound below the similarity.
ROUNDING = 1e-9


class Bound(NamedTuple):
    """A bound of a metric.

    Attributes
    ----------
    largest
        Function of n, m, c and p for strings that are not empty; it grows with c and p.
    trigrams
        Whether c counts trigrams; else characters.
    """

    largest: Callable[[Array, Array, Array, Array], Array]
    trigrams: bool = False


def _edits(n: Array, m: Array, c: Array, p: Array) -> Array:
    # at least max(n, m) - c edits; at most c positions agree
    return c / np.maximum(n, m)


def _kondrak(n: Array, m: Array, c: Array, p: Array, size: int) -> Array:
    # a character is at each place of an n-gram once; the marks before the strings agree as well
    return np.minimum(np.minimum(n, m), c + (size - 1) / 2) / np.maximum(n, m)


def _gapped(n: Array, m: Array, c: Array, p: Array) -> Array:
    # a gap costs 2, and at most c of the paired characters cost nothing
    return c / (np.minimum(n, m) + 2 * abs(n - m))


def _block(n: Array, m: Array, c: Array, p: Array) -> Array:
    # a block of L characters has L - 2 trigrams
    return 2 * np.minimum(c + 2, np.minimum(n, m)) / (n + m)


def _dice(n: Array, m: Array, c: Array, p: Array) -> Array:
    # exact; but equal strings without a trigram have similarity 1
    short = np.minimum(n, m) < 3
    return np.where(short, n == m, 2 * c / np.maximum(n + m - 4, 1))


def _jaro(n: Array, m: Array, c: Array, p: Array) -> Array:
    # at most c characters match, at best in the same order
    return np.where(c > 0, (c / n + c / m + 1.0) / 3.0, 0.0)


def _winkler(n: Array, m: Array, c: Array, p: Array) -> Array:
    value = _jaro(n, m, c, p)
    return np.where(value > 0.7 - ROUNDING, value + 0.1 * p * (1.0 - value), value)


def _smoa(n: Array, m: Array, c: Array, p: Array) -> Array:
    # at best all of c lies in common blocks; fewer than three characters are no block
    in_blocks = np.where(c < 3, 0, c)
    comm = 2 * in_blocks / (n + m)
    u = (n - in_blocks) / n
    v = (m - in_blocks) / m
    diff = u * v / (0.6 + 0.4 * (u + v - u * v))
    value = (comm - diff + 0.1 * p * (1.0 - comm) + 1.0) / 2.0
    return np.where((n == m) & (p >= n), 1.0, value)


def largest_similarity(bound: Bound, n: Array, m: Array, c: Array, p: Array) -> Array:
    """Return the bound of the similarity of two strings, also of empty ones."""
    p = np.minimum(p, np.minimum(n, m))
    value = bound.largest(np.maximum(n, 1), np.maximum(m, 1), c, p)
    return np.where((n == 0) | (m == 0), np.where(n == m, 1.0, 0.0), value)


def needs(bound: Bound, n: Array, m: Array, threshold: float) -> NDArray[np.int32]:
    """Return the least c at which the bound reaches the threshold, found by bisection.

    Parameters
    ----------
    n, m
        Lengths on either side.

    Returns
    -------
    ndarray, shape (len(n), len(m), 5)
        For p = 0, ..., 4; `NEVER` where the bound is always below the threshold.
    """
    n = n[:, None, None]
    m = m[None, :, None]
    p = np.arange(5)
    largest = np.minimum(n, m) + 0 * p
    if bound.trigrams:
        largest = np.maximum(largest - 2, 0)
    enough = largest_similarity(bound, n, m, largest, p) >= threshold - ROUNDING
    low = np.zeros_like(largest)
    high = largest.copy()
    while (low < high).any():
        middle = (low + high) // 2
        reached = largest_similarity(bound, n, m, middle, p) >= threshold - ROUNDING
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    return np.where(enough, low, NEVER).astype(np.int32)


class Chosen(NamedTuple):
    """Pairs to compare.

    Attributes
    ----------
    sources, targets
        Texts.
    trigrams
        Their sorted trigrams if the metric counts trigrams; else the texts.
    signatures
        Signatures of the characters, or trigrams, on either side.
    heads
        The first characters of the texts on either side (`signatures.Runs`).
    alphabet
        Number of distinct characters.
    threshold
        Least similarity.
    rows, columns
        The texts of each pair.
    """

    sources: Texts
    targets: Texts
    trigrams: tuple[Texts, Texts]
    signatures: tuple[Signatures, Signatures]
    heads: tuple[NDArray[np.uint64], NDArray[np.uint64]]
    alphabet: int
    threshold: float
    rows: NDArray[np.int32] = np.empty(0, np.int32)
    columns: NDArray[np.int32] = np.empty(0, np.int32)

    @property
    def pairs(self) -> tuple[Texts, Texts, NDArray[np.int32], NDArray[np.int32]]:
        """Arguments of the kernels for chosen pairs."""
        return self.sources, self.targets, self.rows, self.columns

    @property
    def lengths(self) -> tuple[Integers, Integers]:
        """Lengths of both strings of each pair."""
        n = self.sources.lengths[self.rows]
        m = self.targets.lengths[self.columns]
        return n.astype(np.int64), m.astype(np.int64)


def _counted(
    count: Callable[..., Integers], ratio: Ratio, *options: int
) -> Callable[[Chosen], Values]:
    return lambda chosen: ratio.of(count(*chosen.pairs, *options), *chosen.lengths)


def _compare_edits(chosen: Chosen, gap: int, empty: float) -> Values:
    costs = edit.pair_costs(*chosen.pairs, gap, chosen.threshold)
    less = Ratio(Linear(1, gap), offset=Linear(0, 0), scale=-1, empty=empty)
    return less.of(costs, *chosen.lengths)


def _compare_ngram(chosen: Chosen) -> Values:
    common = ngram.pair_common_elements(*chosen.trigrams, chosen.rows, chosen.columns)
    n, m = chosen.lengths
    values: Values = 2 * common / np.maximum(n + m - 4, 1)
    short = np.flatnonzero((n == m) & (n < 3))
    same = edit.pair_equal_positions(*chosen[:2], chosen.rows[short], chosen.columns[short])
    values[short] = same == n[short]
    return values


def _sift_jaro(chosen: Chosen, winkler: bool) -> Chosen:
    rows = chosen.rows
    columns = chosen.columns
    first = columns.min(initial=len(chosen.targets.lengths))
    targets = chosen.targets.rows(first, columns.max(initial=first) + 1)
    slices = slice_targets(targets, chosen.alphabet)
    if slices is None or slices.width[-1] > MOST:
        return chosen
    number = sift_by_order(
        *chosen[:2],
        slices,
        chosen.signatures,
        chosen.heads,
        rows,
        columns,
        first,
        jaro.least_jaro(chosen.threshold, winkler) - ROUNDING,
    )
    return chosen._replace(rows=rows[:number], columns=columns[:number])


def _compare_jaro(chosen: Chosen, winkler: bool) -> Values:
    needed = jaro.least_jaro(chosen.threshold, winkler)
    pairs = chosen.rows, chosen.columns
    values: Values = jaro.jaro_similarities(*chosen[:2], chosen.alphabet, *pairs, winkler, needed)
    return values


def _compare_smoa(chosen: Chosen) -> Values:
    pairs = chosen.rows, chosen.columns
    values: Values = smoa.pair_similarities(*chosen[:2], chosen.alphabet, *pairs)
    return values


class Bounded(NamedTuple):
    """Parts of a metric for a search from a threshold on.

    Attributes
    ----------
    bound
        Upper bound of the similarity of two strings.
    compare
        Function that returns the similarities of chosen pairs.
    sift
        Function that removes pairs below the threshold, faster than comparing them.
    """

    bound: Bound
    compare: Callable[[Chosen], Values]
    sift: Callable[[Chosen], Chosen] = lambda chosen: chosen


_EDITS = Bound(_edits)
_GAPPED = Bound(_gapped)
_BLOCK = Bound(_block, trigrams=True)

#: By name of the metric.
BOUNDED = {
    "levenshtein": Bounded(_EDITS, partial(_compare_edits, gap=1, empty=1.0)),
    "ontosim-levenshtein": Bounded(_EDITS, partial(_compare_edits, gap=1, empty=0.0)),
    **{
        name: Bounded(_EDITS, _counted(edit.pair_equal_positions, ratio))
        for name, ratio in edit.HAMMING.items()
    },
    "needleman-wunsch": Bounded(_GAPPED, partial(_compare_edits, gap=2, empty=1.0)),
    "ontosim-needleman-wunsch": Bounded(_GAPPED, partial(_compare_edits, gap=2, empty=0.0)),
    **{
        name: Bounded(
            Bound(partial(_kondrak, size=size)), _counted(edit.pair_scores, ratio, size, base)
        )
        for name, (size, base, ratio) in edit.KONDRAK.items()
    },
    "substring": Bounded(_BLOCK, _counted(substring.pair_lengths, substring.STANDARD, False)),
    "ontosim-substring": Bounded(_BLOCK, _counted(substring.pair_lengths, substring.ONTOSIM, True)),
    "ngram": Bounded(Bound(_dice, trigrams=True), _compare_ngram),
    **{
        name: Bounded(
            Bound(bound),
            partial(_compare_jaro, winkler=winkler),
            partial(_sift_jaro, winkler=winkler),
        )
        for name, bound, winkler in (("jaro", _jaro, False), ("jaro-winkler", _winkler, True))
    },
    "smoa": Bounded(Bound(_smoa), _compare_smoa),
}


#: With so few pairs among 512 targets, comparing them is as fast as sifting.
FEW = 8


@kernel
def sift_by_order(
    sources: Any,
    targets: Any,
    slices: Slices,
    signatures: tuple[Signatures, Signatures],
    heads: Any,
    rows: Any,
    columns: Any,
    first: int,
    needed: Any,
) -> int:
    """Move the pairs that may reach a similarity to the front; return their number.

    Parameters
    ----------
    slices
        Slices of the targets from `first` on.
    signatures, heads
        Signatures and first characters of the sources and of the targets.
    rows, columns
        The pairs, best sorted by row and then by column.
    first
        The least column.
    needed
        Jaro's similarity that is needed, by the length of the common prefix, 0, ..., 4.
    """
    line = vectors(slices.width[-1] + 3)
    digits = vectors(PLANES)
    lengths = np.empty(LANES, np.uint16)
    by_prefix = needed[4] < needed[0]
    number = 0
    start = 0
    while start < len(rows):
        row = rows[start]
        block = (columns[start] - first) // LANES
        head = heads[0][row]
        prefix = 0
        end = start
        while end < len(rows) and rows[end] == row and (columns[end] - first) // LANES == block:
            if by_prefix:
                prefix = max(prefix, agreeing(head, heads[1][columns[end]]))
            end += 1
        many = end - start > FEW
        n = sources.lengths[row]
        s_start = sources.starts[row]
        if many:
            # The least number of matching characters. The last target is the longest.
            share = 1.0 / n + 1.0 / targets.lengths[columns[start]]
            matching = int((3.0 * needed[prefix] - 1.0) / share - 1e-6)
            before = n - matching
            after = targets.lengths[columns[end - 1]] - matching
            s = sources.codes[s_start : s_start + n]
            _note_growth(s, slices, block, max(before, 0), max(after, 0), line)
            sum_bits(line, slices.width[block], digits, lengths, 0)
        for k in range(start, end):
            column = columns[k]
            rows[number] = row
            columns[number] = column
            reached = True
            if many:
                need = 3.0 * needed[agreeing(head, heads[1][column]) if by_prefix else 0]
                share = 1.0 / n + 1.0 / targets.lengths[column]
                subsequence = 1.0 + lengths[(column - first) % LANES]
                common = bound_in_common(signatures, row, column)
                # The bound, multiplied by 2c or 1. A branch would often be mispredicted.
                of_all = (common * share + 0.5 - need) * (2.0 * common) + subsequence
                reached = (of_all >= 0.0) | (subsequence * share + 1.0 >= need)
            number += reached
        start = end
    return number


@helper
def agreeing(head: Any, opposite: Any) -> Any:
    """Return the length of the common prefix of the first four characters of two texts."""
    differ = head ^ opposite
    equal: Any = np.int64(differ == 0)
    for places in (16, 32, 48):
        equal += differ >> np.uint64(places) == 0
    return equal


@helper
def _note_growth(s: Any, slices: Any, block: int, before: int, after: int, line: Any) -> None:
    """Write the places of targets at which the longest common subsequence with s grows.

    Place i of s is compared with the places i - before, ..., i + after.
    """
    width = slices.width[block]
    for j in range(width):
        store(line, j, zeros())
    for i in range(0, len(s), 4):  # four places for one load and store of a vector
        first = slices.row[block, s[i]]
        second = slices.row[block, s[i + 1]] if i + 1 < len(s) else 0
        third = slices.row[block, s[i + 2]] if i + 2 < len(s) else 0
        fourth = slices.row[block, s[i + 3]] if i + 3 < len(s) else 0
        a = b = c = d = zeros()  # whether it is longer with this place of s than without
        for j in range(max(0, i - before), min(width, i + after + 4)):
            grown, a = _grow(load(line, j), load(slices.words, first + j), a)
            grown, b = _grow(grown, load(slices.words, second + j), b)
            grown, c = _grow(grown, load(slices.words, third + j), c)
            grown, d = _grow(grown, load(slices.words, fourth + j), d)
            store(line, j, grown)


@helper
def _grow(above: Any, equal: Any, here: Any) -> tuple[Any, Any]:
    return (above | equal) & ~here, (here | equal) & ~above
