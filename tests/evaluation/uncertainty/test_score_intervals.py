"""Intervals of ordinary precision, recall and F1 are those of the credits that they stand for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation.comparison.contingency import lined_up
from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.uncertainty.score_intervals import credit_intervals, system_intervals
from alignrank.ontologies import Alignment, Correspondence

SOURCES, TARGETS = st.sampled_from("abcdef"), st.sampled_from("uvwxyz")
PAIRS = st.lists(st.builds(Correspondence, SOURCES, TARGETS, st.sampled_from("=<?")), min_size=1)


@given(PAIRS, PAIRS, st.none() | st.dictionaries(SOURCES, st.sampled_from("ghi")))
def test_counts_give_the_intervals_of_the_credits(
    found: list[Correspondence], right: list[Correspondence], clusters: dict[str, str] | None
) -> None:
    evaluated = without_unknown(Alignment(found), Alignment(right))
    if not (evaluated.alignment or evaluated.reference):
        return
    earned = standard(evaluated.alignment, evaluated.reference)
    slow = credit_intervals(earned, clusters=clusters)
    table = lined_up({"": Alignment(found)}, Alignment(right))
    assert repr(system_intervals(table, clusters)[""]) == repr(slow)
