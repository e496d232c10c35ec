"""One decision per source entity, two grades of arrows, and pairs that nothing could decide."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import (
    Comparison,
    EvaluationError,
    compare,
    compare_counts,
    compare_judged,
    parent_clusters,
)
from alignrank.evaluation.comparison.settings import AnalysisSettings
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.significance.clustered import unit_tests
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from tests.conftest import THOROUGH
from tests.generated import examples

#: Arrows with entities as independent, those that stand with siblings together too, and all pairs.
ARROWS = {
    "systems-2016": (44, 42, 45),
    "systems-2018": (71, 65, 78),
    "systems-2023": (33, 29, 36),
    "string-metrics-2017": (34, 31, 36),
}


@pytest.fixture(scope="module")
def anatomy(oaei: Path) -> tuple[Alignment, dict[str, str]]:
    """The reference, and the siblings among its source entities."""
    folder = oaei / "anatomy"
    siblings = parent_clusters(load_ontology(folder / "mouse.owl"))
    return read_alignment(folder / "reference.rdf"), siblings


def of_year(oaei: Path, year: str) -> dict[str, Alignment]:
    files = sorted((oaei / "anatomy" / year).glob("*.rdf"))
    return {f.stem: read_alignment(f) for f in files if f.stem != "DKP-AOM-Lite"}


@pytest.mark.parametrize("year", ARROWS)
def test_arrows_on_anatomy(
    oaei: Path, anatomy: tuple[Alignment, dict[str, str]], year: str
) -> None:
    reference, siblings = anatomy
    systems = of_year(oaei, year)
    graded = compare(
        systems, reference, settings=AnalysisSettings(views=["entity"]), clusters=siblings
    )
    alone = compare(systems, reference, settings=AnalysisSettings(views=["entity"]))
    edges = set(graded.edges["entity"]["bergmann-hommel"])
    conditional = set(graded.conditional["entity"]["bergmann-hommel"])
    pairs = len(systems) * (len(systems) - 1) // 2
    assert (len(edges) + len(conditional), len(edges), pairs) == ARROWS[year]
    assert edges | conditional == set(alone.edges["entity"]["bergmann-hommel"])
    assert alone.conditional["entity"]["bergmann-hommel"] == ()


def test_what_is_told_of_each_pair(oaei: Path, anatomy: tuple[Alignment, dict[str, str]]) -> None:
    reference, siblings = anatomy
    view = compare(of_year(oaei, "systems-2016"), reference, clusters=siblings).views["entity"]
    assert view.enough == 11  # for 45 pairs
    assert view.design_effect is not None
    assert view.effective is not None
    i, j = view.systems.index("XMap"), view.systems.index("FCA_Map")
    assert view.effective[i, j] == pytest.approx(view.items / view.design_effect[i, j])
    words = view.verdicts
    assert words["XMap", "FCA_Map"] == "better if siblings are independent"
    assert words["FCA_Map", "XMap"] == "worse if siblings are independent"
    content = view.to_dict()
    assert ["XMap", "FCA_Map"] in content["conditional"]["bergmann-hommel"]  # type: ignore[index]  # plain JSON
    assert {"design_effect", "effective", "differing", "undecidable", "siblings"} <= set(content)


COUNTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=9).map(
    lambda rows: np.array(rows).T
)


@given(COUNTS)
@examples(60)
def test_unit_tests_are_the_enumeration_of_all_signs(counts: np.ndarray) -> None:
    d = counts[0] - counts[1]
    sums = np.abs([np.dot(signs, d) for signs in product((1, -1), repeat=len(d))])
    observed = abs(d.sum())
    tests = unit_tests(counts)
    exact = (sums >= observed).mean()
    assert tests["exact"].p[0, 1] == pytest.approx(exact)
    mid = exact - (sums == observed).mean() / 2 if d.any() else 1.0
    assert tests["mid-p"].p[0, 1] == pytest.approx(mid)
    assert tests["mid-p"].advantage[0, 1] == d.sum()


def alignment(*pairs: tuple[str, str]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


def test_cfp_counts_an_entity_once() -> None:
    """A wrong answer on an entity of the reference is one case, not two."""
    rng = np.random.default_rng(8)
    reference = alignment(*((f"e{k:02}", "x") for k in range(60)))
    erred = {"mohammadi-2018": 0, "": 0}
    for _ in range(60):
        systems = {
            name: alignment(*((f"e{k:02}", "x" if rng.random() < 0.7 else "y") for k in range(60)))
            for name in "abcd"
        }
        for protocol in erred:
            views = None if protocol else ["cfp"]
            found = compare(
                systems,
                reference,
                settings=AnalysisSettings(views=views, protocol=protocol or None),
            )
            erred[protocol] += bool(found.edges["cfp"]["bergmann-hommel"])
    assert erred[""] <= 6 < erred["mohammadi-2018"]


def siblings_decide(seed: int, *, clustered: bool) -> bool:
    """Whether three equal systems differ, on siblings that share their fate."""
    rng = np.random.default_rng(seed)
    names = [f"e{k:03}" for k in range(150)]
    clusters = {name: str(k // 6) for k, name in enumerate(names)}
    systems = {
        s: alignment(*((n, "x") for n, ok in zip(names, np.repeat(fate, 6), strict=True) if ok))
        for s, fate in zip("abc", rng.random((3, 25)) < 0.6, strict=True)
    }
    reference = alignment(*((n, "x") for n in names))
    found = compare(
        systems,
        reference,
        settings=AnalysisSettings(views=["entity"]),
        clusters=clusters if clustered else None,
    )
    return bool(found.edges["entity"]["bergmann-hommel"])


def test_the_level_is_kept_where_siblings_share_their_fate() -> None:
    seeds = range(100 if THOROUGH else 30)
    assert np.mean([siblings_decide(seed, clustered=True) for seed in seeds]) < 0.1
    assert np.mean([siblings_decide(seed, clustered=False) for seed in seeds]) > 0.2


def test_too_few_differing_units_are_undecidable() -> None:
    few = compare_counts([[0, 3, 40], [1, 0, 37], [5, 4, 0]], ["a", "b", "c"], reference=200)
    assert few.views["ifp"].undecidable == (("a", "b"),)  # 4 cases, 7 are needed for 3 pairs
    assert few.views["ifp"].verdicts["b", "a"] == "undecidable"
    assert few.to_dict()["undecidable"] == {"ifp": [["a", "b"]]}


def test_one_against_the_others_is_the_same_analysis() -> None:
    table = [[0, 60, 25], [20, 0, 15], [22, 52, 0]]
    names = ["new", "old", "base"]
    asked = compare_counts(
        table, names, settings=AnalysisSettings(focus="new", correction="finner")
    )
    assert asked.edges["ifp"] == {"finner": (("new", "old"),)}
    assert "while every hypothesis is true" in asked.validity
    (of_new,) = asked.to_dict()["focus"].values()  # type: ignore[attr-defined]  # plain JSON
    assert {other: row["verdict"] for other, row in of_new.items()} == {
        "old": "better",
        "base": "undecided",
    }
    assert np.isnan(asked.views["ifp"].adjusted["finner"].values[1, 2])
    assert compare_counts(table, names, settings=AnalysisSettings(focus="new")).correction == "holm"
    with pytest.raises(EvaluationError, match="use holm"):
        compare_counts(
            table, names, settings=AnalysisSettings(focus="new", correction="bergmann-hommel")
        )
    with pytest.raises(EvaluationError, match="system 'nwe' is unknown"):
        compare_counts(table, names, settings=AnalysisSettings(focus="nwe"))


def test_a_measure_has_both_grades() -> None:
    names = [f"{k:02}" for k in range(48)]
    clusters = {name: str(int(name) // 8) for name in names}
    systems = {
        "good": alignment(*((n, "x") for n in names[8:])),
        "bad": alignment(*((n, "x") for n in names[:24])),
    }
    reference = alignment(*((n, "x") for n in names))
    found: Comparison = compare_judged(
        systems, reference, standard, "recall", name="recall", clusters=clusters
    )
    assert found.edges["recall"]["bergmann-hommel"] == ()
    assert found.conditional["recall"]["bergmann-hommel"] == (("good", "bad"),)


def test_a_protocol_has_no_clusters() -> None:
    r = alignment(("a", "x"))
    with pytest.raises(EvaluationError, match="views of its own and no clusters"):
        compare(
            {"a": r, "b": r}, r, settings=AnalysisSettings(protocol="mohammadi-2018"), clusters={}
        )
    with pytest.raises(EvaluationError, match="protocol 'mohamadi' is unknown"):
        compare({"a": r, "b": r}, r, settings=AnalysisSettings(protocol="mohamadi"))


def test_many_systems_are_compared_in_the_view_that_decides() -> None:
    reference = alignment(*((f"e{k}", "x") for k in range(4)))
    systems = {str(k): reference for k in range(61)}
    found = compare(systems, reference)
    assert list(found.views) == ["entity"]
    assert "with more than 60 systems ifp, cfp are left out" in found.cautions
    assert list(compare(systems, reference, settings=AnalysisSettings(views=["ifp"])).views) == [
        "ifp"
    ]
