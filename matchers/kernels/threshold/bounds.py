"""How similar two strings can be at most, from their lengths and what they have in common.

Each bound is the metric's own formula where everything that is not known is as good as it can be.
n and m are the lengths, c the number of characters (or trigrams) in common, each as often as in
both strings, p the number of characters of the common prefix, at most 4. Arrays are broadcast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .shortlist import NEVER

#: A number, or an array of them.
Array = Any

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


def _kondrak(ngram: int) -> Callable[[Array, Array, Array, Array], Array]:
    # a character is at each place of an n-gram once; the marks before the strings agree as well

    def largest(n: Array, m: Array, c: Array, p: Array) -> Array:
        return np.minimum(np.minimum(n, m), c + (ngram - 1) / 2) / np.maximum(n, m)

    return largest


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


_EDITS, _GAPPED, _BLOCK = Bound(_edits), Bound(_gapped), Bound(_block, trigrams=True)

#: By name of the metric.
BOUNDS: dict[str, Bound] = {
    "levenshtein": _EDITS,
    "ontosim-levenshtein": _EDITS,
    "hamming": _EDITS,
    "ontosim-hamming": _EDITS,
    "needleman-wunsch": _GAPPED,
    "ontosim-needleman-wunsch": _GAPPED,
    "kondrak-bi-sim": Bound(_kondrak(2)),
    "kondrak-tri-sim": Bound(_kondrak(3)),
    "kondrak-bi-dist": Bound(_kondrak(2)),
    "kondrak-tri-dist": Bound(_kondrak(3)),
    "substring": _BLOCK,
    "ontosim-substring": _BLOCK,
    "ngram": Bound(_dice, trigrams=True),
    "jaro": Bound(_jaro),
    "jaro-winkler": Bound(_winkler),
    "smoa": Bound(_smoa),
}


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
