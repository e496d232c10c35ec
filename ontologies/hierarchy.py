"""The hierarchy of an ontology's entities: a directed acyclic graph of direct links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from itertools import chain

from alignrank.common.errors import OntologyError
from alignrank.common.names import Pair, Texts, grouped

from .ontology import Iris, Kind, Ontology

Links = Mapping[str, Iris]


@dataclass(frozen=True)
class Hierarchy:
    """Direct links between the nodes of a directed acyclic graph.

    A node is one entity, or several that a cycle or a stated equivalence makes equal; its name is
    the smallest of their IRIs.

    Parameters
    ----------
    parents, children
        Direct super- and sub-nodes by node, sorted; every node is a key of both. The keys of
        `parents` are in topological order: a node comes after all its super-nodes.
    nodes
        Node by entity IRI.
    cycles
        Groups of entities that super-entity links join in a cycle (each below the other) without a
        stated equivalence. They are one node, and listed here because a cycle is nearly always an
        error of the ontology.
    kinds
        Kind by node; classes are left out.

    Examples
    --------
    >>> h = Hierarchy.of_parents({"Novel": ["Book", "Item"], "Book": ["Item"]})
    >>> h.parents["Novel"], h.children["Item"], sorted(h.ancestors("Novel"))
    (('Book',), ('Book',), ['Book', 'Item'])
    >>> Hierarchy.of_parents({"a": ["b"], "b": ["a"]}).cycles
    (('a', 'b'),)
    """

    parents: Links
    children: Links
    nodes: Texts
    cycles: tuple[Iris, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    @classmethod
    def of_parents(
        cls,
        parents: Mapping[str, Iterable[str]],
        *,
        entities: Iterable[str] = (),
        equivalents: Iterable[Pair] = (),
        reduced: bool = True,
        kinds: Mapping[str, Kind] | None = None,
    ) -> Hierarchy:
        """Build the hierarchy from direct super-entities.

        Parameters
        ----------
        parents
            Direct super-entities by entity.
        entities
            Further entities, which may have no link.
        equivalents
            Pairs to collapse to one node.
        reduced
            Drop a direct link that a longer path repeats (transitive reduction).
        kinds
            Kind by entity; classes may be left out.
        """
        links = [(child, parent) for child, above in parents.items() for parent in above]
        # an equivalence is a link in both directions
        equalities = [link for a, b in equivalents for link in ((a, b), (b, a))]
        iris = sorted({*entities, *parents, *chain.from_iterable(links + equalities)})
        node = _components(iris, links + equalities)
        stated = _components(iris, equalities)
        of_nodes = ((node[child], node[parent]) for child, parent in links)
        above = grouped((child, parent) for child, parent in of_nodes if child != parent)
        sorted_parents = {n: tuple(sorted(set(above.get(n, ())))) for n in iris if node[n] == n}
        order = TopologicalSorter(sorted_parents).static_order()
        ordered = {n: sorted_parents[n] for n in order}
        if reduced:
            ordered = _reduced(ordered)
        below = inverse({n: ordered[n] for n in sorted(ordered)})
        kinds = kinds or {}
        return cls(
            ordered,
            {n: tuple(below.get(n, ())) for n in ordered},
            node,
            _cycles(links, node, stated),
            kinds={n: kinds[n] for n in ordered if kinds.get(n, Kind.CLASS) is not Kind.CLASS},
        )

    @classmethod
    def of(
        cls,
        ontology: Ontology,
        *,
        kinds: Collection[Kind] | None = None,
        reduced: bool = True,
        part_of: Collection[str] = (),
    ) -> Hierarchy:
        """Build the hierarchy of an ontology's declared entities.

        Entities that are stated equivalent are one node.

        Parameters
        ----------
        ontology
            Its asserted super-entities are the links.
        kinds
            Kinds of entities to use; None uses all. No link joins different kinds.
        reduced
            Drop redundant direct links.
        part_of
            IRIs of properties that state that an individual is part of another; those links are
            the hierarchy of the individuals, which have none otherwise.
        """
        kind_of = {e.iri: e.kind for e in ontology if kinds is None or e.kind in kinds}

        def comparable(a: str, b: str) -> bool:
            return a in kind_of and b in kind_of and kind_of[a] is kind_of[b]

        parents = {}
        for iri in kind_of:
            parents[iri] = [p for p in ontology.parents.get(iri, ()) if comparable(iri, p)]
        for component, link, whole in ontology.assertions:
            if link in part_of and comparable(component, whole):
                parents[component].append(whole)
        equivalents = [pair for pair in ontology.equivalents if comparable(*pair)]
        return cls.of_parents(parents, equivalents=equivalents, reduced=reduced, kinds=kind_of)

    def __hash__(self) -> int:
        # few fields only: the hash is a cache key and must be cheap
        return hash((len(self.nodes), len(self.parents), self.cycles))

    def __contains__(self, iri: object) -> bool:
        return iri in self.nodes

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def roots(self) -> Iris:
        """Nodes without a super-node, sorted."""
        return tuple(sorted(n for n, above in self.parents.items() if not above))

    def node(self, iri: str) -> str:
        """Return the node of an entity.

        Raises
        ------
        OntologyError
            If the hierarchy has no such entity.
        """
        if iri not in self.nodes:
            raise OntologyError(
                f"entity {iri} is not in the hierarchy: check its IRI, and that the ontology "
                "declares it"
            )
        return self.nodes[iri]

    def distances_up(self, node: str, limit: int | None = None) -> dict[str, int]:
        """Return the shortest distance to every node above, itself (0) included."""
        return distances(node, self.parents, limit)

    def distances_down(self, node: str, limit: int | None = None) -> dict[str, int]:
        """Return the shortest distance to every node below, itself (0) included."""
        return distances(node, self.children, limit)

    def ancestors(self, node: str) -> set[str]:
        """Return all nodes above, without the node itself."""
        return set(distances(node, self.parents, None)) - {node}


def inverse(links: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the nodes that link to each node."""
    return grouped((end, start) for start, ends in links.items() for end in ends)


def distances(
    start: str, links: Mapping[str, Collection[str]], limit: int | None
) -> dict[str, int]:
    """Return the shortest distance to every node that links lead to, the start (0) included."""
    distance_by_node = {start: 0}
    layer = [start]
    distance = 0
    while layer and (limit is None or distance < limit):
        distance += 1
        linked = chain.from_iterable(links.get(node, ()) for node in layer)
        layer = [node for node in dict.fromkeys(linked) if node not in distance_by_node]
        distance_by_node.update(dict.fromkeys(layer, distance))
    return distance_by_node


def _components(iris: list[str], links: list[Pair]) -> dict[str, str]:
    """Return the smallest IRI of each IRI's strongly connected component; `iris` are sorted."""
    if not links:
        return {iri: iri for iri in iris}
    # imported here: it takes .2 s, and most commands never need it
    from scipy.sparse import csgraph, csr_array

    index = {iri: i for i, iri in enumerate(iris)}
    below, above = zip(*((index[a], index[b]) for a, b in links), strict=True)
    graph = csr_array(([1] * len(links), (below, above)), (len(iris), len(iris)))
    _, labels = csgraph.connected_components(graph, directed=True, connection="strong")
    by_label: dict[int, str] = {}
    smallest = map(by_label.setdefault, labels.tolist(), iris)
    return dict(zip(iris, smallest, strict=True))


def _reduced(parents: dict[str, Iris]) -> dict[str, Iris]:
    """Drop the parents that are ancestors of another parent."""
    result = {}
    for node, above in parents.items():
        if len(above) > 1:
            higher: set[str] = set()
            for parent in above:
                higher |= distances(parent, parents, None).keys() - {parent}
            above = tuple(p for p in above if p not in higher)
        result[node] = above
    return result


def _cycles(links: list[Pair], node: Texts, stated: Texts) -> tuple[Iris, ...]:
    groups: dict[str, set[str]] = {}
    for child, parent in links:
        if node[child] == node[parent] and stated[child] != stated[parent]:
            groups.setdefault(node[child], set()).update((child, parent))
    return tuple(tuple(sorted(groups[n])) for n in sorted(groups))
