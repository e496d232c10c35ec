"""Sentences on a result: the method, a paper's paragraph, a checklist, captions.

All is made of what ``summary.json`` holds; what layouts do with the sentences, they do not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

from alignrank.common.names import count, enumeration, first_of, percent
from alignrank.evaluation import CORRECTIONS, Comparison, Pairwise
from alignrank.evaluation.comparison.result import differing_units_of
from alignrank.evaluation.judged.conclusions import PoolEstimate
from alignrank.evaluation.multitask import Study

from .columns import Column, quantity_of_judged
from .description import Result, ResultFacts, compares_metrics, intervals_of, with_article
from .tables import difference_in_pool


@dataclass(frozen=True)
class Citation:
    """A place in a text where the source of a test or a correction is cited.

    Parameters
    ----------
    key
        That of the bibliography; of what has no source there nothing is cited.
    """

    key: str


#: A sentence, with the places of its citations.
Cited = Sequence[str | Citation]

#: Up to this number of systems the text gives their names, and two differences.
_NAMED = 4
#: The number of sentences on sizes of the reference at which another system becomes better.
MOST_FLIPS = 3
#: The meaning of bold letters in a paper's table.
BOLD = "Bold: best of its column."


def paragraph(
    result: Result, described: ResultFacts, columns: Mapping[str, Column], ranked: Sequence[str]
) -> list[Cited]:
    """Return the sentences of a paper's paragraph; the systems are `ranked`, the best first."""
    view = result.deciding
    names, opening, unknown = "", "", ""
    if view.is_clustered:
        opening = "Here, "
    if described.pool is not None:
        opening, unknown = "About F1: ", "Right pairs outside the pool are unknown."
    elif len(view.order) <= _NAMED:
        names = f" ({enumeration(view.order)})"
    sentences: list[Cited] = [
        [f"We compared {described.counted}{names}{described.material}."],
        [f"The unit is the {described.unit}."],
        [described.tuned],
        [*_tested(result, described), "."],
        [f"{opening}{' '.join(result.answer())}"],
        [_effect(result.deciding, described, columns, ranked)],
        [unknown],
        [f"Computed with alignrank {result.provenance.version}", Citation("alignrank"), "."],
    ]
    return [sentence for sentence in sentences if any(sentence)]


def checklist(result: Result, described: ResultFacts) -> list[tuple[str, str]]:
    """Return the questions of a reviewer's checklist with their answers."""
    view = result.deciding
    rate, margin = described.rate, "none stated"
    if described.pool:
        rate += f" (intervals) and in {quantity_of_judged(view)} (tests)"
    elif stated := result.provenance.settings.get("margin"):
        margin = f"{stated}: below it equivalent, or negligible"
    return [
        ("estimand", f"the difference of two systems in {rate}"),
        ("unit", described.unit),
        ("effective n", described.effective),
        ("family", "".join(part for part in _tested(result, described) if isinstance(part, str))),
        ("level", f"family-wise {view.alpha:g}; {result.validity}"),
        ("margin", margin),
        (
            "tuned on",
            f"{described.tuned}{described.thresholds}"
            or "not known here: say what was tuned on what",
        ),
    ]


def _tested(result: Result, described: ResultFacts) -> Cited:
    """Say which pairs were tested, and how."""
    view = result.deciding
    noun, quantity, clusters, verdict = "pairs", "", "", ""
    if described.pool is not None:
        if described.pool.has_several_verdicts and described.pool.verdict is not None:
            verdict = f", verdict {described.pool.verdict.number} of a judged sample"
        noun, place = "pairs of systems", "letters, W/T/L"
        if view.focus is not None:
            place = f"column “{view.focus} is”"
        quantity = f" in {quantity_of_judged(view)} ({place})"
    pairs = f"All {view.questions} {noun}"
    if len(view.systems) == 2:
        pairs = "Both"
    elif view.focus:
        pairs = f"{noun.capitalize()} with {view.focus}"
    if view.is_clustered:
        clusters = f", adjusted for {described.dependent},"
    if not result.is_tested and described.pool is not None:
        return [f"{pairs} are not tested before the first verdict of the judged sample"]
    if not result.is_tested:
        return [f"{pairs} were left untested: the tasks are too few, or all share an ontology"]
    return [
        f"{pairs} were compared{quantity} by {described.test}",
        Citation(view.test),
        f"{clusters} with {CORRECTIONS[view.correction].title} correction",
        Citation(view.correction),
        f" (family-wise level {view.alpha:g}{verdict})",
    ]


def _effect(
    view: Pairwise, described: ResultFacts, columns: Mapping[str, Column], ranked: Sequence[str]
) -> str:
    """Tell the first's difference from the next one; of few systems also from the last one."""
    if "difference" not in columns:
        return ""
    column = replace(columns["difference"], between=", ")
    first = view.focus or ranked[0]
    rivals = [name for name in ranked if name in column.values]
    extremes = rivals[:1]
    if 2 < len(view.systems) <= _NAMED:
        extremes.append(rivals[-1])
    # a minus sign, as prose has it
    listed = [f"{first} − {name} is {column.text(name).replace('-', '−')}" for name in extremes]
    return f"In {described.rate}, {' and '.join(listed)}{intervals_of(view, described)}."


def caption(view: Pairwise, described: ResultFacts) -> list[str]:
    """Return the caption of a paper's table of systems, without the footnotes of its columns."""
    correction, test = CORRECTIONS[view.correction].title, with_article(view.test)
    quantity, notes = "", list[str]()
    if described.pool is not None:
        notes = pool_sentences(described.pool)[:1]
        quantity = f" in {quantity_of_judged(view)}, not in F1,"
    if not view.is_tested:
        return notes
    sentences = [
        f"{test[0].upper()}{test[1:]}{quantity} with {correction}, family-wise level "
        f"{view.alpha:g}.",
        *notes,
    ]
    if view.focus is None:
        sentences.append("That a difference is not significant does not show that two are equal.")
    return sentences


def method(result: Result, described: ResultFacts, heading: str = "") -> str:
    """Say in one line of standard terms how the verdict was reached.

    Parameters
    ----------
    result, described
        What was found, and its facts.
    heading
        What was compared, to begin with.

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> from alignrank.experiments.presentation.description import description
    >>> result = compare_counts([[0, 30], [5, 0]], ["new", "old"])
    >>> method(result, description(result))
    "McNemar's mid-p test, assuming independent cases; Bergmann–Hommel correction, 1 pair, 5%"
    """
    view, settings, assigned = result.deciding, result.provenance.settings, ""
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
    title = described.test_name
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
        f"{correction}, {count(view.questions, 'pair')}, {percent(view.alpha)}",
    ]
    filters = settings.get("filters")
    if isinstance(filters, Sequence) and filters:
        parts.append(f"filter: {', '.join(map(str, filters))}")
    line = "; ".join(parts)
    if described.pool is not None and (verdict := verdict_line(described.pool)):
        line += f". {verdict}"
    return line


def recommendation(
    result: Result, described: ResultFacts, columns: Mapping[str, Column]
) -> list[str]:
    """Say which metric to use, by the confidence set for the best; nothing of systems."""
    view = result.deciding
    if not compares_metrics(result):
        return []
    candidates = view.best_set
    answer = f"If only the best is asked for, it is {enumeration(candidates, 'or')}"
    if len(candidates) == len(view.systems):
        answer = "The data do not decide which metric is the best"
    elif len(candidates) > 1 and "precision" in columns:
        precisions = columns["precision"].values
        precise = max(candidates, key=lambda name: float(str(precisions[name])))
        answer += f"; {precise} is the most precise of them"
    sentences = [f"{answer}."]
    if len(candidates) < len(view.systems):
        sentences.append(
            f"A given best metric is among these with {percent(1 - view.alpha)} confidence; of "
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


#: The largest number of systems whose differences from the best are told in sentences.
MOST_DIFFERENCES = 12


def difference_sentences(
    result: Result, described: ResultFacts, columns: Mapping[str, Column]
) -> list[str]:
    """Say how large the differences of the best system from the others are, the nearest first.

    At most 12 are told; none without intervals, or for three or more judged systems.
    """
    view, sentences = result.deciding, []
    if result.pool is not None:
        if len(view.systems) > 2:
            return []
        first, second = result.pool.order(view.systems)
        i, j = view.systems.index(first), view.systems.index(second)
        f1, correct = result.pool.differences["f1"], result.pool.differences["correct"]
        sizes = f"{difference_in_pool(f1, i, j, 3)} in F1 in the pool, "
        sizes += f"{difference_in_pool(correct, i, j, 0)} correct pairs"
        return [f"{first} minus {second}: {sizes}."]
    if view.intervals.tested is None:
        return []
    unit, best = "", view.order[0]
    if view.intervals.tested.measure == "net":
        unit = f" {described.rate}"
    elif view.less_is_better:
        unit = f" in {described.rate}"
    for rival in view.order[1 : MOST_DIFFERENCES + 1]:
        sizes = f"{columns['difference'].text(rival)}{unit}"
        if "f1_difference" in columns:
            sizes += f"; F1 {columns['f1_difference'].text(rival)}"
        sentences.append(f"{best} minus {rival}: {sizes}.")
    limits = f"In brackets: {percent(view.intervals.tested.level)} confidence limits"
    if len(view.systems) > 2:
        limits += " together"
    return [*sentences, " ".join(filter(None, [f"{limits}.", described.excess]))]


def undecidable(result: Comparison) -> list[str]:
    """Return sentences on pairs that cannot be decided, and on options that would help."""
    notes = []
    if pairs := result.deciding.unreachable:
        listed = first_of((f"{first} and {second}" for first, second in pairs), 3, "; ")
        units = differing_units_of(result.deciding)
        notes.append(
            f"Some pairs cannot reach significance, because too few {units} differ: {listed}."
        )
    if _could_have_ontologies(result):
        entities = result.deciding.units.name
        notes.append(
            f"Add --source and --target: the test then takes dependence between {entities} into "
            "account."
        )
    return notes


def _could_have_ontologies(result: Comparison) -> bool:
    """Return whether alignments were compared without the ontologies that tell of dependence."""
    settings, inputs = result.provenance.settings, result.provenance.inputs
    are_alignments = settings.get("command") == "compare" and bool(result.scores)
    is_adjusted = settings.get("protocol") or result.deciding.is_clustered
    return are_alignments and not is_adjusted and "source" not in inputs


def runs_sentences(result: Comparison) -> list[str]:
    """Return sentences on the noise between runs, and on the number of runs that would decide."""
    runs = result.runs
    if runs is None:
        return []
    sentences = []
    if runs.noise_floor == runs.noise_floor:
        sentences.append(
            f"Two runs of one system differ by up to {runs.noise_floor:.3f} in their mean (95%): "
            "a smaller difference between two single runs is noise."
        )
    finite = [f"{a} and {b} {n:.0f}" for a, b, n in result.runs_needed if n < float("inf")]
    if finite:
        listed = first_of(finite, 3, "; ")
        sentences.append(f"Runs of each that would decide (power 80%): {listed}.")
    hopeless = [f"{a} and {b}" for a, b, n in result.runs_needed if n == float("inf")]
    if hopeless:
        listed = first_of(hopeless, 3, "; ")
        sentences.append(f"No number of runs would decide between {listed}: the items are too few.")
    return sentences


#: More tasks than anybody has: beyond them the number needed is not told.
_MOST_TASKS = 1000


def reliability(result: Study) -> list[str]:
    """Say how many tasks would order the systems reliably; nothing where nothing is decided."""
    of_means = result.generalisability
    needed = of_means.tasks_for(0.9)
    if not result.edges:
        return []
    if needed > _MOST_TASKS:
        return [f"Not even {_MOST_TASKS:,} such tasks would order the systems reliably (0.9)."]
    return [
        f"Generalisability coefficient of the mean scores: {of_means.coefficient:.2f} on these "
        f"{count(len(result.table.tasks), 'task')} (1: other such tasks would give the same "
        f"order); {count(round(needed), 'such task')} in all would give 0.9."
    ]


def on_these_tasks(result: Study) -> list[str]:
    """Say which systems differ significantly on these very tasks; nothing where it is unknown."""
    view = result.pooled
    if view is None:
        return []
    dependence = ", taken as independent"
    if view.is_clustered:
        dependence = ", adjusted for dependence between classes that share a parent"
    pairs = "no pair differs significantly"
    if view.edges:
        place = view.order.index
        edges = sorted(view.edges, key=lambda edge: (place(edge[0]), place(edge[1])))
        listed = first_of((f"{better} > {worse}" for better, worse in edges), 3)
        verb = "differs" if len(view.edges) == 1 else "differ"
        pairs = f"{len(view.edges)} of {count(view.questions, 'pair')} {verb} significantly"
        pairs = f"{pairs}: {listed}"
    return [
        f"On these {len(result.table.tasks)} tasks alone (McNemar's test of {view.units.items} "
        f"source entities{dependence}), {pairs}. That says nothing of other tasks."
    ]


# ---- judged questions


def pool_sentences(estimate: PoolEstimate) -> list[str]:
    """Return the sentences on a pool: its size, its judged part, and the limits of its results."""
    value, low, high = estimate.right
    right = f"{value:.0f} of them right"
    if low < high:
        right = f"about {right} [{low:.0f}–{high:.0f}]"
    sentences = [
        f"The pool is the {count(estimate.pairs, 'pair')} that the files propose, {right}. Right "
        "pairs outside the pool are unknown: they would lower recall and F1."
    ]
    sentences += _if_complete(estimate)
    if estimate.judged == estimate.questions:
        if estimate.cannot_tell:
            sentences.append(
                f"All {estimate.questions:,} questions are judged, "
                f"{count(estimate.cannot_tell, 'pair')} as cannot tell: intervals hold the result "
                "with all of them right and the one with all of them wrong."
            )
        return sentences
    sentences.append(
        f"{estimate.judged:,} of {estimate.questions:,} questions are judged (one for each source "
        f"entity): F1 and intervals ({percent(estimate.level)}, for all systems together) "
        "estimate the result of judging all."
    )
    return sentences


def _if_complete(estimate: PoolEstimate) -> list[str]:
    """Return the differences that hold only if the pool has (nearly) all right pairs."""
    ordered = sorted(estimate.if_complete, key=lambda edge: edge[2])
    flips = [edge for edge in ordered if isfinite(edge[2])]
    sentences = [
        f"F1 of {better} is significantly higher than that of {worse} if there are fewer than "
        f"{flip:,.0f} right pairs, inside and outside the pool."
        for better, worse, flip in flips[:MOST_FLIPS]
    ]
    if others := ordered[len(sentences) :]:
        pairs = ", ".join(f"{better} > {worse}" for better, worse, _ in others)
        sentences.append(
            "Significantly higher F1 in the pool, but perhaps not with the right pairs that it "
            f"lacks: {pairs}."
        )
    return sentences


#: How far intervals hold: beside a verdict, and without one.
INTERVALS = (
    "Intervals hold with {} at all verdicts together; between verdicts, for a number of "
    "answers chosen before."
)
INTERVALS_ONCE = "The interval holds for a number of answers chosen before."


def intervals_note(estimate: PoolEstimate) -> list[str]:
    """Return how far the intervals of a comparison hold; nothing where there are none."""
    if estimate.judged == estimate.questions and not estimate.cannot_tell:
        return []
    if estimate.has_several_verdicts:
        return [INTERVALS.format(percent(1 - estimate.alpha))]
    return [INTERVALS_ONCE]


#: Shares of the level, by the number of the verdict.
_SHARES = {1: "half", 2: "a quarter", 3: "an eighth", 4: "a sixteenth"}


def verdict_line(estimate: PoolEstimate) -> str:
    """Return which verdict this is, and its level; '' where there is only one."""
    verdict = estimate.verdict
    if verdict is None or not estimate.has_several_verdicts:
        return ""
    share = _SHARES.get(verdict.number, f"1/{2**verdict.number}")
    level, of_all = percent(verdict.alpha), percent(estimate.alpha)
    return (
        f"Verdict {verdict.number} of a judged sample: level {level}, {share} of {of_all}, so that "
        "looking again adds no false differences"
    )
