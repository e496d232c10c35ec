"""Two mappings without a reference: counts, SSSOM, a page in two colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alignrank.common.results import version
from alignrank.ontologies import read_alignment
from alignrank.ontologies.tasks import bundled_task
from tests.experiments.conftest import Pages

TASK = bundled_task("library")


@pytest.fixture
def mappings(tmp_path: Path) -> list[Path]:
    """A mapping and a later one: a pair is gone, one is denied, one has another confidence."""
    head = "subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tconfidence"
    row = "http://a#{0}\tname of {0}\tskos:exactMatch\t{2}\thttp://b#{0}\t{1}"
    rows_by_file = {
        "old": [("x", 1, ""), ("y", 0.9, ""), ("z", 1, ""), ("same", 1, "")],
        "new": [("x", 1, "Not"), ("y", 0.5, ""), ("same", 1, "")],
    }
    paths = []
    for name, rows in rows_by_file.items():
        paths.append(tmp_path / f"{name}.sssom.tsv")
        paths[-1].write_text("\n".join([head, *(row.format(*r) for r in rows)]) + "\n")
    return paths


def test_two_mappings_are_compared_without_a_reference(
    shell: Any, mappings: list[Path], tmp_path: Path
) -> None:
    text = shell.printed("compare", *mappings)
    assert text.startswith("3 of 4 pairs differ between")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    for line in ("contradiction 1", "other confidence 1", "only in the first 1", "the same 1"):
        assert line in lines
    assert "contradiction name of x = 1.000 not = x" in lines
    # a line of its own, to be copied
    assert f"Next: alignrank sample SOURCE TARGET {mappings[0]} {mappings[1]}" in lines
    content = shell.json("compare", *mappings, "--out", tmp_path / "out")
    assert content["version"] == version()
    assert content["counts"]["contradiction"] == 1
    union = read_alignment(tmp_path / "out" / "diff.sssom.tsv")
    assert (len(union), len(union.negated)) == (3, 1)


def test_what_needs_systems_is_refused_for_two_files(shell: Any, mappings: list[Path]) -> None:
    message = shell.refused("compare", *mappings, "--focus", "new")
    assert "--focus goes with alignments" in message
    message = shell.refused("compare", *mappings, "--source", TASK.source)
    assert "name both ontologies, --source and --target, or neither" in message


def test_the_page_shows_differences_first_in_two_colours(
    opened: Pages, shell: Any, mappings: list[Path], tmp_path: Path
) -> None:
    shell.printed("compare", *mappings, "--out", tmp_path / "out")
    tab = opened(tmp_path / "out" / "diff.html")
    read = "all => all.map(r => [r.children[6].textContent, getComputedStyle(r).backgroundColor])"
    rows = tab.eval_on_selector_all("#rows tr", read)
    assert [kind for kind, _ in rows] == [
        "contradiction",
        "only in the first",
        "other confidence",
        "the same",
    ]
    colours = [colour for _, colour in rows]
    assert colours[1] != colours[3]
    assert colours[2] == colours[3]
