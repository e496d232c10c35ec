"""Ontologies of owlready2 and rdflib as input."""

from __future__ import annotations

from dataclasses import replace

import owlready2
import pytest
import rdflib

import alignrank as ar
from alignrank.common.errors import LoadingError
from alignrank.ontologies.tasks import bundled_task

LIBRARY = bundled_task("library")


def test_an_ontology_of_owlready2_and_a_graph_of_rdflib_are_what_the_file_is() -> None:
    from_file = replace(ar.load(LIBRARY.source), path="", sha256="")
    owlready = owlready2.World().get_ontology(LIBRARY.source.as_uri()).load()
    graph = rdflib.Graph().parse(LIBRARY.source)
    assert ar.load(owlready) == from_file
    assert ar.load(graph) == from_file


def test_match_and_rank_take_a_graph() -> None:
    graphs = [rdflib.Graph().parse(path) for path in (LIBRARY.source, LIBRARY.target)]
    from_files = ar.match(LIBRARY.source, LIBRARY.target, metric="equality")
    assert ar.match(*graphs, metric="equality").keys == from_files.keys
    ranked = ar.rank(*graphs, LIBRARY.reference, metrics=["equality", "ngram"])
    assert str(ranked.answer).startswith("ngram scores best")


def test_a_graph_without_entities_is_named_by_its_library() -> None:
    with pytest.raises(LoadingError, match="rdflib is empty"):
        ar.load(rdflib.Graph())


def test_a_label_property_that_a_graph_does_not_have_is_refused() -> None:
    graph = rdflib.Graph().parse(LIBRARY.source)
    with pytest.raises(LoadingError, match="the rdflib graph: no entity has the label property"):
        ar.load(graph, label_properties=["http://schema.org/name"])
