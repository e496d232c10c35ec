"""Several runs: the level with run effects, the parts of the variance, one run as before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation import EvaluationError, compare_judged
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit import standard, values
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.evaluation.significance.clustered import sign_flip
from alignrank.evaluation.significance.crossed import dependence
from alignrank.evaluation.significance.ratios import linearised
from alignrank.evaluation.significance.runs import compare_runs, crossed, noise_floor, power_of_runs
from alignrank.ontologies import Alignment, Correspondence


def of_runs(rng: np.random.Generator, runs: int, chance: np.ndarray, spread: float) -> np.ndarray:
    effects = spread * rng.standard_normal((runs, 1))
    return rng.random((runs, len(chance))) < np.clip(chance + effects, 0, 1)


@pytest.mark.parametrize("runs", [2, 4])
def test_the_level_holds_where_a_run_moves_all_items(runs: int) -> None:
    rng = np.random.default_rng(7)
    rejected = []
    for _ in range(400):
        chance = rng.beta(4, 1, 400)
        right = {name: of_runs(rng, runs, chance, 0.025) for name in ("a", "b")}
        rejected.append(compare_runs(right, np.arange(400)).test.p[0, 1] <= 0.05)
    assert np.mean(rejected) <= 0.085


def test_a_single_run_is_judged_by_the_variance_of_the_others() -> None:
    rng = np.random.default_rng(1)
    chance = rng.beta(4, 1, 300)
    rejected = []
    for _ in range(400):
        right = {"a": of_runs(rng, 1, chance, 0.02), "b": of_runs(rng, 3, chance, 0.02)}
        rejected.append(compare_runs(right, np.arange(300)).test.p[0, 1] <= 0.05)
    assert np.mean(rejected) <= 0.075


def test_the_larger_of_both_p_values_decides() -> None:
    rng = np.random.default_rng(1)
    source = np.repeat(np.arange(40), 2)
    target = np.arange(80) % 30
    right = {"a": rng.random((3, 80)) < 0.8, "b": rng.random((2, 80)) < 0.6}
    result = compare_runs(right, source, [target])
    means = np.array([answers.mean(axis=0) for answers in right.values()])
    d = np.rint(6 * np.bincount(source, means[0] - means[1])).astype(int)
    r = dependence(means, source, [target]).shrinkage[0, 1]
    items = result.item_variance[0, 1]
    variance = items + result.run_variance * (1 / 3 + 1 / 2)
    flips = 10 ** sign_flip(d, shrinkage=r * np.sqrt(items / variance))
    w = variance - items
    degrees = variance**2 / (items**2 / 39 + w**2 / 3)
    t = abs(means[0].mean() - means[1].mean()) / np.sqrt(variance)
    expected = max(flips, 2 * stats.t.sf(t, degrees))
    assert result.test.p[0, 1] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("runs", [(1, 1, 1), (2, 1, 1)])
def test_too_few_runs_are_refused(runs: tuple[int, ...]) -> None:
    right = {str(k): np.ones((number, 5), dtype=bool) for k, number in enumerate(runs)}
    with pytest.raises(EvaluationError, match="fewer than two degrees of freedom"):
        compare_runs(right, np.arange(5))


def test_the_noise_floor_is_no_larger_than_scores_can_be() -> None:
    assert noise_floor(0.4, 2) == 1.0
    assert noise_floor(4000.0, 2, largest=100.0) == 100.0


def test_the_variance_is_split_as_it_was_made() -> None:
    rng = np.random.default_rng(3)
    items, runs = rng.normal(0, 2, (2000, 1)), rng.normal(0, 1, (1, 200))
    parts = crossed(items + runs + rng.normal(0, 0.5, (2000, 200)))
    assert parts.rows == pytest.approx(4, rel=0.1)
    assert parts.columns == pytest.approx(1, rel=0.25)
    assert parts.interplay == pytest.approx(0.25, rel=0.01)


def test_the_noise_floor_covers_a_system_against_itself() -> None:
    rng = np.random.default_rng(5)
    chance = np.full(1000, 0.8)
    right = {name: of_runs(rng, 20, chance, 0.02) for name in ("a", "b")}
    result = compare_runs(right, np.arange(1000))
    fresh = of_runs(rng, 2000, chance, 0.02).mean(axis=1)
    within = np.abs(fresh[::2] - fresh[1::2]) <= result.noise_floor
    assert within.mean() == pytest.approx(0.95, abs=0.03)


def test_how_many_runs_are_needed() -> None:
    rng = np.random.default_rng(6)
    better, worse = rng.beta(4, 1, 4000), rng.beta(4, 1.3, 4000)
    right = {name: of_runs(rng, 6, c, 0.03) for name, c in (("a", better), ("b", worse))}
    result = compare_runs(right, np.arange(4000))
    assert result.values == pytest.approx([r.mean() for r in right.values()])
    needed = result.needed("a", "b")
    parts = float(result.item_variance[0, 1]), 2 * result.run_variance, 0.05
    gap = float(result.values[0] - result.values[1])
    enough = [power_of_runs(runs, gap, *parts) >= 0.8 for runs in (int(needed) - 1, int(needed))]
    assert enough == [False, True]
    assert result.standard_error[0, 1] ** 2 == pytest.approx(
        result.item_variance[0, 1] + result.run_variance / 3
    )


def test_no_answers_that_differ() -> None:
    same = np.ones((3, 10), dtype=bool)
    result = compare_runs({"a": same, "b": same}, np.arange(10))
    assert result.test.p[0, 1] == 1
    apart = compare_runs({"a": same, "b": ~same}, np.arange(10))
    assert apart.test.p[0, 1] == pytest.approx(2 / 2**10)  # of ten items no test can show more


def test_bad_input_is_refused() -> None:
    with pytest.raises(EvaluationError, match="b: the answers are"):
        compare_runs(
            {"a": np.ones((2, 5), dtype=bool), "b": np.ones((2, 4), dtype=bool)}, np.arange(5)
        )
    with pytest.raises(EvaluationError, match="two of each"):
        crossed([[1.0, 2.0]])


def f1_by_counts(found: np.ndarray, right: np.ndarray) -> float:
    return float(2 * right.sum() / (found.sum() + len(right)))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_linearised_values_have_the_measure_as_mean_and_vary_like_its_jackknife(seed: int) -> None:
    rng = np.random.default_rng(seed)
    entities, n = [f"a#{k:03}" for k in range(300)], 300
    reference = Alignment(Correspondence(e, f"b#{e[2:]}") for e in entities)
    found, right = rng.random(n) < 0.8, rng.random(n) < 0.9
    answers = Alignment(
        Correspondence(e, f"b#{e[2:]}" if ok else "b#wrong")
        for e, there, ok in zip(entities, found, right, strict=True)
        if there
    )
    names, values = linearised({"one": standard(answers, reference)}, "f1")
    assert names == tuple(entities)
    right &= found
    assert values["one"].mean() == pytest.approx(f1_by_counts(found, right), abs=1e-9)
    without = [f1_by_counts(*(np.delete(x, k) for x in (found, right))) for k in range(n)]
    jackknife = (n - 1) / n * np.square(np.array(without) - np.mean(without)).sum()
    assert values["one"].var(ddof=1) / n == pytest.approx(jackknife, rel=0.02)


def test_the_level_holds_for_f1_of_runs_that_share_their_luck() -> None:
    rng = np.random.default_rng(5)
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(200))
    rejected = []
    for _ in range(60):
        chance = rng.beta(4, 1, 200)
        runs = {
            f"{name}@{run}": Alignment(
                c if ok else replace(c, entity2="b#wrong")
                for c, ok, there in zip(reference, row, rng.random(200) < 0.9, strict=True)
                if there
            )
            for name in "st"
            for run, row in enumerate(of_runs(rng, 2, chance, 0.03))
        }
        result = compare_judged(
            runs, reference, standard, "f1", name="f1", settings=AnalysisSettings(n_resamples=99)
        )
        rejected.append(bool(result.edges["f1"]["bergmann-hommel"]))
    assert np.mean(rejected) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)


def test_a_measure_of_runs_is_their_mean() -> None:
    rng = np.random.default_rng(2)
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(200))

    def some(share: float) -> Alignment:
        return Alignment(c for c in reference if rng.random() < share)

    runs = {f"good@{k}": some(share) for k, share in ((1, 0.9), (2, 0.88), (3, 0.89))}
    runs |= {"fair": some(0.85), "bad": some(0.3)}
    result = compare_judged(
        runs, reference, standard, "f1", name="f1", settings=AnalysisSettings(n_resamples=999)
    )
    each = [values(standard(runs[f"good@{k}"], reference))["f1"] for k in (1, 2, 3)]
    view = result.views["f1"]
    assert view.values is not None
    assert view.intervals.tested is not None
    assert view.values["good"] == pytest.approx(np.mean(each))
    assert view.intervals.tested.measure == "f1"
    assert result.runs is not None
    assert result.runs.runs == (3, 1, 1)
    with pytest.raises(EvaluationError, match="name one run of each system"):
        compare_judged(runs, reference, curve, name="curve")
