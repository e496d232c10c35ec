"""Every measure of several systems against one reference: values, intervals, parts, near misses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from alignrank.common.names import count, first_of, plain_name, refuse_unknown
from alignrank.common.progress import track
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation import (
    NORMALISATIONS,
    PROXIMITIES,
    Breakdown,
    Context,
    Credits,
    Interval,
    Intervals,
    Judgement,
    Measure,
    Proximity,
    arity,
    bootstrap,
    bootstrap_difference,
    by_kind,
    by_relation,
    judged,
    relaxed,
    values,
)
from alignrank.evaluation.comparison.settings import ItemClusters
from alignrank.evaluation.credit.counts import Completeness
from alignrank.evaluation.credit.credits import Whole, ZeroDivision
from alignrank.evaluation.measures.logic.coherence import coherence
from alignrank.evaluation.measures.logic.reasoner import installed_reasoner
from alignrank.evaluation.measures.relaxed.near_pairs import TargetSimilarity
from alignrank.evaluation.significance.clustered import cluster_indices
from alignrank.evaluation.significance.ratios import ratio_sums, sums_by_unit
from alignrank.evaluation.significance.score_limits import Simultaneous, difference_limits
from alignrank.evaluation.uncertainty.bootstrap import LEVEL, credit_intervals
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies import Alignment

#: Resamples of the difference of two systems where no other number is asked for.
RESAMPLES = 2000
#: Measures that ask the reasoner that is installed.
ENTAILMENT = ("coherence", "conservativity", "semantic")
#: Normalisation of each measure whose recall is recall+: the figure is never shown without it.
RECALL_PLUS = {"residual": "oaei-2016", "residual-wide": "wide"}


@dataclass(frozen=True)
class Value:
    """One value of one measure of one system.

    Parameters
    ----------
    system, measure, name, value
        What it is.
    low, high
        Limits of its interval; None where there is none.
    less_is_better
        Whether the better system has the smaller value.
    is_lower_bound
        Whether the true value may be larger.
    """

    system: str
    measure: str
    name: str
    value: float
    low: float | None = None
    high: float | None = None
    less_is_better: bool = False
    is_lower_bound: bool = False


@dataclass(frozen=True)
class PartValue:
    """Precision, recall and F1 of one part of one system's correspondences."""

    system: str
    measure: str
    by: str
    part: str
    found: int
    reference: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class NearMiss:
    """A found correspondence, the correct one that it is credited for, and what separates them.

    ``link`` leads from the found pair to the correct one, as in
    `alignrank.evaluation.measures.relaxed.precision_recall.Match`.
    """

    system: str
    measure: str
    entity1: str
    entity2: str
    relation: str
    correct1: str
    correct2: str
    correct_relation: str
    proximity: float
    link: str


@dataclass(frozen=True)
class BrokenClass:
    """A class that a system's alignment makes unsatisfiable, and what causes it.

    ``correspondences`` do so together; it is empty for a class that depends on another in the list.
    """

    system: str
    iri: str
    correspondences: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Scored(Tabular):
    """What `score_systems` finds.

    Parameters
    ----------
    values
        Every value of every measure of every system; of a difference, the system is ``A − B``.
    parts, arity
        Values by kind and by relation, and by system how many correspondences pair entities that
        occur once or several times; empty unless asked for.
    near_misses
        Found correspondences that a relaxed measure credits for a correct one nearby.
    unsatisfiable
        Classes that an alignment makes unsatisfiable, those with a cause of their own first; empty
        unless coherence is asked for.
    reasoner
        What found entailments: ``rustdl``, ``HermiT`` or ``reachability``; empty where nothing
        asks for them.
    cautions
        Sentences that belong to the values.
    """

    values: tuple[Value, ...]
    parts: tuple[PartValue, ...] = ()
    arity: Mapping[str, Mapping[str, int]] | None = None
    near_misses: tuple[NearMiss, ...] = ()
    unsatisfiable: tuple[BrokenClass, ...] = ()
    reasoner: str = ""
    cautions: tuple[str, ...] = ()

    def to_frame(self) -> Frame:
        """Return one row per system, measure and value, with the interval where there is one."""
        return frame(list(map(vars, self.values)))

    def to_dict(self) -> dict[str, object]:
        """Return all of it as plain lists and dictionaries."""
        return {
            "scores": [vars(v) for v in self.values],
            "parts": [vars(p) for p in self.parts],
            "arity": self.arity,
            "near_misses": [vars(m) for m in self.near_misses],
            "unsatisfiable": [vars(c) for c in self.unsatisfiable],
            "reasoner": self.reasoner,
            "cautions": list(self.cautions),
        }


@dataclass(frozen=True)
class ScoringOptions:
    """How systems are scored.

    Parameters
    ----------
    completeness
        For which entities the reference is complete: ``complete``, ``source``, ``target``,
        ``source-target`` or ``none``.
    zero_division
        What 0/0 means: ``oaei``, ``zero`` or ``nan``.
    resamples, seed
        Of the bootstrap, where no formula gives the intervals; 0 resamples for none.
    focus
        System whose differences from the others are asked for.
    breakdown
        Whether to break the first measure that has parts down by kind and relation.
    """

    completeness: Completeness = "complete"
    zero_division: ZeroDivision = "oaei"
    resamples: int = 0
    seed: int = 0
    focus: str | None = None
    breakdown: bool = False

    def __post_init__(self) -> None:
        if self.focus is not None:
            object.__setattr__(self, "focus", plain_name(self.focus))


def score_systems(
    systems: Mapping[str, Alignment],
    reference: Alignment,
    measures: Sequence[Measure],
    context: Context,
    options: ScoringOptions,
    *,
    clusters: ItemClusters | None = None,
) -> Scored:
    """Judge every system by every measure.

    Parameters
    ----------
    systems, reference
        What to judge, and by what.
    measures
        As `alignrank.evaluation.get_measure` gives them.
    context
        The ontologies, where measures need them.
    options
        See there.
    clusters
        The clusters of source entities and of their partners, for the intervals.

    Raises
    ------
    EvaluationError
        If a measure needs ontologies that are not there.
    ExperimentError
        If the focus is none of `systems`.
    """
    if options.focus:
        refuse_unknown("focus", options.focus, systems, ExperimentError)
    parts = {name: judged(a, reference, options.completeness) for name, a in systems.items()}
    judgements: dict[tuple[str, str], Judgement] = {}
    pairs = [(measure, name) for measure in measures for name in systems]
    for measure, name in track(pairs, len(pairs), "scoring"):
        judgement = measure(parts[name].alignment, parts[name].reference, context)
        if isinstance(judgement, Whole):  # such as coherence: what is not judged belongs to it
            judgement = measure(systems[name], reference, context)
        judgements[measure.name, name] = judgement
    scored = [
        value
        for (measure, name), judgement in track(judgements.items(), len(pairs), "intervals")
        for value in _values(name, measure, [judgement], options, clusters)
    ]
    if focus := options.focus:
        for chosen in measures:
            judged_by = {name: judgements[chosen.name, name] for name in systems}
            joint = _joint_differences(judged_by, focus, clusters)
            for rival in (name for name in systems if name != focus):
                apart = f"{focus} − {rival}"
                if joint:
                    differences = {value.name: value.estimate for value in joint[rival].intervals}
                    scored += _named(
                        apart, chosen.name, differences, joint[rival], judged_by[focus]
                    )
                else:
                    both = judged_by[focus], judged_by[rival]
                    scored += _values(apart, chosen.name, both, options, clusters)
    reason = "the reference marks them ?"
    if options.completeness != "complete":
        reason += f", or need not be complete there (completeness {options.completeness})"
    left_out = [
        f"{name}: {count(of_system.left_out_found, 'found correspondence')} not judged: {reason}"
        for name, of_system in parts.items()
        if of_system.left_out_found
    ]
    certain = [
        f"{value.name} of {value.system}"
        for value in scored
        if options.resamples and value.low is None and _is_resampled(judgements, value)
    ]
    if certain:
        left_out.append(
            f"{first_of(certain, 3)}: every resample has the same value, which says nothing of "
            "other entities: no interval"
        )
    logical = any(measure.name in ENTAILMENT for measure in measures)
    broken: list[BrokenClass] = []
    if any(measure.name == "coherence" for measure in measures):
        broken = [row for name in systems for row in broken_classes(name, systems[name], context)]
    result = Scored(
        values=tuple(scored),
        unsatisfiable=tuple(broken),
        reasoner=(installed_reasoner() or "reachability") if logical else "",
        near_misses=tuple(
            miss
            for measure in measures
            for name, of_system in parts.items()
            for miss in near_misses(
                name, measure, of_system.alignment, of_system.reference, context
            )
        ),
        cautions=(*left_out, *_cautions(judgements), *_recall_plus(measures)),
    )
    if options.breakdown:
        rows = _parts(measures, judgements, context, options)
        by_system = {name: asdict(arity(system)) for name, system in systems.items()}
        result = replace(result, parts=rows, arity=by_system)
    return result


def _joint_differences(
    judged_by: Mapping[str, Judgement], focus: str, clusters: ItemClusters | None
) -> dict[str, Intervals]:
    """Return by other system the differences from `focus`, with their intervals.

    Those of a value hold together. Empty where a value is no ratio of sums over source entities.
    """
    earned = {
        name: part_credits
        for name, part_credits in judged_by.items()
        if isinstance(part_credits, Credits)
    }
    entities = frozenset().union(*(part_credits.sources for part_credits in earned.values()))
    if len(earned) < len(judged_by) or not entities:
        return {}
    parts = sums_by_unit(earned, None)
    source, across = cluster_indices(sorted(entities), *(clusters or ItemClusters()))
    names = earned[focus].columns
    sums = {name: ratio_sums(name, parts) for name in names}
    ratios = {name: pair for name, pair in sums.items() if pair and pair[1].sum(axis=1).all()}
    if len(ratios) < len(names):
        return {}
    differences = {
        name: difference_limits(tuple(earned), *pair, source, across, measure=name, focus=focus)
        for name, pair in ratios.items()
    }
    mine = list(earned).index(focus)
    return {
        rival: Intervals(
            tuple(
                Interval(name, *_interval(simultaneous, mine, index))
                for name, simultaneous in differences.items()
            ),
            int(source.max()) + 1,
            0,
            LEVEL,
            0,
        )
        for index, rival in enumerate(earned)
    }


def _values(
    system: str,
    measure: str,
    judgements: Sequence[Judgement],
    options: ScoringOptions,
    clusters: ItemClusters | None,
) -> list[Value]:
    """Return the values of one judgement, or the differences of two, with their intervals."""
    plain, *second = (
        values(judgement, zero_division=options.zero_division) for judgement in judgements
    )
    if second and any(map(_is_lower_bound, judgements)):
        return []  # two lower bounds say nothing of a difference
    items = [judgement for judgement in judgements if not isinstance(judgement, Whole)]
    intervals: Intervals | None = None
    resamples = options.resamples
    resampled: Callable[..., Intervals] = bootstrap
    if second:
        plain = {name: plain[name] - second[0][name] for name in plain}
        resamples, resampled = options.resamples or RESAMPLES, bootstrap_difference
    has_sources = len(items) == len(judgements) and any(judgement.sources for judgement in items)
    if resamples and has_sources:
        own, partners = clusters or ItemClusters()
        intervals_of: Callable[..., Intervals]
        if not second and isinstance(items[0], Credits):
            intervals_of = partial(credit_intervals, items[0])
        else:
            intervals_of = partial(resampled, *items, resamples=resamples, seed=options.seed)
        intervals = intervals_of(
            clusters=own, partners=partners, zero_division=options.zero_division
        )
    return _named(system, measure, plain, intervals, judgements[0])


def _interval(
    simultaneous: Simultaneous, first: int, second: int
) -> tuple[float, float, float, float]:
    """Return difference, low, high and standard error of a pair."""
    of_all = (
        simultaneous.difference,
        simultaneous.low,
        simultaneous.high,
        simultaneous.standard_error,
    )
    estimate, low, high, error = (float(matrix[first, second]) for matrix in of_all)
    return estimate, low, high, error


def _is_resampled(judgements: Mapping[tuple[str, str], Judgement], value: Value) -> bool:
    """Return whether a value of one system comes with an interval by resampling."""
    judgement = judgements.get((value.measure, value.system))
    if judgement is None or isinstance(judgement, Credits | Whole):
        return False
    return bool(judgement.sources)


def _is_lower_bound(judgement: Judgement) -> bool:
    return isinstance(judgement, Whole) and judgement.is_lower_bound


def _named(
    system: str,
    measure: str,
    plain: Mapping[str, float],
    intervals: Intervals | None,
    judgement: Judgement,
) -> list[Value]:
    facts = judgement.less_is_better, _is_lower_bound(judgement)
    scored = []
    for name, value in plain.items():
        title, low, high = name, None, None
        if measure in RECALL_PLUS and name == "recall":
            title = "recall+"
        if intervals is not None:
            low, high = intervals[name].low, intervals[name].high
            if intervals.resamples and low == high:  # that says nothing of other entities
                low = high = None
        scored.append(Value(system, measure, title, value, low, high, *facts))
    return scored


def _parts(
    measures: Sequence[Measure],
    judgements: Mapping[tuple[str, str], Judgement],
    context: Context,
    options: ScoringOptions,
) -> tuple[PartValue, ...]:
    """Break the first measure that has parts down by kind, if there are ontologies, and relation.

    Raises
    ------
    ExperimentError
        If no measure has parts.
    """
    convention = options.zero_division
    for measure in measures:
        earned = {name: j for (m, name), j in judgements.items() if m == measure.name}
        rows: list[PartValue] = []
        for name, judgement in earned.items():
            if not isinstance(judgement, Credits):
                break
            tables: dict[str, Breakdown] = {}
            if context.complete:
                tables["kind"] = by_kind(judgement, *context.ontologies, zero_division=convention)
            tables["relation"] = by_relation(judgement, zero_division=convention)
            rows += [
                PartValue(name, measure.name, by, p.part, p.found, p.reference, **vars(p.scores))
                for by, table in tables.items()
                for p in table.parts
            ]
        if rows:
            return tuple(rows)
    raise ExperimentError("--breakdown needs a measure that has parts: add --measure standard")


def _cautions(judgements: Mapping[tuple[str, str], Judgement]) -> list[str]:
    """Return each caution once, with the systems and measures that it belongs to."""
    places: dict[str, list[tuple[str, str]]] = {}
    for place, judgement in judgements.items():
        for caution in judgement.cautions:
            places.setdefault(caution, []).append(place)
    cautions = []
    for caution, where in places.items():
        systems = ", ".join(dict.fromkeys(system for _, system in where))
        measures = ", ".join(dict.fromkeys(measure for measure, _ in where))
        cautions.append(f"{systems} ({measures}): {caution}")
    return cautions


def _recall_plus(measures: Sequence[Measure]) -> list[str]:
    return [
        f"recall+ ({m.name}) leaves out what string equality finds after the normalisation "
        f"{RECALL_PLUS[m.name]}: {NORMALISATIONS[RECALL_PLUS[m.name]].summary}; another one gives "
        "other figures"
        for m in measures
        if m.name in RECALL_PLUS
    ]


@dataclass(frozen=True)
class RelaxedMeasure(Measure):
    """A relaxed measure with a proximity of one's own."""

    proximity: Proximity = PROXIMITIES["symmetric"]


def relaxed_measure(proximity: Proximity) -> RelaxedMeasure:
    """Return the relaxed measure of a proximity, called ``relaxed-NAME``."""
    return RelaxedMeasure(
        f"relaxed-{proximity.name}",
        "near misses, by weights of your own",
        ("precision", "recall", "f1"),
        lambda a, r, context: (
            relaxed(a, r, *context.hierarchies, proximity, options=context.relaxed).credits
        ),
        proximity=proximity,
    )


def near_misses(
    system: str, measure: Measure, alignment: Alignment, reference: Alignment, context: Context
) -> list[NearMiss]:
    """Return the near misses of one system; none if the measure pairs no such correspondences.

    Parameters
    ----------
    system
        Its name.
    measure
        Any measure; of ``relaxed-oriented`` the near misses are those of its precision.
    alignment, reference, context
        What the measure judges.
    """
    proximity = _proximity(measure, context)
    if proximity is None:
        return []
    relaxed_scores = relaxed(
        alignment, reference, *context.hierarchies, proximity, options=context.relaxed
    )
    return [
        NearMiss(system, measure.name, *m.found.key, *m.correct.key, m.proximity, m.link)
        for m in relaxed_scores.near_misses
    ]


def broken_classes(system: str, alignment: Alignment, context: Context) -> list[BrokenClass]:
    """Return the classes that an alignment makes unsatisfiable, those with a cause first."""
    result = coherence(alignment, *context.ontologies)
    derived = [iri for iri in result.unsatisfiable if iri not in result.causes]
    roots = [
        BrokenClass(system, iri, tuple(c.key for c in cause))
        for iri, cause in result.causes.items()
    ]
    return roots + [BrokenClass(system, iri, ()) for iri in derived]


def _proximity(measure: Measure, context: Context) -> str | Proximity | TargetSimilarity | None:
    if isinstance(measure, RelaxedMeasure):
        return measure.proximity
    kind, _, name = measure.name.partition("-")
    if kind != "relaxed":
        return None
    if name == "bdm":
        return context.balanced_distance
    if name == "learning-accuracy":
        return context.learning_accuracy
    return None if name == "categorisation" else name  # which pairs each with all of its source
