"""The search beside its definition: no pair above the least cosine is missing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from alignrank.matchers import name_vectors as vectors
from alignrank.matchers.name_vectors import nearest
from tests.generated import examples


@st.composite
def unit_rows(draw: st.DrawFn) -> csr_array:
    """Return a few sparse rows of length 1."""
    cells = draw(
        st.lists(
            st.lists(st.integers(0, 3), min_size=5, max_size=5).filter(any), min_size=1, max_size=6
        )
    )
    rows = np.array(cells, dtype=float)
    return csr_array(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@given(unit_rows(), unit_rows(), st.sampled_from([0.2, 0.45, 0.8]))
@examples(100)
def test_no_pair_above_the_least_cosine_is_missing(
    rows: csr_array, columns: csr_array, least: float
) -> None:
    cosines = (rows @ columns.T).toarray()
    pairs = {tuple(pair) for pair in nearest(rows, columns, 100, least).tolist()}
    assert {tuple(pair) for pair in np.argwhere(cosines >= least + 1e-9).tolist()} <= pairs
    assert all(cosines[row, column] > 0.0 for row, column in pairs)


def test_each_row_gets_its_most_similar_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "BLOCK", 1)
    rows = csr_array(np.array([[1.0, 0.0], [0.6, 0.8]]))
    columns = csr_array(np.array([[0.8, 0.6], [1.0, 0.0], [0.0, 1.0]]))
    assert nearest(rows, columns, 1, 0.2).tolist() == [[0, 1], [1, 0]]


def test_a_term_in_most_names_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_HOLDERS", 2)
    rows = csr_array(np.array([[0.6, 0.8]]))
    columns = csr_array(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    assert nearest(rows, columns, 5, 0.2).tolist() == [[0, 3]]
