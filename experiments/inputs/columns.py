"""One column of strings from a file, and edges into one: text, CSV or Parquet, by the ending."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from experiments.errors import ExperimentError
from matchers.similarity.strings import Strings
from ontologies.common.names import refuse_unknown
from ontologies.common.table import csv_cell

#: Rows of the strings on the left and on the right, counted from 1; both; their similarity.
EdgeRow = tuple[int, int, str, str, float]
_EDGE = ("left_row", "right_row", "left", "right", "similarity")
_TYPES = ("int64", "int64", "string", "string", "float64")
#: By the ending of a table of text: what separates its cells.
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def read_column(path: Path, column: str | None = None) -> Strings:
    """Read the strings of a column; where there is none, the string is empty.

    Parameters
    ----------
    path
        ``.csv`` and ``.tsv`` have a line of names first; ``.parquet`` needs pyarrow; of any other
        file every line is a string.
    column
        Its name; None where the file has one only.

    Raises
    ------
    ExperimentError
        If the file cannot be read so, or has no such column.
    """
    if path.suffix == ".parquet":
        return Strings(_of_parquet(path, column))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix not in _DELIMITERS:
                return Strings(line.rstrip("\r\n") for line in file)
            rows = csv.reader(file, delimiter=_DELIMITERS[path.suffix], strict=True)
            try:
                place = _place(path, next(rows, []), column)
                return Strings(row[place] if place < len(row) else "" for row in rows)
            except csv.Error as error:
                what = f"{path}, line {rows.line_num}: {error}: is a quotation mark not closed?"
                raise ExperimentError(what) from None
    except UnicodeDecodeError:
        raise ExperimentError(f"{path} is not UTF-8: save it as that") from None


def _place(path: Path, names: Sequence[str], column: str | None) -> int:
    """Return the place of a column."""
    if column is None:
        if len(names) != 1:
            listed = ", ".join(names) or "none"
            raise ExperimentError(f"{path} has the columns {listed}: name one with --column")
        return 0
    refuse_unknown(f"column of {path}", column, names, ExperimentError)
    return names.index(column)


def _of_parquet(path: Path, column: str | None) -> Iterator[str]:
    arrow = _arrow()
    try:
        file = arrow.parquet.ParquetFile(path, memory_map=True)
    except arrow.ArrowInvalid as error:
        raise ExperimentError(f"{path}: {error}") from None
    names = file.schema_arrow.names
    name = names[_place(path, names, column)]
    for batch in file.iter_batches(columns=[name]):
        yield from ("" if text is None else str(text) for text in batch.column(0).to_pylist())


def write_edges(path: Path, chunks: Iterable[Sequence[EdgeRow]]) -> None:
    """Write edges chunk by chunk, as Parquet if the file ends so, else as CSV."""
    if path.suffix != ".parquet":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_EDGE)
            for rows in chunks:
                writer.writerows([csv_cell(value) for value in row] for row in rows)
        return
    arrow = _arrow()
    schema = arrow.schema(list(zip(_EDGE, _TYPES, strict=True)))
    with arrow.parquet.ParquetWriter(path, schema) as parquet:
        for rows in chunks:
            records = [dict(zip(_EDGE, row, strict=True)) for row in rows]
            parquet.write_table(arrow.Table.from_pylist(records, schema))


def _arrow() -> ModuleType:
    try:
        import pyarrow.parquet  # 40 MB that only Parquet needs
    except ImportError:
        needed = "pip install '.[join]'"
        raise ExperimentError(f"Parquet needs pyarrow, which is missing: {needed}") from None
    arrow: ModuleType = pyarrow
    return arrow
