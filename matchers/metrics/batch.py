"""Batch forms of the metrics: all pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Batch, Matrix


def kernel(name: str) -> Batch:
    """Return the compiled batch form of a metric, loaded at its first use."""

    def batch(sources: Sequence[str], targets: Sequence[str], threads: int | None) -> Matrix:
        try:
            from matchers.kernels import matrix
        except ImportError:  # until the kernels are there
            return _without_kernels(name, sources, targets, threads)
        return matrix(name, sources, targets, threads=threads)

    return batch


def _without_kernels(
    name: str, sources: Sequence[str], targets: Sequence[str], threads: int | None
) -> Matrix:
    from matchers.metrics.base import plain_matrix
    from matchers.registry import get_metric

    scorer = {
        "hamming": "Hamming",
        "jaro": "Jaro",
        "jaro-winkler": "JaroWinkler",
        "levenshtein": "Levenshtein",
    }.get(name)
    if scorer is not None:
        return get_metric(f"rapidfuzz:{scorer}").matrix(sources, targets, threads=threads)
    return plain_matrix(get_metric(name).similarity, sources, targets)
