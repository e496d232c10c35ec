"""Encodings: declared ones are followed, stray bytes mended and told, the rest refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignrank.common.errors import AlignmentError
from alignrank.common.raw_bytes import as_utf8, check_doctype
from alignrank.ontologies import LoadingError, load_ontology, read_alignment
from alignrank.ontologies.vocabulary import ALIGNMENT, OWL, RDF, RDFS

XML = '<?xml version="1.0" encoding="{}"?><a>中é</a>'


@pytest.mark.parametrize("encoding", ["GBK", "utf-8", "UTF-16", "gb18030"])
def test_a_declared_encoding_is_followed(encoding: str) -> None:
    data, mended = as_utf8(XML.format(encoding).encode(encoding), "a.rdf", ValueError)
    assert data.decode() == XML.format("utf-8" if encoding == "utf-8" else "UTF-8")
    assert mended == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_mark_whatever_it_declares(encoding: str) -> None:
    for declared in ("UTF-16", "idna", "GBK"):
        data, mended = as_utf8(XML.format(declared).encode(encoding), "a.rdf", ValueError)
        assert data.decode() == XML.format("UTF-8")
        assert mended == ()


def test_a_mark_of_utf_8_is_right_where_the_declaration_contradicts_it() -> None:
    for declared in ("utf32", "GBK", "hex"):
        data, mended = as_utf8(XML.format(declared).encode("utf-8-sig"), "a.rdf", ValueError)
        assert data.decode() == XML.format("UTF-8")
        assert mended == ()


def test_what_looks_like_a_declaration_within_a_text_stays() -> None:
    text = b"one,two\n" + XML.format("GBK").encode()
    assert as_utf8(text, "a.csv", ValueError)[0] == text
    assert as_utf8(text.decode().encode("utf-8-sig"), "a.csv", ValueError)[0] == text


def test_stray_bytes_are_windows_1252_and_told() -> None:
    data, mended = as_utf8(b"one,two\nthree,caf" + b"\xe9\x96\n", "a.csv", ValueError)
    assert data.decode() == "one,two\nthree,café–\n"
    assert len(mended) == 1
    assert mended[0].startswith("a.csv, line 2: 2 bytes are not UTF-8")


@pytest.mark.parametrize(
    "data",
    [
        b"one\n\x81two, and enough of it for a share",
        "中文字".encode("gbk"),
        b"a\0\xe9" * 30,
        XML.format("no-such").encode(),
        XML.format("hex").encode(),
        XML.format("idna").encode(),
        XML.format("ascii").encode()[:-6] + b"\x81" + b" " * 40,
    ],
)
def test_what_is_no_text_is_refused_with_its_line(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"a\.rdf, line \d: .*: save the file as UTF-8"):
        as_utf8(data, "a.rdf", ValueError)


ONTOLOGY = (
    f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}">'
    '<owl:Class rdf:about="http://e.org/o#A"><rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>'
)
CELLS = (
    f'<rdf:RDF xmlns="{ALIGNMENT}" xmlns:rdf="{RDF}"><Alignment>{{}}<map><Cell>'
    '<entity1 rdf:resource="http://a#x"/><entity2 rdf:resource="http://b#y"/>'
    "</Cell></map></Alignment></rdf:RDF>"
)
NESTED = '<!ENTITY w0 "ab">' + "".join(
    f'<!ENTITY w{i} "{f"&w{i - 1};" * 9}">' for i in range(1, 11)
)
HIDDEN = NESTED.replace("&w", "&#38;&#119;")
CHAIN = '<!ENTITY w0 "a">' + "".join(f'<!ENTITY w{i} "&w{i - 1};">' for i in range(1, 200))
LONG = "x" * 200_000


@pytest.mark.parametrize(
    ("dtd", "text", "said"),
    [
        (NESTED, "&w4;", "stand for more than 10 MB"),
        (NESTED, "unused", "stand for more than 10 MB"),
        (HIDDEN, "unused", "stand for more than 10 MB"),
        (f"<!-- {NESTED} -->", "in a comment", "stand for more than 10 MB"),
        (f'<!ENTITY a "{LONG}">', "&a;" * 100, "stand for more than 12 MB"),
        (f'<!ATTLIST e a CDATA "{LONG}">', "<e/>" * 100, "stand for more than 12 MB"),
        ('<!ENTITY a "&b;"><!ENTITY b "&a;">', "unused", "&[ab]; stands for itself"),
        (CHAIN, "unused", "100 entities one within another"),
        ("<!ENTITY a 'a'>" * 10_001, "unused", "more than 10,000 entities"),
        ('<!ENTITY a SYSTEM "file:///etc/passwd">', "&a;", "the entity &a; stands for the file"),
        ('<!ENTITY % p ""> %p; <!ENTITY a "A">', "&a;", "&a; is not defined in this file"),
    ],
)
def test_every_reader_refuses_it(tmp_path: Path, dtd: str, text: str, said: str) -> None:
    path = tmp_path / "o.owl"
    path.write_text(f"<!DOCTYPE rdf:RDF [{dtd}]>{ONTOLOGY.replace('{}', text)}")
    with pytest.raises(LoadingError, match=rf"o\.owl, line 1: .*{said}"):
        load_ontology(path)
    path.write_text(f"<!DOCTYPE rdf:RDF [{dtd}]>{CELLS.replace('{}', text)}")
    with pytest.raises(AlignmentError, match=rf"o\.owl, line 1: .*{said}"):
        read_alignment(path)


def test_what_an_attribute_leaves_out_in_silence_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    dtd = '<!DOCTYPE rdf:RDF SYSTEM "x.dtd">'
    path.write_text(dtd + ONTOLOGY.replace("http://e.org/o#A", "&e;A"))
    with pytest.raises(LoadingError, match="the entity &e; is not defined in this file"):
        load_ontology(path)
    path.write_text(dtd + ONTOLOGY.replace("{}", "a &amp; b&#33;"))
    assert len(load_ontology(path)) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_usual_entities_are_no_bomb(encoding: str) -> None:
    dtd = '<!DOCTYPE r [<!ENTITY owl "http://www.w3.org/2002/07/owl#"><!ENTITY amp "&#38;#38;">]>'
    check_doctype(f"{dtd}<r>{'&owl;' * 100_000}</r>".encode(encoding), "o.owl", ValueError)
    with pytest.raises(ValueError, match="more than 10 MB"):
        check_doctype(f"<!DOCTYPE r [{NESTED}]><r/>".encode(encoding), "o.owl", ValueError)
    with pytest.raises(ValueError, match=r"line 2: .*more than 10 MB"):
        check_doctype(f"\n<!DOCTYPE r [{NESTED}]><r/>".encode(encoding), "o.owl", ValueError)
