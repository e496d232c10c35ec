"""Plans: what is planned for is found as often as was asked for."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation import EvaluationError, Pairwise, compare_counts, mcnemar
from alignrank.evaluation.significance.clustered import sign_flips
from alignrank.evaluation.significance.crossed import crossed_test, dependence
from alignrank.evaluation.significance.runs import power_of_runs
from alignrank.evaluation.uncertainty.planning import (
    Pilot,
    critical_count,
    detectable,
    mid_p_power,
    pilot,
    plan,
    plan_runs,
    plan_tasks,
    power_of,
    smallest_share,
)


@pytest.mark.parametrize(("discordant", "difference"), [(0.05, 0.05), (0.2, 0.06), (0.6, 0.3)])
def test_the_planned_number_finds_the_difference(discordant: float, difference: float) -> None:
    found = plan(Pilot(discordant, difference))
    rng = np.random.default_rng(1)
    n = rng.binomial(found.items, discordant, 20_000)
    b = rng.binomial(n, (1 + difference / discordant) / 2)
    assert np.mean(mcnemar(b, n - b).p <= 0.05) == pytest.approx(0.8, abs=0.03)
    fewer = power_of(np.array([found.items - 1]), discordant, difference)
    assert fewer[0] < 0.8 + 0.01  # the power of a discrete test has teeth


@pytest.mark.parametrize(
    ("pilot", "pairs"),
    [
        (Pilot(1e-300, 1e-301), 1),
        (Pilot(0.1, 1e-9), 1),
        (Pilot(0.1, 0.02, design_effect=math.inf), 1),
        (Pilot(0.1, 1e-4), 10**30),
    ],
)
def test_more_items_than_there_are_is_an_error(pilot: Pilot, pairs: int) -> None:
    with pytest.raises(EvaluationError, match=r"more than 1,000,000,000 items"):
        plan(pilot, pairs=pairs)


def test_many_items_are_approximated_smoothly() -> None:
    exact, approximate = power_of(np.array([99_000, 101_000]), 0.2, 0.004)
    assert approximate == pytest.approx(exact, abs=0.015)


def test_clusters_and_pairs_cost_items() -> None:
    alone = plan(Pilot(0.2, 0.05))
    clustered = plan(Pilot(0.2, 0.05, design_effect=2.5, cluster_size=3.0))
    assert clustered.items == math.ceil(2.5 * alone.items)
    assert clustered.clusters == math.ceil(clustered.items / 3)
    assert plan(Pilot(0.2, 0.05), pairs=45).items > 1.8 * alone.items
    assert plan(Pilot(0.2, 0.01), difference=0.05).items == alone.items
    powers = [chance for _, chance in alone.curve]
    assert powers == sorted(powers)
    assert powers[0] < 0.2 < 0.97 < powers[-1]


@pytest.mark.parametrize("design_effect", [1.0, 1.7437, 2.5, 3.3])
def test_the_curve_holds_the_number_that_is_needed(design_effect: float) -> None:
    planned = plan(Pilot(0.14, 0.0252, design_effect=design_effect))
    assert dict(planned.curve)[planned.items] >= 0.8


@given(
    size=st.integers(60, 3000),
    discordant=st.floats(0.05, 0.6),
    design_effect=st.sampled_from([1.0, 1.7]),
    pairs=st.sampled_from([1, 36]),
)
def test_the_difference_of_a_size_is_the_smallest_that_it_finds(
    size: int, discordant: float, design_effect: float, pairs: int
) -> None:
    measured, level = Pilot(discordant, 0.0, design_effect), 0.05 / pairs
    independent = np.array([math.floor(size / design_effect)])
    if power_of(independent, discordant, discordant, level)[0] < 0.8:
        with pytest.raises(EvaluationError, match=f"{size} items find no difference up to"):
            plan(measured, size=size, pairs=pairs)
        return
    gap = plan(measured, size=size, pairs=pairs).difference
    assert power_of(independent, discordant, gap, level)[0] >= 0.8
    assert power_of(independent, discordant, 0.999 * gap, level)[0] < 0.8
    # a number that is planned for this difference is not larger
    assert plan(measured, difference=gap, pairs=pairs).items <= size + math.ceil(design_effect)


def test_the_difference_of_a_number_of_tasks_or_runs_is_the_smallest_that_it_finds() -> None:
    for size in (4, 12, 50):
        gap = plan_tasks(0.08, 0.0, size=size).difference
        assert plan_tasks(0.08, 1.001 * gap).needed <= size < plan_tasks(0.08, 0.99 * gap).needed
        gap = plan_runs(0.00005, 0.0002, 0.0, size=size).difference
        found = plan_runs(0.00005, 0.0002, 1.001 * gap).needed
        assert found <= size < plan_runs(0.00005, 0.0002, 0.999 * gap).needed
    with pytest.raises(EvaluationError, match="3 tasks find no difference: 4 are needed"):
        plan_tasks(0.08, 0.0, size=3)
    with pytest.raises(EvaluationError, match="1 runs of each find no difference"):
        plan_runs(0.00005, 0.0002, 0.0, size=1)
    with pytest.raises(EvaluationError, match="cannot be planned for"):
        plan_tasks(0.0, 0.0, size=10)


def test_a_pilot_knows_its_design_effect() -> None:
    rng = np.random.default_rng(2)
    once = rng.random((2, 300)) < np.array([[0.8], [0.7]])
    found = pilot(np.repeat(once, 4, axis=1), np.repeat(np.arange(300), 4))
    assert found.design_effect == pytest.approx(4, rel=0.01)
    assert found.cluster_size == 4
    assert found.difference == pytest.approx(once[0].mean() - once[1].mean())


def test_a_pilot_says_how_uncertain_its_plan_is() -> None:
    rng = np.random.default_rng(3)
    right = np.stack([rng.random(300) < 0.85, rng.random(300) < 0.75])
    measured = pilot(right, np.arange(300))
    assert measured.low is not None
    assert measured.high is not None
    assert 0 < measured.low < measured.difference < measured.high
    planned = plan(measured)
    assert planned.uncertain is not None
    fewest, most = planned.uncertain
    assert fewest < planned.items < most
    assert plan(measured, difference=measured.low).items == most
    turned = pilot(right[::-1], np.arange(300))
    assert plan(turned).uncertain == planned.uncertain
    assert plan(measured, difference=0.1).uncertain is None
    assert plan(Pilot(0.2, 0.1)).uncertain is None
    equal = pilot(np.stack([right[0], right[0] ^ (np.arange(300) % 30 == 0)]), np.arange(300))
    assert plan(Pilot(0.1, 0.02, low=-0.01, high=0.05)).uncertain == (
        plan(Pilot(0.1, 0.05)).items,
        math.inf,
    )
    assert equal.low is not None


def test_a_pilot_heeds_target_clusters() -> None:
    rng = np.random.default_rng(2)
    once = rng.random((2, 100)) < np.array([[0.8], [0.7]])
    right = np.repeat(once, 3, axis=1)
    targets = np.repeat(np.arange(100), 3)
    crossed = pilot(right, np.arange(300), [targets])
    assert crossed.design_effect == pytest.approx(3, rel=0.02)


def test_runs_help_as_long_as_items_suffice() -> None:
    assert plan_runs(0.0001, 0.0002, 0.1).needed == 2
    assert plan_runs(0.0001, 0.0002, 0.03).needed == 14
    assert plan_runs(0.0001, 0.0002, 0.02).needed == math.inf


@pytest.mark.parametrize(("items", "runs"), [(0.016, 0.095), (0.01, 0.01), (0.02, 1e-9)])
def test_the_power_of_runs_is_that_of_the_test(items: float, runs: float) -> None:
    """Answers by the model that `compare_runs` supposes, tested as it tests them."""
    rng, difference = np.random.default_rng(4), 0.0947 * max(items, runs) / 0.095
    for number in (2, 4, 10):
        of_runs = rng.normal(0, runs / math.sqrt(2), (2, 20_000, number))
        parts = of_runs.var(axis=2, ddof=1) / number
        of_items = items**2 * rng.chisquare(500, 20_000) / 500
        variance = of_items + parts.sum(axis=0)
        degrees = variance**2 / (of_items**2 / 500 + (parts**2).sum(axis=0) / (number - 1))
        seen = rng.normal(difference, items, 20_000) + of_runs.mean(axis=2)[0]
        t = (seen - of_runs.mean(axis=2)[1]) / np.sqrt(variance)
        rejected = float(np.mean(abs(t) > stats.t.ppf(0.975, degrees)))
        assert power_of_runs(number, difference, items**2, runs**2, 0.05) == pytest.approx(
            rejected, abs=0.035
        )


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(EvaluationError, match="a difference of 0 with"):
        plan(Pilot(0.2, 0.0))
    with pytest.raises(EvaluationError, match=r"0.3 with 0.2"):
        plan(Pilot(0.2, 0.1), difference=0.3)
    with pytest.raises(EvaluationError, match="power"):
        plan(Pilot(0.2, 0.1), alpha=0.9)


@pytest.mark.parametrize(
    ("discordant", "size"), [(0.0, 100), (math.nan, 100), (1.5, 100), (0.1, 0), (0.1, -5)]
)
def test_a_size_without_discordant_items_or_below_1_is_refused(
    discordant: float, size: int
) -> None:
    with pytest.raises(EvaluationError, match=f"^{size} items with .* cannot be planned for"):
        plan(Pilot(discordant, 0.0), size=size)


def test_more_tasks_or_runs_than_are_searched_are_refused() -> None:
    with pytest.raises(EvaluationError, match=r"^100001 tasks .* at most 100,000"):
        plan_tasks(0.08, 0.0, size=100_001)
    with pytest.raises(EvaluationError, match=r"^100001 runs of each .* at most 100,000"):
        plan_runs(0.00005, 0.0002, 0.0, size=100_001)
    assert plan_tasks(0.08, 0.0, size=100_000).needed == 100_000


@pytest.mark.parametrize("design_effect", [1.0, 1.7])
def test_the_curve_holds_the_size_that_was_asked_about(design_effect: float) -> None:
    planned = plan(Pilot(0.3, 0.0, design_effect), size=100)
    assert planned.items == 100
    assert planned.curve[7] == (100, pytest.approx(0.8, abs=1e-6))


def test_the_curve_of_a_small_size_begins_with_a_single_item() -> None:
    assert plan(Pilot(0.3, 0.0), size=40).curve[0][0] == 5
    assert [items for items, _ in plan(Pilot(0.9, 0.0), size=8).curve] == list(range(1, 17))


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


@given(st.integers(0, 80), st.sampled_from([0.001, 0.05, 0.1]))
def test_critical_count_is_the_first_that_rejects(n: int, alpha: float) -> None:
    rejected = [k for k in range(n + 1) if 2 * k > n and float(mcnemar(k, n - k).p) <= alpha]
    assert int(critical_count(n, alpha)) == (rejected[0] if rejected else n + 1)


@given(st.integers(0, 60), st.floats(0.5, 1.0))
def test_power_sums_the_rejected_outcomes(n: int, share: float) -> None:
    x = np.arange(n + 1)
    expected = stats.binom.pmf(x, n, share)[mcnemar(x, n - x).p <= 0.05].sum()
    assert float(mid_p_power(n, share)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(6, 3000))
def test_smallest_share_reaches_the_power(n: int) -> None:
    share = float(smallest_share(n))
    assert float(mid_p_power(n, share)) == pytest.approx(0.8, abs=1e-6)


def test_power_by_simulation() -> None:
    rng = np.random.default_rng(11)
    share = float(smallest_share(150, alpha=0.01))
    b = rng.binomial(150, share, 5000)
    found = np.mean(mcnemar(b, 150 - b).p <= 0.01)
    assert found == pytest.approx(0.8, abs=0.02)


def test_detectable_difference_of_every_pair() -> None:
    matrix = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    v = compare_counts(matrix, ["a", "b", "c"], reference=1000).views["ifp"]
    d = detectable(v)
    assert d.level == pytest.approx(0.05 / 3)
    assert d.items[0, 1] == pytest.approx(48 * (2 * float(smallest_share(48, alpha=0.05 / 3)) - 1))
    assert d.rate[0, 1] == d.items[0, 1] / 1000
    assert smallest_share(48, alpha=0.05) < smallest_share(48, alpha=0.05 / 3)
    assert math.isnan(detectable(view(2, 1)).items[0, 1])
    assert len(d.to_frame()) == 3
    with pytest.raises(EvaluationError, match=r"alpha is 0\.9"):
        smallest_share(48, alpha=0.9)


@pytest.mark.parametrize(("spread", "difference"), [(1.0, 0.5), (0.08, 0.03), (0.05, 0.09)])
def test_the_planned_tasks_find_the_difference(spread: float, difference: float) -> None:
    found = plan_tasks(spread, difference)
    gaps = np.random.default_rng(3).normal(difference, spread, (20_000, int(found.needed)))
    rejected = float(np.mean(stats.ttest_1samp(gaps, 0, axis=1).pvalue <= 0.05))
    assert rejected >= 0.8 - 0.01
    at = dict(found.curve)
    assert at[int(found.needed)] == pytest.approx(rejected, abs=0.012)
    assert plan_tasks(spread, difference, pairs=10).needed > found.needed


def test_the_signed_rank_test_needs_more_tasks() -> None:
    of_ranks = plan_tasks(0.08, 0.03, efficiency=3 / math.pi)
    gaps = np.random.default_rng(3).normal(0.03, 0.08, (20_000, int(of_ranks.needed)))
    rejected = float(np.mean(stats.wilcoxon(gaps, axis=1).pvalue <= 0.05))
    assert rejected == pytest.approx(0.8, abs=0.02)
    assert of_ranks.needed > plan_tasks(0.08, 0.03).needed
    # of four tasks no ranks reach a level of 0.05
    assert plan_tasks(0.01, 0.09).needed == 4
    assert plan_tasks(0.01, 0.09, efficiency=3 / math.pi).needed == 6


def test_a_tiny_level_has_little_power() -> None:
    powers = [power for _, power in plan_tasks(0.1, 0.02, pairs=10**22).curve]
    assert powers == sorted(powers)
    assert powers[0] < 0.01


def test_what_no_number_of_tasks_would_find() -> None:
    assert plan_tasks(0.1, 1e-5).needed == math.inf
    for spread, difference in ((0.0, 0.1), (1e-17, 0.3), (0.1, 0.0), (0.1, math.inf)):
        with pytest.raises(EvaluationError, match="cannot be planned for"):
            plan_tasks(spread, difference)


@pytest.mark.parametrize("is_exact", [False, True])
def test_what_is_planned_is_found_by_the_test_that_compare_uses(is_exact: bool) -> None:
    """With ontologies the exact test decides: mid-p's number of items would find less."""
    items = plan(Pilot(0.2, 0.1, is_clustered=is_exact)).items
    rng = np.random.default_rng(4)
    found = []
    for _ in range(400):
        differs, is_better = rng.random(items) < 0.2, rng.random(items) < 0.75
        right = np.stack([differs & is_better, differs & ~is_better])
        b, c = (int(row.sum()) for row in right)
        p = crossed_test(right, np.arange(items)).test.p[0, 1] if is_exact else mcnemar(b, c).p
        found.append(p <= 0.05)
    assert abs(np.mean(found) - 0.8) < 3 * (0.16 / 400) ** 0.5


@pytest.mark.parametrize("degrees", [3.0, 19.0])
def test_the_critical_count_of_few_target_clusters_is_that_of_the_test(degrees: float) -> None:
    groups = int(degrees) + 1
    n = 20 * groups
    critical = int(critical_count(n, is_exact=True, degrees=degrees))
    for count in (critical - 1, critical):
        right = np.stack([np.arange(n) < count, np.arange(n) >= count])
        of_pair = dependence(right, np.arange(n), [np.arange(n) % groups])
        alone = replace(of_pair, added=0 * of_pair.added)  # the clusters have no effect
        p = sign_flips(right.astype(int), alone.shrinkage).p[0, 1]
        assert (p <= 0.05) == (count == critical)


def test_a_pilot_in_few_target_clusters_asks_for_more_items() -> None:
    rng = np.random.default_rng(5)
    right = np.stack([rng.random(400) < 0.85, rng.random(400) < 0.75])
    alone = pilot(right, np.arange(400), is_clustered=True)
    of_eight = pilot(right, np.arange(400), [np.arange(400) % 8])
    assert (alone.target_size, of_eight.target_size) == (0, 50)
    like_alone = replace(of_eight, design_effect=1.0, difference=0.1)
    assert plan(like_alone).items > plan(replace(alone, difference=0.1)).items
    one = pilot(right, np.arange(400), [np.zeros(400, dtype=int)])
    with pytest.raises(EvaluationError, match="more than 1,000,000,000 items"):
        plan(one)


def test_a_pilot_counts_by_the_side_that_has_clusters() -> None:
    rng = np.random.default_rng(5)
    right = np.stack([rng.random(400) < 0.85, rng.random(400) < 0.75])
    few, alone = np.arange(400) % 4, np.arange(400)
    assert pilot(right, few, [alone]) == pilot(right, alone, [few])


@pytest.mark.parametrize(
    ("spread", "difference"), [(math.nan, 0.1), (-0.1, 0.1), (0.1, math.nan), (0.1, math.inf)]
)
def test_what_is_no_number_is_not_called_a_difference_that_does_not_vary(
    spread: float, difference: float
) -> None:
    with pytest.raises(EvaluationError, match="give numbers, the spread above 0"):
        plan_tasks(spread, difference)


def test_clusters_whose_answers_cancel_are_planned_for() -> None:
    """A pilot with a design effect of 0 was refused by that word."""
    right = np.arange(40) % 2 == 0
    measured = pilot(np.stack([right, ~right]), np.arange(40) // 2)
    assert 0 < measured.design_effect < 1
    assert plan(measured, difference=0.2).items > 0
