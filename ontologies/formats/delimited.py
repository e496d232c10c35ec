"""Alignments as tables: CSV and TSV with a line of column names, and those that `join` writes."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from alignrank.common.errors import ITEMS_ARE_READ_BY, AlignmentError, Argument, Words
from alignrank.common.files import (
    FilePath,
    read_beginning,
    read_json,
    text_of,
    unpacked_name,
    write_text,
)
from alignrank.common.names import count
from alignrank.ontologies.alignment import (
    CONFIDENCE_MEANING,
    OBJECT_LABEL,
    SUBJECT_LABEL,
    Alignment,
    NegatedCorrespondence,
)
from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
from alignrank.ontologies.vocabulary import NO_BASE

from .cells import Cells, negation
from .columns import (
    LABELS,
    as_number,
    columns_by_role,
    confidence_column,
    folded,
    label_questions,
    titles_of,
    with_point,
)

#: LogMap writes no line of column names, but these columns, parted by ``|`` or by tabs; and others
#: leave out the last of them.
_HEADLESS = re.compile(
    r"(?P<entity1>[^|\t,;\s]+:[^|\t,;]+)(?P<mark>[|\t,;])(?P<entity2>[^|\t,;\s]+:[^|\t,;]+)"
    r"((?P=mark)(?P<relation>[=<>%?]))?((?P=mark)(?P<confidence>\d((?!(?P=mark))[\d.,eE+-])*)"
    r"((?P=mark)(?P<type>\w+))?)?\s*"
)
#: Characters and rows that are looked at together.
_PART, _ROWS_AT_ONCE = 100_000, 10_000
#: Characters in which titles of entities are looked for: a line of XML may be as long as its file.
_LONGEST_HEADER = 10_000
_FIELDS = ("entity1", "entity2", "relation")
#: Columns of a gold standard of ranked lists.
_QUERIES = {"queryid", "tgtcandidates"}
_STATED = {folded(title) for title in ("stated_relation", "stated_confidence")}


class Facts(NamedTuple):
    """Facts about an alignment that rows cannot hold."""

    ontology1: str = ""
    ontology2: str = ""
    metadata: Mapping[str, str] = {}
    negated: tuple[NegatedCorrespondence, ...] = ()


def is_tab_separated(text: str) -> bool:
    """Return whether a file's text is a table with tabs, as its line of column names tells."""
    return delimiter(column_names(text)) == "\t"


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
    names = next(lines, "")
    if headless := _HEADLESS.fullmatch(names):
        titles = [title for title, text in headless.groupdict().items() if text and title != "mark"]
        lines = chain([names], lines)
        first = first - 1
        names = headless["mark"].join(titles)
    rows = csv.reader(chain([names], lines), delimiter=delimiter(names))
    header = [title.strip() for title in next(rows, [])]
    if set(map(folded, header)) >= _QUERIES:
        raise cells.error(first, f"its rows are queries, no correspondences: {ITEMS_ARE_READ_BY}")
    try:
        columns = columns_by_role(header, cells.columns)
    except ValueError as reason:
        raise cells.error(first, str(reason)) from None
    if not {"entity1", "entity2"} <= columns.keys():
        raise cells.error(
            first,
            "a table of correspondences needs the columns entity1 and entity2 (relation and "
            f"confidence are optional); these are {', '.join(header)}: choose two "
            f"({Argument('columns')})",
        )
    index = {role: header.index(title) for role, title in columns.items()}
    index |= {folded(title): i for i, title in enumerate(header) if folded(title) in _STATED}
    extras = [i for i in range(len(header)) if i not in index.values()]
    listed = [(first - 1 + rows.line_num, row) for row in rows if any(map(str.strip, row))]
    for line, row in listed:
        if len(row) != len(header):
            raise cells.error(
                line, f"{count(len(row), 'field')}, but {len(header)} columns have a name"
            )
    numbers, texts = columns_of(listed, len(header))
    # of titles that fold alike the first one is taken
    texts_by_title = {header[i]: list(filter(None, texts[i])) for i in reversed(extras)}
    if "confidence" not in index and (title := confidence_column(texts_by_title)):
        index["confidence"] = header.index(title)
        extras.remove(index["confidence"])
        del texts_by_title[title]
    questions = list(label_questions(texts_by_title))
    if "confidence" not in index and questions:
        raise cells.error(first, f"{questions[0]}; else add an empty column confidence")
    for question in questions:
        cells.mend(first, question)
    if "confidence" in index:
        texts[index["confidence"]] = list(map(with_point, texts[index["confidence"]]))
        cells.look_for_labels(list(filter(None, texts[index["confidence"]])))
    if "confidence" in cells.columns and not cells.has_labels:
        for text, line in zip(texts[index["confidence"]], numbers, strict=True):
            if text and not math.isfinite(as_number(text)):
                raise cells.error(
                    line,
                    f"{Argument('columns', Words('confidence'))}: {cells.columns['confidence']!r} "
                    f"holds {text!r}, which is no number; the columns are {', '.join(header)}",
                )
    # what a file stated comes first, where it is filled
    relations, confidences = (
        [texts[index[name]] for name in (f"stated{role}", role) if name in index]
        for role in ("relation", "confidence")
    )
    stated = first_filled(relations, len(numbers))
    cells.extend(
        texts[index["entity1"]],
        texts[index["entity2"]],
        [text or "" for text in stated] if relations else stated,
        first_filled(confidences, len(numbers)),
        lines=numbers,
        extra=[(LABELS.get(header[i], header[i]), texts[i]) for i in extras],
    )
    foreign: Counter[str] = Counter()
    for i in extras:
        if header[i] not in LABELS:
            foreign[header[i]] += len(numbers) - texts[i].count("")
    return cells.alignment(foreign=+foreign, **read_beside(cells.path)._asdict())


def columns_of(
    rows: Sequence[tuple[int, Sequence[str]]], width: int
) -> tuple[list[int], list[list[str]]]:
    """Return the lines of rows with `width` fields, and their columns without outer blanks."""
    columns = zip(*(fields for _, fields in rows), strict=True)
    texts = [list(map(str.strip, column)) for column in columns]
    return [line for line, _ in rows], texts or [[] for _ in range(width)]


def data_lines(text: str) -> tuple[Iterator[str], int]:
    """Return the lines from the column names on, and the number of the first of them."""
    lines = _lines(text)
    number = 1
    for line in lines:
        if not _is_comment(line):
            return chain([line], lines), number
        number += 1
    return lines, number


def _lines(text: str) -> Iterator[str]:
    """Yield the lines with their ends.

    A field may hold U+2028 and its like, at which splitlines would part it.
    """
    start = 0
    while start < len(text):
        # a StringIO takes four bytes for each character: of a part, not of the file
        end = text.find("\n", start + _PART) + 1 or len(text)
        yield from io.StringIO(text[start:end], newline="")
        start = end


def line_count(text: str) -> int:
    """Return the number of lines."""
    return sum(1 for _ in _lines(text))


def _is_comment(line: str) -> bool:
    """Return whether a line is empty or begins with #, as a spreadsheet writes it as well."""
    words = line.strip('",;\t\r\n ')
    return not words or words.startswith("#")


def column_names(text: str) -> str:
    """Return the line of column names, '' where there is none."""
    return next(data_lines(text)[0], "")


def delimiter(header: str) -> str:
    r"""Return the sign between columns: the first sign by which two titles are those of entities.

    Where there is none, it is the tab if there is one, else the most frequent sign.

    Examples
    --------
    >>> delimiter("entity1,entity2,see a|b|c|d"), delimiter("task;a;b, c"), delimiter("a,b\tc")
    (',', ';', '\t')
    """
    beginning = header[:_LONGEST_HEADER]
    for mark in sorted(filter(beginning.__contains__, "\t,;|"), key=beginning.index):
        titles = [title.strip(' "\r\n') for title in beginning.split(mark)]
        if {"entity1", "entity2"} <= columns_by_role(titles, {}).keys():
            return mark
    if "\t" in header:
        return "\t"
    return max(",;|", key=header.count)


def first_filled(columns: Sequence[Sequence[str]], size: int) -> list[str | None]:
    """Return the first text of each row that is filled, None where none is."""
    texts: list[str | None] = [None] * size
    for column in reversed(columns):
        texts = [text or next_text for text, next_text in zip(column, texts, strict=True)]
    return texts


def table(alignment: Alignment, mark: str = ",") -> str:
    """Return the correspondences as a table with a line of column names.

    Columns for confidences, for what a file stated differently and for what it says beyond are
    there only where something was stated.
    """
    columns = alignment.columns
    size = len(alignment)
    stated = [size - texts.count(None) for texts in columns[4:6]]
    titles = titles_of(columns.extra)
    extras = {key: [""] * size for key in titles}
    for row, facts in enumerate(columns.extra):
        for key, text in facts:
            extras[key][row] = text
    # an empty column of confidences says that no other column is that
    confidences = [""] * size
    if alignment.has_confidences:
        confidences = [repr(float(confidence)) for confidence in columns.confidence]
    is_unclear = confidence_column(extras) is not None or any(label_questions(extras))
    has_column = alignment.has_confidences or is_unclear
    listed = dict(zip(_FIELDS, columns[:3], strict=True))
    if has_column:
        listed["confidence"] = confidences
    if any(stated):
        relations, numbers = columns[4:6]
        listed["stated_relation"] = [text or "" for text in relations]
        listed["stated_confidence"] = ["" if c is None else repr(c) for c in numbers]
    rows = zip(*listed.values(), *extras.values(), strict=True)
    return delimited(chain([(*listed, *titles.values())], rows), mark)


def delimited(rows: Iterable[Sequence[str]], mark: str) -> str:
    r"""Return rows of two or more fields as text, quoted where it must be, as `csv.writer` does.

    A lone carriage return, which it leaves bare, is quoted, too.

    Examples
    --------
    >>> delimited([("entity1", "entity2"), ("a#x", "b#y, z")], ",")
    'entity1,entity2\na#x,"b#y, z"\n'
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    rows = iter(rows)
    while part := list(islice(rows, _ROWS_AT_ONCE)):
        text = "\n".join(map(mark.join, part))
        marks = sum(map(len, part)) - len(part)
        # the writer looks at every character: it is needed where a field holds one of its marks
        is_plain = text.count(mark) == marks and text.count("\n") == len(part) - 1
        if is_plain and '"' not in text and "\r" not in text:
            out.write(f"{text}\n")
        elif "\r" in text:  # bare, it would end the row
            out.writelines(f"{mark.join(_quoted(cell, mark) for cell in row)}\n" for row in part)
        else:
            writer.writerows(part)
    return out.getvalue()


def _quoted(cell: str, mark: str) -> str:
    """Return a cell's text, quoted where it must be."""
    if any(sign in cell for sign in (mark, '"', "\n", "\r")):
        return '"{}"'.format(cell.replace('"', '""'))
    return cell


def beside(path: FilePath) -> Path:
    """Return the file beside a table that holds the facts which the table cannot hold.

    Examples
    --------
    >>> beside("out/mine.csv").name, beside("mine.csv.gz").name
    ('mine.csv-metadata.json', 'mine.csv-metadata.json')
    """
    path = unpacked_name(path)
    return path.with_name(f"{path.name}-metadata.json")


def facts_of(alignment: Alignment) -> dict[str, object]:
    """Return the facts about an alignment that rows cannot hold; empty without such facts."""
    facts = {
        "ontology1": alignment.ontology1,
        "ontology2": alignment.ontology2,
        "metadata": dict(sorted(alignment.metadata.items())),
        "negated": [
            {
                "entity1": n.entity1,
                "entity2": n.entity2,
                "predicate": n.predicate,
                "extra": dict(n.extra),
            }
            for n in alignment.negated
        ],
    }
    return {key: value for key, value in facts.items() if value}


def read_facts(facts: object, where: str) -> Facts:
    """Return the facts that `facts_of` wrote, from a file's JSON."""
    metadata = facts.get("metadata", {}) if isinstance(facts, dict) else None
    if not isinstance(facts, dict) or not isinstance(metadata, dict):
        raise AlignmentError(f"{where}: these are not an alignment's ontologies and metadata")
    records = facts.get("negated", [])
    if not isinstance(records, list):
        raise AlignmentError(f"{where}: negated is not a list of objects")
    return Facts(
        str(facts.get("ontology1", "")),
        str(facts.get("ontology2", "")),
        {str(key): str(text) for key, text in metadata.items()},
        tuple(_read_record(record, where) for record in records),
    )


def write_beside(alignment: Alignment, path: Path) -> Path | None:
    """Write the file beside the table `path`; where there is nothing to say, remove an old one.

    Raises
    ------
    AlignmentError
        If another's file of that name is there.
    """
    target = beside(path)
    facts = facts_of(alignment)
    read_beside(path)
    if not facts:
        target.unlink(missing_ok=True)
        return None
    document = {"@context": "http://www.w3.org/ns/csvw", "url": path.name, "notes": [facts]}
    write_text(target, json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    return target


def read_beside(path: FilePath) -> Facts:
    """Return the facts of the file beside the table `path`; none without such a file."""
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


def _read_record(record: object, where: str) -> NegatedCorrespondence:
    match record:
        case {
            "entity1": str(entity1),
            "entity2": str(entity2),
            "predicate": str(predicate),
            **more,
        }:
            extra = more.get("extra", {})
            if entity1 and entity2 and predicate and isinstance(extra, dict):
                facts = {str(key): str(text) for key, text in extra.items()}
                return negation(entity1, entity2, predicate, facts)
    raise AlignmentError(
        f"{where}: a negated correspondence needs entity1, entity2 and predicate, as texts"
    )


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
