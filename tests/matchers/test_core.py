"""The sparse core with its certificate, against the dense algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

import matchers.assignment
import matchers.core
from matchers.assignment import assign
from matchers.augmenting import SparsePairing
from matchers.core import assign_on_core


def tie_heavy(seed: int) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 14, 2)
    matrices: list[NDArray[np.float64]] = [
        rng.integers(0, 3, (n, m)) / 2,
        rng.integers(0, 8, (n, m)) / rng.integers(7, 13, (n, m)),
        rng.integers(0, 2, (n, m)).astype(float),
        rng.integers(0, 5, (n, m)) / 5 * (rng.random((n, m)) < 0.3),
    ]
    return matrices[rng.integers(len(matrices))]


@pytest.mark.parametrize(("per_row", "per_column", "added"), [(12, 6, 4), (1, 1, 1), (2, 1, 2)])
def test_total_is_the_dense_algorithms(
    per_row: int, per_column: int, added: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchers.core, "PER_ROW", per_row)
    monkeypatch.setattr(matchers.core, "PER_COLUMN", per_column)
    monkeypatch.setattr(matchers.core, "ADDED", added)
    for seed in range(400):
        matrix = tie_heavy(seed)
        found = assign_on_core(matrix)
        assert found.rows.tolist() == sorted(set(found.rows.tolist()))
        assert len(set(found.columns.tolist())) == len(found)
        assert (found.similarities == matrix[found.rows, found.columns]).all()
        assert (found.similarities > 0).all()
        best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
        assert found.total == pytest.approx(best, abs=1e-12), seed


@settings(max_examples=5)
@given(st.integers(0, 2**32 - 1))
def test_large_matrices_are_solved_on_their_core(seed: int) -> None:
    rng = np.random.default_rng(seed)
    left, right = rng.random((300, 4)), rng.random((340, 4))
    matrix = np.round(left @ right.T / 4, 2)  # few values, many ties
    dense = assign(matrix)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matchers.assignment, "LARGE", 0)
        on_core = assign(matrix)
    assert on_core.total == pytest.approx(dense.total, abs=1e-9)


def test_the_core_grows_until_it_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    # All best entries are in one column: the core that begins with them cannot be enough.
    matrix = np.full((40, 40), 0.5)
    matrix[:, 0] = 1.0
    monkeypatch.setattr(matchers.core, "PER_ROW", 1)
    monkeypatch.setattr(matchers.core, "PER_COLUMN", 1)
    rounds = 0

    class Counted(SparsePairing):
        def solve(self, *edges: Any) -> None:
            nonlocal rounds
            rounds += 1
            super().solve(*edges)

    monkeypatch.setattr(matchers.core, "SparsePairing", Counted)
    assert assign_on_core(matrix).total == 1.0 + 39 * 0.5
    assert rounds > 1


def test_a_wrong_solver_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(SparsePairing):
        def solve(self, *edges: Any) -> None:
            self.column_of[:] = [0, 1]

    matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    monkeypatch.setattr(matchers.core, "SparsePairing", Wrong)
    with pytest.raises(ArithmeticError, match="not proved optimal"):
        assign_on_core(matrix)
