"""Effect sizes with 95% intervals, and tests of equivalence.

"Not significant" is not "equal": equivalence is a verdict of its own, and needs its own test.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import EvaluationError
from alignrank.common.table import Tabular
from alignrank.evaluation.comparison.contingency import VIEWS
from alignrank.evaluation.comparison.pairwise import Pairwise
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.ranking import Edge
from alignrank.evaluation.significance.mcnemar import Bools, Floats, pair_columns
from alignrank.evaluation.significance.score_limits import Discordance

from .score_intervals import LEVEL, wilson


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
        (b − c) / scale with Tango's score interval: net correct decisions for each one of the
        reference. In ``ifp`` it is the difference of recall, in ``cfp`` that of overall. The limits
        agree with the view's verdicts (`Simultaneous.agreeing`), like those of the odds.
    is_cut
        Where the verdict excludes a limit that is 0.
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
    is_cut: Bools
    odds_ratio: Floats
    odds_low: Floats
    odds_high: Floats

    def by_column(self) -> dict[str, list[object]]:
        """Return the columns of a table with a row for each pair."""
        names = ("difference", "low", "high", "odds_ratio", "odds_low", "odds_high")
        matrices = {name: getattr(self, name) for name in names}
        matrices["0 excluded"] = self.is_cut
        return pair_columns(self.systems, matrices, view=self.view)


def effects(view: Pairwise) -> Effects:
    """Return the effect sizes of every pair, with 95% intervals.

    Parameters
    ----------
    view
        A view of discordant counts. Where its items are clustered, the intervals are wider.

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
    net = sized(view)
    limits = net.intervals("net", view.systems, LEVEL, 1).agreeing(view.edges, is_tested=True)
    cases = net.b + net.b.T
    with np.errstate(divide="ignore", invalid="ignore"):
        share = net.b / cases
        low, high = wilson(share, cases / net.design_effect((1 - LEVEL) / 2))
        # odds of 1, a share of one half, are no difference
        of_cases = replace(limits, difference=share - 0.5, low=low - 0.5, high=high - 0.5)
        of_cases = of_cases.agreeing(view.edges, is_tested=True)
        shares = (0.5 + x for x in (of_cases.difference, of_cases.low, of_cases.high))
        odds = [np.where(cases > 0, x / (1 - x), np.nan) for x in shares]
    rate = VIEWS[view.view].rate if view.view in VIEWS else "rate"
    return Effects(
        view.view,
        view.systems,
        LEVEL,
        rate,
        limits.difference,
        limits.low,
        limits.high,
        limits.is_cut,
        *odds,
    )


def sized(view: Pairwise) -> Discordance:
    """Return the net correct decisions of a view, or refuse it."""
    if view.counts is None:
        raise EvaluationError(f"{view.view} has no discordant counts, so no effect size in items")
    if (net := view.net) is None:
        raise EvaluationError(
            "the number of reference correspondences is unknown: give `reference`"
        )
    most_cases = int((net.b + net.b.T).max())
    if most_cases > net.items:
        raise EvaluationError(
            f"two systems differ on {most_cases} items, but there are only {net.items:.0f}"
        )
    return net


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
        `alignrank.evaluation.comparison.pairwise.Pairwise.verdicts` for the first system. A
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

    def by_column(self) -> dict[str, list[object]]:
        """Return the columns of a table with a row for each pair."""
        matrices = {
            "margin": np.full_like(self.p, self.margin),
            "p equivalence": self.p,
            "adjusted equivalence": self.adjusted,
        }
        columns = pair_columns(self.systems, matrices, view=self.view)
        columns["verdict"] = list(self.verdicts.values())
        columns["negligible"] = [pair in self.negligible for pair in self.verdicts]
        return columns


def verdicts(view: Pairwise, margin: float = DEFAULTS.margin) -> Verdicts:
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
    p = sized(view).equivalence_p(margin)
    adjusted = adjust(p, "holm", alpha=view.alpha).values
    verdict_of: dict[Edge, str] = {}
    negligible = []
    words = view.verdicts
    for i, j in combinations(range(len(view.systems)), 2):
        pair = (view.systems[i], view.systems[j])
        verdict = words[pair]
        if adjusted[i, j] <= view.alpha:
            if verdict in ("better", "worse"):
                negligible.append(pair)
            else:
                verdict = "equivalent"
        if view.focus not in (None, *pair):
            verdict = "not asked"
        verdict_of[pair] = verdict
    return Verdicts(
        view.view, view.systems, margin, p, adjusted, view.alpha, verdict_of, tuple(negligible)
    )
