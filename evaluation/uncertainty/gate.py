"""Decide for a commit whether a change makes a system worse: pass, block, or inconclusive."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Tabular
from alignrank.evaluation.comparison.contingency import Incidence, decisions, incidence
from alignrank.evaluation.significance.clustered import cluster_index, per_unit
from alignrank.evaluation.significance.mcnemar import Floats
from alignrank.evaluation.significance.ratios import ratio_sums
from alignrank.evaluation.significance.simultaneous import FLIPS, ratio_differences
from alignrank.ontologies import Alignment

Decision = Literal["pass", "block", "inconclusive"]
#: The measures that decide; ``share`` is the share of entities that are right.
RATIOS = ("share", "f1", "precision", "recall")


@dataclass(frozen=True)
class Gate(Tabular):
    """Whether the new version of a system may replace the old one.

    Parameters
    ----------
    decision
        ``pass``: it is not worse by the margin or more. ``block``: it is worse. ``inconclusive``:
        there are too few items for a decision.
    measure
        One of `RATIOS`.
    old, new
        Its values, over all tasks; the mean over runs.
    low, high
        Limits of new − old; each is wrong with probability `alpha` at most.
    margin, alpha
        The smallest loss that matters, and the risk of blocking an equally good version.
    clusters
        Number of clusters of items that were resampled.
    enough
        For ``inconclusive`` the factor by which the items must grow for a decision, if the
        difference stays; else 1.
    """

    decision: Decision
    measure: str
    old: float
    new: float
    low: float
    high: float
    margin: float
    alpha: float
    clusters: int
    enough: float

    @property
    def answer(self) -> str:
        """The decision in a sentence."""
        change = f"{self.measure} {self.old:.3f} → {self.new:.3f}"
        limits = f"({self.low:+.3f} to {self.high:+.3f}, {1 - 2 * self.alpha:.0%})"
        if self.decision == "pass" and self.low > 0:
            return f"pass: {change} {limits} is a gain"
        if self.decision == "pass":
            return f"pass: {change} {limits} is no loss of {self.margin:g} or more"
        if self.decision == "block":
            return f"block: {change} {limits} is a loss"
        more = f"about {self.enough:.1f} times the items would decide"
        if math.isinf(self.enough):
            more = "no number of items would decide: they are equal, and the margin is 0"
        return f"inconclusive: {change} {limits}; {more}"


def gate(
    old: Sequence[Mapping[str, Alignment]],
    new: Sequence[Mapping[str, Alignment]],
    references: Mapping[str, Alignment],
    *,
    measure: str = "f1",
    margin: float = 0.01,
    alpha: float = 0.05,
    clusters: Mapping[str, str] | None = None,
    flips: int = FLIPS,
) -> Gate:
    r"""Decide whether a new version of a system is worse than the old one.

    With the limits Δ ± c·se of `ratio_differences` at level 1 − 2α, so that each limit is wrong
    with probability α: pass if the lower one is above −margin, block if the upper one is below 0.
    With several runs the limits are Δ ± √((c·se)² + t²(s²_old/R_old + s²_new/R_new)), s² the
    variance of a version's runs and t Student's quantile with Satterthwaite's degrees of freedom; a
    single run against several has their variance.

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
        Cluster by source entity; it may hold items of several tasks, since tasks can share an
        ontology. None: every entity is its own cluster, in all tasks together.
    flips
        Number of random flips.

    Raises
    ------
    EvaluationError
        If there is no run, a run lacks a task, a number is out of its range, or the measure is
        unknown or has no value.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a#{k:03}", f"b#{k:03}") for k in range(300))
    >>> worse = r.where(lambda c: c.entity1 < "a#200")
    >>> gate([{"t": r}], [{"t": worse}], {"t": r}).answer
    'block: f1 1.000 → 0.800 (-0.232 to -0.168, 90%) is a loss'
    >>> gate([{"t": worse}], [{"t": r}], {"t": r}).answer
    'pass: f1 0.800 → 1.000 (+0.168 to +0.232, 90%) is a gain'
    """
    refuse_unknown("measure", measure, RATIOS, EvaluationError)
    if margin < 0:
        raise EvaluationError(f"margin is {margin:g}: it must be 0 or more")
    if not 0 < alpha < 0.5:
        raise EvaluationError(f"alpha is {alpha:g}: it must lie between 0 and 0.5")
    if not old or not new:
        raise EvaluationError("each version needs an alignment: there is none")
    tables = []
    for task, reference in references.items():
        alignments = {str(k): run[task] for k, run in enumerate((*old, *new))}
        tables.append(incidence(alignments, reference))
    numerator, denominator = cluster_ratios(tables, measure, clusters)
    versions = [slice(0, len(old)), slice(len(old), None)]
    interval = ratio_differences(
        ("old", "new"),
        np.array([numerator[runs].mean(axis=0) for runs in versions]),
        np.array([denominator[runs].mean(axis=0) for runs in versions]),
        measure=measure,
        level=1 - 2 * alpha,
        flips=flips,
    )
    before, after = interval.values.tolist()
    change = after - before
    values = numerator.sum(axis=1) / np.maximum(denominator.sum(axis=1), 1)
    reach_of_runs = _reach_of_runs([values[runs] for runs in versions], alpha)
    reach = math.hypot(interval.quantile * float(interval.standard_error[1, 0]), reach_of_runs)
    low = max(change - reach, -1.0)
    high = min(change + reach, 1.0)
    decision: Decision = "inconclusive"
    if low > -margin or low == high == 0:
        decision = "pass"
    elif high < 0:
        decision = "block"
    enough = 1.0
    if decision == "inconclusive":
        needed = max(change + margin, -change)  # to the margin, or to 0
        enough = (reach / needed) ** 2 if needed > 0 else math.inf
    return Gate(
        decision, measure, before, after, low, high, margin, alpha, interval.clusters, enough
    )


def cluster_ratios(
    tables: Sequence[Incidence], measure: str, clusters: Mapping[str, str] | None
) -> tuple[Floats, Floats]:
    """Return numerators and denominators, each (systems, clusters), over all tasks.

    The ratio of their sums is the measure; for ``share`` it is right answers over answers.
    """
    entities: list[str] = []
    if measure == "share":
        answers = [decisions(table, "entity") for table in tables]
        for of_task in answers:
            entities += of_task.entities
        index = cluster_index(entities, clusters)
        right = np.concatenate([of_task.right for of_task in answers], axis=1)
        total = per_unit(np.ones_like(right), index)
        return per_unit(right, index).astype(float), total.astype(float)
    for table in tables:
        entities += [item[0] for item in table.items]
    index = cluster_index(entities, clusters)
    answered = np.concatenate([table.found for table in tables], axis=1)
    expected = np.concatenate([table.correct for table in tables])
    correct = answered & expected
    flags = (correct, answered, correct, np.broadcast_to(expected, correct.shape))
    parts = np.stack([per_unit(x, index) for x in flags], -1)
    sums = ratio_sums(measure, parts.astype(float))
    assert sums is not None
    return sums


def _reach_of_runs(values: Sequence[Floats], alpha: float) -> float:
    """Return the part of the limits that comes from the variance over runs; 0 with one run each.

    A single run beside several runs of the other version has their variance.
    """
    several = [v for v in values if len(v) > 1]
    if len(several) == 1:
        (runs,) = several
        spread = runs.std(ddof=1) * math.sqrt(sum(1 / len(v) for v in values))
        return float(scipy.stats.t.isf(alpha, len(runs) - 1) * spread)
    variances = [(v.var(ddof=1) / len(v), len(v) - 1) for v in several]
    variance = sum(v for v, _ in variances)
    if not variance:
        return 0.0
    degrees = variance**2 / sum(v**2 / df for v, df in variances)
    return float(scipy.stats.t.isf(alpha, degrees) * math.sqrt(variance))
