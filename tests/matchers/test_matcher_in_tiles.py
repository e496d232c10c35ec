"""Matching by tiles gives what the whole matrix gives, and says why where it cannot be used."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alignrank.matchers.matcher
from alignrank.matchers import (
    STANDARD,
    Candidates,
    MatcherError,
    Metric,
    Settings,
    get_metric,
    match,
    match_all,
    prepare,
    select_metrics,
    similarity_matrix,
)
from alignrank.matchers.assignment.pairs import METHODS
from alignrank.matchers.candidates import KindCandidates, Side
from alignrank.matchers.matcher import _assign
from alignrank.matchers.metrics import Similarity
from alignrank.matchers.similarity.matrix import memory_needed
from alignrank.matchers.similarity.tiles import similar_entities
from alignrank.ontologies import Entity, Kind, Label, Ontology
from tests.generated import examples

names = st.lists(
    st.lists(st.one_of(st.text("ab ", max_size=4), st.text("abc_", max_size=9)), max_size=3),
    max_size=7,
)


@given(
    sources=names,
    targets=names,
    metric=st.sampled_from(STANDARD),
    threshold=st.sampled_from([0.1, 0.5, 0.8]),
)
@examples(150)
def test_edges_of_entities_are_those_of_their_best_names(
    sources: list[list[str]], targets: list[list[str]], metric: str, threshold: float
) -> None:
    found = similar_entities(sources, targets, get_metric(metric), threshold)
    matrix = similarity_matrix(sources, targets, get_metric(metric))
    np.testing.assert_array_equal(found.toarray(), np.where(matrix >= threshold, matrix, 0.0))
    assert found.has_canonical_format
    assert found.nnz == np.count_nonzero(matrix >= threshold)


def ontology(seed: int, size: int) -> Ontology:
    rng = random.Random(seed)
    words = ["left", "right", "heart", "hart", "valve", "lung", "lobe", "of", "the", "artery"]

    def label() -> Label:
        return Label(" ".join(rng.choices(words, k=rng.randint(1, 3))))

    entities = {}
    for number in range(size):
        kind = Kind.PROPERTY if number % 5 == 0 else Kind.CLASS
        synonyms = tuple(label() for _ in range(rng.randint(0, 2)))
        iri = f"http://{seed}#{number:03}"
        entities[iri] = Entity(iri, kind, (label(),), synonyms)
    return Ontology(f"http://{seed}", entities)


def pair(**how: Any) -> Candidates:
    settings = Settings(**how)
    return prepare(ontology(1, 40), ontology(2, 45), settings)


@pytest.mark.parametrize("assignment", [name for name in METHODS if name != "scipy"])
@pytest.mark.parametrize("threshold", [0.3, 0.8, 1.0])
@pytest.mark.parametrize("synonyms", [True, False])
def test_an_alignment_by_tiles_is_that_of_the_matrix(
    assignment: str, threshold: float, synonyms: bool
) -> None:
    metrics = select_metrics(["standard", "ontosim", "rapidfuzz:ratio"])
    how = {"assignment": assignment, "threshold": threshold, "synonyms": synonyms}
    by_tiles, whole = (
        list(match_all(pair(**how, order="cut-then-assign", tiles=tiles), metrics))
        for tiles in (True, False)
    )
    assert any(len(one.alignment) for one in whole)
    for found, expected in zip(by_tiles, whole, strict=True):
        assert found.alignment == expected.alignment
        assert found.alignment.metadata == expected.alignment.metadata
        assert (found.totals, found.clipped) == (expected.totals, expected.clipped)
        assert (found.ties is None) == (expected.ties is None) == (assignment != "hungarian")
        if found.ties is not None and expected.ties is not None:
            assert found.ties.always == expected.ties.always
            assert found.ties.sometimes == expected.ties.sometimes
            some = sorted(expected.ties.sometimes)[::2]
            assert found.ties.count(some) == expected.ties.count(some)


def test_tiles_are_chosen_where_the_matrix_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    how = {"threshold": 0.8, "order": "cut-then-assign"}
    metric = get_metric("levenshtein")
    expected = match(pair(**how), metric)
    monkeypatch.setattr(alignrank.matchers.matcher, "available_memory", lambda: 1000)
    monkeypatch.setattr(alignrank.matchers.matcher, "similar_entities", None)
    with pytest.raises(TypeError, match="NoneType"):  # there is no way round the tiles
        match(pair(**how), metric)
    assert match(pair(**how, tiles=False), metric).alignment == expected.alignment
    monkeypatch.undo()
    monkeypatch.setattr(alignrank.matchers.matcher, "available_memory", lambda: None)
    monkeypatch.setattr(alignrank.matchers.matcher, "similar_entities", None)
    assert match(pair(**how), metric).alignment == expected.alignment


def test_tiles_are_chosen_where_they_are_much_cheaper(monkeypatch: pytest.MonkeyPatch) -> None:
    group = pair().groups[0]
    for size, how, chosen in (
        (2**31, {"threshold": 0.7}, True),
        (2**31, {"threshold": 0.6}, False),
        (2**31, {"threshold": 0.7, "tiles": False}, False),
        (2**31, {"threshold": 0.7, "order": "assign-then-cut"}, False),  # another outcome
        (2**20, {"threshold": 0.7}, False),
    ):
        monkeypatch.setattr(
            alignrank.matchers.matcher, "memory_needed", lambda n, m, size=size: size
        )
        options = {"order": "cut-then-assign"} | how
        settings = Settings(**options)  # type: ignore[arg-type]  # options of many types
        assert alignrank.matchers.matcher.goes_by_tiles(group, settings) == chosen


def test_what_a_cluster_cannot_do_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignrank.matchers.matcher, "on_cluster", lambda: True)
    for how, metric, wanted in (
        ({}, "jaro", "choose a threshold above 0"),
        ({"threshold": 0.8, "tiles": False}, "jaro", "leave out tiles=False"),
        ({}, lambda _: 1.0, "choose a threshold above 0"),
    ):
        options: dict[str, Any] = {"order": "cut-then-assign"} | how
        with pytest.raises(MatcherError, match=wanted):
            match(pair(**options), metric)


def test_what_does_not_fit_and_cannot_go_by_tiles_is_refused_with_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(alignrank.matchers.matcher, "available_memory", lambda: 2**24)
    monkeypatch.setattr(alignrank.matchers.matcher, "memory_needed", lambda n, m: n * m * 2**21)
    refusals: list[tuple[dict[str, Any], str]] = [
        ({}, r"a threshold above 0 .* and the order cut-then-assign"),
        ({"threshold": 0.8}, r"choose the order cut-then-assign"),
        ({"order": "cut-then-assign"}, r"choose a threshold above 0"),
        ({"assignment": "greedy"}, r"choose a threshold above 0"),
    ]
    for how, wanted in refusals:
        for run in (match, lambda *given: list(match_all(given[0], [given[1]]))):
            with pytest.raises(
                MatcherError,
                match=rf"32 x 36 entities needs 2\.2 GiB .* 0\.0 GiB are free: .* {wanted}",
            ):
                run(pair(**how), get_metric("jaro"))
    assert match(pair(threshold=0.8, assignment="greedy"), get_metric("jaro")).alignment


def test_tiles_that_cannot_be_used_are_refused_at_once() -> None:
    with pytest.raises(MatcherError, match="with tiles, choose a threshold above 0"):
        Settings(tiles=True, order="cut-then-assign")
    with pytest.raises(MatcherError, match="with tiles, choose the order cut-then-assign"):
        Settings(tiles=True, threshold=0.8)
    Settings(tiles=True, threshold=0.8, assignment="mutual-best")


def constant(value: float) -> Similarity:
    return lambda s, t: value


def test_a_metric_that_gives_nan_is_refused() -> None:
    metric = Metric("odd", "custom", constant(float("nan")), "", "")
    how = {"threshold": 0.8, "order": "cut-then-assign"}
    for tiles in (True, False):
        with pytest.raises(MatcherError, match="'odd' gave NaN"):
            match(pair(**how, tiles=tiles), metric)


@pytest.mark.parametrize("threshold", [0.3, 0.5])  # the whole matrix assigned; its edges
def test_a_matrix_is_matched_in_no_more_memory_than_is_asked_for(threshold: float) -> None:
    letters = random.Random(1)
    n, m = 1500, 1400
    nothing = Ontology("", {})
    group = KindCandidates(
        Kind.CLASS,
        *(
            Side(tuple(map(str, range(k))), tuple((made(letters),) for _ in range(k)), nothing)
            for k in (n, m)
        ),
    )
    chosen = Settings(threshold=threshold, order="cut-then-assign")
    for names in (["levenshtein"], ["jaro", "jaro-winkler"]):
        list(_assign(group, select_metrics(names), chosen, 1, []))  # compiles
        tracemalloc.start()
        for _ in _assign(group, select_metrics(names), chosen, 1, []):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert 8 * n * m * len(names) < peak < memory_needed(n, m) * len(names)


def made(letters: random.Random) -> str:
    return "".join(letters.choices("abcdefghij", k=8))
