"""What a paper says of a result: a paragraph, a table, its sources, and a checklist.

All is made of what ``summary.json`` holds. A source is cited by its key, ``[@holm]``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, singledispatch
from importlib.resources import files
from pathlib import Path

import numpy as np

from alignrank.common.files import write_text
from alignrank.common.names import count, short
from alignrank.common.table import ColumnKind, Table, latex_text
from alignrank.evaluation import Comparison, Pairwise
from alignrank.evaluation.comparison.contingency import VIEWS, unit_of
from alignrank.evaluation.corrections.adjusting import CORRECTIONS
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.ranking import enumeration
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.evaluation.significance.score_limits import Simultaneous

from .pool_table import COLUMNS, pool_sentences, tested_quantity, verdict_line, with_limits

Result = Comparison | Study
#: A difference and the limits of its 95% interval, NaN where there are none.
Interval = tuple[float, float, float]

#: What tests are called; of those that are not listed, their name says it.
_TITLES = {test: f"McNemar's {test} test" for test in TESTS} | {
    "sign-flip": "McNemar's test",
    "judgements": "McNemar's test from judged pairs",
    "durkalski": "the Durkalski test",
    "friedman": "the Friedman test",
    "obuchowski": "the Obuchowski test",
    "quade": "the Quade test",
    "runs": "the Satterthwaite t test",
    "paired-t": "the paired t test",
    "signed-rank": "the Wilcoxon signed-rank test",
    "signed-rank-normal": "the Wilcoxon signed-rank (normal approximation) test",
    "jackknife": "the jackknife t test",
}
#: By view: what a decision is about, and when it is right.
_UNITS = {
    "item": ("item", ", by its score from 0 to 1"),
    "entity": ("source entity", ", right if its whole answer is the reference's"),
    "entity-target": ("target entity", ", right if its whole answer is the reference's"),
    "ifp": ("correspondence of the reference", ", right if it was found"),
    "cfp": ("pair of entities", ", right if found exactly where the reference has it"),
}
#: Of at most so many systems the text gives the names, and two differences.
_NAMED = 4
#: A citation, as it stands and as `latex_text` leaves it.
_CITED = re.compile(r" (?:\[|\{\[\})@([a-z-]+)\]")


#: Before each key of the bibliography, so that no key clashes with one of the paper's own.
_PREFIX = "alignrank:"
#: Longer names are cut in the table of one column's width.
_NAME_WIDTH = 20


def write_paper(folder: Path, result: Result) -> None:
    """Write the texts for a paper into a results folder.

    ``paper.txt`` has everything as text; ``paper.tex`` the paragraph and a table as wide as a
    column, ``paper-supplement.tex`` the table with all columns, ``paper.bib`` what both cite.
    """
    described, view = description(result), result.deciding
    text, table = " ".join(_paragraph(result, described)), paper_table(result, view)
    sources = bibliography(result.provenance.version, _CITED.findall(text))
    listed = [*checklist(result), ("switched", "nothing since the results were made")]
    checked = "\n".join(f"{item}: {answer}" for item, answer in listed)
    in_text = replace(table, footnote=table.footnote.removesuffix(_BOLD)).to_text()
    plain = [_CITED.sub(r" [\1]", text), in_text, f"Reporting checklist\n{checked}"]
    write_text(folder / "paper.txt", "\n\n".join([*plain, sources]))
    cited = _CITED.sub(rf"~\\cite{{{_PREFIX}\1}}", latex_text(text))
    narrow = paper_table(result, view, narrow=True).to_latex("tab:alignrank", "footnotesize")
    head = "% \\input{paper}, with \\bibliography{paper} where the references stand"
    write_text(folder / "paper.tex", "\n".join([head, cited, "", narrow]))
    write_text(folder / "paper-supplement.tex", table.to_latex("tab:alignrank-all", "footnotesize"))
    keys = re.compile(r"^(@\w+\{)", re.MULTILINE)
    write_text(folder / "paper.bib", keys.sub(rf"\1{_PREFIX}", sources))


def _paragraph(result: Result, described: Description) -> list[str]:
    """Return the sentences of a paper's paragraph."""
    view = result.deciding
    names, opening, unknown = "", "", ""
    if view.is_clustered:
        opening = "Here, "
    if described.pool is not None:
        opening, unknown = "About F1: ", "Right pairs outside the pool are unknown."
    elif len(view.order) <= _NAMED:
        names = f" ({enumeration(view.order)})"
    sentences = [
        f"We compared {described.counted}{names}{described.material}.",
        f"The unit is the {described.unit}.",
        described.tuned,
        f"{_tested(result, described)}.",
        f"{opening}{' '.join(result.answer())}",
        _effect(result, described),
        unknown,
        f"Computed with alignrank {result.provenance.version} [@alignrank].",
    ]
    return [sentence for sentence in sentences if sentence]


def checklist(result: Result) -> list[tuple[str, str]]:
    """Return what a reviewer asks for, and the answer to it."""
    view, described = result.deciding, description(result)
    rate, margin = described.rate, "none stated"
    if described.pool:
        rate += f" (intervals) and in {tested_quantity(view)} (tests)"
    elif stated := result.provenance.settings.get("margin"):
        margin = f"{stated}: below it equivalent, or negligible"
    return [
        ("estimand", f"the difference of two systems in {rate}"),
        ("unit", described.unit),
        ("effective n", described.effective),
        ("family", _CITED.sub("", _tested(result, described))),
        ("level", f"family-wise {view.alpha:g}; {result.validity}"),
        ("margin", margin),
        (
            "tuned on",
            f"{described.tuned}{described.thresholds}"
            or "not known here: say what was tuned on what",
        ),
    ]


@cache
def _sources() -> dict[str, str]:
    """Return every BibTeX entry by its key."""
    text = (files("alignrank.experiments") / "report" / "paper.bib").read_text(encoding="utf-8")
    entries = (entry.strip() for entry in text.split("\n\n"))
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}


def bibliography(version: str, keys: Iterable[str]) -> str:
    """Return the BibTeX entries of these keys."""
    cited = "\n\n".join(_sources()[key] for key in dict.fromkeys(keys) if key in _sources())
    return cited.replace("VERSION", version) + "\n"


def paper_table(result: Result, view: Pairwise, *, narrow: bool = False) -> Table:
    """Return the systems with scores, the first's differences, letters and win/tie/loss.

    Systems that share a letter do not differ significantly. The best value of a column is strong.

    Parameters
    ----------
    result, view
        What was found, and the view of it that is shown.
    narrow
        Only the tested quantity, the differences and the letters, and short names: the table fits
        into one of two columns.
    """
    described = description(result)
    names = _order(view, described)
    first = view.focus or names[0]
    scored = described.columns
    last: dict[str, Mapping[str, str]] = {}
    if view.focus is None and view.is_tested:
        last["letters"] = view.letters
        if not narrow:
            last["W/T/L"] = {s: _wins(s, view) for s in names}
    elif view.is_tested:
        verdicts = view.verdicts
        last = {f"{first} is": {s: verdicts.get((first, s), "") for s in names}}
    if narrow:
        scored = dict(list(scored.items())[:1])
    columns: dict[str, Mapping[str, object]] = dict(scored)
    if described.pool is not None and not narrow:
        columns = dict(with_limits(described.pool, view.systems))
    caption = _caption(view, described)
    lead = _cells(names, differences(result, view, first), described.digits)
    shown_names = list(names)
    if narrow:
        columns["difference"] = lead
        caption += f" Difference: {first} minus the other system."
        shown_names = [short(name, _NAME_WIDTH) for name in names]
    else:
        columns[f"{first} − other"] = lead
        if view.intervals.f1 is not None:
            in_f1 = _differences_from(view, view.intervals.f1, first)
            columns[f"{first} − other, F1"] = _cells(names, in_f1, 3)
        if "W/T/L" in last:
            caption += _WINS
        caption += _BOLD
    numbers: list[ColumnKind] = ["number"] * len(columns)
    columns |= last
    words: list[ColumnKind] = ["text"] * len(last)
    rows = [
        [shown, *(values[name] for values in columns.values())]
        for name, shown in zip(names, shown_names, strict=True)
    ]
    return Table(
        f"{described.counted}{described.material}",
        ["system", *columns],
        rows,
        caption,
        ["text", *numbers, *words],
        best_cells(scored, names),
    )


#: What W/T/L stands for, and what is bold.
_WINS = (
    " W/T/L: significantly better than, not significantly different from, significantly worse than "
    "so many."
)
_BOLD = " Bold: best of its column."


def _cells(names: Sequence[str], intervals: Mapping[str, Interval], digits: int) -> dict[str, str]:
    """Return a column of differences; empty where there is none."""
    return dict.fromkeys(names, "") | {
        name: _shown(difference, digits) for name, difference in intervals.items()
    }


def differences(result: Result, view: Pairwise, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, with 95% intervals where they are known."""
    if view.intervals.tested is None:
        return result.mean_differences(first)
    return _differences_from(view, view.intervals.tested, first)


def _differences_from(view: Pairwise, intervals: Simultaneous, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, as intervals have it."""
    i = view.systems.index(first)
    return {
        name: interval(intervals, i, j)
        for j, name in enumerate(view.systems)
        if i != j and view.focus in (None, first, name)
    }


def interval(intervals: Simultaneous, i: int, j: int) -> Interval:
    """Return a difference and its limits; correct answers per 100 of the reference."""
    factor = 1
    if intervals.measure == "net":
        factor = 100
    matrices = (intervals.difference, intervals.low, intervals.high)
    value, low, high = (factor * float(matrix[i, j]) for matrix in matrices)
    return value, low, high


def _shown(lead: Interval, digits: int) -> str:
    value, low, high = (f"{x:.{digits}f}".replace("-", "−") for x in lead)
    if math.isnan(lead[1]) or lead[1] == lead[2]:
        return value
    return f"{value} [{low}, {high}]"


def _order(view: Pairwise, described: Description) -> Sequence[str]:
    """Return the systems as the screen has them, the best first."""
    if described.pool is None:
        return view.order
    return described.pool.order(view.systems)


def _wins(system: str, view: Pairwise) -> str:
    won = sum(better == system for better, _ in view.edges)
    lost = sum(worse == system for _, worse in view.edges)
    return f"{won}/{len(view.systems) - 1 - won - lost}/{lost}"


def best_cells(
    scored: Mapping[str, Mapping[str, float]], names: Sequence[str]
) -> set[tuple[int, int]]:
    """Return row and column of the best value of every column, which follow the names."""
    best = set()
    for k, (column, values) in enumerate(scored.items(), 1):
        defined = [value for value in values.values() if not math.isnan(value)]
        best_value = max(defined, default=math.nan)
        falls = column in ("fallout", "mean error", "mean rank")
        if falls or column.endswith("(lower is better)"):
            best_value = min(defined, default=math.nan)
        best |= {(i, k) for i, name in enumerate(names) if values[name] == best_value}
    return best


@dataclass(frozen=True)
class Description:
    """What a result is about, in words for a paper.

    Parameters
    ----------
    counted
        The number of systems or metrics.
    material
        What they were compared on, to follow their number.
    unit
        The unit of analysis.
    rate
        What differences are differences of.
    effective
        How many independent units tell as much as those compared.
    columns
        Each system's values, by column.
    test
        The test that decides, and the one that replaces it where needed.
    dependent
        What the test takes as dependent on each other.
    tuned, thresholds
        What was chosen on what, and the thresholds; empty where that is not known.
    chosen_f1
        F1 of the best metric, chosen by cross-validation; empty where nothing was chosen.
    direction
        Whether higher is better, of a table's scores; else empty.
    intervals
        What intervals of differences are, where a view has none of its own; else empty.
    digits
        Decimals of a difference: one where it is per 100 of the reference.
    pool
        What judged questions say; None where there is a reference.
    """

    counted: str
    material: str
    unit: str
    rate: str
    effective: str
    columns: Mapping[str, Mapping[str, float]]
    test: str
    dependent: str
    tuned: str
    thresholds: str = ""
    chosen_f1: str = ""
    direction: str = ""
    intervals: str = ""
    digits: int = 3
    pool: PoolEstimate | None = None


@singledispatch
def description(result: Result) -> Description:
    """Describe a comparison or a study for a paper."""
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@description.register(Study)
def _describe_study(result: Study) -> Description:
    n, measure = len(result.table.tasks), result.table.measure
    effective, direction = count(n, "task"), ""
    material, rate = f" on {effective} by {measure}", f"mean {measure}"
    if result.table.lower_is_better:
        material += f" ({result.table.direction})"
        rate += ", negated, since lower is better"
    if result.deciding.is_clustered:
        effective += ", some of which share ontologies"
    if measure == "score":  # of a table
        direction = f", {result.table.direction}"
    test = _title(result.test)
    return Description(
        _counted(result),
        material,
        f"task ({n})",
        rate,
        effective,
        {
            result.table.mean_title: result.table.means,
            "mean rank": result.mean_ranks,
        },
        test,
        "dependence between tasks that share ontologies",
        _tuned(result, "tasks", result.f1_of_choice),
        chosen_f1=_chosen_f1("mean F1", result.f1_of_choice),
        direction=direction,
        intervals=", with 95% confidence intervals, each for itself",
    )


@description.register(Comparison)
def _describe_comparison(result: Comparison) -> Description:
    view, pool = result.deciding, result.pool
    if pool is not None:
        return Description(
            _counted(result),
            f" by a judged sample, {pool.judged:,} of {pool.questions:,} questions on the pool of "
            f"their {count(pool.pairs, 'pair')}",
            "question (a source entity)",
            "F1 in the pool",
            count(pool.judged, "judged question"),
            score_columns(result),
            _title(result.test),
            "",
            "",
            pool=pool,
        )
    name, right = _UNITS.get(view.view, ("source entity", f"; what is compared is {view.view}"))
    if is_rank_measure(view.view):
        name, right = "query", f"{right}, by its mean over all orders of tied candidates"
    if view.units.items:
        name += f" ({view.units.items})"
    rate, digits = view.view, 3
    if view.intervals.tested is not None and view.intervals.tested.measure == "net":
        digits = 1
    if view.view in VIEWS:
        decided = VIEWS[view.view]
        rate = f"{decided.counted} per 100 {decided.unit} of the reference"
    elif view.view == "item":
        rate = "the mean score"
        if digits == 1:
            rate = "right answers per 100 items"
        elif view.less_is_better:
            rate = f"1 − the {view.quantity}"
        if view.less_is_better:
            right = ", by 1 − its error from 0 to 1"
    dependent = "dependence within clusters of items"
    if result.provenance.settings.get("clusters") in (None, "parent") and view.view != "item":
        classes = "classes that share a parent"
        if not view.units.is_crossed:
            classes = f"{unit_of(view.view).split()[0]} {classes}"
        dependent = f"dependence between {classes}"
    f1_of_choice = None
    if result.matched is not None:
        f1_of_choice = result.matched.f1_of_choice
    return Description(
        _counted(result),
        _material(result),
        f"{name}{right}",
        rate,
        _effective(view),
        score_columns(result),
        _title(result.test),
        dependent,
        _tuned(result, "clusters of entities", f1_of_choice),
        _thresholds(result),
        _chosen_f1("F1", f1_of_choice),
        digits=digits,
    )


def _counted(result: Result) -> str:
    noun = "system"
    if _is_ranking(result):
        noun = "metric"
    return count(len(result.systems), noun)


def _is_ranking(result: Result) -> bool:
    """Tell whether metrics were compared, not systems."""
    return result.provenance.settings.get("command") == "rank"


def _chosen_f1(name: str, f1: float | None) -> str:
    if f1 is None:
        return ""
    return f"{name} {f1:.3f}"


def score_columns(result: Comparison) -> dict[str, Mapping[str, float]]:
    """Return each system's values by column: the tested quantity, then precision, recall, F1."""
    view = result.deciding
    if result.pool is not None:
        measures = {m: limits.value.tolist() for m, limits in result.pool.measures.items()}
        measures["correct"] = [round(value) for value in measures["correct"]]
        return {
            column: dict(zip(result.systems, measures[measure], strict=True))
            for measure, column in COLUMNS.items()
        }
    columns: dict[str, Mapping[str, float]] = {}
    if view.values is not None:
        columns[view.quantity] = view.values
    if result.scores:
        columns["F1"] = {name: scores.f1 for name, scores in result.scores.items()}
        columns["precision"] = {name: scores.precision for name, scores in result.scores.items()}
        columns.setdefault(
            "recall", {name: scores.recall for name, scores in result.scores.items()}
        )
    return columns


def _material(result: Comparison) -> str:
    if result.deciding.view == "item":
        return " by a table of items"
    means = ""
    if result.runs:
        means = ", by the mean of their runs"
    if is_rank_measure(result.deciding.view):
        return f" by how they rank candidates{means}"
    if result.reference is None:
        return means or " by a table of discordant counts"
    inputs = result.provenance.inputs
    stems = [Path(inputs[role].path).stem for role in ("source", "target") if role in inputs]
    against = f" against a reference of {count(result.reference, 'correspondence')}{means}"
    if stems:
        against = f" on {enumeration(stems)}{against}"
    return against


def _effective(view: Pairwise) -> str:
    """Say how many independent items tell as much as those compared."""
    effective = view.effective
    if effective is None:
        return "all, if they are independent"
    numbers = effective[np.triu_indices(len(effective), 1)]
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return "all, if they are independent"
    smallest, largest = f"{numbers.min():.0f}", f"{numbers.max():.0f}"
    if smallest == largest:
        return smallest
    return f"{smallest} to {largest}, by pair (median {np.median(numbers):.0f})"


def _tested(result: Result, described: Description) -> str:
    """Say which pairs were tested, and how."""
    view = result.deciding
    noun, quantity, clusters, verdict = "pairs", "", "", ""
    if described.pool is not None:
        if described.pool.has_several_verdicts and described.pool.verdict is not None:
            verdict = f", verdict {described.pool.verdict.number} of a judged sample"
        noun, shown = "pairs of systems", "letters, W/T/L"
        if view.focus is not None:
            shown = f"column “{view.focus} is”"
        quantity = f" in {tested_quantity(view)} ({shown})"
    pairs = f"All {view.questions} {noun}"
    if len(view.systems) == 2:
        pairs = "Both"
    elif view.focus:
        pairs = f"{noun.capitalize()} with {view.focus}"
    if view.is_clustered:
        clusters = f", adjusted for {described.dependent},"
    if not result.is_tested and described.pool is not None:
        return f"{pairs} are not tested before the first verdict of the judged sample"
    if not result.is_tested:
        return f"{pairs} were left untested: the tasks are too few, or all share an ontology"
    return (
        f"{pairs} were compared{quantity} by {described.test}{_cite(view.test)}{clusters} with "
        f"{CORRECTIONS[view.correction].title} correction{_cite(view.correction)} (family-wise "
        f"level {view.alpha:g}{verdict})"
    )


def _title(test: str) -> str:
    return _TITLES.get(test, f"the {test} test")


def _cite(name: str) -> str:
    if name not in _sources():
        return ""
    return f" [@{name}]"


def _effect(result: Result, described: Description) -> str:
    """Tell the first's difference from the next one; of few systems also from the last one."""
    view = result.deciding
    order = _order(view, described)
    first = view.focus or order[0]
    rivals = [name for name in order if name != first]
    extremes = rivals[:1]
    if 2 < len(order) <= _NAMED:
        extremes.append(rivals[-1])
    lead = differences(result, view, first)
    listed = " and ".join(
        f"{first} − {name} is {_shown(lead[name], described.digits)}"
        for name in extremes
        if name in lead
    )
    if not listed:
        return ""
    return f"In {described.rate}, {listed}{_intervals(view, described)}."


def wider_intervals(view: Pairwise) -> list[str]:
    """Explain an interval that holds 0 though the difference is significant, if there is one."""
    simultaneous, place = view.intervals.tested, view.systems.index
    if simultaneous is None:
        return []
    lowest = [simultaneous.low[place(better), place(worse)] for better, worse in view.edges]
    if all(low > 0 for low in lowest):
        return []
    return [
        "The intervals hold for all comparisons together, and are wider than the tests need: the "
        "verdict follows adjusted p, even where an interval includes 0."
    ]


def _intervals(view: Pairwise, described: Description) -> str:
    """Say what the intervals of differences are; empty where there are none."""
    pool = described.pool
    if pool is not None and pool.judged < pool.questions:
        level = pool.level
    elif view.intervals.tested is not None:
        level = view.intervals.tested.level
    else:
        return described.intervals
    return f", with simultaneous {100 * level:.3g}% confidence intervals"


def _tuned(result: Result, chosen_on: str, f1_of_choice: float | None) -> str:
    """Say what was chosen on what; empty where that is not known."""
    if not _is_ranking(result):
        return ""
    threshold = result.provenance.settings.get("threshold")
    if threshold == "best":
        chosen = "Thresholds"
        if f1_of_choice is not None:
            chosen += " and the best metric"
        return f"{chosen} were chosen by cross-validation over {chosen_on}."
    if not threshold:
        return "Nothing was tuned or cut."
    return f"Pairs with a similarity below {threshold} were left out, a threshold chosen elsewhere."


def _thresholds(result: Comparison) -> str:
    """Return each metric's thresholds from cross-validation; empty where there are none."""
    listed = []
    for name, (low, _, high) in result.thresholds.items():
        finite = [f"{x:.3g}" for x in (low, high) if math.isfinite(x)]
        listed.append(f"{name} {' to '.join(dict.fromkeys(finite)) or 'keeps nothing'}")
    if not listed:
        return ""
    return f" ({', '.join(listed)})"


def _caption(view: Pairwise, described: Description) -> str:
    test, correction = _title(view.test), CORRECTIONS[view.correction].title
    quantity, of_letters, notes = "", "", wider_intervals(view)
    if described.pool is not None:
        notes = pool_sentences(described.pool)[:1]
        of_letters = f" in {tested_quantity(view)}"
        quantity = f"{of_letters}, not in F1,"
    sentences = [f"Differences are in {described.rate}{_intervals(view, described)}.", *notes]
    if not view.is_tested:
        return " ".join(sentences)
    sentences.insert(
        0,
        f"{test[0].upper()}{test[1:]}{quantity} with {correction}, family-wise level "
        f"{view.alpha:g}.",
    )
    if view.focus is None:
        sentences.append(f"Systems that share a letter do not differ significantly{of_letters}.")
        sentences.append("That does not show that they are equal.")
    return " ".join(sentences)


def method(result: Result, heading: str = "") -> str:
    """Say in one line of standard terms how the verdict was reached.

    Parameters
    ----------
    result
        What was found.
    heading
        What was compared, to begin with.

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> method(compare_counts([[0, 30], [5, 0]], ["new", "old"]))
    "McNemar's mid-p test, assuming independent cases; Bergmann–Hommel correction, 1 pair, 5%"
    """
    view, settings = result.deciding, result.provenance.settings
    described, assigned = description(result), ""
    if not result.is_tested and described.pool is None:
        return "Means over tasks; no test"
    if not result.is_tested:
        return "Estimates from judged questions; no verdict yet"
    if solver := settings.get("assignment"):
        assigned = "one-to-one assignment"
        if solver != "hungarian":
            assigned += f" ({solver})"
    steps = [_choices(settings.get("threshold")), assigned]
    if settings.get("order") == "assign-then-cut":
        steps.reverse()
    parts = [text for text in (heading, ", then ".join(filter(None, steps))) if text]
    title = described.test.removeprefix("the ")
    if not parts:
        title = f"{title[0].upper()}{title[1:]}"
    unit = {"entity": " on source entities", "entity-target": " on target entities"}
    title += unit.get(view.view, "")
    dependence = f"assuming independent {view.units.name}"
    if view.is_clustered:
        dependence = f"adjusted for {described.dependent}"
    correction = CORRECTIONS[view.correction].title
    if view.correction != "none":
        correction += " correction"
    parts += [
        f"{title}, {dependence}{described.direction}",
        f"{correction}, {count(view.questions, 'pair')}, {100 * view.alpha:g}%",
    ]
    filters = settings.get("filters")
    if isinstance(filters, Sequence) and filters:
        parts.append(f"filter: {', '.join(map(str, filters))}")
    line = "; ".join(parts)
    if described.pool is not None and (verdict := verdict_line(described.pool)):
        line += f". {verdict}"
    return line


def recommendation(result: Result) -> list[str]:
    """Say which metric to use, by the confidence set for the best; nothing of systems."""
    view = result.deciding
    if not _is_ranking(result):
        return []
    candidates, described = view.best_set, description(result)
    precision = described.columns.get("precision")
    answer = f"If only the best is asked for, it is {enumeration(candidates, 'or')}"
    if len(candidates) == len(view.systems):
        answer = "The data do not decide which metric is the best"
    elif len(candidates) > 1 and precision is not None:
        precise = max(candidates, key=precision.__getitem__)
        answer += f"; {precise} is the most precise of them"
    sentences = [f"{answer}."]
    if len(candidates) < len(view.systems):
        sentences.append(
            f"A given best metric is among these with {100 * (1 - view.alpha):g}% confidence; of "
            "several equally good ones some may be missing."
        )
    if described.chosen_f1:
        chosen = f"With the metric chosen by cross-validation, too: {described.chosen_f1}."
        sentences.append(chosen)
    return sentences


def _choices(threshold: object) -> str:
    """Say how thresholds were chosen; '' where there are none."""
    if threshold == "best":
        return "thresholds by cross-validation"
    if not threshold:
        return ""
    return f"threshold {threshold:g}"
