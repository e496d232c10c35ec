"""Substring: the longest common block of two strings; and blocks that are removed in turn.

`longest_block` and `scanned_block` return (start in s, start in t, length).

Long strings (`characters_in_blocks`): for each character of `s` the longest block that begins
there is stored. After a block is removed, only blocks that it touched are computed again, and
blocks across the gap are added.

Short strings (`find_blocks`, `take_out_longest`): eight pairs at a time, with a word of 64 bits for
each. Bit i of line j of a *table* is set where s_i = t_j (or, in a turned table, t_i = s_j). A
block of length L that ends at (i, j) is a set bit in L neighbouring lines, each shifted against the
one before. To remove it means to delete L lines, and L bits of every line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

from .strings import (
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
from .vectors import (
    MOST,
    PLANES,
    equal_words,
    full_words,
    load,
    some,
    store,
    sum_bits,
    vectors,
    zeros,
)


def _family(name: str, ratio: Ratio, scan: bool) -> Family:
    def work_of(job: Job) -> Work:
        pairs = job.pairs
        t_sure = sure_lengths(pairs.targets) if scan else None
        slices = job.slices if pairs.targets.lengths.max(initial=0) <= MOST else None

        def work(first: int, last: int, outs: Outputs) -> None:
            rows = pairs.sources.rows(first, last)
            targets = pairs.targets
            if slices is None:
                lengths: NDArray[Any] = every_length(rows, targets, scan)
            else:
                lengths = sliced_lengths(rows, slices)
                if scan:
                    _scan_again(rows, targets, sure_lengths(rows), t_sure, lengths)
            ratio.fill(lengths, rows, pairs, outs[name])

        return work

    return Family((name,), work_of)


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
        s = text(sources, rows[k])
        t = text(targets, columns[k])
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
    _measure_blocks(sources, slices, lengths.ravel())
    return lengths


@kernel
def _measure_blocks(sources: Any, slices: Any, lengths: Any) -> None:
    """Write the length of the longest common block, for 512 targets at once.

    ``present[k]`` has the targets with a common block of k + 1 characters. The length is the
    number of such k. On a diagonal of the table of equal characters, a block of k + 1 ends where
    blocks of k end here and one place before. Blocks of 1, 2 and 3 take one pass over the diagonal.
    Each further length takes one more pass, until no target has such a block.
    """
    present = vectors(slices.width[-1] + 6)
    block_ends = vectors(slices.width[-1])
    scratch = vectors(PLANES)
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(len(sources.lengths)):
            s = text(sources, row)
            n = len(s)
            levels: Any = np.int64(3)  # no literal: see `helper`
            for k in range(width + 1):
                store(present, k, zeros())
            ones = zeros()
            twos = zeros()
            threes = zeros()
            for diagonal in range(1 - n, width):
                first = max(0, -diagonal)
                size = min(n, width - diagonal) - first
                end = pair = any_end = zeros()
                for k in range(size):
                    i = first + k
                    place = slices.row[block, s[i]] + i + diagonal
                    before = end
                    end = load(slices.words, place)
                    pair_before = pair
                    pair = end & before
                    three = pair & pair_before
                    store(block_ends, k, three)
                    ones = ones | end
                    twos = twos | pair
                    any_end = any_end | three
                threes = threes | any_end
                level = np.int64(3)
                while some(any_end):
                    end = any_end = zeros()
                    for k in range(level - 1, size):
                        before = end
                        end = load(block_ends, k)
                        store(block_ends, k, end & before)
                        any_end = any_end | (end & before)
                    store(present, level, load(present, level) | any_end)
                    level += 1
                levels = max(levels, level)
            store(present, 0, ones)
            store(present, 1, twos)
            store(present, 2, threes)
            sum_bits(present, levels, scratch, lengths, row * blocks + block)


@kernel
def _scan_again(sources: Any, targets: Any, s_sure: Any, t_sure: Any, lengths: Any) -> None:
    """Replace the lengths of longest blocks by the lengths that OntoSim's scan finds."""
    for row in range(len(sources.lengths)):
        s = text(sources, row)
        for k in range(len(targets.lengths)):
            if lengths[row, k] > max(s_sure[row], t_sure[k]):
                lengths[row, k] = scanned_block(s, text(targets, k))[2]


#: Characters of the shortest block that is removed.
LEAST = 3
#: Characters of the longest string whose places are bits of a word.
LONGEST = 63
#: If more than one in 16 rows was touched, computing all rows together is faster.
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
    """Return for each text the length up to which OntoSim's scan never misses a longest block.

    A match of more than p characters at (i, j) hides the start (i, j + p) from the scan, although
    the block there is longer. Then both strings have equal characters at the distance p. Let p be
    the least distance of equal characters in one string: the scan finds every longest block of at
    most p + 1 characters.
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
def characters_in_blocks(s: Any, t: Any, min_length: int) -> int:
    """Return the number of characters in the longest common blocks that are removed in turn.

    Among several longest blocks, the first in `s`, then the first in `t`, is removed, until none
    has `min_length` characters. By the plain definition each block takes time n * m.
    """
    n = len(s)
    m = len(t)
    # Linked lists of the remaining places: the next and the last one. Place n (or m) is both ends.
    s_next = np.arange(1, n + 2)
    s_before = np.arange(-1, n)
    t_next = np.arange(1, m + 2)
    t_before = np.arange(-1, m)
    s_next[n] = t_next[m] = 0
    s_before[0] = n
    t_before[0] = m
    # The best block of each row: length, start in t, last places in s and t.
    best = np.zeros((n, 4), np.int64)
    touched = np.empty(n, np.int64)
    _look_at_all(s, t, s_next, t_next, min_length, best)
    common = 0
    while True:
        # The longest block. Only a longer one replaces it, so it is the first in s.
        i = row = s_next[n]
        while row < n:
            if best[row, 0] > best[i, 0]:
                i = row
            row = s_next[row]
        if i == n or best[i, 0] < min_length:
            return common
        # Remove it: link the places before and after it.
        common += best[i, 0]
        j = best[i, 1]
        s_end = best[i, 2]
        t_end = best[i, 3]
        s_left = s_before[i]
        s_right = s_next[s_end]
        t_left = t_before[j]
        t_right = t_next[t_end]
        s_next[s_left] = s_right
        s_before[s_right] = s_left
        t_next[t_left] = t_right
        t_before[t_right] = t_left
        # Rows whose best block it touches, in s or in t.
        number = 0
        n_rows = 0
        row = s_next[n]
        while row < n:
            in_s = row < i and best[row, 2] >= i
            in_t = best[row, 1] <= t_end and best[row, 3] >= j
            if best[row, 0] >= min_length and (in_s or in_t):
                touched[number] = row
                number += 1
            n_rows += 1
            row = s_next[row]
        if number * _MANY > n_rows:
            _look_at_all(s, t, s_next, t_next, min_length, best)
            continue
        for k in range(number):
            row = touched[k]
            best[row, 0] = 0
            column = t_next[m]
            while column < m:
                _extend(s, t, row, column, s_next, s_before, t_next, t_before, False, best)
                column = t_next[column]
        # Blocks across the gap, in t and in s.
        row = s_next[n]
        while row < n and t_left < m:
            _extend(s, t, row, t_left, s_next, s_before, t_next, t_before, True, best)
            row = s_next[row]
        column = t_next[m]
        while column < m and s_left < n:
            _extend(s, t, s_left, column, s_next, s_before, t_next, t_before, True, best)
            column = t_next[column]


@helper
def _look_at_all(s: Any, t: Any, s_next: Any, t_next: Any, min_length: int, best: Any) -> None:
    """Write the best block of every row that has one of `min_length` characters."""
    rows = _linked(s_next)
    columns = _linked(t_next)
    codes = t[columns]
    line = np.zeros(len(columns) + 1, np.int32)  # lengths of the blocks that begin at row and each
    for k in range(len(rows) - 1, -1, -1):
        code = s[rows[k]]
        size = np.int32(0)
        for column in range(len(codes)):
            line[column] = line[column + 1] + 1 if codes[column] == code else 0
            size = max(size, line[column])
        best[rows[k], 0] = size
        if size >= min_length:
            begin = np.argmax(line)
            best[rows[k], 1] = columns[begin]
            best[rows[k], 3] = columns[begin + size - 1]
            best[rows[k], 2] = rows[k + size - 1]


@helper
def _linked(following: Any) -> Any:
    """Return the remaining places, in order."""
    end = len(following) - 1
    places = np.empty(end, np.int64)
    number = 0
    place = following[end]
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
    """Write the block at two characters, and with `back` the blocks that continue into it."""
    n = len(s)
    m = len(t)
    i = row
    j = column
    size = 0
    s_end = row
    t_end = column
    while i < n and j < m and s[i] == t[j]:
        s_end = i
        t_end = j
        i = s_next[i]
        j = t_next[j]
        size = size + 1
    i = row
    j = column
    while size > 0 and i < n and j < m and s[i] == t[j]:
        if size > best[i, 0] or (size == best[i, 0] and j < best[i, 1]):
            best[i, 0] = size
            best[i, 1] = j
            best[i, 2] = s_end
            best[i, 3] = t_end
        if not back:
            break
        i = s_before[i]
        j = t_before[j]
        size = size + 1


@helper
def find_blocks(tables: Any, size: int, block_ends: Any) -> Any:
    """Write where blocks of `LEAST` characters end; return the union of all lines.

    Parameters
    ----------
    tables
        Word p of vector j is line j of the table of pair p.
    size
        Lines of the largest table.
    block_ends
        Output, as many vectors as `tables`.
    """
    last_places = line = above = pair = pair_above = zeros()
    for j in range(size):  # pair: where blocks of two end
        above = line
        line = load(tables, j)
        pair_above = pair
        pair = line & (above << 1)
        end = pair & (pair_above << 1)
        store(block_ends, j, end)
        last_places = last_places | end
    return last_places


@helper
def take_out_longest(
    tables: Any, size: int, block_ends: Any, longer: Any, last_places: Any, turned: bool
) -> Any:
    """Remove the longest block from every table, and return their lengths.

    Among several longest blocks, the first in s, then the first in t, is removed.

    Parameters
    ----------
    tables, size
        As for `find_blocks`.
    block_ends, last_places
        Results of `find_blocks`; `block_ends` is overwritten.
    longer
        Scratch, as many vectors as `tables`.
    turned
        Whether lines are places of s.

    Returns
    -------
    Bits
        Word p is the length for pair p; 0 without a block.
    """
    lengths = zeros()
    length: Any = np.int64(LEAST)  # no literal: see `helper`
    while some(last_places):  # pairs with a block of this length
        grown = here = zeros()
        for j in range(size):
            above = here
            here = load(block_ends, j)
            end = here & (above << 1)
            store(longer, j, end)
            grown = grown | end
        longest = full_words(last_places) & ~full_words(grown)
        if some(longest):
            lengths = lengths | (longest & equal_words(length))
            last = _lowest_bits(last_places & longest)
            if turned:
                last = _first_ends(size, block_ends) & longest
            _delete(tables, size, block_ends, length, last)
        block_ends, longer, last_places = longer, block_ends, grown
        length += 1
    return lengths


@helper
def _first_ends(size: int, block_ends: Any) -> Any:
    """Return the lowest bit of the first line that has one."""
    first = zeros()
    for j in range(size):
        first = first | (_lowest_bits(load(block_ends, j)) & ~full_words(first))
    return first


@helper
def _lowest_bits(bits: Any) -> Any:
    """Return the lowest set bit of each word."""
    return bits & (zeros() - bits)


@helper
def _delete(tables: Any, size: int, block_ends: Any, length: int, last: Any) -> None:
    """Delete the blocks of a length that end at the bits `last`; a word 0 deletes none."""
    before = (last >> (length - 1)) - equal_words(1)
    moved = zeros()  # from the block on, line j is replaced by line j + length
    for j in range(size):
        if j + length <= size:
            moved = moved | full_words(load(block_ends, j + length - 1) & last)
        line = load(tables, j) & ~moved
        if j + length < size:
            line = line | (load(tables, j + length) & moved)
        store(tables, j, (line & before) | ((line >> length) & ~before))
