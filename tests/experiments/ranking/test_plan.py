"""Experiments as TOML files: all mistakes at once, nothing computed twice, resumed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from experiments.errors import ExperimentError
from experiments.ranking.plan import read_plan, run_plan
from ontologies.tasks import bundled_task

TEXT = """
[[task]]
name = "mine"
source = "source.owl"
target = "target.owl"
reference = "reference.rdf"

[match]
metrics = ["equality", "levenshtein"]
labels = ["lower", "words"]
synonyms = [true, false]
"""


def written(folder: Path) -> Path:
    task = bundled_task("library")
    for path in (task.source, task.target, task.reference):
        shutil.copy(path, folder)
    file = folder / "experiment.toml"
    file.write_text(TEXT)
    return file


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an experiment whose steps are all done."""
    file = written(tmp_path_factory.mktemp("plan"))
    run_plan(file)
    return file.parent


@pytest.fixture
def done(ran: Path, tmp_path: Path) -> Path:
    """A copy of it that a test may change."""
    shutil.copytree(ran, tmp_path / "copy")
    return tmp_path / "copy" / "experiment.toml"


def test_every_combination_is_a_step_of_its_own(experiment: Path) -> None:
    plan = read_plan(experiment)
    assert [step.name for step in plan.steps] == [
        "mine/lower-synonyms",
        "mine/lower-labels",
        "mine/words-synonyms",
        "mine/words-labels",
    ]
    assert len({step.fingerprint for step in plan.steps}) == 4


def test_a_done_step_is_not_computed_again_and_a_stopped_run_goes_on(
    done: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = done.parent / "results"
    before = {p: p.stat().st_mtime_ns for p in results.rglob("summary.json")}
    assert len(before) == 4
    shutil.rmtree(results / "mine" / "words-labels")  # as if it had been killed there
    left = results / "mine" / ".alignrank-0123abcd"
    left.mkdir()
    capsys.readouterr()
    run_plan(done)
    said = capsys.readouterr().out
    assert said.count("done before") == 3
    assert not left.exists()
    after = {p: p.stat().st_mtime_ns for p in results.rglob("summary.json")}
    assert after.keys() == before.keys()
    assert sum(after[p] != before[p] for p in after) == 1


def test_a_step_is_computed_again_when_an_input_or_a_setting_changes(done: Path) -> None:
    plan = read_plan(done)
    assert all(step.is_done(plan.out / step.name) for step in plan.steps)
    done.write_text(TEXT + "[compare]\nalpha = 0.01\n")
    changed = read_plan(done)
    assert not any(step.is_done(plan.out / step.name) for step in changed.steps)
    done.write_text(TEXT)
    with (done.parent / "source.owl").open("a") as file:
        file.write("<!-- another byte -->")
    touched = read_plan(done)
    assert not any(step.is_done(plan.out / step.name) for step in touched.steps)


def test_all_mistakes_are_told_at_once(experiment: Path) -> None:
    text = TEXT.replace("target.owl", "nowhere.owl").replace("levenshtein", "levenstein")
    experiment.write_text(text + 'kind = "class"\n[compare]\ntest = "midp"\nalpha = 3.0\n[extra]\n')
    with pytest.raises(ExperimentError) as caught:
        read_plan(experiment)
    message = str(caught.value)
    assert "6 mistakes" in message
    for part in ("nowhere.owl", "levenstein", "'kind' is unknown", "midp", "alpha", "extra"):
        assert part in message
    assert "\n" not in message


def test_what_is_no_toml_is_said(experiment: Path) -> None:
    experiment.write_text("[[task]\n")
    with pytest.raises(ExperimentError, match=r"no TOML.*line 1"):
        read_plan(experiment)
