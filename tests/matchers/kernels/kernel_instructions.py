"""Runs every hand-written instruction, and the kernels that are named (or all).

`test_instructions` starts it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from alignrank.common.compiled import kernel
from alignrank.matchers.by_name import METRICS
from alignrank.matchers.kernels import signatures as candidates
from alignrank.matchers.kernels import vectors
from alignrank.matchers.kernels import vectors as columns
from alignrank.matchers.kernels.strings import divide
from alignrank.matchers.similarity.matrix import string_similarities

RNG = np.random.default_rng(0)
A, B, C = (RNG.integers(0, 2**64, 8, np.uint64) for _ in range(3))


@kernel
def operators(a: Any, b: Any, out: Any) -> None:
    x, y = vectors.load(a, 0), vectors.load(b, 0)
    vectors.store(out, 0, x & y)
    vectors.store(out, 1, x | y)
    vectors.store(out, 2, x ^ y)
    vectors.store(out, 3, ~x)
    vectors.store(out, 4, x << 3)
    vectors.store(out, 5, x >> 5)
    vectors.store(out, 6, x & (vectors.zeros() - x))
    vectors.store(out, 7, x - vectors.equal_words(1))
    vectors.store(out, 8, vectors.full_words(x))
    vectors.store(out, 9, vectors.zeros())
    vectors.store(out, 10, x + y)
    vectors.store(out, 11, vectors.equal_words(7))


def check_operators() -> None:
    a = A.copy()
    a[3] = 0
    out = vectors.vectors(12)
    assert out.ctypes.data % 64 == 0
    operators(a, B, out)
    one = np.uint64(1)
    full = np.where(a != 0, ~np.uint64(0), np.uint64(0))
    expected = [a & B, a | B, a ^ B, ~a, a << np.uint64(3), a >> np.uint64(5), a & (~a + one)]
    expected += [a - one, full, np.zeros(8), a + B, np.full(8, 7)]
    np.testing.assert_array_equal(out.reshape(12, 8), np.array(expected, np.uint64))


@kernel
def reaching(words: Any, further: Any, own: Any) -> Any:
    return candidates.reaching_mask(words, further, 1, (own[0], own[1]), 3, 33)


def check_reaching() -> None:
    words, own = RNG.integers(0, 2**64, (2, 9), np.uint64), RNG.integers(0, 2**64, 2, np.uint64)
    further = np.arange(9)
    found = int(reaching(words, further, own))
    for k in range(1, 9):
        common = sum(int(word).bit_count() for word in words[:, k] & own)
        assert (found >> (k - 1) & 1) == (common + min(3, k) >= 33)
    assert 0 < found < 255


@kernel
def planes(a: Any, out: Any, numbers: Any) -> tuple[int, int, bool, bool]:
    two = vectors.load_planes(a, 1, 2)
    vectors.store_planes(out, 0, two)
    vectors.store_planes(out, 2, vectors.zero_planes(1))
    first, second = vectors.load_numbers(numbers, 2)
    return first, second, vectors.some(two[0]), vectors.some(vectors.zeros())


def check_planes() -> None:
    out = vectors.vectors(3)
    out[:] = 1
    assert planes(np.concatenate([A, B, C]), out, np.array([7, -8])) == (7, -8, True, False)
    np.testing.assert_array_equal(out.reshape(3, 8), [B, C, np.zeros(8)])


@kernel
def counts(a: Any, out: Any) -> None:
    total = vectors.add_where(vectors.no_counts(), a, 3, 5)
    vectors.store_counts(out, 1, vectors.add_where(total, a, 4, 300))


def check_counts() -> None:
    out = np.full(96, 9, np.uint16)
    counts(A, out)
    bits = np.unpackbits(A.view(np.uint8), bitorder="little").astype(int)
    expected = 5 * bits[96:128] + 300 * bits[128:160]
    np.testing.assert_array_equal(out, np.concatenate([[9] * 32, expected, [9] * 32]))


@kernel
def column(words: Any, out: Any) -> None:
    h, v = vectors.load_planes(words, 0, 2), vectors.load_planes(words, 0, 2)
    numbers = vectors.load_numbers(np.array([2]), 1)
    agreement = columns.load_agreement(words, numbers, numbers, 0, 1)
    h, v = columns.align_column(agreement, h, v, 1)
    vectors.store_planes(out, 0, h)
    vectors.store_planes(out, 2, v)


def check_column() -> None:
    # h = v from 0 to 2 in two vectors, and whether the characters agree: every combination.
    words, out = vectors.vectors(3), vectors.vectors(4)
    words[0], words[8], words[16] = 0b111100, 0b110000, 0b101010
    column(words, out)
    d = [max(x, 1 + e) for x, e in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]]
    left = [difference - x for difference, x in zip(d, [0, 0, 1, 1, 2, 2], strict=True)]
    for first in (0, 16):
        at_least_one, at_least_two = int(out[first]), int(out[first + 8])
        found = [(at_least_one >> k & 1) + (at_least_two >> k & 1) for k in range(6)]
        assert found == left


@kernel
def quotients(a: Any, b: Any, inverse: Any, out: Any) -> None:
    for k in range(len(a)):
        out[k] = divide(a[k], b[k], inverse[k])


def check_division() -> None:
    small = np.arange(1.0, 400.0)
    a, b = (x.ravel() for x in np.meshgrid(np.arange(400.0), small))
    large = RNG.integers(1, 2**31, (2, 10**6)).astype(float)
    thirds = RNG.random(10**6), np.full(10**6, 3.0)
    for dividends, divisors in ((a, b), large, np.sort(large, axis=0), thirds):
        out = np.empty_like(dividends)
        quotients(dividends, divisors, 1.0 / divisors, out)
        np.testing.assert_array_equal(out, dividends / divisors)


def check_kernels() -> None:
    sources, targets = ["left ventricle", "tooth", ""], ["ventricle_left", "teeth", "", "aab"]
    for name in sys.argv[1:] or METRICS:
        matrix = string_similarities(sources, targets, METRICS[name], threads=1)
        print(name, matrix.tobytes().hex(), flush=True)


if __name__ == "__main__":
    for name, check in sorted(globals().items()):
        if name.startswith("check_"):
            print("start", name, flush=True)
            check()
    print("done")
