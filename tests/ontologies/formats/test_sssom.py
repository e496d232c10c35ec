"""SSSOM as people write it: every way of the standard, and what spreadsheets make of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from alignrank.ontologies import (
    Alignment,
    AlignmentError,
    Correspondence,
    NegatedCorrespondence,
    read_alignment,
    write_alignment,
)
from alignrank.ontologies.alignment import NO_TERM, Key
from alignrank.ontologies.formats import WRITABLE
from alignrank.ontologies.vocabulary import SKOS

ENDINGS = [row.endings[0] for row in WRITABLE.values()]
PREFIXES = "curie_map:\n  MA: http://e.org/ma/\n  HB: http://e.org/hb/\n"
METADATA = f"{PREFIXES}mapping_set_id: https://e.org/set\nlicense: https://e.org/licence\n"
HEADER = "subject_id\tpredicate_id\tobject_id\tmapping_justification"
MANUAL = "semapv:ManualMappingCuration"
PREDICATES = ["owl:sameAs", "rdfs:subClassOf"]
ROWS = [f"MA:1\tskos:exactMatch\tHB:1\t{MANUAL}", f"MA:3\tskos:broadMatch\tHB:3\t{MANUAL}"]
KEYS = {
    Key("http://e.org/ma/1", "http://e.org/hb/1", "="),
    Key("http://e.org/ma/3", "http://e.org/hb/3", "<"),
}


def commented(metadata: str, end: str = "") -> str:
    return "".join(f"#{line}{end}\n" for line in metadata.splitlines())


def written(path: Path, *lines: str, metadata: str = METADATA) -> Path:
    path.write_text(commented(metadata) + "\n".join([*lines, ""]))
    return path


def through_every_format(alignment: Alignment, folder: Path) -> Alignment:
    for ending in [*ENDINGS, ".sssom.tsv"]:
        path = folder / f"x{ending}"
        write_alignment(alignment, path)
        alignment = read_alignment(path)
    return alignment


def test_predicates_prefixes_and_metadata_come_back(tmp_path: Path) -> None:
    predicates = ["owl:equivalentClass", "owl:sameAs", "rdfs:subClassOf", "skos:exactMatch"]
    rows = [
        f"MA:{i}\t{predicate}\tHB:{i}\t{MANUAL}\tORCID:2" for i, predicate in enumerate(predicates)
    ]
    metadata = (
        f"{METADATA}creator_id:\n  - ORCID:1\n  - ORCID:2\nmapping_tool_version: 1.10\n"
        "mapping_set_confidence: 0.5\n"
    ).replace("curie_map:", "curie_map:\n  ORCID: https://orcid.org/")
    path = written(tmp_path / "a.sssom.tsv", f"{HEADER}\tauthor_id", *rows, metadata=metadata)
    first = read_alignment(path)
    assert [c.relation for c in first] == ["=", "=", "<", "="]
    again = through_every_format(first, tmp_path)
    assert again.metadata == first.metadata
    assert [c.extra for c in again] == [c.extra for c in first]
    *comments, _, row0, row1, row2, row3 = (tmp_path / "x.sssom.tsv").read_text().splitlines()
    assert [row.split("\t")[1] for row in (row0, row1, row2, row3)] == predicates
    assert row0.split("\t")[0::2][:2] == ["MA:0", "HB:0"]
    facts = dict(line[1:].split(": ", 1) for line in comments)
    assert json.loads(facts["curie_map"])["ORCID"] == "https://orcid.org/"
    assert facts["creator_id"] == '["ORCID:1", "ORCID:2"]'
    assert facts["mapping_tool_version"] == '"1.10"'
    assert facts["mapping_set_confidence"] == "0.5"
    assert "other" not in facts


def test_a_turned_alignment_keeps_only_predicates_that_hold_both_ways(tmp_path: Path) -> None:
    rows = [f"MA:{i}\t{p}\tHB:1\t{MANUAL}" for i, p in enumerate(PREDICATES)]
    alignment = read_alignment(written(tmp_path / "a.sssom.tsv", HEADER, *rows)).swapped()
    write_alignment(alignment, tmp_path / "b.sssom.tsv")
    rows = (tmp_path / "b.sssom.tsv").read_text().splitlines()[-2:]
    assert [row.split("\t")[1] for row in rows] == ["owl:sameAs", "skos:narrowMatch"]


@pytest.mark.parametrize("prefix", ["3d-met", "a.b_c", "HP", "ma"])
def test_declared_prefixes_stay(tmp_path: Path, prefix: str) -> None:
    metadata = f"curie_map:\n  {prefix}: http://e.org/x/{prefix}_\n  ma: http://e.org/ma/\n"
    metadata = metadata if prefix != "ma" else "curie_map:\n  ma: http://e.org/ma_\n"
    row = f"{prefix}:1\tskos:exactMatch\thttp://b#1\t{MANUAL}"
    path = written(tmp_path / "a.sssom.tsv", HEADER, row, metadata=metadata)
    write_alignment(read_alignment(path), tmp_path / "b.sssom.tsv")
    assert f"\n{prefix}:1\t" in (tmp_path / "b.sssom.tsv").read_text()
    assert read_alignment(tmp_path / "b.sssom.tsv") == read_alignment(path)


@pytest.mark.parametrize("ending", [".yml", ".yaml"])
def test_metadata_may_lie_beside_the_table(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "a.sssom.tsv"
    path.write_text("\n".join([HEADER, *ROWS, ""]))
    with pytest.raises(AlignmentError, match="prefix 'MA' of MA:1 is not in the curie_map: add"):
        read_alignment(path)
    (tmp_path / f"a.sssom{ending}").write_text(METADATA)
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    assert alignment.metadata["license"] == "https://e.org/licence"
    # what the table says itself comes first
    path.write_text("#license: mine\n" + path.read_text())
    assert read_alignment(path).metadata["license"] == "mine"


def test_a_file_that_only_has_the_same_name_is_no_metadata(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", HEADER, *ROWS)
    (tmp_path / "a.yml").write_text("jobs: [test]\n")
    assert "jobs" not in read_alignment(path).metadata
    (tmp_path / "a.yml").write_text("curie_map: [\n")
    with pytest.raises(AlignmentError, match=r"a\.yml: the header is not YAML"):
        read_alignment(path)


@pytest.mark.parametrize("side", ["subject", "object"])
def test_rows_about_a_literal_are_left_out_and_noted(tmp_path: Path, side: str) -> None:
    literal = f"\tskos:exactMatch\tHB:2\t{MANUAL}\trdfs literal\tlung"
    if side == "object":
        literal = f"MA:2\tskos:exactMatch\t\t{MANUAL}\trdfs literal\tlung"
    header = f"{HEADER}\t{side}_type\t{side}_label"
    rows = [f"{row}\towl class\t" for row in ROWS]
    path = written(tmp_path / "a.sssom.tsv", header, rows[0], literal, rows[1])
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    (note,) = alignment.notes.mended
    assert note.endswith("line 8: mappings of a literal, which is no entity, are left out: 1")


def test_a_last_row_without_its_comments_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "a.sssom.tsv", f"{HEADER}\tcomment\tother", *ROWS)
    assert read_alignment(path).notes.mended == ()
    path.write_text(path.read_text().rstrip("\n"))
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    (note,) = alignment.notes.mended
    assert "line 8: the last row ends before comment" in note


@pytest.mark.parametrize("mark", ["\t", ",", ";"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_table_that_a_spreadsheet_has_saved(tmp_path: Path, mark: str, quote: str) -> None:
    lines = [f"{quote}#{line}{quote}{mark * 3}" for line in METADATA.splitlines()]
    lines += [line.replace("\t", mark) + mark for line in (HEADER, *ROWS)]
    path = tmp_path / "a.csv"
    path.write_text("\r\n".join([*lines, mark * 4, ""]))
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    assert alignment.metadata["mapping_set_id"] == "https://e.org/set"


DOCUMENT = {
    "@context": {
        "@vocab": "https://w3id.org/sssom/",
        "MA": "http://e.org/ma/",
        "HB": {"@id": "http://e.org/hb/", "@prefix": True},
        "mappings": {"@id": "http://e.org/mappings"},
    },
    "mapping_set_id": "https://e.org/set",
    "creator_id": ["https://orcid.org/1", "https://orcid.org/2"],
    "mappings": [
        {
            "subject_id": "MA:1",
            "predicate_id": "skos:exactMatch",
            "object_id": "HB:1",
            "see_also": ["x", "y"],
        },
        {
            "subject_id": "MA:3",
            "predicate_id": "skos:broadMatch",
            "object_id": "HB:3",
            "comment": None,
            "confidence": float("nan"),
        },
    ],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_sssom_json(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "a.sssom.json"
    path.write_text(json.dumps(DOCUMENT, indent=indent))
    alignment = read_alignment(path)
    assert alignment.keys == KEYS
    assert alignment.metadata["creator_id"] == "https://orcid.org/1|https://orcid.org/2"
    assert alignment[min(KEYS)].extra == (("https://w3id.org/sssom/see_also", "x|y"),)
    assert through_every_format(alignment, tmp_path).metadata == alignment.metadata


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"MA:3"', '"XX:3"', r"line 28: the prefix 'XX'"),
        ('"MA:3"', '""', r"line 28: entity1 of this cell is missing"),
        ('"object_id": "HB:3",', '"object_id"', r"line 32: not valid SSSOM/JSON"),
        ('"http://e.org/ma/"', "1" * 5000, r"not valid SSSOM/JSON"),
    ],
)
def test_a_fault_in_sssom_json_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = json.dumps(DOCUMENT, indent=1)
    assert text.count(old) == 1
    path = tmp_path / "a.json"
    path.write_text(text.replace(old, new))
    with pytest.raises(AlignmentError, match=rf"a\.json[,:].*{message}"):
        read_alignment(path)


def test_empty_lines_before_sssom_json_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("\n" + json.dumps(DOCUMENT, indent=1).replace('"MA:3"', '""'))
    with pytest.raises(AlignmentError, match=r"a\.json, line 29: entity1 of this cell is missing"):
        read_alignment(path)


@pytest.mark.parametrize("character", [*map(chr, range(0x7F, 0xA0)), "\u2028", "\u2029", "\uffff"])
def test_what_yaml_does_not_take_as_it_is_is_kept(character: str, tmp_path: Path) -> None:
    correspondence = Correspondence(f"http://a{character}/o#1", "http://b#1")
    alignment = Alignment([correspondence], metadata={"comment": f"one{character}two"})
    write_alignment(alignment, tmp_path / "a.sssom.tsv")
    again = read_alignment(tmp_path / "a.sssom.tsv")
    assert again.pairs == alignment.pairs
    assert again.metadata["comment"] == f"one{character}two"


@pytest.mark.parametrize("row", [f"MA:1\tskos:exactMatch\tsssom:NoTermFound\t{MANUAL}"])
def test_an_entity_without_a_match_is_negative_knowledge(tmp_path: Path, row: str) -> None:
    path = written(tmp_path / "a.sssom.tsv", HEADER, row, *ROWS[1:])
    alignment = read_alignment(path)
    (no_match,) = alignment.negated
    assert (no_match.entity1, no_match.entity2, no_match.relation) == (
        "http://e.org/ma/1",
        NO_TERM,
        "=",
    )
    assert Key("http://e.org/ma/1", "http://e.org/hb/any", "=") in alignment.denied
    assert through_every_format(alignment, tmp_path) == alignment
    assert row in (tmp_path / "x.sssom.tsv").read_text()


def test_a_no_match_is_not_negated_once_more(tmp_path: Path) -> None:
    header = f"{HEADER}\tpredicate_modifier"
    row = f"MA:1\tskos:exactMatch\tsssom:NoTermFound\t{MANUAL}\tNot"
    with pytest.raises(AlignmentError, match="line 7: predicate_modifier is Not beside"):
        read_alignment(written(tmp_path / "a.sssom.tsv", header, row))


def test_a_namespace_has_one_prefix_in_what_is_written(tmp_path: Path) -> None:
    metadata = f"{PREFIXES}  sk: http://www.w3.org/2004/02/skos/core#\n"
    row = ROWS[0].replace("skos:", "sk:")
    path = written(tmp_path / "a.sssom.tsv", HEADER, row, metadata=metadata)
    write_alignment(read_alignment(path), tmp_path / "b.sssom.tsv")
    head, *_, last = (tmp_path / "b.sssom.tsv").read_text().splitlines()
    assert last.startswith(row)
    namespaces = list(json.loads(head.removeprefix("#curie_map: ")).values())
    assert len(namespaces) == len(set(namespaces))


@pytest.mark.parametrize("nested", ["[" * 20_000, "{a: " * 20_000, "- " * 20_000, "? " * 20_000])
def test_a_header_that_nests_too_deeply_is_refused_without_reading_on(
    tmp_path: Path, nested: str
) -> None:
    path = written(tmp_path / "a.sssom.tsv", HEADER, metadata=f"{METADATA}x: {nested}")
    with pytest.raises(AlignmentError, match="the header is not YAML"):
        read_alignment(path)


def test_a_spreadsheet_may_write_a_decimal_comma(tmp_path: Path) -> None:
    path = written(tmp_path / "a.sssom.tsv", f"{HEADER}\tconfidence", f"{ROWS[0]}\t0,5")
    assert [c.confidence for c in read_alignment(path)] == [0.5]


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sssom.tsv"
    rows = "subject_id\tpredicate_id\tobject_id\tconfidence\tConfidence\na:x\tb:y\tc:z\t.9\t.3\n"
    path.write_text(rows)
    with pytest.raises(AlignmentError, match="two columns are called confidence: rename one"):
        read_alignment(path)


def test_nothing_is_written_that_cannot_be_read(tmp_path: Path) -> None:
    denied = NegatedCorrespondence("a#x", "b#y", f"{SKOS}exactMatch", "=")
    union = Alignment([Correspondence("a#x", "b#y")]) | Alignment(negated=[denied])
    with pytest.raises(AlignmentError, match="is stated, and negated as well"):
        write_alignment(union, tmp_path / "a.sssom.tsv")
    assert not list(tmp_path.iterdir())
