"""Precision and recall where near misses earn part of the credit.

`relaxed` is that of Ehrig & Euzenat (2005): `near_pairs` finds all pairs of a found and a correct
correspondence that are a few links apart, weighted by a proximity, and the best match of them earns
the credit. `categorised` is that of Sun & Lim (2001).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple

import numpy as np
import scipy

from alignrank.common.defaults import RELAXED_CHOICES
from alignrank.common.errors import EvaluationError
from alignrank.common.names import grouped, refuse_unknown
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
from alignrank.ontologies.ontology import Kind


def _check(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EvaluationError(f"{name} is {value!r}: a weight is a number")
    if not 0.0 <= value <= 1.0:
        raise EvaluationError(f"weight {name} is {value}: a proximity lies in [0, 1]")


@dataclass(frozen=True)
class PairWeights:
    """Proximity of the found pair (e, e') where the correct pair is one direct link away.

    Parameters
    ----------
    target_super
        The correct pair is (e, super-entity of e').
    source_super
        The correct pair is (super-entity of e, e').
    target_sub
        The correct pair is (e, sub-entity of e').
    source_sub
        The correct pair is (sub-entity of e, e').

    Raises
    ------
    EvaluationError
        If a weight is outside [0, 1].
    """

    target_super: float = 0.0
    source_super: float = 0.0
    target_sub: float = 0.0
    source_sub: float = 0.0

    def __post_init__(self) -> None:
        for name, weight in vars(self).items():
            _check(name, weight)

    def swapped(self) -> PairWeights:
        """Return the weights with the roles of the two ontologies exchanged."""
        return PairWeights(self.source_super, self.target_super, self.source_sub, self.target_sub)


@dataclass(frozen=True)
class Proximity:
    """A correspondence proximity (Definition 6): pair, relation and confidence factors.

    Identical components always have the factor 1.

    Parameters
    ----------
    name
        Name in outputs.
    concepts
        Weights of classes and properties.
    individuals
        Weights of individuals, along the part-of links of the hierarchy.
    relations
        Factor by (found, correct) relation; the order of the two does not matter.
    other_relations
        Factor of all other unequal relations.
    confidence
        ``difference``: 1 − |n_a − n_r|; ``nonzero``: 1 if both are above 0, else 0; ``equal``: 1 if
        the two are equal, else 0.

    Raises
    ------
    EvaluationError
        If a factor is outside [0, 1].

    Examples
    --------
    >>> mild = Proximity("mild", concepts=PairWeights(0.9, 0.9, 0.9, 0.9))
    >>> mild.relation("=", "="), mild.relation("=", "<")
    (1.0, 0.0)
    """

    name: str
    concepts: PairWeights = PairWeights()
    individuals: PairWeights = PairWeights()
    relations: Mapping[tuple[str, str], float] = field(default_factory=dict)
    other_relations: float = 0.0
    confidence: Literal["difference", "nonzero", "equal"] = "difference"

    def __post_init__(self) -> None:
        _check("other_relations", self.other_relations)
        for pair, value in self.relations.items():
            _check(f"of relations {' and '.join(pair)}", value)

    def relation(self, found: str, correct: str) -> float:
        """Return the relation factor."""
        if found == correct:
            return 1.0
        mirrored = self.relations.get((correct, found), self.other_relations)
        return self.relations.get((found, correct), mirrored)

    def agreement(self, found: float, correct: float) -> float:
        """Return the confidence factor."""
        if self.confidence == "difference":
            return 1.0 - abs(found - correct)
        if self.confidence == "nonzero":
            return float(found > 0 and correct > 0)
        return float(found == correct)

    def swapped(self) -> Proximity:
        """Return the proximity with the roles of the two ontologies exchanged."""
        inverse = {"<": ">", ">": "<"}
        relations = {}
        for (a, b), value in self.relations.items():
            relations[inverse.get(a, a), inverse.get(b, b)] = value
        return replace(
            self,
            concepts=self.concepts.swapped(),
            individuals=self.individuals.swapped(),
            relations=relations,
        )


@dataclass(frozen=True)
class RelaxedOptions:
    """Choices that the paper leaves open; each of them agrees with its Table 8.

    Parameters
    ----------
    both_sides
        Pairs that differ on both sides: ``zero`` (the tables list one-sided changes only) or the
        ``product`` of the two sides' values.
    max_distance
        Longest chain of links that counts; a weight v becomes v^d at distance d.
    confidence
        ``ignore``, so that no value is below ordinary precision and recall; or the ``paper``'s
        confidence factor.
    relations
        The ``paper``'s tables; ``ignore`` relations; or ``strict``: different is 0.
    aggregate
        ``product`` of the three factors (Definition 6), or their ``mean``, which the authors call
        more accurate for the effort. A pair factor of 0 stays 0.
    direction
        ``forward``: a query is asked in the source ontology and answered in the target; or
        ``backward``. It matters to the oriented proximities only.
    part_of
        IRIs of properties by which individuals are parts of others (`Hierarchy.of`).
    """

    both_sides: Literal["zero", "product"] = "zero"
    max_distance: int = 1
    confidence: Literal["ignore", "paper"] = "ignore"
    relations: Literal["paper", "ignore", "strict"] = "paper"
    aggregate: Literal["product", "mean"] = "product"
    direction: Literal["forward", "backward"] = "forward"
    part_of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, choices in RELAXED_CHOICES.items():
            refuse_unknown(name, getattr(self, name), choices, EvaluationError)
        if self.max_distance < 0:
            raise EvaluationError(f"max_distance {self.max_distance} is negative: use 0 or more")

    def combine(
        self, proximity: Proximity, pair: float, found: Correspondence, correct: Correspondence
    ) -> float:
        """Return σ(found, correct) from the pair factor and the two correspondences.

        Examples
        --------
        >>> found, correct = Correspondence("a", "x"), Correspondence("a", "x", "<")
        >>> RelaxedOptions().combine(SYMMETRIC, 1.0, found, correct)
        0.5
        """
        factors = [pair]
        if self.relations == "paper":
            factors.append(proximity.relation(found.relation, correct.relation))
        elif self.relations == "strict":
            factors.append(float(found.relation == correct.relation))
        if self.confidence == "paper":
            factors.append(proximity.agreement(found.confidence, correct.confidence))
        if self.aggregate == "mean" and pair > 0:
            return sum(factors) / len(factors)
        return math.prod(factors)


#: The defaults of `RelaxedOptions`.
DEFAULT = RelaxedOptions()

#: Definition 7: nothing but equality counts; its overlap is |A ∩ R| over whole correspondences.
EQUALITY = Proximity("equality", confidence="equal")

#: Definition 8, Tables 1 and 2: half the credit one link away, whatever the direction.
SYMMETRIC = Proximity(
    "symmetric",
    concepts=PairWeights(0.5, 0.5, 0.5, 0.5),
    individuals=PairWeights(0.5, 0.5, 0.5, 0.5),
    relations={("=", "<"): 0.5, ("=", ">"): 0.5},
)

#: Definition 9, Table 3: by correction effort; a super-entity is easier to find than a sub-entity.
EFFORT = Proximity(
    "effort",
    concepts=PairWeights(0.6, 0.6, 0.4, 0.4),
    individuals=PairWeights(0.6, 0.6, 0.4, 0.4),
    other_relations=0.5,
    confidence="nonzero",
)

#: Definition 10, Tables 4 and 5: all that a query returns should be right.
PRECISION = Proximity(
    "precision",
    concepts=PairWeights(target_super=1.0, source_super=0.5, target_sub=0.5, source_sub=1.0),
    individuals=PairWeights(target_super=0.5, source_super=0.0, target_sub=0.0, source_sub=0.5),
    relations={("=", "<"): 0.5, ("=", ">"): 1.0},
)

#: Definition 11, Tables 6 and 7: a query should miss nothing. Table 7 prints 0 for the rows ``=``
#: and ``<``; with it the recall of R against itself would be 0, while Table 8 says 1: both are 1.
RECALL = Proximity(
    "recall",
    concepts=PairWeights(target_super=0.5, source_super=1.0, target_sub=1.0, source_sub=0.5),
    individuals=PairWeights(target_super=0.0, source_super=0.5, target_sub=0.5, source_sub=0.0),
    relations={("=", "<"): 1.0, ("=", ">"): 0.5},
)

#: Proximities by name.
PROXIMITIES: Mapping[str, Proximity] = {
    p.name: p for p in (EQUALITY, SYMMETRIC, EFFORT, PRECISION, RECALL)
}


#: Proximity of two classes of the target ontology, called as (correct, found), in [0, 1].
TargetSimilarity = Callable[[str, str], float]


class Near(NamedTuple):
    """A proximity in (0, 1], and the links between the two ('' for none)."""

    value: float
    link: str


#: Indices of the correct correspondences, by the nodes of their source and of their target.
_Index = Mapping[str, Mapping[str, list[int]]]


def near_pairs(
    found: Sequence[Correspondence],
    correct: Sequence[Correspondence],
    hierarchies: tuple[Hierarchy, Hierarchy],
    proximity: Proximity | TargetSimilarity,
    options: RelaxedOptions,
) -> dict[tuple[int, int], Near]:
    """Return the proximity, where it is positive, by (index of found, index of correct).

    The work is proportional to the number of links of the entities, not to |A| x |R|.

    Parameters
    ----------
    found, correct
        The correspondences.
    hierarchies
        Hierarchies of the two ontologies.
    proximity, options
        As `alignrank.evaluation.measures.precision_recall.relaxed` takes them.
    """
    index: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for j, c in enumerate(correct):
        source, target = (h.nodes.get(e, e) for h, e in zip(hierarchies, c.pair, strict=True))
        index[source][target].append(j)
    if isinstance(proximity, Proximity):
        table = proximity
        if options.direction == "backward":
            table = proximity.swapped()
        pairs = _by_table(found, index, hierarchies, table, options)
    else:
        table = SYMMETRIC
        pairs = _by_similarity(found, index, hierarchies, proximity)
    near = {}
    for i, j, (factor, link) in pairs:
        value = options.combine(table, factor, found[i], correct[j])
        if value > 0:
            near[i, j] = Near(value, _described(link, found[i], correct[j]))
    return near


def _by_table(
    found: Sequence[Correspondence],
    index: _Index,
    hierarchies: tuple[Hierarchy, Hierarchy],
    table: Proximity,
    options: RelaxedOptions,
) -> Iterator[tuple[int, int, Near]]:
    near_source, near_target = (
        _near_entities(hierarchy, side, table.concepts, table.individuals, options.max_distance)
        for hierarchy, side in zip(hierarchies, ("source", "target"), strict=True)
    )
    for i, c in enumerate(found):
        targets = near_target(c.entity2)
        for source_node, (value1, link1) in near_source(c.entity1).items():
            row = index.get(source_node, {})
            for target_node in row.keys() & targets.keys():
                value2, link2 = targets[target_node]
                if link1 and link2 and options.both_sides == "zero":
                    continue
                link = ", ".join(filter(None, (link1, link2)))
                for j in row[target_node]:
                    yield i, j, Near(value1 * value2, link)


def _by_similarity(
    found: Sequence[Correspondence],
    index: _Index,
    hierarchies: tuple[Hierarchy, Hierarchy],
    similarity: TargetSimilarity,
) -> Iterator[tuple[int, int, Near]]:
    source, target = hierarchies
    for i, c in enumerate(found):
        node = target.nodes.get(c.entity2, c.entity2)
        for correct_node, places in index.get(source.nodes.get(c.entity1, c.entity1), {}).items():
            if correct_node == node:
                near = Near(1.0, "")
            elif _is_class(target, node) and _is_class(target, correct_node):
                near = Near(similarity(correct_node, node), "target")
            else:
                continue
            for j in places:
                yield i, j, near


# cached: all alignments of a task need the same entities
@lru_cache(maxsize=16)
def _near_entities(
    hierarchy: Hierarchy,
    side: str,
    concepts: PairWeights,
    individuals: PairWeights,
    max_distance: int,
) -> Callable[[str], Mapping[str, Near]]:
    """Return a function from an entity of a side to the nodes near it, by the weights."""
    directions = {"super": hierarchy.distances_up, "sub": hierarchy.distances_down}

    @cache
    def near(entity: str) -> Mapping[str, Near]:
        node = hierarchy.nodes.get(entity, entity)
        nodes = {node: Near(1.0, "")}
        if entity not in hierarchy.nodes:
            return nodes
        weights = concepts
        if hierarchy.kinds.get(node) is Kind.INDIVIDUAL:
            weights = individuals
        for direction, distances in directions.items():
            weight: float = getattr(weights, f"{side}_{direction}")
            for relative, distance in distances(node, max_distance).items():
                if distance and weight > 0:
                    steps = f" {distance}" if distance > 1 else ""
                    nodes[relative] = Near(weight**distance, f"{side} {direction}{steps}")
        return nodes

    return near


def _is_class(hierarchy: Hierarchy, node: str) -> bool:
    return node in hierarchy.parents and hierarchy.kinds.get(node, Kind.CLASS) is Kind.CLASS


def _described(link: str, found: Correspondence, correct: Correspondence) -> str:
    if not link and found.pair != correct.pair:
        link = "equivalent"
    if found.relation != correct.relation:
        return ", ".join(filter(None, (link, "relation")))
    return link


def best_match(
    weights: Mapping[tuple[int, int], float], n_rows: int, n_columns: int
) -> dict[int, int]:
    """Return the column of each matched row in an assignment of maximal total weight.

    Every row and every column is used at most once; pairs that `weights` does not hold cannot be
    matched. The memory is proportional to the number of pairs, never to ``n_rows * n_columns``.

    Parameters
    ----------
    weights
        Positive weight, at most 1, by (row, column).
    n_rows, n_columns
        Sizes of the two sets.

    Examples
    --------
    >>> best_match({(0, 0): 1.0, (0, 1): 0.8, (1, 0): 0.8}, 2, 2)
    {0: 1, 1: 0}
    """
    if not weights:
        return {}
    pairs = sorted(weights)
    rows, columns = np.array(pairs).T
    # A column of its own lets each row stay unmatched. Costs are 2 - weight, so that none is the 0
    # that a sparse matrix does not store.
    unmatched = np.arange(n_rows)
    cells = np.append(rows, unmatched), np.append(columns, n_columns + unmatched)
    costs = [2.0 - weights[pair] for pair in pairs] + [2.0] * n_rows
    graph = scipy.sparse.csr_array((costs, cells), shape=(n_rows, n_columns + n_rows))
    rows, columns = scipy.sparse.csgraph.min_weight_full_bipartite_matching(graph)
    matches = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: column for row, column in matches if column < n_columns}


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
    """Return the contribution of each correspondence; 0 if both alignments hold it."""
    targets = grouped(c.pair for c in compared)
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
