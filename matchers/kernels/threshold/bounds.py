"""How similar two strings can be at most, from their lengths and what they have in common.

Each bound is the metric's own formula where everything that is not known is as good as it can be.
n and m are the lengths, c the number of characters (or trigrams) in common, each as often as in
both strings, p the number of characters of the common prefix, at most 4. Arrays are broadcast.

What may reach the threshold is compared as the metric says, and comes out with the kernels' bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.kernels import edit, hamming, jaro_pairs, ngram, smoa, substring
from matchers.kernels.bits.vectors import MOST
from matchers.kernels.strings.encoding import Texts, slice_targets
from matchers.kernels.strings.ratios import Linear, Ratio

from . import order
from .signatures import NEVER, Signatures

#: A number, or an array of them.
Array = Any
Values = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]

#: What a bound may lie below the similarity, by rounding.
ROUNDING = 1e-9


class Bound(NamedTuple):
    """A bound of a metric.

    Attributes
    ----------
    largest
        Function of n, m, c and p, for strings that are not empty; it grows with c and p.
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
    taken = np.where(c < 3, 0, c)
    comm = 2 * taken / (n + m)
    u, v = (n - taken) / n, (m - taken) / m
    diff = u * v / (0.6 + 0.4 * (u + v - u * v))
    value = (comm - diff + 0.1 * p * (1.0 - comm) + 1.0) / 2.0
    return np.where((n == m) & (p >= n), 1.0, value)


def largest_similarity(bound: Bound, n: Array, m: Array, c: Array, p: Array) -> Array:
    """Return how similar two strings can be, empty ones too."""
    p = np.minimum(p, np.minimum(n, m))
    value = bound.largest(np.maximum(n, 1), np.maximum(m, 1), c, p)
    return np.where((n == 0) | (m == 0), np.where(n == m, 1.0, 0.0), value)


def needs(bound: Bound, n: Array, m: Array, threshold: float) -> NDArray[np.int32]:
    """Return how much strings must have in common to be as similar as the threshold.

    Parameters
    ----------
    n, m
        Lengths on either side.

    Returns
    -------
    ndarray, shape (len(n), len(m), 5)
        For p = 0, ..., 4; `NEVER` where nothing is enough. Found by bisection: `largest` grows
        with c.
    """
    n, m = n[:, None, None], m[None, :, None]
    p = np.arange(5)
    most = np.minimum(n, m) + 0 * p
    if bound.trigrams:
        most = np.maximum(most - 2, 0)
    enough = largest_similarity(bound, n, m, most, p) >= threshold - ROUNDING
    low, high = np.zeros_like(most), most.copy()
    while (low < high).any():
        middle = (low + high) // 2
        reached = largest_similarity(bound, n, m, middle, p) >= threshold - ROUNDING
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    return np.where(enough, low, NEVER).astype(np.int32)


class Chosen(NamedTuple):
    """Pairs to be compared.

    Attributes
    ----------
    sources, targets
        Texts.
    source_elements, target_elements
        Their characters, or trigrams, sorted: what signatures are made from.
    signatures
        Of the elements on either side.
    rows, columns
        The texts of each pair.
    alphabet
        Number of distinct characters.
    threshold
        What similarity is looked for.
    """

    sources: Texts
    targets: Texts
    source_elements: Texts
    target_elements: Texts
    signatures: tuple[Signatures, Signatures]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    alphabet: int
    threshold: float

    @property
    def pairs(self) -> tuple[Texts, Texts, NDArray[np.int32], NDArray[np.int32]]:
        """What the kernels for one pair at a time are given."""
        return self.sources, self.targets, self.rows, self.columns

    @property
    def lengths(self) -> tuple[Integers, Integers]:
        """Of both strings of each pair."""
        n, m = self.sources.lengths[self.rows], self.targets.lengths[self.columns]
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
    both = chosen.source_elements, chosen.target_elements
    common = ngram.pair_common_elements(*both, chosen.rows, chosen.columns)
    n, m = chosen.lengths
    values: Values = 2 * common / np.maximum(n + m - 4, 1)
    short = np.flatnonzero((n == m) & (n < 3))
    same = hamming.pair_equal_positions(*chosen[:2], chosen.rows[short], chosen.columns[short])
    values[short] = same == n[short]
    return values


def _compare_jaro(chosen: Chosen, winkler: bool) -> Values:
    texts, (rows, columns) = chosen[:2], chosen.pairs[2:]
    values = np.zeros(len(rows))
    first = columns.min(initial=len(chosen.targets.lengths))
    slices = slice_targets(
        chosen.targets.rows(first, columns.max(initial=first) + 1), chosen.alphabet
    )
    if slices is not None and slices.width[-1] <= MOST:
        least = order.least_jaro(chosen.threshold, winkler) - ROUNDING
        inside = order.may_reach(*texts, slices, chosen.signatures, rows, columns, first, least)
        rows, columns = rows[inside], columns[inside]
    else:
        inside = slice(None)
    values[inside] = jaro_pairs.jaro_similarities(
        *texts, chosen.alphabet, rows, columns, winkler, chosen.threshold
    )
    return values


def _compare_smoa(chosen: Chosen) -> Values:
    return smoa.pair_similarities(*chosen[:2], chosen.alphabet, chosen.rows, chosen.columns)


class Bounded(NamedTuple):
    """What a search from a threshold on must know of a metric.

    Attributes
    ----------
    bound
        How similar two strings can be at most.
    compare
        The similarities of chosen pairs.
    """

    bound: Bound
    compare: Callable[[Chosen], Values]


_EDITS, _GAPPED, _BLOCK = Bound(_edits), Bound(_gapped), Bound(_block, trigrams=True)

#: By name of the metric.
BOUNDED = {
    "levenshtein": Bounded(_EDITS, partial(_compare_edits, gap=1, empty=1.0)),
    "ontosim-levenshtein": Bounded(_EDITS, partial(_compare_edits, gap=1, empty=0.0)),
    **{
        name: Bounded(_EDITS, _counted(hamming.pair_equal_positions, ratio))
        for name, ratio in hamming.RATIOS.items()
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
    "jaro": Bounded(Bound(_jaro), partial(_compare_jaro, winkler=False)),
    "jaro-winkler": Bounded(Bound(_winkler), partial(_compare_jaro, winkler=True)),
    "smoa": Bounded(Bound(_smoa), _compare_smoa),
}
