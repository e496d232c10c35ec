"""Similarities at or above a threshold: few pairs may have enough in common, and only they count.

Lengths and signatures bound what two strings can have in common, hence their similarity: see
`bounds`. What may reach the threshold is compared as the metric says.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alignrank.matchers.kernels.strings import Texts, encode
from alignrank.matchers.metrics.smoa import prepare

from .bounds import BOUNDED, Chosen, Integers, Values, needs
from .signatures import NEVER, Runs, candidates, sign, sorted_texts, trigram_texts

#: Of a tile's pairs, the share that signatures may leave; with more, whole rows are faster.
SHARES = defaultdict(lambda: 1 / 40, dict.fromkeys(("jaro", "jaro-winkler", "smoa"), 9 / 10))
#: The share that may be compared one by one.
COMPARED = defaultdict(lambda: 1 / 2, {"smoa": 9 / 10})

#: Of each thread, room for pairs of a tile: new memory for each would take longer than to fill it.
_FOUND, _NONE = threading.local(), np.empty((2, 0), np.int32)


def has_bound(metric_name: str) -> bool:
    """Return whether it is known how similar two strings can be at most."""
    return metric_name in BOUNDED


def may_reach(name: str, n: Integers, m: Integers, threshold: float) -> bool:
    """Return whether any strings of some lengths can be as similar as the threshold."""
    if not has_bound(name) or name == "smoa":  # which leaves characters out
        return True
    return bool((needs(BOUNDED[name].bound, n, m, threshold) != NEVER).any())


class Thresholded:
    """The strings of a matrix, looked at once, for any of its tiles.

    Parameters
    ----------
    name
        A metric that has a bound (`alignrank.matchers.kernels.threshold.bounds`).
    sources, targets
        The strings.
    threshold
        Above 0.

    Attributes
    ----------
    source_order, target_order
        Indices of the strings by length: rows and columns are positions in these.
    """

    def __init__(
        self, name: str, sources: Sequence[str], targets: Sequence[str], threshold: float
    ) -> None:
        self._name = name  # and not what it stands for, so that this can be sent to a worker
        self.source_order, rows = _by_length(name, sources)
        self.target_order, columns = _by_length(name, targets)
        pairs = encode(rows, columns)
        texts = elements = pairs.sources, pairs.targets
        if BOUNDED[name].bound.trigrams:
            one, other = trigram_texts(*texts, pairs.alphabet)
            elements = sorted_texts(one), sorted_texts(other)
        self._signatures = sign(*elements)
        heads = heads_of(texts[0], pairs.alphabet), heads_of(texts[1], pairs.alphabet)
        self._row_runs, self._runs = (
            Runs(_run_starts(strings), first) for strings, first in zip(texts, heads, strict=True)
        )
        self._none = Chosen(*texts, elements, self._signatures, heads, pairs.alphabet, threshold)
        self._run_of = [
            np.repeat(np.arange(len(runs.starts) - 1), np.diff(runs.starts))
            for runs in (self._row_runs, self._runs)
        ]

    def edges(
        self, rows: tuple[int, int], columns: tuple[int, int]
    ) -> tuple[Integers, Integers, Values] | None:
        """Return the rows, columns and similarities of a tile at or above the threshold.

        None if too many may be.

        Parameters
        ----------
        rows, columns
            First and last + 1.
        """
        row_runs, runs = (
            np.arange(of[first], of[last - 1] + 1)
            for of, (first, last) in zip(self._run_of, (rows, columns), strict=True)
        )
        n = self._none.sources.lengths[self._row_runs.starts[row_runs]].astype(np.int64)
        m = self._none.targets.lengths[self._runs.starts[runs]].astype(np.int64)
        bound, compare, sift = BOUNDED[self._name]
        size = (rows[1] - rows[0]) * (columns[1] - columns[0])
        room = int(size * SHARES[self._name]) + 2**10
        if getattr(_FOUND, "pairs", _NONE).shape[1] < room:
            _FOUND.pairs = np.empty((2, room), np.int32)
        found_rows, found_columns = _FOUND.pairs[:, :room]
        number = candidates(
            rows,
            self._run_of[0],
            self._signatures[0],
            self._row_runs.heads,
            columns,
            self._runs,
            self._signatures[1],
            needs(bound, n, m, self._none.threshold),
            (row_runs[0], runs[0]),
            found_rows,
            found_columns,
        )
        if number < 0:
            return None
        found = self._none._replace(rows=found_rows[:number], columns=found_columns[:number])
        chosen = sift(found)
        if len(chosen.rows) > COMPARED[self._name] * size + 2**10:
            return None
        similarities = compare(chosen)
        kept = similarities >= chosen.threshold
        return chosen.rows[kept], chosen.columns[kept], similarities[kept]


def _by_length(name: str, strings: Sequence[str]) -> tuple[NDArray[np.intp], list[str]]:
    """Return the indices of strings, by length and first characters, and the strings so."""
    if name == "smoa":
        strings = [prepare(s) for s in strings]
    lengths = np.fromiter(map(len, strings), np.int32, len(strings))
    heads = np.array(strings, "U4").view("u4").reshape(-1, 4)
    order = np.lexsort((*heads.T[::-1], lengths))
    return order, [strings[k] for k in order.tolist()]


def _run_starts(texts: Texts) -> NDArray[np.int64]:
    return np.append(np.flatnonzero(np.diff(texts.lengths, prepend=-1)), len(texts.lengths))


def heads_of(texts: Texts, alphabet: int) -> NDArray[np.uint64]:
    """Return the first four characters as one number; what is missing is 0.

    With more than 65,534 characters all heads are equal, which is safe.
    """
    heads = np.zeros(len(texts.lengths), np.uint64)
    for place in range(4 if alphabet < 2**16 - 1 else 0):
        heads <<= np.uint64(16)
        longer = np.flatnonzero(texts.lengths > place)
        heads[longer] |= texts.codes[texts.starts[longer] + place] + np.uint64(1)
    return heads
