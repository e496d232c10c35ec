"""Cautions: what they are about, and which of them come first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.results import MINOR, Caution, by_weight

KINDS = ["views-contradict", "few-cases", "imprecise", *sorted(MINOR)]
cautions = st.builds(
    Caution, st.sampled_from(KINDS), st.text(max_size=3), st.sampled_from([None, "entity", "ifp"])
)


def test_a_caution_reads_with_its_view_in_front() -> None:
    assert (
        str(Caution("few-cases", "take the exact test", view="ifp")) == "ifp: take the exact test"
    )
    assert str(Caution("imprecise", "do not rank by cfp", system="cfp")) == "do not rank by cfp"


def test_a_text_that_looks_like_a_view_in_front_is_text_only() -> None:
    caution = Caution("merged", "entity: x is merged", system="entity: x")
    assert (caution.view, str(caution)) == (None, "entity: x is merged")
    assert by_weight([caution, Caution("imprecise", "low")], "entity")[-1] == caution


def test_contradictions_come_first_and_what_hardly_matters_last() -> None:
    minor = Caution("clipped", "confidences above 1 count as 1")
    of_another_view = Caution("few-cases", "few", view="cfp")
    of_the_view = Caution("cycle", "a circle", view="entity")
    contradiction = Caution("views-contradict", "the views contradict each other")
    mixed = [minor, of_another_view, of_the_view, contradiction]
    assert by_weight(mixed, "entity") == [contradiction, of_the_view, minor, of_another_view]
    assert by_weight([of_another_view, of_the_view]) == [of_another_view, of_the_view]


def weight_by_definition(caution: Caution, view: str | None) -> int:
    if caution.kind == "views-contradict":
        return 0
    elsewhere = caution.view is not None and caution.view != view
    return 2 if elsewhere or caution.kind in MINOR else 1


@given(st.lists(cautions), st.sampled_from([None, "entity"]))
def test_the_order_is_stable_and_loses_nothing(mixed: list[Caution], view: str | None) -> None:
    ordered = by_weight(mixed, view)
    by_definition = [
        caution
        for weight in range(3)
        for caution in mixed
        if weight_by_definition(caution, view) == weight
    ]
    assert ordered == by_definition
