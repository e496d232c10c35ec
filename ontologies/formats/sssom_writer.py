"""Writing SSSOM/TSV, the Simple Standard for Sharing Ontological Mappings.

SSSOM has no word for "not judged" (``?``) nor for a relation of somebody's own. Such rows have the
predicate skos:mappingRelation, "some relation", and say which one in an extension column.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from ..alignment import Alignment, Correspondence
from ..ontology import local_name
from ..vocabulary import EXTENSION, XSD
from .curies import Prefixes
from .sssom_terms import (
    ANY_RELATION,
    EXTENSIONS,
    EXTRA,
    MULTIVALUED,
    OWN_ID,
    PREDICATES,
    SLOT,
    SLOTS,
    UNLICENSED,
    justification,
)

_IRI = re.compile(r"[^\s:]+://\S+\Z")


def sssom(alignment: Alignment) -> str:
    """Return `alignment` as SSSOM/TSV with its header.

    The justification is semapv:LexicalMatching for the metric equality (as metadata ``metric`` or
    ``similarity_measure`` names it), semapv:LexicalSimilarityThresholdMatching for another metric,
    what metadata ``mapping_justification`` says, and else semapv:UnspecifiedMatching.
    """
    facts = alignment.metadata
    measure = facts.get("similarity_measure") or facts.get("metric", "")
    reason = facts.get("mapping_justification") or justification(measure)
    prefixes = Prefixes()
    extras = _extra_columns(alignment)
    rows = [_row(c, measure, reason, prefixes, extras) for c in alignment]
    columns = [
        column
        for column in (
            "subject_id",
            "predicate_id",
            "predicate_modifier",
            "object_id",
            "mapping_justification",
            "confidence",
            "similarity_score",
            *EXTENSIONS,
        )
        if column in _ALWAYS or any(column in row for row in rows)
    ]
    columns += sorted(set(extras.values()) - set(columns))
    defined = {c: p for c, p in EXTENSIONS.items() if c in columns} | {
        column: key if _IRI.match(key) else f"{EXTENSION}#{quote(key, safe='')}"
        for key, column in extras.items()
        if column.startswith(EXTRA)
    }
    out = io.StringIO()
    for key, value in _header_slots(alignment, measure, defined, prefixes).items():
        # JSON is YAML, and needs no thought about quoting
        out.write(f"#{key}: {json.dumps(value, ensure_ascii=False)}\n")
    writer = csv.DictWriter(out, columns, delimiter="\t", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


_ALWAYS = {"subject_id", "predicate_id", "object_id", "mapping_justification", "confidence"}


def needs_extension(c: Correspondence) -> bool:
    """Return whether SSSOM has no predicate for the relation of a correspondence."""
    return c.relation not in PREDICATES and not _IRI.match(c.stated_relation or "")


def _extra_columns(alignment: Alignment) -> dict[str, str]:
    """Return the column of everything that is said beyond SSSOM's words, by its name."""
    columns: dict[str, str] = {}
    for key in sorted({key for c in alignment for key, _ in c.extra}):
        slot = key.removeprefix(SLOT)
        if slot == key or not slot.isidentifier():
            stem = column = EXTRA + re.sub(r"\W+", "_", local_name(key))
            number = 1
            while column in columns.values():
                number += 1
                column = f"{stem}_{number}"
            slot = column
        columns[key] = slot
    return columns


def _row(
    c: Correspondence, measure: str, reason: str, prefixes: Prefixes, extras: Mapping[str, str]
) -> dict[str, str]:
    stated = c.relation if c.stated_relation is None else c.stated_relation
    predicate = PREDICATES.get(c.relation, ANY_RELATION if needs_extension(c) else stated)
    row = {
        "subject_id": prefixes.curie(c.entity1),
        "predicate_id": prefixes.curie(predicate),
        "object_id": prefixes.curie(c.entity2),
        "mapping_justification": reason,
        "confidence": repr(float(c.confidence)),
    }
    if c.relation == "%":
        row["predicate_modifier"] = "Not"
    if measure:
        row["similarity_score"] = row["confidence"]
    if needs_extension(c):
        row["alignment_relation"] = stated
    if c.stated_confidence is not None:
        row["stated_confidence"] = repr(c.stated_confidence)
    return row | {extras[key]: text for key, text in c.extra}


def _header_slots(
    alignment: Alignment, measure: str, defined: Mapping[str, str], prefixes: Prefixes
) -> dict[str, Any]:
    keys = "\n".join("\t".join(key) for key in sorted(alignment.keys))
    slots: dict[str, Any] = {
        "sssom_version": "1.1",
        "mapping_set_id": OWN_ID + hashlib.sha256(keys.encode()).hexdigest(),
        "license": UNLICENSED,
    }
    if measure:
        slots["similarity_measure"] = measure
    for slot, source in (
        ("subject_source", alignment.ontology1),
        ("object_source", alignment.ontology2),
    ):
        if source:
            slots[slot] = prefixes.curie(source)
    other = []
    for key, value in sorted(alignment.metadata.items()):
        if key in SLOTS:
            slots[key] = value.split("|") if key in MULTIVALUED else value
        else:
            other.append(f"{quote(key, safe=' :/#.')}={quote(value, safe=' :/#.,()')}")
    if other:
        slots["other"] = "|".join(other)
    if defined:
        slots["extension_definitions"] = [
            {"slot_name": column, "property": iri, "type_hint": f"{XSD}string"}
            for column, iri in defined.items()
        ]
    return {"curie_map": prefixes.used(), **slots}
