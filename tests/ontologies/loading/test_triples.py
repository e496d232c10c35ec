"""A World for each ontology: nothing is shared, fetched or run, and everything is read."""

from __future__ import annotations

import io
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import owlready2
import pytest

from alignrank.ontologies import Kind, Label, load_ontology
from alignrank.ontologies.loading import read_triples
from alignrank.ontologies.loading.triples import Triples
from alignrank.ontologies.tasks import bundled_task
from alignrank.ontologies.vocabulary import OBO_IN_OWL, OWL, RDFS
from tests.ontologies.loading.written import BASE, labels, load


def test_files_that_share_an_iri_do_not_share_labels(tmp_path: Path) -> None:
    body = '<owl:Class rdf:about="#A"><rdfs:label>{}</rdfs:label></owl:Class>'
    one = load(tmp_path, body.format("one"), name="1.owl")
    two = load(tmp_path, body.format("two"), name="2.owl")
    assert (labels(one), labels(two)) == (["one"], ["two"])
    assert list(owlready2.default_world.classes()) == []


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    body = '<owl:Ontology rdf:about=""/><owl:Class rdf:about="#{}"/>'
    assert list(load(tmp_path, body.format("A")).entities) == ["http://e.org/o#A"]
    assert list(load(tmp_path, body.format("B")).entities) == ["http://e.org/o#B"]


def test_blank_nodes_of_the_same_name_in_two_files_are_two(tmp_path: Path) -> None:
    body = """<owl:Class rdf:about="#{0}"><s:hasExactSynonym rdf:nodeID="n"/></owl:Class>
      <rdf:Description rdf:nodeID="n"><rdfs:label>{0} also</rdfs:label></rdf:Description>"""
    head = BASE.replace("<rdf:RDF", f'<rdf:RDF xmlns:s="{OBO_IN_OWL}"')
    (tmp_path / "two").write_text(head + body.format("B") + "</rdf:RDF>", encoding="utf-8")
    header = (
        '<owl:Ontology rdf:about=""><owl:imports rdf:resource="http://e.org/two"/></owl:Ontology>'
    )
    path = tmp_path / "one.owl"
    path.write_text(head + header + body.format("A") + "</rdf:RDF>", encoding="utf-8")
    ontology = load_ontology(path, imports=tmp_path)
    assert (labels(ontology, "A"), labels(ontology, "B")) == (["A also"], ["B also"])


@pytest.mark.parametrize("name", ["library", "citytransit"])
def test_without_its_compiled_parser_owlready2_reads_the_same(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    if not owlready2.driver.owlready2_optimized:
        pytest.skip("owlready2 was installed without a C compiler: there is no other parser")
    path = bundled_task(name).source
    compiled = load_ontology(path)
    monkeypatch.setattr(owlready2.driver, "owlready2_optimized", None)
    assert load_ontology(path) == compiled


def test_imports_and_python_modules_are_never_fetched_or_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    ontology = load(
        tmp_path,
        """<owl:Ontology rdf:about="">
             <owl:imports rdf:resource="http://purl.org/dc/elements/1.1"/>
             <owl:imports rdf:resource="http://example.invalid/o"/>
             <o:python_module xmlns:o="http://www.lesfleursdunormal.fr/static/_downloads/owlready_ontology.owl#"
             >antigravity</o:python_module>
           </owl:Ontology><owl:Class rdf:about="#A"/>""",
    )
    assert ontology.missing_imports == (
        "http://example.invalid/o",
        "http://purl.org/dc/elements/1.1",
    )
    assert "antigravity" not in sys.modules


def test_threads_may_load_at_once(tmp_path: Path) -> None:
    paths = []
    for i in range(8):
        body = f'<owl:Class rdf:about="#A"><rdfs:label>label {i}</rdfs:label></owl:Class>'
        load(tmp_path, body, name=f"{i}.owl")
        paths.append(tmp_path / f"{i}.owl")
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(load_ontology, paths))
    assert [labels(o) for o in loaded] == [[f"label {i}"] for i in range(8)]


def test_the_tables_say_what_its_own_queries_say(oaei: Path) -> None:
    for path in (oaei / "conference/ontologies/edas.owl", bundled_task("library").source):
        triples = Triples()
        read_triples(triples, path)
        world = owlready2.World()
        text = io.BytesIO(b"# N-Triples\n" + triples.n_triples())
        world.get_ontology("urn:test#").load(fileobj=text)
        for predicate in (f"{RDFS}subClassOf", f"{RDFS}domain", f"{OWL}disjointWith"):
            query = f"SELECT (STR(?s) AS ?a) (STR(?o) AS ?b) {{ ?s <{predicate}> ?o . }}"
            rows = [(s, o) for s, o in world.sparql(query) if "None" not in (s, o)]
            named = [x for x in triples.links(predicate) if not "".join(x).count("_:")]
            assert sorted(named) == sorted(rows)
            assert named or predicate == f"{OWL}disjointWith"
        labels = "SELECT (STR(?s) AS ?a) (STR(?o) AS ?b) (LANG(?o) AS ?c) { ?s rdfs:label ?o . }"
        rows = [(s, Label(text.strip(), lang)) for s, text, lang in world.sparql(labels)]
        found = list(triples.texts(f"{RDFS}label", {s for s, _ in rows}))
        assert sorted(found) == sorted(rows)


def test_a_property_that_is_a_class_and_a_long_chain_of_properties(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # owlready2 would stop at the first, and take a quarter of a minute for the second
    chain = "".join(
        f'<owl:ObjectProperty rdf:about="#p{i}"><rdfs:subPropertyOf rdf:resource="#p{i - 1}"/>'
        "</owl:ObjectProperty>"
        for i in range(1500)
    )
    both = '<owl:Class rdf:about="#A"/><owl:ObjectProperty rdf:about="#A"/>'
    ontology = load(tmp_path, both + chain)
    assert ontology.entities["http://e.org/o#A"].kind is Kind.CLASS
    assert len(ontology.parents) == 1499
    assert capfd.readouterr() == ("", "")


def test_names_that_owlready2_acts_on_are_read_in_texts(tmp_path: Path) -> None:
    text = f"see &lt;{OWL}imports&gt; and &lt;http://www.w3.org/2001/XMLSchema#int&gt;"
    body = f'<owl:Class rdf:about="#A"><rdfs:label>{text}</rdfs:label></owl:Class>'
    assert labels(load(tmp_path, body)) == [text.replace("&lt;", "<").replace("&gt;", ">")]


def test_an_iri_with_a_blank_in_it_and_a_repeated_id(tmp_path: Path) -> None:
    body = '<owl:Class rdf:about="#A B"/><owl:Class rdf:ID="C"/><owl:Thing rdf:ID="C"/>'
    found = load(tmp_path, body)
    assert list(found.entities) == ["http://e.org/o#A B", "http://e.org/o#C"]
    assert "rdf:ID 'C' stands there again" in found.mended[0]
