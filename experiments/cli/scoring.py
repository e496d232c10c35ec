"""Commands that score alignments by references: score, on one task, and average, over many."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.inputs.known_names import completing

from .options import (
    Alignments,
    Imports,
    MendNamespaces,
    OptionalOut,
    Overwrite,
    Reference,
    TableCsvOrJson,
    TableOrJson,
    ZeroDivision,
)


def score(
    reference: Reference,
    alignments: Alignments,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Source ontology; some measures need it."),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--target", metavar="FILE", help="Target ontology.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Measure by name (repeatable; default: the usual ones; alignrank list measures).",
            autocompletion=completing("measures"),
        ),
    ] = None,
    zero_division: ZeroDivision = "oaei",
    completeness: Annotated[
        str,
        typer.Option(
            "--completeness",
            metavar="SIDE",
            help="For which entities the reference is complete: complete, source, target, "
            "source-target or none.",
        ),
    ] = "complete",
    weights: Annotated[
        Path | None,
        typer.Option(
            "--weights", metavar="FILE", help="JSON of a relaxed measure's weights, to add it."
        ),
    ] = None,
    breakdown: Annotated[
        bool,
        typer.Option(
            "--breakdown", help="The first measure by kind and relation; one-to-one or not."
        ),
    ] = False,
    bootstrap: Annotated[
        int,
        typer.Option(
            "--bootstrap",
            metavar="N",
            min=0,
            max=1_000_000,
            help="Resamples of source entities for 95 % intervals, as 2000.",
        ),
    ] = 0,
    difference: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--difference", metavar="A B", help="Difference A − B of two systems, with intervals."
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="WHAT",
            help="Resample clusters: parent (with --source), or a TSV of item, cluster.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the bootstrap.")] = 0,
    form: TableCsvOrJson = "table",
    imports: Imports = None,
    out: OptionalOut = None,
    overwrite: Overwrite = False,
) -> None:
    """Score alignment files by every measure of the field.

    Example: alignrank score reference.rdf aml.rdf logmap.rdf --source a.owl --target b.owl
    """
    from experiments.scoring.every_measure import ScoringOptions
    from experiments.scoring.score_files import score_files

    options = ScoringOptions(
        completeness=completeness,
        zero_division=zero_division,
        resamples=bootstrap,
        seed=seed,
        difference=difference,
        breakdown=breakdown,
    )
    score_files(
        reference,
        alignments,
        options,
        source=source,
        target=target,
        imports=imports,
        measures=measure or [],
        weights=weights,
        cluster=cluster,
        form=form,
        out=out,
        overwrite=overwrite,
    )


def average(
    references: Annotated[
        Path, typer.Argument(metavar="REFERENCES", help="Folder of the references task.rdf.")
    ],
    alignments: Annotated[
        Path, typer.Argument(metavar="ALIGNMENTS", help="Folder of the files SYSTEM-task.rdf.")
    ],
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Measure that needs no ontologies.",
            autocompletion=completing("measures"),
        ),
    ] = "standard",
    missing: Annotated[
        str,
        typer.Option("--missing", metavar="WAY", help="A result that is missing: zero or skip."),
    ] = "zero",
    mend_namespaces: MendNamespaces = False,
    zero_division: ZeroDivision = "oaei",
    form: TableOrJson = "table",
) -> None:
    """Average precision, recall and F1 over tasks, micro and macro.

    Example: alignrank average references alignments
    """
    from experiments.scoring.average import average_folders

    average_folders(
        references,
        alignments,
        measure=measure,
        missing=missing,
        mend_namespaces=mend_namespaces,
        zero_division=zero_division,
        form=form,
    )
