"""The cases behind the scores: every correspondence, judged how, found by whom, near to what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from alignrank.common.table import Table
from alignrank.evaluation.measures.relaxed.near_pairs import Parents, near_miss
from alignrank.ontologies import Alignment

from .html import KINDS

NEAR = (
    "A near miss is wrong by one step: one of its two entities is that of a right correspondence, "
    "the other is the parent or a child of the right one."
)


class Case(NamedTuple):
    """A correspondence that a system or the reference holds.

    Parameters
    ----------
    entity1, entity2
        Index of the two entities.
    judged
        1 right, 0 wrong or −1 not judged.
    found_by
        Indices of the systems that found it.
    relation
        Empty for equivalence.
    near
        Of a near miss: indices of the right pair's two entities, and `near_miss`'s step.
    """

    entity1: int
    entity2: int
    judged: int
    found_by: list[int]
    relation: str
    near: tuple[int, int, int] | None


@dataclass(frozen=True)
class Cases:
    """Every case, and the entities (IRI and label) of both sides."""

    entities1: list[tuple[str, str]]
    entities2: list[tuple[str, str]]
    rows: list[Case]

    def to_dict(self) -> dict[str, object]:
        """Return what the page's script reads; a row ends where there is no near miss."""
        return {
            "entities1": self.entities1,
            "entities2": self.entities2,
            "rows": [list(case if case.near else case[:-1]) for case in self.rows],
        }


def cases(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    label: Callable[[str], str],
    parents: tuple[Parents, Parents] | None = None,
) -> Cases:
    """Return every correspondence that a system or the reference holds.

    Parameters
    ----------
    alignments
        Alignment of each system, by name.
    reference
        What is right; pairs that it marks ``?`` are not judged.
    label
        What an entity is called, by IRI.
    parents
        Parents of the source's and of the target's entities, by IRI; None where they are unknown,
        and no near miss can be told.

    Examples
    --------
    >>> from alignrank.ontologies import Correspondence
    >>> found, right = (Alignment([Correspondence("a", x)]) for x in "xy")
    >>> cases({"mine": found}, right, str.upper, ({}, {"x": ["y"]})).to_dict()["rows"]
    [[0, 0, 0, [0], '', (0, 1, 0)], [0, 1, 1, [], '']]
    """
    finders: dict[tuple[str, str, str], list[int]] = {
        c.key: [] for c in reference if c.relation != "?"
    }
    right = set(finders)
    unjudged = {pair for c in reference if c.relation == "?" for pair in (c.pair, c.pair[::-1])}
    denied = reference.denied
    for k, alignment in enumerate(alignments.values()):
        for c in alignment:
            finders.setdefault(c.key, []).append(k)
    index = [{iri: i for i, iri in enumerate(sorted({k[s] for k in finders}))} for s in (0, 1)]
    partners: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for entity1, entity2, relation in sorted(right):
        if relation == "=":
            partners[0].setdefault(entity1, []).append(entity2)
            partners[1].setdefault(entity2, []).append(entity1)
    rows = []
    for key, who in sorted(finders.items()):
        entity1, entity2, relation = key
        is_open = (entity1, entity2) in unjudged and key not in denied
        judged = int(key in right)
        if is_open and not judged:
            judged = -1
        near = None
        if parents and not judged and (miss := near_miss(entity1, entity2, partners, parents)):
            near = index[0][miss[0]], index[1][miss[1]], miss[2]
        if relation == "=":
            relation = ""
        rows.append(Case(index[0][entity1], index[1][entity2], judged, who, relation, near))
    entities = [[(iri, label(iri)) for iri in side] for side in index]
    return Cases(entities[0], entities[1], rows)


def mistakes(systems: Sequence[str], judged: Cases, *, hierarchy: bool) -> Table:
    """Count for each system what it found and missed, by the kinds of `KINDS`; best recall first.

    Parameters
    ----------
    systems
        Names.
    judged
        What `cases` returned.
    hierarchy
        Whether near misses could be told.
    """
    counts = [dict.fromkeys(KINDS, 0) for _ in systems]
    right = sum(case.judged == 1 for case in judged.rows)
    for case in judged.rows:
        for k in case.found_by:
            counts[k]["right"] += case.judged == 1
            counts[k]["wrong"] += case.judged == 0
            counts[k]["near"] += case.near is not None
            counts[k]["only"] += case.judged == 1 and len(case.found_by) == 1
    for number in counts:
        number["missed"] = right - number["right"]
    order = sorted(range(len(systems)), key=lambda k: (-counts[k]["right"], systems[k]))
    rows: list[dict[str, object]] = [{"system": systems[k], **counts[k]} for k in order]
    note = NEAR
    if not hierarchy:
        rows = [{**row, "near": "–"} for row in rows]
        note += " It takes the ontologies to tell: --source and --target."
    header = ["system", *KINDS.values()]
    cells = [list(row.values()) for row in rows]
    return Table("Correct and wrong correspondences", header, cells, note)
