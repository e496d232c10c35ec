"""Pairs of strings that may have enough in common, found by their signatures, eight at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba.cpython.unsafe.numbers
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from matchers.kernels.bits.vectors import WORDS, load_words, splat, types
from matchers.machine.compiled import instruction, kernel

from .signatures import SIZE

#: Needed by strings that cannot be similar enough, whatever they have in common.
NEVER = 2**31 - 1

trailing_zeros: Any = numba.cpython.unsafe.numbers.trailing_zeros
_WORD = ir.IntType(64)


class Runs(NamedTuple):
    """Texts in runs of one length, sorted by their first characters within a run.

    Attributes
    ----------
    starts
        Run r has the texts ``starts[r], ..., starts[r + 1] - 1``.
    heads
        Four numbers of 16 bits for each text: its first characters.
    """

    starts: NDArray[np.int64]
    heads: NDArray[np.uint64]


@kernel
def candidates(
    rows: Any,
    row_runs: Any,
    row_signatures: Any,
    row_heads: Any,
    columns: Any,
    runs: Any,
    signatures: Any,
    needs: Any,
    first_runs: Any,
    found_rows: Any,
    found_columns: Any,
) -> int:
    """Write the pairs that may have enough in common; return their number, -1 if it is too large.

    Parameters
    ----------
    rows, columns
        First and last + 1 of the texts on either side.
    row_runs
        Of each text of the rows, its run.
    row_signatures, row_heads
        Of the rows.
    runs, signatures
        Of the columns.
    needs
        How much two texts must have in common, by the runs of row and column and the number p of
        their first characters that agree, 0, ..., 4; for p never less than for p + 1.
    first_runs
        The runs that the first ones of `needs` stand for.
    found_rows, found_columns
        Written to.
    """
    number = 0
    for run in range(first_runs[1], first_runs[1] + needs.shape[1]):
        begin, end = max(runs.starts[run], columns[0]), min(runs.starts[run + 1], columns[1])
        for row in range(rows[0], rows[1]):
            need = needs[row_runs[row] - first_runs[0], run - first_runs[1]]
            if need[4] == NEVER:
                continue
            if number + end - begin > len(found_rows):
                return -1
            before = number
            if need[0] == need[4]:
                found = found_columns[number:]
                number += _reaching(row_signatures, row, signatures, begin, end, need[0], found)
            else:
                head = row_heads[row]
                first, last, agreeing = begin, end, 0
                while first < last:  # those with one more agreeing character are within
                    inner_first, inner_last = last, last
                    if agreeing < 4:
                        shift = np.uint64(16 * (3 - agreeing))
                        inner_first = _first_not_below(runs.heads, first, last, head, shift)
                        inner_last = _first_above(runs.heads, inner_first, last, head, shift)
                    for part in range(2):
                        a, b = (first, inner_first) if part == 0 else (inner_last, last)
                        if a < b and need[agreeing] != NEVER:
                            found = found_columns[number:]
                            number += _reaching(
                                row_signatures, row, signatures, a, b, need[agreeing], found
                            )
                    first, last = inner_first, inner_last
                    agreeing += 1
            for k in range(before, number):
                found_rows[k] = row
    return number


@kernel
def _first_not_below(heads: Any, first: int, last: int, head: Any, shift: Any) -> int:
    while first < last:
        middle = (first + last) // 2
        if heads[middle] >> shift < head >> shift:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def _first_above(heads: Any, first: int, last: int, head: Any, shift: Any) -> int:
    while first < last:
        middle = (first + last) // 2
        if heads[middle] >> shift <= head >> shift:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def _reaching(
    row_signatures: Any, row: int, signatures: Any, begin: int, end: int, need: int, found: Any
) -> int:
    """Write which of some texts may have so much in common with the row; return how many."""
    words = row_signatures.words
    own = words[0, row], words[1, row], words[2, row], words[3, row]
    number = 0
    for k in range(begin, end, WORDS):
        mask = reaching(
            signatures.words, signatures.further, k, own, row_signatures.further[row], need
        )
        while mask != 0:
            column = k + trailing_zeros(mask)
            mask &= mask - np.uint64(1)
            if column < end:
                found[number] = column
                number += 1
    return number


@instruction
def reaching(
    typing: Any, words: Any, further: Any, k: Any, own: Any, own_further: Any, need: Any
) -> Any:
    """Return in which of eight texts, from text k on, the bound reaches `need`: bit by bit."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        plane = context.make_array(kinds[0])(context, builder, args[0])
        stride = builder.extract_value(plane.shape, 1)
        bound = load_words(context, builder, kinds[1], args[1], args[2])
        mine = splat(builder, args[4])
        bound = builder.select(builder.icmp_signed("<", bound, mine), bound, mine)
        index = args[2]
        for w in range(SIZE):
            theirs = load_words(context, builder, kinds[0], args[0], index)
            both = builder.and_(theirs, splat(builder, builder.extract_value(args[3], w)))
            bound = builder.add(bound, _count_bits(builder, both))
            index = builder.add(index, stride)
        enough = builder.icmp_signed(">=", bound, splat(builder, args[5]))
        mask = builder.bitcast(enough, ir.IntType(WORDS))
        return builder.zext(mask, _WORD)

    own_words = types.UniTuple(types.uint64, SIZE)
    return types.uint64(words, further, types.intp, own_words, types.intp, types.intp), code


def _count_bits(builder: Any, words: Any) -> Any:
    """Emit the numbers of bits set in 64-bit words; LLVM knows the pattern."""

    def constant(value: int) -> Any:
        return ir.Constant(ir.VectorType(_WORD, WORDS), [value] * WORDS)

    def right(value: Any, places: int) -> Any:
        return builder.lshr(value, constant(places))

    odd = constant(0x5555555555555555)
    pairs = constant(0x3333333333333333)
    nibbles = constant(0x0F0F0F0F0F0F0F0F)
    x = builder.sub(words, builder.and_(right(words, 1), odd))
    x = builder.add(builder.and_(x, pairs), builder.and_(right(x, 2), pairs))
    x = builder.and_(builder.add(x, right(x, 4)), nibbles)
    return right(builder.mul(x, constant(0x0101010101010101)), 56)
