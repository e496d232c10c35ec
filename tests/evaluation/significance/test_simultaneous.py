"""All pairs resampled together, and intervals that hold together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.comparison.contingency import Incidence, item_ratios
from alignrank.evaluation.corrections.westfall_young import joint_flips, tail_table
from alignrank.evaluation.significance.clustered import clustered_tests, per_unit
from alignrank.evaluation.significance.score_limits import difference_limits
from alignrank.ontologies import Alignment


def found_by(rng: np.random.Generator, systems: int, entities: int) -> Incidence:
    """Two candidates for each entity, the first in the reference."""
    correct = np.tile([True, False], entities)
    chance = np.where(correct, rng.uniform(0.5, 0.95, (systems, 1)), 0.15)
    found = rng.random((systems, 2 * entities)) < chance
    item = np.arange(2 * entities)
    sources = [f"e{k:03}" for k in range(entities)]
    targets = [f"t{k:03}" for k in item]
    columns = (sources, item // 2), (targets, item), (["="], 0 * item)
    return Incidence(tuple("abcdefgh"[:systems]), columns, found, correct, Alignment())


@pytest.mark.parametrize("measure", ["f1", "precision", "recall"])
def test_items_add_up_to_the_scores(measure: str) -> None:
    table = found_by(np.random.default_rng(1), 3, 50)
    numerator, denominator = item_ratios(table, measure)
    expected = [score.to_dict()[measure] for score in table.scores.values()]
    assert numerator.sum(axis=1) / denominator.sum(axis=1) == pytest.approx(expected)
    index = np.arange(50)
    limits = difference_limits(table.systems, numerator, denominator, index, measure=measure)
    assert limits.difference[0, 1] == pytest.approx(expected[0] - expected[1])


@pytest.mark.parametrize("measure", ["share", "f1"])
def test_the_order_of_systems_changes_nothing(measure: str) -> None:
    table = found_by(np.random.default_rng(2), 4, 60)
    parts = item_ratios(table, measure)
    source = np.arange(60) // 3
    result = difference_limits(table.systems, *parts, source, measure=measure)
    turned_parts = (part[::-1] for part in parts)
    turned = difference_limits(table.systems[::-1], *turned_parts, source, measure=measure)
    np.testing.assert_allclose(turned.low[::-1, ::-1], result.low)
    np.testing.assert_allclose(result.low, -result.high.T)


def test_intervals_hold_together() -> None:
    """All intervals hold at once, where the answers of a cluster share their fate."""
    truth = np.linspace(0.7, 0.9, 5)
    difference = truth[:, None] - truth
    upper = np.triu_indices(5, 1)
    rng = np.random.default_rng(5)
    source = np.repeat(np.arange(150), rng.geometric(0.5, 150))
    named = np.ones((5, len(source)))
    hold = []
    for _ in range(120):
        right = (rng.random((5, 150)) < truth[:, None])[:, source].astype(float)
        result = difference_limits("abcde", right, named, source)
        hold.append(((result.low <= difference) & (difference <= result.high))[upper].all())
    assert np.mean(hold) >= 0.9


def test_those_of_one_system_are_narrower() -> None:
    table = found_by(np.random.default_rng(2), 5, 60)
    parts = item_ratios(table, "f1")
    every, of_a = (
        difference_limits(table.systems, *parts, np.arange(60), measure="f1", focus=focus)
        for focus in (None, "a")
    )
    assert (of_a.high - of_a.low)[0, 1] < (every.high - every.low)[0, 1]
    np.testing.assert_allclose(of_a.difference, every.difference)


def test_a_system_that_names_nothing_has_no_precision() -> None:
    table = found_by(np.random.default_rng(1), 2, 5)
    silent = replace(table, found=np.zeros_like(table.found))
    parts = item_ratios(silent, "precision")
    with pytest.raises(EvaluationError, match="a system has no precision"):
        difference_limits(silent.systems, *parts, np.arange(5), measure="precision")


answers = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.booleans(), min_size=n, max_size=n), st.integers(0, 5)),
        min_size=1,
        max_size=8,
    )
)


def laid_out(items: list[tuple[list[bool], int]]) -> tuple[np.ndarray, np.ndarray]:
    right = np.array([row for row, _ in items]).T
    return right, np.unique([cluster for _, cluster in items], return_inverse=True)[1]


@given(answers)
def test_tails_are_those_of_all_signs(items: list[tuple[list[bool], int]]) -> None:
    right, cluster = laid_out(items)
    flips = joint_flips(per_unit(right, cluster))
    clusters = int(cluster.max()) + 1
    signs = np.array(list(product((1, -1), repeat=clusters)))
    counts = np.stack([np.bincount(cluster, row, clusters) for row in right])
    for i, j in combinations(range(len(right)), 2):
        every = np.abs(signs @ (counts[i] - counts[j]))
        assert flips.p[i, j] == pytest.approx((every >= every[0]).mean())
        tail = [(every >= value).mean() for value in every]
        assert sorted(set(flips.tail(i, j).round(9))) == sorted(set(np.round(tail, 9)))
    differ = (counts != counts[0]).any(axis=0)  # every choice of their signs is taken once
    assert flips.sums.shape[1] == 2 ** differ.sum()


def test_p_is_that_of_the_sign_flip_test_by_clusters() -> None:
    rng = np.random.default_rng(3)
    right = rng.random((5, 400)) < np.linspace(0.6, 0.9, 5)[:, None]
    cluster = np.unique(rng.integers(0, 90, 400), return_inverse=True)[1]
    flips = joint_flips(per_unit(right, cluster), flips=2000)
    expected = clustered_tests(right, cluster)["sign-flip"].p
    np.testing.assert_allclose(flips.p, expected, rtol=1e-9)
    assert flips.sums.shape == (5, 2001)  # the observed signs, and random ones
    upper = np.triu_indices(5, 1)
    for i, j in zip(*upper, strict=True):  # a p-value that is uniform as it should be
        assert (flips.tail(i, j)[1:] <= 0.05).mean() == pytest.approx(0.05, abs=0.02)


def test_a_table_of_many_equal_clusters_is_the_binomial() -> None:
    table = tail_table(np.array([0, 0, 1500]))
    assert table[2 * 300] == pytest.approx(1.06e-14, rel=0.1)  # 2 P(Bin(1500, ½) ≥ 900)
    assert table[0] == 1
    assert (np.diff(table) <= 0).all()


def test_bad_input_to_joint_resampling_is_refused() -> None:
    with pytest.raises(EvaluationError, match="no item"):
        joint_flips(np.empty((2, 0), dtype=np.int64))
    with pytest.raises(EvaluationError, match="flips is 0"):
        joint_flips(np.ones((2, 1), dtype=np.int64), flips=0)
