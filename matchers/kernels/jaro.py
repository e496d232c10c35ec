"""Jaro and Jaro-Winkler in one pass, and OntoSim's forms of them.

A similarity is computed from three counts. The standard form counts the matching characters, the
places at which the two sequences of matching characters agree, and the length of the common prefix
(at most 4). OntoSim's form counts the matching characters of `s`, those of `t`, and the places
that agree.

Pairs that are chosen are compared one at a time: the matched places of s are bits of a word, and
the characters of t are visited in turn. Jaro's definition visits those of s, but the same places
match. Take the places of one character in s and in t, each in order. Compare the first places: if
they are near enough, both are matched, and else the smaller one has no partner. This does not
depend on the string that is visited.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

from .strings import (
    Family,
    Job,
    Outputs,
    Pairs,
    Slices,
    Texts,
    Work,
    divide,
    every_pair,
    longest,
    no_counts_yet,
    text,
)
from .vectors import MOST, PLANES, count_bits, load, store, sum_bits, vectors, zeros


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
    """Return the counts of `_plain_jaro` for a string `s` of 65 to 128 characters."""
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


def _family(
    names: tuple[str, str],
    sliced_kernel: Any,
    fill: Callable[..., None],
    fill_pairs: Callable[..., None],
) -> Family:
    """Return a family of two metrics.

    Parameters
    ----------
    names
        Jaro and Jaro-Winkler.
    sliced_kernel
        Counts for 512 targets at once.
    fill
        Writes the similarities of a metric from these counts.
    fill_pairs
        Writes the similarities where there are no slices, or strings are too long for counts of 16
        bits.
    """

    def work_of(job: Job) -> Work:
        pairs = job.pairs
        slices = job.slices
        fits = pairs.targets.lengths.max(initial=0) <= MOST

        def work(first: int, last: int, outs: Outputs) -> None:
            rows = pairs.sources.rows(first, last)
            counts = None
            if slices is not None and fits and rows.lengths.max(initial=0) <= MOST:
                counts = sliced_counts(rows, slices, sliced_kernel)
            lengths = rows.lengths, pairs.targets.lengths
            for name, out in outs.items():
                winkler = name == names[1]
                if counts is None:
                    fill_pairs(rows, pairs, winkler, out)
                else:
                    fill(counts, *lengths, pairs.rank, winkler, out)

        return work

    return Family(names, work_of)


def _fill_standard_pairs(rows: Texts, pairs: Pairs, winkler: bool, out: NDArray[Any]) -> None:
    targets = pairs.targets
    needed = least_jaro(0.0, winkler)  # so that every value is computed
    chosen = every_pair(rows, targets)
    values = jaro_similarities(rows, targets, pairs.alphabet, *chosen, winkler, needed)
    out[...] = values.reshape(out.shape)[:, pairs.rank]


def _fill_ontosim_pairs(rows: Texts, pairs: Pairs, winkler: bool, out: NDArray[Any]) -> None:
    targets = pairs.targets
    counts = pair_ontosim_counts(rows, targets)
    _fill_ontosim(counts, rows.lengths, targets.lengths, pairs.rank, winkler, out)


def sliced_counts(sources: Texts, slices: Slices, sliced_kernel: Any) -> NDArray[Any]:
    """Return the three counts of every pair.

    Shape (3, sources, targets rounded up to whole blocks).
    """
    counts = no_counts_yet(3 * len(sources.lengths), slices)
    # near: for each distance, the targets whose window is at least as wide; matched, used: the
    # characters of s and of t that have a partner; agreeing, turn: see `_mark_agreements`
    places = max(sources.lengths.max(initial=0), slices.width[-1]) + 3
    scratch = tuple(vectors(places) for _ in range(5))
    sliced_kernel(sources, slices, scratch, vectors(PLANES), counts.ravel())
    return counts.reshape(3, len(sources.lengths), -1)


@kernel
def _fill_standard(
    counts: Any, n_lengths: Any, m_lengths: Any, rank: Any, winkler: bool, out: Any
) -> None:
    """Write the similarities.

    Parameters
    ----------
    counts
        As `sliced_counts` returns them.
    n_lengths, m_lengths
        Lengths of the sources and, sorted, of the targets.
    rank
        Each column's place in order of length.
    winkler
        Whether to write Jaro-Winkler.
    out
        Output.
    """
    columns = len(m_lengths)
    values = np.empty(columns)
    m = np.empty(columns)
    inverse_m = np.empty(columns)
    for k in range(columns):
        m[k] = max(m_lengths[k], 1)
        inverse_m[k] = 1.0 / m[k]
    for row in range(len(n_lengths)):
        n = float(max(n_lengths[row], 1))
        inverse_n = 1.0 / n
        for k in range(columns):
            matches = np.int32(counts[0, row, k])
            transpositions = np.int32(matches - np.int32(counts[1, row, k])) >> 1
            c = float(matches)
            third = (c - transpositions) / (1.0 if c == 0.0 else c)
            total = divide(c, n, inverse_n) + divide(c, m[k], inverse_m[k]) + third
            values[k] = divide(total, 3.0, 1.0 / 3.0)
        if n_lengths[row] == 0:
            for k in range(columns):
                if m_lengths[k] == 0:
                    values[k] = 1.0
        if winkler:
            for k in range(columns):
                value = values[k]
                bonus = counts[2, row, k] * 0.1 * (1.0 - value)
                boosted = min(value + bonus, 1.0)
                values[k] = boosted if value > 0.7 else value
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def pair_ontosim_counts(sources: Any, targets: Any) -> NDArray[np.int32]:
    """Return OntoSim's (p, q, r) for every pair, shape (3, rows, columns)."""
    rows = len(sources.lengths)
    columns = len(targets.lengths)
    counts = np.zeros((3, rows, columns), np.int32)
    for row in range(rows):
        s = text(sources, row)
        matched = np.empty_like(s)
        for k in range(columns):
            t = text(targets, k)
            window = min(len(s), len(t)) // 2
            p = q = r = 0
            for i in range(len(s)):
                if _within(s[i], t, i, window):
                    matched[p] = s[i]
                    p += 1
            for j in range(len(t)):
                if _within(t[j], s, j, window):
                    r += q < p and matched[q] == t[j]
                    q += 1
            counts[0, row, k] = p
            counts[1, row, k] = q
            counts[2, row, k] = r
    return counts


@helper
def _within(character: int, text: Any, at: int, window: int) -> bool:
    """Return whether `text` has the character at a place from at - window to at + window - 1."""
    for k in range(max(0, at - window), min(at + window, len(text))):
        if text[k] == character:
            return True
    return False


@kernel
def _fill_ontosim(
    counts: Any, n_lengths: Any, m_lengths: Any, rank: Any, winkler: bool, out: Any
) -> None:
    columns = len(m_lengths)
    values = np.empty(columns)
    for row in range(len(n_lengths)):
        for k in range(columns):
            p = float(counts[0, row, k])
            q = float(counts[1, row, k])
            r = float(counts[2, row, k])
            value = 0.0
            if p > 0:
                mean = (p / n_lengths[row] + q / m_lengths[k] + r / p) / 3.0
                # OntoSim computes a distance: so its rounding
                value = 1.0 - (1.0 - mean)
            if winkler:
                distance = 1.0 - value
                value = 1.0 - (distance + 4 * (1.0 - distance) / 10)
            values[k] = value
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def _count(sources: Any, slices: Any, scratch: Any, digits: Any, counts: Any) -> None:
    """Write matches, agreeing places and the common prefix, for 512 targets at once."""
    near, matched, used, agreeing, turn = scratch
    rows = len(sources.lengths)
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = text(sources, row)
            n = len(s)
            at = row * blocks + block
            # The window is max(n, m) // 2 - 1: at least d where n, or where m, exceeds 2d + 1.
            reach = max(max(n, width) // 2 - 1, 0)
            for d in range(reach + 1):
                if d == 0 or n > 2 * d + 1:
                    store(near, d, ~zeros())
                else:
                    store(near, d, load(slices.words, slices.longer[block] + 2 * d + 1))
            for j in range(width):
                store(used, j, zeros())
            for i in range(n):
                place = slices.row[block, s[i]]
                partner = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    occupied = load(used, j)
                    equal = load(slices.words, place + j)
                    free = equal & load(near, abs(i - j)) & ~occupied
                    store(used, j, occupied | (free & ~partner))
                    partner = partner | free
                store(matched, i, partner)
            _mark_agreements(s, slices, block, matched, used, agreeing, turn)
            sum_bits(matched, n, digits, counts, at)
            sum_bits(agreeing, n, digits, counts, at + rows * blocks)
            prefix = min(4, min(n, width))
            common = ~zeros()
            # the agreements are counted: their room holds the common prefix now
            for i in range(prefix):
                place = slices.row[block, s[i]]
                common = common & load(slices.words, place + i)
                store(agreeing, i, common)
            sum_bits(agreeing, prefix, digits, counts, at + 2 * rows * blocks)


@kernel
def _count_ontosim(sources: Any, slices: Any, scratch: Any, digits: Any, counts: Any) -> None:
    """Write OntoSim's (p, q, r), for 512 targets at once."""
    near, matched, used, agreeing, turn = scratch
    rows = len(sources.lengths)
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = text(sources, row)
            n = len(s)
            at = row * blocks + block
            # The window is min(n, m) // 2: at least d where n and m exceed 2d - 1.
            reach = min(n, width) // 2
            store(near, 0, ~zeros())
            for d in range(1, reach + 1):
                store(near, d, load(slices.words, slices.longer[block] + 2 * d - 1))
            store(near, reach + 1, zeros())
            for j in range(width):
                store(used, j, zeros())
            for i in range(n):
                place = slices.row[block, s[i]]
                partner = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    equal = load(slices.words, place + j)
                    # s_i looks from i - window to i + window - 1, and t_j likewise from j
                    partner = partner | (equal & load(near, max(i - j, j - i + 1)))
                    near_equal = equal & load(near, max(j - i, i - j + 1))
                    store(used, j, load(used, j) | near_equal)
                store(matched, i, partner)
            _mark_agreements(s, slices, block, matched, used, agreeing, turn)
            sum_bits(matched, n, digits, counts, at)
            sum_bits(used, width, digits, counts, at + rows * blocks)
            sum_bits(agreeing, n, digits, counts, at + 2 * rows * blocks)


@helper
def _mark_agreements(
    s: Any, slices: Any, block: int, matched: Any, used: Any, agreeing: Any, turn: Any
) -> None:
    """Write, for each place i of s, the targets where s_i is matched and equals its partner.

    The k-th matched character of s is compared with the k-th used character of t. ``turn[j]`` is
    set where this is the one at j. A matched character of s moves the turn to the next used j.
    """
    width = slices.width[block]
    before = zeros()
    for j in range(width):
        here = load(used, j)
        store(turn, j, here & ~before)
        before = before | here
    for i in range(len(s)):
        place = slices.row[block, s[i]]
        is_matched = load(matched, i)
        agrees = zeros()
        seeks_next = zeros()
        for j in range(width):
            mine = load(turn, j)
            here = load(used, j)
            agrees = agrees | (mine & load(slices.words, place + j))
            store(turn, j, (mine & ~is_matched) | (here & seeks_next))
            seeks_next = (seeks_next & ~here) | (mine & is_matched)
        store(agreeing, i, agrees & is_matched)


FAMILIES = (
    _family(("jaro", "jaro-winkler"), _count, _fill_standard, _fill_standard_pairs),
    _family(
        ("ontosim-jaro", "ontosim-jaro-winkler"), _count_ontosim, _fill_ontosim, _fill_ontosim_pairs
    ),
)
