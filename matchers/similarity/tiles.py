"""Large pairs: the similarities at or above a threshold, tile by tile, without the whole matrix.

Sources and targets are sorted by length and cut into blocks, and a block of each makes a `Part`,
which is cut into tiles. Where the metric has a bound
(`alignrank.matchers.kernels.search`), only the pairs of a tile are compared that can
reach the threshold; if these are many, or if there is no bound, the tile is filled as a small
matrix would be. Nothing is lost: the edges are those of the whole matrix, in every bit, wherever
and in whatever order tiles are worked on (`alignrank.common.executor`).
"""

from __future__ import annotations

import pickle
import time
from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product
from math import ceil
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.common.executor import executor
from alignrank.common.names import grouped
from alignrank.common.progress import track
from alignrank.common.system import available_memory
from alignrank.matchers.metrics import Metric
from alignrank.matchers.metrics.edit import positions

from .matrix import cut, refuse_nan, row_filler
from .strings import EntityNames, Strings, names_of, strings_of

#: Rows and columns of a tile: 25 MB of similarities for each thread; the signatures of the columns
#: fit into the nearest cache.
TILE = 2048, 3 * 512
#: Most rows or columns of a part: looking at it takes 1.2 GB, and it is 350 MB at most.
BLOCK = 2**19
#: Least rows or columns of a part that was made smaller for the sake of several workers.
SMALL = 2**15
#: Pairs of different lengths up to which a part is asked whether it can hold an edge.
_MOST_LENGTHS = 2**18


Indices = NDArray[np.intp]


class Edges(NamedTuple):
    """Pairs of rows and columns that are similar enough."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    similarities: NDArray[np.float64]


#: Some rows or columns: (first, last + 1).
Range = tuple[int, int]
#: Rows or columns of a part: (first, last + 1, step) in the order of lengths.
Block = tuple[int, int, int]


class Part:
    """Two blocks of strings, looked at once, for any of their tiles.

    Parameters
    ----------
    metric, threshold
        As for `similar_pairs`.
    sources, targets
        Strings sorted by length. Without targets the sources with themselves, each pair once.
    """

    def __init__(
        self, metric: Metric, threshold: float, sources: Strings, targets: Strings | None = None
    ) -> None:
        self._metric = metric
        self._threshold = threshold
        self._once = targets is None
        targets = sources if targets is None else targets
        self._names = sources, targets
        self._orders = np.arange(len(sources)), np.arange(len(targets))
        self._fast = None
        if metric.kernel and _search().has_bound(metric.name):
            self._fast = _search().Thresholded(metric.name, list(sources), list(targets), threshold)
            self._orders = self._fast.source_order, self._fast.target_order
        self.tiles = tiles_of(len(sources), len(targets), self._once)

    def __sizeof__(self) -> int:
        """Return the bytes to send: Dask decides by them whether another worker is to help."""
        arrays: list[pickle.PickleBuffer] = []
        pickled = pickle.dumps(self, protocol=5, buffer_callback=arrays.append)
        return len(pickled) + sum(array.raw().nbytes for array in arrays)

    def edges(self, rows: Range, columns: Range) -> Edges:
        """Return the edges of a tile; rows and columns count from the first of the blocks."""
        found = self._fast.edges(rows, columns) if self._fast else None
        at, to, similarities = found or self._whole(rows, columns)
        sources, targets = self._orders
        if self._once:
            first = at < to
            at = at[first]
            to = to[first]
            similarities = similarities[first]
        return Edges(sources[at].astype(np.int32), targets[to].astype(np.int32), similarities)

    def _whole(self, rows: Range, columns: Range) -> tuple[Indices, Indices, NDArray[np.float64]]:
        """Fill a tile, and take the edges out of it."""
        names, column_names = (
            [strings[k] for k in order[slice(*of)].tolist()]
            for strings, order, of in zip(self._names, self._orders, (rows, columns), strict=True)
        )
        similarities = np.empty((len(names), len(column_names)))
        row_filler([self._metric], names, column_names)(0, len(names), [similarities])
        refuse_nan(bool(np.isnan(similarities.sum())), self._metric)
        # a third of the time of np.nonzero in two dimensions
        at = np.divmod(np.flatnonzero(similarities.ravel() >= self._threshold), len(column_names))
        return at[0] + rows[0], at[1] + columns[0], similarities[at]


def tiles_of(rows: int, columns: int, once: bool) -> list[tuple[Range, Range]]:
    """Return the tiles of a part; with `once` those in which a row is before a column.

    The longest come first: no thread ends with them alone.
    """
    tiles = product(cut(rows, TILE[0])[::-1], cut(columns, TILE[1]))
    return [
        (tile_rows, tile_columns)
        for tile_rows, tile_columns in tiles
        if not once or tile_rows[0] < tile_columns[1]
    ]


@cache
def _search() -> ModuleType:
    from alignrank.matchers.kernels import search  # numba takes a quarter of a second

    return search


def _find(part: Part, first: int, last: int) -> tuple[Edges, float]:
    """Return the edges of some tiles of a part, and the seconds that it took."""
    began = time.perf_counter()
    edges_by_tile = [part.edges(*tile) for tile in part.tiles[first:last]]
    edges = Edges(*map(np.concatenate, zip(*edges_by_tile, strict=True)))
    return edges, time.perf_counter() - began


@dataclass
class _Open:
    """A part that is being worked on: how many tiles are begun, and how many tasks under way."""

    rows: Block
    columns: Block
    tiles: int
    begun: int = 0
    tasks: int = 0
    at_a_time: int = 1


class Layout:
    """How the pairs of two lists of strings are cut into parts.

    Parameters
    ----------
    sources, targets, metric, threshold
        As for `similar_pairs`. Without targets the sources with themselves, each pair once; the
        metric has to be symmetric.
    places
        How many memories there are for parts: each is to have one.

    Attributes
    ----------
    parts
        Rows and columns, in the order of `orders`, of each part that can hold an edge.
    tiles
        How many tiles these have.
    once
        Whether each pair comes once, the earlier string first.
    orders
        The indices of sources and of targets, sorted by length.
    """

    def __init__(
        self,
        sources: Sequence[str],
        targets: Sequence[str] | None,
        metric: Metric,
        threshold: float,
        places: int = 1,
    ) -> None:
        if not threshold > 0.0:
            raise MatcherError(f"the threshold is {threshold:g}: name one above 0")
        self.once = targets is None
        self._names = sources, sources if targets is None else targets
        self._metric = metric
        self._threshold = threshold
        lengths = [np.fromiter(map(len, names), np.int32, len(names)) for names in self._names]
        self.orders = [np.argsort(of, kind="stable").astype(np.int32) for of in lengths]
        rows, columns = (
            [(block, np.unique(of[order[slice(*block)]]).astype(np.int64)) for block in cut]
            for of, order, cut in zip(lengths, self.orders, self._blocks(places), strict=True)
        )
        self.parts = [
            (of_rows, of_columns)
            for (of_rows, n), (of_columns, m) in product(rows[::-1], columns)
            if (of_rows <= of_columns or not self.once)
            and (
                max(map(len, self.orders)) <= BLOCK
                or len(n) * len(m) > _MOST_LENGTHS
                or _search().may_reach(metric.name, n, m, threshold)
            )
        ]
        self.tiles = sum(self._tiles(*part) for part in self.parts)

    def _tiles(self, rows: Block, columns: Block) -> int:
        """Return how many tiles a part has."""
        n, m = (len(range(*block)) for block in (rows, columns))
        return len(tiles_of(n, m, self.once and rows == columns))

    def _blocks(self, places: int) -> Iterator[list[Block]]:
        """Yield the rows and the columns of parts.

        Neighbours, so that parts can be left out; but where the memories are more than the parts,
        every second, fourth, ... row or column, so that parts take equally long.
        """
        sizes = [len(order) for order in self.orders]
        numbers = [max(1, ceil(size / BLOCK)) for size in sizes]
        together = numbers[0] * numbers[1] >= places
        while numbers[0] * numbers[1] < places:
            large = [size // number for size, number in zip(sizes, numbers, strict=True)]
            if max(large) < 2 * SMALL:
                break
            numbers[large.index(max(large))] *= 2
        numbers = [numbers[0]] * 2 if self.once else numbers
        for size, number in zip(sizes, numbers, strict=True):
            if together:
                yield [(*of, 1) for of in cut(size, max(1, ceil(size / number)))]
            else:
                yield [(first, size, number) for first in range(min(number, size))]

    def edges(self) -> Iterator[Edges]:
        """Yield edges as they are found, in any order; the progress of the tiles is shown."""
        if self._metric.all_or_nothing:
            if self._threshold <= 1.0:
                rows, columns = equal_pairs(*self._names).astype(np.int32).T
                yield Edges(rows, columns, np.ones(len(rows)))
            return
        shown = iter(track(range(self.tiles), self.tiles, f"parts of {self._metric.name}"))
        where = executor()
        being_done: dict[Part, _Open] = {}

        @cache
        def block(side: int, of: Block) -> Strings:
            chosen = map(self._names[side].__getitem__, self.orders[side][slice(*of)].tolist())
            kept: Strings = where.put(copy, Strings(chosen))  # on a worker
            return kept

        def tasks() -> Iterator[tuple[Part, int, int]]:
            coming = iter(self.parts)
            open_parts: list[Part] = []  # each worker is to have one of its own
            while True:
                for rows, columns in islice(coming, max(0, where.places() - len(open_parts))):
                    own = self.once and rows == columns
                    blocks = [block(0, rows)] if own else [block(0, rows), block(1, columns)]
                    open_parts.append(where.put(Part, self._metric, self._threshold, *blocks))
                    being_done[open_parts[-1]] = _Open(rows, columns, self._tiles(rows, columns))
                if not open_parts:
                    return
                part = min(open_parts, key=lambda one: being_done[one].tasks)
                state = being_done[part]
                first = state.begun
                state.begun = min(state.begun + state.at_a_time, state.tiles)
                state.tasks += 1
                if state.begun == state.tiles:
                    open_parts.remove(part)
                yield part, first, state.begun

        for (part, first, last), (edges, seconds) in where.run(_find, tasks()):
            state = being_done[part]
            tiles = last - first
            state.tasks -= 1
            # as many as are worth their way, not too many when some were easy, and fewer at the end
            fit = tiles * where.seconds / max(seconds, 1e-6)
            shared = (state.tiles - state.begun) * where.places() / where.at_once() / 2
            state.at_a_time = max(1, round(min(4 * tiles, fit, max(fit / 4, shared))))
            if state.begun == state.tiles and not state.tasks:
                del being_done[part]
            rows = self.orders[0][slice(*state.rows)][edges.rows]
            columns = self.orders[1][slice(*state.columns)][edges.columns]
            if self.once:
                rows, columns = np.minimum(rows, columns), np.maximum(rows, columns)
            yield Edges(rows, columns, edges.similarities)
            deque(islice(shown, tiles), maxlen=0)
        deque(shown, maxlen=0)


def similar_pairs(
    sources: Sequence[str], targets: Sequence[str], metric: Metric, threshold: float
) -> csr_array:
    """Return the similarities at or above a threshold.

    Parameters
    ----------
    sources, targets
        n and m strings.
    metric
        Any metric; those with a kernel are meant for this.
    threshold
        Above 0.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to `alignrank.matchers.similarity.matrix.string_similarities` with all smaller entries
        left out.

    Raises
    ------
    MatcherError
        If `threshold` is not above 0, the metric gives NaN, or so many similarities reach the
        threshold that they do not fit into memory.

    Examples
    --------
    >>> from alignrank.matchers import get_metric
    >>> found = similar_pairs(["heart", "tail"], ["hearts"], get_metric("levenshtein"), 0.8)
    >>> found.toarray().round(3)
    array([[0.833],
           [0.   ]])
    """
    sources = strings_of(sources, "sources")
    targets = strings_of(targets, "targets")
    edges_by_tile: list[Edges] = []
    held = 0
    free = available_memory()
    for edges in Layout(sources, targets, metric, threshold, executor().places()).edges():
        edges_by_tile.append(edges)
        held += sum(values.nbytes for values in edges)
        _require_room(held, free, threshold)
    # csr_array puts them row by row with the columns in order
    none = Edges(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))
    rows, columns, similarities = map(np.concatenate, zip(none, *edges_by_tile, strict=True))
    return csr_array((similarities, (rows, columns)), shape=(len(sources), len(targets)))


def equal_pairs(
    sources: Sequence[str], targets: Sequence[str], most: int | None = None
) -> NDArray[np.int64]:
    """Return the positions of equal strings, shape (k, 2), row by row.

    Of the equal targets of a source only the first `most` are taken; None for all.
    """
    columns_of = {name: columns[:most] for name, columns in positions(targets).items()}
    columns_by_source = [columns_of.get(source, []) for source in sources]
    rows = np.repeat(np.arange(len(columns_by_source)), list(map(len, columns_by_source)))
    columns = np.fromiter(chain.from_iterable(columns_by_source), np.int64, len(rows))
    return np.column_stack([rows, columns])


def _require_room(held: int, free: int | None, threshold: float) -> None:
    """Refuse more edges than can be put together: twice as many bytes as they have are needed."""
    if free is not None and 3 * held > free:
        gib = [f"{size / 2**30:.1f} GiB" for size in (3 * held, free)]
        raise MatcherError(
            f"the similarities from {threshold:g} on that are found already need {gib[0]} of "
            f"memory, and {gib[1]} were free: choose a higher threshold"
        )


def similar_entities(
    sources: EntityNames,
    targets: EntityNames,
    metric: Metric,
    threshold: float,
) -> csr_array:
    """Return the similarities of entities at or above a threshold.

    Parameters
    ----------
    sources, targets
        The names of n and of m entities.
    metric, threshold
        As for `similar_pairs`.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to `alignrank.matchers.similarity.matrix.similarity_matrix` with all smaller entries
        left out.

    Examples
    --------
    >>> from alignrank.matchers.by_name import get_metric
    >>> names = [["heart", "cor"], ["lung"], [""]]
    >>> similar_entities(names, [["cor"], ["lungs"]], get_metric("substring"), 0.8).toarray()
    array([[1.        , 0.        ],
           [0.        , 0.88888889],
           [0.        , 0.        ]])
    """
    sources = names_of(sources, "sources")
    targets = names_of(targets, "targets")
    source_names, source_bearers = bearers(sources)
    target_names, target_bearers = bearers(targets)
    edges = similar_pairs(source_names, target_names, metric, threshold)
    name = np.repeat(np.arange(len(source_names)), np.diff(edges.indptr))
    edge, rows = _expand(source_bearers, name)
    again, columns = _expand(target_bearers, edges.indices[edge].astype(np.intp))
    rows = rows[again]
    similarities = edges.data[edge[again]]
    order = np.lexsort((-similarities, columns, rows))
    rows = rows[order]
    columns = columns[order]
    similarities = similarities[order]
    best = first_of_equals(rows, columns)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[best], minlength=len(sources)))])
    shape = len(sources), len(targets)
    return csr_array((similarities[best], columns[best].astype(np.int32), starts), shape=shape)


def first_of_equals(rows: Indices, columns: Indices) -> NDArray[np.bool_]:
    """Return for each of some sorted pairs whether it is the first of its equals."""
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (np.diff(rows) != 0) | (np.diff(columns) != 0)
    return is_first


def bearers(entities: EntityNames) -> tuple[list[str], list[list[int]]]:
    """Return the distinct names, and the entities that bear each; entities as `names_of` gives."""
    entities_of = grouped((name, k) for k, names in enumerate(entities) for name in names)
    return list(entities_of), list(entities_of.values())


def _expand(bearers: Sequence[Sequence[int]], names: Indices) -> tuple[Indices, Indices]:
    """Return the entities that bear some names: of each its position in `names`, and itself."""
    sizes = np.array([len(entities) for entities in bearers], dtype=np.intp)
    flat = np.array([entity for entities in bearers for entity in entities], dtype=np.intp)
    starts = np.cumsum(sizes) - sizes
    counts = sizes[names]
    position = np.repeat(np.arange(len(names)), counts)
    first = np.cumsum(counts) - counts
    return position, flat[starts[names][position] + np.arange(len(position)) - first[position]]
