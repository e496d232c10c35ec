"""What a paper says of a result: a paragraph, a table, its sources, and a checklist.

All is made of what ``summary.json`` holds. A source is cited by its key, ``[@holm]``.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import ascii_lowercase

from alignrank.common.files import write_text
from alignrank.common.names import count
from alignrank.common.table import ColumnKind, Table, latex_text
from alignrank.evaluation.comparison.contingency import VIEWS
from alignrank.evaluation.corrections import CORRECTIONS
from alignrank.evaluation.credit.credits import LESS_IS_BETTER
from alignrank.evaluation.ranking import enumeration, verdict_words
from alignrank.evaluation.significance.mcnemar import TESTS
from alignrank.evaluation.uncertainty.effects import score_interval
from alignrank.experiments.results.result import ITEM, ComparisonResult, Decision, libraries
from alignrank.experiments.results.study_result import StudyPair, StudyResult

Result = ComparisonResult | StudyResult
#: A difference and the limits of its 95 % interval; None where there is none.
Interval = tuple[float, float | None, float | None]

#: Tests that are called by a person's name.
_NAMED_TESTS = {name: name.title() for name in ("durkalski", "friedman", "obuchowski", "quade")}
_NAMED_TESTS["runs"] = "Satterthwaite t"
#: By view: what a decision is about, and when it is right.
_UNITS = {
    "item": ("item", ", by its score from 0 to 1"),
    "entity": ("source entity", ", right if its whole answer is that of the reference"),
    "entity-target": ("target entity", ", right if its whole answer is that of the reference"),
    "ifp": ("correspondence of the reference", ", right if it was found"),
    "cfp": ("pair of entities", ", right if found exactly where the reference has it"),
}
#: What a table says of the cells that stand out; plain text has none.
_BOLD = " Bold: best of its column."
#: Of so many systems the text gives the names.
_NAMED = 12
#: A citation, as it stands and as `latex_text` leaves it.
_CITED = re.compile(r" (?:\[|\{\[\})@([a-z-]+)\]")


def write_paper(folder: Path, result: Result, sentences: Sequence[str]) -> None:
    """Write ``paper.txt`` and ``paper.tex`` into a results folder.

    Parameters
    ----------
    folder
        Where to.
    result
        What was found.
    sentences
        The answer, sentence by sentence.
    """
    text, table = " ".join(paragraph(result, sentences)), paper_table(result, result.decision())
    sources = bibliography(result.version, _CITED.findall(text))
    listed = [*checklist(result), ("switched", "nothing since the results were made")]
    checked = "\n".join(f"{item}: {version}" for item, version in listed)
    in_text = replace(table, footnote=table.footnote.removesuffix(_BOLD)).to_text()
    plain = [_CITED.sub(r" [\1]", text), in_text, f"Reporting checklist\n{checked}"]
    write_text(folder / "paper.txt", "\n\n".join([*plain, sources]))
    latex = [
        "% \\input{paper}; what \\cite names stands as BibTeX below \\endinput",
        _CITED.sub(r"~\\cite{\1}", latex_text(text)),
        f"\n{table.to_latex()}\\endinput\n",
        sources,
    ]
    write_text(folder / "paper.tex", "\n".join(latex))


def paragraph(result: Result, sentences: Sequence[str]) -> list[str]:
    """Return the sentences of a paper's paragraph; `sentences` are those of the answer."""
    decision = result.decision()
    names = f" ({enumeration(decision.systems)})" if len(decision.systems) <= _NAMED else ""
    versions = ", ".join(f"{name} {number}" for name, number in libraries().items())
    return [
        f"We compared {_many(result)}{names}{_material(result)}.",
        f"The unit of analysis is the {_unit(result)}.",
        *([_tuned(result)] if _tuned(result) else []),
        f"{_tested(result, decision)}.",
        *(text for text in sentences if not text.startswith("An interval may")),  # told with them
        *_effect(result, decision, sentences),
        "Systems that cannot be told apart are not thereby equal.",
        f"Computed with alignrank {result.version} [@alignrank] ({versions}).",
    ]


def checklist(result: Result) -> list[tuple[str, str]]:
    """Return what a reviewer asks for, and the answer to it."""
    decision = result.decision()
    margin = result.settings.get("margin")
    return [
        ("estimand", f"the difference of two systems in {_rate(result)}"),
        ("unit", _unit(result)),
        ("effective n", _effective(result)),
        ("family", _CITED.sub("", _tested(result, decision))),
        ("level", f"family-wise {decision.alpha:g}; {result.validity}"),
        ("margin", f"{margin}: below it equivalent, or negligible" if margin else "none stated"),
        (
            "tuned on",
            f"{_tuned(result)}{_ranges(result)}" or "not known here: say what was tuned on what",
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


def paper_table(result: Result, decision: Decision) -> Table:
    """Return the systems with scores, the first's differences, letters and win/tie/loss.

    Systems that share a letter cannot be told apart. The best value of a column is strong.
    """
    scored, focus, names = scores_of(result), _focus(result), decision.systems
    first = focus or names[0]
    lead = differences(result, decision.view, first)
    if focus is None:
        marks = letters(names, decision.groups)
        last = {"letters": marks, "W/T/L": {s: _wins(s, decision) for s in names}}
    else:
        verdicts = verdict_words(names, decision.edges, decision.conditional)
        last = {f"{focus} is": {s: verdicts.get((focus, s), "") for s in names}}
    ahead = {f"{first} − other": {s: _shown(lead[s]) if s in lead else "" for s in names}}
    columns: dict[str, Mapping[str, object]] = {**scored, **ahead, **last}
    numbers: list[ColumnKind] = ["number"] * (len(scored) + 1)
    words: list[ColumnKind] = ["text"] * len(last)
    return Table(
        f"{_many(result)}{_material(result)}",
        ["system", *columns],
        [[s, *(values[s] for values in columns.values())] for s in names],
        _caption(result, decision),
        ["text", *numbers, *words],
        best_cells(scored, names),
    )


def letters(systems: Sequence[str], groups: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return each system's letters: two that share one cannot be told apart.

    Parameters
    ----------
    systems
        Names, best first.
    groups
        The largest sets of systems of which no two differ significantly.

    Examples
    --------
    >>> letters(["a", "b", "c", "d"], [["a", "b"], ["b", "c"]])
    {'a': 'a', 'b': 'ab', 'c': 'b', 'd': 'c'}
    """
    grouped = [set(group) for group in groups]
    alone = [{name} for name in systems if not any(name in group for group in grouped)]
    sets = sorted([*grouped, *alone], key=lambda group: sorted(map(systems.index, group)))
    signs = [ascii_lowercase[k % 26] + str(k // 26 or "") for k in range(len(sets))]
    return {
        name: "".join(sign for sign, group in zip(signs, sets, strict=True) if name in group)
        for name in systems
    }


def differences(result: Result, view: str, first: str) -> dict[str, Interval]:
    """Return `first` − each other system, with 95 % intervals where they are known."""
    if isinstance(result, StudyResult):
        pairs = [pair for pair in result.pairs if first in (pair.system1, pair.system2)]
        return dict(_lead(pair, first) for pair in pairs)
    i, interval_by_rival = result.systems.index(first), dict[str, Interval]()
    simultaneous = (result.simultaneous or {}).get(view)
    counts = (result.discordant or {}).get(view)
    effects = (result.design_effect or {}).get(view)
    n = (result.items or {}).get(view) or result.reference
    for j, name in enumerate(result.systems):
        if simultaneous is not None and (ahead := simultaneous.difference[i][j]) is not None:
            interval_by_rival[name] = (ahead, simultaneous.low[i][j], simultaneous.high[i][j])
        elif simultaneous is None and counts and n and i != j:
            b, c, items = counts[i][j], counts[j][i], math.inf if view == "cfp" else n
            widened = max(1.0, (effects[i][j] if effects else None) or 1.0)
            low, high = score_interval(b, c, items, design_effect=widened)
            interval_by_rival[name] = ((b - c) / n, float(low) / n, float(high) / n)
    return interval_by_rival


def _lead(pair: StudyPair, first: str) -> tuple[str, Interval]:
    """Return the other system, and the mean difference to it."""
    estimate = pair.effects["mean_difference"]
    assert isinstance(estimate, Mapping)
    value, low, high = (estimate[key] for key in ("value", "low", "high"))
    if first == pair.system1:
        return pair.system2, (value, low, high)
    return pair.system1, (-value, high and -high, low and -low)


def _shown(lead: Interval) -> str:
    value, *limits = (None if x is None else f"{x:.3f}".replace("-", "−") for x in lead)
    return f"{value} [{limits[0]}, {limits[1]}]" if all(limits) else str(value)


def _wins(system: str, decision: Decision) -> str:
    won = sum(better == system for better, _ in decision.edges)
    lost = sum(worse == system for _, worse in decision.edges)
    return f"{won}/{len(decision.systems) - 1 - won - lost}/{lost}"


def scores_of(result: Result) -> dict[str, Mapping[str, float | None]]:
    """Return by column each system's value."""
    if isinstance(result, StudyResult):
        columns = zip(result.systems, zip(*result.scores, strict=True), strict=True)
        means = {name: statistics.fmean(column) for name, column in columns}
        return {f"mean {result.measure}": means, "mean rank": result.mean_ranks}
    if result.values:
        return dict(result.values)
    scores = result.scores or {}
    names = ("precision", "recall", "F1") if scores else ()
    return {name: {s: getattr(of, name.lower()) for s, of in scores.items()} for name in names}


def best_cells(
    scored: Mapping[str, Mapping[str, float | None]], names: Sequence[str], first_column: int = 1
) -> set[tuple[int, int]]:
    """Return row and column of the best value of every column."""
    best = set()
    for k, (column, values) in enumerate(scored.items(), first_column):
        defined = [value for value in values.values() if value is not None]
        pick = min if column in LESS_IS_BETTER or column == "mean rank" else max
        top = pick(defined) if defined else None
        best |= {(i, k) for i, s in enumerate(names) if top is not None and values[s] == top}
    return best


def _focus(result: Result) -> str | None:
    """Return the one system that all others were compared with; None: all pairs were."""
    if isinstance(result, StudyResult):
        return result.focus
    return None if result.focus is None else str(result.settings["focus"])


def _many(result: Result) -> str:
    noun = "metric" if result.settings.get("command") == "rank" else "system"
    return count(len(result.systems), noun)


def _material(result: Result) -> str:
    """Return what the systems were compared on, to follow their number."""
    if isinstance(result, StudyResult):
        return f" on {count(len(result.tasks), 'task')} by {result.measure}"
    if result.views[0] == ITEM:
        return " by a table of items"
    means = ", by the mean of their runs" if result.runs else ""
    if result.reference is None:
        return means or " by a table of discordant counts"
    both = [file for role in ("source", "target") if (file := result.inputs.get(role))]
    on = f" on {enumeration([Path(file.path).stem for file in both])}" if both else ""
    return f"{on} against a reference of {count(result.reference, 'correspondence')}{means}"


def _rate(result: Result) -> str:
    """Return what differences are differences of."""
    if isinstance(result, StudyResult):
        return f"mean {result.measure}"
    view = result.views[0]
    return VIEWS[view].rate if view in VIEWS else "the mean score" if view == ITEM else view


def _unit(result: Result) -> str:
    if isinstance(result, StudyResult):
        return f"task ({len(result.tasks)})"
    view = result.views[0]
    name, right = _UNITS.get(view, ("source entity", f"; what is compared is {view}"))
    n = (result.items or {}).get(view)
    return f"{name}{f' ({n})' if n else ''}{right}"


def _effective(result: Result) -> str:
    """Say how many independent items tell as much as those compared."""
    if isinstance(result, StudyResult):
        shared = ", some of which share ontologies" if result.shared_ontologies else ""
        return count(len(result.tasks), "task") + shared
    numbers = [n for row in (result.effective or {}).get(result.views[0], ()) for n in row if n]
    together = (result.simultaneous or {}).get(result.views[0])
    if not numbers and result.siblings and together:
        return f"not known; {together.clusters} clusters of {result.alike} were resampled"
    if not numbers:
        return "all, if they are independent"
    smallest, largest = f"{min(numbers):.0f}", f"{max(numbers):.0f}"
    middle = f"{statistics.median(numbers):.0f}"
    return (
        smallest if smallest == largest else f"{smallest} to {largest}, by pair (median {middle})"
    )


def _tested(result: Result, decision: Decision) -> str:
    """Say which pairs were tested, and how."""
    n, focus = len(decision.systems), _focus(result)
    pairs = f"{focus} and each other one" if focus else f"All {n * (n - 1) // 2} pairs"
    pairs = "Both" if n == 2 else pairs
    second = _second_grade(result)
    both = f", and again with {second}: what stands in both is called better" if second else ""
    return (
        f"{pairs} were compared by {_title(decision.test)}{_cite(decision.test)} with the "
        f"correction of {CORRECTIONS[decision.correction].title}{_cite(decision.correction)} at a "
        f"family-wise level of {decision.alpha:g}{both}"
    )


def _title(test: str) -> str:
    if test in TESTS:
        return f"McNemar's {test} test"
    return f"the {_NAMED_TESTS.get(test, test)} test"


def _cite(name: str) -> str:
    return f" [@{name}]" if name in _sources() else ""


def _second_grade(result: Result) -> str:
    """Return what the second grade does; empty where there is none."""
    if isinstance(result, StudyResult):
        return (
            "the ontologies that tasks share left out in turn" if result.shared_ontologies else ""
        )
    second = (result.siblings or {}).get(result.views[0])
    method = f" ({_title(second.test)}, corrected likewise)" if second else ""
    return f"{result.alike} resampled together{method}" if second else ""


def _effect(result: Result, decision: Decision, sentences: Sequence[str]) -> list[str]:
    """Tell the first's differences from the next and the last, but for what is said already."""
    first = _focus(result) or decision.systems[0]
    rivals = [s for s in decision.systems if s != first]
    lead = differences(result, decision.view, first)
    named_before = [
        s for s in rivals if any(text.startswith(f"{first} and {s}: ") for text in sentences)
    ]
    extremes = [
        s for s in dict.fromkeys((rivals[0], rivals[-1])) if s in lead and s not in named_before
    ]
    listed = " and ".join(f"{first} − {s} is {_shown(lead[s])}" for s in extremes)
    return [f"In {_rate(result)}, {listed}{_intervals(result)}."] if extremes else []


def _intervals(result: Result) -> str:
    """Say what the intervals of differences are; empty where there are none."""
    if isinstance(result, StudyResult) or (result.values is None and not result.simultaneous):
        shared = isinstance(result, StudyResult) and result.shared_ontologies
        return (
            f", with 95 % intervals, each for itself{', ontologies left out too' if shared else ''}"
        )
    simultaneous = (result.simultaneous or {}).get(result.views[0])
    together = "intervals that hold together (the tests go step by step and may decide more)"
    return f", with {simultaneous.level * 100:.3g} % {together}" if simultaneous else ""


def _tuned(result: Result) -> str:
    """Say what was chosen on what; empty where that is not known."""
    if result.settings.get("command") != "rank":
        return ""
    threshold = result.settings.get("threshold")
    if threshold == "best":
        other_things = "tasks" if isinstance(result, StudyResult) else "families of entities"
        return f"Thresholds were chosen on other {other_things} than those that they cut."
    if not threshold:
        return "Nothing was tuned or cut."
    return f"Pairs with a similarity below {threshold} were left out, a threshold chosen elsewhere."


def _ranges(result: Result) -> str:
    """Return each metric's cross-fitted thresholds; empty where there are none."""
    if isinstance(result, StudyResult) or not result.thresholds:
        return ""
    listed = []
    for name, limits in result.thresholds.items():
        finite = [f"{x:.3g}" for x in limits[::2] if x is not None and x < math.inf]
        listed.append(f"{name} {' to '.join(dict.fromkeys(finite)) or 'keeps nothing'}")
    return f" ({', '.join(listed)})"


def _caption(result: Result, decision: Decision) -> str:
    second = _second_grade(result)
    test, correction = _title(decision.test), CORRECTIONS[decision.correction].title
    sentences = [
        f"{test[0].upper()}{test[1:]} with {correction}, family-wise level {decision.alpha:g}"
        f"{f', and with {second}' if second else ''}.",
        f"Differences are in {_rate(result)}{_intervals(result)}.",
    ]
    if _focus(result) is None:
        sentences += [
            "Systems that share a letter cannot be told apart; W/T/L: better than, undecided"
        ]
        sentences += ["with, worse than so many."]
    return " ".join(sentences) + _BOLD
