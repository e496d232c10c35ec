"""Tables of ranked candidates as frames of pandas."""

from __future__ import annotations

import io
import os
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from alignrank.common.errors import EvaluationError
from alignrank.common.names import one_line

#: The sign between cells that are separated by any number of blanks and tabs.
BLANKS = r"\s+"


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
