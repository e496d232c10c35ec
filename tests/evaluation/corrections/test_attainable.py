"""Pairs that cannot reach significance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation.corrections import adjust
from alignrank.evaluation.corrections.attainable import cannot_reach
from alignrank.evaluation.significance.crossed import crossed_test


def right_of(wins: int, losses: int) -> np.ndarray:
    """A and B, which differ on some items, and two systems that are far worse."""
    a = [1] * (wins + 230) + [0] * losses
    b = [0] * wins + [1] * (230 + losses)
    c = [0] * (wins + 130) + [1] * 100 + [0] * losses
    d = [0] * (wins + 130 + 100 + losses)
    return np.array([a, b, c, d], dtype=bool)


@pytest.mark.parametrize(("wins", "losses", "hopeless"), [(6, 1, False), (3, 1, True)])
def test_the_pairs_own_best_outcome_decides(wins: int, losses: int, hopeless: bool) -> None:
    right = right_of(wins, losses)
    result = crossed_test(right, np.arange(right.shape[1]))
    p = result.test.p
    assert p[0, 1] > 0.05
    least = result.least_p(p > 0.05)
    assert least[0, 1] == pytest.approx(2.0 ** (1 - wins - losses))
    verdict = cannot_reach(p, least, "bergmann-hommel")
    assert verdict[0, 1] == hopeless
    assert (verdict == verdict.T).all()


def test_seven_to_none_is_decided_among_four_systems() -> None:
    right = right_of(7, 0)
    result = crossed_test(right, np.arange(right.shape[1]))
    assert adjust(result.test.p, "bergmann-hommel").values[0, 1] <= 0.05


@given(st.integers(0, 10_000), st.sampled_from(["holm", "shaffer", "bergmann-hommel", "nemenyi"]))
def test_every_pair_by_its_definition(seed: int, correction: str) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((4, 12)) < 0.7
    result = crossed_test(right, rng.integers(0, 9, 12))
    p = result.test.p
    pairs = p > 0.02
    least = result.least_p(pairs)
    verdict = cannot_reach(p, least, correction, alpha=0.2)
    for i, j in np.argwhere(np.triu(pairs, 1)):
        best = p.copy()
        best[i, j] = best[j, i] = least[i, j]
        assert verdict[i, j] == (adjust(best, correction).values[i, j] > 0.2)


def test_only_the_certain_is_said_where_the_correction_cannot_be_repeated() -> None:
    p = np.full((3, 3), 0.5)
    least = np.array([[np.nan, 0.04, 0.06], [0.04, np.nan, 0.06], [0.06, 0.06, np.nan]])
    assert cannot_reach(p, least, "westfall-young")[0].tolist() == [False, False, True]
    assert cannot_reach(p, least, "bergmann-hommel")[0].tolist() == [False, True, True]


def test_one_system_against_the_others() -> None:
    p = np.array([0.5, 0.6, 0.01])
    verdict = cannot_reach(p, np.array([0.03, 0.001, np.nan]), "holm")
    assert verdict.tolist() == [True, False, False]
