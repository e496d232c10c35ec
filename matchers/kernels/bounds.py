"""Upper bounds of similarities: by lengths, common characters, and the order of these.

A bound is the metric's formula with the best possible value for everything unknown. n and m are
the lengths. c is the number of characters (or trigrams) in common, with repetitions. p is the
length of the common prefix, at most 4. Arrays are broadcast. Pairs that may reach the threshold are
compared by the metric's kernel, with the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import edit, jaro, ngram, smoa, substring
from .signatures import NEVER
from .strings import Linear, Ratio, Texts

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
    """

    bound: Bound
    compare: Callable[[Chosen], Values]


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
        name: Bounded(Bound(bound), partial(_compare_jaro, winkler=winkler))
        for name, bound, winkler in (("jaro", _jaro, False), ("jaro-winkler", _winkler, True))
    },
    "smoa": Bounded(Bound(_smoa), _compare_smoa),
}
