"""Results in a notebook: a small table with the ranks; frames hold every value."""

from __future__ import annotations

import dataclasses
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from alignrank import evaluation, matchers
from alignrank.common.table import Tabular
from alignrank.evaluation import CountMatrix, compare, contingency_table, multitask
from alignrank.evaluation.multitask import ScoreTable, study
from alignrank.evaluation.ranking import drawn_edges
from alignrank.matchers import get_metric, match, prepare
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Label, Ontology

HOSTILE = "<script>alert(1)</script>"
R = Alignment(Correspondence(f"a#{k:02}", f"b#{k:02}") for k in range(40))


def test_a_comparison_shows_its_answer_and_every_pair() -> None:
    half = R.where(lambda c: c.entity1 < "a#20")
    page = compare({HOSTILE: R, "half": half}, R)._repr_html_()
    assert "<script" not in page
    assert page.count("<tr>") == 4
    best = "&lt;script&gt;alert(1)&lt;/script&gt; scores best"
    assert f"{best} (right 1.000, F1 1.000); half is significantly worse." in page
    for text in ("ifp", "cfp", "entity", "adjusted p"):
        assert text in page


def test_a_study_shows_its_answer_and_every_pair() -> None:
    scores = np.array([[0.5 + 0.01 * t, 0.9 - 0.01 * t] for t in range(9)])
    table = ScoreTable(tuple(f"t{t}" for t in range(9)), ("low", HOSTILE), scores)
    page = study(table)._repr_html_()
    assert "<script" not in page
    assert page.index("&lt;script") < page.index("low")
    assert "is significantly worse" in page
    assert "mean_difference" in page


def test_a_matching_shows_its_alignment() -> None:
    def one(base: str) -> Ontology:
        entity = Entity(f"{base}#1", Kind.CLASS, (Label("heart"),))
        return Ontology(base, {entity.iri: entity})

    matching = match(prepare(one("a"), one("b")), get_metric("jaro"))
    assert "jaro: 1 correspondence<" in matching._repr_html_()
    assert matching.to_frame()["confidence"].tolist() == [1.0]


def test_counts_have_frames() -> None:
    frame = contingency_table(R, R.where(lambda c: c.entity1 > "a#09"), R, "ifp").to_frame()
    assert frame.loc["right", "wrong"] == 10
    assert frame.loc["right", "right"] == 30
    assert frame.loc["wrong", "right"] == 0
    counts = CountMatrix(("new", "old"), np.array([[0, 7], [2, 0]])).to_frame()
    assert counts.loc["new", "old"] == 7


#: What goes in, not what comes out.
SETTINGS = {"Context", "Measure", "Metric", "Normalisation", "PairWeights", "Proximity"}
SETTINGS |= {
    "AnalysisSettings",
    "Answers",
    "EntityClusters",
    "Queries",
    "RelaxedOptions",
    "Settings",
    "Side",
}


@pytest.mark.parametrize("package", [evaluation, multitask, matchers])
def test_every_public_result_has_a_frame_and_shows_itself(package: ModuleType) -> None:
    public = {name: getattr(package, name) for name in dir(package) if name not in SETTINGS}
    results = {name: c for name, c in public.items() if dataclasses.is_dataclass(c)}
    assert results
    for name, result in results.items():
        assert hasattr(result, "to_frame"), f"{package.__name__}.{name} has no to_frame()"
        assert hasattr(result, "_repr_html_"), f"{package.__name__}.{name} shows no table"


def test_a_result_without_a_frame_of_its_own_is_one_row() -> None:
    frame = evaluation.arity(R).to_frame()
    assert frame.to_dict("records") == [
        {"one_to_one": 40, "one_to_many": 0, "many_to_one": 0, "many_to_many": 0}
    ]
    scores = evaluation.score(R, R).to_frame()
    assert scores[["found", "precision", "f1"]].to_numpy().tolist() == [[40, 1.0, 1.0]]
    estimates = multitask.effects([0.1, 0.3, 0.2, 0.5, 0.4, 0.6], [0.0] * 6).to_frame()
    assert "rank_biserial_low" in estimates
    assert evaluation.mcnemar([9, 3], [1, 4]).to_frame()["b"].tolist() == [9, 3]


def test_a_shown_table_is_escaped_and_cut() -> None:
    class Rows(Tabular):
        def to_frame(self) -> pd.DataFrame:
            return pd.DataFrame({"name": [HOSTILE] * 30, "value": [0.123456] * 30})

    page = Rows()._repr_html_()
    assert "<script" not in page
    assert "0.1235" in page
    assert "… and 20 more" in page


def test_a_ranking_shows_its_answer_and_every_name() -> None:
    names = (HOSTILE, "long " * 50, "c", "d")
    ahead = np.array([[0, 1, 1, 1], [-1, 0, 1, 1], [-1, -1, 0, 0], [-1, -1, 0, 0]])
    ranking = evaluation.rank(names, ahead, np.where(ahead == 0, 1.0, 0.001))
    page = ranking._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; scores best; all three others are" in page
    for text in ("layer", "rank_low", ">c<", ">d<", ">1<", ">2<", ">3<"):
        assert text in page
    assert page.count("<tr>") == 5
    assert len(drawn_edges(ranking.edges)[0]) == 3  # two arrows follow from others
    assert ranking.graph().number_of_edges() == 5


def test_a_star_imports_the_public_names_and_an_unknown_name_is_refused() -> None:
    names: dict[str, object] = {}
    exec("from alignrank.evaluation import *", names)
    assert names["compare"] is evaluation.compare
    unknown = "nosuch"
    with pytest.raises(AttributeError, match=r"'alignrank\.evaluation' has no attribute 'nosuch'"):
        getattr(evaluation, unknown)
