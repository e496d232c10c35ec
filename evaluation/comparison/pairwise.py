"""All pairs of systems in one view: tests, adjusted p-values, and the rankings that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evaluation.corrections import Adjusted, adjust
from evaluation.errors import EvaluationError
from evaluation.ranking import Edge, Ranking, rank, winners
from evaluation.significance.mcnemar import Floats, Ints, PairTest, pair_columns
from ontologies.common.files import plain
from ontologies.common.names import refuse_unknown
from ontologies.common.table import Frame, Tabular, frame


@dataclass(frozen=True, eq=False)
class Pairwise(Tabular):
    """Every pair of systems compared in one view.

    Parameters
    ----------
    view
        What was compared: a view of `evaluation.VIEWS`, or a measure.
    systems
        n names.
    test
        The test whose p-values were adjusted.
    alpha
        Family-wise level.
    tests
        Every test made, by name.
    adjusted
        Adjusted p-values of `test`, by correction, the chosen one first.
    rankings
        Edges, layers and groups, by correction.
    discordant
        (n, n): what the row has right and the column wrong. None where a measure was compared.
    items
        Number of decisions, the denominator of a difference of proportions: |R| in ``ifp``, the
        entities that anyone mentions in ``entity``; None where it is unknown or, as in ``cfp``,
        arbitrarily large.
    scale
        What one decision is divided by to be shown as a rate: |R| in ``ifp`` and ``cfp``, `items`
        in ``entity``; None where unknown.
    values
        The measure by system; None where decisions were compared.
    design_effect
        (n, n): how much larger the variance of b − c is because items are clustered; None where
        they were taken as independent.
    """

    view: str
    systems: tuple[str, ...]
    test: str
    alpha: float
    tests: Mapping[str, PairTest]
    adjusted: Mapping[str, Adjusted]
    rankings: Mapping[str, Ranking]
    discordant: Ints | None = None
    items: int | None = None
    scale: int | None = None
    values: Mapping[str, float] | None = None
    design_effect: Floats | None = None

    @property
    def chosen(self) -> PairTest:
        """The test whose p-values were adjusted."""
        return self.tests[self.test]

    @property
    def correction(self) -> str:
        """The chosen correction."""
        return next(iter(self.adjusted))

    @property
    def ranking(self) -> Ranking:
        """The ranking under the chosen correction."""
        return self.rankings[self.correction]

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return the index pairs i < j."""
        return combinations(range(len(self.systems)), 2)

    def better(self) -> dict[Edge, str]:
        """Return for every pair (in the systems' order) the better one, '' where undecided."""
        return winners(combinations(self.systems, 2), self.ranking.edges)

    def to_frame(self) -> Frame:
        """Tabulate, one row for a pair: counts, p of every test, adjusted p, the better system."""
        matrices: dict[str, NDArray[np.generic]] = {}
        if self.discordant is not None:
            matrices |= {"only1": self.discordant, "only2": self.discordant.T}
        else:
            matrices["difference"] = self.chosen.advantage
        for name, test in self.tests.items():
            matrices |= {f"p {name}": test.p, f"log10 p {name}": test.log10_p}
        for name, adjusted in self.adjusted.items():
            matrices[f"adjusted {name}"] = adjusted.values
        columns = pair_columns(self.systems, matrices)
        return frame({"view": self.view, **columns, "better": list(self.better().values())})

    def to_dict(self) -> dict[str, object]:
        """Return plain values: matrices as lists, NaN on their diagonals as None."""
        content: dict[str, object] = {
            "p": {name: plain(test.p.tolist()) for name, test in self.tests.items()},
            "log10_p": {name: plain(test.log10_p.tolist()) for name, test in self.tests.items()},
            "adjusted": {name: plain(a.values.tolist()) for name, a in self.adjusted.items()},
            "edges": {name: [list(e) for e in r.edges] for name, r in self.rankings.items()},
            "layers": {name: [list(x) for x in r.layers] for name, r in self.rankings.items()},
            "rank_intervals": {
                name: {s: list(x) for s, x in r.rank_intervals.items()}
                for name, r in self.rankings.items()
            },
            "groups": {name: [list(x) for x in r.groups] for name, r in self.rankings.items()},
            "weak_order": {name: r.weak_order for name, r in self.rankings.items()},
        }
        if self.discordant is not None:
            content["discordant"] = self.discordant.tolist()
        if self.values is not None:
            content["values"] = dict(self.values)
        return content


def pairwise(
    view: str,
    systems: Sequence[str],
    tests: Mapping[str, PairTest],
    *,
    test: str,
    correction: str,
    alpha: float,
) -> Pairwise:
    """Adjust the p-values of one test and rank the systems.

    What the tests were made of (counts or values) is added with `dataclasses.replace`.

    Parameters
    ----------
    view, systems, tests, alpha
        As in `Pairwise`.
    test
        The test to decide by.
    correction
        The correction to decide by; Nemenyi's stands beside it.

    Raises
    ------
    EvaluationError
        If a correction is unknown or not meant for N×N, or alpha is not between 0 and 1.
    """
    chosen = tests[test]
    corrections = dict.fromkeys((correction, "nemenyi"))
    adjusted = {name: adjust(chosen.p, name, alpha=alpha) for name in corrections}
    rankings = {
        name: rank(systems, chosen.advantage, a.values, alpha) for name, a in adjusted.items()
    }
    return Pairwise(view, tuple(systems), test, alpha, dict(tests), adjusted, rankings)


@dataclass(frozen=True, eq=False)
class Against(Tabular):
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
        By other system: ``better`` (the one is), ``worse`` or ``undecided``.
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


def against(view: Pairwise, system: str, correction: str = "holm") -> Against:
    """Compare one system with each other one, corrected for n − 1 comparisons only.

    Parameters
    ----------
    view
        All pairs in one view; its test and alpha decide.
    system
        Name of the one. It must have been chosen before seeing the results: whoever picks the best
        system afterwards has compared all pairs.
    correction
        A correction for N×1: bonferroni, holm, holland, finner, hochberg, hommel, rom, li or none.

    Raises
    ------
    EvaluationError
        If there is no such system, or the correction is unknown or not meant for N×1.

    Examples
    --------
    >>> from evaluation import compare_counts
    >>> table = [[0, 60, 25], [20, 0, 15], [22, 52, 0]]
    >>> view = compare_counts(table, ["new", "old", "base"]).views["ifp"]
    >>> against(view, "new").verdicts
    {'old': 'better', 'base': 'undecided'}
    """
    refuse_unknown("system", system, view.systems, EvaluationError)
    place = view.systems.index(system)
    rest = np.flatnonzero(np.arange(len(view.systems)) != place)
    others = tuple(view.systems[k] for k in rest)
    chosen = view.chosen
    p, advantage = chosen.p[place, rest], chosen.advantage[place, rest]
    adjusted = adjust(p, correction, alpha=view.alpha).values
    verdicts = {
        other: "undecided"
        if adjusted_p > view.alpha or ahead == 0
        else "better"
        if ahead > 0
        else "worse"
        for other, adjusted_p, ahead in zip(others, adjusted, advantage, strict=True)
    }
    return Against(
        view.view,
        system,
        others,
        view.test,
        correction,
        view.alpha,
        advantage,
        p,
        chosen.log10_p[place, rest],
        adjusted,
        verdicts,
    )
