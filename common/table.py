"""Tables: a header and rows of values, for a terminal, a notebook, a text, a paper, a spreadsheet.

Names and labels are untrusted text: whatever they hold, in every form it stays a table, and nothing
in it is run.

Here is also the one door to pandas, which takes .4 s to import and which most commands never need.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Sequence,
    Sized,
)
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .errors import EvaluationError
from .files import FilePath, read_hashed, text_of, write_text
from .names import one_line

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd

    Frame: TypeAlias = pd.DataFrame
else:
    Frame = "pandas.DataFrame"

ColumnKind = Literal["text", "number"]

#: In a notebook longer texts are cut, and rows beyond the first few are only counted.
LONGEST, ROWS = 80, 10
#: How the numbers of a table begin, and the dash where there is none.
_NUMERIC = tuple("0123456789-−–<")
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    # after the end of a row these two would be its options
    "−": r"\textminus{}",
    "[": "{[}",
    "*": "{*}",
}
_MARKDOWN = {sign: f"\\{sign}" for sign in "\\`*_{}[]()#+!|~$"} | {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
}


@dataclass(frozen=True)
class Table:
    r"""A table with its values as they are, to be shown in any form.

    Parameters
    ----------
    title
        One line; none is shown on a terminal.
    header
        Names of the columns; a terminal shows no header where all are empty.
    rows
        Values: text, whole numbers, floats, None where there is none.
    footnote
        What the reader must know.
    kinds
        ``text`` or ``number`` for each column: numbers stand flush right. Empty: the first column
        is text, another one is numbers if everything in it begins like one.
    strong
        (row, column) of the cells to stand out: the best scores, the significant p-values.
    show
        How a float is written for readers; CSV keeps every digit.
    data
        What CSV and frames hold where the rows are text for readers.
    names
        What a page's script knows the columns by, whatever their headings say; empty: it knows
        none.
    stem
        Name of its file, without ending.

    Examples
    --------
    >>> table = Table("Scores", ["system", "F1"], [["a", 0.91234], ["longer", None]])
    >>> print(table.to_text())
    Scores
    system     F1
    a       0.912
    longer      –
    >>> table.to_csv()
    'system,F1\na,0.91234\nlonger,\n'
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    footnote: str = ""
    kinds: Sequence[ColumnKind] = ()
    strong: Collection[tuple[int, int]] = ()
    show: Callable[[float], str] = "{:.3f}".format
    data: Table | None = None
    names: Sequence[str] = ()
    stem: str = ""

    def text(self, value: object) -> str:
        """Return a cell for readers; a dash where there is no value."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return "–"
        if isinstance(value, float):
            return self.show(value)
        return str(value)

    def cells(self) -> list[list[str]]:
        """Return every cell for readers, row by row."""
        return [[self.text(value) for value in row] for row in self.rows]

    def is_number(self) -> list[bool]:
        """Tell for each column whether it holds numbers, and is set flush right."""
        if self.kinds:
            return [kind == "number" for kind in self.kinds]
        rows = self.cells()
        return [
            k > 0 and all(row[k] in ("", "inf") or row[k].startswith(_NUMERIC) for row in rows)
            for k in range(len(self.header))
        ]

    def to_text(self) -> str:
        """Return title, aligned rows and footnote as plain text."""
        lines = [list(self.header), *self.cells()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        columns = list(zip(widths, self.is_number(), strict=True))
        text = "\n".join(
            "  ".join(
                cell.rjust(width) if number else cell.ljust(width)
                for cell, (width, number) in zip(line, columns, strict=True)
            ).rstrip()
            for line in lines
        )
        if self.title:
            text = f"{self.title}\n{text}"
        if self.footnote:
            text += f"\n\n{self.footnote}"
        return text

    def to_html(self) -> str:
        """Return an HTML table element; every text is escaped and keeps its direction to itself.

        Examples
        --------
        >>> "<b>" in Table("", ["name"], [["<b>bold</b>"]]).to_html()
        False
        """
        return self._html(self._caption())

    def to_preview(self, *, total: int | None = None) -> str:
        """Return an HTML table element for a notebook: the first rows, with long texts cut.

        Parameters
        ----------
        total
            Number of all rows, where `rows` does not hold them all.

        Examples
        --------
        >>> Table("", ["n"], [[n] for n in range(12)]).to_preview().count("<tr>")
        12
        """
        rows = [[_cut(cell) for cell in row] for row in self.cells()[:ROWS]]
        more = (len(self.rows) if total is None else total) - len(rows)
        if more > 0:
            rows.append([f"… and {more} more", *("" for _ in self.header[1:])])
        kinds: list[ColumnKind] = ["number" if number else "text" for number in self.is_number()]
        first = replace(self, header=[_cut(name) for name in self.header], rows=rows, kinds=kinds)
        return first._html(_cut(self.title))

    def to_latex(self, label: str = "", size: str = "small") -> str:
        r"""Return a LaTeX table with booktabs rules.

        Parameters
        ----------
        label
            For ``\ref``, and the table shrinks to the line's width; empty: neither.
        size
            A font size of LaTeX.
        """
        columns = "".join("r" if number else "l" for number in self.is_number())
        begin = rf"\begin{{tabular}}{{{columns}}}"
        end = r"\end{tabular}"
        if label:
            fitting = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}"
            begin = f"{fitting}{{{begin}"
            end = f"{end}}}"
        return "\n".join(
            [
                r"% needs \usepackage[T1]{fontenc}, \usepackage{booktabs}, \usepackage{graphicx}",
                r"\begin{table}",
                rf"\centering\{size}\setlength{{\tabcolsep}}{{3pt}}",
                rf"\caption{{{latex_text(self._caption())}}}",
                *([rf"\label{{{label}}}"] if label else []),
                begin,
                r"\toprule",
                " & ".join(map(latex_text, self.header)) + r" \\",
                r"\midrule",
                *(" & ".join(row) + r" \\" for row in self._shown(latex_text, r"\textbf{{{}}}")),
                r"\bottomrule",
                end,
                r"\end{table}",
                "",
            ]
        )

    def to_markdown(self) -> str:
        """Return a Markdown table (pipes), with title and footnote around it."""

        def plain(text: str) -> str:
            return "".join(_MARKDOWN.get(c, c) for c in one_line(text))

        rules = ["---:" if number else ":---" for number in self.is_number()]
        lines = [[*map(plain, self.header)], rules, *self._shown(plain, "**{}**")]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        if self.title:
            text = f"**{plain(self.title)}**\n\n{text}"
        if self.footnote:
            text += f"\n\n{plain(self.footnote)}"
        return f"{text}\n"

    def to_csv(self) -> str:
        """Return CSV with every digit, which no spreadsheet takes for formulas.

        Examples
        --------
        >>> Table("", ["system", "f1"], [["=cmd()", 0.5]]).to_csv().splitlines()
        ['system,f1', "'=cmd(),0.5"]
        """
        text, data = io.StringIO(), self.data or self
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([csv_cell(value) for value in row] for row in (data.header, *data.rows))
        return text.getvalue()

    def _shown(self, show: Callable[[str], str], strong: str) -> list[list[str]]:
        """Return every cell as `show` writes it, within `strong` where it is to stand out."""
        return [
            [
                strong.format(show(text)) if (i, k) in self.strong else show(text)
                for k, text in enumerate(row)
            ]
            for i, row in enumerate(self.cells())
        ]

    def _caption(self) -> str:
        """Return title and footnote as one line."""
        return " ".join(f"{self.title}. {self.footnote}".split())

    def _html(self, caption: str) -> str:
        sides = ["right" if number else "left" for number in self.is_number()]
        head = "".join(f'<th scope="col"><bdi>{escape(name)}</bdi></th>' for name in self.header)
        rows = []
        for row in self._shown(lambda text: f"<bdi>{escape(text)}</bdi>", "<strong>{}</strong>"):
            cells = zip(sides, row, strict=True)
            texts = (f'<td style="text-align:{side}">{text}</td>' for side, text in cells)
            rows.append(f"<tr>{''.join(texts)}</tr>")
        body = "\n".join(rows)
        return (
            f"<table>\n<caption><bdi>{escape(caption)}</bdi></caption>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
        )


#: A row of a table: where it stands, for messages, and its cells.
Row = tuple[str, list[str]]
_JSON_OR_XML = re.compile(r"""\{\s*("|$)|\[\s*([\[{]|$)|<(\?xml|!|rdf:)""")


class Sheet(NamedTuple):
    """A table as text, from a file or a frame: its titles and its rows, and where they stand.

    Parameters
    ----------
    source
        The file; empty for a frame.
    at
        Where the titles stand, as a message begins.
    header
        The titles of the columns.
    rows
        The rows below that are not blank.
    sha256
        Of the file; empty for a frame.
    """

    source: str
    at: str
    header: list[str]
    rows: list[Row]
    sha256: str = ""

    @property
    def cells(self) -> list[list[str]]:
        """The cells of each row."""
        return [cells for _, cells in self.rows]

    @property
    def titles(self) -> set[str]:
        """The titles in lower case."""
        return set(map(str.lower, self.header))


def read_sheet(path: FilePath) -> Sheet:
    r"""Read a table from a CSV file.

    Parameters
    ----------
    path
        A file, its cells separated by commas, semicolons or tabs, whichever its first line has most
        of.

    Raises
    ------
    EvaluationError
        If the file cannot be read, is empty, JSON or XML, or a quotation mark is not closed.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "scores.csv"
    >>> _ = path.write_text("task;a\n\n t1 ;0.5\n")
    >>> sheet = read_sheet(path)
    >>> sheet.header, sheet.cells, sheet.rows[0][0].endswith("scores.csv, line 3")
    (['task', 'a'], [['t1', '0.5']], True)
    """
    source = os.fspath(path)
    data, digest = read_hashed(source, EvaluationError)
    text = text_of(data, source, EvaluationError)
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[Row] = []
    try:
        for line in reader:
            cells = [cell.strip() for cell in line]
            if any(cells):
                rows.append((f"{source}, line {reader.line_num}", cells))
    except csv.Error as reason:
        where = f"{source}, line {reader.line_num}"
        raise EvaluationError(f"{where}: {reason}: is a quotation mark not closed?") from None
    if not rows:
        raise EvaluationError(f"{source} is empty")
    (where, header), *below = rows
    if _JSON_OR_XML.match(header[0]):
        raise EvaluationError(
            f"{source} is JSON or XML, and a table of scores is needed: write it as CSV"
        )
    return Sheet(source, f"{where}: ", header, below, digest)


def write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write rows with a header line as a CSV file."""
    write_text(path, Table("", header, list(rows)).to_csv())


def write_matrix(path: Path, names: Sequence[str], matrix: Sequence[Sequence[object]]) -> None:
    """Write a square matrix with the systems' names along both sides as a CSV file."""
    write_rows(path, ["", *names], ([name, *matrix[i]] for i, name in enumerate(names)))


def csv_cell(value: object) -> str:
    """Return `value` as a CSV cell: floats so that they read back exactly, NaN as nothing.

    Text that a spreadsheet would take for a formula gets an apostrophe in front; the relation ``=``
    by itself is none.

    Examples
    --------
    >>> csv_cell(0.1), csv_cell(float("nan")), csv_cell("=1+1"), csv_cell("="), csv_cell(-1)
    ('0.1', '', "'=1+1", '=', '-1')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str) and value != "=" and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def latex_text(text: str) -> str:
    r"""Return text as LaTeX shows it literally.

    Examples
    --------
    >>> print(latex_text(r"50% of R&D, \input{x}, a_b"))
    50\% of R\&D, \textbackslash{}input\{x\}, a\_b
    """
    escaped = "".join(_LATEX.get(c, c) for c in one_line(text))
    return re.sub("-(?=-)", "-{}", escaped)  # of two hyphens TeX would make a dash


class Tabular:
    """Base of results: `to_frame` gives a pandas frame, and a notebook shows it as a table.

    A result of a few numbers is one row with a column for each; others say in `by_column` or a
    `to_frame` of their own what their rows are.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Count(Tabular):
    ...     right: int
    ...     wrong: tuple[str, ...]
    >>> Count(3, ("a", "b")).to_frame().to_dict("records")
    [{'right': 3, 'wrong': 2}]
    """

    __slots__ = ()

    def by_column(self) -> dict[str, list[object]]:
        """Return one row's columns by name, one for each value; of a collection its size."""
        return {name: [value] for name, value in _row(self).items()}

    def to_frame(self) -> Frame:
        """Return the columns as a pandas frame."""
        return frame(self.by_column())

    def _repr_html_(self) -> str:
        whole = self.to_frame()
        header = [str(name) for name in whole.columns]
        kinds: list[ColumnKind] = [
            "number" if dtype.kind in "iuf" else "text" for dtype in whole.dtypes
        ]
        rows = whole.head(ROWS).to_numpy(object).tolist()
        if whole.index.dtype.kind == "O":  # rows with names of their own
            header = ["", *header]
            kinds = ["text", *kinds]
            rows = [[name, *row] for name, row in zip(whole.index, rows, strict=False)]
        table = Table(type(self).__name__, header, rows, kinds=kinds, show="{:.4g}".format)
        return table.to_preview(total=len(whole))


def _row(result: object, prefix: str = "") -> dict[str, object]:
    """Return the values of a dataclass by name; those of a dataclass in it under its name too."""
    row: dict[str, object] = {}
    for field in fields(result) if is_dataclass(result) else ():
        value = getattr(result, field.name)
        if is_dataclass(value):
            row |= _row(value, f"{prefix}{field.name}_")
        elif isinstance(value, Sized) and not isinstance(value, str):
            row[prefix + field.name] = len(value)
        else:
            row[prefix + field.name] = value
    return row


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1]}…"


def frame(
    rows: Any,  # whatever pandas takes: it checks it itself
    columns: Iterable[Hashable] | None = None,
    *,
    index: Iterable[Hashable] | None = None,
    index_name: str | None = None,
    columns_name: str | None = None,
) -> Frame:
    """Return rows as a pandas frame.

    Parameters
    ----------
    rows
        Whatever `pandas.DataFrame` takes: records, lists, an array, columns by name.
    columns
        Names of the columns, where `rows` do not say.
    index
        Names of the rows.
    index_name, columns_name
        What the names of rows and of columns name.

    Examples
    --------
    >>> frame([["a", 0.5]], ["system", "F1"]).to_dict("records")
    [{'system': 'a', 'F1': 0.5}]
    """
    import pandas as pd

    return pd.DataFrame(
        rows,
        columns=None if columns is None else pd.Index(list(columns), name=columns_name),
        index=None if index is None else pd.Index(list(index), name=index_name),
    )


def as_pandas(given: Any) -> Frame:  # Any: a frame of any library
    """Return a frame of any library, or an argument of `pandas.DataFrame`, as a pandas frame."""
    import pandas as pd

    if hasattr(given, "to_pandas"):
        with suppress(ImportError):  # polars needs pyarrow for it
            return pd.DataFrame(given.to_pandas())
    elif hasattr(given, "collect"):
        raise EvaluationError(f"a {type(given).__name__} holds no values yet: collect() it first")
    if hasattr(given, "to_dict") and not isinstance(given, pd.DataFrame | pd.Series):
        given = given.to_dict()
    try:
        if isinstance(given, pd.DataFrame):
            return given
        return pd.DataFrame(given)
    except (TypeError, ValueError) as reason:
        raise EvaluationError(
            f"a {type(given).__name__} is no table of scores ({reason}): give a pandas or polars "
            "frame, an Arrow table or a dictionary"
        ) from None


def stacked(frames: Iterable[Frame]) -> Frame:
    """Return frames below each other, their rows numbered anew."""
    import pandas as pd

    return pd.concat(list(frames), ignore_index=True)
