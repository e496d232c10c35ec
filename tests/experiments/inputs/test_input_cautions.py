"""Systems whose files do not belong to the reference."""

from __future__ import annotations

import pytest

from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import AlignmentOptions, read_evaluation
from alignrank.ontologies import Alignment, Correspondence
from alignrank.ontologies.tasks.reader import checked

OBO = "http://purl.obolibrary.org/obo/"
REFERENCE = Alignment([Correspondence(f"{OBO}HP_{i}", f"{OBO}MP_{i}") for i in range(5)])


def test_swapped_sides_are_noticed_where_both_ontologies_share_a_namespace() -> None:
    with pytest.raises(ExperimentError, match="its sides are swapped"):
        read_evaluation({"mine": REFERENCE.swapped()}, REFERENCE, AlignmentOptions())


def test_other_entities_of_the_same_namespace_are_only_wrong() -> None:
    wrong = Alignment([Correspondence(f"{OBO}HP_{i}", f"{OBO}MP_{i}") for i in range(7, 9)])
    task = checked({"mine": wrong}, REFERENCE)
    assert list(task.systems) == ["mine"]
    assert "none of its 2 entity1 entities occurs in the reference" in task.cautions[0].text
