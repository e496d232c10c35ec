"""Structure: how many neighbours of two entities probably belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from alignrank.matchers.evidence import Groups, Side
from alignrank.ontologies.ontology import DOMAIN, RANGE

from .evidence import Facts, Likely, Values, dots

#: Relations by the fact that they make.
Relations = Mapping[str, Sequence[csr_array]]


def neighbour_facts(
    groups: Groups, likely: Sequence[Likely], probabilities: Sequence[Values]
) -> list[Facts]:
    r"""Return how many neighbours of each likely pair probably belong together.

    With P the probability of a pair (0 where it is no candidate), and N_r(i) the neighbours of an
    entity in relation r, a fact is

        ln(1 + sum_r sum_{k in N_r(i), l in N_r(j)} P(k, l)),

    over the relations r of one sort: parents and wholes; children and parts; domains, ranges and
    types; and the entities that have the entity as their domain, range or type.

    Parameters
    ----------
    groups
        The candidates of each kind; neighbours may be of another kind.
    likely
        The likely pairs of each kind.
    probabilities
        Of each likely pair. Pairs that are not to count have 0.
    """
    corners = np.cumsum([[0, 0], *([len(g.source), len(g.target)] for g in groups)], axis=0)
    rows = [pairs.rows + corner[0] for pairs, corner in zip(likely, corners, strict=False)]
    columns = [pairs.columns + corner[1] for pairs, corner in zip(likely, corners, strict=False)]
    cells = np.concatenate(probabilities), (np.concatenate(rows), np.concatenate(columns))
    matched = csr_array(cells, shape=tuple(corners[-1]))
    matched.eliminate_zeros()
    relations1 = _relations([group.source for group in groups])
    relations2 = _relations([group.target for group in groups])
    facts_of_kinds: list[Facts] = [{} for _ in groups]
    for name, relations in relations1.items():
        reached = [csr_array(relation @ matched) for relation in relations]
        for facts, *places in zip(facts_of_kinds, rows, columns, strict=True):
            pairs = np.column_stack(places)
            sums = [dots(a, b, pairs) for a, b in zip(reached, relations2[name], strict=True)]
            facts[name] = np.log1p(np.sum(sums, axis=0))
    return facts_of_kinds


def _relations(sides: Sequence[Side]) -> Relations:
    """Return for each relation which entities are neighbours, as matrices of zeros and ones."""
    ontology = sides[0].ontology
    iris = [iri for side in sides for iri in side.iris]
    index = {iri: k for k, iri in enumerate(iris)}

    def links(pairs: Iterable[tuple[str, str]]) -> csr_array:
        cells = {(index[a], index[b]) for a, b in pairs if a in index and b in index and a != b}
        rows, columns = np.array(sorted(cells), dtype=np.int64).reshape(-1, 2).T
        return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(iris), len(iris)))

    parents = [(child, parent) for child, above in ontology.parents.items() for parent in above]
    wholes = [(a, b) for a, relation, b in ontology.links if relation not in (DOMAIN, RANGE)]
    above = [links({*parents, *wholes})]
    types = [(individual, of) for individual, classes in ontology.types.items() for of in classes]
    roles = [
        links((a, b) for a, relation, b in ontology.links if relation == DOMAIN),
        links((a, b) for a, relation, b in ontology.links if relation == RANGE),
        links(types),
    ]
    return {
        "above": above,
        "below": _turned(above),
        "roles": roles,
        "bearers": _turned(roles),
    }


def _turned(relations: Sequence[csr_array]) -> list[csr_array]:
    return [csr_array(relation.T) for relation in relations]
