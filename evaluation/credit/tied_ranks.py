"""Measures of ranked lists whose entries may be tied: lowest, expected and highest over all orders.

A measure adds up over the groups of equal scores that hold a relevant entry. The expectation over
all orders of a group has a formula; in the order that puts the relevant entries last (first) each
entry is a group of its own, and the same formula gives the lowest (highest) value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from math import comb, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from alignrank.common.defaults import Tie as Tie
from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Group(NamedTuple):
    """Entries of equal score, at least one of them relevant.

    Parameters
    ----------
    before
        Number of entries that rank above the group.
    size, relevant
        Number of its entries, and of its relevant entries.
    hits
        Number of relevant entries above the group.
    """

    before: int
    size: int
    relevant: int
    hits: int


def reciprocal_rank(group: Group) -> float:
    """Return the expected 1 / rank of the first relevant entry, if the group holds it; else 0."""
    before, size, relevant, hits = group
    if hits:
        return 0.0
    total = 0.0
    # the probability that the first relevant entry of the group has this place in it
    chance = relevant / size
    for place in range(1, size - relevant + 2):
        total += chance / (before + place)
        chance *= (size - relevant - place + 1) / max(size - place, 1)
    return total


def first_rank(group: Group) -> float:
    """Return the expected rank of the first relevant entry, if the group holds it; else 0."""
    if group.hits:
        return 0.0
    return group.before + (group.size + 1) / (group.relevant + 1)


def hit_at(group: Group, k: int) -> float:
    """Return the probability that the first relevant entry is in the group, at a rank up to k."""
    places = min(k - group.before, group.size)
    if group.hits or places <= 0:
        return 0.0
    return 1.0 - comb(group.size - group.relevant, places) / comb(group.size, places)


def relevant_at(group: Group, k: int) -> float:
    """Return the expected number of the group's relevant entries among the first k."""
    places = max(0, min(k - group.before, group.size))
    return group.relevant * places / group.size


def precision_sum(group: Group) -> float:
    """Return the expected sum of the precision at each relevant entry of the group.

    Over all orders, (j − 1)(r − 1)/(n − 1) relevant entries are expected before a relevant one at
    the j-th place of its group of n entries, r of them relevant.

    References
    ----------
    McSherry & Najork (2008), "Computing information retrieval performance measures efficiently in
    the presence of tied scores".
    """
    before, size, relevant, hits = group
    step = (relevant - 1) / max(size - 1, 1)
    precisions = ((hits + 1 + j * step) / (before + j + 1) for j in range(size))
    return relevant / size * sum(precisions)


def gain_at(group: Group, k: int) -> float:
    """Return the expected discounted gain of the group's entries among the first k."""
    ranks = range(group.before + 1, min(group.before + group.size, k) + 1)
    return group.relevant / group.size * sum(1 / log2(rank + 1) for rank in ranks)


def ideal_gain(n_relevant: int, k: int) -> float:
    """Return the discounted gain of a list that begins with all relevant entries."""
    return sum(1 / log2(rank + 1) for rank in range(1, min(k, n_relevant) + 1))


@dataclass(frozen=True)
class RankMeasure:
    """A measure of one ranked list: Σ over its groups, divided by what is possible.

    Parameters
    ----------
    name
        As `rank_measure` takes it.
    term
        The expected share of one group.
    possible
        The divisor for a query with so many relevant entries, in the list or not.
    """

    name: str
    term: Callable[[Group], float]
    possible: Callable[[int], float] = lambda _: 1.0

    def bounds(self, group: Group) -> tuple[float, float, float]:
        """Return a group's lowest, expected and highest share."""
        before, size, relevant, hits = group
        first_places = [Group(before + i, 1, 1, hits + i) for i in range(relevant)]
        last_places = [g._replace(before=g.before + size - relevant) for g in first_places]
        lowest, highest = (sum(map(self.term, g)) for g in (last_places, first_places))
        return lowest, self.term(group), highest


MRR = RankMeasure("MRR", reciprocal_rank)
MAP = RankMeasure("MAP", precision_sum, float)
MEAN_RANK = RankMeasure("mean rank", first_rank)
#: Measures of the first k entries.
_AT: dict[str, Callable[[int], RankMeasure]] = {
    "hits": lambda k: RankMeasure(f"Hits@{k}", partial(hit_at, k=k)),
    "p": lambda k: RankMeasure(f"P@{k}", partial(relevant_at, k=k), lambda _: k),
    "r": lambda k: RankMeasure(f"R@{k}", partial(relevant_at, k=k), float),
    "ndcg": lambda k: RankMeasure(f"nDCG@{k}", partial(gain_at, k=k), partial(ideal_gain, k=k)),
}
_WHOLE = {"mrr": MRR, "map": MAP}
_SYNONYMS = {"precision": "p", "recall": "r"}
#: How the measures are named.
RANK_MEASURES = ("MRR", "MAP", "Hits@k", "P@k", "R@k", "nDCG@k")


def is_rank_measure(name: str) -> bool:
    """Tell whether a name, with or without its cut-off, is that of a measure of rankings.

    Precision and recall without one are those of alignments.
    """
    title, mark, _ = name.partition("@")
    title = title.casefold()
    return title in {*_AT, *_WHOLE} or (bool(mark) and title in _SYNONYMS)


def rank_measure(name: str) -> RankMeasure:
    """Return the measure with a name of `RANK_MEASURES`, k being a whole number of 1 or more.

    Upper and lower case are the same. ``recall@k`` is ``R@k``, ``precision@k`` is ``P@k``.

    Raises
    ------
    EvaluationError
        If there is no such measure, the cut-off is missing or below 1, or there should be none.

    Examples
    --------
    >>> rank_measure("ndcg@10").name, rank_measure("Hits@1").bounds(Group(0, 4, 1, 0))
    ('nDCG@10', (0.0, 0.25, 1.0))
    """
    if not is_rank_measure(name):
        refuse_unknown("measure", name, RANK_MEASURES, EvaluationError)
    title, mark, cutoff = name.casefold().partition("@")
    title = _SYNONYMS.get(title, title)
    if title in _WHOLE:
        if mark:
            raise EvaluationError(f"measure {name!r} has no cut-off: write {_WHOLE[title].name}")
        return _WHOLE[title]
    if not re.fullmatch("[0-9]*[1-9][0-9]*", cutoff) or len(cutoff) > 9:
        example = _AT[title](10).name
        raise EvaluationError(
            f"measure {name!r} needs a cut-off k, a whole number of 1 or more: such as {example}"
        )
    return _AT[title](int(cutoff))


class RankValues(NamedTuple):
    """A measure's values by query: lowest, expected and highest over all orders of ties."""

    lowest: Floats
    expected: Floats
    highest: Floats


@dataclass(frozen=True, eq=False)
class TiedRanks:
    """The ranked lists of n queries: their groups of equal scores that hold a relevant entry.

    Parameters
    ----------
    query
        (m,): the query of each group, from 0 to n − 1.
    groups
        (m, 4): each group, as `Group` has it.
    n_relevant
        (n,): number of relevant entries of each query, in its list or not; at least 1.
    """

    query: Ints
    groups: Ints
    n_relevant: Ints

    @classmethod
    def of(
        cls,
        query: Ints,
        score: Floats,
        relevant: NDArray[np.bool_],
        n_relevant: Ints,
        *,
        stable: bool = False,
    ) -> TiedRanks:
        """Return the groups of rankings; the larger score is the better.

        Parameters
        ----------
        query, score, relevant
            Of each entry, in any order.
        n_relevant
            Of each query.
        stable
            Equal scores are no ties: their entries rank in the present order.

        Examples
        --------
        >>> score, relevant = np.array([0.9, 0.5, 0.5]), np.array([False, True, False])
        >>> ranks = TiedRanks.of(np.zeros(3, int), score, relevant, np.array([1]))
        >>> ranks.groups.tolist(), [v.item() for v in ranks.values(rank_measure("Hits@2"))]
        ([[1, 2, 1, 0]], [0.0, 0.5, 1.0])
        """
        # entries below all relevant ones of their query change nothing
        lowest = np.full(len(n_relevant), np.inf)
        np.minimum.at(lowest, query[relevant], score[relevant])
        matters = score >= lowest[query]
        query, score, relevant = query[matters], score[matters], relevant[matters]
        order = np.lexsort((-score, query))
        query, score, relevant = query[order], score[order], relevant[order]
        is_start = np.ones(len(query), dtype=bool)
        if not stable:
            is_start[1:] = (query[1:] != query[:-1]) | (score[1:] != score[:-1])
        starts = np.flatnonzero(is_start)
        sizes = np.diff(starts, append=len(query))
        list_starts = np.searchsorted(query, query[starts])
        hits_before = np.concatenate([[0], np.cumsum(relevant)])
        columns = (
            starts - list_starts,
            sizes,
            hits_before[starts + sizes] - hits_before[starts],
            hits_before[starts] - hits_before[list_starts],
        )
        groups = np.stack(columns, axis=1)
        holds_relevant = groups[:, 2] > 0
        return cls(query[starts][holds_relevant], groups[holds_relevant], n_relevant)

    @cached_property
    def _different(self) -> tuple[Ints, Ints]:
        """Most queries share their few different groups: each once, and the place of each group."""
        different, index = np.unique(self.groups, axis=0, return_inverse=True)
        return different, index.ravel()

    def values(self, measure: RankMeasure) -> RankValues:
        """Return a measure's lowest, expected and highest value for each query."""
        different, index = self._different
        bounds = [measure.bounds(Group(*row)) for row in different.tolist()]
        terms = np.array(bounds).reshape(-1, 3)[index]
        n = len(self.n_relevant)
        numbers, place = np.unique(self.n_relevant, return_inverse=True)
        possible = np.array([measure.possible(number) for number in numbers.tolist()])[place]
        sums = [np.bincount(self.query, column, n) for column in terms.T]
        return RankValues(*(total / possible for total in sums))

    def by_tie(self, measure: RankMeasure, tie: Tie) -> Floats:
        """Return a measure's values for one meaning of ties."""
        values = self.values(measure)
        orders = {
            "average": values.expected,
            "min": values.highest,
            "max": values.lowest,
            "stable": values.expected,
        }
        refuse_unknown("tie", tie, orders, EvaluationError)
        return orders[tie]
