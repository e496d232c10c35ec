"""Equality: 1 for the same string, else 0; Hamming: positions with the same character."""

from __future__ import annotations

from collections.abc import Sequence

from alignrank.matchers.metrics.metric import Metric


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


def ontosim_hamming(s: str, t: str) -> float:
    """Return `hamming`, but 0 for two empty strings, where OntoSim divides 0 by 0."""
    return hamming(s, t) if s or t else 0.0


HAMMING = Metric(
    name="hamming",
    family="standard",
    similarity=hamming,
    kernel="hamming",
    summary="1 - d/max(n, m), d = positions that differ, those past the shorter string included",
    source="Hamming 1950; padded as by Euzenat & Shvaiko 2013",
)
ONTOSIM_HAMMING = Metric(
    name="ontosim-hamming",
    family="ontosim",
    similarity=ontosim_hamming,
    kernel="hamming",
    summary="as hamming; 0 for two empty strings",
    source="OntoSim 2.4, hammingDistance",
)
