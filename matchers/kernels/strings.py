"""Strings as arrays, the kernels' work on them, and similarities from counts.

Each distinct character has a dense code. The targets, sorted by length, are cut into blocks of 512.
For every character c and position j a block has a vector of bits, its *slice*: the targets with c
at j. A dynamic programme over such vectors fills one cell of 512 tables at once, with few logical
instructions.

A kernel counts whole numbers (edits, shared characters) for the targets in order of length. A
`Ratio` turns them into similarities in the caller's order. Denominators and offsets are linear in
the shorter length and in the difference of the lengths (`Linear`).

`divide` divides by a number with a known inverse: the same bits, three times as fast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, instruction, kernel

from .vectors import LANES, MOST, PLANES, WORDS, types, vectors

Indices = NDArray[np.int64]
#: Any kind of whole numbers.
Whole = TypeVar("Whole", bound=np.integer[Any])

#: Entries of the largest table of present values; for larger values numbers are sorted.
_LARGEST_TABLE = 2**22
#: Numbers of one look-up: the array that indexes the table then fits the processor's cache.
_CHUNK = 2**16
#: Bytes of the largest slices.
LARGEST = 2**28


class Texts(NamedTuple):
    """Strings, end to end: text k is ``codes[starts[k] : starts[k + 1]]``."""

    codes: NDArray[np.uint32]
    starts: Indices
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
        Place in `targets` of each column, in the caller's order.
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
    target_lengths = np.fromiter(map(len, targets), np.int32, len(targets))
    order = np.argsort(target_lengths, kind="stable")
    rank = np.empty(len(targets), dtype=np.int32)
    rank[order] = np.arange(len(targets))
    strings = [*sources, *map(targets.__getitem__, order.tolist())]
    points = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    codes, alphabet = dense(points)
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Pairs(*split(codes, starts, len(sources)), rank, alphabet)


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


def dense(values: NDArray[Whole]) -> tuple[NDArray[Whole], int]:
    """Renumber numbers 0, 1, ... in their order; return the new numbers and how many differ.

    No number may be negative. The type stays: new memory takes longer than the counting.

    Examples
    --------
    >>> dense(np.array([30, 10, 30]))
    (array([1, 0, 1]), 2)
    """
    end = int(values.max(initial=0)) + 1
    if end > _LARGEST_TABLE:
        distinct, numbers = np.unique(values, return_inverse=True)
        return numbers.astype(values.dtype), len(distinct)
    present = np.zeros(end + 1, values.dtype)
    renumbered = np.empty_like(values)
    chunks = [slice(first, first + _CHUNK) for first in range(0, len(values), _CHUNK)]
    for chunk in chunks:
        present[1:][values[chunk]] = 1
    number = np.cumsum(present, dtype=values.dtype)
    for chunk in chunks:
        renumbered[chunk] = number[values[chunk]]
    return renumbered, int(number[-1])


def split(codes: NDArray[np.uint32], starts: Indices, n: int) -> tuple[Texts, Texts]:
    """Return the first n of some texts, and the others, from the codes of all."""
    return _texts(codes, starts[: n + 1]), _texts(codes, starts[n:])


def _texts(codes: NDArray[np.uint32], starts: Indices) -> Texts:
    first = int(starts[0])
    last = int(starts[-1])
    return Texts(codes[first:last], starts - first, np.diff(starts).astype(np.int32))


def every_pair(sources: Texts, targets: Texts) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the row and the column of every pair, row by row."""
    n = len(sources.lengths)
    m = len(targets.lengths)
    return np.repeat(np.arange(n), m), np.tile(np.arange(m), n)


class Slices(NamedTuple):
    """Bit slices of the targets.

    Attributes
    ----------
    words
        All vectors. The first ones are zero: one for each character of the longest target.
    row
        For each block and character, the number of the vector for position 0. The vectors for
        positions 1, 2, ... follow it. It is 0 if no target of the block has the character.
    longer
        For each block, the number of a vector: the targets with more than 0 characters. The
        vectors for more than 1, 2, ... characters follow it.
    width
        For each block, the length of its longest target.
    """

    words: NDArray[np.uint64]
    row: Indices
    longer: Indices
    width: Indices


def slice_targets(targets: Texts, alphabet: int) -> Slices | None:
    """Return the bit slices of sorted texts; None if they would be too large, or are empty."""
    columns = len(targets.lengths)
    blocks = -(-columns // LANES)
    longest = int(targets.lengths.max(initial=0))
    if longest == 0 or blocks * alphabet * 8 > LARGEST:
        return None
    last_targets = np.minimum(np.arange(1, blocks + 1) * LANES, columns) - 1
    width = targets.lengths[last_targets].astype(np.int64)
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
    """Return an empty array for counts, shape (rows, targets rounded up to whole blocks)."""
    return np.empty((rows, len(slices.width) * LANES), np.uint16)


@kernel
def _mark_characters(targets: Any, has: Any) -> None:
    for k in range(len(targets.lengths)):
        for place in range(targets.starts[k], targets.starts[k + 1]):
            has[k // LANES, 1 + targets.codes[place]] = True


@kernel
def _set_bits(targets: Any, slices: Any) -> None:
    for k in range(len(targets.lengths)):
        block = k // LANES
        word = k % LANES // 64
        bit = np.uint64(1) << np.uint64(k % 64)
        start = targets.starts[k]
        for place in range(start, targets.starts[k + 1]):
            row = slices.row[block, targets.codes[place]]
            slices.words[(row + place - start) * WORDS + word] |= bit
            slices.words[(slices.longer[block] + place - start) * WORDS + word] |= bit


@dataclass(frozen=True)
class Job:
    """The strings of a matrix's rows and columns."""

    sources: Sequence[str]
    targets: Sequence[str]

    @cached_property
    def pairs(self) -> Pairs:
        """The strings, encoded."""
        return encode(self.sources, self.targets)

    @cached_property
    def slices(self) -> Slices | None:
        """The targets in bit slices; None if they would be too large."""
        return slice_targets(self.pairs.targets, self.pairs.alphabet)


#: By metric: one row for each source.
Outputs = Mapping[str, NDArray[Any]]
#: Function of (first, last, outputs): fills the rows of the sources first, ..., last - 1. Several
#: threads call it at once.
Work = Callable[[int, int, Outputs], None]


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics that use the same counts; only the last step differs.

    Attributes
    ----------
    names
        Names of the metrics.
    work_of
        Encodes the strings and returns the work on rows.
    sparse
        Whether the work writes only values that are not zero.
    """

    names: tuple[str, ...]
    work_of: Callable[[Job], Work]
    sparse: bool = False


def counted(
    ratios: Mapping[str, Ratio],
    of_pairs: Callable[..., NDArray[Any]],
    *options: int,
    sliced: Callable[..., None] | None = None,
    largest: int = 1,
) -> Family:
    """Return a family of metrics that are ratios of one count.

    Parameters
    ----------
    ratios
        By metric: the formula from the count to the similarity.
    of_pairs
        Kernel for chosen pairs of strings: takes (sources, targets, rows, columns, *options).
    options
        Arguments of `of_pairs`.
    sliced
        Kernel for 512 targets at once: takes (sources, slices, line, digits, counts). It is used
        where slices are not too large and counts have 16 bits. `line` has room for `largest`
        vectors per character of the longest target, `digits` is scratch for `sum_bits`, and
        `counts` has a place for each source and block.
    largest
        The most that one character of a target adds to a count.
    """

    def work_of(job: Job) -> Work:
        pairs = job.pairs
        fits = largest * int(pairs.targets.lengths.max(initial=0)) <= MOST
        slices = job.slices if sliced and fits else None

        def work(first: int, last: int, outs: Outputs) -> None:
            rows = pairs.sources.rows(first, last)
            targets = pairs.targets
            if sliced and slices is not None:
                counts: NDArray[Any] = no_counts_yet(len(rows.lengths), slices)
                line = vectors(largest * slices.width[-1] + 3)
                sliced(rows, slices, line, vectors(PLANES), counts.ravel())
            else:
                every = of_pairs(rows, targets, *every_pair(rows, targets), *options)
                counts = every.reshape(len(rows.lengths), -1)
            for name, out in outs.items():
                ratios[name].fill(counts, rows, pairs, out)

        return work

    return Family(tuple(ratios), work_of)


class Linear(NamedTuple):
    """A linear form of two lengths: shorter * min(n, m) + difference * |n - m|."""

    shorter: int
    difference: int


class Ratio(NamedTuple):
    """The similarity numerator / denominator, as a function of a count and the lengths.

    The numerator is ``scale * count``; with an `offset` the similarity is a complement,
    ``1 - (offset - count) / denominator``.

    Attributes
    ----------
    denominator
        0 for two empty strings only.
    empty
        Similarity of two empty strings.
    twice
        Whether to return 1 - (1 - x) for x: OntoSim's bits of a similarity.
    """

    denominator: Linear
    offset: Linear | None = None
    scale: int = 1
    empty: float = 1.0
    twice: bool = False

    def of(self, counts: NDArray[Any], n: NDArray[Any], m: NDArray[Any]) -> NDArray[np.float64]:
        """Return the similarities of pairs of strings of lengths n and m, by their counts."""
        shorter = np.minimum(n, m)
        difference = abs(n - m)
        below = self.denominator.shorter * shorter + self.denominator.difference * difference
        values = self.scale * counts
        if self.offset is not None:
            values = values - self.offset.shorter * shorter - self.offset.difference * difference
        values = values / np.maximum(below, 1)
        if self.offset is not None:
            values = 1.0 + values
        if self.twice:
            values = 1.0 - (1.0 - values)
        return np.where(below == 0, self.empty, values)

    def fill(self, counts: NDArray[Any], rows: Texts, pairs: Pairs, out: NDArray[Any]) -> None:
        """Write the similarities of some sources to the rows of `out`.

        Parameters
        ----------
        counts
            One row per source, one column per target in order of length (more are ignored).
        rows
            The sources.
        pairs
            The strings of the whole matrix.
        out
            One row per source.
        """
        _fill(
            counts,
            rows.lengths,
            pairs.targets.lengths,
            pairs.rank,
            tuple(map(float, self.denominator)),
            tuple(map(float, self.offset or (0, 0))),
            0.0 if self.offset is None else 1.0,
            float(self.scale),
            self.empty,
            self.twice,
            out,
        )


@kernel
def _fill(
    counts: Any,
    n_lengths: Any,
    m_lengths: Any,
    rank: Any,
    denominator: Any,
    offset: Any,
    start: float,
    scale: float,
    empty: float,
    twice: bool,
    out: Any,
) -> None:
    """Write start + (scale * count - offset) / denominator."""
    columns = len(m_lengths)
    values = np.empty(columns)
    for row in range(len(counts)):
        n = float(n_lengths[row])
        for k in range(columns):  # whole numbers, of the type that the division needs
            m = float(m_lengths[k])
            shorter = n if n < m else m
            difference = abs(n - m)
            below = denominator[0] * shorter + denominator[1] * difference
            zero = offset[0] * shorter + offset[1] * difference
            count = float(np.int32(counts[row, k]))
            values[k] = start + (scale * count - zero) / below
        if twice:
            for k in range(columns):
                values[k] = 1.0 - (1.0 - values[k])
        if n == 0:
            for k in range(columns):
                if m_lengths[k] == 0:
                    values[k] = empty
        for j in range(columns):
            out[row, j] = values[rank[j]]


_FLOAT = types.float64


@instruction
def divide(typing: Any, a: Any, b: Any, inverse: Any) -> Any:
    """Return a / b, rounded as a division is.

    Parameters
    ----------
    a
        A whole number below 2 ** 31 (for b = 3 any number of normal size).
    b
        A whole number from 1 to 2 ** 31.
    inverse
        ``1.0 / b``.

    Notes
    -----
    The error of q = a * inverse is less than two units u of the last place. The remainder a - b q
    is a whole multiple of u and below 2 b u, so the processor's fused operation gives it exactly.
    Before rounding, the error of q + remainder * inverse is less than 2 ** -51 u. Rounding changes
    at odd multiples of u / 2. a / b is none of them, and at least u / 2b away from each. So both
    round to the same number (after Markstein 1990). Without a fused operation, it divides.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        dividend, divisor, inverted = args
        if "+fma" not in context.codegen().magic_tuple()[2].split(","):
            return builder.fdiv(dividend, divisor)
        quotient = builder.fmul(dividend, inverted)
        remainder = builder.fma(builder.fneg(quotient), divisor, dividend)
        return builder.fma(remainder, inverted, quotient)

    return _FLOAT(_FLOAT, _FLOAT, _FLOAT), code
