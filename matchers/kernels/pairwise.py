"""What kernels count, for chosen pairs of strings, one at a time.

Pair k is the text ``rows[k]`` of the sources and ``columns[k]`` of the targets; pairs of the same
source lie together. Each function returns one count per pair, as the kernel of its metric does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .blocks import longest_block, scanned_block
from .candidates import trailing_zeros
from .compiled import kernel
from .edit import agreement
from .encoding import Texts, longest, text
from .removal import LONGEST
from .smoa import scalar_common, similarity, take_out
from .vectors import vectors


@kernel
def alignment_scores(
    sources: Any, targets: Any, rows: Any, columns: Any, ngram: int, base: int
) -> Any:
    """Return S(n, m) of `matchers.kernels.edit`."""
    scores = np.empty(len(rows), np.int64)
    line = np.empty(longest(targets) + 1, np.int32)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        line[: len(t) + 1] = 0
        for i in range(len(s)):
            diagonal = 0
            for j in range(len(t)):
                above = line[j + 1]
                gain = base + agreement(s, i, t, j, ngram)
                line[j + 1] = max(line[j], above, diagonal + gain)
                diagonal = above
        scores[k] = line[len(t)]
    return scores


@kernel
def equal_positions(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return the number of positions with equal characters."""
    equal = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        for i in range(min(len(s), len(t))):
            equal[k] += s[i] == t[i]
    return equal


@kernel
def block_lengths(sources: Any, targets: Any, rows: Any, columns: Any, scan: bool) -> Any:
    """Return the length of the longest common block, or of the one that OntoSim's scan finds."""
    lengths = np.empty(len(rows), np.int64)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        lengths[k] = scanned_block(s, t)[2] if scan else longest_block(s, t)[2]
    return lengths


@kernel
def common_elements(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return how many codes are in both, each as often as in both; the texts' codes are sorted."""
    common = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        i = j = 0
        while i < len(s) and j < len(t):
            common[k] += s[i] == t[j]
            first, second = s[i], t[j]
            i += first <= second
            j += second <= first
    return common


@kernel
def jaro_similarities(
    sources: Any,
    targets: Any,
    alphabet: int,
    rows: Any,
    columns: Any,
    winkler: bool,
    threshold: float,
) -> Any:
    """Return Jaro's or Jaro-Winkler's similarity; 0 for some of those below the threshold.

    The places of s that are matched are kept in a word of 64 bits, and t is gone through: Jaro's
    definition goes through s. The same places match. For each character, take its places in s and
    in t in order; whichever string is gone through, of the first place of either one each time the
    two are matched if they are near enough, and else the one that comes first is left out.
    """
    values = np.zeros(len(rows))
    least = (threshold - 0.4) / 0.6 if winkler else threshold  # of Jaro, whatever the prefix
    places = np.zeros(alphabet, np.uint64)
    matched = np.empty(longest(targets), np.uint32)
    own = np.empty(longest(sources), np.uint32)
    used = np.empty(longest(targets), np.bool_)
    row = -1
    for k in range(len(rows)):
        if rows[k] != row:
            if row >= 0:
                _forget(text(sources, row), places)
            row = rows[k]
            if sources.lengths[row] <= 64:
                _remember(text(sources, row), places)
        s, t = text(sources, row), text(targets, columns[k])
        n, m = len(s), len(t)
        window = max(max(n, m) // 2 - 1, 0)
        number, taken = 0, np.uint64(0)
        if n <= 64:
            every = ~np.uint64(0) >> np.uint64(64 - n) if n > 0 else np.uint64(0)
            for j in range(min(m, n + window)):
                near = every
                if j > window:
                    near &= ~np.uint64(0) << np.uint64(j - window)
                if j + window < 63:
                    near &= (np.uint64(1) << np.uint64(j + window + 1)) - np.uint64(1)
                free = places[t[j]] & near & ~taken
                taken |= free & (~free + np.uint64(1))
                matched[number] = t[j]
                number += free != 0
        else:
            used[:m] = False
            for i in range(n):
                for j in range(max(0, i - window), min(i + window + 1, m)):
                    if not used[j] and t[j] == s[i]:
                        used[j] = True
                        own[number] = s[i]
                        number += 1
                        break
        if n == 0 and m == 0:
            values[k] = 1.0
        if number == 0 or (number / n + number / m + 1.0) / 3.0 < least - 1e-9:
            continue
        agreeing = 0
        if n <= 64:
            for place in range(number):
                agreeing += s[trailing_zeros(taken)] == matched[place]
                taken &= taken - np.uint64(1)
        else:
            place = 0
            for j in range(m):
                if used[j]:
                    agreeing += t[j] == own[place]
                    place += 1
        transpositions = (number - agreeing) // 2
        value = (number / n + number / m + (number - transpositions) / number) / 3.0
        if winkler and value > 0.7:
            value += common_prefix(s, t) * 0.1 * (1.0 - value)
            value = min(value, 1.0)
        values[k] = value
    return values


@kernel
def _remember(codes: Any, places: Any) -> None:
    """Set, for each character of a text, the bits of its places."""
    for i in range(len(codes)):
        places[codes[i]] |= np.uint64(1) << np.uint64(i)


@kernel
def _forget(codes: Any, places: Any) -> None:
    for i in range(len(codes)):
        places[codes[i]] = 0


@kernel
def common_prefix(s: Any, t: Any) -> int:
    """Return the length of the common prefix, 4 at most."""
    prefix = 0
    while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
        prefix += 1
    return prefix


def smoa_similarities(
    sources: Texts, targets: Texts, alphabet: int, rows: Any, columns: Any
) -> NDArray[np.float64]:
    """Return SMOA; the texts are those of the prepared strings."""
    lines = max(int(texts.lengths.max(initial=0)) for texts in (sources, targets))
    scratch = vectors(lines), vectors(lines), vectors(lines), vectors(2)
    places = np.zeros(alphabet, np.uint64)
    chosen, common = np.empty((2, len(targets.lengths)), np.uint32)
    values = np.empty(len(rows))
    _fill_smoa(sources, targets, rows, columns, scratch, places, chosen, common, values)
    return values


@kernel
def _fill_smoa(
    sources: Any,
    targets: Any,
    rows: Any,
    columns: Any,
    scratch: Any,
    places: Any,
    chosen: Any,
    common: Any,
    values: Any,
) -> None:
    start = 0
    while start < len(rows):
        s = text(sources, rows[start])
        end, tabled = start, 0
        while end < len(rows) and rows[end] == rows[start]:
            column = columns[end]
            if min(len(s), targets.lengths[column]) <= LONGEST:
                chosen[tabled] = column
                tabled += 1
            else:
                common[column] = scalar_common(s, text(targets, column), False)
            end += 1
        left = take_out(s, targets, chosen[:tabled], True, places, scratch, common)
        take_out(s, targets, chosen[:left], False, places, scratch, common)
        for k in range(start, end):
            t = text(targets, columns[k])
            taken: Any = np.int64(common[columns[k]])
            values[k] = similarity(len(s), len(t), taken, common_prefix(s, t), False)
        start = end
