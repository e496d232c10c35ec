"""The guidelines for metrics, checked on every measure: the figures of docs/measures.md."""

from __future__ import annotations

import pytest

from alignrank.evaluation import MEASURES, relaxed
from alignrank.ontologies import Alignment, Correspondence
from tests.evaluation.measures.guidelines import PERFECT, Audit, audit, audit_all, small_pair


@pytest.fixture(scope="module")
def audited(by_reachability: None) -> dict[tuple[str, str], Audit]:
    return {(row.measure, row.value): row for row in audit_all()}


def test_what_the_guidelines_find(audited: dict[tuple[str, str], Audit]) -> None:
    assert len(audited) == 65
    keeps = {name for name, row in audited.items() if row.keeps}
    assert len(keeps) == 39
    decisive = {name for name in keeps if audited[name].as_good == 0}
    assert decisive == {
        *(("standard", "f1"), ("weighted", "f1"), ("relaxed-symmetric", "f1"), ("semantic", "f1")),
        ("relaxed-categorisation", "f1"),
        *((name, name) for name in ("f0.5", "f2", "overall", "jaccard", "mcc")),
    }
    for (measure, value), row in audited.items():
        never_falls = {("relaxed-symmetric", "f1"), ("relaxed-categorisation", "precision")}
        never_falls.add(("relaxed-categorisation", "f1"))
        if measure.startswith("relaxed") and value != "recall":
            assert (row.right_lowers > 0) == ((measure, value) not in never_falls)

    def share(measure: str, value: str, what: str) -> float:
        return round(getattr(audited[measure, value], what), 2)

    assert share("relaxed-oriented", "f1", "right_lowers") == 0.06
    assert share("weighted-api47", "precision", "far_raises") == 0.24
    assert share("semantic", "recall", "near_raises") == 0.08
    assert share("coherence", "unsatisfiable", "as_good") == 0.69
    assert share("conservativity", "source_violations", "as_good") == 0.39
    assert audited["weighted-api2013", "precision"].worst_is_worst is False


def test_a_right_correspondence_may_lower_relaxed_precision() -> None:
    """The case behind the audit's finding, by hand: a near miss loses its partner."""
    context = small_pair()
    near, right = Correspondence("s#Bird", "t#Creature"), Correspondence("s#Bird", "t#Fowl")
    reference = Alignment(PERFECT)
    before, after = (
        relaxed(Alignment(found), reference, *context.hierarchies, "precision").precision
        for found in ([right], [right, near])
    )
    alone = relaxed(Alignment([near]), reference, *context.hierarchies, "recall").precision
    assert (before, after, alone) == (1, 0.75, 1)


def test_shares_are_those_of_a_count_by_hand() -> None:
    """Of precision: every part of the reference is as good as the whole, its last pair sure or not.

    Judged are 16 parts, with each of 42 wrong ones (21, sure or unsure), also beside one wrong pair
    more (40 then), and 32 bases with one more unsure right one in 2 · 32 ways; the whole reference,
    and its four versions with one unsure pair, are perfect.
    """
    (row, *_) = audit(MEASURES["standard"])
    judged = 16 + 16 * 42 + 16 * 40 + 2 * 32
    parts, with_an_unsure_pair = 16 - 1, 1 * 4 + 4 * 3 + 6 * 2
    assert row.as_good == pytest.approx((parts + with_an_unsure_pair) / (judged - 5))
    assert (row.perfect, row.worst, row.right_lowers, row.far_raises) == (1, 0, 0, 0)
    assert row.keeps
