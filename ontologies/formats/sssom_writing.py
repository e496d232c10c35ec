"""Alignments written as SSSOM/TSV."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, repeat
from typing import NamedTuple
from urllib.parse import quote

from alignrank.common.errors import AlignmentError
from alignrank.common.names import MutableTexts, Texts
from alignrank.ontologies.alignment import (
    CONFIDENCE_MEANING,
    MATCH_STRING,
    PREDICATE,
    PREDICATES,
    Alignment,
)
from alignrank.ontologies.ontology import local_name
from alignrank.ontologies.vocabulary import EXTENSION, SKOS, SSSOM, XSD, Prefixes

from .cells import MODIFIER, understood_relation
from .columns import as_number
from .delimited import delimited
from .sssom import BY_NAME, EXTENSIONS, MULTIVALUED, OWN_ID, SLOTS, UNLICENSED, justification, parts

#: Predicate of a relation that has none.
_ANY_RELATION = f"{SKOS}mappingRelation"
#: What a column is called that holds what is said of a correspondence beyond SSSOM's own slots.
_EXTRA = "ext_"
_IRI = re.compile(r"[^\s:]+://\S+\Z")
#: Characters that JSON texts may hold as they are, and YAML not, or as the end of a line.
_NO_YAML = [*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFFFE, 0xFFFF]
_ESCAPED = {number: f"\\u{number:04x}" for number in _NO_YAML}


def sssom(alignment: Alignment) -> str:
    """Return `alignment` as SSSOM/TSV with its header.

    The justification is semapv:LexicalMatching where a name that both entities share is stated
    (``match_string``) or the metric is equality (as metadata ``metric`` or ``similarity_measure``
    names it), semapv:LexicalSimilarityThresholdMatching for another metric, what metadata
    ``mapping_justification`` says, and else semapv:UnspecifiedMatching. The similarity stands in
    ``similarity_score`` as well, unless metadata says that the confidence is a probability.

    Raises
    ------
    AlignmentError
        If a predicate is stated of a pair and negated as well, which no reader of SSSOM takes.
    """
    _refuse_contradictions(alignment)
    facts = alignment.metadata
    measure = facts.get("similarity_measure") or facts.get("metric", "")
    if facts.get(CONFIDENCE_MEANING) == "probability":
        measure = ""
    reason = facts.get("mapping_justification") or justification(measure)
    prefixes = Prefixes.declared_by(alignment.name, alignment.metadata)
    extras = _extra_columns(alignment)
    texts = _columns(alignment, measure, reason, prefixes, extras)
    order = [
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
    ]
    titles = [title for title in order if title in texts]
    titles += sorted(texts.keys() - set(order))
    defined = {c: p for c, p in EXTENSIONS.items() if c in titles} | {
        column: key if _IRI.match(key) else f"{EXTENSION}#{quote(key, safe='')}"
        for key, column in extras.items()
        if column.startswith(_EXTRA)
    }
    # row by row: new prefixes are numbered in the order of the rows
    rows = zip(*(texts[title] for title in titles), strict=True)
    table = delimited(chain([titles], rows), "\t")
    slots = _header_slots(alignment, measure, defined, prefixes)
    return header_lines(slots) + table


def _refuse_contradictions(alignment: Alignment) -> None:
    """Raise `AlignmentError` if the alignment negates what it states."""
    if not alignment.negated:
        return
    columns, relations = alignment.columns, _stated_relations(alignment)
    predicates = (stated.predicate_id for stated in relations)
    triples = set(zip(columns.entity1, predicates, columns.entity2, strict=True))
    for n in alignment.negated:
        if (n.entity1, n.predicate, n.entity2) in triples:
            raise AlignmentError(
                f"{n.entity1} {n.predicate} {n.entity2} is stated, and negated as well: leave one "
                "of the two out"
            )


def header_lines(slots: Mapping[str, object]) -> str:
    """Return the head of an SSSOM table: each slot in YAML, behind a ``#``.

    What is written is JSON, which is YAML and needs no thought about quoting, but for some
    characters.

    Examples
    --------
    >>> print(header_lines({"license": "CC0", "creator_id": ["a:1"]}), end="")
    #license: "CC0"
    #creator_id: ["a:1"]
    """
    texts = {key: json.dumps(value, ensure_ascii=False) for key, value in slots.items()}
    return "".join(f"#{key}: {text.translate(_ESCAPED)}\n" for key, text in texts.items())


class _Stated(NamedTuple):
    """A correspondence's statement of its relation; `predicate` is '' where none is its own."""

    relation: str
    stated_relation: str | None
    predicate: str

    @property
    def needs_extension(self) -> bool:
        """Whether SSSOM has no predicate for the relation."""
        is_stated = self.predicate or _IRI.match(self.stated_relation or "")
        return self.relation not in PREDICATES and not is_stated

    @property
    def predicate_id(self) -> str:
        """The predicate to write: its own, where that states the relation."""
        if self.predicate and understood_relation(self.predicate) == self.relation:
            return self.predicate
        if self.relation in PREDICATES:
            return PREDICATES[self.relation]
        if self.needs_extension or self.stated_relation is None:
            return _ANY_RELATION
        return self.stated_relation


def _stated_relations(alignment: Alignment) -> list[_Stated]:
    """Return each correspondence's statement of its relation; equal statements are one object."""
    columns = alignment.columns
    predicates = [dict(extra).get(PREDICATE, "") if extra else "" for extra in columns.extra]
    keys = zip(columns.relation, columns.stated_relation, predicates, strict=True)
    distinct: dict[tuple[str, str | None, str], _Stated] = {}
    return [distinct.get(key) or distinct.setdefault(key, _Stated(*key)) for key in keys]


def _extra_columns(alignment: Alignment) -> MutableTexts:
    """Return the column of everything that is said beyond SSSOM's words, by its name."""
    columns: MutableTexts = {}
    extras = chain(alignment.columns.extra, (n.extra for n in alignment.negated))
    keys = {key for extra in extras for key, _ in extra}
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


def _columns(
    alignment: Alignment,
    measure: str,
    reason: str,
    prefixes: Prefixes,
    extras: Texts,
) -> dict[str, Iterable[str]]:
    """Return the columns of the file: the correspondences, and below them what is negated."""
    columns = alignment.columns
    negated = alignment.negated
    size = len(alignment)
    rest = len(negated)
    relations = _stated_relations(alignment)
    beyond = {title: [""] * (size + rest) for title in extras.values()}
    for row, facts in enumerate(chain(columns.extra, (n.extra for n in negated))):
        for key, text in facts:
            if key in extras:
                beyond[extras[key]][row] = text
    by_name = {row for row, facts in enumerate(columns.extra) if MATCH_STRING in dict(facts)}
    extended = {stated for stated in set(relations) if stated.needs_extension}

    @cache
    def predicate_id(stated: _Stated) -> str:
        return prefixes.curie(stated.predicate_id)

    texts: dict[str, Iterable[str]] = {
        "subject_id": map(prefixes.curie, chain(columns.entity1, (n.entity1 for n in negated))),
        "predicate_id": chain(
            map(predicate_id, relations), map(prefixes.curie, (n.predicate for n in negated))
        ),
        "object_id": map(prefixes.curie, chain(columns.entity2, (n.entity2 for n in negated))),
        "mapping_justification": chain(
            (BY_NAME if row in by_name else reason for row in range(size)),
            repeat(justification(measure), rest),
        ),
    }
    if alignment.has_confidences and alignment:
        for title in ("confidence", *(["similarity_score"] if measure else [])):
            numbers = (repr(float(confidence)) for confidence in columns.confidence)
            texts[title] = chain(numbers, repeat("", rest))
    if extended:
        words = (
            (stated.stated_relation or stated.relation) if stated in extended else ""
            for stated in relations
        )
        texts["alignment_relation"] = chain(words, repeat("", rest))
    if columns.stated_confidence.count(None) < size:
        numbers = ("" if c is None else repr(c) for c in columns.stated_confidence)
        texts["stated_confidence"] = chain(numbers, repeat("", rest))
    if not all(n.is_no_match for n in negated):
        words = ("" if n.is_no_match else "Not" for n in negated)
        texts[MODIFIER] = chain(repeat("", size), words)
    for title, own_texts in beyond.items():
        usual_texts = texts.get(title, repeat("", size + rest))
        texts[title] = (own or usual for own, usual in zip(own_texts, usual_texts, strict=True))
    return texts


def _header_slots(
    alignment: Alignment, measure: str, defined: Texts, prefixes: Prefixes
) -> dict[str, object]:
    negated_keys = ((*n.denied[0], "Not") for n in alignment.negated)
    digest = hashlib.sha256()
    mark = ""
    for identity in chain(alignment.columns.row_keys(), negated_keys):
        digest.update((mark + "\t".join(identity)).encode())
        mark = "\n"
    slots: dict[str, object] = {
        "sssom_version": "1.1",
        "mapping_set_id": OWN_ID + digest.hexdigest(),
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
    """Return cautions on facts that SSSOM has no word for."""
    extended = sum(stated.needs_extension for stated in _stated_relations(alignment))
    if not extended:
        return []
    return [
        "relations without an SSSOM predicate are skos:mappingRelation, and kept in the "
        f"extension column alignment_relation: {extended}"
    ]
