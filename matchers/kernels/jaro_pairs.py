"""Jaro and Jaro-Winkler of chosen pairs of strings, one at a time.

The matched places of s are bits of a word, and the characters of t are visited in turn. Jaro's
definition visits those of s, but the same places match. Take the places of one character in s and
in t, each in order. Compare the first places: if they are near enough, both are matched, and else
the smaller one has no partner. This does not depend on the string that is visited.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

from .strings import longest, text
from .vectors import count_bits


@kernel
def jaro_similarities(
    sources: Any, targets: Any, alphabet: int, rows: Any, columns: Any, winkler: bool, needed: Any
) -> Any:
    """Return Jaro's or Jaro-Winkler's similarity of chosen pairs.

    `needed` is a Jaro similarity for each length of the common prefix (`least_jaro`). Below it,
    the returned value may be 0.
    """
    values = np.zeros(len(rows))
    places = np.zeros((alphabet, 2), np.uint64)  # of s, the first 128
    matched = np.empty(longest(targets) + longest(sources), np.uint32)
    used = np.empty(longest(targets), np.bool_)
    full = ~np.uint64(0)
    bit = np.uint64(1)
    row = -1
    for k in range(len(rows)):
        if rows[k] != row:  # the places of this source replace those of the last one
            if row >= 0:
                _forget(text(sources, row), places)
            row = rows[k]
            if sources.lengths[row] <= 128:
                _remember(text(sources, row), places)
        s_start = sources.starts[row]
        t_start = targets.starts[columns[k]]
        n: Any = np.int64(sources.lengths[row])
        m: Any = np.int64(targets.lengths[columns[k]])
        if n == 0 or m == 0:
            values[k] = n == m
            continue
        window = max(max(n, m) // 2 - 1, 0)
        number = 0
        agreeing = 0
        prefix = common_prefix(text(sources, row), text(targets, columns[k])) if winkler else 0
        if n <= 64:
            # A character of t is matched with its first free place in s within the window.
            used_places = np.uint64(0)
            near = full >> np.uint64(max(63 - window, 0))
            place = np.uint64(t_start)
            last = np.uint64(t_start + min(m, n + window))
            while place < last:  # unsigned indices need no test for negative values
                code = targets.codes[place]
                free = places[code, 0] & near & ~used_places
                used_places |= free & (~free + bit)
                matched[number] = code
                number += free != 0
                near = near << bit | np.uint64(place < np.uint64(t_start + window))
                place += bit
            # Without transpositions the similarity is largest, and may be too small already.
            largest = (number / n + number / m + 1.0) / 3.0
            if number == 0 or largest < needed[prefix] - 1e-9:
                continue
            for rank in range(number):  # the matched characters of s and of t in order
                place = np.uint64(s_start + _first_place(used_places))
                agreeing += sources.codes[place] == matched[rank]
                used_places &= used_places - bit
        else:
            s = text(sources, row)
            t = text(targets, columns[k])
            if n <= 128:
                number, agreeing = _jaro_by_two_words(s, t, window, places, matched)
            else:
                number, agreeing = _plain_jaro(s, t, window, used[:m], matched)
            if number == 0:
                continue
        transpositions = (number - agreeing) // 2
        value = (number / n + number / m + (number - transpositions) / number) / 3.0
        if winkler and value > 0.7:
            value = min(value + prefix * 0.1 * (1.0 - value), 1.0)
        values[k] = value
    return values


@helper
def _jaro_by_two_words(s: Any, t: Any, window: int, places: Any, matched: Any) -> tuple[int, int]:
    """Return what `_plain_jaro` does, for s of 65 to 128 characters."""
    low = high = np.uint64(0)  # the matched places of s
    full = ~np.uint64(0)
    bit = np.uint64(1)
    number = 0
    for j in range(min(len(t), len(s) + window)):
        first = max(j - window, 0)
        last = min(j + window, len(s) - 1)
        free = np.uint64(0)
        if first < 64:
            near = full << np.uint64(first) & full >> np.uint64(max(63 - last, 0))
            free = places[t[j], 0] & near & ~low
            low |= free & (~free + bit)
        if free == 0 and last >= 64:
            near = full << np.uint64(max(first - 64, 0)) & full >> np.uint64(127 - last)
            free = places[t[j], 1] & near & ~high
            high |= free & (~free + bit)
        matched[number] = t[j]
        number += free != 0
    agreeing = place = 0
    for first, used_places in ((0, low), (64, high)):
        while used_places != 0:
            agreeing += s[first + _first_place(used_places)] == matched[place]
            used_places &= used_places - bit
            place += 1
    return number, agreeing


@helper
def _plain_jaro(s: Any, t: Any, window: int, used: Any, matched: Any) -> tuple[int, int]:
    """Return the numbers of matching characters and of places where their sequences agree."""
    used[:] = False
    number = agreeing = place = 0
    for i in range(len(s)):
        for j in range(max(0, i - window), min(i + window + 1, len(t))):
            if not used[j] and t[j] == s[i]:
                used[j] = True
                matched[number] = s[i]
                number += 1
                break
    for j in range(len(t)):
        if used[j]:
            agreeing += t[j] == matched[place]
            place += 1
    return number, agreeing


@helper
def _first_place(bits: Any) -> int:
    """Return the number of the lowest bit that is set."""
    return int(count_bits(~bits & (bits - np.uint64(1))))


@helper
def _remember(codes: Any, places: Any) -> None:
    """Set, for each character of a text, the bits of its places."""
    for i in range(len(codes)):
        places[codes[i], i // 64] |= np.uint64(1) << np.uint64(i % 64)


@helper
def _forget(codes: Any, places: Any) -> None:
    for i in range(min(len(codes), 128)):
        places[codes[i]] = 0


@helper
def common_prefix(s: Any, t: Any) -> int:
    """Return the length of the common prefix, 4 at most."""
    prefix = 0
    while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
        prefix += 1
    return prefix


def least_jaro(threshold: float, winkler: bool) -> NDArray[np.float64]:
    """Return the Jaro similarity that a threshold needs, by the length of the common prefix."""
    bonus = np.arange(5) * (0.1 * winkler)
    boosted = np.maximum((threshold - bonus) / (1.0 - bonus), 0.7)  # up to .7 there is no bonus
    return np.minimum(boosted, threshold)
