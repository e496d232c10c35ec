"""Tables in every form: what stands where, what stands out, and hostile text that stays text."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.table import LONGEST, ROWS, Table, csv_cell
from tests.ontologies.test_html_and_frames import HOSTILE, OURS, tags

SCORES = Table(
    "Scores",
    ["system", "found", "F1", "rank"],
    [["[bold]a[/bold]", 12, 0.91234, "1"], ["b", 7, None, "2–3"], ["c", 0, float("nan"), "2–3"]],
    "What it means.",
    strong=[(0, 2)],
)


def test_no_text_becomes_a_tag_and_long_ones_are_cut() -> None:
    table = Table(HOSTILE[0], HOSTILE[:2], [HOSTILE[2:4], HOSTILE[4:]], strong=[(0, 0)])
    page = table.to_html()
    assert tags(page) == OURS
    assert "x" * 10_000 in page
    short = Table(HOSTILE[3], HOSTILE[:2], [HOSTILE[2:4]]).to_preview()
    assert "x" * LONGEST not in short
    assert "x" * LONGEST in Table("", ["x" * LONGEST], []).to_preview()
    assert "…" not in SCORES.to_preview()


def test_numbers_stand_flush_right_and_no_value_is_a_dash() -> None:
    assert SCORES.is_number() == [False, True, True, True]
    assert SCORES.to_text().splitlines() == [
        "Scores",
        "system          found     F1  rank",
        "[bold]a[/bold]     12  0.912     1",
        "b                   7      –   2–3",
        "c                   0      –   2–3",
        "",
        "What it means.",
    ]


@pytest.mark.parametrize(
    ("column", "number"),
    [
        (["1", "2.5", "–", "<0.001", "", "inf", "0.5 [0.4–0.6]"], True),
        ([None, float("nan"), 3], True),
        (["1", "one"], False),
    ],
)
def test_what_makes_a_column_of_numbers(column: list[object], number: bool) -> None:
    assert Table("", ["", "n"], [["a", value] for value in column]).is_number() == [False, number]
    assert not Table("", ["n"], [[value] for value in column]).is_number()[0]  # names
    assert Table("", ["n"], [[value] for value in column], kinds=["number"]).is_number() == [True]


def test_the_first_rows_are_shown_and_the_others_counted() -> None:
    page = Table("", ["n"], [[str(n)] for n in range(30)], kinds=["number"]).to_preview()
    assert page.count("<tr>") == ROWS + 2
    assert f"… and {30 - ROWS} more" in page
    assert page.count("text-align:right") == ROWS + 1
    assert "… and 98 more" in Table("", ["n"], [["1"], ["2"]]).to_preview(total=100)


def test_what_is_strong_is_strong_in_every_form() -> None:
    assert "<strong><bdi>0.912</bdi></strong>" in SCORES.to_html()
    assert r"\textbf{0.912}" in SCORES.to_latex()
    assert r"\resizebox" in SCORES.to_latex(label="tab:scores")
    assert r"\resizebox" not in SCORES.to_latex()
    assert "**0.912**" in SCORES.to_markdown()


def test_csv_keeps_every_digit() -> None:
    rows = list(csv.reader(io.StringIO(SCORES.to_csv())))
    assert rows[1:] == [
        ["[bold]a[/bold]", "12", "0.91234", "1"],
        ["b", "7", "", "2–3"],
        ["c", "0", "", "2–3"],
    ]


@given(st.lists(st.text(st.characters(codec="utf-8")), min_size=2, max_size=2))
def test_no_cell_of_a_csv_is_a_formula(row: list[str]) -> None:
    table = Table("", ["a", "b"], [row]).to_csv()
    for cell in list(csv.reader(io.StringIO(table, newline="")))[1]:
        assert cell == "=" or not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.floats(allow_nan=False))
def test_floats_of_a_csv_read_back_exactly(value: float) -> None:
    assert float(csv_cell(value)) == value
