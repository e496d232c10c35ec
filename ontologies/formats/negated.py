"""Negated correspondences as JSON, for the formats whose rows cannot say Not."""

from __future__ import annotations

from alignrank.common.errors import AlignmentError
from alignrank.ontologies.alignment import Alignment, NegatedCorrespondence

from .cells import negation


def records_of(alignment: Alignment) -> list[dict[str, object]]:
    """Return an object for each negated correspondence."""
    return [
        {
            "entity1": n.entity1,
            "entity2": n.entity2,
            "predicate": n.predicate,
            "extra": dict(n.extra),
        }
        for n in alignment.negated
    ]


def read_records(records: object, where: str) -> tuple[NegatedCorrespondence, ...]:
    """Return what `records_of` gave, as a file holds it.

    Raises
    ------
    AlignmentError
        If this is no list of such objects; `where` says in which file.
    """
    if not isinstance(records, list):
        raise AlignmentError(f"{where}: negated is not a list of objects")
    return tuple(_read_record(record, where) for record in records)


def _read_record(record: object, where: str) -> NegatedCorrespondence:
    fields = record if isinstance(record, dict) else {}
    texts = [fields.get(key) for key in ("entity1", "entity2", "predicate")]
    entity1, entity2, predicate = (text if isinstance(text, str) else "" for text in texts)
    extra = fields.get("extra", {})
    if not (entity1 and entity2 and predicate and isinstance(extra, dict)):
        raise AlignmentError(
            f"{where}: a negated correspondence needs entity1, entity2 and predicate, as texts"
        )
    facts = {str(key): str(text) for key, text in extra.items()}
    return negation(entity1, entity2, predicate, facts)
