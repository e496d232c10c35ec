"""Alignments as tables: CSV and TSV with a line of column names."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from alignrank.common.errors import AlignmentError
from alignrank.common.files import read_json, text_of, write_text
from alignrank.ontologies.alignment import Alignment, NegatedCorrespondence

from .cells import Cells, negation
from .columns import LABELS, as_number, columns_by_role, confidence_column, folded, titles_of

#: LogMap writes no line of column names, but these columns, parted by ``|`` or by tabs; and others
#: leave out the last of them.
_HEADLESS = re.compile(
    r"(?P<entity1>[^|\t,;\s]+:[^|\t,;]+)(?P<mark>[|\t,;])(?P<entity2>[^|\t,;\s]+:[^|\t,;]+)"
    r"((?P=mark)(?P<relation>[=<>%?]))?((?P=mark)(?P<confidence>\d[\d.eE+-]*)"
    r"((?P=mark)(?P<type>\w+))?)?\s*"
)
_FIELDS = ("entity1", "entity2", "relation")
_STATED_TITLES = ("stated_relation", "stated_confidence")
_STATED = {folded(title) for title in _STATED_TITLES}


class Facts(NamedTuple):
    """What rows cannot say about an alignment."""

    ontology1: str = ""
    ontology2: str = ""
    metadata: Mapping[str, str] = {}
    negated: tuple[NegatedCorrespondence, ...] = ()


def is_tab_separated(text: str) -> bool:
    """Return whether a file's text is a table with tabs, as its line of column names tells."""
    return "\t" in column_names(text)


def parse_table(data: bytes, cells: Cells) -> Alignment:
    """Return the alignment that a table holds.

    Columns are known by name, in any order, unless the user has chosen them: entity1 and entity2
    are needed, relation (else ``=``) and confidence are not. Columns may be parted by commas, tabs,
    semicolons or ``|``; lines that begin with ``#`` before the column names are passed over.
    LogMap's text needs no column names.

    Raises
    ------
    AlignmentError
        If there are no such columns, a row has too few fields, or a field makes no sense.
    """
    lines, first = data_lines(text_of(data, cells.path, AlignmentError))
    if lines and (headless := _HEADLESS.fullmatch(lines[0])):
        names = [name for name, text in headless.groupdict().items() if text and name != "mark"]
        lines, first = [headless["mark"].join(names), *lines], first - 1
    rows = csv.reader(lines, delimiter=delimiter(lines[0] if lines else ""))
    header = [title.strip() for title in next(rows, [])]
    try:
        columns = columns_by_role(header, cells.columns)
    except ValueError as reason:
        raise cells.error(first, str(reason)) from None
    if not {"entity1", "entity2"} <= columns.keys():
        raise cells.error(
            first,
            "a table of correspondences needs the columns entity1 and entity2 (relation and "
            f"confidence are optional); these are {', '.join(header)}: choose two (columns=...)",
        )
    del lines  # the rows' fields are copies
    filled_rows: deque[tuple[int, list[str]]] = deque()
    for row in rows:
        line = first - 1 + rows.line_num
        if not any(row):
            continue
        if len(row) != len(header):
            raise cells.error(line, f"{len(row)} fields, but {len(header)} columns have a name")
        filled_rows.append((line, [field.strip() for field in row]))
    index = {role: header.index(title) for role, title in columns.items()}
    index |= {folded(title): i for i, title in enumerate(header) if folded(title) in _STATED}
    extras = [i for i in range(len(header)) if i not in index.values()]
    if "confidence" in index:
        _check_numbers(filled_rows, index["confidence"], header, cells)
    else:
        texts = {header[i]: [row[i] for _, row in filled_rows if row[i]] for i in reversed(extras)}
        title = confidence_column(texts)
        if title is not None:
            index["confidence"] = header.index(title)
            extras.remove(index["confidence"])
    # what a file stated comes first, where it is filled
    relations, confidences = (
        [index[name] for name in (f"stated{role}", role) if name in index]
        for role in ("relation", "confidence")
    )
    foreign: Counter[str] = Counter()
    for i in extras:
        if header[i] not in LABELS:
            foreign[header[i]] += sum(bool(row[i]) for _, row in filled_rows)
    facts = [(LABELS.get(header[i], header[i]), i) for i in extras]
    entity1, entity2 = index["entity1"], index["entity2"]
    while filled_rows:  # a row gives way to its correspondence
        line, row = filled_rows.popleft()
        cells.add(
            row[entity1],
            row[entity2],
            _first(row, relations),
            _first(row, confidences),
            line=line,
            extra=[(name, row[i]) for name, i in facts if row[i]] if facts else (),
        )
    return cells.alignment(foreign=+foreign, **read_beside(cells.path)._asdict())


def _check_numbers(
    rows: Iterable[tuple[int, list[str]]], column: int, header: list[str], cells: Cells
) -> None:
    """Refuse a chosen column of confidences that holds anything but numbers."""
    for line, row in rows:
        if row[column] and not math.isfinite(as_number(row[column])):
            raise cells.error(
                line,
                f"columns=confidence: {header[column]!r} holds {row[column]!r}, which is no "
                f"number; the columns are {', '.join(header)}",
            )


def data_lines(text: str) -> tuple[list[str], int]:
    """Return the lines from the column names on, and the number of the first of them."""
    # not splitlines: a field may hold U+2028 and its like
    lines = list(io.StringIO(text, newline=""))
    start = 0
    while start < len(lines) and _is_comment(lines[start]):
        start += 1
    return lines[start:], start + 1


def _is_comment(line: str) -> bool:
    """Return whether a line is empty or begins with #, as a spreadsheet writes it as well."""
    words = line.strip('",;\t\r\n ')
    return not words or words.startswith("#")


def column_names(text: str) -> str:
    """Return the line of column names, '' where there is none."""
    return next(iter(data_lines(text)[0]), "")


def delimiter(header: str) -> str:
    """Return what parts the columns: the tab if there is one, else the most frequent mark."""
    return "\t" if "\t" in header else max(",;|", key=header.count)


def _first(row: list[str], columns: list[int]) -> str | None:
    for i in columns:
        if row[i]:
            return row[i]
    return None


def table(alignment: Alignment, mark: str = ",") -> str:
    """Return the correspondences as a table with a line of column names.

    Columns for confidences, for what a file stated differently and for what it says beyond are
    there only where something was stated.
    """
    stated = any(
        c.stated_relation is not None or c.stated_confidence is not None for c in alignment
    )
    extras = titles_of(alignment)
    has_column = alignment.has_confidences
    if not has_column:
        # an empty column of confidences says that no other column is that
        extra_columns = {key: [dict(c.extra).get(key, "") for c in alignment] for key in extras}
        has_column = confidence_column(extra_columns) is not None
    confidence = ["confidence"] if has_column else []
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    writer.writerow([*_FIELDS, *confidence, *(_STATED_TITLES if stated else ()), *extras.values()])
    for c in alignment:
        row = [c.entity1, c.entity2, c.relation]
        if has_column:
            row.append(repr(float(c.confidence)) if alignment.has_confidences else "")
        if stated:
            row.append("" if c.stated_relation is None else c.stated_relation)
            row.append("" if c.stated_confidence is None else repr(c.stated_confidence))
        writer.writerow([*row, *(dict(c.extra).get(key, "") for key in extras)])
    return out.getvalue()


def beside(path: str | os.PathLike[str]) -> Path:
    """Return the file beside a table that holds what the table cannot.

    Examples
    --------
    >>> beside("out/mine.csv").name
    'mine.csv-metadata.json'
    """
    path = Path(path)
    return path.with_name(f"{path.name}-metadata.json")


def facts_of(alignment: Alignment) -> dict[str, object]:
    """Return what rows cannot say about an alignment; nothing where there is nothing to say."""
    facts = Facts(
        alignment.ontology1, alignment.ontology2, dict(sorted(alignment.metadata.items()))
    )
    texts = facts._asdict() | {"negated": records_of(alignment)}
    return {key: value for key, value in texts.items() if value}


def read_facts(facts: object, where: str) -> Facts:
    """Return what `facts_of` gave, as a file holds it."""
    metadata = facts.get("metadata", {}) if isinstance(facts, dict) else None
    if not isinstance(facts, dict) or not isinstance(metadata, dict):
        raise AlignmentError(f"{where}: these are not an alignment's ontologies and metadata")
    return Facts(
        str(facts.get("ontology1", "")),
        str(facts.get("ontology2", "")),
        {str(key): str(text) for key, text in metadata.items()},
        read_records(facts.get("negated", []), where),
    )


def write_beside(alignment: Alignment, path: Path) -> Path | None:
    """Write the file beside the table `path`; where there is nothing to say, remove an old one."""
    target = beside(path)
    facts = facts_of(alignment)
    if not facts:
        target.unlink(missing_ok=True)
        return None
    document = {"@context": "http://www.w3.org/ns/csvw", "url": path.name, "notes": [facts]}
    write_text(target, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    return target


def read_beside(path: str | os.PathLike[str]) -> Facts:
    """Return what the file beside the table `path` says; nothing where there is none."""
    target = beside(path)
    if not target.is_file():
        return Facts()
    match read_json(target, AlignmentError):
        case {"notes": [facts, *_]}:
            return read_facts(facts, os.fspath(target))
    raise AlignmentError(
        f"{target} does not hold the ontologies and metadata of {Path(path).name}: mend or "
        "remove it"
    )


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
