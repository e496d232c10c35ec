"""Batch forms of the metrics: rows of a matrix at once, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Batch, Rows


def kernel(name: str) -> Batch:
    """Return the compiled batch form of a metric, loaded at its first use."""

    def batch(sources: Sequence[str], targets: Sequence[str]) -> Rows:
        from matchers import kernels

        return kernels.rows(name, sources, targets)

    return batch
