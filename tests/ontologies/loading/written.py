"""Ontologies that tests write as RDF/XML."""

from __future__ import annotations

from pathlib import Path

from alignrank.ontologies import Ontology, load_ontology

HEAD = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
     xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
     xmlns:skos="http://www.w3.org/2004/02/skos/core#"
     xmlns:owl="http://www.w3.org/2002/07/owl#" {}>
"""
BASE = HEAD.format('xml:base="http://e.org/o"')


def load(tmp_path: Path, body: str, head: str = BASE, name: str = "o.owl") -> Ontology:
    path = tmp_path / name
    path.write_text(head + body + "</rdf:RDF>\n", encoding="utf-8")
    return load_ontology(path)


def labels(ontology: Ontology, name: str = "A") -> list[str]:
    return ontology.entities[f"http://e.org/o#{name}"].names()
