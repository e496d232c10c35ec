"""From similarities of names to similarities of entities, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .kernels.compiled import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray


def flatten(lists: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each list starts, and all numbers in a row; list k is from start k to k + 1.

    Examples
    --------
    >>> [found.tolist() for found in flatten([[4, 5], [], [6]])]
    [[0, 2, 2, 3], [4, 5, 6]]
    """
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    return starts, np.array([number for one in lists for number in one], dtype=np.int64)


@kernel
def raise_to_best(
    result: Any, block: Any, owner_starts: Any, owners: Any, name_starts: Any, names: Any
) -> bool:
    """Raise similarities of entities to those of their names, and tell whether one was NaN.

    Row k of `block` is a name of the source entities ``owners[owner_starts[k] : ...]``, and the
    target entity j has the columns ``names[name_starts[j] : ...]``.
    """
    found_nan = False
    for k in range(block.shape[0]):
        for o in range(owner_starts[k], owner_starts[k + 1]):
            row = owners[o]
            for j in range(result.shape[1]):
                best = result[row, j]
                for p in range(name_starts[j], name_starts[j + 1]):
                    value = block[k, names[p]]
                    found_nan |= value != value
                    if value > best:
                        best = value
                result[row, j] = best
    return found_nan
