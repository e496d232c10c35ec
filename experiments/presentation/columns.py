"""The table of systems: each of its columns in one entry, from which all that is shown is laid out.

A further column is a function that returns a `Column`, or None where a result has no such values,
and its name in `OF_COMPARISON` or `OF_STUDY`: it then stands on the screen, on the page, in the
paper and in the files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Literal

from alignrank.common.names import count
from alignrank.common.table import ColumnKind
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.contingency import VIEWS, unit_of
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.significance.score_limits import Simultaneous

from .description import Result, description, intervals_of

#: The table that is printed in a paper is as wide as one column of it; its supplement has the rest.
Place = Literal["screen", "page", "paper", "supplement", "file"]
EVERYWHERE: tuple[Place, ...] = ("screen", "page", "paper", "supplement", "file")
#: What stands between two limits that have signs.
SIGNED = " to "
#: A value and its limits, NaN where there are none.
Interval = tuple[float, float, float]


def decimals(value: float | None, digits: int = 3) -> str:
    """Return a score with some decimals, a dash where it is undefined.

    Examples
    --------
    >>> decimals(0.5), decimals(None)
    ('0.500', '–')
    """
    if value is None or value != value:
        return "–"
    return f"{value:.{digits}f}"


def p_number(p: float) -> str:
    """Return a p-value for a table, or a bound where the number underflows.

    Examples
    --------
    >>> p_number(0.01234), p_number(0.0)
    ('0.0123', '<1e-300')
    """
    if p < 1e-300:
        return "<1e-300"
    return f"{p:.3g}"


def with_range(number: int, limits: tuple[int, int] | None) -> str:
    """Return a number with the range that it can have; without one where the range is a point.

    Examples
    --------
    >>> with_range(7, (5, 8)), with_range(7, (7, 7)), with_range(7, None)
    ('7 [5–8]', '7', '7')
    """
    if limits is None or limits[0] == limits[1]:
        return str(number)
    return f"{number} [{limits[0]}–{limits[1]}]"


@dataclass(frozen=True)
class Column:
    """A column of the table of systems.

    Parameters
    ----------
    name
        What files and layouts know it by; it never changes.
    heading, short
        What readers see; and where a table is narrow, if that is another.
    values
        By system, as they are: text, whole numbers, floats; nothing where a system has none.
    kind
        ``text`` or ``number``.
    direction
        1 where larger is better, −1 where less is; 0 where neither is, or it differs by task.
    limits
        By system the two ends of an interval or a range.
    cut
        Systems whose limit of 0 is not reached: the difference is more than 0, or less.
    has_own_limits
        Whether a value is never shown without its limits; else only where there is room below it.
    ends
        What the two limits are called in files.
    footnote
        What its values are, or a mark in them.
    show
        How one number is written.
    between
        What stands between two limits.
    places
        Where it is shown.
    is_tested
        Whether it is what the test compares: its footnote stands first.
    """

    name: str
    heading: str
    values: Mapping[str, object]
    kind: ColumnKind = "number"
    direction: int = 0
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    cut: Collection[str] = ()
    has_own_limits: bool = False
    ends: tuple[str, str] = ("low", "high")
    footnote: str = ""
    show: Callable[[float], str] = decimals
    between: str = "–"
    places: Collection[Place] = EVERYWHERE
    short: str = ""
    is_tested: bool = False

    def text(self, system: str) -> str:
        """Return a system's cell for readers, with its own limits where they differ."""
        value = self.values.get(system, "")
        if isinstance(value, float):
            value = self.show(value)
        elif value is None:
            value = "–"
        if not self.has_own_limits or not (limits := self.limits_text(system)):
            return str(value)
        return f"{value} [{limits}]"

    def limits_text(self, system: str) -> str:
        """Return a system's limits for readers; '' where there are none, or they are one number."""
        low, high = self.limits.get(system, (math.nan, math.nan))
        if math.isnan(low) or low == high:
            return ""
        if system in self.cut and low == 0:
            return f"more than 0, up to {self.show(high)}"
        if system in self.cut:
            return f"less than 0, down to {self.show(low)}"
        return f"{self.show(low)}{self.between}{self.show(high)}"

    def best(self) -> set[str]:
        """Return the systems with the best value; none where a column has no direction."""
        numbers = {
            name: self.direction * value
            for name, value in self.values.items()
            if isinstance(value, int | float) and not math.isnan(value)
        }
        if not self.direction or not numbers:
            return set()
        highest = max(numbers.values())
        return {name for name, value in numbers.items() if value == highest}


@singledispatch
def columns_of(result: Result, view: Pairwise) -> list[Column]:
    """Return the columns of a result that are known, as one of its views decides them."""
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@columns_of.register(Comparison)
def _of_comparison(result: Comparison, view: Pairwise) -> list[Column]:
    return [column for entry in OF_COMPARISON if (column := entry(result, view)) is not None]


@columns_of.register(Study)
def _of_study(result: Study, view: Pairwise) -> list[Column]:
    return [column for entry in OF_STUDY if (column := entry(result, view)) is not None]


def leading(result: Result, view: Pairwise) -> str:
    """Return the system whose differences from the others are shown: the focus, or the best."""
    return view.focus or rows_of(result, view)[0]


def rows_of(result: Result, view: Pairwise) -> Sequence[str]:
    """Return the systems in the order of the table, the best first."""
    if result.pool is not None:
        return result.pool.order(view.systems)
    return view.order


# ---- the entries


def _verdicts(result: Result, view: Pairwise) -> Column | None:
    focus = view.focus
    if focus is None or not view.is_tested:
        return None
    verdicts = {name: view.verdicts[focus, name] for name in view.systems if name != focus}
    for name in verdicts:
        if view.answers_alike([focus, name]):
            verdicts[name] = "the same"
    note = verdicts_note(view)
    if result.pool is not None:
        note = VERDICTS.format(focus, tested_quantity(view))
    return Column("verdict", f"{focus} is", verdicts, "text", footnote=note)


def _ranks(result: Result, view: Pairwise) -> Column | None:
    if view.focus is not None or result.pool is not None:
        return None
    places: tuple[Place, ...] = ("screen", "page", "file")
    note = " ".join(ranks_note(view))
    return Column("rank", "rank", view.ranks, footnote=note, places=places)


def _runs(result: Comparison, view: Pairwise) -> Column | None:
    if result.runs is None:
        return None
    runs = dict(zip(result.runs.systems, result.runs.runs, strict=True))
    note = "runs: each value is the mean of so many."
    return Column("runs", "runs", runs, footnote=note)


def _mean(result: Study, view: Pairwise) -> Column | None:
    table = result.table
    # of tasks with different directions the mean has none
    direction = {0: 1, len(table.tasks): -1}.get(len(table.lower_is_better), 0)
    return Column(
        "mean",
        table.mean_title,
        table.means,
        direction=direction,
        places=_of_scores(view),
        short=f"mean {table.measure}",
        is_tested=True,
    )


def _tested(result: Comparison, view: Pairwise) -> Column | None:
    """Return the values that the test compares."""
    if view.values is None or result.pool is not None:
        return None
    direction, note = -1 if view.less_is_better else 1, ""
    if view.quantity == "right":
        note = meaning_of_right(view)
    return Column(
        view.quantity,
        view.quantity,
        view.values,
        direction=direction,
        limits=_limits(result, view.quantity),
        footnote=note,
        places=_of_scores(view),
        is_tested=True,
    )


def _of_scores(view: Pairwise) -> Sequence[Place]:
    """Return where scores are shown; with a focus the screen has differences in their place."""
    if view.focus is None:
        return EVERYWHERE
    return [place for place in EVERYWHERE if place != "screen"]


def _mean_ranks(result: Study, view: Pairwise) -> Column | None:
    note = "mean rank: over the tasks, 1 is best."
    return Column(
        "mean_rank",
        "mean rank",
        result.mean_ranks,
        direction=-1,
        footnote=note,
        places=_of_scores(view),
    )


#: Headings of the rates, by what they are of.
_RATES = {"f1": "F1", "precision": "precision", "recall": "recall"}
_SHORT = {"precision": "P", "recall": "R"}
POOL_RATES = {"f1": "F1 in the pool", "precision": "precision", "recall": "recall in the pool"}


def _rate(name: str) -> Callable[[Comparison, Pairwise], Column | None]:
    """Return the entry of precision, recall or F1."""

    def entry(result: Comparison, view: Pairwise) -> Column | None:
        if result.pool is not None:
            return of_pool(result.pool, result.systems, name)
        if not result.scores or view.quantity == name:
            return None
        values = {system: getattr(scores, name) for system, scores in result.scores.items()}
        limits, narrow = _limits(result, name), _SHORT.get(name, "")
        return Column(
            name,
            _RATES[name],
            values,
            direction=1,
            limits=limits,
            short=narrow,
            places=_of_scores(view),
        )

    return entry


def _limits(result: Comparison, name: str) -> dict[str, tuple[float, float]]:
    """Return the limits of each system's interval of a rate; empty where none are known."""
    return {s: of[name] for s, of in result.intervals.items() if name in of}


def of_pool(estimate: PoolEstimate, systems: Sequence[str], name: str) -> Column:
    """Return a measure of judged systems in the pool, with its limits."""
    measure = estimate.measures[name]
    values = dict(zip(systems, measure.value.tolist(), strict=True))
    ends = zip(measure.low.tolist(), measure.high.tolist(), strict=True)
    return Column(
        name,
        POOL_RATES.get(name, name),
        values,
        direction=1,
        limits=dict(zip(systems, ends, strict=True)),
        has_own_limits=True,
        show="{:.0f}".format if name == "correct" else decimals,
    )


def _found(result: Comparison, view: Pairwise) -> Column | None:
    if not result.scores or result.pool is not None:
        return None
    found = {name: scores.found for name, scores in result.scores.items()}
    return Column("found", "found", found, places=("page", "file"))


def _correct(result: Comparison, view: Pairwise) -> Column | None:
    if result.pool is not None:
        return of_pool(result.pool, result.systems, "correct")
    if not result.scores:
        return None
    counted = {name: scores.correct for name, scores in result.scores.items()}
    ranges = result.correct_range
    heading = "correct"
    if any(low < high for low, high in ranges.values()):
        heading = "correct [ties]"
    places: list[Place] = ["page", "file"]
    if ranges and view.focus is None:
        places.append("screen")
    return Column(
        "correct",
        heading,
        counted,
        limits=ranges,
        has_own_limits=True,
        ends=("min", "max"),
        show="{:.0f}".format,
        footnote=" ".join(ties_note(result)),
        places=places,
    )


def _overall(result: Comparison, view: Pairwise) -> Column | None:
    if not result.scores:
        return None
    overall = {name: scores.overall for name, scores in result.scores.items()}
    places: tuple[Place, ...] = ("file",)
    return Column("overall", "overall", overall, places=places)


def _differences(result: Result, view: Pairwise) -> Column | None:
    """Return the differences of the leading system from the others, with their intervals."""
    first, heading, digits = leading(result, view), "difference", 3
    intervals = differences(result, view, first)
    if not intervals:
        return None
    if view.intervals.tested is not None and result.pool is None:
        heading = f"difference [{view.intervals.tested.level:.0%}]"
        if view.intervals.tested.measure == "net":
            heading, digits = f"net per 100 [{view.intervals.tested.level:.0%}]", 1
    places: list[Place] = ["paper", "supplement", "file"]
    if view.focus is not None:
        places += ["screen", "page"]
    notes = interval_notes(view)
    if view.focus is None:
        described = description(result)
        limits = intervals_of(view, described)
        meaning = f"Differences are {first} minus the other system, in {described.rate}{limits}."
        notes = [meaning, *above_hundred(view)]
    cut = _cut(view, view.intervals.tested, first) | result.cut_differences(first)
    return _signed("difference", heading, intervals, cut, digits, notes, places)


def _differences_in_f1(result: Result, view: Pairwise) -> Column | None:
    if view.intervals.f1 is None:
        return None
    first = leading(result, view)
    intervals = _from_first(view, view.intervals.f1, first)
    places: tuple[Place, ...] = ("supplement", "file")
    return _signed("f1_difference", "difference in F1", intervals, (), 3, [], places)


def _signed(
    name: str,
    heading: str,
    intervals: Mapping[str, Interval],
    cut: Collection[str],
    digits: int,
    notes: Sequence[str],
    places: Collection[Place],
) -> Column:
    """Return a column of differences, each with its sign and its interval."""

    def show(number: float) -> str:
        # minus zero, as of two equal systems, has no sign
        return f"{round(number, 6) + 0.0:+.{digits}f}"

    return Column(
        name,
        heading,
        {rival: value for rival, (value, _, _) in intervals.items()},
        limits={rival: (low, high) for rival, (_, low, high) in intervals.items()},
        cut=cut,
        has_own_limits=True,
        footnote=" ".join(notes),
        show=show,
        between=SIGNED,
        places=places,
    )


def _adjusted_p(result: Result, view: Pairwise) -> Column | None:
    """Return the adjusted p-values of the leading system against each other one."""
    first = leading(result, view)
    i = view.systems.index(first)
    p = {name: float(view.adjusted_p[i, j]) for j, name in enumerate(view.systems) if i != j}
    if not view.is_tested or result.pool is not None:  # the table of pairs has the pool's
        return None
    places: list[Place] = ["paper", "supplement", "file"]
    if view.focus is not None:
        places += ["screen", "page"]
    return Column("adjusted_p", "adjusted p", p, show=p_number, places=places)


def _only(title: str, *, mine: bool) -> Callable[[Result, Pairwise], Column | None]:
    """Return the entry of what only the focus has right, or only the other system."""

    def entry(result: Result, view: Pairwise) -> Column | None:
        focus = view.focus
        if focus is None or view.counts is None or result.pool is not None:
            return None
        i = view.systems.index(focus)
        counts = view.counts.discordant[i] if mine else view.counts.discordant[:, i]
        values = {s: int(n) for s, n in zip(view.systems, counts, strict=True) if s != focus}
        name = "only_mine" if mine else "only_other"
        return Column(name, title.format(focus), values, places=("screen", "page", "file"))

    return entry


def _letters(result: Result, view: Pairwise) -> Column | None:
    if view.focus is not None or not view.is_tested or result.pool is not None:
        return None
    return Column("letters", "letters", view.letters, "text", footnote=SHARED_LETTER)


def _letters_in_pool(result: Result, view: Pairwise) -> Column | None:
    """Return the letters of judged systems: beside the names, where they always have room."""
    if view.focus is not None or not view.is_tested or result.pool is None:
        return None
    note = LETTERS.format(tested_quantity(view))
    return Column("letters", "letters", view.letters, "text", footnote=note)


def _wins(result: Result, view: Pairwise) -> Column | None:
    if view.focus is not None or not view.is_tested:
        return None
    counts = {}
    for name in view.systems:
        won = sum(better == name for better, _ in view.edges)
        lost = sum(worse == name for _, worse in view.edges)
        counts[name] = f"{won}/{len(view.systems) - 1 - won - lost}/{lost}"
    places: tuple[Place, ...] = ("supplement", "file")
    return Column("wins_ties_losses", "W/T/L", counts, "text", footnote=_WINS, places=places)


#: Every column of the table of systems, in its order: of a comparison, and of a study.
OF_COMPARISON: tuple[Callable[[Comparison, Pairwise], Column | None], ...] = (
    _verdicts,
    _letters_in_pool,
    _ranks,
    _runs,
    _tested,
    _rate("f1"),
    _rate("precision"),
    _rate("recall"),
    _found,
    _correct,
    _overall,
    _differences,
    _differences_in_f1,
    _adjusted_p,
    _only("other only", mine=False),
    _only("{} only", mine=True),
    _letters,
    _wins,
)
OF_STUDY: tuple[Callable[[Study, Pairwise], Column | None], ...] = (
    _verdicts,
    _ranks,
    _mean,
    _mean_ranks,
    _differences,
    _adjusted_p,
    _letters,
    _wins,
)


# ---- differences


def differences(result: Result, view: Pairwise, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, with 95% intervals where they are known."""
    if view.intervals.tested is None:
        return result.tested_differences(first)
    return _from_first(view, view.intervals.tested, first)


def _from_first(view: Pairwise, intervals: Simultaneous, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, as intervals have it."""
    i = view.systems.index(first)
    return {
        name: interval(intervals, i, j)
        for j, name in enumerate(view.systems)
        if i != j and view.focus in (None, first, name)
    }


def _cut(view: Pairwise, intervals: Simultaneous | None, first: str) -> set[str]:
    """Return the systems whose difference from `first` is decided by the test, and cut at 0."""
    if intervals is None:
        return set()
    is_cut = intervals.is_cut[view.systems.index(first)]
    return {name for name, cut in zip(view.systems, is_cut.tolist(), strict=True) if cut}


def interval(intervals: Simultaneous, i: int, j: int) -> Interval:
    """Return a difference and its limits; correct answers per 100 of the reference."""
    factor = 1
    if intervals.measure == "net":
        factor = 100
    matrices = (intervals.difference, intervals.low, intervals.high)
    value, low, high = (factor * float(matrix[i, j]) for matrix in matrices)
    return value, low, high


# ---- footnotes

#: The footnote to a column ``letters``.
SHARED_LETTER = "Systems that share a letter do not differ significantly."
#: What W/T/L stands for.
_WINS = (
    "W/T/L: significantly better than, not significantly different from, significantly worse than "
    "so many."
)
#: What verdicts and letters of judged systems mean.
VERDICTS = (
    "Better and worse are not about F1: {} is significantly better or worse in {} (McNemar's "
    "test); undecided: neither."
)
LETTERS = (
    "Letters are not about F1: systems that share a letter do not differ significantly in "
    "{} (McNemar's test)."
)


def tested_quantity(view: Pairwise) -> str:
    """Return in what the test compares judged systems: letters and verdicts are about it."""
    quantities = {"ifp": "the number of right pairs", "cfp": "right pairs minus wrong ones"}
    return quantities.get(view.view, f"the number of {unit_of(view.view)} answered right")


def verdicts_note(view: Pairwise) -> str:
    """Return the footnote to verdicts and the p-values that they rest on."""
    corrected = ""
    if view.correction != "none":
        corrected = f", after correction for {count(view.questions, 'comparison')}"
    return (
        f"better, worse: significantly (adjusted p at most {view.alpha:g}{corrected}); undecided: "
        "not significantly different."
    )


def meaning_of_right(view: Pairwise) -> str:
    """Return the footnote to a column ``right``."""
    unit, number = unit_of(view.view), "those"
    if view.units.items is not None:
        number = f"{view.units.items:,}"
    if view.view == "item":
        return f"right (tested): share of right answers for {number} {unit}."
    return (
        f"right (tested): share of {unit} with the reference's answer, or rightly none (of "
        f"{number} in it or an alignment; not comparable between runs)."
    )


def ranks_note(view: Pairwise) -> list[str]:
    """Return the footnote to ranks, if one is a range."""
    for name in view.order:
        low, high = view.ranking.rank_sets[name]
        if low < high:
            return [f"rank {view.ranks[name]}: the tests allow each."]
    return []


def ties_note(result: Comparison) -> list[str]:
    """Return the footnote to the brackets in a column ``correct``, if there are any."""
    ranges = [limits for limits in map(result.correct_range.get, result.deciding.order) if limits]
    for low, high in ranges:
        if low < high:
            return [f"[{low}–{high}]: range over assignments of equal similarity."]
    return []


def interval_notes(view: Pairwise) -> list[str]:
    """Return the footnotes to differences and their intervals."""
    if view.intervals.tested is None:
        return []
    if view.intervals.tested.measure == "net":
        counted, per = "right answers", "items"
        if view.view in VIEWS:
            decided = VIEWS[view.view]
            counted, per = decided.counted, f"{decided.unit} of the reference"
        if view.focus:
            counted += f" ({view.focus} only minus other only)"
        meaning = f"net: difference in {counted} per 100 {per}."
        return [meaning, *above_hundred(view)]
    if view.less_is_better:
        return [f"difference: in 1 − the {view.quantity}."]
    return []


def above_hundred(view: Pairwise) -> list[str]:
    """Return the footnote to differences of more than 100 per 100 of the reference."""
    intervals = view.intervals.tested
    if intervals is None or intervals.measure != "net":
        return []
    highest = intervals.high
    if view.focus is not None:
        highest = highest[view.systems.index(view.focus)]
    if not (highest > 1).any():
        return []
    return ["More than 100 is possible: wrong answers outside the reference count, too."]
