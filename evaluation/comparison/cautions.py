"""Cautions of a comparison: facts that limit its verdicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from types import MappingProxyType

from alignrank.common.names import Texts, count, enumeration, first_of
from alignrank.common.results import Caution
from alignrank.evaluation.corrections.adjusting import CORRECTIONS, adjust, least_adjusted
from alignrank.evaluation.credit.counts import Scores
from alignrank.evaluation.ranking import Edge, winners
from alignrank.evaluation.significance.mcnemar import ENOUGH
from alignrank.evaluation.significance.runs import SeveralRuns

from .contingency import VIEWS
from .pairwise import Pairwise
from .robustness import depends_on_choices
from .settings import place_of

#: Of more systems it takes too long to ask whether all pairs would decide more.
_FEW_ENOUGH = 30


def cautions(
    views: Mapping[str, Pairwise], scores: Mapping[str, Scores], n_resamples: int
) -> tuple[Caution, ...]:
    """Return the cautions of a comparison.

    Parameters
    ----------
    views
        Results by view.
    scores
        Scores of the systems; empty where only counts are known.
    n_resamples
        Number of random resamples, where a test resamples.
    """
    first = next(iter(views.values()))
    return (
        *against_f1(views, scores),
        *imprecise(views, scores),
        *few_cases(first),
        *few_target_groups(first),
        *f1_undecided(first),
        *views_disagree(views),
        *depends_on_choices(first),
        *not_a_weak_order(first),
        *upper_bounds(views),
        *too_few_resamples(views, n_resamples),
        *all_pairs_decide_more(first),
    )


def against_f1(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[Caution]:
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
        text = (
            f"cfp points against F1 in {count(len(wrong_way), 'arrow')}: {first_of(wrong_way, 3)}. "
            "It compares correct minus wrong correspondences, which is Melnik's overall and not "
            "the F-measure: do not take it for F1"
        )
        yield Caution("against-f1", text)


def imprecise(views: Mapping[str, Pairwise], scores: Mapping[str, Scores]) -> Iterable[Caution]:
    """Name the systems that an empty alignment would outdo under cfp."""
    if "cfp" not in views:
        return
    low = [f"{name} ({s.precision:.3f})" for name, s in scores.items() if s.wrong > s.correct]
    if low:
        text = (
            f"Precision is below one half for {', '.join(low)}. The view cfp counts an empty "
            "alignment as better than that: do not use cfp to rank these systems."
        )
        yield Caution("imprecise", text)


def few_cases(view: Pairwise) -> Iterable[Caution]:
    """Say on which pairs of the deciding view an asymptotic test has too few cases."""
    if view.counts is None or view.test not in ("asymptotic", "continuity"):
        return
    cases = view.counts.discordant + view.counts.discordant.T
    few_pairs = sorted((int(cases[i, j]), i, j) for i, j in view.pairs() if cases[i, j] < ENOUGH)
    if few_pairs:
        listed = [f"{view.systems[i]}/{view.systems[j]} ({n})" for n, i, j in few_pairs]
        text = (
            f"the asymptotic p-values stand on fewer than {ENOUGH} discordant cases "
            f"for {first_of(listed, 5)}: take the exact or the mid-p test for them"
        )
        yield Caution("few-cases", text, view.view)


def views_disagree(views: Mapping[str, Pairwise]) -> Iterable[Caution]:
    """Name the pairs whose verdict depends on the view: the contradictions, then the rest."""
    if len(views) < 2:
        return
    verdicts = {
        name: winners(combinations(view.systems, 2), view.edges) for name, view in views.items()
    }
    decides = next(iter(views))
    counted = {name: VIEWS[name].counted for name in views}
    if {"entity", "entity-target"} <= views.keys():
        for name in ("entity", "entity-target"):
            counted[name] += f" for {VIEWS[name].unit}"
    counts = [f"{name} {text}" for name, text in counted.items()]
    counts[0] = f"{decides} (used here) counts {counted[decides]}"
    meanings = f"{', '.join(counts)}."
    contradictions: list[str] = []
    differences: list[str] = []
    for pair in next(iter(verdicts.values())):
        better = {name: verdict[pair] for name, verdict in verdicts.items()}
        different = set(better.values())
        if len(different) == 1:
            continue
        kind = contradictions if len(different - {""}) == 2 else differences
        kind.append(_by_view(pair, better))
    if contradictions:
        text = (
            f"Which of two is significantly better depends on the count for "
            f"{count(len(contradictions), 'pair')}: {first_of(contradictions, 3, '; ')}. "
            f"{meanings} Report {decides}, and mention this."
        )
        yield Caution("views-contradict", text)
    if differences:
        change = "1 verdict changes:"
        if len(differences) > 1:
            change = f"{len(differences)} verdicts change, such as:"
        text = f"By other counts {change} {differences[0]}. {meanings}"
        yield Caution("views-differ", text)


def _by_view(pair: Edge, better: Texts) -> str:
    """Say by which views which system of a pair is significantly better.

    Examples
    --------
    >>> _by_view(("AML", "Lily"), {"entity": "AML", "ifp": "AML", "cfp": ""})
    'AML is better than Lily by entity and ifp, but not significantly by cfp'
    """
    clauses = []
    for winner, loser in (pair, pair[::-1]):
        if views := [name for name, system in better.items() if system == winner]:
            clauses.append(f"{winner} is better than {loser} by {enumeration(views)}")
    if open_views := [name for name, system in better.items() if not system]:
        clauses.append(f"not significantly by {enumeration(open_views)}")
    return ", but ".join(clauses)


#: With fewer effective target clusters a sentence says that little can be shown.
_FEW_GROUPS = 15


def few_target_groups(view: Pairwise) -> Iterable[Caution]:
    """Say where the partners of the items are in few, or very unequal, clusters."""
    sides = ["sources", "targets"]
    if view.view == "entity-target":
        sides.reverse()
    of_sides = (view.units.source_groups, view.units.target_groups)
    for side, groups in zip(sides, of_sides, strict=True):
        if view.units.is_crossed and 1 < groups < _FEW_GROUPS:
            text = (
                f"Half of the {side} are in few classes ({groups:.0f} effective groups): only "
                "large differences can be shown."
            )
            yield Caution("few-target-groups", text, view.view)


def f1_undecided(view: Pairwise) -> Iterable[Caution]:
    """Name the significant differences whose interval in F1 holds 0."""
    f1 = view.intervals.f1
    if f1 is None:
        return
    place = view.systems.index
    open_pairs = [
        f"{better} > {worse}"
        for better, worse in view.edges
        if f1.low[place(better), place(worse)] <= 0
    ]
    if open_pairs:
        text = (
            f"{first_of(open_pairs, 3)}: more right decisions; whether its F1 is higher is not "
            "decided."
        )
        yield Caution("f1-undecided", text, view.view)


def few_runs(runs: SeveralRuns) -> Iterable[Caution]:
    """Name the systems whose one or two runs do not show how much their runs vary."""
    for system, number in zip(runs.systems, runs.runs, strict=True):
        if number == 1:
            text = f"{system} has a single run: its runs are taken to vary as the others' do."
            yield Caution("single-run", text, system=system)
        if number == 2:
            text = (
                f"{system} has two runs, and they do not show how much its runs vary: give it a "
                "third."
            )
            yield Caution("two-runs", text, system=system)


def not_a_weak_order(view: Pairwise) -> Iterable[Caution]:
    """Say where layers, the paper's way to rank, are none, with pairs that show it."""
    if view.ranking.cycles:
        circles = "; ".join(", ".join(c) for c in view.ranking.cycles)
        text = f"these systems beat each other in a circle: {circles}"
        yield Caution("cycle", text, view.view)
    if view.ranking.unordered and view.focus is None and view.units.name == "cases":
        pairs = first_of([f"{a}/{b}" for a, b in view.ranking.unordered], 5)
        text = (
            f"the graph is not a strict weak order: {pairs} stand in different layers "
            "without a significant difference; read the rank intervals and groups instead of "
            "the layers"
        )
        yield Caution("no-weak-order", text, view.view)


def upper_bounds(views: Mapping[str, Pairwise]) -> Iterable[Caution]:
    """Name the pairs that are undecided by an adjusted p that is only an upper bound."""
    for name, view in views.items():
        for correction, adjusted in view.adjusted.items():
            open_ = adjusted.unsettled
            bounds = [
                f"{view.systems[i]}/{view.systems[j]}" for i, j in view.pairs() if open_[i, j]
            ]
            if bounds:
                text = (
                    f"{correction}: the search budget ended; {count(len(bounds), 'pair')} may be "
                    "undecided only because the adjusted p is "
                    f"an upper bound (the error stays controlled): {first_of(bounds, 3)}: compare "
                    "fewer systems, or one system with the others (focus)"
                )
                yield Caution("upper-bounds", text, name)


def too_few_resamples(views: Mapping[str, Pairwise], n_resamples: int) -> Iterable[Caution]:
    """Say where random resamples are too few for any pair to become significant."""
    smallest_p = 1 / (n_resamples + 1)
    for name, view in views.items():
        pairs = 1 if view.correction == "none" else view.questions
        if view.test != "randomisation":
            continue
        place = place_of(view.focus, view.systems)
        least_p = least_adjusted(
            smallest_p, len(view.systems), view.correction, alpha=view.alpha, focus=place
        )
        if least_p > view.alpha:
            text = (
                f"{n_resamples} resamples give no p below {smallest_p:.2g}, which is not "
                f"significant over {count(pairs, 'pair')}: take {math.ceil(pairs / view.alpha)} "
                "resamples or more"
            )
            yield Caution("few-resamples", text, name)


def all_pairs_decide_more(view: Pairwise) -> Iterable[Caution]:
    """Name the systems that would differ significantly from the focus over all pairs."""
    if view.focus is None or len(view.systems) > _FEW_ENOUGH:
        return
    place, verdicts = view.systems.index(view.focus), view.verdicts
    adjusted = adjust(view.chosen.p, "bergmann-hommel", alpha=view.alpha).values[place]
    rivals = [
        rival
        for rival, p in zip(view.systems, adjusted.tolist(), strict=True)
        if p <= view.alpha and verdicts[view.focus, rival] not in ("better", "worse")
    ]
    if rivals:
        text = (
            f"over all pairs {view.focus} differs significantly from {first_of(rivals, 3)} too "
            "(Bergmann–Hommel without a focus)"
        )
        yield Caution("all-pairs-decide-more", text)


#: What each valid test rests on. The other tests' p-values are only close to valid.
CONDITIONS: Texts = MappingProxyType(
    {
        "exact": "the items are independent",
        "sign-flip": "the clusters are independent and, where two systems are equally good, each "
        "cluster favours either alike",
        "randomisation": "two equally good systems' answers could be exchanged for each entity or "
        "cluster (and close to alpha where they could not, from some 50 entities on)",
    }
)


def guarantee(view: Pairwise) -> str:
    """Return a sentence on the family-wise error of a view's edges, and its condition."""
    sentence = validity(view.test, view.correction)
    if not view.is_clustered:
        sentence += f" It takes {view.units.name} as independent."
    if view.units.is_crossed:
        sentence += (
            " Dependence across target clusters is taken into account by its estimated variance: "
            "there the error is close to alpha in simulations, not guaranteed."
        )
    if view.correction == "westfall-young":
        within = " within the budget, else step-down"
        if view.adjusted[view.correction].exact.all():
            within = ""
        sentence += (
            f" Closed over the exhaustive sets{within}: where only that decides, adjusted p is an "
            "upper bound, elsewhere that of step-down."
        )
    return sentence


def validity(test: str, correction: str) -> str:
    """Return a sentence on the family-wise error of a test with a correction.

    Parameters
    ----------
    test
        A McNemar test, a test for clusters, ``randomisation`` or ``weighted-score``.
    correction
        A name of `alignrank.evaluation.corrections.adjusting.CORRECTIONS`.

    Raises
    ------
    EvaluationError
        If the correction is unknown.

    Examples
    --------
    >>> print(validity("exact", "holm"))  # doctest: +NORMALIZE_WHITESPACE
    exact with holm: the family-wise error is at most alpha, however the pairs depend on each
    other, if the items are independent.
    """
    facts = CORRECTIONS.lookup(correction)
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
    doubts = [f"{test} p-values are not strictly valid"]
    if test == "judgements":
        pair = f"McNemar's test from judged pairs with {correction}"
        doubts = ["its counts are estimated"]
    elif test in ("obuchowski", "durkalski"):
        doubts[0] += " (those of sign-flip are)"
    elif test not in ("weighted-score", "runs"):
        doubts[0] += " (those of exact are)"
    if not facts.any_dependence:
        doubts.append(f"pairs that share a system need not have {facts.dependence}")
    return (
        f"{pair}: the family-wise error is close to alpha or below, but not guaranteed: "
        f"{', and '.join(doubts)}."
    )
