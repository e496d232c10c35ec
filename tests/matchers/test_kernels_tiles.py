"""Tiles hold exactly the entries of the whole matrix at or above the threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchers import MatcherError, get_metric, tiles
from matchers.registry import all_metrics
from matchers.tiles import similar_pairs

BUILT_IN = [metric.name for metric in all_metrics() if metric.family in ("standard", "ontosim")]
words = st.lists(
    st.one_of(st.text("ab", max_size=9), st.text("abc _", max_size=25)), min_size=1, max_size=12
)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TILE", (3, 2))


@pytest.mark.parametrize("name", BUILT_IN)
@given(sources=words, targets=words, threshold=st.sampled_from([0.05, 0.5, 2 / 3, 0.8, 1.0]))
@settings(max_examples=25)
def test_no_edge_is_lost(
    name: str, sources: list[str], targets: list[str], threshold: float
) -> None:
    metric = get_metric(name)
    matrix = metric.matrix(sources, targets)
    found = similar_pairs(sources, targets, metric, threshold, threads=2)
    np.testing.assert_array_equal(found.toarray(), np.where(matrix >= threshold, matrix, 0.0))
    assert found.has_canonical_format


@given(sources=words, targets=words, best=st.integers(1, 4))
@settings(max_examples=50)
def test_the_best_of_each_source(sources: list[str], targets: list[str], best: int) -> None:
    metric = get_metric("jaro")
    matrix = metric.matrix(sources, targets)
    found = similar_pairs(sources, targets, metric, 0.3, best=best, threads=1).toarray()
    for row, kept in zip(matrix, found, strict=True):
        order = np.lexsort((np.arange(len(row)), -row))[:best]
        expected = np.zeros_like(row)
        expected[order] = np.where(row[order] >= 0.3, row[order], 0.0)
        np.testing.assert_array_equal(kept, expected)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_bound_is_never_below_a_similarity(name: str) -> None:
    metric = get_metric(name)
    samples = ["a" * n + "b" * m for n in range(7) for m in range(4)] + ["abcab" * 5]
    for s in samples:
        for t in samples:
            possible = tiles._largest_possible(metric, [s], [t])
            assert metric.similarity(s, t) <= possible + 1e-12, (s, t)


def test_a_metric_without_a_kernel_works_as_well() -> None:
    metric = get_metric("rapidfuzz:ratio")
    sources, targets = ["heart", "tail", "left lung"], ["hearts", "lung", "tails"]
    found = similar_pairs(sources, targets, metric, 0.6).toarray()
    matrix = metric.matrix(sources, targets)
    np.testing.assert_array_equal(found, np.where(matrix >= 0.6, matrix, 0.0))


def test_nothing_similar_and_nothing_at_all() -> None:
    metric = get_metric("jaro")
    assert similar_pairs(["abc"], ["xyz"], metric, 0.5).nnz == 0
    assert similar_pairs([], ["xyz"], metric, 0.5).shape == (0, 1)
    assert similar_pairs(["abc"], [], metric, 0.5).shape == (1, 0)


def test_progress_ends_at_one() -> None:
    seen: list[float] = []
    similar_pairs(["a"] * 10, ["a"], get_metric("equality"), 0.5, progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]


def test_wrong_limits_are_refused() -> None:
    metric = get_metric("jaro")
    for threshold in (0.0, float("nan")):
        with pytest.raises(MatcherError, match="threshold of tiles is"):
            similar_pairs(["a"], ["a"], metric, threshold)
    with pytest.raises(MatcherError, match="best is 0"):
        similar_pairs(["a"], ["a"], metric, 0.5, best=0)
