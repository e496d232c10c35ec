"""Links as triples are an alignment, in every syntax of RDF; an ontology that has some is none."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from alignrank.experiments.inputs.kinds_of_files import content_of
from alignrank.ontologies import AlignmentError, read_alignment
from alignrank.ontologies.alignment import Key

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sssom: <https://w3id.org/sssom/> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix a: <http://a.org/> .
@prefix b: <http://b.org/> .
"""
LINKS = """a:1 skos:exactMatch b:1 .
a:2 owl:equivalentClass b:2 , [ a owl:Restriction ] , a:9 .
a:3 skos:broadMatch b:3 ; skos:closeMatch b:4 .
obo:MA_1 owl:sameAs obo:UBERON_1 , obo:MA_2 .
"""
KEYS = {
    Key("http://a.org/1", "http://b.org/1", "="),
    Key("http://a.org/2", "http://b.org/2", "="),
    Key("http://a.org/3", "http://b.org/3", "<"),
    Key("http://a.org/3", "http://b.org/4", "?"),
    Key("http://purl.obolibrary.org/obo/MA_1", "http://purl.obolibrary.org/obo/UBERON_1", "="),
}
SYNTAXES = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".owl": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}


def rdf(path: Path, turtle: str) -> Path:
    """Write Turtle in the syntax that the file's ending names."""
    triples = [q.triple for q in ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE)]
    text = ox.serialize(triples, format=SYNTAXES[path.suffix])
    assert text is not None
    path.write_bytes(text)
    return path


@pytest.mark.parametrize("ending", SYNTAXES)
def test_links_are_read_in_every_syntax(tmp_path: Path, ending: str) -> None:
    path = rdf(tmp_path / f"a{ending}", LINKS)
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    assert not alignment.has_confidences
    assert content_of(path) == "alignment"


@pytest.mark.parametrize("ending", SYNTAXES)
def test_axioms_of_sssom_keep_their_annotations(tmp_path: Path, ending: str) -> None:
    axiom = """[] a owl:Axiom ; owl:annotatedSource a:1 ; owl:annotatedTarget b:1 ;
      owl:annotatedProperty skos:exactMatch ; sssom:confidence 0.8 ; sssom:comment "sure" .
    [] a owl:Axiom ; owl:annotatedSource a:5 ; owl:annotatedTarget b:5 ;
      owl:annotatedProperty rdfs:subClassOf ; sssom:confidence 0.5 .
    [] a owl:Axiom ; owl:annotatedSource a:6 ; owl:annotatedTarget b:6 ;
      owl:annotatedProperty rdfs:subClassOf ; rdfs:comment "of an ontology" ."""
    alignment = read_alignment(rdf(tmp_path / f"a{ending}", axiom))
    first, second = alignment
    assert (first.relation, first.confidence) == ("=", 0.8)
    assert first.extra == (("https://w3id.org/sssom/comment", "sure"),)
    assert (second.entity1, second.relation, second.confidence) == ("http://a.org/5", "<", 0.5)


AXIOM = """[] a owl:Axiom ; owl:annotatedSource a:{0} ; owl:annotatedTarget b:{0} ;
  owl:annotatedProperty skos:exactMatch {1} ."""


def test_subsumptions_between_two_namespaces_are_links(tmp_path: Path) -> None:
    text = """a:1 rdfs:subClassOf b:1 , [ a owl:Restriction ] , owl:Thing .
        a:p rdfs:subPropertyOf b:p . a:2 owl:equivalentClass b:2 ."""
    path = rdf(tmp_path / "a.ttl", text)
    assert [(c.entity1[-1], c.relation) for c in read_alignment(path)] == [
        ("1", "<"),
        ("2", "="),
        ("p", "<"),
    ]
    assert content_of(path) == "alignment"


def test_a_hierarchy_under_foreign_classes_is_an_ontology(tmp_path: Path) -> None:
    path = rdf(tmp_path / "a.ttl", "a:1 rdfs:subClassOf b:1 . a:2 rdfs:subClassOf a:1 .")
    assert content_of(path) == "ontology"
    with pytest.raises(AlignmentError, match="is it an ontology"):
        read_alignment(path)


@pytest.mark.parametrize("modifier", ["sssom:NegatedPredicate", '"Not"'])
@pytest.mark.parametrize("ending", SYNTAXES)
def test_an_axiom_with_a_modifier_is_a_negated_correspondence(
    tmp_path: Path, ending: str, modifier: str
) -> None:
    axiom = f"""[] a owl:Axiom ; owl:annotatedSource a:1 ; owl:annotatedProperty skos:exactMatch ;
        owl:annotatedTarget b:1 ; sssom:predicate_modifier {modifier} ; sssom:confidence 0.5 ."""
    path = rdf(tmp_path / f"a{ending}", axiom)
    assert content_of(path) == "alignment"
    (negated,) = read_alignment(path).negated
    assert (negated.entity1, negated.entity2) == ("http://a.org/1", "http://b.org/1")
    assert dict(negated.extra) == {"https://w3id.org/sssom/confidence": "0.5"}
    for text, message in (
        (f"a:1 skos:exactMatch b:1 . {axiom}", "is negated, and stated as well"),
        (axiom.replace(modifier, '"Perhaps"'), "is 'Perhaps': write Not"),
    ):
        with pytest.raises(AlignmentError, match=message):
            read_alignment(rdf(path, text))


def test_confidences_are_clipped_refused_and_counted_as_in_every_format(tmp_path: Path) -> None:
    text = "".join(AXIOM.format(k, f"; sssom:confidence {c}") for k, c in ((1, 62.9), (2, 0.5)))
    alignment = read_alignment(rdf(tmp_path / "a.ttl", text + AXIOM.format(3, "")))
    assert [c.confidence for c in alignment] == [1.0, 0.5, 1.0]
    assert [c.stated_confidence for c in alignment] == [62.9, None, None]
    assert alignment.notes.clipped == 1
    (unstated,) = (text for text in alignment.notes.mended if "no confidence" in text)
    # triples have no lines
    assert unstated.startswith(f"{tmp_path / 'a.ttl'}: no confidence is stated")
    path = rdf(tmp_path / "b.ttl", AXIOM.format(1, "; sssom:confidence 'high'"))
    with pytest.raises(AlignmentError, match=r"b\.ttl: confidence 'high' is not a number"):
        read_alignment(path)


@pytest.mark.parametrize(
    "axioms",
    [
        AXIOM.format(1, "; sssom:confidence 0.3, 0.9, 0.5; sssom:comment 'sure', 'seen'"),
        AXIOM.format(1, "; sssom:confidence 0.9; sssom:comment 'sure'")
        + AXIOM.format(1, "; sssom:confidence 0.3, 0.5")
        + AXIOM.format(1, "; sssom:comment 'seen'"),
    ],
    ids=["one axiom", "three axioms"],
)
def test_several_confidences_are_repeated_cells(tmp_path: Path, axioms: str) -> None:
    alignment = read_alignment(rdf(tmp_path / "a.ttl", axioms + AXIOM.format(2, "")))
    assert [c.confidence for c in alignment] == [0.9, 1.0]
    assert alignment.notes.duplicates == 2
    assert dict(next(iter(alignment)).extra) == {"https://w3id.org/sssom/comment": "seen; sure"}


@pytest.mark.parametrize("ending", SYNTAXES)
def test_an_ontology_with_links_stays_one(tmp_path: Path, ending: str) -> None:
    labels = "".join(f'a:{i} a owl:Class ; rdfs:label "label {i}" .\n' for i in range(5))
    path = rdf(tmp_path / f"a{ending}", LINKS + labels)
    assert content_of(path) == "ontology"
    without = rdf(tmp_path / f"b{ending}", f"{labels} a:1 owl:equivalentClass a:2 .")
    with pytest.raises(AlignmentError, match=r"neither an alignment .* is it an ontology\?"):
        read_alignment(without)


def test_invalid_rdf_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(f"{PREFIXES}\na:1 skos:exactMatch\n")
    with pytest.raises(AlignmentError, match=r"a\.ttl, line \d+: not valid Turtle"):
        read_alignment(path)
