"""The largest groups of systems that cannot be told apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .ranks import Floats


def non_significant_groups(
    p: Floats, alpha: float, order: NDArray[np.intp] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return the largest groups of systems in which no pair differs significantly.

    Parameters
    ----------
    p
        (k, k) adjusted p-values.
    alpha
        A pair is significant if its p is at most alpha.
    order
        Systems from best to worst: the order within and between the groups. None: as they come.

    Returns
    -------
    tuple of tuple of int
        Maximal cliques of the graph of non-significance; a group need not be an interval of any
        ranking. A system that differs from all others is a group of its own.

    Examples
    --------
    >>> one = np.nan
    >>> p = np.array([[one, 0.4, 0.01], [0.4, one, 0.3], [0.01, 0.3, one]])
    >>> non_significant_groups(p, 0.05)
    ((0, 1), (1, 2))
    """
    import networkx as nx

    k = len(p)
    place = {s: i for i, s in enumerate(range(k) if order is None else order.tolist())}
    graph = nx.Graph()
    graph.add_nodes_from(range(k))
    graph.add_edges_from(np.argwhere(p > alpha).tolist())
    groups = [tuple(sorted(group, key=place.__getitem__)) for group in nx.find_cliques(graph)]
    return tuple(sorted(groups, key=lambda group: [place[s] for s in group]))
