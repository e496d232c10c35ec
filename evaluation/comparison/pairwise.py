"""All pairs of systems in one view: tests, adjusted p-values, and the rankings that follow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError, RecordError
from alignrank.common.files import plain
from alignrank.common.names import refuse_unknown
from alignrank.common.records import check_listed, check_pairs, check_same, check_shapes
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.corrections import Adjusted, adjust_pairs
from alignrank.evaluation.corrections.westfall_young import joint_flips, westfall_young
from alignrank.evaluation.credit import LESS_IS_BETTER
from alignrank.evaluation.ranking import (
    Edge,
    Ranking,
    letter_display,
    rank,
    verdict_words,
    winners,
)
from alignrank.evaluation.significance.crossed import best_set
from alignrank.evaluation.significance.mcnemar import Floats, Ints, PairTest, pair_columns
from alignrank.evaluation.significance.score_limits import Discordance, Simultaneous, count_pairs

from .settings import AnalysisSettings, place_of


@dataclass(frozen=True, eq=False)
class Pairwise(Tabular):
    """Every pair of systems compared in one view.

    Parameters
    ----------
    view
        What was compared: a view of `alignrank.evaluation.VIEWS`, ``item``, a measure, or
        ``tasks``.
    systems
        n names.
    test
        The test whose p-values were adjusted.
    alpha
        Family-wise level.
    tests
        Every test made, by name.
    adjusted
        Adjusted p-values of `test`, by correction, the chosen one first; NaN where two systems were
        not compared.
    rankings
        Edges, layers and groups, by correction.
    focus
        The one system that each other was compared with; None: all pairs were.
    alternatives
        Adjusted p-values by test and correction, of those that were computed beside the chosen
        ones (`alignrank.evaluation.comparison.robustness.with_alternatives`).
    p_independent
        (n, n): p-values with source entities (items) as independent; None where the test that
        decides takes them so, too.
    discordant
        (n, n): what the row has right and the column wrong. None where a measure was compared.
    both_wrong
        (n, n): what both have wrong; None where unknown.
    decisions
        Number of decisions that could be taken: |R| in ``ifp``, all candidate pairs (T) in ``cfp``,
        all entities of the ontology in ``entity``; None where the ontologies are unknown.
    items
        Number of decisions, the denominator of a difference of proportions: |R| in ``ifp``, the
        entities that anyone mentions in ``entity``; None where it is unknown or, as in ``cfp``,
        arbitrarily large.
    scale
        What one decision is divided by to be shown as a rate: |R| in ``ifp`` and ``cfp``, the
        entities of the reference in ``entity``; None where unknown.
    values
        The tested quantity by system, such as the share of source entities answered right; None
        where only counts are known.
    quantity
        What `values` are called in a table.
    design_effect
        (n, n): how much larger the variance of b − c is because items are clustered; None where
        each item was taken for itself.
    interval_effect
        (n, n): the design effect that intervals and equivalence are based on, with one pseudo-item
        that agrees with its cluster (`Discordance`); None where each item was taken for itself.
    unit
        What the test takes as independent: ``source entities``, ``items``, ``cases`` or
        ``clusters``.
    is_crossed
        Whether the test takes dependence across clusters of the other ontology into account.
    several
        Whether a source entity holds several of the items, which are one case then.
    differing
        (n, n): on how many independent units (clusters, source entities, or items taken for
        themselves) the two differ; None where unknown.
    simultaneous
        The differences, with intervals that hold together; None where none are known. Of right
        and wrong decisions they are those of `net`.
    f1
        The differences in F1, with intervals that hold together: of the view that decides, where
        alignments are known.
    unreachable
        Pairs that cannot reach significance: also the outcome that is best for one of the two, on
        the units on which they differ, would not be significant under the same correction.
    """

    view: str
    systems: tuple[str, ...]
    test: str
    alpha: float
    tests: Mapping[str, PairTest]
    adjusted: Mapping[str, Adjusted]
    rankings: Mapping[str, Ranking]
    focus: str | None = None
    alternatives: Mapping[str, Mapping[str, Adjusted]] = field(default_factory=dict)
    p_independent: Floats | None = None
    discordant: Ints | None = None
    both_wrong: Ints | None = None
    decisions: int | None = None
    items: int | None = None
    scale: int | None = None
    values: Mapping[str, float] | None = None
    quantity: str = ""
    design_effect: Floats | None = None
    interval_effect: Floats | None = None
    unit: str = "source entities"
    is_crossed: bool = False
    several: bool = False
    differing: Ints | None = None
    simultaneous: Simultaneous | None = None
    f1: Simultaneous | None = None
    unreachable: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        """Refuse parts that do not belong together, as in a file that was changed by hand."""
        check_listed("test", [self.test], self.tests)
        check_same("rankings", self.rankings, self.adjusted)
        check_same("systems", self.systems, set(self.systems))
        if not self.adjusted:
            raise RecordError("adjusted is empty")
        if self.focus is not None:
            check_listed("focus", [self.focus], self.systems)
        if self.values is not None:
            check_same("values", self.values, self.systems)
        for ranking in self.rankings.values():
            ranking.check(self.systems)
        check_pairs("unreachable", self.unreachable, self.systems)
        check_listed("alternatives", self.alternatives, self.tests)
        n = len(self.systems)
        check_shapes((n, n), dict(self._matrices()))

    def _matrices(self) -> Iterable[tuple[str, NDArray[Any] | None]]:
        """Return every matrix of pairs, by name."""
        for name, test in self.tests.items():
            for part, matrix in vars(test).items():
                yield f"{part} of {name}", matrix
        for test_name, by_correction in (("", self.adjusted), *self.alternatives.items()):
            for name, adjusted in by_correction.items():
                yield f"adjusted p of {test_name} {name}", adjusted.values
                yield f"exactness of {test_name} {name}", adjusted.exact
        for part in (
            "p_independent", "discordant", "both_wrong", "design_effect", "interval_effect",
            "differing",
        ):  # fmt: skip
            yield part, getattr(self, part)
        for intervals in (self.simultaneous, self.f1):
            if intervals is not None:
                for part in ("difference", "standard_error", "low", "high"):
                    yield f"{part} of {intervals.measure}", getattr(intervals, part)

    @property
    def chosen(self) -> PairTest:
        """The test whose p-values were adjusted."""
        return self.tests[self.test]

    @property
    def correction(self) -> str:
        """The chosen correction."""
        return next(iter(self.adjusted))

    @property
    def adjusted_p(self) -> Floats:
        """(n, n): adjusted p-values of the chosen test and correction."""
        return self.adjusted[self.correction].values

    @property
    def ranking(self) -> Ranking:
        """The ranking under the chosen correction."""
        return self.rankings[self.correction]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Significant differences (better, worse) under the chosen correction."""
        return self.ranking.edges

    @property
    def is_clustered(self) -> bool:
        """Whether clusters of items are what the test takes as independent."""
        return self.unit == "clusters"

    @property
    def less_is_better(self) -> bool:
        """Whether the better system has the smaller value."""
        return not LESS_IS_BETTER.isdisjoint((self.view, self.quantity))

    @property
    def order(self) -> tuple[str, ...]:
        """The systems by the tested quantity, the best first, then by name.

        By rank first where a significant difference points against the quantity, which a test of
        another estimand can find.
        """
        quantity = self._quantity()
        by_quantity = sorted(self.systems, key=lambda name: (-quantity[name], name))
        if self.focus is None and any(quantity[a] < quantity[b] for a, b in self.edges):
            return tuple(sorted(by_quantity, key=self.ranking.rank_sets.__getitem__))
        return tuple(by_quantity)

    @property
    def best(self) -> tuple[str, ...]:
        """The first systems of `order` that share the highest value, and do not differ."""
        quantity, order = self._quantity(), self.order
        ends = [k for k, name in enumerate(order) if quantity[name] != quantity[order[0]]]
        equals = order[: min(ends, default=len(order))]
        if any(better in equals and worse in equals for better, worse in self.edges):
            return equals[:1]
        return equals

    def answers_alike(self, systems: Iterable[str]) -> bool:
        """Return whether systems are known to give the same answer to every item."""
        if self.discordant is None:
            return False
        places = [self.systems.index(name) for name in systems]
        return not self.discordant[np.ix_(places, places)].any()

    def _quantity(self) -> dict[str, float]:
        """Return what the systems are ordered by, larger for a better one."""
        if self.values is None:
            # the advantage over one system orders all, unless a test weights clusters otherwise
            return dict(zip(self.systems, self.chosen.advantage[:, 0].tolist(), strict=True))
        sign = -1 if self.less_is_better else 1
        return {name: sign * value for name, value in self.values.items()}

    @property
    def ranks(self) -> dict[str, str]:
        """Each system's rank as text: ``2``, or ``2–4``."""
        return {name: self.ranking.rank_range(name) for name in self.systems}

    @property
    def is_tested(self) -> bool:
        """Whether any p-value is known."""
        return not np.isnan(self.adjusted_p).all()

    @property
    def letters(self) -> dict[str, str]:
        """Each system's letters: systems that share one do not differ significantly."""
        if not self.is_tested:
            return dict.fromkeys(self.systems, "")
        return letter_display(self.order, self.ranking.groups)

    @property
    def best_set(self) -> tuple[str, ...]:
        """The confidence set for the best, in `order`: systems that the data do not exclude."""
        significant = np.zeros(self.chosen.p.shape, dtype=bool)
        for better, worse in self.edges:
            significant[self.systems.index(better), self.systems.index(worse)] = True
        in_set = best_set(self.chosen, significant, self.alpha).tolist()
        return tuple(name for name in self.order if in_set[self.systems.index(name)])

    @property
    def questions(self) -> int:
        """Number of pairs that were compared."""
        return count_pairs(len(self.systems), self.focus)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether no pair can reach significance."""
        return not self.edges and len(self.unreachable) == self.questions

    @property
    def net(self) -> Discordance | None:
        """Net correct decisions, (b − c) / `scale`; None where counts or scale are unknown."""
        if self.discordant is None or not self.scale:
            return None
        b = self.discordant.astype(float)
        unit = np.full_like(b, 1 / self.scale)
        effect = np.ones_like(b) if self.interval_effect is None else self.interval_effect
        # entities beyond the reference are as many as systems name: their number is no bound
        items = float(self.scale) if self.view in ("ifp", "item") else math.inf
        return Discordance(b, unit, unit, effect, items)

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return the index pairs i < j that were compared."""
        focus = place_of(self.focus, self.systems)
        pairs = combinations(range(len(self.systems)), 2)
        return (pair for pair in pairs if focus is None or focus in pair)

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the indices of the pairs asked about that do not differ significantly."""
        significant = set(map(frozenset, self.edges))
        return [
            (i, j)
            for i, j in self.pairs()
            if frozenset((self.systems[i], self.systems[j])) not in significant
        ]

    def pairs_by_rank(self) -> list[tuple[int, int]]:
        """Return the index pairs that were compared, the better-ranked system (the focus) first."""
        names = self.order
        if self.focus is not None:
            return [
                (self.systems.index(self.focus), self.systems.index(name))
                for name in names
                if name != self.focus
            ]
        return list(combinations(map(self.systems.index, names), 2))

    @property
    def verdicts(self) -> dict[Edge, str]:
        """For every ordered pair what is known of the first, as `verdict_words` says it."""
        if not self.is_tested:
            return dict.fromkeys(permutations(self.systems, 2), "")
        return verdict_words(self.systems, self.edges, self.unreachable)

    def better(self) -> dict[Edge, str]:
        """Return for every pair (in the systems' order) the better one, '' where undecided."""
        return winners(combinations(self.systems, 2), self.edges)

    def decided_by(self, test: str | None = None, correction: str | None = None) -> Pairwise:
        """Return the view as another test or correction decides it; None keeps the chosen one.

        Raises
        ------
        EvaluationError
            If the adjusted p-values of this test and correction were not computed.
        """
        test, correction = test or self.test, correction or self.correction
        computed = dict(self.alternatives.get(test, {}))
        if test == self.test:
            computed |= self.adjusted
        refuse_unknown("test", test, {self.test, *self.alternatives}, EvaluationError)
        refuse_unknown("correction", correction, computed, EvaluationError)
        if (test, correction) == (self.test, self.correction):
            return self
        adjusted = {correction: computed[correction]}
        ranking = rank(
            self.systems, self.tests[test].advantage, computed[correction].values, self.alpha
        )
        return replace(self, test=test, adjusted=adjusted, rankings={correction: ranking})

    def in_order(self, matrix: NDArray[np.generic]) -> list[list[Any]]:
        """Return the rows of a matrix (n, n) by `order`, None for NaN."""
        # Any: numbers of the matrix's own type
        index = [self.systems.index(name) for name in self.order]
        rows: list[list[Any]] = plain(matrix[np.ix_(index, index)].tolist())
        return rows

    def pair_matrices(self) -> dict[str, NDArray[np.generic]]:
        """Return everything that the verdict on a pair rests on, matrices (n, n) by name."""
        matrices: dict[str, NDArray[np.generic] | None] = {
            "adjusted p": self.adjusted_p,
            "p": self.chosen.p,
            "p_independent": self.p_independent,
            "only it right": self.discordant,
        }
        if self.discordant is not None:
            matrices["only the other"] = self.discordant.T
        matrices |= {"both wrong": self.both_wrong, "both right": self.both_right}
        for intervals in (self.simultaneous, self.f1):
            if intervals is not None:
                matrices |= _interval_columns(intervals)
        matrices |= {
            "design effect": self.design_effect,
            "effective items": self.effective,
            "differing": self.differing,
        }
        return {name: matrix for name, matrix in matrices.items() if matrix is not None}

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair: what its verdict rests on, and every test's p-value."""
        matrices = self.pair_matrices()
        for name, test in self.tests.items():
            matrices |= {f"p {name}": test.p, f"log10 p {name}": test.log10_p}
        columns = pair_columns(self.systems, matrices)
        return frame({"view": self.view, **columns, "better": list(self.better().values())})

    @property
    def both_right(self) -> Ints | None:
        """(n, n): what both have right, n11 of the two by two table; None where unknown."""
        if self.discordant is None or self.both_wrong is None or self.decisions is None:
            return None
        return self.decisions - self.both_wrong - self.discordant - self.discordant.T

    @property
    def effective(self) -> Floats | None:
        """(n, n): the number of independent items that tell as much; None where unknown."""
        if self.design_effect is None or not self.scale:
            return None
        return np.asarray(self.scale / np.maximum(self.design_effect, 1.0))


def _interval_columns(intervals: Simultaneous) -> dict[str, Floats]:
    """Return the differences and their limits; net correct decisions per 100 of the reference."""
    difference, low, high = intervals.difference, intervals.low, intervals.high
    if intervals.measure == "net":
        return {"net per 100": 100 * difference, "net low": 100 * low, "net high": 100 * high}
    if intervals.measure == "f1":
        return {"F1 difference": difference, "F1 low": low, "F1 high": high}
    return {"difference": difference, "low": low, "high": high}


def pairwise(
    view: str,
    systems: Sequence[str],
    tests: Mapping[str, PairTest],
    settings: AnalysisSettings,
    *,
    counts: Ints | None = None,
    with_nemenyi: bool = True,
) -> Pairwise:
    """Adjust the p-values of the test that decides, and rank the systems.

    What the tests were made of (counts or values) is added with `dataclasses.replace`.

    Parameters
    ----------
    view, systems, tests
        As in `Pairwise`.
    settings
        What decides, resolved.
    counts
        For ``westfall-young``: the number of items that each system has right in each independent
        unit (n, K).
    with_nemenyi
        Whether, over all pairs, Nemenyi's correction stands beside the chosen one.

    Raises
    ------
    EvaluationError
        If a correction is unknown or not meant for these comparisons.
    """
    assert settings.test is not None
    assert settings.correction is not None
    chosen, alpha = tests[settings.test], settings.alpha
    place = place_of(settings.focus, systems)
    corrections = [settings.correction]
    if with_nemenyi and place is None and settings.correction != "nemenyi":
        corrections.append("nemenyi")
    adjusted: dict[str, Adjusted] = {}
    for name in corrections:
        if name == "westfall-young":
            assert counts is not None
            # only this test's p can be larger than that of the flips
            observed = chosen.p if settings.test == "sign-flip" else None
            adjusted[name] = westfall_young(joint_flips(counts), p=observed, alpha=alpha)
        else:
            adjusted[name] = adjust_pairs(chosen.p, name, alpha=alpha, focus=place)
    rankings = {
        name: rank(systems, chosen.advantage, by_name.values, alpha)
        for name, by_name in adjusted.items()
    }
    return Pairwise(
        view,
        tuple(systems),
        settings.test,
        alpha,
        dict(tests),
        adjusted,
        rankings,
        settings.focus,
    )


@dataclass(frozen=True, eq=False)
class Focused(Tabular):
    """One system compared with each other one.

    Parameters
    ----------
    view
        What was compared.
    system
        The one.
    others
        The n − 1 others.
    test, correction, alpha
        What decided, over n − 1 comparisons.
    advantage
        Positive where the one is ahead.
    p, log10_p, adjusted
        One for each other system.
    verdicts
        By other system what is known of the one, as `verdict_words` says it.
    """

    view: str
    system: str
    others: tuple[str, ...]
    test: str
    correction: str
    alpha: float
    advantage: Floats
    p: Floats
    log10_p: Floats
    adjusted: Floats
    verdicts: dict[str, str]

    def to_frame(self) -> Frame:
        """Tabulate, one row for each other system."""
        return frame(
            {
                "view": self.view,
                "system": self.system,
                "other": list(self.others),
                "advantage": self.advantage,
                f"p {self.test}": self.p,
                f"log10 p {self.test}": self.log10_p,
                f"adjusted {self.correction}": self.adjusted,
                "verdict": list(self.verdicts.values()),
            }
        )


def focus_on(view: Pairwise, system: str | None = None, correction: str = "holm") -> Focused:
    """Compare one system with each other one, corrected for n − 1 comparisons only.

    Parameters
    ----------
    view
        One view; its test and alpha decide.
    system
        Name of the one. It must have been chosen before seeing the results: whoever picks the best
        system afterwards has compared all pairs. None: the view asked about one only, and was
        corrected so.
    correction
        A correction for N×1: bonferroni, holm, holland, finner, hochberg, hommel, rom, li or none.

    Raises
    ------
    EvaluationError
        If there is no such system, or the correction is unknown or not meant for N×1.

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> table = [[0, 60, 25], [20, 0, 15], [22, 52, 0]]
    >>> view = compare_counts(table, ["new", "old", "base"]).views["ifp"]
    >>> focus_on(view, "new").verdicts
    {'old': 'better', 'base': 'undecided'}
    """
    if system is not None:
        settings = AnalysisSettings(view.test, correction, view.alpha, system)
        settings = settings.resolved(view.systems, list(view.tests))
        asked = pairwise(view.view, view.systems, view.tests, settings)
        view = replace(asked, differing=view.differing)
    assert view.focus is not None
    place = view.systems.index(view.focus)
    rival_indices = np.flatnonzero(np.arange(len(view.systems)) != place)
    rivals = tuple(view.systems[k] for k in rival_indices)
    words = view.verdicts
    return Focused(
        view.view,
        view.focus,
        rivals,
        view.test,
        view.correction,
        view.alpha,
        view.chosen.advantage[place, rival_indices],
        view.chosen.p[place, rival_indices],
        view.chosen.log10_p[place, rival_indices],
        view.adjusted_p[place, rival_indices],
        {rival: words[view.focus, rival] for rival in rivals},
    )
