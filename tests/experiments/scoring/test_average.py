"""`alignrank average`: what it averages over, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ontologies import Alignment, Correspondence, write_alignment


@pytest.fixture
def track(tmp_path: Path) -> tuple[Path, Path]:
    """Two tasks: 'one' has four pairs, 'two' has one; system b has no result for 'two'."""
    gold, found = tmp_path / "gold", tmp_path / "found"
    gold.mkdir()
    found.mkdir()
    four = [Correspondence(f"a{i}", f"b{i}") for i in range(4)]
    single = [Correspondence("c", "d")]
    write_alignment(Alignment(four), gold / "one.rdf")
    write_alignment(Alignment(single), gold / "two.rdf")
    write_alignment(Alignment(four[:2]), found / "a-one.rdf")
    write_alignment(Alignment(single), found / "a-two.rdf")
    write_alignment(Alignment(four), found / "b-one.rdf")
    return gold, found


def test_averages_say_what_they_average_over(shell: Any, track: tuple[Path, Path]) -> None:
    content = shell.json("average", *track)
    a, b = content["systems"]["a"], content["systems"]["b"]
    assert a["micro (2 tasks)"]["recall"] == pytest.approx(3 / 5)
    assert a["macro (2 tasks, mean of F1)"]["recall"] == pytest.approx(3 / 4)
    assert a["macro (2 tasks, mean of F1)"]["f1"] == pytest.approx((2 / 3 + 1) / 2)
    assert a["macro (2 tasks, F1 of means)"]["f1"] == pytest.approx(2 * 0.75 / 1.75)
    assert b["micro (2 tasks)"]["recall"] == pytest.approx(4 / 5)
    assert content["cautions"] == ["b: no result for two, counted as 0"]
    skipped = shell.json("average", *track, "--missing", "skip")
    assert skipped["systems"]["b"]["micro (1 tasks)"]["recall"] == 1
    assert skipped["cautions"] == ["b: no result for two, left out"]
    code, out, _ = shell("average", *track)
    assert code == 0
    assert out.splitlines()[0] == "2 tasks, standard"


def test_a_task_without_any_result_counts(shell: Any, track: tuple[Path, Path]) -> None:
    (track[1] / "a-two.rdf").unlink()
    content = shell.json("average", *track)
    assert content["systems"]["a"]["micro (2 tasks)"]["recall"] == pytest.approx(2 / 5)
    assert len(content["cautions"]) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--missing", "refuse"], "--missing 'refuse' is unknown: use one of zero, skip"),
        (["--zero-division", "x"], "--zero-division 'x' is unknown"),
        (["--format", "csv"], "--format 'csv' is unknown: use one of table, json"),
        (["--measure", "relaxed-bdm"], "needs the ontologies of every task"),
        (["--measure", "jaccard"], "has no precision and recall to average"),
    ],
)
def test_averages_refuse(
    shell: Any, track: tuple[Path, Path], options: list[str], message: str
) -> None:
    assert message in shell.refused("average", *track, *options)


def test_averages_need_references(shell: Any, track: tuple[Path, Path], tmp_path: Path) -> None:
    assert "is not a folder" in shell.refused("average", tmp_path / "nowhere", track[1])
