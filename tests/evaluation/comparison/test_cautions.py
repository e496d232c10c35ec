"""What the reader of a comparison is told to be wary of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from alignrank.common.names import first_of
from alignrank.evaluation import (
    Answers,
    Comparison,
    EntityClusters,
    EvaluationError,
    compare,
    compare_answers,
    compare_counts,
)
from alignrank.evaluation.comparison.cautions import validity as sentence_of
from alignrank.evaluation.comparison.robustness import sensitivity, with_alternatives
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
    few, sensitive = compare_counts(
        [[0, 7], [1, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    assert sensitive.kind == "test-sensitive"
    assert (few.kind, few.view) == ("few-cases", "ifp")
    assert "fewer than 25 discordant cases for a/b (8): take the exact or the mid-p" in few.text
    assert not compare_counts(
        [[0, 20], [5, 0]], ["a", "b"], settings=AnalysisSettings(test="asymptotic")
    ).cautions
    by_mid_p = compare_counts([[0, 7], [1, 0]], ["a", "b"])
    assert not texts(by_mid_p, "few-cases")  # it needs no number


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
    with pytest.raises(EvaluationError, match="correction 'homl' is unknown"):
        sentence_of("exact", "homl")


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


def test_verdicts_that_depend_on_the_test_or_the_correction_are_named() -> None:
    """Seven against one: p is .039 by mid-p, .070 by exact; three pairs make .117 of .039."""
    counts = [[0, 7, 36], [1, 0, 30], [2, 2, 0]]
    by_mid_p = compare_counts(counts, ["a", "b", "c"])
    by_nemenyi = compare_counts(counts, ["a", "b", "c"], AnalysisSettings(correction="nemenyi"))
    by_exact = compare_counts(counts, ["a", "b", "c"], AnalysisSettings(test="exact"))
    with_focus = compare_counts(counts, ["a", "b", "c"], AnalysisSettings(focus="a"))
    text = "ifp: the verdict depends on the {} for a/b"
    for result, sensitive_to in (
        (by_mid_p, ["test"]),
        (by_nemenyi, ["correction"]),
        (by_exact, []),
        (with_focus, ["test"]),
    ):
        for choice in ("test", "correction"):
            expected = [text.format(choice)] if choice in sensitive_to else []
            assert texts(result, f"{choice}-sensitive") == expected


def test_a_test_of_independent_items_is_no_other_choice_where_there_are_clusters() -> None:
    """Three clusters of five speak for one system: exact would count fifteen items."""
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(120))
    clusters = {f"a#{k:03}": f"cluster {k // 5}" for k in range(120)}
    systems = {"all": reference, "fewer": reference.where(lambda c: c.entity1 >= "a#015")}
    settings = AnalysisSettings(clusters=EntityClusters(clusters))
    result = with_alternatives(compare(systems, reference, settings))
    assert result.deciding.edges == ()
    assert result.deciding.decided_by("exact", "bergmann-hommel").edges
    assert texts(result, "test-sensitive") == []


@pytest.mark.parametrize("correction", [None, "holm", "nemenyi"])
@pytest.mark.parametrize("test", [None, "exact", "asymptotic"])
def test_the_cautions_are_those_of_the_grid_of_choices(
    test: str | None, correction: str | None
) -> None:
    """The slow definition: all tests and corrections are tried, and two of them are looked at."""
    rng, items, n_flips = np.random.default_rng(0), tuple(map(str, range(60))), 0
    for _ in range(12):
        answers = {
            name: 1.0 * (rng.random((1, 60)) < 0.6 + k / 10) for k, name in enumerate("abcd")
        }
        result = compare_answers(Answers(items, answers), AnalysisSettings(test, correction))
        sound = {
            "test": (result.test, "exact"),
            "correction": (result.correction, "bergmann-hommel"),
        }
        for choice, names in sound.items():
            changed = [
                "/".join(flip.pair)
                for flip in sensitivity(result).flips
                if flip.between == choice and len({flip.winners[name] for name in names}) > 1
            ]
            n_flips += len(changed)
            expected = []
            if changed:
                expected = [f"item: the verdict depends on the {choice} for {first_of(changed, 5)}"]
            assert texts(result, f"{choice}-sensitive") == expected
    assert n_flips or (test, correction) == ("exact", None)
