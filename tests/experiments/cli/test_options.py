"""A function as a command: what is typed becomes its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import typer
from typer.testing import CliRunner

from alignrank.experiments.cli.options import argument, command, option
from alignrank.ontologies import Kind


@dataclass(frozen=True)
class Way:
    """How to greet."""

    loud: bool = False
    kinds: tuple[Kind, ...] | None = None


def greet(names: Sequence[str], way: Way, *, times: Sequence[int] = (2,)) -> int:
    """Greet somebody.

    Parameters
    ----------
    names
        Who.
    """
    print(names, way, times)
    return 0


def test_types_and_defaults_are_the_functions_own() -> None:
    app = typer.Typer()
    shown = command(
        greet,
        names=argument("NAME", "Who."),
        loud=typer.Option("--loud", help="Whether to shout."),
        kinds=option("KIND", "Whom.", flag="--kind"),
        times=option("N", "How often.", flag="--at"),
    )
    app.command()(shown)
    run = CliRunner().invoke
    assert run(app, ["Eva"]).output == f"('Eva',) {Way()} (2,)\n"
    typed = ["--loud", "--kind", "class", "--at", "3", "Eva", "Ada"]
    assert run(app, typed).output == f"('Eva', 'Ada') {Way(True, (Kind.CLASS,))} (3,)\n"
    assert "Invalid value for '--at'" in run(app, ["--at", "often", "Eva"]).output
    assert shown.__doc__ == "Greet somebody."
