"""N-gram: trigrams that both strings contain; Kondrak's n-grams, aligned by position."""

from __future__ import annotations

from collections import Counter
from functools import partial
from operator import eq

from alignrank.matchers.metrics import Metric


def trigrams(s: str) -> Counter[str]:
    """Count the trigrams of `s`, without padding.

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
    distance = 1.0 - 2 * pairs / (len(s) - 2 + len(t) - 2)
    return 1.0 - distance  # OntoSim goes by way of a distance: 1 - (1 - x) is not always x


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


def positional_ngrams(s: str, n: int) -> list[tuple[tuple[str, bool], ...]]:
    """Return the n-grams of `s`, one for each character.

    n - 1 marked copies of the first letter go in front. A marked letter equals no plain one.
    """
    padding = [(s[:1], True)] * (n - 1)
    letters = padding + [(a, False) for a in s]
    return [tuple(letters[k : k + n]) for k in range(len(s))]


def equal_positions(x: tuple[tuple[str, bool], ...], y: tuple[tuple[str, bool], ...]) -> int:
    """Count the positions at which two n-grams agree."""
    return sum(map(eq, x, y))


def n_sim(s: str, t: str, n: int) -> float:
    """Return N-SIM: S(len(s), len(t)) / max(len(s), len(t)), 1 for two empty strings.

    With e the number of positions at which two n-grams agree::

        S(k, l) = max(S(k-1, l), S(k, l-1), S(k-1, l-1) + e(k, l)/n),  S(., 0) = S(0, .) = 0

    For n = 1 this is the ratio of the longest common subsequence.

    Examples
    --------
    >>> n_sim("heart", "Heart", 2)
    0.7
    """
    if not s and not t:
        return 1.0
    grams_t = positional_ngrams(t, n)
    above = [0] * (len(t) + 1)  # n S, whole numbers: divided only at the end
    for x in positional_ngrams(s, n):
        row = [0]
        for j, y in enumerate(grams_t, start=1):
            aligned = above[j - 1] + equal_positions(x, y)
            row.append(max(aligned, above[j], row[-1]))
        above = row
    return above[-1] / (n * max(len(s), len(t)))


def n_dist(s: str, t: str, n: int) -> float:
    """Return 1 - N-DIST: 1 - D(len(s), len(t)) / max(len(s), len(t)), 1 for two empty strings.

    With e the number of positions at which two n-grams agree::

        D(k, l) = min(D(k-1, l) + 1, D(k, l-1) + 1, D(k-1, l-1) + 1 - e(k, l)/n),
        D(k, 0) = k,  D(0, l) = l

    For n = 1 this is Levenshtein.

    Examples
    --------
    >>> n_dist("heart", "Heart", 2)
    0.7
    """
    if not s and not t:
        return 1.0
    grams_t = positional_ngrams(t, n)
    above = [n * j for j in range(len(t) + 1)]  # n D, whole numbers
    for i, x in enumerate(positional_ngrams(s, n), start=1):
        row = [n * i]
        for j, y in enumerate(grams_t, start=1):
            agree = equal_positions(x, y)
            row.append(n + min(above[j], row[-1], above[j - 1] - agree))
        above = row
    return 1.0 - above[-1] / (n * max(len(s), len(t)))


METRICS = tuple(
    Metric(
        name=f"kondrak-{form}",
        family="standard",
        similarity=similarity,
        kernel=f"kondrak-{form}",
        summary=summary,
        source="Kondrak 2005",
        synonyms=synonyms,
    )
    for form, similarity, summary, synonyms in [
        (
            "bi-sim",
            partial(n_sim, n=2),
            "BI-SIM: best alignment of bigrams / max(n, m)",
            ("ngram-kondrak",),
        ),
        ("tri-sim", partial(n_sim, n=3), "TRI-SIM: best alignment of trigrams / max(n, m)", ()),
        ("bi-dist", partial(n_dist, n=2), "1 - BI-DIST: edit distance on bigrams / max(n, m)", ()),
        (
            "tri-dist",
            partial(n_dist, n=3),
            "1 - TRI-DIST: edit distance on trigrams / max(n, m)",
            (),
        ),
    ]
)
