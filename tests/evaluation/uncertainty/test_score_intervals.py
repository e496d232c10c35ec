"""Wilson's intervals of scores: what they cover in small samples and in clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import EvaluationError, bootstrap, score, score_intervals
from evaluation.credit.credits import Credits, standard
from evaluation.uncertainty.score_intervals import credit_intervals, wilson
from ontologies import Alignment, Correspondence

PAIRS = st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), max_size=5)
NAMES = ("precision", "recall", "f1")


def of(pairs: set[tuple[str, str]]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


@given(PAIRS, PAIRS)
def test_an_interval_holds_its_score(one: set[tuple[str, str]], two: set[tuple[str, str]]) -> None:
    found, right = of(one), of(two)
    if not one | two:
        with pytest.raises(EvaluationError, match="empty"):
            score_intervals(found, right)
        return
    intervals, scores = score_intervals(found, right), score(found, right).to_dict()
    for name in NAMES:
        interval = intervals[name]
        assert interval.estimate == pytest.approx(scores[name])
        assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
        assert interval.low < interval.high


@pytest.mark.parametrize("clusters", [None, {f"a{k}": f"c{k // 20}" for k in range(300)}])
def test_they_agree_with_the_bootstrap_where_there_is_enough(
    clusters: dict[str, str] | None,
) -> None:
    right = of({(f"a{k}", f"b{k}") for k in range(300)})
    found = of({(f"a{k}", f"b{k + (k // 40) % 2}") for k in range(60, 330)})
    plain = bootstrap(standard(found, right), resamples=4000, clusters=clusters)
    quick = score_intervals(found, right, clusters=clusters)
    assert quick.units == plain.units
    for name in NAMES:
        assert quick[name].standard_error == pytest.approx(plain[name].standard_error, rel=0.06)
        if clusters is None:
            assert quick[name].low == pytest.approx(plain[name].low, abs=0.01)
            assert quick[name].high == pytest.approx(plain[name].high, abs=0.01)


def test_all_of_ten_right_is_not_certain() -> None:
    right = of({(f"a{k}", f"b{k}") for k in range(10)})
    precision = score_intervals(right, right)["precision"]
    assert precision.low == pytest.approx(0.7225, abs=1e-4)  # Wilson 1927
    assert precision.high == 1
    assert wilson(0.5, 0) == (0.0, 1.0)


def drawn(rng: np.random.Generator, n: int, answers: float, right: float, size: int) -> Credits:
    """Draw what a system finds on n entities; those of a cluster of this size mostly share it."""
    fate = np.repeat(rng.random(n // size), size)
    fate = np.where(rng.random(n) < (size > 1) * 0.7, fate, rng.random(n))
    correct, found = fate < answers * right, fate < answers
    cells = tuple(Correspondence(f"e{k}", "x") for k in range(n))
    ones = np.ones(n)
    return Credits(cells, cells, correct * ones, correct * ones, found * ones, ones)


def coverage(name: str, *, n: int, runs: int, shares: Sequence[float], size: int = 1) -> float:
    """Mean share of runs in which the interval holds the true value."""
    rng = np.random.default_rng(5)
    clusters = {f"e{k}": str(k // size) for k in range(n)}
    held = []
    for right in shares:
        true = {"precision": right, "f1": 2 * 0.9 * right / 1.9}[name]
        for _ in range(runs):
            interval = credit_intervals(drawn(rng, n, 0.9, right, size), clusters=clusters)[name]
            held.append(interval.low <= true <= interval.high)
    return float(np.mean(held))


@pytest.mark.parametrize("name", ["precision", "f1"])
@pytest.mark.parametrize("n", [12, 40])
def test_small_samples_are_covered(name: str, n: int) -> None:
    """Percentiles of a bootstrap cover .40 to .78 here."""
    assert coverage(name, n=n, runs=60, shares=(0.5, 0.7, 0.8, 0.9, 0.95, 0.99)) > 0.92


def test_clusters_are_heeded() -> None:
    assert coverage("f1", n=240, runs=150, shares=(0.6, 0.8), size=6) > 0.9


def test_unjudged_pairs_are_as_in_the_scores() -> None:
    right = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    found = Alignment([Correspondence("a", "x", "<"), Correspondence("b", "y")])
    assert score_intervals(found, right)["precision"].estimate == score(found, right).precision
    assert score_intervals(right, right) == score_intervals(right, right)
