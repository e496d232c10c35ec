"""What a reader must know before believing a comparison, each in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from .mcnemar import ENOUGH, TESTS
from .pairwise import Pairwise
from .scores import Scores


def cautions(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> tuple[str, ...]:
    """Return the warnings of a comparison.

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
    )


def against_f1(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[str]:
    """Name the cfp arrows that point from the lower to the higher F1.

    b − c under ``cfp`` is the difference of (correct − wrong), that is of overall, so it can.
    """
    if "cfp" not in views or not scores:
        return
    for better, worse in views["cfp"].ranking.edges:
        low, high = scores[better].f1, scores[worse].f1
        if low < high:
            yield (
                f"cfp: {better} -> {worse} points against F1 ({better} {low:.3f}, "
                f"{worse} {high:.3f}): cfp compares correct minus wrong correspondences "
                f"({better} {scores[better].correct - scores[better].wrong}, "
                f"{worse} {scores[worse].correct - scores[worse].wrong}), which is Melnik's "
                "overall and not the F-measure"
            )


def imprecise(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[str]:
    """Name the systems that an empty alignment would outdo under cfp."""
    if "cfp" not in views:
        return
    for name, s in scores.items():
        if s.wrong > s.correct:
            yield (
                f"cfp: the precision of {name} is {s.precision:.3f}, below one half: it has more "
                f"wrong ({s.wrong}) than correct ({s.correct}) correspondences, so under cfp an "
                "empty alignment counts as better"
            )


def few_cases(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name the pairs on which the asymptotic tests have too few discordant cases."""
    for name, view in views.items():
        if view.discordant is None:
            continue
        cases = view.discordant + view.discordant.T
        few = [
            f"{view.systems[i]}/{view.systems[j]} ({cases[i, j]})"
            for i, j in view.pairs()
            if cases[i, j] < ENOUGH
        ]
        if few:
            trust = (
                "take the exact or the mid-p test for them"
                if view.test in ("asymptotic", "continuity")
                else f"do not quote them; {view.test} decides here"
            )
            yield (
                f"{name}: the asymptotic p-values stand on fewer than {ENOUGH} discordant cases "
                f"for {', '.join(few)}: {trust}"
            )


def views_disagree(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name the pairs whose verdict depends on the view."""
    if len(views) < 2:
        return
    verdicts = {name: view.better() for name, view in views.items()}
    for pair in next(iter(verdicts.values())):
        winners = {name: verdict[pair] for name, verdict in verdicts.items()}
        found = set(winners.values())
        if len(found) == 1:
            continue
        said = "; ".join(
            f"{name}: {winner} is better" if winner else f"{name}: undecided"
            for name, winner in winners.items()
        )
        how = "contradict each other" if len(found - {""}) == 2 else "differ"
        yield f"the views {how} on {pair[0]} and {pair[1]} ({said})"


def not_a_weak_order(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say where the layers are not a ranking, with the pairs that show it."""
    for name, view in views.items():
        for correction, ranking in view.rankings.items():
            if ranking.cycles:
                circles = "; ".join(", ".join(c) for c in ranking.cycles)
                yield f"{name}, {correction}: these systems beat each other in a circle: {circles}"
            if ranking.unordered:
                pairs = ", ".join(f"{a}/{b}" for a, b in ranking.unordered)
                yield (
                    f"{name}, {correction}: the graph is not a strict weak order: {pairs} stand in "
                    "different layers without a significant difference; read the rank intervals "
                    "and groups instead of the layers"
                )


def upper_bounds(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Name the pairs whose adjusted p is only an upper bound."""
    for name, view in views.items():
        for correction, adjusted in view.adjusted.items():
            bounds = [
                f"{view.systems[i]}/{view.systems[j]}"
                for i, j in view.pairs()
                if not adjusted.exact[i, j]
            ]
            if bounds:
                yield (
                    f"{name}, {correction}: the search budget ended, so the adjusted p is an upper "
                    f"bound (the error stays controlled) for {', '.join(bounds)}"
                )


def too_few_swaps(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say where random swaps are too few for any pair to become significant."""
    for name, view in views.items():
        if view.test != "randomisation":
            continue
        pairs = len(view.systems) * (len(view.systems) - 1) // 2
        least = float(np.nanmin(view.chosen.p))
        if pairs * least > view.alpha and view.correction != "none":
            enough = math.ceil(pairs / view.alpha)
            yield (
                f"{name}: the smallest p is {least:.2g}; over {pairs} pairs it may not count as "
                f"significant for want of random swaps: take {enough} or more"
            )


def clustered_items(views: Mapping[str, Pairwise]) -> Iterable[str]:
    """Say how much the clustering of items matters, and whether the deciding test heeds it."""
    for name, view in views.items():
        if view.design_effect is None:
            continue
        upper = view.design_effect[np.triu_indices(len(view.systems), 1)]
        known = upper[np.isfinite(upper)]
        if not len(known):
            continue
        heeded = "" if view.test not in TESTS else f"; {view.test} takes the items as independent"
        yield (
            f"{name}: clustering multiplies the variance of a difference by {np.median(known):.1f} "
            f"(median over the pairs; {known.min():.1f} to {known.max():.1f}){heeded}"
        )
