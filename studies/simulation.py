"""How often the tests and corrections err when the truth is known.

Exactly, over all tables of counts, for McNemar's tests of two systems. The unconditional test,
which also looks at how many items are concordant, is among them: Mohammadi et al. leave it out
because its power is "approximately the same", which is checked. By simulation, for the corrections
of all pairs of ten systems, for intervals and rank sets, and for several runs.
The page beside this is made of it by `simulation_page.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import binom

from alignrank.common.executor import executor
from alignrank.common.progress import track
from alignrank.evaluation.corrections.adjusting import CORRECTIONS, adjust
from alignrank.evaluation.corrections.westfall_young import JointFlips, joint_flips, westfall_young
from alignrank.evaluation.multitask.pair_tests import paired_t
from alignrank.evaluation.multitask.posthoc import shared_ontologies
from alignrank.evaluation.multitask.score_table import ScoreTable
from alignrank.evaluation.significance.clustered import clustered_tests, per_unit, sign_flips
from alignrank.evaluation.significance.crossed import crossed_test
from alignrank.evaluation.significance.mcnemar import TESTS, Ints, mcnemar
from alignrank.evaluation.significance.randomisation import randomised_sums
from alignrank.evaluation.significance.runs import compare_runs
from alignrank.evaluation.significance.score_limits import difference_limits

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

#: How many clusters of 1, 2, 3 … entities with one parent the anatomy track has (mouse, 2016).
ANATOMY = {1: 781, 2: 147, 3: 51, 4: 34, 5: 8, 6: 7, 7: 7, 8: 2, 9: 1, 12: 1, 13: 2, 14: 1, 16: 1}
ANATOMY |= {20: 1, 86: 1, 103: 1, 117: 1}

#: Joint flips of a simulated run: few, since what is averaged is over many runs.
_FLIPS = 999

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
    siblings
        Whether clusters have the sizes of anatomy's; else all have ten items.
    skewed
        Whether only every other system meets clusters as a whole.
    copies
        So many near-copies of the first system are added: 2% of their answers are their own.
    """

    name: str
    family: float = 0.0
    cluster: float = 0.0
    difficulty: float = 0.5
    reference_errors: float = 0.0
    copied: bool = False
    siblings: bool = False
    skewed: bool = False
    copies: int = 0

    def layout(self, items: int) -> Ints:
        """Return the cluster of each item, as numbers from 0."""
        if not self.cluster:
            return np.arange(items)
        sizes = np.full(items, 10)
        if self.siblings:
            every = np.repeat(list(ANATOMY), list(ANATOMY.values()))
            sizes = np.resize(np.random.default_rng(6).permutation(every), items)
        return np.repeat(np.arange(items), sizes)[:items]


SETTINGS = (
    Setting("independent items"),
    Setting("matchers of two families", family=0.4),
    Setting("clustered items", cluster=0.24),
    Setting("reference with 1% errors", reference_errors=0.01),
    Setting("1% errors copied from a system", reference_errors=0.01, copied=True),
)


_SIBLINGS = Setting("siblings as in anatomy", cluster=0.1, siblings=True)
_SKEWED = Setting("siblings, skewed fates", cluster=0.3, siblings=True, skewed=True)

#: Under which dependence, and with how many items, simultaneous intervals are simulated.
DESIGNS = (
    *((SETTINGS[0], items) for items in (30, 120, 1000, 10_000)),
    *((_SIBLINGS, items) for items in (200, 750, 1914)),
    *((_SKEWED, items) for items in (55, 200, 1914)),
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
        Share of the true differences that got their arrow (NaN where all are equal; copies are
        left out).
    runs
        Number of runs; the standard error of a share x is √(x(1 − x)/runs).
    items
        Number of items.
    """

    setting: str
    truth: str
    test: str
    correction: str
    family_wise: float
    wrong_direction: float
    found: float
    runs: int
    items: int


def right_answers(
    setting: Setting, accuracies: tuple[float, ...], items: int, runs: int, rng: np.random.Generator
) -> Flags:
    """Simulate which items each system has right, as the reference sees it.

    Returns
    -------
    numpy.ndarray
        (runs, systems, items), the copies after the systems.

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

    shared = np.full((k, 1), setting.cluster, dtype=np.float32)
    if setting.skewed:
        shared[1::2] = 0
    rest = 1 - setting.difficulty - setting.family - shared
    latent = np.sqrt(rest, dtype=np.float32) * normal(runs, k, items)
    latent += np.sqrt(setting.difficulty, dtype=np.float32) * normal(runs, 1, items)
    if setting.family:
        parents = normal(runs, 2, items)[:, np.arange(k) % 2]
        latent += np.sqrt(setting.family, dtype=np.float32) * parents
    if setting.cluster:
        cluster = setting.layout(items)
        latent += np.sqrt(shared) * normal(runs, k, int(cluster[-1]) + 1)[:, :, cluster]
    right: Flags = latent < ndtri(np.array(accuracies, dtype=np.float32))[:, None]
    if setting.copies:
        shape = (runs, setting.copies, items)
        own = rng.random(shape, dtype=np.float32) < accuracies[0]
        copies = np.where(rng.random(shape, dtype=np.float32) < 0.02, own, right[:, :1])
        right = np.concatenate([right, copies], axis=1)
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
    methods: tuple[tuple[str, str], ...] = tuple(product(("mid-p", "exact"), FAMILY_CORRECTIONS)),
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
    methods
        Tests and corrections to apply to the same runs: McNemar's tests, or ``sign-flip`` and
        ``obuchowski``, which know the clusters; ``westfall-young`` goes with ``sign-flip`` alone.

    Yields
    ------
    ErrorRates
        One for each method.
    """
    rng = np.random.default_rng(seed)
    accuracy = np.array(TRUTHS[truth] + TRUTHS[truth][:1] * setting.copies)
    better = accuracy[:, None] > accuracy[None, :]
    equal = accuracy[:, None] == accuracy[None, :]
    original = better & (np.maximum(*np.indices(better.shape)) < len(TRUTHS[truth]))
    verdicts: dict[tuple[str, str], list[Flags]] = {method: [] for method in methods}
    sizes = [min(_CHUNK, runs - start) for start in range(0, runs, _CHUNK)]
    layout = setting.layout(items)
    drawn = (right_answers(setting, TRUTHS[truth], items, size, rng) for size in sizes)
    tasks = ((right, layout, tuple(methods), alpha) for right in drawn)
    for _, found in track(executor().run(_arrows, tasks), len(sizes), f"{setting.name}, {truth}"):
        for method, arrows in found.items():
            verdicts[method].append(arrows)
    for (test, correction), chunks in verdicts.items():
        arrows = np.concatenate(chunks)
        yield ErrorRates(
            setting=setting.name,
            truth=truth,
            test=test,
            correction=correction,
            family_wise=float((arrows & equal).any(axis=(1, 2)).mean()),
            wrong_direction=float((arrows & better.T).any(axis=(1, 2)).mean()),
            found=float(arrows[:, original].mean()) if better.any() else float("nan"),
            runs=runs,
            items=items,
        )


def _arrows(
    right: Flags, layout: Ints, methods: Sequence[tuple[str, str]], alpha: float
) -> dict[tuple[str, str], Flags]:
    """Return, by method, who is found better than whom in some runs."""
    b = discordant_counts(right)
    ahead = b > b.transpose(0, 2, 1)
    found = {test: _p_values(test, right, b, layout) for test in dict(methods)}
    return {
        (test, correction): ahead & _rejected(*found[test], correction, alpha)
        for test, correction in methods
    }


def _p_values(
    test: str, right: Flags, b: NDArray[np.int64], cluster: Ints
) -> tuple[Floats, list[JointFlips]]:
    """Return p of each run (runs, systems, systems); of ``sign-flip`` also the joint flips."""
    if test in TESTS:
        return mcnemar(b, b.transpose(0, 2, 1), test).p, []
    if test == "sign-flip":
        flips = [
            joint_flips(per_unit(run, cluster), flips=_FLIPS, seed=k) for k, run in enumerate(right)
        ]
        return np.array([flip.p for flip in flips]), flips
    return np.array([clustered_tests(run, cluster)[test].p for run in right]), []


def _rejected(p: Floats, flips: list[JointFlips], correction: str, alpha: float) -> Flags:
    """Adjust the p-values of each run; where none is small, no correction makes one smaller."""
    rejected = np.zeros(p.shape, dtype=np.bool_)
    upper = np.triu_indices(p.shape[1], 1)
    for run in np.flatnonzero(p[:, upper[0], upper[1]].min(axis=1) <= alpha).tolist():
        if correction == "westfall-young":
            rejected[run] = westfall_young(flips[run], alpha=alpha).values <= alpha
        else:
            rejected[run] = adjust(p[run], correction, alpha=alpha).values <= alpha
    return rejected


@dataclass(frozen=True)
class Coverage:
    """How often simultaneous intervals of ten systems, and their rank sets, hold together.

    Parameters
    ----------
    setting, measure, items, runs
        What was simulated.
    intervals, rank_sets
        Share of runs in which all of them held; the rank sets are of what stands with clusters
        resampled together, and those of ``share`` only.
    """

    setting: str
    measure: str
    items: int
    intervals: float
    rank_sets: float
    runs: int


def coverage(
    setting: Setting, measure: str, items: int, *, runs: int = 1000, seed: int = 2024
) -> Coverage:
    """Simulate simultaneous 95% intervals, clusters held and answers random.

    Parameters
    ----------
    setting
        How answers depend.
    measure
        ``share``, of systems in three tiers far apart; or ``f1``, of systems that all have F1 .8,
        with recalls from .7 to .9 (and so precisions from .93 to .72).
    items, runs, seed
        Size of the simulation.
    """
    f1 = measure == "f1"
    accuracy = np.linspace(0.7, 0.9, 10) if f1 else np.array(TRUTHS["wide"])
    truth = np.full(10, 0.8) if f1 else accuracy
    gaps = truth[:, None] - truth[None, :]
    best, worst = 1 + (gaps > 0).sum(axis=0), 10 - (gaps > 0).sum(axis=1)
    names = [str(system) for system in range(10)]
    cluster = setting.layout(items)
    rng = np.random.default_rng(seed)
    held = np.zeros((runs, 2), dtype=np.bool_)
    for run in track(range(runs), runs, f"{setting.name}, coverage"):
        right = right_answers(setting, tuple(accuracy.tolist()), items, 1, rng)[0]
        # F1 = 2c / (1 + f) for each entity; a wrong answer beside the right one lowers it to .8
        wrong = rng.random(right.shape) < (2 * accuracy / 0.8 - accuracy - 1)[:, None]
        sums = (2.0 * right, 1.0 + right + wrong) if f1 else (1.0 * right, np.ones(right.shape))
        result = difference_limits(names, sums[0], sums[1], cluster, measure=measure)
        p = np.full((10, 10), np.nan) if f1 else sign_flips(per_unit(right, cluster)).p
        arrows = (result.difference > 0) & _rejected(p[None], [], "bergmann-hommel", 0.05)[0]
        low, high = 1 + arrows.sum(axis=0), 10 - arrows.sum(axis=1)
        apart = ~np.eye(10, dtype=np.bool_)
        held[run] = (
            ((result.low <= gaps + 1e-9) & (gaps <= result.high + 1e-9))[apart].all(),
            ((low <= best) & (worst <= high)).all(),
        )
    intervals, rank_sets = held.mean(axis=0).tolist()
    rank_sets = float("nan") if f1 else rank_sets
    return Coverage(setting.name, measure, items, intervals, rank_sets, runs)


def error_of_runs(
    each: int, *, spread: float = 0.025, items: int = 500, runs: int = 2000, seed: int = 2024
) -> float:
    """Return how often two equal systems with so many runs each are told apart at .05.

    Parameters
    ----------
    each
        Runs of each system; with one each it is McNemar's exact test, which speaks of these runs.
    spread
        Standard deviation of what a run does to the accuracy on all items.
    items, runs, seed
        Size of the simulation.

    Examples
    --------
    >>> error_of_runs(1, runs=50) > 0.15 > error_of_runs(3, runs=50)
    True
    """
    rng = np.random.default_rng(seed)
    cluster, errors = np.arange(items), 0
    for _ in range(runs):
        chance = rng.beta(4, 1, items)
        effects = spread * rng.standard_normal((2, each, 1))
        right = rng.random((2, each, items)) < np.clip(chance + effects, 0, 1)
        if each == 1:
            test = crossed_test(right[:, 0], cluster).test
        else:
            test = compare_runs({"one": right[0], "two": right[1]}, cluster).test
        errors += bool(test.p[0, 1] <= 0.05)
    return errors / runs


def errors_of_shared_ontologies(
    ontologies: int, *, spread: float = 1.0, runs: int = 10_000, seed: int = 2024
) -> tuple[float, float]:
    """Return how often equal systems are told apart on all pairs of some ontologies.

    A task's difference is the sum of what its two ontologies and the task itself do, each with
    mean 0; ontologies have the standard deviation `spread`, tasks 1.

    Returns
    -------
    tuple of float, float
        By the paired t-test of tasks as if independent, and with the ontologies left out in turn,
        as in `study`.

    Examples
    --------
    >>> alone, left_out = errors_of_shared_ontologies(7, runs=200)
    >>> alone > 0.1 > left_out
    True
    """
    rng = np.random.default_rng(seed)
    pairs = list(combinations([f"o{k}" for k in range(ontologies)], 2))
    ends = np.array(list(combinations(range(ontologies), 2)))
    names = tuple("-".join(pair) for pair in pairs)
    errors = np.zeros(2)
    for _ in range(runs):
        effects = spread * rng.standard_normal(ontologies)
        gaps = effects[ends].sum(axis=1) + rng.standard_normal(len(pairs))
        table = ScoreTable(names, ("a", "b"), np.stack([gaps, 0 * gaps], axis=1), "score")
        alone = paired_t(gaps, 0 * gaps).p
        left_out = shared_ontologies(table, pairs).p[0, 1]
        errors += alone <= 0.05, left_out <= 0.05
    of_tasks, of_ontologies = (errors / runs).tolist()
    return of_tasks, of_ontologies


def error_of_measure(
    measure: str,
    items: int,
    *,
    unequal: bool = False,
    runs: int = 2000,
    n_resamples: int = 2000,
    seed: int = 2024,
) -> float:
    """Return how often four equal systems get a false arrow from `compare --measure` at .05.

    Each finds the right target of an entity with chance .8 and a wrong one with .2. If `unequal`,
    every other system has .9 and .35 (more recall), the others .72 and .08 (more precision): all
    have an F1 of .8, and answers that cannot be exchanged.

    Examples
    --------
    >>> error_of_measure("f1", 120, runs=20, n_resamples=500) <= 0.2
    True
    """
    rng = np.random.default_rng(seed)
    right, wrong = ((0.9, 0.72), (0.35, 0.08)) if unequal else ((0.8, 0.8), (0.2, 0.2))
    errors = 0
    for _ in range(runs):
        found = rng.random((4, items)) < np.tile(right, 2)[:, None]
        more = rng.random((4, items)) < np.tile(wrong, 2)[:, None]
        parts = np.stack([found, found * 1.0 + more, found, np.ones(found.shape)], axis=-1)
        p = randomised_sums(("a", "b", "c", "d"), parts, measure, n_resamples=n_resamples).test.p
        errors += bool(np.nanmin(adjust(p, "bergmann-hommel").values) <= 0.05)
    return errors / runs
