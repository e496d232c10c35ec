"""Bare matrices of discordant counts: every mistyped cell is found."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import EvaluationError, compare_counts
from evaluation.comparison.contingency import discordant
from evaluation.comparison.count_matrix import check_counts, read_counts

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


@pytest.mark.parametrize("table", ["table2", "table3", "table5"])
def test_published_tables_are_consistent(table: str) -> None:
    check_counts(np.array(GOLDEN[table]["matrix"]), GOLDEN[table]["systems"])


@given(
    st.sampled_from(["table2", "table3", "table5"]),
    st.integers(0, 8),
    st.integers(0, 8),
    st.integers(-300, 2000).filter(bool),
)
def test_any_mistyped_cell_of_the_published_tables_is_named(
    table: str, i: int, j: int, error: int
) -> None:
    matrix, systems = np.array(GOLDEN[table]["matrix"]), GOLDEN[table]["systems"]
    true = int(matrix[i, j])
    if i == j or true + error < 0:
        return
    matrix[i, j] += error
    with pytest.raises(EvaluationError) as caught:
        check_counts(matrix, systems)
    message = str(caught.value)
    cell, mended = f"({systems[i]}, {systems[j]}) ", f"{true} instead of {true + error}"
    assert f"{cell}should be {mended}" in message or cell + mended in message
    assert message.count("but the other cells say") == 1


@given(st.integers(2, 6), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_counts_of_real_decisions_always_pass(n: int, items: int, seed: int) -> None:
    right = np.random.default_rng(seed).random((n, items)) < 0.5
    check_counts(discordant(right), [str(k) for k in range(n)])


def test_three_systems_cannot_say_which_cell() -> None:
    with pytest.raises(EvaluationError, match="must add up to 0, but give 4"):
        check_counts(np.array([[0, 9, 5], [3, 0, 4], [4, 5, 0]]), "abc")


def test_both_cells_of_a_pair_off_alike_break_the_triangle() -> None:
    matrix = np.array(GOLDEN["table2"]["matrix"])
    matrix[0, 1] += 400
    matrix[1, 0] += 400
    with pytest.raises(EvaluationError, match=r"\(Alin, AML\) is 400, more than \(Alin, "):
        check_counts(matrix, GOLDEN["table2"]["systems"])


def test_compare_counts_checks() -> None:
    matrix = np.array(GOLDEN["table2"]["matrix"])
    matrix[1, 0] = 119
    with pytest.raises(EvaluationError, match=r"\(AML, Alin\) should be 911 instead of 119"):
        compare_counts(matrix, GOLDEN["table2"]["systems"])


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_reading(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "counts.csv"
    rows = [
        ["", "a b", "c", "d"],
        ["d", "1", "2", ""],
        ["a b", "0", "3", "4"],
        ["c", "5", "0", "6"],
    ]
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n\n", "utf-8")
    read = read_counts(path)
    assert read.systems == ("a b", "c", "d")
    assert read.matrix.tolist() == [[0, 3, 4], [5, 0, 6], [1, 2, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (",a,b\na,0,1\nb,x,0\n", r"line 3: cell \(b, a\) is 'x': a count is"),
        (",a,b\na,0,1\nb,,0\n", r"line 3: cell \(b, a\) is ''"),
        (",a,b\na,0,1.5\nb,1,0\n", r"line 2: cell \(a, b\) is '1.5'"),
        (",a,b\na,0,-1\nb,1,0\n", r"line 2: cell \(a, b\) is '-1'"),
        (",a,b\na,0,1\nc,1,0\n", "line 3: system 'c' has a row but no column"),
        (",a,b\na,0,1\na,1,0\n", "line 3: system 'a' has a row a second time"),
        (",a,b\na,0,1,2\nb,1,0\n", "line 2: 3 counts for 2 systems"),
        (",a,b,c\na,0,1,2\nb,1,0,3\n", "no row for c"),
        (",a,b\na,7,1\nb,1,0\n", r"cell \(a, a\) is 7"),
        (",a\na,0\n", "expected a line of names"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match=message):
        read_counts(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="does not exist"):
        read_counts(tmp_path / "none.csv")


def test_what_csv_stumbles_on_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text(',a,b\n"a,' + "1" * 200_000)
    with pytest.raises(
        EvaluationError, match=r"counts\.csv, line 2: .*is a quotation mark not closed\?"
    ):
        read_counts(path)
    path.write_text("")
    with pytest.raises(EvaluationError, match=r"counts\.csv is empty"):
        read_counts(path)
