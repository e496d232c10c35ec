"""Parts of a score, and what several systems share."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation.credit import standard
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.measures.breakdown import Arity, agreement, arity, by_kind
from alignrank.ontologies.ontology import Entity, Kind, Ontology
from tests.evaluation.worked_example import REFERENCE, SYSTEM, aligned, alignments


def test_breakdown_by_kind():
    entities = {"c": Entity("c", Kind.CLASS), "p": Entity("p", Kind.PROPERTY)}
    ontology = Ontology("", entities)
    a = aligned([["c", "c"], ["p", "p"], ["c", "p"], ["ghost", "c"]])
    parts = by_kind(standard(a, aligned([["c", "c"]])), ontology, ontology).parts
    assert {p.part: (p.found, p.reference, p.scores.precision) for p in parts} == {
        "class": (1, 1, 1.0),
        "class-property": (1, 0, 0.0),
        "property": (1, 0, 0.0),
        "undeclared-class": (1, 0, 0.0),
    }
    frame = by_kind(standard(a, a), ontology, ontology).to_frame()
    assert list(frame["part"]) == ["class", "class-property", "property", "undeclared-class"]


def test_arity():
    rows = [["a", "x"], ["b", "y"], ["b", "z"], ["c", "w"], ["d", "w"], ["e", "u"], ["e", "v"]]
    rows += [["f", "u"], ["f", "v"], ["f", "v", "<"]]
    assert arity(aligned(rows)) == Arity(1, 2, 2, 4)


@given(st.dictionaries(st.sampled_from("123"), alignments, min_size=1), alignments)
def test_agreement_counts(systems, reference):
    got = agreement(systems, reference)
    right = judged(reference, reference).reference
    assert sum(got.found_by.values()) == len(right)
    assert (got.jaccard == got.jaccard.T).all()
    assert (np.diag(got.jaccard) == 1).all()
    assert got.found_by.get(1, 0) == sum(len(a) for a in got.unique_correct.values())
    for name, alone in got.unique_correct.items():
        others = [a for other, a in systems.items() if other != name]
        assert all(c.key in right and not any(c.key in a for a in others) for c in alone)


def test_difference():
    parts = (SYSTEM & REFERENCE, SYSTEM - REFERENCE, REFERENCE - SYSTEM)
    assert tuple(map(len, parts)) == (3, 3, 1)
