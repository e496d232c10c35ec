"""Imports are found by IRI, by version IRI, by a catalog and by file name."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from alignrank.ontologies import LoadingError, load_ontology
from alignrank.ontologies.loading.imports import CATALOG, ontology_iris

OWL = "http://www.w3.org/2002/07/owl#"
PREFIXES = f"@prefix owl: <{OWL}> .\n"
VERSION = "http://e.org/q/v1.0/"
XML = (
    f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="{OWL}">'
    '<owl:Ontology rdf:about="http://e.org/q/"><owl:versionIRI rdf:resource="{}"/></owl:Ontology>'
    '<owl:Class rdf:about="http://e.org/q#Q"/></rdf:RDF>'
).format(VERSION)
HEADERS = [
    XML,
    f'<Ontology xmlns="{OWL}" ontologyIRI="http://e.org/q/" versionIRI="{VERSION}"/>',
    f"{PREFIXES}<http://e.org/q/> a owl:Ontology ; owl:versionIRI <{VERSION}> .",
    f"Prefix(:=<http://e.org/q#>)\nOntology(<http://e.org/q/> <{VERSION}>)",
    f"Ontology: <http://e.org/q/> <{VERSION}>",
]


@pytest.mark.parametrize("text", HEADERS)
def test_a_version_iri_names_an_ontology_too(text: str) -> None:
    assert ontology_iris(text.encode()) == ["http://e.org/q/", VERSION]


@pytest.fixture
def importing(tmp_path: Path) -> Path:
    path = tmp_path / "a.ttl"
    path.write_text(
        f"{PREFIXES}<http://e.org/a> a owl:Ontology ; owl:imports <{VERSION}> .\n"
        "<http://e.org/a#A> a owl:Class ."
    )
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "some name.owl").write_text(XML)
    return path


def test_an_import_is_found_by_its_version(importing: Path) -> None:
    assert "http://e.org/q#Q" not in load_ontology(importing)
    ontology = load_ontology(importing, imports=importing.parent / "copies")
    assert "http://e.org/q#Q" in ontology
    assert ontology.missing_imports == ()


@pytest.mark.parametrize("place", ["beside", "imports"])
@pytest.mark.parametrize(
    "entry",
    [
        '<uri name="{0}" uri="{1}some%20name.owl"/>',
        '<group xml:base="{1}"><system systemId="{0}" uri="some name.owl"/></group>',
    ],
)
def test_a_catalog_says_where_imports_are(importing: Path, place: str, entry: str) -> None:
    copies = importing.parent / "copies"
    folder, inner = (importing.parent, "copies/") if place == "beside" else (copies, "")
    (folder / CATALOG).write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
        f'<uri name="http://e.org/other" uri="http://e.org/other.owl"/>'
        f"{entry.format(VERSION.rstrip('/'), inner)}</catalog>"
    )
    (copies / "some name.owl").write_text(XML.replace(VERSION, "http://e.org/q/v2/"))
    ontology = load_ontology(importing, imports=copies if place == "imports" else None)
    assert "http://e.org/q#Q" in ontology


def test_a_broken_catalog_is_named(importing: Path) -> None:
    (importing.parent / CATALOG).write_text('<?xml version="1.0" encoding="zip"?><catalog/>')
    with pytest.raises(
        LoadingError, match=r"catalog-v001\.xml, line 1: 'zip' is no encoding of text"
    ):
        load_ontology(importing)
    (importing.parent / CATALOG).write_text("<catalog>")
    with pytest.raises(LoadingError, match=rf"{CATALOG}, line 1: not well-formed XML"):
        load_ontology(importing)


@pytest.mark.parametrize("part", ["imp.owl.gz", "imp.owl", "imp"])
def test_a_packed_import_is_found_by_its_file_name(part: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(
        f"{PREFIXES}<http://e.org/a> a owl:Ontology ; owl:imports <http://x.org/{part}> ."
    )
    (tmp_path / "imports").mkdir()
    (tmp_path / "imports" / "imp.owl.gz").write_bytes(gzip.compress(XML.encode()))
    assert "http://e.org/q#Q" in load_ontology(path, imports=tmp_path / "imports")


@pytest.mark.parametrize("name", ["b c.owl", "b%20c.owl"])
def test_an_import_whose_name_is_encoded_is_found_by_its_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.ttl"
    header = "<http://e.org/a> a owl:Ontology ; owl:imports <http://e.org/b%20c.owl> .\n"
    path.write_text(f"{PREFIXES}{header}<http://e.org/a#A> a owl:Class .")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / name).write_text(XML)
    assert "http://e.org/q#Q" in load_ontology(path, imports=tmp_path / "copies")


def test_an_import_of_obo_is_found_by_its_file(tmp_path: Path) -> None:
    term = "[Term]\nid: {0}:1\nname: one\n"
    head = "format-version: 1.2\nontology: x\nimport: y.obo\n"
    (tmp_path / "x.obo").write_text(f"{head}\n{term.format('X')}")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "y.obo").write_text(f"format-version: 1.2\n\n{term.format('Y')}")
    ontology = load_ontology(tmp_path / "x.obo", imports=tmp_path / "copies")
    assert "http://purl.obolibrary.org/obo/Y_1" in ontology


def test_a_missing_import_declares_nothing_whose_iri_only_begins_alike(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(
        f"{PREFIXES}@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "<http://e.org/a> a owl:Ontology ; owl:imports <http://e.org/b> .\n"
        "<http://e.org/a#A> rdfs:subClassOf <http://e.org/bones#X> , <http://e.org/b#Y> ."
    )
    ontology = load_ontology(path)
    assert [entity.iri for entity in ontology] == ["http://e.org/a#A", "http://e.org/bones#X"]


def test_an_import_that_is_stated_as_a_text_is_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(
        f'{PREFIXES}<http://e.org/a> a owl:Ontology ; owl:imports "{VERSION}" .\n'
        "<http://e.org/a#A> a owl:Class ."
    )
    assert load_ontology(path).missing_imports == (VERSION,)
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / "q.owl").write_text(XML)
    assert "http://e.org/q#Q" in load_ontology(path, imports=tmp_path / "copies")
