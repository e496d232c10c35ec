"""Every pair over many tasks: published p-values, the null distribution."""

from __future__ import annotations

import json
import math
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import wilcoxon

from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.multitask import (
    aligned_ranks,
    paired_t,
    posthoc,
    quade_ranks,
    sign_test,
    signed_rank,
    task_ranks,
)
from alignrank.evaluation.multitask.posthoc import mean_rank_z
from tests.evaluation.multitask.tables import tables
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "multitask.json").read_text())


@pytest.mark.parametrize("seed", range(5))
def test_signed_rank_normal_is_scipys_approximation_with_zeros_and_ties(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 6, (9, 3)) / 8  # ties and zeros abound
    p = posthoc(scores, "signed-rank-normal").p
    for i, j in combinations(range(3), 2):
        expected = wilcoxon(
            scores[:, i],
            scores[:, j],
            zero_method="wilcox",
            method="approx",
            correction=False,
        )
        assert p[i, j] == p[j, i] == pytest.approx(expected.pvalue, rel=1e-9)
    assert (p != posthoc(scores, "signed-rank").p).any()


@pytest.mark.parametrize(
    ("column", "correction", "monotone"),
    [
        (3, "nemenyi", False),
        (4, "holm", False),
        (5, "shaffer", False),
        (6, "bergmann-hommel", False),
        (7, "bergmann-hommel", True),
    ],
)
def test_garcia_herrera_ten_p_values_under_four_corrections(gh2008, column, correction, monotone):
    result = posthoc(gh2008.scores, "friedman")
    adjusted = adjust(result.p, correction, monotone=monotone)
    for first, second, *published in GOLDEN["garcia-herrera-2008"]["pairs"]:
        i, j = gh2008.systems.index(first), gh2008.systems.index(second)
        assert result.p[i, j] == pytest.approx(published[0], rel=6e-3)
        assert adjusted.values[i, j] == pytest.approx(published[column - 2], rel=6e-3)


def test_garcia_herrera_rejections_at_5_percent(gh2008):
    adjusted = adjust(posthoc(gh2008.scores, "friedman").p, "bergmann-hommel").values
    kept = {
        (gh2008.systems[i], gh2008.systems[j])
        for i, j in combinations(range(5), 2)
        if adjusted[i, j] > 0.05
    }
    assert kept == {("C4.5", "NaiveBayes"), ("k-NN(k=1)", "CN2")}


@given(table=tables)
@examples(30)
def test_two_systems_posthoc_tests_are_the_tests_of_two(table):
    for name, test in (("signed-rank", signed_rank), ("paired-t", paired_t), ("sign", sign_test)):
        result = posthoc(table, name)
        for i, j in combinations(range(table.shape[1]), 2):
            assert result.p[i, j] == result.p[j, i] == test(table[:, i], table[:, j]).p
        assert np.array_equal(result.lead, -result.lead.T)


@pytest.mark.parametrize("ranks", [task_ranks, aligned_ranks, quade_ranks])
def test_mean_rank_z_has_the_variance_of_shuffling(ranks):
    """Oracle: all 6³ ways to hand out three tasks' ranks to three systems.

    The formula √(k(N+1)/6) that is in print for aligned ranks is not that variance, nor is
    k(k+1)(2N+1)(k−1)/(18N(N+1)) for Quade with more than three systems.
    """
    table = np.array([[0.9, 0.5, 0.4], [0.2, 0.3, 0.8], [0.1, 0.1, 0.7]])
    given_ranks = ranks(table)
    gaps = [
        (sum(row[0] for row in choice) - sum(row[1] for row in choice)) / 3
        for choice in product(*(list(permutations(row)) for row in given_ranks.tolist()))
    ]
    assert np.mean(gaps) == pytest.approx(0)
    means = given_ranks.mean(axis=0)
    z = mean_rank_z(given_ranks)
    assert z[0, 1] == pytest.approx((means[1] - means[0]) / np.std(gaps))
    if ranks is aligned_ranks:
        assert np.std(gaps) > 1.5 * math.sqrt(3 * (3 + 1) / 6)


def test_mean_rank_tests_hold_their_level_under_the_null():
    """Seeded: 2,000 tables of 5 equal systems × 20 tasks; the standard error is about .003."""
    rng = np.random.default_rng(5)
    for test in ("friedman", "aligned-ranks", "quade"):
        below = [
            posthoc(rng.normal(size=(20, 5)) + rng.normal(size=(20, 1)), test).p[0, 1] <= 0.05
            for _ in range(2000)
        ]
        assert np.mean(below) == pytest.approx(0.05, abs=0.017), test
