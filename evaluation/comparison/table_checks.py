"""The one gate for tables of scores, whether they come from a file or from a frame.

Tables of tasks (`alignrank.evaluation.multitask.score_table`) and of items (`answers`) are read and
checked alike: several layouts become one, and columns that are no systems and rows that are no
tasks are refused.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from alignrank.common.errors import Argument, EvaluationError, Message
from alignrank.common.names import MutableTexts, listed, plain_name
from alignrank.common.table import Frame, Row, Sheet, as_pandas, read_sheet

Floats = NDArray[np.float64]


#: Parts and values of a measure, as result sheets call their columns.
_MEASURES = {
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
    "p": "precision",
    "prec": "precision",
    "r": "recall",
    "rec": "recall",
    "f": "f1",
    "f measure": "f1",
    "f score": "f1",
    "f1 measure": "f1",
    "f1 score": "f1",
    "fmeasure": "f1",
    "fscore": "f1",
}
_MEASURES |= {name: name for name in (*_MEASURES.values(), "f0.5", "f2", "accuracy")}

#: More systems have too many pairs.
MOST_SYSTEMS = 2000

#: Cells that say that there is no result.
NO_RESULT = ("", "NA")
_TRUTH = {"true": "1", "false": "0"}

#: Names of rows that sum up others.
_SUMMARY = re.compile(
    r"\b(averages?|avg|means?|medians?|sums?|totals?|ranks?|ranking|overall|summary|std|stdev)\b",
    re.IGNORECASE,
)
#: By how much of a column's range a summary may miss, however coarsely it is rounded.
_COARSEST = 0.02
#: Among questions and other texts many are called so: only the last rows are looked at.
_MOST = 50

#: Columns that describe a task or an item, by name: its size.
_COUNTS = re.compile(
    r"((n|no|nr|num|number)[ _.-]*(of[ _])?|#[ _]?)"
    r"(instances|samples|features|attributes|classes|examples|rows|columns|items|points)",
    re.IGNORECASE,
)
#: Names of scores that are better if they are lower.
_COSTS = re.compile(
    r"(?<![a-z])(errors?|rmse|mse|mae|mape|loss|losses|times?|seconds|runtimes?|latency|costs?|"
    r"perplexity|wer|cer)(?![a-z])",
    re.IGNORECASE,
)
#: A mean with its deviation or interval in one cell: 80.1 ± 0.5, 80.1 (0.5), 80.1 [79.6, 80.6].
_NUMBER = r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?%?"
_WITH_SPREAD = re.compile(
    rf"\$?\s*({_NUMBER})\s*(?:(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}|\(\s*(?:±|\+/-|\+-)?\s*{_NUMBER}\s*\)|"
    rf"\[\s*{_NUMBER}\s*[,;–-]\s*{_NUMBER}\s*\])\s*%?\s*\$?",
    re.IGNORECASE,
)
#: Words of columns that hold what a mean's column does not: how scores scatter, and how many.
_SPREAD = re.compile(
    r"\b(std|std ?dev|stdev|stddev|standard deviation|sd|sem|std ?err|standard error|variance)\b"
)
_NUMBERS_OF = re.compile(r"#|n|count|counts|size|sizes|support", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
#: How a column is called that names the rows of a table of scores.
_ROW_NAMES = re.compile(
    r"((data ?set|task|item|instance|case|problem|question|query|topic|document|pair|fold|seed|"
    r"track|sample|example)s?)?[ _-]?(ids?|index|names?|no\.?|nr\.?|number|key)?|"
    r"\w+[ _-]id|[pq]?m?id|unnamed: \d+|#",
    re.IGNORECASE,
)
#: How columns are called that name systems, and that tell runs of one system apart.
_SYSTEM_NAMES = re.compile(
    r"(system|method|model|classifier|algorithm|matcher)s?([ _-]?(id|name)s?)?", re.IGNORECASE
)
_RUN_NAMES = re.compile(
    r"(run|fold|seed|repeat|repetition|replicate|replication|trial)s?([ _-]?(id|no\.?|nr|number))?",
    re.IGNORECASE,
)
#: A column whose scores lie so many times above all others is cautioned against.
_FAR_ABOVE = 1000


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """A table of scores: a row for each task or item, a column for each system.

    Parameters
    ----------
    names, places
        What each row is called, and where it stands, for messages.
    systems
        Names of the columns; ``NAME@1``, ``NAME@2`` are runs of one system.
    scores
        Rows × systems; NaN where a cell is empty.
    at_cells
        Rows × systems: where each score stands, for messages; its row, where it is missing.
    source
        The file; empty for a frame.
    clusters
        Cluster by row's name, as a column ``cluster`` of items states it.
    in_percent
        Whether all scores are written with ``%``.
    cautions
        Sentences on how the table was read.
    """

    names: tuple[str, ...]
    systems: tuple[str, ...]
    scores: Floats
    at_cells: np.typing.NDArray[np.object_]
    places: tuple[str, ...]
    source: str
    clusters: Mapping[str, str]
    in_percent: bool
    cautions: tuple[str, ...]


def read_table(
    data: object, kind: Literal["task", "item"], *, lower_is_better: bool = False
) -> ScoreRows:
    """Read a table of scores from a file or a frame, and check it.

    Parameters
    ----------
    data
        A CSV file, its cells separated by commas, semicolons or tabs, or what `read_sheet` read of
        it; or a frame of pandas, whatever `pandas.DataFrame` takes, or a frame of another library
        that has `to_pandas` or `to_dict`, as those of polars and Arrow. It has a row for each task
        and a column for each system; a row for each system and a column for each task (the first
        column is called ``system`` or alike); or a row for each score, with columns as ``task``,
        ``system``, ``score``. A column ``run``, ``fold`` or ``seed`` tells repeated rows apart:
        they are runs.
    kind
        What a row is.
    lower_is_better
        Whether the scores are known to be errors or times; else a name that says so is cautioned
        against.

    Raises
    ------
    EvaluationError
        If the table cannot be read, has no systems or rows, a row is too short or long, a name is
        empty or comes twice, a cell is no finite number, columns are measures, the first column
        holds scores, or a row sums up others; the message names the line.

    Examples
    --------
    >>> table = read_table({"a": {"t1": 0.5, "t2": 0.25}}, "task")
    >>> table.names, table.systems, table.scores.tolist()
    (('t1', 't2'), ('a',), [[0.5], [0.25]])
    """
    sheet = score_sheet(data)
    source, at = sheet.source, sheet.at
    if len(sheet.header) < 2:
        raise EvaluationError(
            f"{at}the header has one column: it must name a column for the {kind}s and the "
            "systems, separated by commas, semicolons or tabs"
        )
    if not sheet.rows:
        raise EvaluationError(f"{source or 'the table'}: there is no {kind} below the header")
    for where, cells in sheet.rows:
        if len(cells) != len(sheet.header):
            raise EvaluationError(
                f"{where}: {len(cells)} cells where the header has {len(sheet.header)}: give one "
                "for each column"
            )
    sheet = sheet._replace(
        header=[*map(plain_name, sheet.header)],
        rows=[(where, [*map(plain_name, cells)]) for where, cells in sheet.rows],
    )
    clusters: MutableTexts = {}
    if kind == "item":
        sheet, clusters = _without_clusters(sheet)
    sheet, cautions = _without_spreads(sheet)
    places = _long_form_places(sheet)
    left_out = set(places or ())
    if places is None:
        if names_systems(sheet.header[0]):
            sheet = _turned(sheet, kind)
        check_names("system", sheet.header[1:], at)
        check_measures(sheet.header[1:], kind, at)
        if _holds_scores(sheet):
            raise EvaluationError(
                f"{at}the first column, {sheet.header[0]!r}, holds numbers where the {kind}s' "
                f"names stand: put a column of names before it, or call it {kind!r} if these are "
                "the names"
            )
        left_out, described = _descriptions(sheet)
        cautions += described
    records = list(_records(sheet, places, left_out))
    if not records:
        raise EvaluationError(f"{at}no column holds the scores of a system: add one for each")
    table = _pivoted(records, kind, source)
    check_measures(table.systems, kind, at)
    if len(table.systems) > MOST_SYSTEMS:
        raise EvaluationError(
            f"{at}{len(table.systems):,} systems cannot be compared in pairs, at most "
            f"{MOST_SYSTEMS:,} can: is the table turned? Its columns are the systems"
        )
    cautions += check_summaries(kind, table.names, table.scores, table.places)
    if kind == "task":
        check_summaries("system", table.systems, table.scores.T, [at] * len(table.systems))
    check_scales(kind, table.systems, table.scores, at, lower_is_better=lower_is_better)
    if not lower_is_better:
        refuse_ranks(kind, table.scores, at)
    words = [*table.systems, sheet.header[places[2]] if places else "", Path(source).stem]
    if not lower_is_better and (cost := next(filter(_COSTS.search, words), "")):
        text = f"larger scores count as better; {cost!r} sounds as if lower ones were: if so, add "
        cautions.append(Message(text, Argument("lower_is_better", True)))
    return replace(table, clusters=clusters, cautions=(*cautions, *_far_above(table)))


def score_sheet(data: object) -> Sheet:
    """Return the titles and rows of a file or a frame; both of one table are the same.

    Parameters
    ----------
    data
        As `read_table` takes it. The index of a frame names the rows, but not in long form
        (`long_form`); where it only counts them, the first column may. A missing value is an empty
        cell.

    Examples
    --------
    >>> score_sheet({"a": {"t1": 0.5, "t2": None}}).rows
    [('row 1', ['t1', '0.5']), ('row 2', ['t2', ''])]
    """
    if isinstance(data, Sheet):
        return data
    if isinstance(data, str | os.PathLike):
        return read_sheet(data)
    table = as_pandas(data)
    header = [_cell(name) for name in table.columns]
    missing = table.isna().to_numpy().tolist()
    lines = [
        ["" if absent else _cell(value) for value, absent in zip(row, gaps, strict=True)]
        for row, gaps in zip(table.to_numpy(object).tolist(), missing, strict=True)
    ]
    if not _holds_names(table, header, lines):
        absent = table.index.isna().tolist()
        index = zip(table.index, absent, strict=True)
        names = ["" if gap else _cell(name) for name, gap in index]
        header = ["" if table.index.name is None else str(table.index.name), *header]
        lines = [[name, *line] for name, line in zip(names, lines, strict=True)]
    return Sheet("", "", header, [(f"row {k}", line) for k, line in enumerate(lines, 1)])


def _holds_names(table: Frame, header: Sequence[str], lines: Sequence[Sequence[str]]) -> bool:
    """Tell whether a column of a frame names the rows, not the index."""
    if (form := long_form(header, lines)) and len(form[-1]) == 1:
        return True
    # an index that only counts the rows may stand beside a column of their names
    counted = table.index.name is None and table.index.dtype.kind in "iu"
    if not counted or not header:
        return False
    return names_rows(header[0]) or not _are_numbers(line[0] for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, bytes):
        raise EvaluationError(f"{value!r} is no string: turn it into one first")
    if isinstance(value, bool):
        return str(int(value))
    return str(value)


def _are_numbers(cells: Iterable[str]) -> bool:
    try:
        return all(math.isfinite(float(cell or 0)) for cell in cells)
    except ValueError:
        return False


def names_rows(column: str) -> bool:
    """Tell whether a column is called as one that names the rows of a table of scores.

    Examples
    --------
    >>> [names_rows(name) for name in ("dataset", "item_id", "Unnamed: 0", "", "AML")]
    [True, True, True, True, False]
    """
    return bool(_ROW_NAMES.fullmatch(column))


def names_systems(column: str) -> bool:
    """Tell whether a column is called as one of systems' names, such as ``classifier``."""
    return bool(_SYSTEM_NAMES.fullmatch(column))


def names_runs(column: str) -> bool:
    """Tell whether a column is called as one that tells runs apart, such as ``fold``."""
    return bool(_RUN_NAMES.fullmatch(column))


def long_form(
    header: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[int, int, list[int]] | None:
    """Return the places of a row's name, the system and the scores; None for another layout.

    The score is in the column ``score``, or in the only one that is left; several that are left are
    measures, or systems of another layout.

    Examples
    --------
    >>> long_form(["dataset_name", "classifier_name", "accuracy"], [["iris", "svm", "0.9"]])
    (0, 1, [2])
    """
    places = range(len(header))
    systems = [k for k in places if names_systems(header[k])]
    titled = [k for k in places if names_rows(header[k]) and not names_runs(header[k])]
    titled = [k for k in titled if header[k] and not header[k].lower().startswith("unnamed")]
    titled = [k for k in titled if header[k].lower() in ("item", "task")] or titled
    if len(systems) != 1 or not titled or (rows and _are_numbers(row[systems[0]] for row in rows)):
        return None
    rest = [k for k in places if k not in systems and not names_rows(header[k])]
    scores = [k for k in rest if header[k].lower() == "score"]
    scores = scores or [k for k in rest if not names_runs(header[k]) and header[k] != "cluster"]
    return titled[0], systems[0], scores


def _without_clusters(sheet: Sheet) -> tuple[Sheet, MutableTexts]:
    """Take the column ``cluster`` out of a table of items; return it by item."""
    columns = [k for k, name in enumerate(sheet.header) if k and name.lower() == "cluster"]
    check_names("column", ["cluster"] * len(columns), sheet.at)
    if not columns:
        return sheet, {}
    clusters: MutableTexts = {}
    item_column, *_ = long_form(sheet.header, sheet.cells) or (0,)
    for where, cells in sheet.rows:
        item, cluster = cells[item_column], cells[columns[0]]
        if cluster and clusters.setdefault(item, cluster) != cluster:
            raise EvaluationError(f"{where}: {item!r} is in two clusters")
    left = [k for k in range(len(sheet.header)) if k not in columns]
    rows = [(where, [cells[k] for k in left]) for where, cells in sheet.rows]
    return sheet._replace(header=[sheet.header[k] for k in left], rows=rows), clusters


def _turned(sheet: Sheet, kind: str) -> Sheet:
    """Turn a table whose rows are systems: its columns become rows of this kind."""
    check_measures(sheet.header[1:], kind, sheet.at)
    (_, *names), (systems, *columns) = sheet.header, zip(*sheet.cells, strict=True)
    rows: list[Row] = [
        (f"{sheet.at}column {name!r}", [name, *cells])
        for name, cells in zip(names, columns, strict=True)
    ]
    return sheet._replace(header=[kind, *systems], rows=rows)


def _without_spreads(sheet: Sheet) -> tuple[Sheet, list[str]]:
    """Return a table with the mean alone where a cell holds its spread, too."""
    number = 0
    means: list[Row] = []
    for where, (name, *cells) in sheet.rows:
        matches = [_WITH_SPREAD.fullmatch(cell) for cell in cells]
        number += sum(match is not None for match in matches)
        scores = [match[1] if match else cell for match, cell in zip(matches, cells, strict=True)]
        means.append((where, [name, *scores]))
    if not number:
        return sheet, []
    return sheet._replace(rows=means), [
        f"{number} cells hold a mean with its spread: the spread is not used."
    ]


def _long_form_places(sheet: Sheet) -> tuple[int, int, int] | None:
    """Return the places of name, system and score; None where systems are rows or columns.

    Raises
    ------
    EvaluationError
        If there are several columns of scores, and a system has several rows.
    """
    name, system, measures = long_form(sheet.header, sheet.cells) or (0, 0, [])
    if len(measures) == 1:
        return name, system, measures[0]
    if measures and len({cells[system] for cells in sheet.cells}) < len(sheet.rows):
        titles = listed((repr(sheet.header[k]) for k in measures), "and")
        raise EvaluationError(
            f"{sheet.at}the long form with {len(measures)} measures, {titles}: keep the column of "
            "one"
        )
    return None


def _descriptions(sheet: Sheet) -> tuple[set[int], list[str]]:
    """Return the columns that describe rows or scores, such as ``n_instances`` and ``A_std``.

    Raises
    ------
    EvaluationError
        If a column holds text.
    """
    header, described, cautions = sheet.header, set[int](), []
    for k, name in enumerate(header[1:], 1):
        cells = [cells[k] for cells in sheet.cells if cells[k] not in NO_RESULT]
        holds = ""
        if _COUNTS.fullmatch(name) or (
            _NUMBERS_OF.fullmatch(name) and all(map(str.isdigit, cells))
        ):
            holds = "describes the rows"
        elif _is_spread(name, [*header[1:k], *header[k + 1 :]]):
            holds = "holds how scores scatter"
        elif len(cells) > 1 and not names_runs(name) and not any(map(_holds_digit, cells)):
            raise EvaluationError(f"{sheet.at}column {name!r} holds text, no scores: leave it out")
        if holds:
            described.add(k)
            cautions.append(f"column {name!r} {holds}, and is no system: left out.")
    return described, cautions


def _is_spread(name: str, other_columns: Sequence[str]) -> bool:
    """Tell whether a column is called as a deviation: by itself, or of another column.

    Examples
    --------
    >>> _is_spread("svm_std", ["svm_f1"]), _is_spread("std", ["svm"]), _is_spread("SD-net", ["svm"])
    (True, True, False)
    """
    words = _plain(name)
    system = " ".join(_SPREAD.sub(" ", words).split())
    if not _SPREAD.search(words):
        return False
    return not system or any(f" {system} " in f" {_plain(other)} " for other in other_columns)


def _holds_digit(cell: str) -> bool:
    return cell.lower() in _TRUTH or any(map(str.isdigit, cell))


#: One written score: its place, row, system, run and cell.
_Record = tuple[str, str, str, str, str]


def _records(
    sheet: Sheet, places: tuple[int, int, int] | None, left_out: set[int]
) -> Iterator[_Record]:
    """Yield every score of a table.

    Parameters
    ----------
    sheet
        The table.
    places
        The columns of a row's name, the system and the score; None where systems are columns.
    left_out
        Columns that are neither systems nor runs.
    """
    header = sheet.header
    columns = [k for k in range(1, len(header)) if k not in left_out]
    of_runs = [k for k in columns if names_runs(header[k])]
    systems = [k for k in columns if k not in of_runs]
    for where, cells in sheet.rows:
        run = " ".join(cells[k] for k in of_runs)
        if places is not None:
            name, system, score = (cells[k] for k in places)
            yield where, name, system, run, score
            continue
        for k in systems:
            yield where, cells[0], header[k], run, cells[k]


def _pivoted(records: Sequence[_Record], kind: str, source: str) -> ScoreRows:
    """Return the scores with a row for each name and a column for each run of each system."""
    *_, written = zip(*records, strict=True)
    is_in_percent = in_percent(written, source)
    decimal_comma = _has_decimal_commas(written, source)
    runs: dict[str, dict[str, int]] = {}
    for _, _, system, run, _ in records:
        runs.setdefault(system, {}).setdefault(run, len(runs[system]) + 1)
    columns: dict[str, int] = {}
    places: MutableTexts = {}
    values: dict[tuple[str, str], tuple[float, str]] = {}
    for where, name, written_system, run, cell in records:
        for role, text in ((kind, name), ("system", written_system)):
            if not text:
                raise EvaluationError(f"{where}: the {role} has no name")
        system = written_system
        if len(runs[system]) > 1:
            system += f"@{run if run.isdecimal() else runs[system][run]}"
        columns.setdefault(system, len(columns))
        if (name, system) in values:
            first = places[name].removeprefix(f"{source}, ")
            raise EvaluationError(
                f"{where}: {kind} {name!r} comes twice for {system!r} (first on {first}): rename "
                "one, or tell runs apart in a column 'run'"
            )
        places.setdefault(name, where)
        number = cell.replace(",", ".") if decimal_comma else cell
        values[name, system] = _number(number, f"{where}, column {written_system!r}", kind), where
    scores = np.full((len(places), len(columns)), np.nan)
    at_cells = np.full(scores.shape, "", dtype=object)
    at_cells.T[:] = list(places.values())
    row_of = {name: row for row, name in enumerate(places)}
    for (name, system), (value, where) in values.items():
        scores[row_of[name], columns[system]] = value
        at_cells[row_of[name], columns[system]] = where
    at_rows = tuple(f"{where}: " for where in places.values())
    return ScoreRows(
        names=tuple(places),
        systems=tuple(columns),
        scores=scores,
        at_cells=at_cells,
        places=at_rows,
        source=source,
        clusters={},
        in_percent=is_in_percent,
        cautions=(),
    )


def _number(cell: str, where: str, kind: str) -> float:
    """Return a cell's number; NaN where it is empty."""
    if cell in NO_RESULT:
        return math.nan
    try:
        value = float(_TRUTH.get(cell.lower(), cell.removesuffix("%")))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        advice = "write 0 where nothing was answered"
        if kind == "task":
            advice = "leave the cell empty if there is no result"
        raise EvaluationError(f"{where}: {cell!r} is not a finite number ({advice})")
    return value


def in_percent(cells: Sequence[str], source: str) -> bool:
    """Return whether all scores are written with %.

    Raises
    ------
    EvaluationError
        If some are, and others are not.
    """
    filled = [cell for cell in cells if cell not in NO_RESULT]
    signs = sum(cell.endswith("%") for cell in filled)
    if 0 < signs < len(filled):
        raise EvaluationError(
            f"{source or 'the table'}: {signs} of {len(filled)} scores are written with %: write "
            "all of them so, or none"
        )
    return signs > 0


def _has_decimal_commas(cells: Sequence[str], source: str) -> bool:
    """Return whether numbers have decimal commas; refuse ambiguous commas."""
    numbers = [cell.removesuffix("%").strip() for cell in cells]
    commas = [number for number in numbers if _DECIMAL_COMMA.fullmatch(number)]
    points = next((number for number in numbers if "." in number), "")
    if not commas:
        return False
    if points or all(map(_THOUSANDS.fullmatch, commas)):
        beside = f" beside {points!r}" if points else ""
        raise EvaluationError(
            f"{source or 'the table'}: in {commas[0]!r}{beside} the comma may stand for a decimal "
            "point or for thousands: write numbers with decimal points only"
        )
    return True


def _far_above(table: ScoreRows) -> Iterator[str]:
    """Name a column whose every score lies far above all other columns."""
    sizes = np.abs(table.scores)
    if sizes.shape[1] < 3 or np.isnan(sizes).all(axis=0).any():
        return
    smallest, largest = np.nanmin(sizes, axis=0), np.nanmax(sizes, axis=0)
    for k, system in enumerate(table.systems):
        if smallest[k] > _FAR_ABOVE * np.delete(largest, k).max() > 0:
            yield (
                f"every score of {system!r} is more than {_FAR_ABOVE:,} times as large as all "
                "others: is it a system?"
            )


def check_scales(
    kind: str,
    systems: Sequence[str],
    scores: Floats,
    at: str = "",
    *,
    lower_is_better: bool = False,
) -> None:
    """Refuse columns on another scale than that of the other scores of tasks.

    The others lie in [0, 1] or [0, 100], not all of them whole. Whole numbers above count something
    or are years. Numbers with decimals may be times or percentages: most lie above, and one ten
    times as high. Errors of a bad system may be so large, too: they are not refused.

    Examples
    --------
    >>> scores = np.array([[0.5, 1999], [0.7, 2003], [0.6, 2001]])
    >>> check_scales("task", ["a", "year"], scores)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: column 'year' holds whole numbers from 1999 ...
    """
    if kind != "task" or len(scores) < 3:
        return
    whole = np.array([_are_whole(column) for column in scores.T])
    may_be_errors = lower_is_better or np.nanmin(scores, initial=0) < 0
    for top in (1, 100):
        on_scale = np.nanmax(scores, axis=0, initial=0) <= top
        if whole[on_scale].all():  # none, or their scale is not known
            continue
        for k in np.flatnonzero(~on_scale).tolist():
            low, high = np.nanmin(scores[:, k]), np.nanmax(scores[:, k])
            beside = scores[np.isfinite(scores[:, on_scale]).any(axis=1), k]
            beside = beside[np.isfinite(beside)]
            is_far_above = len(beside) > 2 and np.median(beside) > top and beside.max() > 10 * top
            if whole[k] or (is_far_above and not may_be_errors):
                numbers = "whole numbers" if whole[k] else "numbers"
                raise EvaluationError(
                    f"{at}column {systems[k]!r} holds {numbers} from {low:g} to {high:g}, and "
                    f"others scores in [0, {top}]: leave it out if it is no system, else write all "
                    "on one scale"
                )


def _are_whole(column: Floats) -> bool:
    values = column[np.isfinite(column)]
    return bool(len(values) and (values == np.rint(values)).all())


def refuse_ranks(kind: str, scores: Floats, at: str = "") -> None:
    """Refuse rows that are all ranks of the systems: of them lower is better.

    They are 1 to k in some order, equal ones with their mean rank; or mean ranks, with decimals,
    which lie in [1, k] and sum to k(k + 1)/2. Rows of equal values alone order nothing.

    Examples
    --------
    >>> refuse_ranks("task", np.array([[2, 1, 3], [1, 2, 3], [1, 2.5, 2.5]]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: every row holds ranks of the 3 systems (they sum to ...
    """
    rows = scores[np.isfinite(scores).all(axis=1)]
    k = scores.shape[1]
    if k < 2 or len(rows) < 3 or rows.min() < 1 or rows.max() > k:
        return
    if (rows == rows[:, :1]).all():
        return
    if _are_whole(rows):
        are_ranks = rows == scipy.stats.rankdata(rows, axis=1)
    else:
        rounding = 0.0 if _are_whole(2 * rows) else _last_digit(rows) * k / 2
        are_ranks = abs(rows.sum(axis=1) - k * (k + 1) / 2) <= rounding + 1e-9
    if not are_ranks.all():
        return
    advice = (
        f"add {Argument('lower_is_better', True)}"
        if kind == "task"
        else f"subtract them from {k + 1}"
    )
    raise EvaluationError(
        f"{at}every row holds ranks of the {k} systems (they sum to {k * (k + 1) / 2:g}), of which "
        f"lower is better: {advice}"
    )


def check_names(kind: str, names: Sequence[str], at: str = "") -> None:
    """Refuse names that are empty or come twice."""
    earlier: set[str] = set()
    for i, name in enumerate(names):
        if not name:
            raise EvaluationError(f"{at}{kind} number {i + 1} has no name")
        if name in earlier:
            raise EvaluationError(f"{at}{kind} {name!r} comes twice: rename one")
        earlier.add(name)


def check_measures(systems: Sequence[str], kind: str, at: str = "") -> None:
    """Refuse systems that are called as different measures of one system are.

    A single letter, as P, is a system's name unless every system is called as a measure.
    """
    measures = [_measure(name) for name in systems]
    spelled = {name: _MEASURES[_plain(name)] for name in systems if _plain(name) in _MEASURES}
    if not all(measures):
        measures = [measure for name, measure in spelled.items() if len(name) > 1]
    if len(set(measures)) > 1:
        listed = ", ".join(map(repr, [*(spelled or systems)][:6]))
        raise EvaluationError(
            f"{at}columns {listed} are measures, no systems: give each system a column with its "
            f"value in one measure, such as F1, on every {kind}"
        )


def measure_called(name: str) -> str:
    """Return the measure that a column is the abbreviation or name of; '' for no measure.

    Examples
    --------
    >>> measure_called("TP"), measure_called("Rec."), measure_called("LogMap")
    ('true positives', 'recall', '')

    The OAEI's recall of what is not trivial is another measure than recall:

    >>> measure_called("Recall+")
    ''
    """
    return _MEASURES.get(_plain(name), "")


def _plain(name: str) -> str:
    """Return a name in lower case, its words with spaces between."""
    return " ".join(re.split(r"(?:[^\w+]|_)+", name.casefold())).strip()


def _measure(name: str) -> str:
    """Return the measure that a column is called after, as ``F1`` or ``LogMap recall``."""
    *_, last = _plain(name).split() or [""]
    return _MEASURES.get(_plain(name)) or (_MEASURES.get(last, "") if len(last) > 1 else "")


def _holds_scores(sheet: Sheet) -> bool:
    """Tell whether the first column is one more system's, in a table without rows' names.

    Numbers that name rows are whole and differ: numbers of data sets or questions, years. Where all
    scores are whole, too, they are a running number, or larger than right (1) and wrong (0).
    """
    try:
        numbers = [float(cells[0]) for cells in sheet.cells if cells[0] not in NO_RESULT]
    except ValueError:
        return False
    if names_rows(sheet.header[0]) or not numbers:
        return False
    if len(set(numbers)) < len(numbers) or not all(number.is_integer() for number in numbers):
        return True
    scores = {cell for cells in sheet.cells for cell in cells[1:]}
    if not all(re.fullmatch(r"-?\d*", score) for score in scores):
        return False
    running = bool((np.diff(numbers) == 1).all())
    return not running and not (scores <= {"0", "1"} and max(numbers) > 1)


def check_summaries(
    kind: str, names: Sequence[str], scores: Floats, places: Sequence[str]
) -> list[str]:
    """Refuse rows that hold means, medians, sums or ranks of the rows above.

    Parameters
    ----------
    kind
        What a row is: ``task``, ``item``.
    names
        Of the rows.
    scores
        Rows × systems; NaN where there is none.
    places
        Where each row stands, for messages.

    Returns
    -------
    list of str
        A caution on the last rows where they are only called so.

    Examples
    --------
    >>> scores = np.array([[0.1, 0.4], [0.2, 0.6], [0.15, 0.5]])
    >>> names = ["t1", "t2", "mean"]
    >>> check_summaries("task", names, scores, ["", "", "line 4: "])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: line 4: 'mean' holds the means of the tasks: ...
    >>> scores[2] = 0.9
    >>> check_summaries("task", ["t1", "t2", "sum rule"], scores, [""] * 3)  # doctest: +ELLIPSIS
    ["'sum rule' counts as one of the tasks, but is called like a summary of them: ..."]
    """
    called = np.array([bool(_SUMMARY.search(_plain(name))) for name in names], dtype=bool)
    cautions: list[str] = []
    if not called.any() or called.all():
        return cautions
    digit, start = _last_digit(scores[~called]), 0
    for k in np.flatnonzero(called)[-_MOST:].tolist():
        tasks_above = not called[:k].all()
        above = scores[:k][~called[:k]] if tasks_above else scores[~called]
        block = scores[start:k] if start else above[:0]  # of several blocks, each has a summary
        statistics = (_statistics(scores[k], rows, digit) for rows in (above, block))
        statistic = next(chain.from_iterable(statistics), "")
        # right (1) and wrong (0) answers of one item are often the medians of all, by chance
        is_like_another = bool((above == scores[k]).all(axis=1).any())
        if statistic and not is_like_another:
            raise EvaluationError(
                f"{places[k]}{names[k]!r} holds the {statistic} of the {kind}s: leave it out"
            )
        start = k + 1
        if tasks_above and called[k:].all():  # below all others, where a summary stands
            cautions.append(
                f"{names[k]!r} counts as one of the {kind}s, but is called like a summary of them: "
                "leave it out if it is one."
            )
    return cautions


def _statistics(row: Floats, rows: Floats, of_others: float) -> Iterator[str]:
    """Yield the statistics of other rows that a row holds, within rounding."""
    rows = rows[np.isfinite(rows).all(axis=1)]
    n = len(rows)
    if n < 2 or not np.isfinite(row).all():
        return
    digit, span = _last_digit(row), np.ptp(rows, axis=0)
    of_others *= of_others < 1  # whole scores are not rounded
    for name, values, times in (
        ("means", rows.mean(axis=0), 1),
        ("medians", np.median(rows, axis=0), 1),
        ("sums", rows.sum(axis=0), n),
        ("standard deviations", rows.std(axis=0, ddof=1), 1),
        ("standard deviations", rows.std(axis=0), 1),
    ):
        rounding = np.minimum((digit + times * of_others) / 2, _COARSEST * times * span)
        if (abs(row - values) <= rounding + 1e-9 * abs(values)).all():
            yield name
    rounding = digit / 2 * (digit < 1) + 1e-9
    for sign in (-1, 1):  # the highest score has rank 1, or the lowest
        mean_ranks = scipy.stats.rankdata(sign * rows, axis=1).mean(axis=0)
        ranks_of_means = scipy.stats.rankdata(sign * rows.mean(axis=0))
        if any((abs(row - ranks) <= rounding).all() for ranks in (mean_ranks, ranks_of_means)):
            yield "ranks"


def _last_digit(values: Floats) -> float:
    """Return the size of the last digit that values are written with: 0.01 of 0.5 and 0.25."""
    broken = [value for value in values[np.isfinite(values)].tolist() if not value.is_integer()]
    digits = [-int(Decimal(repr(value)).as_tuple().exponent) for value in broken]
    return float(10.0 ** -max(digits, default=0))
