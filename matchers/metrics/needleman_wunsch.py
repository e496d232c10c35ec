"""Needleman-Wunsch: edit cost with gaps twice as dear as substitutions."""

from __future__ import annotations

from .base import Metric
from .batch import Kernel
from .levenshtein import edit_cost, largest_cost


def similarity(s: str, t: str) -> float:
    """Return 1 - C / (min(n, m) + 2 |n - m|), C the least cost with gap 2 and substitution 1.

    The denominator is the largest possible cost. Two empty strings have similarity 1. The original
    maximises an unnormalised score; this is the distance that the ontology-matching literature
    runs under its name.

    Examples
    --------
    >>> similarity("kitten", "sitting")
    0.5
    """
    if not s and not t:
        return 1.0
    return 1.0 - edit_cost(s, t, gap=2) / largest_cost(len(s), len(t), gap=2)


def ontosim_similarity(s: str, t: str) -> float:
    """Return OntoSim's value: the same, and 0 for two empty strings."""
    return similarity(s, t) if s or t else 0.0


STANDARD = Metric(
    name="needleman-wunsch",
    family="standard",
    similarity=similarity,
    batch=Kernel("needleman-wunsch"),
    summary="1 - C/(min(n, m) + 2|n - m|), C = least edit cost with gap 2, substitution 1",
    source="Needleman & Wunsch 1970; cost form of Euzenat & Shvaiko 2013",
    synonyms=("nw", "nw2", "needleman-wunsch2"),
)
ONTOSIM = Metric(
    name="ontosim-needleman-wunsch",
    family="ontosim",
    similarity=ontosim_similarity,
    batch=Kernel("ontosim-needleman-wunsch"),
    summary="as needleman-wunsch; 0 for two empty strings",
    source="OntoSim 2.4, needlemanWunsch2Distance",
    synonyms=("ontosim-nw", "ontosim-nw2"),
)
