"""Compare many systems on one task: from alignments to tests, corrections and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.results import Caution
from alignrank.evaluation.credit.counts import Scores
from alignrank.evaluation.significance.clustered import (
    CLUSTER_TESTS,
    Clusters,
    cluster_index,
    cluster_indices,
    clustered_tests,
    differing_units,
    per_unit,
    unit_tests,
)
from alignrank.evaluation.significance.crossed import (
    CrossedTest,
    Dependence,
    crossed_test,
    dependence,
    reference_clusters,
)
from alignrank.evaluation.significance.mcnemar import (
    Floats,
    Ints,
    PairTest,
    mcnemar,
    mcnemar_tests,
    off_diagonal,
)
from alignrank.evaluation.significance.randomisation import (
    MeasureFunction,
    linearised,
    randomise,
    ratio_sums,
)
from alignrank.evaluation.significance.runs import by_system, compare_runs
from alignrank.evaluation.significance.score_limits import (
    Simultaneous,
    count_pairs,
    difference_limits,
    discordance,
)
from alignrank.ontologies.alignment import Alignment

from .answers import Answers, answer_test, check_counts, square_counts
from .cautions import cautions, few_runs, guarantee
from .contingency import (
    Counts,
    Incidence,
    ViewDecisions,
    decisions,
    either,
    incidence,
    item_ratios,
    pair_counts,
    possible_decisions,
    unit_of,
)
from .pairwise import PairIntervals, Pairwise, Units, pairwise
from .result import Comparison
from .settings import PROTOCOLS, AnalysisSettings, EntityClusters, ItemClusters

#: The views of a comparison, unless others are asked for: the first decides, the paper's two show
#: how much depends on what a decision is.
STANDARD_VIEWS: tuple[str, ...] = ("entity", "ifp", "cfp")
#: With more systems only the view that decides is computed, unless others are asked for: the
#: correction takes up to two minutes for each where there are more than a hundred.
MANY = 60
#: The number of each item's own cluster, and those of its partners' clusters.
Indices = tuple[Ints, list[Ints]]
#: What everything is compared by, unless more is said.
DEFAULT = AnalysisSettings()


def compare(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    settings: AnalysisSettings = DEFAULT,
) -> Comparison:
    """Compare every pair of systems with McNemar's test, in several views.

    Parameters
    ----------
    alignments
        Alignment of each system, by name, two or more. Names such as ``AML@1`` and ``AML@2`` are
        runs of one system: then its mean over them is compared.
    reference
        The reference alignment. Its ``?`` pairs count neither way.
    settings
        What decides. The test is a McNemar test of source entities, whose cells are one case
        (default: ``mid-p``), or, with clusters, a test for clustered items (default:
        ``sign-flip``). ``westfall-young`` resamples all pairs together, with the exact test's
        p-values. Views: by default `STANDARD_VIEWS`, of more than `MANY` systems the first.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, the reference is empty, or a setting is unknown.

    Notes
    -----
    Mohammadi, Atashin, Hofman and Tan 2018, Comparison of ontology alignment systems across single
    matching task via the McNemar's test.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare({"half": half, "all": r}, r)
    >>> result.discordant["ifp"].tolist(), result.layers["ifp"]["bergmann-hommel"]
    ([[0, 0], [13, 0]], (('all',), ('half',)))
    """
    _check_types(alignments, reference)
    return compare_incidence(incidence(alignments, reference), settings)


def compare_incidence(table: Incidence, settings: AnalysisSettings = DEFAULT) -> Comparison:
    """Compare every pair of systems by who found which correspondence, as `compare` does.

    Parameters
    ----------
    table
        Of two systems or more, from `incidence`.
    settings
        What decides, as in `compare`.
    """
    clusters_by_side = settings.clusters.of_items(table.reference_alignment.pairs)
    deciding_clusters = clusters_by_side[settings.by_target]
    runs = by_system(table.systems)
    if len(runs) < len(table.systems):
        return _compare_entity_runs(table, runs, settings, deciding_clusters)
    settings = settings.resolved(table.systems, deciding_clusters.tests, has_answers=True)
    views, beside = settings.views or STANDARD_VIEWS, []
    if settings.protocol is not None:
        views = PROTOCOLS.lookup(settings.protocol).views
    elif settings.views is None and len(table.systems) > MANY:
        text = f"with more than {MANY} systems {', '.join(views[1:])} are left out"
        beside.append(Caution("views-left-out", text))
        views = views[:1]
    f1 = None
    if settings.protocol is None:
        f1 = _f1_limits(table, settings, deciding_clusters)
    compared: dict[str, Pairwise] = {}
    for view in views:
        of_view = decisions(table, view)
        possible = possible_decisions(view, of_view, settings.clusters.sizes)
        clusters, indices = clusters_by_side[view == "entity-target"], None
        if clusters.own is not None:
            indices = cluster_indices(of_view.entities, *clusters)
        compared[view] = _compare_decisions(
            of_view, view, settings, indices, table.systems, possible, f1
        )
        f1 = None  # only the view that decides has these intervals
    return _concluded(compared, settings, table.scores, beside)


def _f1_limits(
    table: Incidence, settings: AnalysisSettings, clusters: ItemClusters
) -> Simultaneous:
    """Return the intervals of the differences in F1, with source (or target) entities as cases."""
    side = int(settings.by_target)
    if settings.test not in CLUSTER_TESTS:  # McNemar's tests take entities as independent
        clusters = ItemClusters()
    indices = cluster_indices(table.columns[side][0], *clusters)
    return difference_limits(
        table.systems,
        *item_ratios(table, "f1", side),
        *indices,
        measure="f1",
        level=1 - settings.alpha,
        focus=settings.focus,
    )


def compare_pooled(tables: Sequence[Incidence], settings: AnalysisSettings) -> Pairwise:
    """Compare systems on these very tasks, by the source entities of all of them.

    A mean over tasks asks how systems do on other tasks, and tasks are its sample. Here entities
    are the sample, so that much smaller differences are found; they hold for these tasks only.

    Parameters
    ----------
    tables
        As in `pooled_items`.
    settings
        Correction, level, focus and clusters; the test is McNemar's with sign flips of the
        clusters, or the exact one where none are known.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a{k}", f"x{k}") for k in range(4))
    >>> s = Alignment(Correspondence(f"b{k}", f"x{k}") for k in range(4))
    >>> tables = [incidence({"all": gold, "none": Alignment()}, gold) for gold in (r, s)]
    >>> compare_pooled(tables, AnalysisSettings()).edges
    (('all', 'none'),)
    """
    clusters = settings.clusters
    items, indices = pooled_items(tables, clusters)
    systems, test = tables[0].systems, "sign-flip" if clusters.are_known else "exact"
    settings = replace(settings, test=test).resolved(systems, [test])
    partitions = indices if clusters.are_known else None
    return _compare_decisions(items, "entity", settings, partitions, systems, None)


def pooled_items(
    tables: Sequence[Incidence], clusters: EntityClusters
) -> tuple[ViewDecisions, Indices]:
    """Pool the source entities of several tasks: an item for each entity and task.

    An entity of several tasks is one unit of the test, also without clusters.

    Parameters
    ----------
    tables
        Who found what on each task; the same systems in the same order.
    clusters
        Of the entities of all tasks: tasks can share an ontology, and so clusters.

    Returns
    -------
    decided : ViewDecisions
        Who is correct on which item.
    clusters : (ndarray, list of ndarray)
        The number of each item's source cluster, and of its target cluster; the list is empty where
        no target clusters are known.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment([Correspondence("a", "x"), Correspondence("b", "y")])
    >>> tables = [incidence({"all": r, "none": Alignment()}, r)] * 2
    >>> decided, (source, _) = pooled_items(tables, EntityClusters())
    >>> decided.correct.tolist(), source.tolist()
    ([[True, True, True, True], [False, False, False, False]], [0, 1, 0, 1])
    """
    of_tasks = [decisions(table, "entity") for table in tables]
    entities = tuple(chain.from_iterable(of_task.entities for of_task in of_tasks))
    decided = ViewDecisions(
        np.concatenate([of_task.correct for of_task in of_tasks], axis=1),
        entities,
        np.concatenate([of_task.mentioned for of_task in of_tasks], axis=1),
        sum(of_task.reference for of_task in of_tasks),
    )
    source = cluster_index(entities, clusters.source)
    if clusters.target is None:
        return decided, (source, [])
    partners: dict[str, str] = {}
    items: list[str] = []
    for task, (table, of_task) in enumerate(zip(tables, of_tasks, strict=True)):
        of_entities = reference_clusters(table.reference_alignment.pairs, clusters.target)
        partners |= {f"{task} {entity}": cluster for entity, cluster in of_entities.items()}
        items += [f"{task} {entity}" for entity in of_task.entities]
    return decided, (source, [cluster_index(items, partners)])


def _compare_entity_runs(
    table: Incidence,
    runs: Mapping[str, Sequence[str]],
    settings: AnalysisSettings,
    clusters: ItemClusters,
) -> Comparison:
    """Compare systems by the mean over their runs, entity by entity."""
    if settings.protocol is not None:
        raise EvaluationError(
            f"{Argument('protocol', settings.protocol)} compares one alignment of each system: "
            "leave it out, or name one run of each"
        )
    views = tuple(settings.views or ("entity",))
    if views not in (("entity",), ("entity-target",)):
        raise EvaluationError("several runs are compared by entity: leave other views out")
    decided = decisions(table, views[0])
    rows = {name: list(map(table.systems.index, group)) for name, group in runs.items()}
    mentioned = np.stack([decided.mentioned[of_system].any(axis=0) for of_system in rows.values()])
    answers = Answers(
        decided.entities,
        {name: decided.correct[of_system].astype(float) for name, of_system in rows.items()},
        clusters.own,
        crossing=clusters.partners,
        mentioned=mentioned,
        reference=decided.reference,
    )
    _refuse_test(settings)
    return _by_runs(answers, views[0], settings, measure="right")


def _refuse_test(settings: AnalysisSettings) -> None:
    """Refuse a test, or a correction, that is chosen where scores or runs have their own."""
    if settings.test or settings.correction == "westfall-young":
        raise EvaluationError(
            f"scores and several runs have a test of their own: leave out {Argument('test')} "
            "and westfall-young"
        )


def compare_answers(
    answers: Answers, settings: AnalysisSettings = DEFAULT, *, view: str = "item"
) -> Comparison:
    """Compare every pair of systems by their scores on items.

    Answers that are right or wrong, in one run of each system, are compared as by `compare`. Other
    scores are compared by randomisation, several runs by `compare_runs`.

    Parameters
    ----------
    answers
        The scores, and the clusters of the items.
    settings
        What decides, as in `compare`; a test is chosen for right and wrong answers only.
    view
        What is compared: a name for the result.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, or a setting is unknown or does not fit.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> runs = {"a": 1.0 * (rng.random((4, 200)) < 0.9), "b": 1.0 * (rng.random((1, 200)) < 0.6)}
    >>> result = compare_answers(Answers(tuple(map(str, range(200))), runs))
    >>> result.edges["item"]["bergmann-hommel"]
    (('a', 'b'),)
    """
    if answers.lower_is_better:  # what errors leave is compared; shown are the errors
        result = compare_answers(replace(answers, lower_is_better=False), settings, view=view)
        errors = {name: 1 - score for name, score in (result.deciding.values or {}).items()}
        in_errors = replace(
            result.deciding, values=errors, quantity="mean error", less_is_better=True
        )
        return replace(result, views={view: in_errors})
    systems = tuple(answers.scores)
    if answers.whole and not answers.several:
        clusters = ItemClusters(answers.clusters, answers.crossing)
        settings = settings.resolved(systems, clusters.tests, has_answers=True)
        correct = answers.first > 0
        n = len(answers.items)
        decisions_of_items = ViewDecisions(correct, answers.items, np.ones_like(correct), n)
        indices = None
        if clusters.own is not None:
            indices = cluster_indices(answers.items, *clusters)
        compared = _compare_decisions(decisions_of_items, view, settings, indices, systems, n)
        return _concluded({view: compared}, settings)
    _refuse_test(settings)
    if answers.several:
        measure = "right" if answers.whole else "the mean score"
        return _by_runs(answers, view, settings, measure=measure)
    alone = answer_test(answers, None)
    tested = alone if answers.clusters is None else answer_test(answers, answers.clusters)
    settings = settings.resolved(systems, ["randomisation"])
    by_scores = _by_measure(
        view,
        settings,
        tested,
        alone,
        dict(zip(systems, answers.first.mean(axis=1).tolist(), strict=True)),
        answers.items,
        answers.clusters,
        (answers.first, np.ones_like(answers.first)),
        "share",
    )
    by_scores = replace(by_scores, quantity="mean" if view == "item" else view)
    return _concluded({view: by_scores}, settings)


def _by_measure(
    view: str,
    settings: AnalysisSettings,
    tested: PairTest,
    alone: PairTest,
    values: Mapping[str, float],
    items: Sequence[str],
    clusters: Clusters | None,
    sums: tuple[Floats, Floats] | None,
    measure: str,
) -> Pairwise:
    """Compare by values of a measure; with `sums`, also give intervals.

    `sums` are the numerator and the denominator of each system's value, by item.
    """
    units, simultaneous = _units(view, clusters, alone), None
    least_p_of = None
    if sums is not None and sums[1].sum(axis=1).all():
        index = cluster_index(items, clusters)
        if settings.test != "weighted-score":  # which swaps no answers
            least_p_of = partial(_least_p_of_swaps, sums, index)
        counts = discordance(*sums, index, measure=measure)
        pairs = count_pairs(len(values), settings.focus)
        effect = None
        if clusters is not None:
            effect = counts.design_effect(settings.alpha / (2 * pairs))
            effect = off_diagonal(effect)
        units = replace(units, items=len(items), scale=len(items), design_effect=effect)
        simultaneous = counts.intervals(view, tuple(values), 1 - settings.alpha, pairs)
    assert settings.test is not None
    return pairwise(
        view,
        tuple(values),
        {settings.test: tested},
        settings,
        values=values,
        quantity=view,
        units=units,
        intervals=PairIntervals(simultaneous),
        least_p_of=least_p_of,
    )


def _least_p_of_swaps(sums: Sequence[Floats], unit: Ints, first: int, second: int) -> float:
    """Return the p of a pair if all that differs spoke for one of the two; NaN for nothing.

    Of the 2^K swaps of the answers in K units only two are then as extreme.
    """
    differs = np.any([part[first] != part[second] for part in sums], axis=0)
    n_units = len(np.unique(unit[differs]))
    return 2.0 ** (1 - n_units) if n_units else np.nan


def _units(view: str, clusters: Clusters | None, alone: PairTest) -> Units:
    """Return the units, named after what the test takes as independent.

    With clusters they hold also the p-values as if items were independent.
    """
    if clusters is None:
        return Units(unit_of(view))
    return Units("clusters", p_independent=alone.p)


def _by_runs(
    answers: Answers, view: str, settings: AnalysisSettings, *, measure: str
) -> Comparison:
    """Compare by the mean over runs."""
    systems = tuple(answers.scores)
    means = np.stack([scores.mean(axis=0) for scores in answers.scores.values()])
    compared_with = partial(
        compare_runs, answers.scores, mentioned=answers.mentioned, scale=answers.reference
    )
    alone = compared_with(cluster_index(answers.items, None))
    runs = alone
    if answers.clusters is not None:
        indices = cluster_indices(answers.items, answers.clusters, answers.crossing)
        runs = compared_with(*indices)
    settings = settings.resolved(systems, ["runs"])
    largest: Floats | float = 1.0
    if answers.reference is not None and answers.mentioned is not None:
        largest = either(answers.mentioned) / answers.reference
    simultaneous = runs.intervals(
        "net" if answers.reference is not None else measure,
        1 - settings.alpha,
        settings.focus,
        largest,
    )
    values = {name: float(scores.mean()) for name, scores in answers.scores.items()}
    units = _units(view, answers.clusters, alone.test)
    unit = cluster_index(answers.items, answers.clusters)
    if answers.clusters is not None:
        variance = np.where(alone.item_variance > 0, alone.item_variance, np.nan)
        n = len(answers.items)
        effect = runs.item_variance / variance
        units = replace(units, items=n, scale=answers.reference or n, design_effect=effect)
    compared = pairwise(
        view,
        systems,
        {"runs": runs.test},
        settings,
        values=values,
        quantity="mean" if view == "item" or not answers.whole else measure,
        units=units,
        intervals=PairIntervals(simultaneous),
        least_p_of=partial(_least_p_of_swaps, [means], unit),
    )
    level = settings.alpha / compared.questions
    needed = []
    for i, j in compared.open_pairs():
        pair = systems[i], systems[j]
        number = inf  # no number of runs adds items
        if pair not in compared.unreachable:
            number = runs.needed(*pair, alpha=level)
        needed.append((*pair, number))
    result = _concluded({view: compared}, settings, beside=[*few_runs(runs)])
    return replace(result, runs=runs, runs_needed=tuple(needed))


def compare_counts(
    matrix: ArrayLike,
    systems: Sequence[str],
    settings: AnalysisSettings = DEFAULT,
    *,
    view: str = "ifp",
    reference: int | None = None,
) -> Comparison:
    """Compare systems by their discordant counts alone, such as a published table.

    Parameters
    ----------
    matrix
        (n, n): cell (i, j) counts what i has right and j wrong.
    systems
        n names.
    settings
        What decides, as in `compare`; every case is taken as independent.
    view
        What the counts are counts of; a name for the result.
    reference
        |R|, where it is known: effect sizes need it.

    Raises
    ------
    EvaluationError
        If the matrix is not square, holds anything but counts, has a diagonal that is not 0, or
        cannot be the counts of any alignments: then the cell that looks mistyped is named.

    Examples
    --------
    >>> compare_counts([[0, 30], [5, 0]], ["new", "old"]).edges["ifp"]["nemenyi"]
    (('new', 'old'),)
    """
    settings = settings.resolved(systems, ItemClusters().tests)
    table = square_counts(matrix, systems)
    check_counts(table, systems)

    def least_p(i: int, j: int) -> float:
        cases = int(table[i, j] + table[j, i])
        assert settings.test is not None
        return float(mcnemar(cases, 0, settings.test).p) if cases else np.nan

    units = Units(
        "cases",
        items=None if view == "cfp" else reference,
        scale=reference,
        differing=table + table.T,
    )
    compared = pairwise(
        view,
        systems,
        mcnemar_tests(table),
        settings,
        counts=Counts(table),
        units=units,
        least_p_of=least_p,
    )
    return replace(_concluded({view: compared}, settings), reference=reference)


def compare_measure(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    measure: MeasureFunction,
    value: str | None = None,
    settings: AnalysisSettings = DEFAULT,
    *,
    name: str,
) -> Comparison:
    """Compare every pair of systems in any measure of alignments, by randomisation.

    Parameters
    ----------
    alignments, reference, measure, value
        As in `alignrank.evaluation.significance.randomisation.randomise`. Runs of one system, named
        as in `compare`, are compared by their mean (`compare_runs`, of the measure's influences).
    settings
        What decides; the test follows from the measure.
    name
        Name of the measure in the result.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, a setting is unknown, or the measure's parts cannot be
        exchanged between systems.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> from alignrank.evaluation.credit.credits import standard
    >>> r = Alignment(Correspondence(f"a#{k}", f"b#{k}") for k in range(20))
    >>> half = r.where(lambda c: c.entity1 < "a#15")
    >>> result = compare_measure({"half": half, "all": r}, r, standard, "f1", name="f1")
    >>> result.edges["f1"]["bergmann-hommel"]
    (('all', 'half'),)
    """
    groups = by_system(alignments)
    settings.resolved(list(groups), [settings.test or "randomisation"])
    results = {run: measure(alignment, reference) for run, alignment in alignments.items()}
    sources = sorted(frozenset().union(*(result.sources for result in results.values())))
    clusters = settings.clusters.source
    if clusters is not None:
        clusters = settings.clusters.of_items(reference.pairs)[0].flipped(sources)
    if len(groups) < len(alignments):
        entities, values = linearised(results, value or "f1")
        scores = {
            system: np.stack([values[run] for run in runs]) for system, runs in groups.items()
        }
        answers = Answers(entities, scores, clusters)
        return _by_runs(answers, name, settings, measure=name)
    # each system has one alignment here; an alignment NAME@1 becomes that of NAME
    alignment_by_system = {system: alignments[run] for system, (run,) in groups.items()}
    resampled = partial(
        randomise,
        alignment_by_system,
        reference,
        measure,
        value,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )
    alone = resampled()
    outcome = alone if clusters is None else resampled(clusters=clusters)
    settings = settings.resolved(list(outcome.values), [outcome.method])
    sums = None if alone.parts is None else ratio_sums(value or "f1", alone.parts)
    compared = _by_measure(
        name,
        settings,
        outcome.test,
        alone.test,
        outcome.values,
        sources,
        clusters,
        sums,
        value or "f1",
    )
    compared = replace(compared, less_is_better=outcome.less_is_better)
    of_measure = [Caution("measure", text) for text in outcome.cautions]
    return _concluded({name: compared}, settings, {}, of_measure)


def _check_types(alignments: Mapping[str, Alignment], reference: Alignment) -> None:
    """Refuse arguments that are no alignments, such as a file's name."""
    if not isinstance(alignments, Mapping):
        raise EvaluationError(
            f"alignments is a {type(alignments).__name__}: give a dict of names and Alignments"
        )
    for name, value in (*alignments.items(), ("the reference", reference)):
        if not isinstance(value, Alignment):
            take = "alignrank.ontologies.read_alignment"
            if hasattr(value, "alignment"):
                take = "its .alignment"
            raise EvaluationError(f"{name} is a {type(value).__name__}, no Alignment: take {take}")


@dataclass(frozen=True, eq=False)
class _Tested:
    """All tests of right and wrong decisions, and the units of the test that decides.

    Parameters
    ----------
    tests
        By name.
    several
        Whether a unit of McNemar's tests, such as a source entity, holds several decisions.
    by_unit
        (n, K): the number of correct decisions in each unit.
    differing
        (n, n): the number of units in which the row has more of them than the column.
    dependence
        How units change the variance of a difference; None if each holds one decision.
    flips
        The test, if ``sign-flip`` decides.
    """

    tests: dict[str, PairTest]
    several: bool
    by_unit: Ints
    differing: Ints
    dependence: Dependence | None
    flips: CrossedTest | None = None

    def least_p(self, test: str, first: int, second: int) -> float:
        """Return the p of a pair if all that differs spoke for one of the two; NaN if unknown."""
        if self.flips is not None:
            return self.flips.least_p(first, second)
        sizes = np.abs(self.by_unit[first] - self.by_unit[second])
        if test in CLUSTER_TESTS or not sizes.any():
            return np.nan
        one_sided = np.stack([sizes, np.zeros_like(sizes)])
        return float(unit_tests(one_sided)[test].p[0, 1])


def _tested(
    view_decisions: ViewDecisions, settings: AnalysisSettings, clusters: Indices | None
) -> _Tested:
    """Test all pairs by single units and, where clusters are known, by clusters."""
    correct, entities = view_decisions.correct, view_decisions.entities
    alone = cluster_index(entities, None)
    if settings.protocol is not None:  # every decision is a case
        alone = np.arange(len(entities))
    by_unit = per_unit(correct, alone)
    tests, several = unit_tests(by_unit), len(by_unit.T) < len(entities)
    flips = None
    if clusters is not None:
        flips = crossed_test(correct, *clusters, view_decisions.mentioned)
        tests |= clustered_tests(correct, clusters[0], flips.test)
    if flips is not None and settings.test == "sign-flip":
        together = flips.flipped_together
        return _Tested(tests, several, together, flips.differing, flips.dependence, flips)
    if flips is not None and settings.test in CLUSTER_TESTS:
        differing = differing_units(flips.counts)
        return _Tested(tests, several, flips.counts, differing, flips.dependence)
    differing, of_units = differing_units(by_unit), None
    if several:
        of_units = dependence(correct, alone, mentioned=view_decisions.mentioned)
    return _Tested(tests, several, by_unit, differing, of_units)


def _compare_decisions(
    view_decisions: ViewDecisions,
    view: str,
    settings: AnalysisSettings,
    clusters: Indices | None,
    systems: Sequence[str],
    possible: int | None,
    f1: Simultaneous | None = None,
) -> Pairwise:
    """Compare systems by correct and wrong decisions, of which `possible` could be taken."""
    assert settings.test is not None
    tested, is_clustered = (
        _tested(view_decisions, settings, clusters),
        settings.test in CLUSTER_TESTS,
    )
    items, values = None, None
    if view != "cfp":
        items = len(view_decisions.entities)
    if items:
        values = dict(zip(systems, view_decisions.correct.mean(axis=1).tolist(), strict=True))
    counts, name = pair_counts(view_decisions, possible), unit_of(view)
    if is_clustered:
        name = "clusters"
    elif settings.protocol is not None:
        name = "cases"
    units = Units(
        name,
        items=items,
        scale=view_decisions.reference,
        several=tested.several,
        is_crossed=is_clustered and bool(clusters and clusters[1]),
        differing=tested.differing + tested.differing.T,
        p_independent=tested.tests["mid-p"].p if is_clustered else None,
    )
    if (of_units := tested.dependence) is not None:
        units = replace(
            units,
            target_groups=float(of_units.groups[np.triu_indices(len(systems), 1)].min()),
            source_groups=np.inf if tested.flips is None else tested.flips.fewest_turned,
            variance=of_units.spread,
            degrees=of_units.degrees,
        )
    return pairwise(
        view,
        systems,
        tested.tests,
        settings,
        values=values,
        quantity={"ifp": "recall", "item": "mean"}.get(view, "right"),
        counts=counts,
        units=units,
        intervals=PairIntervals(f1=f1),
        least_p_of=partial(tested.least_p, settings.test),
        by_unit=tested.by_unit,
    )


def _concluded(
    views: Mapping[str, Pairwise],
    settings: AnalysisSettings,
    scores: Mapping[str, Scores] | None = None,
    beside: Sequence[Caution] = (),
) -> Comparison:
    """Return the comparison of all views, with its cautions."""
    first, scores = next(iter(views.values())), dict(scores or {})
    return Comparison(
        systems=first.systems,
        settings=settings,
        views=dict(views),
        scores=scores,
        reference=next((of_system.reference for of_system in scores.values()), None),
        validity=guarantee(first),
        cautions=(*cautions(views, scores, settings.n_resamples), *beside),
    )
