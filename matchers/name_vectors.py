"""Names as weighted vectors (stems, similar stems, letters), and the search for the nearest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cdist
from scipy.sparse import csr_array, diags_array

from alignrank.common.executor import executor, in_order, slabs
from alignrank.common.names import Pair

from .metrics.jaro import JARO_WINKLER, jaro_winkler
from .names import Indices, Names, read_wordnet, stems_of
from .similarity.tiles import similar_pairs

Values = NDArray[np.float64]

#: Rows that are multiplied at a time.
BLOCK = 1000
#: A term that stands in more names than these finds no candidates; it still counts in the cosine.
MOST_HOLDERS = 1000
#: Closeness of two stems that the names of one entity exchange, and of two that are spelt alike.
EXCHANGED, ALIKE = 0.9, 0.85
#: Jaro-Winkler similarity of stems that are spelt alike, and their least number of letters.
SPELLING, LETTERS = 0.9, 4
#: Most stems that RapidFuzz compares: to import numba and load the kernels takes as long.
FEW_STEMS = 5000
#: Stems that are compared with all stems at a time.
STEMS_AT_ONCE = 256
#: Largest difference of RapidFuzz's similarity from ours.
ROUNDING = 1e-9
#: An entity with more names than these teaches no exchanged stems: the pairs would be too many.
MOST_NAMES = 50


@dataclass(frozen=True, eq=False)
class Vectors:
    """The names of both sides as rows of weights.

    Parameters
    ----------
    closeness
        Of each pair of stems, in [0, 1]; 1 on the diagonal.
    stems, letters
        For each side, TF-IDF weights of stems and of trigrams of letters, rows of length 1. The
        weight of a term grows with ln(1 + names / names that hold it).
    """

    closeness: csr_array
    stems: tuple[csr_array, csr_array]
    letters: tuple[csr_array, csr_array]


def vectors_of(source: Names, target: Names, wordnet: str | None = None) -> Vectors:
    """Return the vectors of the names of one kind on both sides.

    Parameters
    ----------
    source, target
        The names.
    wordnet
        Folder of WordNet's database files; None: words have no further synonyms.
    """
    sides = source, target
    vocabulary: dict[str, int] = {}
    stems = _weighted([_bags(names.stems, vocabulary) for names in sides])
    trigrams: dict[str, int] = {}
    letters = _weighted([_bags(map(_trigrams, names.words), trigrams) for names in sides])
    exchanged = _exchanged(source) | _exchanged(target)
    if wordnet is not None:
        words = {word for names in sides for name in names.words for word in name}
        exchanged |= _synonyms(words, vocabulary, read_wordnet(wordnet))
    return Vectors(_closeness(vocabulary, exchanged), stems, letters)


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


def _weighted(bags: Sequence[csr_array]) -> tuple[csr_array, csr_array]:
    """Return the TF-IDF weights of the terms of both sides' names, each row of length 1.

    The second side was read last: it has a column for each term of both.
    """
    width = bags[1].shape[1]
    terms = np.concatenate([bag.indices for bag in bags])
    n_names = bags[0].shape[0] + bags[1].shape[0]
    inverse_frequencies = np.log1p(n_names / np.bincount(terms, minlength=width))
    sides = []
    for bag in bags:
        values = inverse_frequencies[bag.indices]
        weights = csr_array((values, bag.indices, bag.indptr), shape=(bag.shape[0], width))
        lengths = np.sqrt(weights.multiply(weights).sum(axis=1))
        sides.append(csr_array(diags_array(1.0 / lengths) @ weights))
    return sides[0], sides[1]


def _exchanged(names: Names) -> set[Pair]:
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
                (stem,) = first - second
                (synonym,) = second - first
                exchanged |= {(stem, synonym), (synonym, stem)}
    return exchanged


def _synonyms(
    words: Iterable[str], vocabulary: Collection[str], synonyms: Mapping[str, Iterable[str]]
) -> set[Pair]:
    """Return pairs of stems of the vocabulary that belong to synonyms, in both orders."""
    pairs = set()
    for word in words:
        for synonym in synonyms.get(word, ()):
            (first,) = stems_of([word])
            (second,) = stems_of([synonym])
            if first != second and first in vocabulary and second in vocabulary:
                pairs |= {(first, second), (second, first)}
    return pairs


def _closeness(vocabulary: dict[str, int], exchanged: set[Pair]) -> csr_array:
    stems = [stem for stem in vocabulary if len(stem) >= LETTERS]
    index = np.array([vocabulary[stem] for stem in stems], dtype=np.int64)
    alike = _spelt_alike(stems) if len(stems) <= FEW_STEMS else _spelt_alike_in_tiles(stems)
    cells = dict.fromkeys(map(tuple, index[alike].tolist()), ALIKE)
    cells |= {(vocabulary[a], vocabulary[b]): EXCHANGED for a, b in exchanged}
    cells |= {(k, k): 1.0 for k in range(len(vocabulary))}
    rows, columns = np.array(list(cells), dtype=np.int64).T
    size = len(vocabulary)
    return csr_array((list(cells.values()), (rows, columns)), shape=(size, size))


def _spelt_alike(stems: list[str]) -> Indices:
    """Return the positions of stems that are spelt alike, shape (k, 2), in order."""
    found = []
    scorer = JaroWinkler.normalized_similarity
    least = SPELLING - ROUNDING
    for first in range(0, len(stems), STEMS_AT_ONCE):
        rows = stems[first : first + STEMS_AT_ONCE]
        rest = stems[first:]
        similarities = cdist(rows, rest, scorer=scorer, score_cutoff=least, dtype=np.float64)
        row, column = np.nonzero(similarities)
        close = similarities[row, column] > SPELLING + ROUNDING
        for k in np.flatnonzero(~close).tolist():
            close[k] = jaro_winkler(rows[row[k]], rest[column[k]]) >= SPELLING
        found.append(np.column_stack([row, column])[close] + first)
    pairs = np.concatenate(found or [np.empty((0, 2), dtype=np.int64)])
    return np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)


def _spelt_alike_in_tiles(stems: list[str]) -> Indices:
    """Return the pairs of `_spelt_alike` for many stems: faster, once the kernels are compiled."""
    alike = similar_pairs(stems, stems, JARO_WINKLER, SPELLING).tocoo()
    return np.column_stack(alike.coords).astype(np.int64)


def nearest(rows: csr_array, columns: csr_array, most: int, least: float) -> Indices:
    """Return for each row the columns with the largest cosines, from sparse non-negative vectors.

    Parameters
    ----------
    rows, columns
        Vectors of length 1 at most, one each line, shapes (n, d) and (m, d).
    most
        Largest number of columns for each row.
    least
        Smallest cosine. A pair below `least` may be returned, but none above is missing for it,
        unless all terms that the two share stand in more than `MOST_HOLDERS` columns.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        Pairs (row, column), sorted.

    Notes
    -----
    Each row drops its lightest terms while their length stays below least / 2. What is dropped
    adds at most as much to a cosine, so that pairs below least / 2 without it can be left out.
    """
    holders = np.bincount(columns.indices, minlength=columns.shape[1])
    is_rare = (holders <= MOST_HOLDERS).astype(np.float64)
    by_term = csr_array((columns @ diags_array(is_rare)).T)
    by_term.eliminate_zeros()
    shared = executor().put(csr_array, by_term)
    cuts = slabs(rows.shape[0], BLOCK)
    tasks = ((rows[cut], cut.start, shared, most, least) for cut in cuts)
    return np.concatenate([np.empty((0, 2), np.int64), *in_order(_nearest_of_slab, tasks)])


def _nearest_of_slab(
    rows: csr_array, first: int, by_term: csr_array, most: int, least: float
) -> Indices:
    """Return what `nearest` does, for some of its rows, of which `first` is the first."""
    pairs = []
    for start in range(0, rows.shape[0], BLOCK):
        heavy = _without_light(rows[start : start + BLOCK], least / 2.0)
        cosines = csr_array(heavy @ by_term)
        is_close = cosines.data >= least / 2.0
        row = np.repeat(np.arange(cosines.shape[0]), np.diff(cosines.indptr))[is_close]
        column = cosines.indices[is_close]
        cosine = cosines.data[is_close]
        is_large = cosine >= _smallest_of_largest(row, cosine, most)[row]
        row, column, cosine = row[is_large], column[is_large], cosine[is_large]
        order = np.lexsort((column, -cosine, row))
        row = row[order]
        place = np.arange(len(row)) - np.searchsorted(row, row)
        chosen = place < most
        pairs.append(np.column_stack([row[chosen] + first + start, column[order][chosen]]))
    return np.concatenate(pairs).astype(np.int64)


def _smallest_of_largest(rows: Indices, cosines: Values, most: int) -> Values:
    """Return a bound for each row that its `most` largest cosines reach, and few others.

    It is their smallest one, less an error of rounding; 0 for a row of fewer cosines. One sort of
    numbers takes less time than a sort of all pairs by two keys.
    """
    ends = np.cumsum(np.bincount(rows, minlength=BLOCK))
    ordered = np.sort(4.0 * rows + cosines)
    places = ends - most
    is_full = places >= np.concatenate([[0], ends[:-1]])
    bounds = np.zeros(len(ends))
    bounds[is_full] = ordered[places[is_full]] - 4.0 * np.flatnonzero(is_full) - 1e-9
    return bounds


def _without_light(vectors: csr_array, length: float) -> csr_array:
    """Return the vectors without their lightest terms, whose length together is below `length`."""
    row = np.repeat(np.arange(vectors.shape[0]), np.diff(vectors.indptr))
    order = np.lexsort((vectors.data, row))
    squares = np.cumsum(vectors.data[order] ** 2)
    before = np.concatenate([[0.0], squares])[vectors.indptr[:-1]]
    kept = np.empty(len(order), dtype=bool)
    kept[order] = squares - before[row] >= length**2
    heavy = vectors.copy()
    heavy.data = heavy.data * kept
    heavy.eliminate_zeros()
    return heavy
