"""Large tables of ranked candidates as frames: cut into cells by compiled code, or by pandas."""

from __future__ import annotations

import io
import os
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from alignrank.common.compiled import helper, kernel
from alignrank.common.errors import EvaluationError
from alignrank.common.names import one_line
from alignrank.evaluation.credit.tied_ranks import Floats, Ints

Bytes = NDArray[np.uint8]

#: The sign between cells that are separated by any number of blanks and tabs.
BLANKS = r"\s+"
_NEWLINE, _MINUS, _POINT, _ZERO, _NINE = map(ord, "\n-.09")
#: Whole numbers up to 2^53 and these powers are exact floats: a quotient of two is rounded once.
_POWERS, _LARGEST = 10.0 ** np.arange(23), 2**53


def parsed_by_pandas(
    data: bytes,
    path: str | os.PathLike[str],
    delimiter: str,
    columns: Mapping[str, type],
    header: Sequence[str] | None,
) -> pd.DataFrame:
    """Return some columns of any table, as `candidate_files.parse_frame` has them.

    Raises
    ------
    EvaluationError
        If a line has more cells than columns, or a quotation mark is not closed.
    """
    first_line = 1 if header else 2
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # newer releases always read numbers like this
            warnings.simplefilter("ignore", DeprecationWarning)
            table = pd.read_csv(
                io.BytesIO(data),
                sep=delimiter,
                header=None if header else 0,
                names=None if header is None else tuple(header),
                # as numbers and categories 01 and 1 would be the same; and pandas notices a row
                # with too many cells only where it reads all columns
                dtype=defaultdict(lambda: "object"),
                index_col=False,
                na_filter=False,
                skip_blank_lines=False,
                low_memory=False,
            )[list(columns)]
    except pd.errors.ParserWarning:
        raise EvaluationError(f"{path}, line {first_line}: more cells than columns") from None
    except (ValueError, KeyError) as reason:
        message = one_line(str(reason)).removeprefix("Error tokenizing data. C error: ")
        raise EvaluationError(f"{path}: {message} (is a quotation mark not closed?)") from None
    table.index += first_line
    for name, kind in columns.items():
        if kind is float:
            table[name] = pd.to_numeric(table[name], errors="coerce").astype("float64")
        elif kind is object:
            table[name] = table[name].astype("category")
    return table


def plain_rows(
    data: bytes, delimiter: str, columns: Mapping[str, type], header: Sequence[str] | None
) -> pd.DataFrame | None:
    r"""Return what `parsed_by_pandas` does, in half the time; None if the table is not plain.

    It is plain if no cell may be quoted, all lines have as many cells as columns with one sign
    between them, and the columns of numbers hold numbers.

    Examples
    --------
    >>> data = b"q\td\tscore\nq1\td1\t.5\nq1\td2\t.25\n"
    >>> plain_rows(data, "\t", {"q": object, "score": float}, None)["score"].tolist()
    [0.5, 0.25]
    """
    not_plain = [b'"', b"\r", *([b"\t", b"  "] if delimiter == BLANKS else [])]
    if str in columns.values() or any(sign in data for sign in not_plain):
        return None
    mark = " " if delimiter == BLANKS else delimiter
    start, first_line = 0, 1
    if header is None:
        start, first_line = data.find(b"\n") + 1, 2
        header = data[:start].decode().rstrip("\n").split(mark)
    names = list(columns)
    if not set(names) <= set(header):
        return None
    if not data.endswith(b"\n"):
        data += b"\n"
    n_rows = data.count(b"\n", start)
    places = np.full(len(header), -1)
    places[[header.index(name) for name in names]] = range(len(names))
    characters = np.frombuffer(data, np.uint8)
    bounds = np.empty((len(names), n_rows, 2), np.int64)
    keys = np.empty((len(names), n_rows), np.uint64)
    if n_rows == 0 or not cut(characters, start, ord(mark), places, bounds, keys):
        return None
    table: dict[str, object] = {}
    for k, (name, kind) in enumerate(columns.items()):
        read = _numbers if kind is float else _texts
        column = read(data, bounds[k], keys[k])
        if column is None:
            return None
        table[name] = column
    return pd.DataFrame(table, pd.RangeIndex(first_line, first_line + n_rows))


@kernel
def cut(
    data: Bytes, at: int, mark: int, places: Ints, bounds: Ints, keys: NDArray[np.uint64]
) -> bool:
    """Write where cells begin and end, and a key for each text (FNV-1a of 64 bits).

    Parameters
    ----------
    data
        Characters of the file, the last one a line's end.
    at
        Where the first row begins.
    mark
        The sign between cells.
    places
        By column of the table: its place in `bounds`, or −1.
    bounds, keys
        (columns, rows, 2) and (columns, rows): written.

    Returns
    -------
    bool
        Whether each line has as many cells as there are columns.
    """
    last = len(places) - 1
    for row in range(keys.shape[1]):
        for column in range(len(places)):
            begin = at
            key = np.uint64(0xCBF29CE484222325)
            while data[at] != mark and data[at] != _NEWLINE:
                key = (key ^ np.uint64(data[at])) * np.uint64(0x100000001B3)
                at += 1
            if (data[at] == _NEWLINE) != (column == last):
                return False
            place = places[column]
            if place >= 0:
                bounds[place, row, 0] = begin
                bounds[place, row, 1] = at
                keys[place, row] = key
            at += 1
    return True


def _texts(data: bytes, cells: Ints, keys: NDArray[np.uint64]) -> pd.Categorical | None:
    """Return the texts of cells as categories; None if two texts share a key."""
    codes, different = pd.factorize(keys)
    first_rows = np.empty(len(different), np.int64)
    first_rows[codes[::-1]] = np.arange(len(codes))[::-1]
    texts = [data[begin:end] for begin, end in cells[first_rows].tolist()]
    begins = np.cumsum([0, *(len(text) + 1 for text in texts)])
    lines = np.frombuffer(b"\n".join([*texts, b""]), np.uint8)
    if not are_texts(np.frombuffer(data, np.uint8), cells, lines, begins, codes):
        return None
    names = pd.Index([text.decode() for text in texts], dtype=object)
    return pd.Categorical.from_codes(codes, names)


@kernel
def are_texts(data: Bytes, cells: Ints, lines: Bytes, begins: Ints, codes: Ints) -> bool:
    """Return whether each cell has the text of the line that its code names."""
    for row in range(len(cells)):
        at = begins[codes[row]]
        for place in range(cells[row, 0], cells[row, 1]):
            if data[place] != lines[at]:
                return False
            at += 1
        if lines[at] != _NEWLINE:
            return False
    return True


def _numbers(data: bytes, cells: Ints, _: NDArray[np.uint64]) -> Floats | None:
    """Return the numbers of cells; None if a cell holds none."""
    numbers = np.empty(len(cells))
    read_numbers(np.frombuffer(data, np.uint8), cells, numbers)
    rows = np.flatnonzero(np.isnan(numbers))
    texts = [data[begin:end] for begin, end in cells[rows].tolist()]
    try:
        # Python alone would read 1_0 as ten
        numbers[rows] = [float(text.replace(b"_", b"?")) for text in texts]
    except ValueError:
        return None
    return numbers


@kernel
def read_numbers(data: Bytes, cells: Ints, numbers: Floats) -> None:
    """Write the numbers of cells; NaN for those that are not a quotient of exact floats."""
    for row in range(len(cells)):
        numbers[row] = _number(data, cells[row, 0], cells[row, 1])


@helper
def _number(data: Bytes, begin: int, end: int) -> float:
    digits = np.int64(0)
    decimals = np.int64(0)
    whole = np.int64(0)
    is_negative = begin < end and data[begin] == _MINUS
    has_point = False
    for at in range(begin + is_negative, end):
        if data[at] == _POINT and not has_point:
            has_point = True
        elif _ZERO <= data[at] <= _NINE and digits < 18:
            whole = whole * 10 + np.int64(data[at] - _ZERO)
            digits += 1
            decimals += has_point
        else:
            return np.nan
    if digits == 0 or whole > _LARGEST:
        return np.nan
    value: float = whole / _POWERS[decimals]
    return (1 - 2 * is_negative) * value
