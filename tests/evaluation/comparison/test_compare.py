"""The McNemar paper's tables, graphs and rankings; what is refused."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alignrank.evaluation import (
    Answers,
    Comparison,
    EvaluationError,
    compare,
    compare_answers,
    compare_counts,
    compare_incidence,
    compare_measure,
)
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.credit.credits import standard
from alignrank.evaluation.ranking import winners
from alignrank.ontologies import Alignment, Correspondence, read_alignment

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))
SYSTEMS = GOLDEN["table2"]["systems"]


def sets_of(masks: dict[str, int], systems: list[str], prefix: str) -> dict[str, list[str]]:
    """Give every system its items: a bit mask says who holds as many items as its number."""
    held: dict[str, list[str]] = {name: [] for name in systems}
    for mask, number in masks.items():
        for bit, name in enumerate(systems):
            if int(mask) >> bit & 1:
                held[name] += [f"{prefix}{mask}-{k}" for k in range(number)]
    return held


def alignment(items: list[str]) -> Alignment:
    return Alignment(Correspondence(f"a#{item}", f"b#{item}") for item in items)


@pytest.fixture(scope="module")
def realized() -> Comparison:
    """Ten made-up alignments whose discordant counts are those of Tables 2 and 3."""
    parts = GOLDEN["realization"]
    correct = sets_of(parts["table2_correct"], SYSTEMS, "r")
    wrong = sets_of(parts["table3_wrong"], SYSTEMS, "w")
    reference = alignment(sorted({item for held in correct.values() for item in held}))
    systems = {name: alignment(correct[name] + wrong[name]) for name in SYSTEMS}
    return compare(systems, reference)


@pytest.fixture(scope="module")
def anatomy(oaei: Path) -> Comparison:
    """The paper's ten systems as the OAEI published them."""
    folder = oaei / "anatomy"
    systems = {
        name: read_alignment(folder / "systems-2016" / f"{name.replace('FCA-', 'FCA_')}.rdf")
        for name in SYSTEMS
    }
    return compare(
        systems,
        read_alignment(folder / "reference.rdf"),
        settings=AnalysisSettings(protocol="mohammadi-2018"),
    )


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
    return compare(
        systems,
        read_alignment(folder / "reference.rdf"),
        settings=AnalysisSettings(protocol="mohammadi-2018"),
    )


def check_table(comparison: Comparison, view: str, table: str) -> None:
    """Compare counts, p-values, graphs and layers with the golden table."""
    facts = GOLDEN[table]
    names = facts["systems"]
    assert list(comparison.systems) == names
    assert comparison.discordant[view].tolist() == facts["matrix"]
    result = comparison.views[view]
    place = {name: k for k, name in enumerate(names)}
    for i, j, midp, log10_p, *_, nemenyi, bergmann in facts["pairs"]:
        cell = place[i], place[j]
        assert result.tests["mid-p"].p[cell] == pytest.approx(midp, rel=1e-10, abs=1e-300)
        assert result.tests["mid-p"].log10_p[cell] == pytest.approx(log10_p, rel=1e-12)
        adjusted = [result.adjusted[c].values[cell] for c in ("nemenyi", "bergmann-hommel")]
        assert adjusted == pytest.approx([nemenyi, bergmann], rel=1e-10, abs=1e-300)
    for correction, graph in facts["graphs"].items():
        ranking = result.rankings[correction]
        assert len(ranking.edges) == graph["edges"]
        better = winners(combinations(result.systems, 2), ranking.edges)
        undecided = [list(pair) for pair, winner in better.items() if not winner]
        assert sorted(map(sorted, undecided)) == sorted(map(sorted, graph["not_significant"]))
        assert [set(x) for x in ranking.layers] == [set(x) for x in graph["layers"]]
        assert ranking.rank_sets == {k: tuple(v) for k, v in graph["rank_range"].items()}
        groups = {frozenset(g) for g in ranking.groups}
        assert groups == {frozenset(g) for g in graph["groups"]}
        assert ranking.weak_order == graph["weak_order"]


@pytest.mark.parametrize(("view", "table"), [("ifp", "table2"), ("cfp", "table3")])
def test_tables_2_and_3_from_the_real_files(anatomy: Comparison, view: str, table: str) -> None:
    check_table(anatomy, view, table)


@pytest.mark.parametrize(("view", "table"), [("ifp", "table2"), ("cfp", "table3")])
def test_tables_2_and_3_from_a_realization(realized: Comparison, view: str, table: str) -> None:
    check_table(realized, view, table)


def test_table_5_from_the_real_files(metrics: Comparison) -> None:
    check_table(metrics, "ifp", "table5")


@pytest.mark.parametrize("table", ["table2", "table3", "table5"])
def test_tables_as_bare_counts(table: str) -> None:
    facts = GOLDEN[table]
    check_table(compare_counts(facts["matrix"], facts["systems"]), "ifp", table)


@pytest.mark.parametrize("view", ["ifp", "cfp"])
def test_table_4(realized: Comparison, anatomy: Comparison, view: str) -> None:
    for comparison in (realized, anatomy):
        layers = comparison.layers[view]["bergmann-hommel"]
        assert [set(layer) for layer in layers] == [set(x) for x in GOLDEN["table4"][view]]


def test_text_of_section_5(anatomy: Comparison) -> None:
    """The errata apart, the numbers and verdicts that the paper's section 5 words."""
    ifp, cfp = (anatomy.views[view].better() for view in ("ifp", "cfp"))
    d = {view: anatomy.discordant[view] for view in ("ifp", "cfp")}
    alin, aml, fca, lyam = (SYSTEMS.index(n) for n in ("Alin", "AML", "FCA-Map", "LYAM"))
    assert (d["ifp"][aml, alin], d["ifp"][alin, aml]) == (911, 0)
    assert (d["cfp"][aml, alin], d["cfp"][alin, aml]) == (917, 72)
    assert (d["ifp"][fca, lyam], d["ifp"][lyam, fca]) == (51, 110)
    assert (d["cfp"][fca, lyam], d["cfp"][lyam, fca]) == (220, 160)
    assert (ifp["FCA-Map", "LYAM"], cfp["FCA-Map", "LYAM"]) == ("LYAM", "FCA-Map")
    assert (ifp["FCA-Map", "XMap"], cfp["FCA-Map", "XMap"]) == ("XMap", "")
    assert (ifp["Lily", "LogMapLite"], cfp["Lily", "LogMapLite"]) == ("Lily", "")
    assert (ifp["LogMapLite", "LPHOM"], cfp["LogMapLite", "LPHOM"]) == ("", "LogMapLite")
    recall = {name: s.recall for name, s in anatomy.scores.items()}
    f1 = {name: s.f1 for name, s in anatomy.scores.items()}
    assert (round(recall["LogMapLite"], 3), round(recall["LPHOM"], 3)) == (0.728, 0.727)
    for by in (recall, f1):
        order = sorted(by, key=by.__getitem__)
        assert order[:2] == ["DKP-AOM", "Alin"]
        assert order[-2:] == ["CroMatcher", "AML"]


def test_what_the_corrections_change(anatomy: Comparison) -> None:
    added = {
        view: set(edges["bergmann-hommel"]) - set(edges["nemenyi"])
        for view, edges in anatomy.edges.items()
    }
    assert added["ifp"] == {("CroMatcher", "LYAM")}
    assert added["cfp"] == {("FCA-Map", "LYAM"), ("LYAM", "LogMapLite")}


#: view, system i, system j, b, c, mid-p, Nemenyi, Bergmann–Hommel: as the text quotes them.
CLAIMS = [
    ("ifp", "CroMatcher", "LYAM", 108, 68, 0.002543, 0.1144, 0.00509),
    ("cfp", "FCA-Map", "LYAM", 220, 160, None, 0.0933, 0.00414),
    ("cfp", "LYAM", "LogMapLite", 252, 186, None, 0.0721, 0.00321),
    ("ifp", "LYAM", "XMap", 74, 58, 0.165, None, None),
    ("ifp", "LYAM", "FCA-Map", 110, 51, None, None, 1.11e-5),
    ("ifp", "XMap", "FCA-Map", 101, 58, None, None, 0.00189),
    ("cfp", "FCA-Map", "XMap", 135, 168, 0.0582, None, 0.116),
    ("ifp", "LogMapLite", "LPHOM", 203, 202, 0.960, None, None),
    ("cfp", "Lily", "LogMapLite", 219, 246, 0.211, None, None),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c[0]} {c[1]} {c[2]}")
def test_quoted_p_values(realized: Comparison, claim: tuple[Any, ...]) -> None:
    view, first, second, b, c, midp, nemenyi, bergmann = claim
    result = realized.views[view]
    i, j = SYSTEMS.index(first), SYSTEMS.index(second)
    assert result.counts is not None
    assert (result.counts.discordant[i, j], result.counts.discordant[j, i]) == (b, c)
    for quoted, ours in (
        (midp, result.tests["mid-p"].p[i, j]),
        (nemenyi, result.adjusted["nemenyi"].values[i, j]),
        (bergmann, result.adjusted["bergmann-hommel"].values[i, j]),
    ):
        assert quoted is None or ours == pytest.approx(quoted, rel=0.01)


def test_figure_5(metrics: Comparison) -> None:
    ranking = metrics.views["ifp"].rankings["bergmann-hommel"]
    assert ranking.layers[:2] == (("N-gram",), ("Levenshtein",))
    better = metrics.views["ifp"].better()
    undecided = {pair for pair, winner in better.items() if not winner}
    assert undecided == {("Hamming", "SMOA"), ("Jaro", "JaroWinkler")}
    for weak in ("SubString", "Equal"):
        assert {("Hamming", weak), ("SMOA", weak)} <= set(ranking.edges)


def test_wrong_cells_often_touch_an_entity_of_the_reference(oaei: Path) -> None:
    """Why there is an entity view: 64 to 73 % of the wrong cells of these three."""
    reference = read_alignment(oaei / "anatomy" / "reference.rdf")
    entities = {e for c in reference for e in c.pair}
    percent = {}
    for name in ("FCA_Map", "LPHOM", "LYAM"):
        wrong = read_alignment(oaei / "anatomy" / "systems-2016" / f"{name}.rdf") - reference
        touching = sum(not entities.isdisjoint(c.pair) for c in wrong)
        percent[name] = round(100 * touching / len(wrong))
    assert percent == {"FCA_Map": 64, "LPHOM": 70, "LYAM": 73}


def test_summary_keys_and_matrices(realized: Comparison) -> None:
    content = realized.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert (content["schema"], content["kind"]) == (5, "comparison")
    assert content["systems"] == SYSTEMS
    scores = {"precision", "recall", "f1", "overall", "found", "correct"}
    assert scores < content["scores"]["AML"].keys()
    assert list(content["views"]) == ["entity", "ifp", "cfp"]
    for view in content["views"].values():
        assert set(view["tests"]) == {"asymptotic", "continuity", "exact", "mid-p"}
        matrices = [test[part] for test in view["tests"].values() for part in ("p", "log10_p")]
        matrices += [adjusted["values"] for adjusted in view["adjusted"].values()]
        for matrix in matrices:
            assert all((matrix[i][j] is None) == (i == j) for i in range(10) for j in range(10))
        assert list(view["adjusted"]) == list(view["rankings"]) == ["bergmann-hommel", "nemenyi"]
        for ranking in view["rankings"].values():
            assert {"edges", "layers", "rank_sets", "groups", "unordered"} < ranking.keys()
        assert view["counts"]["discordant"][0][0] == 0
    assert ["AML", "Alin"] in content["views"]["ifp"]["rankings"]["nemenyi"]["edges"]


def test_frame_has_a_row_for_each_view_and_pair(realized: Comparison) -> None:
    frame = realized.to_frame()
    assert len(frame) == 3 * 45
    row = frame[(frame["view"] == "ifp") & (frame["system1"] == "CroMatcher")].query(
        "system2 == 'LYAM'"
    )
    columns = ["only it right", "only the other", "better"]
    assert row[columns].to_numpy().tolist() == [[108, 68, "CroMatcher"]]


def test_two_identical_systems_are_undecided_not_equal() -> None:
    r = alignment(["1", "2"])
    result = compare({"x": r, "y": r}, r)
    assert result.views["ifp"].better() == {("x", "y"): ""}
    assert result.views["ifp"].tests["mid-p"].p[0, 1] == 1


def test_empty_alignment_is_judged_like_any_other() -> None:
    r = alignment([str(k) for k in range(30)])
    wrong = alignment([f"w{k}" for k in range(40)])
    result = compare({"empty": Alignment(), "wrong": wrong}, r)
    assert result.edges["cfp"]["bergmann-hommel"] == (("empty", "wrong"),)
    assert result.edges["ifp"]["bergmann-hommel"] == ()


R = alignment(["1"])
BAD: list[tuple[dict[str, Any], str]] = [
    ({"systems": ["a"], "matrix": [[0]]}, "two systems or more: there is only a"),
    ({"systems": ["a", "a"]}, "systems share a name: a"),
    ({"settings": {"test": "t"}}, "test 't' is unknown"),
    ({"settings": {"correction": "li"}}, "correction 'li' does not serve all pairs"),
    ({"settings": {"alpha": 5}}, "alpha is 5"),
    ({"settings": {"alpha": 1e-300}}, "alpha is 1e-300"),
    ({"settings": {"focus": "A"}}, "system 'A' is unknown: did you mean a"),
    ({"settings": {"views": ["ipf"]}}, "view 'ipf' is unknown"),
    ({"settings": {"views": []}}, "views is empty"),
    ({"matrix": [[0, 1, 2], [1, 0, 1]]}, "2 systems need a square one"),
    ({"matrix": [[0, 1], [1, 3]]}, r"cell \(b, b\) is 3"),
    ({"matrix": [[0, 1.5], [1, 0]]}, r"matrix\[0, 1\] is 1.5"),
    ({"matrix": [[0, -1], [1, 0]]}, r"matrix\[0, 1\] is -1"),
    ({"matrix": [[0, np.nan], [1, 0]]}, r"matrix\[0, 1\] is nan"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_bad_counts_are_refused(options: dict[str, Any], message: str) -> None:
    arguments = {"matrix": [[0, 1], [1, 0]], "systems": ["a", "b"], "settings": {}} | options
    with pytest.raises(EvaluationError, match=message):
        compare_counts(**arguments | {"settings": AnalysisSettings(**arguments["settings"])})


def test_westfall_young_takes_no_other_test_than_that_of_its_flips() -> None:
    systems = {"a": R, "b": alignment(["2"])}
    for test, clusters, flips in (
        ("mid-p", None, "exact"),
        ("obuchowski", {"1": "x"}, "sign-flip"),
    ):
        settings = AnalysisSettings(
            test, "westfall-young", clusters=EntityClusters(source=clusters)
        )
        with pytest.raises(EvaluationError, match=f"cannot decide with it; use '{flips}'"):
            compare(systems, R, settings)


def test_single_system_is_refused() -> None:
    with pytest.raises(EvaluationError, match="two systems or more"):
        compare({"a": R}, R)


def test_what_is_no_alignment_is_told_by_its_name() -> None:
    right = Alignment([Correspondence("a", "x")])

    class Matching:
        alignment = right

    wrong: Any
    for wrong, message in (
        ({"one": Matching(), "two": right}, "one is a Matching, no Alignment: take its .alignment"),
        (
            {"one": "one.rdf", "two": right},
            "one is a str, no Alignment: take alignrank.ontologies.read_",
        ),
        ([right, right], "alignments is a list: give a dict"),
    ):
        with pytest.raises(EvaluationError, match=message):
            compare(wrong, right)
    wrong = None
    with pytest.raises(EvaluationError, match="the reference is a NoneType, no Alignment"):
        compare({"one": right, "two": right}, wrong)


@pytest.mark.filterwarnings("error")
def test_a_measure_has_a_design_effect_though_one_found_nothing() -> None:
    pairs = [Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(150)]
    reference, half = Alignment(pairs), Alignment(pairs[:75])
    clusters = {c.entity1: f"f{k // 3}" for k, c in enumerate(pairs)}
    found = {"half": half, "all": reference, "none": Alignment([])}
    compared = compare_measure(
        found,
        reference,
        standard,
        "recall",
        settings=AnalysisSettings(n_resamples=500, clusters=EntityClusters(clusters)),
        name="recall",
    ).views["recall"]
    assert compared.units.design_effect is not None
    assert compared.units.design_effect[0, 1] > 1.5
    assert compared.units.items == 150
    assert compared.effective is not None
    assert np.isnan(np.diag(compared.effective)).all()  # a system and itself are no pair
    assert compared.effective[0, 1] == 150 / compared.units.design_effect[0, 1]
    assert compared.effective[0, 2] <= 150


def test_alignments_and_what_is_lined_up_give_the_same_comparison() -> None:
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(9))
    systems = {"all": reference, "few": reference.where(lambda c: c.entity1 < "a#4")}
    direct = compare(systems, reference)
    assert compare_incidence(incidence(systems, reference)).to_dict() == direct.to_dict()


def test_a_comparison_by_a_measure_names_its_test_and_correction() -> None:
    r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    systems = {"half": r.where(lambda c: c.entity1 < "a#15"), "all": r}
    measured = compare_measure(systems, r, standard, "f1", name="f1")
    scores = Answers(("q1", "q2"), {"a": np.array([[0.5, 1]]), "b": np.array([[0.25, 0.5]])})
    for result in (measured, compare_answers(scores)):
        settings = result.settings
        assert (settings.test, settings.correction) == (result.test, result.correction)
        assert settings.test == "randomisation"
