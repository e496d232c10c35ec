"""Maximal cliques as networkx finds them."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation.corrections.cliques import maximal_cliques, members


@given(st.integers(2, 9), st.data())
def test_the_maximal_cliques_are_those_of_networkx(n: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.sampled_from(list(combinations(range(n), 2)))))
    graph = nx.Graph(edges)
    neighbours = [sum(1 << v for v in graph[u]) if u in graph else 0 for u in range(n)]
    expected = [set(clique) for clique in nx.find_cliques(graph)]
    cliques = [set(members(clique)) for clique in maximal_cliques(neighbours)]
    assert sorted(map(sorted, cliques)) == sorted(map(sorted, expected))
