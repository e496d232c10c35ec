"""One against all, the grid of choices, and the pairs whose verdict depends on them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation import Comparison, EvaluationError, compare_counts, mcnemar
from evaluation.comparison.pairwise import against
from evaluation.comparison.sensitivity import Choice, sensitivity
from evaluation.corrections import adjust
from evaluation.uncertainty.fragility import fragility

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "mcnemar.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def both_views() -> Comparison:
    """Tables 2 and 3 side by side."""
    parts = {
        view: compare_counts(GOLDEN[table]["matrix"], GOLDEN[table]["systems"], view=view)
        for view, table in (("ifp", "table2"), ("cfp", "table3"))
    }
    ifp = parts["ifp"]
    views = {view: part.views[view] for view, part in parts.items()}
    return Comparison(ifp.systems, ifp.test, ifp.correction, ifp.alpha, {}, views, ifp.validity, ())


def test_only_nemenyi_differs_in_the_papers_grid(both_views: Comparison) -> None:
    """All four tests and all stepwise corrections give the same graphs."""
    grid = sensitivity(both_views).edges
    assert len(grid) == 2 * 4 * 10
    expected = {("ifp", "nemenyi"): 42, ("cfp", "nemenyi"): 41}
    for choice, edges in grid.items():
        if choice.correction != "none":
            assert edges == expected.get((choice.view, choice.correction), 43), choice


def test_table_5_in_the_grid() -> None:
    facts = GOLDEN["table5"]
    grid = sensitivity(compare_counts(facts["matrix"], facts["systems"]))
    assert set(grid.edges.values()) == {34}
    assert grid.flips == ()
    assert grid.to_frame()["edges"].eq(34).all()


def test_flips_between_views_and_corrections(both_views: Comparison) -> None:
    flips = sensitivity(both_views).flips
    assert {(f.between, f.view, f.pair) for f in flips} == {
        ("view", "", ("FCA-Map", "LYAM")),
        ("view", "", ("FCA-Map", "XMap")),
        ("view", "", ("Lily", "LogMapLite")),
        ("view", "", ("LogMapLite", "LPHOM")),
        ("view", "", ("LYAM", "XMap")),
        ("correction", "ifp", ("CroMatcher", "LYAM")),
        ("correction", "cfp", ("FCA-Map", "LYAM")),
        ("correction", "cfp", ("LogMapLite", "LYAM")),
    }
    turned = next(f for f in flips if f.pair == ("FCA-Map", "LYAM") and f.between == "view")
    assert turned.winners == {"ifp": "LYAM", "cfp": "FCA-Map"}


def test_flips_between_tests() -> None:
    result = sensitivity(compare_counts([[0, 7], [1, 0]], ["a", "b"]), ["nemenyi", "holm"])
    (flip,) = sensitivity(compare_counts([[0, 7], [1, 0]], ["a", "b"])).flips
    assert (flip.between, flip.view) == ("test", "ifp")
    assert flip.winners == {"asymptotic": "a", "continuity": "", "exact": "", "mid-p": "a"}
    assert result.verdicts[Choice("ifp", "exact", "holm")] == {("a", "b"): ""}


def test_strict_gives_the_same_graphs_on_the_papers_tables(both_views: Comparison) -> None:
    grid = sensitivity(both_views, ["bergmann-hommel"]).verdicts
    for view in ("ifp", "cfp"):
        exact, midp = (grid[Choice(view, t, "bergmann-hommel")] for t in ("exact", "mid-p"))
        assert exact == midp


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


N_BY_1 = ["bonferroni", "holm", "holland", "finner", "hochberg", "hommel", "rom", "li"]


@pytest.mark.parametrize("correction", N_BY_1)
def test_xmap_as_the_new_system(both_views: Comparison, correction: str) -> None:
    """The paper's N×1 case: nine comparisons instead of 45."""
    result = against(both_views.views["ifp"], "XMap", correction)
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
    with pytest.raises(EvaluationError, match="no system is called 'Xmap': there are Alin, "):
        against(view, "Xmap")
    with pytest.raises(EvaluationError, match="is not meant for N×1"):
        against(view, "XMap", "bergmann-hommel")
