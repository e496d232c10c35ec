"""Substring: the longest block that two strings share; and blocks that are taken out in turn.

`longest_block` and `scanned_block` return (start in s, start in t, length).

Long strings: blocks are taken out one after the other without starting anew each time
(`characters_in_blocks`). Of each character of `s` the longest block is known that begins there: it
is looked for anew only where what was taken out touched it, and goes on where what is left has
closed up.

Short strings: eight pairs at a time, a word of 64 bits for each (`find_blocks`,
`take_out_longest`). Bit i of line j of a *table* tells whether s_i = t_j (or, in a turned table,
t_i = s_j). A block of length L that ends at (i, j) is a bit of L neighbouring lines, each shifted
against the one before. Taking it out deletes L lines, and L bits of every line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.strings import (
    Family,
    Job,
    Linear,
    Outputs,
    Ratio,
    Slices,
    Texts,
    Work,
    every_pair,
    no_counts_yet,
    text,
)
from matchers.kernels.vectors import (
    MOST,
    PLANES,
    equal_words,
    full_words,
    load,
    lowest_bits,
    minus_one,
    some,
    store,
    sum_bits,
    vectors,
    zeros,
)
from ontologies.common.compiled import helper, kernel


def _family(name: str, ratio: Ratio, scan: bool) -> Family:
    def prepare(job: Job) -> Work:
        pairs = job.pairs
        t_sure = sure_lengths(pairs.targets) if scan else None
        slices = job.slices if pairs.targets.lengths.max(initial=0) <= MOST else None

        def work(first: int, last: int, outs: Outputs) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            if slices is None:
                lengths: NDArray[Any] = every_length(rows, targets, scan)
            else:
                lengths = sliced_lengths(rows, slices)
                if scan:
                    _scan_again(rows, targets, sure_lengths(rows), t_sure, lengths)
            ratio.fill(lengths, rows, pairs, outs[name])

        return work

    return Family((name,), prepare)


STANDARD = Ratio(Linear(2, 1), scale=2)
ONTOSIM = STANDARD._replace(twice=True)
FAMILIES = (
    _family("substring", STANDARD, scan=False),
    _family("ontosim-substring", ONTOSIM, scan=True),
)


@kernel
def pair_lengths(sources: Any, targets: Any, rows: Any, columns: Any, scan: bool) -> Any:
    """Return the length of the longest common block, or of the one that OntoSim's scan finds."""
    lengths = np.empty(len(rows), np.int64)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        lengths[k] = scanned_block(s, t)[2] if scan else longest_block(s, t)[2]
    return lengths


def every_length(sources: Texts, targets: Texts, scan: bool) -> NDArray[Any]:
    """Return `pair_lengths` of every pair, shape (sources, targets)."""
    lengths: NDArray[Any] = pair_lengths(sources, targets, *every_pair(sources, targets), scan)
    return lengths.reshape(len(sources.lengths), -1)


def sliced_lengths(sources: Texts, slices: Slices) -> NDArray[np.uint16]:
    """Return the length of the longest common block.

    Shape (sources, targets rounded up to whole blocks).
    """
    lengths = no_counts_yet(len(sources.lengths), slices)
    longest = slices.width[-1]
    found, ends = vectors(longest + 6), vectors(longest)
    _measure_blocks(sources, slices, found, ends, vectors(PLANES), lengths.ravel())
    return lengths


@kernel
def _measure_blocks(
    sources: Any, slices: Any, found: Any, ends: Any, scratch: Any, lengths: Any
) -> None:
    """Write the length of the longest common block, for 512 targets at once.

    The length is the number of k for which there is a common block of k characters: ``found[k]``
    tells where there is one of k + 1. On each diagonal of the table of equal characters, a block of
    k + 1 ends where blocks of k end here and one place before. Blocks of 1, 2 and 3 need one pass
    over the diagonal, and each further length one more, until none of the 512 targets has such a
    block.
    """
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(len(sources.lengths)):
            start = sources.starts[row]
            n = sources.starts[row + 1] - start
            levels: Any = np.int64(3)  # no literal: see `helper`
            for k in range(width + 1):
                store(found, k, zeros())
            ones, twos, threes = zeros(), zeros(), zeros()
            for diagonal in range(1 - n, width):
                first = max(0, -diagonal)
                size = min(n, width - diagonal) - first
                end = pair = any_end = zeros()
                for k in range(size):
                    i = first + k
                    place = slices.row[block, sources.codes[start + i]] + i + diagonal
                    end, before = load(slices.words, place), end
                    pair, pair_before = end & before, pair
                    three = pair & pair_before
                    store(ends, k, three)
                    ones, twos, any_end = ones | end, twos | pair, any_end | three
                threes = threes | any_end
                level = np.int64(3)
                while some(any_end):
                    end = any_end = zeros()
                    for k in range(level - 1, size):
                        end, before = load(ends, k), end
                        store(ends, k, end & before)
                        any_end = any_end | (end & before)
                    store(found, level, load(found, level) | any_end)
                    level += 1
                levels = max(levels, level)
            store(found, 0, ones)
            store(found, 1, twos)
            store(found, 2, threes)
            sum_bits(found, levels, scratch, lengths, row * blocks + block)


@kernel
def _scan_again(sources: Any, targets: Any, s_sure: Any, t_sure: Any, lengths: Any) -> None:
    """Replace the lengths of longest blocks by those that OntoSim's scan finds."""
    for row in range(len(sources.lengths)):
        s = text(sources, row)
        for k in range(len(targets.lengths)):
            if lengths[row, k] > max(s_sure[row], t_sure[k]):
                lengths[row, k] = scanned_block(s, text(targets, k))[2]


#: Characters of the shortest block that is taken out.
LEAST = 3
#: Characters of the longest string whose places are bits.
LONGEST = 63
#: If a larger share of the rows than one in so many was touched, all are looked at together.
_MANY = 16


@helper
def longest_block(s: Any, t: Any) -> tuple[int, int, int]:
    """Return the longest common block; of several the first in `s`, then the first in `t`."""
    best = (0, 0, 0)
    line = np.zeros(len(t) + 1, np.int32)  # lengths of the blocks that begin at i and each j
    for i in range(len(s) - 1, -1, -1):
        start = 0
        for j in range(len(t)):
            line[j] = line[j + 1] + 1 if s[i] == t[j] else 0
            if line[j] > line[start]:
                start = j
        if line[start] > 0 and line[start] >= best[2]:
            best = (i, start, int(line[start]))
    return best


@helper
def scanned_block(s: Any, t: Any) -> tuple[int, int, int]:
    """Return the block that OntoSim's scan finds, not always the longest."""
    best = (0, 0, 0)
    for i in range(len(s)):
        if len(s) - i <= best[2]:
            break
        j = 0
        while len(t) - j > best[2]:
            length = 0
            while i + length < len(s) and j + length < len(t) and s[i + length] == t[j + length]:
                length += 1
            if length > best[2]:
                best = (i, j, length)
            j += max(length, 1)
    return best


@kernel
def sure_lengths(texts: Any) -> Any:
    """Return for each text up to which length OntoSim's scan never misses a longest block.

    A start (i, j + p) is hidden from the scan by a match of more than p characters at (i, j), which
    is shorter than the hidden block. Both strings then have equal characters at the distance p. So
    a longest block of at most p + 1 characters, p the least distance of equal characters in one of
    the strings, is found: by either string's length a pair is on the safe side.
    """
    sure = texts.lengths.copy()
    for k in range(len(sure)):
        codes = text(texts, k)
        for distance in range(1, len(codes)):
            i = 0
            while i + distance < len(codes) and codes[i] != codes[i + distance]:
                i += 1
            if i + distance < len(codes):
                sure[k] = distance + 1
                break
    return sure


@helper
def characters_in_blocks(s: Any, t: Any, least: int) -> int:
    """Return how many characters lie in the longest common blocks that are taken out in turn.

    Of several longest ones the first in `s`, then the first in `t`; until none has `least`
    characters. By the plain definition every block takes time n * m; here few do.
    """
    n, m = len(s), len(t)
    # What is left, linked: the place after and before each; place n (or m) is both ends.
    s_next, s_before = np.arange(1, n + 2), np.arange(-1, n)
    t_next, t_before = np.arange(1, m + 2), np.arange(-1, m)
    s_next[n] = t_next[m] = 0
    s_before[0], t_before[0] = n, m
    # Of the best block of each row: length, where it begins in t, last characters in s and t.
    best = np.zeros((n, 4), np.int64)
    touched = np.empty(n, np.int64)
    _look_at_all(s, t, s_next, t_next, least, best)
    common = 0
    while True:
        # The longest block; of several the first in s, for only a longer one replaces it.
        i = row = s_next[n]
        while row < n:
            if best[row, 0] > best[i, 0]:
                i = row
            row = s_next[row]
        if i == n or best[i, 0] < least:
            return common
        # It is taken out: what stood before it is followed by what stood after it.
        common += best[i, 0]
        j, s_end, t_end = best[i, 1], best[i, 2], best[i, 3]
        s_left, s_right, t_left, t_right = s_before[i], s_next[s_end], t_before[j], t_next[t_end]
        s_next[s_left] = s_right
        s_before[s_right] = s_left
        t_next[t_left] = t_right
        t_before[t_right] = t_left
        # Rows whose best block it touched, in s or in t.
        number, left = 0, 0
        row = s_next[n]
        while row < n:
            in_s = row < i and best[row, 2] >= i
            in_t = best[row, 1] <= t_end and best[row, 3] >= j
            if best[row, 0] >= least and (in_s or in_t):
                touched[number] = row
                number += 1
            left += 1
            row = s_next[row]
        if number * _MANY > left:
            _look_at_all(s, t, s_next, t_next, least, best)
            continue
        for k in range(number):
            row = touched[k]
            best[row, 0] = 0
            column = t_next[m]
            while column < m:
                _extend(s, t, row, column, s_next, s_before, t_next, t_before, False, best)
                column = t_next[column]
        # Blocks across what has closed up, in t and in s.
        row = s_next[n]
        while row < n and t_left < m:
            _extend(s, t, row, t_left, s_next, s_before, t_next, t_before, True, best)
            row = s_next[row]
        column = t_next[m]
        while column < m and s_left < n:
            _extend(s, t, s_left, column, s_next, s_before, t_next, t_before, True, best)
            column = t_next[column]


@helper
def _look_at_all(s: Any, t: Any, s_next: Any, t_next: Any, least: int, best: Any) -> None:
    """Find the best block of every row, if one has `least` characters."""
    rows, columns = _linked(s_next), _linked(t_next)
    codes = t[columns]
    line = np.zeros(len(columns) + 1, np.int32)  # lengths of the blocks that begin at row and each
    for k in range(len(rows) - 1, -1, -1):
        code, size = s[rows[k]], np.int32(0)
        for column in range(len(codes)):
            line[column] = line[column + 1] + 1 if codes[column] == code else 0
            size = max(size, line[column])
        best[rows[k], 0] = size
        if size >= least:
            begin = np.argmax(line)
            best[rows[k], 1], best[rows[k], 3] = columns[begin], columns[begin + size - 1]
            best[rows[k], 2] = rows[k + size - 1]


@helper
def _linked(following: Any) -> Any:
    """Return the places that are left, in order."""
    end = len(following) - 1
    places, number, place = np.empty(end, np.int64), 0, following[end]
    while place < end:
        places[number] = place
        number += 1
        place = following[place]
    return places[:number]


@helper
def _extend(
    s: Any,
    t: Any,
    row: int,
    column: int,
    s_next: Any,
    s_before: Any,
    t_next: Any,
    t_before: Any,
    back: bool,
    best: Any,
) -> None:
    """Note the block at two characters, and with `back` those that reach it from before."""
    n, m = len(s), len(t)
    i, j, size = row, column, 0
    s_end, t_end = row, column
    while i < n and j < m and s[i] == t[j]:
        s_end, t_end = i, j
        i, j, size = s_next[i], t_next[j], size + 1
    i, j = row, column
    while size > 0 and i < n and j < m and s[i] == t[j]:
        if size > best[i, 0] or (size == best[i, 0] and j < best[i, 1]):
            best[i, 0], best[i, 1], best[i, 2], best[i, 3] = size, j, s_end, t_end
        if not back:
            break
        i, j, size = s_before[i], t_before[j], size + 1


@helper
def find_blocks(tables: Any, size: int, ends: Any) -> Any:
    """Write where blocks of `LEAST` characters end, and return these places of all lines together.

    Parameters
    ----------
    tables
        Word p of vector j is line j of the table of pair p.
    size
        Lines of the largest table.
    ends
        As many vectors as `tables`, like all scratch here.
    """
    found = line = above = pair = pair_above = zeros()
    for j in range(size):  # pair: where blocks of two end
        line, above = load(tables, j), line
        pair, pair_above = line & (above << 1), pair
        end = pair & (pair_above << 1)
        store(ends, j, end)
        found = found | end
    return found


@helper
def take_out_longest(
    tables: Any, size: int, ends: Any, longer: Any, found: Any, turned: bool
) -> Any:
    """Take the longest block out of every table, and return their lengths.

    Of several longest blocks the one is taken out that is first in s, then in t.

    Parameters
    ----------
    tables, size
        As for `find_blocks`.
    ends, found
        What `find_blocks` wrote and returned; `ends` is overwritten.
    longer
        Scratch.
    turned
        Whether the lines are the places in s.

    Returns
    -------
    Bits
        Word p is the length for pair p, 0 if it has no block.
    """
    taken = zeros()
    length: Any = np.int64(LEAST)  # no literal: see `helper`
    while some(found):  # pairs with a block of this length
        grown = here = zeros()
        for j in range(size):
            here, above = load(ends, j), here
            end = here & (above << 1)
            store(longer, j, end)
            grown = grown | end
        longest = full_words(found) & ~full_words(grown)
        if some(longest):
            taken = taken | (longest & equal_words(length))
            last = lowest_bits(found & longest)
            if turned:
                last = _first_ends(size, ends) & longest
            _delete(tables, size, ends, length, last)
        ends, longer, found = longer, ends, grown
        length += 1
    return taken


@helper
def _first_ends(size: int, ends: Any) -> Any:
    """Return the lowest bit of the first line that has one."""
    first = zeros()
    for j in range(size):
        first = first | (lowest_bits(load(ends, j)) & ~full_words(first))
    return first


@helper
def _delete(tables: Any, size: int, ends: Any, length: int, last: Any) -> None:
    """Delete the blocks of a length that end first at the bits `last`; a word 0 deletes none."""
    before = minus_one(last >> (length - 1))
    moved = zeros()  # from the block on, line j is replaced by line j + length
    for j in range(size):
        if j + length <= size:
            moved = moved | full_words(load(ends, j + length - 1) & last)
        line = load(tables, j) & ~moved
        if j + length < size:
            line = line | (load(tables, j + length) & moved)
        store(tables, j, (line & before) | ((line >> length) & ~before))
