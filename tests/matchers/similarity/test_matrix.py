"""The similarity matrix over entities with several names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alignrank.common.system
from alignrank.common.errors import MatcherError
from alignrank.matchers.by_name import get_metric, select_metrics
from alignrank.matchers.kernels.families import FAMILIES
from alignrank.matchers.metrics import Metric
from alignrank.matchers.similarity import matrix
from alignrank.matchers.similarity.matrix import (
    passes,
    similarity_matrices,
    similarity_matrix,
    string_similarities,
)
from tests.generated import examples

names = st.lists(st.text(alphabet="ab ", max_size=4), max_size=3)


def by_definition(
    sources: list[list[str]], targets: list[list[str]], metric: Metric
) -> list[list[float]]:
    """Best over all pairs of names that are names."""
    return [
        [
            max(
                (metric.similarity(s, t) for s in ss for t in tt if s.strip() and t.strip()),
                default=0.0,
            )
            for tt in targets
        ]
        for ss in sources
    ]


@pytest.mark.parametrize("name", ["levenshtein", "ontosim-jaro", "equality"])
@pytest.mark.parametrize("together", [1, 2**18])
@examples(30)
@given(sources=st.lists(names, max_size=6), targets=st.lists(names, max_size=6))
def test_best_over_all_names(
    name: str, together: int, sources: list[list[str]], targets: list[list[str]]
) -> None:
    metric = get_metric(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "PAIRS_PER_TASK", together)
        got = similarity_matrix(sources, targets, metric)
    assert got.dtype == np.float64
    assert got.shape == (len(sources), len(targets))
    assert got.tolist() == by_definition(sources, targets, metric)


@pytest.mark.parametrize(
    "together", [family.names for family in FAMILIES if len(family.names) > 1], ids=" ".join
)
@examples(20)
@given(sources=st.lists(names, max_size=6), targets=st.lists(names, max_size=6))
def test_one_pass_gives_what_each_metric_gives_by_itself(
    together: tuple[str, ...], sources: list[list[str]], targets: list[list[str]]
) -> None:
    metrics = select_metrics(together)
    assert passes(metrics) == [metrics]
    found = similarity_matrices(sources, targets, metrics)
    for filled, metric in zip(found, metrics, strict=True):
        assert filled.tolist() == by_definition(sources, targets, metric)


def test_a_metric_called_as_one_of_ours_shares_nothing_with_it() -> None:
    own = Metric("jaro", "custom", lambda s, t: 0.25, "a quarter", "-")
    ours = get_metric("jaro-winkler")
    assert passes([own, ours]) == [[own], [ours]]


def test_one_name_each_is_the_metrics_own_matrix() -> None:
    metric = get_metric("jaro")
    sources, targets = ["heart", "lung"], ["hearts", "lungs", "tail"]
    got = similarity_matrix([[s] for s in sources], [[t] for t in targets], metric)
    assert np.array_equal(got, string_similarities(sources, targets, metric))


def test_entities_without_a_name_match_nothing() -> None:
    got = similarity_matrix([[""], [" "], [], ["a"]], [[""], ["a"], []], get_metric("equality"))
    assert got.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_nan_of_a_foreign_metric_is_an_error() -> None:
    broken = Metric("broken", "custom", lambda s, t: float("nan"), "NaN", "-")
    with pytest.raises(MatcherError, match="'broken' gave NaN"):
        similarity_matrix([["a"]], [["b"]], broken)


def test_what_would_not_fit_is_refused_with_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignrank.common.system, "available_memory", lambda: 2**30)
    many = [["x"]] * 20_000
    with pytest.raises(MatcherError, match=r"20000 x 20000 entities needs 3\.0 GiB.*1\.0 GiB are"):
        similarity_matrix(many, many, get_metric("equality"))
    monkeypatch.setattr(alignrank.common.system, "available_memory", lambda: None)
    assert similarity_matrix([["x"]], [["x"]], get_metric("equality")).tolist() == [[1.0]]
