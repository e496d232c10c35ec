"""SMOA (ISub), and OntoSim's form of it: the longest common block is removed until none is left.

Most pairs have no common block of three characters: bit slices find the pairs that have one. Their
blocks are removed from tables of equal characters (`take_out`). Long strings are handled one by
one (`characters_in_blocks`). So are pairs where OntoSim's scan may miss a block.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel
from alignrank.matchers.metrics.substring import without_separators

from .jaro import common_prefix
from .strings import Family, Job, Outputs, Texts, Work, longest, text
from .substring import (
    LEAST,
    LONGEST,
    characters_in_blocks,
    every_length,
    find_blocks,
    scanned_block,
    sliced_lengths,
    sure_lengths,
    take_out_longest,
)
from .vectors import MOST, some, store, vectors, zeros

_PREFIX = 4  # characters of the longest prefix with a bonus


def _family(name: str, ontosim: bool) -> Family:
    def prepare_rows(job: Job) -> Work:
        prepared = Job(
            [without_separators(s) for s in job.sources],
            [without_separators(t) for t in job.targets],
        )
        pairs = prepared.pairs
        fits = pairs.targets.lengths.max(initial=0) <= MOST
        slices = prepared.slices if fits else None
        t_sure = sure_lengths(pairs.targets) if ontosim else pairs.targets.lengths
        # The prefix is that of the prepared strings, but in OntoSim that of the original ones.
        originals = job.pairs if ontosim else pairs
        s_heads = _heads(originals.sources, -1)
        columns = np.argsort(pairs.rank)
        t_heads = _heads(originals.targets, -2)[originals.rank[columns]].T.copy()

        def work(first: int, last: int, outs: Outputs) -> None:
            rows = pairs.sources.rows(first, last)
            targets = pairs.targets
            if slices is None:
                common: NDArray[Any] = every_length(rows, targets, False)
            else:
                common = sliced_lengths(rows, slices)
            sure = sure_lengths(rows) if ontosim else rows.lengths, t_sure
            remaining = _count_common(rows, targets, sure, ontosim, pairs.alphabet, common)
            if remaining.size > 0:
                _count_again(rows, targets, remaining, ontosim, common)
            heads = s_heads[first:last], t_heads
            _fill(rows, targets, common, *heads, pairs.rank, ontosim, outs[name])

        return work

    return Family((name,), prepare_rows)


def _heads(texts: Texts, end: int) -> NDArray[np.int32]:
    """Return the first characters of every text, filled up with `end`."""
    place = np.arange(_PREFIX)
    codes = np.append(texts.codes, [0] * _PREFIX).astype(np.int32)
    inside = place < texts.lengths[:, None]
    return np.where(inside, codes[texts.starts[:-1, None] + place], np.int32(end))


FAMILIES = (_family("smoa", ontosim=False), _family("ontosim-smoa", ontosim=True))


@kernel
def _count_common(
    sources: Any, targets: Any, sure: Any, ontosim: bool, alphabet: int, common: Any
) -> Any:
    """Replace lengths of longest blocks, from `LEAST` on, by characters in common blocks.

    Return the pairs that need another method, shape (2, pairs).
    """
    columns = len(targets.lengths)
    scratch = _scratch(sources, targets)
    places = np.zeros(alphabet, np.uint64)
    chosen = np.empty(columns + 1, np.uint32)
    remaining = np.empty((2, len(sources.lengths) * columns), np.uint32)
    number = 0
    for row in range(len(sources.lengths)):
        n = sources.lengths[row]
        tabled: Any = np.int64(0)  # no literal: see `helper`
        for k in range(len(targets.lengths)):
            if common[row, k] >= LEAST:
                chosen[tabled] = remaining[0, number] = k
                remaining[1, number] = row
                fits = min(n, targets.lengths[k]) <= LONGEST
                sure_length = max(sure[0][row], sure[1][k])
                here = fits and common[row, k] <= sure_length
                tabled += here
                number += not here
        s = text(sources, row)
        more = take_out(s, targets, chosen[:tabled], ontosim, places, scratch, common[row])
        for p in range(more):  # OntoSim's scan may miss a block across a removed one
            remaining[0, number] = chosen[p]
            remaining[1, number] = row
            number += 1
    return remaining[:, :number].copy()


@helper
def _scratch(sources: Any, targets: Any) -> Any:
    """Return the vectors that `take_out` writes."""
    lines = max(longest(sources), longest(targets))
    return vectors(lines), vectors(lines), vectors(lines), vectors(2)


@kernel
def _count_again(sources: Any, targets: Any, pairs: Any, ontosim: bool, common: Any) -> None:
    """Write the characters of pairs in common blocks, one pair after the other."""
    for p in range(pairs.shape[1]):
        k = np.int64(pairs[0, p])
        row = np.int64(pairs[1, p])
        s = text(sources, row)
        t = text(targets, k)
        common[row, k] = _scanned_common(s, t) if ontosim else characters_in_blocks(s, t, LEAST)


@helper
def take_out(
    s: Any, targets: Any, chosen: Any, once: bool, places: Any, scratch: Any, common: Any
) -> int:
    """Write the number of characters of some targets in common blocks with s.

    With `once` only the longest blocks are removed. Then the targets that have another block are
    moved to the front of `chosen`. Return their number.
    """
    if len(chosen) == 0:
        return 0
    tables, block_ends, longer, results = scratch
    turned = len(s) > LONGEST  # bits are places of t, and lines are places of s
    if not turned:
        _set_places(s, places)
    number = 0
    for first in range(0, len(chosen), 8):  # eight targets together, one in each word
        together = min(8, len(chosen) - first)
        size = len(s) if turned else 0
        for p in range(together):
            k = np.int64(chosen[first + p])
            size = max(size, targets.starts[k + 1] - targets.starts[k])
        # Tables of equal characters: a line for each place of one string, bits for the other.
        for j in range(size):
            store(tables, j, zeros())
        for p in range(together):
            k = np.int64(chosen[first + p])
            at = p
            if turned:
                t = text(targets, k)
                _set_places(t, places)
                for i in range(len(s)):
                    tables[8 * i + p] = places[s[i]]
                _clear_places(t, places)
            else:  # counting the references of a slice would take as long as the loop
                for place in range(targets.starts[k], targets.starts[k + 1]):
                    tables[at] = places[targets.codes[place]]
                    at += 8
        # Block after block, the longest first, until no pair has one.
        total = zeros()
        last_places = find_blocks(tables, size, block_ends)
        while some(last_places):
            total = total + take_out_longest(tables, size, block_ends, longer, last_places, turned)
            last_places = find_blocks(tables, size, block_ends)
            if once:
                break
        store(results, 0, total)
        store(results, 1, last_places)
        for p in range(together):
            k = chosen[first + p]
            common[k] = results[p]
            chosen[number] = k
            number += results[8 + p] != 0
    if not turned:
        _clear_places(s, places)
    return number


@helper
def _set_places(codes: Any, places: Any) -> None:
    """Set, for each character of a text, the bits of its places."""
    for i in range(len(codes)):
        places[codes[i]] |= np.uint64(1) << np.uint64(i)


@helper
def _clear_places(codes: Any, places: Any) -> None:
    for i in range(len(codes)):
        places[codes[i]] = 0


@helper
def _scanned_common(s: Any, t: Any) -> int:
    """Return the number of characters in the blocks that OntoSim's scan finds in turn."""
    s = s.copy()
    t = t.copy()
    common = 0
    while True:
        i, j, length = scanned_block(s, t)
        if length < LEAST:
            return common
        common += length
        s = _without(s, i, length)
        t = _without(t, j, length)


@helper
def _without(codes: Any, first: int, length: int) -> Any:
    """Remove a block in place; return the shorter text."""
    for i in range(first + length, len(codes)):
        codes[i - length] = codes[i]
    return codes[: len(codes) - length]


@kernel
def _fill(
    sources: Any,
    targets: Any,
    common: Any,
    s_heads: Any,
    t_heads: Any,
    rank: Any,
    ontosim: bool,
    out: Any,
) -> None:
    columns = len(targets.lengths)
    values = np.empty(columns)
    for row in range(len(sources.lengths)):
        n = sources.lengths[row]
        head = s_heads[row]
        for k in range(columns):
            prefix: Any = np.int64(0)  # no literal: see `helper`
            same = 1
            for place in range(_PREFIX):
                same &= head[place] == t_heads[place, k]
                prefix += same
            m = targets.lengths[k]
            taken_out = int(common[row, k]) * (common[row, k] >= LEAST)
            values[k] = similarity(n, m, taken_out, prefix, ontosim)
        for j in range(columns):
            out[row, j] = values[rank[j]]


@helper
def similarity(n: int, m: int, common: int, prefix: int, ontosim: bool) -> float:
    """Return SMOA from the prepared lengths, the common characters and the prefix."""
    if n == 0 or m == 0:
        if n == m:
            return 1.0
        return 0.0
    if not ontosim and n == m and n == prefix:
        return 1.0
    comm = 2 * common / (n + m)
    u = (n - common) / n
    v = (m - common) / m
    either = u + v - u * v
    diff = u * v / (0.6 + 0.4 * either) if either != 0.0 else 0.0
    winkler = 0.1 * prefix * (1.0 - comm)
    value = (comm - diff + winkler + 1.0) / 2.0
    if ontosim:
        return 1.0 - (1.0 - value)
    return value


@kernel
def pair_similarities(sources: Any, targets: Any, alphabet: int, rows: Any, columns: Any) -> Any:
    """Return SMOA of chosen pairs; the texts are those of the prepared strings."""
    scratch = _scratch(sources, targets)
    places = np.zeros(alphabet, np.uint64)
    chosen = np.empty(len(targets.lengths), np.uint32)
    common = np.empty_like(chosen)
    values = np.empty(len(rows))
    start = 0
    while start < len(rows):
        s = text(sources, rows[start])
        end = start
        tabled = 0
        while end < len(rows) and rows[end] == rows[start]:
            column = columns[end]
            if min(len(s), targets.lengths[column]) <= LONGEST:
                chosen[tabled] = column
                tabled += 1
            else:
                common[column] = characters_in_blocks(s, text(targets, column), LEAST)
            end += 1
        take_out(s, targets, chosen[:tabled], False, places, scratch, common)
        for k in range(start, end):
            t = text(targets, columns[k])
            shared: Any = np.int64(common[columns[k]])
            prefix = common_prefix(s, t)
            values[k] = similarity(len(s), len(t), shared, prefix, False)
        start = end
    return values
