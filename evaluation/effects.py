"""How large differences are, how much they rest on, and whether small ones are small enough.

A p-value says neither. "Not significant" is not "equal": equivalence is a verdict of its own, and
needs its own test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from .corrections import adjust
from .errors import EvaluationError
from .paired_difference import score_interval, score_z
from .pairwise import Floats, Pairwise
from .ranking import Edge

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["better", "worse", "equivalent", "undecided"]

#: What the rate of each view is a difference of.
RATES = {
    "ifp": "recall",
    "cfp": "overall",
    "entity": "share of entities right",
    "entity-target": "share of entities right",
}


@dataclass(frozen=True, eq=False)
class Effects:
    """Effect sizes of every pair in one view; matrices (n, n), the row against the column.

    Parameters
    ----------
    view, systems
        What was compared.
    level
        Confidence level of the intervals, each for itself.
    rate
        What the difference is a difference of.
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

    def to_frame(self) -> pd.DataFrame:
        """Tabulate, one row for a pair."""
        import pandas as pd

        i, j = np.triu_indices(len(self.systems), 1)
        columns = ("difference", "low", "high", "odds_ratio", "odds_low", "odds_high")
        return pd.DataFrame(
            {
                "view": self.view,
                "system1": [self.systems[k] for k in i],
                "system2": [self.systems[k] for k in j],
                **{name: getattr(self, name)[i, j] for name in columns},
            }
        )


def effects(view: Pairwise, *, level: float = 0.95) -> Effects:
    """Return the effect sizes of every pair, with intervals.

    Parameters
    ----------
    view
        A view of discordant counts. Where its items are clustered, the intervals are widened by
        the design effect.
    level
        Confidence level.

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
    >>> from evaluation import compare_counts
    >>> view = compare_counts([[0, 43], [7, 0]], ["a", "b"], reference=100).views["ifp"]
    >>> e = effects(view)
    >>> [round(float(x[0, 1]), 3) for x in (e.difference, e.low, e.high, e.odds_ratio)]
    [0.36, 0.235, 0.475, 6.143]
    """
    from scipy.special import ndtri

    b, c, items, scale, effect = _counts(view)
    if not 0 < level < 1:
        raise EvaluationError(f"level is {level!r}: it must lie between 0 and 1, such as 0.95")
    low, high = score_interval(b, c, items, level=level, design_effect=effect)
    n, z2 = (b + c) / effect, float(ndtri(0.5 + level / 2)) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        share = b / (b + c)
        centre = (share + z2 / (2 * n)) / (1 + z2 / n)
        half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
        # at the ends Wilson's limits are 0 and 1 exactly; rounding must not make them −1e-17
        below = np.where(b == 0, 0.0, centre - half)
        above = np.where(c == 0, 1.0, centre + half)
        odds = (share / (1 - share), below / (1 - below), above / (1 - above))
    unknown = b + c == 0
    ratio, odds_low, odds_high = (np.where(unknown, np.nan, x) for x in odds)
    return Effects(
        view.view,
        view.systems,
        level,
        RATES.get(view.view, "rate"),
        (b - c) / scale,
        low / scale,
        high / scale,
        ratio,
        odds_low,
        odds_high,
    )


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Better, equivalent or undecided, for every pair in one view.

    Parameters
    ----------
    view, systems
        What was compared.
    margin
        Differences of less than this count as none; in the unit of `Effects.difference`.
    p
        (n, n): p-value of the two one-sided tests; the null hypothesis is that the difference is at
        least the margin.
    adjusted
        By Holm over all pairs, at the level of the view. (Equivalence is not transitive, so
        Shaffer's and Bergmann's logic does not apply.)
    alpha
        Family-wise level of the equivalences; the arrows have their own.
    verdicts
        By pair, in the systems' order: ``better`` and ``worse`` speak of the first system. A
        significant difference is never called equivalent.
    negligible
        Pairs that are significantly different and yet equivalent within the margin.
    """

    view: str
    systems: tuple[str, ...]
    margin: float
    p: Floats
    adjusted: Floats
    alpha: float
    verdicts: dict[Edge, Verdict]
    negligible: tuple[Edge, ...]

    def to_frame(self) -> pd.DataFrame:
        """Tabulate, one row for a pair."""
        import pandas as pd

        i, j = np.triu_indices(len(self.systems), 1)
        return pd.DataFrame(
            {
                "view": self.view,
                "system1": [self.systems[k] for k in i],
                "system2": [self.systems[k] for k in j],
                "margin": self.margin,
                "p equivalence": self.p[i, j],
                "adjusted equivalence": self.adjusted[i, j],
                "verdict": list(self.verdicts.values()),
                "negligible": [pair in self.negligible for pair in self.verdicts],
            }
        )


def verdicts(view: Pairwise, margin: float = 0.01) -> Verdicts:
    """Give every pair one of three verdicts: better, equivalent within the margin, undecided.

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
    >>> from evaluation import compare_counts
    >>> table = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    >>> view = compare_counts(table, ["a", "b", "c"], reference=1000).views["ifp"]
    >>> list(verdicts(view, 0.02).verdicts.values())
    ['better', 'equivalent', 'worse']
    """
    from scipy.special import ndtr

    b, c, items, scale, effect = _counts(view)
    if not margin > 0:
        raise EvaluationError(f"margin is {margin!r}: it must be positive, such as 0.01")
    # a margin of all items or more cannot be exceeded, but the statistic ends there
    delta = min(margin * scale, np.nextafter(items, 0)) if np.isfinite(items) else margin * scale
    root = np.sqrt(effect)
    above = ndtr(-score_z(b, c, -delta, items) / root)
    below = ndtr(score_z(b, c, delta, items) / root)
    p = np.maximum(above, below)
    np.fill_diagonal(p, np.nan)
    adjusted = adjust((p + p.T) / 2, "holm", alpha=view.alpha).values
    found: dict[Edge, Verdict] = {}
    negligible = []
    for (pair, winner), (i, j) in zip(view.better().items(), view.pairs(), strict=True):
        same = bool(adjusted[i, j] <= view.alpha)
        if winner:
            found[pair] = "better" if winner == pair[0] else "worse"
            negligible += [pair] if same else []
        else:
            found[pair] = "equivalent" if same else "undecided"
    return Verdicts(
        view.view, view.systems, margin, p, adjusted, view.alpha, found, tuple(negligible)
    )


def _counts(view: Pairwise) -> tuple[Floats, Floats, float, int, Floats]:
    """Return b, c, the number of items, the scale and the design effect."""
    if view.discordant is None:
        raise EvaluationError(f"{view.view} has no discordant counts, so no effect size in items")
    if not view.scale:
        raise EvaluationError(
            "the number of reference correspondences is unknown: give `reference`"
        )
    b = view.discordant.astype(np.float64)
    if view.items and (b + b.T).max() > view.items:
        raise EvaluationError(
            f"two systems differ on {int((b + b.T).max())} items, but there are only {view.items}"
        )
    effect = np.ones_like(b) if view.design_effect is None else view.design_effect
    effect = np.maximum(np.nan_to_num(effect, nan=1.0), 1.0)
    return b, b.T, float(view.items or np.inf), view.scale, effect
