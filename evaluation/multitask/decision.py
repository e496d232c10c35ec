"""Which differences are significant: a post-hoc test, a correction, a level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..corrections import Adjusted, adjust
from ..errors import EvaluationError
from .posthoc import PostHoc, posthoc
from .ranks import Floats


@dataclass(frozen=True)
class Decision:
    """Significant differences between systems over many tasks.

    Parameters
    ----------
    posthoc
        p-values of all pairs, not adjusted.
    adjusted
        What the correction made of them: a matrix, or a vector where one system was compared with
        all others.
    p
        (k, k) adjusted p-values, NaN on the diagonal and for pairs that were not compared.
    edges
        Pairs (better, worse) of system numbers.
    """

    posthoc: PostHoc
    adjusted: Adjusted
    p: Floats
    edges: tuple[tuple[int, int], ...]


def decide(
    scores: ArrayLike,
    *,
    test: str = "signed-rank",
    correction: str = "bergmann-hommel",
    alpha: float = 0.05,
    against: int | None = None,
) -> Decision:
    """Compare every pair of systems, or all with one, and correct for that.

    Parameters
    ----------
    scores
        Tasks × systems, larger is better.
    test
        A name of `POSTHOC_TESTS`.
    correction
        A name of `evaluation.corrections.CORRECTIONS`.
    alpha
        Family-wise level.
    against
        Number of the system to compare all others with; None: all pairs.

    Raises
    ------
    EvaluationError
        If the scores, a name or the level is wrong, or the correction is not meant for these
        comparisons.

    Examples
    --------
    >>> better = np.linspace(0.6, 0.9, 8)
    >>> decide(np.column_stack([better, better - np.linspace(0.1, 0.2, 8)])).edges
    ((0, 1),)
    """
    result = posthoc(scores, test)
    if against is None:
        adjusted = adjust(result.p, correction, alpha=alpha)
        p = adjusted.values
    else:
        k = len(result.p)
        if not 0 <= against < k:
            raise EvaluationError(
                f"against is {against}: it must be the number of a system, 0 … {k - 1}"
            )
        others = np.delete(np.arange(k), against)
        adjusted = adjust(result.p[against, others], correction, alpha=alpha)
        p = np.full((k, k), np.nan)
        p[against, others] = p[others, against] = adjusted.values
    significant = (p <= alpha) & (result.lead > 0)
    edges = tuple((int(i), int(j)) for i, j in np.argwhere(significant))
    return Decision(result, adjusted, p, edges)
