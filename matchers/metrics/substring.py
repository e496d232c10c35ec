"""Substring: the longest block that both strings contain."""

from __future__ import annotations

from typing import NamedTuple

from .metric import Metric


class Block(NamedTuple):
    """A block that two strings share: its start in each, and its length."""

    start_s: int
    start_t: int
    length: int


def longest_block(s: str, t: str) -> Block:
    """Return the longest common block; of several the first in `s`, then the first in `t`.

    Examples
    --------
    >>> longest_block("aab", "aaab")
    Block(start_s=0, start_t=1, length=3)
    """
    best = Block(0, 0, 0)
    for i in range(len(s)):
        for j in range(len(t)):
            length = _common_length(s, t, i, j)
            if length > best.length:
                best = Block(i, j, length)
    return best


def scanned_block(s: str, t: str) -> Block:
    """Return the common block that OntoSim's scan finds, not always the longest.

    After a match the scan of `t` goes on behind it: a longer match that begins inside is missed.

    Examples
    --------
    >>> scanned_block("aab", "aaab").length, scanned_block("aaab", "aab").length
    (2, 3)
    """
    best = Block(0, 0, 0)
    for i in range(len(s)):
        if len(s) - i <= best.length:
            break
        j = 0
        while len(t) - j > best.length:
            length = _common_length(s, t, i, j)
            if length > best.length:
                best = Block(i, j, length)
            j += max(length, 1)
    return best


def _common_length(s: str, t: str, i: int, j: int) -> int:
    length = 0
    while i + length < len(s) and j + length < len(t) and s[i + length] == t[j + length]:
        length += 1
    return length


def substring(s: str, t: str) -> float:
    """Return 2 L / (n + m), L the length of the longest common block; 1 for two empty strings.

    Examples
    --------
    >>> substring("aab", "aaab"), substring("heart", "lung")
    (0.8571428571428571, 0.0)
    """
    if not s and not t:
        return 1.0
    return 2 * longest_block(s, t).length / (len(s) + len(t))


def ontosim_substring(s: str, t: str) -> float:
    """Return 2 L / (n + m), L the length of the block that OntoSim's scan finds.

    Examples
    --------
    >>> ontosim_substring("aab", "aaab")
    0.5714285714285714
    """
    if not s and not t:
        return 1.0
    distance = 1.0 - 2 * scanned_block(s, t).length / (len(s) + len(t))
    return 1.0 - distance  # OntoSim goes by way of a distance: 1 - (1 - x) is not always x


SUBSTRING = Metric(
    name="substring",
    family="standard",
    similarity=substring,
    kernel="substring",
    summary="2L/(n + m), L = length of the longest common block",
    source="Euzenat & Shvaiko 2013",
    synonyms=("longest-common-substring", "lcs"),
)
ONTOSIM_SUBSTRING = Metric(
    name="ontosim-substring",
    family="ontosim",
    similarity=ontosim_substring,
    kernel="ontosim-substring",
    summary="2L/(n + m), L = length of the block that its scan finds; rarely not symmetric",
    source="OntoSim 2.4, subStringDistance",
    symmetric=False,
)
