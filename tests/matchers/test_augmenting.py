"""The sparse assignment problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from matchers.augmenting import pair_by_edges

Matrix = NDArray[np.float64]


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    """Return matrices with many ties, many zeros, or neither."""
    shape = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    level = draw(st.sampled_from([1, 3, 1000]))
    entries = st.integers(0, level).map(lambda k: k / level)
    size = shape[0] * shape[1]
    return np.array(draw(st.lists(entries, min_size=size, max_size=size))).reshape(shape)


@settings(max_examples=400)
@given(matrices())
def test_pairing_has_the_largest_total_and_prices_that_prove_it(matrix: Matrix) -> None:
    edges = matrix > 0.0
    column_of, u, v = pair_by_edges(*np.nonzero(edges), matrix[edges])
    rows = np.flatnonzero(column_of >= 0)
    columns = column_of[rows]
    assert len(set(columns.tolist())) == len(columns)
    total = matrix[rows, columns].sum()
    assert total == pytest.approx(matrix[linear_sum_assignment(-matrix)].sum())
    # Weak duality: prices that allow every edge, and whose sum the pairing reaches.
    assert u.sum() + v.sum() == pytest.approx(total)
    assert min(u.min(initial=0.0), v.min(initial=0.0)) >= -1e-9
    slack = u[:, None] + v - matrix[: len(u), : len(v)]
    assert slack[edges[: len(u), : len(v)]].min(initial=0.0) > -1e-9
