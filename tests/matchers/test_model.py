"""The default matcher: its parts beside plain definitions, and what it matches."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import score
from alignrank.matchers import Candidates, Settings, match, model, prepare
from alignrank.matchers.likely_pairs import Likely, likely_pairs, neighbour_facts
from alignrank.ontologies import (
    Correspondence,
    Entity,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
    load_ontology,
    read_alignment,
)
from alignrank.ontologies.curation import Decisions
from alignrank.ontologies.ontology import DOMAIN, RANGE
from alignrank.ontologies.tasks import bundled_task, find_tasks
from alignrank.ontologies.vocabulary import SKOS
from tests.generated import examples

CLASSES, PROPERTIES = ["A", "B", "C", "D"], ["p", "q"]
DEFAULT = Settings(threshold=0.5)
EXACT = f"{SKOS}exactMatch"


def ontology(**names: str) -> Ontology:
    """Return classes with a label each."""
    entities = {iri: Entity(iri, Kind.CLASS, (Label(name),)) for iri, name in names.items()}
    return Ontology("", entities)


@st.composite
def linked(draw: st.DrawFn) -> Ontology:
    """Return a small ontology that is linked at random, cycles and all."""
    names = st.sampled_from(["heart", "hearts", "lung", "wall of heart"])
    kinds = [(Kind.CLASS, CLASSES), (Kind.PROPERTY, PROPERTIES)]
    entities = {
        iri: Entity(iri, kind, (Label(draw(names)),)) for kind, iris in kinds for iri in iris
    }
    classes = st.sampled_from(CLASSES)
    parents = draw(st.dictionaries(classes, st.lists(classes, max_size=2, unique=True).map(tuple)))
    wholes = st.tuples(classes, st.just("part_of"), classes)
    ends = st.tuples(st.sampled_from(PROPERTIES), st.sampled_from([DOMAIN, RANGE]), classes)
    links = draw(st.lists(wholes | ends, max_size=8, unique=True))
    return Ontology("", entities, parents=parents, links=tuple(sorted(links)))


def neighbours(of: Ontology) -> dict[str, dict[str, set[tuple[str, str]]]]:
    """Return (relation, neighbour) of each entity, by fact."""
    links = {("above", child, parent) for child, above in of.parents.items() for parent in above}
    links |= {(r if r in (DOMAIN, RANGE) else "above", a, b) for a, r, b in of.links}
    by_fact: dict[str, dict[str, set[tuple[str, str]]]] = {
        fact: defaultdict(set) for fact in ("above", "below", "roles", "bearers")
    }
    for relation, low, high in links:
        if low != high:
            up, down = ("above", "below") if relation == "above" else ("roles", "bearers")
            by_fact[up][low].add((relation, high))
            by_fact[down][high].add((relation, low))
    return by_fact


@given(linked(), linked())
@examples(60)
def test_neighbours_that_belong_together_are_added(source: Ontology, target: Ontology) -> None:
    groups = prepare(source, target).groups
    likely = [likely_pairs(group) for group in groups]
    values = [np.linspace(0.1, 0.9, len(pairs)) for pairs in likely]
    facts = neighbour_facts(groups, likely, values)
    probability: dict[tuple[str, str], float] = {}
    for group, pairs, of_kind in zip(groups, likely, values, strict=True):
        for row, column, value in zip(pairs.rows, pairs.columns, of_kind, strict=True):
            probability[group.source.iris[row], group.target.iris[column]] = value
    near1, near2 = neighbours(source), neighbours(target)
    for group, pairs, of_kind_facts in zip(groups, likely, facts, strict=True):
        for name, of_fact in of_kind_facts.items():
            for row, column, fact in zip(pairs.rows, pairs.columns, of_fact, strict=True):
                of_row = near1[name][group.source.iris[row]]
                of_column = near2[name][group.target.iris[column]]
                total = sum(
                    probability.get((a, b), 0.0)
                    for relation1, a in of_row
                    for relation2, b in of_column
                    if relation1 == relation2
                )
                assert fact == pytest.approx(np.log1p(total))


CELLS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 3)), st.sampled_from([-3.0, 0.0, 1.0, 2.0])
)


@given(CELLS)
@examples(100)
def test_rivals_and_mutually_best_pairs(odds_by_cell: dict[tuple[int, int], float]) -> None:
    cells = sorted(odds_by_cell)
    rows, columns = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    odds = np.array([odds_by_cell[cell] for cell in cells], dtype=float)
    likely = Likely(rows, columns, np.zeros(len(cells), dtype=bool), {})
    best = model.mutually_best(likely, odds)
    rivals = model.best_rival(odds, rows)
    for k, (row, column) in enumerate(cells):
        in_row = [value for cell, value in odds_by_cell.items() if cell[0] == row]
        in_column = [value for cell, value in odds_by_cell.items() if cell[1] == column]
        others = [v for cell, v in odds_by_cell.items() if cell[0] == row and cell[1] != column]
        assert rivals[k] == max(others, default=-np.inf)
        assert best[k] == (odds[k] >= max(in_row) and odds[k] >= max(in_column))


def test_entities_of_equal_names_are_matched_n_to_m() -> None:
    source = ontology(a="left lung", b="heart valve", c="LeftLung")
    target = ontology(x="Left_Lung", y="heart valves", z="kidney")
    found = match(prepare(source, target, DEFAULT), "combined")
    assert found.alignment.pairs == {("a", "x"), ("b", "y"), ("c", "x")}
    assert found.ties is None
    one_to_one = Settings(threshold=0.5, assignment="mutual-best")
    assert len(match(prepare(source, target, one_to_one), "combined").alignment) == 2


def test_equal_labels_are_sure_where_the_ontologies_share_little() -> None:
    shared = {f"s{k}": word for k, word in enumerate(("heart", "lung"))}
    others = [f"{word} {place}" for word in ("valve", "wall") for place in "abcdefghij"]
    source = ontology(**shared, **{f"a{k}": f"{name} left" for k, name in enumerate(others)})
    target = ontology(**shared, **{f"b{k}": f"{name} right" for k, name in enumerate(others)})
    groups = prepare(source, target).groups
    likely = [likely_pairs(group) for group in groups]
    odds = model.log_odds(groups, likely, *model.fitted())
    assert model.prior_shift(likely, odds) < 0.0
    found = match(prepare(source, target, DEFAULT), "combined").alignment
    assert min(c.confidence for c in found if c.entity1 == c.entity2) >= 0.9


def test_names_of_the_same_stems_are_equal() -> None:
    source, target = ontology(a="review of papers"), ontology(b="reviews of paper", c="paper")
    (group,) = prepare(source, target).groups
    likely = likely_pairs(group)
    assert likely.facts["equal"].tolist() == [0.0, 0.0]
    assert likely.equal.tolist() == [True, False]


def test_no_pair_is_no_error() -> None:
    found = match(prepare(ontology(a="heart"), ontology(x="zzz"), DEFAULT), "combined")
    assert len(found.alignment) == 0


def test_a_related_synonym_keeps_its_scope_and_a_broad_one_is_no_name() -> None:
    synonyms = Label("cor", "", "related"), Label("organ", "", "broad")
    entity = Entity("a", Kind.CLASS, (Label("heart"),), synonyms)
    candidates = prepare(Ontology("", {"a": entity}), ontology(x="heart"))
    assert candidates.groups[0].source.names == (("heart", "cor"),)
    assert candidates.groups[0].source.scopes == (("label", "related"),)


def _library(settings: Settings) -> Candidates:
    task = bundled_task("library")
    return prepare(load_ontology(task.source), load_ontology(task.target), settings)


def test_the_threshold_only_cuts() -> None:
    everything = match(_library(Settings()), "combined").alignment
    sure = match(_library(DEFAULT), "combined").alignment
    assert set(sure) == {c for c in everything if c.confidence >= 0.5}
    assert 0 < len(sure) < len(everything)


def test_signs_make_sense() -> None:
    for coefficients in model.fitted():
        for name, value in coefficients.items():
            if name != "intercept":
                assert value >= 0.0


def test_the_coefficients_name_the_data_that_they_were_fitted_on(oaei: Path) -> None:
    path = Path(model.__file__).with_name("coefficients.json")
    hashes = json.loads(path.read_text("utf-8"))["sha256"]["anatomy/anatomy"]
    (task,) = find_tasks("anatomy", [oaei])
    files = load_ontology(task.source), load_ontology(task.target), read_alignment(task.reference)
    assert hashes == [file.sha256 for file in files]


def test_anatomy(oaei: Path) -> None:
    (task,) = find_tasks("anatomy", [oaei])
    candidates = prepare(load_ontology(task.source), load_ontology(task.target), DEFAULT)
    found = match(candidates, "combined").alignment
    assert score(found, read_alignment(task.reference)).f1 > 0.885  # fitted on it; .889 left out


def test_the_weights_of_evidence_add_up_to_the_probability() -> None:
    task = bundled_task("library")
    groups = prepare(load_ontology(task.source), load_ontology(task.target)).groups
    for group, pairs in zip(groups, model.score_pairs(groups), strict=True):
        cells = list(zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True))
        for (row, column), probability in list(zip(cells, pairs.similarities, strict=True))[:5]:
            weights = model.weight_of_evidence(groups, group.kind, row, column)
            assert probability == pytest.approx(1.0 / (1.0 + np.exp(-sum(weights.values()))))
    assert model.weight_of_evidence(groups, groups[0].kind, -1, -1) == {}


def test_numbers_that_differ_count_against_a_pair_and_spellings_do_not() -> None:
    source = ontology(a="somite 05", b="motor neuropathy type 5")
    target = ontology(x="somite V", y="motor neuropathy type II", z="motor neuropathy")
    (group,) = prepare(source, target).groups
    likely = likely_pairs(group)
    differ = likely.facts["numbers_differ"].tolist()
    cells = zip(likely.rows.tolist(), likely.columns.tolist(), strict=True)
    differ_by_cell = dict(zip(cells, differ, strict=True))
    assert [differ_by_cell[cell] for cell in ((0, 0), (1, 1), (1, 2))] == [0.0, -1.0, 0.0]
    assert all(coefficients["numbers_differ"] > 0.0 for coefficients in model.fitted())


def test_decisions_move_all_other_probabilities() -> None:
    words = [first + last for first in "bdfglmnrst" for last in ("alor", "emun", "itas", "opix")]
    source = ontology(**{f"a{k}": f"{word} wall" for k, word in enumerate(words)})
    target = ontology(**{f"b{k}": f"{word} layer" for k, word in enumerate(words)})

    def confidence(accepted: int, rejected: int) -> float:
        pairs = [(f"a{k}", f"b{k}") for k in range(accepted + rejected)]
        decisions = Decisions(
            tuple(Correspondence(*pair) for pair in pairs[:accepted]),
            tuple(NegatedCorrespondence(*pair, EXACT, "=") for pair in pairs[accepted:]),
        )
        found = match(prepare(source, target, Settings(), decisions), "combined").alignment
        return next(c.confidence for c in found if c.pair == ("a39", "b39"))

    assert confidence(0, 36) < confidence(0, 20) < confidence(36, 0)
    assert confidence(0, 36) < 0.2
    assert confidence(36, 0) > 0.8


def test_a_pair_in_another_relation_is_not_matched_as_equivalent() -> None:
    source, target = ontology(a="heart"), ontology(x="heart")
    decisions = Decisions((Correspondence("a", "x", "<"),))
    found = match(prepare(source, target, DEFAULT, decisions), "combined").alignment
    assert [c.relation for c in found] == ["<"]
