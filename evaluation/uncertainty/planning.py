"""The size of an evaluation that finds a difference, and the differences that a size can find."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.table import Tabular
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.multitask.posthoc import FEWEST_TASKS
from alignrank.evaluation.multitask.score_table import bisect_rows
from alignrank.evaluation.significance.crossed import FEWEST_FLIPPED, dependence
from alignrank.evaluation.significance.mcnemar import (
    Bools,
    Floats,
    Ints,
    at_least_one,
    counts,
    log_choose,
    mcnemar,
    pair_columns,
)
from alignrank.evaluation.significance.runs import MOST, power_of_runs, smallest, t_power
from alignrank.evaluation.significance.score_limits import discordance, one_sided_p

from .score_intervals import LEAST_EFFECT

#: Default probability to find a difference.
POWER = DEFAULTS.power


def critical_count(
    n: ArrayLike,
    alpha: float = DEFAULTS.alpha,
    *,
    is_exact: bool = False,
    degrees: ArrayLike = math.inf,
) -> Ints:
    """Return the smallest max(b, c) of n discordant cases whose p-value is at most alpha.

    n + 1 where no count is enough.

    Parameters
    ----------
    n
        Discordant cases.
    alpha
        Level of the test.
    is_exact
        The exact p, as where clusters are known; else mid-p.
    degrees
        Degrees of freedom of the target clusters, which the statistic is shrunk for
        (`alignrank.evaluation.significance.crossed.Dependence.shrinkage`).

    Examples
    --------
    >>> critical_count([5, 6, 25, 176]).tolist()
    [5, 6, 18, 102]
    >>> critical_count([25, 176], is_exact=True, degrees=9.0).tolist()
    [18, 104]
    """
    n = counts(n, "n")
    test = "exact" if is_exact else "mid-p"
    # p falls from 1 − f/2 > alpha at n/2; n + 1 stands for never
    high = bisect_rows(n // 2 + 1, n + 1, lambda b: mcnemar(b, n - b, test).p > alpha)
    if np.isfinite(degrees).all():
        # the shrunk statistic must be beyond the largest difference that is not enough
        root = np.sqrt(np.maximum(n, 1))
        z = np.maximum(2 * high - n - 2, 0) / root
        t = -scipy.special.stdtrit(degrees, scipy.special.ndtr(-z))
        high = np.where(high > n, high, np.maximum(high, np.floor((n + t * root) / 2) + 1))
        high = np.minimum(high, n + 1)
    return np.asarray(high, dtype=np.int64)


@lru_cache(maxsize=64)
def _critical_counts(low: int, high: int, alpha: float, is_exact: bool, degrees: float) -> Ints:
    """Return `critical_count` of low to high cases; cached: a search asks for many differences."""
    critical = critical_count(np.arange(low, high + 1), alpha, is_exact=is_exact, degrees=degrees)
    critical.flags.writeable = False
    return critical


def mid_p_power(n: ArrayLike, share: ArrayLike, alpha: float = DEFAULTS.alpha) -> Floats:
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
    return _tails(n, critical_count(n, alpha), np.asarray(share, dtype=float))


def _tails(n: Ints, critical: Ints, share: Floats) -> Floats:
    """Return P(max(X, n − X) ≥ critical), X ~ Bin(n, share); 0 for a critical count above n."""
    k = np.minimum(critical, n)
    upper = scipy.special.bdtrc(k - 1.0, n, share)
    lower = scipy.special.bdtr((n - k).astype(float), n, share)
    return np.where(critical <= n, upper + lower, 0.0)


@dataclass(frozen=True, eq=False)
class Detectable(Tabular):
    """The smallest difference that the mid-p test finds with the given power, for every pair.

    Parameters
    ----------
    view, systems
        Names of the view and the systems.
    power
        Probability to find the difference.
    level
        Level of the single test.
    items
        (n, n): net number of items b − c, for the number of discordant cases of the pair; NaN where
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

    def by_column(self) -> dict[str, list[object]]:
        """Return the columns of a table with a row for each pair."""
        matrices = {"detectable items": self.items, "detectable rate": self.rate}
        return pair_columns(self.systems, matrices, view=self.view)


def smallest_share(n: ArrayLike, *, alpha: float = DEFAULTS.alpha) -> Floats:
    """Return the smallest share of n discordant cases that the mid-p test finds, with power 80%.

    NaN where the test does not even find a share of 1.

    Examples
    --------
    >>> smallest_share([4, 100]).round(3).tolist()
    [nan, 0.635]
    """
    if not 0 < alpha < POWER:
        raise EvaluationError(f"alpha is {alpha!r}: it must lie between 0 and the power, {POWER}")
    n = counts(n, "n")
    critical = critical_count(n, alpha)
    low = np.full(n.shape, 0.5)
    high = np.ones(n.shape)
    for _ in range(50):
        middle = (low + high) / 2
        enough = _tails(n, critical, middle) >= POWER
        low = np.where(enough, low, middle)
        high = np.where(enough, middle, high)
    return np.where(critical <= n, high, np.nan)


def detectable(view: Pairwise) -> Detectable:
    """Return the smallest difference that the discordant cases of each pair can show.

    The power is 80%, and the level is the view's family-wise level divided by the number of pairs:
    there a difference is found independently of the other pairs. Where items are clustered, n
    discordant cases count as n / design effect.

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
    >>> from alignrank.evaluation import compare_counts
    >>> view = compare_counts([[0, 43], [57, 0]], ["a", "b"], reference=1000).views["ifp"]
    >>> d = detectable(view)
    >>> round(float(d.items[0, 1]), 1), round(float(d.rate[0, 1]), 3)
    (27.1, 0.027)
    """
    if view.counts is None:
        raise EvaluationError(f"{view.view} has no discordant counts")
    level = view.alpha / view.questions
    cases = view.counts.discordant + view.counts.discordant.T
    independent: Floats = cases.astype(float)
    if view.units.design_effect is not None:
        independent = np.floor(cases / at_least_one(view.units.design_effect))
    share = smallest_share(independent, alpha=level)
    items = cases * (2 * share - 1)
    np.fill_diagonal(items, np.nan)
    rate = items / (view.units.scale or np.nan)
    return Detectable(view.view, view.systems, POWER, level, items, rate)


#: With more discordant items than this the normal approximation is as good as the exact sum.
_MAX_EXACT = 20_000


#: No evaluation has more items.
_MOST_ITEMS = 10**9

#: The largest difference of means that is looked for, in standard deviations.
_LARGEST_IN_SPREADS = 100

#: Probability that the true difference is beyond one of the pilot's limits.
_BEYOND = 0.2


@dataclass(frozen=True)
class Pilot(Tabular):
    """Two systems as measured before the planned evaluation.

    Parameters
    ----------
    discordant
        Share of the items that exactly one of the two has right, in (0, 1].
    difference
        Difference of their shares of right items, in [−discordant, discordant].
    design_effect
        The factor by which clusters multiply the variance of the difference.
    cluster_size
        Items per cluster.
    low, high
        Limits of the difference (60%); None where the pilot is no measurement.
    is_clustered
        Whether clusters are known: then the exact sign-flip test decides, else McNemar's mid-p.
    target_size
        Items per effective cluster of their targets; 0 where none are known.
    """

    discordant: float
    difference: float
    design_effect: float = 1.0
    cluster_size: float = 1.0
    low: float | None = None
    high: float | None = None
    is_clustered: bool = False
    target_size: float = 0.0

    def __post_init__(self) -> None:
        if not self.design_effect > 0:
            raise EvaluationError(f"design_effect is {self.design_effect:g}: it must be above 0")

    @property
    def gaps(self) -> tuple[float, float] | None:
        """The limits of the size of the difference: the one nearer to 0, the other."""
        if self.low is None or self.high is None:
            return None
        return (-self.high, -self.low) if self.difference < 0 else (self.low, self.high)

    def power_with(self, independent: Ints, difference: float, level: float) -> Floats:
        """Return the power of the test that decides, for numbers of independent items."""
        degrees = np.full(len(independent), np.inf)
        if self.target_size:
            degrees = np.maximum(independent * self.design_effect / self.target_size - 1, 1.0)
        return power_of(
            independent,
            self.discordant,
            difference,
            level,
            is_exact=self.is_clustered,
            degrees=degrees,
        )


def pilot(
    correct: Bools, cluster: Ints, crossing: Sequence[Ints] = (), *, is_clustered: bool = False
) -> Pilot:
    """Measure two systems on the items of a pilot evaluation.

    Parameters
    ----------
    correct
        (2, items): whether each system is right.
    cluster, crossing
        Clusters of the items, as in `alignrank.evaluation.significance.crossed.crossed_test`.
    is_clustered
        Whether clusters are known, though every item can be one of its own.

    Examples
    --------
    >>> correct = np.array([[1] * 8 + [0] * 2, [0] * 5 + [1] * 3 + [0] * 2], dtype=bool)
    >>> pilot(correct, np.arange(10)).discordant, pilot(correct, np.arange(10)).difference
    (0.5, 0.5)
    """
    n_clusters, *n_partners = (len(np.unique(index)) for index in (cluster, *crossing))
    if crossing and n_clusters < min(FEWEST_FLIPPED, n_partners[0]):  # the test does the same
        cluster, crossing = crossing[0], [cluster, *crossing[1:]]
    items = correct.shape[1]
    answers = correct.astype(float)
    # limits by the normal quantile: the rule of three is for pilots without discordant items
    alpha = float(one_sided_p(-_quantile(_BEYOND)))
    low, high = discordance(answers, np.ones_like(answers), cluster, crossing).limits(alpha)
    discordant = int((correct[0] != correct[1]).sum()) / items
    gain = (int(correct[0].sum()) - int(correct[1].sum())) / items
    effect, target_size = 1.0, 0.0
    size = items / len(np.unique(cluster))
    if size > 1 or crossing:
        is_clustered = True
        of_clusters = dependence(correct, cluster, crossing)
        target_size = items / float(of_clusters.groups[0, 1])
        independent = items * (discordant - gain**2)
        if independent > 0:
            effect = max(float(of_clusters.spread[0, 1]) / independent, LEAST_EFFECT)
    limits = float(low[0, 1]), float(high[0, 1])
    return Pilot(discordant, gain, effect, size, *limits, is_clustered, target_size)


@dataclass(frozen=True, eq=False)
class SamplePlan(Tabular):
    """The numbers of items that find a difference between two systems.

    Parameters
    ----------
    pilot
        The two systems.
    difference, power, level
        The difference to find (of shares of right items), the power, and the level of the test.
    items, clusters
        The needed numbers of entities (or the size that was asked about), and of clusters of the
        pilot's mean size.
    uncertain
        The numbers of entities if the difference is the pilot's high limit and its low one
        (infinite where that is 0 or of the other sign); None where the difference was stated.
    curve
        Pairs of (items, power), ascending.
    """

    pilot: Pilot
    difference: float
    power: float
    level: float
    items: int
    clusters: int
    uncertain: tuple[float, float] | None
    curve: tuple[tuple[int, float], ...]


def plan(
    pilot: Pilot,
    *,
    difference: float | None = None,
    size: int | None = None,
    pairs: int = 1,
    alpha: float = DEFAULTS.alpha,
) -> SamplePlan:
    """Return the numbers of items and clusters that find a difference with McNemar's test.

    The test is that which `alignrank.evaluation.compare` will use: mid-p, or with known clusters
    the exact sign-flip test, adjusted for few target clusters. The number of discordant items is
    Bin(items, discordant); each of them speaks for the better system with probability
    (1 + difference / discordant) / 2. Clusters multiply the items by the design effect.

    Parameters
    ----------
    pilot
        The two systems; another `difference` does not change their discordant share.
    difference
        The difference to find; None: the pilot's own.
    size
        A number of items: the smallest difference that they find replaces `difference`.
    pairs
        Number of pairs of systems to compare: each is tested at alpha / pairs.
    alpha
        Family-wise level.

    Returns
    -------
    SamplePlan
        Its `uncertain` plans for the limits of the pilot's difference (60% interval), since the
        difference itself is as often too large as too small.

    Raises
    ------
    EvaluationError
        If the difference is 0, or larger than the share of discordant items; or if `size` is below
        1, or that many items find no difference.

    Notes
    -----
    The start of the search is Connor 1987, Biometrics 43:207–211. The number at the limit nearer to
    0 is safeguard power: Perugini, Gallucci and Costantini 2014, Perspectives on Psychological
    Science 9:319–332.

    Examples
    --------
    >>> result = plan(Pilot(discordant=0.1, difference=0.03, design_effect=2.0, cluster_size=2.0))
    >>> result.items, result.clusters
    (1724, 862)
    >>> round(plan(Pilot(discordant=0.1, difference=0.0), size=866).difference, 3)
    0.03
    """
    if not 0 < alpha < POWER or pairs < 1:
        raise EvaluationError(f"the power, {POWER!r}, must lie between alpha ({alpha!r}) and 1")
    level, discordant = alpha / pairs, pilot.discordant
    limits = None
    if size is not None:
        if not 0 < discordant <= 1 or not 1 <= size <= _MOST_ITEMS:
            raise EvaluationError(
                f"{size} items with a share of {discordant:g} discordant ones cannot be planned "
                f"for: take 1 to {_MOST_ITEMS:,} items, and a share above 0 and at most 1"
            )
        at_hand = math.floor(size / pilot.design_effect)
        difference = _smallest_difference(
            lambda gap: float(pilot.power_with(np.array([at_hand]), gap, level)[0]),
            discordant,
            f"{size} items",
        )
    elif difference is None:
        difference = pilot.difference
        limits = pilot.gaps
    gap = abs(difference)
    if not 0 < gap <= discordant <= 1:
        raise EvaluationError(
            f"a difference of {gap:g} with {discordant:g} discordant items cannot be "
            "planned for: it must be above 0 and at most their share"
        )

    def needed(independent: float) -> float:
        items = independent * pilot.design_effect
        return math.ceil(items) if items <= _MOST_ITEMS else math.inf

    if size is None:
        independent = _fewest_items(pilot, gap, level)
        items = needed(independent)
    else:
        independent, items = at_hand, size
    if math.isinf(items):
        raise EvaluationError(
            f"a difference of {gap:g} with {discordant:g} discordant items and a design effect of "
            f"{pilot.design_effect:g} takes more than {_MOST_ITEMS:,} items"
        )
    uncertain = None
    if limits is not None:
        near, far = limits
        at_far_limit = _fewest_items(pilot, min(far, discordant), level)
        at_near_limit = _fewest_items(pilot, near, level) if near > 0 else math.inf
        uncertain = (needed(at_far_limit), needed(at_near_limit))
    clusters = math.ceil(items / pilot.cluster_size)
    grid = _around(independent, 1)
    powers = pilot.power_with(np.array(grid), gap, level).tolist()
    sizes = [int(items) if n == independent else math.ceil(n * pilot.design_effect) for n in grid]
    curve = tuple(zip(sizes, powers, strict=True))
    return SamplePlan(pilot, gap, POWER, level, int(items), clusters, uncertain, curve)


def _around(number: float, fewest: int) -> list[int]:
    """Return numbers from an eighth of one to its double, for a curve."""
    return sorted({max(fewest, round(number * step / 8)) for step in range(1, 17)})


def _smallest_difference(
    power_of_difference: Callable[[float], float], largest: float, counted: str
) -> float:
    """Return the smallest difference up to the largest that is found with the power.

    Raises
    ------
    EvaluationError
        If not even the largest is found.
    """
    if not power_of_difference(largest) >= POWER:
        raise EvaluationError(
            f"{counted} find no difference up to {largest:.3g} with power {POWER:g}: more are "
            "needed"
        )
    low, high = 0.0, largest
    for _ in range(40):
        middle = (low + high) / 2
        if power_of_difference(middle) >= POWER:
            high = middle
        else:
            low = middle
    return high


@dataclass(frozen=True, eq=False)
class Repeated(Tabular):
    """The number of tasks, or of runs of each system, that finds a difference between two systems.

    Parameters
    ----------
    unit
        ``tasks`` or ``runs of each``.
    difference, power, level
        As of `SamplePlan`.
    needed
        The needed number; infinite where no number up to 100,000 is enough.
    curve
        Pairs of (number, power), ascending.
    """

    unit: str
    difference: float
    power: float
    level: float
    needed: float
    curve: tuple[tuple[int, float], ...]


def plan_tasks(
    spread: float,
    difference: float,
    *,
    unit: str = "tasks",
    efficiency: float = 1.0,
    size: int | None = None,
    pairs: int = 1,
    alpha: float = DEFAULTS.alpha,
) -> Repeated:
    """Return the number of independent tasks on which a test over tasks finds a difference.

    The power of the paired t-test with N tasks is P(|T| > t), where T is noncentral t with N − 1
    degrees of freedom and noncentrality difference · √N / spread. With fewer than four tasks
    nothing is tested.

    Parameters
    ----------
    spread
        Standard deviation of the difference from task to task.
    difference
        The difference of means to find.
    unit
        Name of what is independent.
    efficiency
        Pitman efficiency of another test relative to the paired t-test: 3/π of the signed-rank
        test, which is 0.95 where differences are normal.
    size
        A number of tasks: the smallest difference that they find replaces `difference`.
    pairs, alpha
        As in `plan`.

    Raises
    ------
    EvaluationError
        If the spread is 0 in comparison with the difference, or the difference is 0, or one of
        them is no number.

    Examples
    --------
    >>> plan_tasks(1.0, 0.5).needed, plan_tasks(1.0, 0.5, efficiency=3 / math.pi).needed
    (34.0, 35.0)
    """
    level = alpha / pairs
    # a test of ranks or signs reaches its level only with so many tasks
    fewest_signs = math.ceil(1 - math.log2(level)) if level > 0 else MOST

    def power_to_find(gap: float, tasks: int) -> float:
        return t_power(gap * math.sqrt(efficiency * tasks) / spread, tasks - 1, level)

    fewest = FEWEST_TASKS if efficiency == 1 else max(FEWEST_TASKS, fewest_signs)
    if not spread >= 0 or (size is None and not math.isfinite(difference)):
        raise EvaluationError(
            f"a spread of {spread:g} and a difference of {difference:g} cannot be planned for: "
            "give numbers, the spread above 0"
        )
    if not spread > (abs(difference) * 1e-9 if size is None else 0.0):
        raise EvaluationError(
            f"a spread of {spread:g} cannot be planned for: where the difference does not vary the "
            f"exact sign test decides, which takes {fewest_signs} {unit}"
        )
    largest = _LARGEST_IN_SPREADS * spread
    return _repeated(unit, power_to_find, fewest, difference, size, largest, level)


def plan_runs(
    items_variance: float,
    runs_variance: float,
    difference: float,
    *,
    size: int | None = None,
    pairs: int = 1,
    alpha: float = DEFAULTS.alpha,
) -> Repeated:
    """Return the number of runs of each of two systems that finds a difference on the same items.

    The power is `alignrank.evaluation.significance.runs.power_of_runs`.

    Parameters
    ----------
    items_variance, runs_variance
        Arguments of `power_of_runs`.
    difference, size, pairs, alpha, power
        As in `plan_tasks`.

    Examples
    --------
    >>> plan_runs(0.00005, 2 * 0.01**2, 0.03).needed
    4.0
    """
    level = alpha / pairs

    def power_to_find(gap: float, runs: int) -> float:
        return power_of_runs(runs, gap, items_variance, runs_variance, level)

    return _repeated("runs of each", power_to_find, 2, difference, size, 1.0, level)


def _repeated(
    unit: str,
    power_to_find: Callable[[float, int], float],
    fewest: int,
    difference: float,
    size: int | None,
    largest: float,
    level: float,
) -> Repeated:
    """Return the number that finds a difference, or the difference that a number finds."""
    if size is not None:
        if size < fewest:
            raise EvaluationError(f"{size} {unit} find no difference: {fewest} are needed at least")
        if size > MOST:
            raise EvaluationError(f"{size} {unit} cannot be planned for: take at most {MOST:,}")
        difference = _smallest_difference(
            lambda gap: power_to_find(gap, size), largest, f"{size} {unit}"
        )
    gap = abs(difference)
    if not 0 < gap < math.inf or not 0 < level < POWER:
        raise EvaluationError(
            f"a difference of {difference:g} with power {POWER!r} at level {level:g} cannot be "
            "planned for: it must not be 0, and the power lies between the level and 1"
        )
    needed = smallest(lambda number: power_to_find(gap, number) >= POWER, fewest, MOST)
    grid = _around(16 * fewest if math.isinf(needed) else needed, fewest)
    curve = tuple((number, power_to_find(gap, number)) for number in grid)
    return Repeated(unit, gap, POWER, level, needed, curve)


def power_of(
    items: Ints,
    discordant: float,
    difference: float,
    alpha: float = DEFAULTS.alpha,
    *,
    is_exact: bool = False,
    degrees: Floats | None = None,
) -> Floats:
    """Return the power of McNemar's test for a number of independent items.

    Σ over n of P(n discordant items) · the power at n; the normal approximation above some ten
    thousand. The test is that of `critical_count`, with degrees of freedom for each number.

    Examples
    --------
    >>> power_of(np.array([100, 400]), 0.2, 0.1).round(3).tolist()
    [0.618, 0.996]
    """
    share = (1 + difference / discordant) / 2
    powers = np.empty(len(items))
    each = [math.inf] * len(items) if degrees is None else degrees.tolist()
    for k, (total, of_total) in enumerate(zip(items.tolist(), each, strict=True)):
        mean = total * discordant
        if mean > _MAX_EXACT:
            quantile = _quantile(1 - alpha / 2)
            if math.isfinite(of_total):
                quantile = -float(scipy.special.stdtrit(of_total, alpha / 2))
            z = difference * math.sqrt(total) - quantile * math.sqrt(discordant)
            spread = math.sqrt(max(discordant - difference**2, 1e-300))
            powers[k] = scipy.special.ndtr(z / spread)
            continue
        # beyond seven standard deviations no number of discordant items has any weight
        reach = 7 * math.sqrt(mean * (1 - discordant)) + 7
        low = max(0, math.floor(mean - reach))
        high = min(total, math.ceil(mean + reach))
        n = np.arange(low, high + 1)
        weights = log_choose(total, n) + scipy.special.xlogy(n, discordant)
        weights += scipy.special.xlog1py(total - n, -discordant)
        critical = _critical_counts(low, high, alpha, is_exact, of_total)
        powers[k] = float(np.exp(weights) @ _tails(n, critical, np.asarray(share)))
    return powers


def _fewest_items(pilot: Pilot, difference: float, level: float) -> float:
    """Return the smallest number of independent items with the power; Connor's is the start."""
    discordant = pilot.discordant
    spread = math.sqrt(max(discordant - difference**2, 0.0))
    z = -_quantile(level / 2) * math.sqrt(discordant) + _quantile(POWER) * spread
    if not z < difference * math.sqrt(_MOST_ITEMS):
        return math.inf
    start = math.ceil((z / difference) ** 2)

    def enough(items: int) -> bool:
        return bool(pilot.power_with(np.array([items]), difference, level)[0] >= POWER)

    # with few target clusters Connor's number can be many times too small
    upper = 4 * start + 100
    while not enough(upper) and upper * pilot.design_effect < _MOST_ITEMS:
        upper *= 4
    return smallest(enough, max(1, start // 2), upper)


def _quantile(chance: float) -> float:
    return float(scipy.special.ndtri(chance))
