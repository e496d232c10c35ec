"""Bergmann–Hommel by its definition: every exhaustive set, one after the other.

This is what `bergmann_hommel` must equal. The number of sets is Bell(n) − 1 (115,974 for ten
systems), so it is for a few systems and for tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


def exhaustive_sets(systems: int) -> Iterator[list[Pair]]:
    """Yield every set of pairs that can be exactly the true hypotheses (Bergmann and Hommel 1988).

    Equality of systems is an equivalence, so each is the set of all pairs within the blocks of a
    partition of the systems; the empty one is left out.

    Examples
    --------
    >>> list(exhaustive_sets(3))
    [[(0, 1), (0, 2), (1, 2)], [(0, 1)], [(0, 2)], [(1, 2)]]
    """
    for blocks in _partitions(systems):
        pairs = [pair for block in blocks for pair in combinations(block, 2)]
        if pairs:
            yield pairs


def enumerate_adjusted(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p of all pairs: ``min(1, max{|I|·min_{l∈I} p_l : I exhaustive, i ∈ I})``.

    Parameters
    ----------
    p
        Symmetric (n, n) matrix; the diagonal is not read.

    Returns
    -------
    NDArray
        Symmetric (n, n) matrix with a NaN diagonal.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.04], [0.02, 0.04, np.nan]])
    >>> enumerate_adjusted(p)[0].tolist()
    [nan, 0.03, 0.03]
    """
    n = len(p)
    raw = p.tolist()
    best = dict.fromkeys(combinations(range(n), 2), 0.0)
    for pairs in exhaustive_sets(n):
        value = len(pairs) * min(raw[i][j] for i, j in pairs)
        for pair in pairs:
            if value > best[pair]:
                best[pair] = value
    adjusted = np.full((n, n), np.nan)
    for (i, j), value in best.items():
        adjusted[i, j] = adjusted[j, i] = min(1.0, value)
    return adjusted


def _partitions(systems: int) -> Iterator[list[list[int]]]:
    """Yield every partition of ``range(systems)``; the yielded lists are reused."""
    blocks: list[list[int]] = []

    def place(system: int) -> Iterator[list[list[int]]]:
        if system == systems:
            yield blocks
            return
        for block in blocks:
            block.append(system)
            yield from place(system + 1)
            block.pop()
        blocks.append([system])
        yield from place(system + 1)
        blocks.pop()

    yield from place(0)
