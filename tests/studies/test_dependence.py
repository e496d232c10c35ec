"""The study of few and unequal clusters, with few runs."""

from __future__ import annotations

import pytest

from dependence import FURTHER, designs
from promises import measure

SMALL = (
    "flat × 15 Zipf (.1), n = 200",
    "20 equal (.1) × 6 equal (.05), n = 120",
    "runs (3, 3), sd (0.05, 0.01)",
    "three of one's own, six others, effect 4",
    "two decimals, 5 tasks, sd .006",
)


@pytest.mark.parametrize("name", SMALL)
def test_a_promise_is_held(name: str) -> None:
    design = next(design for design in designs() if design.name == name)
    for line in measure(design, runs=30):
        assert line.held, line
        if line.promise.startswith("intervals that contradict"):
            assert line.measured == 0


def test_six_designs_have_another_shape() -> None:
    assert len(FURTHER) == 6
    names = [(design.name, design.lines[0].promise) for design in designs()]
    assert len(set(names)) == len(names)
