"""Alignments as JSON: one object per correspondence (also read as one list), and JSKOS.

Where there are ontologies or metadata to name (or no correspondence at all), an object
``{"alignment": {"ontology1": ..., "ontology2": ..., "metadata": {...}}}`` comes first.

JSKOS, the JSON form of SKOS that Cocoda and its like write, is only read. Definition:
https://gbv.github.io/jskos, "Concept Mapping".
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from alignrank.common.errors import ITEMS_ARE_READ_BY, AlignmentError, Argument
from alignrank.common.files import JsonObject, json_objects, parse_json, text_of
from alignrank.common.names import first_of, grouped
from alignrank.ontologies.alignment import Alignment, Correspondence

from .cells import Cells
from .columns import LABELS, columns_by_role, confidence_column, label_questions
from .delimited import Facts, facts_of, read_facts

_KNOWN = {
    "entity1",
    "entity2",
    "relation",
    "confidence",
    "stated_relation",
    "stated_confidence",
    "extra",
}


def is_json(text: str) -> bool:
    """Return whether a file's text begins as JSON does."""
    return text.lstrip().startswith(("{", "["))


def parse_json_lines(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment that a file of JSON objects holds, one per line or all in a list.

    Raises
    ------
    AlignmentError
        If a line is not a JSON object with entity1 and entity2, or a field makes no sense.
    """
    facts = Facts()
    objects: list[tuple[int, JsonObject]] = []
    foreign: Counter[str] = Counter()
    text = text_of(data, cells.path, AlignmentError)
    # one in a line (not splitlines: JSON may hold U+2028 and its like), or those of a list
    parts: Iterable[tuple[int, str]] = enumerate(text.split("\n"), 1)
    if text.lstrip().startswith("["):
        parts = listed_values(text, text.index("[") + 1)
    for line, fields in json_objects(parts, cells.path, AlignmentError):
        if "alignment" in fields and "entity1" not in fields:
            facts = read_facts(fields["alignment"], f"{cells.path}, line {line}")
            continue
        objects.append((line, fields))
    objects = _with_own_names(objects, cells)
    confidence = _confidence([fields for _, fields in objects], cells)
    own_keys = _KNOWN | {confidence}
    for line, fields in objects:
        cells.add(
            _entity(fields, "entity1"),
            _entity(fields, "entity2"),
            _text(fields, "stated_relation", "relation") or "",  # as an empty cell of a table
            _text(fields, "stated_confidence", confidence),
            line=line,
            extra=_extra(fields, own_keys),
        )
        foreign.update(fields.keys() - own_keys - LABELS.keys())
    return cells.alignment(foreign=foreign, **facts._asdict())


def _with_own_names(
    objects: list[tuple[int, JsonObject]], cells: Cells
) -> list[tuple[int, JsonObject]]:
    """Return the objects with the names of `Correspondence` for the fields in each role."""
    titles = list(dict.fromkeys(key for _, fields in objects for key in fields))
    try:
        columns = columns_by_role(titles, cells.columns)
    except ValueError as reason:
        raise AlignmentError(f"{cells.path}: {reason}") from None
    if titles and "entity1" not in columns:
        fields = f"no field holds entity1 (they are {first_of(titles, 4)})"
        raise AlignmentError(
            f"{cells.path}: {fields}: {ITEMS_ARE_READ_BY}; of another alignment choose the fields "
            f"by their roles ({Argument('columns')})"
        )
    roles = {title: role for role, title in columns.items()}
    shadowed = {title for title in titles if title in columns and title not in roles}
    return [
        (line, {roles.get(key, key): value for key, value in fields.items()})
        for line, fields in (_aside(objects, shadowed) if shadowed else objects)
    ]


def _aside(
    objects: Iterable[tuple[int, JsonObject]], shadowed: set[str]
) -> Iterator[tuple[int, JsonObject]]:
    """Yield the objects with fields that are called like a role as further facts.

    Another field was chosen for that role.
    """
    for line, fields in objects:
        own = fields.get("extra")
        extra = {key: fields[key] for key in fields.keys() & shadowed}
        others = {key: value for key, value in fields.items() if key not in shadowed}
        yield line, {**others, "extra": extra | (own if isinstance(own, dict) else {})}


def _confidence(objects: list[JsonObject], cells: Cells) -> str:
    """Return the field that holds the confidences.

    Raises
    ------
    AlignmentError
        If there is none, and another field seems to hold labels.
    """
    texts_by_field = grouped(
        (key, str(fields[key]))
        for fields in objects
        for key in fields.keys() - (_KNOWN - {"confidence"})
        if fields[key] is not None
    )
    field = confidence_column(texts_by_field)
    if field is not None:
        cells.look_for_labels(texts_by_field.pop(field))
    for question in label_questions(texts_by_field):
        if field is None:
            raise AlignmentError(f"{cells.path}: {question}; else add a field confidence")
        cells.mend(0, question)
    return field or "confidence"


def listed_values(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each value of a JSON list whose first one begins at `start`.

    What is no value, also after the list, is yielded as well: it is refused where it is read.
    """
    line = 1
    end = 0
    start = _next(text, start)
    while start < len(text) and text[start] != "]":
        line += text.count("\n", end, start)
        try:
            _, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            end = len(text)
        yield line, text[start:end]
        line += text.count("\n", start, end)
        start = _next(text, end)
    if (tail := text[start:]).strip() != "]":
        yield line, tail or "["


def _next(text: str, start: int) -> int:
    """Return where the next value of a list begins."""
    match = re.compile(r"[^\s,]").search(text, start)
    if match:
        return match.start()
    return len(text)


def _entity(fields: Mapping[str, object], key: str) -> str:
    """Return an entity; null is stated to be none, and what is left out or no text is missing."""
    value = fields.get(key, "")
    if value is None:
        return "null"
    if isinstance(value, list | dict):
        return ""
    return str(value)


def _text(fields: Mapping[str, object], *keys: str) -> str | None:
    value = next((fields[key] for key in keys if fields.get(key) is not None), None)
    if value is None:
        return None
    return str(value)


def _extra(fields: Mapping[str, object], own_keys: set[str]) -> list[tuple[str, str]]:
    """Return the further facts of a line: its object ``extra``, and every unknown field."""
    own = fields.get("extra")
    foreign = {key: value for key, value in fields.items() if key not in own_keys}
    facts = {**foreign, **(own if isinstance(own, dict) else {})}
    return [
        (
            LABELS.get(key, key),
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False),
        )
        for key, value in facts.items()
        if value not in (None, "")
    ]


def json_lines(alignment: Alignment) -> str:
    """Return `alignment` as JSON objects, one per line."""
    facts = facts_of(alignment)
    head = [_json({"alignment": facts})] if facts or not alignment else []
    return "".join([*head, *(_line(c, alignment.has_confidences) for c in alignment)])


def _line(c: Correspondence, has_confidence: bool) -> str:
    fields: JsonObject = {
        "entity1": c.entity1,
        "entity2": c.entity2,
        "relation": c.relation,
    }
    if has_confidence:
        fields["confidence"] = float(c.confidence)
    if c.stated_relation is not None:
        fields["stated_relation"] = c.stated_relation
    if c.stated_confidence is not None:
        fields["stated_confidence"] = c.stated_confidence
    extra = dict(c.extra)
    fields |= {title: extra.pop(key) for title, key in LABELS.items() if key in extra}
    if extra:
        fields["extra"] = extra
    return _json(fields)


def _json(fields: Mapping[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


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


def _mappings(text: str, cells: Cells) -> Iterator[JsonObject]:
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


def _members(mapping: JsonObject, side: str) -> list[str] | None:
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
