"""Substring: the longest block that both strings contain."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import MOST, PLANES, load, some, store, sum_bits, vectors, zeros
from matchers.kernels.strings.blocks import longest_block, scanned_block, sure_lengths
from matchers.kernels.strings.encoding import (
    Family,
    Job,
    Outputs,
    Slices,
    Texts,
    Work,
    every_pair,
    no_counts_yet,
    text,
)
from matchers.kernels.strings.ratios import Linear, Ratio
from matchers.machine.compiled import kernel


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
                    _scan_again(rows, targets, t_sure, lengths)
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
def _scan_again(sources: Any, targets: Any, t_sure: Any, lengths: Any) -> None:
    """Replace the lengths of longest blocks by those that OntoSim's scan finds."""
    s_sure = sure_lengths(sources)
    for row in range(len(sources.lengths)):
        s = text(sources, row)
        for k in range(len(targets.lengths)):
            if lengths[row, k] > max(s_sure[row], t_sure[k]):
                lengths[row, k] = scanned_block(s, text(targets, k))[2]
