"""Equality: 1 for the same string, else 0."""

from __future__ import annotations

from collections.abc import Sequence

from .metric import Metric


def equality(s: str, t: str) -> float:
    """Return 1 if the strings are the same, else 0. OntoSim's ``equal`` is the same.

    Examples
    --------
    >>> equality("heart", "heart"), equality("heart", "Heart")
    (1.0, 0.0)
    """
    return float(s == t)


def positions(strings: Sequence[str]) -> dict[str, list[int]]:
    """Return where each string stands: so only equal pairs are looked at.

    Examples
    --------
    >>> positions(["heart", "lung", "heart"])
    {'heart': [0, 2], 'lung': [1]}
    """
    found: dict[str, list[int]] = {}
    for position, string in enumerate(strings):
        found.setdefault(string, []).append(position)
    return found


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
