"""Relaxed measures on the OAEI files, and who wins by which: the figures of docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau

from evaluation import MEASURES, Context, score
from evaluation.measures.relaxed.precision_recall import RelaxedScores, relaxed
from experiments.studies.oaei_2016 import (
    Anatomy,
    MeasureAgreement,
    agreement_report,
    measures_agree,
    tau_b,
)
from ontologies import load_ontology, read_alignment
from ontologies.tasks import bundled_task


@pytest.fixture(scope="module")
def relaxed_scores(anatomy: Anatomy) -> dict[str, dict[str, RelaxedScores]]:
    hierarchies = anatomy.context.hierarchies
    return {
        name: {
            proximity: relaxed(alignment, anatomy.reference, *hierarchies, proximity)
            for proximity in ("equality", "symmetric", "effort", "oriented")
        }
        for name, alignment in anatomy.systems.items()
    }


def test_near_misses_of_ten_systems(
    relaxed_scores: dict[str, dict[str, RelaxedScores]], anatomy: Anatomy
) -> None:
    wrong = {n: len(a - anatomy.reference) for n, a in anatomy.systems.items()}
    near = {name: len(relaxed_scores[name]["symmetric"].near_misses) for name in wrong}
    assert (sum(wrong.values()), sum(near.values())) == (1232, 115)
    assert (wrong["LPHOM"], near["LPHOM"]) == (453, 52)
    gain = {n: s["oriented"].f1 - s["equality"].f1 for n, s in relaxed_scores.items()}
    assert max(gain, key=lambda n: gain[n]) == "LPHOM"
    assert gain["LPHOM"] == pytest.approx(0.026, abs=5e-4)
    rankings = {
        tuple(sorted(wrong, key=lambda n: -relaxed_scores[n][proximity].f1))
        for proximity in ("equality", "symmetric", "effort", "oriented")
    }
    assert len(rankings) == 1
    for name, alignment in anatomy.systems.items():
        expected = score(alignment, anatomy.reference)
        got = relaxed_scores[name]["equality"]
        assert (got.precision, got.recall) == (expected.precision, expected.recall)


@given(arrays(float, st.tuples(st.integers(2, 4), st.integers(2, 7)), elements=st.integers(0, 4)))
def test_tau_b_is_kendall_s(rows: np.ndarray[Any, Any]) -> None:
    got = tau_b(rows)
    for i, one in enumerate(rows):
        for j, two in enumerate(rows):
            assert got[i, j] == pytest.approx(kendalltau(one, two).statistic, nan_ok=True)


def test_rankings_on_a_bundled_pair() -> None:
    task = bundled_task("foodchain")
    reference = read_alignment(task.reference)
    systems = {name: read_alignment(path) for name, path in task.alignments.items()}
    context = Context(load_ontology(task.source), load_ontology(task.target))
    found = measures_agree(systems, reference, context, ["standard", "coherence"])
    values = {m: row.tolist() for m, row in zip(found.measures, found.values, strict=True)}
    for name, value in zip(found.systems, values["standard", "f1"], strict=True):
        assert value == pytest.approx(score(systems[name], reference).f1)
    assert values["coherence", "unsatisfiable"] == [6, 0, 0]
    row = found.measures.index(("coherence", "unsatisfiable"))
    assert found.best(row) == ("system_good", "system_near_miss")  # less is better
    assert np.diag(found.tau) == pytest.approx(1)


@pytest.fixture(scope="module")
def agreement(anatomy: Anatomy, once: Any) -> MeasureAgreement:
    found: MeasureAgreement = once(
        "measures-agree",  # which the documentation's commands compute as well
        lambda: measures_agree(anatomy.systems, anatomy.reference, anatomy.context),
    )
    return found


def test_who_wins_under_which_measure(agreement: MeasureAgreement) -> None:
    first = {agreement.measures[i][0]: agreement.best(i) for i in agreement.chief}
    assert len(first) == 26
    assert sum(best == ("AML",) for best in first.values()) == 18
    assert {m: best for m, best in first.items() if best != ("AML",)} == {
        "fallout": ("Alin", "DKP-AOM"),
        "weighted": ("CroMatcher",),
        "weighted-api47": ("CroMatcher",),
        "weighted-api2013": ("Lily",),
        "weighted-symmetric": ("CroMatcher",),
        "semantic-closure": ("XMap",),
        "coherence": ("AML", "Alin", "DKP-AOM", "XMap"),
        "conservativity": ("DKP-AOM",),
    }


def test_how_far_the_rankings_agree(agreement: MeasureAgreement) -> None:
    at = {name: i for i, name in enumerate(agreement.measures)}

    def tau(*names: tuple[str, str]) -> float:
        one, two = (at[name] for name in names)
        return round(float(agreement.tau[one, two]), 2)

    f1 = ("standard", "f1")
    relaxed_ones = [m for m in MEASURES if m.startswith("relaxed")]
    assert len(relaxed_ones) == 7
    for measure in (*relaxed_ones, "semantic"):
        assert tau(f1, (measure, "f1")) == 1
    assert tau(f1, ("standard", "precision")) == -0.07
    assert tau(f1, ("standard", "recall")) == 0.91
    assert tau(f1, ("residual", "f1")) == 0.90
    assert tau(f1, ("weighted", "f1")) == 0.82
    assert tau(f1, ("semantic-closure", "f1")) == 0.60
    assert tau(f1, ("coherence", "incoherence")) == 0.12
    assert tau(f1, ("conservativity", "source_violations")) == -0.33
    text = agreement_report(agreement).to_text()
    assert "The 15 different rankings" in text
    assert "weighted-api2013 gives Lily an F1 of 4.745: its precision is negative" in text
