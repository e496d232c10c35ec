"""All pairs of systems in one view: tests, adjusted p-values, and the rankings that follow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from alignrank.common.errors import EvaluationError
from alignrank.common.files import plain
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.corrections import Adjusted, adjust
from alignrank.evaluation.corrections.westfall_young import westfall_young
from alignrank.evaluation.ranking import Edge, Ranking, rank, verdict_words, winners
from alignrank.evaluation.significance.mcnemar import Floats, Ints, PairTest, pair_columns
from alignrank.evaluation.significance.simultaneous import Simultaneous, joint_flips


@dataclass(frozen=True, eq=False)
class Siblings:
    """The second grade: the same pairs with siblings resampled together.

    Parameters
    ----------
    test
        The test for clusters that decides.
    tests
        Every such test, by name.
    adjusted
        Adjusted p-values of `test`, by correction, as in `Pairwise`.
    """

    test: str
    tests: Mapping[str, PairTest]
    adjusted: Mapping[str, Adjusted]

    def stands(self, correction: str) -> NDArray[np.bool_]:
        """Return (n, n): whether an arrow from the row to the column stands in this grade."""
        adjusted = self.adjusted[correction]
        return (self.tests[self.test].advantage > 0) & (adjusted.values <= adjusted.alpha)


@dataclass(frozen=True, eq=False)
class Pairwise(Tabular):
    """Every pair of systems compared in one view.

    Parameters
    ----------
    view
        What was compared: a view of `alignrank.evaluation.VIEWS`, or a measure.
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
    siblings
        The second grade, of the view that decides; None where the source entities were taken as
        independent.
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
        each item was taken for itself.
    unit
        What is independent unless siblings are known: ``source entities``, or ``cases``.
    several
        Whether a source entity holds several of the items, which are one case then.
    differing
        (n, n): on how many independent units (clusters, source entities, or items taken for
        themselves) the two differ; None where unknown.
    simultaneous
        Of the view that decides: the differences, with intervals that hold together. None in
        others, of fewer than `ENOUGH_ITEMS` items, and where none are known.
    """

    view: str
    systems: tuple[str, ...]
    test: str
    alpha: float
    tests: Mapping[str, PairTest]
    adjusted: Mapping[str, Adjusted]
    rankings: Mapping[str, Ranking]
    focus: str | None = None
    siblings: Siblings | None = None
    discordant: Ints | None = None
    items: int | None = None
    scale: int | None = None
    values: Mapping[str, float] | None = None
    design_effect: Floats | None = None
    unit: str = "source entities"
    several: bool = False
    differing: Ints | None = None
    simultaneous: Simultaneous | None = None

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

    @property
    def questions(self) -> int:
        """Number of pairs that were compared."""
        n = len(self.systems)
        return n * (n - 1) // 2 if self.focus is None else n - 1

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return the index pairs i < j that were compared."""
        focus = None if self.focus is None else self.systems.index(self.focus)
        pairs = combinations(range(len(self.systems)), 2)
        return (pair for pair in pairs if focus is None or focus in pair)

    @property
    def enough(self) -> int:
        """The least number of differing units that can decide a pair, 1 + log₂(questions / α)."""
        return math.ceil(1 + math.log2(self.questions / self.alpha))

    @property
    def undecidable(self) -> tuple[Edge, ...]:
        """Pairs of which nothing stands and that differ on fewer units than `enough`."""
        if self.differing is None:
            return ()
        significant = set(map(frozenset, self.ranking.edges))
        enough = self.enough
        few_pairs = [(i, j) for i, j in self.pairs() if 0 < self.differing[i, j] < enough]
        pairs = [(self.systems[i], self.systems[j]) for i, j in few_pairs]
        return tuple(pair for pair in pairs if frozenset(pair) not in significant)

    def arrows(self) -> tuple[Edge, ...]:
        """Return all arrows, whether or not siblings undo them."""
        return (*self.ranking.edges, *self.ranking.conditional)

    @property
    def alike(self) -> str:
        """What the second grade resamples together."""
        return "clustered items" if self.unit == "items" else "siblings"

    @property
    def verdicts(self) -> dict[Edge, str]:
        """For every ordered pair what is known of the first, as `verdict_words` says it."""
        chosen = self.ranking
        return verdict_words(
            self.systems, chosen.edges, chosen.conditional, self.undecidable, self.alike
        )

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
        if self.siblings is not None:
            for name, test in self.siblings.tests.items():
                matrices[f"p {name}"] = test.p
            for name, adjusted in self.siblings.adjusted.items():
                matrices[f"adjusted {name}, siblings"] = adjusted.values
        if self.differing is not None:
            matrices["differing"] = self.differing
        if (simultaneous := self.simultaneous) is not None:
            matrices |= {
                "difference": simultaneous.difference,
                "low": simultaneous.low,
                "high": simultaneous.high,
            }
        if self.design_effect is not None:
            matrices["design effect"] = self.design_effect
        columns = pair_columns(self.systems, matrices)
        return frame({"view": self.view, **columns, "better": list(self.better().values())})

    @property
    def effective(self) -> Floats | None:
        """(n, n): the number of independent items that tell as much; None where unknown."""
        if self.design_effect is None or not self.scale:
            return None
        return np.asarray((self.items or self.scale) / np.maximum(self.design_effect, 1.0))

    def to_dict(self) -> dict[str, object]:
        """Return plain values: matrices as lists, NaN on their diagonals as None."""
        content: dict[str, object] = {
            "p": {name: plain(test.p.tolist()) for name, test in self.tests.items()},
            "log10_p": {name: plain(test.log10_p.tolist()) for name, test in self.tests.items()},
            "adjusted": {name: plain(a.values.tolist()) for name, a in self.adjusted.items()},
            "edges": {name: [list(e) for e in r.edges] for name, r in self.rankings.items()},
            "layers": {name: [list(x) for x in r.layers] for name, r in self.rankings.items()},
            "rank_sets": {
                name: {s: list(x) for s, x in r.rank_sets.items()}
                for name, r in self.rankings.items()
            },
            "groups": {name: [list(x) for x in r.groups] for name, r in self.rankings.items()},
            "weak_order": {name: r.weak_order for name, r in self.rankings.items()},
            "conditional": {
                name: [list(e) for e in r.conditional] for name, r in self.rankings.items()
            },
            "undecidable": [list(pair) for pair in self.undecidable],
            "items": self.items,
        }
        for name in ("design_effect", "effective", "differing"):
            matrix = getattr(self, name)
            if matrix is not None:
                content[name] = plain(matrix.tolist())
        if (second := self.siblings) is not None:
            content["siblings"] = {
                "test": second.test,
                "p": {name: plain(test.p.tolist()) for name, test in second.tests.items()},
                "adjusted": {name: plain(a.values.tolist()) for name, a in second.adjusted.items()},
            }
        if self.simultaneous is not None:
            content["simultaneous"] = self.simultaneous.to_dict()
        if self.focus is not None:
            content["focus"] = focus_on(self).to_dict()
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
    focus: str | None = None,
    siblings: Mapping[str, PairTest] | None = None,
    sibling_test: str = "sign-flip",
    answers: Sequence[Ints] = (),
) -> Pairwise:
    """Adjust the p-values of one test, and of one for siblings, and rank the systems.

    What the tests were made of (counts or values) is added with `dataclasses.replace`.

    Parameters
    ----------
    view, systems, tests, alpha, focus
        As in `Pairwise`.
    test, sibling_test
        The tests to decide by.
    correction
        The correction to decide by; over all pairs Nemenyi's stands beside it.
    siblings
        The tests for clusters; None where there are no clusters.
    answers
        For ``westfall-young``: what each system has right in each unit (n, K), and in each cluster.

    Raises
    ------
    EvaluationError
        If a correction is unknown or not meant for these comparisons, alpha is not between 0 and 1,
        or there is no system `focus`.
    """
    place = None
    if focus is not None:
        refuse_unknown("system", focus, systems, EvaluationError)
        place = list(systems).index(focus)
    chosen = tests[test]
    corrections = (correction,) if focus else tuple(dict.fromkeys((correction, "nemenyi")))

    def adjusted_by_name(p: Floats, grade: int) -> dict[str, Adjusted]:
        return {
            name: westfall_young(joint_flips(answers[grade]), alpha=alpha)
            if name == "westfall-young"
            else adjust_asked(p, name, alpha, place)
            for name in corrections
        }

    adjusted = adjusted_by_name(chosen.p, 0)
    second = None
    if siblings is not None:
        by_name = adjusted_by_name(siblings[sibling_test].p, 1)
        second = Siblings(sibling_test, dict(siblings), by_name)
    rankings = {
        name: rank(
            systems,
            chosen.advantage,
            a.values,
            alpha,
            stands=True if second is None else second.stands(name),
        )
        for name, a in adjusted.items()
    }
    return Pairwise(
        view, tuple(systems), test, alpha, dict(tests), adjusted, rankings, focus, second
    )


def adjust_asked(p: Floats, correction: str, alpha: float, place: int | None) -> Adjusted:
    """Adjust p-values (n, n) of all pairs, or of those with the system at `place` only.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.01, 0.02], [0.01, np.nan, 0.9], [0.02, 0.9, np.nan]])
    >>> adjust_asked(p, "holm", 0.05, 0).values[0].tolist()
    [nan, 0.02, 0.02]
    """
    if place is None:
        return adjust(p, correction, alpha=alpha)
    rivals = np.flatnonzero(np.arange(len(p)) != place)
    of_one = adjust(p[place, rivals], correction, alpha=alpha)
    values, exact = np.full(p.shape, np.nan), np.ones(p.shape, dtype=np.bool_)
    values[place, rivals] = values[rivals, place] = of_one.values
    exact[place, rivals] = exact[rivals, place] = of_one.exact
    return replace(of_one, values=values, exact=exact)


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
    p, log10_p
        One for each other system.
    adjusted
        The larger one of both grades, where siblings are resampled together too.
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

    def to_dict(self) -> dict[str, object]:
        """Return by other system: advantage, p, log10 p, adjusted p and verdict."""
        rows = zip(self.others, self.advantage, self.p, self.log10_p, self.adjusted, strict=True)
        return {
            rival: {
                "advantage": float(ahead),
                "p": float(p),
                "log10_p": float(log10_p),
                "adjusted_p": float(adjusted),
                "verdict": self.verdicts[rival],
            }
            for rival, ahead, p, log10_p, adjusted in rows
        }


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
        second = view.siblings
        decided = pairwise(
            view.view,
            view.systems,
            view.tests,
            test=view.test,
            correction=correction,
            alpha=view.alpha,
            focus=system,
            siblings=second.tests if second else None,
            sibling_test=second.test if second else "sign-flip",
        )
        view = replace(decided, differing=view.differing)
    assert view.focus is not None
    place = view.systems.index(view.focus)
    rival_indices = np.flatnonzero(np.arange(len(view.systems)) != place)
    rivals = tuple(view.systems[k] for k in rival_indices)
    words, adjusted = view.verdicts, view.adjusted[view.correction].values
    if view.siblings is not None:  # the verdict is that of both
        adjusted = np.fmax(adjusted, view.siblings.adjusted[view.correction].values)
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
        adjusted[place, rival_indices],
        {rival: words[view.focus, rival] for rival in rivals},
    )
