"""The command line names its options where the library names arguments."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from alignrank.experiments.cli.arguments import FLAGS, SAME, with_options
from alignrank.experiments.cli.options import SHARED

PROJECT = Path(__file__).parents[3]


def declared(name: str) -> str:
    """Return the flags that an option states; in `Annotated` typer takes the first as default."""
    info = SHARED[name]
    return " ".join(map(str, [info.default, *(getattr(info, "param_decls", None) or ())]))


def test_flags_are_those_of_the_options() -> None:
    for name, flag in FLAGS.items():
        assert flag in declared(name), name
    for name in set(SAME) & SHARED.keys():
        flags = declared(name)
        assert "--" not in flags or f"--{name}" in flags, name


def test_text_that_only_looks_like_an_argument_stays() -> None:
    for text in ('rdf:source="x"', "mytiles=False", "a.order=3", "label=x"):
        assert with_options(text) == text


@pytest.mark.parametrize("package", ["common", "ontologies", "matchers", "evaluation"])
def test_messages_of_the_library_name_arguments_that_are_options(package: str) -> None:
    for path in (PROJECT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise | ast.Yield):
                texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
                message = " ".join(map(str, texts))
                options = re.findall(r"(?<![\w-])--[a-z][a-z-]+", message)
                assert not options, f"{path}, line {node.lineno}: {options}"
                arguments = re.findall(r"(?<![\w.:])([a-z_]+)=(?:True|False|\.\.\.|\")", message)
                unknown = set(arguments) - {*FLAGS, *SAME}
                assert not unknown, f"{path}, line {node.lineno}: {unknown}"


def test_a_command_names_its_options(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text("task,a,b\nt1,0.5,\nt2,0.4,0.3\n")
    sentence = shell.refused("study", tmp_path / "scores.csv")
    assert "count them as 0 (--on-mismatch zero)" in sentence
