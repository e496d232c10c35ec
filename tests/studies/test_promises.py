"""The promises of the documentation, with few runs: bounds within Monte-Carlo error."""

from __future__ import annotations

import numpy as np
import pytest

from promises import SIZES, Design, Line, Measured, designs, laid_out, measure

#: A small part of the designs, of each kind.
SMALL = (
    "crossed .1/.06",
    "cousins .1",
    "near-copies, n = 120",
    "losses, n = 100",
    "losses and gains, 100 clusters of 5, fate shared 0.3",
    "wrong extras, F1, n = 200",
    "runs (1, 3)",
    "normal, 5 tasks",
    "all pairs of 5 ontologies",
    "1:n, 30 entities",
)


@pytest.mark.parametrize("name", SMALL)
def test_a_promise_is_held(name: str) -> None:
    design = next(design for design in designs() if design.name == name)
    for line in measure(design, runs=50):
        assert line.held, line


def test_what_holds_is_decided_by_two_errors() -> None:
    assert Measured("p", "d", 0.05, True, 0.06, 1000).held
    assert not Measured("p", "d", 0.05, True, 0.07, 1000).held
    assert Measured("p", "d", 0.95, False, 0.94, 1000).held
    assert not Measured("p", "d", 0.95, False, 0.93, 1000).held
    assert Measured("p", "d", None, True, 0.9, 1000).held


def test_shares_are_those_of_the_trials() -> None:
    coin = Design("coin", (Line("heads"), Line("always")), lambda rng: [rng.random() < 0.5, 1])
    heads, always = measure(coin, runs=1000)
    assert heads.measured == pytest.approx(0.5, abs=0.05)
    assert always.measured == 1
    assert measure(coin, runs=1000) == [heads, always]


def test_clusters_have_their_sizes() -> None:
    sizes = np.bincount(laid_out(SIZES["hub"], 1500, 3))
    assert sizes.max() == 200
    assert (sizes == 1).sum() == 1300
    assert len({design.name for design in designs()}) > 70
