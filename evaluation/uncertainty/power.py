"""What a reference of this size could have shown: power of the mid-p test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from evaluation.comparison.pairwise import Pairwise
from evaluation.errors import EvaluationError
from evaluation.significance.mcnemar import Floats, at_least_one, counts, mcnemar, pair_columns
from ontologies.common.table import Frame, Tabular, frame

#: Probability to find a difference, where no other is asked for.
POWER = 0.8


def critical_count(n: ArrayLike, alpha: float = 0.05) -> NDArray[np.int64]:
    """Return the smallest max(b, c) of n discordant cases whose mid-p value is at most alpha.

    n + 1 where no count is enough.

    Examples
    --------
    >>> critical_count([5, 6, 25, 176]).tolist()
    [5, 6, 18, 102]
    """
    n = counts(n, "n")
    low, high = n // 2, n + 1  # p falls from 1 − f/2 > alpha at n/2; n + 1 stands for never
    while (high - low > 1).any():
        middle = np.minimum((low + high) // 2, n)
        enough = mcnemar(middle, n - middle).p <= alpha
        open_ = high - low > 1
        low, high = np.where(open_ & ~enough, middle, low), np.where(open_ & enough, middle, high)
    return np.asarray(high, dtype=np.int64)


def mid_p_power(n: ArrayLike, share: ArrayLike, alpha: float = 0.05) -> Floats:
    """Return the probability that the mid-p test finds a difference.

    Σ over the rejected x of P(X = x), X ~ Bin(n, share).

    Parameters
    ----------
    n
        Discordant cases.
    share
        Probability that such a case speaks for the better system, in [1/2, 1].
    alpha
        Level of the test.

    Examples
    --------
    >>> float(mid_p_power(100, 0.65).round(3))
    0.875
    """
    n = counts(n, "n")
    return _tails(n, critical_count(n, alpha), np.asarray(share, dtype=np.float64))


def _tails(n: NDArray[np.int64], critical: NDArray[np.int64], share: Floats) -> Floats:
    """Return P(max(X, n − X) ≥ critical), X ~ Bin(n, share); 0 for a critical count above n."""
    least = np.minimum(critical, n)
    both = scipy.special.bdtrc(least - 1.0, n, share) + scipy.special.bdtr(
        (n - least).astype(np.float64), n, share
    )
    return np.where(critical <= n, both, 0.0)


@dataclass(frozen=True, eq=False)
class Detectable(Tabular):
    """The smallest difference that the mid-p test finds with the given power, for every pair.

    Parameters
    ----------
    view, systems
        What was compared.
    power
        Probability to find it.
    level
        Level of the single test.
    items
        (n, n): net number of items b − c, given as many discordant cases as the pair has; NaN where
        they are too few for any difference.
    rate
        (n, n): the same as a rate, in the unit of `Effects.difference`; NaN where the number of
        reference correspondences is unknown.
    """

    view: str
    systems: tuple[str, ...]
    power: float
    level: float
    items: Floats
    rate: Floats

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {"detectable items": self.items, "detectable rate": self.rate}
        return frame({"view": self.view, **pair_columns(self.systems, matrices)})


def smallest_share(n: ArrayLike, *, power: float = POWER, alpha: float = 0.05) -> Floats:
    """Return the smallest share of n discordant cases that the mid-p test finds with this power.

    NaN where even a share of 1 is not found.

    Examples
    --------
    >>> smallest_share([4, 100]).round(3).tolist()
    [nan, 0.635]
    """
    if not 0 < alpha < power < 1:
        raise EvaluationError(f"power is {power!r}: it must lie between alpha ({alpha}) and 1")
    n = counts(n, "n")
    critical = critical_count(n, alpha)
    low, high = np.full(n.shape, 0.5), np.ones(n.shape)
    for _ in range(50):
        middle = (low + high) / 2
        enough = _tails(n, critical, middle) >= power
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(critical <= n, high, np.nan)


def detectable(view: Pairwise) -> Detectable:
    """Return the smallest difference that each pair's discordant cases could have shown.

    With a power of 80 %, at the view's family-wise level divided by the number of pairs: there a
    difference is found whatever the other pairs show. Where items are clustered, n discordant cases
    tell as much as n / design effect.

    Parameters
    ----------
    view
        A view of discordant counts.

    Raises
    ------
    EvaluationError
        If the view has no counts.

    Examples
    --------
    >>> from evaluation import compare_counts
    >>> view = compare_counts([[0, 43], [57, 0]], ["a", "b"], reference=1000).views["ifp"]
    >>> d = detectable(view)
    >>> round(float(d.items[0, 1]), 1), round(float(d.rate[0, 1]), 3)
    (27.1, 0.027)
    """
    if view.discordant is None:
        raise EvaluationError(f"{view.view} has no discordant counts")
    level = view.alpha / view.questions
    cases = view.discordant + view.discordant.T
    effect = 1.0 if view.design_effect is None else at_least_one(view.design_effect)
    share = smallest_share(np.floor(cases / effect), alpha=level)
    items = cases * (2 * share - 1)
    np.fill_diagonal(items, np.nan)
    return Detectable(view.view, view.systems, POWER, level, items, items / (view.scale or np.nan))
