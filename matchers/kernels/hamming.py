"""Hamming: positions at which both strings have the same character."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import PLANES, load, store, sum_bits, vectors
from matchers.kernels.strings.encoding import Slices, Texts, no_counts_yet, text
from matchers.kernels.strings.ratios import Linear, Ratio, counted
from matchers.machine.compiled import kernel


@kernel
def pair_equal_positions(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return the number of positions with equal characters, of chosen pairs."""
    equal = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s, t = text(sources, rows[k]), text(targets, columns[k])
        for i in range(min(len(s), len(t))):
            equal[k] += s[i] == t[i]
    return equal


def sliced_equal_positions(sources: Texts, slices: Slices) -> NDArray[np.uint16]:
    """Return it for every pair, shape (sources, targets rounded up to whole blocks)."""
    equal = no_counts_yet(len(sources.lengths), slices)
    _count_equal(sources, slices, vectors(slices.width[-1] + 3), vectors(PLANES), equal.ravel())
    return equal


@kernel
def _count_equal(sources: Any, slices: Any, planes: Any, scratch: Any, equal: Any) -> None:
    """Count the positions with equal characters, for 512 targets at once."""
    blocks = len(slices.width)
    for block in range(blocks):
        for row in range(len(sources.lengths)):
            start = sources.starts[row]
            positions = min(sources.starts[row + 1] - start, slices.width[block])
            for i in range(positions):
                first = slices.row[block, sources.codes[start + i]]
                store(planes, i, load(slices.words, first + i))
            sum_bits(planes, positions, scratch, equal, row * blocks + block)


_LONGER = Linear(1, 1)  # the longer length
_RATIOS = {
    "hamming": Ratio(_LONGER, offset=_LONGER),
    "ontosim-hamming": Ratio(_LONGER, offset=_LONGER, empty=0.0),
}
FAMILIES = (counted(_RATIOS, sliced_equal_positions, pair_equal_positions),)
