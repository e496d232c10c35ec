"""Score tables from CSV, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from alignrank.common.errors import EvaluationError
from alignrank.common.results import Caution
from alignrank.evaluation.multitask import ScoreTable, read_scores, study
from alignrank.evaluation.multitask.posthoc import default_test
from alignrank.evaluation.multitask.score_table import assembled

GOOD = "task,A,B\nt1,0.5,0.6\nt2,0.7,0.4\nt3,0.1,0.2\n"


def written(folder: Path, text: str, name: str = "scores.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_is_read(tmp_path):
    table = read_scores(written(tmp_path, GOOD))
    assert (table.tasks, table.systems) == (("t1", "t2", "t3"), ("A", "B"))
    assert table.scores.tolist() == [[0.5, 0.6], [0.7, 0.4], [0.1, 0.2]]
    assert table.cautions == ()
    assert table.to_frame().loc["t2", "B"] == 0.4


def test_tabs_bom_blank_lines_and_spaces_are_read(tmp_path):
    text = "\ufefftask\tA\tB \n\n t1\t0.5\t6e-1\n\t\t\nt2\t1\t0\n"
    table = read_scores(written(tmp_path, text, "scores.tsv"))
    assert (table.tasks, table.systems) == (("t1", "t2"), ("A", "B"))
    assert table.scores.tolist() == [[0.5, 0.6], [1, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (",,\n", "is empty"),
        ('task,A\n"t1,1\n' + "1" * 200_000, "line 3: .*is a quotation mark not closed"),
        ("task,A,B\n", "no task below the header"),
        ("task\nt1\n", "line 1: the header has one column"),
        ("task A B\nt1 1 2\n", "line 1: the header has one column"),
        ("task,A,A\nt1,1,2\n", "line 1: system 'A' comes twice"),
        ("task,A,\nt1,1,2\n", "line 1: system number 2 has no name"),
        (
            "task,A,B\nt1,1,2\n\nt1,1,2\n",
            r"line 4: task 't1' comes twice for 'A' \(first on line 2\)",
        ),
        ("task,A,B\n,1,2\n", "line 2: the task has no name"),
        ("task,A,B\nt1,1\n", "line 2: 2 cells where the header has 3"),
        ("task,A,B\nt1,1,2,3\n", "line 2: 4 cells"),
        ("task,A,B\nt1,1,2\nt2,nan,2\n", "line 3, column 'A': 'nan' is not a finite number"),
        ("task,A,B\nt1,1,inf\n", "line 2, column 'B': 'inf' is not a finite number"),
        ("task,A,B\nt1,1,-\n", "line 2, column 'B': '-' is not"),
        ('task,A,B\nt1,1,"1,500.5"\n', "line 2, column 'B': '1,500.5' is not"),
        ("task,A,B\nt1,1,\nt2,1,2\n", r"1 result is missing: t1 \(B\)"),
    ],
)
def test_a_bad_csv_names_the_line(tmp_path, text, message):
    with pytest.raises(EvaluationError, match=message) as error:
        read_scores(written(tmp_path, text))
    assert "scores.csv" in str(error.value) or "missing" in message


def test_a_file_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(EvaluationError, match="does not exist"):
        read_scores(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("task,A\nt1,\xe9\n".encode("latin-1"))
    with pytest.raises(EvaluationError, match="UTF-8"):
        read_scores(tmp_path / "latin.csv")


def test_missing_results_are_refused_filled_or_dropped_and_always_said(tmp_path):
    path = written(tmp_path, "task,A,B\nt1,0.5,NA\nt2,0.7,0.4\nt3,,0.2\nt4,0.3,0.1\n")
    with pytest.raises(EvaluationError, match=r"2 results are missing: t1 \(B\), t3 \(A\)"):
        read_scores(path)
    zero = read_scores(path, on_mismatch="zero")
    assert zero.scores.tolist() == [[0.5, 0], [0.7, 0.4], [0, 0.2], [0.3, 0.1]]
    assert "2 results are missing and count as 0" in zero.cautions[0]
    drop = read_scores(path, on_mismatch="drop")
    assert drop.tasks == ("t2", "t4")
    assert "2 of 4 tasks were dropped" in drop.cautions[0]
    assert study(drop, margin=None).cautions[0] == Caution("scores", drop.cautions[0])
    with pytest.raises(EvaluationError, match="every task lacks a result"):
        read_scores(written(tmp_path, "task,A,B\nt1,1,\n"), on_mismatch="drop")
    with pytest.raises(EvaluationError, match="on_mismatch 'guess' is unknown"):
        read_scores(path, on_mismatch="guess")


@pytest.mark.parametrize(
    ("tasks", "systems", "scores", "message"),
    [
        (("t",), ("A", "B"), [[0.5, math.nan]], "score of 'B' on 't' is nan"),
        (("t",), ("A", "B"), [[-math.inf, 1]], "score of 'A' on 't' is -inf"),
        (("t",), ("A", "B"), [[0.5]], "shape"),
        ((), ("A",), np.empty((0, 1)), "at least one"),
        (("t", "t"), ("A", "B"), [[1, 2], [3, 4]], "task 't' comes twice"),
        (("t", "u"), ("A", "A"), [[1, 2], [3, 4]], "system 'A' comes twice"),
        (("t", ""), ("A", "B"), [[1, 2], [3, 4]], "task number 2 has no name"),
    ],
)
def test_a_bad_table_is_refused(tasks, systems, scores, message):
    with pytest.raises(EvaluationError, match=message):
        ScoreTable(tasks, systems, np.array(scores))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lower_is_better": ("v",)}, "task of lower_is_better 'v' is unknown"),
        ({"ontologies": (("a", "b"),)}, "1 pair of ontologies for 2 tasks"),
        ({"rounding": 0.0}, "rounding is 0.0: it must be a positive number"),
    ],
)
def test_facts_of_a_table_must_fit_it(arguments, message):
    with pytest.raises(EvaluationError, match=message):
        ScoreTable(("t", "u"), ("A", "B"), np.ones((2, 2)), **arguments)


def test_a_table_is_frozen_and_keeps_its_own_scores():
    mine = np.array([[0.5, 0.6]])
    table = ScoreTable(("t",), ("A", "B"), mine)
    mine[0, 0] = 9
    assert table.scores[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0, 0] = 1


def test_tasks_are_selected_in_the_tables_order():
    table = ScoreTable(("a", "b", "c"), ("A",), np.array([[1.0], [2.0], [3.0]]))
    assert table.select(["c", "a"]).scores.tolist() == [[1], [3]]
    with pytest.raises(EvaluationError, match="'d' is not in the table"):
        table.select(["d"])


@pytest.mark.parametrize("size", [1e-200, 1e308])
def test_scores_whose_squares_are_no_numbers_are_refused(size: float) -> None:
    with pytest.raises(EvaluationError, match="choose another unit"):
        ScoreTable(("t", "u"), ("a", "b"), np.array([[size, 1.0], [0.0, 2.0]]))


def test_runs_of_a_system_count_by_their_mean() -> None:
    scores = np.array([[0.9, 0.8, 0.5], [0.7, 0.8, 0.6], [0.6, 0.7, 0.2]])
    table = assembled(("x", "y", "z"), ("a@1", "a@2", "b"), scores, "refuse")
    assert table.systems == ("a", "b")
    np.testing.assert_allclose(table.scores, [[0.85, 0.5], [0.75, 0.6], [0.65, 0.2]])
    assert "differ by up to" not in table.cautions[0], "two runs tell too little of their variance"
    names = ("a@1", "a@2", "b@1", "b@2")
    both = assembled(("x", "y", "z"), names, np.hstack([scores[:, :2], scores[:, 1:]]), "refuse")
    assert "two runs of one system differ by up to" in both.cautions[0]


def test_scores_in_percent_are_on_one_scale(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("task,a,b\nx,50%,60%\ny,70.5%,\n")
    percent = read_scores(path, on_mismatch="drop")
    assert percent.common_scale
    assert percent.scores.tolist() == [[50.0, 60.0]]
    path.write_text("task,a,b\nx,50%,60\n")
    with pytest.raises(EvaluationError, match="1 of 2 scores are written with %"):
        read_scores(path)
    path.write_text("task,a,b\nx,50,60\n")
    assert not read_scores(path).common_scale
    path.write_text("task,a,b\nx,0.5,0.6\n")
    assert read_scores(path).common_scale


@pytest.mark.parametrize("percent", ["", "%"])
def test_scores_and_errors_together_have_no_mean(tmp_path: Path, percent: str) -> None:
    """Read from a file they had one, so that the t-test of their mean decided."""
    rows = "".join(f"t{k},0.5{percent},0.{k}{percent}\n" for k in range(1, 6))
    path = written(tmp_path, f"task,A,B\n{rows}")
    mixed = read_scores(path, lower_is_better=["t1"])
    assert not mixed.common_scale
    assert default_test(mixed) == "signed-rank"
    assert read_scores(path, lower_is_better=True).common_scale
    assert read_scores(path).common_scale


def test_a_missing_result_is_not_0_where_that_is_a_good_score(tmp_path: Path) -> None:
    """A system that lacked a result was first on that task."""
    path = written(tmp_path, "task,A,B\nt1,-0.5,NA\nt2,0.7,0.4\nt3,0.3,0.2\n")
    with pytest.raises(EvaluationError, match="negative, since 0 is not the worst"):
        read_scores(path, on_mismatch="zero")
    assert read_scores(path, on_mismatch="drop").tasks == ("t2", "t3")
