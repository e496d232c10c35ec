"""Scores as a table on the terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .console import console
from .csvs import cell

if TYPE_CHECKING:
    from ..score import Value


def print_scores(found: Sequence[Value]) -> None:
    """Print one row for each value of each measure, one column for each system."""
    from rich.table import Table

    systems = list(dict.fromkeys(v.system for v in found))
    at = {(v.measure, v.name, v.system): v for v in found}
    table = Table(box=None, pad_edge=False)
    for name in ("measure", "value"):
        table.add_column(name, no_wrap=True)
    for system in systems:
        table.add_column(system, justify="right", no_wrap=True)
    for measure, name in dict.fromkeys((v.measure, v.name) for v in found):
        table.add_row(measure, name, *(_shown(at[measure, name, s]) for s in systems))
    console().print(table)


def _shown(value: Value) -> str:
    text = "–" if value.value != value.value else f"{value.value:.3f}"
    if value.low is None or value.high is None:
        return text
    return f"{text} [{value.low:.3f}, {value.high:.3f}]"


def scores_csv(found: Sequence[Value]) -> None:
    """Print one line for each value."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["system", "measure", "value", "estimate", "low", "high"])
    for v in found:
        row = (v.system, v.measure, v.name, v.value, v.low, v.high)
        writer.writerow([cell(x) for x in row])


def scores_json(found: Sequence[Value]) -> None:
    """Print a JSON array with one object for each value; null where it is undefined."""
    from ..outputs import finite

    print(json.dumps(finite([vars(v) for v in found]), indent=1, ensure_ascii=False))
