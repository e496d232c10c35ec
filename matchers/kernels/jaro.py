"""Jaro and Jaro-Winkler in one pass, and OntoSim's forms of them.

A similarity is computed from three counts. The standard form counts the matching characters, the
places at which the two sequences of matching characters agree, and the length of the common prefix
(at most 4). OntoSim's form counts the matching characters of `s`, those of `t`, and the places
that agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel

from .jaro_pairs import jaro_similarities, least_jaro
from .strings import (
    Family,
    Job,
    Outputs,
    Pairs,
    Slices,
    Texts,
    Work,
    divide,
    every_pair,
    no_counts_yet,
    text,
)
from .vectors import MOST, PLANES, load, store, sum_bits, vectors, zeros


class Scratch(NamedTuple):
    """Vectors that a kernel writes, one per place.

    Attributes
    ----------
    near
        For each distance: the targets whose window is at least as wide.
    matched, used
        Characters of s and of t that have a partner.
    agreeing, turn
        Results of `_mark_agreements`.
    digits
        Scratch of `sum_bits`.
    """

    near: Any
    matched: Any
    used: Any
    agreeing: Any
    turn: Any
    digits: Any


def _family(
    names: tuple[str, str],
    sliced_kernel: Any,
    fill: Callable[..., None],
    fill_pairs: Callable[..., None],
) -> Family:
    """Return a family of two metrics.

    Parameters
    ----------
    names
        Jaro and Jaro-Winkler.
    sliced_kernel
        Counts for 512 targets at once.
    fill
        Writes similarities from these counts.
    fill_pairs
        Writes similarities where there are no slices, or strings are too long for counts of 16
        bits.
    """

    def prepare(job: Job) -> Work:
        pairs = job.pairs
        slices = job.slices
        fits = pairs.targets.lengths.max(initial=0) <= MOST

        def work(first: int, last: int, outs: Outputs) -> None:
            rows = pairs.sources.rows(first, last)
            jaro, winkler = (outs.get(name) for name in names)
            if slices is not None and fits and rows.lengths.max(initial=0) <= MOST:
                fill(sliced_counts(rows, slices, sliced_kernel), rows, pairs, jaro, winkler)
            else:
                fill_pairs(rows, pairs, jaro, winkler)

        return work

    return Family(names, prepare)


def _fill_standard_pairs(
    rows: Texts, pairs: Pairs, jaro: NDArray[Any] | None, winkler: NDArray[Any] | None
) -> None:
    chosen = every_pair(rows, pairs.targets)
    for out, with_prefix in ((jaro, False), (winkler, True)):
        if out is not None:
            needed = least_jaro(0.0, with_prefix)  # so that every value is computed
            values = jaro_similarities(
                rows, pairs.targets, pairs.alphabet, *chosen, with_prefix, needed
            )
            out[...] = values.reshape(out.shape)[:, pairs.rank]


def _fill_ontosim_pairs(
    rows: Texts, pairs: Pairs, jaro: NDArray[Any] | None, winkler: NDArray[Any] | None
) -> None:
    _fill_ontosim(pair_ontosim_counts(rows, pairs.targets), rows, pairs, jaro, winkler)


def sliced_counts(sources: Texts, slices: Slices, sliced_kernel: Any) -> NDArray[Any]:
    """Return the three counts of every pair.

    Shape (3, sources, targets rounded up to whole blocks).
    """
    counts = no_counts_yet(3 * len(sources.lengths), slices)
    places = max(sources.lengths.max(initial=0), slices.width[-1])
    near, matched, used, agreeing, turn = (vectors(places + 3) for _ in range(5))
    scratch = Scratch(near, matched, used, agreeing, turn, vectors(PLANES))
    sliced_kernel(sources, slices, scratch, counts.ravel())
    return counts.reshape(3, len(sources.lengths), -1)


def _fill_both(
    counts: NDArray[Any],
    rows: Texts,
    pairs: Pairs,
    jaro: NDArray[Any] | None,
    winkler: NDArray[Any] | None,
) -> None:
    """Write the similarities to the outputs that are not None."""
    output = jaro if winkler is None else winkler
    assert output is not None
    lengths = pairs.targets.lengths
    m = np.maximum(lengths, 1).astype(np.float64)
    _similarities(
        counts,
        rows.lengths,
        m,
        1.0 / m,
        pairs.rank,
        int(np.searchsorted(lengths, 1)),
        np.empty(len(m)),
        jaro is not None,
        winkler is not None,
        output if jaro is None else jaro,
        output,
    )


@kernel
def _similarities(
    counts: Any,
    lengths: Any,
    m: Any,
    inverse_m: Any,
    rank: Any,
    empty: int,
    values: Any,
    wants_jaro: bool,
    wants_winkler: bool,
    jaro: Any,
    winkler: Any,
) -> None:
    """Write the similarities.

    Parameters
    ----------
    counts
        As `sliced_counts` returns them.
    lengths, m
        Lengths of the sources and, sorted, of the targets; an empty target has length 1 here.
    inverse_m
        1 / m.
    rank
        Each column's place in order of length.
    empty
        Number of empty targets.
    values
        Scratch, a number for each column.
    wants_jaro, wants_winkler, jaro, winkler
        Whether to write each metric, and the outputs.
    """
    columns = len(m)
    for row in range(len(lengths)):
        n = float(max(lengths[row], 1))
        inverse_n = 1.0 / n
        for k in range(columns):
            matches = np.int32(counts[0, row, k])
            transpositions = np.int32(matches - np.int32(counts[1, row, k])) >> 1
            c = float(matches)
            third = (c - transpositions) / (1.0 if c == 0.0 else c)
            total = divide(c, n, inverse_n) + divide(c, m[k], inverse_m[k]) + third
            values[k] = divide(total, 3.0, 1.0 / 3.0)
        if lengths[row] == 0:
            for k in range(empty):
                values[k] = 1.0
        if wants_jaro:
            for j in range(columns):
                jaro[row, j] = values[rank[j]]
        if wants_winkler:
            for k in range(columns):
                value = values[k]
                bonus = counts[2, row, k] * 0.1 * (1.0 - value)
                boosted = min(value + bonus, 1.0)
                values[k] = boosted if value > 0.7 else value
            for j in range(columns):
                winkler[row, j] = values[rank[j]]


@kernel
def pair_ontosim_counts(sources: Any, targets: Any) -> NDArray[np.int32]:
    """Return OntoSim's (p, q, r) for every pair, shape (3, rows, columns)."""
    rows = len(sources.lengths)
    columns = len(targets.lengths)
    counts = np.zeros((3, rows, columns), np.int32)
    for row in range(rows):
        s = text(sources, row)
        matched = np.empty_like(s)
        for k in range(columns):
            t = text(targets, k)
            window = min(len(s), len(t)) // 2
            p = q = r = 0
            for i in range(len(s)):
                if _within(s[i], t, i, window):
                    matched[p] = s[i]
                    p += 1
            for j in range(len(t)):
                if _within(t[j], s, j, window):
                    r += q < p and matched[q] == t[j]
                    q += 1
            counts[0, row, k] = p
            counts[1, row, k] = q
            counts[2, row, k] = r
    return counts


@helper
def _within(character: int, text: Any, at: int, window: int) -> bool:
    """Return whether `text` has the character at a place from at - window to at + window - 1."""
    for k in range(max(0, at - window), min(at + window, len(text))):
        if text[k] == character:
            return True
    return False


def _fill_ontosim(
    counts: NDArray[Any],
    rows: Texts,
    pairs: Pairs,
    jaro: NDArray[Any] | None,
    winkler: NDArray[Any] | None,
) -> None:
    """Write the similarities to the outputs that are not None."""
    for out in (jaro, winkler):
        if out is not None:
            lengths = rows.lengths, pairs.targets.lengths
            _ontosim_similarities(counts, *lengths, pairs.rank, out is winkler, out)


@kernel
def _ontosim_similarities(
    counts: Any, n_lengths: Any, m_lengths: Any, rank: Any, winkler: bool, out: Any
) -> None:
    columns = len(m_lengths)
    values = np.empty(columns)
    for row in range(len(n_lengths)):
        for k in range(columns):
            p = float(counts[0, row, k])
            q = float(counts[1, row, k])
            r = float(counts[2, row, k])
            value = 0.0
            if p > 0:
                mean = (p / n_lengths[row] + q / m_lengths[k] + r / p) / 3.0
                # OntoSim computes a distance: so its rounding
                value = 1.0 - (1.0 - mean)
            if winkler:
                distance = 1.0 - value
                value = 1.0 - (distance + 4 * (1.0 - distance) / 10)
            values[k] = value
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def _count(sources: Any, slices: Any, scratch: Any, counts: Any) -> None:
    """Write matches, agreeing places and the common prefix, for 512 targets at once."""
    near = scratch.near
    matched = scratch.matched
    used = scratch.used
    agreeing = scratch.agreeing
    digits = scratch.digits
    rows = len(sources.lengths)
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            start = sources.starts[row]
            n = sources.starts[row + 1] - start
            at = row * blocks + block
            # The window is max(n, m) // 2 - 1: at least d where n, or where m, exceeds 2d + 1.
            reach = max(max(n, width) // 2 - 1, 0)
            for d in range(reach + 1):
                if d == 0 or n > 2 * d + 1:
                    store(near, d, ~zeros())
                else:
                    store(near, d, load(slices.words, slices.longer[block] + 2 * d + 1))
            for j in range(width):
                store(used, j, zeros())
            for i in range(n):
                place = slices.row[block, sources.codes[start + i]]
                partner = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    occupied = load(used, j)
                    equal = load(slices.words, place + j)
                    free = equal & load(near, abs(i - j)) & ~occupied
                    store(used, j, occupied | (free & ~partner))
                    partner = partner | free
                store(matched, i, partner)
            _mark_agreements(sources.codes, start, n, slices, block, scratch)
            sum_bits(matched, n, digits, counts, at)
            sum_bits(agreeing, n, digits, counts, at + rows * blocks)
            prefix = min(4, min(n, width))
            common = ~zeros()
            # the agreements are counted: their room holds the common prefix now
            for i in range(prefix):
                place = slices.row[block, sources.codes[start + i]]
                common = common & load(slices.words, place + i)
                store(agreeing, i, common)
            sum_bits(agreeing, prefix, digits, counts, at + 2 * rows * blocks)


@kernel
def _count_ontosim(sources: Any, slices: Any, scratch: Any, counts: Any) -> None:
    """Write OntoSim's (p, q, r), for 512 targets at once."""
    near = scratch.near
    matched = scratch.matched
    used = scratch.used
    agreeing = scratch.agreeing
    digits = scratch.digits
    rows = len(sources.lengths)
    blocks = len(slices.width)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            start = sources.starts[row]
            n = sources.starts[row + 1] - start
            at = row * blocks + block
            # The window is min(n, m) // 2: at least d where n and m exceed 2d - 1.
            reach = min(n, width) // 2
            store(near, 0, ~zeros())
            for d in range(1, reach + 1):
                store(near, d, load(slices.words, slices.longer[block] + 2 * d - 1))
            store(near, reach + 1, zeros())
            for j in range(width):
                store(used, j, zeros())
            for i in range(n):
                place = slices.row[block, sources.codes[start + i]]
                partner = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    equal = load(slices.words, place + j)
                    # s_i looks from i - window to i + window - 1, and t_j likewise from j
                    partner = partner | (equal & load(near, max(i - j, j - i + 1)))
                    near_equal = equal & load(near, max(j - i, i - j + 1))
                    store(used, j, load(used, j) | near_equal)
                store(matched, i, partner)
            _mark_agreements(sources.codes, start, n, slices, block, scratch)
            sum_bits(matched, n, digits, counts, at)
            sum_bits(used, width, digits, counts, at + rows * blocks)
            sum_bits(agreeing, n, digits, counts, at + 2 * rows * blocks)


@helper
def _mark_agreements(codes: Any, start: int, n: int, slices: Any, block: int, scratch: Any) -> None:
    """Write, for each place i of s, the targets where s_i is matched and equals its partner.

    The k-th matched character of s is compared with the k-th used character of t. ``turn[j]`` is
    set where this is the one at j. A matched character of s moves the turn to the next used j.
    """
    matched = scratch.matched
    used = scratch.used
    turn = scratch.turn
    width = slices.width[block]
    before = zeros()
    for j in range(width):
        here = load(used, j)
        store(turn, j, here & ~before)
        before = before | here
    for i in range(n):
        place = slices.row[block, codes[start + i]]
        is_matched = load(matched, i)
        agrees = zeros()
        seeks_next = zeros()
        for j in range(width):
            mine = load(turn, j)
            here = load(used, j)
            agrees = agrees | (mine & load(slices.words, place + j))
            store(turn, j, (mine & ~is_matched) | (here & seeks_next))
            seeks_next = (seeks_next & ~here) | (mine & is_matched)
        store(scratch.agreeing, i, agrees & is_matched)


FAMILIES = (
    _family(("jaro", "jaro-winkler"), _count, _fill_both, _fill_standard_pairs),
    _family(
        ("ontosim-jaro", "ontosim-jaro-winkler"), _count_ontosim, _fill_ontosim, _fill_ontosim_pairs
    ),
)
