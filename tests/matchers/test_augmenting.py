"""The sparse assignment problem, edges added step by step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from matchers.augmenting import SparsePairing
from matchers.kernels.prices import best_of_columns, most_underpriced

Matrix = NDArray[np.float64]


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    """Return matrices with many ties, many zeros, or neither."""
    shape = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    level = draw(st.sampled_from([1, 3, 1000]))
    entries = st.integers(0, level).map(lambda k: k / level)
    size = shape[0] * shape[1]
    return np.array(draw(st.lists(entries, min_size=size, max_size=size))).reshape(shape)


def check(pairing: SparsePairing, matrix: Matrix) -> None:
    """Weak duality: prices that allow every edge, and whose sum the pairing reaches."""
    rows = np.flatnonzero(pairing.column_of >= 0)
    columns = pairing.column_of[rows]
    assert len(set(columns.tolist())) == len(columns)
    total = matrix[rows, columns].sum()
    assert total == pytest.approx(matrix[linear_sum_assignment(-matrix)].sum())
    assert pairing.rows.sum() + pairing.columns.sum() == pytest.approx(total)
    assert min(pairing.rows.min(), pairing.columns.min()) >= -1e-9
    edges = matrix > 0.0
    assert (pairing.rows[:, None] + pairing.columns - matrix)[edges].min(initial=0.0) > -1e-9


@settings(max_examples=300)
@given(matrices(), st.data())
def test_best_pairing_after_every_step(matrix: Matrix, data: st.DataObject) -> None:
    rows, columns = np.nonzero(matrix)
    steps = st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows))
    step = np.array(data.draw(steps), dtype=int)
    pairing = SparsePairing(*matrix.shape)
    for k in range(3):
        known = step <= k
        weights = matrix[rows[known], columns[known]]
        pairing.solve(rows[known], columns[known], weights)
        so_far = np.zeros_like(matrix)
        so_far[rows[known], columns[known]] = weights
        check(pairing, so_far)


@given(matrices(), st.integers(1, 4), st.data())
def test_most_underpriced_entries(matrix: Matrix, most: int, data: st.DataObject) -> None:
    price = st.sampled_from([0.0, 0.25, 0.5])
    u, v = (
        np.array(data.draw(st.lists(price, min_size=size, max_size=size))) for size in matrix.shape
    )
    found = most_underpriced(matrix, u, v, 0.1, most)
    assert found.tolist() == sorted(set(found.tolist()))
    excess = matrix - u[:, None] - v
    taken = np.zeros(matrix.shape, dtype=bool)
    taken.ravel()[found] = True
    for row, of_row in zip(excess, taken, strict=True):
        best = np.sort(row[row > 0.1])[::-1][:most]
        assert np.sort(row[of_row])[::-1].tolist() == best.tolist()


@given(matrices(), st.integers(1, 4))
def test_best_entries_of_columns(matrix: Matrix, most: int) -> None:
    found = best_of_columns(matrix, most)
    assert found.tolist() == sorted(set(found.tolist()))
    taken = np.zeros(matrix.shape, dtype=bool)
    taken.ravel()[found] = True
    for column, of_column in zip(matrix.T, taken.T, strict=True):
        best = np.sort(column[column > 0.0])[::-1][:most]
        assert np.sort(column[of_column])[::-1].tolist() == best.tolist()
