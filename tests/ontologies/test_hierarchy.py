"""The hierarchy against networkx, and its bad cases."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import OntologyError
from alignrank.ontologies.hierarchy import Hierarchy
from alignrank.ontologies.ontology import Entity, Kind, Ontology

names = st.sampled_from("abcdefgh")
links = st.lists(st.tuples(names, names), max_size=16)


def parents_of(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for child, parent in pairs:
        result.setdefault(child, []).append(parent)
    return result


@given(links, st.lists(st.tuples(names, names), max_size=3), st.booleans())
def test_hierarchy_is_the_condensation_of_the_links(pairs, equivalents, reduced):
    h = Hierarchy.of_parents(parents_of(pairs), equivalents=equivalents, reduced=reduced)
    graph = nx.DiGraph([*pairs, *equivalents, *((b, a) for a, b in equivalents)])
    groups = list(nx.strongly_connected_components(graph))
    assert h.nodes == {n: min(group) for group in groups for n in group}
    condensed = nx.DiGraph()
    condensed.add_nodes_from(min(group) for group in groups)
    condensed.add_edges_from(
        (h.nodes[a], h.nodes[b]) for a, b in graph.edges if h.nodes[a] != h.nodes[b]
    )
    if reduced:
        condensed = nx.transitive_reduction(condensed)
    assert {(c, p) for c, above in h.parents.items() for p in above} == set(condensed.edges)
    assert {(c, p) for p, below in h.children.items() for c in below} == set(condensed.edges)
    place = {n: i for i, n in enumerate(h.parents)}
    assert all(place[p] < place[c] for c, above in h.parents.items() for p in above)
    for node in h.parents:
        assert h.ancestors(node) == nx.descendants(condensed, node)
        assert h.distances_up(node) == nx.single_source_shortest_path_length(condensed, node)


@given(links, st.randoms())
def test_order_of_the_input_does_not_matter(pairs, random):
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    one, two = Hierarchy.of_parents(parents_of(pairs)), Hierarchy.of_parents(parents_of(shuffled))
    assert list(one.parents.items()) == list(two.parents.items())


def test_cycle_is_collapsed_and_reported_but_stated_equivalence_is_not():
    cyclic = Hierarchy.of_parents({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"], "e": ["e"]})
    assert cyclic.cycles == (("a", "b", "c"),)
    assert cyclic.parents == {"a": (), "d": ("a",), "e": ()}
    assert cyclic.node("c") == "a"
    stated = Hierarchy.of_parents({"a": ["b"], "b": ["a"]}, equivalents=[("b", "a")])
    assert stated.cycles == ()
    assert stated.nodes == {"a": "a", "b": "a"}


def test_links_join_entities_of_one_kind_and_parts_are_asked_for():
    entities = [Entity(i, Kind.CLASS) for i in ("A", "B")]
    entities += [Entity(i, Kind.PROPERTY) for i in ("p", "q")]
    entities += [Entity(i, Kind.INDIVIDUAL) for i in ("wheel", "car")]
    ontology = Ontology(
        "o",
        {e.iri: e for e in entities},
        parents={"A": ("B", "p", "undeclared"), "p": ("q",)},
        assertions=(("wheel", "partOf", "car"),),
    )
    assert Hierarchy.of(ontology).parents["A"] == ("B",)
    assert Hierarchy.of(ontology).parents["p"] == ("q",)
    assert Hierarchy.of(ontology).parents["wheel"] == ()
    assert Hierarchy.of(ontology, part_of=["partOf"]).parents["wheel"] == ("car",)
    assert set(Hierarchy.of(ontology, kinds=[Kind.CLASS]).nodes) == {"A", "B"}


def test_undeclared_entity_is_an_error_that_names_it():
    with pytest.raises(OntologyError, match="entity x is not in the hierarchy"):
        Hierarchy.of_parents({"a": ["b"]}).node("x")


def test_a_large_hierarchy_with_many_paths_is_built():
    # two nodes per level, all joined: 2^(n/2) paths from the last level to the first
    n = 100_000
    parents = {
        f"{i:06}": [f"{j:06}" for j in (i // 2 * 2 - 2, i // 2 * 2 - 1) if j >= 0]
        for i in range(200)
    }
    parents |= {f"{i:06}": [f"{i // 3:06}"] for i in range(200, n)}
    h = Hierarchy.of_parents(parents)
    assert len(h) == n
    assert h.roots == ("000000", "000001")
