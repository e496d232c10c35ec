"""The prior: what it says of itself, and what decisions teach."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from alignrank.matchers.model import Prior, learned


def test_a_prior_at_its_bound_is_no_estimate() -> None:
    assert "too high. Decide some thirty pairs" in Prior(2.0).caution
    assert "too low" in Prior(-2.0).caution
    assert Prior(1.9).caution == ""
    assert Prior(3.0, decisions=30).caution == ""


def test_decisions_teach_the_shift_that_made_them() -> None:
    odds = np.linspace(-2.0, 2.0, 4001)
    is_right = np.random.default_rng(1).random(4001) < expit(odds - 1.5)
    assert learned(0.5, odds, is_right) == Prior(pytest.approx(-1.5, abs=0.1), 4001)


def test_few_decisions_teach_nothing_and_one_sided_ones_not_too_much() -> None:
    assert learned(0.5, np.zeros(29), [True] * 29) == Prior(0.5)
    assert 2.0 < learned(0.0, np.zeros(30), [True] * 30).shift < 6.0
