"""SSSOM/TSV, the Simple Standard for Sharing Ontological Mappings.

Definition: Nicolas Matentzoglu et al., "A Simple Standard for Sharing Ontological Mappings",
Database 2022 (baac035), and https://mapping-commons.github.io/sssom.

SSSOM has no word for "not judged" (``?``) nor for a relation of somebody's own. Such rows have the
predicate skos:mappingRelation, "some relation", and say which one in an extension column.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from ..alignment import Alignment, Correspondence
from ..errors import AlignmentError
from ..inputs import text_of
from ..vocabulary import ALIGNMENT, OWL, RDF, RDFS, SKOS, XSD
from .alignment_rdf import EXTENSION
from .cells import Cells
from .table import data_lines, delimiter

_BUILT_IN = {
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
}
_PREDICATES = {
    "=": f"{SKOS}exactMatch",
    "<": f"{SKOS}broadMatch",
    ">": f"{SKOS}narrowMatch",
    "%": f"{SKOS}exactMatch",  # with the modifier Not
    "InstanceOf": f"{RDF}type",
}
_ANY_RELATION = f"{SKOS}mappingRelation"
_NO_TERM = "https://w3id.org/sssom/NoTermFound"
_UNLICENSED = "https://w3id.org/sssom/license/unspecified"

#: Extension columns, and the property that each stands for.
_EXTENSIONS = {
    "alignment_relation": f"{ALIGNMENT}#relation",
    "stated_confidence": f"{EXTENSION}#statedConfidence",
}
_UNDERSTOOD = {
    "subject_id",
    "predicate_id",
    "predicate_modifier",
    "object_id",
    "confidence",
    "similarity_score",
    "mapping_justification",
    *_EXTENSIONS,
}
#: Slots of a mapping set that metadata of the same name fills; of some, several values by ``|``.
_SLOTS = """cardinality_scope comment creator_id creator_label curation_rule curation_rule_text
    issue_tracker license mapping_date mapping_provider mapping_set_confidence
    mapping_set_description mapping_set_id mapping_set_source mapping_set_title mapping_set_version
    mapping_tool mapping_tool_id mapping_tool_version object_match_field object_preprocessing
    object_source_version object_type publication_date see_also similarity_measure
    subject_match_field subject_preprocessing subject_source_version subject_type""".split()  # noqa: SIM905
_MULTIVALUED = """creator_id creator_label curation_rule curation_rule_text mapping_set_source
    object_match_field object_preprocessing see_also subject_match_field
    subject_preprocessing""".split()  # noqa: SIM905
_CURIE = re.compile(r"([A-Za-z_][\w.-]*):(?!//)(.*)\Z", re.S)
_IRI = re.compile(r"[^\s:]+://\S+\Z")
_IRI_SCHEMES = {"http", "https", "urn", "file", "ftp", "mailto", "tag", "info", "doi"}


# --- reading ---------------------------------------------------------------------------------


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
    prefixes = _BUILT_IN | _mapping(header.pop("curie_map", {}), "curie_map", path)
    rows = csv.DictReader(lines, delimiter=delimiter(lines[0]), restval="")
    missing = {"subject_id", "predicate_id", "object_id"} - set(rows.fieldnames or ())
    if missing:
        raise AlignmentError(f"{path}, line {first}: the column {min(missing)} is missing")
    cells = Cells(path)
    foreign: Counter[str] = Counter()
    justifications = set()
    for row in rows:
        line = first - 1 + rows.line_num
        if None in row:
            raise cells.error(line, f"more fields than the {len(rows.fieldnames or ())} columns")
        fields = {key: value.strip() for key, value in row.items() if value and value.strip()}
        ids = {
            slot: _expand(fields[slot], prefixes, cells, line)
            for slot in ("subject_id", "predicate_id", "object_id")
            if slot in fields
        }
        if _NO_TERM in ids.values():
            foreign["sssom:NoTermFound"] += 1
            continue
        cells.add(
            ids.get("subject_id", ""),
            ids.get("object_id", ""),
            _stated_relation(fields, ids.get("predicate_id", "")),
            next((fields[slot] for slot in _CONFIDENCES if slot in fields), None),
            line=line,
        )
        foreign.update(fields.keys() - _UNDERSTOOD)
        justifications.add(fields.get("mapping_justification", ""))
    metadata = _metadata(header, justifications)
    return cells.alignment(
        ontology1=_expand(metadata.pop("subject_source", ""), prefixes),
        ontology2=_expand(metadata.pop("object_source", ""), prefixes),
        name=name,
        sha256=sha256,
        metadata=metadata,
        foreign=foreign,
    )


_CONFIDENCES = ("stated_confidence", "confidence", "similarity_score")


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


def _expand(
    text: str, prefixes: Mapping[str, str], cells: Cells | None = None, line: int = 0
) -> str:
    curie = _CURIE.match(text)
    if curie is None:
        return text
    prefix, rest = curie.groups()
    if prefix in prefixes:
        return prefixes[prefix] + rest
    if cells is not None and prefix.lower() not in _IRI_SCHEMES:
        raise cells.error(line, f"the prefix {prefix!r} of {text} is not in the curie_map: add it")
    return text


def _stated_relation(fields: Mapping[str, str], predicate: str) -> str:
    if "alignment_relation" in fields:
        return fields["alignment_relation"]
    if "predicate_modifier" not in fields:
        return predicate
    return "%" if predicate == _PREDICATES["%"] else f"not {predicate}"


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
    if metadata.get("mapping_set_id", "").startswith(_OWN_ID):
        del metadata["mapping_set_id"]
    if metadata.get("license") == _UNLICENSED:
        del metadata["license"]
    measure = metadata.get("similarity_measure", "")
    if measure and metadata.get("metric") == measure:
        del metadata["similarity_measure"]
    if len(justifications) == 1 and justifications != {_justification(measure)}:
        metadata["mapping_justification"] = justifications.pop()
    return metadata


# --- writing ---------------------------------------------------------------------------------

_OWN_ID = "urn:alignrank:sha256:"


def sssom(alignment: Alignment) -> str:
    """Return `alignment` as SSSOM/TSV with its header.

    The justification is semapv:LexicalMatching for the metric equality (as metadata ``metric`` or
    ``similarity_measure`` names it), semapv:LexicalSimilarityThresholdMatching for another metric,
    what metadata ``mapping_justification`` says, and else semapv:UnspecifiedMatching.
    """
    facts = alignment.metadata
    measure = facts.get("similarity_measure") or facts.get("metric", "")
    justification = facts.get("mapping_justification") or _justification(measure)
    prefixes = _Prefixes()
    rows = [_row(c, measure, justification, prefixes) for c in alignment]
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
            *_EXTENSIONS,
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
    return c.relation not in _PREDICATES and not _IRI.match(c.stated_relation or "")


def _justification(measure: str) -> str:
    if not measure:
        return "semapv:UnspecifiedMatching"
    if measure == "equality":
        return "semapv:LexicalMatching"
    return "semapv:LexicalSimilarityThresholdMatching"


def _row(
    c: Correspondence, measure: str, justification: str, prefixes: _Prefixes
) -> dict[str, str]:
    stated = c.relation if c.stated_relation is None else c.stated_relation
    predicate = _PREDICATES.get(c.relation, _ANY_RELATION if needs_extension(c) else stated)
    row = {
        "subject_id": prefixes.curie(c.entity1),
        "predicate_id": prefixes.curie(predicate),
        "object_id": prefixes.curie(c.entity2),
        "mapping_justification": justification,
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
    alignment: Alignment, measure: str, columns: Iterable[str], prefixes: _Prefixes
) -> dict[str, Any]:
    keys = "\n".join("\t".join(key) for key in sorted(alignment.keys))
    slots: dict[str, Any] = {
        "sssom_version": "1.1",
        "mapping_set_id": _OWN_ID + hashlib.sha256(keys.encode()).hexdigest(),
        "license": _UNLICENSED,
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
        if key in _SLOTS:
            slots[key] = value.split("|") if key in _MULTIVALUED else value
        else:
            other.append(f"{quote(key, safe=' :/#.')}={quote(value, safe=' :/#.,()')}")
    if other:
        slots["other"] = "|".join(other)
    extensions = [column for column in columns if column in _EXTENSIONS]
    if extensions:
        slots["extension_definitions"] = [
            {"slot_name": column, "property": _EXTENSIONS[column], "type_hint": f"{XSD}string"}
            for column in extensions
        ]
    return {"curie_map": prefixes.used(), **slots}


class _Prefixes:
    """CURIEs for IRIs: a namespace's prefix is its last word, numbered where it is taken."""

    def __init__(self) -> None:
        self._by_namespace = {namespace: prefix for prefix, namespace in _BUILT_IN.items()}

    def curie(self, iri: str) -> str:
        """Return the CURIE of `iri`, or `iri` itself where it has no namespace."""
        cut = max(iri.rfind("#"), iri.rfind("/")) + 1
        namespace, name = iri[:cut], iri[cut:]
        if "://" not in namespace or namespace.endswith("://") or not name:
            return iri
        prefix = self._by_namespace.get(namespace)
        if prefix is None:
            prefix = self._by_namespace[namespace] = self._new(namespace)
        return f"{prefix}:{name}"

    def _new(self, namespace: str) -> str:
        words: list[str] = re.findall(r"[A-Za-z][\w-]*", namespace.partition("://")[2])
        words = [w for w in words if w.lower() not in _NO_PREFIX] or ["ns"]
        taken = set(self._by_namespace.values()) | _IRI_SCHEMES
        candidate, number = words[-1], 1
        while candidate in taken:
            number += 1
            candidate = f"{words[-1]}{number}"
        return candidate

    def used(self) -> dict[str, str]:
        """Return namespace by prefix, sorted."""
        return {p: n for n, p in sorted(self._by_namespace.items(), key=lambda item: item[1])}


_NO_PREFIX = {"owl", "rdf", "www", "com", "org", "net", "ontology"}
