"""Recompute the McNemar paper's tables from the real files, and print paper and ours side by side.

Mohammadi, Atashin, Hofman and Tan (2018): Tables 2 and 3 (discordant counts of ten OAEI 2016
systems), Table 4 (their ranking), Table 5 (discordant counts of nine string metrics).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evaluation import Comparison, compare
from ontologies import read_alignment

from .data import data_folder
from .errors import ExperimentError


@dataclass(frozen=True)
class Reproduction:
    """A published table beside ours.

    Parameters
    ----------
    name, caption
        What it is.
    rows, columns
        Headings.
    paper, ours
        Cells, row by row.
    notes
        Sentences to print below.
    """

    name: str
    caption: str
    rows: Sequence[str]
    columns: Sequence[str]
    paper: Sequence[Sequence[Any]]
    ours: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()

    @property
    def cells(self) -> int:
        """Number of cells compared: a square table's diagonal is not counted."""
        return sum(len(row) for row in self.paper) - (len(self.rows) if self._square else 0)

    @property
    def differing(self) -> int:
        """Number of cells in which paper and ours differ."""
        pairs = zip(self.paper, self.ours, strict=True)
        return sum(p != o for row in pairs for p, o in zip(*row, strict=True))

    @property
    def _square(self) -> bool:
        return list(self.rows) == list(self.columns)

    def to_text(self) -> str:
        """Return paper (left) and ours (right), one line a row; a differing cell carries a star."""
        shown = [[str(x) for x in row] for row in self.paper]
        starred = [
            [f"{o}*" if p != o else str(o) for p, o in zip(*rows, strict=True)]
            for rows in zip(self.paper, self.ours, strict=True)
        ]
        lines = [f"{self.name}: {self.caption}"]
        side = max(len(name) for name in self.rows)
        short = [column[:11] for column in self.columns]
        widths = [
            max(len(cell) for cell in [head, *(row[j] for row in shown + starred)])
            for j, head in enumerate(short)
        ]

        def line(name: str, left: Sequence[str], right: Sequence[str]) -> str:
            a, b = (
                "  ".join(c.rjust(w) for c, w in zip(x, widths, strict=True)) for x in (left, right)
            )
            return f"{name.ljust(side)} | {a} | {b}".rstrip()

        total = sum(widths) + 2 * (len(widths) - 1)
        lines.append(f"{' ' * side} | {'paper'.ljust(total)} | ours")
        lines.append(line("", short, short))
        lines += [
            line(name, *rows)
            for name, rows in zip(self.rows, zip(shown, starred, strict=True), strict=True)
        ]
        lines.append(f"{self.differing} of {self.cells} cells differ.")
        return "\n".join([*lines, *self.notes])


@cache
def published() -> dict[str, Any]:
    """Return the paper's tables as data."""
    text = (files("experiments") / "published" / "mcnemar.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def recomputed(table: str, data: Path) -> Comparison:
    """Compare the alignments behind a published table."""
    facts = published()[table]
    reference = read_alignment(data / "anatomy" / "reference.rdf")
    systems = {
        name: read_alignment(data / facts["folder"] / file, name=name)
        for name, file in facts["files"].items()
    }
    return compare(systems, reference)


def discordant_table(table: str, data: Path) -> Reproduction:
    """Tables 2, 3 and 5: cell (i, j) counts what i has right and j wrong."""
    facts = published()[table]
    ours = recomputed(table, data).discordant[facts["view"]]
    return Reproduction(
        table,
        facts["caption"],
        facts["systems"],
        facts["systems"],
        facts["matrix"],
        ours.tolist(),
    )


def table4(data: Path) -> Reproduction:
    """Table 4: the layers under Bergmann–Hommel in both views."""
    facts = published()["table4"]
    views = {"ifp": recomputed("table2", data), "cfp": recomputed("table3", data)}
    paper = {view: [sorted(layer) for layer in facts[view]] for view in views}
    ours = {
        view: [sorted(layer) for layer in comparison.layers[view]["bergmann-hommel"]]
        for view, comparison in views.items()
    }
    depth = max(len(x) for table in (paper, ours) for x in table.values())

    def cells(table: dict[str, list[list[str]]]) -> list[list[str]]:
        return [
            [" & ".join(table[view][k]) if k < len(table[view]) else "" for view in views]
            for k in range(depth)
        ]

    ranks = [str(k + 1) for k in range(depth)]
    return Reproduction("table4", facts["caption"], ranks, list(views), cells(paper), cells(ours))


def rematched_table5(data: Path) -> str:
    """Table 5 once more, from the ontologies instead of from the published alignments."""
    from .rematch import rematch

    found = rematch(data)
    facts = published()["table5"]
    reference = read_alignment(data / "anatomy" / "reference.rdf")
    ours = compare(found.alignments, reference).discordant["ifp"]
    table = Reproduction(
        "table5, matched again",
        "the same counts from our own optimal assignments",
        facts["systems"],
        facts["systems"],
        facts["matrix"],
        ours.tolist(),
    )
    return f"{found.to_text()}\n\n{table.to_text()}\n"


#: What can be reproduced, by name.
REPRODUCTIONS: dict[str, Callable[[Path], Reproduction]] = {
    "table2": lambda data: discordant_table("table2", data),
    "table3": lambda data: discordant_table("table3", data),
    "table4": table4,
    "table5": lambda data: discordant_table("table5", data),
}


def reproduce(names: Sequence[str], data: Path | None) -> None:
    """Print the named tables, paper beside ours (`alignrank reproduce`)."""
    unknown = sorted(set(names) - REPRODUCTIONS.keys())
    if unknown:
        raise ExperimentError(
            f"nothing called {unknown[0]!r} can be reproduced: use {', '.join(REPRODUCTIONS)}"
        )
    folder = data_folder(data)
    for name in names or REPRODUCTIONS:
        print(REPRODUCTIONS[name](folder).to_text(), end="\n\n")
        if name == "table5":
            print(rematched_table5(folder))
