"""Relaxed precision and recall (Ehrig & Euzenat 2005): near misses earn part of the credit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from alignrank.common.errors import EvaluationError
from alignrank.common.names import refuse_unknown
from alignrank.common.table import Frame, Tabular, frame
from alignrank.evaluation.credit.counts import judged
from alignrank.evaluation.credit.credits import Credits, ZeroDivision, unstated_confidences
from alignrank.ontologies.alignment import Alignment, Correspondence
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
    overlap_precision, overlap_recall
        The overlaps ω, in [0, min(found, reference)]; they differ only for ``oriented``.
    found, reference
        |A| and |R|.
    precision, recall, f1
        ω/|A|, ω/|R|, and their harmonic mean.
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
    overlap_precision: float
    overlap_recall: float
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
    evaluated = judged(alignment, reference)
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
        float(earned.found_credit.sum()),
        float(earned.reference_credit.sum()),
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
