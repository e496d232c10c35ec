"""Every door compares alike: clusters of both sides, filters, intervals of the scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import alignrank as ar
from alignrank.common.errors import EvaluationError
from alignrank.evaluation import Context
from alignrank.experiments.errors import ExperimentError
from alignrank.experiments.inputs.evaluation_input import (
    AlignmentOptions,
    entity_clusters,
    read_evaluation,
)
from alignrank.experiments.inputs.named_inputs import filters_in_force
from alignrank.ontologies import Alignment, Correspondence, Kind, Ontology, read_alignment
from alignrank.ontologies.ontology import Entity
from alignrank.ontologies.tasks import bundled_task
from alignrank.ontologies.tasks.filters import filters

LIBRARY = bundled_task("library")


def test_rank_and_compare_give_the_same_intervals(shell: Any, tmp_path: Path) -> None:
    files = (LIBRARY.source, LIBRARY.target)
    ranked = shell.json("rank", *files, LIBRARY.reference, "--out", tmp_path / "R")
    again = sorted((tmp_path / "R" / "alignments").glob("*.rdf"))
    options = ("--source", files[0], "--target", files[1])
    compared = shell.json("compare", LIBRARY.reference, *again, *options)
    assert compared["intervals"] == ranked["intervals"]
    assert len(ranked["intervals"]) == 9


def ontology(side: str, parent: str | None) -> Ontology:
    entities = [Entity(f"{side}{k}", Kind.CLASS) for k in range(6)]
    parents = {entity.iri: (parent,) for entity in entities if parent}
    return Ontology(side, {entity.iri: entity for entity in entities}, parents=parents)


ALIGNMENT = Alignment(Correspondence(f"a{k}", f"b{k}") for k in range(6))


def test_a_flat_side_keeps_the_clusters_of_the_other() -> None:
    context = Context(ontology("a", None), ontology("b", "top"))
    clusters, cautions = entity_clusters(context, [ALIGNMENT])
    assert clusters.source == {}
    assert set((clusters.target or {}).values()) == {"top"}
    assert [caution.kind for caution in cautions] == ["no-parent"]
    turned, _ = entity_clusters(context, [ALIGNMENT], by_target=True)
    assert (turned.source, turned.target) == (clusters.source, clusters.target)


def test_two_flat_sides_have_no_clusters() -> None:
    a, b = (replace(ontology(side, None), path=f"{side}.owl") for side in "ab")
    clusters, cautions = entity_clusters(Context(a, b), [ALIGNMENT])
    assert not clusters.are_known
    assert clusters.sizes == (6, 6)
    (caution,) = cautions
    text = "no entity here has a parent in a.owl or b.owl: no clusters are known"
    assert (caution.kind, caution.text) == ("no-clusters", text)


def test_clusters_of_other_entities_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "clusters.tsv"
    file.write_text("x\tone\ny\tone\n")
    with pytest.raises(EvaluationError, match="none of the 6 source entities"):
        entity_clusters(Context(), [ALIGNMENT], str(file))


def test_clusters_are_of_the_items_of_the_view_that_decides(shell: Any, tmp_path: Path) -> None:
    file = tmp_path / "clusters.tsv"
    targets = sorted(read_alignment(LIBRARY.reference).columns.entity2)
    rows = [f"{entity}\tc{k // 3}" for k, entity in enumerate(dict.fromkeys(targets))]
    file.write_text("\n".join(["item\tcluster", *rows]) + "\n")
    words = ["compare", LIBRARY.reference, *LIBRARY.alignments.values(), "--cluster", file]
    alone, beside = (
        shell.json(*words, *(word for view in views for word in ("--view", view)))
        for views in (["entity-target"], ["entity-target", "ifp"])
    )
    assert alone["views"]["entity-target"] == beside["views"]["entity-target"]


def test_parents_that_are_asked_for_need_the_ontology() -> None:
    with pytest.raises(ExperimentError, match="needs the target ontology: give target"):
        read_evaluation({}, ALIGNMENT, AlignmentOptions("parent"), by_target=True)


def test_no_filter_is_stated_alone() -> None:
    with pytest.raises(ExperimentError, match="leave the others out"):
        filters_in_force(["none", "kind=class"])
    rule = filters()["oaei-anatomy"]
    assert filters_in_force(["oaei-anatomy"], rule) == (rule,)


@pytest.mark.parametrize(
    ("options", "filters"),
    [
        ({}, ["oaei-anatomy"]),
        ({"filters": "none"}, []),
        ({"protocol": "mohammadi-2018"}, []),
        ({"protocol": "mohammadi-2018", "filters": "relation=="}, ["relation=="]),
    ],
)
def test_a_protocol_takes_no_filter_from_the_place_of_a_file(
    options: dict[str, Any], filters: list[str], oaei: Path
) -> None:
    anatomy = oaei / "anatomy"
    systems = {name: anatomy / "systems-2016" / f"{name}.rdf" for name in ("AML", "Alin")}
    if "protocol" not in options:
        options = {**options, "test": "exact", "views": "ifp"}
    result = ar.compare(anatomy / "reference.rdf", systems, **options).summary
    assert list(result.provenance.settings["filters"]) == filters


def numbered(relation: str, numbers: range) -> list[Correspondence]:
    return [Correspondence(f"http://a#{k}", f"http://b#{k}", relation) for k in numbers]


def test_runs_of_one_system_do_not_bring_copies_of_the_focus_back() -> None:
    reference = Alignment(numbered("=", range(40)))
    mine, run = Alignment(numbered("=", range(30))), Alignment(numbered("=", range(10)))
    systems = {"A": mine, "X": mine, "B@1": run, "B@2": run, "B@3": mine}
    result = ar.compare(reference, systems, focus="A").summary
    assert result.systems == ("A", "B")
    assert "copy-of-focus" in [caution.kind for caution in result.cautions]


def test_a_reference_of_nothing_but_incompatible_says_so(shell: Any, tmp_path: Path) -> None:
    path = tmp_path / "gold.rdf"
    ar.write_alignment(Alignment(numbered("%", range(20))), path)
    files = [tmp_path / "nine.rdf", tmp_path / "all.rdf"]
    for file, size in zip(files, (9, 20), strict=True):
        ar.write_alignment(Alignment(numbered("=", range(size))), file)
    cautions = shell.json("score", path, *files)["cautions"]
    assert any(text.startswith("the reference holds no relation but %") for text in cautions)


def test_a_protocol_of_single_alignments_refuses_runs(shell: Any) -> None:
    good, bad = (LIBRARY.alignments[f"system_{name}"] for name in ("good", "bad"))
    files = [f"{name}@{k}={path}" for k in (1, 2) for name, path in (("A", good), ("B", bad))]
    words = ("compare", LIBRARY.reference, *files, "--protocol", "mohammadi-2018")
    assert "compares one alignment of each system" in shell.refused(*words)


def test_a_system_is_the_reference_only_if_relations_agree_and_with_or_without_a_focus() -> None:
    reference = Alignment([*numbered("=", range(20)), *numbered("<", range(20, 40))])
    systems = {"copy": reference, "equal": Alignment(numbered("=", range(40)))}
    for focus in (None, "copy", "equal"):
        cautions = ar.compare(reference, systems, focus=focus).summary.cautions
        twins = [caution.system for caution in cautions if caution.kind == "twin"]
        assert twins == ["copy"], "half of what equal found has another relation"
