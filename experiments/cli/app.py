"""All commands, in the order of the help, and the options that stand before any of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Annotated, Any

import typer

from .comparing import compare, study
from .experimenting import generate, reproduce, run_experiment
from .files import convert, data_app, diagnose, lint
from .judging import concepts, mapping, retrieve
from .matching import demo, match, rank
from .options import refuse
from .scoring import average, score
from .showing import explain, list_names, plot, show, table

app = typer.Typer(
    name="alignrank",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Exit codes: 0 done, 1 findings (lint, diagnose, data verify), 2 bad input or usage, "
    "130 interrupted.",
)

#: Every command by its name, as the help lists them.
_COMMANDS: dict[str, Callable[..., Any]] = {
    "demo": demo,
    "rank": rank,
    "match": match,
    "compare": compare,
    "study": study,
    "score": score,
    "average": average,
    "mapping": mapping,
    "retrieve": retrieve,
    "show": show,
    "explain": explain,
    "table": table,
    "plot": plot,
    "concepts": concepts,
    "convert": convert,
    "lint": lint,
    "diagnose": diagnose,
    "list": list_names,
    "run": run_experiment,
    "generate": generate,
    "reproduce": reproduce,
}

#: Commands that print their summary as JSON with --json, and those that have a --format json.
_SUMMARISED = ("demo", "rank", "match", "compare", "study")
_FORMATTED = ("score", "average", "mapping", "retrieve", "show", "explain", "concepts")


def _version(asked: bool) -> None:
    if asked:
        from experiments.results.folder import version

        print(f"alignrank {version()}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Print nothing but errors and what --json asks for; no bars."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell what is being done.")] = False,
    _: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version only.",
            callback=_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Match ontology pairs; tell with sound statistics which metric or system is really better.

    Start with: alignrank demo
    """
    from experiments.report.console import set_mode
    from experiments.report.progress_bars import show_bars

    command = context.invoked_subcommand or ""
    if as_json and command not in (*_SUMMARISED, *_FORMATTED):
        refuse(f"alignrank {command} prints no JSON: leave out --json")
    context.default_map = {name: {"form": "json"} for name in _FORMATTED if as_json}
    set_mode("json" if as_json else "quiet" if quiet else "text")
    if not quiet:
        show_bars()
    level = logging.INFO if verbose else logging.ERROR if quiet else logging.WARNING
    logging.getLogger().setLevel(level)


for _name, _command in _COMMANDS.items():
    app.command(_name)(_command)
app.add_typer(data_app, name="data")
