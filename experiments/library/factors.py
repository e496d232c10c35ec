"""Which choice explains how much of the scores' spread: main effects of a complete design."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: What no choice explains by itself.
INTERPLAY = "their interplay"


def variance_shares(scores: NDArray[np.float64], factors: Sequence[str]) -> dict[str, float]:
    """Split the spread of scores into main effects and what is left to their interplay.

    The design is complete and balanced, so the sums of squares add up: the share (η²) of a factor
    is the variance of its levels' means over the variance of all scores (an analysis of variance
    without replication).

    Parameters
    ----------
    scores
        An axis for each factor.
    factors
        Their names.

    Returns
    -------
    dict
        Share in [0, 1] by factor, and of `INTERPLAY`; all together 1. Empty where all scores are
        equal.

    Examples
    --------
    >>> scores = np.array([[0.2, 0.4], [0.6, 0.8]])
    >>> shares = variance_shares(scores, ["labels", "cut"])
    >>> {name: round(share, 3) for name, share in shares.items()}
    {'labels': 0.8, 'cut': 0.2, 'their interplay': 0.0}
    """
    total = float(scores.var())
    if not total:
        return {}
    main = {
        name: float(level_means(scores, axis).var()) / total for axis, name in enumerate(factors)
    }
    return {**main, INTERPLAY: 1 - sum(main.values())}


def level_means(scores: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return the mean score of each level of the factor along an axis."""
    others = tuple(other for other in range(scores.ndim) if other != axis)
    means: NDArray[np.float64] = scores.mean(axis=others)
    return means
