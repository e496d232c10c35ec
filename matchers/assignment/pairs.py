"""One-to-one pairs of a matrix or of edges, with proof of the optimum; the pairs of all optima."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.common.names import Registry
from alignrank.common.system import require_memory

from .optimal import (
    Assignment,
    Duals,
    Indices,
    Matrix,
    Values,
    edge_rows,
    optimal_pairs,
    pair_edges,
    refuse_infinite,
    scipy_pairs,
)

#: Pairs (n * m) up to which edges are assigned as scipy does: it takes nanoseconds for each pair.
MOST = 2**30

_Pairs = tuple[Indices, Indices, Duals | None]
_Edges = tuple[Indices, Duals | None]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to choose one-to-one pairs.

    Parameters
    ----------
    summary
        What it chooses, in a few words.
    pairs
        Chooses from a matrix: returns rows, columns, and the duals if it computes them.
    edges
        Chooses from edges in the order of rows and columns (rows, columns, similarities, shape of
        the matrix): returns the positions of the chosen edges. None if it needs the whole matrix.
    optimal
        Whether no one-to-one pairing has a larger total similarity; others can have the same one.
    """

    summary: str
    pairs: Callable[..., _Pairs]
    edges: Callable[[Indices, Indices, Values, tuple[int, ...]], _Edges] | None
    optimal: bool = False


def assign(matrix: Matrix, method: str = "hungarian") -> Assignment:
    """Choose one-to-one pairs from a similarity matrix.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0.
    method
        ``hungarian``: the largest total similarity that any one-to-one pairing has.
        ``greedy``: the most similar pair, then the most similar free pair, and so on; of equal
        pairs the one with the smaller row, then the smaller column.
        ``mutual-best``: pairs that are each other's most similar; of equals the first.
        ``scipy``: the pairs of ``hungarian``, computed by scipy itself.

    Returns
    -------
    Assignment
        Pairs of similarity 0 are left out.

    Raises
    ------
    MatcherError
        If the method is unknown, or the matrix holds NaN, a negative or, for ``hungarian`` and
        ``scipy``, an infinite value.

    Notes
    -----
    Of several optimal pairings ``hungarian`` gives the one that
    `scipy.optimize.linear_sum_assignment` finds (`alignrank.matchers.assignment.optimal`). It
    depends on the matrix alone: on its values and the order of its rows and columns.

    Examples
    --------
    >>> matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> [(m, assign(matrix, m).columns.tolist(), assign(matrix, m).total) for m in METHODS]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('hungarian', [1, 0], 1.6), ('greedy', [0, 1], 1.0), ('mutual-best', [0], 0.9),
     ('scipy', [1, 0], 1.6)]
    """
    choose = METHODS.lookup(method).pairs
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim != 2:
        raise MatcherError(f"the similarity matrix has shape {matrix.shape}: it needs two sides")
    if matrix.size and not matrix.min() >= 0.0:
        raise MatcherError("the similarity matrix holds NaN or a negative value")
    return _above_zero(matrix, method, choose(matrix))


def _above_zero(matrix: Matrix | csr_array, method: str, pairs: _Pairs) -> Assignment:
    rows, columns, duals = pairs
    similarities = matrix[rows, columns] if len(rows) else np.empty(0)
    similar = similarities > 0.0
    return Assignment(rows[similar], columns[similar], similarities[similar], method, duals)


def assign_edges(edges: csr_array, method: str = "hungarian") -> Assignment:
    """Choose one-to-one pairs from sparse edges, as `assign` does from their matrix.

    Parameters
    ----------
    edges
        Similarities, none below 0, shape (n, m), row by row with the columns in order, as
        `alignrank.matchers.similarity.tiles.similar_pairs` returns them. Only stored pairs are
        chosen.
    method
        As for `assign`.

    Returns
    -------
    Assignment
        That of ``assign(edges.toarray(), method)``. Only for more than 2^30 pairs may
        ``hungarian`` give another optimal assignment.

    Raises
    ------
    MatcherError
        If the method is unknown, an edge is NaN, negative or infinite, or the method is ``scipy``
        and the whole matrix does not fit into memory.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> edges = csr_array([[0.9, 0.8], [0.8, 0.0]])
    >>> [(m, assign_edges(edges, m).columns.tolist()) for m in METHODS]
    [('hungarian', [1, 0]), ('greedy', [0]), ('mutual-best', [0]), ('scipy', [1, 0])]
    """
    chosen = METHODS.lookup(method)
    if edges.nnz and not edges.data.min() >= 0.0:
        raise MatcherError("the edges hold NaN or a negative value")
    refuse_infinite(edges.data)
    pairs = math.prod(edges.shape)
    if chosen.edges is None:
        require_memory(16 * pairs, "scipy's assignment, of the whole matrix,")
        return assign(edges.toarray(), method)
    if chosen.optimal and pairs <= MOST:
        return _above_zero(edges, method, chosen.pairs(edges))
    above_zero = edges.data > 0.0
    rows = edge_rows(edges)[above_zero]
    columns = edges.indices[above_zero].astype(np.intp)
    similarities = edges.data[above_zero]
    best, duals = chosen.edges(rows, columns, similarities, edges.shape)
    return Assignment(rows[best], columns[best], similarities[best], method, duals)


def _greedy(matrix: Matrix) -> _Pairs:
    """Take the best pair of the free rows and columns until no free pair is above 0.

    The heap holds a bound on each row's best pair. A pair whose column is no longer free is
    replaced by the row's best pair among the free columns, which cannot be better.
    """
    free = np.ones(matrix.shape[1], dtype=bool)
    best = matrix.argmax(axis=1).tolist() if matrix.size else []
    heap = [(-float(matrix[row, column]), row, column) for row, column in enumerate(best)]
    heapq.heapify(heap)
    column_of: dict[int, int] = {}
    while heap:
        negative, row, column = heapq.heappop(heap)
        if negative == 0.0:
            break
        if free[column]:
            free[column] = False
            column_of[row] = column
        elif free.any():
            candidates = np.where(free, matrix[row], -1.0)
            column = int(candidates.argmax())
            heapq.heappush(heap, (-float(candidates[column]), row, column))
    pairs = np.array(sorted(column_of.items()), dtype=np.intp).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1], None


def _mutual_best(matrix: Matrix) -> _Pairs:
    if not matrix.size:
        empty = np.empty(0, dtype=np.intp)
        return empty, empty, None
    best_column = matrix.argmax(axis=1)
    best_row = matrix.argmax(axis=0)
    rows = np.flatnonzero(best_row[best_column] == np.arange(len(matrix)))
    return rows, best_column[rows], None


def _greedy_edges(
    rows: Indices, columns: Indices, similarities: Values, shape: tuple[int, ...]
) -> _Edges:
    free_rows, free_columns = (np.ones(size, dtype=bool) for size in shape)
    chosen = []
    by_similarity = np.lexsort((columns, rows, -similarities))
    for edge in by_similarity.tolist():
        row = rows[edge]
        column = columns[edge]
        if free_rows[row] and free_columns[column]:
            free_rows[row] = free_columns[column] = False
            chosen.append(edge)
    return np.array(sorted(chosen), dtype=np.intp), None


def _mutual_best_edges(
    rows: Indices, columns: Indices, similarities: Values, _: tuple[int, ...]
) -> _Edges:
    def best_of_each(nodes: Indices, partners: Indices) -> Indices:
        order = np.lexsort((partners, -similarities, nodes))
        _, best = np.unique(nodes[order], return_index=True)
        return order[best]

    best_of_rows = best_of_each(rows, columns)
    best_of_columns = best_of_each(columns, rows)
    return np.intersect1d(best_of_rows, best_of_columns), None


#: The methods by name.
METHODS = Registry(
    "assignment",
    {
        "hungarian": Method(
            "the largest total similarity, as scipy finds it", optimal_pairs, pair_edges, True
        ),
        "greedy": Method("the most similar pair, then the next", _greedy, _greedy_edges),
        "mutual-best": Method(
            "pairs that are each other's most similar", _mutual_best, _mutual_best_edges
        ),
        "scipy": Method("as hungarian, by scipy itself", scipy_pairs, None, True),
    },
    MatcherError,
)
