"""Every measure of several systems against one reference: values, intervals, parts, near misses."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from alignrank.common.defaults import DEFAULTS
from alignrank.common.errors import Argument
from alignrank.common.names import Pair, count, first_of, grouped, plain_name, refuse_unknown
from alignrank.common.progress import track
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation import (
    NORMALISATIONS,
    Context,
    Credits,
    Evaluation,
    Intervals,
    Measure,
    arity,
    bootstrap,
    by_kind,
    by_relation,
    coherence,
    credit_intervals,
    relaxed,
    values,
    without_unknown,
)
from alignrank.evaluation.comparison.settings import ItemClusters
from alignrank.evaluation.credit.counts import Completeness
from alignrank.evaluation.credit.credits import Whole, ZeroDivision
from alignrank.evaluation.measures.logic.reasoner import installed_reasoner
from alignrank.evaluation.significance.clustered import cluster_indices
from alignrank.evaluation.significance.randomisation import ratio_sums, sums_by_unit
from alignrank.evaluation.significance.score_limits import Simultaneous, difference_limits
from alignrank.experiments.errors import ExperimentError
from alignrank.ontologies import Alignment

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
        The system, the measure, and the name and number of the value.
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
    """A found correspondence, the correct one that it is credited for, and the link between them.

    ``link`` leads from the found pair to the correct one, as in
    `alignrank.evaluation.measures.precision_recall.Match`.
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
    """A class that a system's alignment makes unsatisfiable, and the cause.

    ``correspondences`` do so together; it is empty for a class that depends on another in the list.
    """

    system: str
    iri: str
    correspondences: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Scored(Tabular):
    """The values of systems by measures, with parts, near misses and cautions.

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
        The reasoner that found entailments: ``rustdl``, ``HermiT`` or ``reachability``; empty if no
        measure asks for them.
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
    seed: int = DEFAULTS.seed
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
    """Evaluate every system by every measure.

    Parameters
    ----------
    systems, reference
        The alignments to evaluate, and the reference.
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
        If the focus is none of `systems`, or the only one.
    """
    if options.focus:
        refuse_unknown("focus", options.focus, systems, ExperimentError)
        if len(systems) == 1:
            raise ExperimentError(
                f"{Argument('focus')} asks about one system against others, and there is only "
                f"{options.focus}: name another alignment, or leave {Argument('focus')} out"
            )
    evaluated = {
        name: without_unknown(a, reference, options.completeness) for name, a in systems.items()
    }
    evaluations: dict[Pair, Evaluation] = {}
    pairs = [(measure, name) for measure in measures for name in systems]
    for measure, name in track(pairs, len(pairs), "scoring"):
        evaluation = measure(evaluated[name].alignment, evaluated[name].reference, context)
        if isinstance(evaluation, Whole):  # such as coherence: unknown pairs belong to it
            evaluation = measure(systems[name], reference, context)
        evaluations[measure.name, name] = evaluation
    scored: list[Value] = []
    certain = []
    for (title, name), evaluation in track(evaluations.items(), len(pairs), "intervals"):
        rows = _values(name, title, [evaluation], options, clusters)
        scored += rows
        is_resampled = not isinstance(evaluation, Credits | Whole) and evaluation.sources
        if options.resamples and is_resampled:
            certain += [f"{row.name} of {name}" for row in rows if row.low is None]
    if options.focus:
        for measure in measures:
            by_system = {name: evaluations[measure.name, name] for name in systems}
            scored += _differences(measure.name, by_system, options.focus, options, clusters)
    reason = "the reference marks them ?"
    if options.completeness != "complete":
        reason += f", or need not be complete there (completeness {options.completeness})"
    cautions = [
        f"{name}: {count(of_system.left_out_found, 'found correspondence')} not judged: {reason}"
        for name, of_system in evaluated.items()
        if of_system.left_out_found
    ]
    if certain:
        cautions.append(
            f"{first_of(certain, 3)}: every resample has the same value, which says nothing of "
            "other entities: no interval"
        )
    names = dict.fromkeys(measure.name for measure in measures)
    recall_plus = [
        f"recall+ ({name}) leaves out what string equality finds after the normalisation "
        f"{RECALL_PLUS[name]}: {NORMALISATIONS[RECALL_PLUS[name]].summary}; another one gives "
        "other figures"
        for name in names
        if name in RECALL_PLUS
    ]
    reasoner = ""
    if not names.keys().isdisjoint(ENTAILMENT):
        reasoner = installed_reasoner() or "reachability"
    result = Scored(
        values=tuple(scored),
        unsatisfiable=tuple(
            row
            for name in systems
            if "coherence" in names
            for row in broken_classes(name, systems[name], context)
        ),
        reasoner=reasoner,
        near_misses=tuple(
            NearMiss(name, measure.name, *m.found.key, *m.correct.key, m.proximity, m.link)
            for measure in measures
            if measure.proximity is not None
            for name, of_system in evaluated.items()
            for m in relaxed(
                of_system.alignment,
                of_system.reference,
                *context.hierarchies,
                measure.proximity(context),
                options=context.relaxed,
            ).near_misses
        ),
        cautions=(*cautions, *_cautions(evaluations), *recall_plus),
    )
    if options.breakdown:
        rows_of_parts = _parts(measures, evaluations, context, options)
        by_arity = {name: asdict(arity(system)) for name, system in systems.items()}
        result = replace(result, parts=rows_of_parts, arity=by_arity)
    return result


def _differences(
    measure: str,
    by_system: Mapping[str, Evaluation],
    focus: str,
    options: ScoringOptions,
    clusters: ItemClusters | None,
) -> list[Value]:
    """Return the differences of one system from the others.

    If the values are ratios of sums over source entities, the intervals of a value hold together.
    """
    joint = _joint_limits(by_system, focus, clusters)
    mine = list(by_system).index(focus)
    rows = []
    for place, (rival, evaluation) in enumerate(by_system.items()):
        if rival == focus:
            continue
        title, both = f"{focus} − {rival}", [by_system[focus], evaluation]
        if not joint:
            rows += _values(title, measure, both, options, clusters)
            continue
        limits = {
            name: (float(of_all.low[mine, place]), float(of_all.high[mine, place]))
            for name, of_all in joint.items()
        }
        differences = {
            name: float(of_all.difference[mine, place]) for name, of_all in joint.items()
        }
        rows += _rows(title, measure, differences, limits, evaluation)
    return rows


def _joint_limits(
    by_system: Mapping[str, Evaluation], focus: str, clusters: ItemClusters | None
) -> dict[str, Simultaneous]:
    """Return the limits of all differences by value; empty where one is no ratio of such sums."""
    earned = {name: e for name, e in by_system.items() if isinstance(e, Credits)}
    entities = frozenset().union(*(of_system.sources for of_system in earned.values()))
    if len(earned) < len(by_system) or not entities:
        return {}
    parts = sums_by_unit(earned, None)
    source, across = cluster_indices(sorted(entities), *(clusters or ItemClusters()))
    sums = {name: ratio_sums(name, parts) for name in Credits.columns}
    ratios = {name: pair for name, pair in sums.items() if pair and pair[1].sum(axis=1).all()}
    if len(ratios) < len(sums):
        return {}
    return {
        name: difference_limits(tuple(earned), *pair, source, across, measure=name, focus=focus)
        for name, pair in ratios.items()
    }


def _values(
    system: str,
    measure: str,
    evaluations: Sequence[Evaluation],
    options: ScoringOptions,
    clusters: ItemClusters | None,
) -> list[Value]:
    """Return the values of one evaluation, or the differences of two, with their intervals."""
    convention = options.zero_division
    numbers, *second = (values(e, zero_division=convention) for e in evaluations)
    first, resamples = evaluations[0], options.resamples
    if second:
        if any(map(_is_lower_bound, evaluations)):
            return []  # two lower bounds say nothing of a difference
        numbers = {name: numbers[name] - second[0][name] for name in numbers}
        resamples = resamples or DEFAULTS.n_bootstrap
    limits: dict[str, tuple[float, float]] = {}
    items = [e for e in evaluations if not isinstance(e, Whole)]
    if resamples and len(items) == len(evaluations) and any(e.sources for e in items):
        intervals_of: Callable[..., Intervals]
        if isinstance(first, Credits) and not second:
            intervals_of = partial(credit_intervals, first)
        else:
            intervals_of = partial(bootstrap, *items, resamples=resamples, seed=options.seed)
        own, partners = clusters or ItemClusters()
        intervals = intervals_of(clusters=own, partners=partners, zero_division=convention)
        limits = {
            i.name: (i.low, i.high)
            for i in intervals.intervals
            # equal limits of all resamples say nothing of other entities; what is no share has none
            if not math.isnan(i.low) and (not intervals.resamples or i.low != i.high)
        }
    return _rows(system, measure, numbers, limits, first)


def _is_lower_bound(evaluation: Evaluation) -> bool:
    return isinstance(evaluation, Whole) and evaluation.is_lower_bound


def _rows(
    system: str,
    measure: str,
    numbers: Mapping[str, float],
    limits: Mapping[str, tuple[float, float]],
    evaluation: Evaluation,
) -> list[Value]:
    facts = evaluation.less_is_better, _is_lower_bound(evaluation)
    rows = []
    for name, value in numbers.items():
        title = name
        if measure in RECALL_PLUS and name == "recall":
            title = "recall+"
        low, high = limits.get(name, (None, None))
        rows.append(Value(system, measure, title, value, low, high, *facts))
    return rows


def _parts(
    measures: Sequence[Measure],
    evaluations: Mapping[Pair, Evaluation],
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
        rows: list[PartValue] = []
        for (title, name), earned in evaluations.items():
            if title != measure.name or not isinstance(earned, Credits):
                continue
            tables = {"relation": by_relation(earned, zero_division=convention)}
            if context.complete:
                by_kinds = by_kind(earned, *context.ontologies, zero_division=convention)
                tables = {"kind": by_kinds, **tables}
            rows += [
                PartValue(name, title, by, p.part, p.found, p.reference, **vars(p.scores))
                for by, table in tables.items()
                for p in table.parts
            ]
        if rows:
            return tuple(rows)
    raise ExperimentError(
        f"{Argument('breakdown')} needs a measure that has parts: add "
        f"{Argument('measures', 'standard')}"
    )


def _cautions(evaluations: Mapping[Pair, Evaluation]) -> list[str]:
    """Return each caution once, with the systems and measures that it belongs to."""
    places = grouped(
        (caution, place)
        for place, evaluation in evaluations.items()
        for caution in evaluation.cautions
    )
    cautions = []
    for caution, where in places.items():
        systems = ", ".join(dict.fromkeys(system for _, system in where))
        measures = ", ".join(dict.fromkeys(measure for measure, _ in where))
        cautions.append(f"{systems} ({measures}): {caution}")
    return cautions


def broken_classes(system: str, alignment: Alignment, context: Context) -> list[BrokenClass]:
    """Return the classes that an alignment makes unsatisfiable; classes with a cause come first."""
    result = coherence(alignment, *context.ontologies)
    derived = [iri for iri in result.unsatisfiable if iri not in result.causes]
    roots = [
        BrokenClass(system, iri, tuple(c.key for c in cause))
        for iri, cause in result.causes.items()
    ]
    return roots + [BrokenClass(system, iri, ()) for iri in derived]
