"""Paired randomisation against the enumeration of all swaps, and McNemar's exact test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from alignrank.evaluation import EvaluationError, Scores, compare_measure, mcnemar
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.credits import Credits, standard
from alignrank.evaluation.significance.randomisation import (
    measure_of,
    p_values_of_means,
    p_values_of_ratios,
    randomisation,
)
from alignrank.ontologies import Alignment, Correspondence
from tests.generated import examples

Pairs = set[tuple[str, str]]
Draw = Callable[[np.random.Generator], list[np.ndarray]]


def alignment(pairs: Pairs) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


def scores(found: Pairs, right: Pairs) -> Scores:
    return Scores(len(found), len(found & right), len(right))


def enumerated(a: Pairs, b: Pairs, right: Pairs, measure: str) -> float:
    """Share of all ways to swap answers per source entity with a difference at least as large."""
    entities = sorted({e for e, _ in a | b | right})

    def influence(x: Pairs, entity: str) -> float:
        own = scores(*({p for p in side if p[0] == entity} for side in (x, right)))
        value, all_ = scores(x, right).to_dict()[measure], scores(x, right)
        if measure == "overall":
            return (2 * own.correct - own.found - value * own.reference) / all_.reference
        both = own.found + own.reference
        return (2 * own.correct - value * both) / (all_.found + all_.reference)

    def difference(x: Pairs, y: Pairs) -> float:
        gap = abs(scores(x, right).to_dict()[measure] - scores(y, right).to_dict()[measure])
        squares = sum((influence(x, e) - influence(y, e)) ** 2 for e in entities)
        return 0.0 if gap < 1e-12 else gap / squares**0.5 if squares > 1e-15 else np.inf

    as_large = []
    for swap in product((False, True), repeat=len(entities)):
        swapped = {e for e, s in zip(entities, swap, strict=True) if s}
        x = {p for p in a if p[0] not in swapped} | {p for p in b if p[0] in swapped}
        y = {p for p in b if p[0] not in swapped} | {p for p in a if p[0] in swapped}
        as_large.append(difference(x, y) >= difference(a, b) * (1 - 1e-9))
    return float(np.mean(as_large))


PAIRS = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xy")), max_size=8)


@pytest.mark.parametrize("measure", ["f1", "overall"])
@given(PAIRS, PAIRS, PAIRS.filter(bool))
@examples(25)
def test_equals_the_enumeration_of_all_swaps(measure: str, a: Pairs, b: Pairs, r: Pairs) -> None:
    reference = alignment(r)
    earned = {"a": standard(alignment(a), reference), "b": standard(alignment(b), reference)}
    outcome = randomisation(earned, measure, n_resamples=4000)
    p = enumerated(a, b, r, measure)
    assert outcome.test.p[0, 1] == pytest.approx(p, abs=5 * (p * (1 - p) / 4000) ** 0.5 + 1e-3)
    for name, found in (("a", a), ("b", b)):
        assert outcome.values[name] == pytest.approx(scores(found, r).to_dict()[measure])


@given(st.integers(2, 4), st.integers(1, 12), st.booleans(), st.integers(0, 2**32 - 1))
@examples(40)
def test_means_have_the_p_values_of_ratios(n: int, units: int, is_even: bool, seed: int) -> None:
    """All pairs in one product, and each pair by the general formula, under the same swaps."""
    rng = np.random.default_rng(seed)
    weights = np.full(units, 2.0) if is_even else rng.integers(1, 5, units).astype(float)
    # thirds of the weights: many swaps tie with what was observed
    sums = weights * rng.integers(0, 4, (n, units)) / 3
    columns = np.broadcast_to(weights, sums.shape)
    parts = np.stack([sums, columns, sums, columns], axis=-1)
    expected = p_values_of_ratios(parts, measure_of("recall"), 500, 7)
    assert p_values_of_means(sums, weights, 500, 7).tobytes() == expected.tobytes()


def wide(rng: np.random.Generator, share: float) -> Pairs:
    return {(f"e{k:03}", "x") for k in range(150) if rng.random() < share}


def test_recall_on_single_answers_is_the_exact_mcnemar_test() -> None:
    rng = np.random.default_rng(3)
    right = {(f"e{k:03}", "x") for k in range(150)}
    systems = [wide(rng, share) for share in (0.6, 0.5, 0.55)]
    earned = {str(k): standard(alignment(s), alignment(right)) for k, s in enumerate(systems)}
    outcome = randomisation(earned, "recall", n_resamples=20_000)
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        b, c = len(systems[i] - systems[j]), len(systems[j] - systems[i])
        exact = float(mcnemar(b, c, "exact").p)
        assert outcome.test.p[i, j] == pytest.approx(exact)


def test_same_seed_same_result_and_p_is_never_zero() -> None:
    right = {(f"e{k:03}", "x") for k in range(150)}
    reference = alignment(right)
    earned = {"all": standard(reference, reference), "none": standard(Alignment(), reference)}
    first, again = (randomisation(earned, n_resamples=500, seed=4) for _ in range(2))
    assert first.test.p.tobytes() == again.test.p.tobytes()
    assert first.test.p[0, 1] == 1 / 501
    assert first.units == 150


def test_clusters_are_swapped_whole() -> None:
    right = {(f"e{k:03}", "x") for k in range(12)}
    reference = alignment(right)
    earned = {"all": standard(reference, reference), "none": standard(Alignment(), reference)}
    clusters = {f"e{k:03}": str(k % 3) for k in range(12)}
    outcome = randomisation(earned, clusters=clusters, n_resamples=4000)
    assert outcome.units == 3
    assert outcome.test.p[0, 1] == pytest.approx(2 / 8, abs=0.03)


def test_fractional_credits_and_a_measure_of_ones_own() -> None:
    cells = tuple(Correspondence(f"e{k}", "x") for k in range(10))
    half, full = np.full(10, 0.5), np.ones(10)
    earned = {
        "near": Credits.unweighted(cells, cells, half, half),
        "exact": Credits.unweighted(cells, cells, full, full),
    }
    named = randomisation(earned, "recall", n_resamples=999)
    own = randomisation(earned, lambda sums: sums[..., 2] / sums[..., 3], n_resamples=999)
    assert named.values == {"near": 0.5, "exact": 1.0}
    assert named.method == own.method == "randomisation"
    assert named.test.p[0, 1] == own.test.p[0, 1] < 0.01


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.sampled_from([0.5, 1, 2]))
def test_measures_by_name_are_those_of_scores(
    correct: int, wrong: int, missed: int, beta: float
) -> None:
    s = Scores(correct + wrong, correct, correct + missed)
    sums = np.array([correct, s.found, correct, s.reference], dtype=float)
    assert measure_of(f"f{beta}")(sums) == pytest.approx(s.f(beta))
    assert measure_of("precision")(sums) == pytest.approx(s.precision)
    union = s.found + s.missed
    assert measure_of("jaccard")(sums) == pytest.approx(correct / union if union else 1.0)
    if s.reference:
        assert measure_of("overall")(sums) == pytest.approx(s.overall)


def credits_of(counts: np.ndarray) -> Credits:
    """Credits of a system from what it has correct, found and to find at each entity."""
    correct, found, to_find = counts
    cells = [Correspondence(f"e{k:03}", "x") for k in range(counts.shape[1])]
    return Credits(
        tuple(cells), tuple(cells), correct, correct, found.astype(float), to_find.astype(float)
    )


def rejected(draw: Draw, measure: str, runs: int = 300, **options: int) -> float:
    """Share of runs in which two systems with the same true value of a measure differ."""
    rng = np.random.default_rng(11)
    p = [
        randomisation(
            dict(zip("ab", map(credits_of, draw(rng)), strict=True)), measure, **options
        ).test.p[0, 1]
        for _ in range(runs)
    ]
    return float(np.mean(np.array(p) <= 0.05))


def same_precision(rng: np.random.Generator) -> list[np.ndarray]:
    """Precision .9 of both; one finds 90 of 100, the other 10."""
    systems = []
    for share in (1.0, 1 / 9):
        found = rng.random(100) < share
        correct = found & (rng.random(100) < 0.9)
        systems.append(np.array([correct, found, np.ones(100)], dtype=float))
    return systems


def same_f1(rng: np.random.Generator) -> list[np.ndarray]:
    """F1 .8 of both: from precision 1 and recall 2/3, and from .8 twice."""
    cautious = rng.random(100) < 2 / 3
    bold = rng.random(100) < 0.8
    ones = np.ones(100)
    return [np.array([cautious, cautious, ones]), np.array([bold, ones, ones])]


def test_precision_keeps_its_level_where_recall_differs() -> None:
    assert rejected(same_precision, "precision") < 0.09


def test_f1_keeps_its_level_where_precision_and_recall_differ() -> None:
    assert rejected(same_f1, "f1", runs=200, n_resamples=199) < 0.09


def test_precision_heeds_clusters() -> None:
    """Ten entities of a cluster that share their fate are one case."""
    rng = np.random.default_rng(2)
    clusters = {f"e{k:03}": str(k // 10) for k in range(200)}
    p = []
    for _ in range(200):
        two = [np.repeat(rng.random(20) < 0.8, 10).astype(float) for _ in range(2)]
        earned = {n: credits_of(np.array([c, c**0, c**0])) for n, c in zip("ab", two, strict=True)}
        p.append(randomisation(earned, "precision", clusters=clusters).test.p[0, 1])
    assert np.mean(np.array(p) <= 0.05) < 0.1


def test_the_weighted_score_is_kosinskis() -> None:
    """His statistic from the counts of one table, with v0 the pooled predictive value."""
    rng = np.random.default_rng(0)
    found = rng.random((2, 80)) < [[0.7], [0.5]]
    correct = found & (rng.random(80) < 0.8)
    earned = {
        name: credits_of(np.array([c, f, np.ones(80)], dtype=float))
        for name, c, f in zip("ab", correct, found, strict=True)
    }
    c, f = correct.sum(axis=1), found.sum(axis=1)
    v = c.sum() / f.sum()
    shared = sum((correct[0] - v * found[0]) * (correct[1] - v * found[1])) / (f[0] * f[1])
    z = (c[0] / f[0] - c[1] / f[1]) / (v * (1 - v) * (1 / f[0] + 1 / f[1]) - 2 * shared) ** 0.5
    outcome = randomisation(earned, "precision")
    assert outcome.method == "weighted-score"
    # the clusters' variance is some tenths of a percent larger or smaller
    assert outcome.test.p[0, 1] == pytest.approx(2 * norm.sf(abs(z)), abs=0.02)


def test_undefined_differences_are_never_significant() -> None:
    reference = alignment({("a", "x")})
    earned = {"a": standard(reference, reference), "b": standard(Alignment(), reference)}
    outcome = randomisation(earned, lambda sums: sums[..., 0] * np.nan, n_resamples=99)
    assert outcome.test.p[0, 1] == 1
    assert outcome.test.advantage[0, 1] == 0


def test_enters_corrections_graph_and_ranking() -> None:
    right = {(f"e{k:03}", "x") for k in range(150)}
    reference = alignment(right)
    some = {pair for pair in right if pair < ("e100",)}
    systems = {"none": Alignment(), "all": reference, "some": alignment(some)}
    result = compare_measure(
        systems, reference, standard, "f1", settings=AnalysisSettings(n_resamples=2000), name="f1"
    )
    assert result.layers["f1"]["bergmann-hommel"] == (("all",), ("some",), ("none",))
    assert "exchanged" in result.validity
    content = result.to_dict()["views"]["f1"]  # type: ignore[index]  # plain JSON
    assert content["values"] == pytest.approx({"none": 0, "all": 1, "some": 0.8})
    assert content["counts"] is None
    assert len(result.to_frame()) == 3

    def guessing(found: Alignment, reference: Alignment) -> Credits:
        cautions = ("by guess",) if len(found) == 150 else ()
        return replace(standard(found, reference), cautions=cautions)

    noted = compare_measure(
        systems, reference, guessing, "f1", settings=AnalysisSettings(n_resamples=99), name="f1"
    )
    of_measure = [caution for caution in noted.cautions if caution.kind == "measure"]
    assert list(map(str, of_measure)) == ["all: by guess"]
    few = compare_measure(
        systems, reference, standard, "f1", settings=AnalysisSettings(n_resamples=50), name="f1"
    )
    (caution,) = [caution for caution in few.cautions if caution.kind == "few-resamples"]
    assert caution.text == (
        "50 resamples give no p below 0.02, which is not significant over 3 pairs: take 60 "
        "resamples or more"
    )
    assert "few-resamples" not in {caution.kind for caution in noted.cautions}
    step_up = AnalysisSettings(n_resamples=50, correction="hochberg")  # 50 can be enough
    enough = compare_measure(systems, reference, standard, "f1", settings=step_up, name="f1")
    assert "few-resamples" not in {caution.kind for caution in enough.cautions}


def test_bad_options_are_refused() -> None:
    r = alignment({("a", "x")})
    earned = {"a": standard(r, r), "b": standard(r, r)}
    for measure in ("accuracy", "f", "f-1", "fnan", "finf", "f1e200"):
        with pytest.raises(EvaluationError, match=f"measure '{measure}' is unknown"):
            randomisation(earned, measure)
    with pytest.raises(EvaluationError, match="n_resamples is 0"):
        randomisation(earned, n_resamples=0)
    with pytest.raises(EvaluationError, match="two systems or more"):
        randomisation({"a": standard(r, r)})
