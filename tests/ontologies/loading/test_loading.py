"""Ontologies load with the entities, labels and links that an RDF library finds in them."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import Kind, Label, LoadingError, Ontology, load_ontology, load_pair
from alignrank.ontologies.loading.imports import ontology_iris
from tests.generated import examples

rdflib = pytest.importorskip("rdflib")
NS = rdflib.Namespace("http://e.org/o#")
OWL, RDF, RDFS, SKOS = rdflib.OWL, rdflib.RDF, rdflib.RDFS, rdflib.SKOS
OBO = rdflib.Namespace("http://www.geneontology.org/formats/oboInOwl#")
LANGUAGE = ("http://www.w3.org/", str(OBO))
PREFIXES = """@prefix : <http://e.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix skosxl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix obo: <http://www.geneontology.org/formats/oboInOwl#> .
"""


def iri(name: str) -> str:
    return f"http://e.org/o#{name}"


def load(tmp_path: Path, text: str, name: str = "o.owl", **options: Any) -> Ontology:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return load_ontology(path, **options)


def turtle(tmp_path: Path, text: str, **options: Any) -> Ontology:
    return load(tmp_path, PREFIXES + text, **options)


# --- the slow, obvious reading of a graph ----------------------------------------------------


def obvious(graph: Any) -> tuple[dict[str, Kind], dict[str, set[Label]], set[tuple[str, str]]]:
    kinds = {}
    for kind, types in [
        (Kind.INDIVIDUAL, [OWL.NamedIndividual]),
        (Kind.ANNOTATION_PROPERTY, [OWL.AnnotationProperty]),
        (Kind.PROPERTY, [OWL.ObjectProperty, OWL.DatatypeProperty]),
        (Kind.CLASS, [OWL.Class]),
    ]:
        for node in (s for t in types for s in graph.subjects(RDF.type, t)):
            if isinstance(node, rdflib.URIRef) and not str(node).startswith(LANGUAGE):
                kinds[str(node)] = kind
    for s, o in graph.subject_objects(RDF.type):
        if isinstance(s, rdflib.URIRef) and not str(o).startswith(LANGUAGE):
            kinds.setdefault(str(s), Kind.INDIVIDUAL)
    for p in (RDFS.subClassOf, OWL.equivalentClass, OWL.disjointWith):
        for node in {x for pair in graph.subject_objects(p) for x in pair}:
            is_declared = (node, RDF.type, None) in graph
            is_named = isinstance(node, rdflib.URIRef) and not str(node).startswith(LANGUAGE)
            if is_named and not is_declared:
                kinds[str(node)] = Kind.CLASS
    labels = {
        node: {
            Label(str(x), (x.language or "").lower())
            for x in graph.objects(rdflib.URIRef(node), RDFS.label)
        }
        for node in kinds
    }
    parents = {
        (str(s), str(o))
        for p in (RDFS.subClassOf, RDFS.subPropertyOf)
        for s, o in graph.subject_objects(p)
        if str(s) in kinds and str(o) in kinds
    }
    return kinds, labels, parents


def agree(ontology: Ontology, graph: Any) -> None:
    kinds, labels, parents = obvious(graph)
    assert {e.iri: e.kind for e in ontology} == kinds
    assert {e.iri: set(e.labels) for e in ontology} == labels
    assert {(c, p) for c, ps in ontology.parents.items() for p in ps} == parents


texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=6)
names = st.sampled_from(["A", "B", "Straße", "x/", "日本"])
literals = st.builds(rdflib.Literal, texts, lang=st.sampled_from([None, "en", "de-AT"]))
triples = st.one_of(
    st.tuples(names, st.just(RDFS.label), literals),
    st.tuples(names, st.just(RDF.type), st.sampled_from([OWL.Class, OWL.ObjectProperty])),
    st.tuples(names, st.just(RDFS.subClassOf), names.map(NS.__getitem__)),
    st.tuples(names, st.just(RDF.type), st.sampled_from([NS.A, NS.B])),
)


@examples(60)
@given(
    st.lists(triples, max_size=12),
    st.sampled_from(["xml", "pretty-xml", "nt", "turtle", "json-ld"]),
)
def test_every_rdf_syntax_gives_what_an_rdf_library_finds(
    tmp_path_factory: pytest.TempPathFactory, found: list[Any], syntax: str
) -> None:
    graph = rdflib.Graph()
    graph.add((NS.Root, RDF.type, OWL.Class))
    for name, predicate, value in found:
        if value != NS[name]:
            graph.add((NS[name], predicate, value))
    path = tmp_path_factory.mktemp("o") / "o.owl"
    graph.serialize(path, format=syntax, encoding="utf-8")
    agree(load_ontology(path), graph)


@pytest.mark.parametrize(
    "file",
    [
        *(f"conference/ontologies/{x}.owl" for x in ("cmt", "confOf", "edas", "ekaw", "iasted")),
        "conference/ontologies/Conference.owl",
        "conference/ontologies/sigkdd.owl",
        "proton/protons.owl",
        "proton/protonust.owl",
        "anatomy/mouse.owl",
    ],
)
def test_real_ontologies_load_as_an_rdf_library_reads_them(oaei: Path, file: str) -> None:
    agree(load_ontology(oaei / file), rdflib.Graph().parse(oaei / file, format="xml"))


# --- real data -------------------------------------------------------------------------------


def test_anatomy_has_its_classes_labels_and_synonyms(oaei: Path) -> None:
    for name, classes, synonyms in (("mouse", 2737, 344), ("human", 3298, 5264)):
        ontology = load_ontology(oaei / "anatomy" / f"{name}.owl")
        counts = ontology.counts()[Kind.CLASS]
        assert (counts.entities, counts.labelled, counts.synonyms) == (classes, classes, synonyms)
        assert ontology.iri == f"http://{name}.owl"
        assert ontology.left_out == {"vocabulary": {"mouse": 13, "human": 12}[name]}
        assert len(ontology.definitions) == {"mouse": 0, "human": 840}[name]
        assert not any("oboInOwl" in e.iri or "genid" in e.iri for e in ontology)


def test_proton_finds_its_modules_beside_it(oaei: Path) -> None:
    folder = oaei / "proton"
    whole = load_ontology(folder / "protonu.owl", imports=folder)
    assert whole.counts()[Kind.CLASS].entities == 266
    assert whole.missing_imports == ()
    alone = load_ontology(folder / "protonu.owl")
    base = "http://proton.semanticweb.org/2005/04/proton"
    assert alone.missing_imports == (f"{base}s", f"{base}t")
    assert 0 < len(alone) < len(whole)


def test_disjoint_classes_of_conference(oaei: Path) -> None:
    edas = load_ontology(oaei / "conference" / "ontologies" / "edas.owl")
    assert len(edas.disjoints) == 407
    assert all(a < b for a, b in edas.disjoints)
    assert edas.counts()[Kind.INDIVIDUAL].entities == len(edas.types) == 114


# --- names -----------------------------------------------------------------------------------


def test_labels_and_synonyms_by_predicate(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        """:A a owl:Class ; rdfs:label "cat"@en, "Katze"@de ; skos:prefLabel " cat " ;
             skos:altLabel "puss" ; obo:hasExactSynonym "felid" ; obo:hasRelatedSynonym "moggy" ;
             obo:hasNarrowSynonym "kitten" ; obo:hasBroadSynonym "pet" ; skos:hiddenLabel "catt" ;
             rdfs:comment "purrs" ; <http://purl.obolibrary.org/obo/IAO_0000118> "Felis" .""",
    )
    entity = ontology.entities[iri("A")]
    assert entity.labels == (Label("Katze", "de"), Label("cat"), Label("cat", "en"))
    assert [x.text for x in entity.synonyms] == ["Felis", "felid", "kitten", "moggy", "pet", "puss"]


def test_synonyms_that_are_nodes_with_their_own_label(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        """:A a owl:Class ; obo:hasRelatedSynonym :genid1, [ rdfs:label "blank" ], :B ;
             skosxl:prefLabel [ skosxl:literalForm "lexical"@en ] .
           :genid1 a obo:Synonym ; rdfs:label "node" .
           obo:genid2 a obo:Definition ; rdfs:label "what it is" .
           :B a owl:Class ; rdfs:label "another class" .
           obo:Synonym a owl:Class . obo:hasRelatedSynonym a owl:AnnotationProperty .""",
    )
    assert sorted(ontology.entities) == [iri("A"), iri("B")]
    entity = ontology.entities[iri("A")]
    assert entity.labels == (Label("lexical", "en"),)
    assert [x.text for x in entity.synonyms] == ["blank", "node"]
    assert ontology.left_out == {"vocabulary": 2, "helper": 2}


def test_an_empty_label_is_no_label(tmp_path: Path) -> None:
    ontology = turtle(tmp_path, ':A a owl:Class ; rdfs:label "", "  " .')
    assert ontology.entities[iri("A")].labels == ()
    assert ontology.entities[iri("A")].names() == ["A"]


# --- kinds and links -------------------------------------------------------------------------


def test_kinds(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        """:C a owl:Class . :R a rdfs:Class . :K a skos:Concept . :S a skos:ConceptScheme .
           :o a owl:ObjectProperty . :d a owl:DatatypeProperty . :p a rdf:Property .
           :f a owl:FunctionalProperty . :n a owl:AnnotationProperty, rdf:Property .
           :i a :C . :j a owl:NamedIndividual . :k a <http://elsewhere#Class> .
           :l a [ a owl:Restriction ] . :pun a owl:Class, owl:NamedIndividual . [] a :C .
           :t a rdfs:Datatype . rdfs:label a owl:AnnotationProperty . owl:Thing a owl:Class .""",
    )
    assert {e.iri.split("#")[1]: e.kind.value for e in ontology} == {
        **dict.fromkeys(("C", "R", "K", "pun"), "class"),
        **dict.fromkeys(("o", "d", "p", "f"), "property"),
        "n": "annotation-property",
        **dict.fromkeys(("i", "j", "k", "l"), "individual"),
    }


def test_links_between_named_entities(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        """<http://e.org/o> a owl:Ontology .
           :A a owl:Class ; rdfs:subClassOf :B, owl:Thing, :A, :Nowhere, [ a owl:Restriction ] .
           :B a owl:Class ; owl:equivalentClass :C, [ owl:unionOf (:A :D) ] . :C a owl:Class .
           :D a owl:Class ; owl:disjointWith :A .
           [] a owl:AllDisjointClasses ; owl:members (:B :C :D) .
           :E a owl:Class ; owl:disjointUnionOf (:A :C) .
           :p a owl:ObjectProperty ; rdfs:subPropertyOf :q . :q a owl:ObjectProperty .
           :i a :A, :B, owl:NamedIndividual ; :p :j ; rdfs:seeAlso :j ; owl:sameAs :j .
           :j a :C .""",
    )
    assert ontology.iri == "http://e.org/o"
    assert ontology.parents == {iri("A"): (iri("B"), iri("Nowhere")), iri("p"): (iri("q"),)}
    assert ontology.equivalents == ((iri("B"), iri("C")), (iri("i"), iri("j")))
    assert ontology.disjoints == tuple(tuple(map(iri, group)) for group in ("AC", "AD", "BCD"))
    assert ontology.types == {iri("i"): (iri("A"), iri("B")), iri("j"): (iri("C"),)}
    assert ontology.assertions == ((iri("i"), iri("p"), iri("j")),)


def test_a_thesaurus_is_an_ontology_of_concepts(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        """:scheme a skos:ConceptScheme . :top a skos:Concept ; skos:narrower :b .
           :a a skos:Concept ; skos:broader :top ; skos:prefLabel "apples"@en .
           :b a skos:Concept . :a skos:altLabel "pome" .
           :c a skos:Collection, owl:NamedIndividual .""",
    )
    assert ontology.iri == iri("scheme")
    assert {e.kind for e in ontology} == {Kind.CLASS}
    assert ontology.parents == {iri("a"): (iri("top"),), iri("b"): (iri("top"),)}
    assert ontology.entities[iri("a")].names() == ["apples", "pome"]
    assert ontology.left_out == {"grouping": 1}


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        (":s skos:hasTopConcept :a . :a skos:narrower :b .", "ab"),
        (":a skos:topConceptOf :s . :b skos:inScheme :s .", "ab"),
        (":a skos:broaderTransitive :b . :c skos:related :a .", "abc"),
        (":s a skos:Collection ; skos:member :a , :g . :g skos:member :b .", "ab"),
        (":A rdfs:subClassOf skos:Concept . :B rdfs:subClassOf :A . :a a :B .", "ABa"),
        (":a a :Species ; skos:broader :b .", "ab"),
        (":a a owl:Class . :b a owl:AnnotationProperty ; skos:related :a .", "a"),
    ],
)
def test_what_skos_says_to_be_a_concept_is_one_though_no_triple_types_it(
    tmp_path: Path, text: str, concepts: str
) -> None:
    ontology = turtle(tmp_path, text)
    assert {entity.iri for entity in ontology.of_kind(Kind.CLASS)} == set(map(iri, concepts))


def test_a_plain_literal_gives_its_language(tmp_path: Path) -> None:
    texts = ("Heart@en", "Lung@", "a@b@DE", "no language")
    stated = ", ".join(f'"{text}"^^rdf:PlainLiteral' for text in texts)
    (entity,) = turtle(tmp_path, f":a a owl:Class ; rdfs:label {stated} .")
    expected = {Label("Heart", "en"), Label("Lung"), Label("a@b", "de"), Label("no language")}
    assert set(entity.labels) == expected


def test_deprecated_entities_are_left_out_and_counted(tmp_path: Path) -> None:
    text = """:A a owl:Class . :B a owl:Class ; owl:deprecated true ; rdfs:subClassOf :A .
              :C a owl:DeprecatedClass . :D a owl:Class ; rdfs:subClassOf obo:ObsoleteClass .
              :E a owl:Class ; owl:deprecated false ; rdfs:subClassOf :B .
              :F owl:deprecated true ."""
    ontology = turtle(tmp_path, text)
    assert sorted(ontology.entities) == [iri("A"), iri("E")]
    assert ontology.left_out == {"deprecated": 3}
    assert ontology.parents == {}


# --- imports ---------------------------------------------------------------------------------


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """Give a folder where a imports b (by IRI) and c (by file name), and b imports a and d."""
    folder = tmp_path / "modules"
    folder.mkdir()
    header = "<http://m.org/{0}> a owl:Ontology ; owl:imports {1} . :{0} a owl:Class ."
    imports = {"a": ["b#", "c.ttl", "x"], "b": ["a", "d"], "d": ["b"]}
    for name, others in imports.items():
        listed = ", ".join(f"<http://m.org/{other}>" for other in others)
        (folder / f"file-{name}.owl").write_text(PREFIXES + header.format(name, listed))
    (folder / "c.ttl").write_text(PREFIXES + ":c a owl:Class ; rdfs:subClassOf :d .")
    (folder / "notes.txt").write_text("not an ontology")
    return folder


def test_imports_come_from_the_folder_and_the_missing_are_recorded(
    modules: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        ontology = load_ontology(modules / "file-a.owl", imports=modules)
    assert sorted(ontology.entities) == [iri(x) for x in "abcd"]
    assert ontology.parents == {iri("c"): (iri("d"),)}
    assert ontology.missing_imports == ("http://m.org/x",)
    assert "http://m.org/x" in caplog.text
    assert ontology.iri == "http://m.org/a"


def test_without_a_folder_every_import_is_missing(modules: Path) -> None:
    ontology = load_ontology(modules / "file-a.owl")
    assert sorted(ontology.entities) == [iri("a")]
    assert ontology.missing_imports == tuple(f"http://m.org/{x}" for x in ("b#", "c.ttl", "x"))


def test_a_broken_import_is_an_error_that_names_it(modules: Path) -> None:
    (modules / "c.ttl").write_text(PREFIXES + ":c a owl:Class ; ;; nonsense")
    with pytest.raises(LoadingError, match=r"c\.ttl, line 7"):
        load_ontology(modules / "file-a.owl", imports=modules)
    with pytest.raises(LoadingError, match="is not a folder"):
        load_ontology(modules / "file-a.owl", imports=modules / "none")


@pytest.mark.parametrize(
    "text",
    [
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="http://e.org/o"'
        ' xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Ontology rdf:about=""/></rdf:RDF>',
        '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://e.org/o"/>',
        "Prefix(:=<http://e.org/o#>)\nOntology(<http://e.org/o>)",
        "Prefix: : <http://e.org/o#>\nOntology: <http://e.org/o>",
        "<http://e.org/o> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
        " <http://www.w3.org/2002/07/owl#Ontology> .",
    ],
)
def test_the_header_of_every_syntax_names_the_ontology(text: str) -> None:
    assert ontology_iris(text.encode()) == ["http://e.org/o"]


# --- refusals --------------------------------------------------------------------------------

RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
    ' xmlns:owl="http://www.w3.org/2002/07/owl#">\n'
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("<!DOCTYPE html><html><body>404</body></html>", "web page"),
        (RDF_XML + '<owl:Class rdf:about="http://e.org#A">\n', "line 4: not well-formed"),
        (RDF_XML + '<owl:Class rdf:about="http://e.org/"', "line 3: not well-formed"),
        ("<?xml version='1.0'?>\n", "line 2: not well-formed"),
        (RDF_XML + "</rdf:RDF>", "declares no class"),
        ("<dblp><article/></dblp>", "neither RDF/XML nor OWL/XML: its root is <dblp>"),
        ("name,age\nx,1\n", "in no format that is known"),
        ('{\n "graphs": [{"nodes": []}]\n}', "is OBO Graphs JSON, which is not read: save it as"),
        ('{"a": 1}', "declares no class"),
        ('{"a":\n ', r"line 2: not valid JSON-LD \(Expecting value\)"),
        ('[\n{"@id": "http://e.org#A", "@ty', "line 2: not valid JSON-LD"),
        (PREFIXES + ":A a owl:Class\n:B a owl:Class .", "line 8: not valid Turtle"),
        ("<http://e#A> <http://e#p> <http://e#B> .\n<http://e#A> <http://e#p>", "line 2: .*N-Tri"),
        ("Ontology(<http://e.org>\nDecl", "line 2: not valid OWL functional"),
        ("Ontology: <http://e.org>\nClass: x:A", "line 2: not valid Manchester"),
        ("format-version: 1.2\n\n[Term]\nid VC:1\n", "line 4: not valid OBO"),
        (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            'xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment"><Alignment/>'
            "</rdf:RDF>",
            "is an alignment, not an ontology",
        ),
        (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            'xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"><Alignment>'
            '<onto1><Ontology rdf:about="http://e.org/o"/></onto1></Alignment></rdf:RDF>',
            "is an alignment, not an ontology",
        ),
        (
            PREFIXES + "<http://e.org> a owl:Ontology ; owl:imports <http://m.org/x> .",
            "import http://m.org/x is missing",
        ),
        (PREFIXES + ":A a owl:DeprecatedClass .", "no entity but 1 deprecated"),
        ('{"@context": "http://e.org/c.jsonld", "@id": "A"}', "@context is the address of a file"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(
    tmp_path: Path, text: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LoadingError, match=message) as caught:
        load(tmp_path, text)
    assert "o.owl" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


# --- classes that are used, but not declared ---------------------------------------------------


def test_a_class_that_is_only_used_is_a_class(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        ':A a rdfs:Class . :B rdfs:subClassOf :C . :D rdfs:subClassOf :A ; rdfs:label "dee" .'
        ":E owl:equivalentClass :F . :G owl:disjointWith :H .",
    )
    assert {e.iri: e.kind for e in ontology} == dict.fromkeys(map(iri, "ABCDEFGH"), Kind.CLASS)
    assert ontology.parents == {iri("B"): (iri("C"),), iri("D"): (iri("A"),)}
    assert ontology.entities[iri("D")].labels == (Label("dee"),)
    assert ontology.disjoints == ((iri("G"), iri("H")),)


def test_domains_and_the_ranges_of_object_properties_are_classes(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        ":p a owl:ObjectProperty ; rdfs:domain :A ; rdfs:range :B ."
        ":q a owl:DatatypeProperty ; rdfs:domain :A ; rdfs:range :year ."
        ":i a :Elsewhere .",
    )
    assert {e.iri for e in ontology.of_kind(Kind.CLASS)} == {iri("A"), iri("B")}
    assert {e.iri for e in ontology.of_kind(Kind.INDIVIDUAL)} == {iri("i")}


@pytest.mark.parametrize(
    "text",
    [
        ":A a owl:Class ; rdfs:subClassOf owl:Thing, rdfs:Resource, skos:Concept, [] .",
        ":A a owl:Class ; rdfs:subClassOf obo:ObsoleteClass2 .",
        ":A a owl:Class . :year a rdfs:Datatype ; owl:equivalentClass :A .",
    ],
)
def test_what_belongs_to_a_language_or_is_declared_otherwise_is_no_class(
    tmp_path: Path, text: str
) -> None:
    ontology = turtle(tmp_path, text)
    assert list(ontology.entities) == [iri("A")]
    assert ontology.left_out == {}


def test_a_class_of_a_missing_import_is_no_class(tmp_path: Path) -> None:
    ontology = turtle(
        tmp_path,
        "<http://e.org/o> a owl:Ontology ; owl:imports <http://e.org/upper> ."
        ":A a owl:Class ; rdfs:subClassOf <http://e.org/upper#Top>, <http://e.org/other#Top> .",
    )
    assert set(ontology.entities) == {iri("A"), "http://e.org/other#Top"}


def test_an_ontology_that_imports_itself_misses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "self.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "<http://e.org/o> a owl:Ontology ; owl:imports <http://e.org/o> .\n"
        "<http://e.org/o#A> a owl:Class .\n"
    )
    assert load_ontology(path).missing_imports == ()


def test_classes_that_bio_ml_keeps_out_of_alignments_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    use = "<http://oaei.ontologymatching.org/bio-ml/ann/use_in_alignment>"
    classes = [
        f"<http://a#{name}> a <http://www.w3.org/2002/07/owl#Class> ; {use} {flag} ."
        for name, flag in (("x", "false"), ("y", '"false"'), ("z", "true"))
    ]
    path.write_text("\n".join(classes), encoding="utf-8")
    ontology = load_ontology(path)
    assert list(ontology.entities) == ["http://a#z"]
    assert ontology.left_out == {"ignored": 2}


def test_label_properties_are_named_and_checked(tmp_path: Path) -> None:
    name, code = "http://schema.org/name", "http://schema.org/code"
    text = f':a a owl:Class ; <{name}> "heart" . :b a owl:Class ; rdfs:label "lung" .'
    named = turtle(tmp_path, text, name="a.ttl", label_properties=[name])
    assert named.entities[iri("a")].labels == (Label("heart"),)
    assert named.entities[iri("b")].labels == (Label("lung"),)
    listed = rf"no entity has the label property {code}; .*: {name} \(1\)"
    with pytest.raises(LoadingError, match=listed):
        turtle(tmp_path, text, name="a.ttl", label_properties=[code])
    turtle(tmp_path, ':c a owl:Class ; rdfs:label "heart" .', name="b.ttl")
    files = tmp_path / "a.ttl", tmp_path / "b.ttl"
    assert load_pair(*files, label_properties=[name])[0].entities == named.entities
    with pytest.raises(LoadingError, match=listed):
        load_pair(*files, label_properties=[name, code])


def test_what_replaces_a_deprecated_entity(tmp_path: Path) -> None:
    text = """
    @prefix iao: <http://purl.obolibrary.org/obo/IAO_> .
    @prefix dct: <http://purl.org/dc/terms/> .
    <http://purl.obolibrary.org/obo/T_1> a owl:Class .
    :old a owl:Class ; owl:deprecated true ; iao:0100001 "T:1" .
    :older a owl:Class ; owl:deprecated true ; dct:isReplacedBy :old .
    :alone a owl:Class ; owl:deprecated true .
    :split a owl:Class ; owl:deprecated true ; dct:isReplacedBy :x , :y .
    :round a owl:Class ; owl:deprecated true ; dct:isReplacedBy :round .
    """
    now = "http://purl.obolibrary.org/obo/T_1"
    expected = {"old": now, "older": now, "alone": "", "split": "", "round": ""}
    assert turtle(tmp_path, text).replacements == {iri(k): v for k, v in expected.items()}


def test_merged_and_suggested_entities(tmp_path: Path) -> None:
    text = """
    @prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
    :e_1 a owl:Class ; oio:hasAlternativeId "e:7" , "X:8" .
    :e_2 a owl:Class .
    :one a owl:Class ; owl:deprecated true ; oio:consider :e_1 .
    :e_3 a owl:Class ; owl:deprecated true ; oio:consider "e:1" , :e_2 .
    :chain a owl:Class ; owl:deprecated true ; oio:consider :e_7 , :one .
    """
    ontology = turtle(tmp_path, text)
    merged = {iri("e_7"): iri("e_1"), "http://purl.obolibrary.org/obo/X_8": iri("e_1")}
    alone = {iri(name): "" for name in ("one", "e_3", "chain")}
    assert ontology.replacements == merged | alone
    expected = {"one": ["e_1"], "e_3": ["e_1", "e_2"], "chain": ["e_1"]}
    assert ontology.suggestions == {
        iri(name): tuple(map(iri, names)) for name, names in expected.items()
    }


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        (
            "a.obo",
            "format-version: 1.2\ndata-version: releases/2025-01-02\n",
            "releases/2025-01-02",
        ),
        ("b.obo", "format-version: 1.2\n", ""),
    ],
)
def test_the_version_of_an_obo_file(tmp_path: Path, name: str, text: str, version: str) -> None:
    path = tmp_path / name
    path.write_text(f"{text}\n[Term]\nid: X:1\nname: data-version: no\n", "utf-8")
    assert load_ontology(path).version == version


def test_the_version_iri_comes_before_the_version_text(tmp_path: Path) -> None:
    head = '<http://e.org/o> a owl:Ontology ; owl:versionInfo "7"'
    body = " . :x a owl:Class ."
    assert turtle(tmp_path, f"{head} {body}").version == "7"
    stated = f"{head} ; owl:versionIRI <http://e.org/o/7> {body}"
    assert turtle(tmp_path, stated).version == "http://e.org/o/7"
