"""Precision and recall where near misses earn part of the credit.

`relaxed` is that of Ehrig & Euzenat (2005), `categorised` that of Sun & Lim (2001).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from alignrank.ontologies.alignment import Alignment, Correspondence
from alignrank.ontologies.hierarchy import Hierarchy

from .near_pairs import (
    DEFAULT,
    PRECISION,
    PROXIMITIES,
    RECALL,
    Proximity,
    RelaxedOptions,
    TargetSimilarity,
    best_match,
    near_pairs,
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
    precision, recall, f1
        ω/|A|, ω/|R|, and their harmonic mean. ω is the sum of the credits of A, and of R, which
        differ only for ``oriented``: it takes precision from the precision-oriented and recall from
        the recall-oriented overlap.
    matches
        The best match, in the order of the found correspondences; for ``oriented`` that of the
        precision-oriented overlap. The best match need not be unique, but ω is.
    credits
        Proximity earned by each found and each reference correspondence; its cautions name
        entities that the hierarchies lack, which earn credit for equality only, and collapsed
        cycles.
    """

    precision: float
    recall: float
    f1: float
    matches: tuple[Match, ...]
    credits: Credits

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
) -> RelaxedScores:
    r"""Return relaxed precision and recall of an alignment.

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
    if isinstance(proximity, str):
        refuse_unknown("proximity", proximity, (*PROXIMITIES, "oriented"), EvaluationError)
    evaluated = without_unknown(alignment, reference)
    a, r = tuple(evaluated.alignment), tuple(evaluated.reference)

    def matched(of_pairs: Proximity | TargetSimilarity) -> dict[tuple[int, int], Match]:
        near = near_pairs(a, r, (source, target), of_pairs, options)
        # Of several matches of equal overlap the one with the most equal pairs is easiest to read.
        # The advantage is smaller than any difference between table values.
        weights = {ij: p.value if p.link else p.value + 1e-12 for ij, p in near.items()}
        best = sorted(best_match(weights, len(a), len(r)).items())
        return {(i, j): Match(a[i], r[j], *near[i, j]) for i, j in best}

    if proximity == "oriented":
        matches, recalled = matched(PRECISION), matched(RECALL)
    else:
        matches = recalled = matched(
            PROXIMITIES[proximity] if isinstance(proximity, str) else proximity
        )
    found_credit, correct_credit = [0.0] * len(a), [0.0] * len(r)
    for (i, _), match in matches.items():
        found_credit[i] = match.proximity
    for (_, j), match in recalled.items():
        correct_credit[j] = match.proximity
    undeclared = {c.entity1 for c in (*a, *r) if c.entity1 not in source}
    undeclared |= {c.entity2 for c in (*a, *r) if c.entity2 not in target}
    cautions = _cautions(sorted(undeclared), source, target)
    if options.confidence == "paper":
        cautions += unstated_confidences(alignment)
    earned = Credits.unweighted(a, r, found_credit, correct_credit, cautions)
    return RelaxedScores(**vars(earned.scores()), matches=tuple(matches.values()), credits=earned)


def _cautions(undeclared: list[str], source: Hierarchy, target: Hierarchy) -> tuple[str, ...]:
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
    r"""Evaluate an alignment as hierarchical categorisation: source entities under target classes.

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
    >>> evaluation = categorised(a, Alignment([Correspondence("Car", "Automobile")]), cars)
    >>> evaluation.resampled(np.ones((1, 1)), {"Car": 0}).round(4).tolist()
    [[0.6667, 0.6667, 0.6667]]
    """
    evaluated = without_unknown(alignment, reference)
    found, correct = evaluated.alignment, evaluated.reference
    counts = standard(found, correct)
    contributed = Credits.unweighted(
        found,
        correct,
        _contributions(found, correct, target),
        _contributions(correct, found, target),
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


def _contributions(alignment: Alignment, compared: Alignment, target: Hierarchy) -> list[float]:
    """Return what each correspondence contributes; 0 if both alignments hold it."""
    targets = targets_by_source(compared)
    above = {name: _above(name, target) for name in {c.entity2 for c in (*alignment, *compared)}}
    contributions = []
    for c in alignment:
        shares = [
            1 - _links(above[c.entity2], above[partner]) / ACCEPTABLE_LINKS
            for partner in targets.get(c.entity1, ())
            if c not in compared
        ]
        contributions.append(float(np.clip(sum(shares), -1, 1)))
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
