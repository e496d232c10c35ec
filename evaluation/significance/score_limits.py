"""Limits of differences that rest on few items, such as one answer lost of thirty.

A normal approximation is too narrow there, and of width 0 where no item differs. Tango's score
limits are not. They take counts of items: the difference of any other measure is first divided by
its unit, the change that one answer makes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame

from .crossed import dependence
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


def one_sided_z(alpha: float) -> float:
    """Return the z of one-sided limits: the larger of the normal quantile and √ln(1/α).

    Where no item differs (b = c = 0), Tango's limit is z² items. The rule of three asks for ln(1/α)
    items, 3.0 at α = .05; the square of the normal quantile, 2.7, would be too few.

    Examples
    --------
    >>> round(one_sided_z(0.05), 3), round(one_sided_z(0.01), 3)
    (1.731, 2.326)
    """
    return max(-float(scipy.special.ndtri(alpha)), math.sqrt(-math.log(alpha)))


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
    """

    measure: str
    systems: tuple[str, ...]
    level: float
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "difference": self.difference,
            "standard error": self.standard_error,
            "low": self.low,
            "high": self.high,
        }
        return frame({"measure": self.measure, **pair_columns(self.systems, matrices)})


@dataclass(frozen=True, eq=False)
class Discordance:
    """What two systems differ in, counted in units of one answer; matrices (n, n).

    Parameters
    ----------
    b
        What speaks for the row, in units; what speaks for the column is b transposed.
    unit
        The difference of the measure that one unit makes.
    mistake
        u0, the largest change of the measure by one mistake.
    design_effect
        D, by which clusters multiply the variance.
    items
        N of `score_z`.
    largest
        The largest difference that the measure can have, which limits do not exceed.
    """

    b: Floats
    unit: Floats
    mistake: Floats
    design_effect: Floats
    items: float
    largest: float = math.inf

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
        z = one_sided_z(alpha) * np.sqrt(self.design_effect)
        b = factor * self.b
        low, high = tango_limits(b, b.T, factor * self.items, z=z)
        largest = self.largest
        low, high = (np.clip(x * self.unit / factor, -largest, largest) for x in (low, high))
        return low, high

    def simultaneous_intervals(
        self, measure: str, systems: Sequence[str], level: float, focus: str | None
    ) -> Simultaneous:
        """Return simultaneous intervals by Bonferroni's inequality; none has the width 0.

        Each limit of the m pairs is wrong with probability (1 − level) / 2m.

        Parameters
        ----------
        measure, systems
            Names for the result.
        level
            Probability that all intervals hold.
        focus
            Only the differences from this system need to hold together; None: those of all pairs.
        """
        pairs = count_pairs(len(systems), focus)
        low, high = self.limits((1 - level) / (2 * pairs))
        squares = (self.b + self.b.T) * self.unit**2
        standard_error = np.sqrt(squares * self.design_effect)
        matrices = (self.difference, standard_error, low, high)
        return Simultaneous(measure, tuple(systems), level, *map(off_diagonal, matrices))

    @property
    def difference(self) -> Floats:
        """(n, n): row − column."""
        return (self.b - self.b.T) * self.unit

    def loss_on_other_items(self, alpha: float) -> Floats:
        """Return the rule of three: the loss on other items when these items show none.

        It is u0 · D · ln(1/α), the upper limit at the level 1 − α.
        """
        lost = self.mistake * self.design_effect * math.log(1 / alpha)
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
        if not margin > 0:
            raise EvaluationError(f"margin is {margin!r}: it must be positive, such as 0.01")
        # a margin of all items or more cannot be exceeded, and the statistic is undefined there
        delta = np.minimum(margin / self.unit, np.nextafter(self.items, 0))
        root = np.sqrt(self.design_effect)
        above = one_sided_p(score_z(self.b, self.b.T, -delta, self.items) / root)
        below = one_sided_p(-score_z(self.b, self.b.T, delta, self.items) / root)
        p = np.maximum(above, below)
        return off_diagonal((p + p.T) / 2)  # the two halves differ by rounding


def discordance(
    numerator: Floats,
    denominator: Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    measure: str = "share",
    mentioned: Bools | None = None,
) -> Discordance:
    """Count what every two systems differ in, with the design effect of clusters.

    With v the mean of both systems' values and M that of the sums of their denominators, item i
    adds d_i = (a_si − a_ti − v (b_si − b_ti)) / M to the difference. The unit is
    u = (Σ d² + u0²) / (Σ |d| + u0), with u0 the largest change by one mistake (`MISTAKES`), and
    b = Σ max(d, 0) / u. With y = d/u, and Y_k = Σ y and q_k = Σ y² over the n_k items of cluster k,

    ρ = [1 + Σ_{n_k>1} (Y_k² − q_k)/(n_k − 1)] / [1 + Σ_{n_k>1} q_k], cut to [0, 1] (one
    pseudo-item that agrees with its cluster), and D = (1 + ρ Σ n_k (n_k − 1) / n) / r², where r is
    the shrinkage of `crossed.dependence`, 1 without `crossing`.

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
    >>> float(counts.loss_on_other_items(0.05)[0, 0].round(3))
    0.1
    """
    refuse_unknown("measure", measure, MISTAKES, EvaluationError)
    totals = denominator.sum(axis=1)
    if not totals.all():
        raise EvaluationError(f"a system has no {measure}: it found nothing")
    values = numerator.sum(axis=1) / totals
    influence = (numerator - values[:, None] * denominator) / totals[:, None]
    if mentioned is None:
        mentioned = denominator != 0
    n = len(values)
    shrinkage = np.ones((n, n))
    if crossing:
        shrinkage = dependence(influence, source, crossing, mentioned).shrinkage
    b = np.zeros((n, n))
    unit = np.ones((n, n))
    mistake = np.ones((n, n))
    of_source = np.ones((n, n))
    for i, j in combinations_with_replacement(range(n), 2):
        value = (values[i] + values[j]) / 2
        total = (totals[i] + totals[j]) / 2
        d = numerator[i] - numerator[j] - value * (denominator[i] - denominator[j])
        d /= total
        u0 = max(abs(a - value * by) for a, by in MISTAKES[measure]) / total
        u = (float(d @ d) + u0**2) / (float(np.abs(d).sum()) + u0)
        y = d / u
        items = mentioned[i] | mentioned[j]
        b[i, j] = y[y > 0].sum()
        b[j, i] = -y[y < 0].sum()
        unit[i, j] = unit[j, i] = u
        mistake[i, j] = mistake[j, i] = u0
        of_source[i, j] = of_source[j, i] = _design_effect(y[items], source[items])
    design_effect = of_source / np.maximum(shrinkage, 1e-6) ** 2
    # only a share counts whole answers out of a number of items; other counts are Poisson
    is_share = measure == "share" and bool(np.isin(numerator, (0, 1)).all())
    n_items = float(len(source)) if is_share else math.inf
    return Discordance(b, unit, mistake, design_effect, n_items, largest=1.0)


def _design_effect(y: Floats, source: Ints) -> float:
    """Return 1 + ρ Σ n_k (n_k − 1) / n, with ρ the correlation within source clusters."""
    sizes = np.bincount(source)
    # the mean number of other items in an item's cluster
    companions = float((sizes * (sizes - 1)).sum()) / max(len(y), 1)
    return 1 + correlation_within(y, source) * companions


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
    level: float = 0.95,
    focus: str | None = None,
    mentioned: Bools | None = None,
) -> Simultaneous:
    """Return simultaneous confidence intervals of a measure's differences of all pairs.

    It counts by `discordance`, and returns `Discordance.simultaneous_intervals` of the counts.

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
    return counts.simultaneous_intervals(measure, systems, level, focus)


def net_correct(
    right: Bools | Floats,
    reference: int,
    source: Ints,
    crossing: Sequence[Ints] = (),
    *,
    mentioned: Bools | None = None,
) -> Discordance:
    """Count the net correct decisions of every two systems, as a share of the reference.

    (b − c) / |R|: times 100 it reads "net 10 more correct decisions per 100 reference entities".
    With `mentioned` neither b − c nor its limits depend on other systems. (The share of all
    decisions depends on them: other systems add items.)

    Parameters
    ----------
    right
        (n, m): whether system i is right on item k, or the mean over its runs.
    reference
        |R|, the number of entities of the reference.
    source, crossing, mentioned
        As in `crossed.crossed_test`.

    Raises
    ------
    EvaluationError
        If `reference` is not positive.

    Examples
    --------
    >>> right = np.array([[1] * 400, [1] * 360 + [0] * 40], dtype=bool)
    >>> low, high = net_correct(right, 400, np.arange(400)).limits(0.025)
    >>> low[0, 1].round(3), high[0, 1].round(3)
    (np.float64(0.073), np.float64(0.136))
    """
    if reference < 1:
        raise EvaluationError(f"reference is {reference}: it is the number of reference entities")
    answers = right.astype(float)
    # equal parts of |R|: their sum divides the number of right answers
    parts = np.full_like(answers, reference / len(source))
    counts = discordance(answers, parts, source, crossing, mentioned=mentioned)
    # The number of items depends on other systems, and more than |R| answers can differ: neither
    # the items nor the difference have a limit.
    return replace(counts, items=math.inf, largest=math.inf)
