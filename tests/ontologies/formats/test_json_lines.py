"""Mappings as JSKOS: a concordance, a list, lines; one to one, and what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from alignrank.ontologies import AlignmentError, read_alignment


def mapping(source: str, *targets: str, **facts: Any) -> dict[str, Any]:
    sides = ([source], targets)
    bundles = [{"memberSet": [{"uri": iri} for iri in side]} for side in sides]
    match = "http://www.w3.org/2004/02/skos/core#narrowMatch"
    return {"type": [match], "from": bundles[0], "to": bundles[1], **facts}


MAPPINGS = [
    mapping("a#1", "b#1", mappingRelevance=0.5),
    mapping("a#2", "b#2", "b#3"),
    mapping("a#3"),
]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"uri": "http://x.org/set", "mappings": MAPPINGS}, indent=1),
        json.dumps(MAPPINGS),
        "\n".join(map(json.dumps, MAPPINGS)),
    ],
)
def test_mappings_are_read_and_combined_ones_counted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    alignment = read_alignment(path)
    assert [(c.pair, c.relation, c.confidence) for c in alignment] == [(("a#1", "b#1"), ">", 0.5)]
    assert [negated.entity1 for negated in alignment.negated] == ["a#3"]
    assert "several concepts together are left out: 1" in alignment.notes.mended[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([mapping("", "b#1")]), "mapping 1 has no IRI in 'from' or 'to'"),
        (json.dumps([{"from": {"memberSet": []}}]), "mapping 1 has no IRI"),
        (json.dumps(MAPPINGS)[:-1], "not valid JSKOS"),
    ],
)
def test_bad_mappings_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AlignmentError, match=message):
        read_alignment(path)


def test_a_chosen_field_counts_where_another_one_is_called_like_its_role(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    fields = {"p": 0.9, "old": "a#x", "entity1": "left", "entity2": "b#x", "confidence": 0.3}
    path.write_text(json.dumps(fields))
    (c,) = read_alignment(path, columns={"subject": "old", "confidence": "p"})
    assert (c.pair, c.confidence) == (("a#x", "b#x"), 0.9)
    assert dict(c.extra) == {"entity1": "left", "confidence": "0.3"}


def test_a_relation_that_is_null_or_left_out_is_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    pairs = [{"entity1": f"a#{k}", "entity2": f"b#{k}"} for k in range(3)]
    fields = [pairs[0], pairs[1] | {"relation": None}, pairs[2] | {"relation": "<"}]
    path.write_text("\n".join(map(json.dumps, fields)))
    assert [c.relation for c in read_alignment(path)] == ["?", "?", "<"]
    path.write_text("\n".join(map(json.dumps, fields[:2])))
    assert [c.relation for c in read_alignment(path)] == ["=", "="]


@pytest.mark.parametrize("entity", [["a#x"], {"iri": "a#x"}])
def test_an_entity_that_is_no_text_is_refused(tmp_path: Path, entity: object) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"entity1": entity, "entity2": "b#x"}))
    with pytest.raises(AlignmentError, match="line 1: entity1 of this cell is missing"):
        read_alignment(path)
