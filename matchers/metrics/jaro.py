"""Jaro: matching characters in a window, and transpositions; Jaro-Winkler: a bonus for a prefix."""

from __future__ import annotations

from . import Metric


def jaro(s: str, t: str) -> float:
    """Return (c/n + c/m + (c - h)/c) / 3, with c matching characters and h transpositions.

    Two equal characters match if their positions differ by at most max(n, m) // 2 - 1; each is
    used once, from left to right (from either string: the matches are the same). h is half the
    number of places (rounded down) at which the matching characters of `s`, in order, differ from
    those of `t`. No match: 0; two empty strings: 1. This is RapidFuzz's ``Jaro.similarity``.

    Examples
    --------
    >>> jaro("martha", "marhta"), jaro("a", "a")
    (0.9444444444444445, 1.0)
    """
    if not s and not t:
        return 1.0
    window = max(max(len(s), len(t)) // 2 - 1, 0)
    used = [False] * len(t)
    matched_s = []
    for i, a in enumerate(s):
        for j in range(max(0, i - window), min(i + window + 1, len(t))):
            if not used[j] and t[j] == a:
                used[j] = True
                matched_s.append(a)
                break
    c = len(matched_s)
    if c == 0:
        return 0.0
    matched_t = [b for b, is_used in zip(t, used, strict=True) if is_used]
    differing = sum(a != b for a, b in zip(matched_s, matched_t, strict=True))
    in_order = c - differing // 2
    return (c / len(s) + c / len(t) + in_order / c) / 3.0


def ontosim_jaro(s: str, t: str) -> float:
    """Return (p/n + q/m + r/p) / 3 with OntoSim's own idea of a match.

    With w = min(n, m) // 2, a character of `s` at i matches if `t` has it at some k with
    i - w <= k < i + w, and likewise for `t`; characters are not used up. p and q are the numbers
    of matching characters of `s` and `t`, r counts the places at which the two sequences of
    matching characters agree. Not symmetric (r is divided by p); strings of length 0 and 1 have
    similarity 0, with themselves too.

    Examples
    --------
    >>> ontosim_jaro("martha", "marhta"), ontosim_jaro("a", "a")
    (0.8888888888888888, 0.0)
    """
    window = min(len(s), len(t)) // 2
    matched_s = _with_equal_in_window(s, t, window)
    matched_t = _with_equal_in_window(t, s, window)
    p = len(matched_s)
    q = len(matched_t)
    if p == 0:
        return 0.0
    r = sum(a == b for a, b in zip(matched_s, matched_t, strict=False))
    distance = 1.0 - (p / len(s) + q / len(t) + r / p) / 3.0
    return 1.0 - distance  # OntoSim goes by way of a distance: 1 - (1 - x) is not always x


def _with_equal_in_window(s: str, t: str, window: int) -> list[str]:
    return [a for i, a in enumerate(s) if a in t[max(0, i - window) : i + window]]


def jaro_winkler(s: str, t: str) -> float:
    """Return J + .1 L (1 - J) where Jaro's J exceeds .7, else J; L = min(4, common prefix length).

    This is RapidFuzz's ``JaroWinkler.similarity``.

    Examples
    --------
    >>> jaro_winkler("martha", "marhta")
    0.9611111111111111
    """
    value = jaro(s, t)
    if value <= 0.7:
        return value
    prefix = 0
    while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
        prefix += 1
    bonus = prefix * 0.1 * (1.0 - value)
    return min(value + bonus, 1.0)


def ontosim_jaro_winkler(s: str, t: str) -> float:
    """Return .6 times OntoSim's Jaro similarity; the prefix plays no role.

    OntoSim adds Winkler's bonus to a distance, always with a prefix of 4: d = d_J + .4 (1 - d_J).

    Examples
    --------
    >>> ontosim_jaro_winkler("heart", "heart"), ontosim_jaro_winkler("abc", "xyz")
    (0.6, 0.0)
    """
    distance = 1.0 - ontosim_jaro(s, t)
    return 1.0 - (distance + 4 * (1.0 - distance) / 10)


JARO = Metric(
    name="jaro",
    family="standard",
    similarity=jaro,
    kernel="jaro",
    summary="(c/n + c/m + (c - h)/c)/3, c = matching characters, h = transpositions",
    source="Jaro 1989; Winkler 1990",
)
ONTOSIM_JARO = Metric(
    name="ontosim-jaro",
    family="ontosim",
    similarity=ontosim_jaro,
    kernel="ontosim-jaro",
    summary="(p/n + q/m + r/p)/3 with characters that are not used up; not symmetric",
    source="OntoSim 2.4, jaroMeasure",
    symmetric=False,
    identity=False,
)
JARO_WINKLER = Metric(
    name="jaro-winkler",
    family="standard",
    similarity=jaro_winkler,
    kernel="jaro",
    summary="J + .1 L (1 - J) where Jaro's J > .7, else J; L = common prefix, at most 4",
    source="Winkler 1990",
    synonyms=("jarowinkler", "winkler"),
)
ONTOSIM_JARO_WINKLER = Metric(
    name="ontosim-jaro-winkler",
    family="ontosim",
    similarity=ontosim_jaro_winkler,
    kernel="ontosim-jaro",
    summary=".6 times ontosim-jaro: ranks as ontosim-jaro does",
    source="OntoSim 2.4, jaroWinklerMeasure",
    symmetric=False,
    identity=False,
    maximum=0.6,
    synonyms=("ontosim-jarowinkler",),
)
