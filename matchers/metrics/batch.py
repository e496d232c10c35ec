"""Batch forms of the metrics: all pairs at once, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Batch, Matrix


def kernel(name: str) -> Batch:
    """Return the compiled batch form of a metric, loaded at its first use."""

    def batch(sources: Sequence[str], targets: Sequence[str], threads: int | None) -> Matrix:
        from matchers import kernels

        return kernels.matrix(name, sources, targets, threads=threads)

    return batch
