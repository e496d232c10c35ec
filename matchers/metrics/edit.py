"""Metrics of positions and edits: equality, Hamming, Levenshtein, Needleman-Wunsch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from . import Metric, Similarity


def equality(s: str, t: str) -> float:
    """Return 1 if the strings are the same, else 0. OntoSim's ``equal`` is the same.

    Examples
    --------
    >>> equality("heart", "heart"), equality("heart", "Heart")
    (1.0, 0.0)
    """
    return float(s == t)


def positions(strings: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of each string: equal strings are paired without comparing all pairs.

    Examples
    --------
    >>> positions(["heart", "lung", "heart"])
    {'heart': [0, 2], 'lung': [1]}
    """
    by_string: dict[str, list[int]] = {}
    for position, string in enumerate(strings):
        by_string.setdefault(string, []).append(position)
    return by_string


EQUALITY = Metric(
    name="equality",
    family="standard",
    similarity=equality,
    kernel="equality",
    summary="1 if the strings are equal, else 0",
    source="Euzenat & Shvaiko 2013, string equality",
    synonyms=("equal", "exact", "identity"),
)
ONTOSIM_EQUALITY = Metric(
    name="ontosim-equality",
    family="ontosim",
    similarity=equality,
    kernel="equality",
    summary="1 if the strings are equal, else 0",
    source="OntoSim 2.4, equalDistance",
    synonyms=("ontosim-equal",),
)


def _zero_for_empty(similarity: Similarity, s: str, t: str) -> float:
    """Return a similarity, but 0 for two empty strings, as OntoSim does."""
    if s or t:
        return similarity(s, t)
    return 0.0


def _in_ontosim(metric: Metric, measure: str, *synonyms: str) -> Metric:
    """Return the form that a metric has in OntoSim, where its name is `measure`."""
    return replace(
        metric,
        name=f"ontosim-{metric.name}",
        family="ontosim",
        similarity=partial(_zero_for_empty, metric.similarity),
        summary=f"as {metric.name}; 0 for two empty strings",
        source=f"OntoSim 2.4, {measure}",
        synonyms=synonyms,
    )


def hamming(s: str, t: str) -> float:
    """Return 1 - d / max(n, m), d the number of positions that differ.

    Positions beyond the shorter string differ. Two empty strings have similarity 1. This is
    RapidFuzz's ``Hamming.normalized_similarity`` with padding.

    Examples
    --------
    >>> hamming("tooth", "teeth"), hamming("forebrain", "fore-brain")
    (0.6, 0.4)
    """
    longest = max(len(s), len(t))
    if longest == 0:
        return 1.0
    equal = sum(a == b for a, b in zip(s, t, strict=False))
    return 1.0 - (longest - equal) / longest


HAMMING = Metric(
    name="hamming",
    family="standard",
    similarity=hamming,
    kernel="hamming",
    summary="1 - d/max(n, m), d = positions that differ, those past the shorter string included",
    source="Hamming 1950; padded as by Euzenat & Shvaiko 2013",
)
ONTOSIM_HAMMING = _in_ontosim(HAMMING, "hammingDistance")


def edit_cost(s: str, t: str, gap: int) -> int:
    """Return the least cost of turning `s` into `t`.

    A substitution costs 1, an insertion or deletion `gap`::

        C(i, 0) = gap i,  C(0, j) = gap j,
        C(i, j) = min(C(i-1, j) + gap, C(i, j-1) + gap, C(i-1, j-1) + [s_i != t_j])

    Examples
    --------
    >>> edit_cost("kitten", "sitting", gap=1), edit_cost("kitten", "sitting", gap=2)
    (3, 4)
    """
    above = [gap * j for j in range(len(t) + 1)]
    for i, a in enumerate(s, start=1):
        row = [gap * i]
        for j, b in enumerate(t, start=1):
            substituted = above[j - 1] + (a != b)
            row.append(min(substituted, above[j] + gap, row[-1] + gap))
        above = row
    return above[-1]


def levenshtein(s: str, t: str) -> float:
    """Return 1 - C / max(n, m), C the least number of edits; 1 for two empty strings.

    This is RapidFuzz's ``Levenshtein.normalized_similarity``.

    Examples
    --------
    >>> levenshtein("forebrain", "fore-brain"), levenshtein("", "")
    (0.9, 1.0)
    """
    if not s and not t:
        return 1.0
    return 1.0 - edit_cost(s, t, gap=1) / max(len(s), len(t))


def needleman_wunsch(s: str, t: str) -> float:
    """Return 1 - C / (min(n, m) + 2 |n - m|), C the least cost with gap 2 and substitution 1.

    The denominator is the largest possible cost. Two empty strings have similarity 1. The original
    maximises an unnormalised score; this is the distance that the ontology-matching literature
    runs under its name.

    Examples
    --------
    >>> needleman_wunsch("kitten", "sitting")
    0.5
    """
    if not s and not t:
        return 1.0
    largest_cost = min(len(s), len(t)) + 2 * abs(len(s) - len(t))
    return 1.0 - edit_cost(s, t, gap=2) / largest_cost


LEVENSHTEIN = Metric(
    name="levenshtein",
    family="standard",
    similarity=levenshtein,
    kernel="levenshtein",
    summary="1 - C/max(n, m), C = least number of insertions, deletions and substitutions",
    source="Levenshtein 1966",
    synonyms=("edit-distance",),
)
ONTOSIM_LEVENSHTEIN = _in_ontosim(LEVENSHTEIN, "levenshteinDistance")
NEEDLEMAN_WUNSCH = Metric(
    name="needleman-wunsch",
    family="standard",
    similarity=needleman_wunsch,
    kernel="needleman-wunsch",
    summary="1 - C/(min(n, m) + 2|n - m|), C = least edit cost with gap 2, substitution 1",
    source="Needleman & Wunsch 1970; cost form of Euzenat & Shvaiko 2013",
    synonyms=("nw", "nw2", "needleman-wunsch2"),
)
ONTOSIM_NEEDLEMAN_WUNSCH = _in_ontosim(
    NEEDLEMAN_WUNSCH, "needlemanWunsch2Distance", "ontosim-nw", "ontosim-nw2"
)
