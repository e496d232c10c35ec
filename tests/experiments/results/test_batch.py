"""A batch goes on past what the user can mend, and past nothing else."""

from __future__ import annotations

import pytest

from experiments.results.batch import Batch
from ontologies import OntologyError


def test_failures_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    batch = Batch()
    for name in ("good", "bad"):
        with batch.part(name):
            if name == "bad":
                raise OntologyError("x.owl is\nempty")
    assert batch.tell("task") == 1
    assert capsys.readouterr().err == "alignrank: 1 task failed:\n  bad: x.owl is empty\n"
    assert Batch().tell("task") == 0


def test_a_fault_of_ours_stops_it() -> None:
    with pytest.raises(KeyError), Batch().part("one"):
        raise KeyError("a fault")
