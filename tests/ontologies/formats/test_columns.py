"""Tables whose columns have other names: known ones, chosen ones, and none at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.formats import WRITABLE

LINKED = Correspondence("http://a#x", "http://b#y", "<", 0.5)


@pytest.mark.parametrize(
    "header",
    [
        "sourceIRI,mappedIRI,relation,NormalizedScore",
        "subject,object,predicate,probability",
        "Left URI,Right URI,Relationship,score",
        "IRI1,IRI2,relation,similarity",
        "id_source,id_target,relation_type,confidence_score",
        "src_class,tgt_class,relation,measure",
        "Source Term ID,Mapped Term IRI,relation,Mapping Score",
        "ltable_id,rtable_id,relation,score",
        "term1_iri,term2_iri,relation,score",
        "Subject Concept URI,Object Concept URI,relation,similarity",
        "source_curie,target_curie,relation,score",
    ],
)
def test_usual_names_of_columns_are_known(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\nhttp://a#x,http://b#y,<,0.5\n")
    assert list(read_alignment(path)) == [LINKED]
    fields = dict(zip(header.split(","), ["http://a#x", "http://b#y", "<", 0.5], strict=True))
    path.write_text(json.dumps([fields]))
    assert list(read_alignment(path)) == [LINKED]


def test_a_column_of_iris_comes_before_one_of_words(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("source,source IRI,target,target IRI\nMESH,http://a#x,NCIT,http://b#y\n")
    (c,) = read_alignment(path)
    assert c.pair == ("http://a#x", "http://b#y")
    assert dict(c.extra) == {"source": "MESH", "target": "NCIT"}


@pytest.mark.parametrize("mark", ["|", "\t", ",", ";"])
@pytest.mark.parametrize("end", ["=|0.85|CLS", "=|0.85", "=", "", "0.85"])
def test_a_table_without_column_names_that_begins_with_two_iris(
    tmp_path: Path, mark: str, end: str
) -> None:
    path = tmp_path / "mappings.txt"
    rows = (f"http://a#{i}|http://b#{i}|{end}".rstrip("|") for i in range(3))
    path.write_text("".join(f"{row}\n" for row in rows).replace("|", mark))
    alignment = read_alignment(path)
    assert len(alignment) == 3
    assert {c.relation for c in alignment} == {"="}
    assert {c.confidence for c in alignment} == {0.85 if "0.85" in end else 1.0}
    assert alignment.has_confidences == ("0.85" in end)


ODD = "old,new,how,p,note\nhttp://a#x,http://b#y,<,0.5,0.1\n"
ROLES = {"subject": "old", "object": "new", "relation": "how", "confidence": "p"}


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(ODD)
    with pytest.raises(AlignmentError, match=r"these are old, new, how, p, note: choose two"):
        read_alignment(path)
    (c,) = read_alignment(path, columns=ROLES)
    assert c == LINKED
    assert dict(c.extra) == {"note": "0.1"}
    row = dict(zip(*(line.split(",") for line in ODD.splitlines()), strict=True))
    path.write_text(json.dumps([row]))
    assert list(read_alignment(path, columns=ROLES)) == [LINKED]


@pytest.mark.parametrize(
    ("columns", "text", "message"),
    [
        ({"subject": "olds"}, ODD, "line 1: columns=subject: 'olds' is no column; the columns are"),
        ({"subject": "old", "object": "old"}, ODD, "'old' is named twice; the columns are old,"),
        ({"subject": "old"}, ODD.replace("new", "old"), "'old' is the name of several columns"),
        ({"entity": "old"}, ODD, "columns 'entity' is unknown: use one of subject, object"),
        (
            ROLES,
            ODD.replace("0.5", "high"),
            r"line 2: columns=confidence: 'p' holds 'high', which is no number; the columns",
        ),
    ],
)
def test_a_wrong_choice_is_one_line_with_the_columns_there_are(
    tmp_path: Path, columns: dict[str, str], text: str, message: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(AlignmentError, match=message):
        read_alignment(path, columns=columns)


def test_the_name_of_a_term_comes_before_its_label(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Source Term,Source Term ID,Mapped Term CURIE,Mapped Term IRI\nx,a:1,B:1,b:1\n")
    assert [c.pair for c in read_alignment(path)] == [("a:1", "b:1")]


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_a_confidence_may_have_a_decimal_comma(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a.csv"
    rows = ["entity1,entity2,relation,measure", "http://a#x,http://b#y,<,0_5"]
    path.write_text("\n".join(rows).replace(",", mark).replace("_", ","))
    assert list(read_alignment(path)) == [LINKED]
    path.write_text(rows[1].replace(",", mark).replace("_", ","))
    assert list(read_alignment(path)) == [LINKED]


LABELLED = "ltable_id,rtable_id,gold\na#1,b#1,{0}\na#2,b#2,{1}\na#3,b#3,{0}\n"


@pytest.mark.parametrize("labels", [("1", "0"), ("True", "False"), ("yes", "no"), ("1.0", "0.0")])
def test_pairs_labelled_0_are_negated_or_refused(tmp_path: Path, labels: tuple[str, str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text(LABELLED.format(*labels))
    with pytest.raises(AlignmentError, match="line 1: column 'gold' says 0 or 1 of each pair"):
        read_alignment(path)
    alignment = read_alignment(path, columns={"confidence": "gold"})
    assert alignment.pairs == {("a#1", "b#1"), ("a#3", "b#3")}
    assert [(n.entity1, n.entity2) for n in alignment.negated] == [("a#2", "b#2")]
    assert alignment.notes.mended == (
        f"{path}, line 3: pairs labelled 0 are read as negated (cells: 1 of 3)",
    )
    rows = [
        dict(zip(("source", "target", "p"), line.split(","), strict=True))
        for line in path.read_text().splitlines()[1:]
    ]
    path.write_text(json.dumps(rows))
    with pytest.raises(AlignmentError, match="column 'p' says 0 or 1 of each pair"):
        read_alignment(path)


def test_labels_beside_confidences_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("entity1,entity2,confidence,predicted\na,b,0.9,1\na,c,0.2,0\n")
    (caution,) = read_alignment(path).notes.mended
    assert "column 'predicted' says 0 or 1 of each pair" in caution


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_facts_that_look_like_labels_come_back(tmp_path: Path, ending: str) -> None:
    rows = [
        Correspondence("a", b, "=", extra=(("new", text),)) for b, text in (("b", "1"), ("c", "0"))
    ]
    path = tmp_path / f"a{ending}"
    write_alignment(Alignment(rows, has_confidences=False), path)
    assert list(read_alignment(path)) == rows


def test_links_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonld"
    link = '"http://www.w3.org/2002/07/owl#sameAs": {"@id": "http://b/y"}'
    path.write_text(f'[{{"@id": "http://a/x", {link}}}]')
    with pytest.raises(AlignmentError, match="is no table, but links: leave out columns="):
        read_alignment(path, columns=ROLES)


def test_what_is_only_read_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match="format 'links' is unknown: use one of sssom"):
        write_alignment(Alignment([LINKED]), tmp_path / "a.ttl", to="links")


@pytest.mark.parametrize("name", ["rdf", "sssom"])
def test_columns_are_of_tables_only(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"a{WRITABLE[name].endings[0]}"
    write_alignment(Alignment([LINKED]), path)
    with pytest.raises(AlignmentError, match=f"is no table, but {name}: leave out columns="):
        read_alignment(path, columns=ROLES)
