"""What a reader is told of choices that would change a verdict."""

from __future__ import annotations

from alignrank.common.table import stacked
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


def test_findings_have_the_rows_of_their_frames() -> None:
    reference = Alignment(Correspondence(f"a#{k:03}", f"b#{k}") for k in range(60))
    systems = {"all": reference, "fewer": reference.where(lambda c: c.entity1 >= "a#015")}
    found = find(compare(systems, reference))
    frames = {"sensitivity": [found.sensitivity.to_frame()]}
    for name in ("effects", "verdicts", "detectable"):
        frames[name] = [getattr(view, name).to_frame() for view in found.views]
    for name, (header, rows) in found.rows().items():
        frame = stacked(frames[name])
        assert (header, repr([list(row) for row in rows])) == (
            list(frame.columns),
            repr(frame.to_numpy(object).tolist()),
        )
