"""What is printed on a terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import Progress

from alignrank.common.table import Table
from alignrank.experiments.report.console import (
    ROWS,
    Pace,
    TimeLeft,
    finish,
    output,
    print_ranked,
    terminal_table,
)
from tests.generated import examples

SCORES = Table(
    "Scores",
    ["system", "found", "F1", "rank"],
    [["[bold]a[/bold]", 12, 0.91234, "1"], ["b", 7, None, "2–3"], ["c", 0, float("nan"), "2–3"]],
    "What it means.",
    strong=[(0, 2)],
)


def on_terminal(table: Table, width: int = 200, **how: object) -> list[str]:
    shown = io.StringIO()
    Console(file=shown, width=width).print(terminal_table(table, width, **how).table)
    return shown.getvalue().splitlines()


def test_a_terminal_shows_text_literally_and_cuts_names_or_wraps() -> None:
    lines = on_terminal(SCORES)
    assert lines[1].split() == ["[bold]a[/bold]", "12", "0.912", "1"]
    long = Table("", ["a", "b"], [["x" * 30, "y" * 30]])
    assert "y" * 30 in "".join("".join(on_terminal(long, 40, wrapped=["b"])).split())
    assert "y" * 30 not in "".join("".join(on_terminal(long, 40)).split())
    assert len(on_terminal(Table("", ["", ""], [["a", "b"]]))) == 1  # no header
    beside = on_terminal(Table("", ["a", "b", "c"], [["x", "y" * 30, "z" * 40]]), 40, wrapped=["c"])
    assert "".join(beside).count("z") == 40


def test_rows_stay_different_where_their_names_are_cut() -> None:
    rows = [[f"system_good − system_{name}_miss", *["0.123 [0.045, 0.678]"] * 4] for name in "ab"]
    lines = on_terminal(Table("", ["system", *"pqrs"], rows, kinds=["text", *["number"] * 4]), 80)
    assert len({line.split("  ")[0] for line in lines[1:3]}) == 2
    assert lines[-1].startswith("columns not shown: r, s")
    alike = [[f"{'x' * 90}{name}", 0.123] for name in "ab"]
    assert all("0.123" in line for line in on_terminal(Table("", ["a", "b"], alike), 40)[1:])


def test_a_kept_column_is_left_out_last() -> None:
    table = Table("", ["system", *"pqrs"], [["a", *["0.123 [0.045]"] * 3, "ab"]])
    lines = on_terminal(table, 30, kept=["s"])
    assert lines[0].split() == ["system", "p", "s"]
    assert lines[-1].startswith("columns not shown: q, r")
    assert on_terminal(table, 20, kept=["s"])[0].split() == ["system", "s"]


@examples(100)
@given(
    name=st.text("ab", min_size=1, max_size=60),
    numbers=st.lists(st.integers(0, 10**9), min_size=1, max_size=9),
    width=st.integers(40, 120),
)
def test_a_number_is_shown_whole_or_left_out_and_said(
    name: str, numbers: list[int], width: int
) -> None:
    header = ["name", *(f"n{k}" for k in range(len(numbers)))]
    table = Table("", header, [[name, *numbers]], kinds=["text", *["number"] * len(numbers)])
    lines = on_terminal(table, width)
    shown = lines[1].split()[1:]
    assert shown == [str(number) for number in numbers[: len(shown)]]
    assert len(shown) >= 1
    left_out = header[1 + len(shown) :]
    assert not left_out or " ".join(lines[2:]).split()[3:] == ", ".join(left_out).split()
    assert all(len(line.rstrip()) <= width for line in lines)


def test_the_scores_of_nine_metrics_fit_on_80_columns() -> None:
    """Every F1 was printed as 0.… there."""
    header = ["system", "found", "correct", "precision", "recall", "F1", "rank ifp", "rank cfp"]
    header.append("rank entity")
    row = ["needleman-wunsch", 1250, "1188–1190", 0.912, 0.795, 0.847, "2–3", "1", "2–3"]
    lines = on_terminal(Table("", header, [row], kinds=["text", *["number"] * 8]), 80)
    assert "0.847" in lines[1]
    assert lines[-1].startswith("columns not shown: rank entity")


def test_no_time_is_estimated_before_the_pace_is_steady() -> None:
    even, falling, slow_start, rising = Pace(), Pace(), Pace(), Pace()
    assert [even.is_steady(float(n)) for n in range(1, 6)] == [False] * 3 + [True] * 2
    # each item takes half as long as the one before, or twice as long: nothing can be said
    assert not any(falling.is_steady(1 - 0.5**n) for n in range(1, 40))
    assert not any(rising.is_steady(2.0**n) for n in range(1, 40))
    # the first item compiles for 100 seconds, the others take one each
    assert [slow_start.is_steady(100.0 + n) for n in range(1, 5)] == [False] * 3 + [True]


def test_the_time_left_stands_beside_the_bar_once_the_pace_is_steady() -> None:
    column, progress = TimeLeft(), Progress()
    progress.add_task("work", total=10)
    task = progress.tasks[0]
    assert column.render(task).plain == ""
    progress.update(task.id, is_steady=True)
    assert column.render(task).plain.startswith("left: ")


def test_a_single_row_too_many_is_shown_two_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[f"system{k}", k] for k in range(ROWS + 2)]
    print_ranked(["system", "n"], rows[:-1])
    assert capsys.readouterr().out.splitlines()[-1].split() == [f"system{ROWS}", str(ROWS)]
    print_ranked(["system", "n"], rows)
    *shown, last = capsys.readouterr().out.splitlines()
    assert len(shown) == ROWS + 1
    assert last.startswith("and 2 more")


def test_long_sentences_leave_one_row_of_a_ranking(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [[f"system{k}", k] for k in range(ROWS)]
    print_ranked(["system", "n"], rows, beside=["a sentence"] * 30)
    _, *shown, last = capsys.readouterr().out.splitlines()
    assert len(shown) == 1
    assert last.startswith(f"and {ROWS - 1} more")


class Summary:
    """A result that counts how often its summary is made."""

    made = 0

    def to_dict(self) -> dict[str, object]:
        self.made += 1
        return {"f1": 0.5}


def test_a_summary_is_made_only_where_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    result = Summary()
    finish(result)
    assert (result.made, capsys.readouterr().out) == (0, "")
    with output(as_json=True, quiet=False):
        finish(result)
        finish({"f1": 0.25})
    assert (result.made, capsys.readouterr().out) == (1, '{"f1": 0.5}\n{"f1": 0.25}\n')
