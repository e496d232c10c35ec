"""The layout of a paper: its text, the table that people print, a supplement, and the sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from alignrank.common.files import write_text
from alignrank.common.names import short
from alignrank.common.table import Table, latex_text
from alignrank.experiments.presentation.columns import SIGNED, Column
from alignrank.experiments.presentation.present import Presentation
from alignrank.experiments.presentation.sentences import BOLD, Citation

#: Before each key of the bibliography, so that no key clashes with one of the paper's own.
_PREFIX = "alignrank:"
#: Longer names are cut in the table that is printed.
_NAME_WIDTH = 20
#: The table that is printed begins and ends with these columns.
_FIRST, _LAST = ("precision", "recall", "f1"), ("verdict", "letters")


def write_paper(folder: Path, shown: Presentation) -> None:
    """Write the texts for a paper into a results folder.

    ``paper.txt`` has everything as text; ``paper.tex`` the paragraph and the table that is printed,
    ``paper-supplement.tex`` the table with all columns, ``paper.bib`` what both cite.
    """
    parts = _parts(shown)
    sources = bibliography([p.key for p in parts if isinstance(p, Citation)], shown.version)
    checked = "\n".join(f"{item}: {answer}" for item, answer in shown.checklist)
    text = "".join(map(_in_text, parts))
    plain = [
        text,
        paper_table(shown, "supplement", bold="").to_text(),
        f"Reporting checklist\n{checked}",
    ]
    write_text(folder / "paper.txt", "\n\n".join([*plain, sources]))
    printed = paper_table(shown).to_latex("tab:alignrank", "footnotesize")
    cited = "".join(map(_in_latex, parts))
    head = "% \\input{paper}, with \\bibliography{paper} where the references stand"
    write_text(folder / "paper.tex", "\n".join([head, cited, "", printed]))
    whole = paper_table(shown, "supplement").to_latex("tab:alignrank-all", "footnotesize")
    write_text(folder / "paper-supplement.tex", whole)
    prefixed = re.compile(r"^(@\w+\{)", re.MULTILINE)  # keys of our own file
    write_text(folder / "paper.bib", prefixed.sub(rf"\1{_PREFIX}", sources))


def paper_table(
    shown: Presentation, place: Literal["paper", "supplement"] = "paper", *, bold: str = BOLD
) -> Table:
    """Return the table that people print, or that of the supplement, under its caption.

    Parameters
    ----------
    shown
        What is laid out.
    place
        Which of the two.
    bold
        What bold letters mean, where any are.
    """
    columns = [
        replace(column, between=", ") if column.between == SIGNED else column
        for column in shown.at(place)
    ]
    headings = [column.heading for column in columns]
    if place == "paper":
        columns.sort(key=_place_in_print)
        headings = [column.short or column.heading for column in columns]
    table = shown.table(columns, title=shown.subject, notes=shown.caption, headings=headings)
    footnote = table.footnote
    if bold and table.strong:
        footnote = f"{footnote} {bold}"
    rows = []
    for name, *cells in table.rows:
        if place == "paper":
            name = short(str(name), _NAME_WIDTH)
        # a minus sign, as print has it
        printed = [
            str(cell).replace("-", "−") if column.kind == "number" else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        rows.append([name, *printed])
    return replace(table, rows=rows, footnote=footnote)


def _place_in_print(column: Column) -> int:
    """Return a key that puts the rates first and the verdicts last."""
    if column.name in _FIRST:
        return _FIRST.index(column.name)
    return len(_FIRST) + (column.name in _LAST)


def _parts(shown: Presentation) -> list[str | Citation]:
    """Return the parts of the paragraph, sentences with a space between."""
    parts: list[str | Citation] = []
    for sentence in shown.paragraph:
        parts += [" ", *sentence] if parts else sentence
    return parts


def _in_text(part: str | Citation) -> str:
    if isinstance(part, str):
        return part
    return f" [{part.key}]" if part.key in _sources() else ""


def _in_latex(part: str | Citation) -> str:
    if isinstance(part, str):
        text = latex_text(part)
        # the spaces at its ends stand between sentences and citations
        return part.replace(part.strip(), text) if text else part
    return f"~\\cite{{{_PREFIX}{part.key}}}" if part.key in _sources() else ""


@cache
def _sources() -> dict[str, str]:
    """Return every BibTeX entry by its key."""
    text = (files("alignrank.experiments") / "report" / "paper.bib").read_text(encoding="utf-8")
    entries = (entry.strip() for entry in text.split("\n\n"))
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}


def bibliography(keys: Iterable[str], version: str) -> str:
    """Return the BibTeX entries of these keys."""
    cited = "\n\n".join(_sources()[key] for key in dict.fromkeys(keys) if key in _sources())
    return cited.replace("VERSION", version) + "\n"
