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
from alignrank.evaluation.corrections.adjusting import adjust

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


N_BY_1 = ["bonferroni", "holm", "holland", "finner", "hochberg", "hommel", "rom", "li"]


@pytest.mark.parametrize("correction", N_BY_1)
def test_xmap_as_the_new_system(both_views: Comparison, correction: str) -> None:
    """The paper's N×1 case: nine comparisons instead of 45."""
    view = both_views.views["ifp"]
    assert view.counts is not None
    settings = AnalysisSettings("mid-p", correction, focus="XMap")
    result = compare_counts(view.counts.discordant, view.systems, settings).deciding
    verdicts = {rival: word for (name, rival), word in result.verdicts.items() if name == "XMap"}
    assert verdicts == {
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
    place = view.systems.index("XMap")
    p = np.delete(view.tests["mid-p"].p[place], place)
    adjusted = np.delete(result.adjusted_p[place], place)
    assert adjusted == pytest.approx(adjust(p, correction).values)
    assert len(result.pairs_by_rank()) == 9


def test_against_needs_a_known_system_and_a_correction_for_it(both_views: Comparison) -> None:
    counts, systems = both_views.discordant["ifp"], both_views.systems
    with pytest.raises(EvaluationError, match="system 'Xmap' is unknown: did you mean XMap"):
        compare_counts(counts, systems, AnalysisSettings(focus="Xmap"))
    of_all_pairs = AnalysisSettings(correction="bergmann-hommel", focus="XMap")
    with pytest.raises(EvaluationError, match="does not serve all systems against one: use holm"):
        compare_counts(counts, systems, of_all_pairs)


def test_a_focus_stands_between_those_better_and_those_worse() -> None:
    right = np.array([0, 200, 100, 50, 150])
    counts = np.maximum(right[:, None] - right[None, :], 0)
    result = compare_counts(counts, list("eacdb"), AnalysisSettings(focus="c"))
    assert result.deciding.order == tuple("abcde")
