"""Substring: the longest block that both strings contain."""

from __future__ import annotations

from typing import Any

import numpy as np

from .blocks import longest_block, scanned_block
from .compiled import kernel
from .family import Family, Job, Outputs, Work
from .ratios import Linear, Ratio


def _family(name: str, ratio: Ratio, scan: bool) -> Family:
    def prepare(job: Job, outs: Outputs) -> Work:
        pairs = job.pairs

        def work(first: int, last: int) -> None:
            rows, targets = pairs.sources.rows(first, last), pairs.targets
            lengths = scalar_lengths(rows.codes, rows.starts, targets.codes, targets.starts, scan)
            ratio.fill(lengths, rows, pairs, outs[name][first:last])

        return work

    return Family((name,), prepare)


FAMILIES = (
    _family("substring", Ratio(Linear(2, 1), scale=2), scan=False),
    _family("ontosim-substring", Ratio(Linear(2, 1), scale=2, twice=True), scan=True),
)


@kernel
def scalar_lengths(s_codes: Any, s_starts: Any, t_codes: Any, t_starts: Any, scan: bool) -> Any:
    """Return the length of the longest (or scanned) common block for every pair."""
    rows, columns = len(s_starts) - 1, len(t_starts) - 1
    lengths = np.zeros((rows, columns), np.int32)
    for row in range(rows):
        s = s_codes[s_starts[row] : s_starts[row + 1]]
        for k in range(columns):
            t = t_codes[t_starts[k] : t_starts[k + 1]]
            if scan:
                lengths[row, k] = scanned_block(s, t)[2]
            else:
                lengths[row, k] = longest_block(s, t)[2]
    return lengths
