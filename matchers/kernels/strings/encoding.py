"""The strings of a matrix as arrays, and the work that kernels do on them.

Each distinct character has a dense code. The targets, sorted by length, are cut into blocks of 512.
For every character c and position j a block has a vector of bits, its *slice*, that tells which of
its targets have c at j. A dynamic programme over such vectors fills the same cell of 512 tables at
once, with a handful of logical instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import LANES, WORDS, vectors
from matchers.machine.compiled import helper, kernel

_LARGEST_TABLE = 2**22
#: Slices that would take more bytes are not made.
LARGEST = 2**28


class Texts(NamedTuple):
    """Strings, end to end: text k is ``codes[starts[k] : starts[k + 1]]``."""

    codes: NDArray[np.uint32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]

    def rows(self, first: int, last: int) -> Texts:
        """Return the texts first, ..., last - 1."""
        return _texts(self.codes, self.starts[first : last + 1])


@dataclass(frozen=True, slots=True)
class Pairs:
    """The strings of a matrix, encoded.

    Attributes
    ----------
    sources
        One text per row.
    targets
        The texts of the columns, sorted by length.
    rank
        Of each column, in the caller's order: its place in `targets`.
    alphabet
        Number of distinct characters; codes are 0, ..., alphabet - 1.
    """

    sources: Texts
    targets: Texts
    rank: NDArray[np.int32]
    alphabet: int


def encode(sources: Sequence[str], targets: Sequence[str]) -> Pairs:
    """Return the strings of a matrix as codes of Unicode code points.

    Examples
    --------
    >>> pairs = encode(["ab"], ["bab", "b"])
    >>> pairs.targets.codes, pairs.targets.starts, pairs.rank
    (array([1, 1, 0, 1], dtype=uint32), array([0, 1, 4]), array([1, 0], dtype=int32))
    """
    order = sorted(range(len(targets)), key=[len(t) for t in targets].__getitem__)
    rank = np.empty(len(targets), dtype=np.int32)
    rank[order] = np.arange(len(targets))
    strings = [*sources, *(targets[k] for k in order)]
    points = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    numbers, alphabet = dense(points.astype(np.int64))
    codes = numbers.astype(np.uint32)
    starts = np.fromiter(accumulate(map(len, strings), initial=0), np.int64, len(strings) + 1)
    n = len(sources)
    return Pairs(_texts(codes, starts[: n + 1]), _texts(codes, starts[n:]), rank, alphabet)


@helper
def text(texts: Any, k: Any) -> Any:
    """Return the codes of one text, in a kernel."""
    return texts.codes[texts.starts[k] : texts.starts[k + 1]]


@helper
def longest(texts: Any) -> int:
    """Return the length of the longest text, in a kernel; 0 if there is none."""
    length = 0
    for k in range(len(texts.lengths)):
        length = max(length, texts.lengths[k])
    return length


def dense(values: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int64], int]:
    """Return numbers, none negative, renumbered 0, ..., size - 1 in their order, and the size.

    Examples
    --------
    >>> dense(np.array([30, 10, 30]))
    (array([1, 0, 1]), 2)
    """
    end = int(values.max(initial=-1)) + 1
    if end > _LARGEST_TABLE:
        distinct, numbers = np.unique(values, return_inverse=True)
        return numbers, len(distinct)
    present = np.zeros(end + 1, np.int64)
    present[1:][values] = 1
    number = np.cumsum(present)
    return number[values], int(number[-1])


def _texts(codes: NDArray[np.uint32], starts: NDArray[np.int64]) -> Texts:
    first, last = int(starts[0]), int(starts[-1])
    return Texts(codes[first:last], starts - first, np.diff(starts).astype(np.int32))


def every_pair(sources: Texts, targets: Texts) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the row and the column of every pair, row by row: for work on one pair at a time."""
    n, m = len(sources.lengths), len(targets.lengths)
    return np.repeat(np.arange(n), m), np.tile(np.arange(m), n)


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


def slice_targets(targets: Texts, alphabet: int) -> Slices | None:
    """Return the bit slices of sorted texts; None if they would be too large, or are empty."""
    columns = len(targets.lengths)
    blocks = -(-columns // LANES)
    longest = int(targets.lengths.max(initial=0))
    if longest == 0 or blocks * alphabet * 8 > LARGEST:
        return None
    ends = np.minimum(np.arange(1, blocks + 1) * LANES, columns) - 1
    width = targets.lengths[ends].astype(np.int64)
    has = np.zeros((blocks, 1 + alphabet), np.bool_)
    has[:, 0] = True  # the vectors of `longer`
    _mark_characters(targets, has)
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
def _mark_characters(targets: Any, has: Any) -> None:
    for k in range(len(targets.lengths)):
        for place in range(targets.starts[k], targets.starts[k + 1]):
            has[k // LANES, 1 + targets.codes[place]] = True


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


@dataclass(frozen=True)
class Job:
    """The strings of a matrix: of its rows and of its columns."""

    sources: Sequence[str]
    targets: Sequence[str]

    @cached_property
    def pairs(self) -> Pairs:
        """The strings, encoded."""
        return encode(self.sources, self.targets)

    @cached_property
    def slices(self) -> Slices | None:
        """The targets in bit slices; None if these would be too large."""
        return slice_targets(self.pairs.targets, self.pairs.alphabet)


#: By metric: one row for each source that the work is on.
Outputs = Mapping[str, NDArray[Any]]
#: Fills outputs for the sources first, ..., last - 1; called from several threads at once.
Work = Callable[[int, int, Outputs], None]


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that share their work: what they count is the same, the last step differs.

    Attributes
    ----------
    names
        Names of the metrics.
    prepare
        Looks at the strings, and returns the work on some of the rows.
    sparse
        Whether it writes only what is not zero.
    """

    names: tuple[str, ...]
    prepare: Callable[[Job], Work]
    sparse: bool = False
