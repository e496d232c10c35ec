"""The similarity matrix of two lists of entities, each with one name or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .assignment import LARGE
from .errors import MatcherError
from .memory import require_memory
from .metrics.base import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .metrics.base import Matrix

#: Size in bytes of the block of name pairs that is computed at once.
BLOCK = 32 * 2**20


def similarity_matrix(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    metric: Metric,
    *,
    threads: int | None = None,
) -> Matrix:
    """Return the similarities of all pairs of entities.

    The similarity of two entities is that of their most similar names. Names are compared as they
    are: prepare them first (`matchers.labels.prepare`). A name of white space only is no name, and
    an entity without a name has similarity 0 with everything.

    Parameters
    ----------
    sources, targets
        The names of n and of m entities.
    metric
        Source names are its first argument.
    threads
        Number of threads; None for one per processor.

    Returns
    -------
    ndarray of float64, shape (n, m)

    Raises
    ------
    MatcherError
        If the matrix and a working copy of it would not fit into memory, or a metric other than
        ours gives NaN.

    Examples
    --------
    >>> from matchers.registry import get_metric
    >>> names = [["heart", "cor"], ["lung"], [""]]
    >>> similarity_matrix(names, [["cor"], ["lungs"], [" "]], get_metric("substring"))
    array([[1.        , 0.        , 0.        ],
           [0.        , 0.88888889, 0.        ],
           [0.        , 0.        , 0.        ]])
    """
    import numpy as np

    n, m = len(sources), len(targets)
    require_memory(memory_needed(n, m), f"a similarity matrix of {n} x {m} entities")
    names, owners = _distinct(sources)
    target_names, target_owners = _distinct(targets)
    result = np.zeros((n, m))
    if not names or not target_names:
        return result
    if (
        len(names) == n
        and len(target_names) == m
        and _one_each(owners)
        and _one_each(target_owners)
    ):
        result = metric.matrix(names, target_names, threads=threads)
    else:
        rows = max(1, BLOCK // (8 * len(target_names)))
        best_of_targets = _BestColumns(target_owners, m)
        for start in range(0, len(names), rows):
            block = metric.matrix(names[start : start + rows], target_names, threads=threads)
            for row, entities in zip(best_of_targets(block), owners[start:], strict=False):
                for entity in entities:
                    np.maximum(result[entity], row, out=result[entity])
    if np.isnan(result.sum()):
        raise MatcherError(f"metric {metric.name!r} gave NaN: it must give a number for every pair")
    return result


def memory_needed(n: int, m: int) -> int:
    """Return the bytes that matching n with m entities takes.

    The matrix, the copy of it that its assignment takes unless it is large, and two blocks.
    """
    copies = 1 if n * m >= LARGE else 2
    return copies * 8 * n * m + 2 * BLOCK


def _distinct(entities: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return the distinct names, and the entities that bear each."""
    owners: dict[str, list[int]] = {}
    for entity, names in enumerate(entities):
        for name in dict.fromkeys(names):
            if name.strip():
                owners.setdefault(name, []).append(entity)
    return list(owners), list(owners.values())


def _one_each(owners: list[list[int]]) -> bool:
    """Tell whether name i belongs to entity i and to no other."""
    return all(entities == [i] for i, entities in enumerate(owners))


class _BestColumns:
    """Turns columns of names into columns of entities: the largest value among their names."""

    def __init__(self, owners: list[list[int]], entities: int) -> None:
        import numpy as np

        name = np.repeat(np.arange(len(owners)), [len(one) for one in owners])
        entity = np.concatenate([np.asarray(one) for one in owners])
        order = np.argsort(entity, kind="stable")
        self._entities = entities
        self._named, self._starts = np.unique(entity[order], return_index=True)
        self._columns: NDArray[np.intp] = name[order]
        self._in_order = np.array_equal(self._columns, np.arange(len(owners)))

    def __call__(self, block: Matrix) -> Matrix:
        import numpy as np

        gathered = block if self._in_order else np.take(block, self._columns, axis=1)
        best = np.maximum.reduceat(gathered, self._starts, axis=1)
        if len(self._named) == self._entities:
            return best
        full = np.zeros((len(block), self._entities))
        full[:, self._named] = best
        return full
