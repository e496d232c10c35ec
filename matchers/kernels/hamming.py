"""Hamming: positions at which both strings have the same character."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignrank.common.compiled import kernel

from .strings import Linear, Ratio, counted, text
from .vectors import load, store, sum_bits


@kernel
def pair_equal_positions(sources: Any, targets: Any, rows: Any, columns: Any) -> Any:
    """Return the number of positions with equal characters for chosen pairs."""
    equal = np.zeros(len(rows), np.int64)
    for k in range(len(rows)):
        s = text(sources, rows[k])
        t = text(targets, columns[k])
        for i in range(min(len(s), len(t))):
            equal[k] += s[i] == t[i]
    return equal


@kernel
def sliced_equal_positions(sources: Any, slices: Any, planes: Any, digits: Any, equal: Any) -> None:
    """Count the positions with equal characters, for 512 targets at once."""
    blocks = len(slices.width)
    for block in range(blocks):
        for row in range(len(sources.lengths)):
            start = sources.starts[row]
            positions = min(sources.starts[row + 1] - start, slices.width[block])
            for i in range(positions):
                first = slices.row[block, sources.codes[start + i]]
                store(planes, i, load(slices.words, first + i))
            sum_bits(planes, positions, digits, equal, row * blocks + block)


_LONGER = Linear(1, 1)  # the longer length
RATIOS = {
    "hamming": Ratio(_LONGER, offset=_LONGER),
    "ontosim-hamming": Ratio(_LONGER, offset=_LONGER, empty=0.0),
}
FAMILIES = (counted(RATIOS, pair_equal_positions, sliced=sliced_equal_positions),)
