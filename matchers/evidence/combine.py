"""Combination: the mean of several metrics, sharpened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from alignrank.common.errors import MatcherError
from alignrank.matchers.metrics.metric import Matrix, Metric

from .own import Evidence, Groups, kind_matrices, sees_no_strings


def combine(
    members: Sequence[tuple[Metric, float]], power: float = 1.0, passes: int = 1, name: str = ""
) -> Evidence:
    """Return the weighted mean of several metrics, raised to a power.

    With similarities s_k and weights w_k: (sum_k w_k s_k / sum_k w_k) ** power. A power above 1
    sharpens: it lets one good pair count more than two middling ones. The order of the
    similarities stays, but not the assignment of the largest total. A metric that looks around
    (`structure`) starts from the mean of the metrics that do not; in a second pass, from the
    result of the first.

    Parameters
    ----------
    members
        Metrics and their weights, which are above 0.
    power
        Above 0.
    passes
        How often a metric that looks around is computed, 1 or more.
    name
        Name of the combination; '' for its formula.

    Raises
    ------
    MatcherError
        If there is no metric, a weight or the power is not above 0, or there are several passes
        without both a metric that looks around and one that does not.

    Examples
    --------
    >>> from alignrank.matchers import get_metric
    >>> combine([(get_metric("ngram"), 2.0), (get_metric("words"), 1.0)], power=2).name
    'combine:2*ngram+words:power=2'
    """
    if not members:
        raise MatcherError("a combination needs a metric: as combine:ngram+words")
    for metric, weight in members:
        _check_above_zero(f"weight of {metric.name!r}", weight)
    _check_above_zero("power", power)
    alone = [member for member in members if not _looks_around(member[0])]
    around = [member for member in members if _looks_around(member[0])]
    if passes < 1 or (passes > 1 and not (alone and around)):
        raise MatcherError(
            f"{passes} passes: 1 or more, and more than 1 only of a metric that looks around "
            "(structure) with one that does not"
        )
    weight_alone = sum(weight for _, weight in alone)
    all_weights = sum(weight for _, weight in members)

    def matrices(groups: Groups, estimates: Sequence[Matrix] | None) -> list[Matrix]:
        sums_alone = _weighted_sum(alone, groups, None)
        if alone:
            estimates = [matrix / weight_alone for matrix in sums_alone]
        for _ in range(passes):
            sums_around = _weighted_sum(around, groups, estimates)
            sums = map(np.add, sums_alone, sums_around)
            estimates = [matrix / all_weights for matrix in sums]
        assert estimates is not None, "there is a pass"
        return [np.minimum(matrix, 1.0) ** power for matrix in estimates]

    terms = [
        metric.name if weight == 1.0 else f"{weight:g}*{metric.name}" for metric, weight in members
    ]
    formula = "+".join(terms)
    summary = f"({formula}) / {all_weights:g}, to the power {power:g}"
    if not name:
        name = f"combine:{formula}"
        if power != 1:
            name += f":power={power:g}"
        if passes != 1:
            name += f":passes={passes}"
    if passes > 1:
        summary += f", in {passes} passes"
    return Evidence(
        name=name,
        family="evidence",
        similarity=sees_no_strings(name),
        matrices=matrices,
        looks_around=not alone,
        bytes_per_pair=24 + max(getattr(metric, "bytes_per_pair", 32) for metric, _ in members),
        summary=summary,
        source="ours; a weighted mean",
        symmetric=all(metric.symmetric for metric, _ in members),
    )


def with_equal_names(evidence: Evidence) -> Evidence:
    """Return evidence by which entities with an equal name have similarity 1.

    All mutually best pairs are chosen: n:m where several entities have the same name.
    """

    def matrices(groups: Groups, estimates: Sequence[Matrix] | None) -> list[Matrix]:
        raised = evidence.matrices(groups, estimates)
        for group, matrix in zip(groups, raised, strict=True):
            rows_by_name = defaultdict(set)
            for row, names in enumerate(group.source.names):
                for name in names:
                    rows_by_name[name].add(row)
            for column, names in enumerate(group.target.names):
                for name in names:
                    matrix[list(rows_by_name[name]), column] = 1.0
        return raised

    return replace(evidence, matrices=matrices, all_best=True)


def _check_above_zero(name: str, value: float) -> None:
    if not 0.0 < value < np.inf:
        raise MatcherError(f"the {name} is {value:g}: it must be above 0")


def _looks_around(metric: Metric) -> bool:
    return isinstance(metric, Evidence) and metric.looks_around


def _weighted_sum(
    members: Sequence[tuple[Metric, float]], groups: Groups, estimates: Sequence[Matrix] | None
) -> list[Matrix]:
    totals = [np.zeros((len(group.source), len(group.target))) for group in groups]
    for metric, weight in members:
        matrices = kind_matrices(groups, metric, estimates=estimates)
        for total, matrix in zip(totals, matrices, strict=True):
            total += weight * np.minimum(matrix, 1.0)
    return totals
