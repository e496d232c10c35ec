"""The false-positive study: its parts do what they say."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.significance.mcnemar import mcnemar
from simulation import (
    ANATOMY,
    DESIGNS,
    FAMILY_CORRECTIONS,
    SETTINGS,
    TRUTHS,
    Setting,
    coverage,
    discordant_counts,
    error_of_measure,
    error_of_runs,
    error_rates,
    errors_of_shared_ontologies,
    rejection_rates,
    right_answers,
    unconditional_p,
)


def test_unconditional_p_is_its_definition():
    """Oracle: every table of nine items, one by one, at each share of discordant items."""
    items = 9
    tables = [(b, c) for b in range(items + 1) for c in range(items + 1 - b)]

    def statistic(b: int, c: int) -> float:
        return abs(b - c) / (b + c) ** 0.5 if b + c else 0.0

    def chance(b: int, c: int, psi: float) -> float:
        ways = comb(items, b + c) * comb(b + c, b)
        return ways * (psi / 2) ** (b + c) * (1 - psi) ** (items - b - c)

    found = unconditional_p(items)
    for b, c in [(0, 0), (1, 0), (3, 3), (1, 5), (0, 9), (2, 7)]:
        extreme = [t for t in tables if statistic(*t) >= statistic(b, c) - 1e-9]
        largest = max(
            sum(chance(*table, psi) for table in extreme) for psi in np.linspace(0, 1, 1001)
        )
        assert found[b, c] == pytest.approx(min(largest, 1), abs=1e-9)
    assert np.isnan(found[5, 5])
    assert found[3, 3] == found[0, 0] == 1


def test_rejection_rates_are_the_sums_over_tables():
    rates = rejection_rates(12, np.array([0.4]), odds=3.0)
    p = mcnemar(*np.indices((13, 13)), "mid-p").p
    expected = sum(
        comb(12, b + c) * comb(b + c, b) * 0.3**b * 0.1**c * 0.6 ** (12 - b - c)
        for b, c in product(range(13), repeat=2)
        if b + c <= 12 and p[b, c] <= 0.05
    )
    assert rates.rates[rates.tests.index("mid-p"), 0] == pytest.approx(expected)


def test_exact_tests_hold_their_level_and_the_asymptotic_one_does_not():
    rates = rejection_rates(60, np.linspace(0.05, 0.95, 19))
    largest = dict(zip(rates.tests, rates.rates.max(axis=1), strict=True))
    assert largest["exact"] <= 0.05
    assert largest["unconditional"] <= 0.05
    assert largest["asymptotic"] > 0.05


def test_finner_does_not_control_the_family_wise_error():
    """Three independent hypotheses, one false with p = 0: a true one falls with 6.6 %."""
    threshold = 1 - 0.95 ** (2 / 3)
    assert adjust([0.0, threshold * 0.9999, 0.9], "finner").values[1] < 0.05
    assert adjust([0.0, threshold * 1.0001, 0.9], "finner").values[1] > 0.05
    assert 1 - (1 - threshold) ** 2 == pytest.approx(0.0661, abs=1e-4)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_accuracies_are_as_asked_and_runs_are_seeded(setting):
    rng = np.random.default_rng(1)
    right = right_answers(setting, TRUTHS["wide"], 1000, 60, rng)
    found = right.mean(axis=(0, 2))
    # wrong items of the reference cost a right answer, and give back some wrong ones
    assert found == pytest.approx(TRUTHS["wide"], abs=0.02)
    again = right_answers(setting, TRUTHS["wide"], 1000, 60, np.random.default_rng(1))
    assert np.array_equal(right, again)


def test_a_wrong_reference_sees_one_item_in_a_hundred_otherwise():
    truth = right_answers(Setting("right"), TRUTHS["equal"], 1000, 5, np.random.default_rng(3))
    for copied in (False, True):
        setting = Setting("wrong", reference_errors=0.01, copied=copied)
        seen = right_answers(setting, TRUTHS["equal"], 1000, 5, np.random.default_rng(3))
        changed = seen != truth
        assert (changed.any(axis=1).sum(axis=1) <= 10).all()
        assert changed.any()
        first = changed[:, 0].sum(axis=1)
        if copied:
            assert (first == 10).all()
            assert (seen[:, 0] >= truth[:, 0]).all()
        else:
            assert (first < 10).any()


def test_discordant_counts_are_counts():
    right = np.random.default_rng(0).random((2, 3, 50)) < 0.6
    b = discordant_counts(right)
    for run, i, j in product(range(2), range(3), range(3)):
        assert b[run, i, j] == (right[run, i] & ~right[run, j]).sum()


def design_effect(setting: Setting, runs: int = 400, items: int = 1000, seed: int = 1) -> float:
    """The variance of b − c over b + c, which it would be if items were independent."""
    rng = np.random.default_rng(seed)
    b = discordant_counts(right_answers(setting, TRUTHS["equal"], items, runs, rng))
    gaps = (b - b.transpose(0, 2, 1)).astype(np.float64)
    totals = (b + b.transpose(0, 2, 1)).astype(np.float64)
    upper = np.triu_indices(b.shape[1], 1)
    return float((gaps[:, upper[0], upper[1]] ** 2).mean() / totals[:, upper[0], upper[1]].mean())


def test_only_clusters_have_a_design_effect():
    effects = {s.name: design_effect(s, runs=150, items=500) for s in SETTINGS}
    assert effects["independent items"] == pytest.approx(1, abs=0.12)
    assert effects["matchers of two families"] == pytest.approx(1, abs=0.12)
    assert effects["clustered items"] == pytest.approx(2.7, abs=0.4)


def test_error_rates_tell_the_settings_apart():
    methods = tuple(("mid-p", correction) for correction in FAMILY_CORRECTIONS)
    few = {"runs": 150, "items": 500, "methods": methods}
    clean = {r.correction: r for r in error_rates(SETTINGS[0], "equal", **few)}
    clustered = {r.correction: r for r in error_rates(SETTINGS[2], "equal", **few)}
    tiers = {r.correction: r for r in error_rates(SETTINGS[0], "wide", **few)}
    assert clean["none"].family_wise > 0.4
    assert clean["holm"].family_wise < 0.12 < clustered["holm"].family_wise
    assert clean["holm"].wrong_direction == 0
    assert np.isnan(clean["holm"].found)
    assert tiers["finner"].family_wise > tiers["bergmann-hommel"].family_wise
    assert tiers["nemenyi"].found <= tiers["shaffer"].found <= tiers["bergmann-hommel"].found
    assert list(error_rates(SETTINGS[0], "wide", **few)) == list(tiers.values())


def test_tests_that_know_the_clusters_hold_their_level():
    methods = (("mid-p", "holm"), ("obuchowski", "holm"), ("sign-flip", "westfall-young"))
    found = error_rates(SETTINGS[2], "equal", runs=100, items=500, methods=methods)
    naive, robust, joint = found
    assert (naive.test, robust.test) == ("mid-p", "obuchowski")
    assert max(robust.family_wise, joint.family_wise) < 0.12 < naive.family_wise


def test_near_copies_cost_joint_resampling_nothing():
    methods = (("sign-flip", "bergmann-hommel"), ("sign-flip", "westfall-young"))
    alone, copied = (
        list(error_rates(Setting("x", copies=n), "wide", runs=15, items=600, methods=methods))
        for n in (0, 6)
    )
    by_number, jointly = (rate.found for rate in copied)
    assert jointly > by_number
    assert alone[1].found - jointly < (alone[0].found - by_number) / 2 + 0.02


def test_clusters_are_laid_out_as_in_anatomy():
    setting = DESIGNS[6][0]
    sizes = np.bincount(setting.layout(1914))
    assert dict(zip(*np.unique(sizes, return_counts=True), strict=True)) == ANATOMY
    assert np.bincount(Setting("tens", cluster=0.1).layout(95)).tolist() == [10] * 9 + [5]
    assert Setting("alone").layout(3).tolist() == [0, 1, 2]


def test_only_skewed_systems_meet_whole_clusters():
    setting = Setting("skewed", cluster=0.4, difficulty=0.2, skewed=True)
    right = right_answers(setting, TRUTHS["equal"], 1000, 20, np.random.default_rng(2))
    spread = right.reshape(20, 10, 100, 10).mean(axis=3).var(axis=2).mean(axis=0)
    assert spread[::2].min() > 1.5 * spread[1::2].max()
    assert right.mean(axis=(0, 2)) == pytest.approx(np.full(10, 0.8), abs=0.02)


@pytest.mark.parametrize("measure", ["share", "f1"])
def test_simultaneous_intervals_hold(measure):
    found = coverage(DESIGNS[6][0], measure, 750, runs=40)
    assert found.intervals >= 0.85
    assert measure == "f1" or found.rank_sets >= 0.85


def test_one_run_is_no_result():
    assert error_of_runs(1, runs=60) > 0.15 > error_of_runs(3, runs=60)


def test_a_study_holds_its_level_where_tasks_share_ontologies():
    alone, both = errors_of_shared_ontologies(7, runs=1000)
    assert alone > 0.3
    assert both <= 0.05 + 3 * 0.007


@pytest.mark.parametrize("measure", ["f1", "precision", "recall"])
def test_no_measure_gives_equal_systems_arrows_too_often(measure):
    assert error_of_measure(measure, 120, runs=100, n_resamples=500) <= 0.05 + 3 * 0.022
