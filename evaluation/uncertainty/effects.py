"""Effect sizes with 95% intervals, and tests of equivalence.

"Not significant" is not "equal": equivalence is a verdict of its own, and needs its own test.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.contingency import VIEWS
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.corrections import adjust
from alignrank.evaluation.ranking import Edge
from alignrank.evaluation.significance.mcnemar import Floats, at_least_one, pair_columns
from alignrank.evaluation.significance.score_limits import score_z, tango_limits

from .bootstrap import LEVEL, wilson


@dataclass(frozen=True, eq=False)
class Effects(Tabular):
    """Effect sizes of every pair in one view; matrices (n, n), the row against the column.

    Parameters
    ----------
    view, systems
        Names of the view and the systems.
    level
        Confidence level of each single interval.
    rate
        Name of the rate that is compared.
    difference, low, high
        (b − c) / scale with Tango's score interval. In ``ifp`` the difference of recall, in ``cfp``
        of overall, in ``entity`` of the share of entities that are right.
    odds_ratio, odds_low, odds_high
        b / c, the odds that a case on which the two differ speaks for the row, with the interval
        from Wilson's for b / (b + c). Infinite for c = 0, NaN for b = c = 0.
    """

    view: str
    systems: tuple[str, ...]
    level: float
    rate: str
    difference: Floats
    low: Floats
    high: Floats
    odds_ratio: Floats
    odds_low: Floats
    odds_high: Floats

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        names = ("difference", "low", "high", "odds_ratio", "odds_low", "odds_high")
        matrices = {name: getattr(self, name) for name in names}
        return frame({"view": self.view, **pair_columns(self.systems, matrices)})


def effects(view: Pairwise) -> Effects:
    """Return the effect sizes of every pair, with 95% intervals.

    Parameters
    ----------
    view
        A view of discordant counts. Where its items are clustered, the intervals are widened by
        the design effect.

    Raises
    ------
    EvaluationError
        If the view has no counts, or the number of reference correspondences is unknown.

    Notes
    -----
    Tango 1998 for the difference; Wilson 1927, transformed, for the odds ratio: the intervals that
    Fagerland, Lydersen and Laake 2014 (Statistics in Medicine 33:2850–2875) recommend.

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> view = compare_counts([[0, 43], [7, 0]], ["a", "b"], reference=100).views["ifp"]
    >>> e = effects(view)
    >>> [round(float(x[0, 1]), 3) for x in (e.difference, e.low, e.high, e.odds_ratio)]
    [0.36, 0.235, 0.475, 6.143]
    """
    b, c, items, scale, effect = counted(view)
    low, high = score_interval(b, c, items, design_effect=effect)
    differences = [x / scale for x in (b - c, low, high)]
    cases = b + c
    with np.errstate(divide="ignore", invalid="ignore"):
        share = b / cases
        shares = share, *wilson(share, cases / effect)
        odds = [np.where(cases > 0, x / (1 - x), np.nan) for x in shares]
    rate = VIEWS[view.view].rate if view.view in VIEWS else "rate"
    return Effects(view.view, view.systems, LEVEL, rate, *differences, *odds)


def score_interval(
    b: ArrayLike, c: ArrayLike, items: float = np.inf, *, design_effect: ArrayLike = 1.0
) -> tuple[Floats, Floats]:
    """Return the 95% `tango_limits` of b − c, widened by the root of the design effect."""
    z = float(scipy.special.ndtri(0.5 + LEVEL / 2)) * np.sqrt(design_effect)
    return tango_limits(b, c, items, z=z)


def counted(view: Pairwise) -> tuple[Floats, Floats, float, int, Floats]:
    """Return b, c, the number of items, the scale and the design effect."""
    if view.discordant is None:
        raise EvaluationError(f"{view.view} has no discordant counts, so no effect size in items")
    if not view.scale:
        raise EvaluationError(
            "the number of reference correspondences is unknown: give `reference`"
        )
    b = view.discordant.astype(float)
    if view.items and (b + b.T).max() > view.items:
        raise EvaluationError(
            f"two systems differ on {int((b + b.T).max())} items, but there are only {view.items}"
        )
    effect = np.ones_like(b)
    if view.design_effect is not None:
        effect = at_least_one(view.design_effect)
    # the items of a third system are none of two others'
    items = float(view.items) if view.items == view.scale else np.inf
    return b, b.T, items, view.scale, effect


@dataclass(frozen=True, eq=False)
class Verdicts(Tabular):
    """Better, equivalent or undecided, for every pair in one view.

    Parameters
    ----------
    view, systems
        Names of the view and the systems.
    margin
        Smaller differences do not matter; in the unit of `Effects.difference`.
    p
        (n, n): p-value of the two one-sided tests; the null hypothesis is that the difference is at
        least the margin.
    adjusted
        By Holm over all pairs, at the level of the view. (Equivalence is not transitive, so
        Shaffer's and Bergmann's logic does not apply.)
    alpha
        Family-wise level of the equivalences; the arrows have their own.
    verdicts
        By pair, in the systems' order: ``equivalent``, or the words of
        `alignrank.evaluation.ranking.verdict_words` for the first system. A
        significant difference is never called equivalent.
    negligible
        Pairs that are significantly different, but equivalent within the margin.
    """

    view: str
    systems: tuple[str, ...]
    margin: float
    p: Floats
    adjusted: Floats
    alpha: float
    verdicts: dict[Edge, str]
    negligible: tuple[Edge, ...]

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair."""
        matrices = {
            "margin": np.full_like(self.p, self.margin),
            "p equivalence": self.p,
            "adjusted equivalence": self.adjusted,
        }
        columns = {"view": self.view, **pair_columns(self.systems, matrices)}
        columns["verdict"] = list(self.verdicts.values())
        columns["negligible"] = [pair in self.negligible for pair in self.verdicts]
        return frame(columns)


def verdicts(view: Pairwise, margin: float = 0.01) -> Verdicts:
    """Give every pair a verdict: better, equivalent within the margin, undecided and so on.

    Parameters
    ----------
    view
        A view of discordant counts; its arrows say which systems are better.
    margin
        The largest difference that does not matter, in the unit of `Effects.difference`: for
        ``ifp`` of recall.

    Raises
    ------
    EvaluationError
        If the margin is not positive, the view has no counts, or the number of reference
        correspondences is unknown.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987) with Tango's score statistic (Liu, Hsueh, Hsieh and Chen
    2002, Statistics in Medicine 21:231–245).

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> table = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    >>> view = compare_counts(table, ["a", "b", "c"], reference=1000).views["ifp"]
    >>> list(verdicts(view, 0.02).verdicts.values())
    ['better', 'equivalent', 'worse']
    """
    b, c, items, scale, effect = counted(view)
    if not margin > 0:
        raise EvaluationError(f"margin is {margin!r}: it must be positive, such as 0.01")
    delta = margin * scale
    if np.isfinite(items):
        # a margin of all items or more cannot be exceeded, but the statistic is undefined there
        delta = min(delta, np.nextafter(items, 0))
    root = np.sqrt(effect)
    above = scipy.special.ndtr(-score_z(b, c, -delta, items) / root)
    below = scipy.special.ndtr(score_z(b, c, delta, items) / root)
    p = np.maximum(above, below)
    np.fill_diagonal(p, np.nan)
    adjusted = adjust((p + p.T) / 2, "holm", alpha=view.alpha).values
    verdict_of: dict[Edge, str] = {}
    negligible = []
    words = view.verdicts
    for i, j in combinations(range(len(view.systems)), 2):
        pair = (view.systems[i], view.systems[j])
        verdict = words[pair]
        if adjusted[i, j] <= view.alpha:
            if verdict.startswith(("better", "worse")):
                negligible.append(pair)
            else:
                verdict = "equivalent"
        if view.focus not in (None, *pair):
            verdict = "not asked"
        verdict_of[pair] = verdict
    return Verdicts(
        view.view, view.systems, margin, p, adjusted, view.alpha, verdict_of, tuple(negligible)
    )
