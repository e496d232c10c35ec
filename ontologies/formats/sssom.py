"""Reading SSSOM/TSV, the Simple Standard for Sharing Ontological Mappings.

Definition: Nicolas Matentzoglu et al., "A Simple Standard for Sharing Ontological Mappings",
Database 2022 (baac035), and https://mapping-commons.github.io/sssom.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from ontologies.alignment import Alignment
from ontologies.common.inputs import text_of
from ontologies.errors import AlignmentError
from ontologies.vocabulary import EXTENSION

from .cells import Cells
from .curies import BUILT_IN, UnknownPrefix, expand
from .sssom_terms import EXTENSIONS, NO_TERM, OWN_ID, PREDICATES, SLOT, UNLICENSED, justification
from .table import data_lines, delimiter

_IDS = ("subject_id", "predicate_id", "object_id")
#: Columns that a row may leave empty, but not leave out.
_NEEDED = {*_IDS, "mapping_justification"}
# the first that a row fills is its confidence
_CONFIDENCES = ("stated_confidence", "confidence", "similarity_score")
_UNDERSTOOD = {*_IDS, *_CONFIDENCES, *EXTENSIONS, "predicate_modifier", "mapping_justification"}


def parse_sssom(
    data: bytes, path: str | os.PathLike[str], *, name: str | None = None, sha256: str = ""
) -> Alignment:
    """Return the alignment that an SSSOM table holds.

    CURIEs are expanded by the header's curie_map. ``predicate_modifier`` Not makes exactMatch
    ``%``. Rows about sssom:NoTermFound are counted, not read: they state that there is no mapping.

    Raises
    ------
    AlignmentError
        If the header is not YAML, a needed column is missing, or a row makes no sense.
    """
    text = text_of(data, path, AlignmentError)
    lines, first = data_lines(text)
    header = _header(text.split("\n")[: first - 1], path)
    prefixes = BUILT_IN | _mapping(header.pop("curie_map", {}), "curie_map", path)
    rows = csv.DictReader(lines, delimiter=delimiter(lines[0]))
    missing = set(_IDS) - set(rows.fieldnames or ())
    if missing:
        raise AlignmentError(f"{path}, line {first}: the column {min(missing)} is missing")
    cells = Cells(path)
    foreign: Counter[str] = Counter()
    named = _extensions(header, prefixes)
    found: list[tuple[int, dict[str, str], dict[str, str]]] = []
    for row in rows:
        line = first - 1 + rows.line_num
        if None in row:
            raise cells.error(line, f"more fields than the {len(rows.fieldnames or ())} columns")
        short = [key for key, value in row.items() if value is None]
        # empty fields at a row's end may be left out, but hardly in a last line that does not end
        broken_off = line == first - 1 + len(lines) and not text.endswith("\n")
        if short and (broken_off or not _NEEDED.isdisjoint(short)):
            raise cells.error(line, f"the row ends before {short[0]}: the file is truncated")
        fields = {key: value.strip() for key, value in row.items() if value and value.strip()}
        try:
            ids = {slot: expand(fields.get(slot, ""), prefixes) for slot in _IDS}
        except UnknownPrefix as unknown:
            raise cells.error(line, str(unknown)) from None
        if NO_TERM in ids.values():
            foreign["sssom:NoTermFound"] += 1
            continue
        found.append((line, fields, ids))
        foreign.update(fields.keys() - _UNDERSTOOD)
    justifications = {fields.get("mapping_justification", "") for _, fields, _ in found}
    for line, fields, ids in found:
        cells.add(
            ids["subject_id"],
            ids["object_id"],
            _stated_relation(fields, ids["predicate_id"]),
            next((fields[slot] for slot in _CONFIDENCES if slot in fields), None),
            line=line,
            extra=_extra(fields, named, one_reason=len(justifications) == 1),
        )
    metadata = _metadata(header, justifications)
    return cells.alignment(
        ontology1=_source(metadata.pop("subject_source", ""), prefixes),
        ontology2=_source(metadata.pop("object_source", ""), prefixes),
        name=name,
        sha256=sha256,
        metadata=metadata,
        foreign=foreign,
    )


def _extensions(header: Mapping[str, Any], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return what each extension column stands for, as the header defines it."""
    named = {}
    definitions = header.get("extension_definitions", [])
    for one in definitions if isinstance(definitions, list) else []:
        if isinstance(one, dict) and one.get("slot_name") and one.get("property"):
            iri = _source(str(one["property"]), prefixes)
            own = iri.removeprefix(f"{EXTENSION}#")
            named[str(one["slot_name"])] = iri if own == iri else unquote(own)
    return named


def _extra(
    fields: Mapping[str, str], named: Mapping[str, str], *, one_reason: bool
) -> list[tuple[str, str]]:
    """Return what a row says beyond what a correspondence holds."""
    kept = fields.keys() - _UNDERSTOOD
    if not one_reason:
        kept |= fields.keys() & {"mapping_justification"}
    if fields.get("confidence") != fields.get("similarity_score", fields.get("confidence")):
        kept |= fields.keys() & {"similarity_score"} if "confidence" in fields else set()
    return [(named.get(column, f"{SLOT}{column}"), fields[column]) for column in kept]


def _source(text: str, prefixes: Mapping[str, str]) -> str:
    """Return an ontology's IRI; a source is often a free word, and its prefix nobody's."""
    try:
        return expand(text, prefixes)
    except UnknownPrefix:
        return text


def _header(lines: Iterable[str], path: str | os.PathLike[str]) -> dict[str, Any]:
    import yaml

    # the mark is "#", with or without a blank after it throughout
    marked = [line.rstrip("\r")[1:] for line in lines if line.startswith("#")]
    if all(line.startswith(" ") for line in marked if line.strip()):
        marked = [line[1:] for line in marked]
    try:
        # texts stay texts: no dates, no numbers
        header = yaml.load("\n".join(marked), Loader=yaml.BaseLoader)
    except yaml.YAMLError as reason:
        cause = getattr(reason, "problem", None) or "it breaks off"
        raise AlignmentError(f"{path}: the header is not YAML: {cause}") from None
    return _mapping(header or {}, "header", path)


def _mapping(value: Any, what: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise AlignmentError(f"{path}: the {what} is not a list of keys with values")
    return value


def _stated_relation(fields: Mapping[str, str], predicate: str) -> str:
    if "alignment_relation" in fields:
        return fields["alignment_relation"]
    if "predicate_modifier" not in fields:
        return predicate
    return "%" if predicate == PREDICATES["%"] else f"not {predicate}"


def _metadata(header: Mapping[str, Any], justifications: set[str]) -> dict[str, str]:
    """Return the header's facts but those that `sssom` makes up anew."""
    metadata = {
        key: "|".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in header.items()
        if key not in ("sssom_version", "extension_definitions", "other")
    }
    for pair in filter(None, str(header.get("other", "")).split("|")):
        key, _, value = pair.partition("=")
        metadata[unquote(key)] = unquote(value)
    if metadata.get("mapping_set_id", "").startswith(OWN_ID):
        del metadata["mapping_set_id"]
    if metadata.get("license") == UNLICENSED:
        del metadata["license"]
    measure = metadata.get("similarity_measure", "")
    if measure and metadata.get("metric") == measure:
        del metadata["similarity_measure"]
    if len(justifications) == 1 and justifications != {justification(measure)}:
        metadata["mapping_justification"] = justifications.pop()
    return metadata
