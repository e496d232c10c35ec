"""Structure: how far the neighbours of two entities are matched with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import block_diag, csr_array

from alignrank.common.memory import require_memory
from alignrank.matchers.assignment.choose import assign
from alignrank.matchers.metrics.metric import Matrix
from alignrank.matchers.metrics.ngram import NGRAM
from alignrank.ontologies.ontology import DOMAIN, RANGE, Ontology

from .own import Evidence, Groups, kind_matrices, sees_no_strings


def structure_matrices(groups: Groups, known: Sequence[Matrix] | None = None) -> list[Matrix]:
    r"""Return how far the neighbours of each two entities are matched with each other.

    With P the similarities of the pairs that an assignment on what is known finds (0 elsewhere),
    and N_r(i) the neighbours of entity i in relation r,

        sim(i, j) = 2 * sum_r sum_{k in N_r(i), l in N_r(j)} P(k, l) / sum_r (|N_r(i)| + |N_r(j)|),

    a Dice coefficient over all relations together, 0 where neither has a neighbour. The relations:
    above, below and beside (below the same) by is_a, and the same by someValuesFrom restrictions
    such as part_of; domain and range of a property, and the properties of which a class is either;
    types of an individual, and the individuals of a class.

    Parameters
    ----------
    groups
        The candidates of each kind; neighbours may be of another kind.
    known
        Similarities by other evidence, one matrix for each kind; None for those by `ngram`.

    Returns
    -------
    list of ndarray of float64, shapes (n, m)
        Values in [0, 1]. Cycles of the hierarchy do no harm: only direct links are followed.

    Raises
    ------
    MatcherError
        If the entities beside each other are too many for the memory.
    """
    known = kind_matrices(groups, NGRAM) if known is None else known
    found = _assigned(known)
    matched, degrees = np.zeros(found.shape), [np.zeros(size) for size in found.shape]
    sides = [
        _neighbours(side[0].ontology, [iri for one in side for iri in one.iris])
        for side in ([g.source for g in groups], [g.target for g in groups])
    ]
    for one, two in zip(*sides, strict=True):
        matched += 2.0 * (one @ found @ two.T).toarray()
        for degree, neighbours in zip(degrees, (one, two), strict=True):
            degree += neighbours.sum(axis=1)
    every = degrees[0][:, None] + degrees[1]
    shares = np.divide(matched, every, out=matched, where=every > 0.0)
    corners = np.cumsum([[0, 0], *(matrix.shape for matrix in known)], axis=0)
    return [np.minimum(shares[a:b, c:d], 1.0) for (a, c), (b, d) in pairwise(corners)]


def _assigned(known: Sequence[Matrix]) -> csr_array:
    """Return the similarities of the pairs that are assigned, the kinds one after another."""
    pairs = [assign(matrix) for matrix in known]
    parts = [
        csr_array((of.similarities, (of.rows, of.columns)), shape=matrix.shape)
        for of, matrix in zip(pairs, known, strict=True)
    ]
    return csr_array(block_diag(parts))


def _neighbours(ontology: Ontology, iris: Sequence[str]) -> list[csr_array]:
    """Return who is whose neighbour, for each relation a matrix of zeros and ones."""
    place = {iri: k for k, iri in enumerate(iris)}

    def links(pairs: Iterable[tuple[str, str]]) -> csr_array:
        known = {(place[a], place[b]) for a, b in pairs if a in place and b in place and a != b}
        ends = np.array(sorted(known), dtype=np.intp).reshape(-1, 2).T
        return csr_array((np.ones(len(known)), (ends[0], ends[1])), shape=(len(iris), len(iris)))

    is_a = links((child, above) for child, of in ontology.parents.items() for above in of)
    restricted = links((a, b) for a, r, b in ontology.links if r not in (DOMAIN, RANGE))
    relations = []
    for up in (is_a, restricted):
        require_memory(
            12 * int((up.sum(axis=0) ** 2).sum()), "a hierarchy with so many entities side by side"
        )
        beside = csr_array(up @ up.T)
        beside.setdiag(0.0)
        beside.eliminate_zeros()
        beside.data[:] = 1.0
        relations += [up, csr_array(up.T), beside]
    others = [[(a, b) for a, r, b in ontology.links if r == ends] for ends in (DOMAIN, RANGE)]
    others.append([(one, its_type) for one, of in ontology.types.items() for its_type in of])
    for of_one in map(links, others):
        relations += [of_one, csr_array(of_one.T)]
    return relations


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
