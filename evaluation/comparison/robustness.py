"""Which verdicts depend on choices (view, test, correction), or on further dependence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import NamedTuple, TypeVar

from alignrank.common.names import count, first_of
from alignrank.common.results import Caution
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.corrections.adjusting import adjust_pairs, corrections_for
from alignrank.evaluation.ranking import Edge, rank
from alignrank.evaluation.significance.clustered import cluster_index, cluster_indices
from alignrank.evaluation.significance.crossed import (
    crossed_test,
    grandparent_clusters,
    head_words,
)
from alignrank.ontologies.ontology import Ontology

from .contingency import VIEWS, Incidence, decisions
from .pairwise import Pairwise
from .result import FEW_SYSTEMS, Comparison, PairwiseResult
from .settings import ItemClusters, place_of

#: A comparison or a study.
Compared = TypeVar("Compared", bound=PairwiseResult)
#: A test of independent items, one of clusters, and a correction: valid, and no other valid one
#: always finds more.
_SOUND_TEST, _SOUND_WITH_CLUSTERS, _SOUND_CORRECTION = "exact", "sign-flip", "bergmann-hommel"


class Choice(NamedTuple):
    """One way to compare: a view, a test, a correction."""

    view: str
    test: str
    correction: str


class Flip(NamedTuple):
    """A pair whose verdict changes with one choice while the others are held.

    ``between`` is ``view``, ``test`` or ``correction``; ``view`` is where it happens ('' between
    views); ``winners`` gives the better system by option, '' where undecided.
    """

    pair: Edge
    between: str
    view: str
    winners: dict[str, str]


@dataclass(frozen=True)
class Sensitivity(Tabular):
    """The better system of every pair, under every choice.

    Parameters
    ----------
    test, correction
        The comparison's own.
    verdicts
        By choice and pair (in the systems' order): the better system, '' where undecided.
    """

    test: str
    correction: str
    verdicts: Mapping[Choice, Mapping[Edge, str]]

    @property
    def edges(self) -> dict[Choice, int]:
        """Number of arrows under each choice: the paper's grid."""
        return {
            choice: sum(map(bool, winners.values())) for choice, winners in self.verdicts.items()
        }

    @property
    def flips(self) -> tuple[Flip, ...]:
        """Pairs whose verdict changes between views, between tests or between corrections."""
        of_own_test = [c for c in self.verdicts if c.test == self.test]
        of_own_correction = [c for c in self.verdicts if c.correction == self.correction]
        flips = self._flips("view", "", [c for c in of_own_test if c in of_own_correction])
        views = list(dict.fromkeys(choice.view for choice in self.verdicts))
        for between, choices in (("test", of_own_correction), ("correction", of_own_test)):
            for view in views:
                flips += self._flips(between, view, [c for c in choices if c.view == view])
        return tuple(flips)

    def _flips(self, between: str, view: str, choices: list[Choice]) -> list[Flip]:
        flips = []
        for pair in next(iter(self.verdicts.values())):
            winners = {getattr(c, between): self.verdicts[c][pair] for c in choices}
            if len(set(winners.values())) > 1:
                flips.append(Flip(pair, between, view, winners))
        return flips

    def to_frame(self) -> Frame:
        """Tabulate the number of arrows, one row for a choice."""
        return frame(
            [{**choice._asdict(), "edges": number} for choice, number in self.edges.items()]
        )


def with_alternatives(
    comparison: Compared, corrections: Sequence[str] | None = None, *, every_test: bool = True
) -> Compared:
    """Return the comparison with the adjusted p-values of every test and correction.

    Parameters
    ----------
    comparison
        What was compared.
    corrections
        Names; None is all that serve these comparisons.
    every_test
        False: under the comparison's own test only.
    """
    focus = comparison.focus
    place = place_of(focus, comparison.deciding.systems)
    if corrections is None:
        corrections = corrections_for("N×N" if focus is None else "N×1")
    if not comparison.deciding.is_tested:  # there is no p-value to adjust
        corrections = []
    views = {}
    for name, view in comparison.views.items():
        tests = list(view.tests) if every_test else [view.test]
        alternatives = {test: dict(view.alternatives.get(test, {})) for test in tests}
        alternatives[view.test] |= view.adjusted
        for test, correction in product(tests, corrections):
            if correction not in alternatives[test]:
                alternatives[test][correction] = adjust_pairs(
                    view.tests[test].p, correction, alpha=view.alpha, focus=place
                )
        views[name] = replace(view, alternatives=alternatives)
    return replace(comparison, views=views)  # type: ignore[type-var]  # each is a dataclass


def with_choices(comparison: Comparison) -> Comparison:
    """Return the comparison with all that a page's reader can choose: with few systems all."""
    few, corrections = comparison.has_few_systems, None
    if not few:
        takes_p = comparison.correction != "westfall-young"
        corrections = [comparison.correction if takes_p else "holm"]
    return with_alternatives(comparison, corrections, every_test=few)


def sensitivity(
    comparison: Comparison, corrections: Sequence[str] | None = None, *, every_test: bool = True
) -> Sensitivity:
    """Decide every pair again under every test and correction, in every view.

    Parameters
    ----------
    comparison, corrections, every_test
        As in `with_alternatives`; what was computed before is not computed again. The comparison's
        own correction is always among them.

    Examples
    --------
    >>> from alignrank.evaluation import compare_counts
    >>> result = sensitivity(compare_counts([[0, 7], [1, 0]], ["a", "b"]))
    >>> [flip.winners for flip in result.flips]
    [{'asymptotic': 'a', 'continuity': '', 'exact': '', 'mid-p': 'a'}]
    """
    if corrections is not None and comparison.correction != "westfall-young":  # it takes no p
        corrections = [*corrections, comparison.correction]
    whole = with_alternatives(comparison, corrections, every_test=every_test)
    return sensitivity_of(whole, corrections)


def sensitivity_of(whole: Comparison, corrections: Sequence[str] | None = None) -> Sensitivity:
    """Decide every pair again by the alternatives that a comparison holds; None: by all."""
    verdicts: dict[Choice, dict[Edge, str]] = {}
    for name, view in whole.views.items():
        for test, by_correction in view.alternatives.items():
            for correction, adjusted in by_correction.items():
                if corrections is None or correction in corrections:
                    choice = Choice(name, test, correction)
                    verdicts[choice] = view.better_by(test, adjusted)
    return Sensitivity(whole.test, whole.correction, verdicts)


def dependence_checks(
    table: Incidence,
    view: Pairwise,
    ontology: Ontology | None,
    clusters: ItemClusters,
) -> Iterator[Caution]:
    """Yield a sentence for each check under which a significant difference does not remain.

    The first check takes entities together that share the last word of their label, beside the
    clusters of both sides; the second one flips whole clusters of entities that share a
    grandparent. Each is made by itself. A difference remains if it is significant by default and
    by the check. Only decisions that ``sign-flip`` compares by clusters are checked.

    Parameters
    ----------
    table
        The answers of the systems.
    view
        The view that decides.
    ontology
        That of the view's entities; None: nothing is checked.
    clusters
        Of the view's entities.
    """
    is_checked = view.test == "sign-flip" and view.view in VIEWS and view.is_clustered
    # westfall-young resamples answers, and takes no p-values
    if ontology is None or not is_checked or view.correction == "westfall-young":
        return
    decided = decisions(table, view.view)
    entities, correct, mentioned = decided.entities, decided.correct, decided.mentioned
    heads, upper = head_words(ontology), grandparent_clusters(clusters.own or {}, ontology)
    source, across = cluster_indices(entities, *clusters)
    words, grandparents = (cluster_index(entities, names) for names in (heads, upper))
    checks = (
        ("head-words", "the last word of their label", (source, [*across, words])),
        ("grandparents", "their grandparents", (grandparents, across)),
    )
    focus = place_of(view.focus, view.systems)
    for kind, shared, indices in checks:
        test = crossed_test(correct, *indices, mentioned).test
        adjusted = adjust_pairs(test.p, view.correction, alpha=view.alpha, focus=focus)
        remaining = set(rank(view.systems, test.advantage, adjusted.values, view.alpha).edges)
        lost: list[Edge] = [edge for edge in view.edges if edge not in remaining]
        if lost:
            listed = first_of((f"{better} > {worse}" for better, worse in lost), 3)
            number = f"{count(len(lost), 'significant difference')} of {len(view.edges)}"
            verb = "is" if len(lost) == 1 else "are"
            text = (
                f"If classes that share {shared} depend on each other, too, {number} {verb} lost: "
                f"{listed}."
            )
            yield Caution(kind, text)


def depends_on_choices(view: Pairwise) -> Iterator[Caution]:
    """Name the pairs whose verdict a valid test, or a valid correction, would change."""
    if not view.is_tested or len(view.systems) > FEW_SYSTEMS:
        return
    focus, sound = place_of(view.focus, view.systems), _SOUND_TEST
    if view.is_clustered:
        sound = _SOUND_WITH_CLUSTERS
    choices = {}
    # westfall-young resamples answers, and takes no p-values
    if sound in view.tests and view.correction != "westfall-young":
        choices["test"] = sound, view.correction
    if view.focus is None:  # the correction is one of all pairs
        choices["correction"] = view.test, _SOUND_CORRECTION
    for choice, (test, correction) in choices.items():
        if (test, correction) == (view.test, view.correction):
            continue
        tested = view.tests[test]
        adjusted = adjust_pairs(tested.p, correction, alpha=view.alpha, focus=focus)
        edges = rank(view.systems, tested.advantage, adjusted.values, view.alpha).edges
        changed = {frozenset(edge) for edge in set(edges).symmetric_difference(view.edges)}
        if changed:
            pairs = [f"{a}/{b}" for a, b in combinations(view.systems, 2) if {a, b} in changed]
            text = f"the verdict depends on the {choice} for {first_of(pairs, 5)}"
            yield Caution(f"{choice}-sensitive", text, view.view)
