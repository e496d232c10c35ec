"""Gold standards, ranked candidates and mappings as tab-separated files."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator

from alignrank.common.errors import EvaluationError
from alignrank.common.files import read_text

from .ranked_candidates import Candidate

_COLUMNS = {
    "item": ("item", "synset", "source", "entity"),
    "candidate": ("candidate", "article", "target", "class", "gold", "match"),
    "rank": ("rank",),
    "score": ("score", "similarity", "confidence"),
    "grade": ("grade", "category", "judgement"),
}

_NULL = ("", "null")


def read_gold(
    path: str | os.PathLike[str], *, positive: Collection[str] = ("match",)
) -> dict[str, tuple[str, ...]]:
    """Read a gold standard: columns ``item``, ``candidate`` and, if graded, ``grade``.

    Parameters
    ----------
    path
        Tab-separated, with a header line. An empty candidate or ``null`` means that nothing is
        right for the item.
    positive
        Grades that make a candidate right (``match``, ``related``, ``part-of``). Nothing is right
        for an item without such a grade. Without the column all candidates are right.

    Returns
    -------
    dict
        Right candidates by item, in the order of the file.

    Raises
    ------
    EvaluationError
        If a line is malformed, or an item has both a candidate and ``null``; with the line. If the
        file is graded and holds none of the positive grades: then nothing would be right for any
        item.
    """
    gold: dict[str, list[str]] = {}
    nulls: dict[str, int] = {}
    grades: set[str] = set()
    for line, row in rows(path, ("item", "candidate"), ("grade",)):
        item = row["item"]
        candidate = row["candidate"]
        if candidate not in _NULL and "grade" in row:
            grades.add(row["grade"])
        right = gold.setdefault(item, [])
        if candidate in _NULL:
            nulls[item] = line
        elif "grade" not in row or row["grade"] in positive:
            right.append(candidate)
        if right and item in nulls:
            raise EvaluationError(
                f"{path}, line {line}: item {item!r} has a candidate and null (line "
                f"{nulls[item]}): keep one of the two"
            )
    if grades and grades.isdisjoint(positive):
        raise EvaluationError(
            f"{path}: no grade is {' or '.join(map(repr, positive))}: it has "
            f"{', '.join(map(repr, sorted(grades)))}; say which count with positive=..."
        )
    return {item: tuple(dict.fromkeys(right)) for item, right in gold.items()}


def read_candidates(path: str | os.PathLike[str]) -> dict[str, tuple[Candidate, ...]]:
    """Read ranked candidates: columns ``item``, ``candidate`` and ``rank`` or ``score``.

    Parameters
    ----------
    path
        Tab-separated, with a header line. Ranks start at 1; equal ranks or scores are ties. If the
        file has both columns, the rank counts. A repeated candidate of an item counts where it
        comes first.

    Returns
    -------
    dict
        Candidates by item, best first; those of equal rank or score in the order of the file.

    Raises
    ------
    EvaluationError
        If a line is malformed, a rank is below 1, a score is no finite number, or a candidate is
        empty or ``null``; with the line.
    """
    lists: dict[str, list[Candidate]] = {}
    for line, row in rows(path, ("item", "candidate"), ("rank", "score")):
        if row["candidate"] in _NULL:
            raise EvaluationError(
                f"{path}, line {line}: item {row['item']!r} has an empty candidate: leave the line "
                "out; an item without candidates needs no line"
            )
        candidate = Candidate(row["candidate"], _score(path, line, row))
        lists.setdefault(row["item"], []).append(candidate)
    return {item: tuple(sorted(cs, key=lambda c: -c.score)) for item, cs in lists.items()}


def read_choices(path: str | os.PathLike[str]) -> dict[str, str | None]:
    """Read a mapping: columns ``item`` and ``candidate``; empty or ``null`` for nothing.

    Raises
    ------
    EvaluationError
        If a line is malformed or an item occurs twice; with the line.
    """
    choices: dict[str, str | None] = {}
    for line, row in rows(path, ("item", "candidate"), ()):
        if row["item"] in choices:
            raise EvaluationError(
                f"{path}, line {line}: item {row['item']!r} is mapped a second time: keep one line"
            )
        choices[row["item"]] = None if row["candidate"] in _NULL else row["candidate"]
    return choices


def _score(path: str | os.PathLike[str], line: int, row: dict[str, str]) -> float:
    column = "rank" if "rank" in row else "score"
    if column not in row:
        raise EvaluationError(f"{path}, line 1: candidates need a column rank or score")
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise EvaluationError(f"{path}, line {line}: {column} {row[column]!r} is not a number")
    if column == "score":
        return value
    if value < 1 or value != int(value):
        raise EvaluationError(
            f"{path}, line {line}: rank {row[column]} is not a whole number of 1 or more"
        )
    return -value


def rows(
    path: str | os.PathLike[str], needed: Collection[str], further: Collection[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line number and cells by the names in `_COLUMNS`; other columns are left out."""
    lines = (line.split("\t") for line in read_text(path, EvaluationError).splitlines())
    header = [cell.strip().lower() for cell in next(lines)]
    places = {}
    for name in (*needed, *further):
        aliases = [alias for alias in _COLUMNS[name] if alias in header]
        if aliases:
            places[name] = header.index(aliases[0])
    absent = [name for name in needed if name not in places]
    if absent:
        raise EvaluationError(
            f"{path}, line 1: no column {' and '.join(absent)} in the header: it must name "
            f"{', '.join((*needed, *further))}, separated by tabs"
        )
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
