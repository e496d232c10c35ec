"""Near misses: pairs of a found and a correct correspondence that are a few links apart.

`NearPairs` finds all of them, weighted by a proximity, for the relaxed measures; `near_miss` tells
of a single wrong pair whether a right one is a step away, for who looks at the cases one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from alignrank.ontologies.alignment import Correspondence
from alignrank.ontologies.hierarchy import Hierarchy
from alignrank.ontologies.ontology import Kind

from .proximity import SYMMETRIC, PairWeights, Proximity, RelaxedOptions

#: Parents of every entity of an ontology, by IRI.
Parents = Mapping[str, Sequence[str]]
#: Proximity of two classes of the target ontology, called as (correct, found), in [0, 1].
TargetSimilarity = Callable[[str, str], float]


class Near(NamedTuple):
    """A value in (0, 1] and the links that lead there ('' for none)."""

    value: float
    link: str


class NearPairs:
    """All pairs (found, correct) of positive proximity, generated from the hierarchies' links.

    The work is proportional to the links of the entities that occur, not to |A| x |R|.

    Parameters
    ----------
    found, correct
        The correspondences.
    source, target
        Hierarchies of the two ontologies.
    options
        What the paper leaves open.
    """

    def __init__(
        self,
        found: Sequence[Correspondence],
        correct: Sequence[Correspondence],
        source: Hierarchy,
        target: Hierarchy,
        options: RelaxedOptions,
    ) -> None:
        self.found = found
        self.correct = correct
        self._hierarchies = (source, target)
        self._options = options
        self._index: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for j, c in enumerate(correct):
            self._index[source.nodes.get(c.entity1, c.entity1)][
                target.nodes.get(c.entity2, c.entity2)
            ].append(j)

    def of(self, proximity: Proximity | TargetSimilarity) -> dict[tuple[int, int], Near]:
        """Return the proximity of each candidate (index of found, index of correct)."""
        if isinstance(proximity, Proximity):
            backward = self._options.direction == "backward"
            table = proximity.swapped() if backward else proximity
            pairs = self._by_table(table)
        else:
            table = SYMMETRIC
            pairs = self._by_similarity(proximity)
        result = {}
        for i, j, pair in pairs:
            found, correct = self.found[i], self.correct[j]
            value = self._options.combine(table, pair.value, found, correct)
            if value > 0:
                result[i, j] = Near(value, _described(pair.link, found, correct))
        return result

    def _by_table(self, table: Proximity) -> Iterator[tuple[int, int, Near]]:
        limit = self._options.max_distance
        sides = [
            _side(h, k, table.concepts, table.individuals, limit)
            for k, h in enumerate(self._hierarchies)
        ]
        for i, c in enumerate(self.found):
            near1, near2 = sides[0].near(c.entity1), sides[1].near(c.entity2)
            stay2 = {n: near for n, near in near2.items() if not near.link}
            for node1, one in near1.items():
                row = self._index.get(node1)
                if row is None:
                    continue
                one_sided = one.link and self._options.both_sides == "zero"
                for node2 in row.keys() & (stay2 if one_sided else near2).keys():
                    two = near2[node2]
                    link = ", ".join(x for x in (one.link, two.link) if x)
                    for j in row[node2]:
                        yield i, j, Near(one.value * two.value, link)

    def _by_similarity(self, similarity: TargetSimilarity) -> Iterator[tuple[int, int, Near]]:
        source, target = self._hierarchies
        for i, c in enumerate(self.found):
            row = self._index.get(source.nodes.get(c.entity1, c.entity1), {})
            node = target.nodes.get(c.entity2, c.entity2)
            for other in row:
                if other == node:
                    near = Near(1.0, "")
                elif _is_class(target, node) and _is_class(target, other):
                    near = Near(similarity(other, node), "target")
                else:
                    continue
                for j in row[other]:
                    yield i, j, near


class _Side:
    """Entities near those of one ontology, with the weights of one proximity."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        side: int,
        concepts: PairWeights,
        individuals: PairWeights,
        limit: int,
    ) -> None:
        self._hierarchy = hierarchy
        self._name = ("source", "target")[side]
        self._concepts, self._individuals = concepts, individuals
        self._limit = limit
        self._known: dict[str, Mapping[str, Near]] = {}

    def near(self, entity: str) -> Mapping[str, Near]:
        node = self._hierarchy.nodes.get(entity)
        if node is None:
            return {entity: Near(1.0, "")}
        if node not in self._known:
            self._known[node] = dict(self._links(node))
        return self._known[node]

    def _links(self, node: str) -> Iterator[tuple[str, Near]]:
        individual = self._hierarchy.kinds.get(node) is Kind.INDIVIDUAL
        weights = self._individuals if individual else self._concepts
        yield node, Near(1.0, "")
        for direction, distances in (
            ("super", self._hierarchy.distances_up(node, self._limit)),
            ("sub", self._hierarchy.distances_down(node, self._limit)),
        ):
            weight: float = getattr(weights, f"{self._name}_{direction}")
            for other, distance in distances.items():
                if distance and weight > 0:
                    steps = f" {distance}" if distance > 1 else ""
                    yield other, Near(weight**distance, f"{self._name} {direction}{steps}")


#: The last ones are kept: the alignments of a task are judged by the same tables.
_side = lru_cache(maxsize=16)(_Side)


def _is_class(hierarchy: Hierarchy, node: str) -> bool:
    return node in hierarchy.parents and hierarchy.kinds.get(node, Kind.CLASS) is Kind.CLASS


def _described(link: str, found: Correspondence, correct: Correspondence) -> str:
    if not link and found.pair != correct.pair:
        link = "equivalent"
    if found.relation != correct.relation:
        link = f"{link}, relation" if link else "relation"
    return link


def near_miss(
    found1: str,
    found2: str,
    partners: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
    parents: tuple[Parents, Parents],
) -> tuple[str, str, int] | None:
    """Return the right pair that a wrong one misses by a step, and which step; None if none does.

    Parameters
    ----------
    found1, found2
        The wrong pair.
    partners
        Right targets by source, and right sources by target.
    parents
        Of the source's and the target's entities.

    Returns
    -------
    tuple
        Right source, right target, and 0 if the right target is the parent of the found one, 1 if
        it is a child, 2 if the right source is the parent of the found one, 3 if it is a child.
    """
    for side, (fixed, moved) in enumerate(((found1, found2), (found2, found1))):
        above = parents[1 - side]
        for partner in partners[side].get(fixed, ()):
            for step, (child, parent) in enumerate(((moved, partner), (partner, moved))):
                if parent in above.get(child, ()):
                    pair = (fixed, partner) if side == 0 else (partner, fixed)
                    return (*pair, 2 * side + step)
    return None


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
    alone = dict(sorted(weights))
    if len(set(alone.values())) == len(alone) == len(weights):
        return alone  # no pair competes with another
    pairs = np.array(sorted(weights), dtype=np.int64)
    value = np.array([weights[row, column] for row, column in pairs.tolist()])
    rows = np.arange(n_rows)
    # A column of its own lets each row stay unmatched. Costs are 2 - weight, so that none is the 0
    # that a sparse matrix does not store.
    graph = scipy.sparse.csr_array(
        (
            np.concatenate([2.0 - value, np.full(n_rows, 2.0)]),
            (np.concatenate([pairs[:, 0], rows]), np.concatenate([pairs[:, 1], n_columns + rows])),
        ),
        shape=(n_rows, n_columns + n_rows),
    )
    chosen_rows, chosen_columns = scipy.sparse.csgraph.min_weight_full_bipartite_matching(graph)
    return {
        int(row): int(column)
        for row, column in zip(chosen_rows, chosen_columns, strict=True)
        if column < n_columns
    }
