"""Mappings as JSKOS, the JSON form of SKOS that Cocoda and its like write; only read.

Definition: https://gbv.github.io/jskos, "Concept Mapping".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alignrank.common.errors import AlignmentError
from alignrank.common.files import parse_json, text_of
from alignrank.ontologies.alignment import Alignment

from .cells import Cells

_SIDES = ("from", "to")
_MEMBERS = ("memberSet", "memberList", "memberChoice")
_BUNDLE = re.compile(rf'"({"|".join(_MEMBERS)})"\s*:')


def is_jskos(text: str) -> bool:
    """Return whether a file's text is JSON with the sides of a mapping as JSKOS has them."""
    return text.lstrip().startswith(("{", "[")) and _BUNDLE.search(text) is not None


def parse_jskos(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment of the mappings that a concordance, a list or lines of JSKOS hold.

    ``mappingRelevance`` is the confidence; a side without a member states that there is no match.
    Mappings from or to several concepts together are left out, and counted.

    Raises
    ------
    AlignmentError
        If the file is not valid JSON, or a mapping lacks a side or its IRI.
    """
    combined = 0
    for number, mapping in enumerate(
        _mappings(text_of(data, cells.path, AlignmentError), cells), 1
    ):
        sides = [_members(mapping, side) for side in _SIDES]
        if None in sides:
            raise AlignmentError(f"{cells.path}: mapping {number} has no IRI in 'from' or 'to'")
        if max(map(len, filter(None, sides)), default=0) > 1:
            combined += 1
            continue
        entity1, entity2 = ((side or ["null"])[0] for side in sides)
        types = mapping.get("type") or ["?"]
        relevance = mapping.get("mappingRelevance")
        cells.add(
            entity1,
            entity2,
            str(types[0] if isinstance(types, list) else types),
            None if relevance is None else str(relevance),
            line=0,
        )
    if combined:
        cells.mend(0, f"mappings of several concepts together are left out: {combined}")
    return cells.alignment()


def _mappings(text: str, cells: Cells) -> Iterator[dict[str, object]]:
    """Yield the mappings of a document, or of lines with one each."""
    try:
        document = parse_json(text)
    except ValueError:
        try:
            document = [parse_json(line) for line in text.split("\n") if line.strip()]
        except ValueError as reason:
            raise AlignmentError(f"{cells.path}: not valid JSKOS ({reason})") from None
    if isinstance(document, dict):
        document = document.get("mappings", [document])
    for mapping in document if isinstance(document, list) else [document]:
        yield mapping if isinstance(mapping, dict) else {}


def _members(mapping: dict[str, object], side: str) -> list[str] | None:
    """Return the IRIs of a side of a mapping; None if it is missing, or one has no IRI."""
    bundle = mapping.get(side)
    if not isinstance(bundle, dict):
        return None
    members = next((bundle[key] for key in _MEMBERS if key in bundle), None)
    if not isinstance(members, list):
        return None
    iris = [member.get("uri") for member in members if isinstance(member, dict)]
    if len(iris) < len(members) or not all(isinstance(iri, str) and iri for iri in iris):
        return None
    return list(map(str, iris))
