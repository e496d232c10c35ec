"""Alignments read by chosen predicates."""

from __future__ import annotations

import pytest

from alignrank.ontologies import Alignment, Correspondence, NegatedCorrespondence
from alignrank.ontologies.tasks.reader import AlignmentReader
from alignrank.ontologies.vocabulary import SKOS

CLOSE, RELATED = f"{SKOS}closeMatch", f"{SKOS}relatedMatch"


@pytest.mark.parametrize("method", ["system", "reference"])
def test_a_chosen_predicate_counts_also_where_it_is_negated(method: str) -> None:
    stated = Alignment(
        [Correspondence("a#x", "b#x", "?", stated_relation=CLOSE)],
        negated=[NegatedCorrespondence("a#x", f"b#{k}", k, k) for k in (CLOSE, RELATED)],
    )
    read = getattr(AlignmentReader(None, ["closeMatch"]), method)(stated)
    assert [c.relation for c in read] == ["="]
    assert [n.relation for n in read.negated] == ["=", RELATED]
