"""Ranked lists with ties, against every order enumerated and published examples."""

from __future__ import annotations

from itertools import permutations, product
from math import inf, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.tied_ranks import (
    Group,
    average_precision,
    groups,
    hit_at,
    mean_rank,
    ndcg_at,
    reciprocal_rank,
    relevant_at,
)
from tests.generated import examples


def plain(flags, n_relevant, k):
    """All measures of one untied list, by their definitions."""
    hits = [i + 1 for i, relevant in enumerate(flags) if relevant]
    ideal = sum(1 / log2(i + 1) for i in range(1, min(k, n_relevant) + 1))
    return (
        sum(flags[:k]),
        float(any(flags[:k])),
        1 / hits[0] if hits else 0.0,
        hits[0] if hits else inf,
        sum((i + 1) / rank for i, rank in enumerate(hits)) / n_relevant,
        sum(1 / log2(r + 1) for r in hits if r <= k) / ideal,
    )


def ours(ranking, n_relevant, k):
    return (
        relevant_at(ranking, k),
        hit_at(ranking, k),
        reciprocal_rank(ranking),
        mean_rank(ranking),
        average_precision(ranking, n_relevant),
        ndcg_at(ranking, n_relevant, k),
    )


entries = st.lists(st.tuples(st.sampled_from([0.9, 0.5, 0.1]), st.booleans()), max_size=7)


@examples(60)
@given(entries, st.integers(1, 8), st.integers(0, 2))
def test_average_is_the_mean_over_all_orders(drawn, k, missed):
    n_relevant = sum(flag for _, flag in drawn) + missed
    if n_relevant == 0:
        return
    by_score = [[flag for score, flag in drawn if score == s] for s in (0.9, 0.5, 0.1)]
    orders = [
        plain([f for part in order for f in part], n_relevant, k)
        for order in product(*(list(permutations(part)) for part in by_score))
    ]
    expected = [sum(values) / len(values) for values in zip(*orders, strict=True)]
    assert ours(groups(drawn), n_relevant, k) == pytest.approx(expected)


@examples(60)
@given(entries, st.integers(1, 8))
def test_min_and_max_enclose_average_and_stable(drawn, k):
    n_relevant = max(1, sum(flag for _, flag in drawn))
    values = {
        tie: ours(groups(drawn, tie), n_relevant, k) for tie in ("min", "average", "max", "stable")
    }
    for place, low_is_good in enumerate([False, False, False, True, False, False]):
        low, high = values["max"][place], values["min"][place]
        if low_is_good:
            low, high = high, low
        for tie in ("average", "stable"):
            assert low - 1e-12 <= values[tie][place] <= high + 1e-12


def test_published_ranking_example():
    # relevance 1 0 1 0 0 1 0 0 1 1 of 5 relevant items
    ranking = [Group(1, int(c)) for c in "1010010011"]
    assert average_precision(ranking, 5) == pytest.approx(0.6222222222)
    assert ndcg_at(ranking, 5, 10) == pytest.approx(0.8296882916)
    assert relevant_at(ranking, 5) == 2
    assert reciprocal_rank(ranking) == 1


def test_nothing_found_is_a_miss_and_nothing_to_find_is_undefined():
    assert reciprocal_rank([Group(3, 0)]) == 0
    assert hit_at([], 3) == 0
    assert mean_rank([]) == inf
    assert average_precision([], 2) == 0
    assert average_precision([], 0) != average_precision([], 0)
    assert ndcg_at([], 0, 3) != ndcg_at([], 0, 3)


def test_unknown_tie():
    with pytest.raises(EvaluationError, match="tie 'random' is unknown: use one of average"):
        groups([], "random")
