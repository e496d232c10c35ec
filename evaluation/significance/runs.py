"""Several runs of one system: their names, tests over their mean, the parts of the variance."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import first_of, grouped
from alignrank.common.records import check_listed, check_same, check_shapes
from alignrank.common.table import Tabular
from alignrank.evaluation.significance.clustered import sign_flip
from alignrank.evaluation.significance.crossed import dependence
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints, PairTest, off_diagonal
from alignrank.evaluation.significance.score_limits import Simultaneous, count_pairs

#: Right answers, or scores from 0 to 1, of one system: (runs, items).
Runs = Bools | Floats


#: How a run of a system is called.
_RUN = re.compile(r"(.+)@[0-9]+")


def by_system(names: Iterable[str]) -> dict[str, list[str]]:
    """Group the names of runs, such as ``AML@1`` and ``AML@2``, by their system.

    A run is called as its system, ``@`` and a whole number. A lone run stands for itself.

    Raises
    ------
    EvaluationError
        If a system has the name of the one whose runs stand beside it.

    Examples
    --------
    >>> by_system(["AML@1", "svm@rbf", "AML@2", "svm@linear"])
    {'AML': ['AML@1', 'AML@2'], 'svm@rbf': ['svm@rbf'], 'svm@linear': ['svm@linear']}
    """
    names = list(names)
    runs = {name: match[1] for name in names if (match := _RUN.fullmatch(name))}
    for run, system in runs.items():
        if system in names:
            raise EvaluationError(
                f"system {system!r} stands beside {run!r}, a run of it: rename one (runs are "
                f"called {system}@1, {system}@2)"
            )
    times = Counter(runs.values())
    repeated = {name: system for name, system in runs.items() if times[system] > 1}
    return grouped((repeated.get(name, name), name) for name in names)


def pooled_runs(groups: Mapping[str, Sequence[str]]) -> str:
    """Say which names were taken for runs of one system, as `by_system` groups them.

    Examples
    --------
    >>> pooled_runs({"AML": ["AML@1", "AML@2"], "LogMap": ["LogMap"]})
    'AML@1, AML@2'
    """
    several = (first_of(runs, 4) for runs in groups.values() if len(runs) > 1)
    return first_of(several, 3, "; ")


@dataclass(frozen=True, eq=False)
class SeveralRuns(Tabular):
    """Every pair of systems compared by the mean over their runs.

    Parameters
    ----------
    systems, runs
        Names, and the number of runs of each.
    test
        The test of each pair.
    values
        (n,): sum of the answers over the scale, the mean over the runs.
    item_variance, item_degrees
        (n, n): variance of the difference of two values that comes from the items, and its degrees
        of freedom; NaN diagonal.
    run_variance
        Variance of a value over the runs of one system, pooled over the systems.
    own_variance
        (n,): that of each system's own runs; NaN for a single run.
    standard_error, degrees
        (n, n): of the difference of two values with the pooled variance, and Satterthwaite's
        degrees of freedom; NaN diagonal.
    components
        By system with two runs or more: variances of a single answer, by item (rows), by run
        (columns), and by item and run together (the interplay).
    noise_floor
        95% of the differences between two runs of one system are at most this.
    """

    systems: tuple[str, ...]
    runs: tuple[int, ...]
    test: PairTest
    values: Floats
    item_variance: Floats
    item_degrees: Floats
    run_variance: float
    own_variance: Floats
    standard_error: Floats
    degrees: Floats
    components: Mapping[str, Components]
    noise_floor: float

    def check(self, systems: Sequence[str]) -> None:
        """Refuse runs of other systems, as in a file that was changed by hand.

        Raises
        ------
        RecordError
            If something is missing, or of another shape.
        """
        check_same("runs", self.systems, systems)
        check_listed("components", self.components, systems)
        n = len(systems)
        of_systems = {"values": self.values, "own_variance": self.own_variance}
        check_shapes((n,), of_systems | {"runs": np.asarray(self.runs)})
        names = ("item_variance", "item_degrees", "standard_error", "degrees")
        matrices = {name: getattr(self, name) for name in names}
        check_shapes((n, n), matrices | vars(self.test))

    def needed(self, first: str, second: str, *, alpha: float = DEFAULTS.alpha) -> float:
        """Return the number of runs of each that find this difference with a power of 80%.

        Infinite where no number is enough, since the items are too few.
        """
        i = self.systems.index(first)
        j = self.systems.index(second)
        difference = float(self.values[i] - self.values[j])
        of_runs = 2 * self.run_variance
        of_items = float(self.item_variance[i, j])

        def enough(runs: int) -> bool:
            return power_of_runs(runs, difference, of_items, of_runs, alpha) >= 0.8

        return smallest(enough, 2, MOST)

    def intervals(
        self,
        measure: str,
        level: float = DEFAULTS.level,
        focus: str | None = None,
        largest: Floats | float = 1.0,
    ) -> Simultaneous:
        """Return Δ ± `reach` for all pairs, or the pairs with `focus`, together by Bonferroni.

        `largest` is the largest difference that a pair can have.
        """
        pairs = count_pairs(len(self.systems), focus)
        reach = self.reach((1 - level) / pairs)
        difference = self.values[:, None] - self.values
        low = np.clip(difference - reach, -largest, largest)
        high = np.clip(difference + reach, -largest, largest)
        matrices = difference, self.standard_error, low, high
        return Simultaneous.of(measure, self.systems, level, *matrices)

    def reach(self, chance: float | Floats) -> Floats:
        """Return (n, n): the difference that is significant at a two-sided chance.

        The larger one by the variance that is pooled over all systems and by the two systems' own
        (`compare_runs`); by the pooled one where one of the two has a single run.
        """
        tail = np.asarray(chance) / 2
        pooled = -scipy.special.stdtrit(self.degrees, tail) * self.standard_error
        runs = np.asarray(self.runs, dtype=float)
        w = self.own_variance / runs
        own = self.item_variance + w[:, None] + w
        of_one = w**2 / np.maximum(runs - 1, 1)
        per_degree = self.item_variance**2 / self.item_degrees + of_one[:, None] + of_one
        with np.errstate(divide="ignore", invalid="ignore"):
            welch = -scipy.special.stdtrit(own**2 / per_degree, tail) * np.sqrt(own)
            t_items = -scipy.special.stdtrit(self.item_degrees, tail)
            t_runs = -w[:, None] * scipy.special.stdtrit(np.maximum(runs - 1, 1)[:, None], tail)
            cochran_cox = (self.item_variance * t_items + t_runs + t_runs.T) / np.sqrt(own)
        fewer = np.minimum(runs[:, None], runs)
        two_beside_more = (fewer == 2) & (np.maximum(runs[:, None], runs) > 2)
        # without any variance every difference is significant, with an unknown one none is
        reach = np.nan_to_num(np.fmax(pooled, np.where(two_beside_more, cochran_cox, welch)))
        return np.where(np.isinf(self.item_variance), np.inf, reach)

    def two_sided_p(self) -> Floats:
        """Return (n, n): log10 of the chance at which `reach` is the observed difference."""
        distance = np.abs(self.values[:, None] - self.values)
        low, high = np.full(distance.shape, -690.0), np.zeros(distance.shape)
        for _ in range(55):
            middle = (low + high) / 2
            is_significant = self.reach(np.exp(middle)) <= distance
            low = np.where(is_significant, low, middle)
            high = np.where(is_significant, middle, high)
        return np.where(distance > 0, high, 0.0) / math.log(10)


def compare_runs(
    correct: Mapping[str, Runs],
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    mentioned: Bools | None = None,
    scale: int | None = None,
) -> SeveralRuns:
    r"""Test every pair of systems by the mean over their runs.

    With d_k the difference of the mean numbers of right answers in source cluster k and
    Δ = Σ d_k / scale, the items contribute V_items, the spread of `crossed.dependence` over scale²,
    with its degrees of freedom (K − 1 of K single items). p is the largest one of

    * Student's t for Δ/√V, V = V_items + s² (1/R_1 + 1/R_2), with s² of `pooled_variance` and
      Satterthwaite's degrees of freedom,
    * Welch's t for Δ/√V', V' = V_items + s_1²/R_1 + s_2²/R_2 with both systems' own variances;
      where one has two runs and the other more, by Cochran and Cox: Δ is significant from
      (V_items t_items + w_1 t_1 + w_2 t_2)/√V' on, w = s²/R, with t of R − 1 degrees of freedom,
    * P(\|Σ ε_k d_k\| ≥ r √(V_items/max(V, V')) \|Σ d_k\|) over sign flips.

    Items and runs both are samples. A single run beside several is tested by the pooled variance
    alone, which supposes that its runs vary as the others' do.

    Parameters
    ----------
    correct
        Right answers, or scores from 0 to 1, (runs, items) by system; the items are the same.
    source, crossing, mentioned
        Clusters of the items, and who mentions them, as in `crossed.dependence`.
    scale
        What sums of answers are divided by; None: the number of items.

    Raises
    ------
    EvaluationError
        If the answers are not all for the same items, or the runs leave fewer than two degrees of
        freedom.

    Notes
    -----
    Flips of the clusters' differences of means would ignore the effect of a run on all items: with
    run effects of standard deviation .025 their error rate is .19 to .58. The pooled variance alone
    errs in .16 to .26 where a system of two or three runs varies five times as much as one of ten
    (studies/simulation.py).

    Welch 1947, Biometrika 34:28–35; Cochran and Cox 1950, Experimental designs, section 4.14.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> correct = {"a": rng.random((4, 500)) < 0.8, "b": rng.random((3, 500)) < 0.7}
    >>> result = compare_runs(correct, np.arange(500))
    >>> bool(result.test.p[0, 1] < 0.01), round(result.components["a"].interplay, 2)
    (True, 0.17)
    """
    systems = tuple(correct)
    for name, answers in correct.items():
        if answers.ndim != 2 or answers.shape[1:] != source.shape or not len(answers):
            raise EvaluationError(
                f"{name}: the answers are {answers.shape}, not (runs, {len(source)} items)"
            )
    means: Floats = np.array([answers.mean(axis=0) for answers in correct.values()])
    counts: Floats = np.array([np.bincount(source, row) for row in means])
    runs = np.array([len(answers) for answers in correct.values()])
    scale = scale or len(source)
    values = means.sum(axis=1) / scale
    difference = values[:, None] - values
    run_variance, run_degrees = pooled_variance([a.sum(axis=1) / scale for a in correct.values()])
    of_clusters = dependence(means, source, crossing, mentioned)
    of_items = off_diagonal(of_clusters.spread) / scale**2
    of_runs = run_variance * (1 / runs[:, None] + 1 / runs)
    variance = of_items + of_runs
    item_degrees = np.minimum(of_clusters.degrees, np.maximum(of_clusters.clusters - 1.0, 1.0))
    # Satterthwaite: each part of the variance, squared, over its degrees of freedom
    per_degree = of_items**2 / item_degrees + of_runs**2 / run_degrees
    with np.errstate(invalid="ignore"):  # one cluster has an infinite variance
        degrees = variance**2 / np.maximum(per_degree, 1e-300)
    components = {name: crossed(r.T) for name, r in correct.items() if len(r) > 1}
    own_variance = np.array(
        [(a.sum(axis=1) / scale).var(ddof=1) if len(a) > 1 else np.nan for a in correct.values()]
    )
    unknown = np.full(variance.shape, np.nan)
    result = SeveralRuns(
        systems,
        tuple(runs.tolist()),
        PairTest(scale * difference, unknown, unknown),
        values,
        of_items,
        item_degrees,
        run_variance,
        own_variance,
        np.sqrt(variance),
        degrees,
        components,
        noise_floor(run_variance, run_degrees),
    )
    log10_p = off_diagonal(result.two_sided_p())
    of_own = own_variance / runs
    largest = np.fmax(variance, of_items + of_own[:, None] + of_own)
    for i, j in combinations(range(len(systems)), 2):
        d = counts[i] - counts[j]
        whole = np.rint(d * _grid(means[[i, j]], runs[[i, j]])).astype(np.int64)
        share = of_items[i, j] / largest[i, j] if largest[i, j] > of_items[i, j] else 1.0
        factor = float(of_clusters.shrinkage[i, j]) * math.sqrt(share)
        log_flips = sign_flip(whole, shrinkage=factor)
        log10_p[i, j] = log10_p[j, i] = max(float(log10_p[i, j]), log_flips)
    return replace(result, test=PairTest(scale * difference, 10.0**log10_p, log10_p))


def pooled_variance(values: Sequence[Floats]) -> tuple[float, int]:
    """Return s² = Σ (R_s − 1) s²_s / ν, the variance over runs pooled over systems, and ν.

    Parameters
    ----------
    values
        The measure of each run, by system; a system with one run adds nothing.

    Returns
    -------
    float
        s².
    int
        ν = Σ (R_s − 1).

    Raises
    ------
    EvaluationError
        If ν is below 2: a variance from two runs alone is too uncertain.

    Examples
    --------
    >>> variance, degrees = pooled_variance([np.array([0.8, 0.82]), np.array([0.7, 0.74])])
    >>> round(variance, 6), degrees
    (0.0005, 2)
    """
    degrees = sum(len(runs) - 1 for runs in values)
    if degrees < 2:
        raise EvaluationError(
            "the runs leave fewer than two degrees of freedom for their variance: give three runs "
            "of one system, or two of two systems"
        )
    squares = sum(float(((runs - runs.mean()) ** 2).sum()) for runs in values)
    return squares / degrees, degrees


def t_power(shift: float, degrees: float, level: float) -> float:
    r"""Return the power of Student's t test: P(\|T\| > t), T noncentral by `shift`.

    Examples
    --------
    >>> round(t_power(0.5 * 34**0.5, 33, 0.05), 3)
    0.808
    """
    t = -float(scipy.special.stdtrit(degrees, level / 2))
    # NaN where it is less than rounding
    below, lower_tail = np.nan_to_num(scipy.special.nctdtr(degrees, shift, [t, -t]))
    return float(1 - below + lower_tail)


def power_of_runs(
    runs: int, difference: float, items_variance: float, runs_variance: float, level: float
) -> float:
    """Return the power of `compare_runs` for a number of runs of two systems.

    V = V_items + s²/R and, where the runs of both systems vary equally, the t test has
    2 (R − 1) (V / (s²/R))² degrees of freedom.

    Parameters
    ----------
    runs
        Of each system, two at least.
    difference
        Of the shares of right items.
    items_variance
        Variance of the difference that comes from the items.
    runs_variance
        s², the sum of both systems' variances over runs of the share of right items.
    level
        Of the single test.

    Examples
    --------
    >>> [round(power_of_runs(n, 0.03, 0.00005, 2 * 0.01**2, 0.05), 3) for n in (2, 4, 8)]
    [0.487, 0.821, 0.93]
    """
    of_runs = max(runs_variance / runs, 1e-300)
    variance = items_variance + of_runs
    # a larger ratio changes nothing: the distribution is then normal
    degrees = 2 * (runs - 1) * min(variance / of_runs, 1e4) ** 2
    return t_power(abs(difference) / math.sqrt(variance), degrees, level)


#: More runs, or tasks, than this count as infinitely many.
MOST = 100_000


def smallest(enough: Callable[[int], bool], low: int, high: int) -> float:
    """Return the smallest number from low to high that is enough, or infinity."""
    if not enough(high):
        return math.inf
    return float(low + bisect_left(range(low, high), True, key=enough))


def _grid(means: Floats, runs: Ints) -> int:
    """Return the factor that makes two systems' mean scores whole numbers.

    The least common multiple of their runs for right answers; scores are rounded to 1/1000.
    """
    factor = math.lcm(*runs.tolist())
    whole = np.abs(means * factor - np.rint(means * factor)).max() < 1e-6
    return factor if whole and factor <= 1000 else 1000


def noise_floor(run_variance: float, degrees: int, largest: float = 1.0) -> float:
    """Return the difference that two runs of one system exceed in 5%: t √2 s.

    Parameters
    ----------
    run_variance, degrees
        Of `pooled_variance`.
    largest
        The largest score that is possible, which no difference exceeds.

    Examples
    --------
    >>> round(noise_floor(0.0001, 10), 4), noise_floor(0.5, 2)
    (0.0315, 1.0)
    """
    floor = float(scipy.special.stdtrit(degrees, 0.975)) * math.sqrt(2 * run_variance)
    return min(largest, floor)


@dataclass(frozen=True)
class Components(Tabular):
    """Variances of the parts of a table: value = mean + row + column + interplay.

    Parameters
    ----------
    rows, columns
        Variances of the effects of rows and of columns, not below 0.
    interplay
        Variance of the residuals, with one value in each cell.
    """

    rows: float
    columns: float
    interplay: float


def crossed(table: ArrayLike) -> Components:
    """Split the variance of a table of rows × columns, by moments.

    With R rows and C columns and mean squares MS of the two-way analysis of variance: interplay
    MS_residual, rows (MS_rows − MS_residual)/C, columns (MS_columns − MS_residual)/R.

    Parameters
    ----------
    table
        (R, C), one value for each cell; two rows and two columns or more.

    Raises
    ------
    EvaluationError
        If there is only one row or one column.

    Notes
    -----
    Searle, Casella and McCulloch 1992, Variance components, section 4.3.

    Examples
    --------
    >>> crossed([[0.0, 1.0, 2.0], [4.0, 5.0, 6.0]])
    Components(rows=8.0, columns=1.0, interplay=0.0)
    """
    values = np.asarray(table, dtype=float)
    if values.ndim != 2 or min(values.shape) < 2:
        raise EvaluationError(
            f"variances of rows and columns need two of each or more: the table is {values.shape}"
        )
    r, c = values.shape
    by_row = values.mean(axis=1, keepdims=True)
    by_column = values.mean(axis=0, keepdims=True)
    residuals = values - by_row - by_column + values.mean()
    interplay = float((residuals**2).sum()) / ((r - 1) * (c - 1))
    rows = float(by_row.var(ddof=1)) - interplay / c
    columns = float(by_column.var(ddof=1)) - interplay / r
    return Components(max(rows, 0.0), max(columns, 0.0), interplay)
