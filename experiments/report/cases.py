"""The cases behind the scores: every correspondence, judged how, found by whom, near to what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluation.measures.relaxed.near_pairs import Parents, near_miss
from ontologies import Alignment
from ontologies.common.table import Table

from .html import KINDS

Key = tuple[str, str, str]

NEAR = (
    "A near miss is wrong by one step: one of its two entities is that of a right correspondence, "
    "the other is the parent or a child of the right one."
)


def cases(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    label: Callable[[str], str],
    parents: tuple[Parents, Parents] | None = None,
) -> dict[str, Any]:
    """Return every correspondence that a system or the reference holds, for the page's script.

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

    Returns
    -------
    dict
        ``entities1`` and ``entities2``: IRI and label. ``rows``: index of the two entities, 1
        right, 0 wrong or −1 not judged, indices of the systems that found it, the relation ('' for
        equivalence), and of a near miss the right pair's two entities and `near_miss`'s step.

    Examples
    --------
    >>> from ontologies import Correspondence
    >>> found, right = (Alignment([Correspondence("a", x)]) for x in "xy")
    >>> cases({"mine": found}, right, str.upper, ({}, {"x": ["y"]}))["rows"]
    [[0, 0, 0, [0], '', [0, 1, 0]], [0, 1, 1, [], '']]
    """
    finders: dict[Key, list[int]] = {c.key: [] for c in reference if c.relation != "?"}
    right = set(finders)
    unjudged = {pair for c in reference if c.relation == "?" for pair in (c.pair, c.pair[::-1])}
    for k, alignment in enumerate(alignments.values()):
        for c in alignment:
            finders.setdefault(c.key, []).append(k)
    index = [{iri: i for i, iri in enumerate(sorted({k[s] for k in finders}))} for s in (0, 1)]
    partners: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for one, two, relation in sorted(right):
        if relation == "=":
            partners[0].setdefault(one, []).append(two)
            partners[1].setdefault(two, []).append(one)
    rows = []
    for key, who in sorted(finders.items()):
        one, two, relation = key
        judged = 1 if key in right else -1 if (one, two) in unjudged else 0
        row: list[Any] = [index[0][one], index[1][two], judged, who]
        row.append("" if relation == "=" else relation)
        near = near_miss(one, two, partners, parents) if parents and not judged else None
        if near:
            row.append([index[0][near[0]], index[1][near[1]], near[2]])
        rows.append(row)
    entities = [[[iri, label(iri)] for iri in side] for side in index]
    return {"entities1": entities[0], "entities2": entities[1], "rows": rows}


def mistakes(systems: Sequence[str], data: Mapping[str, Any], *, hierarchy: bool) -> Table:
    """Count for each system what it found and missed, by the kinds of `KINDS`; best recall first.

    Parameters
    ----------
    systems
        Names.
    data
        What `cases` returned.
    hierarchy
        Whether near misses could be told.
    """
    counts: list[dict[str, Any]] = [dict.fromkeys(KINDS, 0) for _ in systems]
    right = sum(row[2] == 1 for row in data["rows"])
    for _, _, judged, who, _, *near in data["rows"]:
        for k in who:
            counts[k]["right"] += judged == 1
            counts[k]["wrong"] += judged == 0
            counts[k]["near"] += bool(near)
            counts[k]["only"] += judged == 1 and len(who) == 1
    for count in counts:
        count["missed"] = right - count["right"]
    order = sorted(range(len(systems)), key=lambda k: (-counts[k]["right"], systems[k]))
    rows = [
        [
            systems[k],
            *(str(n) if hierarchy or kind != "near" else "–" for kind, n in counts[k].items()),
        ]
        for k in order
    ]
    note = NEAR if hierarchy else f"{NEAR} It takes the ontologies to tell: --source and --target."
    return Table("What each got right and wrong", ["system", *KINDS.values()], rows, note)
