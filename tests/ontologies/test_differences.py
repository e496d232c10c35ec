"""Differences between two mappings, pair by pair."""

from __future__ import annotations

from alignrank.ontologies import Alignment, Correspondence, NegatedCorrespondence
from alignrank.ontologies.curation import (
    CHANGE,
    EARLIER,
    KINDS,
    differences,
    marked_union,
)
from alignrank.ontologies.vocabulary import SKOS


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
