"""Columns that are no systems, and rows that are no tasks, are refused alike everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError
from alignrank.evaluation.comparison.answers import read_answers
from alignrank.evaluation.comparison.table_checks import (
    check_summaries,
    read_table,
    refuse_ranks,
)
from alignrank.evaluation.multitask import study
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


def test_a_system_that_holds_the_means_of_the_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"t{k},0.{k},0.{2 * k},{0.15 * k:.2f}" for k in range(1, 5)]
    path.write_text("\n".join(["task,a,b,mean", *rows]) + "\n")
    with pytest.raises(EvaluationError, match="'mean' holds the means of the systems"):
        read_scores(path)


def test_coarse_scores_near_the_means_are_a_task_with_a_caution(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"t{k},0.5{k},0.6{k}" for k in range(1, 6)]
    path.write_text("\n".join(["task,a,b", *rows, "average,0.5,0.6"]) + "\n")
    read = read_scores(path)
    assert len(read.tasks) == 6
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


def test_a_name_that_comes_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="system 'a' comes twice: rename one"):
        read_scores(table(tmp_path, "task,a,a,b"))


SYSTEMS = ("AML", "LogMap")


def lines(sign: str, rows: Iterable[Iterable[object]]) -> str:
    return "\n".join(sign.join(map(str, row)) for row in rows) + "\n"


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(1, 998).map(lambda n: n / 1000)] * 2), min_size=2, max_size=6)
)
def test_every_layout_holds_the_same_scores(
    tmp_path_factory: pytest.TempPathFactory, scores: list[tuple[float, float]]
) -> None:
    tasks = [f"t{k}" for k in range(len(scores))]
    wide = [["task", *SYSTEMS], *([t, *row] for t, row in zip(tasks, scores, strict=True))]
    long = [
        [task, system, score]
        for task, row in zip(tasks, scores, strict=True)
        for system, score in zip(SYSTEMS, row, strict=True)
    ]
    turned = [["system", *tasks], *zip(SYSTEMS, *scores, strict=True)]
    texts = {
        "commas": lines(",", wide),
        "semicolons": lines(";", wide),
        "tabs": lines("\t", wide),
        "decimal commas": lines(";", wide).replace(".", ","),
        "long": lines(",", [["dataset", "classifier", "accuracy"], *long]),
        "turned": lines(",", turned),
        "described": lines(
            ",", [[*row, "n_instances" if k == 0 else 99] for k, row in enumerate(wide)]
        ),
    }
    folder = tmp_path_factory.mktemp("layouts")
    given_tables: list[object] = []
    for name, text in texts.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        given_tables.append(path)
    frame = pd.DataFrame(wide[1:], columns=wide[0])
    given_tables += [frame, frame.set_index("task"), frame.set_index("task").to_dict()]
    given_tables.append(pd.DataFrame(long, columns=["task", "system", "score"]))
    given_tables.append(frame.astype({"AML": "Float64", "task": "category"}))
    for table in given_tables:
        read = read_table(table, "task")
        assert (read.names, read.systems) == (tuple(tasks), SYSTEMS), table
        np.testing.assert_array_equal(read.scores, scores)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("task,A\nmünchen,1\nmu\u0308nchen,1\n", "line 3: task 'münchen' comes twice for 'A'"),
        ("task,A B,A  B\nt,1,2\n", "line 1: system 'A B' comes twice"),
        ("task;A\nt;1,5\nu;1.5\n", "in '1,5' beside '1.5' the comma may stand for"),
        ("task;A\nt;1,500\nu;2,250\n", "in '1,500' the comma may stand for"),
        ("task,kind,A\nt,x,1\nu,y,2\n", "line 1: column 'kind' holds text, no scores"),
        ("system,P,R\na,1,2\nb,2,3\n", "are measures, no systems"),
    ],
)
def test_what_may_be_read_two_ways_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(EvaluationError, match=message):
        read_table(path, "task")


def test_folds_are_runs_of_their_task(tmp_path: Path) -> None:
    rows = [[f"d{k}", fold, k / 10, fold / 10] for k in range(3) for fold in (0, 1)]
    path = tmp_path / "folds.csv"
    path.write_text(lines(",", [["dataset", "fold", "a", "b"], *rows]))
    read = read_table(path, "task")
    assert read.systems == ("a@0", "b@0", "a@1", "b@1")
    table = read_scores(path)
    np.testing.assert_allclose(table.scores, [[k / 10, 0.05] for k in range(3)])
    assert "runs of one system count by their mean (a@0, a@1; b@0, b@1)" in table.cautions[0]


def test_a_caution_names_the_first_of_many_runs() -> None:
    runs = {f"s{k}@{run}": {"q": 1, "p": 0} for k in range(9) for run in range(20)}
    (caution,) = read_answers(runs).cautions
    assert caution == (
        "runs of one system count by their mean (s0@0, s0@1, s0@2, s0@3 and 16 more; "
        "s1@0, s1@1, s1@2, s1@3 and 16 more; s2@0, s2@1, s2@2, s2@3 and 16 more; and 6 more)."
    )


def test_a_column_far_above_the_others_is_named() -> None:
    columns = {"big": [5000.0, 7000.0], "a": [0.5, 0.75], "b": [0.25, 0.5]}
    cautions = read_table(pd.DataFrame(columns, index=["t", "u"]), "task").cautions
    assert cautions == (
        "every score of 'big' is more than 1,000 times as large as all others: is it a system?",
    )


def test_where_lower_is_better_the_lowest_is_best_and_it_is_said(tmp_path: Path) -> None:
    path = table(tmp_path, "task,rmse of a,b,c")
    (caution,) = read_scores(path).cautions
    assert "'rmse of a' sounds as if lower ones were" in caution
    lowest = read_scores(path, lower_is_better=True)
    assert lowest.cautions == ()
    result, turned = study(lowest, margin=None), read_scores(path)
    mirrored = study(replace(turned, scores=-turned.scores), margin=None)
    assert result.edges == mirrored.edges
    assert ("rmse of a", "c") in result.edges
    assert result.mean_ranks == mirrored.mean_ranks
    assert ", lower is better)" in result.answer()[0]
    some = read_scores(path, lower_is_better=["t0", "t3"])
    assert some.direction == "lower is better on 2 of 8 tasks"
    np.testing.assert_array_equal(some.gains[[0, 1]], some.scores[[0, 1]] * [[-1], [1]])
    with pytest.raises(EvaluationError, match="task of lower_is_better 't99' is unknown"):
        read_scores(path, lower_is_better=["t99"])
    path.write_text("task,a,b\nt,1,\nu,2,3\n")
    with pytest.raises(EvaluationError, match="cannot count as 0 where lower is better"):
        read_scores(path, on_mismatch="zero", lower_is_better=True)


def test_errors_of_items_count_as_what_they_leave(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("item;a;b\nq1;25%;0%\nq2;100%;50%\n")
    answers = read_answers(path, lower_is_better=True)
    assert {name: runs.tolist() for name, runs in answers.scores.items()} == {
        "a": [[0.75, 0.0]],
        "b": [[1.0, 0.5]],
    }
    assert answers.lower_is_better


def test_too_many_systems_and_bytes_are_refused(tmp_path: Path) -> None:
    wide = pd.DataFrame(np.ones((1, 2001)), index=["t1"], columns=[f"s{k}" for k in range(2001)])
    wide.to_csv(tmp_path / "wide.csv", index_label="task")
    for table in (wide, tmp_path / "wide.csv"):
        with pytest.raises(EvaluationError, match="2,001 systems cannot be compared in pairs"):
            read_table(table, "task")
    for frame in (
        pd.DataFrame({"task": [b"t1"], "a": [0.5], "b": [0.6]}),
        pd.DataFrame({"task": ["t1"], "a": [b"0.5"], "b": [0.6]}),
        pd.DataFrame({"task": ["t1"], b"a": [0.5], "b": [0.6]}),
    ):
        with pytest.raises(EvaluationError, match="is no string: turn it into one first"):
            read_table(frame, "task")


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_of_other_libraries_are_read_as_their_files(library: str, tmp_path: Path) -> None:
    module = pytest.importorskip(library)
    table = pd.DataFrame(SCORES, columns=list("abc"), index=[f"t{k}" for k in range(8)])
    table.to_csv(tmp_path / "scores.csv", index_label="task")
    columns = {"task": table.index.tolist(), **table.to_dict("list")}
    make = {"polars": "DataFrame", "pyarrow": "table"}[library]
    frames = [getattr(module, make)(columns)]
    if library == "polars":
        frames.append(frames[0].to_arrow())
    by_file = read_scores(tmp_path / "scores.csv")
    for frame in frames:
        by_frame = read_scores(frame)
        assert (by_frame.tasks, by_frame.systems) == (by_file.tasks, by_file.systems)
        assert (by_frame.scores == by_file.scores).all()
    texts = ["x", *map(str, columns["a"][1:])]
    for broken in ({"a": texts}, {"task": ["t1", *columns["task"][1:]]}):
        pd.DataFrame(columns | broken).to_csv(tmp_path / "broken.csv", index=False)
        messages = []
        for given_table in (tmp_path / "broken.csv", getattr(module, make)(columns | broken)):
            with pytest.raises(EvaluationError) as refused:
                read_scores(given_table)
            messages.append(str(refused.value).split(": ")[-1].partition(" (first")[0])
        assert messages[0] == messages[1]


ROWS = [{"item": "q1", "a": 1, "b": 0}]


@pytest.mark.parametrize(
    "text",
    [
        *(json.dumps(content, indent=k) for content in (ROWS, ROWS[0]) for k in (None, 1)),
        '[["item", "a"], ["q1", 1]]',
        "<?xml version='1.0'?><a/>",
    ],
)
def test_json_and_xml_are_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(EvaluationError, match=r"scores\.csv is JSON or XML, and a table of scores"):
        read_table(path, "item")


@pytest.mark.parametrize("name", ["{item}", "[item]"])
def test_a_header_in_brackets_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(f"{name},a,b\nq1,1,0\n")
    assert read_table(path, "item").systems == ("a", "b")


def written(tmp_path: Path, header: str, *cells: str) -> Path:
    """Write a table of six tasks in which ``#`` stands for the number of the row."""
    rows = (",".join([f"d{k}", *cells]).replace("#", str(k)) for k in range(6))
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([header, *rows]))
    return path


@pytest.mark.parametrize(
    ("header", "cells", "systems"),
    [
        ("task,A,B,#", ("0.8#", "0.7#", "3#"), ("A", "B")),
        ("task,n,A,B", ("3#", "0.8#", "0.7#"), ("A", "B")),
        ("task,A_f1,A_std,B_f1,B_std", ("0.8#", "0.1", "0.7#", "0.2"), ("A_f1", "B_f1")),
        ("task,A (mean),A (SD),B", ("0.8#", "0.1", "0.7#"), ("A (mean)", "B")),
        ("task,std,A,B", ("0.1", "0.8#", "0.7#"), ("A", "B")),
        ("task,n,m", ("0.8#", "0.7#"), ("n", "m")),
        ("task,SD-net,A", ("0.8#", "0.7#"), ("SD-net", "A")),
    ],
)
def test_columns_of_counts_and_deviations_are_no_systems(
    tmp_path: Path, header: str, cells: tuple[str, ...], systems: tuple[str, ...]
) -> None:
    read = read_table(written(tmp_path, header, *cells), "task")
    assert read.systems == systems
    assert len(read.cautions) == len(cells) - len(systems)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("0.8#", "0.7#", "199#"), "'C' holds whole numbers from 1990 to 1995, and others"),
        (
            ("80.#", "70.#", "9#0"),
            "whole numbers from 900 to 950, and others scores in .0, 100",
        ),
        (("0.8#", "0.7#", "3#.25"), "'C' holds numbers from 30.25 to 35.25, and others scores"),
        (
            ("0.8#", "0.7#", "80.#"),
            "leave it out if it is no system, else write all on one",
        ),
        (("0.8#", "0.7#", "1.#5"), ""),
        (("0.8#", "-0.7#", "3#.25"), ""),
        (("1.#", "2", "2.9"), ""),
        (("1", "2", "3"), "every row holds ranks of the 3 systems .they sum to 6., of which lower"),
        (("1.5", "1.5", "3"), "every row holds ranks"),
        (("1.2#", "1.8", "3"), ""),
        (("80", "70", "60.5"), ""),
    ],
)
def test_columns_are_judged_by_what_they_hold(
    tmp_path: Path, cells: tuple[str, ...], message: str
) -> None:
    path = written(tmp_path, "task,A,B,C", *cells)
    if not message:
        read_table(path, "task")
        return
    with pytest.raises(EvaluationError, match=message):
        read_table(path, "task")
    if "ranks" in message:
        assert read_table(path, "task", lower_is_better=True).systems == ("A", "B", "C")
        with pytest.raises(EvaluationError, match="lower is better: subtract them from 4"):
            read_table(path, "item")


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 1]] * 30,
        [[1.5, 1.5]] * 3,
        [[1, 2], [2, 1], [1, 1]],
        [[2, 2, 3]] * 3,
        [[3, 3, 3, 3]] * 3,
        [[1, 1, 4, 4], [1, 2, 3, 4], [1, 2, 3, 4]],
    ],
)
def test_rows_that_are_no_order_of_the_systems_are_scores(rows: list[list[float]]) -> None:
    refuse_ranks("item", np.array(rows))


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2], [2, 1], [1.5, 1.5]],
        [[1, 3, 2, 4], [2.5, 2.5, 2.5, 2.5], [1, 2, 3, 4]],
        [[1.33, 1.67, 3], [2.33, 1.67, 2.01], [1, 2, 3]],
    ],
)
def test_orders_of_the_systems_and_mean_ranks_are_ranks(rows: list[list[float]]) -> None:
    with pytest.raises(EvaluationError, match="every row holds ranks"):
        refuse_ranks("task", np.array(rows))


@pytest.mark.parametrize(
    "cell",
    ["80.# ± 0.5", "80.#+/-0.5", "80.# +- 1", r"$80.# \pm 0.5$", "80.# (0.5)", "80.# [79; 82]"],
)
def test_of_a_mean_with_its_spread_the_mean_is_read(tmp_path: Path, cell: str) -> None:
    read = read_table(written(tmp_path, "task,A,B", cell, "70.#"), "task")
    assert read.scores[1].tolist() == [80.1, 70.1]
    assert read.cautions == ("6 cells hold a mean with its spread: the spread is not used.",)


@pytest.mark.parametrize("measures", [("r2", "rmse"), ("r2", "rmse", "mae")])
def test_the_long_form_has_one_measure(tmp_path: Path, measures: tuple[str, ...]) -> None:
    rows = [f"{s},d{k}" + f",0.{k}" * len(measures) for s in "AB" for k in range(3)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join([",".join(["algorithm", "dataset", *measures]), *rows]))
    with pytest.raises(EvaluationError, match=f"form with {len(measures)} measures, 'r2'.*keep"):
        read_table(path, "task")


def test_a_table_without_a_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("item,cluster\nq1,c1\nq2,c2\n")
    with pytest.raises(EvaluationError, match="line 1: no column holds the scores of a system"):
        read_table(tmp_path / "table.csv", "item")
