"""Words: names as bags of words, rare words counting more, similar words counting in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array

from alignrank.matchers.metrics.metric import Matrix
from alignrank.matchers.metrics.ngram import NGRAM
from alignrank.matchers.similarity.tiles import similar_pairs

from .own import Evidence, sees_no_strings

#: Least similarity (by `ngram`) of two words that count as similar.
CLOSE = 0.8
#: Similarity of two words that the ontologies' own synonyms exchange for each other.
EXCHANGED = 0.9
#: Names that are compared at a time.
_BLOCK = 2048

_WORD = re.compile(r"[^\W_]+")


def words_of(name: str) -> list[str]:
    """Return the distinct words of a name in order; one without letters and digits is one word.

    Examples
    --------
    >>> words_of("wall of the left-hand wall"), words_of("***")
    (['wall', 'of', 'the', 'left', 'hand'], ['***'])
    """
    return list(dict.fromkeys(_WORD.findall(name))) or [name]


def exchanged_words(entities: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    """Return pairs of words that names of one entity exchange for each other, both ways round.

    Two names do where they have as many words, and differ in exactly one place.

    Examples
    --------
    >>> sorted(exchanged_words([["lung artery", "pulmonary artery", "artery"]]))
    [('lung', 'pulmonary'), ('pulmonary', 'lung')]
    """
    found = set()
    for names in entities:
        split = [name.split() for name in names]
        for k, one in enumerate(split):
            for other in split[k + 1 :]:
                if len(one) == len(other):
                    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
                    if len(differing) == 1:
                        (a, b) = differing[0]
                        found |= {(a, b), (b, a)}
    return found


def words_matrix(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> Matrix:
    """Return the soft TF-IDF of the most similar names of each pair of entities.

    A word w weighs idf(w) = ln(1 + N/n), n of all N names holding it, and the weights of a name
    are scaled to length 1. With v the word of t that is closest to w (of equals the heavier),

        sim(s, t) = sum over the words w of s of weight(w, s) * weight(v, t) * close(w, v),

    cut to 1. Two words are as close as `ngram` says, if at least `CLOSE`; as `EXCHANGED` at least,
    if two names of one entity exchange them; else not at all.

    Parameters
    ----------
    sources, targets
        The prepared names of n and of m entities, one at least for each.

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
    held1, owners1 = _holding(sources, vocabulary)
    held2, owners2 = _holding(targets, vocabulary)
    names = len(owners1) + len(owners2)
    holding = np.bincount(np.concatenate([held1[1], held2[1]]), minlength=len(vocabulary))
    weights = np.log(1.0 + names / holding)
    one = _weighted(held1, weights, len(owners1))
    two = _weighted(held2, weights, len(owners2))
    reached = _closest(_closeness(list(vocabulary), [*sources, *targets]), two)
    result = np.zeros((len(sources), len(targets)))
    for first in range(0, len(owners1), _BLOCK):
        found = coo_array(one[first : first + _BLOCK] @ reached)
        rows, columns = found.coords
        np.maximum.at(result, (owners1[first:][rows], owners2[columns]), found.data)
    return np.minimum(result, 1.0)


_Held = tuple[list[int], list[int]]


def _holding(
    entities: Sequence[Sequence[str]], vocabulary: dict[str, int]
) -> tuple[_Held, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Return which name holds which word (new ones join the vocabulary), and whose each name is."""
    names: list[int] = []
    words: list[int] = []
    owners = [entity for entity, of_entity in enumerate(entities) for _ in of_entity]
    for name, text in enumerate(text for of_entity in entities for text in of_entity):
        for word in words_of(text):
            names.append(name)
            words.append(vocabulary.setdefault(word, len(vocabulary)))
    return (names, words), np.array(owners, dtype=np.intp)


def _weighted(held: _Held, weights: Matrix, names: int) -> csr_array:
    """Return the weights of the words of each name, each row of length 1."""
    bag = csr_array((weights[held[1]], held), shape=(names, len(weights)))
    lengths = np.sqrt(np.asarray(bag.multiply(bag).sum(axis=1)).ravel())
    return csr_array(diags_array(1.0 / lengths) @ bag)


def _closeness(vocabulary: list[str], entities: Iterable[Sequence[str]]) -> csr_array:
    """Return how close each two words of the vocabulary are, where they are."""
    similar = coo_array(similar_pairs(vocabulary, vocabulary, NGRAM, CLOSE))
    close = {
        (int(i), int(j)): float(value)
        for i, j, value in zip(*similar.coords, similar.data, strict=True)
    }
    number = {word: k for k, word in enumerate(vocabulary)}
    for a, b in exchanged_words(entities):
        if a in number and b in number:
            pair = number[a], number[b]
            close[pair] = max(close.get(pair, 0.0), EXCHANGED)
    close |= {(k, k): 1.0 for k in number.values()}
    ends = np.array(list(close), dtype=np.intp).reshape(-1, 2).T
    shape = (len(vocabulary), len(vocabulary))
    return csr_array((list(close.values()), (ends[0], ends[1])), shape=shape)


def _closest(closeness: csr_array, names: csr_array) -> csr_array:
    """Return, for each word and name, weight times closeness of the closest word of the name."""
    holders = csr_array(names.T)
    links = coo_array(closeness)
    words, others = links.coords
    many = np.diff(holders.indptr)[others]
    starts = holders.indptr[others] - np.concatenate([[0], np.cumsum(many)[:-1]])
    place = np.repeat(starts, many) + np.arange(many.sum())
    word, close = np.repeat(words, many), np.repeat(links.data, many)
    name, weight = holders.indices[place], holders.data[place]
    order = np.lexsort((-weight, -close, name, word))
    word, name = word[order], name[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (word[1:] != word[:-1]) | (name[1:] != name[:-1])
    value = (close * weight)[order]
    shape = (closeness.shape[0], names.shape[0])
    return csr_array((value[first], (word[first], name[first])), shape=shape)


WORDS = Evidence(
    name="words",
    family="evidence",
    similarity=sees_no_strings("words"),
    matrices=lambda groups, _: [words_matrix(g.source.names, g.target.names) for g in groups],
    summary="soft TF-IDF of words, with the synonyms' own lexicon: rare and similar words count",
    source="Cohen, Ravikumar, Fienberg (2003); the lexicon is ours",
    symmetric=False,
)
