"""Vectors of 512 truth values, as types and instructions of numba.

`Bits` is a vector of 512 truth values, one per *lane*; Python's ``& | ^ ~`` work on it,
and ``+ -`` on its eight words as numbers. `Counts` is
a vector of 32 numbers of 16 bits. Arrays of vectors are contiguous arrays of uint64, eight words
for each vector; `vectors` makes one. `sum_bits` counts the vectors in which a lane is set.

Instructions emit LLVM code. It names no processor: where registers are shorter, LLVM splits the
vectors. Plain numba loops over eight words take seven times as long.

The alignments' recurrence (see `edit`) is ::

    S(i, j) = max(S(i-1, j), S(i, j-1), S(i-1, j-1) + w),  0 <= base <= w <= W = base + n

Neighbouring cells differ by little: h(i, j) = S(i, j) - S(i, j-1) and v(i, j) = S(i, j) - S(i-1, j)
are 0, ..., W. With d = S(i, j) - S(i-1, j-1), and h and v of the cells above and to the left ::

    d = max(h(i-1, j), v(i, j-1), w),  h(i, j) = d - v(i, j-1),  v(i, j) = d - h(i-1, j)

A number x from 0 to W is a list of W vectors: the k-th (from 1) is set where x >= k. Then max is
"or", vector by vector. For d >= x, d - x >= k holds where for every u, x >= u implies d >= u + k.
This is Myers' bit-parallel step (1999) with two changes: a bit stands for a pair of strings, not
for a position, and gains may be larger than 1.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
import numba.core.cgutils
import numba.extending
import numpy as np
from llvmlite import ir

from alignrank.common.compiled import helper, instruction

types: Any = numba.types
extending: Any = numba.extending
cgutils: Any = numba.core.cgutils

#: Lanes of a vector.
LANES = 512
#: 64-bit words of a vector.
WORDS = 8
#: The largest number of vectors in a sum: counts have 16 bits.
MOST = 2**16 - 1
#: Vectors that the scratch of a sum must hold.
PLANES = 16

_INT = ir.IntType(64)
_BITS = ir.VectorType(_INT, WORDS)
_COUNTS = ir.VectorType(ir.IntType(16), 32)
_NO_BITS = ir.Constant(_BITS, None)
_NO_COUNTS = ir.Constant(_COUNTS, None)


class BitsType(types.Type):  # type: ignore[misc]
    """Numba's type of 512 truth values."""

    def __init__(self) -> None:
        super().__init__(name="Bits512")


class CountsType(types.Type):  # type: ignore[misc]
    """Numba's type of 32 counts."""

    def __init__(self) -> None:
        super().__init__(name="Counts32x16")


Bits = BitsType()
Counts = CountsType()


class _BitsModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BITS)


class _CountsModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _COUNTS)


extending.register_model(BitsType)(_BitsModel)
extending.register_model(CountsType)(_CountsModel)


#: Lets Python and kernels call a function. Numba's decorator has no type.
_also_in_kernels: Callable[[Callable[[int], Any]], Callable[[int], Any]] = (
    extending.register_jitable
)


@_also_in_kernels
def vectors(number: int) -> Any:
    """Return an array of vectors without a bit set; each vector is one line of the cache."""
    words = np.zeros((number + 1) * WORDS, np.uint64)
    first = -(words.ctypes.data // 8) % WORDS
    return words[first : first + number * WORDS]


def address(context: Any, builder: Any, kind: Any, array: Any, index: Any, element: Any) -> Any:
    """Emit the address of an element of a contiguous array, seen as an array of `element`."""
    # LLVM would spend half of the time of compilation on unrolling loops that are short already.
    builder.function.attributes.add("optsize")
    data = context.make_array(kind)(context, builder, array).data
    # Numba's pointer names the type of the array's items. Read back from the stack it names none;
    # LLVM removes the detour.
    slot = cgutils.alloca_once_value(builder, data)
    pointer = builder.load(slot, typ=ir.PointerType())
    return builder.gep(pointer, [index], source_etype=element)


def items(builder: Any, values: Any, kind: Any) -> list[Any]:
    """Emit the items of a tuple."""
    return [builder.extract_value(values, k) for k in range(len(kind))]


def load_bits(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Emit the reading of a vector."""
    return builder.load(address(context, builder, kind, array, index, _BITS), align=8, typ=_BITS)


def load_words(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Emit the reading of eight words of an array, from word `index` on."""
    return builder.load(address(context, builder, kind, array, index, _INT), align=8, typ=_BITS)


def _emit(code: Callable[..., Any]) -> Callable[..., Any]:
    """Return the code of an instruction from a function of the builder and the arguments."""
    return lambda context, builder, signature, args: code(builder, *args)


def _is_set(builder: Any, bits: Any) -> Any:
    """Emit, for each word, whether it has a bit."""
    return builder.icmp_unsigned("!=", bits, _NO_BITS)


@instruction
def load(typing: Any, array: Any, index: Any) -> Any:
    """Return vector `index` of an array."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return load_bits(context, builder, signature.args[0], *args)

    return Bits(array, types.intp), code


@instruction
def store(typing: Any, array: Any, index: Any, bits: Any) -> Any:
    """Write vector `index` of an array."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        where = address(context, builder, signature.args[0], args[0], args[1], _BITS)
        builder.store(args[2], where, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, Bits), code


@instruction
def load_planes(typing: Any, array: Any, first: Any, number: Any) -> Any:
    """Return the vectors first, ..., first + number - 1 as a tuple; `number` is a literal."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        planes = [
            load_bits(context, builder, signature.args[0], args[0], builder.add(args[1], _INT(k)))
            for k in range(number.literal_value)
        ]
        return context.make_tuple(builder, signature.return_type, planes)

    return types.UniTuple(Bits, number.literal_value)(array, types.intp, number), code


@instruction
def store_planes(typing: Any, array: Any, first: Any, planes: Any) -> Any:
    """Write the vectors of a tuple from vector `first` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for k, bits in enumerate(items(builder, args[2], signature.args[2])):
            index = builder.add(args[1], _INT(k))
            where = address(context, builder, signature.args[0], args[0], index, _BITS)
            builder.store(bits, where, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, planes), code


@instruction
def zero_planes(typing: Any, number: Any) -> Any:
    """Return a tuple of zero vectors; `number` is a literal."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        planes = [_NO_BITS] * number.literal_value
        return context.make_tuple(builder, signature.return_type, planes)

    return types.UniTuple(Bits, number.literal_value)(number), code


@instruction
def load_numbers(typing: Any, array: Any, number: Any) -> Any:
    """Return the first numbers of an array of int64 as a tuple; `number` is a literal."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = [
            builder.load(
                address(context, builder, signature.args[0], args[0], _INT(k), _INT), typ=_INT
            )
            for k in range(number.literal_value)
        ]
        return context.make_tuple(builder, signature.return_type, numbers)

    return types.UniTuple(types.intp, number.literal_value)(array, number), code


@instruction
def count_bits(typing: Any, word: Any) -> Any:
    """Return the number of bits set in a word."""
    return types.intp(types.uint64), _emit(lambda builder, word: builder.ctpop(word))


@instruction
def zeros(typing: Any) -> Any:
    """Return a vector without a bit set."""
    return Bits(), _emit(lambda builder: _NO_BITS)


@instruction
def some(typing: Any, bits: Any) -> Any:
    """Return whether any bit is set."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        mask = builder.bitcast(_is_set(builder, args[0]), ir.IntType(WORDS))
        return builder.icmp_unsigned("!=", mask, ir.IntType(WORDS)(0))

    return types.boolean(Bits), code


@instruction
def full_words(typing: Any, bits: Any) -> Any:
    """Set every bit of the 64-bit words in which any bit is set; return them."""
    return Bits(Bits), _emit(lambda builder, bits: builder.sext(_is_set(builder, bits), _BITS))


@instruction
def equal_words(typing: Any, number: Any) -> Any:
    """Return eight 64-bit words, each of them `number`."""
    return Bits(types.intp), _emit(splat)


def splat(builder: Any, number: Any) -> Any:
    """Emit a vector of eight times a number."""
    single = builder.insert_element(_NO_BITS, number, ir.IntType(32)(0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), None)
    return builder.shuffle_vector(single, single, everywhere)


@instruction
def no_counts(typing: Any) -> Any:
    """Return 32 zeros."""
    return Counts(), _emit(lambda builder: _NO_COUNTS)


@instruction
def add_where(typing: Any, counts: Any, array: Any, index: Any, number: Any) -> Any:
    """Return counts with `number` added in the lanes whose bits are set.

    The bits are the 32 at position ``32 * index`` of an array of vectors.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(32)
        where = address(context, builder, signature.args[1], args[1], args[2], word)
        bits = builder.bitcast(builder.load(where, typ=word), ir.VectorType(ir.IntType(1), 32))
        small = builder.trunc(args[3], ir.IntType(16))
        single = builder.insert_element(_NO_COUNTS, small, ir.IntType(32)(0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), 32), None)
        added = builder.add(args[0], builder.shuffle_vector(single, single, everywhere))
        return builder.select(bits, added, args[0])

    return Counts(Counts, array, types.intp, types.intp), code


@instruction
def store_counts(typing: Any, array: Any, index: Any, counts: Any) -> Any:
    """Write 32 counts to a contiguous array of uint16, at position ``32 * index``."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        where = address(context, builder, signature.args[0], args[0], args[1], _COUNTS)
        builder.store(args[2], where, align=2)
        return context.get_dummy_value()

    return types.void(array, types.intp, Counts), code


def _define(operation: Callable[..., Any], name: str, operands: int) -> None:
    """Let an operator of Python work on vectors of bits."""

    def type_of(context: Any) -> Any:
        def typer(*kinds: Any) -> Any:
            if all(isinstance(kind, BitsType) for kind in kinds):
                return Bits
            return None

        return typer

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(*args)

    extending.type_callable(operation)(type_of)
    extending.lower_builtin(operation, *[Bits] * operands)(lower)


def _define_shift(operation: Callable[..., Any], name: str) -> None:
    """Let a shift operator of Python work on 64-bit words, by 0, ..., 63 places."""

    def type_of(context: Any) -> Any:
        def typer(bits: Any, places: Any) -> Any:
            shifts = isinstance(bits, BitsType) and isinstance(places, types.Integer)
            if shifts:
                return Bits(Bits, types.intp)
            return None

        return typer

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return getattr(builder, name)(args[0], splat(builder, args[1]))

    extending.type_callable(operation)(type_of)
    extending.lower_builtin(operation, Bits, types.intp)(lower)


_define(operator.and_, "and_", 2)
_define(operator.or_, "or_", 2)
_define(operator.xor, "xor", 2)
_define(operator.add, "add", 2)
_define(operator.sub, "sub", 2)
_define(operator.invert, "not_", 1)
_define_shift(operator.lshift, "shl")
_define_shift(operator.rshift, "lshr")


@helper
def sum_bits(planes: Any, number: int, scratch: Any, counts: Any, place: int) -> None:
    """Count the vectors in which a lane is set, for each of the 512 lanes.

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
    Four vectors at a time go through full adders. The first two digits stay in registers. Their
    carry is added to the other digits.
    """
    digits = 2
    while 1 << digits <= number:
        digits += 1
    for p in range(digits):
        store(scratch, p, zeros())
    for k in range(number, number + 3):
        store(planes, k, zeros())
    ones = zeros()
    twos = zeros()
    for k in range(0, number, 4):
        a = load(planes, k)
        b = load(planes, k + 1)
        c = load(planes, k + 2)
        d = load(planes, k + 3)
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
    for half_word in range(16):  # 32 lanes each
        total = no_counts()
        for p in range(digits):
            total = add_where(total, scratch, 16 * p + half_word, 1 << p)
        store_counts(counts, 16 * place + half_word, total)


_Planes = list[Any]


@instruction
def load_agreement(typing: Any, words: Any, numbers: Any, edges: Any, j: Any, ngram: Any) -> Any:
    """Return the vectors of agreement of n-grams, for some rows and column j.

    Item ``r * ngram + b`` compares the characters b places before the ends of the n-grams. It is
    vector ``numbers[...] + j``, or ``edges[...]`` where j < b.
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
    """Compute the recurrence for some rows of a column.

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
        bits = items(builder, args[0], agreement)
        above = items(builder, args[1], h)
        beside_rows = items(builder, args[2], v)
        ngram = len(bits) // rows
        always: _Planes = [None] * base.literal_value  # w >= k for k = 1, ..., base
        after = []
        for row in range(rows):
            gain = always + _sum(builder, bits[row * ngram : (row + 1) * ngram])
            beside = beside_rows[row * len(h) : (row + 1) * len(h)]
            d = []
            for a, b, w in zip(above, beside, gain, strict=True):
                larger = builder.or_(a, b)
                d.append(w and builder.or_(larger, w))
            after += _difference(builder, d, above)
            above = _difference(builder, d, beside)
        planes = [context.make_tuple(builder, h, above), context.make_tuple(builder, v, after)]
        return context.make_tuple(builder, result, planes)

    return result(agreement, h, v, base), code


def _sum(builder: Any, bits: _Planes) -> _Planes:
    """Emit the number of bits set, as a list of vectors."""
    total: _Planes = []
    for bit in bits:
        carried = [bit] + [builder.and_(at_least, bit) for at_least in total]
        raised = [builder.or_(a, b) for a, b in zip(total, carried, strict=False)]
        total = raised + carried[-1:]
    return total


def _difference(builder: Any, d: list[Any], x: _Planes) -> _Planes:
    """Emit d - x, for d >= x; a vector of d that is None has every bit set."""
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
