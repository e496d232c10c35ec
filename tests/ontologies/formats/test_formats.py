"""Alignments keep everything from one format to another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import (
    RELATIONS,
    Alignment,
    AlignmentError,
    Correspondence,
    Key,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import NO_TERM, PREDICATE
from alignrank.ontologies.formats import WRITABLE
from alignrank.ontologies.formats.cells import negation
from alignrank.ontologies.vocabulary import ALIGNMENT, OWL, RDF, RDFS, SKOS
from tests.generated import examples

ENDINGS = {row.endings[0].removeprefix("."): name for name, row in WRITABLE.items()}
text = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
iris = st.builds(
    "{}{}".format,
    st.sampled_from(["http://e.org/o#", "http://e.org/o/", "https://w3id.org/a.b/c_", "urn:x:"]),
    text,
)
usual = st.builds(Correspondence, iris, iris, st.sampled_from(RELATIONS), st.floats(0, 1))
with_predicates = st.sampled_from(
    [
        ("=", f"{OWL}equivalentClass"),
        ("=", f"{OWL}sameAs"),
        ("<", f"{RDFS}subClassOf"),
        ("<", "http://my.org/SubsumedBy"),
        ("HasInstance", "http://my.org/hasInstance"),
    ]
).flatmap(
    lambda stated: st.builds(
        Correspondence,
        iris,
        iris,
        st.just(stated[0]),
        st.floats(0, 1),
        extra=st.just(((PREDICATE, stated[1]),)),
    )
)
extras = st.dictionaries(
    st.sampled_from(
        [
            "note",
            "my note (2)",
            "score",
            "https://w3id.org/sssom/subject_label",
            "https://w3id.org/sssom/match_string",
            "https://w3id.org/sssom/author id",
            "http://my.org/note",
            "http://other.org#note",
            "http://knowledgeweb.semanticweb.org/heterogeneity/alignment#relation",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#about",
            "http://my.org/100%",
        ]
    ),
    text | st.sampled_from(['line\nbreak\tand "quotes" | ; , & <b>', "a\r\nb", "#", "null"]),
    max_size=4,
).map(lambda said: tuple(sorted(said.items())))
odd = st.builds(
    Correspondence,
    iris,
    iris,
    st.just("?"),
    st.just(1.0),
    st.sampled_from(
        ["PartOf", "~>", "a\tb|c,d", "not http://e.org/#related", "http://e.org/#near"]
    ),
    st.none() | st.floats(1.01, 1e3),
    extras,
)
JUSTIFICATION = "https://w3id.org/sssom/mapping_justification"
negated = st.builds(
    lambda one, two, predicate, extra: negation(one, two, predicate, dict(extra)),
    iris,
    iris,
    st.sampled_from([f"{OWL}equivalentClass", f"{RDFS}subClassOf", f"{SKOS}closeMatch"]) | iris,
    extras.map(lambda extra: dict(extra) | {JUSTIFICATION: "semapv:ManualMappingCuration"}),
)
no_matches = st.builds(
    lambda n, is_source: replace(n, **{"entity1" if is_source else "entity2": NO_TERM}),
    negated,
    st.booleans(),
)
alignments = st.builds(
    Alignment,
    st.lists(usual | odd | with_predicates, max_size=6),
    negated=st.lists(negated | no_matches, max_size=3),
    ontology1=st.just("") | iris,
    ontology2=iris,
    metadata=st.dictionaries(
        st.sampled_from(["metric", "labels", "license", "creator_id", "mapping_set_title"]), text
    ),
)


@examples(150)
@given(alignments, st.sampled_from(sorted(ENDINGS)))
def test_nothing_is_lost_in_any_format(
    tmp_path_factory: pytest.TempPathFactory, a: Alignment, ending: str
) -> None:
    path = tmp_path_factory.mktemp("formats") / f"system.{ending}"
    write_alignment(a, path)
    first = path.read_bytes()
    b = read_alignment(path)
    assert list(b) == list(a)
    assert [c.extra for c in b] == [c.extra for c in a]
    negations = [n for n in a.negated if ending != "rdf" or n.is_no_match]
    assert [(n, n.extra) for n in b.negated] == [(n, n.extra) for n in negations]
    assert (b.name, b.ontology1, b.ontology2) == ("system", a.ontology1, a.ontology2)
    assert b.metadata == a.metadata
    assert b.notes.duplicates == 0
    assert b.notes.foreign == {} or any(c.extra for c in (*a, *a.negated))
    write_alignment(b, path)
    assert path.read_bytes() == first


CELLS = """<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:my="http://my.org/#"><Alignment>
<my:time>12</my:time>
<map><Cell rdf:about="http://c/1"><my:note>a, b</my:note><entity1 rdf:resource="http://a.org#A"/>
<entity2 rdf:resource="http://b.org#A"/><my:see rdf:resource="http://my.org/1"/></Cell></map>
<map><Cell><entity1 rdf:resource="http://a.org#B"/><entity2 rdf:resource="http://b.org#B"/>
<relation>?</relation><my:note>1</my:note><my:note>2</my:note></Cell></map>
</Alignment></rdf:RDF>"""


def test_what_is_said_of_a_cell_passes_through_every_format(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    path.write_text(CELLS)
    a = read_alignment(path)
    first, second = (dict(c.extra) for c in a)
    about = "http://www.w3.org/1999/02/22-rdf-syntax-ns#about"
    assert first.pop(about) == "http://c/1"
    assert first == {"http://my.org/#note": "a, b", "http://my.org/#see": "http://my.org/1"}
    assert second == {"http://my.org/#note": "1; 2"}
    b = a
    for ending in ENDINGS:
        path = tmp_path / f"x.{ending}"
        write_alignment(b, path)
        b = read_alignment(path)
    assert [c.extra for c in b] == [c.extra for c in a]
    assert b.metadata == a.metadata


def test_a_truncated_sssom_row_is_an_error_that_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    a = Alignment([Correspondence(f"http://a.org#{i}", f"http://b.org#{i}") for i in range(3)])
    write_alignment(a, path)
    whole = path.read_text()
    cut = whole.rindex("semapv:")
    for end, column in ((cut - 3, "mapping_justification"), (cut + 3, "confidence")):
        path.write_text(whole[:end])
        with pytest.raises(AlignmentError, match=f"line 8: the row ends before {column}"):
            read_alignment(path)


def test_sssom_keeps_what_rows_say_beyond_the_mapping(tmp_path: Path) -> None:
    path, back = tmp_path / "a.sssom.tsv", tmp_path / "b.sssom.tsv"
    columns = ["subject_id", "subject_label", "predicate_id", "object_id"]
    columns += ["mapping_justification", "confidence", "similarity_score", "comment"]
    rows = [
        ["http://a#1", "one", "skos:exactMatch", "http://b#1", "semapv:LexicalMatching", "1", ".5"],
        [
            "http://a#2",
            "",
            "skos:exactMatch",
            "http://b#2",
            "semapv:ManualMappingCuration",
            "1",
            "",
        ],
    ]
    lines = [columns, [*rows[0], "sure"], [*rows[1], ""]]
    path.write_text("\n".join("\t".join(line) for line in lines))
    write_alignment(read_alignment(path), tmp_path / "a.rdf")
    write_alignment(read_alignment(tmp_path / "a.rdf"), back)
    header, *found = [line.split("\t") for line in back.read_text().split("\n") if line[:1] != "#"]
    one, two = (dict(zip(header, row, strict=True)) for row in found[:2])
    assert (one["subject_label"], one["comment"], one["similarity_score"]) == ("one", "sure", ".5")
    reasons = [row["mapping_justification"] for row in (one, two)]
    assert reasons == ["semapv:LexicalMatching", "semapv:ManualMappingCuration"]


def test_real_files_pass_through_every_format(oaei: Path, tmp_path: Path) -> None:
    for name in ("systems-2016/XMap", "systems-2016/Alin", "string-metrics-2017/Equal"):
        a = read_alignment(oaei / "anatomy" / f"{name}.rdf")
        b = a
        for ending in ENDINGS:
            path = tmp_path / f"x.{ending}"
            write_alignment(b, path)
            b = read_alignment(path)
        assert list(b) == list(a)
        assert (b.ontology1, b.ontology2, b.metadata) == (a.ontology1, a.ontology2, a.metadata)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_content_says_the_format_not_the_ending(tmp_path: Path, ending: str) -> None:
    a = Alignment([Correspondence("http://a#x", "http://b#y", "<", 0.5)])
    path = tmp_path / "a.txt"
    write_alignment(a, path, to=ENDINGS[ending])
    assert read_alignment(path) == a


def test_an_unknown_ending_names_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match=r"a\.txt names no alignment format: use \.sssom\.tsv"):
        write_alignment(Alignment(), tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


def test_what_a_table_cannot_say_is_beside_it_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    cs = [Correspondence("http://a#x", "http://b#y")]
    written = write_alignment(Alignment(cs, ontology1="http://a", metadata={"m": "x"}), path)
    assert [file.name for file in written.files] == ["a.csv", "a.csv-metadata.json"]
    assert "a.csv-metadata.json" in written.cautions[0]
    document = json.loads(written.files[1].read_text())
    assert document["@context"] == "http://www.w3.org/ns/csvw"
    # an alignment that has nothing to say there leaves no old file behind
    written = write_alignment(Alignment(cs), path)
    assert written.cautions == ()
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


def test_a_damaged_file_beside_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("entity1,entity2\n")
    (tmp_path / "a.csv-metadata.json").write_text("{}")
    with pytest.raises(AlignmentError, match=r"a\.csv-metadata\.json does not hold"):
        read_alignment(tmp_path / "a.csv")


# --- empty relations -------------------------------------------------------------------------

EMPTY_RELATIONS = {
    "a.csv": "entity1,entity2,relation\nhttp://a#1,http://b#1,\nhttp://a#2,http://b#2,{}\n",
    "a.jsonl": '{{"entity1": "http://a#1", "entity2": "http://b#1", "relation": ""}}\n'
    '{{"entity1": "http://a#2", "entity2": "http://b#2", "relation": "{}"}}\n',
    "a.sssom.tsv": "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
    "http://a#1\t\thttp://b#1\tsemapv:LexicalMatching\n"
    "http://a#2\t{}\thttp://b#2\tsemapv:LexicalMatching\n",
    "a.rdf": f'<rdf:RDF xmlns="{ALIGNMENT}#" xmlns:rdf="{RDF}"><Alignment>'
    '<map><Cell><entity1 rdf:resource="http://a#1"/><entity2 rdf:resource="http://b#1"/>'
    '<relation></relation></Cell></map><map><Cell><entity1 rdf:resource="http://a#2"/>'
    '<entity2 rdf:resource="http://b#2"/><relation>{}</relation></Cell></map></Alignment>'
    "</rdf:RDF>",
}


@pytest.mark.parametrize("name", EMPTY_RELATIONS)
def test_an_empty_relation_is_open_unless_the_file_states_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(EMPTY_RELATIONS[name].format("skos:exactMatch"))
    alignment = read_alignment(path)
    assert [c.relation for c in alignment] == ["?", "="]
    (note,) = (text for text in alignment.notes.mended if "relation" in text)
    assert "the relation is empty, and ? (not judged) is read (cells: 1 of 2)" in note
    path.write_text(EMPTY_RELATIONS[name].format(""))
    assert [c.relation for c in read_alignment(path)] == ["=", "="]


# --- tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "entity1,entity2,relation,confidence\nhttp://a#x,http://b#y,<,0.5\n",
        "confidence;entity2;entity1;relation\n0.5;http://b#y;http://a#x;<\n",
        "# by hand\n\nSrcEntity\tTgtEntity\tScore\trelation\r\nhttp://a#x\thttp://b#y\t.5\t<\r\n\r\n",
        "#AgreementMakerLight Alignment File\n#Source ontology:\thttp://a\n"
        "Source URI\tSource Label\tTarget URI\tTarget Label\tConfidence/Similarity\tRelationship\n"
        "http://a#x\t\thttp://b#y\t\t0.5\t<\n",
        '"entity1"|"entity2"|"score"|"relation"\n"http://a#x"|"http://b#y"|0.5|"SubsumedBy"',
    ],
)
def test_tables_as_the_tools_of_the_field_write_them(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(content, newline="")
    (found,) = read_alignment(path)
    assert found == Correspondence("http://a#x", "http://b#y", "<", 0.5)


@pytest.mark.parametrize(
    "content",
    [
        "Entity1,Entity2\nhttp://a#x,http://b#y\n",  # Agent-OM
        "SrcEntity\tTgtEntity\tScore\nhttp://a#x\thttp://b#y\t1.0\n",  # DeepOnto, BERTMap
        '[\n    {\n        "source": "http://a#x",\n        "target": "http://b#y",\n'
        '        "score": 1.0\n    }\n]',  # OntoAligner, as JSON
        '\n[{"source": "http://a#x", "target": "http://b#y"}]',  # printed after an empty line
        '<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Alignment><xml>yes</xml>'
        "<level>0</level><type>??</type><map><Cell>"
        '<entity1 rdf:resource="http://a#x"/><entity2 rdf:resource="http://b#y"/>'
        '<relation>=</relation><measure rdf:datatype="xsd:float">1.0</measure>'
        "</Cell></map></Alignment></rdf:RDF>",  # OntoAligner, as RDF: no # behind the namespace
    ],
)
def test_what_matchers_of_today_write_is_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "found"
    path.write_text(content)
    assert list(read_alignment(path)) == [Correspondence("http://a#x", "http://b#y")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('[\n{"source": "a#x", "target": "b#y"},\n{"source": "a#x"}\n]', "line 3"),
        ('[\n{"source": "a#x", "target": "b#y"},\n3]', "line 3: not a JSON object"),
        ('[\n{"source": "a#x", "target": "b#y"},\n{"so', "line 3: not a JSON object"),
        ('[{"source": "a#x", "target": "b#y"}', "line 1: not a JSON object"),
        ('[{"source": "a#x", "target": "b#y"}] and more', "line 1: not a JSON object"),
        ("[" * 100_000, "line 1: not a JSON object"),
    ],
)
def test_what_is_wrong_in_a_json_list_is_said_with_its_line(
    tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "found.json"
    path.write_text(content)
    with pytest.raises(AlignmentError, match=said):
        read_alignment(path)


@pytest.mark.parametrize("form", ["{}", "[{}]", "\n{}\n{}"])
@pytest.mark.parametrize(
    ("subject", "columns"), [("source", {}), ("s", {"subject": "s", "object": "t"})]
)
def test_a_column_of_graphs_is_no_obo_graphs(
    tmp_path: Path, form: str, subject: str, columns: dict[str, str]
) -> None:
    path = tmp_path / "found.json"
    target = columns.get("object", "target")
    row = json.dumps({"graphs": ["G1"], subject: "http://a#x", target: "http://b#y"})
    path.write_text(form.replace("{}", row))
    (correspondence,) = read_alignment(path, columns=columns)
    assert correspondence.extra == (("graphs", '["G1"]'),)


@pytest.mark.parametrize("form", ["{}", "[{}]", "\n{}"])
@pytest.mark.parametrize("indent", [None, 1])
def test_obo_graphs_is_no_alignment(tmp_path: Path, form: str, indent: int | None) -> None:
    path = tmp_path / "found.json"
    graphs = json.dumps({"meta": {}, "graphs": [{"nodes": [{"id": "a"}]}]}, indent=indent)
    path.write_text(form.replace("{}", graphs))
    with pytest.raises(AlignmentError, match="is OBO Graphs JSON, which is not read"):
        read_alignment(path)


def test_the_text_of_logmap_needs_no_column_names(tmp_path: Path) -> None:
    path = tmp_path / "logmap2_mappings.txt"
    path.write_text(
        "http://a#x|http://b#y|=|0.85|CLS\nhttp://a#hasPart|http://b#part|<|1.0|OPROP\n"
    )
    assert set(read_alignment(path)) == {
        Correspondence("http://a#x", "http://b#y", "=", 0.85, extra=(("type", "CLS"),)),
        Correspondence("http://a#hasPart", "http://b#part", "<", 1.0, extra=(("type", "OPROP"),)),
    }
    path.write_text("http://a#x|http://b#y|=|0.85|CLS\nhttp://a#x|http://b#y|=|CLS\n")
    with pytest.raises(AlignmentError, match=r"mappings\.txt, line 2: 4 fields, but 5 columns"):
        read_alignment(path)
    path.write_text("http://a#x|http://b#y|http://c#z|0.85|CLS\n")
    with pytest.raises(AlignmentError, match="needs the columns entity1 and entity2"):
        read_alignment(path)


def test_columns_that_are_passed_over_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("entity1,entity2,note\nhttp://a#x,http://b#y,sure\nhttp://a#y,http://b#y,\n")
    alignment = read_alignment(path)
    assert [c.confidence for c in alignment] == [1.0, 1.0]
    assert alignment.notes.foreign == {"note": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n", "line 1: .* columns entity1 and entity2 .* these are a, b"),
        ("# c\n\nsource,to\n1,2\n", "line 3: .* columns entity1 and entity2"),
        ("entity1,entity2\nx\n", "line 2: 1 field, but 2 columns"),
        ("entity1,entity2,score\nx,y,1\nx,y,high\n", "line 3: confidence 'high'"),
        ("entity1,entity2,score\nx,y,inf\n", "line 2: confidence 'inf'"),
        ("entity1,entity2\nx,\n", "line 2: entity2 of this cell is missing"),
        (
            '{"entity1": "x", "entity2": "y"}\n{"entity1": "x"}',
            "line 2: entity2",
        ),
        ('{"entity1": "x", "entity2": "y"}\n{"entity1": ', "line 2: not a JSON object"),
        ('[["x", "y"]]', "line 1: not a JSON object, but a list"),
        ('{"entity1": "x", "entity2": "y", "confidence": true}', "line 1: confidence 'True'"),
        ("subject_id\tpredicate_id\nx\ty\n", "line 1: the column object_id is missing"),
        (
            "subject_id\tpredicate_id\tobject_id\nq:x\towl:sameAs\thttp://b#y",
            "line 2: .* prefix 'q'",
        ),
        (
            "subject_id\tpredicate_id\tobject_id\nhttp://x\towl:sameAs\n",
            "line 2: the row ends before object_id",
        ),
        ("#a: [\nsubject_id\tpredicate_id\tobject_id\n", "header is not YAML"),
        ("#- a\nsubject_id\tpredicate_id\tobject_id\n", "header is not a list of keys"),
    ],
)
def test_bad_content_is_refused_in_one_sentence(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(content)
    with pytest.raises(AlignmentError, match=message) as caught:
        read_alignment(path)
    assert "a.txt" in str(caught.value)
    assert "\n" not in str(caught.value)


# --- SSSOM -----------------------------------------------------------------------------------

ORCID = "https://orcid.org/"
FROM_OTHERS = """# curie_map:
#   A: http://a#
#   B: "http://b#"
# mapping_set_id: https://w3id.org/sssom/mapping/tests
# license: https://creativecommons.org/licenses/by/4.0/
# mapping_date: 2020-05-30
# creator_id:
#   - orcid:0000-0002-7356-1779
#   - orcid:0000-0002-6601-2165
# subject_source: A:ontology
subject_id\tsubject_label\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\tconfidence
A:1\tone\tskos:exactMatch\t\tB:1\tsemapv:ManualMappingCuration\t0.8
A:2\ttwo\tskos:broadMatch\t\tB:2\tsemapv:ManualMappingCuration\t
http://a#3\t\towl:equivalentClass\t\tB:3\tsemapv:ManualMappingCuration
A:4\t\tskos:exactMatch\tNot\tB:4\tsemapv:ManualMappingCuration\t1
A:5\t\tskos:closeMatch\t\tB:5\tsemapv:ManualMappingCuration\t1
A:6\t\tskos:exactMatch\t\tsssom:NoTermFound\tsemapv:ManualMappingCuration\t1
A:7\t\trdf:type\t\tB:7\tsemapv:ManualMappingCuration\t1
"""


def test_sssom_of_others(tmp_path: Path) -> None:
    path = tmp_path / "set.sssom.tsv"
    path.write_text(FROM_OTHERS)
    alignment = read_alignment(path)
    assert alignment.name == "set"
    assert alignment.ontology1 == "http://a#ontology"
    assert {k.entity1[-1]: k.relation for k in alignment.keys} == {
        "1": "=",
        "2": "<",
        "3": "=",
        "5": "?",
        "7": "InstanceOf",
    }
    assert alignment[Key("http://a#1", "http://b#1", "=")].confidence == 0.8
    assert alignment[Key("http://a#2", "http://b#2", "<")].confidence == 1.0
    close = "http://www.w3.org/2004/02/skos/core#closeMatch"
    assert alignment.notes.unknown_relations == {close: 1}
    assert alignment.notes.foreign == {}
    assert alignment[Key("http://a#1", "http://b#1", "=")].labels == ("one", "1")
    assert alignment.metadata["mapping_date"] == "2020-05-30"
    again = tmp_path / "again.sssom.tsv"
    write_alignment(alignment, again)
    text = again.read_text()
    assert "skos:closeMatch" in text
    assert "semapv:ManualMappingCuration" in text
    assert '["orcid:0000-0002-7356-1779", "orcid:0000-0002-6601-2165"]' in text
    copy = read_alignment(again)
    assert (copy, copy.metadata) == (alignment, alignment.metadata)
    negative, no_match = copy.negated
    assert (negative.entity1, negative.entity2) == ("http://a#4", "http://b#4")
    assert (negative.predicate, negative.relation) == (f"{SKOS}exactMatch", "=")
    assert (no_match.entity1, no_match.entity2) == ("http://a#6", NO_TERM)
    # the file's own prefixes and predicates come back
    assert json.loads(copy.metadata["curie_map"]) == {"A": "http://a#", "B": "http://b#"}
    assert "A:3\t\towl:equivalentClass\t\tB:3" in text


SAMPLE = Alignment(
    [
        Correspondence("http://a#x", "http://b#1", "=", 0.1),
        Correspondence("http://a#x", "http://b#2", "<", 0.25),
        Correspondence("http://a#x", "http://other/b#3", "%", 1.0),
        Correspondence("http://a#y", "http://b#4", "?", 1.0, None, None),
        Correspondence("http://a#y", "http://b#5", "?", 1.0, "PartOf", 62.9),
        Correspondence("http://a#y", "http://b#6", "HasInstance", 1.0),
    ],
    ontology1="http://a",
    ontology2="http://b#",
    metadata={"metric": "jaro-winkler", "labels": "words"},
)


def test_sssom_says_measure_score_and_justification(tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    written = write_alignment(SAMPLE, path)
    assert [r.rpartition(": ")[2] for r in written.cautions] == ["1", "3"]
    lines = path.read_text().splitlines()
    assert '#similarity_measure: "jaro-winkler"' in lines
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    column = {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}
    assert set(column["mapping_justification"]) == {"semapv:LexicalSimilarityThresholdMatching"}
    assert column["similarity_score"] == column["confidence"] == ["0.1", "0.25", *["1.0"] * 4]
    assert "predicate_modifier" not in column
    assert column["predicate_id"][2] == "owl:disjointWith"
    assert column["predicate_id"][3:] == ["skos:mappingRelation"] * 3
    assert column["alignment_relation"] == ["", "", "", "?", "PartOf", "HasInstance"]


def sssom_of(path: Path, *rows: str) -> Path:
    """Write rows of subject, predicate, modifier and object, parted by blanks (- for nothing)."""
    head = "#curie_map:\n#  a: http://a#\n#  b: http://b#\n"
    head += "subject_id\tpredicate_id\tpredicate_modifier\tobject_id\tmapping_justification\n"
    cells = [["" if field == "-" else field for field in row.split()] for row in rows]
    path.write_text(head + "".join("\t".join([*row, "semapv:X"]) + "\n" for row in cells))
    return path


@pytest.mark.parametrize(
    ("predicate", "denied"),
    [
        ("skos:exactMatch", "="),
        ("owl:equivalentClass", "="),
        ("owl:sameAs", "="),
        ("skos:broadMatch", "<"),
        ("rdfs:subClassOf", "<"),
        ("skos:narrowMatch", ">"),
        ("owl:disjointWith", "%"),
        ("skos:relatedMatch", f"{SKOS}relatedMatch"),
        ("http://my.org/partOf", "http://my.org/partOf"),
    ],
)
@pytest.mark.parametrize("modifier", ["Not", "not", "NOT"])
def test_a_negated_row_is_no_correspondence(
    tmp_path: Path, predicate: str, denied: str, modifier: str
) -> None:
    rows = (f"a:1 {predicate} {modifier} b:1", f"a:1 {predicate} - b:2")
    path = sssom_of(tmp_path / "a.sssom.tsv", *rows)
    alignment = read_alignment(path)
    assert [c.entity2 for c in alignment] == ["http://b#2"]
    (negative,) = alignment.negated
    assert (negative.entity2, negative.relation) == ("http://b#1", denied)
    again = tmp_path / "again.sssom.tsv"
    assert write_alignment(alignment, again).cautions == ()
    assert read_alignment(again) == alignment


def test_a_negation_denies_its_own_predicate_only(tmp_path: Path) -> None:
    rows = ("a:1 skos:exactMatch Not b:1", "a:1 skos:broadMatch - b:1")
    alignment = read_alignment(sssom_of(tmp_path / "a.sssom.tsv", *rows))
    assert alignment.keys == {Key("http://a#1", "http://b#1", "<")}
    assert alignment.denied == {
        Key("http://a#1", "http://b#1", "="),
        Key("http://b#1", "http://a#1", "="),
    }


def test_the_column_of_a_modifier_may_be_spelled_otherwise(tmp_path: Path) -> None:
    path = sssom_of(tmp_path / "a.sssom.tsv", "a:1 skos:exactMatch Not b:1")
    path.write_text(path.read_text().replace("predicate_modifier", " Predicate_Modifier "))
    assert len(read_alignment(path).negated) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a:1 skos:exactMatch Maybe b:1"], "line 5: predicate_modifier is 'Maybe': write Not"),
        (["a:1 - Not b:1"], "line 5: predicate_modifier is Not, but predicate_id is empty"),
        (["a:1 skos:exactMatch Not -"], "line 5: entity2 of this cell is missing"),
        (
            ["a:1 skos:exactMatch Not b:1", "a:1 skos:exactMatch - b:1"],
            "line 5: a:1 skos:exactMatch b:1 is negated, but line 6 states it",
        ),
        (
            ["a:1 skos:closeMatch - b:1", "a:1 skos:closeMatch Not b:1"],
            "line 6: a:1 skos:closeMatch b:1 is negated, but line 5 states it",
        ),
    ],
)
def test_a_negation_without_meaning_is_an_error(
    tmp_path: Path, rows: list[str], message: str
) -> None:
    with pytest.raises(AlignmentError, match=message):
        read_alignment(sssom_of(tmp_path / "a.sssom.tsv", *rows))


def test_repeated_negations_are_merged_and_counted(tmp_path: Path) -> None:
    rows = ["a:1 skos:exactMatch Not b:1"] * 2
    alignment = read_alignment(sssom_of(tmp_path / "a.sssom.tsv", *rows))
    assert len(alignment.negated) == alignment.notes.duplicates == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "entity1,entity2,Predicate Modifier\na#1,b#1,Not\n"),
        ("a.jsonl", '{"entity1": "a#1", "entity2": "b#1", "predicate_modifier": "Not"}\n'),
    ],
)
def test_what_is_negated_in_another_format_is_not_read_as_stated(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(AlignmentError, match=r"line [12]: .* only SSSOM negates"):
        read_alignment(path)


def test_a_format_without_negation_says_how_many_it_leaves_out(tmp_path: Path) -> None:
    path = sssom_of(tmp_path / "a.sssom.tsv", "a:1 skos:exactMatch Not b:1")
    alignment = read_alignment(path)
    no_place = "negated correspondences have no place in b."
    for ending, place in (("rdf", "left out"), ("csv", "b.csv-metadata.json")):
        *_, caution = write_alignment(alignment, tmp_path / f"b.{ending}").cautions
        assert caution == f"{no_place}{ending}: 1, {place}"
    assert write_alignment(alignment, tmp_path / "b.jsonl").cautions == ()


@pytest.mark.parametrize("records", ["{}", '[{"entity1": "a#1"}]', "[1]", "1"])
def test_negations_that_a_table_cannot_mean_are_an_error(tmp_path: Path, records: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"alignment": {{"negated": {records}}}}}\n')
    with pytest.raises(AlignmentError, match=r"a\.jsonl, line 1: .*negated"):
        read_alignment(path)


@pytest.mark.parametrize(
    ("metadata", "justification"),
    [
        ({}, "UnspecifiedMatching"),
        ({"metric": "equality"}, "LexicalMatching"),
        ({"metric": "jaro"}, "LexicalSimilarityThresholdMatching"),
        ({"mapping_justification": "semapv:ManualMappingCuration"}, "ManualMappingCuration"),
    ],
)
def test_justifications(tmp_path: Path, metadata: dict[str, str], justification: str) -> None:
    path = tmp_path / "a.sssom.tsv"
    cs = [Correspondence("http://a#x", "http://b#y")]
    write_alignment(Alignment(cs, metadata=metadata), path)
    assert f"\tsemapv:{justification}\t" in path.read_text()
    assert read_alignment(path).metadata == metadata


def test_the_sssom_library_reads_and_validates_what_we_write(tmp_path: Path) -> None:
    # The library brings seventy packages, a pytest plugin among them, and a minute of installing:
    # it is not among those for tests. `pip install -c constraints.txt sssom` makes this test run.
    pytest.importorskip("sssom")
    from sssom.constants import SchemaValidationType
    from sssom.parsers import parse_sssom_table
    from sssom.validators import validate

    path = tmp_path / "a.sssom.tsv"
    path.write_text(FROM_OTHERS.replace("# curie_map:", f"# curie_map:\n#   orcid: {ORCID}"))
    write_alignment(read_alignment(path), tmp_path / "others.sssom.tsv")
    write_alignment(SAMPLE, path)
    table = parse_sssom_table(str(path))
    assert len(table.df) == len(SAMPLE)
    expand = table.converter.expand
    pairs = {
        (expand(s), expand(o)) for s, o in zip(table.df.subject_id, table.df.object_id, strict=True)
    }
    assert pairs == SAMPLE.pairs
    assert set(table.df.similarity_measure) == {"jaro-winkler"}
    checks = [
        SchemaValidationType.JsonSchema,
        SchemaValidationType.PrefixMapCompleteness,
        SchemaValidationType.StrictCurieFormat,
    ]
    for written in (table, parse_sssom_table(str(tmp_path / "others.sssom.tsv"))):
        reports = validate(written, checks, fail_on_error=False)
        assert [r.message for report in reports.values() for r in report.results] == []


def test_a_quotation_mark_that_is_not_closed_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = "".join(f"http://a#{i},http://b#{i},=,0.5\n" for i in range(6000))
    for header in ("entity1,entity2,relation,confidence", "subject_id,object_id,predicate_id,x"):
        path.write_text(f'{header}\n"{rows}')
        with pytest.raises(AlignmentError, match=r"mine\.csv: .*is a quotation mark not closed\?"):
            read_alignment(path)


def test_json_that_is_nested_too_deep_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"entity1":' + "[" * 100_000)
    with pytest.raises(AlignmentError, match=r"line 1: not a JSON object \(it is nested"):
        read_alignment(path)


@pytest.mark.parametrize(
    "header",
    [
        "#x: " + "[" * 1000 + "]" * 1000,
        "#a: &a [x, x]\n#b: &b [*a, *a]\n#c: [*b, *b]",
    ],
)
def test_a_header_that_nests_or_repeats_without_end_is_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.sssom.tsv"
    row = "http://a#x\tskos:exactMatch\thttp://b#y"
    path.write_text(f"{header}\nsubject_id\tpredicate_id\tobject_id\n{row}\n", encoding="utf-8")
    with pytest.raises(AlignmentError, match=r"a\.sssom\.tsv: the header is not YAML: it breaks"):
        read_alignment(path)


# --- confidences -------------------------------------------------------------------------------

PAIRS = ("http://a#1,http://b#1", "http://a#2,http://b#2", "http://a#3,http://b#4")


def scored(folder: Path, title: str, *scores: str) -> Alignment:
    """Read a table with a column of scores."""
    path = folder / "a.csv"
    rows = [f"{pair},{score}" for pair, score in zip(PAIRS, scores, strict=False)]
    path.write_text("\n".join([f"source,target,{title}", *rows, ""]))
    return read_alignment(path)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "confidence_score",
            "Confidence-Score",
            "confidenceScore",
            "probability",
            "NormalizedScore",
        ),
        *("similarity score", "Score", "cosine_similarity", "CONFIDENCE"),
    ],
)
def test_usual_names_of_scores_are_confidences(tmp_path: Path, title: str) -> None:
    alignment = scored(tmp_path, title, "0.95", "0.90", "1.0000001")
    assert [c.confidence for c in alignment] == [0.95, 0.9, 1.0]
    assert alignment.has_confidences
    assert alignment.notes.mended == ()
    path = tmp_path / "a.json"
    entries = [{"source": c.entity1, "target": c.entity2, title: c.confidence} for c in alignment]
    path.write_text(json.dumps(entries))
    assert [c.confidence for c in read_alignment(path)] == [0.95, 0.9, 1.0]


def test_a_score_beyond_1_is_no_confidence(tmp_path: Path) -> None:
    for scores in (["4.0", "3.0", "1.0"], ["1", "2", "3"], ["95", "90", "10"], ["-2.5", "-1"]):
        alignment = scored(tmp_path, "score", *scores)
        assert not alignment.has_confidences
        assert {c.confidence for c in alignment} == {1.0}
        assert [dict(c.extra)["score"] for c in alignment] == scores
        (caution,) = alignment.notes.mended
        assert "a.csv: 'score' is not read as the confidence" in caution
    both = scored(tmp_path, "score,NormalizedScore", "4.0,1.0", "3.0,0.75")
    assert [c.confidence for c in both] == [1.0, 0.75]


def test_numbers_that_may_be_the_confidence_are_named(tmp_path: Path) -> None:
    (caution,) = scored(tmp_path, "certainty", "0.9", "0.8", "0.1").notes.mended
    assert "'certainty' holds numbers in [0, 1], but is not read as the confidence" in caution
    for title, scores in (("rank", "123"), ("version", "111"), ("note", ["0.5", "high", ""])):
        assert scored(tmp_path, title, *scores).notes.mended == ()


def test_a_cell_without_a_confidence_among_others_is_told(tmp_path: Path) -> None:
    alignment = scored(tmp_path, "confidence", "0.9", "", "0.1")
    assert alignment.has_confidences
    (caution,) = alignment.notes.mended
    assert "a.csv, line 3: no confidence is stated, and 1.0 is read (cells: 1 of 3)" in caution


@pytest.mark.parametrize("ending", ENDINGS)
def test_confidences_that_are_not_stated_are_not_invented(tmp_path: Path, ending: str) -> None:
    alignment = scored(tmp_path, "note", "x", "y")
    turned = alignment.swapped().swapped().at_least(0.5) | alignment
    assert not turned.has_confidences
    assert turned.to_frame()["confidence"].isna().all()
    path = tmp_path / f"x.{ending}"
    turned.metadata = {"metric": "jaro"}
    written = write_alignment(turned, path)
    again = read_alignment(path)
    assert [c.extra for c in again] == [c.extra for c in alignment]
    if ENDINGS[ending] == "rdf":
        assert path.read_text().count(">1.0</measure>") == 2
        assert any("each is written as 1.0" in caution for caution in written.cautions)
    else:
        assert "1.0\t" not in path.read_text()
        assert "confidence" not in path.read_text()
        assert not again.has_confidences


def test_another_column_does_not_become_the_confidence_by_way_of_a_table(tmp_path: Path) -> None:
    c = Correspondence("http://a#x", "http://b#y", extra=(("score", "0.5"),))
    path = tmp_path / "a.csv"
    write_alignment(Alignment([c], has_confidences=False), path)
    assert [c.extra for c in read_alignment(path)] == [c.extra]
    assert not read_alignment(path).has_confidences


@pytest.mark.parametrize(
    "fields", ['"qid": {}, "ranking": ["a", "b"]', '"item": "q{}", "right": 1']
)
def test_rankings_and_answers_are_no_alignment(tmp_path: Path, fields: str) -> None:
    path = tmp_path / "rk.jsonl"
    path.write_text("".join("{" + fields.replace("{}", str(k)) + "}\n" for k in range(2)))
    with pytest.raises(AlignmentError, match=r"no field holds entity1 .*score --kind mapping"):
        read_alignment(path)
