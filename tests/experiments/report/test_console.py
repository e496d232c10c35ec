"""What is printed on a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from experiments.report.console import terminal_table
from ontologies.common.table import Table

SCORES = Table(
    "Scores",
    ["system", "found", "F1", "rank"],
    [["[bold]a[/bold]", 12, 0.91234, "1"], ["b", 7, None, "2–3"], ["c", 0, float("nan"), "2–3"]],
    "What it means.",
    strong=[(0, 2)],
)


def on_terminal(table: Table, width: int = 200, **how: object) -> list[str]:
    shown = io.StringIO()
    Console(file=shown, width=width).print(terminal_table(table, **how))
    return shown.getvalue().splitlines()


def test_a_terminal_shows_text_literally_and_cuts_or_wraps() -> None:
    lines = on_terminal(SCORES)
    assert lines[1].split() == ["[bold]a[/bold]", "12", "0.912", "1"]
    assert len(on_terminal(SCORES, widest=5)[1].split()[0]) == 5
    long = Table("", ["a", "b"], [["x" * 30, "y" * 30]])
    assert "y" * 30 in "".join("".join(on_terminal(long, 40, wrapped=["b"])).split())
    assert "y" * 30 not in "".join("".join(on_terminal(long, 40)).split())
    assert len(on_terminal(Table("", ["", ""], [["a", "b"]]))) == 1  # no header
