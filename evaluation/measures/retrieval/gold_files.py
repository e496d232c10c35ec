"""Files of gold standards, and of mappings that choose one candidate or nothing."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.files import FilePath, json_objects, read_text
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.formats import read_alignment
from alignrank.ontologies.formats.columns import as_number, with_point

from .candidate_files import (
    GOLD_FIELDS,
    NIL,
    NULL,
    candidates_of_frame,
    columns_of,
    first_row,
    is_json_lines,
    is_typed,
    json_candidates,
    listed,
    parse_frame,
    query_lines,
    ranked_lines,
    rows,
    rows_of,
)
from .candidates import Queries, RankedCandidates, gold_of, ranked

#: Columns of TREC's qrels.
_QRELS = ("item", "iteration", "candidate", "grade")


def read_queries(path: FilePath, *, positive: Collection[str] = ("match",)) -> Queries:
    """Read a gold standard.

    Parameters
    ----------
    path
        A table with the columns ``item``, ``candidate`` and perhaps ``grade`` (or ``score``, if
        these are whole numbers, as in BEIR's ``query-id, corpus-id, score``); Bio-ML's
        ``SrcEntity, TgtEntity``, each row a query, perhaps with its pool ``TgtCandidates``; TREC's
        qrels; JSON, ``{"query": {"candidate": grade}}``; or a reference alignment. An empty
        candidate or ``null`` means that nothing is right for the item.
    positive
        Grades of a table that make a candidate right (``match``, ``related``, ``part-of``). Where
        no row has one of them and all grades are numbers, and in qrels and JSON, the grades above 0
        do.

    Raises
    ------
    EvaluationError
        If a line is malformed, or an item has both a candidate and ``null``; with the line. If the
        file is graded and holds none of the positive grades: then nothing would be right for any
        item.
    """
    text = read_text(path, EvaluationError)
    if is_json_lines(text):
        return _lines_of_queries(path)
    if os.fspath(path).endswith(".json"):
        return _above_zero(json_candidates(path))
    titles, mark = first_row(text)
    columns = columns_of(titles)
    if is_typed(columns):
        raise EvaluationError(
            f"{path}: its targets have relations: `alignrank score {path} RUN...` reads such lists"
        )
    if "item" in columns and "candidate" in columns:
        if columns["item"].strip().lower() == "srcentity":
            return _bioml_queries(path)
        return Queries(_graded(path, positive))
    if len(mark.join(titles).split()) == len(_QRELS) and not text.startswith("<"):
        kinds = {"item": object, "candidate": object, "grade": float}
        table = parse_frame(text.encode(), path, r"\s+", columns=kinds, header=_QRELS)
        return _above_zero(rows_of(table, "grade", path))
    return Queries(gold_of(read_alignment(path)))


def queries_of(gold: object) -> Queries:
    """Return the queries of a gold standard from Python.

    Parameters
    ----------
    gold
        Right candidates by query, ``{"q1": ["d1"]}``; their grades, ``{"q1": {"d1": 1, "d2": 0}}``,
        as pytrec_eval and ranx have them; a frame with the columns ``query``, ``doc`` and
        ``grade``; or a reference alignment. Grades above 0 are right.

    Examples
    --------
    >>> queries_of({"q1": {"d1": 1, "d2": 0}}).gold
    {'q1': ('d1',)}
    """
    if isinstance(gold, Alignment):
        return Queries(gold_of(gold))
    if not isinstance(gold, Mapping):
        return _above_zero(candidates_of_frame(gold, ["grade"]))
    graded = {}
    for query, names in gold.items():
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise EvaluationError(f"query {query!r}: give a list of right candidates or a dict")
        graded[query] = names if isinstance(names, Mapping) else dict.fromkeys(names, 1)
    return _above_zero(ranked(graded))


def read_gold(
    path: FilePath, *, positive: Collection[str] = ("match",)
) -> dict[str, tuple[str, ...]]:
    """Read the right candidates by item, in the order of the file, as `read_queries` does."""
    queries = read_queries(path, positive=positive)
    return {item: tuple(names) for item, names in queries.gold.items()}


def _graded(path: FilePath, positive: Collection[str]) -> dict[str, tuple[str, ...]]:
    gold: dict[str, list[str]] = {}
    nulls: dict[str, int] = {}
    table = list(rows(path, ("item", "candidate"), ("grade", "score")))
    if not table:
        raise EvaluationError(f"{path}: the gold standard has no items below the header")
    # BEIR calls the grades scores
    scores = {row.get("score", "") for _, row in table}
    if all(map(str.isdigit, scores)):
        for _, row in table:
            row.setdefault("grade", row["score"])
    with_candidate = [row for _, row in table if row["candidate"] not in NULL]
    grades = {row["grade"] for row in with_candidate if "grade" in row}
    if grades and grades.isdisjoint(positive):
        numbers = {grade: as_number(with_point(grade)) for grade in grades}
        if any(map(math.isnan, numbers.values())):
            raise EvaluationError(
                f"{path}: no grade is {' or '.join(map(repr, positive))}: it has "
                f"{', '.join(map(repr, sorted(grades)))}; write match or numbers above 0 for "
                f"what is right, or say which count with {Argument('positive')}"
            )
        positive = {grade for grade, number in numbers.items() if number > 0}
    for line, row in table:
        item, candidate = row["item"], row["candidate"]
        names = gold.setdefault(item, [])
        if candidate in NULL:
            nulls[item] = line
        elif "grade" not in row or row["grade"] in positive:
            names.append(candidate)
        if names and item in nulls:
            raise EvaluationError(
                f"{path}, line {line}: item {item!r} has a candidate and null (line "
                f"{nulls[item]}): keep one of the two"
            )
    return {item: tuple(dict.fromkeys(names)) for item, names in gold.items()}


def _bioml_queries(path: FilePath) -> Queries:
    """Read Bio-ML's gold: each row is a query; a second one of an entity gets a number."""
    gold: dict[str, tuple[str, ...]] = {}
    sources: dict[str, str] = {}
    pool: dict[str, Mapping[str, float]] = {}
    times: Counter[str] = Counter()
    for line, row in rows(path, ("SrcEntity", "TgtEntity"), ("TgtCandidates",)):
        source = row["SrcEntity"]
        times[source] += 1
        query = source if times[source] == 1 else f"{source} ({times[source]})"
        if row["TgtEntity"] in NULL:
            raise EvaluationError(f"{path}, line {line}: the candidate of {source!r} is empty")
        gold[query] = (row["TgtEntity"],)
        if query != source:
            sources[query] = source
        if "TgtCandidates" in row:
            pool[query] = dict.fromkeys(listed(path, line, row["TgtCandidates"])[0], 0.0)
    return Queries(gold, sources, ranked(pool) if pool else None)


def _lines_of_queries(path: FilePath) -> Queries:
    """Read JSON Lines, ``{"qid": 0, "gold": "a", "candidates": […]}``: NIL or null is an answer.

    The candidates are the query's pool: all lines have them, or none.
    """
    gold: dict[str, tuple[str, ...]] = {}
    for _, query, value in query_lines(path, GOLD_FIELDS):
        names = value if isinstance(value, list) else [value]
        gold[query] = tuple(NIL if name is None else str(name) for name in names) or (NIL,)
    lines = enumerate(read_text(path, EvaluationError).split("\n"), 1)
    pool: RankedCandidates | None = None
    if any("candidates" in row for _, row in json_objects(lines, path, EvaluationError)):
        pool = ranked_lines(path, ("candidates",))
    return Queries(gold, pool=pool)


def _above_zero(graded: RankedCandidates) -> Queries:
    """Return the candidates whose grade is above 0 as right."""
    gold: dict[str, dict[str, None]] = {item: {} for item in graded.items}
    cells = (graded.item.tolist(), graded.name.tolist(), graded.score.tolist())
    for item, name, grade in zip(*cells, strict=True):
        if grade > 0:
            gold[graded.items[item]][graded.names[name]] = None
    return Queries({item: tuple(names) for item, names in gold.items()})


def read_choices(path: FilePath) -> dict[str, str | None]:
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
        choices[row["item"]] = None if row["candidate"] in NULL else row["candidate"]
    return choices
