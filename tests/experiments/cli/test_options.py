"""What is typed reaches its function: by name, with its type, its default and its record."""

from __future__ import annotations

import inspect
import io
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from alignrank.common.records import NOT_WRITTEN
from alignrank.experiments.cli import data, scoring
from alignrank.experiments.cli.main import COMMANDS, sentence
from alignrank.experiments.cli.options import OF_ALL_COMMANDS, Command, arguments_of
from alignrank.ontologies import Kind


@dataclass(frozen=True)
class Way:
    """How to greet."""

    loud: bool = False
    kinds: tuple[str, ...] | None = None


def greet(names: Sequence[str], way: Way, *, times: int = 2) -> None:
    """Greet somebody."""


def test_what_is_typed_fills_arguments_and_records() -> None:
    assert arguments_of(greet, {"names": ["Eva"], "times": None}) == {
        "names": ("Eva",),
        "way": Way(),
    }
    typed = {"names": ["Eva"], "loud": True, "kinds": ["class"], "times": 3}
    arguments = {"names": ("Eva",), "way": Way(True, ("class",)), "times": 3}
    assert arguments_of(greet, typed) == arguments


def commands() -> Iterator[Command]:
    """Every command, with those of `data` and the kinds of `score`."""
    kinds = (scoring.mapping, scoring.retrieval, scoring.concepts)
    for command in (*COMMANDS.values(), *data.DATA.values(), *kinds):
        if isinstance(command, Command):
            yield command


def parameters(command: Command) -> list[inspect.Parameter]:
    """What typer reads from a command."""
    signature = inspect.signature(command.runnable())
    return [p for p in signature.parameters.values() if p.name != "context"]


def defaults_of(command: Command) -> dict[str, Any]:
    """The defaults of what a command's function takes."""
    function = pkgutil.resolve_name(f"alignrank.experiments.{command.function}")
    defaults = {}
    for name, p in inspect.signature(function, eval_str=True).parameters.items():
        if is_dataclass(p.annotation):
            written = [f for f in fields(p.annotation) if f.metadata != NOT_WRITTEN]
            defaults |= {f.name: f.default for f in written if f.name not in defaults}
        else:
            defaults[name] = p.default
    return defaults


@pytest.mark.parametrize("command", [*commands()], ids=lambda c: c.function)
def test_each_option_is_its_functions_and_shows_its_default(command: Command) -> None:
    defaults = defaults_of(command)
    for p in parameters(command):
        # the kind of score chose the command before
        assert p.name in defaults or p.name == "kind"
        if p.default.default not in (None, ...):
            assert p.default.default == defaults[p.name], p.name
    assert [name for name in OF_ALL_COMMANDS if name in defaults] == [
        name for name in OF_ALL_COMMANDS if name in command.words
    ]


def values_of(annotation: Any) -> set[Any]:
    """The types of one value: of a list its elements', of names and of NAME=VALUE text."""
    if get_origin(annotation) in (Union, UnionType):
        return set().union(*map(values_of, get_args(annotation))) - {NoneType}
    if get_origin(annotation) in (Literal, Mapping) or annotation is Kind:
        return {str}
    if get_origin(annotation) in (list, tuple, Sequence):
        return values_of(get_args(annotation)[0])
    return {annotation}


@pytest.mark.parametrize("command", [*commands()], ids=lambda c: c.function)
def test_each_option_is_typed_as_its_function_takes_it(command: Command) -> None:
    function = pkgutil.resolve_name(f"alignrank.experiments.{command.function}")
    taken = get_type_hints(function)
    for record in filter(is_dataclass, list(taken.values())):
        types = get_type_hints(record)
        taken = {f.name: types[f.name] for f in fields(record) if f.metadata != NOT_WRITTEN} | taken
    for p in parameters(command):
        if p.name in taken:
            assert values_of(p.annotation) <= values_of(taken[p.name]), p.name


@pytest.mark.parametrize("command", [*commands()], ids=lambda c: c.function)
def test_the_help_begins_with_the_sentence_of_the_function(command: Command) -> None:
    function = pkgutil.resolve_name(f"alignrank.experiments.{command.function}")
    assert sentence(command) == function.__doc__.splitlines()[0]


LIGHT = """
import json, sys
from alignrank.experiments.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["alignrank", *words]
    try:
        main()
    except SystemExit:
        pass
print("imported:", *sys.modules)
"""
#: What help need not import: the names of measures, corrections and tests stand in `evaluation`.
NEVER = {
    "pandas",
    "networkx",
    "matplotlib",
    "rich",
    "cattrs",
    "alignrank.matchers",
    "alignrank.evaluation.public",
}
WITH_NAMES_OF_EVALUATION = ("rank", "compare", "score", "study")


def imported(*typed: Sequence[str]) -> set[str]:
    """What is imported for what is typed, one line after the other."""
    words = [sys.executable, "-c", LIGHT, json.dumps(typed)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("imported: ")[2].split())


def test_help_and_a_wrong_option_import_nothing_that_a_command_does() -> None:
    helps = [[name, "--help"] for name in COMMANDS if name not in WITH_NAMES_OF_EVALUATION]
    wrong = [[name, "--nosuch"] for name in COMMANDS]
    names = [["match", "a", "b", "--labels", "nosuch"], ["convert", "a", "b", "--format", "x"]]
    heavy = NEVER | {"numpy", "scipy", "alignrank.evaluation"}
    assert not heavy & imported(["--help"], ["--version"], *helps, *wrong, *names)


def test_help_that_shows_names_of_evaluation_imports_little_else() -> None:
    helps = [[name, "--help"] for name in WITH_NAMES_OF_EVALUATION]
    wrong = ["rank", "a", "b", "c", "--test", "nosuch"]
    modules = imported(*helps, wrong)
    assert "alignrank.evaluation.measures.measure" in modules
    assert not NEVER & modules


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_word_starting_is_erased_where_a_file_is_refused(
    shell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "a.tsv"
    table.write_text("entity1\tentity2\nx\ty\n")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    shell("rank", table, "b.owl", "r.rdf")
    word, blank, error = terminal.getvalue().split("\r")
    assert word.endswith("rank: starting")
    assert blank == " " * len(word)
    assert error.startswith("alignrank: error: SOURCE")
