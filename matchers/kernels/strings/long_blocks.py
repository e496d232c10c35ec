"""Common blocks of long strings, taken out one after the other without starting anew each time.

Of each character of `s` the longest block is known that begins there: it is looked for anew only
where what was taken out touched it, and goes on where what is left has closed up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from matchers.machine.compiled import helper

#: If a larger share of the rows than one in so many was touched, all are looked at together.
_MANY = 16


@helper
def characters_in_blocks(s: Any, t: Any, least: int) -> int:
    """Return how many characters lie in the longest common blocks that are taken out in turn.

    Of several longest ones the first in `s`, then the first in `t`; until none has `least`
    characters. By the plain definition every block takes time n * m; here few do.
    """
    n, m = len(s), len(t)
    # What is left, linked: the place after and before each; place n (or m) is both ends.
    s_next, s_before = np.arange(1, n + 2), np.arange(-1, n)
    t_next, t_before = np.arange(1, m + 2), np.arange(-1, m)
    s_next[n] = t_next[m] = 0
    s_before[0], t_before[0] = n, m
    # Of the best block of each row: length, where it begins in t, last characters in s and t.
    best = np.zeros((n, 4), np.int64)
    touched = np.empty(n, np.int64)
    line = np.zeros(m + 1, np.int64)
    _look_at_all(s, t, s_next, s_before, t_next, line, best)
    common = 0
    while True:
        i = row = s_next[n]
        while row < n:
            if best[row, 0] > best[i, 0]:
                i = row
            row = s_next[row]
        if i == n or best[i, 0] < least:
            return common
        common += best[i, 0]
        j, s_end, t_end = best[i, 1], best[i, 2], best[i, 3]
        s_left, s_right, t_left, t_right = s_before[i], s_next[s_end], t_before[j], t_next[t_end]
        s_next[s_left] = s_right
        s_before[s_right] = s_left
        t_next[t_left] = t_right
        t_before[t_right] = t_left
        number, left = 0, 0
        row = s_next[n]
        while row < n:
            in_s = row < i and best[row, 2] >= i
            in_t = best[row, 1] <= t_end and best[row, 3] >= j
            if best[row, 0] > 0 and (in_s or in_t):
                touched[number] = row
                number += 1
            left += 1
            row = s_next[row]
        if number * _MANY > left:
            _look_at_all(s, t, s_next, s_before, t_next, line, best)
            continue
        for k in range(number):
            row = touched[k]
            best[row, 0] = 0
            column = t_next[m]
            while column < m:
                _extend(s, t, row, column, s_next, s_before, t_next, t_before, False, best)
                column = t_next[column]
        # Blocks across what has closed up, in t and in s.
        row = s_next[n]
        while row < n and t_left < m:
            _extend(s, t, row, t_left, s_next, s_before, t_next, t_before, True, best)
            row = s_next[row]
        column = t_next[m]
        while column < m and s_left < n:
            _extend(s, t, s_left, column, s_next, s_before, t_next, t_before, True, best)
            column = t_next[column]


@helper
def _look_at_all(
    s: Any, t: Any, s_next: Any, s_before: Any, t_next: Any, line: Any, best: Any
) -> None:
    """Find the best block of every row; `line` is scratch."""
    n, m = len(s), len(t)
    for j in range(m + 1):
        line[j] = 0
    row = s_before[n] if s_next[n] < n else n
    while row < n:
        size, begin = 0, 0
        column = t_next[m]
        while column < m:  # the lengths of the blocks that begin at this row and each column
            line[column] = line[t_next[column]] + 1 if s[row] == t[column] else 0
            if line[column] > size:
                size, begin = line[column], column
            column = t_next[column]
        best[row, 0], best[row, 1] = size, begin
        i, j = row, begin
        for _ in range(size):
            best[row, 2], best[row, 3] = i, j
            i, j = s_next[i], t_next[j]
        row = s_before[row]


@helper
def _extend(
    s: Any,
    t: Any,
    row: int,
    column: int,
    s_next: Any,
    s_before: Any,
    t_next: Any,
    t_before: Any,
    back: bool,
    best: Any,
) -> None:
    """Note the block at two characters, and with `back` those that reach it from before."""
    n, m = len(s), len(t)
    i, j, size = row, column, 0
    s_end, t_end = row, column
    while i < n and j < m and s[i] == t[j]:
        s_end, t_end = i, j
        i, j, size = s_next[i], t_next[j], size + 1
    i, j = row, column
    while size > 0 and i < n and j < m and s[i] == t[j]:
        if size > best[i, 0] or (size == best[i, 0] and j < best[i, 1]):
            best[i, 0], best[i, 1], best[i, 2], best[i, 3] = size, j, s_end, t_end
        if not back:
            break
        i, j, size = s_before[i], t_before[j], size + 1
