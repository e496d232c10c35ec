"""Structure: the share of two entities' neighbours that are matched with each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import block_diag, csr_array

from alignrank.common.memory import require_memory
from alignrank.matchers.assignment.choose import assign
from alignrank.matchers.metrics.metric import Matrix
from alignrank.matchers.metrics.ngram import NGRAM
from alignrank.ontologies.ontology import DOMAIN, RANGE

from .own import Evidence, Groups, Side, kind_matrices, sees_no_strings


def structure_matrices(groups: Groups, estimates: Sequence[Matrix] | None = None) -> list[Matrix]:
    r"""Return the share of neighbours that are matched with each other, for all pairs of entities.

    With P the similarities of the pairs that are assigned on `estimates` (0 elsewhere), and N_r(i)
    the neighbours of entity i in relation r,

        sim(i, j) = 2 * sum_r sum_{k in N_r(i), l in N_r(j)} P(k, l) / sum_r (|N_r(i)| + |N_r(j)|),

    a Dice coefficient over all relations together, 0 where neither has a neighbour. The relations:
    parents, children and siblings by is_a, and the same by someValuesFrom restrictions such as
    part_of; domain and range of a property, and the properties of a domain or range; types of an
    individual, and the individuals of a class.

    Parameters
    ----------
    groups
        The candidates of each kind; neighbours may be of another kind.
    estimates
        Similarities by other evidence, one matrix for each kind; None for those by `ngram`.

    Returns
    -------
    list of ndarray of float64, shapes (n, m)
        Values in [0, 1]. Cycles of the hierarchy do no harm: only direct links are followed.

    Raises
    ------
    MatcherError
        If there are too many pairs of siblings for the memory.
    """
    if estimates is None:
        estimates = kind_matrices(groups, NGRAM)
    assigned = _assigned(estimates)
    matched = np.zeros(assigned.shape)
    degrees1, degrees2 = (np.zeros(size) for size in assigned.shape)
    relations1 = _neighbours([group.source for group in groups])
    relations2 = _neighbours([group.target for group in groups])
    for relation1, relation2 in zip(relations1, relations2, strict=True):
        matched += 2.0 * (relation1 @ assigned @ relation2.T).toarray()
        degrees1 += relation1.sum(axis=1)
        degrees2 += relation2.sum(axis=1)
    degrees = degrees1[:, None] + degrees2
    shares = np.divide(matched, degrees, out=matched, where=degrees > 0.0)
    # the kinds lie along the diagonal, as in `assigned`
    corners = np.cumsum([[0, 0], *(matrix.shape for matrix in estimates)], axis=0)
    return [np.minimum(shares[a:b, c:d], 1.0) for (a, c), (b, d) in pairwise(corners)]


def _assigned(estimates: Sequence[Matrix]) -> csr_array:
    """Return the similarities of the assigned pairs, the kinds along the diagonal."""
    blocks = []
    for matrix in estimates:
        pairs = assign(matrix)
        cells = pairs.similarities, (pairs.rows, pairs.columns)
        blocks.append(csr_array(cells, shape=matrix.shape))
    return csr_array(block_diag(blocks))


def _neighbours(sides: Sequence[Side]) -> list[csr_array]:
    """Return for each relation which entities are neighbours, as a matrix of zeros and ones."""
    ontology = sides[0].ontology
    iris = [iri for side in sides for iri in side.iris]
    index = {iri: k for k, iri in enumerate(iris)}

    def links(pairs: Iterable[tuple[str, str]]) -> csr_array:
        cells = {(index[a], index[b]) for a, b in pairs if a in index and b in index and a != b}
        rows, columns = np.array(sorted(cells), dtype=np.intp).reshape(-1, 2).T
        return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(iris), len(iris)))

    is_a = links(_pairs(ontology.parents))
    restricted = links((a, b) for a, r, b in ontology.links if r not in (DOMAIN, RANGE))
    relations = []
    for parents in (is_a, restricted):
        sibling_pairs = (parents.sum(axis=0) ** 2).sum()
        require_memory(12 * int(sibling_pairs), "a hierarchy with so many entities side by side")
        siblings = csr_array(parents @ parents.T)
        siblings.setdiag(0.0)
        siblings.eliminate_zeros()
        siblings.data[:] = 1.0
        relations += [parents, csr_array(parents.T), siblings]
    domains, ranges = (
        links((a, b) for a, r, b in ontology.links if r == role) for role in (DOMAIN, RANGE)
    )
    for relation in (domains, ranges, links(_pairs(ontology.types))):
        relations += [relation, csr_array(relation.T)]
    return relations


def _pairs(classes_of: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    return [(iri, of_iri) for iri, classes in classes_of.items() for of_iri in classes]


STRUCTURE = Evidence(
    name="structure",
    family="evidence",
    similarity=sees_no_strings("structure"),
    matrices=structure_matrices,
    looks_around=True,
    bytes_per_pair=72,
    summary="share of neighbours (is_a, part_of, domain, range, type) that are matched together",
    source="ours; a Dice coefficient",
)
