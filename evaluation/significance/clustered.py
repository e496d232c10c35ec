"""Tests of two systems for clustered items, such as classes that share a parent.

For two systems, d_k is the number of items of cluster k that only the first has right less the
number that only the second has. Under the null hypothesis each d_k is as likely as −d_k, and
clusters are independent; items of one cluster may depend on each other in any way.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from alignrank.common.defaults import CLUSTER_TESTS as CLUSTER_TESTS
from alignrank.common.errors import EvaluationError
from alignrank.common.files import FilePath, read_text
from alignrank.common.names import MutableTexts, grouped
from alignrank.ontologies.ontology import Ontology, local_name

from .mcnemar import (
    Bools,
    Floats,
    Ints,
    PairTest,
    chi_square,
    log_choose,
    mcnemar_tests,
    off_diagonal,
)

#: The cluster of each entity, by the entity's name.
Clusters = Mapping[str, str]


def parent_clusters(ontology: Ontology) -> MutableTexts:
    """Put the entities that share an asserted parent into one cluster.

    Parameters
    ----------
    ontology
        The source ontology (the target ontology for the view ``entity-target``).

    Returns
    -------
    dict
        Cluster by entity, named by the is_a parent; an entity without one goes with its part_of
        parent, in the cluster ``part of`` and the parent. Of several parents the one with the
        fewest children counts, the most specific one (then by IRI). Entities without a parent are
        left out: each is a cluster of its own.

    Examples
    --------
    >>> tree = {"rose": ("flower",), "tulip": ("flower",), "oak": ("tree",)}
    >>> parent_clusters(Ontology("", {}, parents=tree, links=(("leaf", "part_of", "oak"),)))
    {'leaf': 'part of oak', 'oak': 'tree', 'rose': 'flower', 'tulip': 'flower'}
    """
    clusters = {part: f"part of {whole}" for part, whole in _nearest(wholes_of(ontology)).items()}
    clusters |= _nearest(ontology.parents)
    return dict(sorted(clusters.items()))


def nearest_parents(ontology: Ontology) -> MutableTexts:
    """Return the parent that names each entity's cluster: by is_a, else by part_of.

    Examples
    --------
    >>> tree = {"oak": ("tree",)}
    >>> nearest_parents(Ontology("", {}, parents=tree, links=(("leaf", "part_of", "oak"),)))
    {'leaf': 'oak', 'oak': 'tree'}
    """
    return _nearest(wholes_of(ontology)) | _nearest(ontology.parents)


def wholes_of(ontology: Ontology) -> dict[str, list[str]]:
    """Return the entities that each entity is part of.

    Examples
    --------
    >>> wholes_of(Ontology("", {}, links=(("leaf", "part_of", "oak"), ("oak", "has_part", "leaf"))))
    {'leaf': ['oak']}
    """
    links = ontology.links
    return grouped((part, whole) for part, link, whole in links if is_part_of(link, ontology))


def is_part_of(relation: str, ontology: Ontology) -> bool:
    """Return whether the name or a label of a relation says that something is part of another.

    Examples
    --------
    >>> nothing = Ontology("", {})
    >>> is_part_of("http://mouse.owl#UNDEFINED_part_of", nothing), is_part_of("a#has_part", nothing)
    (True, False)
    """
    names = [local_name(relation)]
    if relation in ontology.entities:
        names += ontology.entities[relation].names()
    # BFO_0000050 is part of
    return any(re.search(r"part[ _]?of$|BFO_0000050$", name, re.IGNORECASE) for name in names)


def _nearest(parents: Mapping[str, Sequence[str]]) -> MutableTexts:
    """Return each entity's parent with the fewest children."""
    children = Counter(parent for of_entity in parents.values() for parent in of_entity)
    nearest = {}
    for entity, of_entity in parents.items():
        if of_entity:
            nearest[entity] = min(of_entity, key=lambda parent: (children[parent], parent))
    return nearest


def read_clusters(path: FilePath) -> MutableTexts:
    """Read clusters from a table: an entity's IRI, a tab, the name of its cluster.

    Empty lines and lines that start with ``# `` are skipped; a first line ``item<TAB>cluster`` is
    a heading.

    Raises
    ------
    EvaluationError
        If the file cannot be read, holds no cluster, a line has not two columns, or an entity is in
        two clusters; the message names the line.
    """
    clusters: MutableTexts = {}
    for number, line in enumerate(read_text(path, EvaluationError).splitlines(), 1):
        if not line.strip() or line.startswith("# "):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise EvaluationError(
                f"{path}, line {number}: expected an entity, a tab and a cluster, got {line!r}"
            )
        entity, cluster = cells
        if not clusters and [cell.lower() for cell in cells] == ["item", "cluster"]:
            continue
        if clusters.setdefault(entity, cluster) != cluster:
            raise EvaluationError(
                f"{path}, line {number}: {entity} is in two clusters, {clusters[entity]} and "
                f"{cluster}"
            )
    if not clusters:
        raise EvaluationError(f"{path}: no line gives an entity and its cluster")
    return clusters


def cluster_index(entities: Sequence[str], clusters: Clusters | None) -> Ints:
    """Return the number of each entity's cluster; an entity in none is its own cluster.

    Parameters
    ----------
    entities
        The entity of each item.
    clusters
        Cluster by entity; None: every entity is its own cluster.

    Examples
    --------
    >>> cluster_index(["a", "b", "c", "a"], {"a": "x", "b": "x"}).tolist()
    [0, 0, 1, 0]
    """
    names: Sequence[object] = entities
    if clusters:  # an entity may have the name of a cluster
        in_clusters = map(clusters.__contains__, entities)
        names = list(zip(in_clusters, map(clusters.get, entities, entities), strict=True))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))


def cluster_indices(
    entities: Sequence[str],
    clusters: Clusters | None,
    crossing: Clusters | None,
) -> tuple[Ints, list[Ints]]:
    """Return the cluster index of entities, and of their partners, for the tests."""
    across = []
    if crossing is not None:
        across.append(cluster_index(entities, crossing))
    return cluster_index(entities, clusters), across


def intersections(*partitions: Ints) -> Ints:
    """Return the number of each item's class where every item is in a class of each partition.

    Examples
    --------
    >>> intersections(np.array([0, 0, 1]), np.array([0, 1, 1])).tolist()
    [0, 1, 2]
    """
    return np.unique(np.stack(partitions), axis=1, return_inverse=True)[1].reshape(-1)


def clustered_tests(
    correct: Bools, cluster: Ints, flips: PairTest | None = None
) -> dict[str, PairTest]:
    r"""Test every pair of systems, taking clusters of items as the independent units.

    * ``obuchowski``: χ²₁ = (K − 1)/K · (Σ d_k)² / Σ d_k².
    * ``durkalski``: χ²₁ = (Σ d_k/n_k)² / Σ (d_k/n_k)², with n_k the size of cluster k: every
      cluster counts the same, so it may point the other way than b − c.
    * ``sign-flip``: exact; the share of the 2^K ways to choose signs that give
      \|Σ ±d_k\| ≥ \|Σ d_k\|.

    Parameters
    ----------
    correct
        (n, m): whether system i is right on item k.
    cluster
        (m,): the number of each item's cluster, from 0.
    flips
        The ``sign-flip`` test where it is known, such as that of `crossed.crossed_test`; None: with
        independent clusters.

    Notes
    -----
    Obuchowski 1998, Statistics in Medicine 17:1495–1507 (in the form that Yang, Sun and Hardin
    2010, Biometrical Journal 52:638–652, simplify it to); Durkalski, Palesch, Lipsitz and Rust
    2003, Statistics in Medicine 22:2417–2428. With every item its own cluster ``sign-flip`` is
    McNemar's exact test.
    """
    if not len(cluster):
        raise EvaluationError("there is no item to compare the systems by")
    sizes = np.bincount(cluster).astype(float)
    counts = per_unit(correct, cluster)
    obuchowski = _of_squares(*_sums(counts.astype(float)), (len(sizes) - 1) / len(sizes))
    durkalski = _of_squares(*_sums(counts / sizes), 1.0)
    tests = sign_flips(counts) if flips is None else flips, obuchowski, durkalski
    return dict(zip(CLUSTER_TESTS, tests, strict=True))


def per_unit(correct: Bools, unit: Ints) -> Ints:
    """Return (n, K): the number of items of each unit that a system has right.

    Parameters
    ----------
    correct, unit
        As `clustered_tests` takes them.
    """
    units = int(unit.max(initial=-1)) + 1
    return np.stack([np.bincount(unit[row], minlength=units) for row in correct])


def _sums(x: Floats) -> tuple[Floats, Floats]:
    """Return the sum of the differences, and of their squares, for all pairs of rows."""
    # from sums and products of rows, what two rows share would drown a small difference
    differences = np.array([(row - x).sum(axis=1) for row in x])
    squares = np.array([((row - x) ** 2).sum(axis=1) for row in x])
    return differences, squares


def differing_units(counts: Ints) -> Ints:
    """Return (n, n): the number of units in which the row has more right than the column.

    Parameters
    ----------
    counts
        (n, K): what each system has right in each unit.
    """
    return np.stack([(row > counts).sum(axis=1) for row in counts])


def unit_tests(counts: Ints) -> dict[str, PairTest]:
    """Run McNemar's tests on every pair where a unit, such as a source entity, is one case.

    With d_k the first system's correct items in unit k less the second's, ``asymptotic`` takes
    (Σ d)² / Σ d² for χ², ``continuity`` (max(|Σ d| − 1, 0))² / Σ d², ``exact`` and ``mid-p`` are
    those of `sign_flip`. Where no d is beyond ±1 they are McNemar's.

    Parameters
    ----------
    counts
        (n, K): the number of items that each system has right in each unit.

    Examples
    --------
    >>> tests = unit_tests(np.array([[1, 1, 1, 2], [0, 0, 0, 0]]))
    >>> float(tests["exact"].p[0, 1]), float(tests["mid-p"].p[0, 1])
    (0.125, 0.0625)
    """
    tests = mcnemar_tests(differing_units(counts))
    beyond = np.stack([np.abs(row - counts).max(axis=1, initial=0) > 1 for row in counts])
    if not beyond.any():
        return tests
    difference, squares = _sums(counts.astype(float))
    for name in ("exact", "mid-p"):
        log10_p = tests[name].log10_p.copy()
        for i, j in np.argwhere(np.triu(beyond)):
            log10_p[i, j] = log10_p[j, i] = sign_flip(counts[i] - counts[j], mid=name == "mid-p")
        p = np.where(beyond, 10.0**log10_p, tests[name].p)
        tests[name] = PairTest(difference, p, log10_p)
    tests["asymptotic"] = _of_squares(difference, squares, 1.0)
    shrunk = np.maximum(np.abs(difference) - 1, 0)
    tests["continuity"] = replace(_of_squares(shrunk, squares, 1.0), advantage=difference)
    return tests


def sign_flips(counts: Ints, shrinkage: Floats | None = None) -> PairTest:
    """Run the sign-flip test on every pair of rows of (n, K) whole numbers by cluster.

    `shrinkage` (n, n) is that of `sign_flip` for each pair; None: 1.
    """
    n = len(counts)
    if shrinkage is None:
        shrinkage = np.ones((n, n))
    log10_p = np.full((n, n), np.nan)
    for i, j in combinations(range(n), 2):
        log_p = sign_flip(counts[i] - counts[j], shrinkage=float(shrinkage[i, j]))
        log10_p[i, j] = log10_p[j, i] = log_p
    total = counts.sum(axis=1).astype(float)
    return PairTest(total[:, None] - total, 10.0**log10_p, log10_p)


def _of_squares(difference: Floats, squares: Floats, factor: float) -> PairTest:
    """Take factor · (Σ d)² / Σ d² for χ² with one degree of freedom."""
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = factor * difference**2 / squares
    p, log10_p = chi_square(np.nan_to_num(statistic, nan=0.0))
    return PairTest(difference, off_diagonal(p), off_diagonal(log10_p))


def sign_flip(differences: ArrayLike, *, mid: bool = False, shrinkage: float = 1.0) -> float:
    r"""Return log10 of the exact two-sided p-value of the sign-flip test.

    p = #{signs: \|Σ ±d_k\| ≥ r \|Σ d_k\|} / 2^K, by convolution over the distinct \|d_k\|
    instead of random signs. The distribution is tilted so that the observed sum is its mean; that
    keeps every digit of p, also where p is tiny.

    Parameters
    ----------
    differences
        d_k, whole numbers.
    mid
        Count half of the signs that give \|Σ d_k\| itself: the mid-p value, nearly valid.
    shrinkage
        r in [0, 1], below 1 where the units depend on each other (`crossed.shrinkage`).

    Examples
    --------
    >>> round(10 ** sign_flip([3, 1, 1, -1]), 4)  # 8 of the 16 sums are at least 4 or at most −4
    0.5
    >>> round(10 ** sign_flip([3, 1, 1, -1], mid=True), 4)  # 6 of them are 4 or −4
    0.3125
    >>> round(10 ** sign_flip([3, 1, 1, -1], shrinkage=0.5), 4)  # 14 are at least 2 or at most −2
    0.875
    >>> round(sign_flip([2] * 2000), 2)  # 2 / 2^2000
    -601.76
    """
    d = np.abs(np.asarray(differences, dtype=np.int64))
    steps, times = np.unique(d[d > 0], return_counts=True)
    reach = int(steps @ times)
    observed = shrinkage * abs(int(np.sum(differences)))
    # the sum is 2U − reach with U = Σ step · Bin(times, 1/2), so U must be this large:
    needed = math.ceil((reach + observed) / 2 - 1e-9)
    if reach == 0 or (2 * needed <= reach and not mid):
        return 0.0
    if needed == reach:
        return float((1 - mid - times.sum()) * math.log10(2))
    tilt = _tilt(steps, times, needed)
    start, sums = tilted_sums(steps, times, tilt)
    tail_sums = sums[needed - start :]
    half = float(tail_sums[0]) / 2
    if 2 * needed == reach:
        return math.log10(1 - half)
    tail = float(tail_sums @ np.exp(-tilt * np.arange(len(tail_sums)))) - mid * half
    log_mgf = float(times @ (np.logaddexp(0.0, tilt * steps) - math.log(2)))
    log_p = math.log(2) + log_mgf - tilt * needed + math.log(tail)
    return min(0.0, log_p / math.log(10))


def random_signs(rng: np.random.Generator, rows: int, columns: int) -> Floats:
    """Return (rows, columns) of −1 and 1."""
    bits = np.frombuffer(rng.bytes(rows * ((columns + 7) // 8)), dtype=np.uint8)
    ones = np.unpackbits(bits.reshape(rows, -1), axis=1, count=columns)
    signs = ones.astype(np.float64)
    return 2 * signs - 1


def _tilt(steps: Ints, times: Ints, mean: int) -> float:
    """Return θ ≥ 0 at which Σ step · Bin(times, 1 / (1 + exp(−θ step))) has this mean."""

    def too_small(tilt: float) -> bool:
        return bool((steps * times) @ scipy.special.expit(tilt * steps) < mean)

    low = 0.0
    high = 1.0
    while too_small(high):
        low = high
        high *= 2
    for _ in range(40):
        middle = (low + high) / 2
        if too_small(middle):
            low = middle
        else:
            high = middle
    return high


def tilted_sums(steps: Ints, times: Ints, tilt: float) -> tuple[int, Floats]:
    """Return the probabilities of U under the tilt without negligible ends, and their first U."""
    start = 0
    sums = np.ones(1)
    for step, m in zip(steps.tolist(), times.tolist(), strict=True):
        x = np.arange(m + 1)
        up = -np.logaddexp(0.0, -tilt * step)
        down = -np.logaddexp(0.0, tilt * step)
        probability = np.exp(log_choose(m, x) + x * up + (m - x) * down)
        # smaller ones cannot change a digit of the tail, which holds the mean
        likely = np.flatnonzero(probability > 1e-25)
        first = int(likely[0])
        probability = probability[first : likely[-1] + 1]
        start += first * step
        # np.convolve would multiply with the zeros between the steps, too: scores have many
        added = np.zeros(len(sums) + (len(probability) - 1) * step)
        for k, chance in enumerate(probability.tolist()):
            added[k * step : k * step + len(sums)] += chance * sums
        sums = added
    return start, sums
