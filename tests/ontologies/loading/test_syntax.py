"""What files state is read, whatever their syntax; none gives wrong names or a crash."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pyoxigraph
import pytest

from alignrank.ontologies import Kind, Label, LoadingError, load_ontology
from alignrank.ontologies.loading.imports import ontology_iris
from alignrank.ontologies.loading.syntax import Syntax, triples_of
from alignrank.ontologies.vocabulary import OWL, RDF
from tests.ontologies.loading.written import BASE, HEAD, labels, load

# --- files -------------------------------------------------------------------------------------


def test_paths_with_spaces_and_other_alphabets(tmp_path: Path) -> None:
    ontology = load(tmp_path, '<owl:Class rdf:about="#A"/>', name="mein Ontologie-Größe 日本.rdf")
    assert len(ontology) == 1


def test_an_external_entity_is_an_error_and_internal_ones_expand(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    dtd = (
        f'<!DOCTYPE rdf:RDF [<!ENTITY s SYSTEM "{secret.as_uri()}"><!ENTITY e "http://e.org/o#">]>'
    )
    head = BASE.replace("<rdf:RDF", f"{dtd}\n<rdf:RDF")
    body = '<owl:Class rdf:about="&e;A"><rdfs:label>x{}y</rdfs:label></owl:Class>'
    assert labels(load(tmp_path, body.format(""), head)) == ["xy"]
    with pytest.raises(LoadingError, match=r"o\.owl, line 7: the entity &s; stands for the file"):
        load(tmp_path, body.format("&s;"), head)


# --- names and kinds -------------------------------------------------------------------------


def test_rdfs_classes_and_concepts_are_seen(tmp_path: Path) -> None:
    ontology = load(
        tmp_path, '<rdfs:Class rdf:about="#A"/><skos:Concept rdf:about="http://e.org/o#B"/>'
    )
    assert [e.kind for e in ontology] == [Kind.CLASS, Kind.CLASS]


def test_a_property_called_label_and_an_undeclared_pref_label(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        """<owl:DatatypeProperty rdf:about="#label"><rdfs:label>name</rdfs:label>
           </owl:DatatypeProperty>
           <owl:Class rdf:about="#A"><skos:prefLabel>apple</skos:prefLabel></owl:Class>""",
    )
    assert labels(ontology, "label") == ["name"]
    assert labels(ontology) == ["apple"]


def test_without_header_the_ontology_has_no_iri_and_entities_keep_theirs(tmp_path: Path) -> None:
    ontology = load(tmp_path, '<owl:Class rdf:about="http://e.org/o#A"/>', HEAD.format(""))
    assert ontology.iri == ""
    assert list(ontology.entities) == ["http://e.org/o#A"]


def test_relative_iris_without_a_base_do_not_depend_on_the_folder(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    body = '<owl:Ontology rdf:about=""/><owl:Class rdf:ID="A"/><owl:Class rdf:about="B"/>'
    one = load(tmp_path / "a", body, HEAD.format(""))
    two = load(tmp_path / "b", body, HEAD.format(""))
    assert list(one.entities) == list(two.entities) == ["file:///B", "file:///o.owl#A"]
    assert one.iri == ""


# --- RDF/XML that its parser misreads --------------------------------------------------------


def test_property_attributes_are_labels(tmp_path: Path) -> None:
    assert labels(load(tmp_path, '<owl:Class rdf:about="#A" rdfs:label="apple"/>')) == ["apple"]


def test_a_base_that_ends_in_a_hash_is_not_doubled(tmp_path: Path) -> None:
    head = HEAD.format('xml:base="http://e.org/o#"')
    ontology = load(tmp_path, '<owl:Ontology rdf:about=""/><owl:Class rdf:about="#A"/>', head)
    assert list(ontology.entities) == ["http://e.org/o#A"]
    assert ontology.iri == "http://e.org/o"


def test_a_base_below_the_root_counts(tmp_path: Path) -> None:
    body = '<owl:Class xml:base="http://e.org/p" rdf:about="#A"/>'
    assert list(load(tmp_path, body).entities) == ["http://e.org/p#A"]


def test_the_last_slash_of_an_iri_stays(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        """<owl:Class rdf:about="http://e.org/a/"/>
           <owl:Class rdf:about="http://e.org/b">
             <rdfs:subClassOf rdf:resource="http://e.org/a/"/></owl:Class>""",
    )
    assert ontology.parents == {"http://e.org/b": ("http://e.org/a/",)}


@pytest.mark.parametrize("where", ["root", "class", "label"])
def test_a_language_is_inherited(tmp_path: Path, where: str) -> None:
    lang = {key: 'xml:lang="fr"' if key == where else "" for key in ("root", "class", "label")}
    ontology = load(
        tmp_path,
        f"""<owl:Class rdf:about="#A" {lang["class"]}>
              <rdfs:label {lang["label"]}>pomme</rdfs:label></owl:Class>""",
        HEAD.format(f'xml:base="http://e.org/o" {lang["root"]}'),
    )
    assert ontology.entities["http://e.org/o#A"].labels == (Label("pomme", "fr"),)


def test_an_inherited_language_is_ended_and_an_instruction_is_no_text(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        """<owl:Class rdf:about="#A"><rdfs:label xml:lang="">po<?page 3?>mme</rdfs:label>
             <rdfs:label>apple</rdfs:label></owl:Class>""",
        HEAD.format('xml:base="http://e.org/o" xml:lang="en"'),
    )
    assert ontology.entities["http://e.org/o#A"].labels == (Label("apple", "en"), Label("pomme"))


def test_a_comment_within_a_text_is_none_of_it(tmp_path: Path) -> None:
    body = '<owl:Class rdf:about="#A"><rdfs:label>ap<!-- or -->ple</rdfs:label></owl:Class>'
    assert labels(load(tmp_path, body)) == ["apple"]


def test_literal_and_resource_contents_are_not_entities(tmp_path: Path) -> None:
    ontology = load(
        tmp_path,
        """<owl:Class rdf:about="#A">
             <rdfs:comment rdf:parseType="Literal">see <owl:Class>this</owl:Class></rdfs:comment>
             <rdfs:seeAlso rdf:parseType="Resource"><rdfs:label>no</rdfs:label></rdfs:seeAlso>
             <rdfs:label>apple</rdfs:label>
           </owl:Class>""",
    )
    assert [(e.iri, e.names()) for e in ontology] == [("http://e.org/o#A", ["apple"])]


def test_a_number_that_is_none_does_not_stop_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body = (
        '<owl:Class rdf:about="#A">'
        '<rdfs:comment rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">many</rdfs:comment>'
        "<rdfs:label>apple</rdfs:label></owl:Class>"
    )
    assert labels(load(tmp_path, body)) == ["apple"]
    assert capfd.readouterr() == ("", "")


def test_another_prefix_for_rdf(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    text = BASE + '<owl:Class rdf:about="#A" rdfs:label="apple"/></rdf:RDF>'
    path.write_text(text.replace("rdf:", "r:").replace("xmlns:rdf=", "xmlns:r="))
    assert labels(load_ontology(path)) == ["apple"]


@pytest.mark.parametrize(
    "body",
    [
        '<owl:Class rdf:about="#A"><rdfs:label xml:lang="en">a</rdfs:label></owl:Class>',
        '<owl:Class rdf:ID="A" />',
        '<owl:Class rdf:about="#A"/><rdf:Description><owl:unionOf rdf:parseType="Collection">'
        '<owl:Class rdf:about="#A"/></owl:unionOf></rdf:Description>',
        '<owl:Class rdf:about="#A" rdfs:label="a"/>',
        '<owl:Class rdf:about="http://e.org/"/>',
        '<owl:Class xml:lang="en"><rdfs:label>a</rdfs:label></owl:Class>',
        "<owl:Class rdf:about='#A'/>",
        '<owl:Class\n   rdf:about="#A"/>',
    ],
)
def test_every_form_of_a_tag_says_what_an_rdf_library_reads(body: str) -> None:
    rdflib = pytest.importorskip("rdflib")
    compare = pytest.importorskip("rdflib.compare")
    data = (BASE + body + "</rdf:RDF>").encode()
    (quads,), _ = triples_of(data, Syntax.RDF_XML, "o.owl", "file:///o")
    text = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_TRIPLES)
    ours = rdflib.Graph().parse(data=text, format="nt")
    theirs = rdflib.Graph().parse(data=data, format="xml")
    assert compare.isomorphic(ours, theirs)


# --- the other syntaxes ----------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encodings_and_byte_order_marks(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "o.owl"
    text = BASE.replace(
        'version="1.0"', f'version="1.0" encoding="{encoding.removesuffix("-sig")}"'
    )
    text += '<owl:Class rdf:about="#A"><rdfs:label>Straße</rdfs:label></owl:Class></rdf:RDF>'
    path.write_bytes(text.encode(encoding))
    assert labels(load_ontology(path)) == ["Straße"]


def test_n_triples_in_every_spacing(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class>"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    path.write_bytes(
        f"# comment\n\n<http://e.org/o#A> {kind}.\r\n   \n"
        f'<http://e.org/o#A>\t{label}   "caf\\u00e9 \\"x\\" 日本 😀 a\\\\u00e9"@FR . # end\n'
        f"<http://e.org/o#caf\\u00e9> {kind} .".encode()
    )
    ontology = load_ontology(path)
    assert sorted(ontology.entities) == ["http://e.org/o#A", "http://e.org/o#café"]
    assert ontology.entities["http://e.org/o#A"].labels == (
        Label('café "x" 日本 😀 a\\u00e9', "fr"),
    )


@pytest.mark.parametrize("serialization", ["ofn", "omn", "owx", "rdf", "owl"])
def test_owl_syntaxes_give_the_same_ontology(tmp_path: Path, serialization: Any) -> None:
    import pyhornedowl

    body = """<owl:Ontology rdf:about="http://e.org/o"/>
      <owl:AnnotationProperty rdf:about="http://www.w3.org/2004/02/skos/core#altLabel"/>
      <owl:ObjectProperty rdf:about="http://e.org/o#p"/>
      <owl:Class rdf:about="http://e.org/o#A"><rdfs:label xml:lang="de">Straße</rdfs:label>
        <skos:altLabel>road</skos:altLabel><rdfs:subClassOf rdf:resource="http://e.org/o#B"/>
        <owl:disjointWith rdf:resource="http://e.org/o#C"/></owl:Class>
      <owl:Class rdf:about="http://e.org/o#B"/>
      <owl:Class rdf:about="http://e.org/o#C"><owl:deprecated
        rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated></owl:Class>
      <owl:NamedIndividual rdf:about="http://e.org/o#i"><rdf:type rdf:resource="http://e.org/o#A"/>
      </owl:NamedIndividual>"""
    expected = load(tmp_path, body)
    parsed = pyhornedowl.open_ontology_from_string(BASE + body + "</rdf:RDF>", serialization="rdf")
    path = tmp_path / "other.owl"
    path.write_text(parsed.save_to_string(serialization), encoding="utf-8")
    other = load_ontology(path)
    assert other.entities == expected.entities
    assert (other.iri, other.parents, other.types) == (
        expected.iri,
        expected.parents,
        expected.types,
    )
    assert other.left_out == expected.left_out == {"deprecated": 1}


def test_obo(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    path.write_text(
        "format-version: 1.2\nontology: vc\n\n[Term]\nid: VC:0001\nname: cat\n"
        'synonym: "puss" EXACT []\nsynonym: "pet" BROAD []\nis_a: VC:0002 ! animal\n\n'
        "[Term]\nid: VC:0002\nname: animal\n\n[Term]\nid: VC:0003\nis_obsolete: true\n"
    )
    ontology = load_ontology(path)
    assert ontology.iri == "http://purl.obolibrary.org/obo/vc.owl"
    names = {e.iri.rsplit("/", 1)[1]: e.names() for e in ontology}
    assert names == {"VC_0001": ["cat", "puss"], "VC_0002": ["animal"]}
    assert ontology.left_out["deprecated"] == 1


def test_n3(tmp_path: Path) -> None:
    path = tmp_path / "o.n3"
    path.write_text(
        "@prefix : <http://e.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        ":A a owl:Class ; = :B . :B a owl:Class ."
    )
    assert load_ontology(path).equivalents == (("http://e.org/o#A", "http://e.org/o#B"),)


# --- relative IRIs, numbers, encodings, depth ------------------------------------------------


@pytest.mark.parametrize(
    ("base", "iri"),
    [
        *(("http://e.org/o", iri) for iri in ("#A", "../x", "?q=1", "//h/z", ".", ".x", "A/")),
        *(("http://e.org/d/o", iri) for iri in ("/y", "a/../b", "../../x")),
        *(("http://e.org", iri) for iri in ("A", "#A")),
    ],
)
def test_relative_iris_are_resolved_by_the_rules(tmp_path: Path, base: str, iri: str) -> None:
    # in a process of its own: owlready2 looped for ever, and Ctrl-C did not end it
    path = tmp_path / "o.owl"
    body = f'<owl:Class rdf:about="{iri}"/></rdf:RDF>'
    path.write_text(HEAD.format(f'xml:base="{base}"') + body, encoding="utf-8")
    load = f"print(*load_ontology({str(path)!r}).entities)"
    code = f"from alignrank.ontologies import load_ontology\n{load}"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    # base A has no path: RFC 3986, section 5.2.3, puts a slash before what is merged with it
    assert found.stdout.strip() == ("http://e.org/A" if iri == "A" else urljoin(base, iri))


OWL_XML = """<Ontology xmlns="http://www.w3.org/2002/07/owl#"{}><Prefix name="" IRI="http://e.org/o#"/>
  <Declaration><Class IRI="{}"/></Declaration></Ontology>"""


@pytest.mark.parametrize(
    ("stated", "iri", "found"),
    [
        (' ontologyIRI="http://e.org/o"', "#A", "http://e.org/o#A"),
        (' ontologyIRI="http://e.org/o"', "http://e.org/A/", "http://e.org/A/"),
        (' ontologyIRI="http://e.org/o"', ".x", "http://e.org/o#.x"),
        ("", "http://e.org/A", "http://e.org/A"),
    ],
)
def test_owl_xml_keeps_slashes_ends_at_dots_and_may_be_anonymous(
    tmp_path: Path, stated: str, iri: str, found: str
) -> None:
    path = tmp_path / "o.owl"
    path.write_text(OWL_XML.format(stated, iri), encoding="utf-8")
    assert list(load_ontology(path).entities) == [found]


def test_the_last_slash_of_an_iri_survives_functional_syntax(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    path.write_text("Ontology(<http://e.org/o> Declaration(Class(<http://e.org/A/>)))")
    assert list(load_ontology(path).entities) == ["http://e.org/A/"]


@pytest.mark.parametrize("label", ["007", "1.10", "12345678901234567890.5"])
@pytest.mark.parametrize("kind", ["integer", "decimal", "double"])
def test_labels_that_are_numbers_stay_as_written(tmp_path: Path, label: str, kind: str) -> None:
    typed = f'rdf:datatype="http://www.w3.org/2001/XMLSchema#{kind}"'
    body = f'<owl:Class rdf:about="#A"><rdfs:label {typed}>{label}</rdfs:label></owl:Class>'
    assert labels(load(tmp_path, body)) == [label]


@pytest.mark.parametrize("encoding", ["hex", "utf-7", "no-such-encoding"])
def test_an_encoding_that_cannot_be_read_is_named(tmp_path: Path, encoding: str) -> None:
    head = BASE.replace('version="1.0"', f'version="1.0" encoding="{encoding}"')
    with pytest.raises(
        LoadingError, match=r"o\.owl, line 1: .* encoding .*: save the file as UTF-8"
    ):
        load(tmp_path, '<owl:Class rdf:about="#A"/>', head)
    # and it is in nobody's way as a neighbour
    importing = '<owl:Ontology rdf:about=""><owl:imports rdf:resource="http://e.org/two"/>'
    path = tmp_path / "one.owl"
    path.write_text(f'{BASE}{importing}</owl:Ontology><owl:Class rdf:about="#B"/></rdf:RDF>')
    assert list(load_ontology(path, imports=tmp_path).entities) == ["http://e.org/o#B"]


def test_json_ld_of_a_graph_with_a_name_is_read_without_the_name(tmp_path: Path) -> None:
    heart = {"@id": "http://e.org/o#A", "@type": "http://www.w3.org/2002/07/owl#Class"}
    path = tmp_path / "o.jsonld"
    path.write_text(json.dumps({"@id": "http://e.org/graph", "@graph": [heart]}))
    assert list(load_ontology(path).entities) == ["http://e.org/o#A"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            BASE.replace("<rdf:RDF", '<!DOCTYPE rdf:RDF SYSTEM "x.dtd"><rdf:RDF', 1)
            + "<owl:Class rdf:about='#A'><rdfs:label>&foo;</rdfs:label></owl:Class></rdf:RDF>",
            "line 6: the entity &foo; is not defined in this file, and no other file is read",
        ),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "brackets are nested one within another too"),
        ("[" * 20_000, "no ontology: brackets are nested one within another too deeply"),
        (
            '{"qid": 0, "ranking": ["a"]}\n{"qid": 1, "ranking": ["b"]}\n',
            "line 2: a second JSON value, and an ontology is one: rankings and answers are read by",
        ),
        ('{"a":' + "1" * 5000 + "}", "not valid JSON-LD"),
        ("@prefix : <ht\ntp://e.org/o#> .", "line 1: not valid Turtle"),
    ],
)
def test_what_parsers_stumble_on_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "o.owl"
    path.write_text(text)
    with pytest.raises(LoadingError) as error:
        load_ontology(path)
    assert f"{path}" in str(error.value)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


# --- bounds ------------------------------------------------------------------------------------

CLASS = '<owl:Class rdf:about="#A"/>'


def test_comments_before_the_root_are_read_once(tmp_path: Path) -> None:
    comments = "<!-- Copyright line of the licence -->\n" * 60
    start, line_end, rest = BASE.partition("\n")
    assert len(load(tmp_path, CLASS, start + line_end + comments + rest)) == 1


def test_a_large_disjoint_group_stays_a_group(tmp_path: Path) -> None:
    members = "".join(f'<owl:Class rdf:about="http://e.org/d{i:04}"/>' for i in range(3000))
    ontology = load(
        tmp_path,
        '<owl:AllDisjointClasses><owl:members rdf:parseType="Collection">'
        f"{members}</owl:members></owl:AllDisjointClasses>",
    )
    assert ontology.disjoints == (tuple(ontology.entities),)
    assert len(ontology) == 3000


@pytest.mark.parametrize(
    ("prefixes", "depth", "what"),
    [(0, 600, "elements one within another"), (40_000, 0, "prefixes of namespaces")],
)
def test_xml_that_would_take_for_ever_is_refused(
    tmp_path: Path, prefixes: int, depth: int, what: str
) -> None:
    named = "".join(f' xmlns:n{i}="http://n/{i}"' for i in range(prefixes))
    body = "<owl:Class><owl:x>" * depth + CLASS + "</owl:x></owl:Class>" * depth
    with pytest.raises(LoadingError, match=rf"o\.owl, line \d+: more than \d+ {what}"):
        load(tmp_path, body, BASE.replace("<rdf:RDF", f"<rdf:RDF{named}", 1))


def test_colons_and_empty_lines_are_passed_over_once(tmp_path: Path) -> None:
    path = tmp_path / "o.ttl"
    path.write_text("<" + ":" * 100_000, encoding="utf-8")
    with pytest.raises(LoadingError, match="in no format that is known"):
        load_ontology(path)
    assert ontology_iris(b"x" + b"\n" * 100_000) == []


def test_stray_bytes_in_an_ontology_are_mended_and_told(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    body = '<owl:Class rdf:about="#A"><rdfs:label>caf\xe9</rdfs:label></owl:Class></rdf:RDF>'
    path.write_bytes((BASE + body).encode("latin-1"))
    ontology = load_ontology(path)
    assert labels(ontology) == ["café"]
    assert "1 byte is not UTF-8, and read as Windows-1252" in ontology.mended[0]


def test_quoted_triples_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.ttl"
    path.write_text("@prefix : <http://x#> .\n" + "<< " * 100_000)
    with pytest.raises(LoadingError, match=r"deep.ttl, line 2: more than 1000 quoted triples"):
        load_ontology(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.obo", "format-version: 1.2\nontology: a\n\n[Term]\nid: A:1\nname: one"),
        ("a.nt", f"<urn:a:b:c> <{RDF}type> <{OWL}Class> ."),
        ("b.nt", f"<urn:a> <{RDF}type> <{OWL}Class> ."),
    ],
)
def test_no_last_newline_and_a_urn_at_the_start(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert len(load_ontology(tmp_path / name)) == 1


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_xml_are_one_character_in_texts(tmp_path: Path, end: str) -> None:
    body = '<owl:Class rdf:about="#A"><rdfs:label>left\nlung</rdfs:label></owl:Class>'
    path = tmp_path / "o.owl"
    path.write_bytes(f"{BASE}{body}</rdf:RDF>\n".replace("\n", end).encode())
    assert load_ontology(path).entities["http://e.org/o#A"].names() == ["left\nlung"]


def test_a_packed_file_has_the_relative_iris_of_the_file(tmp_path: Path) -> None:
    path, packed = tmp_path / "o.owl", tmp_path / "o.owl.gz"
    path.write_text(f'{HEAD.format("")}<owl:Class rdf:about="#A"/></rdf:RDF>')
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(load_ontology(packed).entities) == list(load_ontology(path).entities)


@pytest.mark.parametrize("tag", ["en_US", " en-US ", "EN-us"])
def test_a_language_is_known_however_its_tag_is_spelled(tmp_path: Path, tag: str) -> None:
    label = f'<rdfs:label xml:lang="{tag}">color</rdfs:label>'
    ontology = load(tmp_path, f'<owl:Class rdf:about="#A">{label}</owl:Class>')
    (entity,) = ontology
    assert entity.labels == (Label("color", "en-us"),)
    assert entity.names(langs=["en"]) == ["color"]


@pytest.mark.parametrize(
    "tag", ["idspace: X http://x.org/", "property_value: p v", "id-mapping: a b"]
)
def test_an_obo_header_begins_with_any_of_its_lines(tmp_path: Path, tag: str) -> None:
    (tmp_path / "o.obo").write_text(f"{tag}\nontology: o\n\n[Term]\nid: X:1\nname: rose\n")
    assert len(load_ontology(tmp_path / "o.obo")) == 1
