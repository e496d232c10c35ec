"""Common blocks: the longest one (substring), and all of them in turn (SMOA, or ISub)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import Metric


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


_SEPARATORS = str.maketrans("", "", "._ ")


def without_separators(s: str) -> str:
    """Return `s` lower-cased and without dots, underscores and spaces.

    Examples
    --------
    >>> without_separators("Adrenal_Gland no.2")
    'adrenalglandno2'
    """
    return s.lower().translate(_SEPARATORS)


def smoa(s: str, t: str) -> float:
    """Return (Comm - Diff + Winkler + 1) / 2 without separators, in lower case.

    Longest common blocks of at least 3 characters are taken out of both strings (of several the
    first in `s`, then in `t`), until there are no more; the remainders close up. With c
    characters taken out, n and m the prepared lengths, u = (n - c)/n and v = (m - c)/m::

        Comm = 2c / (n + m)
        Diff = u v / (.6 + .4 (u + v - u v))
        Winkler = .1 L (1 - Comm),  L = min(4, common prefix length of the prepared strings)

    Equal prepared strings have similarity 1; an empty and a non-empty one 0.

    Examples
    --------
    >>> smoa("left ventricle", "ventricle_left"), smoa("ab", "AB")
    (1.0, 1.0)
    >>> smoa("pancreas", "pancreas head")
    0.94
    """
    a = without_separators(s)
    b = without_separators(t)
    if a == b:
        return 1.0
    return _isub(a, b, a, b, longest_block)


def ontosim_smoa(s: str, t: str) -> float:
    """Return SMOA as OntoSim computes it.

    The blocks are those of its scan (`alignrank.matchers.metrics.substring.scanned_block`), the
    prefix is that of the strings before preparation, and equal strings of prepared length 1 or 2 do
    not get 1.

    Examples
    --------
    >>> ontosim_smoa("aab", "aaab"), ontosim_smoa("aaab", "aab")
    (0.09999999999999998, 0.9428571428571428)
    """
    a = without_separators(s)
    b = without_separators(t)
    if not a and not b:
        return 1.0
    distance = 1.0 - _isub(a, b, s, t, scanned_block)
    return 1.0 - distance  # OntoSim goes by way of a distance: 1 - (1 - x) is not always x


def _isub(a: str, b: str, s: str, t: str, block: Callable[[str, str], Block]) -> float:
    """Return SMOA of the prepared strings a and b, not both empty, with the prefix of s and t."""
    if not a or not b:
        return 0.0
    common = _common_characters(a, b, block)
    comm = 2 * common / (len(a) + len(b))
    u = (len(a) - common) / len(a)
    v = (len(b) - common) / len(b)
    either = u + v - u * v
    diff = u * v / (0.6 + 0.4 * either)
    prefix = 0
    while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
        prefix += 1
    winkler = 0.1 * prefix * (1.0 - comm)
    return (comm - diff + winkler + 1.0) / 2.0


def _common_characters(a: str, b: str, block: Callable[[str, str], Block]) -> int:
    common = 0
    while a and b:
        i, j, length = block(a, b)
        if length <= 2:
            break
        common += length
        a = a[:i] + a[i + length :]
        b = b[:j] + b[j + length :]
    return common


SMOA = Metric(
    name="smoa",
    family="standard",
    similarity=smoa,
    kernel="smoa",
    summary="(Comm - Diff + Winkler + 1)/2: shared blocks, less the rest, with prefix bonus",
    source="Stoilos, Stamou & Kollias 2005, mapped to [0, 1]",
    # Which of several longest blocks goes first depends on the order of the strings.
    symmetric=False,
    synonyms=("isub", "i-sub"),
)
ONTOSIM_SMOA = Metric(
    name="ontosim-smoa",
    family="ontosim",
    similarity=ontosim_smoa,
    kernel="ontosim-smoa",
    summary="as smoa with its own block scan and the prefix of the unprepared strings",
    source="OntoSim 2.4, smoaDistance",
    symmetric=False,
    identity=False,
    synonyms=("ontosim-isub",),
)
