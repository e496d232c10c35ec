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
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from ..alignment import Alignment, Correspondence
from ..vocabulary import XSD
from .curies import Prefixes
from .sssom_terms import (
    ANY_RELATION,
    EXTENSIONS,
    MULTIVALUED,
    OWN_ID,
    PREDICATES,
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
    rows = [_row(c, measure, reason, prefixes) for c in alignment]
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
    out = io.StringIO()
    for key, value in _header_slots(alignment, measure, columns, prefixes).items():
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


def _row(c: Correspondence, measure: str, reason: str, prefixes: Prefixes) -> dict[str, str]:
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
    return row


def _header_slots(
    alignment: Alignment, measure: str, columns: Iterable[str], prefixes: Prefixes
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
    extensions = [column for column in columns if column in EXTENSIONS]
    if extensions:
        slots["extension_definitions"] = [
            {"slot_name": column, "property": EXTENSIONS[column], "type_hint": f"{XSD}string"}
            for column in extensions
        ]
    return {"curie_map": prefixes.used(), **slots}
