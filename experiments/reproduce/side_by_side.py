"""A published table beside ours, cell by cell."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from alignrank.common.names import Texts
from alignrank.common.table import ColumnKind, Table


@cache
def published(paper: str, name: str) -> dict[str, Any]:  # each table has its own shape
    """Return a published table as data, with its name; of ``mcnemar``, ``multitask`` and so on."""
    file = files("alignrank.experiments") / "reproduce" / "published" / f"{paper}.json"
    return {"name": name, **json.loads(file.read_text(encoding="utf-8"))[name]}


def as_printed(paper: str, ours: float) -> str:
    """Return our number rounded as the paper printed its own.

    Examples
    --------
    >>> as_printed("0.0288", 0.028823), as_printed("4.487e-08", 4.4871e-8)
    ('0.0288', '4.487e-08')
    """
    mantissa, e, _ = paper.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return f"{ours:.{decimals}{e or 'f'}}"


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
    paper: Sequence[Sequence[object]]
    ours: Sequence[Sequence[object]]
    notes: Sequence[str] = ()

    @property
    def cells(self) -> int:
        """Number of cells compared: a square table's diagonal is not counted."""
        cells = sum(map(len, self.paper))
        if list(self.rows) == list(self.columns):
            cells -= len(self.rows)
        return cells

    @property
    def differing(self) -> int:
        """Number of cells in which paper and ours differ."""
        pairs = zip(self.paper, self.ours, strict=True)
        return sum(p != o for row in pairs for p, o in zip(*row, strict=True))

    @classmethod
    def of_numbers(
        cls,
        facts: Texts,
        columns: Sequence[str],
        printed: Mapping[str, Sequence[str]],
        computed: Mapping[str, Sequence[float]],
        notes: Sequence[str] = (),
    ) -> Reproduction:
        """Return the printed and the computed numbers of a published table, rounded alike."""
        ours = [
            [as_printed(x, number) for x, number in zip(cells, computed[row], strict=True)]
            for row, cells in printed.items()
        ]
        paper = list(printed.values())
        return cls(facts["name"], facts["caption"], list(printed), columns, paper, ours, notes)

    @classmethod
    def of_values(cls, facts: Texts, printed: Texts, computed: Mapping[str, float]) -> Reproduction:
        """Return the printed and the computed values of a published table, a row for each."""
        paper = {row: [value] for row, value in printed.items()}
        ours = {row: [value] for row, value in computed.items()}
        return cls.of_numbers(facts, ["value"], paper, ours)

    def __str__(self) -> str:
        """Return paper (left) and ours (right), one line a row; a differing cell carries a star."""
        short = [column[:11] for column in self.columns]
        rows = []
        for name, paper, ours in zip(self.rows, self.paper, self.ours, strict=True):
            starred = (f"{o}*" if p != o else o for p, o in zip(paper, ours, strict=True))
            rows.append([name, "|", *paper, "|", *starred])
        numbers: list[ColumnKind] = ["number"] * (len(short) + 1)
        return Table(
            f"{self.name}: {self.caption} (left: the paper, right: ours)",
            ["", "|", *short, "|", *short],
            rows,
            "\n".join([f"{self.differing} of {self.cells} cells differ.", *self.notes]),
            kinds=["text", *numbers, *numbers],
        ).to_text()
