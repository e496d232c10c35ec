"""`alignrank plan` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaluation.uncertainty.planning import Pilot, plan
from ontologies.tasks import bundled_task


def test_two_numbers_are_a_pilot(shell: Any) -> None:
    code, out, err = shell("plan", "--discordant", "0.1", "--difference", "0.02")
    expected = plan(Pilot(0.1, 0.02))
    assert code == 0
    assert out.startswith(f"{expected.items} source entities find a difference of 0.020")
    assert "source entities are taken as independent" in " ".join(err.split())
    stated = ("--discordant", ".1", "--difference", ".02", "--design-effect", "1.7")
    assert "independent" not in shell("plan", *stated)[2]
    found = json.loads(
        shell.run("plan", "--discordant", ".1", "--difference", ".02", "--json").stdout
    )
    assert found["items"] == expected.items


def test_two_alignments_are_a_pilot_and_more_systems_need_more_items(shell: Any) -> None:
    task = bundled_task("foodchain")
    files = [task.reference, *(task.alignments[f"system_{name}"] for name in ("good", "bad"))]
    two, ten = (
        json.loads(
            shell.run("plan", *files, "--source", task.source, "--systems", n, "--json").stdout
        )
        for n in ("2", "10")
    )
    assert two["pilot"] == ten["pilot"]
    assert ten["items"] > two["items"]
    assert ten["level"] == two["level"] / 45


def test_what_cannot_be_planned_is_said(shell: Any, tmp_path: Path) -> None:
    reference = bundled_task("library").reference
    for given in ([], [reference], [reference, reference, reference, "--discordant", ".1"]):
        assert "a plan needs a pilot" in shell.refused("plan", *given)
    said = shell.refused("plan", "--discordant", ".1", "--difference", ".2")
    assert "cannot be planned for" in said
