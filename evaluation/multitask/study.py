"""A study: which systems differ over many tasks, by every test, and with what cautions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

import numpy as np

from alignrank.common.errors import Argument, EvaluationError, Message, RecordError
from alignrank.common.files import JsonObject
from alignrank.common.names import count, first_of, percent
from alignrank.common.records import check_listed, check_same, read_record, record_dict
from alignrank.common.results import Caution, Provenance
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.comparison.pairwise import Pairwise, Units, pairwise
from alignrank.evaluation.comparison.result import PairwiseResult, TestedDifference
from alignrank.evaluation.comparison.robustness import depends_on_choices, with_alternatives
from alignrank.evaluation.comparison.settings import AnalysisSettings, place_of
from alignrank.evaluation.corrections.adjusting import CORRECTIONS, corrections_for, least_adjusted
from alignrank.evaluation.ranking import Edge, answer, answer_focus, assumption

from .pair_tests import (
    BayesianSignedRank,
    Estimate,
    PairedT,
    SignedRank,
    SignTest,
    TaskEffects,
    bayesian_signed_ranks,
    normality,
)
from .posthoc import (
    JACKKNIFE,
    POSTHOC_TESTS,
    Generalisability,
    Omnibus,
    PostHoc,
    default_test,
    estimand,
    generalisability,
    nemenyi_critical_difference,
    omnibus_tests,
    posthoc,
    tested,
)
from .score_table import Floats, ScoreTable, checked, differences


def cautions(
    table: ScoreTable, view: Pairwise, outcome: PostHoc, margin: float | None, pairs: Sequence[Pair]
) -> tuple[Caution, ...]:
    """Return the cautions of a study.

    Parameters
    ----------
    table, margin
        As in `alignrank.evaluation.multitask.study`.
    view, outcome
        Every pair, decided, and the outcome of the test.
    pairs
        Every pair, by every test.
    """
    pool: Iterable[str] = ()
    not_normal: Iterable[str] = ()
    if not outcome.untested:
        pool, not_normal = _pool(table, view), _not_normal(view, pairs)
    by_kind = {
        "identical": _identical(table),
        "not-normal": not_normal,
        "against-means": _against_means(table, view),
        "pool": pool,
        "logic": _logic(view),
        "shared-ontologies": filter(None, [outcome.caution]),
        "scale": _scale(table, margin),
    }
    return tuple(Caution(kind, text) for kind, texts in by_kind.items() for text in texts)


def too_few_tasks(view: Pairwise, n: int, common_scale: bool | None) -> str:
    """Return why on n tasks no difference could be significant, and a remedy; else ''.

    Parameters
    ----------
    view
        Every pair, decided.
    n
        The number of tasks.
    common_scale
        Whether the scores of all tasks are on one scale.
    """
    test, alpha = view.test, view.alpha
    if test not in ("signed-rank", "sign"):
        return ""
    k = len(view.systems)
    focus = place_of(view.focus, view.systems)

    def adjusted(tasks: int) -> float:
        """Return the smallest adjusted p: one system wins on all tasks, for every pair."""
        return least_adjusted(2 / 2**tasks, k, view.correction, alpha=alpha, focus=focus)

    least_p, corrected = 2 / 2**n, adjusted(n)
    if corrected <= alpha:
        return ""
    price = ""
    if corrected > least_p:
        price = f", {corrected:.3g} after correction"
    needed = n + 1
    while adjusted(needed) > alpha:
        needed += 1
    one_system = ""
    if view.focus is None and corrected > least_p and least_p * (k - 1) <= alpha:
        one_system = " A comparison of one system with the others could, too."
    scale = ""
    if test == "signed-rank" and not common_scale:
        scale = " If all scores have the same scale (scale: common), fewer tasks can decide."
    return (
        f"{n} tasks are too few: p of the {test} test cannot be below {least_p:.3g}{price}. From "
        f"{needed} tasks on a difference can be significant.{one_system}{scale}"
    )


def _identical(table: ScoreTable) -> Iterator[str]:
    for i, j in combinations(range(len(table.systems)), 2):
        if np.array_equal(table.scores[:, i], table.scores[:, j]):
            yield (
                f"{table.systems[i]} and {table.systems[j]} have the same score on every task: "
                "every p-value of the two is 1 by definition."
            )


def _not_normal(view: Pairwise, pairs: Sequence[Pair]) -> Iterator[str]:
    if view.test != "paired-t":
        return
    alpha = view.alpha
    failing = [f"{of.system1}–{of.system2}" for of in pairs if of.t.normality_p <= alpha]
    if failing:
        yield Message(
            f"The differences of {count(len(failing), 'pair')} are not normal (Shapiro–Wilk at "
            f"{alpha:g}): {first_of(failing, 3)}. If a system fails rarely but badly, the paired "
            f"t-test finds false differences in more than {percent(alpha)} of studies: repeat it "
            "with ",
            Argument("test", "signed-rank"),
            ", and trust only what both tests find.",
        )


def _against_means(table: ScoreTable, view: Pairwise) -> Iterator[str]:
    """Yield the arrows that the mean scores contradict."""
    means = dict(zip(table.systems, table.scores.mean(axis=0).tolist(), strict=True))
    gains = dict(zip(table.systems, table.gains.mean(axis=0).tolist(), strict=True))
    for better, worse in view.edges:
        if gains[better] < gains[worse]:
            yield (
                f"{better} is better than {worse} by the {estimand(view.test)}, though its mean is "
                f"worse ({means[better]:.3f} against {means[worse]:.3f})."
            )


def _pool(table: ScoreTable, view: Pairwise) -> Iterator[str]:
    """Say which verdicts of a mean-rank test hang on who else takes part."""
    k = len(table.systems)
    test, alpha = view.test, view.alpha
    if estimand(test) != "mean rank" or k < 3:
        return
    compare = POSTHOC_TESTS[test].compare
    whole, _ = compare(table.gains, 0.0)
    flips = set()
    for omitted in range(k):
        remaining = np.delete(np.arange(k), omitted)
        p, _ = compare(table.gains[:, remaining], 0.0)
        changed = (p <= alpha) != (whole[np.ix_(remaining, remaining)] <= alpha)
        flips |= {
            (int(remaining[a]), int(remaining[b])) for a, b in np.argwhere(np.triu(changed, 1))
        }
    changes = " (here leaving any one out changes no unadjusted verdict)"
    if flips:
        listed = ", ".join(f"{table.systems[i]}–{table.systems[j]}" for i, j in sorted(flips))
        changes = f": without one of them the unadjusted verdict changes for {listed}"
    yield (
        f"Mean ranks depend on which other systems are in the pool{changes}. The signed-rank test "
        "does not have this fault."
    )


def _logic(view: Pairwise) -> Iterator[str]:
    correction = view.correction
    if view.test == "sign" and correction in ("shaffer", "bergmann-hommel"):
        yield (
            f"{correction} supposes that A = B and B = C imply A = C. Medians of differences, "
            "which the sign test is about, need not obey that: take 'holm'."
        )
    if not view.adjusted[correction].exact.all():
        yield (
            "The search for exact Bergmann–Hommel values ended at its budget: some adjusted "
            "p-values are upper bounds, which still control the error."
        )
    for circle in view.ranking.cycles:
        yield (
            f"The significant differences run in a circle among {', '.join(circle)}: no ranking "
            "fits them."
        )


def _scale(table: ScoreTable, margin: float | None) -> Iterator[str]:
    largest = float(np.abs(table.scores).max())
    if margin is not None and largest > 1:
        yield (
            f"The scores reach {largest:g}, and the region of practical equivalence is ±{margin:g} "
            "in the same units. Set it to a difference that does not matter."
        )


@dataclass(frozen=True)
class Pair(Tabular):
    """Two systems, by every test.

    Parameters
    ----------
    system1, system2
        Names; differences are system1 − system2.
    t, wilcoxon, sign
        The three tests of two systems, not adjusted.
    effects
        Effect sizes with intervals; that of the mean difference is the jackknife's where tasks
        share ontologies. The intervals of an undecided pair hold 0; that of the tested difference
        of a decided pair is cut at 0.
    bayesian
        Probabilities of better, equivalent, worse; None if not asked for.
    p, adjusted_p
        Of the study's post-hoc test; `adjusted_p` is NaN for a pair that was not compared.
    better
        The significantly better one; empty where the two cannot be told apart.
    """

    system1: str
    system2: str
    t: PairedT
    wilcoxon: SignedRank
    sign: SignTest
    effects: TaskEffects
    bayesian: BayesianSignedRank | None
    p: float
    adjusted_p: float
    better: str


#: What everything is compared by, unless more is said.
DEFAULT = AnalysisSettings()


@dataclass(frozen=True)
class KindSummary(Tabular):
    """One metric on all tasks, or on their entities of one kind.

    Parameters
    ----------
    metric, kind
        Which metric, and which kind of entity (``all``: together).
    tasks
        Tasks with a correspondence of the kind, found or in the reference.
    reference, found, correct
        Correspondences over all tasks.
    correct_range
        Fewest and most correct ones that optimal assignments can have; only for ``all``.
    macro_f1
        Mean of the tasks' F1.
    micro_precision, micro_recall, micro_f1
        From the correspondences of all tasks together; NaN for 0/0.
    """

    metric: str
    kind: str
    tasks: int
    reference: int
    found: int
    correct: int
    correct_range: tuple[int, int] | None
    macro_f1: float
    micro_precision: float
    micro_recall: float
    micro_f1: float


#: By what a test compares: the effect that estimates it.
_TESTED_EFFECT = {
    "mean difference": "mean_difference",
    "Hodges–Lehmann difference": "hodges_lehmann",
}

#: What every correction takes for granted.
ASSUMPTION = (
    "It rests on valid p-values, and these on independent tasks, or, where tasks share ontologies, "
    "on independent ontologies."
)


class RankDiagram(NamedTuple):
    """The content of a critical-difference diagram.

    Parameters
    ----------
    mean_ranks
        Mean rank of each system over the tasks.
    groups
        Systems that do not differ significantly.
    critical_difference
        Nemenyi's; None where it makes other groups.
    """

    mean_ranks: Mapping[str, float]
    groups: Sequence[Sequence[str]]
    critical_difference: float | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Study(PairwiseResult):
    """Systems compared over many tasks: the sister of `alignrank.evaluation.Comparison`.

    Parameters
    ----------
    table
        The scores, with cautions on missing results.
    settings
        What decided: the post-hoc test, the correction, the level.
    views
        One view, ``tasks``: every pair by the test that decides.
    omnibus
        Tests of all systems at once.
    mean_ranks
        Mean rank of each system over the tasks; 1 is best.
    critical_difference
        Nemenyi's, of two mean ranks.
    pairs
        Every pair in detail.
    generalisability
        How far the tasks tell the systems apart on other tasks.
    is_tested
        Whether a test was made: not with fewer than four tasks, for instance.
    could_not_decide
        Why no difference could be significant, and what would help; empty where one could.
    by_kind, thresholds
        Only of `rank` on several tasks: every metric by kind of entity, and by metric and task the
        threshold that was chosen on other tasks.
    f1_of_choice
        Only of `rank`: the mean F1 of the best metric, chosen for each task on other tasks.
    pooled
        The systems compared on these very tasks, by the source entities of all of them
        (`compare_pooled`): another question than that of the mean over tasks. None where no
        alignments are known.
    validity
        One sentence: what the correction controls, and what that takes for granted.
    cautions
        What the reader must know.
    provenance
        Where the result comes from.
    """

    table: ScoreTable
    settings: AnalysisSettings
    views: Mapping[str, Pairwise]
    omnibus: tuple[Omnibus, ...]
    mean_ranks: Mapping[str, float]
    critical_difference: float
    pairs: tuple[Pair, ...]
    generalisability: Generalisability
    is_tested: bool = True
    could_not_decide: str = ""
    by_kind: tuple[KindSummary, ...] = ()
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    f1_of_choice: float | None = None
    pooled: Pairwise | None = None
    validity: str
    cautions: tuple[Caution, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        """Refuse parts that do not belong together, as in a file that was changed by hand."""
        check_same("views", self.views, ["tasks"])
        check_same("the view's systems", self.deciding.systems, self.systems)
        check_same("mean_ranks", self.mean_ranks, self.systems)
        check_listed("focus", [] if self.focus is None else [self.focus], self.systems)
        pairs = [(pair.system1, pair.system2) for pair in self.pairs]
        if pairs != list(combinations(self.systems, 2)):
            raise RecordError("pairs holds other pairs than those of the systems")
        if self.deciding.values is None:
            raise RecordError("values of the view are missing")

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, in the table's order."""
        return self.table.systems

    @property
    def runs_by_system(self) -> Mapping[str, int]:
        """The number of runs that a system's scores are means over; empty where each has one."""
        return self.table.runs

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Significant differences (better, worse)."""
        return self.deciding.edges

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups of systems without a significant difference.

        Best first; none with `focus`, which does not compare the others.
        """
        if self.focus is not None:
            return ()
        place = {name: k for k, name in enumerate(self.deciding.order)}
        groups = [
            tuple(sorted(group, key=place.__getitem__)) for group in self.deciding.ranking.groups
        ]
        return tuple(sorted(groups, key=lambda group: [place[name] for name in group]))

    @property
    def estimand(self) -> str:
        """The quantity that the test compares, such as the mean difference."""
        return estimand(self.test)

    def tested_differences(self, system: str) -> dict[str, TestedDifference]:
        """Return, by other system, the difference that the test is about, with its 95% interval.

        Nothing where the test is about ranks or wins.
        """
        differences: dict[str, TestedDifference] = {}
        for pair in self.pairs:
            estimate: Estimate | None = getattr(
                pair.effects, _TESTED_EFFECT.get(self.estimand, ""), None
            )
            if estimate is not None and system in (pair.system1, pair.system2):
                rival = pair.system2
                if system == rival:
                    rival, estimate = pair.system1, estimate.turned()
                differences[rival] = estimate.value, estimate.low, estimate.high, estimate.is_cut
        return differences

    @property
    def rank_diagram(self) -> RankDiagram | None:
        """The mean ranks, and the groups; None with `focus`, which makes no groups.

        Nemenyi's critical difference is there only where it decides as the verdicts do: other tests
        make other groups, and Bonferroni's inequality is not as sharp as the studentised range.
        """
        if self.focus is not None:
            return None
        critical_difference = None
        if (self.test, self.correction) == ("friedman", "nemenyi"):
            ranks = np.array([*self.mean_ranks.values()])
            is_beyond = np.abs(ranks[:, None] - ranks) >= self.critical_difference
            if np.array_equal(is_beyond, self.deciding.adjusted_p <= self.settings.alpha):
                critical_difference = self.critical_difference
        return RankDiagram(self.mean_ranks, self.groups, critical_difference)

    def answer(self) -> list[str]:
        """Return the result in sentences: the first one is the answer."""
        if self.could_not_decide:
            return [self.could_not_decide]
        view = self.deciding
        best = view.best
        if self.focus is not None:
            sentences = answer_focus(self.focus, view.order, view.edges)
        else:
            quantity = f"by the {self.estimand}"
            if self.estimand == "mean difference":
                quantity = f"mean {self.table.measure} {self.table.means[best[0]]:.3f}"
                if self.table.lower_is_better:
                    quantity += f", {self.table.direction}"
            sentences = answer(view.order, view.edges, quantity, best=len(best))
        if not view.is_clustered:
            sentences.append(assumption("tasks"))
        return sentences

    def to_dict(self) -> JsonObject:
        """Return the content of ``summary.json``: plain values, None for NaN."""
        return record_dict(self, "study")

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Study:
        """Return the study that `to_dict` made plain values of.

        Raises
        ------
        RecordError
            If the content has another schema, or something is missing or does not fit.
        """
        return read_record(cls, content)

    def to_frame(self) -> Frame:
        """Tabulate the compared pairs, the better-ranked system first; the adjusted p decides."""
        return frame(self.pair_rows())

    def pair_rows(self) -> list[JsonObject]:
        """Return the rows of `to_frame`, the values by column."""
        view = self.deciding
        pairs = {frozenset((pair.system1, pair.system2)): pair for pair in self.pairs}
        names = [(view.systems[i], view.systems[j]) for i, j in view.pairs_by_rank()]
        return [_row(*of, pairs[frozenset(of)], view.verdicts[of]) for of in names]


def study(
    table: ScoreTable,
    settings: AnalysisSettings = DEFAULT,
    *,
    margin: float | None = None,
) -> Study:
    """Compare systems over many tasks.

    Parameters
    ----------
    table
        Scores, at least two tasks and two systems.
    settings
        What decides. The test is one of `POSTHOC_TESTS`, or ``jackknife``; by default the mean
        difference is tested if the scores are on one scale
        (`alignrank.evaluation.multitask.posthoc.default_test`).
    margin
        Differences below it count as equivalent in the Bayesian signed-rank test; None leaves the
        test out, which takes longer than all others.

    Raises
    ------
    EvaluationError
        If there are fewer than two tasks or systems, a name is unknown, or an argument is out of
        range.

    Examples
    --------
    >>> easy = np.linspace(0.5, 0.9, 9)
    >>> scores = np.column_stack([easy + 0.05, easy, easy - np.linspace(0.1, 0.2, 9)])
    >>> tasks = tuple("abcdefghi")
    >>> result = study(ScoreTable(tasks, ("new", "old", "base"), scores))
    >>> result.edges
    (('new', 'old'), ('new', 'base'), ('old', 'base'))
    >>> result.groups, result.mean_ranks
    ((), {'new': 1.0, 'old': 2.0, 'base': 3.0})
    """
    if not isinstance(table, ScoreTable):
        raise EvaluationError(
            f"table is a {type(table).__name__}: give a ScoreTable(tasks, systems, scores), or "
            "what read_scores returns"
        )
    view, outcome = decide(table, settings)
    settings = replace(settings, test=view.test, correction=view.correction)
    omnibus, n = omnibus_tests(table.gains), len(table.tasks)
    critical_difference = nemenyi_critical_difference(len(table.systems), n, settings.alpha)
    reliability = generalisability(table)
    pairs = _pairs(table, view, outcome.half_widths, margin, settings.seed)
    of_scores = [Caution("scores", text) for text in table.cautions]
    of_study = cautions(table, view, outcome, margin, pairs)
    could_not_decide = outcome.untested or too_few_tasks(view, n, table.common_scale)
    # what the sign test is about need not obey the logic that the other correction supposes
    of_choices = () if view.test == "sign" else tuple(depends_on_choices(view))
    return Study(
        table=table,
        settings=settings,
        views={"tasks": view},
        omnibus=omnibus,
        mean_ranks=table.mean_ranks,
        critical_difference=critical_difference,
        pairs=pairs,
        generalisability=reliability,
        is_tested=not outcome.untested,
        could_not_decide=could_not_decide,
        validity=f"{CORRECTIONS[view.correction].validity} {ASSUMPTION}",
        cautions=(*of_scores, *of_study, *of_choices),
    )


def study_with_choices(result: Study) -> Study:
    """Return the study with all that a page's reader can choose; with a focus, that is nothing.

    With few systems these are all tests and corrections.
    """
    view, table = result.deciding, result.table
    if view.focus is not None:
        return result
    tests, corrections = {view.test: view.chosen}, [view.correction]
    if result.has_few_systems:
        corrections = corrections_for("N×N")
        for name in POSTHOC_TESTS:
            if name not in tests:
                outcome = posthoc(table.gains, name, least_spread=table.spread_of_rounding)
                tests[name] = outcome.pair_test
    result = replace(result, views={"tasks": replace(view, tests=tests)})
    return with_alternatives(result, corrections)


def decide(table: ScoreTable, settings: AnalysisSettings = DEFAULT) -> tuple[Pairwise, PostHoc]:
    """Return every pair as the test decides it, and the test's own outcome.

    Parameters
    ----------
    table, settings
        As in `study`, which says more of the pairs.
    """
    checked(table.scores)
    names = dict.fromkeys([default_test(table), *POSTHOC_TESTS, JACKKNIFE])
    settings = settings.resolved(table.systems, list(names))
    assert settings.test is not None
    outcome = tested(table, settings.test)
    values = dict(zip(table.systems, map(fmean, table.gains.T.tolist()), strict=True))
    quantity = f"mean {table.measure}"
    if table.lower_is_better:
        quantity += ", negated"
    if estimand(outcome.test) == "mean rank":
        values = {name: -rank for name, rank in table.mean_ranks.items()}
        quantity = "mean rank, negated"
    unit = "clusters" if outcome.test == JACKKNIFE else "tasks"
    view = pairwise(
        "tasks",
        table.systems,
        {outcome.test: outcome.pair_test},
        settings,
        values=values,
        quantity=quantity,
        units=Units(unit),
        with_nemenyi=False,
    )
    return view, outcome


def _pairs(
    table: ScoreTable,
    view: Pairwise,
    half_widths: Floats | None,
    margin: float | None,
    seed: int,
) -> tuple[Pair, ...]:
    """Return every pair of systems, by every test."""
    names, edges = list(combinations(table.systems, 2)), set(view.edges)
    bayesian: list[BayesianSignedRank | None] = [None] * len(names)
    if margin is not None:
        columns = combinations(table.gains.T, 2)
        bayesian = [*bayesian_signed_ranks(columns, margin=margin, seed=seed)]
    scores = table.gains.T.copy()
    rows = np.array([differences(x, y) for x, y in combinations(scores, 2)])
    normality_p, least_spread = normality(rows), table.spread_of_rounding
    pairs = []
    for k, (i, j) in enumerate(combinations(range(len(scores)), 2)):
        d = rows[k]
        wilcoxon = SignedRank.of(d)
        half_width = None if half_widths is None else half_widths[i, j]
        largest = table.largest_difference
        sizes = TaskEffects.of(scores[i], scores[j], d, wilcoxon, half_width, least_spread, largest)
        first, second = names[k]
        lead = ((first, second) in edges) - ((second, first) in edges)
        pair = Pair(
            first,
            second,
            t=PairedT.of(d, normality_p[k], least_spread),
            wilcoxon=wilcoxon,
            sign=SignTest.of(d),
            effects=sizes.agreeing(lead, _TESTED_EFFECT.get(estimand(view.test), "")),
            bayesian=bayesian[k],
            p=float(view.chosen.p[i, j]),
            adjusted_p=float(view.adjusted_p[i, j]),
            better={1: first, 0: "", -1: second}[lead],
        )
        pairs.append(pair)
    return tuple(pairs)


def _row(system: str, rival: str, pair: Pair, verdict: str) -> JsonObject:
    """Return the row of a pair, whose estimates change their sign if `other` is its first."""
    is_turned = rival == pair.system1
    row: JsonObject = {
        "system": system,
        "other": rival,
        "it is": verdict,
        "adjusted p": pair.adjusted_p,
        "p": pair.p,
        "p paired-t": pair.t.p,
        "p signed-rank": pair.wilcoxon.p,
        "p sign": pair.sign.p,
    }
    for name in ("mean_difference", "hodges_lehmann", "cohen_dz", "rank_biserial", "cliff_delta"):
        estimate = getattr(pair.effects, name)
        if is_turned:
            estimate = estimate.turned()
        row |= {
            name: estimate.value,
            f"{name}_low": estimate.low,
            f"{name}_high": estimate.high,
        }
    sizes = pair.effects
    row["0 excluded"] = sizes.mean_difference.is_cut or sizes.hodges_lehmann.is_cut
    if pair.bayesian is not None:
        first, second = pair.bayesian.first_better, pair.bayesian.second_better
        if is_turned:
            first, second = second, first
        row["chance_system1_better"] = first
        row["chance_equivalent"] = pair.bayesian.equivalent
        row["chance_system2_better"] = second
    return row
