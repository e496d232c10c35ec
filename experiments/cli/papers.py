"""Commands that make tables and figures of results for a paper: table and plot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Results


def table(
    results: Results,
    name: Annotated[
        str,
        typer.Option("--table", metavar="TABLE", help="scores, p, adjusted, discordant or edges."),
    ] = "scores",
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="latex, markdown, csv or html.")
    ] = "latex",
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="Default: the first.")
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="TEST", help="Of p (default: the chosen).")
    ] = None,
    correction: Annotated[
        str | None, typer.Option("--correction", metavar="NAME", help="Default: the chosen one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="PATH", help="File (default: print).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file.")] = False,
) -> None:
    """Write a table of a results folder for a paper.

    Example: alignrank table results --table adjusted --format latex --out adjusted.tex
    """
    from experiments.results.write_table import table as run

    run(
        results,
        name=name,
        form=form,
        view=view,
        test=test,
        correction=correction,
        out=out,
        overwrite=overwrite,
    )


def plot(
    results: Results,
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Folder of the figures.")],
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIGURE",
            help="outperforms, p-values, discordance, precision-recall, threshold, similarities "
            "or critical-difference (default: all that fit).",
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        typer.Option(
            "--format", metavar="FORMAT", help="pdf, svg or png (repeatable; default: pdf)."
        ),
    ] = None,
    view: Annotated[
        str | None, typer.Option("--view", metavar="VIEW", help="Default: the first.")
    ] = None,
    correction: Annotated[
        str | None, typer.Option("--correction", metavar="NAME", help="Default: the chosen one.")
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system",
            metavar="SYSTEM",
            help="In curves and similarities (repeatable; default: all).",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option("--reference", metavar="FILE", help="Reference alignment, if it was moved."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the files.")] = False,
) -> None:
    """Draw figures of a results folder for a paper.

    Example: alignrank plot results p-values precision-recall --format pdf --out figures
    """
    from experiments.results.paper_figures import plot as run

    run(
        results,
        figures or [],
        formats=form or ["pdf"],
        view=view,
        correction=correction,
        systems=system or [],
        reference=reference,
        out=out,
        overwrite=overwrite,
    )
