"""Layers, rank intervals and groups against their definitions by brute force."""

from __future__ import annotations

from itertools import combinations, permutations
from xml.etree import ElementTree

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import Ranking, rank
from alignrank.evaluation.ranking import answer

NAMES = "abcdef"


@st.composite
def rankings(draw: st.DrawFn) -> tuple[Ranking, list[int], np.ndarray]:
    n = draw(st.integers(2, 6))
    scores = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    p = np.zeros((n, n))
    for i, j in combinations(range(n), 2):
        p[i, j] = p[j, i] = draw(st.sampled_from([0.01, 0.05, 0.06]))
    advantage = np.subtract.outer(scores, scores)
    return rank(NAMES[:n], advantage, p), scores, p


@given(rankings())
def test_everything_by_its_definition(case: tuple[Ranking, list[int], np.ndarray]) -> None:
    ranking, scores, p = case
    names, n = ranking.systems, len(scores)
    edges = {
        (names[i], names[j])
        for i, j in permutations(range(n), 2)
        if scores[i] > scores[j] and p[i, j] <= 0.05
    }
    assert set(ranking.edges) == edges
    assert not ranking.cycles

    def longest_chain(name: str) -> int:
        return 1 + max((longest_chain(a) for a, b in edges if b == name), default=0)

    assert all(ranking.layer(name) == longest_chain(name) for name in names)
    apart = {
        frozenset(pair)
        for pair in combinations(names, 2)
        if pair not in edges and pair[::-1] not in edges
    }
    groups = [
        set(g)
        for size in range(2, n + 1)
        for g in combinations(names, size)
        if all(frozenset(pair) in apart for pair in combinations(g, 2))
    ]
    maximal = {frozenset(g) for g in groups if not any(g < h for h in groups)}
    assert {frozenset(g) for g in ranking.groups} == maximal
    for name in names:
        worse, better = sum(a == name for a, _ in edges), sum(b == name for _, b in edges)
        assert ranking.rank_sets[name] == (1 + better, n - worse)
    chains = {(a, b, d) for a, b in edges for c, d in edges if b == c and (a, d) not in edges}
    # a strict weak order: both being better and not being separated are transitive
    same = {(a, b) for a in names for b in names if a == b or frozenset((a, b)) in apart}
    bridged = all((a, d) in same for a, b in same for c, d in same if b == c)
    assert ranking.weak_order == (bridged and not chains)
    for layer in ranking.layers:
        assert all(frozenset(pair) in apart for pair in combinations(layer, 2))


def test_no_edge_without_direction() -> None:
    assert rank("ab", np.zeros((2, 2)), np.zeros((2, 2))).edges == ()


def test_circle_shares_a_layer_and_is_no_order() -> None:
    ahead = np.array([[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1, -1, -1, 0]])
    ranking = rank("abcd", ahead, np.zeros((4, 4)))
    assert ranking.layers == (("a", "b", "c"), ("d",))
    assert ranking.cycles == (("a", "b", "c"),)
    assert not ranking.weak_order


def test_graph_can_be_read_elsewhere() -> None:
    ranking = rank(["x & y", 'say "z"'], [[0, 1], [-1, 0]], np.zeros((2, 2)))
    graph = nx.parse_graphml(ranking.to_graphml())
    assert list(graph.edges) == [("x & y", 'say "z"')]
    assert graph.nodes["x & y"] == {"layer": 1, "rank_low": 1, "rank_high": 1}
    assert ElementTree.fromstring(ranking.to_graphml()).tag.endswith("graphml")
    assert '"x & y" -> "say \\"z\\"";' in ranking.to_dot()


def test_frame_has_a_row_for_each_system_by_layer() -> None:
    frame = rank("ab", [[0, -1], [1, 0]], np.zeros((2, 2))).to_frame()
    assert frame["system"].tolist() == ["b", "a"]
    assert frame.loc[0].tolist() == ["b", 1, 1, 1, 1, 0]


def test_of_equals_none_is_the_best() -> None:
    names, edges = ["a", "b", "c", "d"], [("a", "c"), ("b", "c"), ("a", "d")]
    assert answer(names, edges, "F1 0.9", best=2) == [
        "a and b score best (F1 0.9).",
        "c is significantly worse.",
        "d is significantly worse than a only.",
    ]
    assert answer(names[:3], [], best=3) == ["a, b and c score the same."]
