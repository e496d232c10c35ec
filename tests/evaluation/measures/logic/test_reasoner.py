"""Both reasoners against worked cases, reachability, and axioms that it cannot see."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.credit.credits import values
from alignrank.evaluation.measures.logic import reasoner
from alignrank.evaluation.measures.logic.coherence import coherence
from alignrank.evaluation.measures.logic.reachability import Merged, merge, semantic
from alignrank.evaluation.measures.logic.reasoner import Reasoned
from alignrank.evaluation.measures.measure import MEASURES, Context
from alignrank.ontologies import load_ontology, local_name
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.ontology import Entity, Kind, Ontology

GOLDEN = json.loads((Path(__file__).parents[3] / "golden" / "measures.json").read_text("utf-8"))
needs_java = pytest.mark.needs("java")

FILE = """<?xml version="1.0"?>
<rdf:RDF xmlns="http://a#" xml:base="http://a"
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
    xmlns:owl="http://www.w3.org/2002/07/owl#">
  <owl:Ontology rdf:about="http://a"><owl:imports rdf:resource="http://nowhere"/></owl:Ontology>
  <owl:Class rdf:about="http://a#Wet"/>
  <owl:Class rdf:about="http://a#Dry"><owl:disjointWith rdf:resource="http://a#Wet"/></owl:Class>
  <owl:Class rdf:about="http://a#Tall"/>
  <owl:Class rdf:about="http://a#Both">
    <owl:equivalentClass><owl:Class><owl:intersectionOf rdf:parseType="Collection">
      <rdf:Description rdf:about="http://a#Wet"/><rdf:Description rdf:about="http://a#Tall"/>
    </owl:intersectionOf></owl:Class></owl:equivalentClass>
  </owl:Class>
  <owl:ObjectProperty rdf:about="http://a#near"/>
  <owl:DatatypeProperty rdf:about="http://a#size"/>
</rdf:RDF>
"""


def taxonomy(prefix, parents, **facts):
    names = dict.fromkeys(x for pair in parents for x in pair if x)
    return Ontology(
        "",
        {prefix + n: Entity(prefix + n, Kind.CLASS) for n in names},
        parents={prefix + a: (prefix + b,) for a, b in parents if b},
        **facts,
    )


ONE = taxonomy("http://a#", [("A", "B"), ("B", "C"), ("D", "")])
TWO = taxonomy("http://b#", [("one", "two"), ("two", "three"), ("four", "")])


def aligned(rows):
    return Alignment(Correspondence(f"http://a#{a}", f"http://b#{b}", r) for a, b, r in rows)


RUSTDL = partial(Reasoned, reasoner="rustdl")
HERMIT = partial(Reasoned, reasoner="HermiT")
EACH = [RUSTDL, pytest.param(HERMIT, marks=needs_java)]


@pytest.fixture(params=EACH, ids=["rustdl", "HermiT"])
def reasoned(request):
    """Return each reasoner in turn."""
    return request.param


@pytest.mark.parametrize("name", ["S2", "S5"])
def test_worked_cases(name, reasoned):
    case = GOLDEN["semantic"]["cases"][name]
    reference = aligned(GOLDEN["semantic"]["reference"])
    got = semantic(aligned(case["A"]), reference, ONE, TWO, entailment=reasoned).scores()
    assert (got.precision, got.recall) == pytest.approx((case["P_sem"], case["R_sem"]))


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.owl"
    path.write_text(FILE, encoding="utf-8")
    entities = {
        f"http://a#{n}": Entity(f"http://a#{n}", kind)
        for n, kind in [
            *((n, Kind.CLASS) for n in ("Wet", "Dry", "Tall", "Both")),
            *((n, Kind.PROPERTY) for n in ("near", "size")),
        ]
    }
    return Ontology("http://a", entities, path=str(path))


def test_axioms_of_the_file_count(weather, reasoned):
    target = taxonomy("http://b#", [("x", "y"), ("p", "")])
    a = aligned([("Wet", "x", ">"), ("Tall", "x", ">"), ("near", "p", "=")])
    inferred = Correspondence("http://a#Both", "http://b#x", ">")
    assert not Merged(weather, target, a).entails(inferred)
    merged = reasoned(weather, target, a)
    assert merged.entails(inferred)
    assert not merged.entails(Correspondence("http://a#Both", "http://b#y", ">"))
    assert merged.unsatisfiable == frozenset()
    assert not merged.inconsistent


def test_unsatisfiable_classes_and_inconsistency(weather, reasoned):
    target = taxonomy("http://b#", [("x", "y")])
    wrong = aligned([("Dry", "x", ">"), ("Both", "x", ">")])
    assert reasoned(weather, target, wrong).unsatisfiable == {"http://b#x"}
    assert Merged(weather, target, wrong).unsatisfiable == frozenset()
    individual = Entity("http://b#i", Kind.INDIVIDUAL)
    peopled = replace(
        target,
        entities={**target.entities, individual.iri: individual},
        types={individual.iri: ("http://b#x",)},
    )
    merged = reasoned(weather, peopled, wrong)
    assert merged.inconsistent
    assert merged.entails(Correspondence("http://a#Tall", "http://b#y"))


def test_the_registered_measure(weather):
    a, r = aligned([("Wet", "x", ">"), ("Tall", "x", ">")]), aligned([("Both", "x", ">")])
    context = Context(weather, taxonomy("http://b#", [("x", "y")]))
    assert values(MEASURES["semantic"](a, r, context))["recall"] == 1


@needs_java
def test_the_measure_by_hermit(weather):
    target = taxonomy("http://b#", [("x", "y")])
    a = aligned([("Wet", "x", ">"), ("Tall", "x", ">")])
    r = aligned([("Both", "x", ">")])
    assert values(MEASURES["semantic-hermit"](a, r, Context(weather, target)))["recall"] == 1


TTL = """@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix base: <http://base#> . @prefix a: <http://a#> . @prefix b: <http://b#> .
"""
IMPORTS = "<http://a> a owl:Ontology ; owl:imports <http://base> ."


def loaded(folder, name, text):
    path = folder / f"{name}.ttl"
    path.write_text(TTL + text, encoding="utf-8")
    return load_ontology(path, imports=folder)


def test_what_an_imported_file_states_is_known(tmp_path, reasoned):
    (tmp_path / "base.ttl").write_text(
        f"""{TTL}<http://base> a owl:Ontology . base:A a owl:Class ; owl:disjointWith base:D .
        base:B a owl:Class ; owl:equivalentClass base:A . base:D a owl:Class .
        base:C a owl:Class ; rdfs:subClassOf base:B .
        base:F a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:unionOf (base:A base:D) ] .
        base:P a owl:Class . base:Q a owl:Class .
        base:R a owl:Class ; owl:equivalentClass
            [ a owl:Class ; owl:intersectionOf (base:P base:Q) ] ."""
    )
    source = loaded(
        tmp_path,
        "a",
        f"""{IMPORTS} a:E a owl:Class ; rdfs:subClassOf base:C .
        a:G a owl:Class ; rdfs:subClassOf base:P, base:Q . a:i a a:E .""",
    )
    target = loaded(tmp_path, "b", "<http://b> a owl:Ontology . b:X a owl:Class .")
    assert [Path(file).name for file in source.imported] == ["base.ttl"]
    merged = reasoned(source, target, Alignment())
    # by the stated equivalence of A and B, and by axioms that an Ontology does not hold
    assert merged.subsumed("http://a#E", "http://base#A")
    assert merged.subsumed("http://a#E", "http://base#F")
    assert merged.subsumed("http://a#G", "http://base#R")
    assert not merged.subsumed("http://base#R", "http://a#G")
    wrong = Alignment(
        [
            Correspondence("http://a#E", "http://b#X"),
            Correspondence("http://base#D", "http://b#X", ">"),
        ]
    )
    assert reasoned(source, target, wrong).inconsistent


def test_an_ontology_made_in_memory_counts_with_its_equivalents(reasoned):
    source = replace(ONE, equivalents=(("http://a#C", "http://a#D"),))
    target = taxonomy("http://b#", [("x", "")], equivalents=(), disjoints=())
    disjoint = replace(source, disjoints=(("http://a#A", "http://a#D"),))
    assert reasoned(source, target, Alignment()).subsumed("http://a#A", "http://a#D")
    assert "http://a#A" in reasoned(disjoint, target, Alignment()).unsatisfiable
    group = replace(ONE, disjoints=(("http://a#A", "http://a#C", "http://a#D"),))
    assert reasoned(group, target, Alignment()).unsatisfiable == {"http://a#A"}


PROPERTIES = """<http://a> a owl:Ontology . a:p a owl:ObjectProperty ; rdfs:subPropertyOf a:q .
    a:q a owl:ObjectProperty . a:near a owl:ObjectProperty, owl:TransitiveProperty ."""
OTHERS = """<http://b> a owl:Ontology . b:r a owl:ObjectProperty . b:s a owl:ObjectProperty .
    b:t a owl:ObjectProperty ."""


@pytest.mark.parametrize("entailment", [Merged, *EACH])
def test_disjoint_properties_empty_what_is_below_both(tmp_path, entailment):
    source, target = loaded(tmp_path, "a", PROPERTIES), loaded(tmp_path, "b", OTHERS)
    below = Correspondence("http://a#p", "http://b#r", "<")
    apart = Correspondence("http://a#q", "http://b#r", "%")
    merged = entailment(source, target, Alignment([below, apart]))
    assert merged.entails(Correspondence("http://a#p", "http://b#s", "<"))
    assert not merged.entails(Correspondence("http://a#q", "http://b#s", "<"))
    assert merged.unsatisfiable == frozenset()
    assert not entailment(source, target, Alignment([below])).entails(
        Correspondence("http://a#p", "http://b#s", "<")
    )


def test_a_transitive_property_may_not_be_disjoint_in_owl(tmp_path, reasoned):
    source, target = loaded(tmp_path, "a", PROPERTIES), loaded(tmp_path, "b", OTHERS)
    apart = Alignment([Correspondence("http://a#near", "http://b#r", "%")])
    assert reasoned(source, target, apart).entails(next(iter(apart)))


@pytest.mark.parametrize("entailment", [Merged, *EACH])
@pytest.mark.parametrize(
    "axiom",
    [
        "a:A rdfs:subClassOf owl:Nothing .",
        "a:A owl:equivalentClass owl:Nothing .",
        "owl:Nothing owl:equivalentClass a:A .",
        "a:A owl:disjointWith a:A .",
    ],
)
def test_a_class_that_is_stated_to_be_empty_is_below_every_other(tmp_path, entailment, axiom):
    source = loaded(tmp_path, "a", f"a:A a owl:Class . a:B a owl:Class . {axiom}")
    target = loaded(tmp_path, "b", "b:X a owl:Class .")
    below_a = Correspondence("http://a#A", "http://b#X", ">")
    merged = entailment(source, target, Alignment([below_a]))
    assert merged.unsatisfiable == {"http://a#A", "http://b#X"}
    assert merged.entails(Correspondence("http://a#B", "http://b#X", ">"))
    assert not merged.entails(Correspondence("http://a#B", "http://b#X", "<"))


def test_numbers_keep_their_datatypes(tmp_path, reasoned):
    text = """a:size a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:range xsd:integer .
        a:One a owl:Class ; owl:equivalentClass
            [ a owl:Restriction ; owl:onProperty a:size ; owl:hasValue "01"^^xsd:integer ] .
        a:i a owl:NamedIndividual ; a:size "1"^^xsd:integer .
        a:Pair a owl:Class ; owl:equivalentClass [ a owl:Restriction ; owl:onProperty a:part ;
            owl:minCardinality "2"^^xsd:nonNegativeInteger ] . a:part a owl:ObjectProperty .
        a:Triple a owl:Class ; owl:equivalentClass [ a owl:Restriction ; owl:onProperty a:part ;
            owl:minCardinality "3"^^xsd:nonNegativeInteger ] ."""
    merged = reasoned(loaded(tmp_path, "a", text), TWO, Alignment())
    assert not merged.inconsistent
    assert merged.subsumed("http://a#i", "http://a#One")
    assert merged.subsumed("http://a#Triple", "http://a#Pair")


def test_dates_do_not_stop_it(tmp_path, reasoned):
    text = """a:born a owl:DatatypeProperty ; rdfs:range xsd:date . a:A a owl:Class .
        a:B a owl:Class ; rdfs:subClassOf a:A ."""
    merged = reasoned(loaded(tmp_path, "a", text), TWO, Alignment())
    assert merged.subsumed("http://a#B", "http://a#A")


def test_without_java_the_error_says_what_to_do(monkeypatch):
    monkeypatch.setattr(reasoner.shutil, "which", lambda _: None)
    with pytest.raises(EvaluationError, match="needs Java, which is not here"):
        HERMIT(ONE, TWO, Alignment())


def test_a_file_that_is_gone_or_broken(tmp_path):
    with pytest.raises(EvaluationError, match=r"gone\.owl cannot be read again for a reasoner"):
        RUSTDL(replace(ONE, path=str(tmp_path / "gone.owl")), TWO, Alignment())
    broken = tmp_path / "broken.ttl"
    broken.write_text("@prefix : <http://a#> . :A a")
    with pytest.raises(EvaluationError, match=r"broken\.ttl cannot be read again for a reasoner"):
        RUSTDL(replace(ONE, path=str(broken)), TWO, Alignment())


def test_other_formats_are_read_as_the_loader_reads_them(tmp_path, reasoned):
    turtle = tmp_path / "a.ttl"
    turtle.write_text(
        "@prefix : <http://a#> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
        ":D owl:equivalentClass [ a owl:Class ; owl:unionOf ( :A :C ) ] . :A a owl:Class ."
    )
    merged = reasoned(replace(ONE, path=str(turtle)), TWO, Alignment())
    assert merged.subsumed("http://a#A", "http://a#D")
    assert merged.subsumed("http://a#D", "http://a#C")


def test_iris_without_a_base_are_those_of_the_loader(tmp_path, reasoned):
    path = tmp_path / "plain.owl"
    path.write_text(FILE.replace(' xml:base="http://a"', "").replace("http://a#", "#"))
    source = load_ontology(path)
    one = {local_name(e.iri): e.iri for e in source}
    a = Alignment(Correspondence(one[n], "http://b#x", ">") for n in ("Wet", "Tall"))
    merged = reasoned(source, taxonomy("http://b#", [("x", "y")]), a)
    assert merged.subsumed("http://b#x", one["Both"])


@needs_java
def test_time_out(monkeypatch):
    monkeypatch.setattr(reasoner, "TIMEOUT", 0.001)
    with pytest.raises(EvaluationError, match=r"HermiT has not finished after 0\.001 seconds"):
        HERMIT(ONE, TWO, Alignment())


#: Plant and Pet are disjoint for a reasoner only.
INFERRED = """b:Pet a owl:Class . b:Tree a owl:Class .
b:Plant a owl:Class ; rdfs:subClassOf [ a owl:Class ; owl:complementOf b:Pet ] ."""


def test_a_class_that_only_a_reasoner_finds_unsatisfiable_has_its_cause_and_the_smallest_repair(
    tmp_path,
):
    source = loaded(
        tmp_path,
        "a",
        "a:Cat a owl:Class ; rdfs:subClassOf a:Animal . a:Animal a owl:Class . a:Oak a owl:Class .",
    )
    target = loaded(tmp_path, "b", INFERRED)
    a = Alignment(
        Correspondence(f"http://a#{one}", f"http://b#{two}", "=", x)
        for one, two, x in [("Oak", "Tree", 0.9), ("Cat", "Pet", 0.8), ("Animal", "Plant", 0.6)]
    )
    assert coherence(a, source, target, merge).unsatisfiable == ()
    got = coherence(a, source, target, RUSTDL)
    assert got.reasoner == "rustdl"
    assert got.unsatisfiable == ("http://a#Cat", "http://b#Pet")
    assert all({c.confidence for c in cause} == {0.6, 0.8} for cause in got.causes.values())
    assert [c.confidence for c in got.repair] == [0.6]


def test_without_a_reasoner_the_values_are_lower_bounds(weather, by_reachability):
    a = aligned([("Wet", "x", ">")])
    judgement = MEASURES["coherence"](a, a, Context(weather, taxonomy("http://b#", [("x", "y")])))
    assert judgement.is_lower_bound
    assert "lower bound" in judgement.cautions[0]


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda measure: measure.name)
def test_a_measure_and_its_values_agree_on_their_direction(measure):
    if measure.name == "semantic-hermit":
        pytest.skip("its values are those of semantic, and it needs Java")
    a = aligned([("A", "one", "=")])
    judgement = measure(a, a, Context(ONE, TWO))
    assert judgement.less_is_better == measure.less_is_better


def test_a_predicate_that_xml_cannot_write_is_left_out(tmp_path):
    source = loaded(tmp_path, "a", "a:A a owl:Class ; <http://a#1> 'x' ; rdfs:subClassOf a:B .")
    assert RUSTDL(source, TWO, Alignment()).subsumed("http://a#A", "http://a#B")


def test_disjoint_groups_and_properties_are_known_to_both(tmp_path, reasoned):
    source = loaded(
        tmp_path,
        "a",
        """[] a owl:AllDisjointClasses ; owl:members (a:A a:B a:C a:D) . a:A a owl:Class .
        a:B a owl:Class . a:C a owl:Class . a:D a owl:Class . a:p a owl:ObjectProperty .
        a:X a owl:Class ; rdfs:subClassOf a:A, a:C . a:Y a owl:Class ; rdfs:subClassOf a:B, a:D .
        [] a owl:AllDisjointProperties ; owl:members (a:p a:q) . a:q a owl:ObjectProperty .
        a:Z a owl:Class ; rdfs:subClassOf a:A . a:r a owl:ObjectProperty ;
            rdfs:subPropertyOf a:p, a:q . a:W a owl:Class ; rdfs:subClassOf
            [ a owl:Restriction ; owl:onProperty a:r ; owl:someValuesFrom owl:Thing ] .""",
    )
    merged = reasoned(source, TWO, Alignment())
    assert merged.unsatisfiable == {"http://a#X", "http://a#Y", "http://a#W"}
