"""Common blocks of two encoded strings: the longest, and the one that OntoSim's scan finds.

Both return (start in s, start in t, length).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from matchers.machine.compiled import helper, kernel

from .encoding import text


@helper
def longest_block(s: Any, t: Any) -> tuple[int, int, int]:
    """Return the longest common block; of several the first in `s`, then the first in `t`."""
    best = (0, 0, 0)
    line = np.zeros(len(t) + 1, np.int32)  # lengths of the blocks that begin at i and each j
    for i in range(len(s) - 1, -1, -1):
        start = 0
        for j in range(len(t)):
            line[j] = line[j + 1] + 1 if s[i] == t[j] else 0
            if line[j] > line[start]:
                start = j
        if line[start] > 0 and line[start] >= best[2]:
            best = (i, start, int(line[start]))
    return best


@helper
def scanned_block(s: Any, t: Any) -> tuple[int, int, int]:
    """Return the block that OntoSim's scan finds, not always the longest."""
    best = (0, 0, 0)
    for i in range(len(s)):
        if len(s) - i <= best[2]:
            break
        j = 0
        while len(t) - j > best[2]:
            length = 0
            while i + length < len(s) and j + length < len(t) and s[i + length] == t[j + length]:
                length += 1
            if length > best[2]:
                best = (i, j, length)
            j += max(length, 1)
    return best


@kernel
def sure_lengths(texts: Any) -> Any:
    """Return for each text up to which length OntoSim's scan never misses a longest block.

    A start (i, j + p) is hidden from the scan by a match of more than p characters at (i, j), which
    is shorter than the hidden block. Both strings then have equal characters at the distance p. So
    a longest block of at most p + 1 characters, p the least distance of equal characters in one of
    the strings, is found: by either string's length a pair is on the safe side.
    """
    sure = texts.lengths.copy()
    for k in range(len(sure)):
        codes = text(texts, k)
        for distance in range(1, len(codes)):
            i = 0
            while i + distance < len(codes) and codes[i] != codes[i + distance]:
                i += 1
            if i + distance < len(codes):
                sure[k] = distance + 1
                break
    return sure
