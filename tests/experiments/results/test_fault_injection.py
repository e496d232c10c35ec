"""Results survive a fault at each step of writing them: some here, all under the profile `ci`."""

from __future__ import annotations

import csv
import subprocess
import sys

import pytest
from hypothesis import settings

from tests.conftest import PROJECT
from tests.faults import RUNS
from tests.generated import ALL

#: A sample of the cases of a run that meets each fault and each part of the run.
EVERY = {"score": 37, "match": 5}


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS)
def test_after_a_fault_results_are_old_or_new_and_the_next_run_makes_them(run: str) -> None:
    every = 1 if settings().max_examples == ALL else EVERY[run]
    command = [sys.executable, "-m", "tests.faults", run, "--every", str(every)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert {row["fault"] for row in rows} == {"I/O error", "disk full", "kill"}
    assert sum(int(row["tried"]) for row in rows) > 5
