"""Decide for a commit whether a change makes a system worse: pass, block, or inconclusive."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy

from alignrank.common.defaults import DEFAULTS, RATIOS
from alignrank.common.errors import Argument, EvaluationError
from alignrank.common.names import count, refuse_unknown
from alignrank.common.table import Tabular
from alignrank.evaluation.comparison.answers import Answers
from alignrank.evaluation.comparison.compare import pooled_items
from alignrank.evaluation.comparison.contingency import incidence, item_ratios
from alignrank.evaluation.comparison.settings import NO_CLUSTERS, EntityClusters
from alignrank.evaluation.judged.conclusions import Sample
from alignrank.evaluation.significance.clustered import cluster_indices, intersections
from alignrank.evaluation.significance.mcnemar import Floats, Ints
from alignrank.evaluation.significance.runs import pooled_variance
from alignrank.evaluation.significance.score_limits import (
    correlation_within,
    discordance,
)
from alignrank.ontologies.alignment import Alignment

Decision = Literal["pass", "unchanged", "block", "inconclusive"]
#: With fewer independent groups than these a loss of whole groups is easily missed
#: (studies/promises.py), and the share of samples for which a caution says how easily.
_FEW_GROUPS = 60
_MISSED = 0.08

#: Times as many items as there are; a gate that needs more is said to need infinitely many.
_MOST_ITEMS = 1e6


@dataclass(frozen=True)
class Gate(Tabular):
    """Whether the new version of a system may replace the old one.

    Parameters
    ----------
    decision
        ``pass``: it is not worse by the margin or more. ``unchanged``: both versions answer alike
        on every item. ``block``: it is worse. ``inconclusive``: there are too few items for a
        decision.
    measure
        One of `RATIOS`; of a table of items ``mean score`` or ``mean error``.
    old, new
        Its values, over all tasks; the mean over runs.
    low, high
        Limits of new − old; each is wrong with probability `alpha` at most.
    margin, alpha
        The smallest loss that matters, and the risk of blocking an equally good version.
    items, clusters
        Number of source entities (of a table: of items), and of clusters of them.
    loss_on_other_items
        How much an unchanged version could lose on other items.
    enough
        For ``inconclusive`` the factor by which the items must grow for a decision, if the
        difference stays; else 1.
    unit
        What the items are.
    groups
        The effective number of clusters on the side that has fewer of them; infinite where every
        item is a cluster of its own.
    less_is_better
        Whether a smaller value is better.
    """

    decision: Decision
    measure: str
    old: float
    new: float
    low: float
    high: float
    margin: float
    alpha: float
    items: int
    clusters: int
    loss_on_other_items: float
    enough: float
    unit: str = "source entities"
    less_is_better: bool = False
    groups: float = math.inf

    @property
    def cautions(self) -> tuple[str, ...]:
        """The limits of the decision, in sentences."""
        if self.groups >= _FEW_GROUPS:
            return ()
        # a loss of the groups of this share is in no group of so many samples
        share = 1 - _MISSED ** (1 / self.groups)
        groups = max(1, math.floor(self.groups))
        return (
            "Answers may change by whole groups (classes with one parent), and there "
            f"{'is' if groups == 1 else 'are'} only {groups} independent "
            f"{'one' if groups == 1 else 'ones'}: a loss that hits one group in "
            f"{max(1, math.floor(1 / share))} is not seen in {_MISSED:.0%} of such samples.",
        )

    @property
    def confidence(self) -> str:
        """The level of both limits together, in percent."""
        return f"{100 * (1 - 2 * self.alpha):.10g}%"

    @property
    def answer(self) -> str:
        """The decision in a sentence."""
        if self.decision == "unchanged":
            return (
                f"unchanged: {self.measure} {self.old:.3f}, every item counts as before; on other "
                f"items it could be up to {self.loss_on_other_items:.3f} worse"
            )
        limits = f"{self.low:+.3f} to {self.high:+.3f}"
        interval = f"change: {limits} with {self.confidence} confidence"
        change = f"{self.decision}: {self.measure} {self.old:.3f} → {self.new:.3f} ({interval})"
        is_gain, is_loss = self.low > 0, self.high < 0
        if self.less_is_better:
            is_gain, is_loss = is_loss, is_gain
        if self.decision == "pass" and is_gain:
            return f"{change}: a gain"
        if self.decision == "pass" and is_loss:
            return f"{change}: worse, but by less than the margin ({self.margin:g})"
        if self.decision == "pass":
            return f"{change}: no loss of {self.margin:g} or more"
        if self.decision == "block":
            return f"{change}: a loss"
        enough = f"no number of {self.unit}"
        if not math.isinf(self.enough):
            enough = f"about {math.ceil(self.enough * self.items):,} {self.unit} in all"
        return (
            f"{change}: a loss is not proved, and one of {self.margin:g} or more is not excluded; "
            f"if the change stays the same, {enough} would decide"
        )


def gate(
    old: Sequence[Mapping[str, Alignment]],
    new: Sequence[Mapping[str, Alignment]],
    references: Mapping[str, Alignment],
    *,
    measure: str = "f1",
    margin: float = DEFAULTS.margin,
    alpha: float = DEFAULTS.alpha,
    clusters: EntityClusters = NO_CLUSTERS,
) -> Gate:
    r"""Decide whether a new version of a system is worse than the old one.

    With Tango's limits of the difference in units of one answer (`Discordance.limits`), each wrong
    with probability α: pass if the lower one is above −margin, block if the upper one is below 0.
    With several runs the distance of a limit from the difference Δ is √(distance² + t² W), with W
    of `pooled_variance` and t Student's quantile with its degrees of freedom.

    Parameters
    ----------
    old, new
        For each run of a version: its alignment by task.
    references
        Reference alignment by task; the items of all tasks are pooled.
    measure
        One of `RATIOS`.
    margin
        The smallest loss that matters, at least 0.
    alpha
        Probability of blocking an equally good version, in (0, 0.5).
    clusters
        Which entities may depend on each other; they can be of several tasks, since tasks can share
        an ontology. Where nothing is known, every entity is its own cluster, in all tasks together.

    Raises
    ------
    EvaluationError
        If there is no run, a run lacks a task, a number is out of its range, or the measure is
        unknown or has no value.

    Notes
    -----
    A loss of the margin passes in at most 6% of simulated samples, but for groups that win and lose
    as wholes where there are fewer than some 100 of them (docs/simulation.md).

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(300))
    >>> worse = r.where(lambda c: c.entity1 < "a#200")
    >>> gate([{"t": r}], [{"t": worse}], {"t": r}).answer
    'block: f1 1.000 → 0.800 (change: -0.238 to -0.168 with 90% confidence): a loss'
    >>> gate([{"t": worse}], [{"t": r}], {"t": r}).answer
    'pass: f1 0.800 → 1.000 (change: +0.168 to +0.238 with 90% confidence): a gain'
    """
    refuse_unknown("measure", measure, RATIOS, EvaluationError)
    if not old or not new:
        raise EvaluationError("each version needs an alignment: there is none")
    tables = []
    for task, reference in references.items():
        alignments = {str(k): run[task] for k, run in enumerate((*old, *new))}
        tables.append(incidence(alignments, reference))
    _, indices = pooled_items(tables, clusters)
    ratios = [item_ratios(table, measure) for table in tables]
    numerators, denominators = (
        np.concatenate(parts, axis=1) for parts in zip(*ratios, strict=True)
    )
    return _decided(numerators, denominators, len(old), indices, measure, margin, alpha)


def gate_answers(
    answers: Answers, *, margin: float = DEFAULTS.margin, alpha: float = DEFAULTS.alpha
) -> Gate:
    """Decide whether the second of two systems in a table of items is worse than the first.

    Parameters
    ----------
    answers
        The scores of the old version and of the new one.
    margin, alpha
        As in `gate`.

    Raises
    ------
    EvaluationError
        If there are not two systems, or a number is out of its range.

    Examples
    --------
    >>> from alignrank.evaluation.comparison.answers import read_answers
    >>> old = {f"q{k}": int(k % 10 < 8) for k in range(400)}
    >>> new = {f"q{k}": int(k % 10 < 7) for k in range(400)}
    >>> gate_answers(read_answers({"old": old, "new": new})).answer
    'block: mean score 0.800 → 0.700 (change: -0.129 to -0.077 with 90% confidence): a loss'
    """
    if len(answers.scores) != 2:
        raise EvaluationError(
            f"{count(len(answers.scores), 'system')}: the gate compares an old version with a new "
            "one"
        )
    old, new = answers.scores.values()
    scores = np.concatenate([old, new])
    clusters = cluster_indices(answers.items, answers.clusters, answers.crossing)
    ones = np.ones_like(scores)
    decided = _decided(scores, ones, len(old), clusters, "share", margin, alpha)
    decided = replace(decided, measure="mean score", unit="items")
    if not answers.lower_is_better:
        return decided
    return replace(
        decided,
        measure="mean error",
        less_is_better=True,
        old=1 - decided.old,
        new=1 - decided.new,
        low=-decided.high,
        high=-decided.low,
    )


def gate_judgements(
    sample: Sample, *, margin: float = DEFAULTS.margin, alpha: float = DEFAULTS.alpha
) -> Gate:
    """Decide by judged questions whether the version ``new`` is worse than the version ``old``.

    The limits are those of the difference of F1 in the pool at the last verdict, so that one may
    look at every verdict (`alignrank.evaluation.judged.draw`).

    Parameters
    ----------
    sample
        The judged questions on two systems that are called ``old`` and ``new``.
    margin, alpha
        As in `gate`; the risk holds for all verdicts together.

    Raises
    ------
    EvaluationError
        If a number is out of its range, or fewer questions are judged than the first verdict needs.
    """
    _check_range(margin, alpha)
    verdict = sample.verdict(2 * alpha)
    if verdict is None:
        raise EvaluationError(
            f"{count(int(sample.judged.sum()), 'question')} judged: the first verdict needs "
            f"{sample.schedule.numbers[0] if sample.schedule.numbers else len(sample.judged)}"
        )
    estimate = sample.beginning(verdict.answers).estimate(2 * alpha)
    systems = list(sample.pool.systems)
    old, new = systems.index("old"), systems.index("new")
    f1, change = estimate.measures["f1"].value, estimate.differences["f1"]
    value, low, high = (float(limit[new, old]) for limit in (change.value, change.low, change.high))
    decision = _decision_of(low, high, margin)
    # the limits come nearer with the square root of the number; all questions decide
    enough = len(sample.judged) / verdict.answers
    for distance, room in ((value - low, value + margin), (high - value, -value)):
        if room > 0:
            enough = min(enough, (distance / room) ** 2)
    return Gate(
        decision,
        "F1 in the pool",
        float(f1[old]),
        float(f1[new]),
        low,
        high,
        margin,
        alpha,
        verdict.answers,
        verdict.answers,
        0.0,
        1.0 if decision != "inconclusive" else enough,
        unit="questions",
    )


def _decision_of(low: float, high: float, margin: float) -> Decision:
    """Return the decision by the limits of new − old: a loss below the margin passes."""
    if low > -margin:
        return "pass"
    return "block" if high < 0 else "inconclusive"


def _check_range(margin: float, alpha: float) -> None:
    """Refuse a margin or a risk that is out of its range."""
    if not 0 <= margin < 1:
        raise EvaluationError(f"{Argument('margin', margin)}: it must be 0 or more, and below 1")
    if not 0 < alpha < 0.5:
        raise EvaluationError(f"alpha is {alpha:g}: it must lie between 0 and 0.5")


def _decided(
    numerators: Floats,
    denominators: Floats,
    n_old: int,
    clusters: tuple[Ints, Sequence[Ints]],
    measure: str,
    margin: float,
    alpha: float,
) -> Gate:
    """Return whether the new version may replace the old one.

    Parameters
    ----------
    numerators, denominators
        (runs, items): as `discordance` takes them, of each run, the `n_old` old ones first.
    clusters
        Of the items: the source clusters, and further ones that cross them.
    """
    _check_range(margin, alpha)
    versions = [slice(0, n_old), slice(n_old, None)]
    numerator = np.array([numerators[runs].mean(axis=0) for runs in versions])
    denominator = np.array([denominators[runs].mean(axis=0) for runs in versions])
    counts = discordance(numerator, denominator, *clusters, measure=measure)
    least_effect = _least_effect(numerator, denominator, clusters, float(counts.unit[0, 1]))
    counts = replace(counts, least_effect=least_effect)
    before, after = (numerator.sum(axis=1) / denominator.sum(axis=1)).tolist()
    values = numerators.sum(axis=1) / np.maximum(denominators.sum(axis=1), 1)
    reach_of_runs = _reach_of_runs([values[runs] for runs in versions], alpha)

    def limits(factor: float) -> tuple[float, float]:
        """Return both limits of new − old for `factor` times the items."""
        change = after - before
        low, high = (float(x[1, 0]) for x in counts.limits(alpha, factor))
        below = math.hypot(change - low, reach_of_runs)
        above = math.hypot(high - change, reach_of_runs)
        return max(change - below, -1.0), min(change + above, 1.0)

    def decision_for(factor: float) -> Decision:
        return _decision_of(*limits(factor), margin)

    decision, enough = decision_for(1.0), 1.0
    if counts.identical.all() and not reach_of_runs:
        decision = "unchanged"
    elif decision == "inconclusive":
        enough = _enough(lambda factor: decision_for(factor) != "inconclusive")
    source = clusters[0]
    return Gate(
        decision,
        measure,
        before,
        after,
        *limits(1.0),
        margin,
        alpha,
        items=len(source),
        clusters=int(source.max()) + 1,
        loss_on_other_items=float(counts.loss_on_other_items(alpha)[0, 1]),
        enough=enough,
        groups=float(counts.degrees[0, 1]) + 1 if np.isfinite(counts.variance[0, 1]) else 1.0,
    )


def _least_effect(
    numerator: Floats, denominator: Floats, clusters: tuple[Ints, Sequence[Ints]], unit: float
) -> float:
    """Return a design effect that holds where few answers changed, too.

    With ρ of `correlation_within` for one pseudo-item that agrees with its cluster, V_s and V_t the
    sums over source and target clusters and V_st over their intersections:
    (1 + ρ Σ n_k (n_k − 1)/n) · max(V_s, V_s + V_t − V_st) / V_s.
    """
    value = float((numerator.sum(axis=1) / denominator.sum(axis=1)).mean())
    y = (numerator[0] - numerator[1]) - value * (denominator[0] - denominator[1])
    items = denominator.any(axis=0)
    y = (y / denominator.sum(axis=1).mean() / unit)[items]
    source, *crossing = (partition[items] for partition in (clusters[0], *clusters[1]))
    sizes = np.bincount(source)
    companions = float((sizes * (sizes - 1)).sum()) / len(y)
    effect = 1 + correlation_within(y, source) * companions

    def squares(*partitions: Ints) -> float:
        return float((np.bincount(intersections(*partitions), y - y.mean()) ** 2).sum())

    for target in crossing:
        added = squares(target) - squares(source, target)
        effect *= 1 + max(added, 0.0) / max(squares(source), 1e-12)
    return effect


def _enough(decides: Callable[[float], bool]) -> float:
    """Return the factor by which the items must grow for a decision; infinite if none is."""
    low, high = 1.0, _MOST_ITEMS
    if not decides(high):
        return math.inf
    while high > 1.01 * low:
        middle = math.sqrt(low * high)
        if decides(middle):
            high = middle
        else:
            low = middle
    return high


def _reach_of_runs(values: Sequence[Floats], alpha: float) -> float:
    """Return the part of the limits that comes from the variance over runs; 0 with one run each."""
    runs = [len(of_version) for of_version in values]
    if max(runs) == 1:
        return 0.0
    variance, degrees = pooled_variance(values)
    spread = math.sqrt(variance * sum(1 / number for number in runs))
    return float(scipy.special.stdtrit(degrees, 1 - alpha)) * spread
