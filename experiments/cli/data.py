"""The commands of alignrank data: list, fetch, path, verify and table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

data_app = typer.Typer(no_args_is_help=True, help="List, fetch, find and check the field's data.")

DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="Data folder (default: $ALIGNRANK_DATA, or the cache folder).",
    ),
]
DataNames = Annotated[
    list[str], typer.Argument(metavar="NAME", help="As alignrank data list names them.")
]


@data_app.command("list")
def data_list(data: DataFolder = None) -> None:
    """List what can be fetched, with sizes and licences.

    Example: alignrank data list
    """
    from experiments.looking.data_sets import list_data

    list_data(data)


@data_app.command("fetch")
def data_fetch(
    names: DataNames,
    data: DataFolder = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Touch no network: check what is there.")
    ] = False,
) -> None:
    """Fetch data; what is there already is checked and kept.

    Example: alignrank data fetch anatomy conference
    """
    from experiments.looking.data_sets import fetch_data

    fetch_data(names, data, offline=offline)


@data_app.command("path")
def data_path(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As data list names it.")],
    data: DataFolder = None,
) -> None:
    """Print the folder of fetched data.

    Example: ls "$(alignrank data path anatomy)"
    """
    from experiments.looking.data_sets import path_of_data

    path_of_data(name, data)


@data_app.command("verify")
def data_verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Default: all that is there.")
    ] = None,
    data: DataFolder = None,
) -> int:
    """Check fetched data by its checksums.

    Exit code 1 if any file is missing or changed.

    Example: alignrank data verify anatomy
    """
    from experiments.looking.data_sets import verify_data

    return verify_data(names or [], data)


@data_app.command("table")
def data_table(data: DataFolder = None) -> None:
    """Count what every ontology that is there holds.

    Those that are bundled, and those that were fetched.

    Example: alignrank data table
    """
    from experiments.looking.data_sets import print_contents

    print_contents(data)
