"""From similarities of names to similarities of entities, compiled."""

from __future__ import annotations

from typing import Any

from matchers.machine.compiled import kernel


@kernel
def raise_to_best(result: Any, block: Any, owners: Any, further_owners: Any) -> bool:
    """Raise similarities of entities to those of their names, and tell whether one was NaN.

    Parameters
    ----------
    result
        Similarities of n source and m target entities.
    block
        Similarities of names. Row k is a name of the source entity ``owners[k]``. The first m
        columns are the first names of the target entities, in order; each one after them is a
        further name of the target entity ``further_owners[...]``.
    """
    m = result.shape[1]
    nans = 0
    for k in range(len(block)):
        row = owners[k]
        for j in range(m):
            value = block[k, j]
            nans += value != value
            result[row, j] = value if value > result[row, j] else result[row, j]
        for p in range(len(further_owners)):
            value = block[k, m + p]
            nans += value != value
            j = further_owners[p]
            result[row, j] = value if value > result[row, j] else result[row, j]
    return nans > 0
