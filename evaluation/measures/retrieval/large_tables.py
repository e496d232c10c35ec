"""Large tables of ranked candidates as frames: cut into cells by compiled code, or by pandas."""

from __future__ import annotations

import io
import os
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alignrank.common.compiled import kernel
from alignrank.common.errors import EvaluationError
from alignrank.common.names import one_line
from alignrank.evaluation.credit.tied_ranks import Floats

#: The sign between cells that are separated by any number of blanks and tabs.
BLANKS = r"\s+"
_NEWLINE, _BLANK, _COMMA = map(ord, "\n ,")
#: What a character is: part of a cell, a mark between cells, the end of a line, or none of these.
_CELL, _MARK, _END, _DOUBT = range(4)


def parse_frame(
    data: bytes,
    path: str | os.PathLike[str],
    delimiter: str,
    *,
    columns: Mapping[str, type],
    header: Sequence[str] | None = None,
) -> pd.DataFrame:
    r"""Return some columns of a table; its index is the number of the line.

    Parameters
    ----------
    data
        The file in UTF-8: a line for each row.
    path
        The file, for messages.
    delimiter
        The sign between cells, or `BLANKS`.
    columns
        The columns to read: `float` for numbers (NaN where a cell holds none), `object` for texts
        that come often (a categorical column), `str` for others.
    header
        Names of the columns, if the first line has none.

    Examples
    --------
    >>> data = b"q\td\tscore\nq1\td1\t.5\nq1\td2\tx\n"
    >>> parse_frame(data, "run.tsv", "\t", columns={"q": object, "score": float})["score"].tolist()
    [0.5, nan]
    """
    table = plain_frame(data, delimiter, columns, header)
    return parsed_by_pandas(data, path, delimiter, columns, header) if table is None else table


def plain_frame(
    data: bytes, delimiter: str, columns: Mapping[str, type], header: Sequence[str] | None
) -> pd.DataFrame | None:
    """Return what `parsed_by_pandas` does, in a third of the time; None where in doubt.

    In doubt is a table with a quotation mark, a control character, an empty line, a line with more
    or fewer cells than columns, or a number that is not finite.
    """
    start = 0
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if header is None:
        start = data.find(b"\n") + 1
        header = data[:start].decode().rstrip("\n").split(delimiter)
        if not start or '"' in data[:start].decode():
            return None
    if str in columns.values() or not set(columns) <= set(header):
        return None
    places = np.full(len(header), -1)
    places[[header.index(name) for name in columns]] = range(len(columns))
    if not data.endswith(b"\n"):
        data += b"\n"
    n_rows = data.count(b"\n", start)
    characters = np.frombuffer(data, np.uint8)
    bounds = np.empty((len(columns), n_rows, 2), np.int32)
    is_small = n_rows > 0 and len(data) < 2**31
    if not is_small or not cut(
        characters, start, _kinds(delimiter), delimiter == BLANKS, places, bounds
    ):
        return None
    series: dict[str, object] = {}
    for (name, kind), cells in zip(columns.items(), bounds, strict=True):
        if kind is float:
            numbers = _numbers(characters, cells)
            if numbers is None:
                return None
            series[name] = numbers
        else:
            series[name] = _categories(data, characters, cells)
    first_line = 2 if start else 1
    return pd.DataFrame(series, index=pd.RangeIndex(first_line, first_line + n_rows))


def _kinds(delimiter: str) -> NDArray[np.int8]:
    """Return by character what it does in a row: a kind of the constants above."""
    kinds = np.full(256, _CELL, np.int8)
    kinds[:_BLANK] = _DOUBT
    kinds[ord('"')] = _DOUBT
    kinds[[ord(mark) for mark in (" \t" if delimiter == BLANKS else delimiter)]] = _MARK
    kinds[_NEWLINE] = _END
    return kinds


@kernel
def cut(data: Any, start: int, kinds: Any, has_blanks: bool, places: Any, bounds: Any) -> bool:
    """Write where the cells of a table begin and end; return whether all lines are plain.

    Parameters
    ----------
    data
        Characters of the file, the last one a line's end.
    start
        Where the first row begins.
    kinds
        By character: its kind.
    has_blanks
        Several marks between two cells, or at the ends of a line, are as one.
    places
        By column of the table: its place in `bounds`, or −1.
    bounds
        (columns, rows, 2): written.
    """
    at = start
    for row in range(bounds.shape[1]):
        for column in range(len(places)):
            while has_blanks and kinds[data[at]] == _MARK:
                at += 1
            begin = at
            while kinds[data[at]] == _CELL:
                at += 1
            if places[column] >= 0:
                bounds[places[column], row, 0] = begin
                bounds[places[column], row, 1] = at
            is_last = column == len(places) - 1
            while has_blanks and is_last and kinds[data[at]] == _MARK:
                at += 1
            if kinds[data[at]] != (_END if is_last else _MARK) or (has_blanks and begin == at):
                return False
            at += 1
    return True


@kernel
def keys_of(data: Any, cells: Any) -> Any:
    """Return a number for each cell (FNV-1a of 64 bits).

    That two of a million different texts share a number has the probability 3e-8.
    """
    keys = np.empty(len(cells), np.uint64)
    for row in range(len(cells)):
        key = np.uint64(0xCBF29CE484222325)
        for at in range(cells[row, 0], cells[row, 1]):
            key = (key ^ np.uint64(data[at])) * np.uint64(0x100000001B3)
        keys[row] = key
    return keys


def _categories(
    data: bytes, characters: NDArray[np.uint8], cells: NDArray[np.int32]
) -> pd.Categorical:
    """Return the texts of a column, each different one once, in the order of the file."""
    codes, keys = pd.factorize(keys_of(characters, cells))
    first_rows = np.empty(len(keys), np.int64)
    first_rows[codes[::-1]] = np.arange(len(codes))[::-1]
    texts = [data[begin:end].decode() for begin, end in cells[first_rows].tolist()]
    return pd.Categorical.from_codes(codes, categories=pd.Index(texts, dtype=object))


@kernel
def lines_of(data: Any, cells: Any) -> Any:
    """Return cells as lines of their own; nothing where one is empty, or holds a comma or blank."""
    lines = np.empty((cells[:, 1] - cells[:, 0] + 1).sum(), np.uint8)
    size = 0
    for row in range(len(cells)):
        if cells[row, 0] == cells[row, 1]:
            return lines[:0]
        for at in range(cells[row, 0], cells[row, 1]):
            if data[at] <= _BLANK or data[at] == _COMMA:
                return lines[:0]
            lines[size] = data[at]
            size += 1
        lines[size] = _NEWLINE
        size += 1
    return lines


def _numbers(characters: NDArray[np.uint8], cells: NDArray[np.int32]) -> Floats | None:
    lines = lines_of(characters, cells)
    try:
        table = _read_csv(lines.tobytes(), header=None, names=["number"], dtype="float64")
    except ValueError:
        return None
    numbers: Floats = table["number"].to_numpy()
    return numbers if len(numbers) == len(cells) and np.isfinite(numbers).all() else None


def _read_csv(data: bytes, **options: Any) -> pd.DataFrame:
    """Return a table as pandas reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)
        # newer releases always read numbers like this
        warnings.simplefilter("ignore", DeprecationWarning)
        table: pd.DataFrame = pd.read_csv(
            io.BytesIO(data),
            index_col=False,
            na_filter=False,
            skip_blank_lines=False,
            low_memory=False,
            # equal numbers are ties, however they are written
            float_precision="round_trip",
            **options,
        )
    return table


def parsed_by_pandas(
    data: bytes,
    path: str | os.PathLike[str],
    delimiter: str,
    columns: Mapping[str, type],
    header: Sequence[str] | None,
) -> pd.DataFrame:
    """Return the columns of any table, as `parse_frame` does.

    Raises
    ------
    EvaluationError
        If a line has more cells than columns, or a quotation mark is not closed.
    """
    types = {float: "float64", object: "category", str: "object"}
    first_line = 1 if header else 2

    def read(kinds: Mapping[str, str]) -> pd.DataFrame:
        table = _read_csv(
            data,
            sep=delimiter,
            header=None if header else 0,
            names=None if header is None else tuple(header),
            # pandas notices a row with too many cells only where it reads all columns
            dtype=defaultdict(lambda: "category", kinds),
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
