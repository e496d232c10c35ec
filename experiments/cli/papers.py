"""Commands that draw for papers and recompute papers: plot and reproduce."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from experiments.report.figures import FIGURES
from experiments.report.paper import FIGURE_FORMATS, plot_figures

from . import options as shared
from .options import argument, choice, command, completing, option

plot = command(
    plot_figures,
    results=argument("RESULTS", "Results folder of rank, compare or study."),
    out=option("PATH", "Folder of the figures."),
    names=argument(
        "FIGURE",
        f"{', '.join([*FIGURES][:-1])} or {[*FIGURES][-1]} (default: all that fit).",
        autocompletion=completing(FIGURES),
    ),
    formats=choice("FORMAT", FIGURE_FORMATS, "{} (repeatable; default: pdf).", flag="--format"),
    view=option("VIEW", "Default: the first."),
    correction=option("NAME", "Default: the chosen one."),
    systems=option(
        "SYSTEM", "In curves and similarities (repeatable; default: all).", flag="--system"
    ),
    reference=option("FILE", "Reference alignment, if it was moved."),
    overwrite=shared.REPLACE,
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
    resume: Annotated[bool, shared.RESUME] = False,
) -> int:
    """Recompute the papers' tables, paper and ours side by side.

    Exit code 1 where something is left out because its data is not there.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """
    from experiments.reproduce import reproduce as reproduce_tables  # all studies: half a second

    return reproduce_tables(tables or [], data, out, resume=resume)
