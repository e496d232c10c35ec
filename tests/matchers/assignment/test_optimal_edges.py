"""The sparse assignment problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from alignrank.matchers.assignment.optimal import pair_edges
from tests.generated import examples

Matrix = NDArray[np.float64]


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    """Return matrices with many ties, many zeros, or neither."""
    shape = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    level = draw(st.sampled_from([1, 3, 1000]))
    entries = st.integers(0, level).map(lambda k: k / level)
    size = shape[0] * shape[1]
    return np.array(draw(st.lists(entries, min_size=size, max_size=size))).reshape(shape)


@examples(400)
@given(matrices())
def test_pairing_has_the_largest_total_and_duals_that_prove_it(matrix: Matrix) -> None:
    rows, columns = np.nonzero(matrix)
    weights = matrix[rows, columns]
    chosen, duals = pair_edges(rows, columns, weights, matrix.shape)
    for ends in (rows[chosen], columns[chosen]):
        assert len(set(ends.tolist())) == len(ends)
    assert chosen.tolist() == sorted(chosen.tolist())
    total = weights[chosen].sum()
    assert total == pytest.approx(matrix[linear_sum_assignment(-matrix)].sum())
    # Weak duality: prices that allow every edge, and whose sum the pairing reaches.
    assert duals.total == pytest.approx(total)
    assert min(duals.rows.min(), duals.columns.min()) >= -1e-9
    slack = duals.rows[rows] + duals.columns[columns] - weights
    assert slack.min(initial=0.0) > -1e-9


def test_no_edges() -> None:
    nothing = np.empty(0, dtype=np.intp)
    chosen, duals = pair_edges(nothing, nothing, np.empty(0), (2, 3))
    assert len(chosen) == 0
    assert duals.rows.tolist() + duals.columns.tolist() == [0.0] * 5
