"""Combination: the mean of several metrics, sharpened."""

from __future__ import annotations

from collections.abc import Sequence

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
    (`structure`) starts from the mean of those that do not; in a second pass, from the mean of all
    that the first has found.

    Parameters
    ----------
    members
        Metrics and their weights, which are above 0.
    power
        Above 0.
    passes
        How often a metric that looks around is asked, 1 or more.
    name
        What it is called; '' for its formula.

    Raises
    ------
    MatcherError
        If there is no metric, a weight or the power is not above 0, or there are several passes
        and nothing that looks around from what others have found.

    Examples
    --------
    >>> from alignrank.matchers import get_metric
    >>> combine([(get_metric("ngram"), 2.0), (get_metric("words"), 1.0)], power=2).name
    'combine:2*ngram+words:power=2'
    """
    if not members:
        raise MatcherError("a combination needs a metric: as combine:ngram+words")
    for what, value in [*((f"weight of {m.name!r}", w) for m, w in members), ("power", power)]:
        if not 0.0 < value < np.inf:
            raise MatcherError(f"the {what} is {value:g}: it must be above 0")
    by_itself = [member for member in members if not _looks_around(member[0])]
    around = [member for member in members if _looks_around(member[0])]
    if passes < 1 or (passes > 1 and not (by_itself and around)):
        raise MatcherError(
            f"{passes} passes: 1 or more, and more than 1 only of a metric that looks around "
            "(structure) with one that does not"
        )
    all_weights = sum(weight for _, weight in members)

    def matrices(groups: Groups, known: Sequence[Matrix] | None) -> list[Matrix]:
        alone = _weighted_sum(by_itself, groups, None)
        if by_itself:
            known = [one / sum(weight for _, weight in by_itself) for one in alone]
        for _ in range(passes):
            seen = _weighted_sum(around, groups, known)
            known = [(one + two) / all_weights for one, two in zip(alone, seen, strict=True)]
        assert known is not None, "there is a pass"
        return [np.minimum(one, 1.0) ** power for one in known]

    formula = "+".join((f"{w:g}*" if w != 1.0 else "") + metric.name for metric, w in members)
    name = name or f"combine:{formula}" + "".join(
        f":{option}={value:g}"
        for option, value in (("power", power), ("passes", passes))
        if value != 1
    )
    return Evidence(
        name=name,
        family="evidence",
        similarity=sees_no_strings(name),
        matrices=matrices,
        looks_around=not by_itself,
        bytes_per_pair=24 + max(getattr(metric, "bytes_per_pair", 32) for metric, _ in members),
        summary=f"({formula}) / {all_weights:g}, to the power {power:g}"
        + (f", in {passes} passes" if passes > 1 else ""),
        source="ours; a weighted mean",
        symmetric=all(metric.symmetric for metric, _ in members),
    )


def _looks_around(metric: Metric) -> bool:
    return isinstance(metric, Evidence) and metric.looks_around


def _weighted_sum(
    members: Sequence[tuple[Metric, float]], groups: Groups, known: Sequence[Matrix] | None
) -> list[Matrix]:
    total = [np.zeros((len(group.source), len(group.target))) for group in groups]
    for metric, weight in members:
        for one, matrix in zip(total, kind_matrices(groups, metric, known=known), strict=True):
            one += weight * np.minimum(matrix, 1.0)
    return total
