"""Exact Bergmann–Hommel adjusted p-values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .enumeration import enumerate_adjusted


@dataclass(frozen=True)
class BergmannHommel:
    """Adjusted p-values of all pairs, and which of them are exact."""

    values: NDArray[np.float64]
    exact: NDArray[np.bool_]
    nodes: int


def bergmann_hommel(
    p: NDArray[np.float64], *, monotone: bool = False, budget: int | None = None
) -> BergmannHommel:
    """Adjust by the exhaustive sets (Bergmann and Hommel 1988)."""
    values = enumerate_adjusted(p)
    if monotone:
        values = running_maximum(p, values)
    return BergmannHommel(values, np.ones(values.shape, dtype=np.bool_), 0)


def running_maximum(p: NDArray[np.float64], adjusted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make adjusted values monotone in p, as scmamp and KEEL do; tied p get the same value."""
    upper = np.triu_indices(len(p), 1)
    raw, values = p[upper], adjusted[upper]
    order = np.lexsort((values, raw))
    highest = np.maximum.accumulate(values[order])
    last_of_ties = np.searchsorted(raw[order], raw, side="right") - 1
    result = np.full(p.shape, np.nan)
    result[upper] = result.T[upper] = highest[last_of_ties]
    return result
