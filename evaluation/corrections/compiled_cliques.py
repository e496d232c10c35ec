"""The innermost steps of the search for partitions, compiled for long searches.

A set of systems is here a row of 64-bit words, and a list of cliques is a matrix of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

Words = NDArray[np.uint64]
Part = tuple[int, list[int], int, int]


def rest_bounder(
    cliques: list[int], neighbours: list[int]
) -> Callable[[int, int, int], tuple[int, list[Part]]]:
    """Do as the function of this name in `alignrank.evaluation.corrections.cliques`."""
    width = -(-len(neighbours) // 64) * 8
    matrix = _packed(tuple(cliques), width)
    around = _packed(tuple(neighbours), width)

    def bound_rest(vertices: int, largest: int, need: int) -> tuple[int, list[Part]]:
        words = np.frombuffer(vertices.to_bytes(width, "little"), np.uint64)
        bound, inside, connected, facts = _bound_rest(matrix, around, words, largest, need)
        parts: list[Part] = []
        if bound <= need:
            return bound, parts
        ordered = _unpacked(inside)
        for vertices, fact in zip(_unpacked(connected), facts.tolist(), strict=True):
            start, end, edges, pairs = fact
            parts.append((vertices, ordered[start:end], edges, pairs))
        return bound, parts

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
    bit = np.uint64(1)
    colours = np.int64(0)
    for v in range(len(neighbours)):
        uncoloured = neighbours[v].copy()
        while uncoloured.any():
            colours += 1
            free = uncoloured.copy()
            for w in range(free.size):
                while free[w]:
                    lowest = free[w] & (~free[w] + bit)
                    uncoloured[w] ^= lowest
                    free[w] ^= lowest
                    joined = neighbours[w * 64 + _count_bits(lowest - bit)]
                    for later in range(w, free.size):
                        free[later] &= ~joined[later]
    return colours // 2


@kernel
def _bound_rest(cliques: Any, neighbours: Any, vertices: Any, largest: Any, need: Any) -> Any:
    """Bound the pairs among the vertices; return their parts if the bound is above need."""
    ordered = np.empty_like(cliques)
    inside = np.empty_like(cliques)
    for c in range(len(cliques)):
        for w in range(vertices.size):
            ordered[c, w] = cliques[c, w] & vertices[w]
    count = _sort(ordered, inside)
    bound = _packing_bound(inside, 0, count, largest)
    count = _keep_maximal(inside, count) if bound > need else 0
    connected = np.empty((count, vertices.size), np.uint64)
    facts = np.empty((count, 4), np.int64)
    parts = _split(inside, neighbours, ordered, connected, facts)
    return bound, ordered[:count], connected[:parts], facts[:parts]


@helper
def _packing_bound(cliques: Any, start: Any, end: Any, largest: Any) -> Any:
    """Do as `alignrank.evaluation.corrections.cliques.packing_bound`, from `start` to `end`."""
    last = end - start  # the row of the group that is being joined
    groups = np.empty((last + 1, cliques.shape[1]), np.uint64)
    free = np.empty(last, np.int64)  # number of vertices of a group that are in no block yet
    count = bound = np.int64(0)
    for c in range(start, end):
        joined = _common(cliques, c, cliques, c)
        apart = np.int64(0)
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
                _copy(groups, g, groups, apart)
                free[apart] = free[g]
                apart += 1
        _copy(groups, last, groups, apart)
        free[apart] = joined
        count = apart + 1
    for g in range(count):
        bound += _pack(free, g, largest, 1)
    return bound


@helper
def _pack(free: Any, g: Any, largest: Any, smallest: Any) -> Any:
    """Fill blocks of more than `smallest` vertices of a group; return their pairs."""
    pairs = np.int64(0)
    if free[g] > smallest:
        pairs += free[g] // largest * (largest * (largest - 1) // 2)
        free[g] %= largest
    if free[g] > smallest:
        pairs += free[g] * (free[g] - 1) // 2
        free[g] = 0
    return pairs


@helper
def _sort(cliques: Any, ordered: Any) -> Any:
    """Copy the cliques of two vertices or more, the largest first; count them."""
    sizes = np.array([_common(cliques, c, cliques, c) for c in range(len(cliques))])
    count = np.int64(0)
    for size in range(sizes.max() if len(sizes) else 0, 1, -1):
        for c in range(len(cliques)):
            if sizes[c] == size:
                _copy(cliques, c, ordered, count)
                count += 1
    return count


@helper
def _keep_maximal(cliques: Any, count: Any) -> Any:
    """Move the maximal cliques to the front; count them."""
    maximal = np.int64(0)
    for c in range(count):
        size = _common(cliques, c, cliques, c)
        larger = np.int64(0)
        while larger < maximal and _common(cliques, c, cliques, larger) < size:
            larger += 1
        if larger == maximal:
            _copy(cliques, c, cliques, maximal)
            maximal += 1
    return maximal


@helper
def _split(cliques: Any, neighbours: Any, ordered: Any, vertices: Any, facts: Any) -> Any:
    """Order the cliques by connected part; fill in its vertices and facts; count the parts."""
    last_of = np.arange(len(vertices))  # a part is named by its last clique
    for c in range(len(vertices)):
        _copy(cliques, c, vertices, c)
        for last in range(c):
            if last_of[last] == last and _common(vertices, last, vertices, c):
                _join(vertices, c, vertices, last)
                for member in range(c):
                    if last_of[member] == last:
                        last_of[member] = c
    parts = end = np.int64(0)
    for last in range(len(vertices)):
        if last_of[last] == last:
            start = end
            for c in range(last + 1):
                if last_of[c] == last:
                    _copy(cliques, c, ordered, end)
                    end += 1
            _copy(vertices, last, vertices, parts)
            edges = np.int64(0)
            for v in range(len(neighbours)):
                if vertices[parts, v >> 6] >> np.uint64(v & 63) & np.uint64(1):
                    edges += _common(neighbours, v, vertices, parts)
            largest = _common(ordered, start, ordered, start)
            facts[parts, 0] = start
            facts[parts, 1] = end
            facts[parts, 2] = edges // 2
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
def _common(words: Any, row: Any, sets: Any, at: Any) -> Any:
    """Count the vertices that two sets share."""
    count = np.int64(0)
    for w in range(words.shape[1]):
        count += _count_bits(words[row, w] & sets[at, w])
    return count


@helper
def _count_bits(x: Any) -> Any:
    """Count the bits of a word that are set (Warren 2012, figure 5-2)."""
    x -= x >> np.uint64(1) & np.uint64(0x5555555555555555)
    fours = x >> np.uint64(2) & np.uint64(0x3333333333333333)
    x = (x & np.uint64(0x3333333333333333)) + fours
    x = x + (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(x * np.uint64(0x0101010101010101) >> np.uint64(56))
