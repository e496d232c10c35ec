"""The columns of the table of systems: screen, page, paper and files take them from here.

A further column is a function that yields a `Column`, nothing where a result has no such values,
and its name in `OF_COMPARISON`, `OF_JUDGED_SAMPLE` or `OF_STUDY`: it then stands on the screen, on
the page, in the paper and in the files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from alignrank.common.names import count, percent
from alignrank.common.table import ColumnKind
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.contingency import VIEWS, unit_of
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.significance.score_limits import Simultaneous

from .description import Result, above_hundred, description, intervals_of

#: Where a column is shown. The table of a paper fits its column; the supplement has all columns.
Place = Literal["screen", "page", "paper", "supplement", "file"]
Places = tuple[Place, ...]
EVERYWHERE: Places = ("screen", "page", "paper", "supplement", "file")
NOT_ON_SCREEN: Places = ("page", "paper", "supplement", "file")
NOT_IN_PAPER: Places = ("screen", "page", "file")
IN_PAPER: Places = ("paper", "supplement", "file")
ON_PAGE: Places = ("page", "file")
IN_FULL: Places = ("supplement", "file")
IN_FILE: Places = ("file",)
#: Limits with signs have a word between them: a dash would look like a minus sign.
BETWEEN_SIGNED_LIMITS = " to "


class DifferenceInterval(NamedTuple):
    """A difference between two systems and its limits; the limits are NaN where they are unknown.

    Parameters
    ----------
    value, low, high
        The difference and the limits.
    is_cut
        Whether the limit nearer to 0 is 0 and not reached, because the test decides the pair.
    """

    value: float
    low: float
    high: float
    is_cut: bool


def number_text(value: float | None, digits: int = 3) -> str:
    """Return a score with decimals, a whole number (int) without, a missing value as a dash.

    Examples
    --------
    >>> number_text(0.5), number_text(8), number_text(None)
    ('0.500', '8', '–')
    """
    if value is None or value != value:
        return "–"
    if isinstance(value, int):
        return str(value)
    return f"{value:.{digits}f}"


#: A smaller p-value is a bound: its number may have underflown.
SMALLEST_P = 1e-300


def p_number(p: float) -> str:
    """Return a p-value for a table, or a bound where the number underflows.

    Examples
    --------
    >>> p_number(0.01234), p_number(0.0)
    ('0.0123', '<1e-300')
    """
    if p < SMALLEST_P:
        return f"<{SMALLEST_P:g}"
    return f"{p:.3g}"


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
    open_at_zero
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
    is_verdict
        Whether it says what the test decided: a narrow terminal leaves it out last.
    """

    name: str
    heading: str
    values: Mapping[str, object]
    kind: ColumnKind = "number"
    direction: int = 0
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    open_at_zero: Collection[str] = ()
    has_own_limits: bool = False
    ends: tuple[str, str] = ("low", "high")
    footnote: str = ""
    show: Callable[[float], str] = number_text
    between: str = "–"
    places: Places = EVERYWHERE
    short: str = ""
    is_tested: bool = False
    is_verdict: bool = False

    def text(self, system: str) -> str:
        """Return a system's cell for readers, with its limits if the column always shows them.

        It is '' where the column has no entry for the system, and a dash where the value is None.
        """
        value = self.values.get(system, "")
        if isinstance(value, float):
            value = self.show(value)
        elif value is None:
            value = "–"
        if not self.has_own_limits or not (limits := self.limits_text(system)):
            return str(value)
        return f"{value} [{limits}]"

    def limits_text(self, system: str) -> str:
        """Return a system's limits for readers; '' where there are none, or both are equal."""
        low, high = self.limits.get(system, (math.nan, math.nan))
        if math.isnan(low) or low == high:
            return ""
        if system in self.open_at_zero and low == 0:
            return f"more than 0, up to {self.show(high)}"
        if system in self.open_at_zero:
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


#: The columns that a function of a result and a view yields: none where there are no values.
Columns = Iterator[Column]


def columns_of_study(result: Study, view: Pairwise) -> list[Column]:
    """Return the columns for which a study has values, as one of its views decides them."""
    return [column for entry in OF_STUDY for column in entry(result, view)]


def columns_of_comparison(result: Comparison, view: Pairwise) -> list[Column]:
    """Return the columns for which a comparison has values, as one of its views decides them."""
    entries = OF_COMPARISON
    if result.pool is not None:
        entries = OF_JUDGED_SAMPLE
    return [column for entry in entries for column in entry(result, view)]


def leading(result: Result, view: Pairwise) -> str:
    """Return the system whose differences from the others are shown: the focus, or the best."""
    return view.focus or systems_in_order(result, view)[0]


def systems_in_order(result: Result, view: Pairwise) -> Sequence[str]:
    """Return the systems in the order of the table, the best first."""
    if result.pool is not None:
        return result.pool.order(view.systems)
    return view.order


# ---- the entries


def _verdicts(result: Result, view: Pairwise) -> Columns:
    if view.focus is None or not view.is_tested:
        return
    verdicts = {name: word for (of, name), word in view.verdicts.items() if of == view.focus}
    for name in verdicts:
        if view.answers_alike([view.focus, name]):
            verdicts[name] = "the same"
    note = verdicts_note(view)
    if result.pool is not None:
        note = VERDICTS.format(view.focus, quantity_of_judged(view))
    yield Column("verdict", f"{view.focus} is", verdicts, "text", footnote=note, is_verdict=True)


def _ranks(result: Result, view: Pairwise) -> Columns:
    if view.focus is None:
        yield Column("rank", "rank", view.ranks, footnote=ranks_note(view), places=NOT_IN_PAPER)


def _runs(result: Result, view: Pairwise) -> Columns:
    runs = result.runs_by_system
    if runs:
        fewest, most = min(runs.values()), max(runs.values())
        note = f"Each value is the mean over {most} runs of the system."
        if fewest < most:
            note = f"Each value is the mean over {fewest} to {most} runs of the system."
        yield Column("runs", "runs", runs, footnote=note)


def _mean(result: Study, view: Pairwise) -> Columns:
    table, name, note = result.table, f"mean {result.table.measure}", ""
    if view.focus is not None:  # whose row the screen leaves out
        note = f"{name} of {view.focus}: {number_text(table.means[view.focus])}."
    # of tasks with different directions the mean has none
    direction = {0: 1, len(table.tasks): -1}.get(len(table.lower_is_better), 0)
    yield Column(
        "mean",
        table.mean_title,
        table.means,
        direction=direction,
        footnote=note,
        short=name,
        is_tested=True,
    )


def _mean_ranks(result: Study, view: Pairwise) -> Columns:
    note = "mean rank: over the tasks, 1 is best."
    yield Column("mean_rank", "mean rank", result.mean_ranks, direction=-1, footnote=note)


def _tested_values(result: Comparison, view: Pairwise) -> Columns:
    """Yield the values that the test of a comparison compares (of a study: `_mean`)."""
    if view.values is None:
        return
    name, notes, places = view.quantity, list[str](), _places_of_scores(view)
    if name == "right":
        notes.append(meaning_of_right(view))
    elif view.less_is_better and view.view != "item":  # of errors a caution says so
        notes.append(f"{name}: less is better.")
    if view.focus is not None and not differences(result, view, view.focus):
        places = EVERYWHERE
        notes.append(f"{name} of {view.focus}: {number_text(view.values[view.focus])}.")
    yield Column(
        name,
        name,
        view.values,
        direction=-1 if view.less_is_better else 1,
        limits=_limits(result, name),
        footnote=" ".join(notes),
        places=places,
        is_tested=True,
    )


def _places_of_scores(view: Pairwise) -> Places:
    """Return where scores are shown; with a focus the screen has room for differences only."""
    return EVERYWHERE if view.focus is None else NOT_ON_SCREEN


def _places_of_differences(view: Pairwise) -> Places:
    """Return where differences are shown: without a focus in the paper and the files only."""
    return IN_PAPER if view.focus is None else EVERYWHERE


#: Heading of each rate, and the one that it has in a narrow table.
_RATES = {"f1": ("F1", ""), "precision": ("precision", "P"), "recall": ("recall", "R")}


def _rates(result: Comparison, view: Pairwise) -> Columns:
    for name, (heading, narrow) in _RATES.items():
        if result.scores and view.quantity != name:
            yield Column(
                name,
                heading,
                {system: getattr(scores, name) for system, scores in result.scores.items()},
                direction=1,
                limits=_limits(result, name),
                short=narrow,
                places=_places_of_scores(view),
            )


def _limits(result: Comparison, name: str) -> dict[str, tuple[float, float]]:
    """Return the limits of each system's interval of a rate; empty where none are known."""
    return {s: of[name] for s, of in result.intervals.items() if name in of}


_IN_POOL = {"f1": "F1 in the pool", "recall": "recall in the pool"}


def _pool_measures(result: Comparison, view: Pairwise) -> Columns:
    if result.pool is not None:
        for name in ("f1", "precision", "recall", "correct"):
            yield of_pool(result.pool, result.systems, name)


def of_pool(estimate: PoolEstimate, systems: Sequence[str], name: str) -> Column:
    """Return a measure of judged systems in the pool, with its limits."""
    measure = estimate.measures[name]
    ends = zip(measure.low.tolist(), measure.high.tolist(), strict=True)
    return Column(
        name,
        _IN_POOL.get(name, name),
        dict(zip(systems, measure.value.tolist(), strict=True)),
        direction=1,
        limits=dict(zip(systems, ends, strict=True)),
        has_own_limits=True,
        show="{:.0f}".format if name == "correct" else number_text,
    )


def _counts(result: Comparison, view: Pairwise) -> Columns:
    scores, ranges = result.scores, result.correct_range
    if scores:
        found = {name: of_system.found for name, of_system in scores.items()}
        yield Column("found", "found", found, places=ON_PAGE)
        note, places = ties_note(result), ON_PAGE
        if ranges and view.focus is None:
            places = NOT_IN_PAPER
        yield Column(
            "correct",
            "correct [ties]" if note else "correct",
            {name: of_system.correct for name, of_system in scores.items()},
            limits=ranges,
            has_own_limits=True,
            ends=("min", "max"),
            footnote=note,
            places=places,
        )
        overall = {name: of_system.overall for name, of_system in scores.items()}
        yield Column("overall", "overall", overall, places=IN_FILE)


def _differences(result: Result, view: Pairwise) -> Columns:
    """Yield the differences of the leading system from the others, with their intervals."""
    first, heading, digits = leading(result, view), "difference", 3
    intervals, described = differences(result, view, first), description(result)
    if not intervals:
        return
    tested, notes = view.intervals.tested, interval_notes(view)
    if described.level is not None:
        heading += f" [{percent(described.level)}]"
    elif tested is not None:
        heading += f" [{percent(tested.level)}]"
        if tested.measure == "net":
            heading, digits = f"net per 100 [{percent(tested.level)}]", 1
    if view.focus is None or not notes:
        limits = intervals_of(view, described)
        notes = f"Differences are {first} minus the other system, in {described.rate}{limits}."
        notes = " ".join(filter(None, [notes, above_hundred(view)]))
    yield _signed("difference", heading, intervals, digits, notes, _places_of_differences(view))
    if view.intervals.f1 is not None:
        of_f1 = _from_first(view, view.intervals.f1, first)
        yield _signed("f1_difference", "difference in F1", of_f1, 3, "", IN_FULL)


def _signed(
    name: str,
    heading: str,
    intervals: Mapping[str, DifferenceInterval],
    digits: int,
    footnote: str,
    places: Places,
) -> Column:
    """Return a column of differences, each with its sign and its interval."""

    def show(number: float) -> str:
        # minus zero, as of two equal systems, has no sign
        return f"{round(number, 6) + 0.0:+.{digits}f}"

    return Column(
        name,
        heading,
        {rival: of_rival.value for rival, of_rival in intervals.items()},
        limits={rival: (of_rival.low, of_rival.high) for rival, of_rival in intervals.items()},
        open_at_zero=[rival for rival, of_rival in intervals.items() if of_rival.is_cut],
        has_own_limits=True,
        footnote=footnote,
        show=show,
        between=BETWEEN_SIGNED_LIMITS,
        places=places,
    )


def _adjusted_p(result: Result, view: Pairwise) -> Columns:
    """Yield the adjusted p-values of the leading system against each other one."""
    i = view.systems.index(leading(result, view))
    p = dict(zip(view.systems, view.adjusted_p[i].tolist(), strict=True))
    del p[view.systems[i]]
    if view.is_tested:
        places = _places_of_differences(view)
        yield Column("adjusted_p", "adjusted p", p, show=p_number, places=places)


def _right_alone(result: Comparison, view: Pairwise) -> Columns:
    """Yield how many answers only the other system has right, and how many only the focus."""
    if view.focus is None or view.counts is None:
        return
    i = view.systems.index(view.focus)
    for name, heading, counts in (
        ("only_other", "other only", view.counts.discordant[:, i]),
        ("only_mine", f"{view.focus} only", view.counts.discordant[i]),
    ):
        of_others = dict(zip(view.systems, counts.tolist(), strict=True))
        del of_others[view.focus]
        yield Column(name, heading, of_others, places=NOT_IN_PAPER)


def _letters(result: Result, view: Pairwise) -> Columns:
    if view.focus is None and view.is_tested:
        note = SHARED_LETTER
        if result.pool is not None:
            note = LETTERS.format(quantity_of_judged(view))
        yield Column("letters", "letters", view.letters, "text", footnote=note, is_verdict=True)


def _wins(result: Result, view: Pairwise) -> Columns:
    if view.focus is None and view.is_tested:
        counts = {}
        for name in view.systems:
            won = sum(better == name for better, _ in view.edges)
            lost = sum(worse == name for _, worse in view.edges)
            counts[name] = f"{won}/{len(view.systems) - 1 - won - lost}/{lost}"
        yield Column("wins_ties_losses", "W/T/L", counts, "text", footnote=_WINS, places=IN_FULL)


#: The columns of the table of systems, in their order: of a comparison, of one by judged questions,
#: and of a study.
OF_COMPARISON: tuple[Callable[[Comparison, Pairwise], Columns], ...] = (
    _verdicts,
    _ranks,
    _runs,
    _tested_values,
    _rates,
    _counts,
    _differences,
    _adjusted_p,
    _right_alone,
    _letters,
    _wins,
)
OF_JUDGED_SAMPLE: tuple[Callable[[Comparison, Pairwise], Columns], ...] = (
    _verdicts,
    _letters,
    _pool_measures,
    _differences,
    _wins,
)
OF_STUDY: tuple[Callable[[Study, Pairwise], Columns], ...] = (
    _verdicts,
    _ranks,
    _runs,
    _mean,
    _mean_ranks,
    _differences,
    _adjusted_p,
    _letters,
    _wins,
)


# ---- differences


def differences(result: Result, view: Pairwise, first: str) -> dict[str, DifferenceInterval]:
    """Return `first` − each other system, with their intervals where they are known."""
    if view.intervals.tested is not None:
        return _from_first(view, view.intervals.tested, first)
    tested = result.tested_differences(first)
    return {name: DifferenceInterval(*numbers) for name, numbers in tested.items()}


def _from_first(
    view: Pairwise, intervals: Simultaneous, first: str
) -> dict[str, DifferenceInterval]:
    """Return `first` − each other system; if the measure is ``net``, times 100."""
    i, factor = view.systems.index(first), 100 if intervals.measure == "net" else 1
    values, lows, highs = (
        (factor * matrix[i]).tolist()
        for matrix in (intervals.difference, intervals.low, intervals.high)
    )
    return {
        name: DifferenceInterval(values[j], lows[j], highs[j], bool(intervals.is_cut[i, j]))
        for j, name in enumerate(view.systems)
        if i != j and view.focus in (None, first, name)
    }


# ---- footnotes

#: The footnote to a column ``letters``.
SHARED_LETTER = "Systems that share a letter do not differ significantly."
#: The footnote to W/T/L.
_WINS = (
    "W/T/L: significantly better than, not significantly different from, significantly worse than "
    "so many."
)
#: The footnotes to verdicts and letters of judged systems.
VERDICTS = (
    "Better and worse are not about F1: {} is significantly better or worse in {} (McNemar's "
    "test); undecided: neither."
)
LETTERS = (
    "Letters are not about F1: systems that share a letter do not differ significantly in "
    "{} (McNemar's test)."
)


def quantity_of_judged(view: Pairwise) -> str:
    """Return the quantity in which the test compares judged systems."""
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


def ranks_note(view: Pairwise) -> str:
    """Return the footnote to ranks; '' where none is a range."""
    for name in view.order:
        low, high = view.ranking.rank_sets[name]
        if low < high:
            return f"rank {view.ranks[name]}: the tests allow each."
    return ""


def ties_note(result: Comparison) -> str:
    """Return the footnote to the brackets in a column ``correct``; '' where there are none."""
    for name in result.deciding.order:
        low, high = result.correct_range.get(name, (0, 0))
        if low < high:
            return f"[{low}–{high}]: range over assignments of equal similarity."
    return ""


def interval_notes(view: Pairwise) -> str:
    """Return what the differences are in, where it is not the shown quantity; else ''."""
    if view.intervals.tested is None:
        return ""
    if view.intervals.tested.measure == "net":
        counted, per = "right answers", "items"
        if view.view in VIEWS:
            decided = VIEWS[view.view]
            counted, per = decided.counted, f"{decided.unit} of the reference"
        if view.focus:
            counted += f" ({view.focus} only minus other only)"
        meaning = f"net: difference in {counted} per 100 {per}."
        return " ".join(filter(None, [meaning, above_hundred(view)]))
    if view.less_is_better:
        return f"difference: in 1 − the {view.quantity}."
    return ""
