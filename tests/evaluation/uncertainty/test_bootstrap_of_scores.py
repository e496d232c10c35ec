"""Quick intervals against the plain bootstrap, and against every resample there is."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
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
    total = sum(times[c.entity1] for c in found) + sum(times[c.entity1] for c in right)
    return 2 * correct / total if total else 1.0


@given(PAIRS, PAIRS)
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
    rounding = 1e-12  # of 2 PR/(P + R) against the oracle's 2 |A ∩ R|/(|A| + |R|)
    assert min(every) - rounding <= f1.low <= f1.high <= max(every) + rounding


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
