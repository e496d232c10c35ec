"""SMOA (ISub): the share of common blocks less that of the remainders, with a prefix bonus."""

from __future__ import annotations

from collections.abc import Callable

from .metric import Metric
from .substring import Block, longest_block, scanned_block

_SEPARATORS = str.maketrans("", "", "._ ")


def prepare(s: str) -> str:
    """Return `s` lower-cased and without dots, underscores and spaces.

    Examples
    --------
    >>> prepare("Adrenal_Gland no.2")
    'adrenalglandno2'
    """
    return s.lower().translate(_SEPARATORS)


def smoa(s: str, t: str) -> float:
    """Return (Comm - Diff + Winkler + 1) / 2 on the prepared strings.

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
    a, b = prepare(s), prepare(t)
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
    a, b = prepare(s), prepare(t)
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
