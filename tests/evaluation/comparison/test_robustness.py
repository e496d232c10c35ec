"""The grid of choices, and the pairs whose verdict depends on them."""

from __future__ import annotations

import json
from pathlib import Path

from alignrank.evaluation import Comparison, compare, compare_counts
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.robustness import Choice, dependence_checks, sensitivity
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.ontologies import Alignment, Correspondence, Ontology

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "mcnemar.json").read_text("utf-8"))


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
    assert [flip.winners for flip in result.flips] == [flip.winners]


def test_strict_gives_the_same_graphs_on_the_papers_tables(both_views: Comparison) -> None:
    grid = sensitivity(both_views, ["bergmann-hommel"]).verdicts
    for view in ("ifp", "cfp"):
        exact, midp = (grid[Choice(view, t, "bergmann-hommel")] for t in ("exact", "mid-p"))
        assert exact == midp


def test_joint_resampling_is_no_correction_of_other_tests() -> None:
    reference = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    half = reference.where(lambda c: c.entity1 < "a#15")
    settings = AnalysisSettings(correction="westfall-young", n_resamples=99)
    result = sensitivity(compare({"half": half, "all": reference}, reference, settings), ["holm"])
    assert {choice.correction for choice in result.verdicts} == {"holm"}


def test_checks_of_dependence_heed_the_clusters_of_the_references_targets() -> None:
    reference = Alignment([Correspondence(f"s{k}", f"t{k}") for k in range(20)])
    worse = Alignment([Correspondence(f"s{k}", f"t{k}") for k in range(10)])
    systems = {"better": reference, "worse": worse}
    clusters = {f"s{k}": f"c{k}" for k in range(20)}
    settings = AnalysisSettings(clusters=EntityClusters(clusters))
    view = compare(systems, reference, settings).views["entity"]
    assert view.edges == (("better", "worse"),)
    table = incidence(systems, reference)
    ontology = Ontology("o.owl", {})
    of_source, _ = EntityClusters(clusters, {}).of_items(table.reference_alignment.pairs)
    assert not [*dependence_checks(table, view, ontology, of_source)]
    shared = {f"t{k}": "shared" for k in range(10, 20)}
    of_source, _ = EntityClusters(clusters, shared).of_items(table.reference_alignment.pairs)
    checks = dependence_checks(table, view, ontology, of_source)
    assert [caution.kind for caution in checks] == ["head-words", "grandparents"]
