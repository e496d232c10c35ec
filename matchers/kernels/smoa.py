"""SMOA (ISub), and OntoSim's form of it: common blocks are taken out until none is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from matchers.metrics.smoa import prepare

from .blocks import longest_block, scanned_block
from .compiled import kernel
from .encoding import encode
from .family import Family, Job, Outputs, Work

_PREFIX = 4


def _family(name: str, ontosim: bool) -> Family:
    def prepare_rows(job: Job, outs: Outputs) -> Work:
        sources, targets = [prepare(s) for s in job.sources], [prepare(t) for t in job.targets]
        pairs = encode(sources, targets)
        heads = _heads(*((job.sources, job.targets) if ontosim else (sources, targets)))
        column = np.argsort(pairs.rank)

        def work(first: int, last: int) -> None:
            rows = pairs.sources.rows(first, last)
            _fill(
                rows.codes,
                rows.starts,
                pairs.targets.codes,
                pairs.targets.starts,
                heads[0][first:last],
                heads[1][column],
                column,
                ontosim,
                outs[name][first:last],
            )

        return work

    return Family((name,), prepare_rows)


def _heads(
    sources: Sequence[str], targets: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the first four characters of every string; past the end numbers that differ."""

    def heads(strings: Sequence[str], end: int) -> NDArray[np.int32]:
        rows = [[ord(a) for a in s[:_PREFIX]] + [end] * _PREFIX for s in strings]
        return np.array([row[:_PREFIX] for row in rows], np.int32).reshape(-1, _PREFIX)

    return heads(sources, -1), heads(targets, -2)


FAMILIES = (_family("smoa", ontosim=False), _family("ontosim-smoa", ontosim=True))


@kernel
def _fill(
    s_codes: Any,
    s_starts: Any,
    t_codes: Any,
    t_starts: Any,
    s_heads: Any,
    t_heads: Any,
    column: Any,
    ontosim: bool,
    out: Any,
) -> None:
    for row in range(len(s_starts) - 1):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        for k in range(len(t_starts) - 1):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
            prefix = 0
            while prefix < _PREFIX and s_heads[row, prefix] == t_heads[k, prefix]:
                prefix += 1
            common = scalar_common(s, t, ontosim)
            value = similarity(len(s), len(t), common, prefix, ontosim)
            out[row, column[k]] = 1.0 - (1.0 - value) if ontosim else value


@kernel
def scalar_common(s: Any, t: Any, ontosim: bool) -> int:
    """Return how many characters of prepared strings lie in common blocks."""
    s, t = s.copy(), t.copy()
    common = 0
    while len(s) > 0 and len(t) > 0:
        i, j, length = scanned_block(s, t) if ontosim else longest_block(s, t)
        if length <= 2:
            break
        common += length
        s = np.concatenate((s[:i], s[i + length :]))
        t = np.concatenate((t[:j], t[j + length :]))
    return common


@kernel
def similarity(n: int, m: int, common: int, prefix: int, ontosim: bool) -> float:
    """Return SMOA from the prepared lengths, the common characters and the prefix."""
    if n == 0 or m == 0:
        return 1.0 if n == m else 0.0
    if not ontosim and n == m and n == prefix:
        return 1.0
    comm = 2 * common / (n + m)
    u = (n - common) / n
    v = (m - common) / m
    either = u + v - u * v
    diff = u * v / (0.6 + 0.4 * either) if either != 0.0 else 0.0
    winkler = 0.1 * prefix * (1.0 - comm)
    return (comm - diff + winkler + 1.0) / 2.0
