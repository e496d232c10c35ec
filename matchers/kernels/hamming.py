"""Hamming: positions at which both strings have the same character."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import kernel
from .encoding import text
from .family import Family, Job, Outputs, Work
from .ratios import Linear, Ratio
from .sums import MOST, PLANES, sum_bits
from .vectors import LANES, load, store, vectors

_LONGER = Linear(1, 1)
_RATIOS = {
    "hamming": Ratio(_LONGER, offset=_LONGER),
    "ontosim-hamming": Ratio(_LONGER, offset=_LONGER, empty=0.0),
}


def _prepare(job: Job) -> Work:
    pairs, slices = job.pairs, job.slices
    fits = pairs.targets.lengths.max(initial=0) <= MOST

    def work(first: int, last: int, outs: Outputs) -> None:
        rows, targets = pairs.sources.rows(first, last), pairs.targets
        if slices is not None and fits:
            equal = _equal_positions(rows, slices)
        else:
            equal = scalar_equal_positions(rows, targets)
        for name, out in outs.items():
            _RATIOS[name].fill(equal, rows, pairs, out)

    return work


FAMILIES = (Family(tuple(_RATIOS), _prepare),)


@kernel
def scalar_equal_positions(sources: Any, targets: Any) -> Any:
    """Return the number of positions with equal characters for every pair."""
    rows, columns = len(sources.lengths), len(targets.lengths)
    equal = np.zeros((rows, columns), np.int32)
    for row in range(rows):
        s = text(sources, row)
        for k in range(columns):
            t = text(targets, k)
            for i in range(min(len(s), len(t))):
                equal[row, k] += s[i] == t[i]
    return equal


@kernel
def _equal_positions(sources: Any, slices: Any) -> Any:
    """Return the number of positions with equal characters, for 512 targets at once.

    Shape (sources, targets rounded up to whole blocks).
    """
    rows, blocks = len(sources.lengths), len(slices.width)
    equal = np.empty((rows, blocks * LANES), np.uint16)
    planes = vectors(slices.width[-1] + 3)
    scratch = vectors(PLANES)
    for block in range(blocks):
        for row in range(rows):
            s = text(sources, row)
            positions = min(len(s), slices.width[block])
            for i in range(positions):
                store(planes, i, load(slices.words, slices.row[block, s[i]] + i))
            sum_bits(planes, positions, scratch, equal[row], block)
    return equal
