"""Near misses: pairs of a found and a correct correspondence that are a few links apart.

`NearPairs` finds all of them, weighted by a proximity, for the relaxed measures. `near_miss` finds
the right pair that is a step away from a single wrong pair, for tables of cases.
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
    """A proximity in (0, 1], and the links between the two ('' for none)."""

    value: float
    link: str


class NearPairs:
    """All pairs (found, correct) of positive proximity, from the links of the hierarchies.

    The work is proportional to the number of links of the entities, not to |A| x |R|.

    Parameters
    ----------
    found, correct
        The correspondences.
    source, target
        Hierarchies of the two ontologies.
    options
        Choices that the paper leaves open.
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
            source_node = source.nodes.get(c.entity1, c.entity1)
            target_node = target.nodes.get(c.entity2, c.entity2)
            self._index[source_node][target_node].append(j)

    def of(self, proximity: Proximity | TargetSimilarity) -> dict[tuple[int, int], Near]:
        """Return the proximity of each candidate (index of found, index of correct)."""
        if isinstance(proximity, Proximity):
            table = proximity
            if self._options.direction == "backward":
                table = proximity.swapped()
            pairs = self._by_table(table)
        else:
            table = SYMMETRIC
            pairs = self._by_similarity(proximity)
        result = {}
        for i, j, pair in pairs:
            c = self.found[i]
            r = self.correct[j]
            value = self._options.combine(table, pair.value, c, r)
            if value > 0:
                result[i, j] = Near(value, _described(pair.link, c, r))
        return result

    def _by_table(self, table: Proximity) -> Iterator[tuple[int, int, Near]]:
        source, target = (
            _side(hierarchy, k, table.concepts, table.individuals, self._options.max_distance)
            for k, hierarchy in enumerate(self._hierarchies)
        )
        for i, c in enumerate(self.found):
            near_target = target.near(c.entity2)
            unmoved = {n for n, near in near_target.items() if not near.link}
            for source_node, near1 in source.near(c.entity1).items():
                row = self._index.get(source_node)
                if row is None:
                    continue
                target_nodes = row.keys() & near_target.keys()
                if near1.link and self._options.both_sides == "zero":
                    target_nodes &= unmoved
                for target_node in target_nodes:
                    near2 = near_target[target_node]
                    link = ", ".join(filter(None, (near1.link, near2.link)))
                    for j in row[target_node]:
                        yield i, j, Near(near1.value * near2.value, link)

    def _by_similarity(self, similarity: TargetSimilarity) -> Iterator[tuple[int, int, Near]]:
        source, target = self._hierarchies
        for i, c in enumerate(self.found):
            row = self._index.get(source.nodes.get(c.entity1, c.entity1), {})
            node = target.nodes.get(c.entity2, c.entity2)
            for correct_node, places in row.items():
                if correct_node == node:
                    near = Near(1.0, "")
                elif _is_class(target, node) and _is_class(target, correct_node):
                    near = Near(similarity(correct_node, node), "target")
                else:
                    continue
                for j in places:
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
        self._concepts = concepts
        self._individuals = individuals
        self._limit = limit
        self._near: dict[str, Mapping[str, Near]] = {}

    def near(self, entity: str) -> Mapping[str, Near]:
        node = self._hierarchy.nodes.get(entity)
        if node is None:
            return {entity: Near(1.0, "")}
        if node not in self._near:
            self._near[node] = dict(self._links(node))
        return self._near[node]

    def _links(self, node: str) -> Iterator[tuple[str, Near]]:
        weights = self._concepts
        if self._hierarchy.kinds.get(node) is Kind.INDIVIDUAL:
            weights = self._individuals
        yield node, Near(1.0, "")
        for direction, distances in (
            ("super", self._hierarchy.distances_up(node, self._limit)),
            ("sub", self._hierarchy.distances_down(node, self._limit)),
        ):
            weight: float = getattr(weights, f"{self._name}_{direction}")
            for relative, distance in distances.items():
                if distance and weight > 0:
                    steps = f" {distance}" if distance > 1 else ""
                    yield relative, Near(weight**distance, f"{self._name} {direction}{steps}")


#: Cached: all alignments of a task need the same tables.
_side = lru_cache(maxsize=16)(_Side)


def _is_class(hierarchy: Hierarchy, node: str) -> bool:
    return node in hierarchy.parents and hierarchy.kinds.get(node, Kind.CLASS) is Kind.CLASS


def _described(link: str, found: Correspondence, correct: Correspondence) -> str:
    if not link and found.pair != correct.pair:
        link = "equivalent"
    if found.relation != correct.relation:
        return ", ".join(filter(None, (link, "relation")))
    return link


def near_miss(
    found1: str,
    found2: str,
    partners: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
    parents: tuple[Parents, Parents],
) -> tuple[str, str, int] | None:
    """Return a right pair that is a step away from a wrong one, and the step; None without one.

    Parameters
    ----------
    found1, found2
        The wrong pair.
    partners
        Right targets by source, and right sources by target.
    parents
        Parents of the source's and of the target's entities.

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
                    if side == 0:
                        return fixed, partner, step
                    return partner, fixed, 2 + step
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
    pairs = sorted(weights)
    column_of = dict(pairs)
    if len(set(column_of.values())) == len(column_of) == len(pairs):
        return column_of  # no two pairs share a row or a column
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
