"""Pairing few edges, component by component."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import matchers.components
from matchers.components import best_pairing, components


@pytest.mark.parametrize("largest_dense", [0, matchers.components.DENSE])
@settings(max_examples=80)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_total_is_the_hungarians(
    largest_dense: int, n: int, m: int, seed: int, density: float
) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(1, 8, (n, m)) / 7 * (rng.random((n, m)) < density)
    rows, columns = np.nonzero(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matchers.components, "DENSE", largest_dense)
        best = best_pairing(rows, columns, matrix[rows, columns])
    row, column = rows[best], columns[best]
    assert len(set(row.tolist())) == len(set(column.tolist())) == len(row)
    assert row.tolist() == sorted(row.tolist())
    assert (matrix[row, column] > 0).all()
    expected = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert matrix[row, column].sum() == pytest.approx(expected, abs=1e-12)


def test_components() -> None:
    rows, columns = np.array([5, 0, 3, 0, 1]), np.array([2, 2, 0, 1, 3])
    found = components(rows, columns)
    assert sorted(sorted(edges.tolist()) for edges in found) == [[0, 1, 3], [2], [4]]
    assert components(rows[:0], columns[:0]) == []


def test_no_edges() -> None:
    nothing = np.empty(0, dtype=np.intp)
    assert len(best_pairing(nothing, nothing, np.empty(0))) == 0
