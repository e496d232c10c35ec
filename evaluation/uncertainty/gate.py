"""Did a change make a system worse? Pass, block, or inconclusive: for every commit."""

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
        there are too few items to tell.
    measure
        By what.
    old, new
        Its values, over all tasks; the mean over runs.
    low, high
        Limits of new − old; each is missed with chance `alpha` at most.
    margin, alpha
        What counts as no loss, and the risk of blocking a version that is as good.
    clusters
        How many clusters of items were resampled.
    enough
        Inconclusive: as many times the items would decide, were the difference as it is; else 1.
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

    With the limits Δ ± c·se of `ratio_differences` at level 1 − 2α, so that each limit is missed
    with chance α: pass if the lower one is above −margin, block if the upper one is below 0. With
    several runs the limits are Δ ± √((c·se)² + t²(s²_old/R_old + s²_new/R_new)), s² the variance of
    a version's runs and t Student's quantile with Satterthwaite's degrees of freedom; one run
    against several is taken to vary as these do.

    Parameters
    ----------
    old, new
        For each run of a version: its alignment by task.
    references
        What is right, by task; items of all tasks are pooled.
    measure
        One of `RATIOS`.
    margin
        The smallest loss that matters, at least 0.
    alpha
        Chance of blocking a version that is as good, in (0, 0.5).
    clusters
        Cluster by source entity; it may hold items of several tasks, as an entity of an ontology
        that several share does. None: every entity stands for itself, in all tasks together.
    flips
        Of the resampling.

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
    tables = [
        incidence({str(k): run[task] for k, run in enumerate((*old, *new))}, reference)
        for task, reference in references.items()
    ]
    numerator, denominator = cluster_ratios(tables, measure, clusters)
    versions = [slice(0, len(old)), slice(len(old), None)]
    numerator_of, denominator_of = (
        np.array([part[runs].mean(axis=0) for runs in versions])
        for part in (numerator, denominator)
    )
    found = ratio_differences(
        ("old", "new"),
        numerator_of,
        denominator_of,
        measure=measure,
        level=1 - 2 * alpha,
        flips=flips,
    )
    before, after = (float(value) for value in found.values)
    change = after - before
    values = numerator.sum(axis=1) / np.maximum(denominator.sum(axis=1), 1)
    luck = _reach_of_runs([values[runs] for runs in versions], alpha)
    reach = math.hypot(found.quantile * float(found.standard_error[1, 0]), luck)
    low, high = max(change - reach, -1.0), min(change + reach, 1.0)
    decision: Decision = "inconclusive"
    if low > -margin or low == high == 0:
        decision = "pass"
    elif high < 0:
        decision = "block"
    enough = 1.0
    if decision == "inconclusive":
        needed = max(change + margin, -change)  # to the margin, or to 0
        enough = (reach / needed) ** 2 if needed > 0 else math.inf
    return Gate(decision, measure, before, after, low, high, margin, alpha, found.clusters, enough)


def cluster_ratios(
    tables: Sequence[Incidence], measure: str, clusters: Mapping[str, str] | None
) -> tuple[Floats, Floats]:
    """Return (systems, clusters) twice: what each cluster adds to two sums, over all tasks.

    Their ratio is the measure; for ``share`` it is right answers over answers.
    """
    if measure == "share":
        answers = [decisions(table, "entity") for table in tables]
        index = cluster_index([e for decided in answers for e in decided.entities], clusters)
        right = np.concatenate([decided.right for decided in answers], axis=1)
        numerator, denominator = (
            per_unit(x, index).astype(np.float64) for x in (right, np.ones_like(right))
        )
        return numerator, denominator
    index = cluster_index([item[0] for table in tables for item in table.items], clusters)
    found = np.concatenate([table.found for table in tables], axis=1)
    expected = np.concatenate([table.correct for table in tables])
    correct = found & expected
    parts = (correct, found, correct, np.broadcast_to(expected, correct.shape))
    sums = ratio_sums(measure, np.stack([per_unit(x, index) for x in parts], -1).astype(np.float64))
    assert sums is not None
    return sums


def _reach_of_runs(values: Sequence[Floats], alpha: float) -> float:
    """Return by how much the luck of the runs widens the limits; 0 with one run each.

    Beside several runs of the other version a single one is as lucky as these.
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
