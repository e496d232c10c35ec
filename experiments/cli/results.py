"""Commands that show results again and recompute papers: report and reproduce."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from alignrank.experiments.cli.options import argument, choice, command, option
from alignrank.experiments.looking.show_results import TABLE_FORMATS, TABLES, show_results
from alignrank.experiments.report.publish import FIGURE_FORMATS, FIGURES

report = command(
    show_results,
    results=argument("RESULTS", "Results folder of rank, compare, study or score."),
    page=typer.Option("--open", help="Open the report in the browser."),
    text=typer.Option("--text", help="Print the paragraph for the paper."),
    table=choice("TABLE", TABLES, "Print a table, or write it to --out: {}.", flag="--table"),
    figures=choice(
        "FIGURE", [*FIGURES, "all"], "Draw into the folder --out (repeatable): {}.", flag="--figure"
    ),
    form=choice(
        "FORMAT",
        [*TABLE_FORMATS, *FIGURE_FORMATS],
        "Of the table (latex) or the figure (pdf): {}.",
        flag="--format",
    ),
    view=option("VIEW", "Default: the first."),
    test=option("TEST", "Of p (default: the chosen)."),
    correction=option("NAME", "Default: the chosen one."),
    systems=option(
        "SYSTEM", "In curves and similarities (repeatable; default: all).", flag="--system"
    ),
    out=option("PATH", "File of the table, or folder of the figures.", flag="--out -o"),
)


def reproduce_tables(
    tables: Sequence[str] = (),
    *,
    data: Path | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> int:
    """Recompute the papers' tables, paper and ours side by side.

    Exit code 1 where something is left out because its data is not there.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """
    from alignrank.experiments.reproduce.papers import (
        reproduce as recompute,  # all studies: half a second
    )

    return recompute(list(tables), data, out, resume=resume)


reproduce = command(
    reproduce_tables,
    tables=argument(
        "TABLE",
        "Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 (default: all).",
    ),
    out=option("PATH", "Folder for the texts of the tables.", flag="--out -o"),
)
