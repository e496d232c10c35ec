"""A pair from files to files, in one process."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alignrank.common.results import Provenance
from alignrank.evaluation import Comparison, Matched, compare
from alignrank.experiments.presentation.present import present
from alignrank.experiments.ranking import pair
from alignrank.experiments.ranking.rank import RankedPair
from alignrank.matchers import Settings
from alignrank.ontologies import Alignment, Correspondence, Ontology
from alignrank.ontologies.tasks import bundled_task


def small_result() -> Comparison:
    right = Alignment([Correspondence("a", "x")])
    return compare({"one": right, "two": right}, right)


def ranked() -> RankedPair:
    nothing = Ontology("", {})
    return RankedPair(nothing, nothing, Alignment(), {}, small_result())


def test_a_figure_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "figures").touch()
    error = pair.write_results(tmp_path, ranked(), present(small_result()))
    assert error is not None
    assert str(error).startswith("the figures could not be drawn: ")
    assert "\n" not in str(error)


def test_a_full_disk_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("alignrank.experiments.report.figures.save", full)
    with pytest.raises(OSError, match="No space left"):
        pair.write_results(tmp_path, ranked(), present(small_result()))


def test_the_threshold_of_the_next_command_is_rounded_down() -> None:
    matched = Matched("assign-then-cut", {}, thresholds={"one": (0.1, 0.7079, 0.9)})
    result = replace(small_result(), matched=matched)
    command = pair._next_command(result, ["a.owl", "b.owl"], Settings())
    assert command == "alignrank match a.owl b.owl --metric one --threshold 0.707"
    assert pair._next_command(result, [], Settings()) == ""


def test_the_next_command_names_the_imports_and_json_is_the_summary(
    shell: Any, tmp_path: Path
) -> None:
    words = ["rank", "--task", "library", "-m", "equality", "-m", "jaro", "--imports", tmp_path]
    assert f"--task library --imports {tmp_path} --metric" in shell.printed(*words)
    printed = shell.json(*words, "--out", tmp_path / "out")
    assert printed == json.loads((tmp_path / "out" / "summary.json").read_text())


@pytest.mark.parametrize("tasks", [["library"], ["library", "petclinic", "citytransit"]])
def test_results_that_are_complete_are_printed_as_json(
    shell: Any, tmp_path: Path, tasks: list[str]
) -> None:
    words = ["rank", "-m", "equality", "-m", "jaro", "--out", tmp_path / "out", "--resume"]
    for task in tasks:
        words += ["--task", task]
    assert shell.json(*words) == shell.json(*words)


@pytest.mark.parametrize(
    ("shares", "advice"),
    [
        ((0.9, 0.9), "The data do not decide which metric is the best."),
        ((0.9, 0.5), "If only the best is asked for, it is m0."),
        (
            (0.9, 0.9, 0.5),
            "If only the best is asked for, it is m0 or m1; m0 is the most ",
        ),
    ],
)
def test_a_metric_is_recommended_by_the_confidence_set_for_the_best(
    shares: tuple[float, ...], advice: str
) -> None:
    reference = Alignment(Correspondence(f"a{k:02}", f"x{k}") for k in range(60))
    systems = {
        f"m{k}": Alignment(list(reference)[: int(60 * share)]) for k, share in enumerate(shares)
    }
    result = compare(systems, reference)
    assert present(result).advice == []  # nobody chooses systems by their names
    ranked = replace(result, provenance=Provenance({"command": "rank"}))
    assert present(ranked).advice[0].startswith(advice)


def test_a_stream_cannot_be_read_again(tmp_path: Path) -> None:
    (tmp_path / "a.owl").touch()
    assert pair._can_be_read_again(tmp_path / "a.owl")
    assert not pair._can_be_read_again(Path("/dev/stdin"))
    assert not pair._can_be_read_again(tmp_path / "none")


@pytest.mark.parametrize(
    "words",
    [
        "rank --task library --metric equality --metric levenshtein",
        "rank --task library --task petclinic --metric equality --metric levenshtein",
        "compare reference.rdf {A} {B}",
        "study scores.csv",
    ],
)
def test_results_are_kept_when_the_figures_cannot_be_drawn(words: str, tmp_path: Path) -> None:
    broken = tmp_path / "matplotlib" / "__init__.py"
    broken.parent.mkdir()
    broken.write_text('raise ImportError("it is broken")')
    task = bundled_task("library")
    shutil.copy(task.reference, tmp_path / "reference.rdf")
    first, second, *_ = task.alignments.values()
    (tmp_path / "scores.csv").write_text("task,a,b\n" + "".join(f"t{k},{k},2\n" for k in range(9)))
    out = tmp_path / "out"
    run = subprocess.run(
        [
            Path(sys.executable).with_name("alignrank"),
            *words.format(A=first, B=second).split(),
            "--out",
            out,
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "ImportError: it is broken: all other results are written" in run.stderr
    assert len([line for line in run.stderr.splitlines() if not line.startswith("! ")]) == 1
    assert {path.name for path in out.iterdir()} >= {"summary.json", "report.html", "manifest.json"}
    assert not (out / "figures").exists()
