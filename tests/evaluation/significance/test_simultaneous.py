"""Intervals that hold together, against the refit of every flip by its definition."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.comparison.contingency import Incidence
from alignrank.evaluation.significance.clustered import (
    cluster_index,
    clustered_tests,
    design_effects,
    per_unit,
)
from alignrank.evaluation.significance.mcnemar import off_diagonal
from alignrank.evaluation.significance.randomisation import random_signs
from alignrank.evaluation.significance.simultaneous import (
    Simultaneous,
    joint_flips,
    ratio_design_effects,
    ratio_differences,
    tail_table,
)
from alignrank.evaluation.uncertainty.gate import RATIOS, item_ratios
from tests.generated import examples


def found_by(rng: np.random.Generator, systems: int, entities: int) -> Incidence:
    """Two candidates for each entity, the first in the reference."""
    correct = np.tile([True, False], entities)
    chance = np.where(correct, rng.uniform(0.5, 0.95, (systems, 1)), 0.15)
    found = rng.random((systems, 2 * entities)) < chance
    items = tuple((f"e{k // 2}", f"t{k}", "=") for k in range(2 * entities))
    return Incidence(tuple("abcdefgh"[:systems]), items, found, correct)


def cluster_ratios(
    tables: list[Incidence], measure: str, clusters: dict[str, str] | None
) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of one task, each (systems, clusters)."""
    index = cluster_index(tables[0].entities(0)[0], clusters)
    numerator, denominator = item_ratios(tables, measure)
    return tuple(np.stack([np.bincount(index, row) for row in x]) for x in (numerator, denominator))


def simultaneous(
    table: Incidence, measure: str = "share", clusters: dict[str, str] | None = None
) -> Simultaneous:
    """The intervals of all pairs, from few flips."""
    sums = cluster_ratios([table], measure, clusters)
    return ratio_differences(table.systems, *sums, measure=measure, flips=50)


def refitted(numerator: np.ndarray, denominator: np.ndarray, flips: int, seed: int) -> np.ndarray:
    """The largest studentised difference of each flip, one flip and pair at a time."""
    n, clusters = numerator.shape
    total = denominator.sum(axis=1, keepdims=True)
    value = numerator.sum(axis=1, keepdims=True) / total
    psi, h = (numerator - value * denominator) / total, denominator / total
    largest = []
    for signs in random_signs(np.random.default_rng(seed), flips, clusters):
        star = signs * psi - h * (signs * psi).sum(axis=1, keepdims=True)
        ratios = [0.0]
        for s in range(n):
            for t in range(s):
                error = np.sqrt(((star[s] - star[t]) ** 2).sum())
                if error > 0:
                    ratios.append(abs((signs * (psi[s] - psi[t])).sum()) / error)
        largest.append(max(ratios))
    return np.array(largest)


@examples(30)
@given(st.integers(0, 10_000), st.sampled_from(RATIOS), st.integers(2, 4))
def test_the_quantile_is_that_of_the_refitted_flips(seed: int, measure: str, systems: int) -> None:
    rng = np.random.default_rng(seed)
    table = found_by(rng, systems, 40)
    clusters = {f"e{k}": f"c{k // 3}" for k in range(30)}
    a, b = cluster_ratios([table], measure, clusters)
    assert a.shape == (systems, 20)
    result = ratio_differences(table.systems, a, b, measure=measure, flips=200, seed=4)
    expected = np.quantile(refitted(a, b, 200, 4), 0.95, method="higher")
    assert result.quantile == pytest.approx(expected)
    left_out = np.array(
        [np.delete(part, k, axis=1).sum(axis=1) for part in (a, b) for k in range(20)]
    )
    without = left_out[:20] / left_out[20:] - result.values
    errors = np.sqrt(((without[:, :, None] - without[:, None]) ** 2).sum(axis=0))
    assert off_diagonal(errors) == pytest.approx(result.standard_error, nan_ok=True)


def test_a_cluster_that_is_all_that_a_system_has_leaves_the_others_their_intervals() -> None:
    a, b = (
        np.array([[4.0, 0, 0], [3, 1, 2], [1, 1, 3]]),
        np.array([[5.0, 0, 0], [4, 3, 3], [2, 2, 4]]),
    )
    result = ratio_differences(("one", "two", "three"), a, b, measure="f1", flips=50)
    assert np.isfinite(off_diagonal(result.high - result.low)[~np.eye(3, dtype=bool)]).all()


def test_values_are_those_of_the_scores() -> None:
    table = found_by(np.random.default_rng(1), 3, 50)
    for measure in ("f1", "precision", "recall"):
        result = simultaneous(table, measure)
        expected = [score.to_dict()[measure] for score in table.scores.values()]
        assert result.values == pytest.approx(expected)
    assert simultaneous(table).clusters == 50


def test_the_order_of_systems_changes_nothing() -> None:
    table = found_by(np.random.default_rng(2), 4, 60)
    a, b = cluster_ratios([table], "f1", None)
    turned = ratio_differences(table.systems[::-1], a[::-1], b[::-1], measure="f1", flips=300)
    result = ratio_differences(table.systems, a, b, measure="f1", flips=300)
    assert turned.quantile == pytest.approx(result.quantile)
    np.testing.assert_allclose(turned.low[::-1, ::-1], result.low)
    np.testing.assert_allclose(result.low, -result.high.T)


def test_equal_systems_differ_by_nothing() -> None:
    table = found_by(np.random.default_rng(3), 1, 50)
    both = Incidence(("a", "b"), table.items, np.repeat(table.found, 2, axis=0), table.correct)
    result = simultaneous(both, "f1")
    assert (result.low[0, 1], result.high[0, 1]) == (0, 0)


def covered(runs: int, systems: int, clusters: int) -> float:
    """Share of runs in which all intervals hold; answers shared by clusters."""
    truth = np.linspace(0.7, 0.9, systems)
    rng = np.random.default_rng(5)
    sizes = rng.geometric(0.5, clusters)
    mean = truth
    hits = 0
    for _ in range(runs):
        fate = rng.random((systems, clusters)) < truth[:, None]
        denominator = np.tile(sizes.astype(float), (systems, 1))
        names = [str(s) for s in range(systems)]
        result: Simultaneous = ratio_differences(
            names, fate * denominator, denominator, measure="share", flips=400
        )
        difference = mean[:, None] - mean[None, :]
        upper = np.triu_indices(systems, 1)
        hits += bool(((result.low <= difference) & (difference <= result.high))[upper].all())
    return hits / runs


def test_intervals_hold_together() -> None:
    assert covered(runs=120, systems=5, clusters=150) >= 0.9


def test_those_of_one_system_are_narrower() -> None:
    table = found_by(np.random.default_rng(2), 5, 60)
    sums = cluster_ratios([table], "f1", None)
    every, of_a = (
        ratio_differences(table.systems, *sums, measure="f1", focus=one, flips=300)
        for one in (None, "a")
    )
    assert of_a.quantile < every.quantile
    np.testing.assert_allclose(of_a.difference, every.difference)


def test_bad_input_is_refused() -> None:
    table = found_by(np.random.default_rng(1), 2, 5)
    with pytest.raises(EvaluationError, match="two clusters"):
        simultaneous(table, clusters={f"e{k}": "all" for k in range(5)})
    silent = Incidence(("a", "b"), table.items, np.zeros_like(table.found), table.correct)
    with pytest.raises(EvaluationError, match="a has no precision"):
        simultaneous(silent, "precision")


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


def test_bad_input_to_joint_resampling_is_refused() -> None:
    with pytest.raises(EvaluationError, match="no item"):
        joint_flips(np.empty((2, 0), dtype=np.int64))
    with pytest.raises(EvaluationError, match="flips is 0"):
        joint_flips(np.ones((2, 1), dtype=np.int64), flips=0)


@given(st.integers(0, 2**32 - 1), st.integers(3, 12))
def test_the_design_effect_of_a_share_is_that_of_decisions(seed: int, clusters: int) -> None:
    rng = np.random.default_rng(seed)
    unit = np.sort(rng.integers(0, clusters, 60))
    unit = np.unique(unit, return_inverse=True)[1]
    right = rng.random((3, 60)) < rng.random((3, 1))
    sizes = np.bincount(unit).astype(np.float64)
    by_cluster = np.array([np.bincount(unit, row, len(sizes)) for row in right])
    found = ratio_design_effects(
        (right.astype(np.float64), np.ones((3, 60))), (by_cluster, np.tile(sizes, (3, 1)))
    )
    expected = design_effects(right, unit) * 59 / 60  # there the items have no such factor
    upper = np.triu_indices(3, 1)
    np.testing.assert_allclose(found[upper], expected[upper], rtol=1e-9)
