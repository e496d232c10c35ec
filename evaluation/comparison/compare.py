"""Compare many systems on one task: from alignments to tests, corrections and rankings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from alignrank.common.errors import EvaluationError
from alignrank.common.names import Registry, refuse_unknown
from alignrank.common.table import Frame, Table, stacked
from alignrank.evaluation.corrections import Adjusted
from alignrank.evaluation.corrections.adjustment import check_alpha, serving
from alignrank.evaluation.credit.counts import Scores
from alignrank.evaluation.ranking import Edge, answer, answer_focus
from alignrank.evaluation.significance.clustered import (
    CLUSTER_TESTS,
    cluster_index,
    clustered_tests,
    design_effects,
    differing_units,
    per_unit,
    unit_tests,
)
from alignrank.evaluation.significance.mcnemar import TESTS, Ints, PairTest, mcnemar_tests
from alignrank.evaluation.significance.randomisation import Judge, randomise
from alignrank.evaluation.significance.ratios import linearised, ratio_sums
from alignrank.evaluation.significance.runs import SeveralRuns, compare_runs
from alignrank.evaluation.significance.simultaneous import (
    ENOUGH_CLUSTERS,
    ENOUGH_ITEMS,
    Simultaneous,
    Sums,
    ratio_design_effects,
    ratio_differences,
)
from alignrank.ontologies.alignment import Alignment

from .answers import Answers, answer_sums, answer_test, by_system, check_counts, square_counts
from .cautions import cautions, guarantee
from .contingency import Decisions, Incidence, decisions, discordant, incidence, unit_of
from .pairwise import Pairwise, pairwise

#: The views of a comparison, unless others are asked for: the first decides, the paper's two show
#: how much depends on what a decision is.
STANDARD_VIEWS: tuple[str, ...] = ("entity", "ifp", "cfp")
#: With more systems only the view that decides is computed, unless others are asked for: the
#: correction takes up to two minutes for each where there are more than a hundred.
MANY = 60
#: What an analysis to the letter of a paper compares; it takes each decision as independent.
PROTOCOLS: Registry[tuple[str, ...]] = Registry(
    "protocol", {"mohammadi-2018": ("ifp", "cfp")}, EvaluationError
)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems compared on one task, pair by pair, in several views.

    Parameters
    ----------
    systems
        Names, in the order given.
    test, correction, alpha
        What decides: the test, the correction for all pairs, the family-wise level.
    scores
        Scores by system; empty where only counts or credits were given.
    views
        Results by view; the first decides.
    focus
        The one system that each other was compared with; None: all pairs were.
    validity
        One sentence: whether the family-wise error is controlled by this test and correction.
    cautions
        Sentences that the reader must know.
    runs
        What several runs of a system show; None where each has one.
    """

    systems: tuple[str, ...]
    test: str
    correction: str
    alpha: float
    scores: Mapping[str, Scores]
    views: Mapping[str, Pairwise]
    validity: str
    cautions: tuple[str, ...]
    focus: str | None = None
    runs: SeveralRuns | None = None

    @property
    def discordant(self) -> dict[str, Ints]:
        """By view: the matrix whose cell (i, j) counts what i has right and j wrong."""
        return {k: v.discordant for k, v in self.views.items() if v.discordant is not None}

    @property
    def adjusted(self) -> dict[str, dict[str, Adjusted]]:
        """By view and correction: adjusted p-values."""
        return {k: dict(v.adjusted) for k, v in self.views.items()}

    @property
    def edges(self) -> dict[str, dict[str, tuple[Edge, ...]]]:
        """By view and correction: pairs (better, worse) that stand in every grade."""
        return {k: {c: r.edges for c, r in v.rankings.items()} for k, v in self.views.items()}

    @property
    def conditional(self) -> dict[str, dict[str, tuple[Edge, ...]]]:
        """By view and correction: pairs (better, worse) that siblings undo."""
        return {k: {c: r.conditional for c, r in v.rankings.items()} for k, v in self.views.items()}

    @property
    def layers(self) -> dict[str, dict[str, tuple[tuple[str, ...], ...]]]:
        """By view and correction: systems by layer, best first."""
        return {k: {c: r.layers for c, r in v.rankings.items()} for k, v in self.views.items()}

    def _repr_html_(self) -> str:
        """Show the answer in words, and scores with the ranks of every view."""
        name, view = next(iter(self.views.items()))
        edges = view.ranking.edges
        words = (
            answer(self.systems, edges)
            if self.focus is None
            else answer_focus(self.focus, self.systems, edges)
        )
        condition = f"if {view.unit} are independent: " if view.siblings is None else ""
        return f"<p><bdi>{escape(f'{name}: {condition}{words}')}</bdi></p>\n" + self._table()

    def _table(self) -> str:
        measures = ("precision", "recall", "f1") if self.scores else ()
        first = next(iter(self.views.values())).ranking
        order = sorted(self.systems, key=lambda name: (first.rank_sets[name], name))
        rows = [
            [
                name,
                *(f"{self.scores[name].to_dict()[measure]:.3f}" for measure in measures),
                *(view.ranking.rank_range(name) for view in self.views.values()),
            ]
            for name in order
        ]
        header = ["system", *measures, *(f"rank {view}" for view in self.views)]
        caption = f"{len(rows)} systems, {self.test} with {self.correction}, level {self.alpha:g}"
        return Table(caption, header, rows).to_preview()

    def to_frame(self) -> Frame:
        """Tabulate, one row for a view and pair: counts, p-values, adjusted p, the better one."""
        return stacked(v.to_frame() for v in self.views.values())

    def to_dict(self) -> dict[str, object]:
        """Return plain values by the keys of ``summary.json``; matrices have a None diagonal."""
        views = {name: view.to_dict() for name, view in self.views.items()}
        content: dict[str, object] = {"systems": list(self.systems)}
        if self.scores:
            content["counts"] = {
                name: {"found": s.found, "correct": s.correct} for name, s in self.scores.items()
            }
            content["reference"] = next(iter(self.scores.values())).reference
            content["scores"] = {name: s.to_dict() for name, s in self.scores.items()}
        for key in dict.fromkeys(key for view in views.values() for key in view):
            content[key] = {name: view[key] for name, view in views.items() if key in view}
        if self.runs is not None:
            view = next(iter(self.views.values()))
            apart = {frozenset(edge) for edge in view.arrows()}
            pairs = [(self.systems[i], self.systems[j]) for i, j in view.pairs()]
            undecided = [pair for pair in pairs if frozenset(pair) not in apart]
            content["runs"] = self.runs.to_dict(undecided, alpha=self.alpha / view.questions)
        content["validity"] = self.validity
        content["warnings"] = list(self.cautions)
        return content


def compare(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    *,
    test: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    views: Sequence[str] | None = None,
    clusters: Mapping[str, str] | None = None,
    focus: str | None = None,
    protocol: str | None = None,
) -> Comparison:
    """Compare every pair of systems with McNemar's test, in several views.

    Parameters
    ----------
    alignments
        Alignment of each system, by name, two or more. Names such as ``AML@1`` and ``AML@2`` are
        runs of one system: then its mean over them is compared (`compare_answers`).
    reference
        What is right. Its ``?`` pairs count neither way.
    test
        The test to decide by; all are reported. A McNemar test (None: ``mid-p``), made of source
        entities: the cells of one are one case. Or, with `clusters`, a test for clustered items
        that decides the second grade (otherwise ``sign-flip``).
    correction
        Correction over all pairs (None: ``bergmann-hommel``; Nemenyi's is reported beside it;
        ``westfall-young`` resamples all pairs together, with the exact test's p-values), or
        over those with the system `focus` (None: ``holm``).
    alpha
        Family-wise level.
    views
        Views of `alignrank.evaluation.comparison.contingency`, the one that decides first; None is
        `STANDARD_VIEWS`, of more than `MANY` systems its first.
    clusters
        Cluster by source entity (by target entity for the view ``entity-target``), such as
        `parent_clusters`: entities of one cluster may depend on each other; those in none stand for
        themselves. In the view that decides a difference is an edge only if it stands both with
        entities as independent and with clusters resampled together; if siblings undo it, it is
        `conditional`. None: edges hold if source entities are independent.
    focus
        Compare each other system with this one only.
    protocol
        ``mohammadi-2018``: the paper to the letter, the views ``ifp`` and ``cfp`` with every
        correspondence and candidate pair as independent.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, the reference is empty, an option is unknown, or a
        protocol comes with views or clusters.

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
    if protocol is not None:
        if views is not None or clusters is not None:
            raise EvaluationError(f"protocol {protocol!r} has views of its own and no clusters")
        views = PROTOCOLS.lookup(protocol)
    _check_types(alignments, reference)
    table = incidence(alignments, reference)
    if (answers := _several_runs(table, views, clusters)) is not None:
        return compare_answers(
            answers,
            test=test,
            correction=correction,
            alpha=alpha,
            focus=focus,
            view=views[0] if views else "entity",
        )
    correction = correction or default_correction(focus)
    test = test or _default_test(correction)
    check(
        list(alignments),
        test,
        correction,
        alpha,
        clustered=clusters is not None,
        focus=focus,
        answers=True,
    )
    decide = partial(
        _decided,
        systems=table.systems,
        reference=table.reference,
        clusters=clusters,
        cells_alone=protocol is not None,
        test=test,
        correction=correction,
        alpha=alpha,
        focus=focus,
    )
    cautions = []
    if views is None:
        views = STANDARD_VIEWS if len(alignments) <= MANY else STANDARD_VIEWS[:1]
        left_out = ", ".join(STANDARD_VIEWS[len(views) :])
        cautions = [f"with more than {MANY} systems {left_out} are left out"] if left_out else []
    decided = {
        view: decide(decisions(table, view), view, graded=view == views[0]) for view in views
    }
    return _concluded(decided, table.scores, cautions)


def _several_runs(
    table: Incidence, views: Sequence[str] | None, clusters: Mapping[str, str] | None
) -> Answers | None:
    """Return who is right on which entity in which run; None where each system has one run."""
    groups = by_system(table.systems)
    if len(groups) == len(table.systems):
        return None
    if views is not None and tuple(views) not in (("entity",), ("entity-target",)):
        raise EvaluationError("several runs are compared by entity: leave other views out")
    decided = decisions(table, views[0] if views else "entity")
    right = dict(zip(table.systems, decided.right.astype(np.float64), strict=True))
    runs = {name: np.stack([right[run] for run in group]) for name, group in groups.items()}
    return Answers(decided.entities, runs, clusters)


def compare_answers(
    answers: Answers,
    *,
    test: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    focus: str | None = None,
    view: str = "item",
) -> Comparison:
    """Compare every pair of systems by their scores on items.

    Answers that are right or wrong, in one run of each system, are compared as by `compare`. Other
    scores are compared by randomisation, several runs by `compare_runs`.

    Parameters
    ----------
    answers
        The scores, and the clusters of the items.
    test, correction, alpha, focus
        As in `compare`; a test is chosen for right and wrong answers only.
    view
        What is compared: a name for the result.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, or an option is unknown or does not fit.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> runs = {"a": 1.0 * (rng.random((4, 200)) < 0.9), "b": 1.0 * (rng.random((1, 200)) < 0.6)}
    >>> found = compare_answers(Answers(tuple(map(str, range(200))), runs))
    >>> found.edges["item"]["bergmann-hommel"]
    (('a', 'b'),)
    """
    correction, systems = correction or default_correction(focus), tuple(answers.scores)
    simple = answers.whole and not answers.several
    if not simple and (test or correction == "westfall-young"):
        raise EvaluationError(
            "scores and several runs have a test of their own: leave out test=..., strict=... "
            "and westfall-young"
        )
    clustered, test = answers.clusters is not None, test or _default_test(correction)
    check(systems, test, correction, alpha, clustered=clustered, focus=focus, answers=simple)
    if simple:
        decided = _decided(
            Decisions(answers.first > 0, answers.items),
            view,
            systems=systems,
            reference=len(answers.items),
            graded=True,
            clusters=answers.clusters,
            cells_alone=False,
            test=test,
            correction=correction,
            alpha=alpha,
            focus=focus,
        )
        values = dict(zip(systems, answers.first.mean(axis=1).tolist(), strict=True))
        return _concluded({view: replace(decided, values=values)}, {})
    units = [None, answers.clusters][: 1 + clustered]
    tests = [answer_test(answers, clusters) for clusters in units]
    decide = partial(_by_one_test, correction=correction, alpha=alpha, focus=focus)
    if answers.several:
        measure = "right" if answers.whole else "the mean score"
        return _by_runs(answers, tests, view, decide, measure=measure)
    result = decide(view, systems, "randomisation", tests)
    parts = [answer_sums(answers, clusters) for clusters in units]
    values = dict(zip(systems, answers.first.mean(axis=1).tolist(), strict=True))
    judged = replace(result, values=values, unit=unit_of(view))
    judged = _with_intervals(judged, [(p[..., 0], p[..., 1]) for p in parts], "the mean score")
    return _concluded({view: judged}, {})


def _by_one_test(
    view: str,
    systems: Sequence[str],
    name: str,
    tests: Sequence[PairTest],
    *,
    correction: str,
    alpha: float,
    focus: str | None,
) -> Pairwise:
    """Compare by one test: of items, and if there is a second, of clusters of them."""
    return pairwise(
        view,
        systems,
        {name: tests[0]},
        test=name,
        correction=correction,
        alpha=alpha,
        focus=focus,
        siblings={name: tests[1]} if tests[1:] else None,
        sibling_test=name,
    )


def _by_runs(
    answers: Answers,
    singles: Sequence[PairTest],
    view: str,
    decide: Callable[[str, Sequence[str], str, Sequence[PairTest]], Pairwise],
    *,
    measure: str,
) -> Comparison:
    """Compare by the mean over runs; `singles` are the tests of the first runs."""
    several_tests = [
        compare_runs(answers.scores, cluster_index(answers.items, clusters), single)
        for single, clusters in zip(singles, (None, answers.clusters), strict=False)
    ]
    runs, systems = several_tests[-1], tuple(answers.scores)
    result = decide(view, systems, "runs", [several.test for several in several_tests])
    simultaneous = None
    if len(answers.items) >= ENOUGH_ITEMS and runs.clusters >= ENOUGH_CLUSTERS:
        simultaneous = runs.intervals(measure, 1 - result.alpha, result.focus)
    values = dict(zip(systems, runs.values.tolist(), strict=True))
    judged = replace(result, values=values, unit=unit_of(view), simultaneous=simultaneous)
    if len(several_tests) > 1:
        alone = np.where(several_tests[0].item_variance > 0, several_tests[0].item_variance, np.nan)
        n = len(answers.items)
        judged = replace(judged, items=n, scale=n, design_effect=runs.item_variance / alone)
    return replace(_concluded({view: judged}, {}), runs=runs)


def _default_test(correction: str) -> str:
    return "exact" if correction == "westfall-young" else "mid-p"


def default_correction(focus: str | None) -> str:
    """Return the correction over all pairs, or over those with one system."""
    return "bergmann-hommel" if focus is None else "holm"


def compare_counts(
    matrix: ArrayLike,
    systems: Sequence[str],
    *,
    view: str = "ifp",
    test: str = "mid-p",
    correction: str | None = None,
    alpha: float = 0.05,
    reference: int | None = None,
    focus: str | None = None,
) -> Comparison:
    """Compare systems of which only the discordant counts are known, such as a published table.

    Parameters
    ----------
    matrix
        (n, n): cell (i, j) counts what i has right and j wrong.
    systems
        n names.
    view
        What the counts are counts of; a name for the result.
    test, correction, alpha, focus
        As in `compare`; every case is taken as independent.
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
    correction = correction or default_correction(focus)
    check(systems, test, correction, alpha, focus=focus)
    table = square_counts(matrix, systems)
    check_counts(table, systems)
    result = pairwise(
        view,
        systems,
        mcnemar_tests(table),
        test=test,
        correction=correction,
        alpha=alpha,
        focus=focus,
    )
    items = None if view == "cfp" else reference
    counted = replace(
        result,
        discordant=table,
        items=items,
        scale=reference,
        differing=table + table.T,
        unit="cases",
    )
    return _concluded({view: counted}, {})


def compare_judged(
    alignments: Mapping[str, Alignment],
    reference: Alignment,
    judge: Judge,
    value: str | None = None,
    *,
    name: str,
    clusters: Mapping[str, str] | None = None,
    swaps: int = 20_000,
    seed: int = 0,
    correction: str | None = None,
    alpha: float = 0.05,
    focus: str | None = None,
) -> Comparison:
    """Compare every pair of systems in any measure that judges alignments, by randomisation.

    Parameters
    ----------
    alignments, reference, judge, value, swaps, seed
        As in `alignrank.evaluation.significance.randomisation.randomise`. Runs of one system, named
        as in `compare`, are compared by their mean (`compare_runs`, of the measure's influences).
    name
        Name of the measure in the result.
    clusters, correction, alpha, focus
        As in `compare`.

    Raises
    ------
    EvaluationError
        If there are fewer than two systems, an option is unknown, or the measure's parts cannot be
        swapped between systems.

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
    correction, groups = correction or default_correction(focus), by_system(alignments)
    check(list(groups), "exact", correction, alpha, focus=focus)
    first = {system: alignments[runs[0]] for system, runs in groups.items()}
    swapped = partial(randomise, first, reference, judge, value, swaps=swaps, seed=seed)
    outcome = swapped()
    outcomes = [outcome, *([] if clusters is None else [swapped(clusters=clusters)])]
    tests = [each.test for each in outcomes]
    decide = partial(_by_one_test, correction=correction, alpha=alpha, focus=focus)
    if len(groups) < len(alignments):
        judgements = {run: judge(alignment, reference) for run, alignment in alignments.items()}
        entities, values = linearised(judgements, value or "f1")
        scores = {
            system: np.stack([values[run] for run in runs]) for system, runs in groups.items()
        }
        answers = Answers(entities, scores, clusters)
        return _by_runs(answers, tests, name, decide, measure=name)
    result = decide(name, list(outcome.values), outcome.method, tests)
    judged = replace(result, values=outcome.values)
    parts = [each.parts for each in outcomes if each.parts is not None]
    sums = [each for credits_ in parts if (each := ratio_sums(value or "f1", credits_)) is not None]
    if len(sums) == len(outcomes):
        judged = _with_intervals(judged, sums, name)
    return _concluded({name: judged}, {}, outcome.cautions)


def _check_types(alignments: Mapping[str, Alignment], reference: Alignment) -> None:
    """Refuse what is no alignment, as a file's name or a matching."""
    if not isinstance(alignments, Mapping):
        raise EvaluationError(
            f"alignments is a {type(alignments).__name__}: give a dict of names and Alignments"
        )
    for name, value in (*alignments.items(), ("the reference", reference)):
        if not isinstance(value, Alignment):
            take = (
                "its .alignment"
                if hasattr(value, "alignment")
                else "alignrank.ontologies.read_alignment"
            )
            raise EvaluationError(f"{name} is a {type(value).__name__}, no Alignment: take {take}")


def check(
    systems: Sequence[str],
    test: str,
    correction: str,
    alpha: float,
    *,
    clustered: bool = False,
    focus: str | None = None,
    answers: bool = False,
) -> None:
    """Refuse what cannot be compared, before anything is computed.

    With `answers` it is known who is right on what, as ``westfall-young`` needs it.
    """
    if len(systems) < 2:
        raise EvaluationError(
            f"a comparison needs two systems or more: there is only {', '.join(systems) or 'none'} "
            "(alignrank score judges one; place compares it with those of past campaigns)"
        )
    double = sorted({name for name in systems if list(systems).count(name) > 1})
    if double:
        raise EvaluationError(f"systems share a name: {', '.join(double)}")
    if test in CLUSTER_TESTS and not clustered:
        raise EvaluationError(
            f"test {test!r} is for clustered items: give the clusters (clusters=...)"
        )
    refuse_unknown("test", test, (*TESTS, *(CLUSTER_TESTS if clustered else ())), EvaluationError)
    if focus is not None:
        refuse_unknown("system", focus, systems, EvaluationError)
    of_answers = answers and focus is None and correction == "westfall-young"
    serving(correction, "N×N of answers" if of_answers else "N×1" if focus else "N×N")
    check_alpha(alpha)


def _decided(
    decided: Decisions,
    view: str,
    *,
    systems: Sequence[str],
    reference: int,
    graded: bool,
    clusters: Mapping[str, str] | None,
    cells_alone: bool,
    test: str,
    correction: str,
    alpha: float,
    focus: str | None,
) -> Pairwise:
    """Compare by decisions that are right or wrong."""
    right, entities = decided.right, decided.entities
    alone = np.arange(len(entities)) if cells_alone else cluster_index(entities, None)
    counts = per_unit(right, alone)
    several = len(counts.T) < len(entities)
    design_effect = design_effects(right, alone) if several else None
    differing, second, answers = differing_units(counts), None, [counts]
    if clusters is not None:
        siblings = cluster_index(entities, clusters)
        second = clustered_tests(right, siblings).tests if graded else None
        design_effect = design_effects(right, siblings)
        answers.append(per_unit(right, siblings))
        differing = differing_units(answers[1])
    result = pairwise(
        view,
        systems,
        unit_tests(counts),
        test="mid-p" if test in CLUSTER_TESTS else test,
        correction=correction,
        alpha=alpha,
        focus=focus,
        siblings=second,
        sibling_test=test if test in CLUSTER_TESTS else "sign-flip",
        answers=answers,
    )
    items = None if view == "cfp" else len(entities)
    if graded and items:
        sizes = np.bincount(siblings if clusters is not None else alone)
        sums = answers[-1].astype(np.float64), np.tile(sizes.astype(np.float64), (len(right), 1))
        result = replace(result, simultaneous=_together(result, sums, items, "right"))
    return replace(
        result,
        discordant=discordant(right),
        items=items,
        scale=items or reference,
        design_effect=design_effect,
        several=several,
        unit="cases" if cells_alone else unit_of(view),
        differing=differing + differing.T,
    )


def _with_intervals(view: Pairwise, sums: Sequence[Sums], measure: str) -> Pairwise:
    """Add what sums of ratios by item, and perhaps by cluster, tell of a measure."""
    items = sums[0][1].shape[1]
    simultaneous = _together(view, sums[-1], items, measure)
    effect = ratio_design_effects(*sums) if len(sums) > 1 and sums[1][1].shape[1] > 1 else None
    return replace(view, simultaneous=simultaneous, items=items, scale=items, design_effect=effect)


def _together(view: Pairwise, sums: Sums, items: int, measure: str) -> Simultaneous | None:
    """Return the differences with intervals that hold together; None where too few would."""
    clusters = sums[1].shape[1]
    if items < ENOUGH_ITEMS or clusters < ENOUGH_CLUSTERS or not sums[1].sum(axis=1).all():
        return None
    return ratio_differences(
        view.systems, *sums, measure=measure, level=1 - view.alpha, focus=view.focus
    )


def _concluded(
    views: Mapping[str, Pairwise], scores: Mapping[str, Scores], of_measure: Sequence[str] = ()
) -> Comparison:
    """Put views together, and say what must be known about them."""
    first = next(iter(views.values()))
    return Comparison(
        systems=first.systems,
        test=first.test,
        correction=first.correction,
        alpha=first.alpha,
        scores=dict(scores),
        views=dict(views),
        validity=guarantee(first),
        cautions=(*cautions(views, scores), *of_measure),
        focus=first.focus,
    )
