"""Commands that show results again and recompute papers: report and reproduce."""

from __future__ import annotations

from pathlib import Path

from alignrank.common.defaults import FIGURE_FORMATS, FIGURES, TABLE_FORMATS, TABLES

from .options import Option, argument, choice, command, switch

report = command(
    "looking.show_results:show_results",
    "results page text table figures form view test correction systems --reference out overwrite",
    """Show results again: the page, a table, a figure.

    Without options the summary is printed.

    Example: alignrank report results --table adjusted --format latex -o adjusted.tex

    Example: alignrank report results --figure p-values --figure precision-recall -o figures
    """,
    results=argument(
        "RESULTS", "Results folder of rank, compare or study; with --open of score, too.", Path
    ),
    page=switch("--open", "Open the report in the browser."),
    text=switch("--text", "Print the paragraph for the paper."),
    table=choice("TABLE", TABLES, "Print a table, or write it to --out: {}.", flag="--table"),
    figures=choice(
        "FIGURE", [*FIGURES, "all"], "Draw into the folder --out (repeatable): {}.", flag="--figure"
    )._replace(several=True),
    form=choice(
        "FORMAT",
        [*TABLE_FORMATS, *FIGURE_FORMATS],
        "Of the table (latex) or the figure (pdf): {}.",
        flag="--format",
    ),
    view=Option("VIEW", "Default: the first."),
    test=Option("TEST", "Of p (default: the chosen)."),
    correction=Option("NAME", "Default: the chosen one."),
    systems=Option(
        "SYSTEM",
        "In curves and similarities (repeatable; default: all).",
        flag="--system",
        several=True,
    ),
    out=Option("PATH", "File of the table, or folder of the figures.", Path, flag="--out -o"),
)


reproduce = command(
    "reproduce.papers:reproduce",
    "[tables] out resume data",
    """Recompute the papers' tables, paper and ours side by side.

    Exit code 1 where something is left out because its data is not there.

    Example: alignrank reproduce table4 garcia-herrera --data FOLDER
    """,
    tables=argument(
        "TABLE",
        "Of the papers: table2, ..., garcia-herrera, table8, bdm, 5ns, oaei-2016 (default: all).",
        several=True,
    ),
    out=Option("PATH", "Folder for the texts of the tables.", Path, flag="--out -o"),
)
