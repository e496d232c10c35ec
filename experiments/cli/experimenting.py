"""Commands of whole experiments: run, generate and reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Imports, Overwrite


def run_experiment(
    experiment: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT", help="TOML file of tasks and settings.")
    ],
) -> None:
    """Run an experiment from a file; go on where it stopped.

    Steps that are done are not computed again.

    Example: alignrank run experiment.toml
    """
    from experiments.ranking.plan import run_plan

    run_plan(experiment)


def generate(
    out: Annotated[
        Path, typer.Option("--out", metavar="PATH", help="Folder for the pair, or for all of them.")
    ],
    classes: Annotated[
        int | None,
        typer.Option("--classes", metavar="N", min=1, help="Classes of a made-up ontology (300)."),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="The source: an ontology of yours, in any format."
        ),
    ] = None,
    imports: Imports = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Of all choices by chance.")
    ] = 0,
    alter: Annotated[
        Path | None,
        typer.Option("--alter", metavar="FILE", help="TOML file: how the targets are altered."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset", metavar="NAME", help="oaei-like, discriminant, scale or near-miss."
        ),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Generate ontology pairs with known correspondences.

    Each pair is an ontology and an altered copy.

    Example: alignrank generate --classes 1000 --preset oaei-like --out pairs

    Example: alignrank generate --from mouse.owl --alter spec.toml --out pairs
    """
    from experiments.looking.data_sets import generate_pairs

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


def reproduce(
    tables: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TABLE",
            help="Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 "
            "(default: all); or an experiment: fifty-four, measures-agree, relaxed-oaei, audit.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FOLDER", help="Folder of the OAEI files (default: $ALIGNRANK_DATA)."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="PATH", help="Folder for the pages of experiments."),
    ] = None,
) -> None:
    """Recompute the papers' tables, paper and ours side by side.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """
    from experiments.reproduce import reproduce as run

    run(tables or [], data, out)
