"""Names as weighted vectors: stems, similar stems, and letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from alignrank.matchers.metrics.jaro import JARO_WINKLER
from alignrank.matchers.similarity.tiles import similar_pairs

from .names import Names

#: Closeness of two stems that the names of one entity exchange, and of two that are spelt alike.
EXCHANGED, ALIKE = 0.9, 0.85
#: Jaro-Winkler similarity of stems that are spelt alike, and their least number of letters.
SPELLING, LETTERS = 0.9, 4
#: An entity with more names than these teaches no exchanged stems: the pairs would be too many.
MOST_NAMES = 50


@dataclass(frozen=True, eq=False)
class Vectors:
    """The names of both sides as rows of weights.

    Parameters
    ----------
    bags
        For each side, which stems each name holds; zeros and ones.
    idf
        Weight of each stem, ln(1 + names / names that hold it).
    closeness
        Of each pair of stems, in [0, 1]; 1 on the diagonal.
    stems, letters
        For each side, weights of stems and of trigrams of letters, rows of length 1.
    """

    bags: tuple[csr_array, csr_array]
    idf: NDArray[np.float64]
    closeness: csr_array
    stems: tuple[csr_array, csr_array]
    letters: tuple[csr_array, csr_array]


def vectors_of(source: Names, target: Names) -> Vectors:
    """Return the vectors of the names of one kind on both sides."""
    sides = source, target
    vocabulary: dict[str, int] = {}
    bags = tuple(_bags(names.stems, vocabulary) for names in sides)
    trigrams: dict[str, int] = {}
    spelt = tuple(_bags([_trigrams(words) for words in names.words], trigrams) for names in sides)
    bags, spelt = _widened(bags, len(vocabulary)), _widened(spelt, len(trigrams))
    idf = _idf(bags)
    exchanged = _exchanged(source) | _exchanged(target)
    return Vectors(
        bags,
        idf,
        _closeness(vocabulary, exchanged),
        (_weighted(bags[0], idf), _weighted(bags[1], idf)),
        (_weighted(spelt[0], _idf(spelt)), _weighted(spelt[1], _idf(spelt))),
    )


def _trigrams(words: Sequence[str]) -> set[str]:
    padded = [f" {word} " for word in words]
    return {word[k : k + 3] for word in padded for k in range(len(word) - 2)}


def _bags(names: Iterable[Iterable[str]], vocabulary: dict[str, int]) -> csr_array:
    """Return which terms each name holds, as zeros and ones; new terms join the vocabulary."""
    indices: list[int] = []
    ends = [0]
    for terms in names:
        indices += sorted(vocabulary.setdefault(term, len(vocabulary)) for term in sorted(terms))
        ends.append(len(indices))
    shape = len(ends) - 1, len(vocabulary)
    return csr_array((np.ones(len(indices)), indices, ends), shape=shape)


def _widened(bags: Sequence[csr_array], width: int) -> tuple[csr_array, csr_array]:
    source, target = (
        csr_array((bag.data, bag.indices, bag.indptr), shape=(bag.shape[0], width)) for bag in bags
    )
    return source, target


def _idf(bags: tuple[csr_array, csr_array]) -> NDArray[np.float64]:
    holders = np.asarray(bags[0].sum(axis=0) + bags[1].sum(axis=0))
    return np.log1p((bags[0].shape[0] + bags[1].shape[0]) / holders)


def _weighted(bags: csr_array, weights: NDArray[np.float64]) -> csr_array:
    """Return the weights of each name's terms, each row of length 1."""
    weighted = csr_array(bags @ diags_array(weights))
    lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
    return csr_array(diags_array(1.0 / lengths) @ weighted)


def _exchanged(names: Names) -> set[tuple[str, str]]:
    """Return pairs of stems that two names of one entity exchange, all other stems being equal."""
    stems_by_owner: defaultdict[int, set[frozenset[str]]] = defaultdict(set)
    for owner, stems in zip(names.owners.tolist(), names.stems, strict=True):
        stems_by_owner[owner].add(stems)
    exchanged = set()
    for bags in stems_by_owner.values():
        if len(bags) > MOST_NAMES:
            continue
        for first, second in combinations(bags, 2):
            if len(first) == len(second) == len(first & second) + 1:
                (stem,), (synonym,) = first - second, second - first
                exchanged |= {(stem, synonym), (synonym, stem)}
    return exchanged


def _closeness(vocabulary: dict[str, int], exchanged: set[tuple[str, str]]) -> csr_array:
    stems = [stem for stem in vocabulary if len(stem) >= LETTERS]
    index = np.array([vocabulary[stem] for stem in stems], dtype=np.int64)
    alike = similar_pairs(stems, stems, JARO_WINKLER, SPELLING).tocoo()
    pairs = zip(*(index[k].tolist() for k in alike.coords), strict=True)
    cells = dict.fromkeys(pairs, ALIKE)
    cells |= {(vocabulary[a], vocabulary[b]): EXCHANGED for a, b in exchanged}
    cells |= {(k, k): 1.0 for k in range(len(vocabulary))}
    rows, columns = np.array(list(cells), dtype=np.int64).T
    size = len(vocabulary)
    return csr_array((list(cells.values()), (rows, columns)), shape=(size, size))
