"""Effect sizes over many tasks and their intervals."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation.multitask import effects, signed_rank
from alignrank.evaluation.multitask.pair_tests import _noncentrality, _walsh_cut, walsh_means


@pytest.mark.parametrize("delta", [0.0, 0.7, 3.0, -2.0])
@pytest.mark.parametrize("df", [2, 9, 29])
def test_noncentrality_inverts_scipys_noncentral_t(df, delta):
    for chance in (0.025, 0.5, 0.975):
        t = float(stats.nct.ppf(chance, df, delta))
        assert _noncentrality(t, df, chance) == pytest.approx(delta, abs=2e-3)


def test_noncentrality_holds_out_where_differences_hardly_vary():
    x = np.linspace(0.2, 0.9, 9)
    estimate = effects(x, x - 0.1 - 1e-7 * np.arange(9)).cohen_dz
    assert 0 < estimate.low < estimate.value < estimate.high < math.inf


def test_hodges_lehmann_interval_is_the_signed_rank_tests():
    """The ends are where the exact test of the shifted differences stops rejecting."""
    rng = np.random.default_rng(3)
    d = rng.normal(0.5, 1, 12)
    estimate = effects(d, np.zeros(12)).hodges_lehmann
    assert estimate.value == pytest.approx(
        np.median([(a + b) / 2 for i, a in enumerate(d) for b in d[i:]])
    )
    for inside, outside in ((estimate.low + 1e-6, estimate.low - 1e-6),
                            (estimate.high - 1e-6, estimate.high + 1e-6)):  # fmt: skip
        assert signed_rank(d, np.full(12, inside)).p > 0.05
        assert signed_rank(d, np.full(12, outside)).p <= 0.05


def test_hodges_lehmann_admits_that_five_tasks_allow_no_interval():
    estimate = effects([0.5, 0.6, 0.7, 0.8, 0.9], [0.1, 0.1, 0.2, 0.2, 0.2]).hodges_lehmann
    assert (estimate.low, estimate.high) == (-math.inf, math.inf)
    assert _walsh_cut(5, 0.025) == -1
    assert _walsh_cut(6, 0.025) == 0
    assert abs(_walsh_cut(101, 0.025) - _walsh_cut(100, 0.025)) < 60


def test_effect_sizes_by_hand():
    x, y = np.array([3.0, 4.0, 8.0, 1.0]), np.array([1.0, 3.0, 5.0, 5.0])
    result = effects(x, y)
    # differences 2, 1, 3, −4: ranks 2, 1, 3, 4
    assert result.rank_biserial.value == (6 - 4) / 10
    assert result.cohen_dz.value == pytest.approx(0.5 / np.std([2, 1, 3, -4], ddof=1))
    above = sum(a > b for a in x for b in y)
    below = sum(a < b for a in x for b in y)
    assert result.cliff_delta.value == (above - below) / 16


def test_rank_biserial_interval_covers_near_its_level():
    """Seeded: 12 tasks, systems far apart, where intervals by Fisher's z cover 76 %."""
    rng = np.random.default_rng(0)
    # d ~ N(1.1, 1): P(d1 + d2 > 0) = Φ(1.1 √2)
    truth = 2 * stats.norm.cdf(1.1 * math.sqrt(2)) - 1
    hits = 0
    for _ in range(300):
        estimate = effects(rng.normal(1.1, 1, 12), np.zeros(12)).rank_biserial
        hits += estimate.low <= truth <= estimate.high
    assert 0.93 <= hits / 300 <= 1


#: Tenths, so that differences, means and comparisons tie.
TENTHS = st.lists(st.integers(-9, 9).map(lambda k: k / 10), min_size=2, max_size=15)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(d=TENTHS)
def test_walsh_means_are_the_sorted_means_of_all_pairs(d, monkeypatch):
    means = sorted((a + b) / 2 for i, a in enumerate(d) for b in d[i:])
    ascending = np.sort(np.array(d))
    for few in (3, 50_000):
        monkeypatch.setattr(sys.modules[walsh_means.__module__], "_FEW_MEANS", few)
        assert walsh_means(ascending, range(len(means))) == means


@given(x=TENTHS, y=TENTHS)
def test_cliffs_delta_compares_every_two_scores(x, y):
    x, y = x[: len(y)], y[: len(x)]
    dominance = np.array([[np.sign(round(10 * (a - b))) for b in y] for a in x])
    delta = effects(x, y).cliff_delta
    assert delta.value == dominance.mean()
    influence = dominance.mean(axis=0) + dominance.mean(axis=1)
    spread = 1 - delta.value**2
    variance = max(influence.var(ddof=1) / len(x) / spread if spread else 0, 1 / (2 * len(x)))
    c = stats.norm.ppf(0.975) ** 2 * variance
    assert delta.low == pytest.approx((delta.value - math.sqrt(c * c + c * spread)) / (1 + c))


def test_ten_thousand_tasks_have_their_interval():
    rng = np.random.default_rng(0)
    x = rng.normal(size=10_000)
    estimate = effects(x + 0.1, x + rng.normal(size=10_000)).hodges_lehmann
    assert estimate.low < 0.1 < estimate.high
