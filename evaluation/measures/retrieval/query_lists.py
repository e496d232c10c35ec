"""The list of each query, and the ranks of its right candidates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.tied_ranks import Ints, TiedRanks

from .candidates import Gold, Listed, Queries, RankedCandidates, ranked


@dataclass(frozen=True, eq=False)
class RankedQueries:
    """The right candidates' places in ranked lists.

    Parameters
    ----------
    queries
        The queries that have a right candidate.
    ranks
        Their lists.
    missing
        Queries without candidates: they count as misses.
    ignored
        Items with candidates that the gold standard lacks.
    outside
        Number of candidates that are not in the pool of their query: they are not ranked.
    """

    queries: tuple[str, ...]
    ranks: TiedRanks
    missing: tuple[str, ...]
    ignored: tuple[str, ...]
    outside: int


def rank_queries(
    gold: Gold | Queries, candidates: Listed, *, stable: bool = False
) -> RankedQueries:
    """Find the right candidates in ranked lists.

    If an entity has several queries, and the run holds the list of each in the order of the gold
    standard (Bio-ML), each query has its own list. If no candidate of an entity comes twice, its
    queries share one list.

    Parameters
    ----------
    gold, candidates
        What is right, and what is ranked.
    stable
        Equal scores rank in the present order.

    Raises
    ------
    EvaluationError
        If the gold standard is empty, no query of it has a list, or a candidate comes twice.
    """
    queries = gold if isinstance(gold, Queries) else Queries(gold)
    run = ranked(candidates)
    if not queries.right:
        raise EvaluationError("the gold standard has no items: nothing can be judged")
    code_of_item = {item: code for code, item in enumerate(run.items)}
    sources = [queries.source_of(query) for query in queries.right]
    if code_of_item.keys().isdisjoint(sources):
        place = run.path or "the run"
        first = repr(run.items[0]) if run.items else "nothing"
        raise EvaluationError(
            f"{place} has no query of the gold standard, such as {sources[0]!r}: it has {first}"
        )
    list_codes = np.array([code_of_item.get(source, -1) for source in sources])
    row_lists = run.item
    if len(set(sources)) < len(sources):
        own_lists = _lists_in_order(run, list_codes)
        if own_lists is not None:
            row_lists, list_codes = own_lists, np.arange(len(sources))
    filled = np.isin(list_codes, row_lists)
    is_positive = np.array([bool(right) for right in queries.right.values()])
    rows, query = _rows_of_lists(row_lists, list_codes[is_positive])
    positives = tuple(q for q, right in queries.right.items() if right)
    pairs = query * len(run.names) + run.name[rows]
    order = np.argsort(pairs, kind="stable")
    _refuse_repeated(run, rows[order], pairs[order])
    relevant = _are_among(_codes(queries.right, positives, run.names), pairs, order)
    outside = 0
    if queries.pool:
        is_ranked = _are_among(_codes(queries.pool, positives, run.names), pairs, order)
        outside = int((~is_ranked).sum())
        rows, query, relevant = rows[is_ranked], query[is_ranked], relevant[is_ranked]
    n_relevant = np.array([len(set(queries.right[q])) for q in positives], dtype=np.int64)
    ranks = TiedRanks.of(query, run.score[rows], relevant, n_relevant, stable=stable)
    missing = [q for q, is_filled in zip(queries.right, filled, strict=True) if not is_filled]
    ignored = sorted(code_of_item.keys() - set(sources))
    return RankedQueries(positives, ranks, tuple(sorted(missing)), tuple(ignored), outside)


def _lists_in_order(run: RankedCandidates, item_of_query: Ints) -> Ints | None:
    """Return each row's query, if the run holds one list for each query in the same order."""
    n = len(item_of_query)
    if run.by_line:
        row_lists = np.unique(run.lines, return_inverse=True)[1]
    else:
        pairs = run.item * len(run.names) + run.name
        # where no candidate repeats, the queries of an entity share its list
        if len(run.item) % n or len(np.unique(pairs)) == len(pairs):
            return None
        row_lists = np.arange(len(run.item)) // (len(run.item) // n)
    is_complete = len(row_lists) > 0 and row_lists[-1] == n - 1
    if is_complete and np.array_equal(item_of_query[row_lists], run.item):
        return row_lists
    return None


def _rows_of_lists(row_lists: Ints, list_codes: Ints) -> tuple[Ints, Ints]:
    """Return the rows of each query's list, one query after the other, and the query of each."""
    by_list = np.argsort(row_lists, kind="stable")
    ordered = row_lists[by_list]
    starts = np.searchsorted(ordered, list_codes, side="left")
    sizes = np.searchsorted(ordered, list_codes, side="right") - starts
    query = np.repeat(np.arange(len(list_codes)), sizes)
    place = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return by_list[np.repeat(starts, sizes) + place], query


def _refuse_repeated(run: RankedCandidates, rows: Ints, pairs: Ints) -> None:
    """Refuse a candidate that a query has twice; the pairs are sorted."""
    is_repeated = pairs[1:] == pairs[:-1]
    if is_repeated.any():
        row = int(rows[1:][is_repeated].min())
        item, name = run.items[run.item[row]], run.names[run.name[row]]
        raise EvaluationError(
            f"{run.where(row)}item {item!r} has candidate {name!r} a second time: keep one of them"
        )


def _codes(
    names_by_query: Mapping[str, Collection[str]], queries: Sequence[str], names: Sequence[str]
) -> Ints:
    """Return pairs of query and candidate as numbers; candidates that nobody ranks are left out."""
    code_of_name = {name: code for code, name in enumerate(names)}
    codes = [
        k * len(names) + code_of_name[name]
        for k, query in enumerate(queries)
        for name in names_by_query.get(query, ())
        if name in code_of_name
    ]
    return np.array(codes, dtype=np.int64)


def _are_among(codes: Ints, pairs: Ints, order: Ints) -> NDArray[np.bool_]:
    """Return whether each pair has one of the codes; `order` sorts the pairs."""
    is_among = np.zeros(len(pairs), dtype=bool)
    if len(pairs):
        places = order[np.searchsorted(pairs, codes, sorter=order).clip(max=len(pairs) - 1)]
        is_among[places[pairs[places] == codes]] = True
    return is_among
