"""Jaro-Winkler: Jaro, raised for strings that begin alike."""

from __future__ import annotations

from . import jaro
from .base import Metric
from .batch import Kernel


def similarity(s: str, t: str) -> float:
    """Return J + .1 L (1 - J) where Jaro's J exceeds .7, else J; L = min(4, common prefix length).

    This is RapidFuzz's ``JaroWinkler.similarity``.

    Examples
    --------
    >>> similarity("martha", "marhta")
    0.9611111111111111
    """
    value = jaro.similarity(s, t)
    if value > 0.7:
        prefix = 0
        while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
            prefix += 1
        value += prefix * 0.1 * (1.0 - value)
        value = min(value, 1.0)
    return value


def ontosim_similarity(s: str, t: str) -> float:
    """Return .6 times OntoSim's Jaro similarity, whatever the prefix.

    OntoSim adds Winkler's bonus to a distance, always with a prefix of 4: d = d_J + .4 (1 - d_J).

    Examples
    --------
    >>> ontosim_similarity("heart", "heart"), ontosim_similarity("abc", "xyz")
    (0.6, 0.0)
    """
    distance = 1.0 - jaro.ontosim_similarity(s, t)
    return 1.0 - (distance + 4 * (1.0 - distance) / 10)


STANDARD = Metric(
    name="jaro-winkler",
    family="standard",
    similarity=similarity,
    batch=Kernel("jaro-winkler"),
    summary="J + .1 L (1 - J) where Jaro's J > .7, else J; L = common prefix, at most 4",
    source="Winkler 1990",
    synonyms=("jarowinkler", "winkler"),
)
ONTOSIM = Metric(
    name="ontosim-jaro-winkler",
    family="ontosim",
    similarity=ontosim_similarity,
    batch=Kernel("ontosim-jaro-winkler"),
    summary=".6 times ontosim-jaro: ranks as ontosim-jaro does",
    source="OntoSim 2.4, jaroWinklerMeasure",
    symmetric=False,
    identity=False,
    maximum=0.6,
    synonyms=("ontosim-jarowinkler",),
)
