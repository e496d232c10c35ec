"""Jaro and Jaro-Winkler, in one pass, and OntoSim's forms of them.

Three counts decide a pair: for the standard form the matching characters, the places at which the
two sequences of matching characters differ, and the length of the common prefix (at most 4); for
OntoSim's the matching characters of either string and the places that agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel
from .family import Family, Job, Outputs, Work


def _family(names: tuple[str, str], count: Any, finish: Any) -> Family:
    def prepare(job: Job, outs: Outputs) -> Work:
        pairs = job.pairs

        def work(first: int, last: int) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            counts = count(rows.codes, rows.starts, targets.codes, targets.starts)
            for name, out in outs.items():
                winkler = name == names[1]
                finish(counts, rows.lengths, targets.lengths, pairs.rank, winkler, out[first:last])

        return work

    return Family(names, prepare)


@kernel
def scalar_counts(s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any) -> NDArray[np.int32]:
    """Return matches, places that differ and common prefix, shape (3, rows, columns)."""
    rows, columns = len(s_starts) - 1, len(t_starts) - 1
    counts = np.zeros((3, rows, columns), np.int32)
    for row in range(rows):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        matched = np.empty(len(s), np.int32)
        for k in range(columns):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
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
                    counts[1, row, k] += t[j] != matched[place]
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
            c = float(counts[0, row, k])
            value = 0.0
            if c > 0:
                transpositions = float(counts[1, row, k] // 2)
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
def scalar_ontosim_counts(
    s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any
) -> NDArray[np.int32]:
    """Return OntoSim's (p, q, r) for every pair, shape (3, rows, columns)."""
    rows, columns = len(s_starts) - 1, len(t_starts) - 1
    counts = np.zeros((3, rows, columns), np.int32)
    for row in range(rows):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        matched = np.empty(len(s), np.int32)
        for k in range(columns):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
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
            p, q, r = counts[0, row, k], counts[1, row, k], counts[2, row, k]
            value = 0.0
            if p > 0:
                value = 1.0 - (1.0 - (p / n_lengths[row] + q / m_lengths[k] + r / p) / 3.0)
            if winkler:
                distance = 1.0 - value
                value = 1.0 - (distance + 4 * (1.0 - distance) / 10)
            values[k] = value
        for j in range(columns):
            out[row, j] = values[rank[j]]


FAMILIES = (
    _family(("jaro", "jaro-winkler"), scalar_counts, _similarities),
    _family(("ontosim-jaro", "ontosim-jaro-winkler"), scalar_ontosim_counts, _ontosim_similarities),
)
