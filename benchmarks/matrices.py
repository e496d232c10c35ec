"""Matrices of strings filled by their kernels, new ones or given ones again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from alignrank.matchers import select_metrics
from alignrank.matchers.similarity.matrix import passes, row_filler, run_rows


def matrices(
    names: Sequence[str],
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    threads: int | None = None,
    dtype: DTypeLike = np.float64,
    out: Mapping[str, NDArray[Any]] | None = None,
) -> dict[str, NDArray[Any]]:
    """Return the matrices of some metrics, those of one kernel computed together.

    Parameters
    ----------
    names
        Metrics that have a kernel.
    sources, targets
        n and m strings.
    threads
        Number of threads; None for one per processor.
    dtype
        float64, or float32: then each similarity is computed in float64 and rounded once.
    out
        Arrays of shape (n, m) to fill, by metric; new ones for those that it does not name.
    """
    shape = len(sources), len(targets)
    filled: dict[str, NDArray[Any]] = {}
    for metrics in passes(select_metrics(names)):
        outs = [
            out[metric.name] if out and metric.name in out else np.empty(shape, dtype)
            for metric in metrics
        ]
        fill = row_filler(metrics, sources, targets)

        def work(first: int, last: int, fill: Any = fill, outs: Any = outs) -> None:
            fill(first, last, [array[first:last] for array in outs])

        run_rows(work, shape, threads)
        filled |= {metric.name: array for metric, array in zip(metrics, outs, strict=True)}
    return filled
