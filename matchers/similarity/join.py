"""Two lists of strings joined by their similarity, with no more in memory than a part of the pairs.

What is found goes to files by the rows on the left, and comes back row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from numbers import Real
from tempfile import TemporaryFile
from unicodedata import is_normalized, normalize

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.executor import executor
from alignrank.matchers.assignment.pairs import assign_edges
from alignrank.matchers.metrics import Metric

from .strings import Strings, strings_of
from .tiles import Edges, Layout, similar_pairs

#: Files that edges go to.
_FILES = 64
_EDGE = np.dtype([("row", "i4"), ("column", "i4"), ("similarity", "f8")])


def join(
    left: Sequence[str],
    right: Sequence[str] | None,
    metric: Metric,
    threshold: float,
    *,
    one_to_one: bool = False,
) -> Iterator[Edges]:
    """Yield the pairs at or above a threshold, in the order of rows and columns, in some chunks.

    Parameters
    ----------
    left, right
        The strings, as `alignrank.matchers.similarity.strings.strings_of` takes them; missing ones
        and those of white space only match nothing. None: `left` with itself, each pair once, the
        earlier string first.
    metric
        As for `alignrank.matchers.similarity.tiles.similar_pairs`.
    threshold
        Above 0, and 1 at most.
    one_to_one
        Whether every string has one partner at most: those of the largest total similarity. Needs
        two lists.

    Raises
    ------
    MatcherError
        If a list holds something else than strings, or an argument is out of range.

    Examples
    --------
    >>> from alignrank.matchers.by_name import get_metric
    >>> names = ["heart", " ", "lung", "hearts"]
    >>> [edges.columns.tolist() for edges in join(names, None, get_metric("levenshtein"), 0.8)]
    [[3]]
    """
    if not isinstance(threshold, Real) or not 0 < threshold <= 1:
        raise MatcherError(f"threshold is {threshold!r}: name a number above 0, and 1 at most")
    if one_to_one and right is None:
        raise MatcherError("one_to_one pairs the strings of two lists: give right as well")
    lists = [_composed(strings_of(left, "left"))]
    if right is not None:
        lists.append(_composed(strings_of(right, "right")))
    return _joined(lists, metric, threshold, one_to_one=one_to_one)


def _composed(strings: Sequence[str]) -> Sequence[str]:
    """Return strings in Unicode's NFC: texts that look the same are the same."""
    if all(text.isascii() or is_normalized("NFC", text) for text in strings):
        return strings
    return Strings(normalize("NFC", text) for text in strings)


def _joined(
    lists: Sequence[Sequence[str]], metric: Metric, threshold: float, *, one_to_one: bool
) -> Iterator[Edges]:
    """Yield the pairs of two lists, or of one list with itself."""
    sides = lists[0], lists[-1]
    with_itself = len(lists) == 1
    places = [
        np.fromiter((k for k, text in enumerate(side) if text.strip()), np.int32) for side in sides
    ]
    rows, columns = (
        side if len(chosen) == len(side) else Strings(side[k] for k in chosen.tolist())
        for side, chosen in zip(sides, places, strict=True)
    )
    if one_to_one:
        best = assign_edges(similar_pairs(rows, columns, metric, threshold))
        yield Edges(places[0][best.rows], places[1][best.columns], best.similarities)
        return
    half = with_itself and metric.symmetric and bool(metric.kernel)  # the others by symmetry
    others = None if half else columns
    layout = Layout(rows, others, metric, threshold, executor().places())
    with ExitStack() as stack:
        files = [stack.enter_context(TemporaryFile()) for _ in range(_FILES)]
        for edges in layout.edges():
            once = np.flatnonzero(edges.rows < edges.columns) if with_itself else slice(None)
            records = np.empty(len(edges.rows[once]), _EDGE)
            records["row"] = edges.rows[once]
            records["column"] = edges.columns[once]
            records["similarity"] = edges.similarities[once]
            file = records["row"].astype(np.int64) * _FILES // max(len(rows), 1)
            for k in np.unique(file).tolist():
                files[k].write(records[file == k].tobytes())
        for opened in files:
            opened.seek(0)
            tile_edges = np.frombuffer(opened.read(), _EDGE)
            tile_edges = tile_edges[np.lexsort((tile_edges["column"], tile_edges["row"]))]
            if len(tile_edges):
                at = places[0][tile_edges["row"]]
                to = places[1][tile_edges["column"]]
                yield Edges(at, to, tile_edges["similarity"].copy())
