"""Strings as arrays of numbers: one dense code per distinct character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Texts:
    """Strings, end to end: text k is ``codes[starts[k] : starts[k + 1]]``."""

    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.lengths)

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
    (array([1, 1, 0, 1], dtype=int32), array([0, 1, 4]), array([1, 0], dtype=int32))
    """
    order = sorted(range(len(targets)), key=[len(t) for t in targets].__getitem__)
    rank = np.empty(len(targets), dtype=np.int32)
    rank[order] = np.arange(len(targets))
    strings = [*sources, *(targets[k] for k in order)]
    points = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    codes, alphabet = _dense(points)
    starts = np.fromiter(accumulate(map(len, strings), initial=0), np.int64, len(strings) + 1)
    n = len(sources)
    return Pairs(_texts(codes, starts[: n + 1]), _texts(codes, starts[n:]), rank, alphabet)


def _dense(points: NDArray[np.uint32]) -> tuple[NDArray[np.int32], int]:
    """Return code points numbered without gaps, and how many there are."""
    present = np.zeros(int(points.max(initial=0)) + 1, dtype=np.int32)
    present[points] = 1
    number = np.cumsum(present, dtype=np.int32)
    return number[points] - 1, int(number[-1])


def _texts(codes: NDArray[np.int32], starts: NDArray[np.int64]) -> Texts:
    first, last = int(starts[0]), int(starts[-1])
    return Texts(codes[first:last], starts - first, np.diff(starts).astype(np.int32))
