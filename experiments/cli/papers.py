"""Commands for papers: table and plot, from results; reproduce, the papers' own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.report.figures import FIGURES
from experiments.results.paper_figures import FORMATS as FIGURE_FORMATS
from experiments.results.paper_figures import plot as draw_figures
from experiments.results.paper_tables import TABLES
from experiments.results.write_table import FORMATS as TABLE_FORMATS
from experiments.results.write_table import table as write_table

from .options import Replace, choice, completing


def table(
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="Results folder of rank, compare or study.")
    ],
    name: Annotated[
        str,
        choice("--table", "TABLE", TABLES),
    ] = "scores",
    form: Annotated[str, choice("--format", "FORMAT", TABLE_FORMATS)] = "latex",
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
    overwrite: Replace = False,
) -> None:
    """Write a table of a results folder for a paper.

    Example: alignrank table results --table adjusted --format latex --out adjusted.tex
    """
    write_table(
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
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="Results folder of rank, compare or study.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="PATH", help="Folder of the figures.")],
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIGURE",
            help=f"{', '.join(FIGURES[:-1])} or {FIGURES[-1]} (default: all that fit).",
            autocompletion=completing(FIGURES),
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        choice("--format", "FORMAT", FIGURE_FORMATS, "{} (repeatable; default: pdf)."),
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
    overwrite: Replace = False,
) -> None:
    """Draw figures of a results folder for a paper.

    Example: alignrank plot results p-values precision-recall --format pdf --out figures
    """
    draw_figures(
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
    from experiments.reproduce import reproduce as reproduce_tables  # all studies: half a second

    reproduce_tables(tables or [], data, out)
