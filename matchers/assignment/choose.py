"""From a similarity matrix to one-to-one pairs."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matchers.errors import MatcherError
from matchers.machine.memory import available_memory
from ontologies.common.frames import Frame, frame
from ontologies.common.table import Tabular

from .hungarian import optimal_pairs, refuse_infinite
from .sparse import pair_edges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from matchers.metrics.base import Matrix

    from .proof import Duals

    Indices = NDArray[np.intp]
    Pairs = tuple[Indices, Indices, Duals | None]
    Edges = tuple[Indices, Duals | None]

#: A matrix with no more than this share of entries above 0 is solved along these.
SPARSE = 0.05


@dataclass(frozen=True, eq=False)
class Assignment(Tabular):
    """One-to-one pairs of rows and columns, all of similarity above 0, in the order of the rows.

    Parameters
    ----------
    rows, columns
        Indices of the pairs.
    similarities
        Similarity of each pair.
    method
        How they were chosen.
    duals
        Those by which the solver found the optimum, where it tells.
    """

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    similarities: NDArray[np.float64]
    method: str
    duals: Duals | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> float:
        """Sum of the similarities, correctly rounded."""
        return math.fsum(self.similarities.tolist())

    def at_least(self, threshold: float) -> Assignment:
        """Return the pairs of similarity `threshold` or more (``>=``)."""
        kept = self.similarities >= threshold
        return Assignment(self.rows[kept], self.columns[kept], self.similarities[kept], self.method)

    def to_frame(self) -> Frame:
        """Return one line per pair: ``row, column, similarity``."""
        return frame({"row": self.rows, "column": self.columns, "similarity": self.similarities})


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

    Returns
    -------
    Assignment
        Pairs of similarity 0 are left out: they say nothing.

    Raises
    ------
    MatcherError
        If the method is unknown, or the matrix holds NaN, a negative or, for ``hungarian``, an
        infinite value.

    Notes
    -----
    Of several optimal pairings ``hungarian`` gives the one that
    `scipy.optimize.linear_sum_assignment` finds on the whole matrix
    (`matchers.assignment.hungarian`); where few of its entries are above 0 (equal labels; a cut
    matrix), the one that is found along them. Whichever it is depends on the matrix alone: on its
    values and the order of its rows and columns.

    Examples
    --------
    >>> import numpy as np
    >>> matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> [(m, assign(matrix, m).columns.tolist(), assign(matrix, m).total) for m in METHODS]
    [('hungarian', [1, 0], 1.6), ('greedy', [0, 1], 1.0), ('mutual-best', [0], 0.9)]
    """
    import numpy as np

    if method not in METHODS:
        raise MatcherError(f"assignment {method!r} is unknown: use one of {', '.join(METHODS)}")
    matrix = np.asarray(matrix, dtype=np.float64)
    if matrix.ndim != 2:
        raise MatcherError(f"the similarity matrix has shape {matrix.shape}: it needs two sides")
    if matrix.size and not matrix.min() >= 0.0:
        raise MatcherError("the similarity matrix holds NaN or a negative value")
    rows, columns, duals = METHODS[method](matrix)
    similarities = matrix[rows, columns]
    kept = similarities > 0.0
    return Assignment(rows[kept], columns[kept], similarities[kept], method, duals)


def assign_edges(edges: csr_array, method: str = "hungarian") -> Assignment:
    """Choose one-to-one pairs from sparse edges, as `assign` from the matrix that they stand for.

    Parameters
    ----------
    edges
        Similarities, none below 0, shape (n, m), row by row with the columns in order
        (`matchers.similarity.tiles.similar_pairs` gives them so); what is not stored cannot be
        paired.
    method
        As for `assign`.

    Returns
    -------
    Assignment
        That of ``assign(edges.toarray(), method)``. Where no such array would fit into memory,
        ``hungarian`` goes along the edges however many there are: then it may be another optimal
        assignment.

    Raises
    ------
    MatcherError
        If the method is unknown, or an edge is NaN, negative or infinite.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> edges = csr_array([[0.9, 0.8], [0.8, 0.0]])
    >>> [(m, assign_edges(edges, m).columns.tolist()) for m in METHODS]
    [('hungarian', [1, 0]), ('greedy', [0]), ('mutual-best', [0])]
    """
    import numpy as np

    if method not in METHODS:
        raise MatcherError(f"assignment {method!r} is unknown: use one of {', '.join(METHODS)}")
    if edges.nnz and not edges.data.min() >= 0.0:
        raise MatcherError("the edges hold NaN or a negative value")
    refuse_infinite(edges.data)
    size = edges.shape[0] * edges.shape[1]
    if method == "hungarian" and edges.nnz > SPARSE * size and _fits(size):
        return assign(edges.toarray(), method)
    above_zero = edges.data > 0.0
    rows = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))[above_zero]
    columns, similarities = edges.indices[above_zero].astype(np.intp), edges.data[above_zero]
    best, duals = EDGE_METHODS[method](rows, columns, similarities, edges.shape)
    return Assignment(rows[best], columns[best], similarities[best], method, duals)


def _fits(entries: int) -> bool:
    available = available_memory()
    return available is None or 8 * entries <= available


def _hungarian(matrix: Matrix) -> Pairs:
    import numpy as np

    if not _is_sparse(matrix):
        return optimal_pairs(matrix)
    refuse_infinite(matrix)
    # a third of the time of np.nonzero, in two dimensions
    rows, columns = np.divmod(np.flatnonzero(matrix.ravel() != 0.0), matrix.shape[1])
    best, duals = pair_edges(rows, columns, matrix[rows, columns], matrix.shape)
    return rows[best], columns[best], duals


def _is_sparse(matrix: Matrix) -> bool:
    """Return whether no more than the share `SPARSE` of the entries is above 0."""
    import numpy as np

    most, found = SPARSE * matrix.size, 0
    for first in range(0, len(matrix), 256):  # most matrices are known after the first rows
        found += int(np.count_nonzero(matrix[first : first + 256]))
        if found > most:
            return False
    return True


def _greedy(matrix: Matrix) -> Pairs:
    """Take the best pair of all free ones, until none of similarity above 0 is left.

    The heap holds the best pair of each row, as far as known: one whose column has gone since is
    replaced by the row's best pair among the free columns, which cannot be better.
    """
    import numpy as np

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


def _mutual_best(matrix: Matrix) -> Pairs:
    import numpy as np

    if not matrix.size:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), None
    best_column = matrix.argmax(axis=1)
    best_row = matrix.argmax(axis=0)
    rows = np.flatnonzero(best_row[best_column] == np.arange(len(matrix)))
    return rows, best_column[rows], None


def _greedy_edges(
    rows: Indices, columns: Indices, similarities: NDArray[np.float64], shape: tuple[int, ...]
) -> Edges:
    import numpy as np

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
) -> Edges:
    import numpy as np

    def best_of_each(ends: Indices, others: Indices) -> Indices:
        order = np.lexsort((others, -similarities, ends))
        return order[np.unique(ends[order], return_index=True)[1]]

    return np.intersect1d(best_of_each(rows, columns), best_of_each(columns, rows)), None


#: Assignment by name.
METHODS: dict[str, Callable[[Matrix], Pairs]] = {
    "hungarian": _hungarian,
    "greedy": _greedy,
    "mutual-best": _mutual_best,
}
#: The same for edges in the order of rows and columns, and the shape: which of them are chosen.
EDGE_METHODS: dict[
    str, Callable[[Indices, Indices, NDArray[np.float64], tuple[int, ...]], Edges]
] = {
    "hungarian": pair_edges,
    "greedy": _greedy_edges,
    "mutual-best": _mutual_best_edges,
}
