"""Several runs: the level with run effects, the parts of the variance, one run as before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError, compare_judged
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.credits import standard, values
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.evaluation.significance.clustered import clustered_tests
from alignrank.evaluation.significance.mcnemar import PairTest
from alignrank.evaluation.significance.ratios import linearised
from alignrank.evaluation.significance.runs import compare_runs, crossed, power_of_runs
from alignrank.ontologies import Alignment, Correspondence

NONE = PairTest(*(np.full((2, 2), np.nan) for _ in range(3)))


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
        rejected.append(compare_runs(right, np.arange(400), NONE).test.p[0, 1] <= 0.05)
    assert np.mean(rejected) <= 0.085


def test_one_run_each_is_the_test_that_was_given() -> None:
    rng = np.random.default_rng(1)
    right = rng.random((3, 80)) < 0.7
    cluster = np.repeat(np.arange(40), 2)
    single = clustered_tests(right, cluster).tests["sign-flip"]
    result = compare_runs({name: right[[k]] for k, name in enumerate("abc")}, cluster, single)
    for name in ("advantage", "p", "log10_p"):
        np.testing.assert_array_equal(getattr(result.test, name), getattr(single, name))
    assert np.isnan(result.noise_floor)
    assert result.components == {}
    mixed = {"a": right[[0]], "b": right[[1]], "c": np.repeat(right[[2]], 2, axis=0)}
    test = compare_runs(mixed, cluster, single).test
    assert test.p[0, 1] == single.p[0, 1]
    assert test.p[0, 2] != single.p[0, 2]
    np.testing.assert_allclose(test.advantage, single.advantage)


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
    result = compare_runs(right, np.arange(1000), NONE)
    fresh = of_runs(rng, 2000, chance, 0.02).mean(axis=1)
    within = np.abs(fresh[::2] - fresh[1::2]) <= result.noise_floor
    assert within.mean() == pytest.approx(0.95, abs=0.03)


def test_how_many_runs_are_needed() -> None:
    rng = np.random.default_rng(6)
    better, worse = rng.beta(4, 1, 4000), rng.beta(4, 1.3, 4000)
    right = {name: of_runs(rng, 6, c, 0.03) for name, c in (("a", better), ("b", worse))}
    result = compare_runs(right, np.arange(4000), NONE)
    assert result.values == pytest.approx([r.mean() for r in right.values()])
    needed = result.needed("a", "b")
    parts = float(result.item_variance[0, 1]), float(result.run_variance.sum()), 0.05
    gap = float(result.values[0] - result.values[1])
    enough = [power_of_runs(runs, gap, *parts) >= 0.8 for runs in (int(needed) - 1, int(needed))]
    assert enough == [False, True]
    assert result.standard_error[0, 1] ** 2 == pytest.approx(
        result.item_variance[0, 1] + result.run_variance.sum() / 6
    )


def test_no_answers_that_differ() -> None:
    same = np.ones((3, 10), dtype=bool)
    result = compare_runs({"a": same, "b": same}, np.arange(10), NONE)
    assert result.test.p[0, 1] == 1
    apart = compare_runs({"a": same, "b": ~same}, np.arange(10), NONE)
    assert apart.test.p[0, 1] == pytest.approx(2 / 2**10)  # of ten items no test can show more


def test_bad_input_is_refused() -> None:
    with pytest.raises(EvaluationError, match="b: the answers are"):
        compare_runs(
            {"a": np.ones((2, 5), dtype=bool), "b": np.ones((2, 4), dtype=bool)}, np.arange(5), NONE
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
            runs, reference, standard, "f1", settings=AnalysisSettings(n_resamples=99), name="f1"
        )
        rejected.append(bool(result.edges["f1"]["bergmann-hommel"]))
    assert np.mean(rejected) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)


def test_a_measure_of_runs_is_the_mean_and_a_single_run_keeps_its_test() -> None:
    rng = np.random.default_rng(2)
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(200))

    def some(share: float) -> Alignment:
        return Alignment(c for c in reference if rng.random() < share)

    runs = {"good@1": some(0.9), "good@2": some(0.88), "fair": some(0.85), "bad": some(0.3)}
    result = compare_judged(
        runs, reference, standard, "f1", settings=AnalysisSettings(n_resamples=999), name="f1"
    )
    each = [values(standard(runs[f"good@{k}"], reference))["f1"] for k in (1, 2)]
    view = result.views["f1"]
    assert view.values is not None
    assert view.simultaneous is not None
    assert view.values["good"] == pytest.approx(np.mean(each))
    assert view.simultaneous.measure == "f1"
    assert result.runs is not None
    assert result.runs.runs == (2, 1, 1)
    alone = compare_judged(
        {"good": runs["good@1"], "fair": runs["fair"], "bad": runs["bad"]},
        reference,
        standard,
        "f1",
        settings=AnalysisSettings(n_resamples=999),
        name="f1",
    )
    assert view.chosen.p[1, 2] == alone.views["f1"].chosen.p[1, 2]
    with pytest.raises(EvaluationError, match="name one run of each system"):
        compare_judged(runs, reference, curve, name="curve")
