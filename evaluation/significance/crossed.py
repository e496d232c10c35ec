"""McNemar's test where items share clusters on several sides: classes with a common parent.

The signs of whole source clusters are flipped. Items of different source clusters can depend on
each other as well, because their targets share a parent. That dependence enlarges the variance of
the statistic, and the statistic is made smaller by the same factor before it is compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from alignrank.ontologies.ontology import Ontology

from .clustered import Clusters, parent_clusters, per_unit, sign_flips
from .mcnemar import Bools, Floats, Ints, PairTest


def grandparent_clusters(clusters: Clusters, ontology: Ontology) -> dict[str, str]:
    """Put the entities whose parents share a parent into one cluster.

    Parameters
    ----------
    clusters
        Cluster by entity, of `parent_clusters`.
    ontology
        The same ontology.

    Returns
    -------
    dict
        Cluster by entity; a cluster of parents that have no parent stays as it is.

    Examples
    --------
    >>> tree = {"rose": ("flower",), "fir": ("tree",), "flower": ("plant",), "tree": ("plant",)}
    >>> ontology = Ontology("", {}, parents=tree)
    >>> grandparent_clusters(parent_clusters(ontology), ontology)["rose"]
    'plant'
    """
    parents = parent_clusters(ontology)
    grandparents = {}
    for entity, cluster in clusters.items():
        parent = cluster.removeprefix("part of ")
        grandparents[entity] = parents.get(parent, cluster)
    return grandparents


def head_words(ontology: Ontology) -> dict[str, str]:
    """Return the last word of each entity's first label, as a cluster.

    Examples
    --------
    >>> from alignrank.ontologies.ontology import Entity, Kind, Label
    >>> nerve = Entity("a#1", Kind.CLASS, (Label("Optic nerve II"),))
    >>> head_words(Ontology("", {"a#1": nerve}))
    {'a#1': 'ii'}
    """
    words = {}
    for entity in ontology:
        parts = re.split(r"[\s_]+|(?<=[a-z])(?=[A-Z])", entity.names()[0].strip())
        words[entity.iri] = parts[-1].casefold()
    return words


def reference_clusters(
    pairs: Iterable[tuple[str, str]], target_clusters: Clusters, side: int = 0
) -> dict[str, str]:
    """Return, by source entity, the cluster of its target in the reference alignment.

    Parameters
    ----------
    pairs
        The (source, target) entities of the reference. Of several targets of an entity the one
        with the smallest IRI counts.
    target_clusters
        Cluster by target entity, of `parent_clusters`; a target in none is a cluster of its own.
    side
        1 turns the pairs round: target entities get the clusters of their sources.

    Returns
    -------
    dict
        Only the reference decides, so that no system changes the comparison of two others. A
        source entity that the reference lacks is left out: it is a cluster of its own.

    Examples
    --------
    >>> reference_clusters([("a", "rose"), ("b", "tulip")], {"rose": "flower", "tulip": "flower"})
    {'a': 'flower', 'b': 'flower'}
    """
    clusters: dict[str, str] = {}
    for entity, partner in sorted((pair[side], pair[1 - side]) for pair in pairs):
        clusters.setdefault(entity, target_clusters.get(partner, partner))
    return clusters


@dataclass(frozen=True, eq=False)
class Dependence:
    """How the clusters of items change the variance of a difference; matrices (n, n) of pairs.

    Parameters
    ----------
    shrinkage
        r = √(V_s / V) of `dependence`; 1 where two systems differ on no item, or on all alike.
    variance
        K/(K − 1) V, of the sum of differences, for K source clusters.
    design_effect
        The variance over that of independent items, Σ x²; NaN where that is 0/0.
    clusters
        K, the number of source clusters with an item that counts for the pair.
    """

    shrinkage: Floats
    variance: Floats
    design_effect: Floats
    clusters: Ints


def dependence(
    values: Bools | Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    mentioned: Bools | None = None,
) -> Dependence:
    """Return how clusters change the variance of the difference of every pair of systems.

    With x_i the difference of two systems on item i less its mean, and V_P = Σ (Σ x)² over the
    classes of a partition P, V = V_s + V_t − V_st for source clusters s and target clusters t (the
    classes of st are their intersections); with head words h,
    V = V_s + V_t + V_h − V_st − V_sh − V_th + V_sth. V is never below that of fewer partitions, so
    that 0 ≤ r ≤ 1.

    Parameters
    ----------
    values
        (n, m): whether system i is right on item k, or what item k adds to its measure.
    source
        (m,): the number of each item's source cluster, from 0.
    crossing
        Further partitions (m,), such as the target clusters.
    mentioned
        (n, m): whether system i or the reference has a correspondence of item k. Items that neither
        of two systems nor the reference mentions are left out for this pair, so that no third
        system changes its result. None: all items count.

    Notes
    -----
    The variance is that of Cameron, Gelbach and Miller 2011, Journal of Business & Economic
    Statistics 29:238–249.

    Examples
    --------
    Four items, alone as sources; the first two share a target cluster, on which one system fails:

    >>> right = np.array([[1, 1, 1, 1], [0, 0, 1, 1]], dtype=bool)
    >>> result = dependence(right, np.arange(4), [np.array([0, 0, 1, 2])])
    >>> result.shrinkage[0, 1].round(3), result.design_effect[0, 1].round(3)
    (np.float64(0.816), np.float64(2.0))
    """
    n, m = values.shape
    classes = _intersections([source, *crossing])
    result = Dependence(
        np.ones((n, n)),
        np.zeros((n, n)),
        np.full((n, n), np.nan),
        np.ones((n, n), dtype=np.int64),
    )
    for i, j in combinations(range(n), 2):
        items = np.arange(m) if mentioned is None else np.flatnonzero(mentioned[i] | mentioned[j])
        x = values[i, items].astype(float) - values[j, items]
        x -= x.mean()
        pair = ([i, j], [j, i])
        clusters = int(np.count_nonzero(np.bincount(source[items])))
        result.clusters[pair] = clusters
        squares = float(x @ x)
        # V of the first partition, the first two …
        totals = []
        for signed in classes:
            total = 0.0
            for sign, index in signed:
                sums = np.bincount(index[items], x)
                total += sign * float(sums @ sums)
            totals.append(total)
        variance = max(totals)
        if variance <= 1e-12 * max(squares, 1e-300):  # rounding
            continue
        result.shrinkage[pair] = math.sqrt(totals[0] / variance)
        variance *= clusters / max(clusters - 1, 1)
        result.variance[pair] = variance
        result.design_effect[pair] = variance / squares
    return result


#: Partitions of the items, each with its sign in V; one list for each number of partitions.
_Classes = list[list[tuple[int, Ints]]]


def _intersections(partitions: Sequence[Ints]) -> _Classes:
    """Return the signed intersections that make up V with the first, the first two … partitions."""
    index_of: dict[tuple[int, ...], Ints] = {(): np.zeros_like(partitions[0])}
    classes: _Classes = []
    for length in range(1, len(partitions) + 1):
        signed = []
        for size in range(1, length + 1):
            for chosen in combinations(range(length), size):
                if chosen not in index_of:
                    last = partitions[chosen[-1]]
                    joint = index_of[chosen[:-1]] * (int(last.max(initial=0)) + 1) + last
                    index_of[chosen] = np.unique(joint, return_inverse=True)[1].reshape(-1)
                signed.append((-((-1) ** size), index_of[chosen]))
        classes.append(signed)
    return classes


@dataclass(frozen=True, eq=False)
class CrossedTest:
    """McNemar's test of every pair of systems, adjusted for clusters on either side.

    Parameters
    ----------
    test
        Advantage Σ d_k, p and log10 p of each pair.
    counts
        (n, K): the number of items of each source cluster that a system has right.
    dependence
        How clusters change the variance.
    """

    test: PairTest
    counts: Ints
    dependence: Dependence


def crossed_test(
    right: Bools, source: Ints, crossing: Sequence[Ints] = (), mentioned: Bools | None = None
) -> CrossedTest:
    r"""Test whether two systems have equally many items right, for every pair.

    With d_k the first system's right items in source cluster k less the second's, and ε_k = ±1
    with probability 1/2, p = P(\|Σ ε_k d_k\| ≥ r \|Σ d_k\|), r of `dependence`. If every item is
    its own cluster this is McNemar's exact test.

    Parameters
    ----------
    right
        (n, m): whether system i is right on item k.
    source
        (m,): the number of each item's source cluster, from 0.
    crossing
        Further partitions (m,) of the items, such as the clusters of their targets. None are
        needed: then r = 1, and p is that of the sign-flip test.
    mentioned
        As in `dependence`.

    Notes
    -----
    The family-wise error with Bergmann–Hommel over fifteen pairs is .053 to .056 where target
    clusters have 3% to 10% of the variance; r = 1 gives .10 to .31 (docs/simulation.md).

    Examples
    --------
    >>> right = np.array([[1] * 8, [0] * 7 + [1]], dtype=bool)
    >>> float(crossed_test(right, np.arange(8)).test.p[0, 1].round(5))
    0.01563
    """
    counts = per_unit(right, source)
    of_clusters = dependence(right, source, crossing, mentioned)
    return CrossedTest(sign_flips(counts, of_clusters.shrinkage), counts, of_clusters)


def best_set(test: PairTest, significant: Bools, alpha: float = 0.05) -> Bools:
    """Return which systems the data do not exclude from being the best.

    System j leaves if an arrow points at it, or if (k − 1) · min_i p⁺_ij ≤ α, where p⁺_ij is the
    one-sided p of "i is better than j": half the two-sided p where i is ahead, else 1.

    Parameters
    ----------
    test
        The test of every pair, two-sided and not adjusted.
    significant
        (k, k): whether the row is significantly better than the column.
    alpha
        Probability that a given best system is missing, at most.

    Returns
    -------
    ndarray
        (k,) of bool: the confidence set for the best.

    Notes
    -----
    Hsu 1984, Annals of Statistics 12:1136–1144 (multiple comparisons with the best), with
    Bonferroni's bound over the k − 1 rivals. The set holds each best system with probability
    1 − α; it does not promise all of several tied ones together.

    Examples
    --------
    >>> p = np.array([[np.nan, 0.04, 0.001], [0.04, np.nan, 0.2], [0.001, 0.2, np.nan]])
    >>> ahead = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    >>> best_set(PairTest(ahead, p, np.log10(p)), np.zeros((3, 3), dtype=bool)).tolist()
    [True, False, False]
    """
    one_sided = np.where(test.advantage > 0, test.p / 2, 1.0)
    np.fill_diagonal(one_sided, 1.0)
    rivals = len(one_sided) - 1
    excluded = rivals * one_sided.min(axis=0) <= alpha
    return np.asarray(~(excluded | significant.any(axis=0)))
