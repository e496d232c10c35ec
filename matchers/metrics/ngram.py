"""N-gram: trigrams that both strings contain."""

from __future__ import annotations

from collections import Counter

from .metric import Metric


def trigrams(s: str) -> Counter[str]:
    """Return how often each trigram occurs in `s`, without padding.

    Examples
    --------
    >>> trigrams("banana")
    Counter({'ana': 2, 'ban': 1, 'nan': 1})
    """
    return Counter(s[i : i + 3] for i in range(len(s) - 2))


def ngram(s: str, t: str) -> float:
    """Return Dice's coefficient 2 F / (n - 2 + m - 2) on the multisets of trigrams.

    F is the size of their intersection. Equal strings have similarity 1, unequal strings of which
    one is shorter than three characters 0.

    Examples
    --------
    >>> ngram("heart", "Heart"), ngram("ab", "ab"), ngram("ab", "abc")
    (0.6666666666666666, 1.0, 0.0)
    """
    if s == t:
        return 1.0
    if min(len(s), len(t)) < 3:
        return 0.0
    common = (trigrams(s) & trigrams(t)).total()
    return 2 * common / (len(s) - 2 + len(t) - 2)


def ontosim_ngram(s: str, t: str) -> float:
    """Return 2 F / (n - 2 + m - 2), where every pair of equal occurrences counts in F.

    With repeated trigrams the value can exceed 1; strings shorter than three characters have
    similarity 0, with themselves too (where n + m = 4 OntoSim has 0/0; here 0).

    Examples
    --------
    >>> ontosim_ngram("heart", "Heart"), ontosim_ngram("aaaa", "aaaa")
    (0.6666666666666666, 2.0)
    """
    in_t = trigrams(t)
    pairs = sum(count * in_t[gram] for gram, count in trigrams(s).items())
    if pairs == 0:
        return 0.0
    total = len(s) - 2 + len(t) - 2
    return 1.0 - (1.0 - 2 * pairs / total)  # a similarity from OntoSim's distance, in its bits


NGRAM = Metric(
    name="ngram",
    family="standard",
    similarity=ngram,
    kernel="ngram",
    summary="2F/(n - 2 + m - 2), F = size of the intersection of the multisets of trigrams",
    source="Dice 1945 on trigrams; Angell, Freund & Willett 1983",
    synonyms=("trigram", "trigrams", "n-gram", "dice3"),
)
ONTOSIM_NGRAM = Metric(
    name="ontosim-ngram",
    family="ontosim",
    similarity=ontosim_ngram,
    kernel="ontosim-ngram",
    summary="2F/(n - 2 + m - 2), F = number of pairs of equal trigrams; can exceed 1",
    source="OntoSim 2.4, ngramDistance",
    identity=False,
    maximum=float("inf"),
)
