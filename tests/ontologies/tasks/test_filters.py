"""What a track leaves out before it counts, on the published alignments."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from alignrank.common.errors import OntologyError
from alignrank.evaluation import compare, score
from alignrank.ontologies import Alignment, Correspondence, Entity, Kind, Ontology, read_alignment
from alignrank.ontologies.tasks import archived, find_tasks
from alignrank.ontologies.tasks.filters import Filter, filtered, filters, read_filter

#: As the campaigns publish them: year, system (as its file is called), precision, recall, F1.
PUBLISHED = Path(__file__).parents[2] / "golden" / "oaei_anatomy_2022_2023.csv"

REFERENCE = Alignment([Correspondence("a#x", "b#x"), Correspondence("a#p", "b#p")])


def test_a_filter_is_named_or_described() -> None:
    assert read_filter("oaei-anatomy") == filters()["oaei-anatomy"]
    assert read_filter("relation==") == Filter("relation==", relations=("=",))
    assert read_filter("without=http://x#") == Filter("without=http://x#", without=("http://x#",))
    assert read_filter("kind=class") == Filter("kind=class", kinds=(Kind.CLASS,))
    for wrong, said in (
        ("oaei-anatomi", "did you mean oaei-anatomy"),
        ("relatoin==", "did you mean relation"),
        ("relation=~", "'~' is unknown"),
        ("relation=all", "use one of any"),
        ("kind=klass", "did you mean class"),
    ):
        with pytest.raises(OntologyError, match=said):
            read_filter(wrong)


def test_what_goes_is_counted_and_the_reference_is_cut_by_kind_only() -> None:
    found = Alignment(
        [
            Correspondence("a#x", "b#x"),
            Correspondence("a#p", "b#p", "<"),
            Correspondence("h#part", "b#q"),
        ]
    )
    rules = [read_filter("relation=="), read_filter("without=h#")]
    kept, judge, cautions = filtered({"S": found}, REFERENCE, rules)
    assert [c.entity1 for c in kept["S"]] == ["a#x"]
    assert judge == REFERENCE
    assert cautions == [
        "correspondences left out, neither right nor wrong, by the rule relation==, without=h#: "
        "2 of S"
    ]


def test_kinds_need_the_ontologies_and_cut_the_reference() -> None:
    def ontology(prefix: str) -> Ontology:
        kinds = {f"{prefix}#x": Kind.CLASS, f"{prefix}#p": Kind.PROPERTY}
        return Ontology("", {iri: Entity(iri, kind) for iri, kind in kinds.items()})

    rules = [read_filter("kind=class")]
    kept, judge, _ = filtered({"S": REFERENCE}, REFERENCE, rules, (ontology("a"), ontology("b")))
    assert [c.entity1 for c in kept["S"]] == [c.entity1 for c in judge] == ["a#x"]
    with pytest.raises(OntologyError, match="needs both ontologies"):
        filtered({"S": REFERENCE}, REFERENCE, rules)


def test_with_the_tracks_filter_the_published_figures_come_out(oaei: Path) -> None:
    (task,) = find_tasks("anatomy", [oaei])
    reference, archive = read_alignment(task.reference), archived(task)
    rows = list(csv.DictReader(PUBLISHED.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 19
    for row in rows:
        system = read_alignment(archive[row["year"]][row["system"]])
        kept, judge, _ = filtered({"S": system}, reference, [filters()["oaei-anatomy"]])
        found = score(kept["S"], judge)
        figures = (found.precision, found.recall, found.f1)
        published = [float(row[name]) for name in ("precision", "recall", "f1")]
        assert [round(100 * figure, 2) for figure in figures] == published, row


def test_the_rule_decides_between_logmap_and_xmap(oaei: Path) -> None:
    """With the track's rule their verdict changes: helper terms are no answers."""
    (task,) = find_tasks("anatomy", [oaei])
    systems = {name: read_alignment(path) for name, path in archived(task)["2018"].items()}
    reference = read_alignment(task.reference)
    kept, judge, _ = filtered(systems, reference, [filters()["oaei-anatomy"]])
    assert sum(len(kept[name]) < len(systems[name]) for name in systems) == 12
    edges = [compare(found, judge).views["cfp"].ranking.edges for found in (systems, kept)]
    assert [("XMap", "LogMap") in verdict for verdict in edges] == [True, False]
    assert not any(("LogMap", "XMap") in verdict for verdict in edges)


def test_an_entity_of_both_ontologies_has_its_kind_on_each_side() -> None:
    def named(iri: str, kind: Kind, *others: str) -> Ontology:
        kinds = {iri: kind, **dict.fromkeys(others, Kind.CLASS)}
        return Ontology("", {i: Entity(i, k) for i, k in kinds.items()})

    ontologies = named("s#x", Kind.CLASS, "a#y"), named("s#x", Kind.INDIVIDUAL, "b#y")
    reference = Alignment(Correspondence(*pair) for pair in (("s#x", "b#y"), ("a#y", "s#x")))
    _, judge, _ = filtered({}, reference, [read_filter("kind=class")], ontologies)
    assert judge.pairs == {("s#x", "b#y")}
