"""Plans: what is planned for is found as often as was asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evaluation import EvaluationError, mcnemar
from evaluation.significance.runs import runs_needed
from evaluation.uncertainty.planning import (
    Pilot,
    pilot,
    plan,
    power_of,
)


@pytest.mark.parametrize(("discordant", "difference"), [(0.05, 0.05), (0.2, 0.06), (0.6, 0.3)])
def test_the_planned_number_finds_the_difference(discordant: float, difference: float) -> None:
    found = plan(Pilot(discordant, difference))
    rng = np.random.default_rng(1)
    n = rng.binomial(found.items, discordant, 20_000)
    b = rng.binomial(n, (1 + difference / discordant) / 2)
    assert np.mean(mcnemar(b, n - b).p <= 0.05) == pytest.approx(0.8, abs=0.03)
    fewer = power_of(np.array([found.items - 1]), discordant, difference)
    assert fewer[0] < 0.8 + 0.01  # the power of a discrete test has teeth


def test_many_items_are_approximated_smoothly() -> None:
    exact, approximate = power_of(np.array([99_000, 101_000]), 0.2, 0.004)
    assert approximate == pytest.approx(exact, abs=0.015)


def test_clusters_and_pairs_cost_items() -> None:
    alone = plan(Pilot(0.2, 0.05))
    clustered = plan(Pilot(0.2, 0.05, design_effect=2.5, cluster_size=3.0))
    assert clustered.items == math.ceil(2.5 * alone.items)
    assert clustered.clusters == math.ceil(clustered.items / 3)
    assert plan(Pilot(0.2, 0.05), pairs=45).items > 1.8 * alone.items
    assert plan(Pilot(0.2, 0.01), difference=0.05).items == alone.items
    powers = [chance for _, chance in alone.curve]
    assert powers == sorted(powers)
    assert powers[0] < 0.2 < 0.97 < powers[-1]


def test_a_pilot_knows_its_design_effect() -> None:
    rng = np.random.default_rng(2)
    once = rng.random((2, 300)) < np.array([[0.8], [0.7]])
    found = pilot(np.repeat(once, 4, axis=1), np.repeat(np.arange(300), 4))
    assert found.design_effect == pytest.approx(4, rel=0.01)
    assert found.cluster_size == 4
    assert found.difference == pytest.approx(once[0].mean() - once[1].mean())


def test_runs_help_as_long_as_items_suffice() -> None:
    assert runs_needed(0.1, 0.0001, 0.0002) == 1
    assert runs_needed(0.03, 0.0001, 0.0002) == 14
    assert runs_needed(0.02, 0.0001, 0.0002) == math.inf


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(EvaluationError, match="a difference of 0 with"):
        plan(Pilot(0.2, 0.0))
    with pytest.raises(EvaluationError, match=r"0.3 with 0.2"):
        plan(Pilot(0.2, 0.1), difference=0.3)
    with pytest.raises(EvaluationError, match="power"):
        plan(Pilot(0.2, 0.1), power=0.01)
