"""Signatures of strings: an upper bound of what two strings have in common, in a few instructions.

The k-th occurrence of a character (or trigram) in a string is an *element*: two strings have as
many characters in common, each as often as in both, as they have elements in common. A signature
has 256 bits, each for one element or for several, and the number of elements whose bit was taken:
no two strings have more in common than equal bits, and the smaller of the two numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import WORDS
from matchers.kernels.strings.encoding import Texts, dense, text
from matchers.machine.compiled import kernel

#: Words of a signature.
SIZE = 4


class Signatures(NamedTuple):
    """Signatures of some texts.

    Attributes
    ----------
    words
        Word w of text k is ``words[w, k]``.
    further
        The number of elements whose bit was taken.
    """

    words: NDArray[np.uint64]
    further: NDArray[np.int64]


def trigram_texts(sources: Texts, targets: Texts, alphabet: int) -> tuple[Texts, Texts]:
    """Return the texts as sequences of trigrams.

    Examples
    --------
    >>> from .encoding import encode
    >>> pairs = encode(["ababa"], ["abab"])
    >>> [found.codes.tolist() for found in trigram_texts(pairs.sources, pairs.targets, 2)]
    [[0, 1, 0], [0, 1]]
    """
    keys = [_trigram_keys(texts, alphabet) for texts in (sources, targets)]
    numbers = dense(np.concatenate(keys))[0].astype(np.uint32)
    split = len(keys[0])
    made = []
    for texts, codes in ((sources, numbers[:split]), (targets, numbers[split:])):
        lengths = np.maximum(texts.lengths - 2, 0).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        made.append(Texts(codes, starts, lengths))
    return made[0], made[1]


def sorted_texts(texts: Texts) -> Texts:
    """Return the texts with the codes of each in order."""
    codes = texts.codes.copy()
    _sort_each(codes, texts.starts)
    return Texts(codes, texts.starts, texts.lengths)


def sign(sources: Texts, targets: Texts) -> tuple[Signatures, Signatures]:
    """Return the signatures of texts whose codes are sorted (`sorted_texts`).

    Frequent elements have a bit of their own as long as there are bits.
    """
    size = 1 + max(int(texts.codes.max(initial=0)) for texts in (sources, targets))
    most = np.zeros(size, np.int64)
    for texts in (sources, targets):
        _count_most(texts, most)
    first = np.concatenate([[0], np.cumsum(most)])
    frequency = np.zeros(first[-1], np.int64)
    for texts in (sources, targets):
        _count_elements(texts, first, frequency)
    bits = np.empty(len(frequency), np.int64)
    bits[np.argsort(-frequency, kind="stable")] = np.arange(len(frequency)) % (64 * SIZE)
    return _sign(sources, first, bits), _sign(targets, first, bits)


def _sign(texts: Texts, first: NDArray[np.int64], bits: NDArray[np.int64]) -> Signatures:
    number = len(texts.lengths) + WORDS  # so that the last ones can be read eight at once
    made = Signatures(np.zeros((SIZE, number), np.uint64), np.zeros(number, np.int64))
    _set_bits(texts, first, bits, made)
    return made


@kernel
def _trigram_keys(texts: Any, alphabet: int) -> Any:
    number = 0
    for length in texts.lengths:
        number += max(length - 2, 0)
    keys = np.empty(number, np.int64)
    place = 0
    for k in range(len(texts.lengths)):
        codes = text(texts, k)
        for i in range(len(codes) - 2):
            pair = np.int64(codes[i]) * alphabet + np.int64(codes[i + 1])
            keys[place] = pair * alphabet + np.int64(codes[i + 2])
            place += 1
    return keys


@kernel
def _sort_each(codes: Any, starts: Any) -> None:
    for k in range(len(starts) - 1):
        for i in range(starts[k] + 1, starts[k + 1]):
            code, j = codes[i], i
            while j > starts[k] and codes[j - 1] > code:
                codes[j] = codes[j - 1]
                j -= 1
            codes[j] = code


@kernel
def _count_most(texts: Any, most: Any) -> None:
    """Raise `most` to how often each code occurs in one of the texts."""
    for k in range(len(texts.lengths)):
        occurrence = 0
        codes = text(texts, k)
        for i in range(len(codes)):
            occurrence = occurrence + 1 if i > 0 and codes[i] == codes[i - 1] else 1
            most[codes[i]] = max(most[codes[i]], occurrence)


@kernel
def _count_elements(texts: Any, first: Any, frequency: Any) -> None:
    for k in range(len(texts.lengths)):
        occurrence = 0
        codes = text(texts, k)
        for i in range(len(codes)):
            occurrence = occurrence + 1 if i > 0 and codes[i] == codes[i - 1] else 0
            frequency[first[codes[i]] + occurrence] += 1


@kernel
def _set_bits(texts: Any, first: Any, bits: Any, made: Any) -> None:
    for k in range(len(texts.lengths)):
        occurrence = 0
        codes = text(texts, k)
        for i in range(len(codes)):
            occurrence = occurrence + 1 if i > 0 and codes[i] == codes[i - 1] else 0
            number = bits[first[codes[i]] + occurrence]
            bit = np.uint64(1) << np.uint64(number % 64)
            made.further[k] += (made.words[number // 64, k] & bit) != 0
            made.words[number // 64, k] |= bit
