"""Commands on alignment files: convert, lint and diagnose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Imports, Reference, Replace, Source, Target


def convert(
    alignment: Annotated[Path, typer.Argument(metavar="ALIGNMENT", help="In any known format.")],
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT", help="Ends in .rdf, .sssom.tsv, .csv, .tsv or .jsonl."),
    ],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format, where the ending does not say it."),
    ] = None,
    overwrite: Replace = False,
) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported.

    Example: alignrank convert reference.rdf reference.sssom.tsv
    """
    from experiments.looking.alignment_files import convert as run

    return run(alignment, out, to=to, overwrite=overwrite)


def lint(
    alignments: Annotated[list[Path], typer.Argument(metavar="ALIGNMENT", help="Files.")],
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Source ontology: are its entities there?"),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--target", metavar="FILE", help="Target ontology.")
    ] = None,
    imports: Imports = None,
) -> int:
    """Check alignment files.

    Exit code 1 where something should be mended.

    Example: alignrank lint mine.rdf --source a.owl --target b.owl
    """
    from experiments.looking.alignment_files import lint as run

    return run(alignments, source=source, target=target, imports=imports)


def diagnose(
    source: Source,
    target: Target,
    reference: Reference,
    alignment: Annotated[
        Path | None, typer.Argument(metavar="ALIGNMENT", help="A system's alignment.")
    ] = None,
    mend: Annotated[
        bool, typer.Option("--mend", help="Write what can be mended safely into --out.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="Folder of the mended files.")
    ] = None,
    imports: Imports = None,
    overwrite: Replace = False,
) -> int:
    """Say why nothing matches, or why a reference does not fit.

    Exit code 1 where there are findings.

    Example: alignrank diagnose a.owl b.owl reference.rdf mine.rdf --mend --out mended
    """
    from experiments.looking.alignment_files import diagnose_files

    return diagnose_files(
        source,
        target,
        reference,
        alignment,
        imports=imports,
        mend=mend,
        out=out,
        overwrite=overwrite,
    )


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
