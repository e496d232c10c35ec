"""Large pairs: entities matched by the edges that tiles leave, without the whole matrix.

What comes out is what the whole matrix gives under ``cut-then-assign``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matchers.assignment.choose import Assignment, assign_edges
from matchers.assignment.ties import Ties, find_edge_ties
from matchers.machine.memory import available_memory
from matchers.similarity.matrix import memory_needed
from matchers.similarity.tiles import similar_pairs

from .candidates import KindCandidates
from .errors import MatcherError
from .metrics.base import Metric
from .settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Indices = NDArray[np.intp]


def goes_by_tiles(group: KindCandidates, settings: Settings) -> bool:
    """Return whether a group is matched tile by tile.

    Raises
    ------
    MatcherError
        If it has to be, because the matrix would not fit into memory, and the settings do not
        allow it.
    """
    if settings.tiles is not None:
        return settings.tiles
    n, m = len(group.source), len(group.target)
    needed, available = memory_needed(n, m), available_memory()
    if available is None or needed <= available:
        return False
    if settings.why_not_in_tiles:
        raise MatcherError(
            f"a similarity matrix of {n} x {m} entities needs {needed / 2**30:.1f} GiB of memory, "
            f"and {available / 2**30:.1f} GiB are free: it can be matched in tiles, but "
            f"{settings.why_not_in_tiles}"
        )
    return True


def assign_by_tiles(
    group: KindCandidates, metric: Metric, settings: Settings, *, threads: int | None = None
) -> tuple[Assignment, Ties | None]:
    """Assign the entities of a group, and find the ties.

    Returns
    -------
    Assignment
        That of the matrix in which all similarities below the threshold are 0.
    Ties or None
        None where the assignment is not ``hungarian``.
    """
    threshold = settings.threshold or 1.0  # 0 is only for a metric that is all or nothing
    edges = similar_entities(
        group.source.names, group.target.names, metric, threshold, threads=threads
    )
    assignment = assign_edges(edges, settings.assignment)
    hungarian = settings.assignment == "hungarian"
    return assignment, find_edge_ties(edges, assignment) if hungarian else None


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
        As for `matchers.similarity.tiles.similar_pairs`.

    Returns
    -------
    csr_array of float64, shape (n, m)
        Equal to `matchers.similarity.matrix.similarity_matrix` with all smaller entries left out.

    Examples
    --------
    >>> from matchers.registry import get_metric
    >>> names = [["heart", "cor"], ["lung"], [""]]
    >>> similar_entities(names, [["cor"], ["lungs"]], get_metric("substring"), 0.8).toarray()
    array([[1.        , 0.        ],
           [0.        , 0.88888889],
           [0.        , 0.        ]])
    """
    import numpy as np
    from scipy.sparse import csr_array

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


def _expand(bearers: Sequence[Sequence[int]], names: Indices) -> tuple[Indices, Indices]:
    """Return the entities that bear some names: of each its position in `names`, and itself."""
    import numpy as np

    sizes = np.array([len(entities) for entities in bearers], dtype=np.intp)
    flat = np.array([entity for entities in bearers for entity in entities], dtype=np.intp)
    starts, counts = np.cumsum(sizes) - sizes, sizes[names]
    position = np.repeat(np.arange(len(names)), counts)
    first = np.cumsum(counts) - counts
    return position, flat[starts[names][position] + np.arange(len(position)) - first[position]]
