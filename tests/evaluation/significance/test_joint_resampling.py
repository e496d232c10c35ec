"""Joint flips of clusters: exact tails, all signs where there are few, sums that fit together."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import EvaluationError
from evaluation.significance.clustered import clustered_tests, per_unit
from evaluation.significance.joint_resampling import joint_flips, tail_table

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
    assert flips.exhaustive


def test_p_is_that_of_the_sign_flip_test_by_clusters() -> None:
    rng = np.random.default_rng(3)
    right = rng.random((5, 400)) < np.linspace(0.6, 0.9, 5)[:, None]
    cluster = np.unique(rng.integers(0, 90, 400), return_inverse=True)[1]
    flips = joint_flips(per_unit(right, cluster), flips=2000)
    expected = clustered_tests(right, cluster).tests["sign-flip"].p
    np.testing.assert_allclose(flips.p, expected, rtol=1e-9)
    assert not flips.exhaustive
    assert flips.sums.shape == (5, 2001)
    upper = np.triu_indices(5, 1)
    for i, j in zip(*upper, strict=True):  # a p-value that is uniform as it should be
        assert (flips.tail(i, j)[1:] <= 0.05).mean() == pytest.approx(0.05, abs=0.02)


def test_a_table_of_many_equal_clusters_is_the_binomial() -> None:
    table = tail_table(np.array([0, 0, 1500]))
    assert table[2 * 300] == pytest.approx(1.06e-14, rel=0.1)  # 2 P(Bin(1500, ½) ≥ 900)
    assert table[0] == 1
    assert (np.diff(table) <= 0).all()


def test_bad_input_is_refused() -> None:
    with pytest.raises(EvaluationError, match="no item"):
        joint_flips(np.empty((2, 0), dtype=np.int64))
    with pytest.raises(EvaluationError, match="flips is 0"):
        joint_flips(np.ones((2, 1), dtype=np.int64), flips=0)
