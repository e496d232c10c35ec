"""From a similarity matrix, or from sparse edges, to one-to-one pairs, by a method of choice."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.common.errors import MatcherError
from alignrank.common.memory import require_memory
from alignrank.common.names import Registry

from .optimal import (
    Assignment,
    Duals,
    Indices,
    Matrix,
    optimal_pairs,
    pair_edges,
    refuse_infinite,
    scipy_pairs,
)

#: Pairs up to which scipy's choice is made among edges, too: some nanoseconds for each pair.
MOST = 2**30

_Pairs = tuple[Indices, Indices, Duals | None]
_Edges = tuple[Indices, Duals | None]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to choose one-to-one pairs.

    Parameters
    ----------
    summary
        What it chooses.
    pairs
        Rows and columns chosen from a matrix, and duals where it tells them.
    edges
        The same for edges in the order of rows and columns (rows, columns, similarities, shape of
        the matrix): which of them are chosen. None where it needs the whole matrix.
    optimal
        Whether no one-to-one pairing has a larger total similarity: it can be tied then.
    """

    summary: str
    pairs: Callable[..., _Pairs]
    edges: Callable[[Indices, Indices, NDArray[np.float64], tuple[int, ...]], _Edges] | None
    optimal: bool = False


def assign(matrix: Matrix, method: str = "hungarian") -> Assignment:
    """Choose one-to-one pairs from a similarity matrix.

    Parameters
    ----------
    matrix
        Similarities, shape (n, m), none below 0.
    method
        ``hungarian``: the largest total similarity that any one-to-one pairing has.
        ``greedy``: the most similar pair, then the most similar of what is left, and so on; of
        equal pairs the one with the smaller row, then the smaller column.
        ``mutual-best``: pairs that are each other's most similar; of equals the first.
        ``scipy``: what ``hungarian`` finds, by scipy itself.

    Returns
    -------
    Assignment
        Pairs of similarity 0 are left out: they say nothing.

    Raises
    ------
    MatcherError
        If the method is unknown, or the matrix holds NaN, a negative or, for ``hungarian`` and
        ``scipy``, an infinite value.

    Notes
    -----
    Of several optimal pairings ``hungarian`` gives the one that
    `scipy.optimize.linear_sum_assignment` finds (`alignrank.matchers.assignment.optimal`).
    Whichever it is depends on the matrix alone: on its values and the order of its rows and
    columns.

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
    kept = similarities > 0.0
    return Assignment(rows[kept], columns[kept], similarities[kept], method, duals)


def assign_edges(edges: csr_array, method: str = "hungarian") -> Assignment:
    """Choose one-to-one pairs from sparse edges, as `assign` from the matrix that they stand for.

    Parameters
    ----------
    edges
        Similarities, none below 0, shape (n, m), row by row with the columns in order
        (`alignrank.matchers.similarity.tiles.similar_pairs` gives them so); what is not stored
        cannot be paired.
    method
        As for `assign`.

    Returns
    -------
    Assignment
        That of ``assign(edges.toarray(), method)``; but of more than 2^30 pairs ``hungarian`` may
        give another optimal assignment.

    Raises
    ------
    MatcherError
        If the method is unknown, an edge is NaN, negative or infinite, or ``scipy`` is asked for
        where the whole matrix would not fit into memory.

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
    if chosen.edges is None:
        require_memory(16 * math.prod(edges.shape), "scipy's assignment, of the whole matrix,")
        return assign(edges.toarray(), method)
    if chosen.optimal and math.prod(edges.shape) <= MOST:
        return _above_zero(edges, method, chosen.pairs(edges))
    above_zero = edges.data > 0.0
    rows = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))[above_zero]
    columns, similarities = edges.indices[above_zero].astype(np.intp), edges.data[above_zero]
    best, duals = chosen.edges(rows, columns, similarities, edges.shape)
    return Assignment(rows[best], columns[best], similarities[best], method, duals)


def _greedy(matrix: Matrix) -> _Pairs:
    """Take the best pair of all free ones, until none of similarity above 0 is left.

    The heap holds the best pair of each row, as far as known: one whose column has gone since is
    replaced by the row's best pair among the free columns, which cannot be better.
    """
    free = np.ones(matrix.shape[1], dtype=bool)
    best = matrix.argmax(axis=1) if matrix.size else []
    heap = [(-float(matrix[row, column]), row, int(column)) for row, column in enumerate(best)]
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
    rows = np.array(sorted(column_of), dtype=np.intp)
    return rows, np.array([column_of[row] for row in rows.tolist()], dtype=np.intp), None


def _mutual_best(matrix: Matrix) -> _Pairs:
    if not matrix.size:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), None
    best_column = matrix.argmax(axis=1)
    best_row = matrix.argmax(axis=0)
    rows = np.flatnonzero(best_row[best_column] == np.arange(len(matrix)))
    return rows, best_column[rows], None


def _greedy_edges(
    rows: Indices, columns: Indices, similarities: NDArray[np.float64], shape: tuple[int, ...]
) -> _Edges:
    free_rows, free_columns = (np.ones(size, dtype=bool) for size in shape)
    chosen = []
    for edge in np.lexsort((columns, rows, -similarities)).tolist():
        row, column = rows[edge], columns[edge]
        if free_rows[row] and free_columns[column]:
            free_rows[row] = free_columns[column] = False
            chosen.append(edge)
    return np.array(sorted(chosen), dtype=np.intp), None


def _mutual_best_edges(
    rows: Indices, columns: Indices, similarities: NDArray[np.float64], _: tuple[int, ...]
) -> _Edges:
    def best_of_each(ends: Indices, others: Indices) -> Indices:
        order = np.lexsort((others, -similarities, ends))
        return order[np.unique(ends[order], return_index=True)[1]]

    return np.intersect1d(best_of_each(rows, columns), best_of_each(columns, rows)), None


#: Every method by its name.
METHODS = Registry(
    "assignment",
    {
        "hungarian": Method(
            "the largest total similarity, as scipy finds it",
            optimal_pairs,
            pair_edges,
            optimal=True,
        ),
        "greedy": Method("the most similar pair, then the next", _greedy, _greedy_edges),
        "mutual-best": Method(
            "pairs that are each other's most similar", _mutual_best, _mutual_best_edges
        ),
        "scipy": Method("as hungarian, by scipy itself", scipy_pairs, None, optimal=True),
    },
    MatcherError,
)
