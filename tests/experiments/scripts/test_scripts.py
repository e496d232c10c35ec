"""The scripts run as they stand, on a pair of our own, and are as short as they claim."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import alignrank.experiments.scripts
from alignrank.ontologies.tasks import bundled_task

FOLDER = Path(next(iter(alignrank.experiments.scripts.__path__)))
SCRIPTS = {path.stem: path for path in sorted(FOLDER.glob("[0-9]*.py"))}
PRINTED = {
    "01_rank_metrics": "ngram scores best (right 0.",
    "02_choose_threshold": "ngram                 0.653",
    "03_compare_systems": "system_good scores best (right 0.911, F1 0.926); all three others are",
    "04_metric_or_labels": "metric          explains 99.4% of the spread of F1",
    "05_many_tasks": "jaro-winkler         mean rank 3.00",
}


def test_every_script_is_listed_here() -> None:
    assert list(SCRIPTS) == list(PRINTED)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SCRIPTS[name].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 30
    monkeypatch.setattr("sys.argv", [name])
    with pytest.raises(SystemExit, match=f"python experiments/scripts/{name}.py"):
        runpy.run_path(str(SCRIPTS[name]), run_name="__main__")
    task = bundled_task("library")
    files = [str(path) for path in (task.source, task.target, task.reference)]
    if name == "03_compare_systems":
        files += map(str, task.alignments.values())
    monkeypatch.setattr("sys.argv", [name, *(["bundled"] if name == "05_many_tasks" else files)])
    runpy.run_path(str(SCRIPTS[name]), run_name="__main__")
    assert PRINTED[name] in capsys.readouterr().out
