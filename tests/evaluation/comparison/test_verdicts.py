"""One decision per source entity, clusters that decide, and pairs that cannot be significant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.results import Caution
from alignrank.evaluation import (
    EvaluationError,
    compare,
    compare_answers,
    compare_counts,
    compare_measure,
    parent_clusters,
)
from alignrank.evaluation.comparison.answers import read_answers
from alignrank.evaluation.comparison.contingency import decisions, incidence
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.significance.clustered import cluster_index, unit_tests
from alignrank.evaluation.significance.crossed import crossed_test, reference_clusters
from alignrank.ontologies import Alignment, Correspondence, load_ontology, read_alignment
from tests.conftest import THOROUGH
from tests.generated import examples

#: Arrows with entities as independent, with the source's clusters, with the reference's targets'
#: clusters as well, and all pairs.
ARROWS = {
    "systems-2016": (44, 42, 42, 45),
    "systems-2018": (71, 63, 62, 78),
    "systems-2023": (33, 27, 27, 36),
    "string-metrics-2017": (34, 29, 29, 36),
}


@pytest.fixture(scope="module")
def anatomy(oaei: Path) -> tuple[Alignment, dict[str, str], dict[str, str]]:
    """The reference, and the clusters among its source and target entities."""
    folder = oaei / "anatomy"
    source_clusters, target_clusters = (
        parent_clusters(load_ontology(folder / name)) for name in ("mouse.owl", "human.owl")
    )
    return read_alignment(folder / "reference.rdf"), source_clusters, target_clusters


def of_year(oaei: Path, year: str) -> dict[str, Alignment]:
    files = sorted((oaei / "anatomy" / year).glob("*.rdf"))
    return {f.stem: read_alignment(f) for f in files if f.stem != "DKP-AOM-Lite"}


@pytest.mark.parametrize("year", ARROWS)
def test_arrows_on_anatomy(
    oaei: Path, anatomy: tuple[Alignment, dict[str, str], dict[str, str]], year: str
) -> None:
    reference, source_clusters, target_clusters = anatomy
    systems = of_year(oaei, year)
    settings = AnalysisSettings(views=("entity",), alpha=0.05)
    alone = compare(systems, reference, settings).deciding
    clustered = compare(
        systems, reference, replace(settings, clusters=EntityClusters(source_clusters))
    ).deciding
    crossed = compare(
        systems,
        reference,
        replace(settings, clusters=EntityClusters(source_clusters, target_clusters)),
    ).deciding
    arrows = [set(view.edges) for view in (alone, clustered, crossed)]
    assert (*map(len, arrows), alone.questions) == ARROWS[year]
    assert arrows[0] > arrows[1] >= arrows[2]
    assert [view.test for view in (alone, clustered, crossed)] == [
        "mid-p",
        "sign-flip",
        "sign-flip",
    ]
    for view in (clustered, crossed):
        np.testing.assert_array_equal(view.units.p_independent, alone.chosen.p)
    assert not (crossed.chosen.p < clustered.chosen.p * (1 - 1e-9)).any()


def test_what_is_shown_of_each_pair(
    oaei: Path, anatomy: tuple[Alignment, dict[str, str], dict[str, str]]
) -> None:
    reference, source_clusters, target_clusters = anatomy
    systems = of_year(oaei, "systems-2016")
    result = compare(
        systems,
        reference,
        AnalysisSettings(clusters=EntityClusters(source_clusters, target_clusters)),
    )
    view = result.views["entity"]
    assert view.units.design_effect is not None
    assert view.effective is not None
    assert view.units.scale is not None
    i, j = view.systems.index("XMap"), view.systems.index("FCA_Map")
    assert view.effective[i, j] == pytest.approx(view.units.scale / view.units.design_effect[i, j])
    decided = decisions(incidence(systems, reference), "entity")
    source = cluster_index(decided.entities, source_clusters)
    target = cluster_index(decided.entities, reference_clusters(reference.pairs, target_clusters))
    crossed = crossed_test(decided.correct, source, [target], decided.mentioned)
    np.testing.assert_array_equal(view.chosen.p, crossed.test.p)
    words = view.verdicts
    assert words["XMap", "FCA_Map"] == words["FCA_Map", "XMap"] == "undecided"
    assert words["AML", "XMap"] == "better"
    content = result.to_dict()["views"]["entity"]  # type: ignore[index]  # plain JSON
    assert {"counts", "units", "intervals", "unreachable"} <= set(content)
    assert {"design_effect", "differing", "p_independent"} <= set(content["units"])
    assert result.answer() == [
        "AML scores best (right 0.918, F1 0.943); all nine others are significantly worse."
    ]


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
            views = None if protocol else ("cfp",)
            settings = AnalysisSettings(views=views, protocol=protocol or None)
            result = compare(systems, reference, settings)
            erred[protocol] += bool(result.edges["cfp"]["bergmann-hommel"])
    assert erred[""] <= 6 < erred["mohammadi-2018"]


def has_false_arrow(seed: int, *, clustered: bool) -> bool:
    """Whether three equal systems differ, on siblings that share their fate."""
    rng = np.random.default_rng(seed)
    names = [f"e{k:03}" for k in range(150)]
    clusters = {name: str(k // 6) for k, name in enumerate(names)}
    systems = {
        s: alignment(*((n, "x") for n, ok in zip(names, np.repeat(fate, 6), strict=True) if ok))
        for s, fate in zip("abc", rng.random((3, 25)) < 0.6, strict=True)
    }
    reference = alignment(*((n, "x") for n in names))
    entity_clusters = EntityClusters(clusters if clustered else None)
    settings = AnalysisSettings(views=("entity",), clusters=entity_clusters)
    result = compare(systems, reference, settings)
    return bool(result.deciding.edges)


def test_the_level_is_kept_where_siblings_share_their_fate() -> None:
    seeds = range(100 if THOROUGH else 30)
    assert np.mean([has_false_arrow(seed, clustered=True) for seed in seeds]) < 0.1
    assert np.mean([has_false_arrow(seed, clustered=False) for seed in seeds]) > 0.2


def test_pairs_with_too_few_differing_units_cannot_reach_significance() -> None:
    few = compare_counts([[0, 3, 40], [1, 0, 37], [5, 4, 0]], ["a", "b", "c"], reference=200)
    view = few.views["ifp"]
    assert view.unreachable == (("a", "b"),)  # mid-p of 4 cases is .0625 at least
    assert view.verdicts["b", "a"] == "cannot reach significance"
    content = few.to_dict()["views"]["ifp"]  # type: ignore[index]  # plain JSON
    assert content["unreachable"] == [["a", "b"]]


def test_one_against_the_others_is_the_same_analysis() -> None:
    table = [[0, 60, 25], [20, 0, 15], [22, 52, 0]]
    names = ["new", "old", "base"]
    asked = compare_counts(
        table, names, settings=AnalysisSettings(focus="new", correction="finner")
    )
    assert asked.edges["ifp"] == {"finner": (("new", "old"),)}
    assert "while every hypothesis is true" in asked.validity
    assert asked.to_dict()["settings"]["focus"] == "new"  # type: ignore[index]  # plain JSON
    words = asked.deciding.verdicts
    assert (words["new", "old"], words["new", "base"]) == ("better", "undecided")
    assert asked.answer() == [
        "new is significantly better than old; not significantly different from base.",
        "The tests assume independent cases.",
    ]
    assert np.isnan(asked.views["ifp"].adjusted["finner"].values[1, 2])
    assert compare_counts(table, names, settings=AnalysisSettings(focus="new")).correction == "holm"
    with pytest.raises(EvaluationError, match="use holm"):
        compare_counts(
            table, names, settings=AnalysisSettings(focus="new", correction="bergmann-hommel")
        )
    with pytest.raises(EvaluationError, match="system 'nwe' is unknown"):
        compare_counts(table, names, settings=AnalysisSettings(focus="nwe"))


def test_clusters_decide_about_a_measure() -> None:
    names = [f"{k:02}" for k in range(48)]
    clusters = {name: str(int(name) // 8) for name in names}
    systems = {
        "good": alignment(*((n, "x") for n in names[8:])),
        "bad": alignment(*((n, "x") for n in names[:24])),
    }
    reference = alignment(*((n, "x") for n in names))
    judged = partial(compare_measure, systems, reference, standard, "recall", name="recall")
    alone, clustered = (
        judged().deciding,
        judged(settings=AnalysisSettings(clusters=EntityClusters(clusters))).deciding,
    )
    assert alone.edges == (("good", "bad"),)
    assert (alone.units.name, alone.units.p_independent) == ("source entities", None)
    assert clustered.edges == ()
    assert clustered.is_clustered
    np.testing.assert_array_equal(clustered.units.p_independent, alone.chosen.p)


def test_a_protocol_has_no_clusters() -> None:
    with pytest.raises(EvaluationError, match="protocol 'mohammadi-2018' knows no clusters"):
        AnalysisSettings(protocol="mohammadi-2018", clusters=EntityClusters({}))
    with pytest.raises(EvaluationError, match="protocol 'mohamadi' is unknown"):
        AnalysisSettings(protocol="mohamadi")
    with pytest.raises(EvaluationError, match="'mohammadi-2018' has views of its own"):
        AnalysisSettings(protocol="mohammadi-2018", views=("ifp",))


def test_many_systems_are_compared_in_the_view_that_decides() -> None:
    reference = alignment(*((f"e{k}", "x") for k in range(4)))
    systems = {str(k): reference for k in range(61)}
    result = compare(systems, reference)
    assert list(result.views) == ["entity"]
    caution = Caution("views-left-out", "with more than 60 systems ifp, cfp are left out")
    assert caution in result.cautions
    of_ifp = compare(systems, reference, AnalysisSettings(views=("ifp",)))
    assert list(of_ifp.views) == ["ifp"]


def test_targets_side_is_asked_of_the_target_entities() -> None:
    """The reference's clusters of sources cross those of targets, where targets are asked."""
    rng = np.random.default_rng(3)
    reference = alignment(*((f"a{k:03}", f"b{k:03}") for k in range(200)))
    targets = {f"b{k:03}": str(k // 2) for k in range(200)}
    sources = {f"a{k:03}": str(k % 20) for k in range(200)}
    fates = rng.random((2, 20)) < 0.6
    systems = {
        name: reference.where(lambda c, fate=fate: bool(fate[int(c.entity1[1:]) % 20]))
        for name, fate in zip("ab", fates, strict=True)
    }
    for views in (("entity-target",), ["entity-target"]):
        settings = AnalysisSettings(views=views)  # type: ignore[arg-type]  # lists are common
        crossed = compare(
            systems, reference, replace(settings, clusters=EntityClusters(sources, targets))
        )
        alone = compare(
            systems, reference, replace(settings, clusters=EntityClusters(None, targets))
        )
        assert crossed.deciding.chosen.p[0, 1] > alone.deciding.chosen.p[0, 1]


def test_two_different_wrong_answers_are_not_called_the_same() -> None:
    """One finds a wrong partner where the other finds none: right in the same cases, F1 differs."""
    reference = Alignment([Correspondence(f"s{k}", f"t{k}") for k in range(10)])
    none = reference.where(lambda c: c.entity1 < "s5")
    wrong = Alignment([*none, *(Correspondence(f"s{k}", f"t{k - 1}") for k in range(5, 10))])
    answer = compare({"none": none, "wrong": wrong}, reference).answer()
    assert answer == ["none and wrong are right in the same cases (right 0.500): no difference."]


def test_none_of_equals_is_the_best() -> None:
    """Nobody is the best of equals, whether two are compared, or one with the others."""
    right = {f"q{k}": int(k % 4 > 0) for k in range(40)}
    half = {q: value * (k % 2) for k, (q, value) in enumerate(right.items())}
    twins = compare_answers(read_answers({"a": right, "b": right}))
    assert twins.answer() == ["a and b are right in the same cases (mean 0.750): no difference."]
    three = compare_answers(read_answers({"a": right, "b": right, "c": half}))
    assert three.answer()[0] == "a and b score best (mean 0.750); c is significantly worse."
    focused = compare_answers(
        read_answers({"a": right, "b": right, "c": half}), AnalysisSettings(focus="a")
    )
    assert "right in the same cases as b" in focused.answer()[0]
