"""Taking common blocks out of two strings, eight pairs at a time, a word of 64 bits for each.

Bit i of line j of a table tells whether s_i = t_j (or, in a turned table, t_i = s_j). A block
of length L that ends at (i, j) is a bit of L neighbouring lines, each shifted against the one
before. Taking it out deletes L lines, and L bits of every line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from matchers.kernels.bits.vectors import (
    equal_words,
    full_words,
    load,
    lowest_bits,
    minus_one,
    some,
    store,
    zeros,
)
from matchers.machine.compiled import helper

#: Characters of the shortest block that is taken out.
LEAST = 3
#: Characters of the longest string whose places are bits.
LONGEST = 63


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

    Of several longest blocks that goes which is first in s, then in t.

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
