"""How sure precision, recall and F1 are: Wilson's intervals with the effective number of cases.

Resampling cannot show what a small sample has not shown: where all of ten correspondences are
right, so they are in every resample.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy

from evaluation.credit.counts import judged
from evaluation.credit.credits import Credits, ZeroDivision, ratios, standard
from evaluation.errors import EvaluationError
from evaluation.significance.ratios import gradient, measure_of, small_sample, sums_by_unit
from ontologies.alignment import Alignment

from .bootstrap import LEVEL, Interval, Intervals


def wilson(share: float, cases: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share; the whole of [0, 1] without cases.

    Examples
    --------
    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    z2 = float(scipy.special.ndtri(0.5 + LEVEL / 2)) ** 2
    if cases <= 0:
        return 0.0, 1.0
    centre = (share + z2 / (2 * cases)) / (1 + z2 / cases)
    half = np.sqrt(z2 * (share * (1 - share) / cases + z2 / (4 * cases**2))) / (1 + z2 / cases)
    # at the ends the limits are 0 and 1 exactly; rounding must not make them −1e-17
    low, high = float(centre - half), float(centre + half)
    return low if share > 0 else 0.0, high if share < 1 else 1.0


def credit_intervals(
    earned: Credits,
    *,
    clusters: Mapping[str, str] | None = None,
    zero_division: ZeroDivision = "oaei",
) -> Intervals:
    """Return 95 % intervals of precision, recall and F1, by source entity or cluster of them.

    Each is a share v of n cases: of the found, of the reference, and for F1 of the (F + R)/(2 − v)
    that have its variance where correspondences are independent. Wilson's interval takes the
    smaller of n and v(1 − v)/Var, with Var = K/(K − 1) Σ ψ² over the K units (`ratios`).

    Parameters
    ----------
    earned
        Credits of one alignment under some measure. Where they are fractions, the intervals are
        wider than they need be.
    clusters
        Cluster by source entity; None: every entity for itself.
    zero_division
        What 0/0 means; its interval is the whole of [0, 1].

    Raises
    ------
    EvaluationError
        If alignment and reference are empty.

    Notes
    -----
    Wilson 1927. Mean coverage over P from .5 to .99 is about .95 from 10 cases on, the least .86;
    of F1 mostly .93 to .97 (the tests simulate it). The percentile interval covers .40 with 10.

    Examples
    --------
    >>> from evaluation.credit.credits import standard
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(10))
    >>> f1 = credit_intervals(standard(r, r))["f1"]
    >>> f1.estimate, round(f1.low, 3), f1.high
    (1.0, 0.839, 1.0)
    """
    parts = sums_by_unit({"": earned}, clusters)[0]
    if not len(parts):
        raise EvaluationError("alignment and reference are empty: no value has an interval")
    sums = parts.sum(axis=0)
    estimates = ratios(sums, zero_division).tolist()
    intervals = []
    for name, estimate in zip(earned.columns, estimates, strict=True):
        cases = {"precision": sums[1], "recall": sums[3]}.get(name, (sums[1] + sums[3]) / 2)
        if not cases > 0:
            intervals.append(Interval(name, estimate, *wilson(0.0, 0), np.nan))
            continue
        if name == "f1":
            cases *= 2 / (2 - estimate)
        influence = parts @ gradient(measure_of(name), sums)
        variance = small_sample(len(parts)) * float((influence**2).sum())
        if 0 < estimate < 1 and variance > 0:
            cases = min(cases, estimate * (1 - estimate) / variance)
        low, high = wilson(estimate, cases)
        intervals.append(Interval(name, estimate, low, high, variance**0.5))
    return Intervals(tuple(intervals), len(parts), 0, LEVEL, 0)


def score_intervals(
    alignment: Alignment, reference: Alignment, *, clusters: Mapping[str, str] | None = None
) -> Intervals:
    """Return 95 % intervals of ordinary precision, recall and F1, as `credit_intervals` does.

    Parameters
    ----------
    alignment, reference
        As for `evaluation.score`.
    clusters
        Cluster by source entity.

    Raises
    ------
    EvaluationError
        If alignment and reference are empty.

    Examples
    --------
    >>> from ontologies.alignment import Correspondence
    >>> r = Alignment(Correspondence(f"a{i}", f"b{i}") for i in range(100))
    >>> recall = score_intervals(r.where(lambda c: c.entity1 < "a6"), r)["recall"]
    >>> recall.estimate, round(recall.low, 3), round(recall.high, 3)
    (0.56, 0.462, 0.654)
    """
    kept = judged(alignment, reference)
    return credit_intervals(standard(kept.alignment, kept.reference), clusters=clusters)
