"""The unconditional McNemar test, and exact rejection rates of it and of the other four.

It also looks at how many items are concordant. Mohammadi et al. leave it out, because its power is
"approximately the same"; this module is there to check that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.significance.mcnemar import TESTS, mcnemar

Floats = NDArray[np.float64]

#: Shares of discordant items over which the largest tail is sought.
_GRID = np.linspace(0.0, 1.0, 1001)


@dataclass(frozen=True, eq=False)
class RejectionRates:
    """How often each test rejects, computed over all tables, without simulation.

    Parameters
    ----------
    items
        Number of items.
    discordant
        Shares ψ of discordant items, the columns of `rates`.
    odds
        p10 / p01: 1 is the null hypothesis.
    tests
        Names, the rows of `rates`.
    rates
        Chance of p ≤ alpha, tests × shares.
    alpha
        Level.
    """

    items: int
    discordant: Floats
    odds: float
    tests: tuple[str, ...]
    rates: Floats
    alpha: float


def unconditional_p(items: int) -> Floats:
    """Return the unconditional test's p-value of every table.

    T = |b − c|/√(b + c), 0 for b = c = 0, and p = sup over ψ of P(T ≥ t) where b + c ~ Bin(N, ψ)
    and b ~ Bin(b + c, 1/2) (Suissa and Shuster 1991, Biometrics 47:361–372, two-sided).

    Parameters
    ----------
    items
        N, up to a few hundred.

    Returns
    -------
    numpy.ndarray
        (N + 1, N + 1): p of b and c discordant items; NaN where b + c > N. The supremum is taken
        over 1,001 values of ψ.

    Examples
    --------
    >>> p = unconditional_p(40)
    >>> bool(p[1, 7] < mcnemar(1, 7, "exact").p), float(p[3, 3])
    (True, 1.0)
    """
    from scipy.stats import binom

    b, c = np.indices((items + 1, items + 1))
    n = b + c
    statistic = np.abs(b - c) / np.sqrt(np.maximum(n, 1))
    thresholds = np.unique(statistic[n <= items].round(12))
    tails = np.empty((len(thresholds), items + 1))
    for discordant in range(items + 1):
        k = np.arange(discordant + 1)
        reached = (np.abs(2 * k - discordant) / np.sqrt(max(discordant, 1))).round(12)
        order = np.argsort(reached)
        below = np.concatenate([[0.0], np.cumsum(binom.pmf(k, discordant, 0.5)[order])])
        tails[:, discordant] = 1 - below[np.searchsorted(reached[order], thresholds)]
    weights = binom.pmf(np.arange(items + 1)[:, None], items, _GRID[None, :])
    largest = np.minimum((tails @ weights).max(axis=1), 1.0)
    p = largest[np.minimum(np.searchsorted(thresholds, statistic.round(12)), len(largest) - 1)]
    return np.where(n <= items, p, np.nan)


def rejection_rates(
    items: int, discordant: Floats, *, odds: float = 1.0, alpha: float = 0.05
) -> RejectionRates:
    """Compute how often each of the five tests rejects.

    Parameters
    ----------
    items
        Number of items N.
    discordant
        Shares ψ = p10 + p01.
    odds
        p10 / p01; 1 is the null hypothesis.
    alpha
        Level of each test.

    Examples
    --------
    >>> rates = rejection_rates(30, np.array([0.2, 0.5]))
    >>> bool((rates.rates[rates.tests.index("exact")] <= 0.05).all())
    True
    """
    from scipy.stats import binom

    b, c = np.indices((items + 1, items + 1))
    n = b + c
    possible = n <= items
    p_values = [mcnemar(b, c, test).p for test in TESTS] + [unconditional_p(items)]
    # P(b | n) does not depend on ψ, P(n) does not depend on b
    given_n = np.where(possible, binom.pmf(b, n, odds / (1 + odds)), 0.0)
    rates = np.empty((len(p_values), len(discordant)))
    for row, p in enumerate(p_values):
        rejected = given_n * (np.where(possible, p, 1.0) <= alpha)
        by_n = np.bincount(n[possible], rejected[possible], minlength=items + 1)
        rates[row] = by_n @ binom.pmf(np.arange(items + 1)[:, None], items, discordant[None, :])
    return RejectionRates(items, discordant, odds, (*TESTS, "unconditional"), rates, alpha)
