"""What a reference does not judge."""

from __future__ import annotations

import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.counts import score, without_unknown
from alignrank.evaluation.credit.credits import standard
from tests.evaluation.worked_example import GOLDEN, REFERENCE, SYSTEM, aligned


def test_unjudged_pairs():
    case = GOLDEN["partial_reference"]["unknown_relation"]
    counts = score(aligned(case["A"]), aligned(case["R"]))
    kept = without_unknown(aligned(case["A"]), aligned(case["R"]))
    got = standard(kept.alignment, kept.reference).scores()
    assert (got.precision, got.recall) == (case["P"], case["recall"])
    assert (counts.precision, counts.recall) == (case["P"], case["recall"])
    assert kept.left_out_found == 1
    assert len(kept.reference) == len(case["R"]) - 1


@pytest.mark.parametrize(
    ("completeness", "name"),
    [
        ("complete", "complete_gold"),
        ("source-target", "source_and_target_complete"),
        ("partial", "source_and_target_complete"),
        ("source", "source_complete_only"),
        ("none", "nothing_complete"),
    ],
)
def test_completeness(completeness, name):
    case = GOLDEN["partial_reference"]["partial_gold_source_and_target_complete"]
    kept = without_unknown(aligned(case["A"]), aligned(case["R"]), completeness)
    got = standard(kept.alignment, kept.reference).scores()
    assert (got.precision, got.recall) == pytest.approx((case[name]["P"], case[name]["R"]))


def test_unknown_completeness():
    with pytest.raises(EvaluationError, match="completeness 'half' is unknown"):
        without_unknown(SYSTEM, REFERENCE, "half")
