"""McNemar's test between systems of which only totals are published."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError
from alignrank.common.table import read_sheet
from alignrank.evaluation.comparison.answers import read_answers
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.comparison.table_checks import measure_called
from alignrank.evaluation.comparison.totals import (
    SystemTotals,
    compare_totals,
    has_totals,
    read_totals,
)
from alignrank.evaluation.significance.mcnemar import mcnemar


def subsets(size: int, chosen: int) -> list[frozenset[int]]:
    return [frozenset(items) for items in combinations(range(size), chosen)]


@given(st.data(), st.sampled_from(["mid-p", "exact", "asymptotic", "continuity"]))
def test_bounds_are_those_of_all_overlaps(data: st.DataObject, test: str) -> None:
    """Every answer of the second system is tried against one of the first; false ones, too."""
    items = data.draw(st.integers(1, 7))
    right = data.draw(st.tuples(*[st.integers(0, items)] * 2))
    wrong = data.draw(st.tuples(*[st.integers(0, 3)] * 2))
    totals = SystemTotals(
        items,
        {"a": (right[0],) * 2, "b": (right[1],) * 2},
        {"a": wrong[0], "b": wrong[1]},
    )
    settings = AnalysisSettings(test=test)
    by_view = {pair.view: pair for pair in compare_totals(totals, settings).pairs}
    first, false = frozenset(range(right[0])), frozenset(range(wrong[0]))
    p_values: dict[str, list[float]] = {"ifp": [], "cfp": []}
    for second in subsets(items, right[1]):
        b, c = len(first - second), len(second - first)
        p_values["ifp"].append(float(mcnemar(b, c, test).p))
        for others in subsets(wrong[0] + wrong[1], wrong[1]):
            b_all, c_all = b + len(others - false), c + len(false - others)
            p_values["cfp"].append(float(mcnemar(b_all, c_all, test).p))
    for view, values in p_values.items():
        assert by_view[view].p == pytest.approx((min(values), max(values)), abs=1e-12)


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(st.just(n), *[st.tuples(*[st.integers(0, n)] * 2)] * 2)
    )
)
def test_a_range_of_totals_is_the_union_of_its_values(
    drawn: tuple[int, tuple[int, int], tuple[int, int]],
) -> None:
    items, *limits = drawn
    a, b = (tuple(sorted(pair)) for pair in limits)
    whole = compare_totals(SystemTotals(items, {"a": a, "b": b}), AnalysisSettings()).pairs[0]
    parts = [
        compare_totals(SystemTotals(items, {"a": (i, i), "b": (j, j)}), AnalysisSettings())
        .pairs[0]
        .p
        for i in range(a[0], a[1] + 1)
        for j in range(b[0], b[1] + 1)
    ]
    assert whole.p == pytest.approx((min(p for p, _ in parts), max(p for _, p in parts)))


def test_the_correction_is_on_the_upper_ends() -> None:
    """Three pairs by hand: Holm multiplies the smallest upper end by three."""
    totals = SystemTotals(
        100, {name: (found, found) for name, found in zip("abc", (90, 60, 58), strict=True)}
    )
    compared = compare_totals(totals, AnalysisSettings(correction="holm"))
    by_pair = {(pair.better, pair.worse): pair for pair in compared.pairs}
    assert by_pair["a", "c"].adjusted_p[1] == pytest.approx(3 * by_pair["a", "c"].p[1])
    assert by_pair["a", "b"].whatever_the_overlap == "significant"
    assert by_pair["b", "c"].whatever_the_overlap == "not significant"
    focused = compare_totals(totals, AnalysisSettings(focus="a"))
    assert [(pair.better, pair.worse) for pair in focused.pairs] == [("a", "b"), ("a", "c")]
    np.testing.assert_allclose(by_pair["b", "c"].z[0], 2 / np.sqrt(82))


def test_published_precision_and_recall_bound_the_totals(tmp_path: Path) -> None:
    table = tmp_path / "published.csv"
    table.write_text("system,P,R,n\nAML,.950,.936,1516\nXMap,.930,.865,1516\n")
    assert has_totals(read_sheet(table))
    assert read_totals(table).correct == {"AML": (1419, 1419), "XMap": (1311, 1312)}
    table.write_text("system;R;F1\nAML;94;95\nXMap;86.5;90\n")
    assert read_totals(table, 1516).correct == {"AML": (1418, 1432), "XMap": (1311, 1312)}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("s,P,R\na,.5,.5\n", "the size of the reference is missing: add a column FN or n"),
        ("s,TP,FN\na,5,5\nb,5,6\n", "line 3: 11 correspondences in the reference, 10"),
        ("s,TP,n\na,x,5\nb,5,6\n", "line 2: 'x' is no number"),
        ("s,TP,n\na,6,5\nb,5,5\n", "line 2: TP 6 exceeds the 5 correspondences"),
        ("s,P,R,n\na,.5,.333,10\nb,.5,.5,10\n", "line 2: no number of 10 correspondences has"),
        ("s,TP,n\na,1.5,5\nb,5,5\n", "line 2: cell 2 is 1.5: a count is a whole number"),
        ("s,TP,n\na,1,5\na,5,5\n", "system 'a' comes twice"),
        ("s,R,n\na,nan,5\nb,.4,5\n", "line 2: 'nan' is no number"),
        ("s,R,n\na,inf,5\nb,.4,5\n", "line 2: 'inf' is no number"),
        ("s,TP,n\na,9e15,5\nb,5,5\n", "line 2: 9E\\+15 must be 0 or more, and below 2\\^52"),
        ("s,TP,n\na,0,0\nb,0,0\n", "line 2: a reference has 1 correspondence or more, not 0"),
        ("s,TP,tp,n\na,1,2,5\nb,2,1,5\n", "columns 'TP' and 'tp' are both true positives"),
    ],
)
def test_a_table_that_says_nothing_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    table = tmp_path / "totals.csv"
    table.write_text(text)
    with pytest.raises(EvaluationError, match=fault):
        read_totals(table)


def test_the_oaeis_recall_of_what_is_not_trivial_is_no_recall(tmp_path: Path) -> None:
    table = tmp_path / "oaei.csv"
    table.write_text("Matcher,Precision,Recall,Recall+,n\nA,.9,.90,.50,100\nB,.8,.50,.90,100\n")
    assert read_totals(table).correct == {"A": (90, 90), "B": (50, 50)}


def test_marks_between_the_words_of_a_title_are_one_blank() -> None:
    for title in ("true__positives", "True _Positives", "true_-_positives"):
        assert measure_called(title) == "true positives"


def test_coarse_recalls_of_a_large_reference_need_little_memory() -> None:
    totals = SystemTotals(1_000_000, {"a": (850_000, 950_000), "b": (750_000, 850_000)})
    (pair,) = compare_totals(totals, AnalysisSettings()).pairs
    assert pair.difference == (0, 200_000)
    assert pair.whatever_the_overlap == "it depends"


def test_items_of_systems_are_no_totals(tmp_path: Path) -> None:
    table = tmp_path / "items.csv"
    table.write_text("item,AML recall,P\nq1,1,0\n")
    assert not has_totals(read_sheet(table))


@pytest.mark.parametrize(
    "table", ["system,F1\nAML,.943\nXMap,.896\n", "name,F1\nAML,.943\nXMap,.9\n"]
)
def test_f1_alone_allows_no_test(tmp_path: Path, table: str) -> None:
    path = tmp_path / "f1.csv"
    path.write_text(table)
    assert not has_totals(read_sheet(path))
    with pytest.raises(EvaluationError, match="F1 alone allows no test: add columns P and R"):
        read_answers(path)


def test_recall_in_percent_is_read_with_or_without_its_sign(tmp_path: Path) -> None:
    path = tmp_path / "totals.csv"
    path.write_text("system,R,n\nAML,93.6%,1516\nXMap,86.5 %,1516\n")
    assert has_totals(read_sheet(path))
    assert read_totals(path).correct == {"AML": (1419, 1419), "XMap": (1311, 1312)}
    path.write_text("system,R,n\nAML,0.9%,1516\nXMap,.8,1516\n")
    with pytest.raises(EvaluationError, match="1 of 2 scores are written with %"):
        read_totals(path)


def test_of_systems_with_the_same_recall_none_is_ahead() -> None:
    totals = SystemTotals(1000, {"a": (800, 800), "b": (800, 800), "c": (700, 700)})
    pairs = compare_totals(totals, AnalysisSettings()).pairs
    assert [pair.order for pair in pairs] == [("a or b", "b or a"), ("a", "c"), ("b", "c")]
