"""`alignrank rank --view`: another question about the same alignments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from alignrank.ontologies.tasks import bundled_task


@pytest.mark.parametrize("view", ["cfp", "entity-target"])
def test_a_ranking_is_of_the_view_that_is_asked_for(view: str, shell: Any, tmp_path: Path) -> None:
    some = ("-m", "ngram", "-m", "levenshtein", "-m", "equality")
    code, out, _ = shell(
        "rank", "--task", "library", *some, "--view", view, "--out", tmp_path / "r"
    )
    assert code == 0
    assert f"; {view}, mid-p with bergmann-hommel" in out
    ranked = json.loads((tmp_path / "r/summary.json").read_text())
    task = bundled_task("library")
    systems = sorted((tmp_path / "r/alignments").glob("*.rdf"))
    onto = ("--source", task.source, "--target", task.target)
    shell("compare", task.reference, *systems, *onto, "--view", view, "--out", tmp_path / "c")
    compared = json.loads((tmp_path / "c/summary.json").read_text())
    assert list(ranked["edges"]) == [view]
    for key in ("edges", "conditional"):
        one, other = (found[key][view]["bergmann-hommel"] for found in (ranked, compared))
        assert sorted(one) == sorted(other)
    assert ranked["edges"][view]["bergmann-hommel"]


def test_views_are_of_one_task_and_not_of_a_protocol(shell: Any) -> None:
    refused = shell.refused("rank", "--task", "bundled", "--view", "cfp")
    assert "--view compares metrics on one task" in refused
    refused = shell.refused(
        "rank", "--task", "library", "--view", "cfp", "--protocol", "mohammadi-2018"
    )
    assert "leave --view out" in refused
