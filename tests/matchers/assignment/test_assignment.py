"""One-to-one pairs from a matrix."""

from __future__ import annotations

import itertools
import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

import alignrank.matchers.assignment.pairs
from alignrank.common.errors import MatcherError
from alignrank.matchers.assignment.optimal import Assignment
from alignrank.matchers.assignment.pairs import METHODS, assign, assign_edges
from tests.generated import examples


@st.composite
def matrices(draw: st.DrawFn, largest: int = 5) -> NDArray[np.float64]:
    """Matrices of few values, so that ties abound."""
    n, m = draw(st.integers(0, largest)), draw(st.integers(0, largest))
    values = draw(st.lists(st.integers(0, 4), min_size=n * m, max_size=n * m))
    return np.array(values, dtype=float).reshape(n, m) / 4


def largest_total(matrix: NDArray[np.float64]) -> float:
    """Try every one-to-one pairing."""
    if matrix.shape[0] > matrix.shape[1]:
        matrix = matrix.T
    n, m = matrix.shape
    return max(
        math.fsum(matrix[i, j] for i, j in enumerate(columns))
        for columns in itertools.permutations(range(m), n)
    )


@pytest.mark.parametrize("method", METHODS)
@examples(80)
@given(matrix=matrices())
def test_pairs_are_one_to_one_and_above_zero(method: str, matrix: NDArray[np.float64]) -> None:
    before = matrix.copy()
    found = assign(matrix, method)
    assert np.array_equal(matrix, before)
    assert len(set(found.rows.tolist())) == len(set(found.columns.tolist())) == len(found)
    assert found.rows.tolist() == sorted(found.rows.tolist())
    assert (found.similarities == matrix[found.rows, found.columns]).all()
    assert (found.similarities > 0).all()
    assert found.method == method


@examples(80)
@given(matrix=matrices())
def test_hungarian_total_is_the_largest(matrix: NDArray[np.float64]) -> None:
    assert assign(matrix).total == largest_total(matrix)


@examples(80)
@given(matrix=matrices())
def test_greedy_takes_the_best_free_pair(matrix: NDArray[np.float64]) -> None:
    pairs = sorted(
        (-matrix[i, j], i, j) for i in range(matrix.shape[0]) for j in range(matrix.shape[1])
    )
    expected: dict[int, int] = {}
    for negative, i, j in pairs:
        if negative < 0 and i not in expected and j not in expected.values():
            expected[i] = j
    found = assign(matrix, "greedy")
    assert dict(zip(found.rows.tolist(), found.columns.tolist(), strict=True)) == expected


@examples(80)
@given(matrix=matrices())
def test_mutual_best_pairs_are_best_of_their_row_and_column(matrix: NDArray[np.float64]) -> None:
    found = assign(matrix, "mutual-best")
    expected = [
        (i, j)
        for i in range(matrix.shape[0])
        for j in range(matrix.shape[1])
        if matrix[i, j] > 0
        and j == list(matrix[i]).index(max(matrix[i]))
        and i == list(matrix[:, j]).index(max(matrix[:, j]))
    ]
    assert list(zip(found.rows.tolist(), found.columns.tolist(), strict=True)) == expected


def test_threshold_keeps_what_equals_it() -> None:
    found = assign(np.array([[0.5, 0.0], [0.0, 0.75]]))
    assert found.at_least(0.5).rows.tolist() == [0, 1]
    assert found.at_least(np.nextafter(0.5, 1)).rows.tolist() == [1]


def test_total_is_correctly_rounded() -> None:
    tenths = Assignment(np.arange(10), np.arange(10), np.full(10, 0.1), "hungarian")
    assert tenths.total == 1.0
    assert list(tenths.to_frame().columns) == ["row", "column", "similarity"]


def test_bad_input() -> None:
    with pytest.raises(MatcherError, match="'best' is unknown: did you mean mutual-best"):
        assign(np.eye(2), "best")
    with pytest.raises(MatcherError, match="'best' is unknown: did you mean mutual-best"):
        assign_edges(csr_array(np.eye(2)), "best")
    for bad in (math.nan, -0.1):
        with pytest.raises(MatcherError, match="NaN or a negative value"):
            assign(np.array([[bad]]))


@pytest.mark.parametrize("method", METHODS)
@examples(60)
@given(matrix=matrices(), cut=st.sampled_from([0.0, 0.5, 0.9]))
def test_edges_are_assigned_as_the_matrix_that_they_stand_for(
    method: str, matrix: NDArray[np.float64], cut: float
) -> None:
    matrix[matrix < cut] = 0.0
    expected = assign(matrix, method)
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    with_zeros = coo_array((matrix.ravel(), (rows, columns)), shape=matrix.shape).tocsr()
    for edges, largest in product((csr_array(matrix), with_zeros), (0, 10**6)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                alignrank.matchers.assignment.optimal, "LARGE", largest
            )  # by our kernel; by scipy
            found = assign_edges(edges, method)
        assert found.rows.tolist() == expected.rows.tolist()
        assert found.columns.tolist() == expected.columns.tolist()
        assert found.similarities.tolist() == expected.similarities.tolist()


@examples(60)
@given(matrix=matrices())
def test_edges_that_would_not_fit_as_a_matrix_go_by_components(
    matrix: NDArray[np.float64],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignrank.matchers.assignment.pairs, "MOST", 0)
        found = assign_edges(csr_array(matrix))
    assert found.total == pytest.approx(assign(matrix).total, abs=1e-9)
    assert (found.similarities == matrix[found.rows, found.columns]).all()
    assert len(set(found.rows.tolist())) == len(set(found.columns.tolist())) == len(found)


def test_infinite_and_negative_values_are_refused_however_few_there_are() -> None:
    matrix = np.zeros((50, 50))
    matrix[0, 0], matrix[1, 1] = np.inf, 0.5
    for method in METHODS:
        for wrong in (-0.5, np.nan):
            with pytest.raises(MatcherError, match="NaN or a negative"):
                assign_edges(csr_array(([wrong], ([0], [1])), shape=(50, 50)), method)
    with pytest.raises(MatcherError, match="infinite"):
        assign(matrix)
    with pytest.raises(MatcherError, match="infinite"):
        assign_edges(csr_array(matrix))
    with pytest.raises(MatcherError, match="two sides"):
        assign(np.ones(3))
