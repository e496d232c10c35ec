"""SSSOM/TSV, the Simple Standard for Sharing Ontological Mappings.

Definition: Nicolas Matentzoglu et al., "A Simple Standard for Sharing Ontological Mappings",
Database 2022 (baac035), and https://mapping-commons.github.io/sssom.
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
from urllib.parse import quote, unquote

from alignrank.common.errors import AlignmentError
from alignrank.common.files import refuse_halves, text_of
from alignrank.ontologies.alignment import Alignment, Correspondence, NegatedCorrespondence
from alignrank.ontologies.ontology import local_name
from alignrank.ontologies.vocabulary import ALIGNMENT, EXTENSION, OWL, RDF, RDFS, SKOS, XSD

from .cells import MODIFIER, Cells
from .delimited import column_names, data_lines, delimiter

#: Extension columns, and the property that each stands for.
EXTENSIONS = {
    "alignment_relation": f"{ALIGNMENT}#relation",
    "stated_confidence": f"{EXTENSION}#statedConfidence",
}
#: Namespace of SSSOM's slots: of every column that no extension definition explains.
SLOT = "https://w3id.org/sssom/"
#: What a column is called that holds what is said of a correspondence beyond SSSOM's own slots.
EXTRA = "ext_"
OWN_ID = "urn:alignrank:sha256:"

#: Slots of a mapping set that metadata of the same name fills; of some, several values by ``|``.
SLOTS = """cardinality_scope comment creator_id creator_label curation_rule curation_rule_text
    issue_tracker license mapping_date mapping_provider mapping_set_confidence
    mapping_set_description mapping_set_id mapping_set_source mapping_set_title mapping_set_version
    mapping_tool mapping_tool_id mapping_tool_version object_match_field object_preprocessing
    object_source_version object_type publication_date see_also similarity_measure
    subject_match_field subject_preprocessing subject_source_version subject_type""".split()  # noqa: SIM905
MULTIVALUED = """creator_id creator_label curation_rule curation_rule_text mapping_set_source
    object_match_field object_preprocessing see_also subject_match_field
    subject_preprocessing""".split()  # noqa: SIM905
_IDS = ("subject_id", "predicate_id", "object_id")
#: Columns that a row may leave empty, but not leave out.
_NEEDED = {*_IDS, "mapping_justification"}
# the first that a row fills is its confidence
_CONFIDENCES = ("stated_confidence", "confidence", "similarity_score")
_UNDERSTOOD = {*_IDS, *_CONFIDENCES, *EXTENSIONS, MODIFIER, "mapping_justification"}


#: A row's line, its filled fields and its three IRIs.
_Row = tuple[int, dict[str, str], dict[str, str]]


def is_mapping_set(text: str) -> bool:
    """Return whether a file's text is a table with the columns of SSSOM."""
    names = column_names(text)
    return "subject_id" in {name.strip(' "\r\n') for name in names.split(delimiter(names))}


def parse_sssom(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment that an SSSOM table holds.

    CURIEs are expanded by the header's curie_map. Rows with the ``predicate_modifier`` Not are
    negated correspondences, whatever their predicate. Rows about sssom:NoTermFound are counted, not
    read: they state that there is no mapping.

    Raises
    ------
    AlignmentError
        If the header is not YAML, a needed column is missing, a row makes no sense, or a row
        negates what another states.
    """
    path = cells.path
    text = text_of(data, path, AlignmentError)
    lines, first = data_lines(text)
    header = _header(text.split("\n")[: first - 1], path)
    curie_map = _mapping(header.pop("curie_map", {}), "curie_map", path)
    prefixes = BUILT_IN | {prefix: str(namespace) for prefix, namespace in curie_map.items()}
    rows = csv.DictReader(lines, delimiter=delimiter(lines[0]))
    rows.fieldnames = [_column(title) for title in rows.fieldnames or ()]
    missing = set(_IDS) - set(rows.fieldnames)
    if missing:
        raise cells.error(first, f"the column {min(missing)} is missing")
    foreign: Counter[str] = Counter()
    extensions = _extensions(header, prefixes)
    stated: list[_Row] = []
    negated: list[_Row] = []
    for row in rows:
        line = first - 1 + rows.line_num
        if None in row:
            raise cells.error(line, f"more fields than the {len(rows.fieldnames)} columns")
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
        rows_alike = negated if _is_negated(fields, line, cells) else stated
        rows_alike.append((line, fields, ids))
        foreign.update(fields.keys() - _UNDERSTOOD)
    justifications = {fields.get("mapping_justification", "") for _, fields, _ in stated}
    for line, fields, ids in stated:
        cells.add(
            ids["subject_id"],
            ids["object_id"],
            fields.get("alignment_relation", ids["predicate_id"]),
            _confidence(fields),
            line=line,
            extra=_extra(fields, extensions, one_reason=len(justifications) == 1),
        )
    if negated:
        _add_negated(negated, stated, cells, extensions)
    metadata = _metadata(header, justifications)
    return cells.alignment(
        ontology1=_source(metadata.pop("subject_source", ""), prefixes),
        ontology2=_source(metadata.pop("object_source", ""), prefixes),
        metadata=metadata,
        foreign=foreign,
    )


def _column(title: str) -> str:
    """Return a column's name; a slot that means something here in its own spelling."""
    name = title.strip()
    return name.lower() if name.lower() in _UNDERSTOOD else name


def _confidence(fields: Mapping[str, str]) -> str | None:
    return next((fields[slot] for slot in _CONFIDENCES if slot in fields), None)


def _is_negated(fields: Mapping[str, str], line: int, cells: Cells) -> bool:
    """Return whether a row says that its predicate does not hold."""
    modifier = fields.get(MODIFIER, "")
    if modifier.lower() not in ("", "not"):
        raise cells.error(line, f"{MODIFIER} is {modifier!r}: write Not, or leave it empty")
    if modifier and "predicate_id" not in fields:
        raise cells.error(line, f"{MODIFIER} is Not, but predicate_id is empty: what is negated?")
    return bool(modifier)


def _add_negated(
    negated: Iterable[_Row], stated: Iterable[_Row], cells: Cells, extensions: Mapping[str, str]
) -> None:
    """Add the rows that negate a predicate, with all that they say.

    Raises
    ------
    AlignmentError
        If another row states the same predicate of the same entities.
    """
    line_of = {tuple(ids.values()): line for line, _, ids in stated}
    for line, fields, ids in negated:
        if stated_line := line_of.get(tuple(ids.values())):
            text = " ".join(fields[slot] for slot in _IDS)
            raise cells.error(
                line, f"{text} is negated, but line {stated_line} states it: remove one of the two"
            )
        texts = {
            extensions.get(column, f"{SLOT}{column}"): text
            for column, text in fields.items()
            if column not in {*_IDS, MODIFIER}
        }
        cells.negate(
            ids["subject_id"],
            ids["object_id"],
            ids["predicate_id"],
            line=line,
            extra=texts,
            confidence=_confidence(fields),
        )


def _extensions(header: Mapping[str, object], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return what each extension column stands for, as the header defines it."""
    keys = {}
    definitions = header.get("extension_definitions", [])
    for definition in definitions if isinstance(definitions, list) else []:
        if (
            isinstance(definition, dict)
            and definition.get("slot_name")
            and definition.get("property")
        ):
            iri = _source(str(definition["property"]), prefixes)
            own = iri.removeprefix(f"{EXTENSION}#")
            keys[str(definition["slot_name"])] = iri if own == iri else unquote(own)
    return keys


def _extra(
    fields: Mapping[str, str], extensions: Mapping[str, str], *, one_reason: bool
) -> list[tuple[str, str]]:
    """Return what a row says beyond what a correspondence holds."""
    columns = fields.keys() - _UNDERSTOOD
    if not one_reason:
        columns |= fields.keys() & {"mapping_justification"}
    if fields.get("confidence") != fields.get("similarity_score", fields.get("confidence")):
        columns |= fields.keys() & {"similarity_score"} if "confidence" in fields else set()
    return [(extensions.get(column, f"{SLOT}{column}"), fields[column]) for column in columns]


def _source(text: str, prefixes: Mapping[str, str]) -> str:
    """Return an ontology's IRI; a source is often a free word, and its prefix nobody's."""
    try:
        return expand(text, prefixes)
    except UnknownPrefix:
        return text


def _header(lines: Iterable[str], path: str | os.PathLike[str]) -> dict[str, object]:
    import yaml  # none of the other formats needs it

    # the mark is "#", with or without a blank after it throughout
    marked = [line.rstrip("\r")[1:] for line in lines if line.startswith("#")]
    if all(line.startswith(" ") for line in marked if line.strip()):
        marked = [line[1:] for line in marked]
    try:
        # parts that stand for others may stand for more than any memory holds
        for event in yaml.parse("\n".join(marked), Loader=yaml.BaseLoader):
            if isinstance(event, yaml.AliasEvent):
                raise yaml.YAMLError
        # texts stay texts: no dates, no numbers
        header = yaml.load("\n".join(marked), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as reason:
        cause = getattr(reason, "problem", None) or "it breaks off, or nests or repeats parts"
        raise AlignmentError(f"{path}: the header is not YAML: {cause}") from None
    try:
        refuse_halves("\n".join(marked), header)
    except ValueError as reason:
        raise AlignmentError(f"{path}: the header: {reason}") from None
    return _mapping(header or {}, "header", path)


def _mapping(value: object, slot: str, path: str | os.PathLike[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise AlignmentError(f"{path}: the {slot} is not a list of keys with values")
    return value


def _metadata(header: Mapping[str, object], justifications: set[str]) -> dict[str, str]:
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


PREDICATES = {
    "=": f"{SKOS}exactMatch",
    "<": f"{SKOS}broadMatch",
    ">": f"{SKOS}narrowMatch",
    "%": f"{OWL}disjointWith",
    "InstanceOf": f"{RDF}type",
}
ANY_RELATION = f"{SKOS}mappingRelation"
NO_TERM = "https://w3id.org/sssom/NoTermFound"
UNLICENSED = "https://w3id.org/sssom/license/unspecified"


def justification(measure: str) -> str:
    """Return why a mapping of this similarity measure is thought right.

    Examples
    --------
    >>> justification("jaro"), justification("equality"), justification("")[7:]
    ('semapv:LexicalSimilarityThresholdMatching', 'semapv:LexicalMatching', 'UnspecifiedMatching')
    """
    if not measure:
        return "semapv:UnspecifiedMatching"
    if measure == "equality":
        return "semapv:LexicalMatching"
    return "semapv:LexicalSimilarityThresholdMatching"


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
    has_confidences = alignment.has_confidences
    rows = [_row(c, measure, reason, prefixes, extras, has_confidences) for c in alignment]
    rows += [_negated_row(n, reason, prefixes, extras) for n in alignment.negated]
    columns = [
        column
        for column in (
            "subject_id",
            "predicate_id",
            MODIFIER,
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


_ALWAYS = {"subject_id", "predicate_id", "object_id", "mapping_justification"}


def needs_extension(c: Correspondence) -> bool:
    """Return whether SSSOM has no predicate for the relation of a correspondence."""
    return c.relation not in PREDICATES and not _IRI.match(c.stated_relation or "")


def _extra_columns(alignment: Alignment) -> dict[str, str]:
    """Return the column of everything that is said beyond SSSOM's words, by its name."""
    columns: dict[str, str] = {}
    for key in sorted({key for c in (*alignment, *alignment.negated) for key, _ in c.extra}):
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
    c: Correspondence,
    measure: str,
    reason: str,
    prefixes: Prefixes,
    extras: Mapping[str, str],
    has_confidence: bool,
) -> dict[str, str]:
    stated = c.relation if c.stated_relation is None else c.stated_relation
    predicate = PREDICATES.get(c.relation, ANY_RELATION if needs_extension(c) else stated)
    row = {
        "subject_id": prefixes.curie(c.entity1),
        "predicate_id": prefixes.curie(predicate),
        "object_id": prefixes.curie(c.entity2),
        "mapping_justification": reason,
    }
    if has_confidence:
        row["confidence"] = repr(float(c.confidence))
    if measure and has_confidence:
        row["similarity_score"] = row["confidence"]
    if needs_extension(c):
        row["alignment_relation"] = stated
    if c.stated_confidence is not None:
        row["stated_confidence"] = repr(c.stated_confidence)
    return row | {extras[key]: text for key, text in c.extra}


def _negated_row(
    n: NegatedCorrespondence, reason: str, prefixes: Prefixes, extras: Mapping[str, str]
) -> dict[str, str]:
    row = {
        "subject_id": prefixes.curie(n.entity1),
        "predicate_id": prefixes.curie(n.predicate),
        MODIFIER: "Not",
        "object_id": prefixes.curie(n.entity2),
        "mapping_justification": reason,
    }
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
    pairs = []
    for key, value in sorted(alignment.metadata.items()):
        if key in SLOTS:
            slots[key] = value.split("|") if key in MULTIVALUED else value
        else:
            pairs.append(f"{quote(key, safe=' :/#.')}={quote(value, safe=' :/#.,()')}")
    if pairs:
        slots["other"] = "|".join(pairs)
    if defined:
        slots["extension_definitions"] = [
            {"slot_name": column, "property": iri, "type_hint": f"{XSD}string"}
            for column, iri in defined.items()
        ]
    return {"curie_map": prefixes.used(), **slots}


def cautions(alignment: Alignment) -> list[str]:
    """Return what SSSOM has no word for."""
    extended = sum(needs_extension(c) for c in alignment)
    if not extended:
        return []
    return [
        "relations without an SSSOM predicate are skos:mappingRelation, and kept in the "
        f"extension column alignment_relation: {extended}"
    ]


BUILT_IN = {
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
}
_CURIE = re.compile(r"([A-Za-z_][\w.-]*):(?!//)(.*)\Z", re.S)
_IRI_SCHEMES = {"http", "https", "urn", "file", "ftp", "mailto", "tag", "info", "doi"}
_NO_PREFIX = {"owl", "rdf", "www", "com", "org", "net", "ontology"}


class UnknownPrefix(ValueError):  # noqa: N818  # named by what is wrong
    """A CURIE whose prefix nobody declared."""


def expand(text: str, prefixes: Mapping[str, str]) -> str:
    """Return the IRI of a CURIE; what is no CURIE is returned as it is.

    Raises
    ------
    UnknownPrefix
        If the prefix is in none of `prefixes`, and is no scheme of IRIs either.

    Examples
    --------
    >>> expand("skos:exactMatch", BUILT_IN), expand("urn:x:y", BUILT_IN)
    ('http://www.w3.org/2004/02/skos/core#exactMatch', 'urn:x:y')
    """
    curie = _CURIE.match(text)
    if curie is None:
        return text
    prefix, local = curie.groups()
    if prefix in prefixes:
        return prefixes[prefix] + local
    if prefix.lower() not in _IRI_SCHEMES:
        raise UnknownPrefix(f"the prefix {prefix!r} of {text} is not in the curie_map: add it")
    return text


class Prefixes:
    """CURIEs for IRIs: a namespace's prefix is its last word, numbered where it is taken.

    Examples
    --------
    >>> prefixes = Prefixes()
    >>> prefixes.curie("http://mouse.owl#MA_1"), prefixes.curie("http://e.org/mouse/1")
    ('mouse:MA_1', 'mouse2:1')
    """

    def __init__(self) -> None:
        self._by_namespace = {namespace: prefix for prefix, namespace in BUILT_IN.items()}

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
        prefixes = set(self._by_namespace.values()) | _IRI_SCHEMES
        candidate, number = words[-1], 1
        while candidate in prefixes:
            number += 1
            candidate = f"{words[-1]}{number}"
        return candidate

    def used(self) -> dict[str, str]:
        """Return namespace by prefix, sorted."""
        return {p: n for n, p in sorted(self._by_namespace.items(), key=lambda item: item[1])}
