"""Precision and recall where near misses earn part of the credit.

`relaxed` is that of Ehrig & Euzenat (2005), `categorised` that of Sun & Lim (2001).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import without_unknown
from alignrank.evaluation.credit.credits import (
    Credits,
    Derived,
    FloatArray,
    ZeroDivision,
    ratios,
    standard,
    unstated_confidences,
)
from alignrank.ontologies.alignment import Alignment, Correspondence, Key
from alignrank.ontologies.hierarchy import Hierarchy

from .near_pairs import (
    DEFAULT,
    PRECISION,
    PROXIMITIES,
    RECALL,
    NearPairs,
    Proximity,
    RelaxedOptions,
    TargetSimilarity,
    best_match,
)

#: A wrong target at this distance contributes nothing; a nearer one adds, a farther one takes away.
ACCEPTABLE_LINKS = 2


class Match(NamedTuple):
    """A found correspondence and the correct one for which it earns credit.

    `link` is '' for the same pair, else the steps from the found pair to the correct one (``target
    super``: the correct pair is (e, super-entity of e')), and ``relation`` if the relations differ.
    """

    found: Correspondence
    correct: Correspondence
    proximity: float
    link: str


@dataclass(frozen=True, eq=False)
class RelaxedScores(Tabular):
    """Relaxed precision, recall and F1, and the matches behind them.

    Parameters
    ----------
    name
        Name of the proximity; ``oriented`` takes precision from the precision-oriented and recall
        from the recall-oriented overlap.
    found, reference
        |A| and |R|.
    precision, recall, f1
        ω/|A|, ω/|R|, and their harmonic mean. ω is the sum of the credits of A, and of R, which
        differ only for ``oriented``.
    matches
        The best match, in the order of the found correspondences; for ``oriented`` that of the
        precision-oriented overlap. The best match need not be unique, but ω is.
    credits
        Proximity earned by each found and each reference correspondence; its cautions name
        undeclared entities and collapsed cycles.
    undeclared
        Entities of the two alignments that the hierarchies lack: they have no links, so they earn
        credit for equality only.
    """

    name: str
    found: int
    reference: int
    precision: float
    recall: float
    f1: float
    matches: tuple[Match, ...]
    credits: Credits
    undeclared: tuple[str, ...]

    @property
    def near_misses(self) -> tuple[Match, ...]:
        """Matches of correspondences that are not the same."""
        return tuple(m for m in self.matches if m.link)

    def to_frame(self) -> Frame:
        """Return the matches as a table."""
        columns = ["entity1", "entity2", "relation", "correct1", "correct2", "correct_relation"]
        rows = [(*m.found.key, *m.correct.key, m.proximity, m.link) for m in self.matches]
        return frame(rows, columns=[*columns, "proximity", "link"])


def relaxed(
    alignment: Alignment,
    reference: Alignment,
    source: Hierarchy,
    target: Hierarchy,
    proximity: str | Proximity | TargetSimilarity = "symmetric",
    *,
    options: RelaxedOptions = DEFAULT,
    zero_division: ZeroDivision = "oaei",
) -> RelaxedScores:
    r"""Judge an alignment by relaxed precision and recall.

    .. math:: \omega(A, R) = \max_M \sum_{(a, r) \in M} \sigma(a, r), \quad
              P = \omega / |A|, \quad R = \omega / |R|

    where no correspondence occurs twice in the match M (Definition 5), and σ is the product of the
    factors of the pair, the relation and the confidence (Definition 6).

    Parameters
    ----------
    alignment, reference
        A and R. Pairs that the reference marks ``?`` leave both.
    source, target
        Hierarchies of the two ontologies (`Hierarchy.of`, which also decides on equivalents,
        redundant links and part-of).
    proximity
        ``equality``, ``symmetric``, ``effort``, ``precision``, ``recall``, ``oriented``; a
        `Proximity` of your own; or a function (correct, found) of two target classes, such as a
        `BalancedDistance`, whose value is the pair factor where the sources are the same.
    options
        Choices that the paper leaves open.
    zero_division
        What 0/0 means.

    Returns
    -------
    RelaxedScores

    Raises
    ------
    EvaluationError
        If the proximity is unknown.

    References
    ----------
    Ehrig & Euzenat (2005), "Relaxed precision and recall for ontology matching".

    Examples
    --------
    >>> cars = Hierarchy.of_parents({"Porsche": ["Automobile"]})
    >>> a = Alignment([Correspondence("Car", "Porsche")])
    >>> r = Alignment([Correspondence("Car", "Automobile")])
    >>> scores = relaxed(a, r, Hierarchy.of_parents({}, entities=["Car"]), cars)
    >>> scores.precision, scores.near_misses[0].link
    (0.5, 'target super')
    """
    evaluated = without_unknown(alignment, reference)
    a = tuple(evaluated.alignment)
    r = tuple(evaluated.reference)
    pairs = NearPairs(a, r, source, target, options)
    if isinstance(proximity, str):
        refuse_unknown("proximity", proximity, (*PROXIMITIES, "oriented"), EvaluationError)
    if proximity == "oriented":
        name = proximity
        matches = _matches(pairs, PRECISION)
        recalled = _matches(pairs, RECALL)
    else:
        if isinstance(proximity, str):
            proximity = PROXIMITIES[proximity]
        name = getattr(proximity, "name", "target similarity")
        matches = recalled = _matches(pairs, proximity)
    found_credit = [0.0] * len(a)
    correct_credit = [0.0] * len(r)
    for i, _, match in matches:
        found_credit[i] = match.proximity
    for _, j, match in recalled:
        correct_credit[j] = match.proximity
    undeclared = _undeclared([*a, *r], source, target)
    cautions = _cautions(undeclared, source, target)
    if options.confidence == "paper":
        cautions += unstated_confidences(alignment)
    earned = Credits.unweighted(a, r, found_credit, correct_credit, cautions)
    scores = earned.scores(zero_division)
    return RelaxedScores(
        name,
        len(a),
        len(r),
        scores.precision,
        scores.recall,
        scores.f1,
        tuple(match for _, _, match in matches),
        earned,
        undeclared,
    )


def _matches(
    pairs: NearPairs, proximity: Proximity | TargetSimilarity
) -> list[tuple[int, int, Match]]:
    near = pairs.of(proximity)
    # Of several matches of equal overlap the one with the most equal pairs is easiest to read. The
    # advantage is smaller than any difference between table values.
    weights = {ij: p.value if p.link else p.value + 1e-12 for ij, p in near.items()}
    best = best_match(weights, len(pairs.found), len(pairs.correct))
    matches = []
    for i, j in sorted(best.items()):
        matches.append((i, j, Match(pairs.found[i], pairs.correct[j], *near[i, j])))
    return matches


def _undeclared(
    correspondences: Sequence[Correspondence], source: Hierarchy, target: Hierarchy
) -> tuple[str, ...]:
    unknown = {c.entity1 for c in correspondences if c.entity1 not in source}
    unknown |= {c.entity2 for c in correspondences if c.entity2 not in target}
    return tuple(sorted(unknown))


def _cautions(undeclared: tuple[str, ...], source: Hierarchy, target: Hierarchy) -> tuple[str, ...]:
    cautions = []
    if undeclared:
        cautions.append(
            f"Entities that no hierarchy holds: {len(undeclared)}, such as {undeclared[0]}; they "
            "earn credit for equality only."
        )
    cycles = [*source.cycles, *target.cycles]
    if cycles:
        cautions.append(
            "Cycles in the hierarchies, each collapsed to one entity: "
            f"{len(cycles)}, such as {' < '.join(cycles[0][:3])}."
        )
    return tuple(cautions)


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
    evaluated = without_unknown(alignment, reference)
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
    targets = targets_by_source(side)
    above = {name: _above(name, target) for name in {c.entity2 for c in (*wrong, *side)}}
    contributions = {}
    for c in wrong - side:
        shares = [
            1 - _links(above[c.entity2], above[other]) / ACCEPTABLE_LINKS
            for other in targets.get(c.entity1, ())
        ]
        contributions[c.key] = float(np.clip(sum(shares), -1, 1))
    return contributions


def targets_by_source(alignment: Alignment) -> dict[str, list[str]]:
    """Return the target entities of each source entity."""
    targets: dict[str, list[str]] = {}
    for c in alignment:
        targets.setdefault(c.entity1, []).append(c.entity2)
    return targets


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
