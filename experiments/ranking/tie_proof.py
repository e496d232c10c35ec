"""The arrows that hold for every optimal assignment.

A metric's optimal assignment is rarely unique, so the discordant counts of two metrics depend on
which one was taken. For each pair the largest p-value that any choice can give is bounded from
above; the adjusted p-values of every correction grow with each p, so an arrow that survives the
bounds survives every choice. The bound takes the worst choice of each metric independently of the
other's: an arrow that it does not prove may still hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from alignrank.common.names import first_of
from alignrank.common.progress import track
from alignrank.common.results import Caution
from alignrank.evaluation import Comparison, Pairwise, adjust, mcnemar
from alignrank.evaluation.significance.mcnemar import Floats, Ints, at_least_one, chi_square
from alignrank.matchers import CountRange, Matching
from alignrank.ontologies import Alignment

Pair = tuple[str, str]
Edge = tuple[str, str]

#: Views that the bounds are known for.
VIEWS = ("entity", "ifp", "cfp")


@dataclass(frozen=True)
class TieRange:
    """The common properties of all optimal assignments of one metric.

    Parameters
    ----------
    right_always, right_ever
        Correct pairs in every, and in some, optimal assignment.
    wrong_always, wrong_ever
        The same of wrong pairs.
    correct_min, correct_max
        Smallest and largest number of correct pairs.
    size_min, size_max
        Smallest and largest number of pairs.
    entities_wrong_always, entities_wrong_ever
        Source entities with a wrong answer in every (as far as is known), and in some, optimal
        assignment.
    entities_min, entities_max
        Smallest and largest number of source entities with the right answer, less a number that
        all metrics share.
    """

    right_always: frozenset[Pair]
    right_ever: frozenset[Pair]
    wrong_always: frozenset[Pair]
    wrong_ever: frozenset[Pair]
    correct_min: int
    correct_max: int
    size_min: int
    size_max: int
    entities_wrong_always: frozenset[str] = frozenset()
    entities_wrong_ever: frozenset[str] = frozenset()
    entities_min: int = 0
    entities_max: int = 0

    def net(self, view: str) -> tuple[int, int]:
        """Return bounds of correct (``ifp``), correct − wrong (``cfp``) or right entities."""
        if view == "entity":
            return self.entities_min, self.entities_max
        if view == "ifp":
            return self.correct_min, self.correct_max
        return 2 * self.correct_min - self.size_max, 2 * self.correct_max - self.size_min


def bounds(matching: Matching, reference: Alignment) -> TieRange:
    """Return the bounds of a metric; one point where the assignment was not optimal by design."""
    # metrics find equivalences: a pair that the reference holds with < or > is not found by them
    right = frozenset(c.pair for c in reference if c.relation == "=")
    open_pairs = frozenset(c.pair for c in reference if c.relation == "?")
    # a pair that is left open is still wrong as =, where the reference negates that
    unknown = open_pairs - {key[:2] for key in reference.denied if key.relation == "="}
    if matching.ties is None:
        always = ever = frozenset(matching.alignment.pairs) - unknown
        cells = {(c.pair, c.relation) for c in reference}  # a system may find other relations
        right = frozenset(c.pair for c in matching.alignment if (c.pair, c.relation) in cells)
        number = len(always & right)
        correct = CountRange(number, number)
        size = CountRange(len(always), len(always))
    else:
        always = matching.ties.always - unknown
        ever = always | (matching.ties.sometimes - unknown)
        correct = matching.ties.count(right)
        size = matching.ties.count(ever)
    right_always, right_ever = always & right, ever & right
    wrong_always, wrong_ever = always - right, ever - right
    # a reference cell with < or > is missed by them, so that the entity's answer is wrong
    stated = frozenset(c.pair for c in reference) - open_pairs
    entities_wrong_always = frozenset(e for e, _ in (stated - right_ever) | wrong_always)
    entities_wrong_ever = frozenset(e for e, _ in (stated - right_always) | wrong_ever)
    # An assignment gives an entity at most one partner. Its answer is right if it has one target in
    # the reference and the pair is right; with several targets never; if the reference lacks it,
    # without a partner. So the number of right ones is, less a constant, that of the right pairs of
    # the first kind, less that of the pairs of the last.
    targets = Counter(source for source, _ in stated)
    if matching.ties is None:
        low = high = len(targets) - len(entities_wrong_ever)
    else:
        answered = matching.ties.count(
            frozenset(pair for pair in right_ever if targets[pair[0]] == 1)
        )
        unasked = matching.ties.count(frozenset(pair for pair in ever if pair[0] not in targets))
        low, high = answered.smallest - unasked.largest, answered.largest - unasked.smallest
    return TieRange(
        right_always,
        right_ever,
        wrong_always,
        wrong_ever,
        correct.smallest,
        correct.largest,
        size.smallest,
        size.largest,
        entities_wrong_always,
        entities_wrong_ever,
        low,
        high,
    )


def worst_case(first: TieRange, second: TieRange, view: str) -> tuple[int, int]:
    """Return counts (b, c), b for `first`, at which p is at least that of any choice of ties.

    b is at least what only `first` has right for certain, c at most what only `second` can have
    right, and b − c at least the smallest difference of the totals; p falls with b and grows with
    c, and with c at a fixed b − c. Where b ≤ c the direction is open.
    """
    b_low = len(first.right_always - second.right_ever)
    c_high = len(second.right_ever - first.right_always)
    if view == "entity":
        b_low = len(second.entities_wrong_always - first.entities_wrong_ever)
        c_high = len(first.entities_wrong_ever - second.entities_wrong_always)
    if view == "cfp":
        b_low += len(second.wrong_always - first.wrong_ever)
        c_high += len(first.wrong_ever - second.wrong_always)
    difference = first.net(view)[0] - second.net(view)[1]
    return max(b_low, c_high + difference, 0), c_high


@dataclass(frozen=True)
class ProvenTies:
    """The findings that hold for all optimal assignments, not only for the ones of `rank`.

    Parameters
    ----------
    ranges
        By metric: what all its optimal assignments have in common.
    arrows
        By view: arrows that hold whichever optimal assignments are taken.
    cautions
        Sentences that the reader must know.
    """

    ranges: dict[str, TieRange]
    arrows: dict[str, list[Edge]]
    cautions: tuple[Caution, ...]


def prove_ties(
    comparison: Comparison, matchings: Mapping[str, Matching], reference: Alignment
) -> ProvenTies:
    """Return which arrows hold for all optimal assignments of the metrics.

    Cross-fitted thresholds are held where they are.
    """
    ranges = tie_ranges(matchings, reference)
    arrows = tie_proof(comparison, ranges)
    cautions = []
    for view, proven in arrows.items():
        unproven = [edge for edge in comparison.views[view].edges if edge not in proven]
        if unproven:
            listed = first_of((f"{better} > {worse}" for better, worse in unproven), 6)
            text = f"may not hold for other, equally good assignments: {listed}"
            of_view = None if view == comparison.deciding.view else view
            cautions.append(Caution("ties", text, view=of_view))
    return ProvenTies(ranges, arrows, tuple(cautions))


def tie_ranges(matchings: Mapping[str, Matching], reference: Alignment) -> dict[str, TieRange]:
    """Return `bounds` of every metric, by name."""
    tracked = track(matchings.items(), len(matchings), "ties")
    return {name: bounds(matching, reference) for name, matching in tracked}


def tie_proof(comparison: Comparison, ranges: Mapping[str, TieRange]) -> dict[str, list[Edge]]:
    """Return by view the arrows of the chosen test and correction that no choice of ties can undo.

    Parameters
    ----------
    comparison
        The comparison of the matchings' alignments.
    ranges
        `tie_ranges` of the systems.
    """
    systems = comparison.systems
    proven: dict[str, list[Edge]] = {}
    if comparison.runs is not None:  # the bounds are of single runs
        return proven
    for view in VIEWS:
        if view not in comparison.views or comparison.views[view].units.several:
            continue  # the bounds are of single cases
        n = len(systems)
        b, c = np.zeros((n, n), dtype=int), np.zeros((n, n), dtype=int)
        for better, worse in comparison.edges[view][comparison.correction]:
            i, j = systems.index(better), systems.index(worse)
            b[i, j], c[i, j] = worst_case(ranges[better], ranges[worse], view)
        certain = b > c
        p = np.where(certain, _largest_p(comparison.views[view], b, c), 1.0)
        worst = np.minimum(p, p.T)
        np.fill_diagonal(worst, np.nan)
        adjusted = adjust(worst, comparison.correction, alpha=comparison.alpha).values
        proven[view] = [
            (systems[i], systems[j])
            for i, j in np.argwhere(certain & (adjusted <= comparison.alpha)).tolist()
        ]
    return proven


def _largest_p(view: Pairwise, b: Ints, c: Ints) -> Floats:
    """Return the p-values of the worst counts.

    In a view with clusters, McNemar's asymptotic statistic is divided by their design effect.
    """
    if not view.is_clustered or view.units.design_effect is None:
        return mcnemar(b, c, view.test).p
    effect = at_least_one(view.units.design_effect)
    statistic = (b - c) ** 2 / np.maximum((b + c) * effect, 1)
    return chi_square(statistic)[0]
