"""The sentence on a step's outcome."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from alignrank.evaluation import compare
from alignrank.experiments.library.summary import Outcome
from alignrank.ontologies import Alignment, Correspondence


def test_a_step_names_its_best_and_who_is_not_significantly_different() -> None:
    right = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(60))
    systems = {
        "most": right.where(lambda c: c.entity1 < "a#50"),
        "nearly": right.where(lambda c: c.entity1 < "a#49"),
        "few": right.where(lambda c: c.entity1 < "a#10"),
    }
    step: Any = SimpleNamespace(judging=SimpleNamespace(measure=""))
    outcome = Outcome(step, compare(systems, right))
    assert outcome.sentence == (
        "most is highest (F1 0.909) and is not significantly different from 1 other; 2 groups of 3"
    )
