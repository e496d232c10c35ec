"""Alignments as sets of correspondences."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    Entity,
    Key,
    Kind,
    Label,
    NegatedCorrespondence,
    Ontology,
)
from alignrank.ontologies.alignment import OBJECT_LABEL, SUBJECT_LABEL, Columns, with_labels
from alignrank.ontologies.vocabulary import RDFS, SKOS

entities = st.sampled_from(["a#x", "a#y", "a#z"])
relations = st.sampled_from(["=", "<", ">", "?"])
correspondences = st.builds(Correspondence, entities, entities, relations, st.floats(0, 1))
alignments = st.builds(Alignment, st.lists(correspondences, max_size=8))


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


def slowly_merged(cs: list[Correspondence]) -> list[Correspondence]:
    """Return one correspondence of each key: the first with the highest confidence."""
    best: dict[Key, Correspondence] = {}
    for c in cs:
        if c.key not in best or c.confidence > best[c.key].confidence:
            best[c.key] = c
    return [best[key] for key in sorted(best)]


@given(
    st.lists(st.builds(Correspondence, entities, entities, relations, st.sampled_from([0.5, 1])))
)
def test_of_repeated_correspondences_the_first_of_the_highest_stays(
    cs: list[Correspondence],
) -> None:
    numbered = [replace(c, extra=(("row", str(row)),)) for row, c in enumerate(cs)]
    merged = Alignment(columns=Columns.of(numbered))
    assert [(c, c.extra) for c in merged] == [(c, c.extra) for c in slowly_merged(numbered)]


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


NEGATED = [
    NegatedCorrespondence("a#x", "b#x", f"{SKOS}exactMatch", "="),
    NegatedCorrespondence("a#y", "b#y", f"{SKOS}broadMatch", "<"),
    NegatedCorrespondence("a#z", "b#z", f"{RDFS}subClassOf", "<"),
]


def test_what_is_made_of_an_alignment_keeps_what_it_negates() -> None:
    a = Alignment([Correspondence("a#x", "b#y", "=", 0.5)], negated=NEGATED[:2])
    b = Alignment(negated=NEGATED[1:])
    assert len(a) == 1
    assert (a | b).negated == tuple(NEGATED)
    for other in (a & b, a - b, a.at_least(0.6), a.where(lambda c: False)):
        assert other.negated == a.negated
    assert a != Alignment(a)
    assert pickle.loads(pickle.dumps(a)) == a
    renamed = a.renamed(lambda iri: f"{iri}1", lambda iri: f"{iri}2")
    assert {(n.entity1, n.entity2) for n in renamed.negated} == {
        ("a#x1", "b#x2"),
        ("a#y1", "b#y2"),
    }


def test_a_negation_is_turned_only_where_its_predicate_has_an_inverse() -> None:
    turned = Alignment(negated=NEGATED).swapped().negated
    assert set(turned) == {
        NegatedCorrespondence("b#x", "a#x", f"{SKOS}exactMatch", "="),
        NegatedCorrespondence("b#y", "a#y", f"{SKOS}narrowMatch", ">"),
        NEGATED[2],  # nothing says "is a superclass of": as it stands it is as true
    }
    assert Alignment(negated=turned).denied == Alignment(negated=NEGATED).denied


def test_what_an_alignment_states_itself_it_does_not_deny() -> None:
    # two predicates may stand for one relation: not equivalent classes, but exact matches
    a = Alignment([Correspondence("a#x", "b#x")], negated=NEGATED[:1])
    assert a.denied == {Key("b#x", "a#x", "=")}


def test_of_two_equal_duplicates_the_first_is_kept() -> None:
    first, second = (Correspondence("a", "x", extra=(("note", word),)) for word in ("1st", "2nd"))
    assert next(iter(Alignment([first, second]))).extra == (("note", "1st"),)
    assert next(iter(Alignment([second, first]))).extra == (("note", "2nd"),)


@pytest.mark.parametrize(
    ("langs", "labels"),
    [
        ("all", ("perch", "perch")),
        ("sv", ("abborre", "perch")),
        ("fi", ("ahven", "perch")),
    ],
)
def test_the_labels_beside_a_pair_are_in_its_languages_or_the_same(
    langs: str, labels: tuple[str, str]
) -> None:
    texts = (Label("abborre", "sv"), Label("ahven", "fi"), Label("perch", "en"))
    source = Ontology("", {"a#1": Entity("a#1", Kind.CLASS, texts)})
    target = Ontology("", {"b#1": Entity("b#1", Kind.CLASS, (Label("perch", "en"),))})
    alignment = Alignment([Correspondence("a#1", "b#1")], metadata={"langs": langs})
    (c,) = with_labels(alignment, source, target)
    assert c.labels == labels


def test_labels_and_versions_are_turned_with_their_entities() -> None:
    labels = ((OBJECT_LABEL, "heart of man"), (SUBJECT_LABEL, "heart of mouse"))
    pair = Correspondence("a#1", "b#1", "=", extra=labels)
    denied = NegatedCorrespondence("a#2", "b#2", f"{SKOS}exactMatch", "=", labels)
    versions = {"subject_source_version": "1", "object_source_version": "2"}
    turned = Alignment([pair], negated=[denied], metadata=versions).swapped()
    (c,), (n,) = turned, turned.negated
    assert c.labels == n.labels == ("heart of man", "heart of mouse")
    assert turned.metadata == {"subject_source_version": "2", "object_source_version": "1"}
