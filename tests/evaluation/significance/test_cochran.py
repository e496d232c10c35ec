"""Cochran's Q from the items themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation import EvaluationError, mcnemar
from evaluation.comparison.contingency import discordant
from evaluation.significance.mcnemar import cochran_q


@given(st.integers(2, 5), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_cochrans_q_from_the_items(k: int, m: int, seed: int) -> None:
    right = np.random.default_rng(seed).random((k, m)) < 0.6
    columns, rows = right.sum(axis=1), right.sum(axis=0)
    result = cochran_q(discordant(right))
    spread = int((rows * (k - rows)).sum())
    if not spread:
        assert math.isnan(result.statistic)
        assert result.p == 1
        return
    q = k * (k - 1) * ((columns - columns.mean()) ** 2).sum() / spread
    assert result.statistic == pytest.approx(q)
    assert result.p == pytest.approx(stats.chi2.sf(q, k - 1))


def test_cochrans_q_of_two_is_mcnemars() -> None:
    assert cochran_q([[0, 8], [2, 0]]).p == pytest.approx(float(mcnemar(8, 2, "asymptotic").p))
    with pytest.raises(EvaluationError, match="must be square"):
        cochran_q([[0, 1, 2], [1, 0, 3]])
