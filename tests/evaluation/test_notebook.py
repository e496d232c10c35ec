"""Results in a notebook: a small table with the ranks; frames hold every value."""

from __future__ import annotations

import numpy as np

from evaluation import CountMatrix, compare, contingency_table
from evaluation.multitask import ScoreTable, study
from matchers import get_metric, match, prepare
from ontologies import Alignment, Correspondence, Entity, Kind, Label, Ontology

HOSTILE = "<script>alert(1)</script>"
R = Alignment(Correspondence(f"a#{k:02}", f"b#{k:02}") for k in range(40))


def test_a_comparison_shows_scores_and_ranks_in_every_view() -> None:
    half = R.where(lambda c: c.entity1 < "a#20")
    page = compare({HOSTILE: R, "half": half}, R)._repr_html_()
    assert "<script" not in page
    assert page.count("<tr>") == 3
    for text in ("rank ifp", "rank cfp", "rank entity", "0.500", "1.000", ">2<"):
        assert text in page
    undecided = compare({"a": R, "b": R}, R)._repr_html_()
    assert "1–2" in undecided


def test_a_study_shows_mean_ranks_best_first() -> None:
    scores = np.array([[0.5 + 0.01 * t, 0.9 - 0.01 * t] for t in range(9)])
    table = ScoreTable(tuple(f"t{t}" for t in range(9)), ("low", HOSTILE), scores)
    page = study(table)._repr_html_()
    assert "<script" not in page
    assert page.index("&lt;script") < page.index("low")
    assert "1.000" in page


def test_a_matching_shows_its_alignment() -> None:
    def one(base: str) -> Ontology:
        entity = Entity(f"{base}#1", Kind.CLASS, (Label("heart"),))
        return Ontology(base, {entity.iri: entity})

    matching = match(prepare(one("a"), one("b")), get_metric("jaro"))
    assert "jaro: 1 correspondences" in matching._repr_html_()
    assert matching.to_frame()["confidence"].tolist() == [1.0]


def test_counts_have_frames() -> None:
    frame = contingency_table(R, R.where(lambda c: c.entity1 > "a#09"), R, "ifp").to_frame()
    assert frame.loc["right", "wrong"] == 10
    assert frame.loc["right", "right"] == 30
    assert frame.loc["wrong", "right"] == 0
    counts = CountMatrix(("new", "old"), np.array([[0, 7], [2, 0]])).to_frame()
    assert counts.loc["new", "old"] == 7
