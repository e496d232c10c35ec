"""McNemar's test where items share clusters on several sides: classes with a common parent.

The signs of whole source clusters are flipped. Items of different source clusters can depend on
each other as well, because their targets share a parent. That dependence enlarges the variance of
the statistic, and the statistic is made smaller before it is compared: by the root of the variance
ratio, and by the lighter tail of a normal distribution beside Student's t of few target clusters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import NamedTuple

import numpy as np
import scipy

from alignrank.common.defaults import DEFAULTS
from alignrank.common.names import MutableTexts
from alignrank.ontologies.ontology import Ontology

from .clustered import (
    Clusters,
    differing_units,
    intersections,
    nearest_parents,
    parent_clusters,
    per_unit,
    sign_flip,
    sign_flips,
)
from .mcnemar import Bools, Floats, Ints, PairTest


def grandparent_clusters(clusters: Clusters, ontology: Ontology) -> MutableTexts:
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
    all_clusters, parents = parent_clusters(ontology), nearest_parents(ontology)
    grandparents = dict(clusters)
    for entity, cluster in clusters.items():
        if all_clusters.get(entity) == cluster:  # others are of a file
            grandparents[entity] = all_clusters.get(parents[entity], cluster)
    return grandparents


def head_words(ontology: Ontology) -> MutableTexts:
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
        parts = re.split(r"[\s_]+|(?<=[a-z])(?=[A-Z])", entity.names()[0].strip().strip("_"))
        words[entity.iri] = parts[-1].casefold()
    return words


def reference_clusters(
    pairs: Iterable[tuple[str, str]], target_clusters: Clusters, side: int = 0
) -> MutableTexts:
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
    clusters: MutableTexts = {}
    for entity, partner in sorted((pair[side], pair[1 - side]) for pair in pairs):
        clusters.setdefault(entity, target_clusters.get(partner, partner))
    return clusters


@dataclass(frozen=True, eq=False)
class Dependence:
    """The part of clusters in the variance of a difference; one number for each pair.

    With d_i the difference of two systems on item i, T = Σ d_i over the n items that count for the
    pair, D_k = Σ d_i over source cluster k and w the shares of items of a side's clusters:

    Parameters
    ----------
    items
        n.
    clusters
        K, the number of source clusters that hold an item.
    total
        |T|.
    flipped
        Q_s = Σ D_k², the variance of the sum whose signs are flipped by source cluster.
    source
        V_s = Σ (D_k − n_k T/n)².
    source_left, source_groups
        β and 1/Σ w² of the source clusters: the part of the variance of cluster effects that
        centring leaves, and the effective number of clusters.
    added
        E, what other clusters add: max(0, V_t − V_st)/β for target clusters t, V_st over the
        intersections of both sides. Infinite where all items are in one target cluster, which
        says nothing about other clusters; 0 without target clusters.
    groups
        1/Σ w² of the target clusters; infinite where there are none, or each holds one item.
    """

    items: Ints
    clusters: Ints
    total: Floats
    flipped: Floats
    source: Floats
    source_left: Floats
    source_groups: Floats
    added: Floats
    groups: Floats

    @property
    def variance(self) -> Floats:
        """Variance of T: max(V_s, Q_s/2) + E. The flips hold at least half of their own sum."""
        return self._kept + self.added

    @property
    def _kept(self) -> Floats:
        return np.maximum(self.source, self.flipped / 2)

    @property
    def shrinkage(self) -> Floats:
        """The r by which the sign-flip test shrinks T: r₁ z/u, r₁² = max(V_s, Q_s/2) / variance.

        With u = r₁ T/√Q_s and ν = max(1/Σ w² − 1, 1) of the target clusters, z is the normal
        quantile of the chance that Student's t of ν degrees of freedom is below u.
        """
        variance = self.variance
        with np.errstate(divide="ignore", invalid="ignore"):
            of_flips = np.sqrt(np.where(variance > 0, self._kept / variance, 1.0))
        return self._shrunk(of_flips, self.total)

    def least_shrinkage(self, total: Floats) -> Floats:
        """Return r for a sum where other clusters happen to add nothing: r₁ = 1.

        How much they add is known only from the differences as they fell, so that it does not
        bound the p that is attainable. In one target cluster r stays 0.
        """
        return self._shrunk(np.where(np.isinf(self.added), 0.0, 1.0), total)

    def _shrunk(self, of_flips: Floats, total: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.where(self.flipped > 0, of_flips * total / np.sqrt(self.flipped), 0.0)
            ratio = np.where(u > 0, normal_score(u, at_least(self.groups - 1)) / u, 1.0)
        shrinkage: Floats = np.clip(of_flips * ratio, 0.0, 1.0)
        return shrinkage

    @property
    def spread(self) -> Floats:
        """Variance of T for intervals, V_s/β + E: infinite where a side has one cluster."""
        with np.errstate(divide="ignore", invalid="ignore"):
            of_source = np.where(self.source_left > 0, self.source / self.source_left, np.inf)
        return of_source + self.added

    @property
    def degrees(self) -> Floats:
        """Degrees of freedom of `spread`: of the side with fewer effective clusters, less 1.

        Infinite where every item is a cluster of its own on both sides.
        """
        alone = (self.clusters == self.items) & np.isinf(self.groups)
        degrees = at_least(np.minimum(self.source_groups, self.groups) - 1)
        return np.where(alone, np.inf, degrees)


def at_least(degrees: Floats) -> Floats:
    """Return degrees of freedom, 1 at least."""
    return np.asarray(np.maximum(degrees, 1.0))


def normal_score(t: Floats, degrees: Floats) -> Floats:
    """Return the normal quantile of the chance that Student's t is below a value, at least 0.

    Notes
    -----
    Where the tail is too small for a number, Wallace's approximation: 1959, Annals of Mathematical
    Statistics 30:1121–1130.

    Examples
    --------
    >>> normal_score(np.array([0.0, 3.1824]), np.array([3.0, 3.0])).round(3).tolist()
    [0.0, 1.96]
    """
    tail = scipy.special.stdtr(degrees, -t)
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(degrees * np.log1p(t**2 / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
    far = np.where(np.isinf(degrees), t, root)
    with np.errstate(divide="ignore"):
        score = -scipy.special.ndtri(tail)
    return np.where(np.isinf(degrees) | (tail < 1e-300), far, np.maximum(score, 0.0))


def dependence(
    values: Bools | Floats,
    source: Ints,
    crossing: Sequence[Ints] = (),
    mentioned: Bools | None = None,
) -> Dependence:
    """Return the part of clusters in the variance of every pair's difference, as matrices (n, n).

    Parameters
    ----------
    values
        (n, m): whether system i is right on item k, or what item k adds to its measure.
    source
        (m,): the number of each item's source cluster, from 0. Items can all be alone.
    crossing
        Further partitions (m,), such as the target clusters. A second one, such as head words h,
        adds max(0, V_h − V_sh − V_th + V_sth)/β, and the smaller number of groups counts.
    mentioned
        (n, m): whether system i or the reference has a correspondence of item k. Items that neither
        of two systems nor the reference mentions are left out for this pair, so that no third
        system changes its result. None: all items count.

    Notes
    -----
    V_s + V_t − V_st is the variance of Cameron, Gelbach and Miller 2011, Journal of Business &
    Economic Statistics 29:238–249. It is too small for few or unequal target clusters, which is
    mended by β = 1 − 2 Σ w³/Σ w² + Σ w² and by Student's t.

    Examples
    --------
    Sixty items, alone as sources, in four target clusters; on one of them one system fails:

    >>> correct = np.array([[1] * 60, [0] * 15 + [1] * 45], dtype=bool)
    >>> result = dependence(correct, np.arange(60), [np.arange(60) // 15])
    >>> result.added[0, 1], result.variance[0, 1], result.shrinkage[0, 1].round(5)
    (np.float64(210.0), np.float64(221.25), np.float64(0.19645))
    """
    clusters = CrossedClusters.of(source, crossing)
    parts: list[Dependence] = []
    for first, second in pair_blocks(*values.shape):
        d = values[first].astype(float) - values[second]
        counted = None if mentioned is None else mentioned[first] | mentioned[second]
        parts.append(clusters.dependence(d, counted))
    return in_matrices(parts, len(values))


#: Differences held at a time: 32 MB.
_CELLS = 4_000_000


def pair_blocks(systems: int, items: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs i < j in blocks that need little memory: all i, all j."""
    first, second = np.triu_indices(systems, 1)
    step = max(1, _CELLS // max(items, 1))
    for start in range(0, len(first), step):
        yield first[start : start + step], second[start : start + step]


def in_matrices(parts: Sequence[Dependence], systems: int) -> Dependence:
    """Return the pairs of all blocks as symmetric matrices; a system depends not on itself."""
    upper = np.triu_indices(systems, 1)
    matrices = {}
    for item in fields(Dependence):
        of_pairs = [getattr(part, item.name) for part in parts]
        matrix = np.ones((systems, systems), dtype=of_pairs[0].dtype if parts else float)
        if parts:
            matrix[upper] = matrix.T[upper] = np.concatenate(of_pairs)
        matrices[item.name] = matrix
    return Dependence(**matrices)


@dataclass(frozen=True, eq=False)
class CrossedClusters:
    """Partitions of m items, ready to sum over their classes.

    Parameters
    ----------
    partitions
        Of the source clusters and each further partition: (K, m), which item is in which class.
    terms
        For each partition the intersections that hold it and partitions before it, with the sign
        that they have in the variance.
    """

    partitions: tuple[scipy.sparse.csr_array, ...]
    terms: tuple[tuple[tuple[int, scipy.sparse.csr_array], ...], ...]

    @classmethod
    def of(cls, source: Ints, crossing: Sequence[Ints] = ()) -> CrossedClusters:
        """Prepare the partitions: the number of each item's class, in each."""
        partitions = [source, *crossing]
        terms = []
        for last, partition in enumerate(partitions):
            of_last = []
            for size in range(last + 1):
                for chosen in combinations(partitions[:last], size):
                    of_last.append(((-1) ** size, _incidence(intersections(*chosen, partition))))
            terms.append(tuple(of_last))
        return cls(tuple(of_last[0][1] for of_last in terms), tuple(terms))

    def dependence(self, d: Floats, counted: Bools | None = None) -> Dependence:
        """Return the dependence of differences (pairs, m), of the items that count for each."""
        pairs, m = d.shape
        here = np.ones((1, m)) if counted is None else counted.astype(float)
        n = here.sum(axis=1)
        total = d.sum(axis=1)
        mean = total / np.maximum(n, 1)

        def centred(classes: scipy.sparse.csr_array) -> Floats:
            sums = classes @ d.T - (classes @ here.T) * mean
            return np.asarray((sums**2).sum(axis=0))

        def around(terms: tuple[tuple[int, scipy.sparse.csr_array], ...]) -> Floats:
            whole = sum((sign * centred(classes) for sign, classes in terms), np.zeros(pairs))
            # a sum of squares that is 0 but for rounding
            return np.where(whole > 1e-12 * (d**2).sum(axis=1), whole, 0.0)

        source, *further = (_shares(classes, here, pairs) for classes in self.partitions)
        added, groups = np.zeros(pairs), np.full(pairs, np.inf)
        for shares, terms in zip(further, self.terms[1:], strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                added += np.where(shares.left > 0, around(terms) / shares.left, np.inf)
            is_alone = shares.classes == n
            groups = np.where(is_alone, groups, np.minimum(groups, shares.groups))
        return Dependence(
            np.broadcast_to(n, pairs).astype(np.int64),
            source.classes,
            np.abs(total),
            np.asarray(((self.partitions[0] @ d.T) ** 2).sum(axis=0)),
            around(self.terms[0]),
            source.left,
            source.groups,
            added,
            groups,
        )


class _Shares(NamedTuple):
    """Of each pair: a partition's number of classes, β, and 1/Σ w² (see `Dependence`)."""

    classes: Ints
    left: Floats
    groups: Floats


def _shares(classes: scipy.sparse.csr_array, here: Floats, pairs: int) -> _Shares:
    sizes = classes @ here.T
    shares = sizes / np.maximum(here.sum(axis=1), 1)
    squares = np.maximum((shares**2).sum(axis=0), 1e-300)
    number = np.count_nonzero(sizes, axis=0)
    beta = 1 - 2 * (shares**3).sum(axis=0) / squares + squares
    beta = np.where((number > 1) | (sizes.max(axis=0) <= 1), np.maximum(beta, 1e-12), 0.0)
    return _Shares(*(np.broadcast_to(part, pairs) for part in (number, beta, 1 / squares)))


def _incidence(index: Ints) -> scipy.sparse.csr_array:
    """Return (K, m): 1 where the item is in the class."""
    items = np.arange(len(index))
    return scipy.sparse.csr_array((np.ones(len(index)), (index, items)))


#: Fewer clusters than these never give a p of .05, whatever their signs. It does not follow
#: `alpha`: a p-value is the same at every level.
FEWEST_FLIPPED = 6


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
    is_turned
        (n, n): the pairs whose p is that of `turned`.
    turned
        The same with the clusters of both sides exchanged; None where no pair needs it.
    """

    test: PairTest
    counts: Ints
    dependence: Dependence
    is_turned: Bools
    turned: CrossedTest | None = None

    @property
    def differing(self) -> Ints:
        """(n, n): the number of flipped clusters in which the row has more correct items."""
        differing = differing_units(self.counts)
        if self.turned is None:
            return differing
        return np.where(self.is_turned, self.turned.differing, differing)

    @property
    def flipped_together(self) -> Ints:
        """(n, K): what is flipped for all pairs at once; partners' clusters if all are turned."""
        if (
            self.turned is not None
            and (self.is_turned | np.eye(len(self.counts), dtype=bool)).all()
        ):
            return self.turned.counts
        return self.counts

    @property
    def fewest_turned(self) -> float:
        """The fewest effective source clusters of a pair that is turned; infinite without one."""
        return float(self.dependence.source_groups[self.is_turned].min(initial=np.inf))

    def least_p(self, first: int, second: int) -> float:
        """Return the p of a pair if all that differs spoke for one of the two; NaN for nothing."""
        if self.turned is not None and self.is_turned[first, second]:
            return self.turned.least_p(first, second)
        sizes = np.abs(self.counts[first] - self.counts[second])
        total = np.full_like(self.dependence.total, sizes.sum())
        shrinkage = self.dependence.least_shrinkage(total)[first, second]
        return float(10 ** sign_flip(sizes, shrinkage=shrinkage)) if sizes.any() else np.nan


def crossed_test(
    correct: Bools, source: Ints, crossing: Sequence[Ints] = (), mentioned: Bools | None = None
) -> CrossedTest:
    r"""Test whether two systems have equally many items correct, for every pair.

    With d_k the first system's correct items in source cluster k less the second's, and ε_k = ±1
    with probability 1/2, p = P(\|Σ ε_k d_k\| ≥ r \|Σ d_k\|), r of `dependence`. If every item is
    its own cluster this is McNemar's exact test. A pair with fewer than `FEWEST_FLIPPED` source
    clusters has too few signs: if the first further partition has more clusters, the signs of those
    are flipped instead.

    Parameters
    ----------
    correct
        (n, m): whether system i is right on item k.
    source
        (m,): the number of each item's cluster, from 0; their signs are flipped.
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
    >>> correct = np.array([[1] * 8, [0] * 7 + [1]], dtype=bool)
    >>> float(crossed_test(correct, np.arange(8)).test.p[0, 1].round(5))
    0.01563
    """
    sides = [(source, dependence(correct, source, crossing, mentioned))]
    has_few = sides[0][1].clusters < FEWEST_FLIPPED
    np.fill_diagonal(has_few, False)
    if crossing and has_few.any():
        partner, *further = crossing
        sides.append((partner, dependence(correct, partner, [source, *further], mentioned)))
    own, *others = [_flipped(correct, *side) for side in sides]
    if not others:
        return own
    (turned,) = others
    is_turned = has_few & (turned.dependence.clusters > own.dependence.clusters)
    parts = zip(vars(turned.test).values(), vars(own.test).values(), strict=True)
    test = PairTest(*(np.where(is_turned, *matrices) for matrices in parts))
    return CrossedTest(test, own.counts, own.dependence, is_turned, turned)


def _flipped(correct: Bools, cluster: Ints, of_clusters: Dependence) -> CrossedTest:
    counts = per_unit(correct, cluster)
    test = sign_flips(counts, of_clusters.shrinkage)
    return CrossedTest(test, counts, of_clusters, np.zeros(test.p.shape, dtype=bool))


def best_set(test: PairTest, significant: Bools, alpha: float = DEFAULTS.alpha) -> Bools:
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
