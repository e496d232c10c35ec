"""The scripts run on small data, go on where they stopped, and are as short as they claim."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pandas as pd
import pytest

import alignrank.experiments.scripts
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.scripts.results_folder import ResultsFolder
from alignrank.ontologies.tasks import bundled_task

FOLDER = Path(next(iter(alignrank.experiments.scripts.__path__)))
LIBRARY = bundled_task("library")
#: Of each script: what is typed behind its name, before and after the folder, and what it prints.
TYPED: dict[str, tuple[list[str], list[str], str]] = {
    "choose_threshold": (["library"], ["equality,ngram"], "ngram     0.653 0.674"),
    "compare_systems": (["library"], [], "system_good       0.926"),
    "fifty_four": (["library"], ["equality,ngram"], "metric     explains 9"),
    "languages": (["citytransit"], [], "levenshtein 0.588  0.189  0.667        0.685"),
    "many_tasks": (["bundled"], ["equality,ngram"], "ngram scores best"),
    "mohammadi_2018_metrics": (["library"], [], "ontosim-substring         0.410256"),
    "mohammadi_2018_systems": (["library"], [], "holm: system_good scores best"),
    "noise": ([str(LIBRARY.source)], [], "equality     1.000 0.537 0.333 0.125"),
    "relaxed": (["library"], ["200"], "system_near_miss     0.458              0.633"),
}
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem in TYPED)


def start(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, _ = TYPED[name]
    monkeypatch.setattr("sys.argv", [name, *before, str(folder), *after])
    runpy.run_module(f"alignrank.experiments.scripts.{name}", run_name="__main__")


def test_every_script_is_tried_here_and_short() -> None:
    scripts = {path.stem: path for path in FOLDER.glob("*.py")}
    assert scripts.keys() - TYPED.keys() == {"__init__", "results_folder"}
    lines = {name: len(scripts[name].read_text().splitlines()) for name in TYPED}
    assert 20 <= min(lines.values()) <= max(lines.values()) <= 40, lines


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_and_computes_nothing_twice(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(name, tmp_path / "results", monkeypatch)
    assert TYPED[name][2] in capsys.readouterr().out

    def computed_again(*_: object, **__: object) -> None:
        raise AssertionError("what is there is computed again")

    for function in ("rank", "compare", "study"):
        monkeypatch.setattr(f"alignrank.functions.{function}", computed_again)
    start(name, tmp_path / "results", monkeypatch)


def test_a_stopped_script_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("alignrank.functions.rank", stop)
    with pytest.raises(SystemExit) as end:
        start("languages", tmp_path / "results", monkeypatch)
    assert end.value.code == 130
    assert "the same command goes on" in capsys.readouterr().err


def test_a_script_is_stopped_while_it_is_imported_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("raise KeyboardInterrupt")
    command = [sys.executable, "-m", "alignrank.experiments.scripts.languages"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    stopped = "stopped: the same command goes on from here\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", stopped)


def test_what_is_not_there_is_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["languages", "nowhere", str(tmp_path)])
    with pytest.raises(SystemExit, match=r"languages: .*nowhere"):
        runpy.run_module("alignrank.experiments.scripts.languages", run_name="__main__")


def test_results_of_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "input").write_text("a")
    results = ResultsFolder(tmp_path / "results", tmp_path / "input")
    results.table("one", lambda: pd.DataFrame({"F1": [0.5]}))
    (tmp_path / "input").write_text("b")
    with pytest.raises(ExperimentError, match="another script, input or version"):
        ResultsFolder(tmp_path / "results", tmp_path / "input")


def test_results_of_other_options_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each set of options has a folder of its own: the tables bear the same names."""
    start("choose_threshold", tmp_path, monkeypatch)
    monkeypatch.setitem(TYPED, "choose_threshold", (["library"], ["jaro,smoa"], ""))
    with pytest.raises(SystemExit, match="holds results of other options"):
        start("choose_threshold", tmp_path, monkeypatch)


def test_other_ontologies_under_the_same_references_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = tmp_path / "tasks"
    copytree(LIBRARY.source.parent, tasks / "one")
    monkeypatch.setitem(TYPED, "many_tasks", ([str(tasks)], ["equality,ngram"], ""))
    with pytest.raises(SystemExit):  # one task is too few for the last step
        start("many_tasks", tmp_path / "results", monkeypatch)
    source = tasks / "one" / LIBRARY.source.name
    source.write_text(f"{source.read_text()}\n")
    with pytest.raises(SystemExit, match="another script, input or version"):
        start("many_tasks", tmp_path / "results", monkeypatch)


def test_options_count_where_a_script_is_called_in_python(tmp_path: Path) -> None:
    main = runpy.run_module("alignrank.experiments.scripts.many_tasks")["main"]
    main("bundled", str(tmp_path), "equality,ngram")
    with pytest.raises(ExperimentError, match="other options"):
        main("bundled", str(tmp_path), "equality,smoa")


def test_files_of_the_user_are_no_results(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("system,F1\nmine,1.0\n")
    with pytest.raises(ExperimentError, match="files of your own: name another folder"):
        ResultsFolder(tmp_path)


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.rdf").write_bytes(LIBRARY.reference.read_bytes())
    files = [str(tmp_path / folder / "mine.rdf") for folder in ("a", "b")]
    main = runpy.run_module("alignrank.experiments.scripts.compare_systems")["main"]
    with pytest.raises(ExperimentError, match="two files are called 'mine'"):
        main("library", str(tmp_path / "results"), *files)
    (tmp_path / "a" / "mine.rdf").rename(tmp_path / "a" / "equality.rdf")
    with pytest.raises(ExperimentError, match="two files are called 'equality'"):
        main("library", str(tmp_path / "results"), str(tmp_path / "a/equality.rdf"))


def test_a_name_of_several_tasks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of them was taken without a word."""
    monkeypatch.setitem(TYPED, "languages", (["bundled"], [], ""))
    with pytest.raises(SystemExit, match="is 5 tasks: name one, as bundled/library"):
        start("languages", tmp_path, monkeypatch)


@pytest.mark.parametrize(("words", "code"), [(["--help"], 0), (["a", "b", "c", "d"], 2)])
def test_help_is_no_error_and_too_many_words_are_one(
    words: list[str],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["languages", *words])
    ended = 0
    try:
        runpy.run_module("alignrank.experiments.scripts.languages", run_name="__main__")
    except SystemExit as end:
        ended = int(end.code or 0)
    assert ended == code
    assert "[TASK] [FOLDER]" in capsys.readouterr()[code // 2]
