"""Equivalence within a margin, by its interval."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Pairwise, compare_counts
from evaluation.uncertainty.effects import score_interval
from evaluation.uncertainty.equivalence import verdicts

COUNT = st.integers(0, 60)


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


@given(COUNT, COUNT, st.sampled_from([0.01, 0.03, 0.1]))
def test_equivalent_exactly_if_the_90_percent_interval_lies_within_the_margin(
    b: int, c: int, margin: float
) -> None:
    v = view(b, c)
    low, high = (float(x) for x in score_interval(b, c, 1000, level=0.9))
    inside = -margin * 1000 < low and high < margin * 1000
    result = verdicts(v, margin)
    assert (result.p[0, 1] <= 0.05) == inside
    assert result.p[0, 1] == pytest.approx(result.p[1, 0])
    significant = bool(v.ranking.edges)
    expected = "equivalent" if inside else "undecided"
    if significant:
        expected = "better" if b > c else "worse"
    assert result.verdicts["a", "b"] == expected
    assert result.negligible == ((("a", "b"),) if significant and inside else ())


def test_not_significant_is_not_equivalent() -> None:
    assert verdicts(view(5, 3, 20), 0.05).verdicts["a", "b"] == "undecided"
    assert verdicts(view(0, 0, 2000), 0.05).verdicts["a", "b"] == "equivalent"
    assert verdicts(view(5, 3, 20), 5.0).verdicts["a", "b"] == "equivalent"
