"""The facts of a result in words, from which sentences, columns and captions are made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path

import numpy as np

from alignrank.common.names import count, enumeration, percent
from alignrank.evaluation import TESTS, VIEWS, Comparison, Pairwise
from alignrank.evaluation.credit.tied_ranks import is_rank_measure
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study
from alignrank.evaluation.multitask.pair_tests import LEVEL
from alignrank.ontologies.tasks.catalogue import campaigns

Result = Comparison | Study

#: Names of tests: McNemar's tests have no article, the others are "the … test".
_OF_MCNEMAR = {test: f"McNemar's {test} test" for test in TESTS} | {
    "sign-flip": "McNemar's test",
    "judgements": "McNemar's test from judged pairs",
}
_OTHERS = {
    "durkalski": "Durkalski test",
    "friedman": "Friedman test",
    "obuchowski": "Obuchowski test",
    "quade": "Quade test",
    "runs": "Satterthwaite t test",
    "paired-t": "paired t test",
    "signed-rank": "Wilcoxon signed-rank test",
    "signed-rank-normal": "Wilcoxon signed-rank (normal approximation) test",
    "jackknife": "jackknife t test",
}
#: By view: the unit of a decision, and when it is right.
_UNITS = {
    "item": ("item", ", by its score from 0 to 1"),
    "entity": ("source entity", ", right if its whole answer is the reference's"),
    "entity-target": ("target entity", ", right if its whole answer is the reference's"),
    "ifp": ("correspondence of the reference", ", right if it was found"),
    "cfp": ("pair of entities", ", right if found exactly where the reference has it"),
}


@dataclass(frozen=True)
class ResultFacts:
    """The facts of a result, in words for a paper.

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
    test, test_name
        The test that decides, and the one that replaces it where needed; with its article, and
        without.
    dependent
        What the test takes as dependent on each other.
    tuned, thresholds
        What was chosen on what, and the thresholds; empty where that is not known.
    chosen_f1
        F1 of the best metric, chosen by cross-validation; empty where nothing was chosen.
    direction
        Whether higher is better, of a table's scores; else empty.
    intervals, level
        What intervals of differences are, and their level, where a view has none of its own; else
        empty and None.
    topic
        What the systems were compared on, for a heading; empty where that has no name.
    title
        That of the table of systems.
    excess
        The note on differences of more than 100 per 100 items; empty where there are none.
    pool
        What judged questions say; None where there is a reference.
    """

    counted: str
    material: str
    unit: str
    rate: str
    effective: str
    test: str
    test_name: str
    dependent: str
    tuned: str
    thresholds: str = ""
    chosen_f1: str = ""
    direction: str = ""
    intervals: str = ""
    level: float | None = None
    topic: str = ""
    title: str = "Scores and ranks"
    excess: str = ""
    pool: PoolEstimate | None = None

    @property
    def heading(self) -> str:
        """The systems and the data, as a figure's title ends: ``10 systems, mouse and human``."""
        return ", ".join(filter(None, [self.counted, self.topic]))


@singledispatch
def description(result: Result) -> ResultFacts:
    """Describe a comparison or a study for a paper."""
    raise TypeError(f"{type(result).__name__} is neither a comparison nor a study")


@description.register(Study)
def describe_study(result: Study) -> ResultFacts:
    """Describe a study for a paper."""
    campaign, tuned = _campaign(result), _tuned(result, "tasks", result.f1_of_choice)
    chosen_f1 = _chosen_f1("mean F1", result.f1_of_choice)
    n, measure, direction = len(result.table.tasks), result.table.measure, ""
    counted = _counted(result)
    effective = topic = count(n, "task")
    material, rate = f" on {effective} by {measure}", f"mean {measure}"
    if result.estimand == "Hodges–Lehmann difference":
        rate = f"{measure} (Hodges–Lehmann)"
    if result.table.lower_is_better:
        material += f" ({result.table.direction})"
        rate += f" ({result.table.direction}: positive if the first system is better)"
    if result.deciding.is_clustered:
        effective += ", some of which share ontologies"
    if measure == "score":  # of a table
        direction = f", {result.table.direction}"
    name = title_of_test(result.test)
    if campaign:
        topic = f"{campaign}, {topic}"
    return ResultFacts(
        counted,
        material,
        f"task ({n})",
        rate,
        effective,
        f"the {name}",
        name,
        "dependence between tasks that share ontologies",
        tuned,
        chosen_f1=chosen_f1,
        direction=direction,
        intervals=f", with {percent(LEVEL)} confidence intervals, each for itself",
        level=LEVEL,
        topic=topic,
        title="Mean scores and ranks",
    )


@description.register(Comparison)
def describe_comparison(result: Comparison) -> ResultFacts:
    """Describe a comparison for a paper."""
    view, pool = result.deciding, result.pool
    counted, test = _counted(result), title_of_test(result.test)
    if pool is not None:
        judged = count(pool.judged, "judged question")
        return ResultFacts(
            counted,
            f" by a judged sample, {pool.judged:,} of {pool.questions:,} questions on the pool of "
            f"their {count(pool.pairs, 'pair')}",
            "question (a source entity)",
            "F1 in the pool",
            judged,
            test,
            test,
            "",
            "",
            topic=judged,
            title="The systems in the pool",
            pool=pool,
        )
    name, right = _UNITS.get(view.view, ("source entity", f"; what is compared is {view.view}"))
    is_rank = is_rank_measure(view.view)
    if is_rank:
        name, right = "query", f"{right}, by its mean over all orders of tied candidates"
    if view.units.items:
        name += f" ({view.units.items})"
    rate = view.view
    if view.view in VIEWS:
        decided = VIEWS[view.view]
        rate = f"{decided.counted} per 100 {decided.unit} of the reference"
    elif view.view == "item":
        rate = "the mean score"
        if view.intervals.tested is not None and view.intervals.tested.measure == "net":
            rate = "right answers per 100 items"
        elif view.less_is_better:
            rate = f"1 − the {view.quantity}"
        if view.less_is_better:
            right = ", by 1 − its error from 0 to 1"
    dependent = "dependence within clusters of items"
    if result.provenance.settings.get("clusters") in (None, "parent") and view.view != "item":
        classes = "classes that share a parent"
        if not view.units.is_crossed:
            classes = f"{'target' if view.view == 'entity-target' else 'source'} {classes}"
        dependent = f"dependence between {classes}"
    f1_of_choice = None
    if result.matched is not None:
        f1_of_choice = result.matched.f1_of_choice
    return ResultFacts(
        counted,
        _material(result, is_rank=is_rank),
        f"{name}{right}",
        rate,
        _effective(view),
        with_article(result.test),
        test,
        dependent,
        _tuned(result, "clusters of entities", f1_of_choice),
        _thresholds(result),
        _chosen_f1("F1", f1_of_choice),
        topic=_topic(result),
        excess=above_hundred(view),
    )


def _counted(result: Result) -> str:
    noun = "system"
    if compares_metrics(result):
        noun = "metric"
    return count(len(result.systems), noun)


def compares_metrics(result: Result) -> bool:
    """Tell whether metrics were compared, not systems."""
    return result.provenance.settings.get("command") == "rank"


def _chosen_f1(name: str, f1: float | None) -> str:
    if f1 is None:
        return ""
    return f"{name} {f1:.3f}"


def _material(result: Comparison, *, is_rank: bool) -> str:
    if result.deciding.view == "item":
        return " by a table of items"
    means = ""
    if result.runs:
        means = ", by the mean of their runs"
    if is_rank:
        return f" by how they rank candidates{means}"
    if result.reference is None:
        return means or " by a table of discordant counts"
    stems = _ontologies(result)
    against = f" against a reference of {count(result.reference, 'correspondence')}{means}"
    if stems:
        against = f" on {enumeration(stems)}{against}"
    return against


def _ontologies(result: Comparison) -> list[str]:
    """Return the names of the ontologies' files, where they are known."""
    inputs = result.provenance.inputs
    return [Path(inputs[role].path).stem for role in ("source", "target") if role in inputs]


def _topic(result: Comparison) -> str:
    """Return the data that systems were compared on, in few words."""
    if campaign := _campaign(result):
        return campaign
    if stems := _ontologies(result):
        return enumeration(stems)
    items = result.deciding.units.items
    if result.deciding.view == "item" and items is not None:
        return count(items, "item")
    if result.reference is not None:
        return count(result.reference, "correspondence")
    return ""


def _campaign(result: Result) -> str:
    """Return the campaign whose systems were compared, as ``anatomy 2016``; '' if there is none.

    The files of a campaign's systems lie in the folder of its year, that of the track above it.
    """
    folders = {Path(file.path).parent for file in result.provenance.inputs.values()}
    of_systems = [folder for folder in folders if folder.name.startswith("systems-")]
    if len(of_systems) != 1:
        return ""
    track, year = of_systems[0].parent, of_systems[0].name.removeprefix("systems-")
    is_known = year in campaigns(track.name, [track.parent])
    return f"{track.name} {year}" if is_known else ""


def _effective(view: Pairwise) -> str:
    """Return the effective number of independent items, or its range over pairs."""
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


def title_of_test(test: str) -> str:
    """Return the name of a test without an article."""
    return (_OF_MCNEMAR | _OTHERS).get(test, f"{test} test")


def with_article(test: str) -> str:
    """Return the name of a test with the article that it has in a sentence."""
    return title_of_test(test) if test in _OF_MCNEMAR else f"the {title_of_test(test)}"


def intervals_of(view: Pairwise, described: ResultFacts) -> str:
    """Return the kind and level of the intervals of differences; empty where there are none."""
    pool = described.pool
    if pool is not None and pool.judged < pool.questions:
        level = pool.level
    elif view.intervals.tested is not None:
        level = view.intervals.tested.level
    else:
        return described.intervals
    return f", with simultaneous {percent(level)} confidence intervals"


def above_hundred(view: Pairwise) -> str:
    """Return the footnote to differences of more than 100 per 100 of the reference, if any."""
    intervals = view.intervals.tested
    if intervals is None or intervals.measure != "net":
        return ""
    largest = np.maximum(intervals.high, -intervals.low)
    if view.focus is not None:
        largest = largest[view.systems.index(view.focus)]
    if not (largest > 1).any():
        return ""
    return "More than 100 is possible: wrong answers outside the reference count, too."


def _tuned(result: Result, chosen_on: str, f1_of_choice: float | None) -> str:
    """Return the choices and the data that they were made on; empty where these are unknown."""
    if not compares_metrics(result):
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
