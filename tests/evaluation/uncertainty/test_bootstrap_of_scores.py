"""Quick intervals against the plain bootstrap, and against every resample there is."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluation import EvaluationError, bootstrap, score, score_intervals
from evaluation.credit.credits import standard
from ontologies import Alignment, Correspondence

PAIRS = st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), max_size=5)


def of(pairs: set[tuple[str, str]]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


def f1_of_draw(drawn: tuple[str, ...], found: Alignment, right: Alignment) -> float:
    """F1 where each entity of the draw counts as often as it was drawn."""
    times = Counter(drawn)
    correct = sum(times[c.entity1] for c in found if c in right)
    n_found, n_right = (sum(times[c.entity1] for c in side) for side in (found, right))
    if not correct:
        return 0.0 if n_found + n_right else 1.0
    precision, recall = correct / n_found, correct / n_right
    return 2 * precision * recall / (precision + recall)  # rounded as the definition is


@example(
    one={("a", "y"), ("c", "z"), ("b", "x"), ("a", "x")},
    two={("b", "y"), ("c", "z"), ("b", "x"), ("a", "x")},
)
@given(one=PAIRS, two=PAIRS)
def test_the_spread_is_that_of_all_resamples(
    one: set[tuple[str, str]], two: set[tuple[str, str]]
) -> None:
    found, right = of(one), of(two)
    sources = sorted({e for e, _ in one | two})
    if not sources:
        with pytest.raises(EvaluationError, match="empty"):
            score_intervals(found, right)
        return
    every = [f1_of_draw(d, found, right) for d in product(sources, repeat=len(sources))]
    f1 = score_intervals(found, right, resamples=4000)["f1"]
    assert f1.estimate == pytest.approx(score(found, right).f1)
    assert f1.standard_error == pytest.approx(np.std(every), abs=0.03)
    assert min(every) <= f1.low <= f1.high <= max(every)


@pytest.mark.parametrize("clusters", [None, {f"a{k}": f"c{k // 20}" for k in range(300)}])
def test_it_agrees_with_the_plain_bootstrap(clusters: dict[str, str] | None) -> None:
    right = of({(f"a{k}", f"b{k}") for k in range(300)})
    found = of({(f"a{k}", f"b{k + (k // 40) % 2}") for k in range(60, 330)})
    plain = bootstrap(standard(found, right), resamples=4000, clusters=clusters)
    quick = score_intervals(found, right, resamples=4000, clusters=clusters)
    assert quick.units == plain.units
    for name in ("precision", "recall", "f1"):
        assert quick[name].estimate == pytest.approx(plain[name].estimate)
        assert quick[name].low == pytest.approx(plain[name].low, abs=0.02)
        assert quick[name].high == pytest.approx(plain[name].high, abs=0.02)


def test_unjudged_pairs_are_as_in_the_scores() -> None:
    right = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    found = Alignment([Correspondence("a", "x", "<"), Correspondence("b", "y")])
    plain, quick = score(found, right), score_intervals(found, right)
    assert quick["precision"].estimate == plain.precision
    assert score_intervals(right, right) == score_intervals(right, right)
