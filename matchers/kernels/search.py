"""Search for similarities at or above a threshold.

Lengths and signatures bound the number of characters that two strings have in common, and so their
similarity (see `bounds`). Only pairs whose bound reaches the threshold are compared.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alignrank.matchers.metrics.substring import without_separators

from . import edit
from .bounds import BOUNDED, Chosen, Integers, Values, needs
from .ngram import trigram_texts
from .signatures import NEVER, Runs, candidates, sign, sorted_texts
from .strings import Texts, encode

#: The largest share of a tile's pairs that are candidates; with more, whole rows are faster.
SHARES = defaultdict(
    lambda: 1 / 40,
    dict.fromkeys(("jaro", "jaro-winkler", "smoa"), 9 / 10) | dict.fromkeys(edit.KONDRAK, 1 / 200),
)
#: The largest share of a tile's pairs that are compared one by one.
COMPARED = defaultdict(lambda: 1 / 2, {"smoa": 9 / 10})

#: Each thread's room for pairs of a tile: to allocate it anew takes longer than to fill it.
_ROOM = threading.local()
_NONE = np.empty((2, 0), np.int32)


def has_bound(metric_name: str) -> bool:
    """Return whether the similarity of two strings has an upper bound."""
    return metric_name in BOUNDED


def may_reach(name: str, n: Integers, m: Integers, threshold: float) -> bool:
    """Return whether any strings of some lengths can reach the threshold."""
    if not has_bound(name) or name == "smoa":  # SMOA ignores some characters
        return True
    return bool((needs(BOUNDED[name].bound, n, m, threshold) != NEVER).any())


class Thresholded:
    """The strings of a matrix, prepared for searches in its tiles.

    Parameters
    ----------
    name
        A metric that has a bound (`alignrank.matchers.kernels.bounds`).
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
        self._name = name  # the name only: the functions could not be sent to a worker
        self.source_order, rows = _by_length(name, sources)
        self.target_order, columns = _by_length(name, targets)
        pairs = encode(rows, columns)
        texts = elements = pairs.sources, pairs.targets
        if BOUNDED[name].bound.trigrams:
            first, second = trigram_texts(*texts, pairs.alphabet)
            elements = sorted_texts(first), sorted_texts(second)
        self._signatures = sign(*elements)
        self._row_runs, self._runs = (_runs_of(side, pairs.alphabet) for side in texts)
        heads = self._row_runs.heads, self._runs.heads
        self._none = Chosen(*texts, elements, self._signatures, heads, pairs.alphabet, threshold)

    def edges(
        self, rows: tuple[int, int], columns: tuple[int, int]
    ) -> tuple[Integers, Integers, Values] | None:
        """Return the rows, columns and similarities of a tile at or above the threshold.

        Return None if there are too many candidates: then whole rows are faster.

        Parameters
        ----------
        rows, columns
            First and last + 1.
        """
        row_runs = self._row_runs.between(*rows)
        runs = self._runs.between(*columns)
        n = self._none.sources.lengths[self._row_runs.starts[row_runs]].astype(np.int64)
        m = self._none.targets.lengths[self._runs.starts[runs]].astype(np.int64)
        bound, compare, sift = BOUNDED[self._name]
        size = (rows[1] - rows[0]) * (columns[1] - columns[0])
        room = int(size * SHARES[self._name]) + 2**10
        if getattr(_ROOM, "pairs", _NONE).shape[1] < room:
            _ROOM.pairs = np.empty((2, room), np.int32)
        candidate_rows, candidate_columns = _ROOM.pairs[:, :room]
        number = candidates(
            rows,
            self._row_runs,
            self._signatures[0],
            columns,
            self._runs,
            self._signatures[1],
            needs(bound, n, m, self._none.threshold),
            (row_runs[0], runs[0]),
            candidate_rows,
            candidate_columns,
        )
        if number < 0:
            return None
        candidate_pairs = self._none._replace(
            rows=candidate_rows[:number], columns=candidate_columns[:number]
        )
        chosen = sift(candidate_pairs)
        if len(chosen.rows) > COMPARED[self._name] * size + 2**10:
            return None
        similarities = compare(chosen)
        similar = similarities >= chosen.threshold
        return chosen.rows[similar], chosen.columns[similar], similarities[similar]


def _by_length(name: str, strings: Sequence[str]) -> tuple[NDArray[np.intp], list[str]]:
    """Return the order of strings by length and first characters, and the sorted strings."""
    if name == "smoa":
        strings = [without_separators(s) for s in strings]
    lengths = np.fromiter(map(len, strings), np.int32, len(strings))
    heads = np.array(strings, "U4").view("u4").reshape(-1, 4)
    order = np.lexsort((*heads.T[::-1], lengths))
    return order, [strings[k] for k in order.tolist()]


def _runs_of(texts: Texts, alphabet: int) -> Runs:
    lengths = texts.lengths
    starts = np.append(np.flatnonzero(np.diff(lengths, prepend=-1)), len(lengths))
    of_text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return Runs(starts, of_text, heads_of(texts, alphabet))


def heads_of(texts: Texts, alphabet: int) -> NDArray[np.uint64]:
    """Return the first four characters of each text as one number; missing ones are 0.

    With more than 65,534 distinct characters all heads are equal, and bounds assume equal prefixes.
    """
    heads = np.zeros(len(texts.lengths), np.uint64)
    for place in range(4 if alphabet < 2**16 - 1 else 0):
        heads <<= np.uint64(16)
        longer = np.flatnonzero(texts.lengths > place)
        heads[longer] |= texts.codes[texts.starts[longer] + place] + np.uint64(1)
    return heads
