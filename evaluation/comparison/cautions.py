"""What a reader must know before believing a comparison, each in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import numpy as np

from alignrank.common.names import count
from alignrank.evaluation.corrections import CORRECTIONS, adjust
from alignrank.evaluation.credit.counts import Scores
from alignrank.evaluation.ranking import winners
from alignrank.evaluation.significance.mcnemar import ENOUGH, at_least_one

from .pairwise import Pairwise

#: Of more systems it takes too long to ask whether all pairs would decide more.
_FEW_ENOUGH = 30


def cautions(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> tuple[str, ...]:
    """Return the cautions of a comparison.

    Parameters
    ----------
    views
        Results by view.
    scores
        Scores of the systems; empty where only counts are known.
    """
    return (
        *against_f1(views, scores),
        *imprecise(views, scores),
        *few_cases(views),
        *views_disagree(views),
        *not_a_weak_order(views),
        *upper_bounds(views),
        *too_few_swaps(views),
        *clustered_items(views),
        *all_pairs_decide_more(views),
    )


def against_f1(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[str]:
    """Name the cfp arrows that point from the lower to the higher F1.

    b − c under ``cfp`` is the difference of (correct − wrong), that is of overall, so it can.
    """
    if "cfp" not in views or not scores:
        return
    gaps = {(a, b): scores[b].f1 - scores[a].f1 for a, b in views["cfp"].ranking.edges}
    wrong_way = [
        f"{better} -> {worse} (F1 {scores[better].f1:.3f} and {scores[worse].f1:.3f})"
        for better, worse in sorted(gaps, key=gaps.__getitem__, reverse=True)
        if gaps[better, worse] > 0
    ]
    if wrong_way:
        yield (
            f"cfp points against F1 in {count(len(wrong_way), 'arrow')}: {_some(wrong_way, 3)}. "
            "It compares correct minus wrong correspondences, which is Melnik's overall and not "
            "the F-measure: do not take it for F1"
        )


def imprecise(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[str]:
    """Name the systems that an empty alignment would outdo under cfp."""
    if "cfp" not in views:
        return
    low = [f"{name} ({s.precision:.3f})" for name, s in scores.items() if s.wrong > s.correct]
    if low:
        yield (
            f"precision is below one half for {', '.join(low)}: more of it is wrong than correct, "
            "so an empty alignment counts as better: do not rank these by cfp"
        )


def few_cases(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say on which pairs of the deciding view an asymptotic test has too few cases."""
    for name, view in list(views.items())[:1]:
        if view.discordant is None or view.test not in ("asymptotic", "continuity"):
            continue
        cases = view.discordant + view.discordant.T
        few_pairs = sorted(
            (int(cases[i, j]), i, j) for i, j in view.pairs() if cases[i, j] < ENOUGH
        )
        if few_pairs:
            listed = [f"{view.systems[i]}/{view.systems[j]} ({n})" for n, i, j in few_pairs]
            yield (
                f"{name}: the asymptotic p-values stand on fewer than {ENOUGH} discordant cases "
                f"for {_some(listed, 5)}: take the exact or the mid-p test for them"
            )


def views_disagree(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name the pairs whose verdict depends on the view: the contradictions, then the rest."""
    if len(views) < 2:
        return
    # only the first is graded by siblings: compared are all arrows
    verdicts = {
        name: winners(combinations(view.systems, 2), view.arrows()) for name, view in views.items()
    }
    decides = next(iter(views))
    contradictions: list[str] = []
    differences: list[str] = []
    for pair in next(iter(verdicts.values())):
        better = {name: verdict[pair] for name, verdict in verdicts.items()}
        different = set(better.values())
        if len(different) == 1:
            continue
        by_view = ", ".join(f"{name}: {winner or 'undecided'}" for name, winner in better.items())
        kind = contradictions if len(different - {""}) == 2 else differences
        kind.append(f"{pair[0]} and {pair[1]} ({by_view})")
    if contradictions:
        yield (
            "the views contradict each other on who is better if items are independent: "
            f"{_some(contradictions, 3, '; ')}: quote {decides}, and name the others beside it"
        )
    if differences:
        yield (
            "the views differ on what is significant if items are independent: "
            f"{_some(differences, 2, '; ')}: {decides} decides"
        )


def not_a_weak_order(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say where layers, the paper's way to rank, are none, with pairs that show it."""
    for name, view in list(views.items())[:1]:
        if view.ranking.cycles:
            circles = "; ".join(", ".join(c) for c in view.ranking.cycles)
            yield f"{name}: these systems beat each other in a circle: {circles}"
        if view.ranking.unordered and view.focus is None and view.unit == "cases":
            pairs = _some([f"{a}/{b}" for a, b in view.ranking.unordered], 5)
            yield (
                f"{name}: the graph is not a strict weak order: {pairs} stand in different layers "
                "without a significant difference; read the rank intervals and groups instead of "
                "the layers"
            )


def upper_bounds(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name the pairs that are undecided by an adjusted p that is only an upper bound."""
    for name, view in views.items():
        grades = [view.adjusted] + ([view.siblings.adjusted] if view.siblings else [])
        for correction in view.adjusted:
            open_ = np.any([a[correction].unsettled for a in grades], axis=0)
            bounds = [
                f"{view.systems[i]}/{view.systems[j]}" for i, j in view.pairs() if open_[i, j]
            ]
            if bounds:
                yield (
                    f"{name}, {correction}: the search budget ended; "
                    f"{count(len(bounds), 'pair')} may be undecided only because the adjusted p is "
                    f"an upper bound (the error stays controlled): {_some(bounds, 3)}: compare "
                    "fewer systems, or one system with the others (focus)"
                )


def too_few_swaps(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say where random swaps are too few for any pair to become significant."""
    for name, view in views.items():
        if view.test != "randomisation":
            continue
        pairs = view.questions
        smallest_p = float(np.nanmin(view.chosen.p))
        if pairs * smallest_p > view.alpha and view.correction != "none":
            enough = math.ceil(pairs / view.alpha)
            yield (
                f"{name}: the smallest p is {smallest_p:.2g}; over {pairs} pairs "
                "it may not count as "
                f"significant for want of random swaps: take {enough} or more"
            )


def clustered_items(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say how much less clustered items tell than independent ones, where they undo a verdict."""
    name, view = next(iter(views.items()))
    if view.design_effect is None or view.effective is None or not view.ranking.conditional:
        return
    if view.items is None:  # of cfp nobody knows how many there are
        return
    upper = np.triu_indices(len(view.systems), 1)
    ratios = at_least_one(view.design_effect)[upper]
    smallest, largest = f"{np.nanmin(ratios):.1f}", f"{np.nanmax(ratios):.1f}"
    spread = f" (median over the pairs; {smallest} to {largest})" if smallest != largest else ""
    yield (
        f"{name}: {view.alike} multiply the variance of a difference by "
        f"{np.nanmedian(ratios):.1f}{spread}: {view.items} items tell as much as "
        f"{np.median(view.items / ratios):.0f} independent ones: plan with these"
    )


def all_pairs_decide_more(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name whom the one system would be told apart from if all pairs were asked about."""
    view = next(iter(views.values()))
    if view.focus is None or len(view.systems) > _FEW_ENOUGH:
        return
    place, verdicts = view.systems.index(view.focus), view.verdicts
    tests = [view.chosen] + ([view.siblings.tests[view.siblings.test]] if view.siblings else [])
    every = [adjust(test.p, "bergmann-hommel", alpha=view.alpha).values[place] for test in tests]
    rivals = [
        rival
        for rival, largest in zip(view.systems, np.max(every, axis=0).tolist(), strict=True)
        if largest <= view.alpha and verdicts[view.focus, rival] not in ("better", "worse")
    ]
    if rivals:
        yield (
            f"over all pairs {view.focus} is told apart from {_some(rivals, 3)} too "
            "(Bergmann–Hommel without a focus)"
        )


def _some(items: Sequence[str], limit: int, between: str = ", ") -> str:
    """Enumerate at most so many, and say how many more there are."""
    more = f" and {len(items) - limit} more" if len(items) > limit else ""
    return between.join(items[:limit]) + more


#: What each valid test rests on. The other tests' p-values are only close to valid.
CONDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "exact": "the items are independent",
        "sign-flip": "the clusters are independent and, where two systems are equally good, each "
        "cluster favours either alike",
        "randomisation": "two equally good systems' answers could be exchanged for each entity or "
        "cluster (and close to alpha where they could not, from some 50 entities on)",
    }
)


def guarantee(view: Pairwise) -> str:
    """Say what the family-wise error of a view's arrows is, and under which condition."""
    sentence = validity(view.test, view.correction)
    if view.siblings is None:
        sentence += f" It takes {view.unit} as independent."
    elif view.siblings.test != view.test:
        sentence = f"{view.test} and {validity(view.siblings.test, view.correction)}"
    if view.correction == "westfall-young":
        grades = [view.adjusted, *([view.siblings.adjusted] if view.siblings else [])]
        closed = all(grade[view.correction].exact.all() for grade in grades)
        within = "" if closed else " within the budget, else step-down"
        sentence += (
            f" Closed over the exhaustive sets{within}: where only that decides, adjusted p is "
        )
        sentence += "an upper bound, elsewhere that of step-down."
    return sentence


def validity(test: str, correction: str) -> str:
    """Say in a sentence what the family-wise error of a test with a correction is.

    Parameters
    ----------
    test
        A McNemar test, a test for clusters, ``randomisation`` or ``weighted-score``.
    correction
        A name of `alignrank.evaluation.corrections.CORRECTIONS`.

    Examples
    --------
    >>> print(validity("exact", "holm"))  # doctest: +NORMALIZE_WHITESPACE
    exact with holm: the family-wise error is at most alpha, however the pairs depend on each
    other, if the items are independent.
    """
    facts = CORRECTIONS[correction]
    pair = f"{test} with {correction}"
    if not facts.dependence:
        return f"{pair}: every pair is tested by itself, the family-wise error is not controlled."
    if not facts.strong or correction == "westfall-young":
        return f"{pair}: {facts.validity}"
    if test in CONDITIONS and facts.any_dependence:
        return (
            f"{pair}: the family-wise error is at most alpha, however the pairs depend on each "
            f"other, if {CONDITIONS[test]}."
        )
    if test in CONDITIONS:
        return (
            f"{pair}: the family-wise error is at most alpha if {CONDITIONS[test]}, and under "
            f"{facts.dependence}, which pairs that share a system need not have."
        )
    doubts = [f"{test} p-values are not strictly valid{_strict(test)}"]
    if not facts.any_dependence:
        doubts.append(f"pairs that share a system need not have {facts.dependence}")
    return (
        f"{pair}: the family-wise error is close to alpha or below, but not guaranteed: "
        f"{', and '.join(doubts)}."
    )


def _strict(test: str) -> str:
    if test in ("weighted-score", "runs"):
        return ""
    strict = "sign-flip" if test in ("obuchowski", "durkalski") else "exact"
    return f" (those of {strict} are)"
