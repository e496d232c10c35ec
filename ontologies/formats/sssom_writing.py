"""Alignments written as SSSOM/TSV."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Mapping
from urllib.parse import quote

from alignrank.common.errors import AlignmentError
from alignrank.ontologies.alignment import (
    CONFIDENCE_MEANING,
    MATCH_STRING,
    PREDICATE,
    Alignment,
    Correspondence,
    NegatedCorrespondence,
)
from alignrank.ontologies.ontology import local_name
from alignrank.ontologies.vocabulary import EXTENSION, SKOS, SSSOM, XSD

from .cells import MODIFIER, PREDICATES, understood_relation
from .columns import as_number
from .curies import Prefixes
from .sssom import BY_NAME, EXTENSIONS, MULTIVALUED, OWN_ID, SLOTS, UNLICENSED, justification, parts

#: Predicate of a relation that has none.
_ANY_RELATION = f"{SKOS}mappingRelation"
#: What a column is called that holds what is said of a correspondence beyond SSSOM's own slots.
_EXTRA = "ext_"
_IRI = re.compile(r"[^\s:]+://\S+\Z")


def sssom(alignment: Alignment) -> str:
    """Return `alignment` as SSSOM/TSV with its header.

    The justification is semapv:LexicalMatching where a name that both entities share is stated
    (``match_string``) or the metric is equality (as metadata ``metric`` or ``similarity_measure``
    names it), semapv:LexicalSimilarityThresholdMatching for another metric, what metadata
    ``mapping_justification`` says, and else semapv:UnspecifiedMatching. The similarity stands in
    ``similarity_score`` as well, unless metadata says that the confidence is a probability.
    """
    facts = alignment.metadata
    measure = facts.get("similarity_measure") or facts.get("metric", "")
    if facts.get(CONFIDENCE_MEANING) == "probability":
        measure = ""
    reason = facts.get("mapping_justification") or justification(measure)
    prefixes = declared_prefixes(alignment)
    extras = _extra_columns(alignment)
    has_confidences = alignment.has_confidences
    rows = [_row(c, measure, reason, prefixes, extras, has_confidences) for c in alignment]
    rows += [_negated_row(n, justification(measure), prefixes, extras) for n in alignment.negated]
    columns = [
        column
        for column in (
            "subject_id",
            "subject_label",
            "predicate_id",
            MODIFIER,
            "object_id",
            "object_label",
            "mapping_justification",
            "match_string",
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
        if column.startswith(_EXTRA)
    }
    out = io.StringIO()
    for key, value in _header_slots(alignment, measure, defined, prefixes).items():
        # JSON is YAML, and needs no thought about quoting
        out.write(f"#{key}: {json.dumps(value, ensure_ascii=False)}\n")
    writer = csv.DictWriter(out, columns, delimiter="\t", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def declared_prefixes(alignment: Alignment) -> Prefixes:
    """Return the prefixes that the file of an alignment has declared."""
    try:
        return Prefixes(json.loads(alignment.metadata.get("curie_map", "{}")))
    except (ValueError, TypeError):
        raise AlignmentError(
            f"alignment {alignment.name!r}: its metadata curie_map must be a JSON object of "
            "prefixes and namespaces"
        ) from None


_ALWAYS = {"subject_id", "predicate_id", "object_id", "mapping_justification"}


def needs_extension(c: Correspondence) -> bool:
    """Return whether SSSOM has no predicate for the relation of a correspondence."""
    is_stated = PREDICATE in dict(c.extra) or _IRI.match(c.stated_relation or "")
    return c.relation not in PREDICATES and not is_stated


def _extra_columns(alignment: Alignment) -> dict[str, str]:
    """Return the column of everything that is said beyond SSSOM's words, by its name."""
    columns: dict[str, str] = {}
    keys = {key for c in (*alignment, *alignment.negated) for key, _ in c.extra}
    for key in sorted(keys - {PREDICATE}):
        slot = key.removeprefix(SSSOM)
        if slot == key or not slot.isidentifier():
            stem = column = _EXTRA + re.sub(r"\W+", "_", local_name(key))
            number = 1
            while column in columns.values():
                number += 1
                column = f"{stem}_{number}"
            slot = column
        columns[key] = slot
    return columns


def _row(
    c: Correspondence,
    measure: str,
    reason: str,
    prefixes: Prefixes,
    extras: Mapping[str, str],
    has_confidence: bool,
) -> dict[str, str]:
    stated = c.relation if c.stated_relation is None else c.stated_relation
    extra = dict(c.extra)
    row = {
        "subject_id": prefixes.curie(c.entity1),
        "predicate_id": prefixes.curie(_predicate(c, extra.pop(PREDICATE, ""))),
        "object_id": prefixes.curie(c.entity2),
        "mapping_justification": BY_NAME if MATCH_STRING in extra else reason,
    }
    if has_confidence:
        row["confidence"] = repr(float(c.confidence))
    if measure and has_confidence:
        row["similarity_score"] = row["confidence"]
    if needs_extension(c):
        row["alignment_relation"] = stated
    if c.stated_confidence is not None:
        row["stated_confidence"] = repr(c.stated_confidence)
    return row | {extras[key]: text for key, text in extra.items()}


def _predicate(c: Correspondence, own: str) -> str:
    """Return the predicate of a correspondence: its own, where that states its relation."""
    if own and understood_relation(own) == c.relation:
        return own
    if c.relation in PREDICATES:
        return PREDICATES[c.relation]
    if needs_extension(c) or c.stated_relation is None:
        return _ANY_RELATION
    return c.stated_relation


def _negated_row(
    n: NegatedCorrespondence, reason: str, prefixes: Prefixes, extras: Mapping[str, str]
) -> dict[str, str]:
    row = {
        "subject_id": prefixes.curie(n.entity1),
        "predicate_id": prefixes.curie(n.predicate),
        "object_id": prefixes.curie(n.entity2),
        "mapping_justification": reason,
    }
    if not n.is_no_match:
        row[MODIFIER] = "Not"
    return row | {extras[key]: text for key, text in n.extra}


def _header_slots(
    alignment: Alignment, measure: str, defined: Mapping[str, str], prefixes: Prefixes
) -> dict[str, object]:
    all_keys = [*sorted(alignment.keys), *((*n.denied[0], "Not") for n in alignment.negated)]
    keys = "\n".join("\t".join(key) for key in all_keys)
    slots: dict[str, object] = {
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
    facts = dict(alignment.metadata)
    # the rows say it
    if alignment and facts.get("mapping_justification") != justification(measure):
        facts.pop("mapping_justification", None)
    pairs = []
    for key, value in sorted(facts.items()):
        if key in MULTIVALUED:
            slots[key] = parts(value)
        elif key == "mapping_set_confidence":
            slots[key] = as_number(value)
        elif key in SLOTS:
            slots[key] = value
        elif key != "curie_map":
            pairs.append(f"{quote(key, safe=' :/#.')}={quote(value, safe=' :/#.,()')}")
    if pairs:
        slots["other"] = "|".join(pairs)
    if defined:
        slots["extension_definitions"] = [
            {"slot_name": column, "property": iri, "type_hint": f"{XSD}string"}
            for column, iri in defined.items()
        ]
    by_namespace = sorted(prefixes.namespaces.items(), key=lambda item: item[1])
    return {"curie_map": dict(by_namespace), **slots}


def cautions_of_sssom(alignment: Alignment) -> list[str]:
    """Return what SSSOM has no word for."""
    extended = sum(needs_extension(c) for c in alignment)
    if not extended:
        return []
    return [
        "relations without an SSSOM predicate are skos:mappingRelation, and kept in the "
        f"extension column alignment_relation: {extended}"
    ]
