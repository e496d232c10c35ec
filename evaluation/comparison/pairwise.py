"""All pairs of systems in one view: tests, adjusted p-values, and the rankings that follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError, RecordError
from alignrank.common.files import plain
from alignrank.common.names import MutableTexts, refuse_unknown
from alignrank.common.records import check_listed, check_pairs, check_same, check_shapes
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.corrections.adjusting import Adjusted, adjust_pairs, cannot_reach
from alignrank.evaluation.corrections.westfall_young import joint_flips, westfall_young
from alignrank.evaluation.ranking import (
    Edge,
    Ranking,
    letter_display,
    rank,
    winners,
)
from alignrank.evaluation.significance.crossed import best_set
from alignrank.evaluation.significance.mcnemar import (
    Floats,
    Ints,
    PairTest,
    off_diagonal,
    pair_columns,
)
from alignrank.evaluation.significance.score_limits import (
    Discordance,
    Simultaneous,
    count_pairs,
    net_decisions,
)

from .contingency import Counts
from .settings import AnalysisSettings, place_of


@dataclass(frozen=True, eq=False)
class Units(Tabular):
    """The independent units of a test, and their effect on the variance of a difference.

    Parameters
    ----------
    name
        ``source entities``, ``items``, ``tasks``, ``cases`` or ``clusters``.
    items
        Number of decisions, the denominator of a difference of proportions: |R| in ``ifp``, the
        entities that anyone mentions in ``entity``; None where it is unknown or, as in ``cfp``,
        arbitrarily large.
    scale
        What one decision is divided by to be shown as a rate: |R| in ``ifp`` and ``cfp``, the
        entities of the reference in ``entity``; None where unknown.
    several
        Whether a source entity holds several of the items, which are one case then.
    is_crossed
        Whether the test takes dependence across clusters of the other ontology into account.
    target_groups
        The effective number of these clusters, 1/Σ w², the least of all pairs; infinite without.
    source_groups
        That of the items' own clusters, of the pairs for which they are too few to flip their
        signs; infinite where there is no such pair.
    differing
        (n, n): on how many independent units (clusters, source entities, or items taken for
        themselves) the two differ; None where unknown.
    p_independent
        (n, n): p-values with source entities (items) as independent; None where the test that
        decides takes them so, too.
    variance, degrees
        (n, n): variance of b − c for the intervals, and its degrees of freedom
        (`alignrank.evaluation.significance.crossed.Dependence`); None where each item was taken
        for itself.
    design_effect
        (n, n): the factor by which clusters enlarge the variance in the simultaneous intervals;
        None where each item was taken for itself.
    """

    name: str = "source entities"
    items: int | None = None
    scale: int | None = None
    several: bool = False
    is_crossed: bool = False
    target_groups: float = math.inf
    source_groups: float = math.inf
    differing: Ints | None = None
    p_independent: Floats | None = None
    variance: Floats | None = None
    degrees: Floats | None = None
    design_effect: Floats | None = None


@dataclass(frozen=True, eq=False)
class PairIntervals(Tabular):
    """Differences with intervals that hold together, and that agree with the verdicts.

    Parameters
    ----------
    tested
        Of what the test compares: net correct decisions, or a measure; None where none are known.
    f1
        Of F1 beside right decisions: of the view that decides, where alignments are known. The test
        is not about it: a significantly better system's interval can hold 0.
    """

    tested: Simultaneous | None = None
    f1: Simultaneous | None = None

    def agreeing(self, edges: Sequence[Edge]) -> PairIntervals:
        """Return the intervals that `Simultaneous.agreeing` makes for significant differences."""
        tested, f1 = self.tested, self.f1
        if tested is not None:
            tested = tested.agreeing(edges, is_tested=True)
        if f1 is not None:
            f1 = f1.agreeing(edges, is_tested=False)
        return PairIntervals(tested, f1)

    def known(self) -> Iterable[Simultaneous]:
        """Return the known intervals."""
        return (each for each in (self.tested, self.f1) if each is not None)


def net_of(view: str, counts: Counts | None, units: Units) -> Discordance | None:
    """Return the net correct decisions, (b − c) / scale; None where counts or scale are unknown."""
    if counts is None or not units.scale:
        return None
    # entities beyond the reference are as many as systems name: their number is no bound
    items = float(units.scale) if view in ("ifp", "item") else math.inf
    largest: Floats | float = math.inf
    if counts.mentioned is not None:
        largest = counts.mentioned / units.scale
    return net_decisions(
        counts.discordant, units.scale, units.variance, units.degrees, items, largest
    )


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
    values
        The tested quantity by system, such as the share of source entities answered right; None
        where only counts are known.
    quantity
        What `values` are called in a table.
    less_is_better
        Whether the better system has the smaller one of `values`.
    counts
        Right and wrong decisions; None where a measure was compared.
    units
        What the test takes as independent.
    intervals
        The differences, with intervals that hold together.
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
    values: Mapping[str, float] | None = None
    quantity: str = ""
    less_is_better: bool = False
    counts: Counts | None = None
    units: Units = Units()
    intervals: PairIntervals = PairIntervals()
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
        for intervals in self.intervals.known():
            check_same(f"systems of {intervals.measure}", intervals.systems, self.systems)
        n = len(self.systems)
        check_shapes((n, n), dict(self._matrices()))

    def _matrices(self) -> Iterable[tuple[str, NDArray[np.generic] | None]]:
        """Return every matrix of pairs, by name."""
        for name, test in self.tests.items():
            for name_of_part, matrix in vars(test).items():
                yield f"{name_of_part} of {name}", matrix
        for test_name, by_correction in (("", self.adjusted), *self.alternatives.items()):
            for name, adjusted in by_correction.items():
                yield f"adjusted p of {test_name} {name}", adjusted.values
                yield f"exactness of {test_name} {name}", adjusted.exact
        for group in (self.counts, self.units, *self.intervals.known()):
            of_measure = f" of {group.measure}" if isinstance(group, Simultaneous) else ""
            for name_of_part, value in vars(group).items() if group is not None else ():
                if isinstance(value, np.ndarray):
                    yield name_of_part + of_measure, value

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
        """Whether the test takes clusters of items as independent."""
        return self.units.name == "clusters"

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
        unequal = [k for k, name in enumerate(order) if quantity[name] != quantity[order[0]]]
        equals = order[: min(unequal, default=len(order))]
        if any(better in equals and worse in equals for better, worse in self.edges):
            return equals[:1]
        return equals

    def answers_alike(self, systems: Iterable[str]) -> bool:
        """Return whether systems are known to be right on the same items."""
        if self.counts is None:
            return False
        places = [self.systems.index(name) for name in systems]
        return not self.counts.discordant[np.ix_(places, places)].any()

    def _quantity(self) -> dict[str, float]:
        """Return the values that order the systems, larger for a better one."""
        if self.values is None:
            # the advantage over one system orders all, unless a test weights clusters otherwise
            return dict(zip(self.systems, self.chosen.advantage[:, 0].tolist(), strict=True))
        sign = -1 if self.less_is_better else 1
        return {name: sign * value for name, value in self.values.items()}

    @property
    def ranks(self) -> MutableTexts:
        """Each system's rank as text: ``2``, or ``2–4``."""
        return {name: self.ranking.rank_range(name) for name in self.systems}

    @property
    def is_tested(self) -> bool:
        """Whether any p-value is known."""
        return not np.isnan(self.adjusted_p).all()

    @property
    def letters(self) -> MutableTexts:
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
        """The net correct decisions; `intervals` holds their simultaneous intervals."""
        return net_of(self.view, self.counts, self.units)

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
        """The verdict on the first system of every ordered pair.

        ``better``, ``worse``, ``cannot reach significance`` or else ``undecided``; empty where
        nothing was tested.
        """
        pairs = permutations(self.systems, 2)
        if not self.is_tested:
            return dict.fromkeys(pairs, "")
        words = dict.fromkeys(pairs, "undecided")
        for pair in self.unreachable:
            words[pair] = words[pair[::-1]] = "cannot reach significance"
        for better, worse in self.edges:
            words[better, worse] = "better"
            words[worse, better] = "worse"
        return words

    def better(self) -> dict[Edge, str]:
        """Return for every pair (in the systems' order) the better one, '' where undecided."""
        return winners(combinations(self.systems, 2), self.edges)

    def better_by(self, test: str, adjusted: Adjusted) -> dict[Edge, str]:
        """Return for every pair the better one, as `better` does, by a test's adjusted p-values."""
        edges = rank(self.systems, self.tests[test].advantage, adjusted.values, self.alpha).edges
        return winners(combinations(self.systems, 2), edges)

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
        refuse_unknown(
            "test", test, dict.fromkeys((self.test, *self.alternatives)), EvaluationError
        )
        refuse_unknown("correction", correction, computed, EvaluationError)
        if (test, correction) == (self.test, self.correction):
            return self
        adjusted = {correction: computed[correction]}
        ranking = rank(
            self.systems, self.tests[test].advantage, computed[correction].values, self.alpha
        )
        return replace(
            self,
            test=test,
            adjusted=adjusted,
            rankings={correction: ranking},
            intervals=self.intervals.agreeing(ranking.edges),
        )

    def in_order(self, matrix: NDArray[np.generic]) -> list[list[float | None]]:
        """Return the rows of a matrix (n, n) by `order`, None for NaN."""
        index = [self.systems.index(name) for name in self.order]
        rows: list[list[float | None]] = plain(matrix[np.ix_(index, index)].tolist())
        return rows

    def pair_matrices(self) -> dict[str, NDArray[np.generic]]:
        """Return everything that the verdict on a pair rests on, matrices (n, n) by name."""
        matrices: dict[str, NDArray[np.generic] | None] = {
            "adjusted p": self.adjusted_p,
            "p": self.chosen.p,
            "p_independent": self.units.p_independent,
        }
        if self.counts is not None:
            matrices |= {
                "only it right": self.counts.discordant,
                "only the other": self.counts.discordant.T,
                "both wrong": self.counts.both_wrong,
                "both right": self.both_right,
            }
        for intervals in self.intervals.known():
            matrices |= _interval_columns(intervals)
        matrices |= {
            "design effect": self.units.design_effect,
            "effective items": self.effective,
            "differing": self.units.differing,
        }
        return {name: matrix for name, matrix in matrices.items() if matrix is not None}

    def to_frame(self) -> Frame:
        """Return a row for each pair: the basis of its verdict, and every test's p-value."""
        matrices = self.pair_matrices()
        for name, test in self.tests.items():
            matrices |= {f"p {name}": test.p, f"log10 p {name}": test.log10_p}
        columns = pair_columns(self.systems, matrices)
        return frame({"view": self.view, **columns, "better": list(self.better().values())})

    @property
    def both_right(self) -> Ints | None:
        """(n, n): the decisions that both have right, n11 of their table; None where unknown."""
        counts = self.counts
        if counts is None or counts.both_wrong is None or counts.decisions is None:
            return None
        either = counts.both_wrong + counts.discordant + counts.discordant.T
        return counts.decisions - either

    @property
    def effective(self) -> Floats | None:
        """(n, n): the number of independent items that tell as much; None where unknown."""
        if self.units.design_effect is None or not self.units.scale:
            return None
        return np.asarray(self.units.scale / np.maximum(self.units.design_effect, 1.0))


def _interval_columns(intervals: Simultaneous) -> dict[str, NDArray[np.generic]]:
    """Return the differences and their limits; net correct decisions per 100 of the reference.

    Where ``0 excluded`` is true, the limit that is 0 reads "more than 0" (or "less than 0").
    """
    titles = {
        "net": ("net per 100", "net low", "net high"),
        "f1": ("F1 difference", "F1 low", "F1 high"),
    }.get(intervals.measure, ("difference", "low", "high"))
    matrices = intervals.difference, intervals.low, intervals.high
    factor = 100 if intervals.measure == "net" else 1
    columns: dict[str, NDArray[np.generic]] = {
        title: factor * matrix for title, matrix in zip(titles, matrices, strict=True)
    }
    if intervals.measure != "f1":
        columns["0 excluded"] = intervals.is_cut
    return columns


def pairwise(
    view: str,
    systems: Sequence[str],
    tests: Mapping[str, PairTest],
    settings: AnalysisSettings,
    *,
    values: Mapping[str, float] | None = None,
    quantity: str = "",
    counts: Counts | None = None,
    units: Units = Units(),
    intervals: PairIntervals = PairIntervals(),
    least_p_of: Callable[[int, int], float] | None = None,
    by_unit: Ints | None = None,
    with_nemenyi: bool = True,
) -> Pairwise:
    """Adjust the p-values of the test that decides, and rank the systems.

    Parameters
    ----------
    view, systems, tests, values, quantity, counts, units
        As in `Pairwise`.
    settings
        What decides, resolved.
    intervals
        As they are without the verdicts; in the result they agree with these. With counts the net
        correct decisions are added.
    least_p_of
        The smallest p that a pair could have, NaN where the two differ on nothing; None: unknown.
    by_unit
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
    if (net := net_of(view, counts, units)) is not None:
        pairs = count_pairs(len(systems), settings.focus)
        intervals = replace(intervals, tested=net.intervals("net", systems, 1 - alpha, pairs))
        if units.variance is not None:
            effect = net.design_effect(alpha / (2 * pairs))
            units = replace(units, design_effect=off_diagonal(effect))
    corrections = [settings.correction]
    if with_nemenyi and place is None and settings.correction != "nemenyi":
        corrections.append("nemenyi")
    adjusted: dict[str, Adjusted] = {}
    for name in corrections:
        if name == "westfall-young":
            assert by_unit is not None
            # only this test's p can be larger than that of the flips
            observed = chosen.p if settings.test == "sign-flip" else None
            flips = joint_flips(by_unit, flips=settings.n_resamples, seed=settings.seed)
            adjusted[name] = westfall_young(flips, p=observed, alpha=alpha)
        else:
            adjusted[name] = adjust_pairs(chosen.p, name, alpha=alpha, focus=place)
    rankings = {
        name: rank(systems, chosen.advantage, by_name.values, alpha)
        for name, by_name in adjusted.items()
    }
    edges = rankings[settings.correction].edges
    intervals = intervals.agreeing(edges)
    unreachable: tuple[Edge, ...] = ()
    if least_p_of is not None:
        unreachable = _unreachable(systems, chosen.p, edges, settings, least_p_of)
    return Pairwise(
        view,
        tuple(systems),
        settings.test,
        alpha,
        dict(tests),
        adjusted,
        rankings,
        settings.focus,
        values=values,
        quantity=quantity,
        counts=counts,
        units=units,
        intervals=intervals,
        unreachable=unreachable,
    )


def _unreachable(
    systems: Sequence[str],
    p: Floats,
    edges: Sequence[Edge],
    settings: AnalysisSettings,
    least_p_of: Callable[[int, int], float],
) -> tuple[Edge, ...]:
    """Return the pairs that cannot reach significance; `least_p_of` is that of `pairwise`."""
    assert settings.correction is not None
    place = place_of(settings.focus, systems)
    significant = set(map(frozenset, edges))
    least_p = np.full(p.shape, np.nan)
    for i, j in combinations(range(len(systems)), 2):
        is_asked = place is None or place in (i, j)
        if is_asked and frozenset((systems[i], systems[j])) not in significant:
            least_p[i, j] = least_p[j, i] = least_p_of(i, j)
    compared: tuple[int | slice | Ints, ...] = np.s_[:, :]
    if place is not None:
        compared = place, np.delete(np.arange(len(p)), place)
    hopeless = np.zeros(p.shape, dtype=bool)
    hopeless[compared] = cannot_reach(
        p[compared], least_p[compared], settings.correction, alpha=settings.alpha
    )
    hopeless |= hopeless.T
    return tuple((systems[i], systems[j]) for i, j in np.argwhere(np.triu(hopeless)).tolist())
