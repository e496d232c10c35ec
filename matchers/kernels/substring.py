"""Substring: the longest block that both strings contain."""

from __future__ import annotations

from typing import Any

import numpy as np

from .blocks import longest_block, scanned_block, sure_lengths
from .compiled import kernel
from .encoding import text
from .family import Family, Job, Outputs, Work
from .ratios import Linear, Ratio
from .sums import MOST, PLANES, sum_bits
from .vectors import LANES, load, some, store, vectors, zeros


def _family(name: str, ratio: Ratio, scan: bool) -> Family:
    def prepare(job: Job) -> Work:
        pairs = job.pairs
        t_sure = sure_lengths(pairs.targets) if scan else None
        slices = job.slices if pairs.targets.lengths.max(initial=0) <= MOST else None

        def work(first: int, last: int, outs: Outputs) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            if slices is None:
                lengths = scalar_lengths(rows, targets, scan)
            else:
                lengths = block_lengths(rows, slices)
                if scan:
                    _scan_again(rows, targets, t_sure, lengths)
            ratio.fill(lengths, rows, pairs, outs[name])

        return work

    return Family((name,), prepare)


FAMILIES = (
    _family("substring", Ratio(Linear(2, 1), scale=2), scan=False),
    _family("ontosim-substring", Ratio(Linear(2, 1), scale=2, twice=True), scan=True),
)


@kernel
def scalar_lengths(sources: Any, targets: Any, scan: bool) -> Any:
    """Return the length of the longest (or scanned) common block for every pair."""
    rows, columns = len(sources.lengths), len(targets.lengths)
    lengths = np.zeros((rows, columns), np.int32)
    for row in range(rows):
        s = text(sources, row)
        for k in range(columns):
            t = text(targets, k)
            if scan:
                lengths[row, k] = scanned_block(s, t)[2]
            else:
                lengths[row, k] = longest_block(s, t)[2]
    return lengths


@kernel
def block_lengths(sources: Any, slices: Any) -> Any:
    """Return the length of the longest common block, for 512 targets at once.

    The length is the number of k for which there is a common block of k characters. On each
    diagonal of the table of equal characters, a block of k + 1 ends where blocks of k end here and
    one place before; the diagonal is done when none of the 512 targets has such a block.

    Shape (sources, targets rounded up to whole blocks).
    """
    rows, blocks = len(sources.lengths), len(slices.width)
    lengths = np.empty((rows, blocks * LANES), np.uint16)
    longest = slices.width[-1]
    found = vectors(longest + 3)  # found[k]: where there is a block of k + 1 characters
    ends = vectors(longest)  # where blocks of k end, along a diagonal
    scratch = vectors(PLANES)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = text(sources, row)
            levels = 0
            for k in range(width):
                store(found, k, zeros())
            for diagonal in range(1 - len(s), width):
                first = max(0, -diagonal)
                size = min(len(s), width - diagonal) - first
                place = slices.row[block]
                any_end = zeros()
                for k in range(size):
                    i = first + k
                    end = load(slices.words, place[s[i]] + i + diagonal)
                    store(ends, k, end)
                    any_end = any_end | end
                level = 0
                while some(any_end):
                    store(found, level, load(found, level) | any_end)
                    level += 1
                    any_end = zeros()
                    for k in range(size - 1, level - 1, -1):
                        end = load(ends, k) & load(ends, k - 1)
                        store(ends, k, end)
                        any_end = any_end | end
                levels = max(levels, level)
            sum_bits(found, levels, scratch, lengths[row], block)
    return lengths


@kernel
def _scan_again(sources: Any, targets: Any, t_sure: Any, lengths: Any) -> None:
    """Replace the lengths of longest blocks by those that OntoSim's scan finds."""
    s_sure = sure_lengths(sources)
    for row in range(len(sources.lengths)):
        s = text(sources, row)
        for k in range(len(targets.lengths)):
            if lengths[row, k] > max(s_sure[row], t_sure[k]):
                lengths[row, k] = scanned_block(s, text(targets, k))[2]
