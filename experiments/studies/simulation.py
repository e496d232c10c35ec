"""How often the tests and corrections err when the truth is known.

Exactly, over all tables of counts, for McNemar's tests of two systems. The unconditional test,
which also looks at how many items are concordant, is among them: Mohammadi et al. leave it out
because its power is "approximately the same", which is checked. By simulation, for the corrections
of all pairs of ten systems. `simulation_page` writes both down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import binom

from evaluation.corrections import CORRECTIONS, adjust
from evaluation.significance.clustered import CLUSTER_TESTS, clustered_tests
from evaluation.significance.mcnemar import TESTS, mcnemar
from ontologies.common.progress import blocks, track

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

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


#: True accuracies of ten systems: all equal, or in three tiers, close together or far apart.
TRUTHS = {
    "equal": (0.80,) * 10,
    "close": (0.80,) * 4 + (0.81,) * 3 + (0.82,) * 3,
    "wide": (0.76,) * 4 + (0.80,) * 3 + (0.84,) * 3,
}

FAMILY_CORRECTIONS = tuple(c.name for c in CORRECTIONS.values() if "N×N" in c.comparisons)

#: Neighbouring items that share a fate in the setting with clusters.
CLUSTER_SIZE = 10

#: Runs simulated at a time, so that memory stays below about 100 MB.
_CHUNK = 50


@dataclass(frozen=True)
class Setting:
    """A way in which answers of systems depend on each other and on the reference.

    System s has item i right if a standard normal variable stays below a threshold that gives its
    accuracy. The variable is the sum of independent parts: the item's difficulty, what the system's
    family makes of the item, what the system makes of the item's cluster, and chance.

    Parameters
    ----------
    name
        In tables.
    family, cluster
        Shares of the variance of those two parts.
    difficulty
        Share of the variance of the item's difficulty.
    reference_errors
        Share of wrong items in the reference.
    copied
        Whether the wrong items are mistakes of the first system that the reference took over; else
        they are any items.
    """

    name: str
    family: float = 0.0
    cluster: float = 0.0
    difficulty: float = 0.5
    reference_errors: float = 0.0
    copied: bool = False


SETTINGS = (
    Setting("independent items"),
    Setting("matchers of two families", family=0.4),
    Setting("clustered items", cluster=0.24),
    Setting("reference with 1 % errors", reference_errors=0.01),
    Setting("1 % errors copied from a system", reference_errors=0.01, copied=True),
)


@dataclass(frozen=True)
class ErrorRates:
    """How often a correction errs in one setting.

    Parameters
    ----------
    setting, truth, test, correction
        What was simulated: names.
    family_wise
        Share of runs with an arrow between two equally good systems.
    wrong_direction
        Share of runs with an arrow from a worse to a better system (0 where all are equal).
    found
        Share of the true differences that got their arrow (NaN where all are equal).
    runs
        Number of runs; the standard error of a share x is √(x(1 − x)/runs).
    """

    setting: str
    truth: str
    test: str
    correction: str
    family_wise: float
    wrong_direction: float
    found: float
    runs: int


def right_answers(
    setting: Setting, accuracies: tuple[float, ...], items: int, runs: int, rng: np.random.Generator
) -> Flags:
    """Simulate which items each system has right, as the reference sees it.

    Returns
    -------
    numpy.ndarray
        (runs, systems, items).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> right = right_answers(SETTINGS[0], TRUTHS["equal"], 1000, 20, rng)
    >>> right.shape, bool(abs(right.mean() - 0.8) < 0.02)
    ((20, 10, 1000), True)
    """
    k = len(accuracies)

    def normal(*shape: int) -> NDArray[np.float32]:
        return rng.standard_normal(shape, dtype=np.float32)

    rest = 1 - setting.difficulty - setting.family - setting.cluster
    latent = np.sqrt(rest, dtype=np.float32) * normal(runs, k, items)
    latent += np.sqrt(setting.difficulty, dtype=np.float32) * normal(runs, 1, items)
    if setting.family:
        parents = normal(runs, 2, items)[:, np.arange(k) % 2]
        latent += np.sqrt(setting.family, dtype=np.float32) * parents
    if setting.cluster:
        clusters = normal(runs, k, -(-items // CLUSTER_SIZE))
        spread = np.repeat(clusters, CLUSTER_SIZE, axis=2)[:, :, :items]
        latent += np.sqrt(setting.cluster, dtype=np.float32) * spread
    right: Flags = latent < ndtri(np.array(accuracies, dtype=np.float32))[:, None]
    if setting.reference_errors:
        right = _seen_by_a_wrong_reference(right, setting, rng)
    return right


def _seen_by_a_wrong_reference(right: Flags, setting: Setting, rng: np.random.Generator) -> Flags:
    """On its wrong items a reference counts right answers as wrong, and shared mistakes as right.

    A system that is wrong there has made the reference's own mistake in three cases of ten; the
    first system always has if the mistakes are copied from it.
    """
    runs, _, items = right.shape
    order = rng.random((runs, items), dtype=np.float32)
    if setting.copied:
        order += right[:, 0]  # items that the first system has wrong come first
    wrong_items = np.argpartition(order, round(setting.reference_errors * items), axis=1)
    wrong_items = wrong_items[:, None, : round(setting.reference_errors * items)]
    truly_right = np.take_along_axis(right, wrong_items, axis=2)
    shared = rng.random(truly_right.shape, dtype=np.float32) < 0.3
    if setting.copied:
        shared[:, 0] = True
    seen = right.copy()
    np.put_along_axis(seen, wrong_items, ~truly_right & shared, axis=2)
    return seen


def discordant_counts(right: Flags) -> NDArray[np.int64]:
    """Return (runs, systems, systems): items that the row has right and the column wrong."""
    yes = right.astype(np.float32)
    counts: NDArray[np.int64] = np.rint(yes @ (1 - yes).transpose(0, 2, 1)).astype(np.int64)
    return counts


def error_rates(
    setting: Setting,
    truth: str,
    *,
    runs: int = 4000,
    items: int = 1000,
    alpha: float = 0.05,
    tests: tuple[str, ...] = ("mid-p", "exact"),
    corrections: tuple[str, ...] = FAMILY_CORRECTIONS,
    seed: int = 2024,
) -> Iterator[ErrorRates]:
    """Simulate one setting under every test and correction.

    Parameters
    ----------
    setting
        How answers depend.
    truth
        A name of `TRUTHS`.
    runs, items, seed
        Size of the simulation.
    alpha
        Family-wise level.
    tests, corrections
        What to apply to the same runs: McNemar's tests, or ``sign-flip`` and ``obuchowski``, which
        know the clusters.

    Yields
    ------
    ErrorRates
        One for each test and correction.
    """
    rng = np.random.default_rng(seed)
    accuracy = np.array(TRUTHS[truth])
    chunks = []
    for n in blocks(runs, _CHUNK, f"{setting.name}, {truth}"):
        chunks.append(_ahead_and_p(right_answers(setting, TRUTHS[truth], items, n, rng), tests))
    ahead = np.concatenate([chunk[0] for chunk in chunks])
    better = accuracy[:, None] > accuracy[None, :]
    equal = accuracy[:, None] == accuracy[None, :]
    for test in tests:
        p = np.concatenate([chunk[1][test] for chunk in chunks])
        for correction in corrections:
            arrows = ahead & _rejected(p, correction, alpha)
            yield ErrorRates(
                setting=setting.name,
                truth=truth,
                test=test,
                correction=correction,
                family_wise=float((arrows & equal).any(axis=(1, 2)).mean()),
                wrong_direction=float((arrows & better.T).any(axis=(1, 2)).mean()),
                found=float(arrows[:, better].mean()) if better.any() else float("nan"),
                runs=runs,
            )


def _ahead_and_p(right: Flags, tests: tuple[str, ...]) -> tuple[Flags, dict[str, Floats]]:
    """Say where the row's system has more items right than the column's, and p of each test."""
    b = discordant_counts(right)
    c = b.transpose(0, 2, 1)
    p: dict[str, Floats] = {test: mcnemar(b, c, test).p for test in TESTS if test in tests}
    if wanted := [test for test in CLUSTER_TESTS if test in tests]:
        cluster = np.arange(right.shape[2]) // CLUSTER_SIZE
        results = [clustered_tests(run, cluster).tests for run in right]
        p |= {test: np.array([result[test].p for result in results]) for test in wanted}
    return b > c, p


def _rejected(p: Floats, correction: str, alpha: float) -> Flags:
    """Adjust the p-values of each run; where none is small, no correction makes one smaller."""
    rejected = np.zeros(p.shape, dtype=np.bool_)
    upper = np.triu_indices(p.shape[1], 1)
    small = np.flatnonzero(p[:, upper[0], upper[1]].min(axis=1) <= alpha)
    for run in track(small, len(small), correction):
        rejected[run] = adjust(p[run], correction, alpha=alpha).values <= alpha
    return rejected
