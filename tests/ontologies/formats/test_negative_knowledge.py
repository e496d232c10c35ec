"""No-matches in every format: null as MELT writes it, and SSSOM's NoTermFound."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.ontologies import (
    AlignmentError,
    Correspondence,
    lint_alignment,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import NO_TERM, Key, NegatedCorrespondence
from alignrank.ontologies.vocabulary import SKOS

EXACT = f"{SKOS}exactMatch"
NO_MATCHES = (
    NegatedCorrespondence("http://a#2", NO_TERM, EXACT, "="),
    NegatedCorrespondence(NO_TERM, "http://b#3", EXACT, "="),
)
RDF = """<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Alignment>
<map><Cell><entity1 rdf:resource="http://a#1"/><entity2 rdf:resource="http://b#1"/></Cell></map>
<map><Cell><entity1 rdf:resource="http://a#2"/><entity2 rdf:resource="{nothing}"/>
<relation>{relation}</relation></Cell></map>
<map><Cell><entity1 rdf:resource="{nothing}"/><entity2 rdf:resource="http://b#3"/>
<relation>{relation}</relation></Cell></map></Alignment></rdf:RDF>"""
CONTENTS = {
    "melt.rdf": RDF.format(nothing="null", relation="="),
    "incompatible.rdf": RDF.format(nothing="null", relation="INCOMPAT"),
    "percent.rdf": RDF.format(nothing="", relation="%"),
    "a.csv": "entity1,entity2\nhttp://a#1,http://b#1\nhttp://a#2,null\nNULL,http://b#3\n",
    "a.jsonl": '{"entity1": "http://a#1", "entity2": "http://b#1"}\n'
    '{"entity1": "http://a#2", "entity2": null}\n{"entity1": "null", "entity2": "http://b#3"}\n',
}


@pytest.mark.parametrize("name", CONTENTS)
def test_null_is_no_entity_but_says_that_there_is_no_match(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(CONTENTS[name])
    alignment = read_alignment(path)
    assert list(alignment) == [Correspondence("http://a#1", "http://b#1")]
    assert alignment.negated == NO_MATCHES
    assert alignment.negative_counts == ("2 unmatched entities",)
    (finding,) = [f for f in lint_alignment(alignment) if f.code == "no-match"]
    assert (finding.count, finding.examples) == (2, ("http://a#2", "http://b#3"))
    for ending in (".rdf", ".sssom.tsv", ".csv", ".jsonl", ".tsv"):
        written = write_alignment(alignment, tmp_path / f"b{ending}")
        assert not any("left out" in caution for caution in written.cautions)
        assert read_alignment(tmp_path / f"b{ending}").negated == NO_MATCHES


def test_two_nulls_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("entity1,entity2\nnull,null\n")
    with pytest.raises(AlignmentError, match="line 2: both entities are null"):
        read_alignment(path)


def test_a_no_match_denies_every_match_of_its_entity(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("entity1,entity2\nhttp://a#2,null\nhttp://a#2,http://b#9\n")
    denied = read_alignment(path).denied
    keys = [
        Key("http://a#2", "http://b#1", "="),
        Key("http://b#1", "http://a#2", "="),
        Key("http://a#2", "http://b#1", "<"),
        Key("http://a#1", "http://b#1", "="),
        Key("http://a#2", "http://b#9", "="),  # stated all the same
    ]
    assert [key in denied for key in keys] == [True, True, False, False, False]
    assert frozenset(keys) & denied == set(keys[:2])
