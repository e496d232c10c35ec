"""Corrections that look at each p-value by itself (or beside the largest one)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def bonferroni(p: Vector) -> Vector:
    """Adjust by the number of hypotheses: ``min(1, m·p_i)``.

    Over all pairs of n systems (m = n(n−1)/2) this is the procedure of Nemenyi (1963).

    Parameters
    ----------
    p
        The m p-values, in any order.

    Examples
    --------
    >>> bonferroni(np.array([0.01, 0.5])).tolist()
    [0.02, 1.0]
    """
    return np.minimum(1.0, p.size * p)


def li(p: Vector) -> Vector:
    """Adjust beside the largest p-value: ``p_i / (p_i + 1 − p_max)`` (Li 2008).

    Parameters
    ----------
    p
        The m p-values, in any order.

    Examples
    --------
    >>> li(np.array([0.01, 0.5])).round(4).tolist()
    [0.0196, 0.5]
    """
    room = p + (1.0 - p.max())
    adjusted: Vector = np.divide(p, room, out=np.zeros_like(p), where=room > 0)
    return adjusted
