"""Contingency tables against the paper's equations, taken literally, and its worked examples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError, contingency_table
from alignrank.evaluation.comparison.contingency import (
    ContingencyTable,
    decisions,
    discordant,
    incidence,
)
from alignrank.ontologies import Alignment, Correspondence, Key, NegatedCorrespondence

SOURCES, TARGETS = "abcd", "wxyz"
PAIRS = list(product(SOURCES, TARGETS))
SETS = st.sets(st.sampled_from(PAIRS), max_size=10)


def alignment(pairs: set[tuple[str, str]]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


@given(SETS, SETS, SETS.filter(bool))
def test_ifp_is_equation_1(
    a1: set[tuple[str, str]], a2: set[tuple[str, str]], r: set[tuple[str, str]]
) -> None:
    expected = ContingencyTable(
        len(r - (a1 | a2)), len((a2 & r) - a1), len((a1 & r) - a2), len(a1 & a2 & r)
    )
    table = contingency_table(alignment(a1), alignment(a2), alignment(r), "ifp")
    assert table == expected
    assert table.total == len(r)


@given(SETS, SETS, SETS.filter(bool))
def test_cfp_is_equation_2_with_t_written_out(
    a1: set[tuple[str, str]], a2: set[tuple[str, str]], r: set[tuple[str, str]]
) -> None:
    t = set(PAIRS)
    expected = ContingencyTable(
        len(r - (a1 | a2)) + len((a1 & a2) - r),
        len((a2 & r) - a1) + len(a1 - a2 - r),
        len((a1 & r) - a2) + len(a2 - a1 - r),
        len(a1 & a2 & r) + len((t - r) - (a1 | a2)),
    )
    table = contingency_table(alignment(a1), alignment(a2), alignment(r), "cfp", len(t))
    assert table == expected
    assert table.total == len(t)


@given(SETS, SETS, SETS.filter(bool))
def test_entity_view_judges_whole_answers(
    a1: set[tuple[str, str]], a2: set[tuple[str, str]], r: set[tuple[str, str]]
) -> None:
    for view, side, entities in (("entity", 0, SOURCES), ("entity-target", 1, TARGETS)):
        right = [
            [{p for p in a if p[side] == e} == {p for p in r if p[side] == e} for e in entities]
            for a in (a1, a2)
        ]
        cells = [(x, y) for x, y in zip(*right, strict=True)]
        expected = ContingencyTable(
            *(cells.count(c) for c in [(False, False), (False, True), (True, False), (True, True)])
        )
        a, b, c = alignment(a1), alignment(a2), alignment(r)
        assert contingency_table(a, b, c, view, len(entities)) == expected  # type: ignore[arg-type]


@given(st.lists(SETS, min_size=2, max_size=4), SETS.filter(bool))
def test_matrix_holds_the_tables_discordant_cells_and_is_additive(
    systems: list[set[tuple[str, str]]], r: set[tuple[str, str]]
) -> None:
    named = {str(k): alignment(a) for k, a in enumerate(systems)}
    for view in ("ifp", "cfp", "entity", "entity-target"):
        matrix = discordant(decisions(incidence(named, alignment(r)), view).correct)
        difference = matrix - matrix.T
        for i, j in product(range(len(systems)), repeat=2):
            table = contingency_table(named[str(i)], named[str(j)], alignment(r), view)  # type: ignore[arg-type]
            assert (matrix[i, j], matrix[j, i]) == (table.n10, table.n01)
            for k in range(len(systems)):
                assert difference[i, j] + difference[j, k] == difference[i, k]
                assert matrix[i, k] <= matrix[i, j] + matrix[j, k]


def test_difference_is_that_of_correct_and_of_correct_minus_wrong() -> None:
    r = alignment({("a", "w"), ("b", "x")})
    two = {"p": alignment({("a", "w"), ("c", "y"), ("d", "z")}), "q": alignment(set())}
    ifp, cfp = (discordant(decisions(incidence(two, r), view).correct) for view in ("ifp", "cfp"))
    assert (ifp - ifp.T)[0, 1] == 1
    assert (cfp - cfp.T)[0, 1] == 1 - 2


def test_paper_examples() -> None:
    r = alignment({("a", "w"), ("b", "x")})
    more = alignment({("a", "w"), ("b", "x"), ("c", "y"), ("d", "z"), ("d", "w")})
    for view in ("ifp", "cfp"):
        same = contingency_table(r, r, r, view)  # type: ignore[arg-type]
        assert (same.n01, same.n10) == (0, 0)
    ifp = contingency_table(r, more, r, "ifp")
    assert (ifp.n01, ifp.n10) == (0, 0)
    cfp = contingency_table(r, more, r, "cfp", 16)
    assert cfp == ContingencyTable(n00=0, n01=0, n10=3, n11=13)


def test_n11_of_cfp_is_unknown_without_candidates() -> None:
    r = alignment({("a", "w")})
    table = contingency_table(r, r, r, "cfp")
    assert table.n11 is None
    assert table.total is None


def test_unjudged_pairs_are_in_no_table() -> None:
    r = Alignment([Correspondence("a", "w"), Correspondence("b", "x", "?")])
    systems = {"x": alignment({("a", "w"), ("b", "x")}), "y": alignment({("a", "w"), ("x", "b")})}
    for view in ("ifp", "cfp", "entity"):
        assert not discordant(decisions(incidence(systems, r), view).correct).any()


def test_another_relation_is_another_item() -> None:
    r = alignment({("a", "w")})
    found = {"x": Alignment([Correspondence("a", "w", "<")])}
    assert incidence(found, r).items == (Key("a", "w", "<"), Key("a", "w", "="))


def test_decisions_name_their_entities() -> None:
    table = incidence({"s": alignment({("b", "x")})}, alignment({("a", "w")}))
    assert decisions(table, "ifp").entities == ("a",)
    assert decisions(table, "cfp").entities == ("a", "b")
    assert decisions(table, "entity-target").entities == ("w", "x")


def test_bad_input_is_named() -> None:
    r = alignment({("a", "w"), ("b", "x")})
    unjudged = Alignment([Correspondence("a", "w", "?")], name="gold")
    with pytest.raises(EvaluationError, match="the reference gold holds no correspondence with a"):
        contingency_table(r, r, unjudged, "ifp")
    with pytest.raises(EvaluationError, match=r"candidates is 1, but .* mention 2 pairs"):
        contingency_table(r, r, r, "cfp", 1)
    with pytest.raises(EvaluationError, match="view 'both' is unknown: use one of ifp, cfp"):
        contingency_table(r, r, r, "both")  # type: ignore[arg-type]


def test_many_systems_and_items_by_blocks() -> None:
    rng = np.random.default_rng(1)
    right = rng.random((12, 70_001)) < 0.6
    matrix = discordant(right)
    for i, j in [(0, 1), (5, 11), (7, 7)]:
        assert matrix[i, j] == (right[i] & ~right[j]).sum()


def test_what_the_reference_negates_is_wrong_where_its_pair_is_open() -> None:
    negated = [NegatedCorrespondence("b", "x", "http://e.org/exact", "=")]
    r = Alignment([Correspondence("a", "w"), Correspondence("b", "x", "?")], negated=negated)
    table = incidence({"s": alignment({("a", "w"), ("b", "x")})}, r)
    assert (table.scores["s"].found, table.scores["s"].correct, table.reference) == (2, 1, 1)
