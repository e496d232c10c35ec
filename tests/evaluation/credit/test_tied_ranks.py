"""Ranked lists with ties, against every order enumerated and published examples."""

from __future__ import annotations

from itertools import permutations, product
from math import fsum, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.tied_ranks import MEAN_RANK, TiedRanks, rank_measure
from tests.generated import examples

SCORES = (0.9, 0.5, 0.1)


def plain(flags, n_relevant, k):
    """Each measure of one untied list, by its definition."""
    hits = [i + 1 for i, relevant in enumerate(flags) if relevant]
    ideal = fsum(1 / log2(i + 1) for i in range(1, min(k, n_relevant) + 1))
    return {
        f"P@{k}": sum(flags[:k]) / k,
        f"R@{k}": sum(flags[:k]) / n_relevant,
        f"Hits@{k}": float(any(flags[:k])),
        "MRR": 1 / hits[0] if hits else 0.0,
        "MAP": fsum((i + 1) / rank for i, rank in enumerate(hits)) / n_relevant,
        f"nDCG@{k}": fsum(1 / log2(r + 1) for r in hits if r <= k) / ideal,
    }


def tied_ranks(entries, n_relevant, *, stable=False):
    scores = np.array([score for score, _ in entries], dtype=float)
    flags = np.array([flag for _, flag in entries], dtype=bool)
    query = np.zeros(len(entries), dtype=np.int64)
    return TiedRanks.of(query, scores, flags, np.array([n_relevant]), stable=stable)


def values(ranks, name):
    return [column.item() for column in ranks.values(rank_measure(name))]


entries = st.lists(st.tuples(st.sampled_from(SCORES), st.booleans()), max_size=8)


@examples(200)
@given(entries, st.integers(1, 9), st.integers(0, 2))
def test_lowest_expected_and_highest_over_all_orders(drawn, k, missed):
    n_relevant = sum(flag for _, flag in drawn) + missed
    if n_relevant == 0:
        return
    by_score = [[flag for score, flag in drawn if score == s] for s in SCORES]
    orders = [
        plain([flag for flags in order for flag in flags], n_relevant, k)
        for order in product(*(set(permutations(flags)) for flags in by_score))
    ]
    ranks = tied_ranks(drawn, n_relevant)
    for name in orders[0]:
        # each distinct order of flags stands for equally many orders of entries
        every = [order[name] for order in orders]
        exact = [min(every), fsum(every) / len(every), max(every)]
        assert values(ranks, name) == pytest.approx(exact, rel=0, abs=1e-12)


@examples(60)
@given(entries, st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_no_digit(drawn, random):
    n_relevant = max(1, sum(flag for _, flag in drawn))
    shuffled = random.sample(drawn, len(drawn))
    for name in plain([], 1, 3):
        expected = values(tied_ranks(drawn, n_relevant), name)
        assert values(tied_ranks(shuffled, n_relevant), name) == expected


@examples(60)
@given(st.lists(entries, max_size=5))
def test_many_queries_are_their_lists_one_by_one(lists):
    rows = [(k, score, flag) for k, drawn in enumerate(lists) for score, flag in drawn]
    query = np.array([k for k, _, _ in rows], dtype=np.int64)
    score = np.array([s for _, s, _ in rows], dtype=float)
    relevant = np.array([flag for _, _, flag in rows], dtype=bool)
    n_relevant = np.array([1 + sum(flag for _, flag in drawn) for drawn in lists], dtype=np.int64)
    together = TiedRanks.of(query, score, relevant, n_relevant)
    for name in plain([], 1, 2):
        columns = np.stack(together.values(rank_measure(name)), axis=1).tolist()
        assert columns == [
            values(tied_ranks(drawn, n), name)
            for drawn, n in zip(lists, n_relevant.tolist(), strict=True)
        ]


def test_one_relevant_among_equal_scores():
    four = [(0.5, False), (0.5, True), (0.5, False), (0.5, False)]
    lowest, expected, highest = values(tied_ranks(four, 1), "MRR")
    assert (lowest, highest) == (0.25, 1.0)
    assert expected == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert values(tied_ranks(four, 1, stable=True), "MRR") == [0.5, 0.5, 0.5]
    ranks = [column.item() for column in tied_ranks(four, 1).values(MEAN_RANK)]
    assert ranks == [4, 2.5, 1]


def test_published_ranking_example():
    # relevance 1 0 1 0 0 1 0 0 1 1 of 5 relevant items
    ranks = tied_ranks([(-i, c == "1") for i, c in enumerate("1010010011")], 5)
    assert values(ranks, "MAP") == pytest.approx([0.6222222222] * 3)
    assert values(ranks, "nDCG@10") == pytest.approx([0.8296882916] * 3)
    assert values(ranks, "R@5") == [2 / 5] * 3
    assert values(ranks, "MRR") == [1, 1, 1]


def test_large_groups_of_equal_scores():
    ranks = tied_ranks([(1.0, i < 500) for i in range(20_000)], 500)
    lowest, expected, highest = values(ranks, "MRR")
    assert (lowest, highest) == (1 / 19_501, 1.0)
    chance, total = 500 / 20_000, 0.0
    for place in range(1, 19_502):
        total += chance / place
        chance *= (19_501 - place) / (20_000 - place)
    assert expected == pytest.approx(total)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("F1", "measure 'F1' is unknown: use one of MRR"),
        ("nDCG", "'nDCG' needs a cut-off k, a whole number of 1 or more: such as nDCG@10"),
        ("Hits@0", "'Hits@0' needs a cut-off k"),
        ("P@-1", "'P@-1' needs a cut-off k"),
        ("R@1.5", "needs a cut-off k"),
        ("Hits@" + "9" * 5000, "needs a cut-off k"),
        ("MRR@10", "'MRR@10' has no cut-off: write MRR"),
    ],
)
def test_measures_that_there_are_not(name, message):
    with pytest.raises(EvaluationError, match=message):
        rank_measure(name)


def test_names_in_other_forms():
    names = ("mrr", "MAP", "recall@5", "precision@1", "HITS@3", "ndcg@10")
    assert [rank_measure(name).name for name in names] == [
        *("MRR", "MAP", "R@5", "P@1", "Hits@3", "nDCG@10")
    ]


def test_unknown_tie():
    with pytest.raises(EvaluationError, match="tie 'random' is unknown: use one of average"):
        tied_ranks([], 1).by_tie(MEAN_RANK, "random")
