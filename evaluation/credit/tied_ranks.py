"""Measures of one ranked list whose entries may be tied: exact expectations over all orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, log2
from typing import Literal, NamedTuple

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown

#: How tied entries are ordered: the ``average`` over all orders, relevant ones first (``min`` rank)
#: or last (``max`` rank), or as they came (``stable``).
Tie = Literal["average", "min", "max", "stable"]


class Group(NamedTuple):
    """Entries that share a rank: how many, and how many of them are relevant."""

    size: int
    relevant: int


def groups(entries: Iterable[tuple[float, bool]], tie: Tie = "average") -> list[Group]:
    """Return the groups of a ranking, best first.

    Parameters
    ----------
    entries
        (score, relevant) of each entry, the larger score the better.
    tie
        What equal scores mean. All but ``average`` give groups of one.

    Raises
    ------
    EvaluationError
        If `tie` is unknown.

    Examples
    --------
    >>> groups([(0.9, False), (0.5, True), (0.5, False)])
    [Group(size=1, relevant=0), Group(size=2, relevant=1)]
    >>> groups([(0.9, False), (0.5, True), (0.5, False)], "max")[1:]
    [Group(size=1, relevant=0), Group(size=1, relevant=1)]
    """
    orders = {
        "average": lambda entry: -entry[0],
        "stable": lambda entry: -entry[0],
        "min": lambda entry: (-entry[0], not entry[1]),
        "max": lambda entry: (-entry[0], entry[1]),
    }
    refuse_unknown("tie", tie, orders, EvaluationError)
    ranked = sorted(entries, key=orders[tie])
    if tie != "average":
        return [Group(1, int(relevant)) for _, relevant in ranked]
    tied: dict[float, list[bool]] = {}
    for score, relevant in ranked:
        tied.setdefault(score, []).append(relevant)
    return [Group(len(flags), sum(flags)) for flags in tied.values()]


def relevant_at(ranking: Sequence[Group], k: int) -> float:
    """Return the expected number of relevant entries among the first k."""
    total, places_left = 0.0, k
    for size, relevant in ranking:
        if places_left <= 0:
            break
        total += relevant * min(1.0, places_left / size)
        places_left -= size
    return total


def hit_at(ranking: Sequence[Group], k: int) -> float:
    """Return the probability that a relevant entry is among the first k."""
    places_left = k
    for size, relevant in ranking:
        if places_left <= 0:
            break
        if relevant:
            return 1.0 - comb(size - relevant, min(places_left, size)) / comb(
                size, min(places_left, size)
            )
        places_left -= size
    return 0.0


def reciprocal_rank(ranking: Sequence[Group]) -> float:
    """Return the expected 1 / rank of the first relevant entry, 0 if there is none."""
    before = 0
    for size, relevant in ranking:
        if relevant:
            # the first relevant entry is the t-th of its group: the others follow it
            return sum(
                comb(size - t, relevant - 1) / comb(size, relevant) / (before + t)
                for t in range(1, size - relevant + 2)
            )
        before += size
    return 0.0


def mean_rank(ranking: Sequence[Group]) -> float:
    """Return the expected rank of the first relevant entry, infinite if there is none."""
    before = 0
    for size, relevant in ranking:
        if relevant:
            return before + (size + 1) / (relevant + 1)
        before += size
    return float("inf")


def average_precision(ranking: Sequence[Group], n_relevant: int) -> float:
    """Return the expected average precision.

    The sum of the precision at each relevant entry, divided by the number of all relevant items
    (found or not). Over the orders of a tied group, the relevant entries expected before one at
    the j-th place of its group of s entries, g of them relevant, are (j − 1)(g − 1)/(s − 1).

    References
    ----------
    McSherry & Najork (2008), "Computing information retrieval performance measures efficiently in
    the presence of tied scores".
    """
    if not n_relevant:
        return float("nan")
    total, before, hits = 0.0, 0, 0
    for size, relevant in ranking:
        if relevant:
            step = (relevant - 1) / (size - 1) if size > 1 else 0.0
            total += (
                relevant
                / size
                * sum((hits + 1 + (j - 1) * step) / (before + j) for j in range(1, size + 1))
            )
        before += size
        hits += relevant
    return total / n_relevant


def ndcg_at(ranking: Sequence[Group], n_relevant: int, k: int) -> float:
    """Return the expected normalised discounted cumulative gain of the first k, binary gains.

    The ideal list has min(k, n_relevant) relevant entries first.
    """
    if not n_relevant:
        return float("nan")
    gain, before = 0.0, 0
    for size, relevant in ranking:
        ranks = range(before + 1, min(before + size, k) + 1)
        if relevant:
            gain += relevant / size * sum(1 / log2(rank + 1) for rank in ranks)
        before += size
        if before >= k:
            break
    return gain / sum(1 / log2(rank + 1) for rank in range(1, min(k, n_relevant) + 1))
