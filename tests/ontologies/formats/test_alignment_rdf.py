"""The Alignment API's RDF format: every form that real files take, and what we write."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.ontologies import (
    RELATIONS,
    Alignment,
    AlignmentError,
    Correspondence,
    lint_alignment,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.formats.cells import understood_relation
from tests.conftest import THOROUGH

HEAD = (
    '<?xml version="1.0"?>\n'
    '<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment"'
    ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:alext="http://exmo.inrialpes.fr/align/ext/1.0/">\n<Alignment>\n'
)
TAIL = "</Alignment>\n</rdf:RDF>\n"


def cell(inner: str = "", one: str = "http://a#x", two: str = "http://b#y") -> str:
    return (
        f'<map><Cell><entity1 rdf:resource="{one}"/><entity2 rdf:resource="{two}"/>{inner}'
        "</Cell></map>\n"
    )


def read(tmp_path: Path, text: str | bytes) -> Alignment:
    path = tmp_path / "system.rdf"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_alignment(path)


def only(tmp_path: Path, inner: str) -> Correspondence:
    (found,) = read(tmp_path, HEAD + cell(inner) + TAIL)
    return found


# --- every file of the field -----------------------------------------------------------------


def test_the_systems_of_2016_have_the_published_number_of_cells(oaei: Path) -> None:
    expected = {
        "AML": 1493,
        "Alin": 516,
        "CroMatcher": 1443,
        "DKP-AOM": 207,
        "FCA_Map": 1361,
        "LPHOM": 1563,
        "LYAM": 1539,
        "Lily": 1382,
        "LogMapLite": 1155,
        "XMap": 1415,
    }
    folder = oaei / "anatomy" / "systems-2016"
    read_cells = {name: read_alignment(folder / f"{name}.rdf").notes.cells for name in expected}
    assert read_cells == expected
    assert len(read_alignment(folder / "XMap.rdf")) == 1414


def test_all_files_load_and_survive_writing(oaei: Path, tmp_path: Path) -> None:
    # the folder `tuning` beside these holds ontologies under the same ending
    tracks = ("anatomy", "conference", "proton")
    files = sorted(path for track in tracks for path in (oaei / track).rglob("*.rdf"))
    assert len(files) == 221
    for number, path in enumerate(files):
        alignment = read_alignment(path)
        assert len(alignment) > 0
        if number % 6 and not THOROUGH:
            continue  # every sixth is written outside continuous integration
        again = tmp_path / path.name
        write_alignment(alignment, again)
        copy = read_alignment(again)
        assert copy == alignment
        assert (copy.ontology1, copy.metadata) == (alignment.ontology1, alignment.metadata)


# --- what a reader must take -----------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "#"])
def test_both_namespaces_and_any_prefix(tmp_path: Path, ending: str) -> None:
    text = (HEAD + cell("<relation>&lt;</relation><measure>.5</measure>") + TAIL).replace(
        'alignment"', f'alignment{ending}"'
    )
    assert len(read(tmp_path, text)) == 1
    for tag in ("Alignment", "map", "Cell", "entity1", "entity2", "relation", "measure"):
        text = text.replace(f"<{tag}", f"<align:{tag}").replace(f"</{tag}>", f"</align:{tag}>")
    (found,) = read(tmp_path, text.replace("xmlns=", "xmlns:align="))
    assert (found.relation, found.confidence) == ("<", 0.5)


def test_rdf_libraries_write_descriptions_and_node_ids(tmp_path: Path) -> None:
    ns = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"
    text = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:al="{ns}">
    <rdf:Description rdf:nodeID="a"><rdf:type rdf:resource="{ns}Alignment"/>
      <al:onto1 rdf:resource="http://one"/><al:map rdf:nodeID="c"/></rdf:Description>
    <rdf:Description rdf:nodeID="c"><al:relation>=</al:relation>
      <al:entity2 rdf:resource="http://b#y"/><al:entity1 rdf:resource="http://a#x"/>
      <rdf:type rdf:resource="{ns}Cell"/></rdf:Description></rdf:RDF>"""
    alignment = read(tmp_path, text)
    assert alignment.pairs == {("http://a#x", "http://b#y")}
    assert alignment.ontology1 == "http://one"


def test_children_in_any_order_long_forms_and_white_space(tmp_path: Path) -> None:
    text = HEAD + (
        '<map><Cell>\n<measure>\n 0.25 </measure><entity2 rdf:resource=" http://b#y "></entity2>'
        '<relation>\n = </relation><entity1 rdf:resource="http://a#x"></entity1></Cell></map>'
    )
    (found,) = read(tmp_path, text + TAIL)
    assert found == Correspondence("http://a#x", "http://b#y", "=", 0.25)


def test_a_cell_with_two_entities_of_a_side_is_refused(tmp_path: Path) -> None:
    twice = cell().replace("<entity2", '<entity1 rdf:resource="http://a#z"/><entity2')
    with pytest.raises(AlignmentError, match=r", line \d+: a second entity1 in its cell"):
        read(tmp_path, HEAD + twice + TAIL)


def test_cells_without_map_several_in_one_map_and_none_at_all(tmp_path: Path) -> None:
    bare = cell().replace("<map>", "").replace("</map>", "")
    other = bare.replace("#x", "#z")
    assert len(read(tmp_path, HEAD + bare + other + TAIL)) == 2
    assert len(read(tmp_path, HEAD + f"<map>{bare}{other}</map>" + TAIL)) == 2
    empty = read(tmp_path, HEAD + TAIL)
    assert len(empty) == 0
    assert math.isnan(empty.notes.largest)


def test_a_cell_that_states_nothing_is_a_certain_equivalence(tmp_path: Path) -> None:
    assert only(tmp_path, "") == Correspondence("http://a#x", "http://b#y", "=", 1.0)


@pytest.mark.parametrize(
    "given_as",
    [
        "<onto1>http://one</onto1>",
        "<uri1>http://one</uri1>",
        '<onto1 rdf:resource="http://one"/>',
        '<onto1>\n<Ontology rdf:about="http://one"><location>file:x</location></Ontology>\n</onto1>',
        "<onto1> http://one </onto1><uri1>http://other</uri1>",
    ],
)
def test_ontologies_as_text_or_element(tmp_path: Path, given_as: str) -> None:
    alignment = read(tmp_path, HEAD + given_as + cell() + TAIL)
    assert (alignment.ontology1, alignment.ontology2) == ("http://one", "")


@pytest.mark.parametrize(
    ("stated", "relation"),
    [
        ("=", "="),
        ("Equivalence", "="),
        ("ClassMapping", "="),
        ("fr.inrialpes.exmo.align.impl.rel.EquivRelation", "="),
        ("http://www.w3.org/2002/07/owl#equivalentClass", "="),
        ("owl:sameAs", "="),
        ("skos:exactMatch", "="),
        ("<", "<"),
        ("&lt;", "<"),
        ("SubsumedBy", "<"),
        ("fr.inrialpes.exmo.align.impl.rel.SubsumedRelation", "<"),
        ("http://www.w3.org/2000/01/rdf-schema#subClassOf", "<"),
        ("skos:broadMatch", "<"),
        ("subclass", "<"),
        (">", ">"),
        ("&gt;", ">"),
        ("Subsumes", ">"),
        ("fr.inrialpes.exmo.align.impl.rel.SubsumeRelation", ">"),
        ("http://www.w3.org/2004/02/skos/core#narrowMatch", ">"),
        ("superclass", ">"),
        ("%", "%"),
        ("><", "%"),
        ("DisjointFrom", "%"),
        ("fr.inrialpes.exmo.align.impl.rel.IncompatRelation", "%"),
        ("InstanceOf", "InstanceOf"),
        ("HasInstance", "HasInstance"),
        ("?", "?"),
        ("~>", None),
        ("^", None),
        ("PartOf", None),
        ("", None),
    ],
)
def test_relations(stated: str, relation: str | None) -> None:
    assert understood_relation(stated) == relation


def test_an_unknown_relation_is_kept_and_counted(tmp_path: Path) -> None:
    alignment = read(tmp_path, HEAD + cell("<relation>PartOf</relation>") + TAIL)
    (found,) = alignment
    assert (found.relation, found.stated_relation) == ("?", "PartOf")
    assert alignment.notes.unknown_relations == {"PartOf": 1}


def test_a_doubly_escaped_relation_is_understood(tmp_path: Path) -> None:
    assert only(tmp_path, "<relation>&amp;lt;</relation>").relation == "<"


@pytest.mark.parametrize(("stated", "clipped"), [("62.897", 1.0), ("1.01", 1.0), ("-0.1", 0.0)])
def test_confidence_outside_the_range_is_kept_raw_and_clipped(
    tmp_path: Path, stated: str, clipped: float
) -> None:
    alignment = read(tmp_path, HEAD + cell(f"<measure>{stated}</measure>") + TAIL)
    (found,) = alignment
    assert (found.confidence, found.stated_confidence) == (clipped, float(stated))
    assert alignment.notes.clipped == 1
    assert float(stated) in (alignment.notes.largest, alignment.notes.smallest)


def test_duplicates_keep_the_highest_confidence_and_are_counted(tmp_path: Path) -> None:
    low, high = cell("<measure>0.2</measure>"), cell("<measure>0.9</measure>")
    other = cell("<measure>0.1</measure><relation>&lt;</relation>")
    alignment = read(tmp_path, HEAD + low + high + low + other + TAIL)
    assert [(c.relation, c.confidence) for c in alignment] == [("<", 0.1), ("=", 0.9)]
    assert (alignment.notes.cells, alignment.notes.duplicates) == (4, 2)


def test_internal_entities_and_foreign_elements(tmp_path: Path) -> None:
    text = HEAD.replace("<rdf:RDF", '<!DOCTYPE rdf:RDF [<!ENTITY a "http://a#">]>\n<rdf:RDF')
    text += "<alext:method>edit distance</alext:method>" + cell("<alext:id>7</alext:id>", "&a;x")
    alignment = read(tmp_path, text + TAIL)
    assert alignment.pairs == {("http://a#x", "http://b#y")}
    assert alignment.metadata == {"method": "edit distance"}
    assert alignment.notes.foreign == {"http://exmo.inrialpes.fr/align/ext/1.0/": 1}


def test_name_path_and_fingerprint(tmp_path: Path) -> None:
    alignment = read(tmp_path, HEAD + cell() + TAIL)
    assert (alignment.name, alignment.path) == ("system", str(tmp_path / "system.rdf"))
    assert len(alignment.sha256) == 64
    assert read_alignment(alignment.path, name="AML").name == "AML"


# --- what a reader must refuse ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + cell("<measure>nan</measure>") + TAIL, r"line 4: confidence 'nan' is not a number"),
        (HEAD + cell("<measure>0,9</measure>") + TAIL, r"line 4: confidence '0,9'"),
        (HEAD + cell("<measure>1_0</measure>") + TAIL, r"line 4: confidence '1_0'"),
        (HEAD + cell("<measure/>") + TAIL, r"line 4: confidence ''"),
        (
            HEAD + (cell("<measure>x</measure>") + "\n") * 13 + "<Cell/>" + TAIL,
            r"line 4: confidence 'x'.* \(see lines 6, 8, .*, 24 and 3 more as well\)",
        ),
        (HEAD + "<map><Cell><entity1><Class/></entity1></Cell></map>" + TAIL, "line 4: .*EDOAL"),
        (HEAD + '<Cell><entity1 rdf:resource="http://a"/></Cell>' + TAIL, "line 4: entity2"),
        (HEAD + "<Cell/>" + TAIL, "line 4: entity1 of this cell is missing"),
        (HEAD + cell(), "line 5: not well-formed XML .*truncated"),
        (HEAD + cell(one="http://a?x=1&y=2") + TAIL, "line 4: .*write & as &amp;"),
        ("<html><body/></html>", "web page"),
        ("<!DOCTYPE html>\n<html>", "web page"),
        ("<a><b/></a>", "no <Alignment>"),
        ("", "is empty"),
        (" \n", "is empty"),
        (b"\x1f\x8b\x08\x00", "compressed"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(AlignmentError, match=message) as caught:
        read(tmp_path, text)
    assert "system.rdf" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(AlignmentError, match=r"nothing\.rdf does not exist"):
        read_alignment(tmp_path / "nothing.rdf")
    with pytest.raises(AlignmentError, match="is a folder"):
        read_alignment(tmp_path)


# --- what we write ---------------------------------------------------------------------------

iris = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1).map(
    "http://e.org/#{}".format
)
correspondences = st.builds(
    Correspondence, iris, iris, st.sampled_from(RELATIONS), st.floats(0, 1)
) | st.builds(
    Correspondence,
    iris,
    iris,
    st.just("?"),
    st.just(1.0),
    st.sampled_from(["PartOf", "~>", "^ & <a>"]),
    st.floats(1.01, 100),
)
alignments = st.builds(
    Alignment,
    st.lists(correspondences, max_size=6),
    ontology1=iris,
    ontology2=st.just("") | iris,
    metadata=st.dictionaries(
        st.sampled_from(["method", "http://purl.org/dc/elements/1.1/creator", "http://x.org#k"]),
        st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1),
    ),
)


@given(alignments)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, a: Alignment
) -> None:
    path = tmp_path_factory.mktemp("rdf") / "a.rdf"
    write_alignment(a, path)
    b = read_alignment(path)
    assert list(b) == list(a)
    assert (b.ontology1, b.ontology2, b.metadata) == (a.ontology1, a.ontology2, a.metadata)
    assert b.notes.duplicates == 0
    assert b.notes.foreign == {}


def test_the_bytes_do_not_depend_on_the_order_of_the_correspondences(tmp_path: Path) -> None:
    cs = [Correspondence("http://a#x", f"http://b#{i}", "=", i / 7) for i in range(7)]
    write_alignment(Alignment(cs), tmp_path / "1.rdf")
    write_alignment(Alignment(cs[::-1]), tmp_path / "2.rdf")
    assert (tmp_path / "1.rdf").read_bytes() == (tmp_path / "2.rdf").read_bytes()


def test_rdf_tools_read_what_we_write(tmp_path: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    path = tmp_path / "a.rdf"
    write_alignment(
        Alignment(
            [Correspondence("http://a#x&y", "http://b#<y>", "<", 1e-7)],
            ontology1="http://a",
            metadata={"method": "a < b"},
        ),
        path,
    )
    graph = rdflib.Graph().parse(path)
    # with the final #, as the Alignment API writes it: readers of RDF find no other classes
    ns = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"
    (cell_node,) = graph.subjects(rdflib.RDF.type, rdflib.URIRef(f"{ns}Cell"))
    facts = {str(p).removeprefix(ns): o for p, o in graph.predicate_objects(cell_node)}
    assert str(facts["entity1"]) == "http://a#x&y"
    assert str(facts["entity2"]) == "http://b#<y>"
    assert facts["measure"].datatype == rdflib.XSD.float
    assert float(facts["measure"]) == 1e-7
    assert str(facts["relation"]) == "<"
    assert "a < b" in {str(o) for o in graph.objects()}


def test_one_map_per_cell_and_the_type_says_whether_it_is_one_to_one(tmp_path: Path) -> None:
    one_to_one = [
        Correspondence("http://a#x", "http://b#x"),
        Correspondence("http://a#y", "http://b#y"),
    ]
    path = tmp_path / "a.rdf"
    write_alignment(Alignment(one_to_one), path)
    text = path.read_text()
    assert text.count("<map>") == text.count("<Cell>") == 2
    assert "<type>11</type>" in text
    write_alignment(Alignment([*one_to_one, Correspondence("http://a#x", "http://b#z")]), path)
    assert "<type>**</type>" in path.read_text()


def test_what_xml_cannot_hold_is_refused_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    path.write_text("old")
    with pytest.raises(AlignmentError, match="XML cannot hold"):
        write_alignment(Alignment([Correspondence("http://a#\x07", "http://b#x")]), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.rdf"]


def test_a_name_that_no_tag_can_spell_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    said = {"two words": "x", "http://e.org/100%": "y", "http://e.org/o#100": "z"}
    write_alignment(Alignment(metadata=said), path)
    assert read_alignment(path).metadata == said


@pytest.mark.parametrize("encoding", ["GBK", "Shift_JIS", "Big5", "UTF-16"])
def test_the_encoding_that_a_file_declares_is_followed(tmp_path: Path, encoding: str) -> None:
    text = HEAD.replace('"1.0"?', f'"1.0" encoding="{encoding}"?') + cell(one="http://a#中") + TAIL
    assert {c.entity1 for c in read(tmp_path, text.encode(encoding))} == {"http://a#中"}


def test_an_encoding_far_back_in_the_declaration_is_one_line(tmp_path: Path) -> None:
    declaration = f'"1.{"1" * 300}" encoding="big5"?'
    with pytest.raises(AlignmentError, match=r"system\.rdf, line 1: .*save the file as UTF-8"):
        read(tmp_path, (HEAD.replace('"1.0"?', declaration) + cell() + TAIL).encode())


def test_an_unknown_encoding_is_one_line(tmp_path: Path) -> None:
    text = HEAD.replace('"1.0"?', '"1.0" encoding="x-nothing"?') + cell() + TAIL
    with pytest.raises(AlignmentError, match=r"system\.rdf, line 1: its encoding 'x-nothing'"):
        read(tmp_path, text)


def test_stray_bytes_are_mended_and_told(tmp_path: Path) -> None:
    text = HEAD + cell(one="http://a#caf\xe9") + TAIL
    alignment = read(tmp_path, text.encode("latin-1"))
    assert {c.entity1 for c in alignment} == {"http://a#café"}
    assert "line 4: 1 byte is not UTF-8, and read as Windows-1252" in alignment.notes.mended[0]
    (finding,) = lint_alignment(alignment)
    assert (finding.code, finding.severity) == ("mended", "warning")


def test_comments_before_the_root_are_read_once(tmp_path: Path) -> None:
    comments = "<!-- Copyright line of the licence -->\n" * 60
    start, line_end, rest = HEAD.partition("\n")
    assert len(read(tmp_path, start + line_end + comments + rest + cell() + TAIL)) == 1


HEADER = (
    HEAD.replace("<rdf:RDF ", "<rdf:RDF alignmentSource='AML' ").replace(
        "<Alignment>", '<Alignment rdf:about="http://e.org/run">'
    )
    + """<xml>yes</xml><level>2EDOAL</level><type>11</type><method>fr.inrialpes.Name</method>
  <time>7</time><purpose>test</purpose>
  <onto1><Ontology rdf:about="http://a"><location>file:/home/me/a.owl</location>
    <formalism><Formalism align:name="OWL1.0" align:uri="http://www.w3.org/2002/07/owl#"
      xmlns:align="http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"/></formalism>
  </Ontology></onto1>
  <onto2>file:/home/me/b.owl</onto2><uri2>http://b</uri2>
"""
)
FACTS = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#about": "http://e.org/run",
    "alignmentSource": "AML",
    "formalism1": "OWL1.0 http://www.w3.org/2002/07/owl#",
    "level": "2EDOAL",
    "location1": "file:/home/me/a.owl",
    "method": "fr.inrialpes.Name",
    "purpose": "test",
    "time": "7",
    "uri2": "http://b",
}


@pytest.mark.parametrize("ending", ["rdf", "sssom.tsv", "csv", "tsv", "jsonl"])
def test_what_a_header_says_survives_every_format(tmp_path: Path, ending: str) -> None:
    first = read(tmp_path, HEADER + cell() + TAIL)
    assert first.metadata == FACTS
    write_alignment(first, tmp_path / f"a.{ending}")
    write_alignment(read_alignment(tmp_path / f"a.{ending}"), tmp_path / "b.rdf")
    again = read_alignment(tmp_path / "b.rdf")
    assert (again.ontology1, again.ontology2) == ("http://a", "file:/home/me/b.owl")
    assert again.metadata == FACTS
    text = (tmp_path / "b.rdf").read_text("utf-8")
    assert "<type>11</type>" in text
    assert "<location>file:/home/me/a.owl</location>" in text


def test_a_header_is_mirrored_and_a_type_is_not_kept_where_it_may_be_false(tmp_path: Path) -> None:
    text = HEADER.replace("<type>11", "<type>1*") + cell() + TAIL
    turned = read(tmp_path, text).swapped()
    assert turned.metadata["location2"] == "file:/home/me/a.owl"
    assert turned.metadata["uri1"] == "http://b"
    assert turned.metadata["type"] == "*1"
    assert turned.at_least(0).metadata["type"] == "*1"
    assert "type" not in turned.at_least(1.1).metadata


def test_what_is_usual_is_no_fact(tmp_path: Path) -> None:
    alignment = Alignment([Correspondence("http://a#x", "http://b#y")], ontology1="http://a")
    write_alignment(alignment, tmp_path / "a.rdf")
    assert read_alignment(tmp_path / "a.rdf").metadata == {}


def test_what_a_cell_says_in_attributes_and_elements_of_the_format_is_kept(tmp_path: Path) -> None:
    text = cell("<semantics>mine</semantics>").replace("<Cell>", '<Cell cid="12">')
    (c,) = read(tmp_path, HEAD + text + TAIL)
    named = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment#semantics"
    assert c.extra == (("cid", "12"), (named, "mine"))
    write_alignment(Alignment([c]), tmp_path / "a.rdf")
    assert [one.extra for one in read_alignment(tmp_path / "a.rdf")] == [c.extra]
