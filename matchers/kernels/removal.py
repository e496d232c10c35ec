"""Taking common blocks out of two strings, on tables of equal characters in 64-bit words.

Bit i of word j of a table tells whether s_i = t_j. A block of length L that ends at i and j is a
bit of L lines that stand one beside the other, each shifted against the next. Taking it out deletes
L lines, and L bits of every line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel
from .vectors import full_words, load, lowest_bits, minus_one, store, zeros

#: Characters of the shortest block that is taken out.
LEAST = 3
#: Characters of the longest s that a table can have.
LONGEST = 63


@kernel
def take_out_all(table: Any, size: int, ends: Any, longer: Any) -> int:
    """Take the longest block out, again and again, and return how many characters that were.

    Of several longest blocks the first in s goes first, then the first in t.

    Parameters
    ----------
    table
        Words; the first `size` are the table, which shrinks.
    ends, longer
        Scratch, as many words.
    """
    one, two = np.uint64(1), np.uint64(2)
    total = 0
    while True:
        found = np.uint64(0)
        for j in range(2, size):  # ends[j]: where in s a block of `length` ends that ends at j in t
            ends[j] = table[j] & (table[j - 1] << one) & (table[j - 2] << two)
            found |= ends[j]
        if found == 0:
            return total
        length = LEAST
        while True:
            found = np.uint64(0)
            for j in range(length, size):
                longer[j] = ends[j] & (ends[j - 1] << one)
                found |= longer[j]
            if found == 0:
                break
            ends, longer = longer, ends
            length += 1
        last, end = np.uint64(0), 0  # where the block ends: its bit in s, its place in t
        for j in range(length - 1, size):
            lowest = ends[j] & (~ends[j] + one)
            if lowest != 0 and (last == 0 or lowest < last):
                last, end = lowest, j
        total += length
        size -= length
        before = (last >> np.uint64(length - 1)) - one  # the places of s before the block
        for j in range(size):
            line = table[j if j <= end - length else j + length]
            table[j] = (line & before) | ((line >> np.uint64(length)) & ~before)


@kernel
def take_out_first(tables: Any, size: int, length: int, ends: Any) -> None:
    """Take the longest block out of eight tables at once.

    Parameters
    ----------
    tables
        `size` vectors; word p of vector j is word j of the table of pair p. They shrink by
        `length`.
    length
        Of the longest block of each table, at least `LEAST`; an empty table is left as it is.
    ends
        Scratch, as many vectors. Afterwards word p of the first one is 0 if pair p has no further
        block.
    """
    line = above = pair = pair_above = zeros()
    for j in range(size):  # pair: where blocks of two end
        line, above = load(tables, j), line
        pair, pair_above = line & (above << 1), pair
        store(ends, j, pair & (pair_above << 1))
    for _ in range(LEAST, length):
        here = zeros()
        for j in range(size):
            here, above = load(ends, j), here
            store(ends, j, here & (above << 1))
    found = zeros()
    for j in range(size):
        found = found | load(ends, j)
    last = lowest_bits(found)
    before = minus_one(last >> (length - 1))
    # From the block on, line j is replaced by line j + length.
    moved = line = above = pair = pair_above = another = zeros()
    for j in range(size - length + 1):
        moved = moved | full_words(load(ends, j + length - 1) & last)
        kept = load(tables, j) & ~moved
        if j + length < size:
            kept = kept | (load(tables, j + length) & moved)
        line, above = (kept & before) | ((kept >> length) & ~before), line
        store(tables, j, line)
        pair, pair_above = line & (above << 1), pair
        another = another | (pair & (pair_above << 1))
    store(ends, 0, another)
