"""Metrics of the user's own that see strings, entities or sides; and whatever they return."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from alignrank.matchers import (
    MatcherError,
    Settings,
    Side,
    get_metric,
    match,
    matcher,
    prepare,
    similarity_matrix,
)
from alignrank.matchers.candidates import KindCandidates, kind_matrices, part_of_matrix
from alignrank.ontologies import Entity, Kind, Label, Ontology


def synonyms(a: Entity, b: Entity) -> float:
    """Whether they have as many synonyms."""
    return float(len(a.synonyms) == len(b.synonyms))


def positions(source: Side, target: Side) -> np.ndarray:
    """How near their places in the order of the IRIs are."""
    places = np.abs(np.arange(len(source))[:, None] - np.arange(len(target)))
    return 1.0 / (1.0 + places)


def ontology(*synonyms: int) -> Ontology:
    """Return an ontology of classes with so many synonyms each."""
    entities = {
        f"{k}": Entity(f"{k}", Kind.CLASS, (Label("x"),), tuple(Label(f"s{i}") for i in range(n)))
        for k, n in enumerate(synonyms)
    }
    return Ontology("", entities)


def test_a_function_of_two_entities() -> None:
    found = match(prepare(ontology(0, 1), ontology(1, 0)), synonyms)
    assert found.metric == "synonyms"
    assert {c.pair for c in found.alignment} == {("0", "1"), ("1", "0")}


def test_a_function_of_two_sides() -> None:
    candidates = prepare(ontology(0, 0, 0), ontology(0, 0))
    found = match(candidates, positions)
    assert {c.pair for c in found.alignment} == {("0", "0"), ("1", "1")}
    part = part_of_matrix(candidates.groups, Kind.CLASS, get_metric(positions), [2], [0, 1])
    assert part == pytest.approx(np.array([[1 / 3, 1 / 2]]))


def test_such_a_function_by_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    metric = get_metric("test_candidates:positions")
    assert metric.summary == "How near their places in the order of the IRIs are."
    (matrix,) = kind_matrices(prepare(ontology(0, 0), ontology(0)).groups, metric)
    assert matrix.tolist() == [[1.0], [0.5]]


def _shape(source: Side, target: Side) -> object:
    return np.zeros((len(target), len(source)))


def _nan(source: Side, target: Side) -> object:
    return np.full((len(source), len(target)), np.nan)


def _high(source: Side, target: Side) -> object:
    return np.full((len(source), len(target)), 1.5)


def _text(source: Side, target: Side) -> object:
    return "no matrix"


def _complex(source: Side, target: Side) -> object:
    return np.zeros((len(source), len(target)), dtype=complex)


def _raises(a: Entity, b: Entity) -> float:
    raise KeyError(a.iri)


def _two(a: Entity, b: Entity) -> float:
    return 2.0


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (_shape, r"gave an array of float64 of shape \(1, 2\) for 2 source and 1 target entities"),
        (_nan, "gave NaN or a value outside"),
        (_high, "gave NaN or a value outside"),
        (_text, r"gave an array of <U9 of shape \(\) for 2 source and 1 target entities"),
        (_complex, "gave an array of complex128 of shape"),
        (_raises, r"failed on \(0, 0\): KeyError"),
        (_two, r"gave 2.0 for \(0, 0\): a similarity is a number from 0 to 1"),
    ],
)
def test_what_is_no_similarity_is_refused(function: Callable[..., float], why: str) -> None:
    with pytest.raises(MatcherError, match=why):
        match(prepare(ontology(0, 0), ontology(0)), function)


def test_evidence_that_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    candidates = prepare(ontology(*[0] * 40), ontology(*[0] * 40))
    monkeypatch.setattr(matcher, "available_memory", lambda: 120_000)
    assert match(candidates, positions).alignment  # it takes 32 bytes for each of 1,600 pairs
    monkeypatch.setattr(matcher, "available_memory", lambda: 20_000)
    message = r"'positions' needs the whole similarity matrix and its parts \(0\.0 GiB\)"
    with pytest.raises(MatcherError, match=message):
        match(candidates, positions)
    assert match(candidates, "combined").alignment is not None  # it needs no matrix


def test_evidence_refuses_strings_and_tiles() -> None:
    with pytest.raises(MatcherError, match="'combined' sees the ontologies"):
        similarity_matrix([["a"]], [["b"]], get_metric("combined"))
    settings = Settings(threshold=0.5, order="cut-then-assign", tiles=True)
    with pytest.raises(MatcherError, match="'positions' needs the whole similarity matrix"):
        match(prepare(ontology(0), ontology(0), settings), positions)


def test_pairs_that_a_person_decided_are_known_by_their_positions() -> None:
    nothing = Ontology("", {})
    sides = (Side(tuple(map(str, range(k))), ((),) * k, nothing) for k in (3, 4))
    group = KindCandidates(Kind.CLASS, *sides, frozenset({(1, 2)}), frozenset({(2, 1)}))
    rows, columns = np.indices((3, 4)).reshape(2, -1)
    assert np.flatnonzero(group.are_accepted(rows, columns)).tolist() == [1 * 4 + 2]
    assert np.flatnonzero(~group.are_open(rows, columns)).tolist() == [2 * 4 + 1]
