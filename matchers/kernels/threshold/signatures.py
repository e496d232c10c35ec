"""Signatures of strings: an upper bound of what two strings have in common, in a few instructions.

The k-th occurrence of a character (or trigram) in a string is an *element*: two strings have as
many characters in common, each as often as in both, as they have elements in common. A signature
has 128 bits, each for one element or for several, and the number of elements whose bit was taken:
no two strings have more in common than equal bits, and the smaller of the two numbers.

`candidates` goes through the signatures of a tile, eight texts at once, and lists the pairs that
may have enough in common.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from matchers.kernels.strings import Texts, dense, text
from matchers.kernels.vectors import WORDS, address, load_words, splat, types, vectors
from ontologies.common.compiled import helper, instruction, kernel

#: Words of a signature.
SIZE = 2


class Signatures(NamedTuple):
    """Signatures of some texts.

    Attributes
    ----------
    words
        Word w of text k is ``words[w, k]``.
    further
        The number of elements whose bit was taken.
    """

    words: NDArray[np.uint64]
    further: NDArray[np.int64]


def trigram_texts(sources: Texts, targets: Texts, alphabet: int) -> tuple[Texts, Texts]:
    """Return the texts as sequences of trigrams.

    Examples
    --------
    >>> from matchers.kernels.strings import encode
    >>> pairs = encode(["ababa"], ["abab"])
    >>> [found.codes.tolist() for found in trigram_texts(pairs.sources, pairs.targets, 2)]
    [[0, 1, 0], [0, 1]]
    """
    keys = [_trigram_keys(texts, alphabet) for texts in (sources, targets)]
    numbers = dense(np.concatenate(keys))[0].astype(np.uint32)
    split = len(keys[0])
    made = []
    for texts, codes in ((sources, numbers[:split]), (targets, numbers[split:])):
        lengths = np.maximum(texts.lengths - 2, 0).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        made.append(Texts(codes, starts, lengths))
    return made[0], made[1]


def sorted_texts(texts: Texts) -> Texts:
    """Return the texts with the codes of each in order."""
    codes = texts.codes.copy()
    _sort_each(codes, texts.starts)
    return Texts(codes, texts.starts, texts.lengths)


def sign(sources: Texts, targets: Texts) -> tuple[Signatures, Signatures]:
    """Return the signatures of texts; the order of a text's codes changes nothing.

    Frequent elements have a bit of their own as long as there are bits.
    """
    size = 1 + max(int(texts.codes.max(initial=0)) for texts in (sources, targets))
    most = np.zeros(size, np.int64)
    for texts in (sources, targets):
        _count_most(texts, most)
    first = np.concatenate([[0], np.cumsum(most)])
    frequency = np.zeros(first[-1], np.int64)
    for texts in (sources, targets):
        _count_elements(texts, first, frequency)
    bits = np.empty(len(frequency), np.int64)
    bits[np.argsort(-frequency, kind="stable")] = np.arange(len(frequency)) % (64 * SIZE)
    return _sign(sources, first, bits), _sign(targets, first, bits)


def _sign(texts: Texts, first: NDArray[np.int64], bits: NDArray[np.int64]) -> Signatures:
    number = 1 + len(texts.lengths) // WORDS  # so that the last ones can be read eight at once
    made = Signatures(vectors(SIZE * number).reshape(SIZE, -1), vectors(number).view(np.int64))
    _set_bits(texts, first, bits, made)
    return made


@kernel
def _trigram_keys(texts: Any, alphabet: int) -> Any:
    number = 0
    for length in texts.lengths:
        number += max(length - 2, 0)
    keys = np.empty(number, np.int64)
    place = 0
    for k in range(len(texts.lengths)):
        codes = text(texts, k)
        for i in range(len(codes) - 2):
            pair = np.int64(codes[i]) * alphabet + np.int64(codes[i + 1])
            keys[place] = pair * alphabet + np.int64(codes[i + 2])
            place += 1
    return keys


@kernel
def _sort_each(codes: Any, starts: Any) -> None:
    for k in range(len(starts) - 1):
        codes[starts[k] : starts[k + 1]].sort()


@kernel
def _count_most(texts: Any, most: Any) -> None:
    """Raise `most` to how often each code occurs in one of the texts."""
    seen = np.zeros(len(most), np.int64)
    for k in range(len(texts.lengths)):
        for code in text(texts, k):
            seen[code] += 1
            most[code] = max(most[code], seen[code])
        for code in text(texts, k):
            seen[code] = 0


@kernel
def _count_elements(texts: Any, first: Any, frequency: Any) -> None:
    seen = np.zeros(len(first), np.int64)
    for k in range(len(texts.lengths)):
        for code in text(texts, k):
            frequency[first[code] + seen[code]] += 1
            seen[code] += 1
        for code in text(texts, k):
            seen[code] = 0


@kernel
def _set_bits(texts: Any, first: Any, bits: Any, made: Any) -> None:
    seen = np.zeros(len(first), np.int64)
    for k in range(len(texts.lengths)):
        for code in text(texts, k):
            number = bits[first[code] + seen[code]]
            bit = np.uint64(1) << np.uint64(number % 64)
            made.further[k] += (made.words[number // 64, k] & bit) != 0
            made.words[number // 64, k] |= bit
            seen[code] += 1
        for code in text(texts, k):
            seen[code] = 0


#: Needed by strings that cannot be similar enough, whatever they have in common.
NEVER = 2**31 - 1

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
    # Texts of one run have one length, so that a row needs the same in common with all of them; but
    # where the common prefix counts, the run is cut by how many first characters agree.
    for row in range(rows[0], rows[1]):
        for run in range(first_runs[1], first_runs[1] + needs.shape[1]):
            begin, end = max(runs.starts[run], columns[0]), min(runs.starts[run + 1], columns[1])
            need = needs[row_runs[row] - first_runs[0], run - first_runs[1]]
            if need[4] == NEVER:
                continue
            if number + end - begin + WORDS > len(found_rows):
                return -1  # they might not fit
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
                        inner_first = _first_from(runs.heads, first, last, head >> shift, shift)
                        after = (head >> shift) + np.uint64(1)
                        inner_last = _first_from(runs.heads, inner_first, last, after, shift)
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


#: By the bits of a byte: the numbers of those that are set, in order, each a byte of a word.
_LANES = np.array(
    [
        int.from_bytes([k for k in range(WORDS) if mask >> k & 1], "little")
        for mask in range(2**WORDS)
    ],
    dtype=np.uint64,
)


@helper
def _first_from(heads: Any, first: int, last: int, least: Any, shift: Any) -> int:
    """Return the first of some sorted texts whose head, shifted, is not below a number."""
    while first < last:
        middle = (first + last) // 2
        if heads[middle] >> shift < least:
            first = middle + 1
        else:
            last = middle
    return first


@helper
def _reaching(
    row_signatures: Any, row: int, signatures: Any, begin: int, end: int, need: int, found: Any
) -> int:
    """Write which of some texts may have so much in common with the row; return how many."""
    words, further = row_signatures.words, row_signatures.further[row]
    own = words[0, row], words[1, row]
    number, every = 0, np.uint64(2**WORDS - 1)
    for k in range(begin - begin % WORDS, end, WORDS):  # from where the cache has its lines
        mask = reaching(signatures.words, signatures.further, k, own, further, need)
        mask &= every << np.uint64(max(begin - k, 0)) & every >> np.uint64(max(k + WORDS - end, 0))
        write_lanes(found, number, k, _LANES[mask])
        number += count_bits(mask)
    return number


@instruction
def write_lanes(typing: Any, found: Any, number: Any, first: Any, lanes: Any) -> Any:
    """Write `first` + each of the eight bytes of `lanes` from ``found[number]`` on."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bytes_ = builder.bitcast(args[3], ir.VectorType(ir.IntType(8), WORDS))
        places = builder.zext(bytes_, ir.VectorType(ir.IntType(32), WORDS))
        first = builder.trunc(splat(builder, args[2]), places.type)
        where = address(context, builder, signature.args[0], args[0], args[1], ir.IntType(32))
        builder.store(builder.add(places, first), where, align=4)
        return context.get_dummy_value()

    return types.void(found, types.intp, types.intp, types.uint64), code


@instruction
def count_bits(typing: Any, word: Any) -> Any:
    """Return the number of bits set in a word."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.intp(types.uint64), code


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
        return builder.zext(builder.bitcast(enough, ir.IntType(WORDS)), _WORD)

    own_words = types.UniTuple(types.uint64, SIZE)
    return types.uint64(words, further, types.intp, own_words, types.intp, types.intp), code


def _count_bits(builder: Any, words: Any) -> Any:
    """Emit the numbers of bits set in 64-bit words."""
    kind = ir.FunctionType(words.type, [words.type])
    count = builder.module.declare_intrinsic(f"llvm.ctpop.v{WORDS}i64", fnty=kind)
    return builder.call(count, [words])


@helper
def in_common(signatures: Any, row: int, column: int) -> int:
    """Return how many elements two texts have in common at most."""
    (own, own_further), (words, further) = signatures
    at, other = np.uint64(row), np.uint64(column)  # unsigned: nobody asks whether it is negative
    common = min(own_further[at], further[other])
    for w in range(SIZE):
        common += count_bits(own[w, at] & words[w, other])
    return int(common)
