"""Our Hungarian algorithm, which reads few entries, against scipy's, which reads all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

import alignrank.matchers.assignment.optimal
import alignrank.matchers.kernels.hungarian
from alignrank.common.errors import MatcherError
from alignrank.matchers.assignment.optimal import TOLERANCE, optimal_pairs, tight_entries
from alignrank.matchers.kernels.hungarian import optimal_columns
from tests.generated import examples

Matrix = NDArray[np.float64]


def tie_heavy(seed: int, largest: int) -> Matrix:
    """Return a matrix of fractions, zeros and ones, of few values, or of vectors' likeness."""
    rng = np.random.default_rng(seed)
    n, m = sorted(rng.integers(1, largest, 2).tolist())
    left, right = rng.random((n, 4)), rng.random((m, 4))
    matrices: list[Matrix] = [
        rng.integers(0, 3, (n, m)) / 2,
        rng.integers(0, 8, (n, m)) / rng.integers(7, 13, (n, m)),
        rng.integers(0, 2, (n, m)).astype(float),
        rng.integers(0, 5, (n, m)) / 5 * (rng.random((n, m)) < 0.3),
        np.round(left @ right.T / 4, 2),
        1e6 * rng.random((n, m)),
    ]
    return matrices[rng.integers(len(matrices))]


@pytest.mark.parametrize(("few", "cases", "largest"), [(1, 3000, 14), (2, 3000, 14), (4, 300, 150)])
def test_columns_are_scipys_whichever_optimum_it_takes(few: int, cases: int, largest: int) -> None:
    for seed in range(cases):
        matrix = tie_heavy(seed, largest)
        columns, u, v = optimal_columns(csr_array(matrix) if seed % 2 else matrix, few)
        assert columns.tolist() == linear_sum_assignment(-matrix)[1].tolist(), seed
        size = matrix.max(initial=1.0)
        assert (u[:, None] + v + matrix).max() <= 1e-12 * size, seed
        assert v.max() <= 1e-12 * size, seed
        assert u.sum() + v.sum() == pytest.approx(-matrix[range(len(u)), columns].sum()), seed


def structured(n: int) -> dict[str, Matrix]:
    """Return matrices on which a search passes most columns: few best entries do not help."""
    rng = np.random.default_rng(n)
    i = np.arange(1, n + 1) / n
    products = {"i·j": np.outer(i, i), "rank one": np.outer(rng.random(n), rng.random(n))}
    return {
        **products,
        **{f"1 - {name}": 1 - matrix for name, matrix in products.items()},
        "constant columns": np.tile(rng.random(n), (n, 1)),
        "constant rows": np.tile(rng.random(n)[:, None], n),
        "distance": np.abs(i[:, None] - i),
        "nearness": 1 - np.abs(i[:, None] - i),
    }


@pytest.mark.parametrize("few", [2, 32])
@pytest.mark.parametrize("n", [5, 64, 130])
def test_structured_similarities_are_paired_as_by_scipy(few: int, n: int) -> None:
    for name, matrix in structured(n).items():
        columns, u, v = optimal_columns(matrix, few)
        assert columns.tolist() == linear_sum_assignment(matrix, maximize=True)[1].tolist(), name
        assert (u[:, None] + v + matrix).max() <= 1e-12, name
        assert v.max() <= 0, name


@examples(60)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_pairs_of_high_and_wide_matrices_are_scipys(seed: int, high: bool) -> None:
    matrix = tie_heavy(seed, 40)
    matrix = matrix.T if high else matrix
    expected = linear_sum_assignment(matrix, maximize=True)
    for threshold in (0, matrix.size + 1):  # by our kernel; by scipy
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(alignrank.matchers.assignment.optimal, "LARGE", threshold)
            *found, duals = optimal_pairs(matrix)
        assert (duals is None) == (threshold > 0)
        if duals is not None and duals.tight is not None:
            tolerance = TOLERANCE * matrix[*found].max(initial=0.0)
            tight, _ = tight_entries(matrix, duals.rows, duals.columns, tolerance)
            assert duals.tight.tolist() == tight.tolist()
        assert [side.tolist() for side in found] == [side.tolist() for side in expected]


def test_large_matrices_use_the_kernel_and_are_paired_as_by_scipy() -> None:
    rng = np.random.default_rng(1)
    matrix = np.round(rng.random((1000, 4)) @ rng.random((1100, 4)).T / 4, 2)
    assert matrix.size > alignrank.matchers.assignment.optimal.LARGE
    rows, columns, _ = optimal_pairs(matrix)
    assert rows.tolist() == list(range(1000))
    assert columns.tolist() == linear_sum_assignment(-matrix)[1].tolist()


@pytest.mark.parametrize(
    ("matrix", "columns", "u", "v"),
    [
        ([[0.9, 0.8], [0.8, 0.1]], [0, 1], [-0.8, -0.7], [-0.1, 0.0]),  # less than the optimum
        ([[1.0, 0.0], [1.0, 0.0]], [0, 0], [-1.0, -1.0], [0.0, 0.0]),  # a column twice
        ([[0.5, 0.9]], [0], [-0.5], [0.0, 0.0]),  # an entry above its prices
        ([[0.5, 0.9]], [0], [-0.9], [0.4, 0.0]),  # a price of the wrong sign
    ],
)
def test_a_wrong_pairing_is_found_out(
    matrix: list[list[float]],
    columns: list[int],
    u: list[float],
    v: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = np.array(columns), np.array(u), np.array(v)
    monkeypatch.setattr(alignrank.matchers.assignment.optimal, "LARGE", 0)
    monkeypatch.setattr(alignrank.matchers.kernels.hungarian, "optimal_columns", lambda _: wrong)
    with pytest.raises(ArithmeticError, match="not proved optimal"):
        optimal_pairs(np.array(matrix))


def test_infinite_values_are_refused() -> None:
    with pytest.raises(MatcherError, match="infinite"):
        optimal_pairs(np.array([[math.inf, 0.5]]))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nothing_to_pair(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignrank.matchers.assignment.optimal, "LARGE", 0)
    assert [len(side) for side in optimal_pairs(np.zeros(shape))[:2]] == [0, 0]
