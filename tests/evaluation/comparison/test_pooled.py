"""Items of several tasks, pooled."""

from __future__ import annotations

from collections import ChainMap
from pathlib import Path

import numpy as np

from alignrank.evaluation.comparison.compare import compare_pooled, pooled_items
from alignrank.evaluation.comparison.contingency import incidence
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.multitask.alignments_folder import read_track
from alignrank.evaluation.significance.clustered import parent_clusters
from alignrank.evaluation.significance.crossed import crossed_test
from alignrank.ontologies import Alignment, Correspondence, load_ontology


def test_an_entity_of_two_tasks_has_two_targets_and_one_source_cluster() -> None:
    first = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    second = Alignment([Correspondence("a", "z"), Correspondence("c", "y")])
    tables = [incidence({"all": r, "none": Alignment()}, r) for r in (first, second)]
    parents = {"x": "P", "z": "P"}
    _, (source, crossing) = pooled_items(tables, EntityClusters({"a": "S", "c": "S"}, parents))
    assert source.tolist() == [0, 1, 0, 0]  # a, b, a, c
    assert crossing[0].tolist() == [0, 1, 0, 1]  # x, y, z, y
    assert pooled_items(tables, EntityClusters())[1][1] == []


def test_conference_on_these_tasks(oaei: Path) -> None:
    """Nine differences where the mean over other tasks shows one."""
    folder = oaei / "conference"
    track = read_track(folder / "systems-2019", folder / "reference")
    tables = []
    for task, reference in track.references.items():
        by_system = track.alignments[task]
        of_task = {name: by_system.get(name, Alignment()) for name in track.systems}
        tables.append(incidence(of_task, reference))
    loaded = [load_ontology(path) for path in sorted((folder / "ontologies").glob("*.owl"))]
    source_clusters = dict(ChainMap(*(parent_clusters(ontology) for ontology in loaded)))
    for target_clusters, arrows in ((None, 10), (source_clusters, 9)):
        clusters = EntityClusters(source_clusters, target_clusters)
        view = compare_pooled(tables, AnalysisSettings(clusters=clusters))
        items, (source, crossing) = pooled_items(tables, clusters)
        p = crossed_test(items.correct, source, crossing, items.mentioned).test.p
        significant = adjust(p, "bergmann-hommel").values <= 0.05
        assert int(np.triu(significant, 1).sum()) == len(view.edges) == arrows
        assert (view.units.name, view.units.items) == ("clusters", items.correct.shape[1])
        assert view.order[0] == "AML"
