"""The similarity matrix of two lists of entities, each with one name or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.common.executor import Executor
from alignrank.common.names import grouped
from alignrank.common.progress import track
from alignrank.common.system import require_memory
from alignrank.matchers.metrics import Matrix, Metric, plain_matrix

from .strings import EntityNames, names_of, strings_of

#: Pairs of strings in a task for a thread: some milliseconds at most, and counts that fit a cache.
PAIRS_PER_TASK = 2**18
#: Fills rows of the matrices of some metrics: the entities (or strings) first, ..., last - 1.
Filler = Callable[[int, int, Sequence[Matrix]], None]


def similarity_matrix(sources: EntityNames, targets: EntityNames, metric: Metric) -> Matrix:
    """Return the similarities of all pairs of entities.

    The similarity of two entities is that of their most similar names. Names are compared as they
    are: prepare them first (`alignrank.matchers.settings.normalise`). A name of white space only is
    no name, and an entity without a name has similarity 0 with everything.

    Parameters
    ----------
    sources, targets
        The names of n and of m entities.
    metric
        Source names are its first argument.

    Returns
    -------
    ndarray of float64, shape (n, m)

    Raises
    ------
    MatcherError
        If an entity's names are not a list of strings, the matrix would not fit into memory, or a
        metric other than ours gives NaN.

    Examples
    --------
    >>> from alignrank.matchers.by_name import get_metric
    >>> names = [["heart", "cor"], ["lung"], [""]]
    >>> similarity_matrix(names, [["cor"], ["lungs"], [" "]], get_metric("substring"))
    array([[1.        , 0.        , 0.        ],
           [0.        , 0.88888889, 0.        ],
           [0.        , 0.        , 0.        ]])
    """
    (matrix,) = similarity_matrices(sources, targets, [metric])
    return matrix


def similarity_matrices(
    sources: EntityNames,
    targets: EntityNames,
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
) -> list[Matrix]:
    """Return the matrices of metrics that one pass computes (`passes`), each as by itself.

    Parameters and exceptions are those of `similarity_matrix`, and the number of `threads`: None
    for one per processor.

    Examples
    --------
    >>> from alignrank.matchers.by_name import select_metrics
    >>> pair = select_metrics(["jaro", "jaro-winkler"])
    >>> [matrix.round(3) for matrix in similarity_matrices([["heart"]], [["hearts"]], pair)]
    [array([[0.944]]), array([[0.967]])]
    """
    source_names = names_of(sources, "sources")
    target_names = names_of(targets, "targets")
    n = len(source_names)
    m = len(target_names)
    require_memory(8 * n * m * len(metrics), f"a similarity matrix of {n} x {m} entities")
    rows = [row for row, names in enumerate(source_names) if names]
    columns = [column for column, names in enumerate(target_names) if names]
    best = _best(
        list(filter(None, source_names)), list(filter(None, target_names)), metrics, threads
    )
    if (len(rows), len(columns)) == (n, m):
        return best
    results = [np.zeros((n, m)) for _ in best]
    for result, matrix in zip(results, best, strict=True):
        result[np.ix_(rows, columns)] = matrix
    return results


def passes(metrics: Iterable[Metric]) -> list[list[Metric]]:
    """Return metrics in groups that one pass computes together, in the order of their first ones.

    Examples
    --------
    >>> from alignrank.matchers.by_name import select_metrics
    >>> chosen = select_metrics(["jaro", "smoa", "jaro-winkler"])
    >>> [[metric.name for metric in together] for together in passes(chosen)]
    [['jaro', 'jaro-winkler'], ['smoa']]
    """
    kernels = ((metric.kernel or f"{metric.name} alone", metric) for metric in metrics)
    return list(grouped(kernels).values())


def memory_needed(n: int, m: int) -> int:
    """Return the bytes that matching n with m entities takes.

    A float64 matrix; half as much again where few entries are assigned by their edges, and a copy
    of one that is turned for its assignment, having more rows than columns; and
    a kilobyte for each entity.
    """
    return (16 if n > m else 12) * n * m + 1024 * (n + m)


def _best(
    sources: EntityNames,
    targets: EntityNames,
    metrics: Sequence[Metric],
    threads: int | None,
) -> list[Matrix]:
    """Return the best over all names; each entity has one at least."""
    columns = [names[0] for names in targets]
    further = [(name, entity) for entity, names in enumerate(targets) for name in names[1:]]
    columns += [name for name, _ in further]
    names = [name for of_source in sources for name in of_source]
    one_each = len(names) == len(sources) and not further
    shape = len(sources), len(targets)
    results = [np.empty(shape) if one_each else np.zeros(shape) for _ in metrics]
    if 0 in shape:
        return results
    fill = row_filler(metrics, names, columns)
    threads = threads if metrics[0].batch or metrics[0].kernel else 1
    if one_each:
        run_rows(lambda i, k: fill(i, k, [result[i:k] for result in results]), shape, threads)
        for metric, result in zip(metrics, results, strict=True):
            # a kernel divides by no 0; to look at all it wrote would take a third of its time
            refuse_nan(not metric.kernel and bool(np.isnan(result.sum())), metric)
        return results
    from alignrank.matchers.kernels.families import raise_to_best

    target_owners = np.array([entity for _, entity in further], dtype=np.int64)
    starts = np.cumsum([0, *map(len, sources)])
    owners = np.repeat(np.arange(len(sources)), np.diff(starts))

    def work(first: int, last: int) -> None:
        begin = int(starts[first])
        end = int(starts[last])
        of_names = [np.empty((end - begin, len(columns))) for _ in metrics]
        fill(begin, end, of_names)
        for metric, result, block in zip(metrics, results, of_names, strict=True):
            some_nan = raise_to_best(result, block, owners[begin:end], target_owners)
            refuse_nan(some_nan, metric)

    run_rows(work, (len(sources), len(columns)), threads)
    return results


def run_rows(work: Callable[[int, int], None], shape: tuple[int, int], threads: int | None) -> None:
    """Call ``work(first, last)`` for chunks that make up the rows, on several threads.

    Parameters
    ----------
    work
        Fills the rows first, ..., last - 1 of the result; releases the interpreter lock.
    shape
        Numbers of rows and columns.
    threads
        Number of threads; None for one per processor that this process may use.
    """
    rows, columns = shape
    step = max(1, PAIRS_PER_TASK // max(columns, 1))
    chunks = cut(rows, step)
    if len(chunks) < 2:
        threads = 1
    finished = Executor(threads).run(work, chunks)
    for _ in track(finished, len(chunks), "parts of the matrix"):
        pass


def cut(number: int, size: int) -> list[tuple[int, int]]:
    """Return (first, last + 1) of parts that have at most `size` members."""
    return [(first, min(first + size, number)) for first in range(0, number, size)]


def string_similarities(
    sources: Sequence[str], targets: Sequence[str], metric: Metric, *, threads: int | None = None
) -> Matrix:
    """Return the similarities of all pairs of strings, empty ones too; NaN is refused.

    Parameters
    ----------
    sources, targets
        n and m strings; the source is the metric's first argument.
    metric
        Any metric.
    threads
        Number of threads; None for one per processor.

    Returns
    -------
    ndarray of float64, shape (n, m)

    Examples
    --------
    >>> from alignrank.matchers.by_name import get_metric
    >>> string_similarities(["heart"], ["heart", "hearts"], get_metric("levenshtein"))
    array([[1.        , 0.83333333]])
    """
    source_names = [[s] for s in strings_of(sources, "sources")]
    target_names = [[t] for t in strings_of(targets, "targets")]
    (matrix,) = _best(source_names, target_names, [metric], threads)
    return matrix


def row_filler(metrics: Sequence[Metric], sources: Sequence[str], targets: Sequence[str]) -> Filler:
    """Return a function that fills rows of the matrices of strings, without memory for the rest.

    Parameters
    ----------
    metrics
        Some that one pass computes (`passes`).
    sources, targets
        n and m strings; they are looked at once, here.

    Returns
    -------
    function of (first, last, outs)
        Writes the similarities of the sources first, ..., last - 1 to one array for each metric,
        of shape (last - first, m). It may be called from several threads at once where the metric
        has a kernel or a batch form.
    """
    (metric, *further) = metrics
    if metric.kernel:
        from alignrank.matchers.kernels.families import (
            rows as kernel_rows,  # numba takes a quarter second
        )

        return kernel_rows([metric.name for metric in metrics], sources, targets)
    assert not further
    if metric.batch:
        rows = metric.batch(sources, targets)
        return lambda first, last, outs: rows(first, last, outs[0])

    def fill(first: int, last: int, outs: Sequence[Matrix]) -> None:
        outs[0][...] = plain_matrix(metric.similarity, sources[first:last], targets)

    return fill


def refuse_nan(some_nan: bool, metric: Metric) -> None:
    """Raise an error if a metric gave NaN."""
    if some_nan:
        raise MatcherError(f"metric {metric.name!r} gave NaN: it must give a number for every pair")
