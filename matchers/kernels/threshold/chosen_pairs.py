"""What kernels count, for chosen pairs of strings, one at a time.

Pair k is the text ``rows[k]`` of the sources and ``columns[k]`` of the targets; pairs of the same
source lie together. Each function returns one count per pair, as the kernel of its metric does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import vectors
from matchers.kernels.edit import agreement
from matchers.kernels.smoa import similarity, take_out
from matchers.kernels.strings.blocks import longest_block, scanned_block
from matchers.kernels.strings.encoding import Texts, longest, text
from matchers.kernels.strings.long_blocks import characters_in_blocks
from matchers.kernels.strings.removal import LEAST, LONGEST
from matchers.machine.compiled import kernel

from .shortlist import trailing_zeros


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
def edit_costs(
    sources: Any, targets: Any, rows: Any, columns: Any, gap: int, threshold: float
) -> Any:
    """Return the least cost of turning one string into the other, where a substitution costs 1.

    Where the similarity is below the threshold it may be any larger cost. A path whose cost is
    not above `limit` leaves the diagonal by at most limit / gap cells: the others are not filled.
    """
    costs = np.empty(len(rows), np.int64)
    line = np.empty(longest(targets) + 2, np.int32)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        n, m = len(s), len(t)
        largest = min(n, m) + gap * abs(n - m)
        limit: Any = np.int64((1.0 - threshold) * largest + 1e-6)
        costs[k] = largest
        band: Any = limit // gap
        if abs(n - m) > band:
            continue
        for j in range(min(m, band) + 1):
            line[j] = gap * j
        for i in range(1, n + 1):
            first, last = max(1, i - band), min(m, i + band)
            if i + band <= m:
                line[last] = limit + 1  # not filled in the row above
            diagonal = line[first - 1]
            left: Any = gap * i if i <= band else limit + 1
            line[first - 1] = least = left
            for j in range(first, last + 1):
                above = line[j]
                left = min(diagonal + (s[i - 1] != t[j - 1]), min(above, left) + gap)
                line[j] = left
                diagonal = above
                least = min(least, left)
            if least > limit:
                break
        else:
            costs[k] = min(line[m], largest)
    return costs


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

    The places of s that are matched are kept as bits of a word, and t is gone through: Jaro's
    definition goes through s. The same places match. For each character, take its places in s and
    in t in order; whichever string is gone through, of the first place of either one each time the
    two are matched if they are near enough, and else the one that comes first is left out.
    """
    values = np.zeros(len(rows))
    least = (threshold - 0.4) / 0.6 if winkler else threshold  # of Jaro, whatever the prefix
    places = np.zeros((alphabet, 2), np.uint64)  # of s, the first 128
    matched = np.empty(longest(targets) + longest(sources), np.uint32)
    used = np.empty(longest(targets), np.bool_)
    full, one = ~np.uint64(0), np.uint64(1)
    row = -1
    for k in range(len(rows)):
        if rows[k] != row:
            if row >= 0:
                _forget(text(sources, row), places)
            row = rows[k]
            if sources.lengths[row] <= 128:
                _remember(text(sources, row), places)
        s_start, t_start = sources.starts[row], targets.starts[columns[k]]
        n: Any = np.int64(sources.lengths[row])
        m: Any = np.int64(targets.lengths[columns[k]])
        if n == 0 or m == 0:
            values[k] = n == m
            continue
        window = max(max(n, m) // 2 - 1, 0)
        number, agreeing = 0, 0
        if n <= 64:
            taken, every = np.uint64(0), full >> np.uint64(64 - n)
            for j in range(min(m, n + window)):
                code = targets.codes[t_start + j]
                near = full >> np.uint64(max(63 - window - j, 0)) & every
                free = places[code, 0] & near & full << np.uint64(max(j - window, 0)) & ~taken
                taken |= free & (~free + one)
                matched[number] = code
                number += free != 0
            if number == 0 or (number / n + number / m + 1.0) / 3.0 < least - 1e-9:
                continue
            for place in range(number):
                agreeing += sources.codes[s_start + trailing_zeros(taken)] == matched[place]
                taken &= taken - one
        else:
            s, t = text(sources, row), text(targets, columns[k])
            if n <= 128:
                number, agreeing = _jaro_by_two_words(s, t, window, places, matched)
            else:
                number, agreeing = _plain_jaro(s, t, window, used[:m], matched)
            if number == 0:
                continue
        transpositions = (number - agreeing) // 2
        value = (number / n + number / m + (number - transpositions) / number) / 3.0
        if winkler and value > 0.7:
            prefix = common_prefix(text(sources, row), text(targets, columns[k]))
            value = min(value + prefix * 0.1 * (1.0 - value), 1.0)
        values[k] = value
    return values


@kernel
def _jaro_by_two_words(s: Any, t: Any, window: int, places: Any, matched: Any) -> tuple[int, int]:
    """Return what `_plain_jaro` does, for s of 65 to 128 characters."""
    low = high = np.uint64(0)  # the places of s that are taken
    full, one, number = ~np.uint64(0), np.uint64(1), 0
    for j in range(min(len(t), len(s) + window)):
        first, last = max(j - window, 0), min(j + window, len(s) - 1)
        free = np.uint64(0)
        if first < 64:
            near = full << np.uint64(first) & full >> np.uint64(max(63 - last, 0))
            free = places[t[j], 0] & near & ~low
            low |= free & (~free + one)
        if free == 0 and last >= 64:
            near = full << np.uint64(max(first - 64, 0)) & full >> np.uint64(127 - last)
            free = places[t[j], 1] & near & ~high
            high |= free & (~free + one)
        matched[number] = t[j]
        number += free != 0
    agreeing = place = 0
    for first, taken in ((0, low), (64, high)):
        while taken != 0:
            agreeing += s[first + trailing_zeros(taken)] == matched[place]
            taken &= taken - one
            place += 1
    return number, agreeing


@kernel
def _plain_jaro(s: Any, t: Any, window: int, used: Any, matched: Any) -> tuple[int, int]:
    """Return matching characters, and the places at which their sequences agree."""
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


@kernel
def _remember(codes: Any, places: Any) -> None:
    """Set, for each character of a text, the bits of its places."""
    for i in range(len(codes)):
        places[codes[i], i // 64] |= np.uint64(1) << np.uint64(i % 64)


@kernel
def _forget(codes: Any, places: Any) -> None:
    for i in range(min(len(codes), 128)):
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
                common[column] = characters_in_blocks(s, text(targets, column), LEAST)
            end += 1
        left = take_out(s, targets, chosen[:tabled], True, places, scratch, common)
        take_out(s, targets, chosen[:left], False, places, scratch, common)
        for k in range(start, end):
            t = text(targets, columns[k])
            taken: Any = np.int64(common[columns[k]])
            values[k] = similarity(len(s), len(t), taken, common_prefix(s, t), False)
        start = end
