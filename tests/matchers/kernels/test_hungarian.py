"""The compiled passes over a matrix and the prices of its rows and columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from alignrank.matchers.kernels.hungarian import number_above, raise_prices, tight_entries

Problem = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def values(number: int) -> st.SearchStrategy[NDArray[np.float64]]:
    """Quarters from 0 to 1, so many: drawn as bytes, a list of 1,500 takes a tenth of a second."""
    drawn = st.binary(min_size=number, max_size=number)
    return drawn.map(lambda text: np.frombuffer(text, np.uint8) % 5 / 4)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    n, m = draw(st.integers(0, 5)), draw(st.integers(0, 300))
    return draw(values(n * m)).reshape(n, m), draw(values(n)), draw(values(m))


@given(problems())
def test_tight_entries_reach_the_sum_of_their_prices(problem: Problem) -> None:
    matrix, u, v = problem
    price = u[:, None] + v
    tight = (matrix >= price - 1e-9) & (matrix > 2e-9)
    pairs, above = tight_entries(matrix, u, v, 1e-9)
    assert pairs.tolist() == np.argwhere(tight).tolist()
    assert above == (matrix > price + 1e-9).sum()


@given(problems())
def test_number_of_entries_above_their_prices(problem: Problem) -> None:
    matrix, u, v = problem
    assert number_above(matrix, u, v, 0.1) == (matrix > u[:, None] + v + 0.1).sum()


@given(problems(), st.data())
def test_prices_rise_to_what_rows_demand(problem: Problem, data: st.DataObject) -> None:
    matrix, u, v = problem
    rows = data.draw(st.lists(st.integers(0, max(len(u) - 1, 0)), max_size=4 * len(u)))
    expected = np.maximum(v, (matrix[rows] - u[rows, None]).max(axis=0, initial=-np.inf))
    risen = v.copy()
    raise_prices(matrix, np.array(rows, dtype=np.intp), u[rows], risen)
    assert risen.tolist() == expected.tolist()
