"""Limits of differences that rest on few items, such as one answer lost of thirty.

A normal approximation is too narrow there, and of width 0 where no item differs. Tango's score
limits are not. They take counts of items: the difference of any other measure is first divided by
its unit, the change that one answer makes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame

from .crossed import CrossedClusters, pair_blocks
from .mcnemar import Bools, Floats, Ints, off_diagonal, pair_columns

#: (change of the numerator, change of the denominator) of a measure by one mistake: a right answer
#: that is lost, or a wrong one that is added.
MISTAKES = {
    "share": ((-1, 0),),
    "recall": ((-1, 0),),
    "f1": ((-2, -1), (0, 1)),
    "precision": ((-1, -1), (0, 1)),
}


def score_z(b: ArrayLike, c: ArrayLike, delta: ArrayLike, items: ArrayLike = np.inf) -> Floats:
    """Return Z(Δ): the distance of b − c from the expected difference Δ in standard errors.

    Z(Δ) = (b − c − Δ) / √(2x + Δ − Δ²/N), where x is the maximum-likelihood estimate of the
    expected c under Δ: the larger root of
    2x² + (2Δ − b − c − (b − c) Δ/N) x − c Δ (1 − Δ/N) = 0. Z(0)² is McNemar's asymptotic statistic.
    The formula uses counts, not rates, so that N may be infinite: the view ``cfp`` has no sensible
    number of items, and its counts are Poisson.

    Parameters
    ----------
    b, c
        Discordant counts, which need not be whole.
    delta
        Δ, in items; within (−N, N).
    items
        N, at least b + c; infinite for counts that are Poisson.

    Returns
    -------
    ndarray
        0 where b − c = Δ, even if the variance is 0.

    Notes
    -----
    Tango 1998, Statistics in Medicine 17:891–908.

    Examples
    --------
    >>> float(score_z(43, 7, 0).round(4)), float(score_z(43, 7, 20, items=100).round(4))
    (5.0912, 2.4729)
    """
    b, c, delta = (np.asarray(x, dtype=float) for x in (b, c, delta))
    gap = b - c - delta
    share = delta / items
    linear = 2 * delta - (b + c) - (b - c) * share
    discriminant = np.maximum(linear**2 + 8 * c * delta * (1 - share), 0.0)
    root = (np.sqrt(discriminant) - linear) / 4
    # the expected c and b, x and x + Δ, are never negative, except by rounding
    x = np.maximum(root, np.maximum(-delta, 0.0))
    variance = np.maximum(2 * x + delta - delta * share, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z: Floats = np.where(gap == 0, 0.0, gap / np.sqrt(variance))
    return z


def tango_limits(
    b: ArrayLike, c: ArrayLike, items: ArrayLike = np.inf, *, z: ArrayLike
) -> tuple[Floats, Floats]:
    """Return the limits of the expected b − c: there Z(Δ) is plus or minus z.

    Parameters
    ----------
    b, c, items
        As in `score_z`.
    z
        Quantile, multiplied by the root of the design effect where items are clustered.

    Examples
    --------
    >>> low, high = tango_limits(43, 7, 100, z=1.96)
    >>> round(float(low), 2), round(float(high), 2)
    (23.52, 47.48)
    """
    b, c, items, z = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (b, c, items, z)))
    gap = b - c
    # At this distance r from the gap the variance is at most 1.5 (b + c) + r, which is less than
    # (r / z)²: there Z is beyond z.
    reach = 2 * z * np.sqrt(b + c + z**2) + z**2 + 1
    reach = np.minimum(reach, 2 * items)
    # Z falls as Δ grows: bisect between the observed difference and a Δ beyond each limit
    sign = np.array([-1.0, 1.0]).reshape(2, *[1] * gap.ndim)
    near: Floats = np.stack([gap, gap])
    far = np.clip(gap + sign * reach, -items, items)
    for _ in range(70):
        middle = (near + far) / 2
        inside = sign * score_z(b, c, middle, items) > -z
        near = np.where(inside, middle, near)
        far = np.where(inside, far, middle)
    low, high = near
    return low, high


def one_sided_z(alpha: ArrayLike) -> Floats:
    """Return the z of one-sided limits: the larger of the normal quantile and √ln(1/α).

    Where no item differs (b = c = 0), Tango's limit is z² items. The rule of three asks for ln(1/α)
    items, 3.0 at α = .05; the square of the normal quantile, 2.7, would be too few.

    Examples
    --------
    >>> one_sided_z([0.05, 0.01]).round(3).tolist()
    [1.731, 2.326]
    """
    alpha = np.asarray(alpha, dtype=float)
    z: Floats = np.maximum(-scipy.special.ndtri(alpha), np.sqrt(-np.log(alpha)))
    return z


def one_sided_p(z: ArrayLike) -> Floats:
    """Return the α at which `one_sided_z` is z; 1 where z is not positive.

    Examples
    --------
    >>> one_sided_p([1.7308, 2.3263, -1.0]).round(3).tolist()
    [0.05, 0.01, 1.0]
    """
    z = np.asarray(z, dtype=float)
    p = np.maximum(scipy.special.ndtr(-z), np.exp(-(z**2)))
    return np.where(z > 0, p, 1.0)


def t_factor(alpha: ArrayLike, degrees: Floats) -> Floats:
    """Return f, the squared ratio of Student's quantile to the normal one, at least 1.

    Parameters
    ----------
    alpha
        Of one limit, below 1/2.
    degrees
        Degrees of freedom; infinite ones give 1.

    Examples
    --------
    >>> t_factor(0.025, np.array([3.0, np.inf])).round(4).tolist()
    [2.6365, 1.0]
    """
    alpha = np.asarray(alpha, dtype=float)
    is_finite = np.isfinite(degrees)
    t = scipy.special.stdtrit(np.where(is_finite, degrees, 1.0), alpha)
    ratio = t / np.minimum(scipy.special.ndtri(alpha), -1e-12)
    return np.where(is_finite, np.maximum(ratio, 1.0) ** 2, 1.0)


def count_pairs(n_systems: int, focus: str | None) -> int:
    """Return the number of pairs of n systems; with a focus, of pairs that hold it."""
    return n_systems * (n_systems - 1) // 2 if focus is None else n_systems - 1


@dataclass(frozen=True, eq=False)
class Simultaneous(Tabular):
    """Simultaneous confidence intervals of the differences of all pairs.

    Parameters
    ----------
    measure, systems
        The measure, and the names of the systems.
    level
        Probability that all intervals hold at once, given these clusters.
    difference, standard_error, low, high
        (n, n): row − column, its standard error and its limits; NaN diagonal.
    is_cut
        (n, n): whether the limit nearer to 0 was cut at 0 because the test decides the pair. Its
        difference is more than 0, or less than 0 where the row is worse.
    """

    measure: str
    systems: tuple[str, ...]
    level: float
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    is_cut: Bools

    @classmethod
    def of(
        cls, measure: str, systems: Sequence[str], level: float, *matrices: Floats
    ) -> Simultaneous:
        """Return intervals without a cut limit: difference, standard error, low and high."""
        difference, error, low, high = map(off_diagonal, matrices)
        is_cut = np.zeros(difference.shape, dtype=bool)
        return cls(measure, tuple(systems), level, difference, error, low, high, is_cut)

    def agreeing(self, edges: Iterable[tuple[str, str]], *, is_tested: bool) -> Simultaneous:
        """Return the intervals so that none contradicts the test.

        The interval of an undecided pair is stretched to hold 0. The limit of a decided pair is cut
        at 0 where the test is about this difference, as that of F1 is not. Stretching covers more;
        a cut is wrong only if the interval is, or the arrow.

        Parameters
        ----------
        edges
            Significant differences (better, worse).
        is_tested
            Whether the test is about this difference.
        """
        place = {name: k for k, name in enumerate(self.systems)}
        is_better = np.zeros(self.low.shape, dtype=bool)
        for better, worse in edges:
            is_better[place[better], place[worse]] = True
        is_open = ~(is_better | is_better.T)
        low = np.where(is_open, np.minimum(self.low, 0.0), self.low)
        # a test that weights clusters can point against the difference
        cuts_low = is_better & (low <= 0) & (self.difference > 0) & is_tested
        low = np.where(cuts_low, 0.0, low) + 0.0
        return replace(self, low=low, high=0.0 - low.T, is_cut=cuts_low | cuts_low.T)

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "difference": self.difference,
            "standard error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "0 excluded": self.is_cut,
        }
        return frame(pair_columns(self.systems, matrices, measure=self.measure))


@dataclass(frozen=True, eq=False)
class Discordance:
    """The differences of two systems in units of one answer; matrices (n, n).

    Parameters
    ----------
    b
        What speaks for the row, in units; what speaks for the column is b transposed.
    unit
        The difference of the measure that one unit makes.
    mistake
        u0, the largest change of the measure by one mistake.
    squares
        Σ y², the variance of b − c if items are independent; y is an item's difference in units.
    variance, degrees
        Variance of b − c with clusters, and its degrees of freedom (`crossed.Dependence`).
    items
        N of `score_z`.
    largest
        The largest difference that the measure can have, which limits do not exceed.
    least_effect
        (n, n): the design effect is not below it.
    """

    b: Floats
    unit: Floats
    mistake: Floats
    squares: Floats
    variance: Floats
    degrees: Floats
    items: float
    largest: Floats | float = math.inf
    least_effect: Floats | float = 1.0

    def design_effect(self, alpha: ArrayLike) -> Floats:
        """Return D, by which clusters multiply the variance, for limits at this alpha.

        D = (f · variance + g) / (Σ y² + g), at least 1, with g = (u0/unit)², one pseudo-item, and
        f of `t_factor`.
        """
        pseudo = (self.mistake / self.unit) ** 2
        whole = self.variance * t_factor(alpha, self.degrees) + pseudo
        # a side with a single cluster has an infinite variance: its limits are the largest ones
        effect = np.minimum(whole / (self.squares + pseudo), 1e12)
        return np.maximum(effect, self.least_effect)

    @property
    def identical(self) -> Bools:
        """Whether no item speaks for either system."""
        return np.asarray(self.b + self.b.T == 0)

    def limits(self, alpha: float, factor: float = 1.0) -> tuple[Floats, Floats]:
        """Return the limits of the difference, each wrong with probability alpha.

        Parameters
        ----------
        alpha
            Of each limit.
        factor
            Number of items as a multiple of the present number, at the same rates.
        """
        z = one_sided_z(alpha) * np.sqrt(self.design_effect(alpha))
        b = factor * self.b
        low, high = tango_limits(b, b.T, factor * self.items, z=z)
        largest = self.largest
        low, high = (np.clip(x * self.unit / factor, -largest, largest) for x in (low, high))
        return low, high

    def intervals(
        self, measure: str, systems: Sequence[str], level: float, pairs: int
    ) -> Simultaneous:
        """Return simultaneous intervals by Bonferroni's inequality; none has the width 0.

        Each limit of the m pairs is wrong with probability (1 − level) / 2m.

        Parameters
        ----------
        measure, systems
            Names for the result.
        level
            Probability that all intervals hold.
        pairs
            m, the number of intervals that hold together; 1: each holds for itself.
        """
        alpha = (1 - level) / (2 * pairs)
        low, high = self.limits(alpha)
        standard_error = self.unit * np.sqrt(self.squares * self.design_effect(alpha))
        matrices = self.difference, standard_error, low, high
        return Simultaneous.of(measure, systems, level, *matrices)

    @property
    def difference(self) -> Floats:
        """(n, n): row − column."""
        return (self.b - self.b.T) * self.unit

    def loss_on_other_items(self, alpha: float) -> Floats:
        """Return the rule of three: the loss on other items when these items show none.

        It is u0 · D · ln(1/α), the upper limit at the level 1 − α.
        """
        lost = self.mistake * self.design_effect(alpha) * math.log(1 / alpha)
        return np.minimum(lost, self.largest)

    def equivalence_p(self, margin: float) -> Floats:
        """Return the p-values of "the difference is margin or more, on either side".

        The larger p of two one-sided tests with Tango's statistic; NaN diagonal. They are not
        adjusted. The caller adjusts them by Holm: equivalence is not transitive, so that
        Bergmann–Hommel does not apply.

        Notes
        -----
        Schuirmann 1987; Liu, Hsueh, Hsieh and Chen 2002, Statistics in Medicine 21:231–245.
        """
        if not 0 < margin < math.inf:
            raise EvaluationError(f"margin is {margin!r}: it must be positive, such as 0.01")
        # a margin of all items or more cannot be exceeded, and the statistic is undefined there
        delta = np.minimum(margin / self.unit, np.nextafter(self.items, 0))
        above = score_z(self.b, self.b.T, -delta, self.items)
        below = -score_z(self.b, self.b.T, delta, self.items)
        p = self._chance(np.minimum(above, below))
        return off_diagonal((p + p.T) / 2)  # the two halves differ by rounding

    def _chance(self, z: Floats) -> Floats:
        """Return the alpha at which z is the quantile of the limits times √D."""
        if np.isinf(self.degrees).all():  # D is the same for each alpha
            return one_sided_p(z / np.sqrt(self.design_effect(DEFAULTS.alpha)))
        low, high = np.full(z.shape, -600.0), np.full(z.shape, math.log(0.5))
        for _ in range(50):
            alpha = np.exp(middle := (low + high) / 2)
            is_beyond = one_sided_z(alpha) * np.sqrt(self.design_effect(alpha)) > z
            low, high = np.where(is_beyond, middle, low), np.where(is_beyond, high, middle)
        return np.where(high >= math.log(0.5), 1.0, np.exp(high))


def discordance(
    numerator: Floats,
    denominator: Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    measure: str = "share",
    mentioned: Bools | None = None,
) -> Discordance:
    """Count the differences of every two systems, with the design effect of clusters.

    With v the mean of both systems' values and M that of the sums of their denominators, item i
    adds d_i = (a_si − a_ti − v (b_si − b_ti)) / M to the difference. The unit is
    u = (Σ d² + u0²) / (Σ |d| + u0), with u0 the largest change by one mistake (`MISTAKES`), and
    b = Σ max(d, 0) / u. The design effect follows from `crossed.Dependence` of y = d/u.

    Parameters
    ----------
    numerator, denominator
        (n, m): a and b of each item, such as right and 1 for the share of right items, or
        2 · correct and found + reference for F1.
    source, crossing
        Clusters of the items, as in `crossed.crossed_test`.
    measure
        A key of `MISTAKES`.
    mentioned
        (n, m): whether system i or the reference has a correspondence of item k, as in
        `crossed.dependence`: only such items of two systems count for their design effect. None:
        the items where the system's denominator is not 0.

    Raises
    ------
    EvaluationError
        If a system's denominators are all 0, or the measure is unknown.

    Examples
    --------
    One answer lost of thirty:

    >>> right = np.ones((2, 30))
    >>> right[1, 0] = 0
    >>> counts = discordance(right, np.ones((2, 30)), np.arange(30))
    >>> low, high = counts.limits(0.05)
    >>> float(low[1, 0].round(3)), float(high[1, 0].round(3))
    (-0.144, 0.06)
    >>> float(counts.loss_on_other_items(0.05)[0, 1].round(3))
    0.1
    """
    refuse_unknown("measure", measure, MISTAKES, EvaluationError)
    totals = denominator.sum(axis=1)
    if not totals.all():
        raise EvaluationError(f"a system has no {measure}: it found nothing")
    values = numerator.sum(axis=1) / totals
    if mentioned is None:
        mentioned = denominator != 0
    clusters = CrossedClusters.of(source, crossing)
    n, m = numerator.shape
    b = np.zeros((n, n))
    unit, mistake, squares, variance, degrees = matrices = np.ones((5, n, n))
    np.fill_diagonal(degrees, np.inf)
    for i, j in pair_blocks(n, m):
        value = (values[i] + values[j]) / 2
        total = (totals[i] + totals[j]) / 2
        d = numerator[i] - numerator[j] - value[:, None] * (denominator[i] - denominator[j])
        d /= total[:, None]
        u0 = np.max([np.abs(a - value * by) for a, by in MISTAKES[measure]], axis=0) / total
        of_squares = (d**2).sum(axis=1)
        u = (of_squares + u0**2) / (np.abs(d).sum(axis=1) + u0)
        of_clusters = clusters.dependence(d, mentioned[i] | mentioned[j])
        b[i, j] = np.maximum(d, 0).sum(axis=1) / u
        b[j, i] = np.maximum(-d, 0).sum(axis=1) / u
        spread = of_clusters.spread / u**2
        of_pairs = np.stack([u, u0, of_squares / u**2, spread, of_clusters.degrees])
        matrices[:, i, j] = matrices[:, j, i] = of_pairs
    # only a share counts whole answers out of a number of items; other counts are Poisson
    is_share = measure == "share" and bool(np.isin(numerator, (0, 1)).all())
    n_items = float(m) if is_share else math.inf
    return Discordance(b, unit, mistake, squares, variance, degrees, n_items, largest=1.0)


def correlation_within(values: Floats, cluster: Ints, prior: float = 1.0) -> float:
    """Return ρ, the correlation of values in the same cluster, cut to [0, 1].

    ρ = [s + Σ (S_k² − q_k) / (n_k − 1)] / [s + Σ q_k] over the clusters with n_k > 1 values, where
    S_k is the sum of the values and q_k that of their squares.

    Parameters
    ----------
    values, cluster
        (n,): the values, and the number of each one's cluster, from 0.
    prior
        s, the square of one value. Without clusters of two values ρ is 1, or 0 if s is 0.
    """
    sizes = np.bincount(cluster)
    several = sizes > 1
    squares = np.bincount(cluster, values**2)[several]
    agreement = (np.bincount(cluster, values)[several] ** 2 - squares) / (sizes[several] - 1)
    whole = prior + float(squares.sum())
    if whole == 0:
        return 0.0
    return min(max((prior + float(agreement.sum())) / whole, 0.0), 1.0)


def difference_limits(
    systems: Sequence[str],
    numerator: Floats,
    denominator: Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    measure: str = "share",
    level: float = DEFAULTS.level,
    focus: str | None = None,
    mentioned: Bools | None = None,
) -> Simultaneous:
    """Return simultaneous confidence intervals of a measure's differences of all pairs.

    It counts by `discordance`, and returns `Discordance.intervals` of the counts.

    Parameters
    ----------
    systems
        n names.
    numerator, denominator, source, crossing, measure, mentioned
        As in `discordance`.
    level
        Probability that all intervals hold.
    focus
        Only the differences from this system need to hold together; None: those of all pairs.

    Examples
    --------
    >>> right = np.array([[1] * 90 + [0] * 10, [1] * 70 + [0] * 30], dtype=float)
    >>> limits = difference_limits(("new", "old"), right, np.ones((2, 100)), np.arange(100))
    >>> limits.low[0, 1].round(3), limits.high[0, 1].round(3)
    (np.float64(0.133), np.float64(0.289))
    """
    counts = discordance(
        numerator, denominator, source, crossing, measure=measure, mentioned=mentioned
    )
    return counts.intervals(measure, systems, level, count_pairs(len(systems), focus))


def net_decisions(
    discordant: Ints,
    reference: int,
    variance: Floats | None = None,
    degrees: Floats | None = None,
    items: float = math.inf,
    largest: Floats | float = math.inf,
) -> Discordance:
    """Count the net correct decisions of every two systems, as a share of the reference.

    (b − c) / |R|: times 100 it reads "net 10 more correct decisions per 100 reference entities".
    Neither b − c nor its limits depend on other systems. (The share of all decisions depends on
    them: other systems add items.)

    Parameters
    ----------
    discordant
        (n, n): what the row has right and the column wrong.
    reference
        |R|, the number of entities of the reference.
    variance, degrees
        `crossed.Dependence.spread` and its degrees of freedom; None: items are independent.
    items, largest
        As of `Discordance`.

    Raises
    ------
    EvaluationError
        If `reference` is not positive.

    Examples
    --------
    >>> low, high = net_decisions(np.array([[0, 40], [0, 0]]), 400).limits(0.025)
    >>> low[0, 1].round(3), high[0, 1].round(3)
    (np.float64(0.073), np.float64(0.136))
    """
    if reference < 1:
        raise EvaluationError(f"reference is {reference}: it is the number of reference entities")
    b = discordant.astype(float)
    unit = np.full_like(b, 1 / reference)
    squares = b + b.T
    if variance is None or degrees is None:
        variance, degrees = squares, np.full_like(b, np.inf)
    return Discordance(b, unit, unit, squares, variance, degrees, items, largest)
