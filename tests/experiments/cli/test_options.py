"""What is typed reaches its function: by name, with its type, its default and its record."""

from __future__ import annotations

import inspect
import io
import pkgutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
import typer

from alignrank.common.records import NOT_WRITTEN
from alignrank.experiments.cli import scoring
from alignrank.experiments.cli.main import COMMANDS
from alignrank.experiments.cli.options import OF_ALL_COMMANDS, arguments_of
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


def runnable() -> Iterator[Any]:
    """Every command, with those of `data` and the kinds of `score`."""
    for command in [*COMMANDS.values(), scoring.mapping, scoring.retrieval, scoring.concepts]:
        if isinstance(command, typer.Typer):
            yield from (inner.callback for inner in command.registered_commands)
        else:
            yield command


def function_of(command: Any) -> tuple[str, dict[str, Any], list[str]]:
    """The function of a command, the defaults of what it takes, and what is typed."""
    declared = inspect.getclosurevars(command).nonlocals
    function = pkgutil.resolve_name(f"alignrank.experiments.{declared['function']}")
    defaults = {}
    for name, p in inspect.signature(function, eval_str=True).parameters.items():
        if is_dataclass(p.annotation):
            written = [f for f in fields(p.annotation) if f.metadata != NOT_WRITTEN]
            defaults |= {f.name: f.default for f in written if f.name not in defaults}
        else:
            defaults[name] = p.default
    return declared["function"], defaults, declared["words"]


@pytest.mark.parametrize("command", [*runnable()], ids=lambda c: function_of(c)[0])
def test_each_option_is_its_functions_and_shows_its_default(command: Any) -> None:
    _, defaults, words = function_of(command)
    typed = [p for p in command.__signature__.parameters.values() if p.name != "context"]
    for p in typed:
        # the kind of score chose the command before
        assert p.name in defaults or p.name == "kind"
        if p.default.default not in (None, ...):
            assert p.default.default == defaults[p.name], p.name
    assert [name for name in OF_ALL_COMMANDS if name in defaults] == [
        name for name in OF_ALL_COMMANDS if name in words
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


@pytest.mark.parametrize("command", [*runnable()], ids=lambda c: function_of(c)[0])
def test_each_option_is_typed_as_its_function_takes_it(command: Any) -> None:
    function = pkgutil.resolve_name(f"alignrank.experiments.{function_of(command)[0]}")
    taken = get_type_hints(function)
    for record in filter(is_dataclass, list(taken.values())):
        types = get_type_hints(record)
        taken = {f.name: types[f.name] for f in fields(record) if f.metadata != NOT_WRITTEN} | taken
    for p in command.__signature__.parameters.values():
        if p.name in taken:
            assert values_of(p.annotation) <= values_of(taken[p.name]), p.name


@pytest.mark.parametrize("command", [*runnable()], ids=lambda c: function_of(c)[0])
def test_the_help_begins_with_the_sentence_of_the_function(command: Any) -> None:
    function = pkgutil.resolve_name(f"alignrank.experiments.{function_of(command)[0]}")
    assert command.__doc__.splitlines()[0] == function.__doc__.splitlines()[0]


LIGHT = """
import sys
from alignrank.experiments.cli import main
from alignrank.experiments.cli.main import COMMANDS
wrong = ["rank", "a", "b", "c", "--test", "nosuch"]
for words in [*([name, "--help"] for name in COMMANDS), wrong]:
    sys.argv = ["alignrank", *words]
    try:
        main()
    except SystemExit:
        pass
heavy = ("numpy", "scipy", "pandas", "networkx", "matplotlib", "rich", "alignrank.ontologies")
print("imported:", *[name for name in heavy if name in sys.modules])
"""


def test_help_and_a_wrong_option_import_nothing_that_a_command_does() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("imported:\n")
    assert "--test" in done.stderr


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
