"""Explanations: every number follows from the full matrix and the assignment."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.named_inputs import find_entity
from alignrank.experiments.looking.explain import (
    explain,
    explain_pair,
    find_pair,
    verdict,
)
from alignrank.matchers import Settings, get_metric, match, prepare, similarity_matrix
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Entity,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
)
from alignrank.ontologies.tasks import bundled_task
from tests.generated import examples

LIBRARY = bundled_task("library")
NAMES = st.lists(st.text("abc ", min_size=1, max_size=5), min_size=1, max_size=6)


def ontology(base: str, names: list[str], kind: Kind = Kind.CLASS) -> Ontology:
    entities = [Entity(f"{base}#{k}", kind, (Label(name),)) for k, name in enumerate(names)]
    return Ontology(base, {e.iri: e for e in entities}, path=f"{base}.owl")


@given(NAMES, NAMES, st.sampled_from(["levenshtein", "jaro"]), st.data())
@examples(25)
def test_every_number_follows_from_the_whole_matrix(
    names1: list[str], names2: list[str], name: str, data: st.DataObject
) -> None:
    source = ontology("a", [*names1, "anchor"])
    target = ontology("b", [*names2, "anchor"])
    candidates = prepare(source, target)
    group = candidates.groups[0]
    i = data.draw(st.integers(0, len(group.source) - 1))
    j = data.draw(st.integers(0, len(group.target) - 1))
    pair = (group.source.iris[i], group.target.iris[j])
    found = explain(source, target, source.entities[pair[0]], target.entities[pair[1]],
                    metrics=[name], settings=Settings(threshold=0.0))  # fmt: skip
    view = found.metrics[0]
    metric = get_metric(name)
    matrix = similarity_matrix(group.source.names, group.target.names, metric)
    assert view.similarity == matrix[i, j]
    assert view.row_rank == 1 + sum(matrix[i] > matrix[i, j])
    assert view.column_rank == 1 + sum(matrix[:, j] > matrix[i, j])
    assert view.row_ties == sum(matrix[i] == matrix[i, j]) - 1
    assert metric.similarity(view.name1, view.name2) == pytest.approx(matrix[i, j])
    pairs = match(candidates, metric).alignment.pairs
    assert view.assigned == (pair in pairs)
    if view.assigned:
        assert view.partner1 is view.partner2 is view.loss is None
        return
    rows = {iri: k for k, iri in enumerate(group.source.iris)}
    columns = {iri: k for k, iri in enumerate(group.target.iris)}
    after = [p for p in pairs if p[0] != pair[0] and p[1] != pair[1]] + [pair]
    if view.partner1 and view.partner2:
        after.append((view.partner2.iri, view.partner1.iri))
    assert (view.partner1 is not None) == any(p[0] == pair[0] for p in pairs)
    totals = [sum(matrix[rows[s], columns[t]] for s, t in some) for some in (pairs, after)]
    assert view.loss == pytest.approx(totals[0] - totals[1], abs=1e-12)
    assert view.loss >= -1e-9  # else the assignment would not be the best one


def test_the_reasons_in_words() -> None:
    source, target = ontology("a", ["heart", "hearts"]), ontology("b", ["hearts", "lung"])

    def why(one: str, two: str, **options: object) -> str:
        how = Settings(**options)  # type: ignore[arg-type]
        a, b = find_pair(source, target, one, two)
        return explain(source, target, a, b, metrics=["levenshtein"], settings=how).metrics[0].why

    assert why("hearts", "hearts") == "assigned"
    assert why("hearts", "hearts", threshold=0.5) == "assigned"
    assert why("heart", "hearts", threshold=0.9) == "below the threshold 0.9"
    assert why("heart", "hearts") == "the target does better elsewhere, by 0.1667"
    assert "more similar partner" in why("heart", "hearts", assignment="greedy")
    assert "most similar" in why("heart", "hearts", assignment="mutual-best")
    assert why("heart", "lung") == "a pair of similarity 0 is never matched"
    twins = ontology("c", ["hearts", "hearts"])
    views = [
        explain(twins, target, twins.entities[iri], target.entities["b#0"]).metrics[0]
        for iri in twins.entities
    ]
    assert sorted(view.assigned for view in views) == [False, True]
    assert all(view.tied and "equally good" in view.why for view in views)


def test_entities_of_different_kinds_are_said_never_to_match() -> None:
    source, target = ontology("a", ["heart"]), ontology("b", ["heart"], Kind.PROPERTY)
    for pair in ((source, target), (target, source)):
        explained = explain(*pair, *find_pair(*pair, "heart", "heart"))
        assert explained.metrics == ()
        assert "different kinds" in explained.impossible


def test_each_metric_is_cut_where_match_cuts_it_and_the_answer_comes_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = (LIBRARY.source, LIBRARY.target, "copy", "item_copy")
    names = ["combined", "levenshtein", "smoa"]
    explain_pair(*files, metrics=names, settings=Settings())
    answer, *rest = capsys.readouterr().out.splitlines()
    assert answer == "combined matches copy with item_copy. Other metrics that match them: 1 of 2."
    assert any(line.startswith("levenshtein") and "threshold 0.7" in line for line in rest)
    explain_pair(*files, metrics=names[1:], settings=Settings(threshold=0.0))
    assert capsys.readouterr().out.startswith("levenshtein matches copy with item_copy.")
    explain_pair(*files[:2], "copy", "serial", metrics=["smoa"], settings=Settings())
    assert capsys.readouterr().out.startswith(
        "smoa does not match copy with serial: a pair of similarity 0 is never matched. It matches"
    )


def test_the_reference_judges_and_names_what_is_right() -> None:
    reference = Alignment(
        [Correspondence("a#0", "b#0"), Correspondence("a#1", "b#0", "?"), Correspondence("a", "b")]
    )
    assert verdict(reference, "a#0", "b#0") == "right"
    assert verdict(reference, "a#1", "b#0") == "not judged"
    assert verdict(reference, "a#1", "b#1") == "wrong"
    assert verdict(Alignment([Correspondence("a", "b", "<")]), "a", "b") == "wrong"
    negated = [NegatedCorrespondence("a", "b", "http://e.org/exact", "=")]
    left_open = Alignment([Correspondence("a", "b", "?")], negated=negated)
    assert verdict(left_open, "a", "b") == "wrong"
    source, target = ontology("a", ["x", "y"]), ontology("b", ["x", "y"])
    found = explain(
        source, target, source.entities["a#0"], target.entities["b#1"], reference=reference
    )
    assert (found.judged, found.right1, found.right2) == ("wrong", ("b#0",), ())
    assert found.metrics[0].metric == "equality"
    assert len(found.metrics) == 9
    assert json.loads(json.dumps(asdict(found)))["judged"] == "wrong"


def test_entities_are_found_by_iri_last_part_or_label() -> None:
    one = ontology("http://a", ["Heart", "lung", "LUNG"])
    assert find_entity(one, "http://a#0") is find_entity(one, "0") is find_entity(one, "heart")
    with pytest.raises(ExperimentError, match="'lung' means 2 things"):
        find_entity(one, "lung")
    with pytest.raises(ExperimentError, match="give its IRI"):
        find_entity(one, "liver")
    named = [
        Entity(f"http://a#{name}", Kind.CLASS) for name in ("PoliticalEntity", "politicalentity2")
    ]
    proton = Ontology("proton.owl", {entity.iri: entity for entity in named})
    for words in ("Political Entity", "political entity", "PoliticalEntity"):
        assert find_entity(proton, words, [Kind.CLASS]) is named[0]
    with pytest.raises(ExperimentError, match="is called 'Political Entities'"):
        find_entity(proton, "Political Entities", [Kind.CLASS])
    # a class and a property of one name: the other side's kind decides
    both = Ontology("", {**one.entities, "p": Entity("p", Kind.PROPERTY, (Label("Heart"),))})
    other = ontology("b", ["Heart"], Kind.PROPERTY)
    assert find_pair(both, other, "heart", "heart")[0].iri == "p"
    assert find_pair(other, both, "heart", "heart")[1].iri == "p"


def test_the_command_prints_one_row_a_metric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    how: Any = {"settings": Settings(), "imports": None, "reference": LIBRARY.reference}
    files = (LIBRARY.source, LIBRARY.target, "Periodical", "serial")
    explain_pair(*files, metrics=["standard"], **how)
    out = capsys.readouterr().out
    assert "reference: right" in out
    rows = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert {"equality", "smoa", "needleman-wunsch"} <= set(rows)
