"""Tables of items and candidates: their columns, rows and lists."""

from __future__ import annotations

import ast
import csv
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from alignrank.common.errors import EvaluationError
from alignrank.common.files import read_text
from alignrank.ontologies.formats.delimited import delimiter

#: Titles of the columns by their role, as the field's tools write them.
_COLUMNS = {
    "item": ("item", "synset", "source", "entity", "srcentity", "query", "query_id", "qid"),
    "candidate": (
        *("candidate", "article", "target", "class", "gold", "match", "tgtentity"),
        *("document", "doc", "doc_id", "docid", "docno"),
    ),
    "rank": ("rank",),
    "score": ("score", "similarity", "confidence"),
    "grade": ("grade", "category", "judgement", "relevance"),
    "list": ("tgtcandidates", "rankedcandidates"),
}
#: Characters of a line of titles at most.
_LONGEST_HEADER = 10_000
#: Candidates that stand for nothing.
NULL = ("", "null")


def first_row(text: str) -> tuple[list[str], str]:
    """Return the cells of the first line, and the sign between them."""
    line = re.split(r"[\r\n]", text[:_LONGEST_HEADER], maxsplit=1)[0]
    mark = delimiter(line)
    return next(csv.reader([line], delimiter=mark), []), mark


def columns_of(titles: Sequence[str]) -> dict[str, str]:
    """Return the title of each column that a ranking can have, by its role."""
    lowered = {title.strip().lower(): title for title in reversed(titles)}
    columns = {}
    for role, aliases in _COLUMNS.items():
        titles_of_role = [lowered[alias] for alias in aliases if alias in lowered]
        if titles_of_role:
            columns[role] = titles_of_role[0]
    return columns


def check_columns(
    path: str | os.PathLike[str],
    columns: Mapping[str, str],
    needed: Collection[str],
    further: Collection[str],
) -> None:
    """Refuse a table that lacks a needed column."""
    absent = [name for name in needed if name not in columns]
    if absent:
        raise EvaluationError(
            f"{path}, line 1: no column {' and '.join(absent)} in the header: it must name "
            f"{', '.join((*needed, *further))}, separated by tabs"
        )


def rows(
    path: str | os.PathLike[str], needed: Collection[str], further: Collection[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and cells by role; other columns are left out."""
    text = read_text(path, EvaluationError)
    header, mark = first_row(text)
    lines = (line.split(mark) for line in text.splitlines()[1:])
    columns = columns_of(header)
    check_columns(path, columns, needed, further)
    places = {name: header.index(columns[name]) for name in (*needed, *further) if name in columns}
    for line, cells in enumerate(lines, start=2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header):
            raise EvaluationError(
                f"{path}, line {line}: {len(cells)} cells, but the header has {len(header)}"
            )
        cells += [""] * (len(header) - len(cells))
        row = {name: cells[i].strip() for name, i in places.items()}
        if not row["item"]:
            raise EvaluationError(f"{path}, line {line}: the item is empty")
        yield line, row


def listed(path: str | os.PathLike[str], line: int, cell: str) -> tuple[list[str], list[float]]:
    """Return names and scores of a cell: ``['a', 'b']``, best first, or ``[('a', 0.9), …]``."""
    try:
        if '"' in cell or "\\" in cell or "(" in cell[:2]:
            entries = ast.literal_eval(cell)
        else:
            # fifteen times as fast
            entries = json.loads(cell.replace("'", '"'))
        names, scores = list(entries), [-float(place) for place in range(len(entries))]
        if {*map(type, names)} & {list, tuple}:
            names, scores = [name for name, _ in entries], [float(score) for _, score in entries]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        names = [None]
    if {*map(type, names)} - {str}:
        raise EvaluationError(
            f"{path}, line {line}: the candidates must be a list such as ['a', 'b'] or "
            "[('a', 0.9), ('b', 0.5)]"
        )
    return names, scores
