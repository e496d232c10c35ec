"""Precision and recall of hierarchical categorisation by distance (Sun & Lim 2001)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import (
    Credits,
    Derived,
    FloatArray,
    ZeroDivision,
    ratios,
    standard,
)
from alignrank.ontologies.alignment import Alignment, Key
from alignrank.ontologies.hierarchy import Hierarchy

#: A wrong target at this distance contributes nothing; a nearer one adds, a farther one takes away.
ACCEPTABLE_LINKS = 2


def categorised(alignment: Alignment, reference: Alignment, target: Hierarchy) -> Derived:
    r"""Judge an alignment as hierarchical categorisation: source entities under target classes.

    .. math:: P = \frac{\max(0, |A \cap R| + FpCon + FnCon)}{|A| + FnCon}, \quad
              R = \frac{\max(0, |A \cap R| + FpCon + FnCon)}{|R| + FpCon}

    FpCon sums over the wrong correspondences of A, FnCon over those that A lacks. Each contributes
    Σ (1 − d / `ACCEPTABLE_LINKS`), cut to [−1, 1], over the other side's targets of its source
    entity, at d links in the taxonomy; a virtual root joins the top classes.

    Parameters
    ----------
    alignment, reference
        A and R. Pairs that the reference marks ``?`` leave both.
    target
        The taxonomy. A target that it lacks is as far from all others as can be.

    References
    ----------
    Sun & Lim (2001), "Hierarchical text classification and evaluation"; without their similarity
    of categories. Ehrig & Euzenat (2005, section 6) quote it with a caution: it can be lower than
    precision and recall, and its divisor is not justified.

    Examples
    --------
    >>> from alignrank.ontologies.alignment import Correspondence
    >>> cars = Hierarchy.of_parents({"Porsche": ["Automobile"]})
    >>> a = Alignment([Correspondence("Car", "Porsche")])
    >>> judgement = categorised(a, Alignment([Correspondence("Car", "Automobile")]), cars)
    >>> judgement.resampled(np.ones((1, 1)), {"Car": 0}).round(4).tolist()
    [[0.6667, 0.6667, 0.6667]]
    """
    evaluated = judged(alignment, reference)
    found, right = evaluated.alignment, evaluated.reference
    counts = standard(found, right)
    of_wrong = _contributions(found, right, target)
    of_missed = _contributions(right, found, target)
    contributed = Credits.unweighted(
        found,
        right,
        [of_wrong.get(c.key, 0.0) for c in found],
        [of_missed.get(c.key, 0.0) for c in right],
    )

    def resampled(
        weights: FloatArray, index: Mapping[str, int], zero_division: ZeroDivision
    ) -> FloatArray:
        correct, of_found, _, of_reference = counts.resampled_sums(weights, index).T
        wrong, _, missed, _ = contributed.resampled_sums(weights, index).T
        near = np.maximum(correct + wrong + missed, 0.0)
        # contributions below -|A| leave no divisor, and nothing above it either
        precise = np.where(of_found + missed > 0, of_found + missed, of_found)
        complete = np.where(of_reference + wrong > 0, of_reference + wrong, of_reference)
        return ratios(np.stack([near, precise, near, complete], axis=1), zero_division)

    caution = (
        "Contributions of distant targets are negative: these values can be lower than precision "
        "and recall (Ehrig & Euzenat 2005)."
    )
    return Derived(Credits.columns, counts.sources, resampled, (caution,))


def _contributions(wrong: Alignment, side: Alignment, target: Hierarchy) -> dict[Key, float]:
    """Return what each correspondence of one side contributes that `side`, the other, lacks."""
    targets: dict[str, list[str]] = {}
    for c in side:
        targets.setdefault(c.entity1, []).append(c.entity2)
    above = {name: _above(name, target) for name in {c.entity2 for c in (*wrong, *side)}}
    contributions = {}
    for c in wrong - side:
        shares = [
            1 - _links(above[c.entity2], above[other]) / ACCEPTABLE_LINKS
            for other in targets.get(c.entity1, ())
        ]
        contributions[c.key] = float(np.clip(sum(shares), -1, 1))
    return contributions


def _above(name: str, taxonomy: Hierarchy) -> dict[str, int]:
    """Return the distance to the class itself and all above it; "" is the virtual root."""
    if name not in taxonomy:
        return {name: 0}
    above = taxonomy.distances_up(taxonomy.node(name))
    depth = min(distance for node, distance in above.items() if not taxonomy.parents[node])
    return {**above, "": depth + 1}


def _links(above: Mapping[str, int], also_above: Mapping[str, int]) -> float:
    """Return the number of links between two classes, by the nearest class above both."""
    common = above.keys() & also_above.keys()
    return min((above[node] + also_above[node] for node in common), default=math.inf)
