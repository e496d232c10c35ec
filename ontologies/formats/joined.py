"""Joined tables, as `alignrank join` writes them: read as an alignment of rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from alignrank.common.errors import AlignmentError
from alignrank.common.files import read_beginning, text_of
from alignrank.ontologies.alignment import (
    CONFIDENCE_MEANING,
    OBJECT_LABEL,
    SUBJECT_LABEL,
    Alignment,
)
from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
from alignrank.ontologies.vocabulary import NO_BASE

from .cells import Cells

#: The first columns of a joined table; those of both files follow as ``left.NAME``, ``right.NAME``.
EDGE = ("left_row", "right_row", "left", "right", "similarity")
_SIDES = ("left", "right")


def is_joined(text: str) -> bool:
    """Return whether a file's text is a joined table.

    Examples
    --------
    >>> is_joined("left_row,right_row,left,right,similarity,left.id"), is_joined("left,right")
    (True, False)
    """
    return text.startswith(",".join(EDGE))


def is_joined_file(path: Path) -> bool:
    """Return whether a file is a joined table."""
    return path.is_file() and is_joined(read_beginning(path, 100).decode(errors="replace"))


def parse_joined(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment of a joined table: its entities are rows, by their numbers."""
    rows = csv.DictReader(io.StringIO(text_of(data, cells.path, AlignmentError)))
    for row in rows:
        if None in row or None in row.values():
            raise cells.error(rows.line_num, "the row has more or fewer fields than the header")
        labels = ((SUBJECT_LABEL, row["left"]), (OBJECT_LABEL, row["right"]))
        others = ((name, text) for name, text in row.items() if name not in EDGE and text)
        cells.add(
            f"{NO_BASE}left/{row['left_row']}",
            f"{NO_BASE}right/{row['right_row']}",
            None,
            row["similarity"],
            line=rows.line_num,
            extra=[*labels, *others],
        )
    return cells.alignment(metadata={CONFIDENCE_MEANING: "similarity"})


def joined_tables(alignments: Iterable[Alignment]) -> tuple[Ontology, Ontology]:
    """Return the rows of both tables that joined tables name.

    Each row is an entity with its string as the label; its other columns stand where ontologies
    have definitions.
    """
    entities: tuple[dict[str, Entity], dict[str, Entity]] = {}, {}
    columns: tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]] = {}, {}
    for c in (c for alignment in alignments for c in alignment):
        for side, iri, label in zip((0, 1), c.pair, c.labels, strict=True):
            if iri not in entities[side]:
                entities[side][iri] = Entity(iri, Kind.INDIVIDUAL, (Label(label),))
                start = f"{_SIDES[side]}."
                texts = (
                    f"{name.removeprefix(start)}: {text}"
                    for name, text in c.extra
                    if name.startswith(start)
                )
                columns[side][iri] = tuple(texts)
    left, right = (
        Ontology(name, dict(sorted(of_side.items())), definitions=texts)
        for name, of_side, texts in zip(_SIDES, entities, columns, strict=True)
    )
    return left, right
