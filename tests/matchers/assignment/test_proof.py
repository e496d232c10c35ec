"""Passes over a matrix, or edges, and the prices of its rows and columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array

from alignrank.matchers.assignment.optimal import _raise_to_demand, tight_entries

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
def test_edges_above_their_prices_are_counted_with_the_zeros_beside_them(problem: Problem) -> None:
    matrix, u, v = problem
    u = u - 0.25
    edges = csr_array(matrix)
    rows, columns = edges.nonzero()
    expected = (matrix[rows, columns] > (u[rows] + v[columns]) + 0.1).sum() + (u < -0.1).sum()
    assert tight_entries(edges, u, v, 0.1)[1] == expected


@given(problems(), st.data())
def test_prices_rise_to_what_rows_demand(problem: Problem, data: st.DataObject) -> None:
    matrix, u, v = problem
    rows = np.array(
        data.draw(st.lists(st.integers(0, max(len(u) - 1, 0)), max_size=4 * len(u))), dtype=np.intp
    )
    expected = np.maximum(v, (matrix[rows] - u[rows, None]).max(axis=0, initial=-np.inf))
    risen = v.copy()
    _raise_to_demand(matrix[rows], u[rows], risen)
    assert risen.tolist() == expected.tolist()
    of_edges = v.copy()
    _raise_to_demand(csr_array(matrix)[rows], u[rows], of_edges)
    stored = np.where(matrix > 0, matrix, -np.inf)[rows] - u[rows, None]
    assert of_edges.tolist() == np.maximum(v, stored.max(axis=0, initial=-np.inf)).tolist()
