"""Files and frames of ranked candidates (runs): their columns, rows and lists."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import re
import tokenize
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise, starmap

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.files import (
    FilePath,
    json_objects,
    read_hashed,
    read_json,
    read_text,
    text_of,
)
from alignrank.common.names import MutableTexts, Texts, one_line
from alignrank.common.table import Frame, as_pandas, frame
from alignrank.ontologies.alignment import Alignment
from alignrank.ontologies.formats.columns import as_number, with_point
from alignrank.ontologies.formats.delimited import delimiter

from .candidates import Candidate, RankedCandidates, of_lists, ranked

#: Titles of the columns by their role, as the field's tools write them.
_COLUMNS = {
    "item": (
        "item",
        "synset",
        "source",
        "entity",
        "srcentity",
        "query",
        "query_id",
        "qid",
        "topic",
    ),
    "candidate": (
        "candidate",
        "article",
        "target",
        "class",
        "gold",
        "match",
        "tgtentity",
        "tgtentities",
        "document",
        "doc",
        "doc_id",
        "docid",
        "docno",
        "corpus_id",
        "passage_id",
    ),
    "rank": ("rank",),
    "score": ("score", "similarity", "confidence"),
    "grade": ("grade", "category", "judgement", "relevance", "label"),
    "list": ("tgtcandidates", "rankedcandidates"),
    "relation": ("relation", "relations"),
    "query": ("queryid",),
}
#: Characters of a line of titles at most.
_LONGEST_HEADER = 10_000
_AS_JSON = str.maketrans("'()", '"[]')
#: Errors of a cell that holds no list.
_UNREADABLE = (ValueError, TypeError, SyntaxError, OverflowError, tokenize.TokenError)
#: Candidates that stand for no candidate.
NULL = ("", "null")


def first_row(text: str) -> tuple[list[str], str]:
    """Return the cells of the first line, and the sign between them."""
    line = re.split(r"[\r\n]", text[:_LONGEST_HEADER], maxsplit=1)[0]
    mark = delimiter(line)
    return next(csv.reader([line], delimiter=mark), []), mark


def columns_of(titles: Sequence[str]) -> MutableTexts:
    """Return the title of each column that a ranking can have, by its role."""
    lowered = {re.sub("[ -]", "_", title.strip().lower()): title for title in reversed(titles)}
    columns = {}
    for role, aliases in _COLUMNS.items():
        for alias in reversed(aliases):
            if alias in lowered:
                columns[role] = lowered[alias]
    return columns


def holds_candidates(value: object) -> bool:
    """Tell whether a value is a gold standard or a run of candidates: a dictionary or a frame."""
    if isinstance(value, Alignment):  # it has columns, too
        return False
    if isinstance(value, Mapping):
        return True
    return "candidate" in columns_of([str(title) for title in getattr(value, "columns", ())])


def is_typed(columns: Collection[str]) -> bool:
    """Tell by the roles of its columns whether a gold standard has relations, query by query."""
    return "relation" in columns and ("query" in columns or "list" in columns)


def check_columns(
    path: FilePath,
    columns: Texts,
    needed: Collection[str],
    further: Collection[str],
) -> None:
    """Refuse a table that lacks a needed column; columns are named by one of their titles."""
    absent = [name for name in needed if not columns_of([name]).keys() <= columns.keys()]
    if absent:
        optional = f" (and may name {', '.join(further)})" if further else ""
        raise EvaluationError(
            f"{path}, line 1: no column {' and '.join(absent)} in the header: it must name "
            f"{', '.join(needed)}{optional}, separated by tabs"
        )


def rows(
    path: FilePath, needed: Sequence[str], further: Collection[str]
) -> Iterator[tuple[int, MutableTexts]]:
    """Yield line number and cells by column; others than those that are named are left out.

    A column is named by one of its titles: the file may have another of the same role.
    """
    text = read_text(path, EvaluationError)
    header, mark = first_row(text)
    columns = columns_of(header)
    check_columns(path, columns, needed, further)
    roles = {name: role for name in (*needed, *further) for role in columns_of([name])}
    places = {name: header.index(columns[r]) for name, r in roles.items() if r in columns}
    for line, row_text in enumerate(text.splitlines()[1:], start=2):
        cells = row_text.split(mark)
        if any(cell.startswith('"') for cell in cells):  # as pandas reads files of candidates
            try:
                reader = csv.reader([row_text, ""], delimiter=mark)
                cells = next(reader)
            except csv.Error as reason:
                raise EvaluationError(f"{path}, line {line}: {reason}") from None
            if reader.line_num > 1:  # the row went on in the next line
                raise EvaluationError(f"{path}, line {line}: a quotation mark is not closed")
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(header):
            raise EvaluationError(
                f"{path}, line {line}: {len(cells)} cells, but the header has {len(header)}"
            )
        cells += [""] * (len(header) - len(cells))
        row = {name: cells[i].strip() for name, i in places.items()}
        if not row[needed[0]]:
            raise EvaluationError(f"{path}, line {line}: the item is empty")
        yield line, row


def listed(path: FilePath, line: int, cell: str) -> tuple[list[str], list[float]]:
    """Return names and scores of a cell: ``['a', 'b']``, best first, or ``[('a', 0.9), …]``."""
    try:
        entries = _literal(cell)
        if not isinstance(entries, list | tuple):
            raise TypeError("no list")
        names, scores = list(entries), [-float(place) for place in range(len(entries))]
        if {*map(type, names)} & {list, tuple}:
            names, scores = [name for name, _ in entries], [float(score) for _, score in entries]
    except (*_UNREADABLE, RecursionError, MemoryError):
        names = [None]
    if {*map(type, names)} - {str}:
        raise EvaluationError(
            f"{path}, line {line}: the candidates must be a list such as ['a', 'b'] or "
            "[('a', 0.9), ('b', 0.5)]"
        )
    return names, scores


def _literal(cell: str) -> object:
    """Return the value of a Python literal; JSON, twenty times as fast, reads most of them."""
    quoted = "".join(cell.split("'")[1::2])
    if not any(sign in cell for sign in '"\\') and not any(sign in quoted for sign in "()"):
        with suppress(ValueError):
            return json.loads(cell.translate(_AS_JSON))
    # Python joins strings without a comma between them, as numpy prints an array
    tokens = tokenize.generate_tokens(io.StringIO(cell).readline)
    kinds = [token.type for token in tokens if token.type != tokenize.NL]
    if any(left == right == tokenize.STRING for left, right in pairwise(kinds)):
        raise ValueError("no comma between two names")
    return ast.literal_eval(cell)


#: Columns of TREC's runs.
_RUN = ("item", "iteration", "candidate", "rank", "score", "tag")


def read_candidates(path: FilePath) -> RankedCandidates:
    """Read ranked candidates.

    Parameters
    ----------
    path
        A table with the columns ``item``, ``candidate`` and ``rank`` or ``score``; Bio-ML's
        ``SrcEntity, TgtEntity, Score``, or ``SrcEntity, TgtCandidates``, a list in each row, with
        scores (DeepOnto) or best first; TREC's run; JSON Lines, ``{"qid": 0, "ranking": [best,
        …]}``, in which NIL is a candidate; JSON, ``{"query": {"candidate": score}}`` or
        OntoAligner's list. Ranks start at 1. Equal ranks or scores are ties. If a table has both
        columns, the rank counts; of a TREC run the score counts.

    Raises
    ------
    EvaluationError
        If a line is malformed, a rank is below 1, a score is no finite number, or a candidate is
        empty or ``null``; with the line.
    """
    data, digest = read_hashed(path, EvaluationError)
    if not data.isascii() or b"\0" in data:
        data = text_of(data, path, EvaluationError).encode()
    start = data[:_LONGEST_HEADER].decode(errors="ignore")
    return replace(_candidates(path, data, start), digest=digest)


def _candidates(path: FilePath, data: bytes, start: str) -> RankedCandidates:
    """Read the candidates that a file of UTF-8 holds, by how it starts."""
    if is_json_lines(start):
        return ranked_lines(path)
    if start.lstrip()[:1] in ("{", "["):
        return json_candidates(path)
    titles, mark = first_row(start)
    columns = columns_of(titles)
    if "item" in columns and "list" in columns:
        return _lists(path, data, columns, mark)
    if "item" not in columns and len(mark.join(titles).split()) == len(_RUN):
        return _trec_run(path, data)
    check_columns(path, columns, ("item", "candidate"), ("rank", "score"))
    value = "rank" if "rank" in columns else "score"
    if value not in columns:
        raise EvaluationError(f"{path}, line 1: candidates need a column rank or score")
    kinds = {columns["item"]: object, columns["candidate"]: object, columns[value]: float}
    table = parse_frame(data, path, mark, columns=kinds)
    return rows_of(table.rename(columns={columns[n]: n for n in columns}), value, path)


def parse_frame(
    data: bytes,
    path: FilePath,
    delimiter: str,
    *,
    columns: Mapping[str, type],
    header: Sequence[str] | None = None,
) -> Frame:
    r"""Return some columns of a table; its index is the number of the line.

    Parameters
    ----------
    data
        The file in UTF-8: a line for each row.
    path
        The file, for messages.
    delimiter
        The sign between cells; ``\s+`` for blanks.
    columns
        The columns to read: `float` for numbers (NaN where a cell holds none), `object` for texts
        that come often (a categorical column), `str` for others.
    header
        Names of the columns, if the first line has none.

    Raises
    ------
    EvaluationError
        If a line has more cells than columns, or a quotation mark is not closed.

    Examples
    --------
    >>> data = b"q\td\tscore\nq1\td1\t.5\nq1\td2\tx\n"
    >>> parse_frame(data, "run.tsv", "\t", columns={"q": object, "score": float})["score"].tolist()
    [0.5, nan]
    """
    import pandas as pd  # late: alignments do not need it

    types = {float: "float64", object: "category", str: "object"}
    first_line = 1 if header else 2

    def read(kinds: Texts) -> Frame:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # newer releases always read numbers like this
            warnings.simplefilter("ignore", DeprecationWarning)
            table: Frame = pd.read_csv(
                io.BytesIO(data),
                sep=delimiter,
                header=None if header else 0,
                names=None if header is None else tuple(header),
                # pandas notices a row with too many cells only where it reads all columns
                dtype=defaultdict(lambda: "category", kinds),
                index_col=False,
                na_filter=False,
                skip_blank_lines=False,
                low_memory=False,
                # equal numbers are ties, however they are written
                float_precision="round_trip",
            )
        table.index += first_line
        return table.loc[:, list(columns)]

    def is_converted(name: str) -> bool:
        # where all texts of a category are numbers, pandas takes 01 and 1 for the same
        return columns[name] is object and table[name].cat.categories.inferred_type != "string"

    try:
        try:
            table = read({name: types[kind] for name, kind in columns.items()})
            is_plain = not any(map(is_converted, columns))
        except (ValueError, KeyError):
            # a cell that should hold a number is empty or holds none
            is_plain = False
        if not is_plain:
            table = read(dict.fromkeys(columns, "object"))
    except pd.errors.ParserWarning:
        raise EvaluationError(f"{path}, line {first_line}: more cells than columns") from None
    except (ValueError, KeyError) as reason:
        message = one_line(str(reason)).removeprefix("Error tokenizing data. C error: ")
        raise EvaluationError(f"{path}: {message} (is a quotation mark not closed?)") from None
    for name, kind in columns.items():
        if kind is float:
            table[name] = pd.to_numeric(table[name], errors="coerce").astype("float64")
        elif kind is object:
            table[name] = table[name].astype("category")
    return table


def candidates_of_frame(
    table: object, values: Sequence[str] = ("rank", "score")
) -> RankedCandidates:
    """Return the ranked candidates that a frame of pandas or polars holds, with a file's columns.

    Parameters
    ----------
    table
        The frame.
    values
        Columns of numbers: the first that is there counts.

    Raises
    ------
    EvaluationError
        As `read_candidates` does; the message has the number of the row.

    Examples
    --------
    >>> from alignrank.common.table import frame
    >>> rows = [["q1", "d1", 0.5], ["q1", "d2", 0.9]]
    >>> candidates_of_frame(frame(rows, ["query", "doc", "score"])).names
    ('d1', 'd2')
    """
    cells = as_pandas(table)
    columns = columns_of([str(title) for title in cells.columns])
    value = next((name for name in values if name in columns), values[-1])
    absent = [name for name in ("item", "candidate", value) if name not in columns]
    if absent:
        raise EvaluationError(f"this frame needs a column {' and '.join(absent)}")
    texts = {}
    for name in ("item", "candidate"):
        column = cells[columns[name]]
        texts[name] = column.astype(str).where(column.notna(), "").tolist()
    numbers = [as_number(with_point(str(cell))) for cell in cells[columns[value]]]
    rows_of_frame = frame({**texts, value: numbers}).astype(dict.fromkeys(texts, "category"))
    rows_of_frame.index += 1
    return rows_of(rows_of_frame, value, "")


def rows_of(table: Frame, value: str, path: FilePath) -> RankedCandidates:
    """Return candidates from a frame with the columns item, candidate and `value`."""
    is_blank = (table["item"] == "") & (table["candidate"] == "")
    if is_blank.any():
        table = table[~is_blank]
    items = table["item"].cat.remove_unused_categories().cat
    names = table["candidate"].cat
    scores = table[value].to_numpy()
    if value == "rank":
        scores = -scores  # rank 1 is the best
    run = RankedCandidates(
        tuple(items.categories.tolist()),
        tuple(names.categories.tolist()),
        items.codes.to_numpy().astype(np.int64),
        names.codes.to_numpy().astype(np.int64),
        scores,
        os.fspath(path),
        table.index.to_numpy(),
    )
    return _checked(run, value)


def _checked(run: RankedCandidates, value: str) -> RankedCandidates:
    """Refuse rows without an item, a candidate or a number; ranks are negative scores."""
    empty_items, empty_names = (
        [code for code, name in enumerate(names) if name in empty]
        for names, empty in ((run.items, ("",)), (run.names, NULL))
    )
    faults = {
        "the item is empty": np.isin(run.item, empty_items),
        "the candidate is empty: leave the line out; an item without candidates needs no line": (
            np.isin(run.name, empty_names)
        ),
        f"the {value} is not a finite number": ~np.isfinite(run.score),
    }
    if value == "rank":
        is_rank = (run.score <= -1) & (run.score == np.ceil(run.score))
        faults["the rank is not a whole number of 1 or more"] = ~is_rank
    for message, is_at_fault in faults.items():
        if is_at_fault.any():
            raise EvaluationError(run.where(int(np.argmax(is_at_fault))) + message)
    return run


def _trec_run(path: FilePath, data: bytes) -> RankedCandidates:
    kinds = {"item": object, "candidate": object, "rank": float, "score": float}
    table = parse_frame(data, path, r"\s+", columns=kinds, header=_RUN)
    run = rows_of(table, "score", path)
    # blank rows are no candidates
    ranks = table.loc[run.lines, "rank"].to_numpy()
    order = np.lexsort((ranks, run.item))
    item, score = run.item[order], run.score[order]
    if ((score[1:] > score[:-1]) & (item[1:] == item[:-1])).any():
        caution = f"the ranks in {path} contradict the scores: the scores count, as in trec_eval"
        return replace(run, cautions=(caution,))
    return run


def _lists(path: FilePath, data: bytes, columns: Texts, mark: str) -> RankedCandidates:
    """Read a table with a list of candidates in each row; an empty list is as none."""
    kinds = {columns["item"]: str, columns["list"]: str}
    table = parse_frame(data, path, mark, columns=kinds)
    cells = [cells for cells in table.itertuples() if cells[1] or cells[2]]
    lists = {line: listed(path, line, cell) for line, _, cell in cells}
    filled = [(line, item) for line, item, _ in cells if lists[line][0]]
    run = of_lists([item for _, item in filled], [lists[line] for line, _ in filled])
    lines = np.array([line for line, _ in filled for _ in lists[line][0]], dtype=np.int64)
    return _checked(replace(run, path=os.fspath(path), lines=lines, by_line=True), "score")


#: Fields of JSON Lines that hold a ranked list, the best first, or the correct candidates.
RANKING_FIELDS = ("ranking", "ranked", "candidates", "predictions")
GOLD_FIELDS = ("gold", "answer", "answers", "target", "targets", "right", "relevant")
#: An answer that states that no candidate is correct.
NIL = "NIL"


def is_json_lines(start: str) -> bool:
    """Tell whether the first line of a file is a JSON object with a query, as in JSON Lines."""
    try:
        first = json.loads(start.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(first, dict) or "item" not in columns_of([*first]):
        return False
    return not first.keys().isdisjoint((*RANKING_FIELDS, *GOLD_FIELDS))


def query_lines(path: FilePath, fields: Sequence[str]) -> Iterator[tuple[int, str, object]]:
    """Yield line, query and value of each JSON object; the first of `fields` holds the value."""
    queries: dict[str, int] = {}
    lines = enumerate(read_text(path, EvaluationError).split("\n"), 1)
    for line, row in json_objects(lines, path, EvaluationError):
        columns = columns_of([*row])
        field = next((name for name in fields if name in row), None)
        if field is None or "item" not in columns:
            raise EvaluationError(
                f"{path}, line {line}: an object needs qid and {' or '.join(fields[:2])}"
            )
        query = str(row[columns["item"]])
        if query in queries:
            raise EvaluationError(
                f"{path}, line {line}: query {query!r} comes twice (first on line {queries[query]})"
            )
        queries[query] = line
        yield line, query, row[field]


def ranked_lines(path: FilePath, fields: Sequence[str] = RANKING_FIELDS) -> RankedCandidates:
    """Read JSON Lines of rankings, ``{"qid": 0, "ranking": ["best", …]}``; NIL is a candidate."""
    candidates: dict[str, dict[str, float]] = {}
    for line, query, value in query_lines(path, fields):
        if not isinstance(value, list) or not all(isinstance(name, str | None) for name in value):
            raise EvaluationError(f"{path}, line {line}: a ranking is a list of names, best first")
        names = [name or NIL for name in value]
        if len(set(names)) < len(names):
            raise EvaluationError(f"{path}, line {line}: a candidate comes twice in the ranking")
        candidates[query] = {name: -float(place) for place, name in enumerate(names)}
    return replace(ranked(candidates), path=os.fspath(path))


def json_candidates(path: FilePath) -> RankedCandidates:
    """Read ``{"query": {"candidate": score}}``, or the list that OntoAligner's retrieval gives."""
    content = read_json(path, EvaluationError, unique=True)
    try:
        if isinstance(content, list):
            by_source: dict[str, list[Candidate]] = {}
            for entry in content:
                pairs = zip(entry["target-cands"], entry["score-cands"], strict=True)
                by_source.setdefault(entry["source"], []).extend(starmap(Candidate, pairs))
            content = by_source
        # whatever the file holds: another form raises one of these errors
        run = ranked(content)  # type: ignore[arg-type]
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error}") from None
    except (TypeError, KeyError, AttributeError, ValueError):
        raise EvaluationError(
            f'{path}: expected {{"query": {{"candidate": score}}}}, or a list of source, '
            "target-cands and score-cands"
        ) from None
    return replace(run, path=os.fspath(path))
