"""The innermost steps of the search for partitions, compiled, for searches that take long.

A set of systems is here a row of 64-bit words, and a list of cliques is a matrix of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba.cpython.unsafe.numbers
import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

Words = NDArray[np.uint64]
Part = tuple[int, list[int], int, int]

trailing_zeros: Any = numba.cpython.unsafe.numbers.trailing_zeros


def rest_bounder(
    cliques: list[int], neighbours: list[int]
) -> Callable[[int, int, int], tuple[int, list[Part]]]:
    """Do as the function of this name in `alignrank.evaluation.corrections.cliques`."""
    width = -(-len(neighbours) // 64) * 8
    matrix, around = _packed(tuple(cliques), width), _packed(tuple(neighbours), width)

    def bound_rest(rest: int, largest: int, need: int) -> tuple[int, list[Part]]:
        words = np.frombuffer(rest.to_bytes(width, "little"), np.uint64)
        bound, left, vertices, facts = _bound_rest(matrix, around, words, largest, need)
        if bound <= need:
            return bound, []
        inside = _unpacked(left)
        parts = zip(_unpacked(vertices), facts.tolist(), strict=True)
        return bound, [
            (part, inside[start:end], edges, pairs) for part, (start, end, edges, pairs) in parts
        ]

    return bound_rest


def colouring_bound(neighbours: list[int]) -> int:
    """Do as the function of this name in `alignrank.evaluation.corrections.cliques`."""
    return int(_colouring_bound(_packed(tuple(neighbours), -(-len(neighbours) // 64) * 8)))


@lru_cache(maxsize=2)
def _packed(sets: tuple[int, ...], width: int) -> Words:
    data = b"".join([vertices.to_bytes(width, "little") for vertices in sets])
    return np.frombuffer(data, np.uint64).reshape(len(sets), width // 8)


def _unpacked(words: Words) -> list[int]:
    rows = words.view(f"V{words.shape[1] * 8}").ravel().tolist()
    return [int.from_bytes(row, "little") for row in rows]


@kernel
def _colouring_bound(neighbours: Any) -> Any:
    one, colours = np.uint64(1), np.int64(0)
    for v in range(len(neighbours)):
        uncoloured = neighbours[v].copy()
        while uncoloured.any():
            colours += 1
            free = uncoloured.copy()
            for w in range(free.size):
                while free[w]:
                    lowest = free[w] & (~free[w] + one)
                    uncoloured[w] ^= lowest
                    free[w] ^= lowest
                    joined = neighbours[w * 64 + trailing_zeros(lowest)]
                    for other in range(w, free.size):
                        free[other] &= ~joined[other]
    return colours // 2


@kernel
def _bound_rest(cliques: Any, neighbours: Any, rest: Any, largest: Any, need: Any) -> Any:
    """Bound the pairs in the rest; give its parts if the bound is above need."""
    within, left = np.empty_like(cliques), np.empty_like(cliques)
    for c in range(len(cliques)):
        for w in range(rest.size):
            within[c, w] = cliques[c, w] & rest[w]
    count = _sort(within, left)
    bound = _packing_bound(left, 0, count, largest)
    kept = _keep_maximal(left, count) if bound > need else 0
    vertices, facts = np.empty((kept, rest.size), np.uint64), np.empty((kept, 4), np.int64)
    parts = _split(left, neighbours, within, vertices, facts)
    return bound, within[:kept], vertices[:parts], facts[:parts]


@helper
def _packing_bound(cliques: Any, start: Any, end: Any, largest: Any) -> Any:
    """Do as `alignrank.evaluation.corrections.cliques.packing_bound`, from `start` to `end`."""
    last = end - start  # the row of the group that is being joined
    groups = np.empty((last + 1, cliques.shape[1]), np.uint64)
    free = np.empty(last, np.int64)  # how many of a group are in no block yet
    count = bound = np.int64(0)
    for c in range(start, end):
        joined, kept = _common(cliques, c, cliques, c), np.int64(0)
        if joined < largest:
            for g in range(count):
                bound += _pack(free, g, largest, joined)
            largest = joined
        _copy(cliques, c, groups, last)
        for g in range(count):
            common = _common(groups, g, cliques, c)
            if common:
                _join(groups, last, groups, g)
                joined += free[g] - common
            else:
                _copy(groups, g, groups, kept)
                free[kept] = free[g]
                kept += 1
        _copy(groups, last, groups, kept)
        free[kept] = joined
        count = kept + 1
    for g in range(count):
        bound += _pack(free, g, largest, 1)
    return bound


@helper
def _pack(free: Any, g: Any, largest: Any, smallest: Any) -> Any:
    """Fill blocks with more than `smallest` vertices of a group, as large as can be."""
    pairs = np.int64(0)
    if free[g] > smallest:
        pairs += free[g] // largest * (largest * (largest - 1) // 2)
        free[g] %= largest
    if free[g] > smallest:
        pairs += free[g] * (free[g] - 1) // 2
        free[g] = 0
    return pairs


@helper
def _sort(cliques: Any, left: Any) -> Any:
    """Put cliques of two vertices or more into `left`, the largest first; count them."""
    sizes = np.array([_common(cliques, c, cliques, c) for c in range(len(cliques))])
    count = np.int64(0)
    for size in range(sizes.max() if len(sizes) else 0, 1, -1):
        for c in range(len(cliques)):
            if sizes[c] == size:
                _copy(cliques, c, left, count)
                count += 1
    return count


@helper
def _keep_maximal(cliques: Any, count: Any) -> Any:
    """Move the maximal cliques to the front; count them."""
    kept = np.int64(0)
    for c in range(count):
        size, larger = _common(cliques, c, cliques, c), np.int64(0)
        while larger < kept and _common(cliques, c, cliques, larger) < size:
            larger += 1
        if larger == kept:
            _copy(cliques, c, cliques, kept)
            kept += 1
    return kept


@helper
def _split(cliques: Any, neighbours: Any, ordered: Any, vertices: Any, facts: Any) -> Any:
    """Sort the cliques by connected part; give also its vertices and facts; count the parts."""
    part_of = np.arange(len(vertices))  # a part is named by its last clique
    for c in range(len(vertices)):
        _copy(cliques, c, vertices, c)
        for part in range(c):
            if part_of[part] == part and _common(vertices, part, vertices, c):
                _join(vertices, c, vertices, part)
                for member in range(c):
                    if part_of[member] == part:
                        part_of[member] = c
    parts = end = np.int64(0)
    for part in range(len(vertices)):
        if part_of[part] == part:
            start = end
            for c in range(part + 1):
                if part_of[c] == part:
                    _copy(cliques, c, ordered, end)
                    end += 1
            _copy(vertices, part, vertices, parts)
            edges = np.int64(0)
            for v in range(len(neighbours)):
                if vertices[parts, v >> 6] >> np.uint64(v & 63) & np.uint64(1):
                    edges += _common(neighbours, v, vertices, parts)
            largest = _common(ordered, start, ordered, start)
            facts[parts, 0], facts[parts, 1], facts[parts, 2] = start, end, edges // 2
            facts[parts, 3] = _packing_bound(ordered, start, end, largest)
            parts += 1
    return parts


@helper
def _copy(words: Any, row: Any, into: Any, at: Any) -> None:
    for w in range(words.shape[1]):
        into[at, w] = words[row, w]


@helper
def _join(into: Any, at: Any, words: Any, row: Any) -> None:
    for w in range(words.shape[1]):
        into[at, w] |= words[row, w]


@helper
def _common(some: Any, row: Any, others: Any, at: Any) -> Any:
    """Count the vertices that two sets share (Warren 2012, figure 5-2)."""
    count = np.int64(0)
    for w in range(some.shape[1]):
        x = some[row, w] & others[at, w]
        x -= x >> np.uint64(1) & np.uint64(0x5555555555555555)
        x = (x & np.uint64(0x3333333333333333)) + (
            x >> np.uint64(2) & np.uint64(0x3333333333333333)
        )
        x = x + (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
        count += np.int64(x * np.uint64(0x0101010101010101) >> np.uint64(56))
    return count
