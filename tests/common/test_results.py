"""Cautions: what they are about."""

from __future__ import annotations

from alignrank.common.results import Caution


def test_a_caution_reads_with_its_view_in_front() -> None:
    assert (
        str(Caution("few-cases", "take the exact test", view="ifp")) == "ifp: take the exact test"
    )
    assert str(Caution("imprecise", "do not rank by cfp", system="cfp")) == "do not rank by cfp"


def test_a_text_that_looks_like_a_view_in_front_is_text_only() -> None:
    caution = Caution("merged", "entity: x is merged", system="entity: x")
    assert (caution.view, str(caution)) == (None, "entity: x is merged")
