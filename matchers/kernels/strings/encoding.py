"""Strings as arrays of numbers: one dense code per distinct character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from matchers.machine.compiled import helper

_LARGEST_TABLE = 2**22


class Texts(NamedTuple):
    """Strings, end to end: text k is ``codes[starts[k] : starts[k + 1]]``."""

    codes: NDArray[np.uint32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]

    def rows(self, first: int, last: int) -> Texts:
        """Return the texts first, ..., last - 1."""
        return Texts(self.codes, self.starts[first : last + 1], self.lengths[first:last])


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
