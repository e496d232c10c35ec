"""Differences between two mappings, pair by pair."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.ontologies import (
    Alignment,
    Correspondence,
    NegatedCorrespondence,
    read_alignment,
)
from alignrank.ontologies.alignment import CONFIDENCE
from alignrank.ontologies.curation import (
    CHANGE,
    EARLIER,
    KINDS,
    differences,
    marked_union,
    stated_confidence,
)
from alignrank.ontologies.vocabulary import OWL, SKOS


def mapping(*rows: tuple[str, str, float], denied: str = "") -> Alignment:
    """Rows of name, relation and confidence; names that are denied as equivalent."""
    stated = (Correspondence(f"a#{n}", f"b#{n}", relation, c) for n, relation, c in rows)
    exact = f"{SKOS}exactMatch"
    negated = [NegatedCorrespondence(f"a#{n}", f"b#{n}", exact, "=") for n in denied]
    return Alignment(stated, negated=negated)


OLD = mapping(
    ("u", "=", 1), ("v", "=", 1), ("w", "=", 0.9), ("x", "=", 1), ("z", "=", 1), denied="n"
)
NEW = mapping(("v", "<", 1), ("w", "=", 0.5), ("y", "=", 1), ("z", "=", 1), denied="un")


def test_every_pair_has_its_kind_and_contradictions_come_first() -> None:
    kinds = [(difference.pair[0][-1], difference.kind) for difference in differences(OLD, NEW)]
    assert kinds == [*zip("uvwxyn", KINDS, strict=True), ("z", "the same")]
    turned = {d.pair[0][-1]: d.kind for d in differences(NEW, OLD)}
    assert turned == dict(kinds) | {"x": "only in the second", "y": "only in the first"}


def test_a_denied_pair_contradicts_only_the_relation_that_it_denies() -> None:
    (narrower,) = differences(mapping(("u", "<", 1)), mapping(denied="u"))
    assert narrower.kind == "other relation"


def test_the_union_says_of_each_statement_where_it_stands() -> None:
    union = marked_union(differences(OLD, NEW), NEW)
    changes = {(c.entity1[-1], c.relation): dict(c.extra)[CHANGE] for c in union}
    assert changes == {
        ("v", "="): "other relation, in the first",
        ("v", "<"): "other relation, in the second",
        ("w", "="): "other confidence",
        ("x", "="): "only in the first",
        ("y", "="): "only in the second",
        ("z", "="): "the same",
    }
    denied = {n.entity1[-1]: dict(n.extra)[CHANGE] for n in union.negated}
    assert denied == {"u": "contradiction", "n": "the same"}
    (changed,) = (c for c in union if c.entity1 == "a#w")
    assert (changed.confidence, dict(changed.extra)[EARLIER]) == (0.5, "= 0.900")


def test_a_mapping_without_confidences_has_no_other_confidence() -> None:
    old = Alignment([Correspondence("a#x", "b#x")], has_confidences=False)
    new = Alignment([Correspondence("a#x", "b#x", confidence=0.9)])
    assert [d.kind for d in differences(old, new)] == ["the same"]


def test_every_denied_predicate_of_a_pair_is_in_the_union() -> None:
    predicates = f"{SKOS}exactMatch", f"{OWL}equivalentClass"
    denied = [NegatedCorrespondence("a#x", "b#x", p, "=") for p in predicates]
    mapping = Alignment(negated=denied)
    union = marked_union(differences(mapping, mapping), mapping)
    assert {n.predicate for n in union.negated} == set(predicates)


@pytest.mark.parametrize(("text", "number"), [("0,9", 0.9), ("", 0.0)])
def test_a_denied_row_may_write_its_confidence_with_a_comma(
    tmp_path: Path, text: str, number: float
) -> None:
    path = tmp_path / "a.sssom.tsv"
    header = "subject_id\tpredicate_id\tobject_id\tpredicate_modifier\tconfidence\n"
    path.write_text(f"{header}http://a#x\tskos:exactMatch\thttp://b#x\tNot\t{text}\n")
    assert [stated_confidence(n) for n in read_alignment(path).negated] == [number]


def test_a_remark_in_place_of_a_confidence_is_none() -> None:
    denied = NegatedCorrespondence("a#x", "b#x", f"{SKOS}exactMatch", "=", ((CONFIDENCE, "low"),))
    assert stated_confidence(denied) == 0
