"""What a person at a terminal meets: progress, Ctrl-C, help, names completed by the shell."""

from __future__ import annotations

import ast
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from alignrank.experiments import start
from alignrank.experiments.cli import app, ranking
from alignrank.experiments.cli.main import COMMANDS
from alignrank.experiments.cli.options import SHARED
from alignrank.experiments.errors import FLAGS
from alignrank.experiments.looking.show import LISTS

ALIGNRANK = Path(sys.executable).with_name("alignrank")

#: The command line with a slow command more.
SLOW = """
import sys, time
from alignrank.experiments import cli
from alignrank.common.progress import track

@cli.app.command()
def slow() -> None:
    for _ in track(range(12), 12, "steps"):
        time.sleep(0.2)

sys.argv = ["alignrank", *sys.argv[1:]]
from alignrank.experiments.start import main
main()
"""


def at_a_terminal(*arguments: str, interrupted_after: str = "") -> tuple[int, str, str]:
    """Run the slow command with a terminal as its error stream.

    Returns
    -------
    tuple of int, str, str
        Exit code, standard output (a pipe), and what the terminal got, without its codes.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        text=True,
    )
    os.close(theirs)
    shown, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        shown += part
        if interrupted_after and interrupted_after.encode() in shown:
            process.send_signal(signal.SIGINT)
            interrupted_after = ""
    os.close(ours)
    printed, _ = process.communicate(timeout=60)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace"))
    return process.returncode, printed, text


def test_long_work_has_a_bar_with_the_time_left_on_a_terminal() -> None:
    code, printed, shown = at_a_terminal("slow")
    assert (code, printed) == (0, "")
    assert re.search(r"steps .*[4-9]/12 .*left: \d:\d\d:\d\d", shown), shown


def test_quiet_shows_no_bar() -> None:
    assert at_a_terminal("slow", "--quiet") == (0, "", "")


def test_a_pipe_gets_no_bar() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "slow"], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_ctrl_c_takes_the_bar_away_and_says_one_line() -> None:
    code, printed, shown = at_a_terminal("slow", interrupted_after="steps")
    assert (code, printed) == (130, "")
    said = [line for line in shown.splitlines() if "alignrank" in line]
    assert said == ["alignrank: interrupted; nothing half-written is left"], shown
    assert "Traceback" not in shown


def test_a_process_that_is_told_to_end_leaves_nothing(tmp_path: Path) -> None:
    code = """
import sys, time
from pathlib import Path
from alignrank.experiments import cli
from alignrank.experiments.results.folder import results_folder
from alignrank.experiments.start import main

@cli.app.command()
def slow() -> None:
    with results_folder(Path("out")) as folder:
        (folder / "half").touch()
        print("ready", flush=True)
        time.sleep(60)

sys.argv = ["alignrank", "slow"]
main()
"""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + signal.SIGTERM, "")
    assert list(tmp_path.iterdir()) == []


def commands() -> list[list[str]]:
    """Every command, with those of `alignrank data`."""
    return [
        [name, *inner]
        for name in COMMANDS
        for inner in ([[n] for n in getattr(made(name), "commands", {})] or [[]])
    ]


def made(name: str) -> Any:
    """A command as it is imported when it is asked for."""
    group: Any = get_command(app)
    return group.resolve_command(typer.Context(group), [name])[1]


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_help_has_an_example_and_fits_a_terminal(command: list[str]) -> None:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "80"})
    assert shown.exit_code == 0
    assert f"Example: {'' if command == ['data', 'path'] else 'alignrank'}" in shown.output
    assert max(map(len, shown.output.splitlines())) <= 80


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("alignrank com", ["compare"]),
        ("alignrank rank --metric le", ["levenshtein"]),
        ("alignrank rank --correction ber", ["bergmann-hommel"]),
        ("alignrank score --measure sem", ["semantic", "semantic-closure", "semantic-hermit"]),
        ("alignrank rank --labels un", ["underscore"]),
        ("alignrank study --test sig", ["signed-rank", "signed-rank-normal", "sign"]),
    ],
)
def test_bash_completes_commands_and_names(line: str, expected: list[str]) -> None:
    words = line.split()
    done = subprocess.run(
        [ALIGNRANK],
        env={
            **os.environ,
            "_ALIGNRANK_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == [n for n in expected if n.startswith(words[-1])]


def test_zsh_shows_the_names_that_an_option_takes() -> None:
    words = {"_ALIGNRANK_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "alignrank rank --corr"}
    environment = {**os.environ, **words}
    done = subprocess.run([ALIGNRANK], env=environment, capture_output=True, text=True, timeout=60)
    assert "bergmann-hommel" in done.stdout
    assert "{}" not in done.stdout


def test_the_version_and_a_help_read_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").mkdir()  # no file, although it is called so
    environment = {**os.environ, "ALIGNRANK_DATA": str(tmp_path)}
    for words in (["--version"], ["--help"], ["match", "--help"]):
        done = subprocess.run(
            [ALIGNRANK, *words], env=environment, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_the_help_of_a_command_can_be_asked_for_by_a_word(shell: Any) -> None:
    assert shell("help", "rank") == shell("rank", "--help")


@pytest.mark.parametrize("words", [[], ["data"]])
def test_no_arguments_show_the_help(words: list[str]) -> None:
    done = subprocess.run([ALIGNRANK, *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert any(word in done.stderr for word in ("Start:", "Commands:"))
    assert "alignrank: error" not in done.stderr


def test_list_completes_what_it_lists() -> None:
    assert ranking.list_names.own["lists"].complete("") == list(LISTS)


def test_list_names_what_options_take() -> None:
    shown = CliRunner().invoke(app, ["list"]).output
    for name in ("ontosim-smoa", "relaxed-symmetric", "bergmann-hommel", "signed-rank"):
        assert name in shown


@pytest.mark.parametrize(("cause", "code"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143)])
def test_a_signal_while_a_class_is_made_ends_as_any_other(
    cause: BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrapped() -> None:  # as Python 3.11 does in `__set_name__`
        raise RuntimeError("Error calling __set_name__") from cause

    monkeypatch.setattr("alignrank.experiments.cli.main", wrapped)
    for ours in ("signal.signal", "gc.set_threshold"):  # the tests' own stay
        monkeypatch.setattr(ours, lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        start.main()
    assert ended.value.code == code


PROJECT = Path(__file__).parents[3]


def declared(name: str) -> str:
    """Return the flags that an option states."""
    return SHARED[name].flag


LIBRARY = ("common", "ontologies", "matchers", "evaluation")


def named_arguments(package: str) -> Iterator[tuple[str, str]]:
    """Yield the arguments that messages of a package name, and where."""
    for path in (PROJECT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Argument"), [ast.Constant(str(name)), *_]):
                    yield name, f"{path}, line {node.lineno}"


def test_messages_spell_each_option_as_every_command_that_has_it() -> None:
    spelled = set()
    for command in COMMANDS.values():
        if isinstance(command, typer.Typer):
            continue
        alone = typer.Typer(add_completion=False)
        alone.command()(command.runnable())
        for option in get_command(alone).params:
            if option.name in FLAGS and option.param_type_name == "option":
                assert FLAGS[option.name] in option.opts, command.function
                spelled.add(option.name)
    assert spelled == set(FLAGS)


@pytest.mark.parametrize(
    "package", ["common", "ontologies", "matchers", "evaluation", "experiments"]
)
def test_arguments_that_messages_name_are_options_of_their_name(package: str) -> None:
    for name, where in named_arguments(package):
        if name not in FLAGS and name in SHARED and "--" in declared(name):
            assert f"--{name.replace('_', '-')}" in declared(name), where


@pytest.mark.parametrize("package", LIBRARY)
def test_messages_of_the_library_spell_no_argument_and_no_option(package: str) -> None:
    for path in (PROJECT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise | ast.Yield):
                texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                spelt = re.findall(
                    r"(?<![\w-])--[a-z][a-z-]+|(?<![\w.:])[a-z_]+=(?:True|False|\.\.\.|\")",
                    " ".join(map(str, texts)),
                )
                assert not spelt, f"{path}, line {node.lineno}: {spelt}"


def test_the_name_of_a_file_stays_as_it_is(shell: Any, tmp_path: Path) -> None:
    for name in ("my  margin=0.5 file.rdf", "(tiles=False).rdf", 'order="x".rdf'):
        assert f"{name} does not exist" in shell.refused("check", tmp_path / name)


def test_a_command_names_its_options(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("task,a,b\nt1,0.5,\nt2,0.4,0.3\n")
    sentence = shell.refused("study", tmp_path / "scores.csv")
    assert "count them as 0 (--on-mismatch zero)" in sentence
