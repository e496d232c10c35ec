"""What a reader is told of choices that would change a verdict."""

from __future__ import annotations

from alignrank.evaluation import AnalysisSettings, EntityClusters, compare
from alignrank.experiments.comparing.beyond_arrows import find
from alignrank.ontologies import Alignment, Correspondence


def test_a_test_of_independent_items_is_no_other_choice_where_there_are_clusters() -> None:
    """Three clusters of five speak for one system: exact would count fifteen items."""
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(120))
    clusters = {f"a#{k:03}": f"cluster {k // 5}" for k in range(120)}
    systems = {"all": reference, "fewer": reference.where(lambda c: c.entity1 >= "a#015")}
    found = find(compare(systems, reference, AnalysisSettings(clusters=EntityClusters(clusters))))
    assert found.comparison.deciding.edges == ()
    assert found.comparison.deciding.decided_by("exact", "bergmann-hommel").edges
    assert [caution.kind for caution in found.cautions()] == []
