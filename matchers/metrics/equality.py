"""Equality: 1 for the same string, else 0."""

from __future__ import annotations

from .base import Metric
from .batch import Kernel


def similarity(s: str, t: str) -> float:
    """Return 1 if the strings are the same, else 0. OntoSim's ``equal`` is the same.

    Examples
    --------
    >>> similarity("heart", "heart"), similarity("heart", "Heart")
    (1.0, 0.0)
    """
    return float(s == t)


STANDARD = Metric(
    name="equality",
    family="standard",
    similarity=similarity,
    batch=Kernel("equality"),
    summary="1 if the strings are equal, else 0",
    source="Euzenat & Shvaiko 2013, string equality",
    synonyms=("equal", "exact", "identity"),
)
ONTOSIM = Metric(
    name="ontosim-equality",
    family="ontosim",
    similarity=similarity,
    batch=Kernel("ontosim-equality"),
    summary="1 if the strings are equal, else 0",
    source="OntoSim 2.4, equalDistance",
    synonyms=("ontosim-equal",),
)
