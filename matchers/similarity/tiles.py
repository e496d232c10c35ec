"""Large pairs: the similarities at or above a threshold, tile by tile, without the whole matrix.

Sources and targets are sorted by length and cut into tiles. Where the metric has a bound
(`matchers.kernels.threshold.search`), only the pairs of a tile are compared that can reach the
threshold; if these are many, or if there is no bound, the tile is filled as a small matrix would
be. Nothing is lost: the edges are those of the whole matrix, in every bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from matchers.errors import MatcherError
from matchers.machine.memory import available_memory
from matchers.machine.threads import run_all
from matchers.metrics.equality import positions
from matchers.metrics.metric import Metric
from ontologies.common.progress import track

from .matrix import refuse_nan, row_filler

#: Rows and columns of a tile: 28 MB of similarities for each thread.
TILE = 1024, 7 * 512


class Edges(NamedTuple):
    """Pairs of rows and columns that are similar enough."""

    rows: NDArray[np.integer]
    columns: NDArray[np.integer]
    similarities: NDArray[np.float64]


class Band(NamedTuple):
    """The edges of some sources: of each source how many, and their targets and similarities."""

    sources: NDArray[np.intp]
    counts: NDArray[np.int64]
    targets: NDArray[np.int32]
    similarities: NDArray[np.float64]


#: Some rows or columns: (first, last + 1).
Part = tuple[int, int]
#: Returns the edges of the tile of some rows and columns.
Tile = Callable[[Part, Part], Edges]


def similar_pairs(
    sources: Sequence[str],
    targets: Sequence[str],
    metric: Metric,
    threshold: float,
    *,
    threads: int | None = None,
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
    threads
        Number of threads; None for one per processor. Each needs some 60 MB.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to `matchers.similarity.matrix.string_similarities` with all smaller entries left out.

    Raises
    ------
    MatcherError
        If `threshold` is not above 0, the metric gives NaN, or so many similarities reach the
        threshold that they do not fit into memory.

    Examples
    --------
    >>> from matchers import get_metric
    >>> found = similar_pairs(["heart", "tail"], ["hearts"], get_metric("levenshtein"), 0.8)
    >>> found.toarray().round(3)
    array([[0.833],
           [0.   ]])
    """
    if not threshold > 0.0:
        raise MatcherError(f"the threshold of tiles is {threshold}: it must be above 0")
    shape = len(sources), len(targets)
    if metric.all_or_nothing:
        return _together([_equal(sources, targets if threshold <= 1.0 else ())], shape)
    orders, tile = _tiles(sources, targets, metric, threshold)
    # the longest first: no thread ends with them alone
    places = list(product(_cut(len(sources), TILE[0])[::-1], _cut(len(targets), TILE[1])))
    held: list[int] = []
    free = available_memory()

    def work(place: tuple[Part, Part]) -> Edges:
        rows, columns = place
        edges = tile(rows, columns)
        edges = Edges(  # rows counted from the first of the tile, columns as the caller has them
            (edges.rows - rows[0]).astype(np.int32),
            orders[1][edges.columns].astype(np.int32),
            edges.similarities,
        )
        held.append(sum(values.nbytes for values in edges))
        _require_room(held, free, len(places), threshold)
        return edges

    bands: defaultdict[Part, list[Edges]] = defaultdict(list)
    with closing(run_all(work, places, threads)) as found:
        shown = track(found, len(places), f"parts of {metric.name}")
        for (rows, _), edges in zip(places, shown, strict=True):
            bands[rows].append(edges)
    return _together([_band(rows, orders[0], edges) for rows, edges in bands.items()], shape)


def _tiles(
    sources: Sequence[str], targets: Sequence[str], metric: Metric, threshold: float
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], Tile]:
    """Return the orders of sources and targets, and what finds the edges of a tile of these."""
    from matchers.kernels.threshold.search import Thresholded, has_bound

    if not (metric.kernel and has_bound(metric.name)):
        orders = _by_length(sources), _by_length(targets)
        return orders, _whole_tiles(sources, targets, orders, metric, threshold)
    fast = Thresholded(metric.name, sources, targets, threshold)
    orders = fast.source_order, fast.target_order
    whole = _whole_tiles(sources, targets, orders, metric, threshold)

    def tile(rows: Part, columns: Part) -> Edges:
        found = fast.edges(rows, columns)
        return whole(rows, columns) if found is None else Edges(*found)

    return orders, tile


def _whole_tiles(
    sources: Sequence[str],
    targets: Sequence[str],
    orders: tuple[NDArray[np.intp], NDArray[np.intp]],
    metric: Metric,
    threshold: float,
) -> Tile:
    """Return what fills a tile and takes the edges out of it."""

    def tile(rows: Part, columns: Part) -> Edges:
        names = [sources[i] for i in orders[0][slice(*rows)]]
        others = [targets[j] for j in orders[1][slice(*columns)]]
        similarities = np.empty((len(names), len(others)))
        row_filler([metric], names, others)(0, len(names), [similarities])
        refuse_nan(bool(np.isnan(similarities.sum())), metric)
        # a third of the time of np.nonzero in two dimensions
        at = np.divmod(np.flatnonzero(similarities.ravel() >= threshold), len(others))
        return Edges(at[0] + rows[0], at[1] + columns[0], similarities[at])

    return tile


def _band(rows: Part, order: NDArray[np.intp], tiles: Sequence[Edges]) -> Band:
    """Return the edges of the tiles of some rows."""
    edges = Edges(*map(np.concatenate, zip(*tiles, strict=True)))
    by_column = np.lexsort((edges.columns, edges.rows))
    return Band(
        order[slice(*rows)],
        np.bincount(edges.rows, minlength=rows[1] - rows[0]),
        np.asarray(edges.columns[by_column], np.int32),
        edges.similarities[by_column],
    )


def _equal(sources: Sequence[str], targets: Sequence[str]) -> Band:
    """Return the edges between equal strings."""
    columns_of = positions(targets)
    found = [columns_of.get(source, []) for source in sources]
    chosen = np.array([j for columns in found for j in columns], dtype=np.int32)
    counts = np.array([len(columns) for columns in found], dtype=np.int64)
    return Band(np.arange(len(sources)), counts, chosen, np.ones(len(chosen)))


def _require_room(held: Sequence[int], free: int | None, parts: int, threshold: float) -> None:
    """Refuse more edges than can be put together: as many bytes as they have are needed again."""
    needed = 2 * sum(held)
    if free is not None and needed > free:
        gib = [f"{size / 2**30:.1f} GiB" for size in (needed, free)]
        raise MatcherError(
            f"the similarities from {threshold:g} on of {len(held)} of {parts} parts need {gib[0]} "
            f"of memory, and {gib[1]} were free: choose a higher threshold"
        )


def _together(bands: Sequence[Band], shape: tuple[int, int]) -> csr_array:
    """Return the matrix whose rows the bands hold."""
    starts = np.zeros(shape[0] + 1, np.int64)
    for band in bands:
        starts[band.sources + 1] = band.counts
    starts = np.cumsum(starts)
    columns, similarities = np.empty(starts[-1], np.int32), np.empty(starts[-1])
    for band in bands:
        ends = np.cumsum(band.counts)
        shift = starts[band.sources] - (ends - band.counts)
        place = np.arange(len(band.targets)) + np.repeat(shift, band.counts)
        columns[place], similarities[place] = band.targets, band.similarities
    return csr_array((similarities, columns, starts), shape=shape)


def _by_length(strings: Sequence[str]) -> NDArray[np.intp]:
    """Return the indices of strings, sorted by length."""
    return np.argsort([len(s) for s in strings], kind="stable")


def _cut(number: int, size: int) -> list[tuple[int, int]]:
    """Return (first, last + 1) of parts of at most so many."""
    return [(first, min(first + size, number)) for first in range(0, number, size)]


def similar_entities(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    metric: Metric,
    threshold: float,
    *,
    threads: int | None = None,
) -> csr_array:
    """Return the similarities of entities at or above a threshold.

    Parameters
    ----------
    sources, targets
        The names of n and of m entities.
    metric, threshold, threads
        As for `similar_pairs`.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to `matchers.similarity.matrix.similarity_matrix` with all smaller entries left out.

    Examples
    --------
    >>> from matchers.metrics.by_name import get_metric
    >>> names = [["heart", "cor"], ["lung"], [""]]
    >>> similar_entities(names, [["cor"], ["lungs"]], get_metric("substring"), 0.8).toarray()
    array([[1.        , 0.        ],
           [0.        , 0.88888889],
           [0.        , 0.        ]])
    """
    source_names, source_bearers = _bearers(sources)
    target_names, target_bearers = _bearers(targets)
    edges = similar_pairs(source_names, target_names, metric, threshold, threads=threads)
    name = np.repeat(np.arange(len(source_names)), np.diff(edges.indptr))
    edge, rows = _expand(source_bearers, name)
    again, columns = _expand(target_bearers, edges.indices[edge].astype(np.intp))
    rows, similarities = rows[again], edges.data[edge[again]]
    order = np.lexsort((-similarities, columns, rows))
    rows, columns, similarities = rows[order], columns[order], similarities[order]
    best = np.ones(len(rows), dtype=bool)  # the first of those between the same two entities
    best[1:] = (np.diff(rows) != 0) | (np.diff(columns) != 0)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[best], minlength=len(sources)))])
    shape = len(sources), len(targets)
    return csr_array((similarities[best], columns[best].astype(np.int32), starts), shape=shape)


def _bearers(entities: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return the distinct names, and the entities that bear each."""
    bearers: dict[str, list[int]] = {}
    for entity, names in enumerate(entities):
        for name in dict.fromkeys(names):
            if name.strip():
                bearers.setdefault(name, []).append(entity)
    return list(bearers), list(bearers.values())


def _expand(
    bearers: Sequence[Sequence[int]], names: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the entities that bear some names: of each its position in `names`, and itself."""
    sizes = np.array([len(entities) for entities in bearers], dtype=np.intp)
    flat = np.array([entity for entities in bearers for entity in entities], dtype=np.intp)
    starts, counts = np.cumsum(sizes) - sizes, sizes[names]
    position = np.repeat(np.arange(len(names)), counts)
    first = np.cumsum(counts) - counts
    return position, flat[starts[names][position] + np.arange(len(position)) - first[position]]
