"""Two files of strings, or columns of tables, joined by similarity (`alignrank join`)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from alignrank.common.executor import HERE, Cluster
from alignrank.common.files import replacing
from alignrank.common.names import count, refuse_unknown
from alignrank.common.table import csv_cell
from alignrank.experiments.errors import ExperimentError, refuse_taken
from alignrank.experiments.ranking.matching import one_metric, tell_plan
from alignrank.experiments.report.console import finish, print_cautions, say
from alignrank.experiments.results.folder import check_writable
from alignrank.matchers.similarity.join import join, plan
from alignrank.matchers.similarity.strings import Strings


def join_files(
    left: Path,
    right: Path | None = None,
    *,
    metric: str,
    threshold: float,
    column: Sequence[str] = (),
    one_to_one: bool = False,
    out: Path = Path("edges.csv"),
    overwrite: bool = False,
    dry_run: bool = False,
    within: float = 1.0,
    cluster: Cluster = HERE,
) -> None:
    """Join two files of strings: all pairs that are similar enough.

    Strings are compared as they are: lower-case them first if case does not matter.

    Example: alignrank join left.csv right.csv --metric levenshtein --threshold 0.8 --out edges.csv
    """
    refuse_taken(out, overwrite=overwrite or dry_run)
    if out.suffix not in (".csv", ".parquet") or out in (left, right):
        raise ExperimentError(f"--out {out}: name a .csv or .parquet of its own for the edges")
    if one_to_one and right is None:
        raise ExperimentError("--one-to-one pairs the strings of two files: name a second one")
    for path in (left, right):
        if path is not None and path.suffix in (".owl", ".rdf", ".ttl", ".obo"):
            raise ExperimentError(f"{path} is an ontology: alignrank match takes two of them")
    if len(column) > 2:
        raise ExperimentError("--column names one column of each file: give it twice at most")
    chosen = one_metric(metric)
    names = read_column(left, *column[:1])
    other_names = None if right is None else read_column(right, *column[-1:])
    print_cautions(
        _cautions(left, names) + ([] if other_names is None else _cautions(right, other_names))
    )
    if dry_run:
        tell_plan(plan(names, other_names, chosen, threshold), within, cluster.workers)
        return
    check_writable(out)
    pairs = 0

    def chunks() -> Iterator[list[EdgeRow]]:
        nonlocal pairs
        for edges in join(names, other_names, chosen, threshold, one_to_one=one_to_one):
            pairs += len(edges.rows)
            edges_of_chunk = zip(*(values.tolist() for values in edges), strict=True)
            to = names if other_names is None else other_names
            yield [(k + 1, j + 1, names[k], to[j], value) for k, j, value in edges_of_chunk]

    with cluster.used(), replacing(out) as draft:
        write_edges(draft, chunks())
    say(f"{count(pairs, 'pair')} with {chosen.name} from {threshold:g} on: {out}")
    finish({"metric": chosen.name, "threshold": threshold, "pairs": pairs, "out": str(out)}, None)


def _cautions(path: Path | None, names: Strings) -> list[str]:
    blank = sum(not name.strip() for name in names)
    caution = f"{path}: {count(blank, 'row')} of {len(names)} without text: they match nothing"
    return [caution] if blank else []


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
            return Strings(_of_rows(path, file, column))
    except UnicodeDecodeError:
        raise ExperimentError(f"{path} is not UTF-8: save it as that") from None


def _of_rows(path: Path, lines: Iterable[str], column: str | None) -> Iterator[str]:
    """Yield the cells of a column; that of a blank line is empty."""
    rows = csv.reader(lines, delimiter=_DELIMITERS[path.suffix], strict=True)
    try:
        header = next(rows, [])
        place = _place(path, header, column)
        for cells in rows:
            if cells and len(cells) != len(header):
                raise ExperimentError(
                    f"{path}, line {rows.line_num}: {count(len(cells), 'cell')} where the header "
                    f"has {len(header)}: give one for each column, in quotation marks if the "
                    "separator is in it"
                )
            yield cells[place] if cells else ""
    except csv.Error as error:
        message = f"{path}, line {rows.line_num}: {error}: is a quotation mark not closed?"
        raise ExperimentError(message) from None


def _place(path: Path, names: Sequence[str], column: str | None) -> int:
    """Return the place of a column."""
    if not names:
        raise ExperimentError(f"{path} is empty: its first line names the columns")
    if column is None and len(names) > 1:
        raise ExperimentError(f"{path} has the columns {', '.join(names)}: name one with --column")
    column = column or names[0]
    refuse_unknown(f"column of {path}", column, names, ExperimentError)
    if names.count(column) > 1:
        raise ExperimentError(f"{path} has two columns {column!r}: rename one")
    return names.index(column)


def _of_parquet(path: Path, column: str | None) -> Iterator[str]:
    arrow = _arrow()
    try:
        file = arrow.parquet.ParquetFile(path, memory_map=True)
    except arrow.ArrowInvalid as error:
        raise ExperimentError(f"{path}: {error}") from None
    fields = file.schema_arrow
    field = fields[_place(path, fields.names, column)]
    if arrow.types.is_nested(field.type) or "binary" in str(field.type):
        raise ExperimentError(f"{path}: column {field.name!r} holds {field.type}, not text")
    for batch in file.iter_batches(columns=[field.name]):
        cells = batch.column(0).to_pylist()
        # what is missing in a column of numbers is not equal to itself
        yield from ("" if cell is None or cell != cell else str(cell) for cell in cells)


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
