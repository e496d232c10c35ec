"""Limits of differences that rest on few items."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize, stats

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.significance.score_limits import (
    difference_limits,
    discordance,
    one_sided_p,
    one_sided_z,
    score_z,
    tango_limits,
)
from tests.evaluation.significance.net_correct import net_correct

COUNT = st.integers(0, 60)


@given(COUNT, COUNT, st.integers(1, 60), st.floats(-0.8, 0.8))
def test_score_statistic_maximises_the_likelihood(b: int, c: int, both: int, share: float) -> None:
    n = b + c + both

    def loss(q: float) -> float:
        """Minus the log-likelihood with expected shares q + share, q and the rest."""
        cells = ((b, q + share), (c, q), (both, 1 - 2 * q - share))
        return -sum(k * math.log(max(p, 1e-300)) for k, p in cells if k)

    low, high = max(0.0, -share), (1 - share) / 2
    q = optimize.minimize_scalar(loss, bounds=(low, high), options={"xatol": 1e-12}).x
    variance = n * (2 * q + share - share**2)
    assume(variance > 1e-3)
    z = (b - c - n * share) / math.sqrt(variance)
    assert float(score_z(b, c, n * share, n)) == pytest.approx(z, rel=1e-4, abs=1e-4)


@given(COUNT, COUNT)
def test_score_statistic_at_zero_is_mcnemars(b: int, c: int) -> None:
    assume(b + c > 0)
    expected = (b - c) / math.sqrt(b + c)
    for items in (b + c, 500.0, math.inf):
        assert float(score_z(b, c, 0, items)) == pytest.approx(expected)


@given(COUNT, COUNT, st.integers(0, 300), st.sampled_from([0.9, 0.95, 0.99]))
def test_interval_inverts_the_statistic(b: int, c: int, concordant: int, level: float) -> None:
    items = max(b + c + concordant, 1)
    z = stats.norm.ppf(0.5 + level / 2)
    for n in (items, math.inf):
        low, high = (float(x) for x in tango_limits(b, c, n, z=z))
        assert -n <= low <= b - c <= high <= n
        for limit, expected in ((low, z), (high, -z)):
            if abs(limit) < n * (1 - 1e-9) and n > b + c:
                assert float(score_z(b, c, limit, n)) == pytest.approx(expected, abs=1e-6)


def test_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    for p10, p01, n in ((0.1, 0.05, 200), (0.3, 0.3, 60), (0.02, 0.0, 150)):
        b, c, _ = rng.multinomial(n, [p10, p01, 1 - p10 - p01], 4000).T
        low, high = tango_limits(b, c, n, z=1.96)
        truth = n * (p10 - p01)
        covered = np.mean((low <= truth) & (truth <= high))
        assert 0.93 < covered < 0.98


@given(st.floats(1e-6, 0.4))
def test_one_sided_p_inverts_its_quantile(alpha: float) -> None:
    assert float(one_sided_p(one_sided_z(alpha))) == pytest.approx(alpha, rel=1e-6)


def parts_of(measure: str, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    correct = (rng.random((2, n)) < 0.7).astype(float)
    found = correct + (rng.random((2, n)) < 0.3)
    ones = np.ones((2, n))
    return {
        "share": (correct, ones),
        "recall": (correct, ones),
        "precision": (correct, found),
        "f1": (2 * correct, found + ones),
    }[measure]


@given(st.integers(0, 10_000), st.sampled_from(["share", "recall", "precision", "f1"]))
def test_units_add_up_to_the_difference(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    a, b = parts_of(measure, rng, 25)
    source = rng.integers(0, 9, 25)
    counts = discordance(a, b, source, measure=measure)
    values = a.sum(axis=1) / b.sum(axis=1)
    net = (counts.b - counts.b.T) * counts.unit
    assert net[0, 1] == pytest.approx(values[0] - values[1], abs=1e-12)
    low, high = counts.limits(0.05)
    assert low[0, 1] < values[0] - values[1] < high[0, 1]
    assert low[0, 1] == pytest.approx(-high[1, 0])


@given(st.integers(0, 10_000), st.sampled_from(["share", "f1"]))
def test_design_effect_by_its_definition(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    a, b = parts_of(measure, rng, 24)
    source, target = rng.integers(0, 9, 24), rng.integers(0, 5, 24)
    counts = discordance(a, b, source, [target], measure=measure)
    value = (a.sum(axis=1) / b.sum(axis=1)).mean()
    d = (a[0] - a[1] - value * (b[0] - b[1])) / b.sum(axis=1).mean()
    y = d / counts.unit[0, 1]

    def v(*labels: np.ndarray) -> float:
        keys = np.unique(np.stack(labels), axis=1, return_inverse=True)[1].reshape(-1)
        return float((np.bincount(keys, y - y.mean()) ** 2).sum())

    def left(labels: np.ndarray) -> tuple[float, float]:
        w = np.unique(labels, return_counts=True)[1] / 24
        squares = (w**2).sum()
        return 1 - 2 * (w**3).sum() / squares + squares, 1 / squares

    (of_source, groups), (of_target, target_groups) = left(source), left(target)
    spread = v(source) / of_source + max(0, v(target) - v(source, target)) / of_target
    degrees = max(min(groups, target_groups) - 1, 1)
    f = max(1, stats.t.ppf(0.99, degrees) / stats.norm.ppf(0.99)) ** 2
    g = (counts.mistake[0, 1] / counts.unit[0, 1]) ** 2
    expected = max(1, (spread * f + g) / (float(y @ y) + g))
    assert counts.design_effect(0.01)[0, 1] == pytest.approx(expected)


def test_identical_answers_have_no_interval_of_width_0() -> None:
    right = np.ones((2, 30))
    alone = discordance(right, np.ones((2, 30)), np.arange(30))
    assert alone.identical.all()
    assert alone.loss_on_other_items(0.05)[0, 1] == pytest.approx(0.09986, abs=1e-5)
    low, high = alone.limits(0.05)
    assert low[0, 1] < -0.09
    assert high[0, 1] == -low[0, 1]
    together = discordance(right, np.ones((2, 30)), np.repeat(np.arange(10), 3))
    assert together.loss_on_other_items(0.05)[0, 1] == pytest.approx(0.09986, abs=1e-4)


def test_a_third_system_does_not_change_the_net_difference() -> None:
    new = np.array([1] * 70 + [0] * 30, dtype=bool)
    old = np.array([1] * 60 + [0] * 40, dtype=bool)
    alone = net_correct(np.array([new, old]), 100, np.arange(100))
    more = np.zeros(1400, dtype=bool)  # entities that only a third system names
    three = np.array([np.append(new, ~more), np.append(old, ~more), np.append(~old, more)])
    beside = net_correct(three, 100, np.arange(1500))
    for limits, beside_limits in zip(alone.limits(0.025), beside.limits(0.025), strict=True):
        assert limits[0, 1] == pytest.approx(beside_limits[0, 1])
    low, high = (float(limits[0, 1]) for limits in alone.limits(0.025))
    assert 0.04 < low < 0.1 < high < 0.2


@pytest.mark.parametrize("clustered", [1, 4])
def test_equivalence_is_that_of_the_limits(clustered: int) -> None:
    rng = np.random.default_rng(3)
    right = rng.random((3, 400)) < 0.9
    right[1] = right[0] ^ (rng.random(400) < 0.01)
    counts = net_correct(right, 400, np.arange(400) // clustered, [np.arange(400) % 8])
    for margin in (0.02, 0.03, 0.05, 0.1):
        p = counts.equivalence_p(margin)
        low, high = counts.limits(0.05)
        inside = (low > -margin) & (high < margin)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            assert (p[i, j] <= 0.05) == inside[i, j]
    for margin in (0.0, math.inf):
        with pytest.raises(EvaluationError, match=f"margin is {margin}"):
            counts.equivalence_p(margin)


def test_near_copies_are_covered() -> None:
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(200):
        right = np.repeat(rng.random((1, 120)) < 0.8, 4, axis=0)
        right ^= rng.random((4, 120)) < 0.005
        limits = difference_limits("abcd", right * 1.0, np.ones((4, 120)), np.arange(120))
        pairs = np.triu_indices(4, 1)
        covered += bool((limits.low[pairs] <= 0).all() and (limits.high[pairs] >= 0).all())
    assert covered >= 190


def test_the_limits_need_a_value_and_a_known_measure() -> None:
    ones = np.ones((2, 4))
    with pytest.raises(EvaluationError, match="no precision"):
        discordance(
            ones, np.array([[1, 1, 1, 1], [0, 0, 0, 0.0]]), np.arange(4), measure="precision"
        )
    with pytest.raises(EvaluationError, match="measure"):
        discordance(ones, ones, np.arange(4), measure="accuracy")
    with pytest.raises(EvaluationError, match="reference is 0"):
        net_correct(ones, 0, np.arange(4))
