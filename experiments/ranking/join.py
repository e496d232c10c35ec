"""Two files of strings, or columns of tables, joined by similarity (`alignrank join`)."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from types import ModuleType

import numpy as np

from alignrank.common.defaults import DEFAULTS
from alignrank.common.executor import HERE, Cluster
from alignrank.common.files import (
    opened_text,
    read_beginning,
    refuse_unread,
    replacing,
    unpacked_name,
)
from alignrank.common.names import count, refuse_unknown, short
from alignrank.common.table import Table, csv_cell
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.ranking.matching import one_metric
from alignrank.experiments.report.console import finish, print_cautions, print_table, say
from alignrank.experiments.results.folder import check_writable
from alignrank.experiments.results.steps import Steps, fingerprint, metric_files
from alignrank.matchers import Metric
from alignrank.matchers.settings import normalise
from alignrank.matchers.similarity.join import join
from alignrank.matchers.similarity.strings import Strings
from alignrank.matchers.similarity.tiles import Edges
from alignrank.ontologies.formats.columns import as_number
from alignrank.ontologies.formats.delimited import EDGE


def join_files(
    left: Path,
    right: Path | None = None,
    *,
    metric: str = "ngram",
    threshold: float = DEFAULTS.threshold,
    labels: str = "raw",
    column: Sequence[str] = (),
    one_to_one: bool = False,
    out: Path = Path("edges.csv"),
    overwrite: bool = False,
    resume: bool = False,
    cluster: Cluster = HERE,
) -> None:
    """Join two files of strings: all pairs that are similar enough.

    The result has all columns of both files. Strings are compared as they are, unless --labels
    prepares them. The least similar pairs are printed.
    """
    refuse_taken(out, overwrite=overwrite)
    read = [path.resolve() for path in (left, right) if path is not None]
    if out.suffix not in (".csv", ".parquet") or out.resolve() in read:
        raise ExperimentError(f"--out {out}: name a .csv or .parquet of its own for the edges")
    if one_to_one and right is None:
        raise ExperimentError("--one-to-one pairs the strings of two files: name a second one")
    for path in (left, right):
        if path is not None and _ending(path) in (".owl", ".rdf", ".ttl", ".obo"):
            raise ExperimentError(f"{path} is an ontology: alignrank match takes two of them")
    if len(column) > 1 + (right is not None):
        raise ExperimentError("--column names one column of each file: give it once for each")
    chosen = one_metric(metric)
    tables = [read_table(left, *column[:1])]
    if right is not None:
        tables.append(read_table(right, *column[-1:]))
    names, *further_names = (prepared_strings(table.strings, labels) for table in tables)
    other_names = next(iter(further_names), None)
    print_cautions(_cautions(tables, labels))
    check_writable(out)
    steps = Steps(None, resume=False, overwrite=overwrite)
    if len(names) > SLAB and not one_to_one:
        steps = Steps(out, resume=resume, overwrite=overwrite)
    facts = {"metric": chosen.name, "threshold": threshold, "labels": labels, "column": column}
    made_of = fingerprint(facts, [left, right, *metric_files([chosen])])
    pairs = 0
    least_similar: list[EdgeRow] = []

    def chunks() -> Iterator[list[EdgeRow]]:
        nonlocal pairs, least_similar
        if steps.kept:
            joined = by_slabs(names, other_names, chosen, threshold, steps, made_of)
        else:
            joined = join(names, other_names, chosen, threshold, one_to_one=one_to_one)
        first, last = tables[0], tables[-1]
        for edges in joined:
            pairs += len(edges.rows)
            rows: list[EdgeRow] = []
            for k, j, similarity in zip(*(values.tolist() for values in edges), strict=True):
                further = [cells[k] for cells in first.columns.values()]
                further += [cells[j] for cells in last.columns.values()]
                strings = first.strings[k], last.strings[j]
                rows.append((k + 1, j + 1, *strings, similarity, *further))
            least_similar = nsmallest(_EXAMPLES, [*least_similar, *rows], key=itemgetter(4))
            yield rows

    with cluster.used(), replacing(out) as draft:
        write_edges(draft, _columns(tables[0], tables[-1]), chunks())
    steps.forget()
    say(f"{count(pairs, 'pair')} of similarity {threshold:g} or more: {out}")
    if pairs:
        examples = [[f"{e[4]:.3f}", short(e[2], _NAME), short(e[3], _NAME)] for e in least_similar]
        header, heading = ["similarity", "left", "right"], "The pairs:"
        if pairs > _EXAMPLES:
            heading = "The least similar pairs:"
        say(heading)
        print_table(Table("", header, examples, kinds=["number", "text", "text"]))
    method = f"{chosen.name}, labels {labels}"
    if one_to_one:
        method += ", one to one"
    say(f"Method: {method}.")
    finish({"metric": chosen.name, "threshold": threshold, "pairs": pairs, "out": str(out)}, None)


@dataclass(frozen=True)
class JoinTable:
    """A table to join.

    Parameters
    ----------
    path
        Its file.
    strings
        The column that is compared.
    columns
        The other columns, by name.
    """

    path: Path
    strings: Strings
    columns: Mapping[str, Strings]


def by_slabs(
    left: Sequence[str],
    right: Sequence[str] | None,
    metric: Metric,
    threshold: float,
    steps: Steps,
    depends_on: str,
) -> Iterator[Edges]:
    """Yield the pairs of `join` slab by slab of the rows; each finished slab is a step on disk.

    Where the work is stopped, it goes on at the slab after the last finished one.
    """
    for number, first in enumerate(range(0, len(left), SLAB)):
        fill = partial(_fill_slab, left, right, metric, threshold, first)
        edges = np.fromfile(steps.step(str(number), depends_on, fill) / _SLAB_FILE, _SLAB_EDGE)
        for k in range(0, len(edges), _TOGETHER):
            chunk = edges[k : k + _TOGETHER]
            yield Edges(chunk["row"], chunk["column"], chunk["similarity"])


def _fill_slab(
    left: Sequence[str],
    right: Sequence[str] | None,
    metric: Metric,
    threshold: float,
    first: int,
    folder: Path,
) -> None:
    """Write the edges of the rows from `first` on; of a list with itself each pair once."""
    rows = Strings(islice(left, first, first + SLAB))
    columns, first_column = right, 0
    if columns is None:
        columns, first_column = Strings(islice(left, first, None)), first
    with (folder / _SLAB_FILE).open("wb") as file:
        for edges in join(rows, columns, metric, threshold):
            records = np.empty(len(edges.rows), _SLAB_EDGE)
            records["row"] = edges.rows + first
            records["column"] = edges.columns + first_column
            records["similarity"] = edges.similarities
            if right is None:
                records = records[records["row"] < records["column"]]
            records.tofile(file)


def prepared_strings(strings: Strings, preset: str) -> Strings:
    """Return the strings as they are compared, prepared by a preset of labels."""
    if preset == "raw":
        return strings
    return Strings(normalise(text, preset) for text in strings)


def _cautions(tables: Sequence[JoinTable], labels: str) -> list[str]:
    cautions = []
    for table in tables:
        blank = sum(not text.strip() for text in table.strings)
        if not table.strings:
            cautions.append(f"{table.path}: there is no row below the header")
        if blank:
            rows = f"{count(blank, 'row')} of {len(table.strings)}"
            cautions.append(f"{table.path}: {rows} without text: they match nothing")
    if labels == "raw" and len(tables) == 2:
        number = almost_equal(*(islice(table.strings, _COMPARED) for table in tables))
        if number:
            cautions.append(
                f"strings of {tables[0].path} that differ from one of {tables[1].path} only in "
                f"case, spaces, hyphens or Unicode form: {number}; --labels words ignores this"
            )
    return cautions


def almost_equal(left: Iterable[str], right: Iterable[str]) -> int:
    """Return how many strings on the left equal one on the right only when both are prepared.

    Examples
    --------
    >>> almost_equal(["Heart", "lung", "left-hand"], ["heart", "lung", "Left hand"])
    2
    """
    equal = {normalise(text, "raw") for text in right}
    prepared = {normalise(text, "words") for text in equal} - {""}
    unequal = {normalise(text, "raw") for text in left} - equal
    return sum(normalise(text, "words") in prepared for text in unequal)


#: The least similar pairs that are printed, and the width of a string there.
_EXAMPLES, _NAME = 6, 36
#: Strings of each table that are searched for others that are equal but for case.
_COMPARED = 100_000
#: Strings on the left whose pairs are a step, kept until all are done: some hours of a processor.
SLAB = 2**21
_SLAB_FILE = "edges.bin"
_SLAB_EDGE = np.dtype([("row", "i8"), ("column", "i8"), ("similarity", "f8")])
#: Rows that are read together.
_TOGETHER = 4096
#: Rows of the strings on the left and on the right, counted from 1; both; their similarity; the
#: cells of the other columns.
EdgeRow = tuple[int, int, str, str, float, *tuple[str, ...]]
_TYPES = ("int64", "int64", "string", "string", "float64")
#: By the ending of a table of text: what separates its cells.
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def _columns(left: JoinTable, right: JoinTable) -> list[str]:
    """Return the columns of the edges; those of the files have the prefix of their side."""
    further = [f"left.{name}" for name in left.columns]
    return [*EDGE, *further, *(f"right.{name}" for name in right.columns)]


def read_table(path: Path, column: str | None = None) -> JoinTable:
    """Read the strings of a column and all other columns; where there is none, a string is empty.

    Parameters
    ----------
    path
        ``.csv`` and ``.tsv`` (also packed by gzip) have a line of names first; ``.parquet`` needs
        pyarrow; of any other file every line is a string.
    column
        Its name; None where the file has one only.

    Raises
    ------
    ExperimentError
        If the file cannot be read so, or has no such column.
    """
    if _ending(path) == ".parquet":
        refuse_unread(read_beginning(path, 4096), path, ExperimentError)
        return _of_parquet(path, column)
    try:
        with opened_text(path, ExperimentError) as file:
            if _ending(path) in _DELIMITERS:
                return _of_rows(path, file, column)
            strings = Strings(line.rstrip("\r\n") for line in file)
    except UnicodeDecodeError:
        raise ExperimentError(f"{path} is not UTF-8: save it as that") from None
    if not strings:
        raise ExperimentError(f"{path} is empty")
    return JoinTable(path, strings, {})


def _ending(path: Path) -> str:
    """Return the ending of a file's name in small letters, without gzip's."""
    return unpacked_name(path).suffix.lower()


def _of_rows(path: Path, lines: Iterable[str], column: str | None) -> JoinTable:
    """Return the columns of a table of text; the cells of a blank line are empty."""
    lines = iter(lines)
    first = next(lines, "")
    # a tab is no part of a name; of others that come equally often the ending's decides
    delimiter = max(f"{_DELIMITERS[_ending(path)]},;", key=first.count)
    if "\t" in first:
        delimiter = "\t"
    rows = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    try:
        header = next(rows, [])
        chosen = _chosen(path, header, column)
        columns = [Strings() for _ in header]

        def checked() -> Iterator[list[str]]:
            for cells in rows:
                if cells and len(cells) != len(header):
                    raise ExperimentError(
                        f"{path}, line {rows.line_num}: {count(len(cells), 'cell')} where the "
                        f"header has {len(header)}: give one for each column, in quotation marks "
                        "if the separator is in it"
                    )
                yield cells or [""] * len(header)

        coming = checked()
        while batch := list(islice(coming, _TOGETHER)):
            for strings, cells in zip(columns, zip(*batch, strict=True), strict=True):
                strings.extend(cells)
    except csv.Error as error:
        message = f"{path}, line {rows.line_num}: {error}: is a quotation mark not closed?"
        raise ExperimentError(message) from None
    by_name = dict(zip(header, columns, strict=True))
    return JoinTable(path, by_name.pop(chosen), by_name)


def _chosen(path: Path, names: Sequence[str], column: str | None) -> str:
    """Return the name of the column to compare."""
    if not names:
        raise ExperimentError(f"{path} is empty: its first line names the columns")
    if column is None and len(names) > 1:
        raise ExperimentError(f"{path} has the columns {', '.join(names)}: name one with --column")
    column = column or names[0]
    refuse_unknown(f"column of {path}", column, names, ExperimentError)
    twice = [name for name, number in Counter(names).items() if number > 1]
    if twice:
        raise ExperimentError(f"{path} has two columns {twice[0]!r}: rename one")
    return column


def _of_parquet(path: Path, column: str | None) -> JoinTable:
    arrow = _arrow()
    try:
        file = arrow.parquet.ParquetFile(path, memory_map=True)
    except arrow.ArrowInvalid as error:
        raise ExperimentError(f"{path}: {error}") from None
    fields = file.schema_arrow
    chosen = _chosen(path, fields.names, column)
    field = fields.field(chosen)
    if arrow.types.is_nested(field.type) or "binary" in str(field.type):
        raise ExperimentError(f"{path}: column {field.name!r} holds {field.type}, not text")
    by_name = {name: Strings() for name in fields.names}
    for batch in file.iter_batches():
        for name, strings in by_name.items():
            cells = batch.column(name).to_pylist()
            # what is missing in a column of numbers is not equal to itself
            strings.extend("" if cell is None or cell != cell else str(cell) for cell in cells)
    return JoinTable(path, by_name.pop(chosen), by_name)


def write_edges(path: Path, columns: Sequence[str], chunks: Iterable[Sequence[EdgeRow]]) -> None:
    """Write edges chunk by chunk, as Parquet if the file ends so, else as CSV."""
    if path.suffix != ".parquet":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            for rows in chunks:
                writer.writerows(map(_cell, row) for row in rows)
        return
    arrow = _arrow()
    types = [*_TYPES, *["string"] * (len(columns) - len(_TYPES))]
    schema = arrow.schema(list(zip(columns, types, strict=True)))
    with arrow.parquet.ParquetWriter(path, schema) as parquet:
        for rows in chunks:
            records = [dict(zip(columns, row, strict=True)) for row in rows]
            parquet.write_table(arrow.Table.from_pylist(records, schema))


def _cell(value: object) -> str:
    """Return a value as a CSV cell; a number that is text, as -5, is no formula."""
    if isinstance(value, str) and math.isfinite(as_number(value)):
        return value
    return csv_cell(value)


def _arrow() -> ModuleType:
    try:
        import pyarrow.parquet  # 40 MB that only Parquet needs
    except ImportError:
        needed = "pip install '.[join]'"
        raise ExperimentError(f"Parquet needs pyarrow, which is missing: {needed}") from None
    arrow: ModuleType = pyarrow
    return arrow
