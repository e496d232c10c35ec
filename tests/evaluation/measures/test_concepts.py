"""Classified items: augmented precision and recall, pairs, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.common.errors import EvaluationError, OntologyError
from alignrank.evaluation.measures.balanced_distance import (
    BalancedDistance,
    concept_scores,
    read_concepts,
)
from alignrank.ontologies.hierarchy import Hierarchy

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "hierarchical.json").read_text("utf-8"))
TAXONOMY = Hierarchy.of_parents(GOLDEN["small"]["T1_real_root"]["parents"])
BDM = BalancedDistance(TAXONOMY, virtual_root=False)


def test_augmented_example():
    case = GOLDEN["augmented"]
    key = {f"i{n}": ["Map"] for n in range(case["correct"])}
    response = {**key, "spurious": ["Map"]}
    key |= {"near": ["Novel"], "nearer": ["Novel"], "missing1": ["Map"], "missing2": ["Map"]}
    response |= {"near": ["Book"], "nearer": ["Textbook"]}
    got = concept_scores(key, response, BDM)
    values = (got.augmented.precision, got.augmented.recall, got.augmented.f1)
    assert values == pytest.approx((case["AP"], case["AR"], case["AF"]))
    assert sorted(p.bdm for p in got.pairs if 0 < p.bdm < 1) == pytest.approx(
        sorted(case["mismatched_pairs_bdm"])
    )
    assert (got.exact.precision, got.exact.recall) == (6 / 9, 6 / 10)
    alone = {p.item: (p.key, p.response) for p in got.pairs if p.bdm == 0}
    assert alone == {
        "spurious": (None, "Map"),
        "missing1": ("Map", None),
        "missing2": ("Map", None),
    }
    assert len(got.to_frame()) == 11


def test_several_classes_of_an_item_are_paired_for_the_largest_sum():
    got = concept_scores({"i": ["Novel", "Audio"]}, {"i": ["Podcast", "Textbook"]}, BDM)
    assert {(p.key, p.response) for p in got.pairs} == {("Novel", "Textbook"), ("Audio", "Podcast")}


def test_a_pair_of_value_0_is_a_pair_all_the_same():
    (pair,) = concept_scores({"i": ["Novel"]}, {"i": ["Podcast"]}, BDM).pairs
    assert (pair.key, pair.response, pair.bdm) == ("Novel", "Podcast", 0)
    assert pair.learning_accuracy == pytest.approx(1 / 7)


def test_unknown_class():
    with pytest.raises(OntologyError, match="entity Scroll is not in the hierarchy"):
        concept_scores({"i": ["Scroll"]}, {}, BDM)


def write(tmp_path, text):
    path = tmp_path / "concepts.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_classes_are_read_by_iri_or_last_part(tmp_path):
    h = Hierarchy.of_parents({"http://a#City": ["http://a#Place"], "http://b#Place": []})
    path = write(tmp_path, "item\tclass\nRome\tCity\nRome\thttp://a#Place\nRome\tCity\nX\tnull\n")
    assert read_concepts(path, h) == {"Rome": ("http://a#City", "http://a#Place"), "X": ()}
    with pytest.raises(
        EvaluationError, match=r"line 2: class 'Place' is ambiguous: http://a#Place"
    ):
        read_concepts(write(tmp_path, "item\tclass\nRome\tPlace\n"), h)
    with pytest.raises(EvaluationError, match="line 3: class 'Town' is not in the ontology"):
        read_concepts(write(tmp_path, "item\tclass\nRome\tCity\nOslo\tTown\n"), h)
