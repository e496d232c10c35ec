"""The targets of a matrix in bit slices: 512 targets at a time, one lane for each.

The targets, sorted by length, are cut into blocks of 512. For every character c and position j
a block has a vector that tells which of its targets have c at j. A dynamic programme over such
vectors fills the same cell of 512 tables at once, with a handful of logical instructions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import LANES, WORDS, vectors
from matchers.machine.compiled import kernel

from .encoding import Pairs

#: Slices that would take more bytes are not made.
LARGEST = 2**28


class Slices(NamedTuple):
    """Bit slices of the targets.

    Attributes
    ----------
    words
        All vectors. The first ones, as many as the longest target has characters, are empty.
    row
        Of each block and character, the number of the vector for position 0; those for the further
        positions follow. 0 if no target of the block has the character.
    longer
        Of each block, the number of the first of the vectors that tell which targets are longer
        than 0, 1, ... characters.
    width
        Of each block, the length of its longest target.
    """

    words: NDArray[np.uint64]
    row: NDArray[np.int64]
    longer: NDArray[np.int64]
    width: NDArray[np.int64]


def slice_targets(pairs: Pairs) -> Slices | None:
    """Return the bit slices of the targets; None if they would be too large, or are empty."""
    targets = pairs.targets
    columns = len(targets.lengths)
    blocks = -(-columns // LANES)
    longest = int(targets.lengths.max(initial=0))
    if longest == 0 or blocks * pairs.alphabet * 8 > LARGEST:
        return None
    ends = np.minimum(np.arange(1, blocks + 1) * LANES, columns) - 1
    width = targets.lengths[ends].astype(np.int64)
    has = np.zeros((blocks, 1 + pairs.alphabet), np.bool_)
    has[:, 0] = True  # the vectors of `longer`
    has[np.repeat(np.arange(columns) // LANES, targets.lengths), 1 + targets.codes] = True
    sizes = np.where(has, width[:, None], 0).ravel()
    number = longest + int(sizes.sum())
    if number * LANES > 8 * LARGEST:
        return None
    begins = (longest + np.cumsum(sizes) - sizes).reshape(has.shape)
    begins[~has] = 0
    slices = Slices(vectors(number), begins[:, 1:].copy(), begins[:, 0].copy(), width)
    _set_bits(targets, slices)
    return slices


def no_counts_yet(rows: int, slices: Slices) -> NDArray[np.uint16]:
    """Return an array for counts, shape (rows, targets rounded up to whole blocks)."""
    return np.empty((rows, len(slices.width) * LANES), np.uint16)


@kernel
def _set_bits(targets: Any, slices: Any) -> None:
    for k in range(len(targets.lengths)):
        block, word = k // LANES, k % LANES // 64
        bit = np.uint64(1) << np.uint64(k % 64)
        start = targets.starts[k]
        for place in range(start, targets.starts[k + 1]):
            row = slices.row[block, targets.codes[place]]
            slices.words[(row + place - start) * WORDS + word] |= bit
            slices.words[(slices.longer[block] + place - start) * WORDS + word] |= bit
