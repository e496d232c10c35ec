"""Answers of other people's benchmarks: JSON Lines and sets, a file for each system."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.answer_files import read_answer_files
from alignrank.experiments.inputs.kinds_of_files import content_of


def lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_items_and_verdicts_become_a_table_of_items(tmp_path: Path) -> None:
    a = lines(tmp_path / "a.jsonl", {"doc_id": 1, "acc": 1}, {"doc_id": 2, "acc": 0})
    b = lines(tmp_path / "b.jsonl", {"doc_id": 2, "acc": True}, {"doc_id": 1, "acc": 0.5})
    rows = read_answer_files({"a": a, "b": b})
    assert [(row["item"], row["system"], row["score"]) for row in rows] == [
        ("1", "a", 1.0),
        ("1", "b", 0.5),
        ("2", "a", 0.0),
        ("2", "b", 1.0),
    ]


def test_of_several_metrics_one_is_chosen_and_clusters_are_kept(tmp_path: Path) -> None:
    row = {"doc_id": 1, "acc": 1, "f1": 0.5, "topic": "x"}
    a = lines(tmp_path / "a.jsonl", row)
    with pytest.raises(ExperimentError, match="several metrics, acc and f1: choose one"):
        read_answer_files({"a": a})
    columns = {"item": "doc_id", "cluster": "topic"}
    (chosen,) = read_answer_files({"a": a}, columns=columns, measure="f1")
    assert chosen == {"item": "1", "system": "a", "score": 0.5, "cluster": "x"}


def test_sets_are_read_beside_a_list_of_all_items(tmp_path: Path) -> None:
    a = tmp_path / "a.json"
    a.write_text(json.dumps({"no_logs": [], "resolved": ["x", "z"]}, indent=1))
    with pytest.raises(ExperimentError, match="name a list of all items first"):
        read_answer_files({"a": a})
    items = tmp_path / "all.txt"
    for text in ("x\ny\nz\n", '["x", "y", "z"]', '[{"instance_id": "x"}, "y", "z"]'):
        items.write_text(text)
        rows = read_answer_files({"a": a}, items)
        assert [row["score"] for row in rows] == [1, 0, 1]
    items.write_text("x\n")
    with pytest.raises(ExperimentError, match="'z' is not in the list of all items"):
        read_answer_files({"a": a}, items)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"doc_id": 1, "acc": 1}], "has no verdict on 1 of 2 items, as '2'"),
        ([{"doc_id": 1, "acc": 1}, {"doc_id": 1, "acc": 1}], "item '1' comes twice"),
        ([{"doc_id": 1, "acc": "good"}], "no field holds a verdict"),
        ([{"text": 1, "acc": 1}], "no field names the items; the fields are text and acc"),
    ],
)
def test_bad_files_are_one_line(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    a = lines(tmp_path / "a.jsonl", *rows)
    b = lines(tmp_path / "b.jsonl", {"doc_id": 1, "acc": 0}, {"doc_id": 2, "acc": 1})
    with pytest.raises(ExperimentError, match=message):
        read_answer_files({"a": a, "b": b})


@pytest.mark.parametrize(
    "row",
    [
        {"id": 1, "source": "a#x", "target": "b#x", "confidence": 0.5},
        {"qid": 0, "ranking": ["best", "next"]},
    ],
)
def test_alignments_and_rankings_hold_no_answers(tmp_path: Path, row: dict[str, Any]) -> None:
    assert content_of(lines(tmp_path / "a.jsonl", row)) != "answers"


def test_a_folder_of_answers_is_a_folder_of_systems(tmp_path: Path) -> None:
    for name, wrong in (("good", 10), ("poor", 3)):
        rows = ({"id": f"q{k}", "correct": k % wrong != 0} for k in range(60))
        lines(tmp_path / f"{name}.jsonl", *rows)
    summary = ar.compare(tmp_path).summary
    assert summary.deciding.edges == (("good", "poor"),)


def test_the_field_and_the_test_of_answers_can_be_chosen_and_are_recorded(tmp_path: Path) -> None:
    for name, wrong in (("good", 10), ("poor", 3)):
        rows = ({"key": f"q{k}", "acc": k % wrong != 0, "f1": 0} for k in range(60))
        lines(tmp_path / f"{name}.jsonl", *rows)
    columns = {"item": "key"}
    compared = ar.compare(tmp_path, measure="acc", columns=columns, test="exact").summary
    assert compared.test == "exact"
    settings = compared.provenance.settings
    assert (settings["measure"], settings["columns"]) == ("acc", columns)


def answers(path: Path, right: int, of: int = 30) -> Path:
    path.parent.mkdir(exist_ok=True)
    return lines(path, *({"doc_id": k, "acc": int(k < right)} for k in range(of)))


def test_two_files_of_one_name_are_refused_wherever_they_stand(shell: Any, tmp_path: Path) -> None:
    names = ("p/gpt.jsonl", "q/gpt.jsonl", "q/llama.jsonl")
    files = [answers(tmp_path / name, 9) for name in names]
    for order in (files, files[::-1]):
        assert "two files are called 'gpt'" in shell.refused("compare", *order)
    answers(tmp_path / "q" / "gpt.ndjson", 5)
    assert "two files are called 'gpt'" in shell.refused("compare", tmp_path / "q")


def test_the_first_file_loses_the_ending_that_all_share(shell: Any, tmp_path: Path) -> None:
    files = [answers(tmp_path / f"{name}-mmlu.jsonl", k) for k, name in ((25, "a"), (9, "b"))]
    assert shell.json("compare", *files)["systems"] == ["a", "b"]
    third = answers(tmp_path / "c-mmlu.jsonl", 5)
    assert shell.json("compare", *files, f"mine={third}")["systems"] == ["a", "b", "mine"]
    assert shell.json("compare", tmp_path)["systems"] == ["a", "b", "c"]


def test_a_system_may_be_called_like_a_column(shell: Any, tmp_path: Path) -> None:
    names = ("cluster", "run", "seed", "trial", "item", "system", "score")
    files = [answers(tmp_path / f"{name}.jsonl", 28 - 4 * k) for k, name in enumerate(names)]
    assert shell.json("compare", *files)["systems"] == [*names]


def test_the_title_of_a_list_of_items_is_no_item(tmp_path: Path) -> None:
    """It counted as an item that every system has wrong."""
    a, items = tmp_path / "a.json", tmp_path / "items.csv"
    a.write_text(json.dumps({"resolved": ["x"]}))
    items.write_text("item\nx\ny\n")
    rows = read_answer_files({"a": a}, items)
    assert [(row["item"], row["score"]) for row in rows] == [("x", 1), ("y", 0)]


def test_a_listed_item_without_a_verdict_is_named(tmp_path: Path) -> None:
    """It was left out, and a system could be right in all."""
    a, items = answers(tmp_path / "a.jsonl", 3, 4), tmp_path / "all.txt"
    items.write_text("\n".join(map(str, range(6))))
    with pytest.raises(ExperimentError, match="has no verdict on 2 of 6 items, as '4': add a line"):
        read_answer_files({"a": a}, items)
    items.write_text("These are the answers of one model.\n")
    assert len(read_answer_files({"a": a}, items)) == 4


def test_a_hidden_file_in_a_folder_of_answers_is_not_read(tmp_path: Path) -> None:
    """Beside it the list of all items was not seen: two files held no answers."""
    for name, right in (("good", range(50)), ("poor", range(20))):
        text = json.dumps({"resolved": [f"q{k}" for k in right]})
        (tmp_path / f"{name}.json").write_text(text)
    (tmp_path / "all.txt").write_text("\n".join(f"q{k}" for k in range(60)))
    (tmp_path / ".DS_Store").write_bytes(bytes(range(256)))
    assert ar.compare(tmp_path).summary.deciding.edges == (("good", "poor"),)


def test_a_single_item_is_refused_with_the_files(shell: Any, tmp_path: Path) -> None:
    files = [lines(tmp_path / f"{name}.jsonl", {"doc_id": 7, "acc": 1}) for name in "ab"]
    fault = "one item, '7', allows no test: add a line for each item"
    assert f"{files[0]} and {files[1]}: {fault}" in shell.refused("compare", *files)
