"""Merged ontologies: every triple of both files is there, and what an alignment says, by kind."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from owlready2 import World

from alignrank.common.errors import MergingError
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    Kind,
    NegatedCorrespondence,
    Ontology,
    load_ontology,
    read_alignment,
)
from alignrank.ontologies.loading.merging import (
    MergedOntology,
    merge_ontologies,
    statements,
    write_merged,
)
from alignrank.ontologies.ontology import local_name
from alignrank.ontologies.tasks import BUNDLED, bundled_task
from alignrank.ontologies.vocabulary import OWL, RDF, RDFS, SKOS
from tests.conftest import FullDisk

TTL = """@prefix a: <http://a#> . @prefix b: <http://b#> . @prefix base: <http://base#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
SOURCE = """<http://a> a owl:Ontology ; owl:imports <http://base>, <http://nowhere> ;
    rdfs:comment "one" .
a:Book a owl:Class ; rdfs:label "book"@en, "Buch"@de ; rdfs:subClassOf base:Thing, [
    a owl:Restriction ; owl:onProperty a:part ; owl:someValuesFrom a:Page ] .
a:Page a owl:Class . a:part a owl:ObjectProperty . a:size a owl:DatatypeProperty .
a:note a owl:AnnotationProperty . a:i a a:Book ; a:size "01"^^xsd:integer .
a:c a skos:Concept ; skos:prefLabel "c" . a:old a owl:Class ; owl:deprecated true .
"""
TARGET = """[] a owl:Ontology ; rdfs:comment "two" .
b:Work a owl:Class ; owl:disjointWith [ a owl:Class ; owl:complementOf b:Sheet ] .
b:Sheet a owl:Class . b:of a owl:ObjectProperty . b:pages a owl:DatatypeProperty .
b:remark a owl:AnnotationProperty . b:j a b:Work . b:d a skos:Concept ; skos:prefLabel "d" .
"""
BASE = "<http://base> a owl:Ontology . base:Thing a owl:Class ; rdfs:label 'a \\u00e9 thing' ."
ALIGNED = [
    ("Book", "Work", "="),
    ("Page", "Sheet", ">"),
    ("part", "of", "="),
    ("size", "of", "="),
    ("note", "remark", "="),
    ("i", "j", "="),
    ("i", "Work", "InstanceOf"),
    ("c", "d", "<"),
    ("Book", "Sheet", "%"),
    ("Book", "of", "="),
    ("Page", "Work", "?"),
    ("old", "Work", "="),
    ("i", "j", "<"),
]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Ontology, Ontology, Alignment]:
    for name, text in (("a", SOURCE), ("b", TARGET), ("base", BASE)):
        (tmp_path / f"{name}.ttl").write_text(TTL + text, encoding="utf-8")
    correspondences = (
        Correspondence(f"http://a#{one}", f"http://b#{two}", relation, 0.75)
        for one, two, relation in ALIGNED
    )
    one, two = (load_ontology(tmp_path / f"{n}.ttl", imports=tmp_path) for n in "ab")
    return one, two, Alignment(correspondences, path="mine.rdf", sha256="ab")


def written(merged: MergedOntology, path: Path) -> rdflib.Graph:
    write_merged(merged, path)
    return rdflib.Graph().parse(path, format={".owl": "xml"}.get(path.suffix))


def everything_of(*files: Path) -> rdflib.Graph:
    """What files state but for what they say of being ontologies, by another reader."""
    graph = rdflib.Graph()
    for path in files:
        graph += rdflib.Graph().parse(path)
    for header in list(graph.subjects(rdflib.RDF.type, rdflib.OWL.Ontology)):
        graph.remove((header, rdflib.RDF.type, rdflib.OWL.Ontology))
        graph.remove((header, rdflib.OWL.imports, None))
    return graph


@pytest.mark.parametrize("ending", [".owl", ".ttl", ".nt"])
def test_every_triple_survives(
    pair: tuple[Ontology, Ontology, Alignment], tmp_path: Path, ending: str
) -> None:
    merged = written(merge_ontologies(*pair), tmp_path / f"merged{ending}")
    header = rdflib.URIRef(merged.value(None, rdflib.RDF.type, rdflib.OWL.Ontology))
    assert {str(o) for o in merged.objects(header, rdflib.OWL.imports)} == {"http://nowhere"}
    assert rdflib.Literal("two") in set(merged.objects(header, rdflib.RDFS.comment))
    expected = everything_of(*(tmp_path / f"{name}.ttl" for name in ("a", "b", "base")))
    for nameless in set(expected.subjects(rdflib.RDFS.comment, rdflib.Literal("two"))):
        expected.remove((nameless, None, None))
    assert not shapes(expected) - shapes(merged)


def shapes(graph: rdflib.Graph) -> Counter[tuple[object, ...]]:
    """Triples, where one blank node is as good as another, and how often each is there."""
    return Counter(tuple("_" if isinstance(n, rdflib.BNode) else n for n in t) for t in graph)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_pairs_survive_for_other_readers(name: str, tmp_path: Path) -> None:
    task = bundled_task(name)
    one, two = load_ontology(task.source), load_ontology(task.target)
    merged = merge_ontologies(one, two, read_alignment(task.reference))
    path = tmp_path / "merged.owl"
    write_merged(merged, path)
    world = World()
    world.get_ontology(path.as_uri()).load(only_local=True)
    classes = {cls.iri for cls in world.classes()}
    wanted = {
        t.subject.value
        for t in merged.triples
        if str(t.object) == f"<{OWL}Class>" and isinstance(t.subject, ox.NamedNode)
    }
    assert wanted <= classes
    assert len(world.graph) >= len(merged.triples)
    back = load_ontology(path)
    assert back.entities.keys() >= one.entities.keys() | two.entities.keys()
    for entity in (*one, *two):
        assert set(back.entities[entity.iri].names()) >= set(entity.names())


def test_each_kind_has_its_axiom(pair: tuple[Ontology, Ontology, Alignment]) -> None:
    merged = merge_ontologies(*pair)
    between = {
        (t.subject.value, t.predicate.value, t.object.value)
        for t in merged.triples
        if {str(t.subject)[:10], str(t.object)[:10]} == {"<http://a#", "<http://b#"}
        and "annotated" not in t.predicate.value
    }
    a, b = "http://a#", "http://b#"
    assert between == {
        (f"{a}Book", f"{OWL}equivalentClass", f"{b}Work"),
        (f"{b}Sheet", f"{RDFS}subClassOf", f"{a}Page"),
        (f"{a}part", f"{OWL}equivalentProperty", f"{b}of"),
        (f"{a}note", f"{RDFS}subPropertyOf", f"{b}remark"),
        (f"{b}remark", f"{RDFS}subPropertyOf", f"{a}note"),
        (f"{a}i", f"{OWL}sameAs", f"{b}j"),
        (f"{a}i", f"{RDF}type", f"{b}Work"),
        (f"{a}c", f"{SKOS}broadMatch", f"{b}d"),
        (f"{a}Book", f"{OWL}disjointWith", f"{b}Sheet"),
    }
    assert len(merged.used) == 8
    assert sum(merged.left_out.values()) == len(ALIGNED) - 8
    assert "of an object and a data property, which OWL cannot join" in merged.left_out


def test_an_axiom_says_how_sure_it_is_and_where_it_is_from(
    pair: tuple[Ontology, Ontology, Alignment], tmp_path: Path
) -> None:
    graph = written(merge_ontologies(*pair), tmp_path / "m.ttl")
    found = graph.query(
        """SELECT ?confidence ?file { ?axiom a owl:Axiom ; owl:annotatedSource <http://a#Book> ;
        owl:annotatedProperty owl:equivalentClass ; owl:annotatedTarget <http://b#Work> ;
        <https://w3id.org/sssom/confidence> ?confidence ;
        <http://purl.org/dc/terms/source> ?file }"""
    )
    assert [tuple(value.toPython() for value in row) for row in found] == [(0.75, "mine.rdf")]


def test_what_is_joined_and_disjoint_too_is_nothing(
    pair: tuple[Ontology, Ontology, Alignment],
) -> None:
    book, work = "http://a#Book", "http://b#Work"
    alignment = Alignment([Correspondence(book, work), Correspondence(book, work, "%")])
    said = {tuple(map(str, t)) for t in merge_ontologies(*pair[:2], alignment, join=True).triples}
    assert (f"<{book}>", f"<{RDFS}subClassOf>", f"<{OWL}Nothing>") in said


def test_joined_entities_go_under_one_iri(pair: tuple[Ontology, Ontology, Alignment]) -> None:
    merged = merge_ontologies(*pair, join=True)
    assert merged.joined["http://b#Work"] == "http://a#Book"
    old = [t for t in merged.triples if "<http://b#Work>" in (str(t.subject), str(t.object))]
    assert {local_name(t.predicate.value) for t in old} == {"replaces", "annotatedTarget"}
    types = {t.object.value for t in merged.triples if str(t.subject) == "<http://a#i>"}
    assert "http://a#Book" in types
    assert "http://b#j" in types  # replaced


def test_the_same_input_gives_the_same_bytes(
    pair: tuple[Ontology, Ontology, Alignment], tmp_path: Path
) -> None:
    for name in ("one.owl", "two.owl"):
        write_merged(merge_ontologies(*pair), tmp_path / name)
    assert (tmp_path / "one.owl").read_bytes() == (tmp_path / "two.owl").read_bytes()


def test_a_file_that_both_import_is_there_once(tmp_path: Path) -> None:
    (tmp_path / "base.ttl").write_text(
        TTL
        + "<http://base> a owl:Ontology . base:A a owl:Class ; rdfs:subClassOf [ a owl:Class ] ."
    )
    for name in "ab":
        text = (
            f"<http://{name}> a owl:Ontology ; owl:imports <http://base> . {name}:X a owl:Class ."
        )
        (tmp_path / f"{name}.ttl").write_text(TTL + text)
    one, two = (load_ontology(tmp_path / f"{n}.ttl", imports=tmp_path) for n in "ab")
    merged = merge_ontologies(one, two, Alignment([Correspondence("http://a#X", "http://b#X")]))
    assert sum(str(t.subject) == "<http://base#A>" for t in merged.triples) == 2
    assert load_ontology_of(merged, tmp_path).missing_imports == ()


def load_ontology_of(merged: MergedOntology, folder: Path) -> Ontology:
    write_merged(merged, folder / "merged.nt")
    return load_ontology(folder / "merged.nt")


def test_what_a_format_cannot_say_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(f"{TTL} a:X a owl:Class ; <http://a/1> 'odd' .")
    (tmp_path / "b.ttl").write_text(f"{TTL} b:X a owl:Class .")
    one, two = (load_ontology(tmp_path / f"{n}.ttl") for n in "ab")
    merged = merge_ontologies(one, two, Alignment([Correspondence("http://a#X", "http://b#X")]))
    with pytest.raises(MergingError, match=r"ending says no format: use \.owl"):
        write_merged(merged, tmp_path / "m.xyz")
    with pytest.raises(MergingError, match=r"m\.owl.* write one that ends in \.nt"):
        write_merged(merged, tmp_path / "m.owl")
    assert not (tmp_path / "m.owl").exists()
    write_merged(merged, tmp_path / "m.nt")


def test_a_full_disk_is_named_as_the_cause(
    pair: tuple[Ontology, Ontology, Alignment], tmp_path: Path, full_disk: FullDisk
) -> None:
    merged = merge_ontologies(*pair)
    with full_disk(), pytest.raises(OSError, match="File too large") as error:
        write_merged(merged, tmp_path / "m.ttl")
    assert error.value.filename == str(tmp_path / "m.ttl")


def test_an_alignment_of_other_ontologies_is_refused(
    pair: tuple[Ontology, Ontology, Alignment],
) -> None:
    one, two, alignment = pair
    with pytest.raises(MergingError, match=r"no correspondence can be used .* alignrank check"):
        merge_ontologies(two, one, alignment)
    assert merge_ontologies(one, two, Alignment()).left_out == {}


def test_both_directions_where_there_is_no_equivalence() -> None:
    same = Correspondence("a", "b")
    assert len(statements(same, (Kind.ANNOTATION_PROPERTY, None))) == 2
    assert statements(Correspondence("a", "b", "<"), (Kind.INDIVIDUAL, Kind.INDIVIDUAL)) == ()
    assert statements(Correspondence("a", "b", "HasInstance"), (None, None))[0][0] == "b"


def test_a_confidence_that_is_not_stated_is_no_annotation(
    pair: tuple[Ontology, Ontology, Alignment], tmp_path: Path
) -> None:
    source, target, alignment = pair
    confidence = rdflib.URIRef("https://w3id.org/sssom/confidence")
    for has_confidences in (True, False):
        alignment.has_confidences = has_confidences
        graph = written(merge_ontologies(source, target, alignment), tmp_path / "merged.ttl")
        assert any(graph.objects(None, confidence)) == has_confidences


def test_what_is_negated_becomes_no_axiom(pair: tuple[Ontology, Ontology, Alignment]) -> None:
    one, two, _ = pair
    book, page, work = "http://a#Book", "http://a#Page", "http://b#Work"
    negated = [NegatedCorrespondence(book, work, f"{SKOS}exactMatch", "=")]
    merged = merge_ontologies(
        one, two, Alignment([Correspondence(book, work, "<")], negated=negated)
    )
    said = {tuple(map(str, t)) for t in merged.triples}
    assert (f"<{book}>", f"<{RDFS}subClassOf>", f"<{work}>") in said
    assert not {p for s, p, o in said if s == f"<{book}>" and o == f"<{work}>"} - {
        f"<{RDFS}subClassOf>"
    }
    assert merged.left_out == {"negated: OWL has no axiom for it": 1}
    # a pair that is stated and negated becomes none either
    cells = [Correspondence(book, work), Correspondence(page, work)]
    merged = merge_ontologies(one, two, Alignment(cells, negated=negated))
    assert list(merged.used) == cells[1:]
    alone = merge_ontologies(one, two, Alignment(negated=negated))
    assert len(alone.used) == 0


def test_what_is_not_equivalent_is_not_joined_by_way_of_others(
    pair: tuple[Ontology, Ontology, Alignment],
) -> None:
    a, b = "http://a#", "http://b#"
    pairs = (("Book", "Work"), ("Page", "Work"), ("Page", "Sheet"))
    chain = [Correspondence(a + one, b + two) for one, two in pairs]
    negated = [NegatedCorrespondence(f"{a}Book", f"{b}Sheet", f"{SKOS}exactMatch", "=")]
    alignment = Alignment(chain, negated=negated)
    with pytest.raises(MergingError, match="stated not to be equivalent"):
        merge_ontologies(*pair[:2], alignment, join=True)
    assert len(merge_ontologies(*pair[:2], alignment).used) == 3
