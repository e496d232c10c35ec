"""A join gives the entries of the whole matrix, row by row; its plan is measured."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import MatcherError
from alignrank.matchers import get_metric
from alignrank.matchers.similarity import tiles
from alignrank.matchers.similarity.join import join
from alignrank.matchers.similarity.matrix import string_similarities
from tests.generated import examples


class LazyFrame:
    """As a frame of polars that was not computed yet."""

    def collect(self) -> None:
        raise AssertionError("this may take hours")

    columns = property(collect)


def test_a_table_that_is_not_computed_yet_is_refused() -> None:
    with pytest.raises(MatcherError, match=r"left is a LazyFrame: collect\(\) it, and give one of"):
        list(join(LazyFrame(), ["a"], get_metric("equality"), 0.5))


words = st.lists(st.text("ab c", max_size=6), max_size=15)


def found(*arguments: object, **options: bool) -> list[tuple[int, int, float]]:
    chunks = list(join(*arguments, **options))  # type: ignore[arg-type]  # of many types
    return [edge for chunk in chunks for edge in zip(*(x.tolist() for x in chunk), strict=True)]


@pytest.mark.parametrize("name", ["levenshtein", "equality", "smoa"])
@given(left=words, right=words)
@examples(20)
def test_no_pair_is_lost(name: str, left: list[str], right: list[str]) -> None:
    metric = get_metric(name)
    expected = []
    if left and right:
        matrix = string_similarities(left, right, metric)
        expected = [
            (i, j, matrix[i, j])
            for i, j in np.argwhere(matrix >= 0.6).tolist()
            if left[i].strip() and right[j].strip()
        ]
    assert found(left, right, metric, 0.6) == expected


@pytest.mark.parametrize("name", ["levenshtein", "jaro", "equality", "smoa", "rapidfuzz:ratio"])
@given(names=words)
@examples(10)
def test_a_list_with_itself_gives_half_of_its_matrix(name: str, names: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "TILE", (3, 4))  # some lie across the diagonal
        patch.setattr(tiles, "BLOCK", 7)
        patch.setattr(tiles, "_MOST_LENGTHS", 0)
        metric = get_metric(name)
        both = found(names, names, metric, 0.6)
        assert found(names, None, metric, 0.6) == [edge for edge in both if edge[0] < edge[1]]


def test_one_list_with_itself_gives_each_pair_once() -> None:
    names = ["tail", "heart", " ", "hearts", "tail"]
    assert found(names, None, get_metric("levenshtein"), 0.8) == [(0, 4, 1.0), (1, 3, 5 / 6)]


def test_many_rows_come_in_their_order() -> None:
    names = [str(number) for number in range(200)]
    edges = found(names[::-1], names, get_metric("equality"), 1.0)
    assert edges == [(row, 199 - row, 1.0) for row in range(200)]


def test_one_to_one_keeps_the_best() -> None:
    left, right = ["", "heart", "hearts"], ["hearts", "", "heart"]
    both = [(1, 2, 1.0), (2, 0, 1.0)]
    assert found(left, right, get_metric("levenshtein"), 0.5, one_to_one=True) == both


def test_strings_pair_by_position_and_missing_ones_match_nothing() -> None:
    series = pd.Series(["heart", None, "lung"], index=[2, 0, 1])
    for left in (series, ["heart", np.nan, "lung"], ["heart", pd.NA, "lung"]):
        assert found(left, ["hearts", "lung"], get_metric("levenshtein"), 0.8) == [
            (0, 0, 5 / 6),
            (2, 1, 1.0),
        ]


@pytest.mark.parametrize("left", ["heart", b"heart", [7], pd.DataFrame({"n": ["heart"]}), {"a"}])
def test_what_is_no_list_of_strings_is_refused(left: object) -> None:
    with pytest.raises(MatcherError, match=r"^left"):
        found(left, ["heart"], get_metric("levenshtein"), 0.8)


@pytest.mark.parametrize("threshold", [0.0, 1.5, -1.0, float("nan")])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    with pytest.raises(MatcherError, match=r"^threshold is"):
        found(["heart"], None, get_metric("levenshtein"), threshold)


def test_one_list_has_no_one_to_one_pairs_with_itself() -> None:
    with pytest.raises(MatcherError, match=r"^one_to_one .* give right"):
        found(["heart"], None, get_metric("levenshtein"), 0.8, one_to_one=True)
