"""Commands on files: convert, lint, diagnose, generate, and those of `alignrank data`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.looking.alignment_files import convert_file, diagnose_files, lint_files
from experiments.looking.data_sets import (
    fetch_data,
    generate_pairs,
    list_data,
    path_of_data,
    print_contents,
    verify_data,
)
from ontologies import FORMATS
from ontologies.generator import PRESETS

from . import options as shared
from .options import argument, choice, option


def convert(
    alignment: Annotated[Path, argument("ALIGNMENT", "In any known format.")],
    out: Annotated[Path, argument("OUT", "Ends in .rdf, .sssom.tsv, .csv, .tsv or .jsonl.")],
    to: Annotated[
        str | None, choice("FORMAT", FORMATS, "Format, where the ending does not say it: {}.")
    ] = None,
    overwrite: shared.Replace = False,
) -> int:
    """Convert an alignment file.

    Nothing is lost, and what a format cannot say is reported.

    Example: alignrank convert reference.rdf reference.sssom.tsv
    """
    return convert_file(alignment, out, to=to, overwrite=overwrite)


def lint(
    alignments: Annotated[list[Path], argument("ALIGNMENT", "Files.")],
    source: shared.SourceFile = None,
    target: shared.TargetFile = None,
    imports: shared.Imports = None,
) -> int:
    """Check alignment files.

    Exit code 1 where something should be mended.

    Example: alignrank lint mine.rdf --source a.owl --target b.owl
    """
    return lint_files(alignments, source=source, target=target, imports=imports)


def diagnose(
    source: shared.Source,
    target: shared.Target,
    reference: shared.Reference,
    alignment: Annotated[Path | None, argument("ALIGNMENT", "A system's alignment.")] = None,
    mend: Annotated[
        bool, typer.Option("--mend", help="Write what can be mended safely into --out.")
    ] = False,
    out: Annotated[Path | None, option("PATH", "Folder of the mended files.")] = None,
    imports: shared.Imports = None,
    overwrite: shared.Replace = False,
) -> int:
    """Say why nothing matches, or why a reference does not fit.

    Exit code 1 where there are findings.

    Example: alignrank diagnose a.owl b.owl reference.rdf mine.rdf --mend --out mended
    """
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


def generate(
    out: Annotated[Path, option("PATH", "Folder for the pair, or for all of them.")],
    classes: Annotated[
        int | None, option("N", "Classes of a made-up ontology (300).", min=1)
    ] = None,
    source: Annotated[
        Path | None,
        option("FILE", "The source: an ontology of yours, in any format.", flag="--from"),
    ] = None,
    imports: shared.Imports = None,
    seed: Annotated[int, option("N", "Of all choices by chance.", min=0)] = 0,
    alter: Annotated[Path | None, option("FILE", "TOML file: how the targets are altered.")] = None,
    preset: Annotated[str | None, choice("NAME", PRESETS)] = None,
    overwrite: shared.Overwrite = False,
) -> None:
    """Generate ontology pairs with known correspondences.

    Each pair is an ontology and an altered copy.

    Example: alignrank generate --classes 1000 --preset oaei-like --out pairs

    Example: alignrank generate --from mouse.owl --alter spec.toml --out pairs
    """
    generate_pairs(
        classes,
        source=source,
        imports=imports,
        seed=seed,
        alter=alter,
        preset_name=preset,
        out=out,
        overwrite=overwrite,
    )


data_app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="List, fetch, find and check the field's data.",
)


DataFolder = Annotated[
    Path | None, option("FOLDER", "Data folder (default: $ALIGNRANK_DATA, or the cache folder).")
]


DataNames = Annotated[list[str], argument("NAME", "As alignrank data list names them.")]


@data_app.command("list")
def data_list(data: DataFolder = None) -> None:
    """List what can be fetched, with sizes and licences.

    Example: alignrank data list
    """
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
    fetch_data(names, data, offline=offline)


@data_app.command("path")
def data_path(
    name: Annotated[str, argument("NAME", "As data list names it.")], data: DataFolder = None
) -> None:
    """Print the folder of fetched data.

    Example: ls "$(alignrank data path anatomy)"
    """
    path_of_data(name, data)


@data_app.command("verify")
def data_verify(
    names: Annotated[list[str] | None, argument("NAME", "Default: all that is there.")] = None,
    data: DataFolder = None,
) -> int:
    """Check fetched data by its checksums.

    Exit code 1 if any file is missing or changed.

    Example: alignrank data verify anatomy
    """
    return verify_data(names or [], data)


@data_app.command("table")
def data_table(data: DataFolder = None) -> None:
    """Count what every ontology that is there holds.

    Those that are bundled, and those that were fetched.

    Example: alignrank data table
    """
    print_contents(data)
