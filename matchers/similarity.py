"""The similarity matrix of two lists of entities, each with one name or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .errors import MatcherError
from .memory import require_memory
from .metrics.base import Metric
from .threads import run_rows

if TYPE_CHECKING:
    from .metrics.base import Matrix


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
    require_memory(8 * n * m, f"a similarity matrix of {n} x {m} entities")
    rows, source_names = _named(sources)
    columns, target_names = _named(targets)
    best = _best(source_names, target_names, metric, threads)
    if best.shape == (n, m):
        return best
    result = np.zeros((n, m))
    result[np.ix_(rows, columns)] = best
    return result


def memory_needed(n: int, m: int) -> int:
    """Return the bytes that matching n with m entities takes.

    A float64 matrix; half as much again where few entries are assigned by their edges, and a copy
    of one that is turned for its assignment, having more rows than columns; and
    a kilobyte for each entity.
    """
    return (16 if n > m else 12) * n * m + 1024 * (n + m)


def _named(entities: Sequence[Sequence[str]]) -> tuple[list[int], list[list[str]]]:
    """Return which entities have a name, and the distinct names of each of them."""
    names = [[name for name in dict.fromkeys(names) if name.strip()] for names in entities]
    named = [entity for entity, known in enumerate(names) if known]
    return named, [names[entity] for entity in named]


def _best(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    metric: Metric,
    threads: int | None,
) -> Matrix:
    """Return the best over all names; each entity has one at least."""
    import numpy as np

    columns = [known[0] for known in targets]
    further = [(name, entity) for entity, known in enumerate(targets) for name in known[1:]]
    names = [name for known in sources for name in known]
    if len(names) == len(sources) and not further:
        result = metric.matrix(names, columns, threads=threads)
        _refuse_nan(bool(np.isnan(result.sum())), metric)
        return result
    from .best_names import raise_to_best

    columns += [name for name, _ in further]
    target_owners = np.array([entity for _, entity in further], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sources)])
    owners = np.repeat(np.arange(len(sources)), np.diff(starts))
    result = np.zeros((len(sources), len(targets)))
    if not result.size:
        return result
    fill = metric.rows(names, columns)

    def work(first: int, last: int) -> None:
        begin, end = int(starts[first]), int(starts[last])
        of_names = np.empty((end - begin, len(columns)))
        fill(begin, end, of_names)
        found_nan = raise_to_best(result, of_names, owners[begin:end], target_owners)
        _refuse_nan(found_nan, metric)

    run_rows(work, (len(sources), len(columns)), threads if metric.batch else 1)
    return result


def _refuse_nan(found: bool, metric: Metric) -> None:
    if found:
        raise MatcherError(f"metric {metric.name!r} gave NaN: it must give a number for every pair")
