"""The list of kernels, and the functions that fill rows of similarities with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from alignrank.common.compiled import kernel
from alignrank.common.errors import MatcherError
from alignrank.matchers.metrics.edit import positions

from . import edit, jaro, ngram, smoa, substring
from .strings import Family, Job, Outputs, Work


def _equal(job: Job) -> Work:
    """Prepare equality: an index leads from a label to the equal targets."""
    columns = positions(job.targets)

    def work(first: int, last: int, outs: Outputs) -> None:
        for row, source in enumerate(job.sources[first:last]):
            if equal := columns.get(source):
                for out in outs.values():
                    out[row, equal] = 1.0

    return work


#: One family per kernel. A kernel is named after its first metric.
FAMILIES: tuple[Family, ...] = (
    Family(("equality", "ontosim-equality"), _equal, sparse=True),
    *edit.FAMILIES,
    *jaro.FAMILIES,
    *smoa.FAMILIES,
    *substring.FAMILIES,
    *ngram.FAMILIES,
)


def rows(
    metric_names: Sequence[str], sources: Sequence[str], targets: Sequence[str]
) -> Callable[[int, int, Sequence[NDArray[Any]]], None]:
    """Return a function that fills some rows of the similarity matrices of metrics.

    Parameters
    ----------
    metric_names
        Metrics that one kernel computes.
    sources, targets
        n and m strings.

    Returns
    -------
    function of (first, last, outs)
        Writes the similarities of the sources first, ..., last - 1 to one array for each metric,
        of shape (last - first, m). It may be called from several threads at once.

    Raises
    ------
    MatcherError
        If no kernel computes all of these metrics.

    Examples
    --------
    >>> import numpy as np
    >>> fill, out = rows(["levenshtein"], ["tail", "heart"], ["hearts"]), np.empty((1, 1))
    >>> fill(1, 2, [out])
    >>> out
    array([[0.83333333]])
    """
    names = set(metric_names)
    family = next((family for family in FAMILIES if names <= set(family.names)), None)
    if family is None:
        raise MatcherError(f"no kernel computes {', '.join(metric_names)}")
    work = family.work_of(Job(sources, targets))
    sparse = family.sparse

    def fill(first: int, last: int, outs: Sequence[NDArray[Any]]) -> None:
        if sparse:
            for out in outs:
                out[...] = 0.0
        work(first, last, dict(zip(metric_names, outs, strict=True)))

    return fill


@kernel
def raise_to_best(result: Any, block: Any, owners: Any, further_owners: Any) -> bool:
    """Raise each entity similarity to its largest name similarity; return whether any is NaN.

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
