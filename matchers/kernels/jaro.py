"""Jaro and Jaro-Winkler, in one pass, and OntoSim's forms of them.

Three counts decide a pair. For the standard form: the matching characters, the places at which the
two sequences of matching characters agree, and the length of the common prefix (at most 4). For
OntoSim's: the matching characters of `s`, those of `t`, and the places that agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .encoding import longest, text
from .family import Family, Job, Outputs, Work
from .sums import MOST, PLANES, sum_bits
from .vectors import LANES, load, store, vectors, zeros


def _family(names: tuple[str, str], scalar: Any, sliced: Any, finish: Any) -> Family:
    def prepare(job: Job) -> Work:
        pairs, slices = job.pairs, job.slices
        fits = pairs.targets.lengths.max(initial=0) <= MOST

        def work(first: int, last: int, outs: Outputs) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            if slices is not None and fits and rows.lengths.max(initial=0) <= MOST:
                counts = sliced(rows, slices)
            else:
                counts = scalar(rows, targets)
            for name, out in outs.items():
                winkler = name == names[1]
                finish(counts, rows.lengths, targets.lengths, pairs.rank, winkler, out)

        return work

    return Family(names, prepare)


@kernel
def scalar_counts(sources: Any, targets: Any) -> NDArray[np.int32]:
    """Return matches, places that agree and common prefix, shape (3, rows, columns)."""
    rows, columns = len(sources.lengths), len(targets.lengths)
    counts = np.zeros((3, rows, columns), np.int32)
    for row in range(rows):
        s = text(sources, row)
        matched = np.empty_like(s)
        for k in range(columns):
            t = text(targets, k)
            used = np.zeros(len(t), np.bool_)
            window = max(max(len(s), len(t)) // 2 - 1, 0)
            matches = 0
            for i in range(len(s)):
                for j in range(max(0, i - window), min(i + window + 1, len(t))):
                    if not used[j] and t[j] == s[i]:
                        used[j] = True
                        matched[matches] = s[i]
                        matches += 1
                        break
            place = 0
            for j in range(len(t)):
                if used[j]:
                    counts[1, row, k] += t[j] == matched[place]
                    place += 1
            prefix = 0
            while prefix < min(4, len(s), len(t)) and s[prefix] == t[prefix]:
                prefix += 1
            counts[0, row, k] = matches
            counts[2, row, k] = prefix
    return counts


@kernel
def _similarities(
    counts: Any, n_lengths: Any, m_lengths: Any, rank: Any, winkler: bool, out: Any
) -> None:
    columns = len(m_lengths)
    values = np.empty(columns)
    for row in range(len(n_lengths)):
        n = n_lengths[row]
        for k in range(columns):
            m = m_lengths[k]
            matches = np.int64(counts[0, row, k])
            value = 0.0
            if matches > 0:
                c = float(matches)
                transpositions = (matches - np.int64(counts[1, row, k])) // 2
                value = (c / n + c / m + (c - transpositions) / c) / 3.0
            elif n == 0 and m == 0:
                value = 1.0
            if winkler and value > 0.7:
                value += counts[2, row, k] * 0.1 * (1.0 - value)
                value = min(value, 1.0)
            values[k] = value
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def scalar_ontosim_counts(sources: Any, targets: Any) -> NDArray[np.int32]:
    """Return OntoSim's (p, q, r) for every pair, shape (3, rows, columns)."""
    rows, columns = len(sources.lengths), len(targets.lengths)
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


@kernel
def _within(character: int, text: Any, at: int, window: int) -> bool:
    """Return whether `text` has the character at at - window, ..., at + window - 1."""
    for k in range(max(0, at - window), min(at + window, len(text))):
        if text[k] == character:
            return True
    return False


@kernel
def _ontosim_similarities(
    counts: Any, n_lengths: Any, m_lengths: Any, rank: Any, winkler: bool, out: Any
) -> None:
    columns = len(m_lengths)
    values = np.empty(columns)
    for row in range(len(n_lengths)):
        for k in range(columns):
            p, q, r = float(counts[0, row, k]), float(counts[1, row, k]), float(counts[2, row, k])
            value = 0.0
            if p > 0:
                value = 1.0 - (1.0 - (p / n_lengths[row] + q / m_lengths[k] + r / p) / 3.0)
            if winkler:
                distance = 1.0 - value
                value = 1.0 - (distance + 4 * (1.0 - distance) / 10)
            values[k] = value
        for j in range(columns):
            out[row, j] = values[rank[j]]


@kernel
def _sliced_counts(sources: Any, slices: Any) -> Any:
    """Return what `scalar_counts` returns, for 512 targets at once.

    Shape (3, sources, targets rounded up to whole blocks).
    """
    rows, blocks = len(sources.lengths), len(slices.width)
    counts = np.empty((3, rows, blocks * LANES), np.uint16)
    places = max(longest(sources), slices.width[-1])
    near = vectors(places)  # near[d]: whose window reaches to a distance of d
    matched, used = vectors(places + 3), vectors(places + 3)  # characters of s, of t
    agreeing, turn, scratch = vectors(places + 3), vectors(places), vectors(PLANES)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = text(sources, row)
            # The window is max(n, m) // 2 - 1: at least d where n, or where m, exceeds 2d + 1.
            reach = max(max(len(s), width) // 2 - 1, 0)
            for d in range(reach + 1):
                if d == 0 or len(s) > 2 * d + 1:
                    store(near, d, ~zeros())
                else:
                    store(near, d, load(slices.words, slices.longer[block] + 2 * d + 1))
            for j in range(width):
                store(used, j, zeros())
            for i in range(len(s)):
                place = slices.row[block, s[i]]
                found = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    taken = load(used, j)
                    free = load(slices.words, place + j) & load(near, abs(i - j)) & ~taken
                    store(used, j, taken | (free & ~found))
                    found = found | free
                store(matched, i, found)
            sum_bits(matched, len(s), scratch, counts[0, row], block)
            _mark_agreements(s, slices, block, matched, used, turn, agreeing)
            sum_bits(agreeing, len(s), scratch, counts[1, row], block)
            prefix = min(4, min(len(s), width))
            common = ~zeros()
            for i in range(prefix):
                common = common & load(slices.words, slices.row[block, s[i]] + i)
                store(agreeing, i, common)
            sum_bits(agreeing, prefix, scratch, counts[2, row], block)
    return counts


@kernel
def _sliced_ontosim_counts(sources: Any, slices: Any) -> Any:
    """Return what `scalar_ontosim_counts` returns, for 512 targets at once.

    Shape (3, sources, targets rounded up to whole blocks).
    """
    rows, blocks = len(sources.lengths), len(slices.width)
    counts = np.empty((3, rows, blocks * LANES), np.uint16)
    places = max(longest(sources), slices.width[-1])
    near = vectors(places + 2)  # near[d]: whose window is at least d
    matched, used = vectors(places + 3), vectors(places + 3)  # characters of s, of t
    agreeing, turn, scratch = vectors(places + 3), vectors(places), vectors(PLANES)
    for block in range(blocks):
        width = slices.width[block]
        for row in range(rows):
            s = text(sources, row)
            # The window is min(n, m) // 2: at least d where n and m exceed 2d - 1.
            reach = min(len(s), width) // 2
            store(near, 0, ~zeros())
            for d in range(1, reach + 1):
                store(near, d, load(slices.words, slices.longer[block] + 2 * d - 1))
            store(near, reach + 1, zeros())
            for j in range(width):
                store(used, j, zeros())
            for i in range(len(s)):
                place = slices.row[block, s[i]]
                found = zeros()
                for j in range(max(0, i - reach), min(width, i + reach + 1)):
                    equal = load(slices.words, place + j)
                    found = found | (equal & load(near, max(i - j, j - i + 1)))
                    seen = equal & load(near, max(j - i, i - j + 1))
                    store(used, j, load(used, j) | seen)
                store(matched, i, found)
            sum_bits(matched, len(s), scratch, counts[0, row], block)
            sum_bits(used, width, scratch, counts[1, row], block)
            _mark_agreements(s, slices, block, matched, used, turn, agreeing)
            sum_bits(agreeing, len(s), scratch, counts[2, row], block)
    return counts


@kernel
def _mark_agreements(
    s: Any, slices: Any, block: int, matched: Any, used: Any, turn: Any, agreeing: Any
) -> None:
    """Write, for each place i of `s`, where s_i is matched and its partner in order is equal.

    The k-th matched character of s is compared with the k-th used one of t. ``turn[j]`` tells where
    that is the one at j; after a matched character of s the turn goes to the next used j.
    """
    width = slices.width[block]
    before = zeros()
    for j in range(width):
        here = load(used, j)
        store(turn, j, here & ~before)
        before = before | here
    for i in range(len(s)):
        place = slices.row[block, s[i]]
        moves = load(matched, i)
        agrees, arriving = zeros(), zeros()
        for j in range(width):
            mine, here = load(turn, j), load(used, j)
            agrees = agrees | (mine & load(slices.words, place + j))
            store(turn, j, (mine & ~moves) | (here & arriving))
            arriving = (arriving & ~here) | (mine & moves)
        store(agreeing, i, agrees & moves)


FAMILIES = (
    _family(("jaro", "jaro-winkler"), scalar_counts, _sliced_counts, _similarities),
    _family(
        ("ontosim-jaro", "ontosim-jaro-winkler"),
        scalar_ontosim_counts,
        _sliced_ontosim_counts,
        _ontosim_similarities,
    ),
)
