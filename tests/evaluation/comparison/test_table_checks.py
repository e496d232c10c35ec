"""Columns that are no systems, and rows that are no tasks, are refused alike everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.comparison.answers import read_answers
from alignrank.evaluation.comparison.table_checks import check_columns, check_summaries
from alignrank.evaluation.multitask.score_table import read_scores

#: Scores of three systems on eight tasks, none of which ties.
SCORES = [
    [round(0.3 + 0.05 * k + 0.1 * j + 0.01 * (k * j % 3), 3) for j in range(3)] for k in range(8)
]


def table(tmp_path: Path, header: str, *last: str, name: str = "t{}") -> Path:
    """Write a CSV file of `SCORES` with further rows below."""
    rows = [",".join([name.format(k), *map(str, row)]) for k, row in enumerate(SCORES)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([header, *rows, *last]) + "\n")
    return path


def summary(values: list[float], name: str) -> str:
    return ",".join([name, *(f"{value:.3f}" for value in values)])


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Average", list(np.mean(SCORES, axis=0))),
        ("median", list(np.median(SCORES, axis=0))),
        ("TOTAL", list(np.sum(SCORES, axis=0))),
        ("Avg. Rank", [3.0, 2.0, 1.0]),
        ("mean rank", [1.0, 2.0, 3.0]),
    ],
)
def test_a_row_that_sums_up_the_others_is_refused_with_its_line(
    tmp_path: Path, name: str, values: list[float]
) -> None:
    path = table(tmp_path, "task,a,b,c", summary(values, name))
    with pytest.raises(EvaluationError, match=rf"line 10: '{name}' holds the .* of the tasks"):
        read_scores(path)


def test_a_summary_of_items_is_refused_too(tmp_path: Path) -> None:
    path = table(tmp_path, "item,a,b,c", summary(list(np.mean(SCORES, axis=0)), "mean"))
    with pytest.raises(EvaluationError, match="line 10: 'mean' holds the means of the items"):
        read_answers(path)


def test_a_last_row_that_is_only_called_a_summary_is_a_task_with_a_caution(tmp_path: Path) -> None:
    read = read_scores(table(tmp_path, "task,a,b,c", "average,0.9,0.1,0.2"))
    assert len(read.tasks) == 9
    assert any("'average' counts as one of the tasks" in caution for caution in read.cautions)


@pytest.mark.parametrize(("place", "cautions"), [(22, 0), (39, 1)])
def test_an_item_whose_answers_are_the_medians_by_chance_is_an_item(
    tmp_path: Path, place: int, cautions: int
) -> None:
    names = [f"q{k}" for k in range(40)]
    names[place] = "what is the mean arterial pressure"
    rows = [f"{name},{int(k % 5 > 0)},{int(k % 3 > 0 or k == 39)}" for k, name in enumerate(names)]
    path = tmp_path / "items.csv"
    path.write_text("\n".join(["item,a,b", *rows]) + "\n")
    read = read_answers(path)
    assert len(read.items) == 40
    assert sum("is called like a summary" in caution for caution in read.cautions) == cautions


def test_a_summary_that_misses_by_more_than_rounding_is_none() -> None:
    last = np.mean(SCORES, axis=0) + np.array([0.0, 0.0, 0.02])
    scores = np.vstack([SCORES, last])
    names = [*"abcdefgh", "mean"]
    assert len(check_summaries("task", names, scores.round(3), [""] * 9)) == 1


@pytest.mark.parametrize(
    "header", ["task,TP,FP,FN", "task,P,R,F1", "task,precision,recall,F-measure"]
)
def test_measures_are_no_systems(tmp_path: Path, header: str) -> None:
    with pytest.raises(EvaluationError, match="are measures, no systems: give each system"):
        read_scores(table(tmp_path, header))
    with pytest.raises(EvaluationError, match="are measures, no systems"):
        read_answers(table(tmp_path, header))


def test_one_measure_of_several_systems_and_a_system_called_p_are_fine(tmp_path: Path) -> None:
    assert read_scores(table(tmp_path, "task,P,Q,S")).systems == ("P", "Q", "S")
    systems = read_scores(table(tmp_path, "task,AML F1,LogMap F1,XMap F1")).systems
    assert systems == ("AML F1", "LogMap F1", "XMap F1")


def test_a_table_of_systems_only_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("A,B,C\n0.91,0.82,0.73\n0.92,0.84,0.71\n")
    for read in (read_scores, read_answers):
        with pytest.raises(EvaluationError, match=r"line 1: the first column, 'A', holds numbers"):
            read(path)


@pytest.mark.parametrize("column", ["id", "Unnamed: 0", "", "question", "year"])
def test_numbers_may_name_rows(tmp_path: Path, column: str) -> None:
    path = table(tmp_path, f"{column},a,b,c", name="20{:02}")
    assert len(read_scores(path).tasks) == len(SCORES)


def test_a_name_that_comes_twice_is_refused() -> None:
    with pytest.raises(EvaluationError, match="system 'a' comes twice: rename one"):
        check_columns(["task", "a", "a"], [], "task")
