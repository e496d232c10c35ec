"""What the reader of a comparison is told to be wary of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.evaluation import Comparison, compare, compare_counts
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.ontologies import read_alignment

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))
SYSTEMS = GOLDEN["table2"]["systems"]


@pytest.fixture(scope="module")
def anatomy(oaei: Path) -> Comparison:
    """The paper's ten systems as the OAEI published them."""
    folder = oaei / "anatomy"
    systems = {
        name: read_alignment(folder / "systems-2016" / f"{name.replace('FCA-', 'FCA_')}.rdf")
        for name in SYSTEMS
    }
    return compare(systems, read_alignment(folder / "reference.rdf"))


@pytest.fixture(scope="module")
def metrics(oaei: Path) -> Comparison:
    """The authors' alignments of nine string metrics."""
    folder = oaei / "anatomy"
    systems = {
        name: read_alignment(
            folder / "string-metrics-2017" / f"{name.replace('Wunsch', 'Wunsch2')}.rdf"
        )
        for name in GOLDEN["table5"]["systems"]
    }
    return compare(systems, read_alignment(folder / "reference.rdf"))


def test_cfp_trap_is_said_aloud(metrics: Comparison) -> None:
    assert ("Equal", "N-gram") in metrics.edges["cfp"]["bergmann-hommel"]
    assert metrics.scores["Equal"].f1 < metrics.scores["N-gram"].f1
    (pointing,) = [w for w in metrics.cautions if "points against F1" in w]
    assert "in 8 arrows" in pointing
    assert f"Equal -> N-gram (F1 0.233 and {metrics.scores['N-gram'].f1:.3f})" in pointing
    (imprecise,) = [w for w in metrics.cautions if "below one half" in w]
    low = [name for name, s in metrics.scores.items() if s.precision < 0.5]
    assert len(low) == 8
    assert all(f"{name} ({metrics.scores[name].precision:.3f})" in imprecise for name in low)


def test_no_trap_no_warning(anatomy: Comparison) -> None:
    assert not [w for w in anatomy.cautions if "against F1" in w or "one half" in w]


def test_views_that_disagree_are_named(anatomy: Comparison) -> None:
    said = [w for w in anatomy.cautions if w.startswith("the views contradict")]
    assert said == [
        "the views contradict each other on who is better if items are independent: FCA-Map and "
        "LYAM (entity: FCA-Map, ifp: LYAM, cfp: FCA-Map): quote entity, and name the others "
        "beside it"
    ]


def test_missing_weak_order_is_said(anatomy: Comparison) -> None:
    assert not [w for w in anatomy.cautions if "weak order" in w]
    table = anatomy.discordant["ifp"]
    nemenyi = compare_counts(
        table, anatomy.systems, settings=AnalysisSettings(correction="nemenyi")
    )
    (said,) = [w for w in nemenyi.cautions if "not a strict weak order" in w]
    assert said.startswith("ifp: ")
    assert "LYAM/XMap" in said


def test_few_discordant_cases_are_named() -> None:
    (said,) = compare_counts(
        [[0, 7], [1, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    assert "fewer than 25 discordant cases for a/b (8): take the exact or the mid-p" in said
    assert not compare_counts(
        [[0, 20], [5, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    assert not compare_counts([[0, 7], [1, 0]], ["a", "b"]).cautions  # mid-p needs no number


def test_validity_is_honest() -> None:
    def said(**options: str) -> str:
        return compare_counts([[0, 9], [1, 0]], ["a", "b"], **options).validity  # type: ignore[arg-type]

    assert "at most alpha, however the pairs depend on each other" in said(test="exact")
    assert "not guaranteed: mid-p p-values are not strictly valid" in said()
    assert "at most alpha if the items are independent, and under" in said(
        test="exact", correction="hochberg"
    )
    assert "Simes" in said(correction="hochberg")
    assert "not controlled" in said(correction="none")
