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
from alignrank.evaluation.corrections import CORRECTIONS
from alignrank.evaluation.credit.credits import LESS_IS_BETTER
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.ranking import enumeration
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.evaluation.significance.score_limits import Simultaneous

from .pool_table import COLUMNS, pool_sentences, tested_quantity, with_limits

Result = Comparison | Study
#: A difference and the limits of its 95% interval, NaN where there are none.
Interval = tuple[float, float, float]

#: Tests that are called by a person's name.
_NAMED_TESTS = {name: name.title() for name in ("durkalski", "friedman", "obuchowski", "quade")}
_NAMED_TESTS |= {
    "runs": "Satterthwaite t",
    "paired-t": "paired t",
    "signed-rank": "Wilcoxon signed-rank",
    "signed-rank-normal": "Wilcoxon signed-rank (normal approximation)",
    "jackknife": "jackknife t",
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
    caption = _caption(view, described) + (_WINS if view.focus is None else "")
    in_text = replace(table, footnote=caption).to_text()
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
    order, pool = _order(view, described), described.pool
    names = f" ({enumeration(order)})" if len(order) <= _NAMED and pool is None else ""
    opening = "Here, " if view.is_clustered else ""
    if pool is not None:
        opening = "About F1: "
    sentences = [
        f"We compared {described.counted}{names}{described.material}.",
        f"The unit is the {described.unit}.",
    ]
    if described.tuned:
        sentences.append(described.tuned)
    return [
        *sentences,
        f"{_tested(result, described)}.",
        f"{opening}{' '.join(result.answer())}",
        *_effect(result, described),
        *(["Right pairs outside the pool are unknown."] if pool is not None else []),
        f"Computed with alignrank {result.provenance.version} [@alignrank].",
    ]


def checklist(result: Result) -> list[tuple[str, str]]:
    """Return what a reviewer asks for, and the answer to it."""
    view, described = result.deciding, description(result)
    margin = None if described.pool else result.provenance.settings.get("margin")
    rate = described.rate
    if described.pool:
        rate += f" (intervals) and in {tested_quantity(view)} (tests)"
    return [
        ("estimand", f"the difference of two systems in {rate}"),
        ("unit", described.unit),
        ("effective n", described.effective),
        ("family", _CITED.sub("", _tested(result, described))),
        ("level", f"family-wise {view.alpha:g}; {result.validity}"),
        ("margin", f"{margin}: below it equivalent, or negligible" if margin else "none stated"),
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
    pool, names = described.pool, _order(view, described)
    first = view.focus or names[0]
    lead = differences(result, view, first)
    ahead = {s: _shown(lead[s], described.digits) if s in lead else "" for s in names}
    scored = described.columns
    if view.focus is None:
        last: dict[str, Mapping[str, str]] = {"letters": view.letters}
        if not narrow:
            last["W/T/L"] = {s: _wins(s, view) for s in names}
    else:
        verdicts = view.verdicts
        last = {f"{first} is": {s: verdicts.get((first, s), "") for s in names}}
    if narrow:
        scored = dict(list(scored.items())[:1])
    shown: Mapping[str, Mapping[str, object]] = scored
    if pool is not None and not narrow:
        shown = with_limits(pool, view.systems)
    difference = "difference" if narrow else f"{first} − other"
    columns: dict[str, Mapping[str, object]] = {**shown, difference: ahead}
    if view.f1 is not None and not narrow:
        columns[f"{first} − other, F1"] = _in_f1(view, view.f1, first)
    numbers: list[ColumnKind] = ["number"] * len(columns)
    columns |= last
    words: list[ColumnKind] = ["text"] * len(last)
    caption = _caption(view, described)
    if narrow:
        caption += f" Difference: {first} minus the other system."
    else:
        caption += f"{_WINS if view.focus is None else ''} Bold: best of its column."
    shown_names = {s: short(s, _NAME_WIDTH) if narrow else s for s in names}
    return Table(
        f"{described.counted}{described.material}",
        ["system", *columns],
        [[shown_names[s], *(values[s] for values in columns.values())] for s in names],
        caption,
        ["text", *numbers, *words],
        best_cells(scored, names),
    )


#: What W/T/L stands for.
_WINS = (
    " W/T/L: significantly better than, not significantly different from, significantly worse than "
    "so many."
)


def differences(result: Result, view: Pairwise, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, with 95% intervals where they are known."""
    if view.simultaneous is None:
        return result.mean_differences(first)
    i = view.systems.index(first)
    return {
        name: interval(view.simultaneous, i, j)
        for j, name in enumerate(view.systems)
        if i != j and view.focus in (None, first, name)
    }


def _in_f1(view: Pairwise, f1: Simultaneous, first: str) -> dict[str, str]:
    """Return the differences in F1 of `first` from the others."""
    i = view.systems.index(first)
    shown = {
        name: _shown(interval(f1, i, j), 3) if view.focus in (None, first, name) else ""
        for j, name in enumerate(view.systems)
    }
    return {**shown, first: ""}


def interval(intervals: Simultaneous, i: int, j: int) -> Interval:
    """Return a difference and its limits; correct answers per 100 of the reference."""
    factor = 100 if intervals.measure == "net" else 1
    matrices = (intervals.difference, intervals.low, intervals.high)
    value, low, high = (factor * float(matrix[i, j]) for matrix in matrices)
    return value, low, high


def _shown(lead: Interval, digits: int) -> str:
    value, low, high = (f"{x:.{digits}f}".replace("-", "−") for x in lead)
    return value if math.isnan(lead[1]) or lead[1] == lead[2] else f"{value} [{low}, {high}]"


def _order(view: Pairwise, described: Description) -> Sequence[str]:
    """Return the systems as the screen has them, the best first."""
    pool = described.pool
    return view.order if pool is None else pool.order(view.systems)


def _wins(system: str, view: Pairwise) -> str:
    won = sum(better == system for better, _ in view.edges)
    lost = sum(worse == system for _, worse in view.edges)
    return f"{won}/{len(view.systems) - 1 - won - lost}/{lost}"


def best_cells(
    scored: Mapping[str, Mapping[str, float]], names: Sequence[str], first_column: int = 1
) -> set[tuple[int, int]]:
    """Return row and column of the best value of every column."""
    best = set()
    for k, (column, values) in enumerate(scored.items(), first_column):
        defined = [value for value in values.values() if not math.isnan(value)]
        falls = column in LESS_IS_BETTER or column == "mean rank"
        pick = min if falls or column.endswith("(lower is better)") else max
        top = pick(defined) if defined else None
        best |= {(i, k) for i, s in enumerate(names) if top is not None and values[s] == top}
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
    n, shared = len(result.table.tasks), result.deciding.is_clustered
    measure = result.table.measure
    direction = f" ({result.table.direction})" if result.table.lower_is_better else ""
    means = result.table.scores.mean(axis=0).tolist()
    test = _title(result.test)
    if result.constant_pairs == len(result.pairs):
        test = "the exact sign test"
    elif result.constant_pairs:
        test += " (where a difference does not vary over the tasks, the exact sign test)"
    return Description(
        _counted(result),
        f" on {count(n, 'task')} by {measure}{direction}",
        f"task ({n})",
        f"mean {measure}" + (", negated, since lower is better" if direction else ""),
        count(n, "task") + (", some of which share ontologies" if shared else ""),
        {
            result.table.mean_title: dict(zip(result.systems, means, strict=True)),
            "mean rank": result.mean_ranks,
        },
        test,
        "dependence between tasks that share ontologies",
        _tuned(result, "tasks", result.f1_of_choice),
        chosen_f1=_chosen_f1("mean F1", result.f1_of_choice),
        direction=f", {result.table.direction}" if measure == "score" else "",  # of a table
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
    rate, is_net = view.view, view.simultaneous and view.simultaneous.measure == "net"
    if view.view in VIEWS:
        decided = VIEWS[view.view]
        rate = f"{decided.counted} per 100 {decided.unit} of the reference"
    elif view.view == "item":
        rate = "the mean score"
    dependent = "dependence within clusters of items"
    if result.provenance.settings.get("clusters") in (None, "parent") and view.view != "item":
        side = "" if view.is_crossed else f"{unit_of(view.view).split()[0]} "
        dependent = f"dependence between {side}classes that share a parent"
    f1_of_choice = result.matched.f1_of_choice if result.matched else None
    return Description(
        _counted(result),
        _material(result),
        f"{name}{f' ({view.items})' if view.items else ''}{right}",
        rate,
        _effective(view),
        score_columns(result),
        _title(result.test),
        dependent,
        _tuned(result, "clusters of entities", f1_of_choice),
        _thresholds(result),
        _chosen_f1("F1", f1_of_choice),
        digits=1 if is_net else 3,
    )


def _counted(result: Result) -> str:
    noun = "metric" if result.provenance.settings.get("command") == "rank" else "system"
    return count(len(result.systems), noun)


def _chosen_f1(name: str, f1: float | None) -> str:
    return "" if f1 is None else f"{name} {f1:.3f}"


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
    means = ", by the mean of their runs" if result.runs else ""
    if is_rank_measure(result.deciding.view):
        return f" by how they rank candidates{means}"
    if result.reference is None:
        return means or " by a table of discordant counts"
    inputs = result.provenance.inputs
    both = [file for role in ("source", "target") if (file := inputs.get(role))]
    on = f" on {enumeration([Path(file.path).stem for file in both])}" if both else ""
    return f"{on} against a reference of {count(result.reference, 'correspondence')}{means}"


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
    n = len(view.systems)
    noun = "pairs" if described.pool is None else "pairs of systems"
    pairs = f"All {view.questions} {noun}"
    if view.focus:
        pairs = f"{noun.capitalize()} with {view.focus}"
    pairs = "Both" if n == 2 else pairs
    clusters = f", adjusted for {described.dependent}," if view.is_clustered else ""
    quantity = ""
    if described.pool is not None:
        shown = "letters, W/T/L" if view.focus is None else f"column “{view.focus} is”"
        quantity = f" in {tested_quantity(view)} ({shown})"
    if not result.is_tested:
        return f"{pairs} were left untested: the tasks are too few, or all share an ontology"
    return (
        f"{pairs} were compared{quantity} by {described.test}{_cite(view.test)}{clusters} with "
        f"{CORRECTIONS[view.correction].title} correction{_cite(view.correction)} (family-wise "
        f"level {view.alpha:g})"
    )


def _title(test: str) -> str:
    if test in TESTS:
        return f"McNemar's {test} test"
    if test == "sign-flip":
        return "McNemar's test"
    if test == "judgements":
        return "McNemar's test from judged pairs"
    return f"the {_NAMED_TESTS.get(test, test)} test"


def _cite(name: str) -> str:
    return f" [@{name}]" if name in _sources() else ""


def _effect(result: Result, described: Description) -> list[str]:
    """Tell the first's difference from the next one; of few systems also from the last one."""
    view = result.deciding
    order = _order(view, described)
    first = view.focus or order[0]
    rivals = [s for s in order if s != first]
    lead = differences(result, view, first)
    last = rivals[-1] if len(order) <= _NAMED else rivals[0]
    extremes = [s for s in dict.fromkeys((rivals[0], last)) if s in lead]
    digits = described.digits
    listed = " and ".join(f"{first} − {s} is {_shown(lead[s], digits)}" for s in extremes)
    return [f"In {described.rate}, {listed}{_intervals(view, described)}."] if extremes else []


def _notes(view: Pairwise, described: Description) -> list[str]:
    """Return what must be known of the intervals, or of the pool."""
    pool = described.pool
    return wider_intervals(view) if pool is None else pool_sentences(pool)[:1]


def wider_intervals(view: Pairwise) -> list[str]:
    """Explain an interval that holds 0 though the difference is significant, if there is one."""
    simultaneous, place = view.simultaneous, view.systems.index
    if simultaneous is None:
        return []
    lowest = [simultaneous.low[place(better), place(worse)] for better, worse in view.edges]
    if all(low > 0 for low in lowest):
        return []
    return [
        "The intervals are wider than the tests need: the verdict follows adjusted p, even where "
        "an interval includes 0."
    ]


def _intervals(view: Pairwise, described: Description) -> str:
    """Say what the intervals of differences are; empty where there are none."""
    level = None if view.simultaneous is None else view.simultaneous.level
    if described.pool is not None and described.pool.judged < described.pool.questions:
        level = 1 - view.alpha
    if level is None:
        return described.intervals
    return f", with simultaneous {100 * level:.3g}% confidence intervals"


def _tuned(result: Result, chosen_on: str, f1_of_choice: float | None) -> str:
    """Say what was chosen on what; empty where that is not known."""
    settings = result.provenance.settings
    if settings.get("command") != "rank":
        return ""
    threshold = settings.get("threshold")
    if threshold == "best":
        chosen = "Thresholds" if f1_of_choice is None else "Thresholds and the best metric"
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
    return f" ({', '.join(listed)})" if listed else ""


def _caption(view: Pairwise, described: Description) -> str:
    test, correction = _title(view.test), CORRECTIONS[view.correction].title
    quantity, of_letters = "", ""
    if described.pool is not None:
        of_letters = f" in {tested_quantity(view)}"
        quantity = f"{of_letters}, not in F1,"
    sentences = [
        f"{test[0].upper()}{test[1:]}{quantity} with {correction}, family-wise level "
        f"{view.alpha:g}.",
        f"Differences are in {described.rate}{_intervals(view, described)}.",
        *_notes(view, described),
    ]
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
    if not result.is_tested:
        return "Means over tasks; no test"
    parts = [heading] if heading else []
    described = description(result)
    steps = [_choices(settings.get("threshold"))]
    if settings.get("assignment"):
        place = 0 if settings.get("order") == "assign-then-cut" else 1
        solver = settings["assignment"]
        how = "" if solver == "hungarian" else f" ({solver})"
        steps.insert(place, f"one-to-one assignment{how}")
    if chosen := ", then ".join(filter(None, steps)):
        parts.append(chosen)
    title = described.test.removeprefix("the ")
    if not parts:
        title = f"{title[0].upper()}{title[1:]}"
    unit = {"entity": " on source entities", "entity-target": " on target entities"}
    title += unit.get(view.view, "")
    if view.is_clustered:
        test = f"{title}, adjusted for {described.dependent}"
    else:
        test = f"{title}, assuming independent {view.unit}"
    test += described.direction
    correction = CORRECTIONS[view.correction].title
    pairs = count(view.questions, "pair")
    if view.correction != "none":
        correction += " correction"
    parts += [test, f"{correction}, {pairs}, {100 * view.alpha:g}%"]
    return "; ".join(parts)


def recommendation(result: Result) -> list[str]:
    """Say which metric to use, by the confidence set for the best; nothing of systems."""
    view = result.deciding
    if result.provenance.settings.get("command") != "rank":
        return []
    candidates, described = view.best_set, description(result)
    chosen_f1, precision = described.chosen_f1, described.columns.get("precision")
    chosen = [f"With the metric chosen by cross-validation, too: {chosen_f1}."] if chosen_f1 else []
    if len(candidates) == len(view.systems):
        return ["The data do not decide which metric is the best.", *chosen]
    level = f"{100 * (1 - view.alpha):g}% confidence"
    answer = f"If only the best is asked for, it is {enumeration(candidates, 'or')} ({level})"
    if len(candidates) > 1 and precision is not None:
        precise = max(candidates, key=precision.__getitem__)
        answer += f"; {precise} is the most precise of them"
    return [f"{answer}.", *chosen]


def _choices(threshold: object) -> str:
    """Say how thresholds were chosen; '' where there are none."""
    if threshold == "best":
        return "thresholds by cross-validation"
    return f"threshold {threshold:g}" if threshold else ""
