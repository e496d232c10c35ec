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
from typing import TYPE_CHECKING, NamedTuple

from matchers.errors import MatcherError
from matchers.machine.memory import available_memory
from matchers.machine.threads import run_all
from matchers.metrics.base import Metric
from ontologies.common.progress import track

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from matchers.kernels.threshold.search import Edges

#: Rows and columns of a tile: 28 MB of similarities for each thread.
TILE = 1024, 7 * 512


class Band(NamedTuple):
    """The edges of some sources: of each source how many, and their targets and similarities."""

    sources: NDArray[np.intp]
    counts: NDArray[np.int64]
    targets: NDArray[np.int32]
    similarities: NDArray[np.float64]


#: Some rows or columns: (first, last + 1).
Part = tuple[int, int]
#: Returns the edges of the tile of some rows and columns.
Tile = Callable[[Part, Part], "Edges"]


def similar_pairs(
    sources: Sequence[str],
    targets: Sequence[str],
    metric: Metric,
    threshold: float,
    *,
    best: int | None = None,
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
    best
        Keep only so many targets for each source: the most similar ones, of equally similar ones
        the first. None keeps all.
    threads
        Number of threads; None for one per processor. Each needs some 60 MB.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to the matrix of `Metric.matrix` with all smaller entries left out.

    Raises
    ------
    MatcherError
        If `threshold` is not above 0, `best` not above 0, the metric gives NaN, or so many
        similarities reach the threshold that they do not fit into memory.

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
    if best is not None and best < 1:
        raise MatcherError(f"best is {best}: keep at least one target for each source")
    if metric.all_or_nothing:
        equal = _equal(sources, targets if threshold <= 1.0 else (), best)
        return _together([equal], (len(sources), len(targets)))
    orders, tile = _tiles(sources, targets, metric, threshold)
    # the longest first: no thread ends with them alone
    places = list(product(_cut(len(sources), TILE[0])[::-1], _cut(len(targets), TILE[1])))
    held: list[int] = []
    free = available_memory()

    def work(place: tuple[Part, Part]) -> Edges:
        found = _of_each_row(tile(*place), place[0][0], orders[1], best)
        held.append(sum(values.nbytes for values in found))
        _require_room(held, free, len(places), threshold)
        return found

    bands: defaultdict[Part, list[Edges]] = defaultdict(list)
    with closing(run_all(work, places, threads)) as found:
        shown = track(found, len(places), f"parts of {metric.name}")
        for (rows, _), edges in zip(places, shown, strict=True):
            bands[rows].append(edges)
    return _together(
        [_band(rows, orders[0], edges, best) for rows, edges in bands.items()],
        (len(sources), len(targets)),
    )


def _tiles(
    sources: Sequence[str], targets: Sequence[str], metric: Metric, threshold: float
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], Tile]:
    """Return the orders of sources and targets, and what finds the edges of a tile of these."""
    from matchers.kernels.threshold.bounds import BOUNDS

    if metric.kernel not in BOUNDS:
        orders = _by_length(sources), _by_length(targets)
        return orders, _whole_tiles(sources, targets, orders, metric, threshold)
    from matchers.kernels.threshold.search import Thresholded

    fast = Thresholded(metric.kernel, sources, targets, threshold)
    orders = fast.source_order, fast.target_order
    whole = _whole_tiles(sources, targets, orders, metric, threshold)

    def tile(rows: Part, columns: Part) -> Edges:
        found = fast.edges(rows, columns)
        return whole(rows, columns) if found is None else found

    return orders, tile


def _whole_tiles(
    sources: Sequence[str],
    targets: Sequence[str],
    orders: tuple[NDArray[np.intp], NDArray[np.intp]],
    metric: Metric,
    threshold: float,
) -> Tile:
    """Return what fills a tile and takes the edges out of it."""
    import numpy as np

    from matchers.kernels.threshold.edges import entries_from
    from matchers.kernels.threshold.search import Edges

    def tile(rows: Part, columns: Part) -> Edges:
        names = [sources[i] for i in orders[0][slice(*rows)]]
        others = [targets[j] for j in orders[1][slice(*columns)]]
        similarities = np.empty((len(names), len(others)))
        metric.rows(names, others)(0, len(names), similarities)
        if np.isnan(similarities.sum()):
            raise MatcherError(
                f"metric {metric.name!r} gave NaN: it must give a number for every pair"
            )
        at = entries_from(similarities, threshold)
        return Edges(at[0] + rows[0], at[1] + columns[0], similarities[at])

    return tile


def _of_each_row(edges: Edges, first: int, order: NDArray[np.intp], best: int | None) -> Edges:
    """Return edges with rows counted from the first, the caller's columns, and only the best."""
    import numpy as np

    columns = order[edges.columns].astype(np.int32)
    counted = edges._replace(rows=(edges.rows - first).astype(np.int32), columns=columns)
    return counted if best is None else _best_of_each_row(counted, best)


def _band(rows: Part, order: NDArray[np.intp], tiles: Sequence[Edges], best: int | None) -> Band:
    """Return the edges of the tiles of some rows."""
    import numpy as np

    from matchers.kernels.threshold.search import Edges

    edges = Edges(*map(np.concatenate, zip(*tiles, strict=True)))
    if best is not None:
        edges = _best_of_each_row(edges, best)
    by_column = np.lexsort((edges.columns, edges.rows))
    return Band(
        order[slice(*rows)],
        np.bincount(edges.rows, minlength=rows[1] - rows[0]),
        np.asarray(edges.columns[by_column], np.int32),
        edges.similarities[by_column],
    )


def _equal(sources: Sequence[str], targets: Sequence[str], best: int | None) -> Band:
    """Return the edges between equal strings."""
    import numpy as np

    where: dict[str, list[int]] = {}
    for j, target in enumerate(targets):
        where.setdefault(target, []).append(j)
    found = [where.get(source, [])[:best] for source in sources]
    chosen = np.array([j for columns in found for j in columns], dtype=np.int32)
    counts = np.array([len(columns) for columns in found], dtype=np.int64)
    return Band(np.arange(len(sources)), counts, chosen, np.ones(len(chosen)))


def _best_of_each_row(edges: Edges, best: int) -> Edges:
    """Return the edges to keep: in each row the most similar, of these the first columns."""
    import numpy as np

    order = np.lexsort((edges.columns, -edges.similarities, edges.rows))
    rows = edges.rows[order]
    first = np.searchsorted(rows, rows)  # where the row of each entry begins
    kept = order[np.arange(len(order)) - first < best]
    return edges._replace(
        rows=edges.rows[kept], columns=edges.columns[kept], similarities=edges.similarities[kept]
    )


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
    import numpy as np
    from scipy.sparse import csr_array

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
    import numpy as np

    return np.argsort([len(s) for s in strings], kind="stable")


def _cut(number: int, size: int) -> list[tuple[int, int]]:
    """Return (first, last + 1) of parts of at most so many."""
    return [(first, min(first + size, number)) for first in range(0, number, size)]
