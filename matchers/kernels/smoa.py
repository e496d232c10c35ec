"""SMOA (ISub), and OntoSim's form of it: common blocks are taken out until none is left.

Most pairs have no common block of three characters: the bit slices find those that have one. From
a table of equal characters of each of them (`removal`) the longest block is taken out. Long
sources, and pairs with which OntoSim's scan may miss a block, go by the plain definition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.metrics.smoa import prepare

from .blocks import longest_block, scanned_block, sure_lengths
from .compiled import kernel
from .encoding import Texts, text
from .family import Family, Job, Outputs, Work
from .removal import LEAST, LONGEST, take_out_all, take_out_first
from .substring import block_lengths, scalar_lengths
from .sums import MOST
from .vectors import vectors

_PREFIX = 4  # characters of the longest prefix with a bonus


def _family(name: str, ontosim: bool) -> Family:
    def prepare_rows(job: Job, outs: Outputs) -> Work:
        prepared = Job([prepare(s) for s in job.sources], [prepare(t) for t in job.targets])
        pairs = prepared.pairs
        fits = pairs.targets.lengths.max(initial=0) <= MOST
        slices = prepared.slices if fits else None
        t_sure = sure_lengths(pairs.targets) if ontosim else pairs.targets.lengths
        # The prefix is that of the prepared strings, in OntoSim that of the strings as they were.
        originals = job.pairs if ontosim else pairs
        s_heads = _heads(originals.sources, -1)
        t_heads = _heads(originals.targets, -2)[originals.rank[np.argsort(pairs.rank)]].T.copy()

        def work(first: int, last: int) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            if slices is None:
                common = scalar_lengths(rows, targets, False)
            else:
                common = block_lengths(rows, slices)
            sure = sure_lengths(rows) if ontosim else rows.lengths, t_sure
            _count_common(rows, targets, pairs.alphabet, sure, ontosim, common)
            heads = s_heads[first:last], t_heads
            _fill(rows, targets, common, *heads, pairs.rank, ontosim, outs[name][first:last])

        return work

    return Family((name,), prepare_rows)


def _heads(texts: Texts, end: int) -> NDArray[np.int32]:
    """Return the first characters of every text; past its end there is `end`."""
    place = np.arange(_PREFIX)
    codes = np.append(texts.codes, [0] * _PREFIX).astype(np.int32)
    inside = place < texts.lengths[:, None]
    return np.where(inside, codes[texts.starts[:-1, None] + place], np.int32(end))


FAMILIES = (_family("smoa", ontosim=False), _family("ontosim-smoa", ontosim=True))


@kernel
def _count_common(
    sources: Any, targets: Any, alphabet: int, sure: Any, ontosim: bool, common: Any
) -> None:
    """Replace lengths of longest blocks, from `LEAST` on, by characters in common blocks."""
    columns = len(targets.lengths)
    longest = targets.lengths[-1]
    places = np.zeros(alphabet, np.uint64)  # the bits of a character in s
    scratch = vectors(longest), vectors(longest), np.empty((3, longest), np.uint64)
    some, by_length = np.empty(columns + 1, np.uint32), np.empty(columns, np.uint32)
    for row in range(len(sources.lengths)):
        s = text(sources, row)
        number = 0
        for k in range(columns):
            some[number] = k
            number += common[row, k] >= LEAST
        tabled = 0
        for k in some[:number]:
            if len(s) <= LONGEST and common[row, k] <= max(sure[0][row], sure[1][k]):
                some[tabled] = k
                tabled += 1
            else:
                common[row, k] = scalar_common(s, text(targets, k), ontosim)
        starts = _sort_by_length(some[:tabled], common[row], by_length)
        for i in range(min(len(s), LONGEST)):
            places[s[i]] |= np.uint64(1) << np.uint64(i)
        for length in range(LEAST, LONGEST + 1):
            group = by_length[starts[length] : starts[length + 1]]
            if len(group) > 0:
                _take_out(places, s, targets, group, length, scratch, ontosim, common[row])
        for i in range(len(s)):
            places[s[i]] = 0


@kernel
def _sort_by_length(some: Any, length: Any, by_length: Any) -> Any:
    """Sort indices by the length of the longest block, and return where each length begins."""
    starts = np.zeros(LONGEST + 3, np.int64)
    for k in some:
        starts[length[k] + 2] += 1
    for bucket in range(1, len(starts)):
        starts[bucket] += starts[bucket - 1]
    for k in some:
        by_length[starts[length[k] + 1]] = k
        starts[length[k] + 1] += 1
    return starts[:-1]


@kernel
def _take_out(
    places: Any,
    s: Any,
    targets: Any,
    group: Any,
    length: int,
    scratch: Any,
    ontosim: bool,
    common: Any,
) -> None:
    """Write the characters in common blocks of targets whose longest blocks are of one length."""
    tables, ends, single = scratch
    for first in range(0, len(group), 8):
        together = min(8, len(group) - first)
        size = targets.lengths[group[first + together - 1]]  # they are sorted by length
        tables[: size * 8] = 0
        for p in range(together):
            k = group[first + p]
            begin = targets.starts[k]
            for j in range(targets.lengths[k]):
                tables[8 * j + p] = places[targets.codes[begin + j]]
        take_out_first(tables, size, length, ends)
        for p in range(together):
            k = group[first + p]
            common[k] = length
            if ends[p] != 0 and ontosim:
                common[k] = scalar_common(s, text(targets, k), ontosim)
            elif ends[p] != 0:
                left = targets.lengths[k] - length
                for j in range(left):
                    single[0, j] = tables[8 * j + p]
                common[k] += take_out_all(single[0], left, single[1], single[2])


@kernel
def scalar_common(s: Any, t: Any, ontosim: bool) -> int:
    """Return how many characters lie in common blocks, by the plain definition."""
    s, t = s.copy(), t.copy()
    common = 0
    while len(s) > 0 and len(t) > 0:
        i, j, length = scanned_block(s, t) if ontosim else longest_block(s, t)
        if length < LEAST:
            break
        common += length
        s = np.concatenate((s[:i], s[i + length :]))
        t = np.concatenate((t[:j], t[j + length :]))
    return common


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
            prefix, same = 0, 1
            for place in range(_PREFIX):
                same &= head[place] == t_heads[place, k]
                prefix += same
            m = targets.lengths[k]
            taken_out = int(common[row, k]) if common[row, k] >= LEAST else 0
            values[k] = similarity(n, m, taken_out, prefix, ontosim)
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def similarity(n: int, m: int, common: int, prefix: int, ontosim: bool) -> float:
    """Return SMOA from the prepared lengths, the common characters and the prefix."""
    if n == 0 or m == 0:
        return 1.0 if n == m else 0.0
    if not ontosim and n == m and n == prefix:
        return 1.0
    comm = 2 * common / (n + m)
    u = (n - common) / n
    v = (m - common) / m
    either = u + v - u * v
    diff = u * v / (0.6 + 0.4 * either) if either != 0.0 else 0.0
    winkler = 0.1 * prefix * (1.0 - comm)
    value = (comm - diff + winkler + 1.0) / 2.0
    return 1.0 - (1.0 - value) if ontosim else value
