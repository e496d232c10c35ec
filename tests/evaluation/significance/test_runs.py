"""Several runs: the level with run effects, the parts of the variance, one run as before."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from alignrank.evaluation import EvaluationError, compare_measure
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.credits import standard, values
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.evaluation.significance.clustered import sign_flip
from alignrank.evaluation.significance.crossed import dependence
from alignrank.evaluation.significance.randomisation import linearised
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


def by_definition(answers: dict[str, np.ndarray], source: np.ndarray, target: np.ndarray) -> float:
    """Return the p of two systems by section 20, written out."""
    result = compare_runs(answers, source, [target])
    (a, b), n = answers.values(), len(source)
    means = np.array([a.mean(axis=0), b.mean(axis=0)])
    found = dependence(means, source, [target])
    items, item_df = found.spread[0, 1] / n**2, min(found.degrees[0, 1], source.max())
    gap = abs(means[0].mean() - means[1].mean())
    pooled = items + result.run_variance * (1 / len(a) + 1 / len(b))
    w, df = pooled - items, len(a) + len(b) - 2
    p = [2 * stats.t.sf(gap / pooled**0.5, pooled**2 / (items**2 / item_df + w**2 / df))]
    own = [x.mean(axis=1).var(ddof=1) / len(x) for x in (a, b)]
    whole = items + sum(own)
    parts = [(items, item_df), (own[0], len(a) - 1), (own[1], len(b) - 1)]
    if min(len(a), len(b)) == 2 < max(len(a), len(b)):

        def beyond(chance: float) -> float:
            bound = sum(v * stats.t.isf(chance / 2, k) for v, k in parts) / whole**0.5
            return float(gap - bound)

        p.append(optimize.brentq(beyond, 1e-12, 1 - 1e-12))
    else:
        degrees = whole**2 / sum(v**2 / k for v, k in parts)
        p.append(2 * stats.t.sf(gap / whole**0.5, degrees))
    factor = math.lcm(len(a), len(b))
    d = np.rint(factor * np.bincount(source, means[0] - means[1])).astype(int)
    shrinkage = found.shrinkage[0, 1] * (items / max(pooled, whole)) ** 0.5
    return float(max(*p, 10 ** sign_flip(d, shrinkage=shrinkage)))


@pytest.mark.parametrize("numbers", [(3, 2), (2, 2), (3, 5), (2, 10)])
def test_the_largest_p_value_decides(numbers: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    source, target = np.repeat(np.arange(40), 2), np.arange(80) % 30
    luck = rng.normal(0, (0.08, 0.02), (max(numbers), 2))
    answers = {
        name: rng.random((n, 80)) < chance + luck[:n, k, None]
        for k, (name, n, chance) in enumerate(zip("ab", numbers, (0.85, 0.6), strict=True))
    }
    result = compare_runs(answers, source, [target])
    expected = by_definition(answers, source, target)
    assert result.test.p[0, 1] == pytest.approx(expected, rel=1e-6)
    for level in (0.5, 0.9, 0.95, 0.99):
        holds = result.intervals("right", level).low[0, 1] <= 0
        assert holds or result.two_sided_p()[0, 1] <= np.log10(1 - level)


def test_one_target_cluster_decides_nothing_over_runs() -> None:
    rng = np.random.default_rng(2)
    right = {"a": rng.random((3, 80)) < 0.9, "b": rng.random((3, 80)) < 0.2}
    result = compare_runs(right, np.arange(80), [np.zeros(80, dtype=int)])
    assert result.test.p[0, 1] == 1
    limits = result.intervals("right")
    assert (limits.low[0, 1], limits.high[0, 1]) == (-1, 1)


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
        result = compare_measure(
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
    result = compare_measure(
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
        compare_measure(runs, reference, curve, name="curve")
