"""The similarity matrix of two lists of entities, each with one name or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import MatcherError
from .memory import require_memory
from .metrics.base import Metric

if TYPE_CHECKING:
    from .metrics.base import Matrix

#: Size in bytes of the block of name pairs that is computed at once.
BLOCK = 16 * 2**20


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
        If the matrix would not fit into memory, or a metric other than ours gives NaN.

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
    if _one_name_each(sources) and _one_name_each(targets):
        flat = [[one for (one,) in names] for names in (sources, targets)]
        result = metric.matrix(*flat, threads=threads)
        found_nan = bool(np.isnan(result.sum()))
    else:
        result = np.zeros((n, m))
        found_nan = _fill(result, sources, targets, metric, threads)
    if found_nan:
        raise MatcherError(f"metric {metric.name!r} gave NaN: it must give a number for every pair")
    return result


def memory_needed(n: int, m: int) -> int:
    """Return the bytes that matching n with m entities takes: a float64 matrix and two blocks."""
    return 8 * n * m + 2 * BLOCK


def _one_name_each(entities: Sequence[Sequence[str]]) -> bool:
    return all(len(names) == 1 and names[0].strip() for names in entities)


def _fill(
    result: Matrix,
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    metric: Metric,
    threads: int | None,
) -> bool:
    """Fill in the best over all names, comparing each distinct name once; tell if one gave NaN."""
    from .best_names import flatten, raise_to_best

    source_names, owners = _distinct(sources)
    target_names, target_owners = _distinct(targets)
    names_of: list[list[int]] = [[] for _ in targets]
    for name, entities in enumerate(target_owners):
        for entity in entities:
            names_of[entity].append(name)
    columns = flatten(names_of)
    rows = max(1, BLOCK // (8 * max(1, len(target_names))))
    found_nan = False
    for start in range(0, len(source_names), rows):
        names = source_names[start : start + rows]
        block = metric.matrix(names, target_names, threads=threads)
        found_nan |= raise_to_best(result, block, *flatten(owners[start : start + rows]), *columns)
    return found_nan


def _distinct(entities: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Return the distinct names, and the entities that bear each."""
    owners: dict[str, list[int]] = {}
    for entity, names in enumerate(entities):
        for name in dict.fromkeys(names):
            if name.strip():
                owners.setdefault(name, []).append(entity)
    return list(owners), list(owners.values())
