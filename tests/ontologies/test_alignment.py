"""Alignments as sets of correspondences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    Key,
)

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
