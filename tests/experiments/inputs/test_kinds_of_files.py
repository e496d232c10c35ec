"""What a file holds is told by what it holds, not by words that stand in it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from alignrank import study
from alignrank.experiments.inputs.kinds_of_files import content_of, serves_as
from alignrank.ontologies import (
    Alignment,
    Correspondence,
    load_ontology,
    read_alignment,
    write_alignment,
)

ALIGN = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL = "http://www.w3.org/2002/07/owl#"
PREFIXES = " ".join(f'xmlns:p{k}="http://e.org/{k}#"' for k in range(2_000))
ONTOLOGIES = {
    "the namespace of alignments at a label": f"""<rdf:RDF xmlns:rdf="{RDF}" xmlns:owl="{OWL}">
        <owl:Class rdf:about="#a"><label xmlns:align="{ALIGN}">a</label></owl:Class></rdf:RDF>""",
    "the namespace in a comment": f"# {ALIGN}\n@prefix owl: <{OWL}> . <#a> a owl:Class .",
    "a label like a column": f'@prefix owl: <{OWL}> . <#a> a owl:Class ; <#l> "entity1" .',
    "a long root": f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:owl="{OWL}" {PREFIXES}></rdf:RDF>',
    "a byte of Windows-1252": b"format-version: 1.2\n\n[Term]\nid: A:1\nname: caf\xe9\n",
}


@pytest.mark.parametrize("case", ONTOLOGIES)
def test_an_ontology_is_one_whatever_words_it_holds(case: str, tmp_path: Path) -> None:
    text = ONTOLOGIES[case]
    path = tmp_path / "file"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert content_of(path) == "ontology"


@pytest.mark.parametrize("ending", ["rdf", "sssom.tsv", "jsonl", "csv", "tsv"])
def test_an_alignment_is_one_in_every_format(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine.{ending}"
    write_alignment(Alignment([Correspondence("http://a#b", "http://c#d")]), path)
    assert content_of(path) == "alignment"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('{"entity1": "a#x", "entity2" "b#x"}\n', "alignment"),  # damaged
        ('[{"source": "a#x", "target": "b#x"}', "alignment"),
        ('[{"source": "a#x", "target-cands": ["b#x"], "score-cands": [0.9]}]', "ranking"),
        ('{"@context": {"a": "http://a#"}, "mappings": [{"subject_id": "a:1"}]}', "alignment"),
        ('{"@id": "http://a#x", "@type": "http://www.w3.org/2002/07/owl#Class"}', "ontology"),
        ("sourceIRI,mappedIRI\na#x,b#x\n", "alignment"),
        ("\ufeffentity1,entity2\na#x,b#x\n", "alignment"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_json_and_tables_are_told_by_their_keys(
    tmp_path: Path, text: str, content: str, packed: bool
) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert content_of(path) == content


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "a Git LFS pointer"),
        ('{"meta": {},\n "graphs" : [ {\n "nodes": []}]}', "OBO Graphs JSON.*robot convert"),
    ],
)
def test_what_nothing_here_reads_is_named_whatever_it_stands_for(
    tmp_path: Path, text: str, named: str
) -> None:
    path = tmp_path / "run.tsv"
    path.write_text(text)
    for read in (content_of, read_alignment, load_ontology, study):
        with pytest.raises(ValueError, match=rf"^\S*run\.tsv is {named}"):
            read(path)


MAPPED = "".join(
    f"a:{k} skos:exactMatch b:{k} , b:x{k} . a:{k} a skos:Concept ; skos:altLabel 'w{k}' .\n"
    for k in range(9)
)


def test_a_vocabulary_that_carries_mappings_serves_as_both(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    head = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix a: <http://a/> . "
    path.write_text(f"{head} @prefix b: <http://b/> .\n{MAPPED}")
    assert serves_as(path, "ontology")
    assert serves_as(path, "alignment")
    assert len(load_ontology(path).entities) == 9
    assert len(read_alignment(path)) == 18
    path.write_text("@prefix owl: <http://www.w3.org/2002/07/owl#> . <http://a/x> a owl:Class .")
    assert not serves_as(path, "alignment")
    table = tmp_path / "a.csv"
    table.write_text("entity1,entity2\na,b\n")
    assert not serves_as(table, "ontology")
