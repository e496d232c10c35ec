"""Shaffer's static procedure: Holm with the numbers of hypotheses that can be true together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .stepwise import _step_down

Vector = NDArray[np.float64]


def shaffer(p: Vector, systems: int) -> Vector:
    """Adjust by the possible numbers of true hypotheses (Shaffer 1986, procedure S1).

    ``max_{j≤i} t_j·p_j`` with t_j the largest possible number of true hypotheses that is at most
    m − j + 1.

    Parameters
    ----------
    p
        The m = n(n−1)/2 p-values of all pairs, ascending.
    systems
        n, the number of systems.

    Examples
    --------
    >>> shaffer(np.array([0.01, 0.02, 0.04]), systems=3).tolist()
    [0.03, 0.03, 0.04]
    """
    return _step_down(most_true(systems, np.arange(p.size, 0, -1)) * p)


def most_true(systems: int, at_most: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the largest number of pairs that can be equal at once and is at most each number.

    Examples
    --------
    >>> most_true(5, np.array([10, 9, 5])).tolist()
    [10, 6, 4]
    """
    possible = np.array(true_hypotheses(systems))
    return possible[np.searchsorted(possible, at_most, side="right") - 1]


def true_hypotheses(systems: int) -> list[int]:
    """Give the numbers of pairs that can be equal at once among n systems, ascending.

    ``S(n) = ⋃_{j=1..n} {C(j,2) + x : x ∈ S(n−j)}``, ``S(0) = S(1) = {0}``.

    Examples
    --------
    >>> true_hypotheses(5)
    [0, 1, 2, 3, 4, 6, 10]
    """
    # S(n) as the bits of an integer: bit x is set if x pairs can be equal.
    sums = [1]
    for n in range(1, systems + 1):
        bits = 0
        for j in range(1, n + 1):
            bits |= sums[n - j] << (j * (j - 1) // 2)
        sums.append(bits)
    return [x for x in range(sums[-1].bit_length()) if sums[-1] >> x & 1]
