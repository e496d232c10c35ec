"""A table as LaTeX, Markdown, CSV or HTML; whatever its names hold, it stays a table."""

from __future__ import annotations

import re
from collections.abc import Callable

from experiments.report.csvs import csv_text
from experiments.report.figures.style import one_line
from ontologies.common.html import html_table

from .paper_tables import DataTable

_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    # after the end of a row these two would be its options
    "[": "{[}",
    "*": "{*}",
}
_MARKDOWN = {sign: f"\\{sign}" for sign in "\\`*_{}[]()#+!|~$"} | {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
}


def latex_text(text: str) -> str:
    r"""Return text as LaTeX shows it literally.

    Examples
    --------
    >>> print(latex_text(r"50% of R&D, \input{x}, a_b"))
    50\% of R\&D, \textbackslash{}input\{x\}, a\_b
    """
    escaped = "".join(_LATEX.get(c, c) for c in one_line(text))
    return re.sub("-(?=-)", "-{}", escaped)  # of two hyphens TeX would make a dash


def to_latex(table: DataTable) -> str:
    """Return a LaTeX table with booktabs rules."""

    def cell(i: int, k: int, value: object) -> str:
        text = latex_text(table.text(value))
        return rf"\textbf{{{text}}}" if (i, k) in table.strong else text

    columns = "".join("r" if _numeric(table, k) else "l" for k in range(len(table.header)))
    body = [
        " & ".join(cell(i, k, v) for k, v in enumerate(row)) for i, row in enumerate(table.rows)
    ]
    caption = latex_text(" ".join(f"{table.title}. {table.note}".split()))
    return "\n".join(
        [
            r"% needs \usepackage[T1]{fontenc} and \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            " & ".join(map(latex_text, table.header)) + r" \\",
            r"\midrule",
            *(row + r" \\" for row in body),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def to_markdown(table: DataTable) -> str:
    """Return a Markdown table (pipes), with title and note around it."""

    def plain(text: str) -> str:
        return "".join(_MARKDOWN.get(c, c) for c in one_line(text))

    def cell(i: int, k: int, value: object) -> str:
        text = plain(table.text(value))
        return f"**{text}**" if (i, k) in table.strong else text

    rules = ["---:" if _numeric(table, k) else ":---" for k in range(len(table.header))]
    rows = [[cell(i, k, v) for k, v in enumerate(row)] for i, row in enumerate(table.rows)]
    lines = [[*map(plain, table.header)], rules, *rows]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    note = f"\n\n{plain(table.note)}" if table.note else ""
    return f"**{plain(table.title)}**\n\n{text}{note}\n"


def to_html(table: DataTable) -> str:
    """Return an HTML table element; every text is escaped and keeps its direction to itself."""
    return html_table(
        " ".join(f"{table.title}. {table.note}".split()),
        table.header,
        [[table.text(value) for value in row] for row in table.rows],
        numbers=[k for k in range(len(table.header)) if _numeric(table, k)],
        strong=table.strong,
    )


def to_csv(table: DataTable) -> str:
    """Return CSV with every digit, which no spreadsheet takes for formulas."""
    return csv_text(table.header, table.rows)


#: By the name that the command line gives them.
FORMATS: dict[str, Callable[[DataTable], str]] = {
    "latex": to_latex,
    "markdown": to_markdown,
    "csv": to_csv,
    "html": to_html,
}


def _numeric(table: DataTable, column: int) -> bool:
    """Tell whether a column holds numbers, and is set flush right."""
    values = [row[column] for row in table.rows if row[column] is not None]
    return column > 0 and all(isinstance(v, int | float) for v in values)
