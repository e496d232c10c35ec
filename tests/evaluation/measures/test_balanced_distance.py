"""BDM and learning accuracy: GATE's values, the poster's table, and every path enumerated."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.common.errors import EvaluationError, OntologyError
from alignrank.evaluation.measures.balanced_distance import (
    ROOT,
    BalancedDistance,
    Chains,
    LearningAccuracy,
)
from alignrank.ontologies.hierarchy import Hierarchy
from tests.conftest import THOROUGH
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "hierarchical.json").read_text("utf-8"))


@pytest.mark.parametrize("name", GOLDEN["small"])
def test_small_taxonomies(name):
    case = GOLDEN["small"][name]
    hierarchy = Hierarchy.of_parents(case["parents"])
    bdm = BalancedDistance(hierarchy, virtual_root=case["virtual_root"])
    assert bdm.chains.total.mean == case["n1_avg_chain_edges"]
    assert bdm.chains.mean_branching == pytest.approx(case["avg_branching"])
    maynard, hahn = LearningAccuracy(hierarchy), LearningAccuracy(hierarchy, variant="hahn")
    for key, response, value, la, la_hahn, msca, cp, dpk, dpr, n2, n3, br in case["pairs"]:
        got = bdm.distance(key, response)
        assert got.bdm == pytest.approx(value, abs=1e-9)
        assert maynard(key, response) == pytest.approx(la, abs=1e-9)
        assert hahn(key, response) == pytest.approx(la_hahn, abs=1e-9)
        if key == response:
            continue
        assert got.msca == {None: None, "owl:Thing*": ROOT}.get(msca, msca)
        if value > 0:
            assert (got.cp, got.dpk, got.dpr) == (cp, dpk, dpr)
            assert (got.n2, got.n3) == pytest.approx((n2, n3))
            assert got.branching == pytest.approx(br, abs=1e-9)


# against every path, enumerated -----------------------------------------------------------------

links = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14)


def dag(pairs):
    parents = {}
    for a, b in pairs:
        if a > b:
            parents.setdefault(f"c{a}", []).append(f"c{b}")
    return Hierarchy.of_parents(parents, entities=[f"c{i}" for i in range(8)], reduced=False)


def paths_up(parents, node):
    """All paths from a root down to the node."""
    above = parents[node]
    return [[*p, node] for q in above for p in paths_up(parents, q)] if above else [[node]]


def plain_chains(chains):
    leaves = [n for n in chains.parents if not chains.branching[n]]
    return [path for leaf in leaves for path in paths_up(chains.parents, leaf)]


def plain_bdm(chains, key, response):
    """The definition, over all pairs of paths."""
    if key == response:
        return 1.0
    every = plain_chains(chains)

    def mean(found):
        return sum(len(c) - 1 for c in found) / len(found)

    n1 = mean(every)
    n2, n3 = (mean([c for c in every if x in c]) for x in (key, response))
    inner = [b for b in chains.branching.values() if b]
    best = 0.0
    for one, two in product(paths_up(chains.parents, key), paths_up(chains.parents, response)):
        common = 0
        while common < min(len(one), len(two)) and one[common] == two[common]:
            common += 1
        if common == 0:
            continue
        cp, dpk, dpr = common - 1, len(one) - common, len(two) - common
        way = [one[common - 1], *one[common:-1], *two[common:-1]]
        br = sum(chains.branching[n] for n in way) / len(way) / (sum(inner) / len(inner))
        near = br * cp / n1
        best = max(best, near / (near + dpk / n2 + dpr / n3))
    return best


@examples(120)
@given(links, st.booleans(), st.integers(0, 7), st.integers(0, 7))
def test_bdm_is_the_best_over_all_pairs_of_paths(pairs, virtual_root, a, b):
    hierarchy = dag(pairs)
    bdm = BalancedDistance(hierarchy, virtual_root=virtual_root)
    key, response = f"c{a}", f"c{b}"
    assert bdm(key, response) == pytest.approx(plain_bdm(bdm.chains, key, response), abs=1e-12)
    assert bdm(key, response) == pytest.approx(bdm(response, key), abs=1e-12)
    assert 0 <= bdm(key, response) <= 1


@examples(60)
@given(links, st.booleans())
def test_chain_counts_are_those_of_the_enumeration(pairs, virtual_root):
    chains = Chains(dag(pairs), virtual_root=virtual_root)
    every = plain_chains(chains)
    assert tuple(chains.total) == (len(every), sum(len(c) - 1 for c in every))
    for one, two in product(chains.parents, repeat=2):
        through = [c for c in every if one in c or two in c]
        got = chains.through(one) if one == two else chains.through_either(one, two)
        assert tuple(got) == (len(through), sum(len(c) - 1 for c in through))


@examples(60)
@given(links, st.integers(0, 7), st.integers(0, 7))
def test_learning_accuracy_is_the_best_over_all_pairs_of_paths(pairs, a, b):
    hierarchy = dag(pairs)
    chains = Chains(hierarchy)
    key, response = f"c{a}", f"c{b}"
    best = 0.0
    for one, two in product(paths_up(chains.parents, key), paths_up(chains.parents, response)):
        common = 0
        while common < min(len(one), len(two)) and one[common] == two[common]:
            common += 1
        cp, dp = common - 1, len(two) - common  # nodes without the virtual root; edges
        best = max(best, cp / (cp + 2 * dp))
    assert LearningAccuracy(hierarchy)(key, response) == pytest.approx(best)


def test_a_large_hierarchy_with_two_to_the_hundred_paths():
    parents = {
        f"{i:06}": [f"{j:06}" for j in (i // 2 * 2 - 2, i // 2 * 2 - 1) if j >= 0]
        for i in range(200)
    }
    size = 100_000 if THOROUGH else 20_000
    parents |= {f"{i:06}": [f"{i // 3:06}"] for i in range(200, size)}
    bdm = BalancedDistance(Hierarchy.of_parents(parents))
    assert bdm.chains.through("000199").number > 2**100
    assert 0 < bdm("000199", "000198") < 1
    assert 0 < bdm(f"{size - 1:06}", "000100") < 1


def test_cycles_are_one_class_and_undeclared_classes_an_error():
    cyclic = Hierarchy.of_parents({"a": ["b"], "b": ["a"], "c": ["a"]})
    assert BalancedDistance(cyclic)("a", "b") == 1.0
    assert LearningAccuracy(cyclic)("c", "b") == 1.0
    with pytest.raises(OntologyError, match="entity x is not in the hierarchy"):
        BalancedDistance(cyclic)("a", "x")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n1": "both"}, "n1 'both' is unknown"),
        ({"n1": 0}, "n1 0 is unknown"),
    ],
)
def test_unknown_options(options, message):
    with pytest.raises(EvaluationError, match=message):
        BalancedDistance(Hierarchy.of_parents({}), **options)
    with pytest.raises(EvaluationError, match="variant 'old' is unknown"):
        LearningAccuracy(Hierarchy.of_parents({}), variant="old")
