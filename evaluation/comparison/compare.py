"""Compare many systems on one task: from alignments to tests, corrections and rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

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
    sign_flip,
    sign_flips,
    unit_tests,
)
from alignrank.evaluation.significance.crossed import dependence
from alignrank.evaluation.significance.mcnemar import (
    TESTS,
    Bools,
    Floats,
    Ints,
    PairTest,
    mcnemar,
    mcnemar_tests,
    off_diagonal,
)
from alignrank.evaluation.significance.randomisation import Judge, randomise
from alignrank.evaluation.significance.ratios import linearised, ratio_sums
from alignrank.evaluation.significance.runs import compare_runs
from alignrank.evaluation.significance.score_limits import (
    Simultaneous,
    count_pairs,
    difference_limits,
    discordance,
)
from alignrank.ontologies.alignment import Alignment

from .answers import Answers, answer_test, by_system, check_counts, square_counts
from .cautions import cautions, few_runs, guarantee
from .contingency import (
    Incidence,
    ViewDecisions,
    decisions,
    discordant,
    incidence,
    item_ratios,
    jointly,
    unit_of,
)
from .pairwise import Counts, PairIntervals, Pairwise, Units, net_of, pairwise
from .result import Comparison
from .settings import PROTOCOLS, AnalysisSettings, EntityClusters, ItemClusters

#: The views of a comparison, unless others are asked for: the first decides, the paper's two show
#: how much depends on what a decision is.
STANDARD_VIEWS: tuple[str, ...] = ("entity", "ifp", "cfp")
#: With more systems only the view that decides is computed, unless others are asked for: the
#: correction takes up to two minutes for each where there are more than a hundred.
MANY = 60
#: What everything is compared by, unless more is said.
DEFAULT = AnalysisSettings()
_NO_UNITS = Units()


def compare(
    alignments: Mapping[str, Alignment] | Incidence,
    reference: Alignment,
    settings: AnalysisSettings = DEFAULT,
) -> Comparison:
    """Compare every pair of systems with McNemar's test, in several views.

    Parameters
    ----------
    alignments
        Alignment of each system, by name, two or more. Names such as ``AML@1`` and ``AML@2`` are
        runs of one system: then its mean over them is compared (`compare_answers`). Or what
        `incidence` makes of them and the reference.
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
        If there are fewer than two systems, the reference is empty or not that of the incidence, or
        a setting is unknown.

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
    if isinstance(alignments, Incidence):
        table = alignments
        if table.judged_by is not reference and table.judged_by != reference:
            raise EvaluationError("the alignments were lined up with another reference: name it")
    else:
        _check_types(alignments, reference)
        table = incidence(alignments, reference)
    entities = settings.clusters or EntityClusters()
    sides = {side: entities.of_items(reference.pairs, by_target=side) for side in (False, True)}
    if (answers := _several_runs(table, settings.views)) is not None:
        view = settings.views[0] if settings.views else "entity"
        clusters = sides[view == "entity-target"]
        answers = replace(answers, clusters=clusters.own, crossing=clusters.partners)
        return compare_answers(answers, settings, view=view)
    deciding = settings.views[0] if settings.views else ""
    tests = _tests_of(sides[deciding == "entity-target"].own)
    settings = settings.resolved(table.systems, tests, has_answers=True)
    beside = []
    views = settings.views or STANDARD_VIEWS
    if settings.protocol is not None:
        views = PROTOCOLS.lookup(settings.protocol)
    elif settings.views is None and len(table.systems) > MANY:
        text = f"with more than {MANY} systems {', '.join(views[1:])} are left out"
        beside.append(Caution("views-left-out", text))
        views = views[:1]
    decided: dict[str, Pairwise] = {}
    for view in views:
        of_view = decisions(table, view)
        by_target = view == "entity-target"
        f1 = None
        if settings.protocol is None and not decided:  # of the view that decides
            # McNemar's tests take entities as independent
            is_clustered = settings.test in CLUSTER_TESTS
            f1 = difference_limits(
                table.systems,
                *item_ratios(table, "f1", int(by_target)),
                *cluster_indices(
                    table.columns[by_target][0],
                    *(sides[by_target] if is_clustered else ItemClusters()),
                ),
                measure="f1",
                level=1 - settings.alpha,
                focus=settings.focus,
            )
        number = _decisions_of(view, of_view, entities.sizes)
        decided[view] = _decided(
            of_view, view, settings, sides[by_target], table.systems, number, f1
        )
    return _concluded(decided, settings, table.scores, beside)


def _decisions_of(view: str, decided: ViewDecisions, sizes: tuple[int, int] | None) -> int | None:
    """Return the number of decisions that could be taken; None if it is unknown."""
    mentioned = len(decided.entities)
    if view == "ifp":
        return mentioned
    if sizes is None:
        return None
    number = {"cfp": sizes[0] * sizes[1], "entity": sizes[0], "entity-target": sizes[1]}[view]
    return number if number >= mentioned else None


def _tests_of(clusters: Clusters | None) -> list[str]:
    """Return the tests that can decide right and wrong answers, the default first."""
    if clusters is None:
        return sorted(TESTS, key=lambda test: test != "mid-p")
    return [*CLUSTER_TESTS, *TESTS]


def _several_runs(table: Incidence, views: Sequence[str] | None) -> Answers | None:
    """Return who is right on which entity in which run; None where each system has one run."""
    groups = by_system(table.systems)
    if len(groups) == len(table.systems):
        return None
    if views is not None and tuple(views) not in (("entity",), ("entity-target",)):
        raise EvaluationError("several runs are compared by entity: leave other views out")
    decided = decisions(table, views[0] if views else "entity")
    rows = {name: list(map(table.systems.index, group)) for name, group in groups.items()}
    runs = {name: decided.right[of_system].astype(float) for name, of_system in rows.items()}
    mentioned = np.stack([decided.mentioned[of_system].any(axis=0) for of_system in rows.values()])
    return Answers(decided.entities, runs, mentioned=mentioned, reference=decided.reference)


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
        tests = _tests_of(answers.clusters)
        settings = settings.resolved(systems, tests, has_answers=True)
        right = answers.first > 0
        given = ViewDecisions(right, answers.items, np.ones_like(right), len(answers.items))
        clusters = ItemClusters(answers.clusters, answers.crossing)
        decided = _decided(given, view, settings, clusters, systems, len(answers.items))
        return _concluded({view: decided}, settings)
    if settings.test or settings.correction == "westfall-young":
        raise EvaluationError(
            f"scores and several runs have a test of their own: leave out {Argument('test')} "
            "and westfall-young"
        )
    if answers.several:
        measure = "right" if answers.whole else "the mean score"
        return _by_runs(answers, view, settings, measure=measure)
    alone = answer_test(answers, None)
    single = alone if answers.clusters is None else answer_test(answers, answers.clusters)
    settings = settings.resolved(systems, ["randomisation"])
    values = dict(zip(systems, answers.first.mean(axis=1).tolist(), strict=True))
    quantity = "mean" if view == "item" else view
    scores = answers.first, np.ones_like(answers.first)
    units, intervals = _measured(
        view, systems, settings, scores, answers.items, answers.clusters, "share"
    )
    compared = pairwise(
        view,
        systems,
        {"randomisation": single},
        settings,
        values=values,
        quantity=quantity,
        units=_units(view, answers.clusters, alone, units),
        intervals=intervals,
    )
    return _concluded({view: compared}, settings)


def _units(
    view: str, clusters: Clusters | None, alone: PairTest, known: Units = _NO_UNITS
) -> Units:
    """Return what the test takes as independent, with the p-values if single items were."""
    if clusters is None:
        return replace(known, name=unit_of(view))
    return replace(known, name="clusters", p_independent=alone.p)


def _by_runs(
    answers: Answers, view: str, settings: AnalysisSettings, *, measure: str
) -> Comparison:
    """Compare by the mean over runs."""
    systems = tuple(answers.scores)
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
        largest = _mentioned_by_pair(answers.mentioned) / answers.reference
    simultaneous = runs.intervals(
        "net" if answers.reference is not None else measure,
        1 - settings.alpha,
        settings.focus,
        largest,
    )
    values = {name: float(scores.mean()) for name, scores in answers.scores.items()}
    units = Units()
    if answers.clusters is not None:
        variance = np.where(alone.item_variance > 0, alone.item_variance, np.nan)
        n = len(answers.items)
        effect = runs.item_variance / variance
        units = Units(items=n, scale=answers.reference or n, design_effect=effect)
    compared = pairwise(
        view,
        systems,
        {"runs": runs.test},
        settings,
        values=values,
        quantity="mean" if view == "item" or not answers.whole else measure,
        units=_units(view, answers.clusters, alone.test, units),
        intervals=PairIntervals(simultaneous),
    )
    level = settings.alpha / compared.questions
    needed = []
    for i, j in compared.open_pairs():
        number = runs.needed(systems[i], systems[j], alpha=level)
        needed.append((systems[i], systems[j], number))
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
    """Compare systems of which only the discordant counts are known, such as a published table.

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
    settings = settings.resolved(systems, _tests_of(None))
    table = square_counts(matrix, systems)
    check_counts(table, systems)

    def least(i: int, j: int) -> float:
        cases = int(table[i, j] + table[j, i])
        assert settings.test is not None
        return float(mcnemar(cases, 0, settings.test).p) if cases else np.nan

    units = Units(
        "cases",
        items=None if view == "cfp" else reference,
        scale=reference,
        differing=table + table.T,
    )
    counts = Counts(table)
    compared = pairwise(
        view,
        systems,
        mcnemar_tests(table),
        settings,
        counts=counts,
        units=units,
        intervals=PairIntervals(_net_limits(view, systems, counts, units, settings)),
        least=least,
    )
    return replace(_concluded({view: compared}, settings), reference=reference)


def compare_judged(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    judge: Judge,
    value: str | None = None,
    settings: AnalysisSettings = DEFAULT,
    *,
    name: str,
) -> Comparison:
    """Compare every pair of systems in any measure that judges alignments, by randomisation.

    Parameters
    ----------
    alignments, reference, judge, value
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
    >>> result = compare_judged({"half": half, "all": r}, r, standard, "f1", name="f1")
    >>> result.edges["f1"]["bergmann-hommel"]
    (('all', 'half'),)
    """
    groups = by_system(alignments)
    clusters = None if settings.clusters is None else settings.clusters.source
    settings.resolved(list(groups), [settings.test or "randomisation"])
    first = {system: alignments[runs[0]] for system, runs in groups.items()}
    resampled = partial(
        randomise,
        first,
        reference,
        judge,
        value,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )
    if len(groups) < len(alignments):
        judgements = {run: judge(alignment, reference) for run, alignment in alignments.items()}
        entities, values = linearised(judgements, value or "f1")
        scores = {
            system: np.stack([values[run] for run in runs]) for system, runs in groups.items()
        }
        answers = Answers(entities, scores, clusters)
        return _by_runs(answers, name, settings, measure=name)
    alone = resampled()
    outcome = alone if clusters is None else resampled(clusters=clusters)
    systems = list(outcome.values)
    settings = settings.resolved(systems, [outcome.method])
    units, intervals = Units(), PairIntervals()
    sums = None if alone.parts is None else ratio_sums(value or "f1", alone.parts)
    if sums is not None and sums[1].sum(axis=1).all():
        sources = sorted(frozenset().union(*(judge(a, reference).sources for a in first.values())))
        units, intervals = _measured(
            name, systems, settings, sums, sources, clusters, value or "f1"
        )
    compared = pairwise(
        name,
        systems,
        {outcome.method: outcome.test},
        settings,
        values=outcome.values,
        quantity=name,
        units=_units(name, clusters, alone.test, units),
        intervals=intervals,
    )
    compared = replace(compared, less_is_better=outcome.less_is_better)
    of_measure = [Caution("measure", text) for text in outcome.cautions]
    return _concluded({name: compared}, settings, {}, of_measure)


def _check_types(alignments: Mapping[str, Alignment], reference: Alignment) -> None:
    """Refuse what is no alignment, as a file's name or a matching."""
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


def _decided(
    decided: ViewDecisions,
    view: str,
    settings: AnalysisSettings,
    clusters: ItemClusters,
    systems: Sequence[str],
    number: int | None,
    f1: Simultaneous | None = None,
) -> Pairwise:
    """Compare by decisions that are right or wrong, of which `number` could be taken."""
    right, entities = decided.right, decided.entities
    cells_alone = settings.protocol is not None
    alone = np.arange(len(entities)) if cells_alone else cluster_index(entities, None)
    by_unit = per_unit(right, alone)
    tests = unit_tests(by_unit)
    several = len(by_unit.T) < len(entities)
    is_clustered = settings.test in CLUSTER_TESTS
    by_partner, turned = by_unit, None
    of_clusters = p_independent = None
    is_turned = np.zeros((len(right), len(right)), dtype=bool)
    if several and not is_clustered:
        of_clusters = dependence(right, alone, mentioned=decided.mentioned)
    if clusters.own is not None:
        source, partners = cluster_indices(entities, *clusters)
        of_both = dependence(right, source, partners, decided.mentioned)
        tests |= clustered_tests(right, source, of_both.shrinkage)
        if is_clustered:
            by_unit, of_clusters = per_unit(right, source), of_both
            p_independent = tests["mid-p"].p
        has_few = of_both.clusters < _FEWEST_FLIPPED
        np.fill_diagonal(has_few, False)
        if partners and settings.test == "sign-flip" and has_few.any():
            # few clusters have too few signs: those of the partners' clusters are flipped instead
            by_partner = per_unit(right, partners[0])
            turned = dependence(right, partners[0], [source], decided.mentioned)
            is_turned = has_few & (turned.clusters > of_both.clusters)
            flips = sign_flips(by_partner, turned.shrinkage)
            tests["sign-flip"] = _where(is_turned, flips, tests["sign-flip"])

    def least(i: int, j: int) -> float:
        """Return the p of the pair if all that differs spoke for one of the two."""
        counts, of_pair = by_unit, of_clusters
        if is_turned[i, j]:
            counts, of_pair = by_partner, turned
        size = np.abs(counts[i] - counts[j])
        if not size.any():
            return np.nan
        if settings.test == "sign-flip":
            assert of_pair is not None
            shrinkage = of_pair.least_shrinkage(np.full_like(of_pair.total, size.sum()))
            return float(10 ** sign_flip(size, shrinkage=float(shrinkage[i, j])))
        if settings.test is None or settings.test not in TESTS:
            return np.nan  # obuchowski, durkalski: no least p of theirs is known
        one_sided = np.stack([size, np.zeros_like(size)])
        return float(unit_tests(one_sided)[settings.test].p[0, 1])

    differing = differing_units(by_unit)
    if is_turned.any():
        differing = np.where(is_turned, differing_units(by_partner), differing)
    items = None if view == "cfp" else len(entities)
    values = None
    if items:
        values = dict(zip(systems, right.mean(axis=1).tolist(), strict=True))
    units = Units(
        "clusters" if is_clustered else "cases" if cells_alone else unit_of(view),
        items=items,
        scale=decided.reference,
        several=several,
        is_crossed=clusters.partners is not None and is_clustered,
        differing=differing + differing.T,
        p_independent=p_independent,
    )
    counts = Counts(
        discordant(right), jointly(~right), _mentioned_by_pair(decided.mentioned), number
    )
    if of_clusters is not None:
        units = replace(
            units,
            target_groups=float(of_clusters.groups[np.triu_indices(len(right), 1)].min()),
            source_groups=float(of_clusters.source_groups[is_turned].min(initial=np.inf)),
            variance=of_clusters.spread,
            degrees=of_clusters.degrees,
        )
        net = net_of(view, counts, units)
        assert net is not None
        pairs = count_pairs(len(systems), settings.focus)
        effect = net.design_effect(settings.alpha / (2 * pairs))
        units = replace(units, design_effect=off_diagonal(effect))
    return pairwise(
        view,
        systems,
        tests,
        settings,
        values=values,
        quantity={"ifp": "recall", "item": "mean"}.get(view, "right"),
        counts=counts,
        units=units,
        intervals=PairIntervals(_net_limits(view, systems, counts, units, settings), f1),
        least=least,
        by_unit=by_unit,
    )


#: Fewer clusters than these never give a p of .05, whatever their signs.
_FEWEST_FLIPPED = 6


def _where(chosen: Bools, one: PairTest, other: PairTest) -> PairTest:
    """Return the test of one kind for the chosen pairs, and of the other for the rest."""
    return PairTest(
        np.where(chosen, one.advantage, other.advantage),
        np.where(chosen, one.p, other.p),
        np.where(chosen, one.log10_p, other.log10_p),
    )


def _mentioned_by_pair(mentioned: Bools) -> Ints:
    """Return (n, n): the items that one of two systems or the reference mentions."""
    both = jointly(mentioned)
    return np.asarray(np.diag(both)[:, None] + np.diag(both) - both)


def _net_limits(
    view: str, systems: Sequence[str], counts: Counts, units: Units, settings: AnalysisSettings
) -> Simultaneous | None:
    """Return the intervals of the net correct decisions, where their scale is known."""
    if (net := net_of(view, counts, units)) is None:
        return None
    pairs = count_pairs(len(systems), settings.focus)
    return net.intervals("net", systems, 1 - settings.alpha, pairs)


def _measured(
    view: str,
    systems: Sequence[str],
    settings: AnalysisSettings,
    sums: tuple[Floats, Floats],
    items: Sequence[str],
    clusters: Clusters | None,
    measure: str,
) -> tuple[Units, PairIntervals]:
    """Return the simultaneous intervals of a ratio of sums over items, and its design effects."""
    counts = discordance(*sums, cluster_index(items, clusters), measure=measure)
    pairs = count_pairs(len(systems), settings.focus)
    effect = None
    if clusters is not None:
        effect = off_diagonal(counts.design_effect(settings.alpha / (2 * pairs)))
    simultaneous = counts.intervals(view, systems, 1 - settings.alpha, pairs)
    n = len(items)
    return Units(items=n, scale=n, design_effect=effect), PairIntervals(simultaneous)


def _concluded(
    views: Mapping[str, Pairwise],
    settings: AnalysisSettings,
    scores: Mapping[str, Scores] | None = None,
    beside: Sequence[Caution] = (),
) -> Comparison:
    """Put views together, and say what must be known about them."""
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
