"""Typed MRR and nDCG@10 of ranked lists with relations."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from alignrank.common.errors import AlignmentError, EvaluationError
from alignrank.evaluation.measures.retrieval.gold_files import read_queries
from alignrank.evaluation.measures.retrieval.typed_lists import (
    has_relations,
    read_typed_lists,
    read_typed_queries,
    typed_values,
)
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.scoring.gold_standard import map_files
from alignrank.ontologies import read_alignment

GOLDEN = json.loads(
    (Path(__file__).parents[3] / "golden" / "typed_lists.json").read_text(encoding="utf-8")
)
ANSWERS = ["SrcEntity\tQueryID\tTgtEntity\tRelation\tTgtCandidates"]
ANSWERS += ["a\tQ0\tx\tequivalent\t['x', 'y']", "a\tQ1\ty\tsource_subsumed_by_target\t['x', 'y']"]
LISTS = ["SrcEntity\tTgtEntity\tRelation\tScore"]


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_values_equal_those_of_the_tracks_package(case: dict[str, object], tmp_path: Path) -> None:
    answers, lists = (written(tmp_path / name, case[name]) for name in ("answers", "lists"))
    parents: dict[str, list[str]] = {}
    for row in case["hierarchy"][1:]:
        child, parent = row.split("\t")
        parents.setdefault(child, []).append(parent)
    queries = read_typed_queries(answers)
    values = typed_values(queries, read_typed_lists(lists, queries).entries, parents).values()
    assert fmean(v.reciprocal_rank for v in values) == pytest.approx(case["mrr"], abs=1e-12)
    assert fmean(v.ndcg for v in values) == pytest.approx(case["ndcg"], abs=1e-12)


def test_score_prints_them_for_several_systems_and_by_relation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = written(tmp_path / "answers.tsv", ANSWERS)
    links = written(tmp_path / "links.tsv", ["child_id\tparent_id", "x\ty"])
    mine = ["a\tx\tequivalent\t.9", "a\ty\tsource_subsumed_by_target\t.8"]
    mine += ["a\tx\tequivalent\t.9", "a\ty\tsource_subsumed_by_target\t.8"]
    theirs = [mine[1], "a\tx\t>\t.2", mine[1], "a\tx\t=\t.9"]
    runs = [written(tmp_path / f"{n}.tsv", LISTS + r) for n, r in (("m", mine), ("t", theirs))]
    map_files(answers, runs[0], [str(runs[1])], target=links)
    out = capsys.readouterr().out
    assert "Best typed MRR: m 0.750; then t 0.417. 2 queries." in out
    assert out.splitlines()[2].split()[:2] == ["m", "0.750"]
    assert "nDCG@10 of < >" in out


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a\tx\tkin\t.9", "a\tx\t=\t.9"], "line 2: relation 'kin': use equivalent, "),
        (["a\tx\t=\tbest", "a\tx\t=\t.9"], "line 2: the score is not a finite number"),
        (["a\tx\t=\t.9"], "without a column QueryID each of the 2 queries needs a list"),
    ],
)
def test_lists_that_do_not_fit_are_refused_with_their_line(
    rows: list[str], message: str, tmp_path: Path
) -> None:
    answers = written(tmp_path / "answers.tsv", ANSWERS)
    assert has_relations(answers)
    with pytest.raises(EvaluationError, match=message):
        read_typed_lists(written(tmp_path / "r.tsv", LISTS + rows), read_typed_queries(answers))


def test_rows_of_one_query_have_the_same_candidates(tmp_path: Path) -> None:
    titles = "SrcEntity\tQueryID\tTgtEntity\tRelation\tTgtCandidates"
    rows = ["a\t1\tx\t=\t['x', 'y']", "a\t1\ty\t<\t['y', 'x']", "a\t1\tz\t<\t['z']"]
    assert read_typed_queries(written(tmp_path / "two.tsv", [titles, *rows[:2]]))
    with pytest.raises(EvaluationError, match="line 4: query 'a 1' has other candidates"):
        read_typed_queries(written(tmp_path / "three.tsv", [titles, *rows]))


def test_lists_and_hierarchies_of_something_else_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = written(tmp_path / "answers.tsv", ANSWERS)
    queries = read_typed_queries(answers)
    foreign = ["SrcEntity\tQueryID\tTgtEntity\tRelation\tScore", "other\t9\tx\t=\t.9"]
    with pytest.raises(EvaluationError, match="none of its 1 entries is a candidate of a query"):
        read_typed_lists(written(tmp_path / "r.tsv", foreign), queries)
    some = [*foreign, "a\tQ0\tz\t=\t.9", "a\tQ0\tx\t=\t.9"]
    assert read_typed_lists(written(tmp_path / "r.tsv", some), queries).cautions == [
        f"{tmp_path / 'r.tsv'}: 1 entry {fault}"
        for fault in (
            "of queries that the gold standard lacks: left out (first: line 2)",
            "with a target that is no candidate of its query: left out (first: line 3)",
        )
    ]
    mine = written(tmp_path / "m.tsv", [*LISTS, *["a\tx\t=\t.9"] * 2])
    for rows in ([], ["o\tp"]):
        links = written(tmp_path / "links.tsv", ["child_id\tparent_id", *rows])
        map_files(answers, mine, [], target=links)
        assert "none of the 2 targets is in" in capsys.readouterr().err
    untitled = written(tmp_path / "untitled.tsv", ["child\tparent", "x\ty"])
    with pytest.raises(EvaluationError, match="line 1: a table of links needs the columns child_i"):
        map_files(answers, mine, [], target=untitled)


def test_a_gold_standard_of_typed_lists_is_named_as_such_elsewhere(
    tmp_path: Path,
) -> None:
    answers = written(tmp_path / "answers.tsv", [r.replace("Q", "") for r in ANSWERS[1:]])
    answers.write_text(f"{ANSWERS[0]}\n{answers.read_text()}")
    with pytest.raises(AlignmentError, match="line 1: its rows are queries, no correspondences"):
        read_alignment(answers)
    with pytest.raises(EvaluationError, match="its targets have relations: `alignrank score"):
        read_queries(answers)
    poolless = [row.rpartition("\t")[0] for row in ANSWERS]
    with pytest.raises(EvaluationError, match="line 1: no column TgtCandidates in the header"):
        map_files(written(tmp_path / "poolless.tsv", poolless), answers)


def test_options_of_other_lists_are_refused(tmp_path: Path) -> None:
    answers = written(tmp_path / "answers.tsv", ANSWERS)
    with pytest.raises(ExperimentError, match="leave --positive, --tie and --at out"):
        map_files(answers, answers, tie="max")
    gold = written(tmp_path / "gold.tsv", ["item\tcandidate", "a\tx"])
    with pytest.raises(ExperimentError, match="--target is of typed lists"):
        map_files(gold, gold, target=answers)
    nothing = written(tmp_path / "nothing.tsv", ANSWERS[:1])
    with pytest.raises(EvaluationError, match=r"nothing\.tsv has no queries"):
        map_files(nothing, answers)
