"""Similarity matrices at the limit of the machine: one compiled kernel per design of metric.

`matrix`, `matrices` and `rows` are the whole interface. Every kernel equals the metric's plain
definition (`matchers.metrics`) in every bit. Nothing is compiled, and numba is not imported, before
a matrix is asked for; what is compiled is kept on disk for the next process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matchers.errors import MatcherError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

__all__ = ["KERNELS", "PASSES", "matrices", "matrix", "rows"]

#: Names of the metrics that have a kernel.
KERNELS = (
    "equality",
    "levenshtein",
    "ngram",
    "hamming",
    "jaro",
    "jaro-winkler",
    "smoa",
    "needleman-wunsch",
    "substring",
    "kondrak-bi-sim",
    "kondrak-tri-sim",
    "kondrak-bi-dist",
    "kondrak-tri-dist",
    "ontosim-equality",
    "ontosim-levenshtein",
    "ontosim-ngram",
    "ontosim-hamming",
    "ontosim-jaro",
    "ontosim-jaro-winkler",
    "ontosim-smoa",
    "ontosim-needleman-wunsch",
    "ontosim-substring",
)

#: Names of kernels that count the same: they are computed in one pass.
PASSES = (
    ("equality", "ontosim-equality"),
    ("levenshtein", "ontosim-levenshtein"),
    ("hamming", "ontosim-hamming"),
    ("jaro", "jaro-winkler"),
    ("ontosim-jaro", "ontosim-jaro-winkler"),
    ("needleman-wunsch", "ontosim-needleman-wunsch"),
)


def matrix(
    metric_name: str,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    threads: int | None = None,
    dtype: DTypeLike = "float64",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Return the similarities of all pairs of strings.

    Parameters
    ----------
    metric_name
        One of `KERNELS`.
    sources, targets
        n and m strings; the source is the metric's first argument.
    threads
        Number of threads; None for one per processor.
    dtype
        float64, or float32: then each similarity is computed in float64 and rounded once.
    out
        Array of shape (n, m) to fill, in place of a new one; its dtype is kept.

    Returns
    -------
    ndarray of shape (n, m)

    Raises
    ------
    MatcherError
        There is no such kernel, or `out` has the wrong shape or type.

    Examples
    --------
    >>> matrix("levenshtein", ["heart"], ["heart", "hearts"], threads=1)
    array([[1.        , 0.83333333]])
    """
    given = None if out is None else {metric_name: out}
    return matrices([metric_name], sources, targets, threads=threads, dtype=dtype, out=given)[
        metric_name
    ]


def matrices(
    metric_names: Sequence[str],
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    threads: int | None = None,
    dtype: DTypeLike = "float64",
    out: Mapping[str, NDArray[Any]] | None = None,
) -> dict[str, NDArray[Any]]:
    """Return the matrices of several metrics, computed together where they share their work.

    Jaro with Jaro-Winkler cost one pass, and so does a metric with OntoSim's form of it where only
    the last step differs (Levenshtein, Needleman-Wunsch, Hamming).

    Parameters
    ----------
    metric_names
        Some of `KERNELS`.
    sources, targets, threads, dtype
        As for `matrix`.
    out
        Arrays to fill, by metric; new ones for those that it does not name.

    Returns
    -------
    dict of ndarrays of shape (n, m), in the order of `metric_names`

    Raises
    ------
    MatcherError
        As for `matrix`.

    Examples
    --------
    >>> found = matrices(["jaro", "jaro-winkler"], ["martha"], ["marhta"], threads=1)
    >>> {name: float(values[0, 0]) for name, values in found.items()}
    {'jaro': 0.9444444444444445, 'jaro-winkler': 0.9611111111111111}
    """
    for name in metric_names:
        if name not in KERNELS:
            raise MatcherError(f"no kernel for the metric {name!r}; there are {', '.join(KERNELS)}")
    from .filling import fill_all

    return fill_all(metric_names, sources, targets, threads, dtype, out or {})


def rows(
    metric_names: Sequence[str], sources: Sequence[str], targets: Sequence[str]
) -> Callable[[int, int, Sequence[NDArray[Any]]], None]:
    """Return what fills some rows of the matrices, so that the rest needs no memory.

    Parameters
    ----------
    metric_names
        One of `KERNELS`, or several of one of the `PASSES`.
    sources, targets
        n and m strings; they are looked at once, here.

    Returns
    -------
    function of (first, last, outs)
        Writes the similarities of the sources first, ..., last - 1 to one array for each metric,
        float64 or float32 of shape (last - first, m). It may be called from several threads at
        once.

    Examples
    --------
    >>> import numpy as np
    >>> fill, out = rows(["levenshtein"], ["tail", "heart"], ["hearts"]), np.empty((1, 1))
    >>> fill(1, 2, [out])
    >>> out
    array([[0.83333333]])
    """
    from .filling import row_filler

    return row_filler(metric_names, sources, targets)
