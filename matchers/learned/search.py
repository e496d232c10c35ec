"""Search: for each name the few that are most similar, without a dense matrix."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, diags_array

from .names import Indices

#: Rows that are multiplied at a time.
BLOCK = 1000
#: A term that stands in more names than these finds no candidates; it still counts in the cosine.
MOST_HOLDERS = 1000


def nearest(rows: csr_array, columns: csr_array, most: int, least: float) -> Indices:
    """Return for each row the columns with the largest cosines, from sparse non-negative vectors.

    Parameters
    ----------
    rows, columns
        Vectors of length 1 at most, one each line, shapes (n, d) and (m, d).
    most
        Largest number of columns for each row.
    least
        Smallest cosine. A pair below `least` may be returned, but none above is missing for it,
        unless all terms that the two share stand in more than `MOST_HOLDERS` columns.

    Returns
    -------
    ndarray of int64, shape (k, 2)
        Pairs (row, column), sorted.

    Notes
    -----
    Each row drops its lightest terms while their length stays below least / 2. What is dropped
    adds at most as much to a cosine, so that pairs below least / 2 without it can be left out.
    """
    holders = np.bincount(columns.indices, minlength=columns.shape[1])
    is_rare = (holders <= MOST_HOLDERS).astype(np.float64)
    by_term = csr_array((columns @ diags_array(is_rare)).T)
    by_term.eliminate_zeros()
    heavy = _without_light(rows, least / 2.0)
    pairs = []
    for start in range(0, rows.shape[0], BLOCK):
        cosines = csr_array(heavy[start : start + BLOCK] @ by_term)
        kept = cosines.data >= least / 2.0
        row = np.repeat(np.arange(cosines.shape[0]), np.diff(cosines.indptr))[kept]
        column, cosine = cosines.indices[kept], cosines.data[kept]
        order = np.lexsort((column, -cosine, row))
        row = row[order]
        place = np.arange(len(row)) - np.searchsorted(row, row)
        chosen = place < most
        pairs.append(np.column_stack([row[chosen] + start, column[order][chosen]]))
    return np.concatenate(pairs or [np.empty((0, 2), dtype=np.int64)]).astype(np.int64)


def _without_light(vectors: csr_array, length: float) -> csr_array:
    """Return the vectors without their lightest terms, whose length together is below `length`."""
    row = np.repeat(np.arange(vectors.shape[0]), np.diff(vectors.indptr))
    order = np.lexsort((vectors.data, row))
    squares = np.cumsum(vectors.data[order] ** 2)
    before = np.concatenate([[0.0], squares])[vectors.indptr[:-1]]
    kept = np.empty(len(order), dtype=bool)
    kept[order] = squares - before[row] >= length**2
    heavy = vectors.copy()
    heavy.data = heavy.data * kept
    heavy.eliminate_zeros()
    return heavy
