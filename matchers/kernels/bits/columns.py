"""One column of an alignment table for 512 targets, as logical instructions.

The alignments' recurrence (see `edit`) is ::

    S(i, j) = max(S(i-1, j), S(i, j-1), S(i-1, j-1) + w),  0 <= base <= w <= W = base + n

Neighbouring cells differ by little: h(i, j) = S(i, j) - S(i, j-1) and v(i, j) = S(i, j) - S(i-1, j)
are 0, ..., W. With d = S(i, j) - S(i-1, j-1), and h and v of the cells above and to the left ::

    d = max(h(i-1, j), v(i, j-1), w),  h(i, j) = d - v(i, j-1),  v(i, j) = d - h(i-1, j)

A number x from 0 to W is kept as W vectors of bits, the k-th (from 1) telling where x >= k. Then
max is "or", vector by vector, and (as d is the larger) d - x >= k where for every u, x >= u implies
d >= u + k. This is Myers' bit-parallel step (1999), turned: bits are pairs, not positions, and
gains are not only 0 or 1.
"""

from __future__ import annotations

from typing import Any

from matchers.machine.compiled import instruction

from .vectors import Bits, items, load_bits, types

_Planes = list[Any]


@instruction
def load_agreement(typing: Any, words: Any, numbers: Any, edges: Any, j: Any, ngram: Any) -> Any:
    """Return the vectors that say where the characters of n-grams agree, for some rows, column j.

    Item ``r * ngram + b`` is about the characters b places before the ends of the n-grams: vector
    ``numbers[...] + j``, or ``edges[...]`` where j < b.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        planes = []
        column = args[3]
        for k, number in enumerate(items(builder, args[1], numbers)):
            index = builder.add(number, column)
            if back := k % ngram.literal_value:
                inside = builder.icmp_signed(">=", column, column.type(back))
                index = builder.select(inside, index, builder.extract_value(args[2], k))
            planes.append(load_bits(context, builder, signature.args[0], args[0], index))
        return context.make_tuple(builder, signature.return_type, planes)

    return types.UniTuple(Bits, len(numbers))(words, numbers, edges, types.intp, ngram), code


@instruction
def align_column(typing: Any, agreement: Any, h: Any, v: Any, base: Any) -> Any:
    """Take the recurrence through some rows of a column.

    Parameters
    ----------
    agreement
        Of each row, the vectors of `load_agreement`.
    h
        h above the first row: W vectors.
    v
        v to the left, of each row: W vectors.
    base
        Least gain of a pair; a literal.

    Returns
    -------
    tuple
        h of the last row, and v of each row.
    """
    rows = len(v) // len(h)
    result = types.Tuple((h, v))

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits, above, left = (
            items(builder, values, kind)
            for values, kind in zip(args[:3], signature.args, strict=False)
        )
        after = []
        for row in range(rows):
            e = _sum(builder, bits[row * len(bits) // rows : (row + 1) * len(bits) // rows])
            beside = left[row * len(h) : (row + 1) * len(h)]
            always = [None] * base.literal_value  # w >= k for k = 1, ..., base
            d = [
                None if w is None else builder.or_(builder.or_(a, b), w)
                for a, b, w in zip(above, beside, always + e, strict=True)
            ]
            after += _difference(builder, d, above)
            above = _difference(builder, d, beside)
        return context.make_tuple(
            builder,
            result,
            [context.make_tuple(builder, h, above), context.make_tuple(builder, v, after)],
        )

    return result(agreement, h, v, base), code


def _sum(builder: Any, bits: _Planes) -> _Planes:
    """Return the number of bits set, in the form of this module."""
    total: _Planes = []
    for bit in bits:
        carried = [bit] + [builder.and_(at_least, bit) for at_least in total]
        total = [builder.or_(a, b) for a, b in zip(total, carried, strict=False)] + carried[-1:]
    return total


def _difference(builder: Any, d: list[Any], x: _Planes) -> _Planes:
    """Return d - x, for d >= x; a vector of d that is None has every bit set."""
    larger = [None, *d]  # larger[k]: where d >= k
    difference = []
    for k in range(1, len(x) + 1):
        bits = larger[k]
        for u in range(1, len(x) + 2 - k):
            implied = builder.not_(x[u - 1])
            if u + k < len(larger):
                if larger[u + k] is None:
                    continue
                implied = builder.or_(implied, larger[u + k])
            bits = implied if bits is None else builder.and_(bits, implied)
        difference.append(bits)
    return difference
