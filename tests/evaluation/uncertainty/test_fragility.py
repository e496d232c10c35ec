"""How many items an arrow hangs on, counted one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import Comparison, EvaluationError, Pairwise, compare, compare_counts, mcnemar
from evaluation.corrections import adjust
from evaluation.uncertainty.fragility import fragility
from ontologies import Alignment, Correspondence

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


def view(b: int, c: int, reference: int | None = 1000, **options: Any) -> Pairwise:
    result = compare_counts([[0, b], [c, 0]], ["a", "b"], reference=reference, **options)
    return next(iter(result.views.values()))


@given(st.integers(1, 80), st.integers(0, 40))
def test_fragility_counts_up_until_the_arrow_falls(b: int, c: int) -> None:
    v = view(b, c)
    if b > c and v.ranking.edges:
        loss = next(f for f in range(b + 1) if not view(b - f, c).ranking.edges)
        assert fragility(v).items == {("a", "b"): loss}
    elif not v.ranking.edges:
        assert fragility(v).items == {}


def test_fragility_under_a_correction_is_that_of_adjusting_again() -> None:
    matrix = np.array([[0, 40, 45], [8, 0, 19], [9, 15, 0]])
    v = compare_counts(matrix, ["a", "b", "c"], correction="nemenyi").views["ifp"]
    for (better, worse), loss in fragility(v).items.items():
        i, j = "abc".index(better), "abc".index(worse)
        for f in (loss - 1, loss):
            p = v.tests["mid-p"].p.copy()
            p[i, j] = p[j, i] = float(mcnemar(matrix[i, j] - f, matrix[j, i]).p)
            assert (adjust(p, "nemenyi").values[i, j] <= 0.05) == (f < loss)


def test_fragility_where_p_underflows() -> None:
    (loss,) = fragility(view(2000, 0, 5000)).items.values()
    assert loss == 1996  # 4 to 0 is not significant, 5 to 0 is


def test_fragility_needs_a_mcnemar_test() -> None:
    r = Alignment([Correspondence("a", "b"), Correspondence("a", "c")])
    v = compare({"x": r, "y": Alignment()}, r).views["cfp"]
    with pytest.raises(EvaluationError, match="mid-p in cfp is no McNemar test of them"):
        fragility(v)


def test_fragility_of_the_papers_arrows(both_views: Comparison) -> None:
    frame = fragility(both_views.views["ifp"]).to_frame()
    assert frame.iloc[0].tolist() == ["ifp", "CroMatcher", "LYAM", 12, 108]
    loss = 12
    view = both_views.views["ifp"]
    i, j = (view.systems.index(name) for name in ("CroMatcher", "LYAM"))
    for f, stands in ((loss - 1, True), (loss, False)):
        matrix = np.array(GOLDEN["table2"]["matrix"])
        p = view.tests["mid-p"].p.copy()
        p[i, j] = p[j, i] = float(mcnemar(matrix[i, j] - f, matrix[j, i]).p)
        assert (adjust(p, "bergmann-hommel").values[i, j] <= 0.05) == stands
