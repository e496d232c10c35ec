"""What the reader of a comparison is told to be wary of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.evaluation import Comparison, compare, compare_counts
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.ontologies import Alignment, Correspondence, read_alignment

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))
SYSTEMS = GOLDEN["table2"]["systems"]


def texts(comparison: Comparison, kind: str) -> list[str]:
    return [str(caution) for caution in comparison.cautions if caution.kind == kind]


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
    (pointing,) = texts(metrics, "against-f1")
    assert "cfp points against F1 in 8 arrows" in pointing
    assert f"Equal -> N-gram (F1 0.233 and {metrics.scores['N-gram'].f1:.3f})" in pointing
    (imprecise,) = texts(metrics, "imprecise")
    assert imprecise.startswith("Precision is below one half for ")
    low = [name for name, s in metrics.scores.items() if s.precision < 0.5]
    assert len(low) == 8
    assert all(f"{name} ({metrics.scores[name].precision:.3f})" in imprecise for name in low)


def test_no_trap_no_warning(anatomy: Comparison) -> None:
    assert not texts(anatomy, "against-f1")
    assert not texts(anatomy, "imprecise")


def test_views_that_disagree_are_named(anatomy: Comparison) -> None:
    assert texts(anatomy, "views-contradict") == [
        "Which of two is significantly better depends on the count for 1 pair: FCA-Map is better "
        "than LYAM by entity and cfp, but LYAM is better than FCA-Map by ifp. entity (used here) "
        "counts right answers, ifp correct correspondences, cfp correct minus wrong ones. Report "
        "entity, and mention this."
    ]
    (differ,) = texts(anatomy, "views-differ")
    assert differ.startswith("By other counts ")
    assert " verdicts change, such as: " in differ


def test_missing_weak_order_is_said(anatomy: Comparison) -> None:
    assert not texts(anatomy, "no-weak-order")
    table = anatomy.discordant["ifp"]
    nemenyi = compare_counts(
        table, anatomy.systems, settings=AnalysisSettings(correction="nemenyi")
    )
    (order,) = texts(nemenyi, "no-weak-order")
    assert order.startswith("ifp: the graph is not a strict weak order: ")
    assert "LYAM/XMap" in order


def test_few_discordant_cases_are_named() -> None:
    (few,) = compare_counts(
        [[0, 7], [1, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    assert (few.kind, few.view) == ("few-cases", "ifp")
    assert "fewer than 25 discordant cases for a/b (8): take the exact or the mid-p" in few.text
    assert not compare_counts(
        [[0, 20], [5, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    assert not compare_counts([[0, 7], [1, 0]], ["a", "b"]).cautions  # mid-p needs no number


def test_validity_is_honest() -> None:
    def validity(test: str | None = None, correction: str | None = None) -> str:
        settings = AnalysisSettings(test, correction)
        return compare_counts([[0, 9], [1, 0]], ["a", "b"], settings).validity

    assert "at most alpha, however the pairs depend on each other" in validity("exact")
    assert "not guaranteed: mid-p p-values are not strictly valid" in validity()
    assert "at most alpha if the items are independent, and under" in validity("exact", "hochberg")
    assert "Simes" in validity(correction="hochberg")
    assert "not controlled" in validity(correction="none")
    assert validity().endswith("It takes cases as independent.")


@pytest.mark.parametrize("name", ["cfp", "My tool. With BK", "entity: x"])
def test_a_system_called_as_a_view_or_with_a_stop_keeps_its_cautions(name: str) -> None:
    """Names are no part of how a caution is stored: kind, view and text are."""
    reference = Alignment(Correspondence(f"a#{k:02}", f"b#{k}") for k in range(60))
    wrong = Alignment(Correspondence(f"w#{k}", f"x#{k}") for k in range(200))
    result = compare({name: reference | wrong, "half": reference - wrong}, reference)
    (imprecise,) = [caution for caution in result.cautions if caution.kind == "imprecise"]
    assert (imprecise.view, imprecise.system) == (None, None)
    assert str(imprecise) == imprecise.text
    assert f"below one half for {name} (" in imprecise.text
    assert result.deciding.order == ("half", name)
    first = result.answer()[0]
    assert first.startswith("half scores best (right 1.000")
    assert first.endswith(f"; {name} is significantly worse.")
    assert (
        Comparison.from_dict(json.loads(json.dumps(result.to_dict()))).cautions == result.cautions
    )


def test_views_of_source_and_target_entities_say_which_entities_they_count() -> None:
    reference = Alignment(Correspondence(f"s{k}", "t") for k in range(20))
    settings = AnalysisSettings(views=("entity", "entity-target"))
    result = compare({"all": reference, "none": Alignment()}, reference, settings)
    (differ,) = texts(result, "views-differ")
    assert (
        "entity (used here) counts right answers for source entities, entity-target right answers "
        "for target entities."
    ) in differ
