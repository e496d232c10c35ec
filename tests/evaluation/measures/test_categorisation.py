"""Hierarchical categorisation against values that were worked out by hand from the formula."""

from __future__ import annotations

import numpy as np
import pytest

from alignrank.evaluation import MEASURES, score
from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures.precision_recall import categorised
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy

#: Vehicle above Car and Boat, Car above Sports and Van; Tool stands beside Vehicle.
TAXONOMY = Hierarchy.of_parents(
    {"Car": ["Vehicle"], "Boat": ["Vehicle"], "Sports": ["Car"], "Van": ["Car"]},
    entities=["Tool"],
)


def alignment(*pairs: str) -> Alignment:
    return Alignment(Correspondence(*pair.split()) for pair in pairs)


@pytest.mark.parametrize(
    ("found", "right", "precision", "recall"),
    [
        # one right, one a link away (both sides contribute 1/2), one missed without an answer:
        # 2 / (2 + 1/2), 2 / (3 + 1/2)
        (["a Sports", "b Van"], ["a Car", "b Van", "d Car"], 4 / 5, 4 / 7),
        # three links: 1 - 3/2 on either side; 0 / (2 - 1/2), where ordinary precision is 1/2
        (["b Van", "c Boat"], ["b Van", "c Sports"], 0, 0),
        # two labels: the wrong one contributes 1/2 + 0, the missed ones 1/2 and 0
        (["e Car"], ["e Sports", "e Boat"], 2 / 3, 2 / 5),
        # siblings contribute nothing
        (["a Sports", "b Van"], ["a Van", "b Van"], 1 / 2, 1 / 2),
        # two top classes meet in the virtual root, at two links; unknown ones nowhere: -1
        (["a Tool", "b Van"], ["a Vehicle", "b Van"], 1 / 2, 1 / 2),
        (["a Unknown", "b Van", "c Van"], ["a Van", "b Van", "c Van"], 0, 0),
        # the divisor 1 - 3 is not positive: nothing is above it
        (["a Unknown"], ["a Van", "a Car", "a Boat"], 0, 0),
        (["a Unknown"], ["a Unknown"], 1, 1),
    ],
)
def test_values_by_hand(
    found: list[str], right: list[str], precision: float, recall: float
) -> None:
    got = values(categorised(alignment(*found), alignment(*right), TAXONOMY))
    assert (got["precision"], got["recall"]) == pytest.approx((precision, recall))


def test_it_can_be_lower_than_precision_and_says_so() -> None:
    found, right = alignment("b Van", "c Boat"), alignment("b Van", "c Sports")
    judgement = categorised(found, right, TAXONOMY)
    assert values(judgement)["precision"] < score(found, right).precision
    assert "can be lower" in judgement.cautions[0]
    assert MEASURES["relaxed-categorisation"].needs_ontologies


def test_an_entity_that_counts_twice_counts_twice() -> None:
    found, right = alignment("a Sports", "b Van"), alignment("a Car", "b Van", "d Car")
    column = {"a": 0, "b": 1, "d": 2}
    weighted = categorised(found, right, TAXONOMY).resampled(np.array([[2.0, 1, 0]]), column)
    assert weighted[0, :2].tolist() == pytest.approx([3 / 4, 3 / 4])
