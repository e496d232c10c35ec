"""Tables of items: how they are read, and that they say what alignments say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation import Answers, EvaluationError, compare, compare_answers, read_answers
from evaluation.comparison.contingency import decisions, incidence
from ontologies.alignment import Alignment, Correspondence

RNG = np.random.default_rng(7)
REFERENCE = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(300))
CLUSTERS = {f"a#{k:03}": f"c{k // 3}" for k in range(300)}


def found(share: float) -> Alignment:
    return REFERENCE.where(lambda _: RNG.random() < share)


def right(systems: dict[str, Alignment]) -> Answers:
    decided = decisions(incidence(systems, REFERENCE), "entity")
    rows = dict(zip(systems, decided.right[:, None].astype(float), strict=True))
    return Answers(decided.entities, rows, CLUSTERS)


def test_one_run_each_is_the_comparison_of_alignments() -> None:
    systems = {"a": found(0.8), "b": found(0.7), "c": found(0.75)}
    known = compare(systems, REFERENCE, clusters=CLUSTERS).views["entity"]
    items = compare_answers(right(systems)).views["item"]
    for of_alignments, of_items in zip(known.tests.values(), items.tests.values(), strict=True):
        np.testing.assert_array_equal(of_alignments.p, of_items.p)
    assert known.ranking == items.ranking
    np.testing.assert_array_equal(known.simultaneous.low, items.simultaneous.low)


def test_runs_of_alignments_are_runs_of_items() -> None:
    systems = {"a@1": found(0.9), "b": found(0.7), "a@2": found(0.88), "c@home": found(0.5)}
    known = compare(systems, REFERENCE, clusters=CLUSTERS)
    assert known.systems == ("a", "b", "c@home")
    assert known.runs is not None
    assert known.runs.runs == (2, 1, 1)
    single = compare({k: systems[k] for k in ("b", "c@home")}, REFERENCE, clusters=CLUSTERS)
    view, alone = known.views["entity"], single.views["entity"]
    assert view.chosen.p[1, 2] == alone.chosen.p[0, 1]
    assert view.siblings.tests["runs"].p[1, 2] == alone.siblings.tests["sign-flip"].p[0, 1]
    assert view.simultaneous.low[0, 1] < view.simultaneous.difference[0, 1] > 0.1
    with pytest.raises(EvaluationError, match="by entity"):
        compare(systems, REFERENCE, views=["cfp"])
    with pytest.raises(EvaluationError, match="test of their own"):
        compare(systems, REFERENCE, test="exact")


def test_scores_are_compared_by_randomisation() -> None:
    scores = {"a": RNG.random((1, 200)) ** 0.5, "b": RNG.random((1, 200))}
    view = compare_answers(Answers(tuple(map(str, range(200))), scores)).views["item"]
    assert view.test == "randomisation"
    assert view.values == pytest.approx({"a": scores["a"].mean(), "b": scores["b"].mean()})
    assert view.ranking.edges == (("a", "b"),)


WIDE = "item,a@1,a@2,b,cluster\nq1,1,0,0.5,x\nq2,1,1,0,x\nq3,0,0,0,\n"
LONG = """System,item,run,score,cluster
a,q1,1,1,x
a,q2,1,1,x
a,q3,1,0,
a,q1,2,0,x
a,q2,2,1,x
a,q3,2,0,
b,q1,,0.5,x
b,q2,,0,x
b,q3,,0,
"""


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    for name, text in (("wide", WIDE), ("long", LONG)):
        path = tmp_path / f"{name}.csv"
        path.write_text(text)
        read = read_answers(path)
        assert read.items == ("q1", "q2", "q3")
        assert read.clusters == {"q1": "x", "q2": "x"}
        assert {name: runs.tolist() for name, runs in read.scores.items()} == {
            "a": [[1, 1, 0], [0, 1, 0]],
            "b": [[0.5, 0, 0]],
        }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,a,b\nq1,1\n", "line 2: 2 cells for 3 columns"),
        ("item,a,b\nq1,1,yes\n", "line 2: b has the score 'yes': it must be a number from 0 to 1"),
        ("item,a,b\nq1,1,2\n", "score '2'"),
        ("item,a,b\nq1,1,1\nq1,0,0\n", "line 3: a has a second score for 'q1'"),
        ("item,system,score\nq1,a,1\nq1,b,1\nq2,a,1\n", "b has no score for 1 of 2 items, as 'q2'"),
        ("item,a,b,cluster\nq1,1,1,x\n", None),
        ("item,system,score,cluster\nq1,a,1,x\nq1,b,1,y\n", "line 3: 'q1' is in two clusters"),
    ],
)
def test_what_is_wrong_with_a_table_is_told(tmp_path: Path, text: str, told: str | None) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    if told is None:
        assert read_answers(path).clusters == {"q1": "x"}
        return
    with pytest.raises(EvaluationError, match=told):
        read_answers(path)
