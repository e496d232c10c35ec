"""Several runs of one system: tests over their mean, and the parts of the variance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.files import plain
from alignrank.common.records import check_listed, check_same, check_shapes
from alignrank.common.table import Tabular
from alignrank.evaluation.significance.mcnemar import Bools, Floats, Ints, PairTest, off_diagonal
from alignrank.evaluation.significance.simultaneous import Simultaneous

#: Right answers, or scores from 0 to 1, of one system: (runs, items).
Runs = Bools | Floats


@dataclass(frozen=True, eq=False)
class SeveralRuns(Tabular):
    """Every pair of systems compared by the mean over their runs.

    Parameters
    ----------
    systems, runs
        Names, and the number of runs of each.
    test
        The test of each pair; where both have one run it is the test of these.
    values
        (n,): share of right answers, the mean over the runs.
    item_variance
        (n, n): variance of the difference of two shares that comes from the items; NaN diagonal.
    run_variance
        (n,): variance of the share over the runs; 0 where it is unknown, for one run.
    standard_error, degrees
        (n, n): of the difference of two shares, and Satterthwaite's degrees of freedom.
    components
        By system with two runs or more: variances of a single answer, by item (rows), by run
        (columns), and by item and run together (the interplay).
    noise_floor
        95% of the differences between two runs of one system are at most this (a difference of
        shares); NaN where every system has one run.
    clusters
        Number of clusters of items.
    """

    systems: tuple[str, ...]
    runs: tuple[int, ...]
    test: PairTest
    values: Floats
    item_variance: Floats
    run_variance: Floats
    standard_error: Floats
    degrees: Floats
    components: Mapping[str, Components]
    noise_floor: float
    clusters: int

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
        vectors = {name: getattr(self, name) for name in ("values", "run_variance")}
        check_shapes((n,), vectors | {"runs": np.asarray(self.runs)})
        matrices = {
            name: getattr(self, name) for name in ("item_variance", "standard_error", "degrees")
        }
        tested = {name: getattr(self.test, name) for name in ("advantage", "p", "log10_p")}
        check_shapes((n, n), matrices | tested)

    def needed(self, first: str, second: str, *, alpha: float = 0.05) -> float:
        """Return the number of runs of each that find this difference with a power of 80%.

        Infinite where no number is enough, since the items are too few.
        """
        i = self.systems.index(first)
        j = self.systems.index(second)
        difference = float(self.values[i] - self.values[j])
        of_runs = float(self.run_variance[i] + self.run_variance[j])
        of_items = float(self.item_variance[i, j])

        def enough(runs: int) -> bool:
            return power_of_runs(runs, difference, of_items, of_runs, alpha) >= 0.8

        return smallest(enough, 2, MOST)

    def intervals(
        self, measure: str, level: float = 0.95, focus: str | None = None
    ) -> Simultaneous:
        """Return Δ ± t·√V for all pairs, or those with `focus`, together by Bonferroni."""
        n = len(self.systems)
        pairs = n * (n - 1) // 2 if focus is None else n - 1
        t = scipy.special.stdtrit(self.degrees, 1 - (1 - level) / (2 * pairs))
        reach = np.nan_to_num(t) * self.standard_error  # 0 for equal systems
        difference = self.values[:, None] - self.values
        limit = np.inf if measure == "overall" else 1.0
        low = off_diagonal(np.clip(difference - reach, -limit, limit))
        high = off_diagonal(np.clip(difference + reach, -limit, limit))
        error = off_diagonal(self.standard_error)
        return Simultaneous(
            measure, self.systems, level, self.values, error, low, high, math.nan, self.clusters
        )

    def to_dict(
        self, undecided: Iterable[tuple[str, str]] = (), *, alpha: float = 0.05
    ) -> dict[str, object]:
        """Return runs, noise floor, parts of the variance, and the runs that pairs would need."""
        components = {}
        for name, c in self.components.items():
            components[name] = {"item": c.rows, "run": c.columns, "interplay": c.interplay}
        return {
            "of": dict(zip(self.systems, self.runs, strict=True)),
            "noise_floor": plain(self.noise_floor),
            "components": components,
            "needed": [[a, b, plain(self.needed(a, b, alpha=alpha))] for a, b in undecided],
        }


def compare_runs(right: Mapping[str, Runs], cluster: Ints, single: PairTest) -> SeveralRuns:
    r"""Test every pair of systems by the mean over their runs.

    With d_k the difference of the mean numbers of right answers in cluster k, n_k its items,
    Δ = Σ d_k / Σ n_k, and s² the variance of a system's share of right answers over its R runs,
    V = K/(K − 1) Σ (d_k − n_k Δ)² / (Σ n_k)² + s_1²/R_1 + s_2²/R_2, and Δ/√V has a t-distribution
    with V² / Σ (part² / its degrees of freedom) degrees (Satterthwaite). Items and runs both are
    samples. Where a system has one run, the test is about this run only.

    Parameters
    ----------
    right
        Right answers (runs, items) by system; the items are the same for all.
    cluster
        (items,): the number of each item's cluster, from 0.
    single
        The test of the first run of each, which decides where both systems have only one.

    Raises
    ------
    EvaluationError
        If the answers are not all for the same items.

    Notes
    -----
    Flips of the clusters' differences of means would ignore the effect of a run on all items: with
    run effects of standard deviation .025 their error rate is .19 to .58.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> right = {"a": rng.random((4, 500)) < 0.8, "b": rng.random((3, 500)) < 0.7}
    >>> from alignrank.evaluation.significance.clustered import clustered_tests
    >>> cluster = np.arange(500)
    >>> first = clustered_tests(np.array([r[0] for r in right.values()]), cluster)
    >>> result = compare_runs(right, cluster, first.tests["sign-flip"])
    >>> bool(result.test.p[0, 1] < 0.01), round(result.components["a"].interplay, 2)
    (True, 0.17)
    """
    systems = tuple(right)
    for name, answers in right.items():
        if answers.ndim != 2 or answers.shape[1:] != cluster.shape or not len(answers):
            raise EvaluationError(
                f"{name}: the answers are {answers.shape}, not (runs, {len(cluster)} items)"
            )
    sizes = np.bincount(cluster)
    clusters = len(sizes)
    counts: Floats = np.array([np.bincount(cluster, r.mean(axis=0)) for r in right.values()])
    runs = np.array([len(r) for r in right.values()])
    n = len(systems)
    values = counts.sum(axis=1) / len(cluster)
    difference = values[:, None] - values
    of_items = np.full((n, n), np.nan)
    for i, j in combinations(range(n), 2):
        of_items[i, j] = of_items[j, i] = _of_clusters(counts[i] - counts[j], sizes)
    run_variance = np.zeros(n)
    for i, answers in enumerate(right.values()):
        if len(answers) > 1:
            run_variance[i] = answers.mean(axis=1).var(ddof=1)
    of_runs = run_variance / runs
    variance = of_items + of_runs[:, None] + of_runs
    # Satterthwaite: each part of the variance, squared, over its degrees of freedom
    per_degree = of_runs**2 / np.maximum(runs - 1, 1)
    per_degree = of_items**2 / max(clusters - 1, 1) + per_degree[:, None] + per_degree
    degrees = variance**2 / np.maximum(per_degree, 1e-300)
    several = np.maximum(runs[:, None], runs) > 1
    log10_p = single.log10_p.copy()
    for i, j in np.argwhere(np.triu(several, 1)).tolist():
        differing = int((np.abs(counts[i] - counts[j]) > 1e-9).sum())
        log_p = _log10_p(difference[i, j], variance[i, j], degrees[i, j], differing)
        log10_p[i, j] = log10_p[j, i] = log_p
    p = np.where(several, 10.0**log10_p, single.p)
    advantage = np.where(several, len(cluster) * difference, single.advantage)
    components = {name: crossed(r.T) for name, r in right.items() if len(r) > 1}
    return SeveralRuns(
        systems,
        tuple(runs.tolist()),
        PairTest(advantage, p, log10_p),
        values,
        of_items,
        run_variance,
        np.sqrt(variance),
        degrees,
        components,
        noise_floor(run_variance, runs),
        clusters,
    )


def t_power(shift: float, degrees: float, level: float) -> float:
    r"""Return the power of Student's t test: P(\|T\| > t), T noncentral by `shift`.

    Examples
    --------
    >>> round(t_power(0.5 * 34**0.5, 33, 0.05), 3)
    0.808
    """
    t = float(scipy.special.stdtrit(degrees, 1 - level / 2))
    inside = scipy.special.nctdtr(degrees, shift, t) - scipy.special.nctdtr(degrees, shift, -t)
    return float(1 - np.nan_to_num(inside))  # NaN where it is less than rounding


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
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return float(low)


def _of_clusters(d: Floats, sizes: Ints) -> float:
    """Return the variance of Σ d / Σ sizes where the clusters are a sample."""
    k = len(d)
    items = int(sizes.sum())
    centred = d - sizes * (d.sum() / items)
    return k / max(k - 1, 1) * float(centred @ centred) / items**2


def _log10_p(difference: float, variance: float, degrees: float, differing: int) -> float:
    """Return log10 of the two-sided p, at least that of sign flips of the differing clusters."""
    if not differing or difference == 0:
        return 0.0
    lowest = (1 - differing) * np.log10(2)
    if variance == 0:
        return float(lowest)
    tail = scipy.stats.t.logsf(abs(difference) / np.sqrt(variance), degrees) + np.log(2)
    return float(min(0.0, max(lowest, tail / np.log(10))))


def noise_floor(run_variance: Floats, runs: Ints) -> float:
    """Return t · √2 · s with the variance over runs pooled from all systems."""
    degrees = int((runs - 1).sum())
    if not degrees:
        return float("nan")
    pooled = float(run_variance @ (runs - 1)) / degrees
    return float(scipy.special.stdtrit(degrees, 0.975) * np.sqrt(2 * pooled))


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
