"""Commands that draw for papers and recompute papers: plot and reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from experiments.report.figures import FIGURES
from experiments.report.paper import FIGURE_FORMATS as FORMATS
from experiments.report.paper import plot as draw_figures

from . import options as shared
from .options import argument, choice, completing, option


def plot(
    results: Annotated[Path, argument("RESULTS", "Results folder of rank, compare or study.")],
    out: Annotated[Path, option("PATH", "Folder of the figures.")],
    figures: Annotated[
        list[str] | None,
        argument(
            "FIGURE",
            f"{', '.join([*FIGURES][:-1])} or {[*FIGURES][-1]} (default: all that fit).",
            autocompletion=completing(FIGURES),
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        choice("FORMAT", FORMATS, "{} (repeatable; default: pdf).", flag="--format"),
    ] = None,
    view: Annotated[str | None, option("VIEW", "Default: the first.")] = None,
    correction: Annotated[str | None, option("NAME", "Default: the chosen one.")] = None,
    system: Annotated[
        list[str] | None, option("SYSTEM", "In curves and similarities (repeatable; default: all).")
    ] = None,
    reference: Annotated[
        Path | None, option("FILE", "Reference alignment, if it was moved.")
    ] = None,
    overwrite: shared.Replace = False,
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
        argument(
            "TABLE",
            "Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 "
            "(default: all); or an experiment: fifty-four, measures-agree, relaxed-oaei, audit.",
        ),
    ] = None,
    data: Annotated[
        Path | None, option("FOLDER", "Folder of the OAEI files (default: $ALIGNRANK_DATA).")
    ] = None,
    out: Annotated[Path | None, option("PATH", "Folder for the pages of experiments.")] = None,
) -> None:
    """Recompute the papers' tables, paper and ours side by side.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """
    from experiments.reproduce import reproduce as reproduce_tables  # all studies: half a second

    reproduce_tables(tables or [], data, out)
