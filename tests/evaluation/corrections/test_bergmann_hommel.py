"""Bergmann–Hommel against its definition, an independent dynamic programme, and its limits."""

from itertools import pairwise

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm, rankdata

from alignrank.evaluation.corrections import compiled_cliques
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.corrections.bergmann_hommel import bergmann_hommel
from alignrank.evaluation.corrections.cliques import (
    Graph,
    Partitioner,
    colouring_bound,
    components,
    fill,
    maximal,
    packing_bound,
    rest_bounder,
    restricted,
)
from tests.evaluation.corrections.bergmann_hommel_by_definition import (
    enumerate_adjusted,
    exhaustive_sets,
)
from tests.generated import examples


def symmetric(upper, systems):
    p = np.full((systems, systems), np.nan)
    p[np.triu_indices(systems, 1)] = upper
    p.T[np.triu_indices(systems, 1)] = upper
    return p


def mcnemar(systems, rng, items=300):
    """Mid-p values of systems that answer the same items."""
    ability = rng.normal(0.5, 0.5, systems)
    easy = rng.normal(0, 1, items)
    right = (rng.random((systems, items)) < norm.cdf(ability[:, None] + easy)).astype(int)
    only = right @ (1 - right).T
    most, both = np.maximum(only, only.T), only + only.T
    p = np.minimum(1.0, 2 * binom.sf(most, both, 0.5) + binom.pmf(most, both, 0.5))
    return symmetric(p[np.triu_indices(systems, 1)], systems)


def friedman(systems, rng, tasks=20):
    ranks = rankdata(rng.normal(np.linspace(0, 1, systems), 1, (tasks, systems)), axis=1).mean(0)
    z = np.subtract.outer(ranks, ranks) / np.sqrt(systems * (systems + 1) / (6 * tasks))
    return symmetric(2 * norm.sf(np.abs(z[np.triu_indices(systems, 1)])), systems)


FAMILIES = {
    "mcnemar": mcnemar,
    "friedman": friedman,
    "uniform": lambda n, rng: symmetric(rng.random(n * (n - 1) // 2), n),
    "never capped": lambda n, rng: symmetric(rng.random(n * (n - 1) // 2) * 1e-4, n),
    "log-uniform": lambda n, rng: symmetric(10 ** rng.uniform(-8, 0, n * (n - 1) // 2), n),
    "two values": lambda n, rng: symmetric(rng.choice([1e-6, 1e-3], n * (n - 1) // 2), n),
    "ties and ends": lambda n, rng: symmetric(
        rng.choice([0.0, 1e-3, 0.01, 0.02, 1.0], n * (n - 1) // 2), n
    ),
}


@numba.njit
def best_partitions(neighbours, systems):
    """Most pairs of a partition into cliques, for every subset, in O(3^n)."""
    clique = np.zeros(1 << systems, dtype=np.bool_)
    count = np.zeros(1 << systems, dtype=np.int64)
    most = np.zeros(1 << systems, dtype=np.int64)
    clique[0] = True
    for subset in range(1, 1 << systems):
        lowest = 0
        while not subset >> lowest & 1:
            lowest += 1
        rest = subset & (subset - 1)
        count[subset] = count[rest] + 1
        clique[subset] = clique[rest] and rest & neighbours[lowest] == rest
        block = rest
        most[subset] = most[rest]
        while block:
            whole = block | 1 << lowest
            if clique[whole]:
                pairs = count[whole] * (count[whole] - 1) // 2
                most[subset] = max(most[subset], pairs + most[subset ^ whole])
            block = (block - 1) & rest
    return clique, count, most


@numba.njit
def most_with_pair(neighbours, systems):
    """Most pairs of a partition that has a given pair in one block, for every pair."""
    clique, count, most = best_partitions(neighbours, systems)
    everyone = (1 << systems) - 1
    result = np.zeros((systems, systems), dtype=np.int64)
    for block in range(1, 1 << systems):
        if clique[block]:
            pairs = count[block] * (count[block] - 1) // 2 + most[everyone ^ block]
            for i in range(systems):
                if block >> i & 1:
                    for j in range(systems):
                        if i != j and block >> j & 1:
                            result[i, j] = max(result[i, j], pairs)
    return result


def by_subsets(p):
    """Adjusted values by dynamic programming over subsets at every threshold."""
    systems = len(p)
    adjusted = np.zeros_like(p)
    for t in np.unique(p[np.triu_indices(systems, 1)]):
        joined = p >= t
        neighbours = joined @ (1 << np.arange(systems))
        adjusted = np.maximum(adjusted, t * most_with_pair(neighbours, systems))
    adjusted = np.minimum(1.0, adjusted)
    np.fill_diagonal(adjusted, np.nan)
    return adjusted


def test_the_number_of_exhaustive_sets_is_bells_less_one():
    for systems, bell in [(2, 2), (3, 5), (4, 15), (5, 52), (6, 203), (7, 877)]:
        sets = [tuple(pairs) for pairs in exhaustive_sets(systems)]
        assert len(sets) == len(set(sets)) == bell - 1


@given(
    family=st.sampled_from(sorted(FAMILIES)),
    systems=st.sampled_from([2, 3, 4, 5, 5, 6, 6, 6, 7]),
    seed=st.integers(0, 10_000),
)
@examples(250)
def test_equals_its_definition(family, systems, seed):
    p = FAMILIES[family](systems, np.random.default_rng(seed))
    found = bergmann_hommel(p)
    expected = enumerate_adjusted(p)
    np.testing.assert_array_equal(found.values, expected)
    assert found.exact.all()


def test_equals_its_definition_at_eight():
    for family in sorted(FAMILIES):
        p = FAMILIES[family](8, np.random.default_rng(8))
        np.testing.assert_array_equal(bergmann_hommel(p).values, enumerate_adjusted(p))


@pytest.mark.parametrize("family", sorted(FAMILIES))
@pytest.mark.parametrize("systems", [9, 11, 13])
def test_equals_an_independent_dynamic_programme(family, systems):
    p = FAMILIES[family](systems, np.random.default_rng(systems))
    np.testing.assert_allclose(bergmann_hommel(p).values, by_subsets(p), rtol=1e-12)


def test_the_dynamic_programme_equals_the_definition():
    p = FAMILIES["log-uniform"](6, np.random.default_rng(1))
    np.testing.assert_allclose(by_subsets(p), enumerate_adjusted(p), rtol=1e-12)


@given(family=st.sampled_from(sorted(FAMILIES)), systems=st.integers(2, 6), seed=st.integers(0, 99))
@examples(50)
def test_running_maximum(family, systems, seed):
    """For each p, the largest adjusted value of all pairs whose p is no larger."""
    p = FAMILIES[family](systems, np.random.default_rng(seed))
    upper = np.triu_indices(systems, 1)
    raw, values = p[upper], enumerate_adjusted(p)[upper]
    expected = [values[raw <= one].max() for one in raw]
    found = bergmann_hommel(p, monotone=True)
    np.testing.assert_array_equal(found.values[upper], expected)
    assert found.exact.all()


def test_the_definition_is_not_monotone_in_p():
    """Garcia and Herrera's example: a pair with a larger p may have a smaller adjusted value."""
    found = 0
    for seed in range(30):
        p = FAMILIES["friedman"](5, np.random.default_rng(seed))
        upper = np.triu_indices(5, 1)
        ordered = adjust(p, "bergmann-hommel").values[upper][np.argsort(p[upper])]
        found += any(after < before for before, after in pairwise(ordered))
    assert found


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_budget_that_is_too_small_gives_upper_bounds(family):
    p = FAMILIES[family](13, np.random.default_rng(3))
    exact, shaffer = adjust(p, "bergmann-hommel").values, adjust(p, "shaffer").values
    upper = np.triu_indices(13, 1)
    for budget in (0, 20, 60, 200, 1000, 5000):
        bounded = bergmann_hommel(p, budget=budget)
        value, is_exact = bounded.values[upper], bounded.exact[upper]
        assert np.all(value >= exact[upper])
        assert np.all(value <= shaffer[upper])
        np.testing.assert_array_equal(value[is_exact], exact[upper][is_exact])
        assert bounded.nodes <= budget + 100
        monotone = bergmann_hommel(p, budget=budget, monotone=True)
        truth = adjust(p, "bergmann-hommel", monotone=True).values[upper]
        assert np.all(monotone.values[upper] >= truth)
        marked = monotone.exact[upper]
        np.testing.assert_array_equal(monotone.values[upper][marked], truth[marked])


def test_a_budget_is_marked_where_it_bites_and_repeats_itself():
    p = FAMILIES["never capped"](14, np.random.default_rng(5))
    first, second = (bergmann_hommel(p, budget=300) for _ in range(2))
    assert not first.exact.all()
    assert first.nodes == second.nodes
    np.testing.assert_array_equal(first.values, second.values)
    np.testing.assert_array_equal(first.exact, second.exact)


def test_graphs_with_very_many_cliques_are_bounded(monkeypatch):
    monkeypatch.setattr("alignrank.evaluation.corrections.cliques.MOST_CLIQUES", 30)
    p = FAMILIES["never capped"](10, np.random.default_rng(2))
    bounded = bergmann_hommel(p)
    exact = by_subsets(p)
    upper = np.triu_indices(10, 1)
    assert not bounded.exact.all()
    assert np.all(bounded.values[upper] >= exact[upper] * (1 - 1e-12))
    np.testing.assert_allclose(
        bounded.values[bounded.exact], exact[bounded.exact], rtol=1e-12, equal_nan=True
    )


@given(
    family=st.sampled_from(sorted(FAMILIES)),
    systems=st.integers(4, 7),
    seed=st.integers(0, 10_000),
    most=st.integers(1, 9),
)
@examples(60)
def test_graphs_that_list_their_cliques_anew_give_the_definition(family, systems, seed, most):
    p = FAMILIES[family](systems, np.random.default_rng(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alignrank.evaluation.corrections.cliques.MOST_CLIQUES", most * systems)
        found = bergmann_hommel(p)
    expected = enumerate_adjusted(p)
    upper = np.triu_indices(systems, 1)
    assert np.all(found.values[upper] >= expected[upper])
    np.testing.assert_array_equal(found.values[found.exact], expected[found.exact])


@st.composite
def graphs(draw):
    vertices = draw(st.integers(2, 8))
    pairs = [(i, j) for j in range(vertices) for i in range(j)]
    missing = draw(st.lists(st.sampled_from(pairs), unique=True))
    return vertices, [pair for pair in pairs if pair not in missing], missing


@given(graph=graphs())
@examples(100)
def test_clique_lists_and_bounds(graph):
    vertices, edges, missing = graph
    found = Graph.complete(vertices).without(missing)
    joined = np.zeros(vertices, dtype=np.int64)
    for i, j in edges:
        joined[i] |= 1 << j
        joined[j] |= 1 << i
    assert found.neighbours == joined.tolist()
    clique, count, most = best_partitions(joined, vertices)
    everyone = (1 << vertices) - 1
    expected = {
        subset
        for subset in range(1 << vertices)
        if clique[subset]
        and count[subset] > 1
        and not any(clique[subset | 1 << v] for v in range(vertices) if not subset >> v & 1)
    }
    assert set(found.cliques) == expected
    assert set(Graph(None, found.neighbours).listed_anew().cliques) == expected
    assert colouring_bound(found.neighbours) >= most[everyone]
    for subset in range(1, 1 << vertices, 7):
        within = restricted(found.cliques, subset)
        bound = packing_bound(within, 1 + vertices)
        assert bound >= most[subset]
        parts = components(maximal(within))
        assert sum(packing_bound(inside, vertices) for _, inside in parts) == bound


@given(graph=graphs(), need=st.integers(0, 28))
@examples(100)
def test_searches_are_exact_above_what_is_needed(graph, need):
    vertices, edges, missing = graph
    found = Graph.complete(vertices).without(missing)
    truth = most_with_pair(np.array(found.neighbours), vertices)
    partitioner = Partitioner(100_000)
    for i, j in edges:
        result = partitioner.search(found, need, 1 << i | 1 << j)
        filled = fill(found, 1 << i | 1 << j)
        assert filled.pairs <= truth[i, j]
        assert found.holds(filled.blocks)
        assert any(block >> i & block >> j & 1 for block in filled.blocks)
        if truth[i, j] > need:
            assert result.pairs == truth[i, j]
            assert (
                sum(b.bit_count() * (b.bit_count() - 1) // 2 for b in result.blocks) == truth[i, j]
            )
            assert any(block >> i & 1 and block >> j & 1 for block in result.blocks)
        else:
            assert truth[i, j] <= result.pairs <= need or result.blocks is not None


@given(
    systems=st.integers(2, 140),
    missing=st.floats(0.02, 1),
    largest=st.integers(1, 12),
    seed=st.integers(0, 10_000),
    data=st.data(),
)
@examples(60)
def test_the_compiled_step_does_what_the_plain_one_does(systems, missing, largest, seed, data):
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(np.triu(rng.random((systems, systems)) < missing, 1))
    some = rng.permutation(systems)[:14]
    apart = [(u, v) for u, v in pairs.tolist() if u in some and v in some]
    apart += [(int(u), v) for u in some for v in range(systems) if v not in some]
    graph = Graph.complete(systems).without(apart)
    rest = sum(1 << int(v) for v in rng.permutation(systems)[: rng.integers(systems + 1)])
    inputs = graph.cliques, graph.neighbours
    need = data.draw(st.integers(-1, rest_bounder(*inputs)(rest, largest, 10**6)[0]))
    bound, parts = rest_bounder(*inputs)(rest, largest, need)
    compiled_bound, compiled_parts = compiled_cliques.rest_bounder(*inputs)(rest, largest, need)
    assert compiled_bound == bound
    as_sets = [
        {(vertices, frozenset(inside), *facts) for vertices, inside, *facts in found}
        for found in (parts, compiled_parts)
    ]
    assert as_sets[0] == as_sets[1]
    neighbours = [int.from_bytes(rng.bytes(systems // 8)) & around for around in graph.neighbours]
    for around in (graph.neighbours, neighbours):
        assert compiled_cliques.colouring_bound(around) == colouring_bound(around)
    assert all(
        sorted(map(int.bit_count, inside), reverse=True) == list(map(int.bit_count, inside))
        for _, inside, *_ in compiled_parts
    )


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_long_searches_compiled_find_the_same_values(family, monkeypatch):
    p = FAMILIES[family](14, np.random.default_rng(1))
    plain = bergmann_hommel(p)
    monkeypatch.setattr("alignrank.evaluation.corrections.cliques.LONG", 0)
    compiled = bergmann_hommel(p)
    assert plain.exact.all()
    assert compiled.exact.all()
    np.testing.assert_array_equal(compiled.values, plain.values)


@pytest.mark.parametrize(("least", "most", "systems", "seed"), [(1, 2, 40, 0), (0, 1e4, 50, 2)])
def test_random_p_values_whose_graphs_have_too_many_cliques_are_exact(least, most, systems, seed):
    p = np.random.default_rng([seed, systems]).uniform(least, most, systems * (systems - 1) // 2)
    assert bergmann_hommel(symmetric(p / 1e4, systems)).exact.all()


def test_fifty_systems_are_exact_within_the_default_budget():
    p = FAMILIES["friedman"](50, np.random.default_rng(0))
    found = adjust(p, "bergmann-hommel")
    assert found.exact.all()
    upper = np.triu_indices(50, 1)
    assert np.all(found.values[upper] <= adjust(p, "shaffer").values[upper] * (1 + 1e-12))
