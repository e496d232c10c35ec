"""One system against all others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from alignrank.evaluation import (
    AnalysisSettings,
    Comparison,
    EvaluationError,
    compare_counts,
)
from alignrank.evaluation.comparison.pairwise import focus_on
from alignrank.evaluation.corrections.adjusting import adjust

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


N_BY_1 = ["bonferroni", "holm", "holland", "finner", "hochberg", "hommel", "rom", "li"]


@pytest.mark.parametrize("correction", N_BY_1)
def test_xmap_as_the_new_system(both_views: Comparison, correction: str) -> None:
    """The paper's N×1 case: nine comparisons instead of 45."""
    result = focus_on(both_views.views["ifp"], "XMap", correction)
    assert result.verdicts == {
        "Alin": "better",
        "AML": "worse",
        "CroMatcher": "worse",
        "DKP-AOM": "better",
        "FCA-Map": "better",
        "Lily": "better",
        "LogMapLite": "better",
        "LPHOM": "better",
        "LYAM": "undecided",
    }
    view = both_views.views["ifp"]
    place = view.systems.index("XMap")
    p = np.delete(view.tests["mid-p"].p[place], place)
    assert result.adjusted == pytest.approx(adjust(p, correction).values)
    assert len(result.to_frame()) == 9


def test_against_needs_a_known_system_and_a_correction_for_it(both_views: Comparison) -> None:
    view = both_views.views["ifp"]
    with pytest.raises(EvaluationError, match="system 'Xmap' is unknown: did you mean XMap"):
        focus_on(view, "Xmap")
    with pytest.raises(EvaluationError, match="does not serve all systems against one: use holm"):
        focus_on(view, "XMap", "bergmann-hommel")


def test_a_focus_stands_between_those_better_and_those_worse() -> None:
    right = np.array([0, 200, 100, 50, 150])
    counts = np.maximum(right[:, None] - right[None, :], 0)
    result = compare_counts(counts, list("eacdb"), AnalysisSettings(focus="c"))
    assert result.deciding.order == tuple("abcde")
