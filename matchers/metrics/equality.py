"""Equality: 1 for the same string, else 0."""

from __future__ import annotations

from .metric import Metric


def equality(s: str, t: str) -> float:
    """Return 1 if the strings are the same, else 0. OntoSim's ``equal`` is the same.

    Examples
    --------
    >>> equality("heart", "heart"), equality("heart", "Heart")
    (1.0, 0.0)
    """
    return float(s == t)


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
