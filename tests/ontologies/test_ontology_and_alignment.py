"""Entities' names, and alignments as sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    Entity,
    Key,
    Kind,
    KindCounts,
    Label,
    Ontology,
    local_name,
)

entities = st.sampled_from(["a#x", "a#y", "a#z"])
relations = st.sampled_from(["=", "<", ">", "?"])
correspondences = st.builds(Correspondence, entities, entities, relations, st.floats(0, 1))
alignments = st.builds(Alignment, st.lists(correspondences, max_size=8))


@pytest.mark.parametrize(
    ("iri", "name"),
    [
        ("http://cmt#Meta-Reviewer", "Meta-Reviewer"),
        ("http://e.org/a/b", "b"),
        ("http://e.org/b/", "b"),
        ("http://e.org/a/b#", "b"),
        ("urn:x:b", "b"),
        ("http://e.org/stra%C3%9Fe", "straße"),
        ("b", "b"),
    ],
)
def test_local_name(iri: str, name: str) -> None:
    assert local_name(iri) == name


def test_names_by_language() -> None:
    tram = Entity(
        "http://e.org#T1",
        Kind.CLASS,
        (Label("Straßenbahn", "de"), Label("tram", "en-GB")),
        (Label("streetcar", "en"), Label("tram")),
    )
    assert tram.names() == ["Straßenbahn", "tram", "streetcar"]
    assert tram.names(langs=["en"]) == ["tram", "streetcar"]
    assert tram.names(langs=["EN-gb"], synonyms=False) == ["tram"]
    assert tram.names(langs=["fr"], synonyms=False) == []


def test_only_an_entity_without_labels_is_named_by_its_iri() -> None:
    bare = Entity("http://e.org#ShelfMark", Kind.PROPERTY)
    assert bare.names(langs=["fr"]) == ["ShelfMark"]
    by_synonym = Entity("http://e.org#C12", Kind.CLASS, (), (Label("heart", "en"),))
    assert by_synonym.names() == ["heart"]
    assert by_synonym.names(synonyms=False) == ["C12"]


def test_an_ontology_counts_its_kinds() -> None:
    heart = Entity("e#1", Kind.CLASS, (Label("heart"),), (Label("cor"), Label("herz")))
    part = Entity("e#2", Kind.PROPERTY)
    ontology = Ontology("e", {e.iri: e for e in (heart, part)})
    assert ontology.counts() == {
        Kind.CLASS: KindCounts(1, 1, 2),
        Kind.PROPERTY: KindCounts(1, 0, 0),
    }
    assert ontology.kinds == [Kind.CLASS, Kind.PROPERTY]
    assert ontology.of_kind(Kind.PROPERTY) == [part]
    assert "e#1" in ontology
    assert len(ontology) == 2
    assert list(ontology) == [heart, part]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (("", "b"), "is empty"),
        (("a", "b", "==", 1.0), "relation '==' .* unknown"),
        (("a", "b", "=", 1.1), "outside"),
        (("a", "b", "=", float("nan")), "outside"),
    ],
)
def test_a_correspondence_refuses_what_has_no_meaning(
    values: tuple[str, ...], message: str
) -> None:
    with pytest.raises(AlignmentError, match=message):
        Correspondence(*values)  # type: ignore[arg-type]


@given(st.lists(correspondences, max_size=8), st.randoms())
def test_an_alignment_is_a_set_in_one_order(cs: list[Correspondence], random: object) -> None:
    shuffled = sorted(cs, key=lambda _: random.random())  # type: ignore[attr-defined]
    a, b = Alignment(cs), Alignment(shuffled)
    assert a == b
    assert hash(a) == hash(b)
    assert [c.key for c in a] == sorted({c.key for c in cs})
    for c in a:
        assert c.confidence == max(d.confidence for d in cs if d.key == c.key)


@given(alignments, alignments)
def test_set_algebra_is_that_of_the_keys(a: Alignment, b: Alignment) -> None:
    assert (a | b).keys == a.keys | b.keys
    assert (a & b).keys == a.keys & b.keys
    assert (a - b).keys == a.keys - b.keys
    assert (a <= b) == (a.keys <= b.keys)
    assert all(c in a for c in a & b)


@given(alignments, st.floats(0, 1))
def test_a_threshold_keeps_what_equals_it(a: Alignment, threshold: float) -> None:
    assert {c.key for c in a.at_least(threshold)} == {c.key for c in a if c.confidence >= threshold}
    assert a.at_least(0.0) == a


@given(alignments)
def test_swapping_twice_changes_nothing(a: Alignment) -> None:
    assert a.swapped().swapped() == a
    turned = {"<": ">", ">": "<"}
    assert a.swapped().keys == {
        Key(k.entity2, k.entity1, turned.get(k.relation, k.relation)) for k in a.keys
    }
