"""What is refused in a table of scores: columns that are no systems, rows that are no tasks.

Tables of tasks (`alignrank.evaluation.multitask.score_table`) and of items (`answers`) are checked
alike, whether they come from a file or from a frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import chain

import numpy as np
import scipy
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError
from alignrank.common.table import names_rows

Floats = NDArray[np.float64]

#: A row of a table: where it stands, for messages, and its cells.
Row = tuple[str, Sequence[str]]

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

#: Cells that say that there is no result.
NO_RESULT = ("", "NA")

#: Names of rows that sum up others.
_SUMMARY = re.compile(
    r"\b(averages?|avg|means?|medians?|sums?|totals?|ranks?|ranking|overall|summary|std|stdev)\b",
    re.IGNORECASE,
)
#: By how much of a column's range a summary may miss, however coarsely it is rounded.
_COARSEST = 0.02
#: Among questions and other texts many are called so: only the last rows are looked at.
_MOST = 50


def check_names(kind: str, names: Sequence[str], at: str = "") -> None:
    """Refuse names that are empty or come twice."""
    for i, name in enumerate(names):
        if not name:
            raise EvaluationError(f"{at}{kind} number {i + 1} has no name")
        if name in names[:i]:
            raise EvaluationError(f"{at}{kind} {name!r} comes twice: rename one")


def check_columns(header: Sequence[str], rows: Sequence[Row], kind: str, at: str = "") -> None:
    """Refuse a table whose columns are not one of names and one for each system.

    Parameters
    ----------
    header
        Names of the columns, that of the rows' names first.
    rows
        The rows below it, with as many cells.
    kind
        What a row is: ``task``, ``item``.
    at
        Where the header stands, for messages.

    Raises
    ------
    EvaluationError
        If a system has no name or comes twice, the columns are measures, or the first column holds
        scores.

    Examples
    --------
    >>> check_columns(["task", "P", "R"], [], "task")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    alignrank.common.errors.EvaluationError: columns 'P', 'R' are measures, no systems: give each
    system a column with its value in one measure, such as F1, on every task
    """
    check_names("system", header[1:], at)
    check_measures(header[1:], kind, at)
    if _holds_scores(header[0], [cells for _, cells in rows]):
        raise EvaluationError(
            f"{at}the first column, {header[0]!r}, holds numbers where the {kind}s' names stand: "
            f"put a column of names before it, or call it {kind!r} if these are the names"
        )


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
    """
    return _MEASURES.get(_plain(name), "")


def _plain(name: str) -> str:
    """Return a name in lower case, its words with spaces between."""
    return " ".join(re.split(r"[\W_]+", name.casefold())).strip()


def _measure(name: str) -> str:
    """Return the measure that a column is called after, as ``F1`` or ``LogMap recall``."""
    *_, last = _plain(name).split() or [""]
    return _MEASURES.get(_plain(name)) or (_MEASURES.get(last, "") if len(last) > 1 else "")


def _holds_scores(name: str, rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first column is one more system's, in a table without rows' names.

    Numbers that name rows are whole and differ: numbers of data sets or questions, years. Where all
    scores are whole, too, they are a running number, or larger than right (1) and wrong (0).
    """
    try:
        numbers = [float(cells[0]) for cells in rows if cells[0] not in NO_RESULT]
    except ValueError:
        return False
    if names_rows(name) or not numbers:
        return False
    if len(set(numbers)) < len(numbers) or not all(number.is_integer() for number in numbers):
        return True
    scores = {cell for cells in rows for cell in cells[1:]}
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
    """Yield what a row is of others, within its rounding and theirs, to the digit `of_others`."""
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
