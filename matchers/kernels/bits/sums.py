"""How many of some vectors have a bit set, lane by lane."""

from __future__ import annotations

from typing import Any

from matchers.machine.compiled import helper

from .vectors import add_where, load, no_counts, store, store_counts, zeros

#: A count is a number of 16 bits, so that at most so many vectors can be summed.
MOST = 2**16 - 1
#: Vectors that the scratch of a sum must hold.
PLANES = 16


@helper
def sum_bits(planes: Any, number: int, scratch: Any, counts: Any, place: int) -> None:
    """Write in how many of the first vectors of `planes` each of the 512 bits is set.

    Parameters
    ----------
    planes
        Vectors, `number` to be summed and three more, which are overwritten.
    number
        At most `MOST`.
    scratch
        `PLANES` vectors, which become the binary digits of the sums.
    counts
        Contiguous uint16; written is ``counts[512 * place : 512 * (place + 1)]``.

    Notes
    -----
    Four vectors at a time go through full adders: the first two digits stay in registers, the
    carry out of them ripples through the others.
    """
    digits = 2
    while 1 << digits <= number:
        digits += 1
    for p in range(digits):
        store(scratch, p, zeros())
    for k in range(number, number + 3):
        store(planes, k, zeros())
    ones, twos = zeros(), zeros()
    for k in range(0, number, 4):
        a, b, c, d = load(planes, k), load(planes, k + 1), load(planes, k + 2), load(planes, k + 3)
        first = (ones & a) | (ones & b) | (a & b)
        ones = ones ^ a ^ b
        second = (ones & c) | (ones & d) | (c & d)
        ones = ones ^ c ^ d
        carry = (twos & first) | (twos & second) | (first & second)
        twos = twos ^ first ^ second
        for p in range(2, digits):
            digit = load(scratch, p)
            store(scratch, p, digit ^ carry)
            carry = digit & carry
    store(scratch, 0, ones)
    store(scratch, 1, twos)
    for part in range(16):
        total = no_counts()
        for p in range(digits):
            total = add_where(total, scratch, 16 * p + part, 1 << p)
        store_counts(counts, 16 * place + part, total)
