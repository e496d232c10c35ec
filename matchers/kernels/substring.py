"""Substring: the longest block that both strings contain."""

from __future__ import annotations

from typing import Any

import numpy as np

from .blocks import longest_block, scanned_block
from .compiled import kernel
from .family import Family, Job, Outputs, Work
from .ratios import Linear, Ratio
from .sums import MOST, PLANES, sum_bits
from .vectors import load, some, store, vectors, zeros


def _family(name: str, ratio: Ratio, scan: bool) -> Family:
    def prepare(job: Job, outs: Outputs) -> Work:
        pairs = job.pairs
        repeats = least_repeats(pairs.targets.codes, pairs.targets.starts) if scan else None
        slices = job.slices if pairs.targets.lengths.max(initial=0) <= MOST else None

        def work(first: int, last: int) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            texts = rows.codes, rows.starts, targets.codes, targets.starts
            if slices is None:
                lengths = scalar_lengths(*texts, scan)
            else:
                lengths = block_lengths(rows.codes, rows.starts, slices)
                if scan:
                    _scan_again(*texts, repeats, lengths)
            ratio.fill(lengths, rows, pairs, outs[name][first:last])

        return work

    return Family((name,), prepare)


FAMILIES = (
    _family("substring", Ratio(Linear(2, 1), scale=2), scan=False),
    _family("ontosim-substring", Ratio(Linear(2, 1), scale=2, twice=True), scan=True),
)


@kernel
def scalar_lengths(s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any, scan: bool) -> Any:
    """Return the length of the longest (or scanned) common block for every pair."""
    rows, columns = len(s_starts) - 1, len(t_starts) - 1
    lengths = np.zeros((rows, columns), np.int32)
    for row in range(rows):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        for k in range(columns):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
            if scan:
                lengths[row, k] = scanned_block(s, t)[2]
            else:
                lengths[row, k] = longest_block(s, t)[2]
    return lengths


@kernel
def block_lengths(s_codes: Any, s_starts: Any, slices: Any) -> Any:
    """Return the length of the longest common block, for 512 targets at once.

    The length is the number of k for which there is a common block of k characters. On each
    diagonal of the table of equal characters, a block of k + 1 ends where blocks of k end here and
    one place before; the diagonal is done when none of the 512 targets has such a block.

    Shape (sources, targets rounded up to whole blocks).
    """
    rows, blocks = len(s_starts) - 1, len(slices.width)
    lengths = np.empty((rows, blocks * 512), np.uint16)
    longest = slices.width[-1]
    found = vectors(longest + 3)  # found[k]: where there is a block of k + 1 characters
    ends = vectors(longest)  # where blocks of k end, along a diagonal
    scratch = vectors(PLANES)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = s_codes[s_starts[row] : s_starts[row + 1]]
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
def _scan_again(
    s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any, t_repeats: Any, lengths: Any
) -> None:
    """Replace the lengths of longest blocks by those that OntoSim's scan finds.

    A start (i, j + p) is hidden from the scan by a match of more than p characters at (i, j). Both
    strings then have equal characters at the distance p, and the match is shorter than the hidden
    one: so a longest block of at most p + 1 characters is never missed.
    """
    s_repeats = least_repeats(s_codes, s_starts)
    for row in range(len(s_starts) - 1):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        for k in range(len(t_starts) - 1):
            if lengths[row, k] > max(s_repeats[row], t_repeats[k]) + 1:
                t = t_codes[t_starts[k] : t_starts[k + 1]]
                lengths[row, k] = scanned_block(s, t)[2]


@kernel
def least_repeats(codes: Any, starts: Any) -> Any:
    """Return the least distance of two equal characters in each text, else its length."""
    least = starts[1:] - starts[:-1]
    for k in range(len(least)):
        text = codes[starts[k] : starts[k + 1]]
        distance = 1
        while distance < least[k]:
            for i in range(len(text) - distance):
                if text[i] == text[i + distance]:
                    least[k] = distance
            distance += 1
    return least
