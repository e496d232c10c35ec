"""Words: names as bags of words; rare words count more, similar words count in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array

from alignrank.matchers.metrics.metric import Matrix
from alignrank.matchers.metrics.ngram import NGRAM
from alignrank.matchers.similarity.tiles import similar_pairs

from .own import Evidence, sees_no_strings

#: Least similarity (by `ngram`) of two words that count as similar.
CLOSE = 0.8
#: Similarity of two words that synonyms in the ontologies exchange for each other.
EXCHANGED = 0.9
#: Number of names that are compared at a time.
_BLOCK = 2048

_WORD = re.compile(r"[^\W_]+")


def words_of(name: str) -> list[str]:
    """Return the distinct words of a name in order; a name of signs only is one word.

    Examples
    --------
    >>> words_of("wall of the left-hand wall"), words_of("***")
    (['wall', 'of', 'the', 'left', 'hand'], ['***'])
    """
    return list(dict.fromkeys(_WORD.findall(name))) or [name]


def exchanged_words(entities: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    """Return pairs of words that names of one entity exchange for each other, in both orders.

    Two names exchange a word if they have equally many words and differ in exactly one.

    Examples
    --------
    >>> sorted(exchanged_words([["lung artery", "pulmonary artery", "artery"]]))
    [('lung', 'pulmonary'), ('pulmonary', 'lung')]
    """
    exchanged = set()
    for names in entities:
        split = [name.split() for name in names]
        for words1, words2 in combinations(split, 2):
            if len(words1) != len(words2):
                continue
            differing = [(a, b) for a, b in zip(words1, words2, strict=True) if a != b]
            if len(differing) == 1:
                a, b = differing[0]
                exchanged |= {(a, b), (b, a)}
    return exchanged


def words_matrix(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> Matrix:
    """Return the soft TF-IDF of the most similar names of each pair of entities.

    A word w weighs idf(w) = ln(1 + N/n), where n of all N names hold it, and the weights of a name
    are scaled to length 1. With v the word of t that is closest to w (of equals the heavier),

        sim(s, t) = sum over the words w of s of weight(w, s) * weight(v, t) * close(w, v),

    cut to 1. The closeness of two words is their `ngram` similarity if it is `CLOSE` or more, and
    at least `EXCHANGED` if two names of one entity exchange them; else it is 0.

    Parameters
    ----------
    sources, targets
        The prepared names of n and of m entities, at least one for each.

    Returns
    -------
    ndarray of float64, shape (n, m)
        Values in [0, 1]. Not symmetric in the two sides.

    References
    ----------
    Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching
    tasks, section 2.4; the lexicon is ours.

    Examples
    --------
    >>> entities = [["pulmonary artery", "lung artery"], ["liver"]]
    >>> words_matrix(entities, [["arteries of lung"], ["livers"]]).round(2)
    array([[0.33, 0.  ],
           [0.  , 0.86]])
    """
    vocabulary: dict[str, int] = {}
    occurrences1, owners1 = _occurrences(sources, vocabulary)
    occurrences2, owners2 = _occurrences(targets, vocabulary)
    names = len(owners1) + len(owners2)
    words = np.concatenate([occurrences1[1], occurrences2[1]])
    weights = np.log(1.0 + names / np.bincount(words, minlength=len(vocabulary)))
    bags1 = _weighted(occurrences1, weights, len(owners1))
    bags2 = _weighted(occurrences2, weights, len(owners2))
    closeness = _closeness(vocabulary, [*sources, *targets])
    closest = _closest(closeness, bags2)
    result = np.zeros((len(sources), len(targets)))
    for start in range(0, len(owners1), _BLOCK):
        block = coo_array(bags1[start : start + _BLOCK] @ closest)
        rows, columns = block.coords
        np.maximum.at(result, (owners1[start:][rows], owners2[columns]), block.data)
    return np.minimum(result, 1.0)


#: Numbers of names, and of the words that they hold.
_Occurrences = tuple[list[int], list[int]]


def _occurrences(
    entities: Sequence[Sequence[str]], vocabulary: dict[str, int]
) -> tuple[_Occurrences, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Return the words that each name holds, and the entity of each name.

    New words join the vocabulary.
    """
    names: list[int] = []
    words: list[int] = []
    owners: list[int] = []
    for entity, texts in enumerate(entities):
        for text in texts:
            for word in words_of(text):
                names.append(len(owners))
                words.append(vocabulary.setdefault(word, len(vocabulary)))
            owners.append(entity)
    return (names, words), np.array(owners, dtype=np.intp)


def _weighted(occurrences: _Occurrences, weights: Matrix, names: int) -> csr_array:
    """Return the weights of the words of each name, each row of length 1."""
    _, words = occurrences
    bag = csr_array((weights[words], occurrences), shape=(names, len(weights)))
    lengths = np.sqrt(np.asarray(bag.multiply(bag).sum(axis=1)).ravel())
    return csr_array(diags_array(1.0 / lengths) @ bag)


def _closeness(vocabulary: dict[str, int], entities: Iterable[Sequence[str]]) -> csr_array:
    """Return the closeness of the pairs of close words."""
    words = list(vocabulary)
    similar = coo_array(similar_pairs(words, words, NGRAM, CLOSE))
    pairs = zip(*(indices.tolist() for indices in similar.coords), strict=True)
    closeness = dict(zip(pairs, similar.data.tolist(), strict=True))
    for word, synonym in exchanged_words(entities):
        if word in vocabulary and synonym in vocabulary:
            pair = vocabulary[word], vocabulary[synonym]
            closeness[pair] = max(closeness.get(pair, 0.0), EXCHANGED)
    closeness |= {(k, k): 1.0 for k in range(len(words))}
    rows, columns = np.array(list(closeness), dtype=np.intp).reshape(-1, 2).T
    cells = list(closeness.values()), (rows, columns)
    return csr_array(cells, shape=(len(words), len(words)))


def _closest(closeness: csr_array, names: csr_array) -> csr_array:
    """Return, for each word and name, weight times closeness of the closest word of the name."""
    holders = csr_array(names.T)
    links = coo_array(closeness)
    words, close_words = links.coords
    # each link once for every name that holds its second word
    counts = np.diff(holders.indptr)[close_words]
    starts = holders.indptr[close_words] - np.concatenate([[0], np.cumsum(counts)[:-1]])
    positions = np.repeat(starts, counts) + np.arange(counts.sum())
    word, close = np.repeat(words, counts), np.repeat(links.data, counts)
    name, weight = holders.indices[positions], holders.data[positions]
    # of each word and name, the closest comes first, and of equals the heaviest
    order = np.lexsort((-weight, -close, name, word))
    word, name = word[order], name[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (word[1:] != word[:-1]) | (name[1:] != name[:-1])
    values = (close * weight)[order][is_first]
    cells = values, (word[is_first], name[is_first])
    return csr_array(cells, shape=(closeness.shape[0], names.shape[0]))


WORDS = Evidence(
    name="words",
    family="evidence",
    similarity=sees_no_strings("words"),
    matrices=lambda groups, _: [words_matrix(g.source.names, g.target.names) for g in groups],
    summary="soft TF-IDF of words, with a lexicon from the synonyms: rare and similar words count",
    source="Cohen, Ravikumar, Fienberg (2003); the lexicon is ours",
    symmetric=False,
)
