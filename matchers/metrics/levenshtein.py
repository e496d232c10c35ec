"""Levenshtein: least number of insertions, deletions and substitutions."""

from __future__ import annotations

from .base import Metric
from .batch import Kernel


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
            row.append(min(above[j] + gap, row[j - 1] + gap, above[j - 1] + (a != b)))
        above = row
    return above[-1]


def largest_cost(n: int, m: int, gap: int) -> int:
    """Return the largest `edit_cost` of strings of length n and m: min(n, m) + gap |n - m|."""
    return min(n, m) + gap * abs(n - m)


def similarity(s: str, t: str) -> float:
    """Return 1 - C / max(n, m), C the least number of edits; 1 for two empty strings.

    This is RapidFuzz's ``Levenshtein.normalized_similarity``.

    Examples
    --------
    >>> similarity("forebrain", "fore-brain"), similarity("", "")
    (0.9, 1.0)
    """
    if not s and not t:
        return 1.0
    return 1.0 - edit_cost(s, t, gap=1) / largest_cost(len(s), len(t), gap=1)


def ontosim_similarity(s: str, t: str) -> float:
    """Return OntoSim's value: the same, and 0 for two empty strings."""
    return similarity(s, t) if s or t else 0.0


STANDARD = Metric(
    name="levenshtein",
    family="standard",
    similarity=similarity,
    batch=Kernel("levenshtein"),
    summary="1 - C/max(n, m), C = least number of insertions, deletions and substitutions",
    source="Levenshtein 1966",
    synonyms=("edit-distance",),
)
ONTOSIM = Metric(
    name="ontosim-levenshtein",
    family="ontosim",
    similarity=ontosim_similarity,
    batch=Kernel("ontosim-levenshtein"),
    summary="as levenshtein; 0 for two empty strings",
    source="OntoSim 2.4, levenshteinDistance",
)
