"""Batch forms of the metrics: rows of a matrix at once, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Matrix, Rows


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compiled batch form of a metric, loaded at its first use.

    Parameters
    ----------
    name
        Its name among `matchers.kernels.KERNELS`.
    """

    name: str

    def __call__(self, sources: Sequence[str], targets: Sequence[str]) -> Rows:
        """Look at the strings, and return what fills rows of their matrix."""
        from matchers import kernels

        fill_all = kernels.rows([self.name], sources, targets)

        def fill(first: int, last: int, out: Matrix) -> None:
            fill_all(first, last, [out])

        return fill
