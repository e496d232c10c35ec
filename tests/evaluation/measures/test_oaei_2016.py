"""Who wins by which measure, and near misses: the figures of docs/measures.md, from the files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau

from alignrank.evaluation import MEASURES, Context, score
from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures.precision_recall import RelaxedScores, relaxed
from alignrank.ontologies import Alignment, load_ontology, read_alignment
from alignrank.ontologies.tasks.filters import filters

#: The systems whose files differ: DKP-AOM-Lite.rdf holds the same as DKP-AOM.rdf.
SYSTEMS = (
    *("AML", "Alin", "CroMatcher", "DKP-AOM", "FCA_Map"),
    *("LPHOM", "LYAM", "Lily", "LogMapLite", "XMap"),
)
#: The value that stands for its measure, where it has several.
CHIEF = ("f1", "best_f1", "incoherence", "source_violations")
Value = tuple[str, str]


@pytest.fixture(scope="module")
def context(oaei: Path) -> Context:
    return Context(*(load_ontology(oaei / "anatomy" / f"{n}.owl") for n in ("mouse", "human")))


@pytest.fixture(scope="module")
def reference(oaei: Path) -> Alignment:
    return read_alignment(oaei / "anatomy" / "reference.rdf")


@pytest.fixture(scope="module")
def systems(oaei: Path) -> dict[str, Alignment]:
    rule, folder = filters()["oaei-anatomy"], oaei / "anatomy" / "systems-2016"
    return {
        name: read_alignment(folder / f"{name}.rdf").where(lambda c: rule.keeps(c.key, ()))
        for name in SYSTEMS
    }


def test_near_misses_of_ten_systems(
    systems: dict[str, Alignment], reference: Alignment, context: Context
) -> None:
    proximities = ("equality", "symmetric", "effort", "oriented")
    found: dict[str, dict[str, RelaxedScores]] = {
        name: {p: relaxed(a, reference, *context.hierarchies, p) for p in proximities}
        for name, a in systems.items()
    }
    wrong = {name: len(a - reference) for name, a in systems.items()}
    near = {name: len(of["symmetric"].near_misses) for name, of in found.items()}
    assert (sum(wrong.values()), sum(near.values())) == (1232, 115)
    assert (wrong["LPHOM"], near["LPHOM"]) == (453, 52)
    gain = {name: of["oriented"].f1 - of["equality"].f1 for name, of in found.items()}
    assert max(gain, key=lambda name: gain[name]) == "LPHOM"
    assert gain["LPHOM"] == pytest.approx(0.026, abs=5e-4)
    assert len({tuple(sorted(found, key=lambda n: -found[n][p].f1)) for p in proximities}) == 1
    for name, alignment in systems.items():
        expected, got = score(alignment, reference), found[name]["equality"]
        assert (got.precision, got.recall) == (expected.precision, expected.recall)


@pytest.fixture(scope="module")
def goodness(
    systems: dict[str, Alignment], reference: Alignment, context: Context, by_reachability: None
) -> dict[Value, np.ndarray]:
    """How good each system is by each value of each measure that needs no reasoner."""
    chosen = [measure for name, measure in MEASURES.items() if name != "semantic-hermit"]
    found: dict[Value, list[float]] = {}
    for alignment in systems.values():
        for measure in chosen:
            of = values(measure(alignment, reference, context))
            for value in measure.columns:
                found.setdefault((measure.name, value), []).append(of[value])
    # sums in another order differ in the last digits: that is no difference of rank
    return {
        name: np.round(row, 10) * (-1 if MEASURES[name[0]].less_is_better else 1)
        for name, row in found.items()
    }


def test_who_wins_under_which_measure(goodness: dict[Value, np.ndarray]) -> None:
    first = {
        measure: tuple(s for s, x in zip(SYSTEMS, row, strict=True) if x == row.max())
        for (measure, value), row in goodness.items()
        if len(MEASURES[measure].columns) == 1 or value in CHIEF
    }
    assert len(first) == 27
    assert sum(best == ("AML",) for best in first.values()) == 19
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
    lily = SYSTEMS.index("Lily")
    assert goodness["weighted-api2013", "f1"][lily] == pytest.approx(4.745, abs=5e-4)
    assert goodness["weighted-api2013", "precision"][lily] < 0


def test_how_far_the_rankings_agree(goodness: dict[Value, np.ndarray]) -> None:
    def tau(measure: str, value: str) -> float:
        one, two = goodness["standard", "f1"], goodness[measure, value]
        return round(float(kendalltau(one, two).statistic), 2)

    relaxed_ones = [m for m in MEASURES if m.startswith("relaxed")]
    relaxed_ones.remove("relaxed-categorisation")
    assert tau("relaxed-categorisation", "f1") == 0.96
    assert len(relaxed_ones) == 7
    assert {tau(measure, "f1") for measure in (*relaxed_ones, "semantic")} == {1.0}
    assert tau("standard", "precision") == -0.07
    assert tau("standard", "recall") == 0.91
    assert tau("residual", "f1") == 0.90
    assert tau("weighted", "f1") == 0.82
    assert tau("semantic-closure", "f1") == 0.60
    assert tau("coherence", "incoherence") == 0.12
    assert tau("conservativity", "source_violations") == -0.33
