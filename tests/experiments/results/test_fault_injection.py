"""Results survive a fault at each step of writing them: some here, all under the profile `ci`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from tests.faults import RUNS, Trial, cases
from tests.generated import ALL


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS)
def test_after_a_fault_results_are_old_or_new_and_the_next_run_makes_them(
    run: str, tmp_path: Path
) -> None:
    trial = Trial(run, tmp_path)
    every = 1 if settings().max_examples == ALL else 61  # each fault and each part of the run
    wrong = {case: trial.wrong(case) for case in cases(trial, every=every)}
    assert len(wrong) > 5
    assert {case: fault for case, fault in wrong.items() if fault} == {}
