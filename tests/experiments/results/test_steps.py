"""Long work goes on where it was stopped, and gives the same bytes; a batch past what fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from alignrank.experiments.cli import main
from alignrank.experiments.ranking import pair, task_results
from alignrank.experiments.report.console import tell_failures
from alignrank.experiments.reproduce import papers as reproduce
from alignrank.experiments.results.folder import MANIFEST, results_folder
from alignrank.experiments.results.steps import Batch, Steps, fingerprint, is_done
from alignrank.ontologies import OntologyError

TASKS = ["--task", "library", "--task", "vehicles", "--task", "petclinic"]
RANK = ["rank", *TASKS, "--metric", "equality", "--metric", "jaro"]
REPRODUCE = ["reproduce", "table8", "5ns", "table1"]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["alignrank", "--quiet", *arguments])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    except KeyboardInterrupt:
        return 130
    return 0


def held(out: Path) -> dict[str, bytes]:
    """The files, but for the manifest of a run, which holds the time."""
    files = (path for path in out.rglob("*") if path.is_file() and path != out / MANIFEST)
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


class Counted:
    """A function that counts its calls; one of them meets Ctrl-C."""

    def __init__(self, function: Callable[..., object], stops_at: int = 0) -> None:
        self._function, self._stops_at, self.calls = function, stops_at, 0

    def __call__(self, *arguments: object, **options: object) -> object:
        self.calls += 1
        if self.calls == self._stops_at:
            raise KeyboardInterrupt
        return self._function(*arguments, **options)

    def __get__(self, instance: object, _: type) -> Callable[..., object]:
        return lambda *arguments: self(instance, *arguments)


@pytest.mark.parametrize(
    ("command", "owner", "name", "steps"),
    [
        (RANK, task_results, "match_all", 3),
        (REPRODUCE, reproduce, "_text", 3),
    ],
)
def test_a_stopped_run_goes_on_and_gives_the_same_bytes(
    command: list[str],
    owner: object,
    name: str,
    steps: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    work = getattr(owner, name)
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert run(monkeypatch, *command, "--out", str(whole)) == 0
    monkeypatch.setattr(owner, name, Counted(work, stops_at=3))
    assert run(monkeypatch, *command, "--out", str(out)) == 130
    assert not out.exists()
    monkeypatch.setattr(owner, name, again := Counted(work))
    assert run(monkeypatch, *command, "--out", str(out), "--resume") == 0
    assert again.calls == steps - 2
    assert held(out) == held(whole)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    # complete: done at once, or printed again
    monkeypatch.setattr(owner, name, again := Counted(work))
    assert run(monkeypatch, *command, "--out", str(out), "--resume") == 0
    assert again.calls == (steps if command is REPRODUCE else 0)
    assert held(out) == held(whole)


@pytest.mark.parametrize(
    "change", [["--labels", "lower"], ["--threshold", "0.5"], ["--metric", "ngram"]]
)
def test_other_settings_are_refused_and_without_the_option_all_begins_anew(
    change: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = str(tmp_path / "out")
    work = task_results.match_all
    monkeypatch.setattr(task_results, "match_all", Counted(work, stops_at=3))
    assert run(monkeypatch, *RANK, "--out", out) == 130
    monkeypatch.setattr(task_results, "match_all", work)
    assert run(monkeypatch, *RANK, *change, "--out", out, "--resume") == 2
    assert "was finished with other settings" in capsys.readouterr().err
    monkeypatch.setattr(task_results, "match_all", again := Counted(work))
    assert run(monkeypatch, *RANK, *change, "--out", out) == 0
    assert again.calls == 3


def test_one_pair_that_is_ranked_is_not_ranked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["rank", *TASKS[:2], *RANK[-4:], "--out", str(tmp_path / "out")]
    monkeypatch.setattr(pair, "rank", counted := Counted(pair.rank))
    assert run(monkeypatch, *command, "--resume") == 0
    written = held(tmp_path / "out")
    assert run(monkeypatch, *command, "--resume") == 0
    assert (counted.calls, held(tmp_path / "out")) == (1, written)
    assert run(monkeypatch, *command, "--alpha", "0.01", "--resume") == 2
    assert "is not empty" in capsys.readouterr().err


def test_without_a_results_folder_nothing_can_be_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *RANK, "--resume") == 2
    assert "add --out" in capsys.readouterr().err


def test_a_step_whose_removal_was_interrupted_is_done_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    steps = Steps(out, resume=True, overwrite=False)
    step = steps.step("one", "what it depends on", lambda stage: write(stage / "a.txt"))
    assert steps.finished("one", "what it depends on")
    (step / "depends-on.txt").unlink()  # `forget` begins with it
    assert not Steps(out, resume=True, overwrite=False).finished("one", "what it depends on")
    assert not step.exists()
    steps.step("one", "what it depends on", lambda stage: write(stage / "a.txt"))
    with results_folder(out, overwrite=False, facts={"fingerprint": "made of"}) as folder:
        write(folder / "result.txt")
    assert is_done(out, "made of")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("command", [RANK, REPRODUCE])
def test_steps_whose_removal_a_signal_stopped_are_gone_after_the_next_run(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    with monkeypatch.context() as stopped:
        stopped.setattr(Steps, "forget", Counted(lambda steps: None, stops_at=1))
        assert run(stopped, *command, "--out", str(out), "--resume") == 130
    complete = held(out)
    assert len(list(tmp_path.iterdir())) == 2
    assert run(monkeypatch, *command, "--out", str(out), "--resume") == 0
    assert held(out) == complete
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def write(path: Path) -> None:
    path.write_text("text")


def name_of(path: str) -> str:
    if path == "x.owl":
        raise OntologyError("x.owl is\nempty: name another")
    return path.removesuffix(".owl")


def test_failures_are_told_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    batch = Batch()
    parts = {"good": ("a.owl",), "bad": ("x.owl",), "last": ("b.owl",)}
    assert list(batch.results(name_of, parts)) == [("good", "a"), ("last", "b")]
    assert tell_failures(batch.failures, "task") == 1
    assert (
        capsys.readouterr().err
        == "alignrank: 1 task failed:\n  bad: x.owl is empty: name another\n"
    )
    assert tell_failures({}, "task") == 0


def test_a_fault_of_ours_stops_it() -> None:
    with pytest.raises(KeyError):
        list(Batch().results({}.__getitem__, {"one": ("a fault",)}))


def test_what_cannot_be_read_in_a_folder_is_no_input(tmp_path: Path) -> None:
    """The folder of imports may hold a broken link, as an editor's lock is, or a pipe."""
    (tmp_path / "one.owl").write_text("one")
    before = fingerprint({}, [tmp_path])
    (tmp_path / "lock").symlink_to("nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    assert fingerprint({}, [tmp_path]) == before
