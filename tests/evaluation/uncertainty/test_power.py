"""Power of the mid-p test, by its definition and by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation import EvaluationError, Pairwise, compare_counts, mcnemar
from evaluation.uncertainty.power import critical_count, detectable, mid_p_power, smallest_share


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


@given(st.integers(0, 80), st.sampled_from([0.001, 0.05, 0.1]))
def test_critical_count_is_the_first_that_rejects(n: int, alpha: float) -> None:
    rejected = [k for k in range(n + 1) if 2 * k > n and float(mcnemar(k, n - k).p) <= alpha]
    assert int(critical_count(n, alpha)) == (rejected[0] if rejected else n + 1)


@given(st.integers(0, 60), st.floats(0.5, 1.0))
def test_power_sums_the_rejected_outcomes(n: int, share: float) -> None:
    x = np.arange(n + 1)
    expected = stats.binom.pmf(x, n, share)[mcnemar(x, n - x).p <= 0.05].sum()
    assert float(mid_p_power(n, share)) == pytest.approx(expected, abs=1e-12)


@given(st.integers(6, 3000))
def test_smallest_share_reaches_the_power(n: int) -> None:
    share = float(smallest_share(n))
    assert float(mid_p_power(n, share)) == pytest.approx(0.8, abs=1e-6)


def test_power_by_simulation() -> None:
    rng = np.random.default_rng(11)
    share = float(smallest_share(150, power=0.8, alpha=0.01))
    b = rng.binomial(150, share, 5000)
    found = np.mean(mcnemar(b, 150 - b).p <= 0.01)
    assert found == pytest.approx(0.8, abs=0.02)


def test_detectable_difference_of_every_pair() -> None:
    matrix = [[0, 40, 12], [8, 0, 4], [13, 37, 0]]
    v = compare_counts(matrix, ["a", "b", "c"], reference=1000).views["ifp"]
    d = detectable(v)
    assert d.level == pytest.approx(0.05 / 3)
    assert d.items[0, 1] == pytest.approx(48 * (2 * float(smallest_share(48, alpha=0.05 / 3)) - 1))
    assert d.rate[0, 1] == d.items[0, 1] / 1000
    assert smallest_share(48, alpha=0.05) < smallest_share(48, alpha=0.05 / 3)
    assert math.isnan(detectable(view(2, 1)).items[0, 1])
    assert len(d.to_frame()) == 3
    with pytest.raises(EvaluationError, match=r"power is 0\.01"):
        smallest_share(48, power=0.01, alpha=0.05)
