"""Hamming: positions at which both strings have the same character."""

from __future__ import annotations

from .metric import Metric


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
    """Return OntoSim's value: the same, and 0 for two empty strings (there 0/0)."""
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
