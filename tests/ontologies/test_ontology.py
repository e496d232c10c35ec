"""Names of entities, and how an ontology counts them."""

from __future__ import annotations

import pytest

from alignrank.ontologies import (
    Entity,
    Kind,
    KindCounts,
    Label,
    Ontology,
    local_name,
)


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
