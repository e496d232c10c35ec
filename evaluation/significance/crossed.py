"""McNemar's test where items share clusters on several sides: classes with a common parent.

The signs of whole source clusters are flipped. Items of different source clusters can depend on
each other as well, because their targets share a parent. That dependence enlarges the variance of
the statistic, and the statistic is made smaller by the same factor before it is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from alignrank.ontologies.ontology import Ontology

from .clustered import parent_clusters, per_unit, sign_flip, squared_distances
from .mcnemar import Bools, Floats, Ints, PairTest


def grandparent_clusters(clusters: Mapping[str, str], ontology: Ontology) -> dict[str, str]:
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
    pairs: Iterable[tuple[str, str]], target_clusters: Mapping[str, str]
) -> dict[str, str]:
    """Return, by source entity, the cluster of its target in the reference alignment.

    Parameters
    ----------
    pairs
        The (source, target) entities of the reference. Of several targets of an entity the one
        with the smallest IRI counts.
    target_clusters
        Cluster by target entity, of `parent_clusters`; a target in none is a cluster of its own.

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
    for source, target in sorted(pairs):
        clusters.setdefault(source, target_clusters.get(target, target))
    return clusters


def shrinkage(
    values: Bools | Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    named: Bools | None = None,
) -> Floats:
    """Return r = √(V_s / V) of every pair of systems.

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
    named
        (n, m): whether system i or the reference says anything of item k. Items that neither of two
        systems nor the reference names are left out for this pair, so that no third system changes
        its r. None: all items count.

    Returns
    -------
    ndarray
        (n, n); 1 where two systems differ on no item, or on all alike.

    Notes
    -----
    The variance is that of Cameron, Gelbach and Miller 2011, Journal of Business & Economic
    Statistics 29:238–249.

    Examples
    --------
    Four items, alone as sources; the first two share a target cluster, on which one system fails:

    >>> right = np.array([[1, 1, 1, 1], [0, 0, 1, 1]], dtype=bool)
    >>> float(shrinkage(right, np.arange(4), [np.array([0, 0, 1, 2])])[0, 1].round(3))
    0.816
    """
    if named is not None and not named.all():
        factors = np.ones((len(values), len(values)))
        for i, j in combinations(range(len(values)), 2):
            items = named[i] | named[j]
            parts = [partition[items] for partition in crossing]
            of_pair = shrinkage(values[[i, j]][:, items], source[items], parts)
            factors[i, j] = factors[j, i] = of_pair[0, 1]
        return factors
    centred = values - values.mean(axis=1, keepdims=True)
    of_source = variance = _variance(centred, [source])
    partitions = [source, *crossing]
    for length in range(2, len(partitions) + 1):
        total = np.zeros_like(variance)
        for size in range(1, length + 1):
            for chosen in combinations(partitions[:length], size):
                total -= (-1) ** size * _variance(centred, chosen)
        variance = np.maximum(variance, total)
    rounding = 1e-12 * max(float((centred**2).sum(axis=1).max()), 1e-300)
    ratio = of_source / np.maximum(variance, rounding)
    return np.sqrt(np.where(variance > rounding, ratio, 1.0))


def _variance(centred: Floats, partitions: Sequence[Ints]) -> Floats:
    """Return Σ (Σ x)² over the intersections of some partitions, for all pairs of systems."""
    index = partitions[0]
    for partition in partitions[1:]:
        joint = index * (int(partition.max()) + 1) + partition
        index = np.unique(joint, return_inverse=True)[1].reshape(-1)
    return squared_distances(np.stack([np.bincount(index, row) for row in centred]))


@dataclass(frozen=True, eq=False)
class CrossedTest:
    """McNemar's test of every pair of systems, adjusted for clusters on either side.

    Parameters
    ----------
    test
        Advantage Σ d_k, p and log10 p of each pair.
    counts
        (n, K): the number of items of each source cluster that a system has right.
    shrinkage
        (n, n): r of `shrinkage`.
    """

    test: PairTest
    counts: Ints
    shrinkage: Floats

    @property
    def clusters(self) -> int:
        """Number of source clusters."""
        return len(self.counts.T)

    def least_p(self, pairs: Bools) -> Floats:
        """Return the p that pairs would have if all their differing clusters spoke for one side.

        Parameters
        ----------
        pairs
            (n, n): the pairs to compute, such as those that are not significant; the result is NaN
            elsewhere.

        Examples
        --------
        >>> right = np.array([[1] * 6 + [0], [0] * 6 + [1]], dtype=bool)
        >>> result = crossed_test(right, np.arange(7))
        >>> result.test.p[0, 1].round(3), result.least_p(result.test.p > 0.05)[0, 1].round(5)
        (np.float64(0.125), np.float64(0.01563))
        """
        least = np.full(pairs.shape, np.nan)
        for i, j in np.argwhere(np.triu(pairs, 1)).tolist():
            size = np.abs(self.counts[i] - self.counts[j])
            log_p = sign_flip(size, shrinkage=float(self.shrinkage[i, j]))
            least[i, j] = least[j, i] = 10.0**log_p
        return least


def crossed_test(
    right: Bools, source: Ints, crossing: Sequence[Ints] = (), named: Bools | None = None
) -> CrossedTest:
    r"""Test whether two systems have equally many items right, for every pair.

    With d_k the first system's right items in source cluster k less the second's, and ε_k = ±1
    with probability 1/2, p = P(\|Σ ε_k d_k\| ≥ r \|Σ d_k\|), r of `shrinkage`. If every item is
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
    named
        As in `shrinkage`.

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
    factors = shrinkage(right, source, crossing, named)
    n = len(counts)
    log10_p = np.full((n, n), np.nan)
    for i, j in combinations(range(n), 2):
        log_p = sign_flip(counts[i] - counts[j], shrinkage=float(factors[i, j]))
        log10_p[i, j] = log10_p[j, i] = log_p
    total = counts.sum(axis=1).astype(float)
    test = PairTest(total[:, None] - total, 10.0**log10_p, log10_p)
    return CrossedTest(test, counts, factors)


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
