"""Systems with published totals only: TP, FP and FN, or precision and recall.

Totals do not tell on which correspondences two systems agree. They do tell b − c, and they bound
b + c, so that McNemar's p-value lies in an interval. Often its upper end is small enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from itertools import combinations
from math import ceil, floor

import numpy as np

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.files import FilePath, JsonObject
from alignrank.common.names import count, first_of, percent
from alignrank.common.results import version
from alignrank.common.table import Frame, Row, Sheet, Tabular, frame
from alignrank.evaluation.corrections.adjusting import CORRECTIONS, adjust_pairs
from alignrank.evaluation.ranking import assumption
from alignrank.evaluation.significance.mcnemar import TESTS, Floats, Ints, counts, mcnemar

from .contingency import VIEWS
from .settings import AnalysisSettings, place_of
from .table_checks import check_names, in_percent, measure_called, score_sheet

#: Titles of the column with the size of the reference.
_SIZES = ("n", "items", "reference")
#: The measures that are read, each of one column.
_READ = ("true positives", "false positives", "false negatives", "recall")

SIGNIFICANT = "significant"
NOT_SIGNIFICANT = "not significant"
DEPENDS = "it depends"


@dataclass(frozen=True)
class SystemTotals:
    """Totals of systems beside one reference.

    Parameters
    ----------
    items
        Size of the reference.
    correct
        Per system: the smallest and the largest number of correct correspondences.
    wrong
        Per system: the number of wrong correspondences; None where it is not known.
    """

    items: int
    correct: Mapping[str, tuple[int, int]]
    wrong: Mapping[str, int] | None = None


@dataclass(frozen=True)
class PairBounds:
    """Bounds of McNemar's test between two systems by their totals.

    Parameters
    ----------
    view
        ``ifp`` (per correspondence of the reference) or ``cfp`` (wrong ones count, too).
    better, worse
        The systems; where the totals leave the order open, as the table names them.
    difference
        Smallest and largest b − c.
    z
        Smallest and largest |b − c| / √(b + c).
    p
        Smallest and largest p-value over all possible overlaps.
    adjusted_p
        The same, adjusted for all pairs.
    whatever_the_overlap
        ``significant``, ``not significant`` or ``it depends``.
    """

    view: str
    better: str
    worse: str
    difference: tuple[int, int]
    z: tuple[float, float]
    p: tuple[float, float]
    adjusted_p: tuple[float, float]
    whatever_the_overlap: str

    @property
    def order(self) -> tuple[str, str]:
        """Which system is ahead and which behind; both in both places where that is open."""
        if self.difference[0] > 0:
            return self.better, self.worse
        return f"{self.better} or {self.worse}", f"{self.worse} or {self.better}"


@dataclass(frozen=True)
class TotalsComparison(Tabular):
    """The bounds of every pair, by the settings that decided."""

    systems: tuple[str, ...]
    settings: AnalysisSettings
    pairs: tuple[PairBounds, ...]

    def answer(self) -> list[str]:
        """Return the verdict in sentences: of a single pair by name, else as counts of pairs."""
        view = self.pairs[0].view
        deciding = [pair for pair in self.pairs if pair.view == view]
        if len(deciding) == 1:
            return [_answer_of_pair(deciding[0]), assumption("correspondences")]
        clauses = []
        for verdict, (clause, sign) in _CLAUSES.items():
            pairs = [
                f"{pair.better} {sign} {pair.worse}"
                for pair in deciding
                if pair.whatever_the_overlap == verdict
            ]
            if pairs:
                number = f"{len(pairs)} of {len(deciding)} pairs"
                clauses.append(f"{clause.format(number)} ({first_of(pairs, 3)})")
        verdicts = f"In {VIEWS[view].counted} ({view}) {'; '.join(clauses)}."
        return [verdicts, assumption("correspondences")]

    def method(self, table: str) -> str:
        """Say in one line how the verdicts were reached."""
        settings, views = self.settings, len({pair.view for pair in self.pairs})
        correction = CORRECTIONS[settings.correction or ""].title
        pairs = count(len(self.pairs) // views, "pair")
        return (
            f"{len(self.systems)} systems by the totals in {table}; McNemar's {settings.test} test "
            "for every overlap that the totals allow, assuming independent correspondences; "
            f"{correction} correction in each view, {pairs}, {percent(settings.alpha)}"
        )

    def to_dict(self) -> JsonObject:
        """Return the content that ``--json`` prints."""
        pairs = [asdict(pair) for pair in self.pairs]
        return {"answer": " ".join(self.answer()), "pairs": pairs, "version": version()}

    def to_frame(self) -> Frame:
        """Return one row per pair and view, with the ends of each interval as columns."""
        rows = []
        for pair in self.pairs:
            row: JsonObject = {}
            for name, value in vars(pair).items():
                if isinstance(value, tuple):
                    row |= {f"{name}_min": value[0], f"{name}_max": value[1]}
                else:
                    row[name] = value
            rows.append(row)
        return frame(rows)


#: By verdict: what is said of so many pairs, and what stands between the systems of each.
_CLAUSES = {
    SIGNIFICANT: ("the difference is significant for {}, whatever the overlap of answers", ">"),
    NOT_SIGNIFICANT: (
        "the difference is not significant for {}, whatever the overlap of answers",
        "and",
    ),
    DEPENDS: ("significance depends on the overlap for {}", "and"),
}


def _answer_of_pair(pair: PairBounds) -> str:
    verdict = {
        SIGNIFICANT: f"{pair.better} is significantly better than {pair.worse}, whatever the "
        "overlap of their answers",
        NOT_SIGNIFICANT: f"{pair.better} and {pair.worse} do not differ significantly, whatever "
        "the overlap of their answers",
        DEPENDS: f"Whether {pair.better} and {pair.worse} differ significantly depends on the "
        "overlap of their answers",
    }[pair.whatever_the_overlap]
    return f"{verdict}."


def has_totals(sheet: Sheet) -> bool:
    """Tell whether the columns of a table are measures: TP, or recall with another one or n."""
    columns = sheet.header[1:]
    measures = {measure_called(name) for name in columns} - {""}
    has_size = any(name.strip().casefold() in _SIZES for name in columns)
    has_recall = "recall" in measures and (len(measures) > 1 or has_size)
    return "true positives" in measures or has_recall


def read_totals(path: FilePath | Sheet, items: int | None = None) -> SystemTotals:
    """Read a table with a row per system and columns TP, FP, FN, or precision, recall and n.

    Parameters
    ----------
    path
        CSV, or what `read_sheet` read of it; the first column names the systems.
    items
        Size of the reference. None: TP + FN, or the column ``n``.

    Raises
    ------
    EvaluationError
        If the size of the reference is unknown, 0, or differs between rows, a cell is no such
        number, or a recall is that of no count; the message names the line. If two columns hold one
        measure.
    """
    sheet = score_sheet(path)
    path = sheet.source
    check_names("system", [cells[0] for cells in sheet.cells], f"{path}: ")
    titles = list(enumerate(sheet.header))[1:]
    columns: dict[str, int] = {}
    for k, title in titles:
        measure = measure_called(title)
        if measure in _READ and measure in columns:
            raise EvaluationError(
                f"{path}: columns {sheet.header[columns[measure]]!r} and {title!r} are both "
                f"{measure}: leave one out"
            )
        columns[measure] = k
    sizes = [k for k, name in titles if name.casefold() in _SIZES]
    correct: dict[str, tuple[int, int]] = {}
    wrong: dict[str, int] = {}
    recalls: list[Decimal] = []
    size, is_percent = items, False
    if "recall" in columns and "true positives" not in columns:
        column = columns["recall"]
        written = [cells[column] for cells in sheet.cells if column < len(cells)]
        plain = [(w, [cell.removesuffix("%").rstrip() for cell in row]) for w, row in sheet.rows]
        recalls = [_number(row, column) for row in plain]
        # percentages have a %, or one of them is above 1
        is_percent = in_percent(written, path) or any(recall > 1 for recall in recalls)
    for k, row in enumerate(sheet.rows):
        where, (system, *_) = row
        stated = items
        if "true positives" in columns:
            n_correct = _count(row, columns["true positives"])
            correct[system] = (n_correct, n_correct)
            if "false positives" in columns:
                wrong[system] = _count(row, columns["false positives"])
            if stated is None and "false negatives" in columns:
                stated = n_correct + _count(row, columns["false negatives"])
        if stated is None and sizes:
            stated = _count(row, sizes[0])
        if stated is None:
            raise EvaluationError(
                f"{path}: the size of the reference is missing: add a column FN or n (or "
                f"{Argument('items')})"
            )
        if stated < 1:
            raise EvaluationError(
                f"{where}: a reference has 1 correspondence or more, not {stated}: mend its size"
            )
        if size is not None and stated != size:
            raise EvaluationError(
                f"{where}: {stated} correspondences in the reference, {size} before: all systems "
                "need one reference"
            )
        size = stated
        if "true positives" not in columns:
            correct[system] = _correct_of_recall(recalls[k], 100 if is_percent else 1, size, where)
        elif n_correct > size:
            raise EvaluationError(
                f"{where}: TP {n_correct} exceeds the {size} correspondences of the reference: "
                "mend one of them"
            )
    if size is None:
        raise EvaluationError(f"{path}: no system: add a line for each")
    return SystemTotals(size, correct, wrong or None)


def _number(row: Row, column: int) -> Decimal:
    where, cells = row
    cell = cells[column] if column < len(cells) else ""
    try:
        value = Decimal(cell)
    except InvalidOperation:
        value = Decimal("nan")
    if not value.is_finite():
        raise EvaluationError(f"{where}: {cell!r} is no number: write one with a decimal point")
    if not 0 <= value < 2**52:
        raise EvaluationError(f"{where}: {value} must be 0 or more, and below 2^52")
    return value


def _count(row: Row, column: int) -> int:
    return int(counts(float(_number(row, column)), f"{row[0]}: cell {column + 1}"))


def _correct_of_recall(recall: Decimal, scale: int, items: int, where: str) -> tuple[int, int]:
    """Return the smallest and the largest TP whose recall is rounded to the published one.

    Examples
    --------
    >>> _correct_of_recall(Decimal("0.936"), 1, 1516, "")
    (1419, 1419)
    >>> _correct_of_recall(Decimal("94"), 100, 1516, "")
    (1418, 1432)
    """
    exponent = recall.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1)
    low = max(0, ceil((recall - half) * items / scale))
    high = min(items, floor((recall + half) * items / scale))
    if low > high:
        raise EvaluationError(
            f"{where}: no number of {items} correspondences has the recall {recall}: is n right?"
        )
    return low, high


def compare_totals(totals: SystemTotals, settings: AnalysisSettings) -> TotalsComparison:
    r"""Bound McNemar's test between systems by their totals.

    With :math:`d = TP_1 - TP_2` and the reference's size n,
    :math:`|d| \le b + c \le TP_1 + TP_2 - 2 \max(0, TP_1 + TP_2 - n)`. Wrong correspondences, which
    ``cfp`` counts, add between :math:`|FP_1 - FP_2|` and :math:`FP_1 + FP_2`.

    Parameters
    ----------
    totals
        Of two systems or more.
    settings
        Test, correction, level, focus and views (``ifp``, ``cfp``; None: all that can be computed).

    Returns
    -------
    TotalsComparison
        Per pair and view the smallest and largest p-value over all overlaps. A pair is significant
        whatever the overlap if its largest p-value is, adjusted with the largest of all pairs.

    Raises
    ------
    EvaluationError
        If a name is unknown, there are fewer than two systems, or a view needs wrong
        correspondences that are not known.

    Examples
    --------
    >>> totals = SystemTotals(1516, {"AML": (1419, 1419), "XMap": (1312, 1312)})
    >>> compared = compare_totals(totals, AnalysisSettings())
    >>> print(*compared.answer())  # doctest: +NORMALIZE_WHITESPACE
    AML is significantly better than XMap, whatever the overlap of their answers. The tests assume
    independent correspondences.
    >>> round(compared.pairs[0].z[0], 2)
    6.17
    """
    systems = tuple(totals.correct)
    decided = settings.resolved(systems, sorted(TESTS, key=lambda test: test != "mid-p"))
    views = decided.views or (("ifp",) if totals.wrong is None else ("ifp", "cfp"))
    if unusable := [view for view in views if view not in ("ifp", "cfp")]:
        raise EvaluationError(f"views: totals allow ifp and cfp, not {unusable[0]}: name these")
    if "cfp" in views and totals.wrong is None:
        raise EvaluationError("views: cfp needs the wrong correspondences: add a column FP")
    pairs = [pair for view in views for pair in _bounds(totals, view, decided)]
    return TotalsComparison(systems, decided, tuple(pairs))


def _bounds(totals: SystemTotals, view: str, settings: AnalysisSettings) -> list[PairBounds]:
    """Return the bounds of every pair in one view."""
    systems, test = list(totals.correct), settings.test or "mid-p"
    focus = place_of(settings.focus, systems)
    compared = [pair for pair in combinations(range(len(systems)), 2) if focus in (None, *pair)]
    extreme_p = np.ones((2, len(systems), len(systems)))
    tables: dict[tuple[int, int], tuple[Ints, Ints]] = {}
    for i, j in compared:
        only_first, only_second = _possible_tables(totals, view, systems[i], systems[j])
        p = mcnemar(only_first, only_second, test).p
        extreme_p[:, i, j] = extreme_p[:, j, i] = p.min(), p.max()
        tables[i, j] = only_first, only_second
    adjusted: list[Floats] = [
        adjust_pairs(end, settings.correction or "holm", alpha=settings.alpha, focus=focus).values
        for end in extreme_p
    ]
    bounds = []
    for (i, j), (only_first, only_second) in tables.items():
        low, high = (float(matrix[i, j]) for matrix in adjusted)
        verdict = DEPENDS
        if high <= settings.alpha:
            verdict = SIGNIFICANT
        elif low > settings.alpha:
            verdict = NOT_SIGNIFICANT
        gap, differing = only_first - only_second, only_first + only_second
        better, worse = systems[i], systems[j]
        if gap.sum() < 0:
            gap, better, worse = -gap, worse, better
        z = np.abs(gap) / np.sqrt(np.maximum(differing, 1))
        bounds.append(
            PairBounds(
                view,
                better,
                worse,
                (int(gap.min()), int(gap.max())),
                (float(z.min()), float(z.max())),
                (float(extreme_p[0, i, j]), float(extreme_p[1, i, j])),
                (low, high),
                verdict,
            )
        )
    return bounds


def _possible_tables(totals: SystemTotals, view: str, first: str, second: str) -> tuple[Ints, Ints]:
    """Return b and c of the tables in which p is smallest or largest, for all possible TP.

    For a fixed b − c, p increases with b + c; only where b = c = 0 it is 1.
    """
    (low1, high1), (low2, high2) = totals.correct[first], totals.correct[second]
    gap = np.arange(low1 - high2, high1 - low2 + 1)
    # b + c is largest where the sum of both TP is nearest to the reference's size
    nearest = (totals.items - gap) // 2
    correct2 = np.clip(nearest, np.maximum(low2, low1 - gap), np.minimum(high2, high1 - gap))
    both_correct = 2 * correct2 + gap
    fewest, largest_sum = np.abs(gap), both_correct - 2 * np.maximum(0, both_correct - totals.items)
    if view == "cfp" and totals.wrong is not None:
        wrong1, wrong2 = totals.wrong[first], totals.wrong[second]
        gap = gap - (wrong1 - wrong2)
        fewest, largest_sum = fewest + abs(wrong1 - wrong2), largest_sum + wrong1 + wrong2
    differing = np.stack([fewest, np.minimum(fewest + 2, largest_sum), largest_sum])
    return (differing + gap) // 2, (differing - gap) // 2
