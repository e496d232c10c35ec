"""The best match of two sets: a maximum-weight assignment of a sparse bipartite graph."""

from __future__ import annotations

from collections.abc import Mapping


def best_match(
    weights: Mapping[tuple[int, int], float], n_rows: int, n_columns: int
) -> dict[int, int]:
    """Return the column of each matched row in an assignment of maximal total weight.

    Every row and every column is used at most once; pairs that `weights` does not hold cannot be
    matched. The memory is proportional to the number of pairs, never to ``n_rows * n_columns``.

    Parameters
    ----------
    weights
        Positive weight, at most 1, by (row, column).
    n_rows, n_columns
        Sizes of the two sets.

    Examples
    --------
    >>> best_match({(0, 0): 1.0, (0, 1): 0.8, (1, 0): 0.8}, 2, 2)
    {0: 1, 1: 0}
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    if not weights:
        return {}
    pairs = np.array(sorted(weights), dtype=np.int64)
    value = np.array([weights[row, column] for row, column in pairs.tolist()])
    rows = np.arange(n_rows)
    # A column of its own lets each row stay unmatched. Costs are 2 - weight, so that none is the 0
    # that a sparse matrix does not store.
    graph = csr_array(
        (
            np.concatenate([2.0 - value, np.full(n_rows, 2.0)]),
            (
                np.concatenate([pairs[:, 0], rows]),
                np.concatenate([pairs[:, 1], n_columns + rows]),
            ),
        ),
        shape=(n_rows, n_columns + n_rows),
    )
    chosen_rows, chosen_columns = min_weight_full_bipartite_matching(graph)
    return {
        int(row): int(column)
        for row, column in zip(chosen_rows, chosen_columns, strict=True)
        if column < n_columns
    }
