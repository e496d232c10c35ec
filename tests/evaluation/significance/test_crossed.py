"""McNemar's test with clusters on either side."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation.comparison.contingency import decisions, incidence
from alignrank.evaluation.corrections.adjusting import adjust
from alignrank.evaluation.significance.clustered import cluster_index, parent_clusters, sign_flip
from alignrank.evaluation.significance.crossed import (
    best_set,
    crossed_test,
    dependence,
    grandparent_clusters,
    head_words,
    normal_score,
    reference_clusters,
)
from alignrank.evaluation.significance.mcnemar import PairTest, mcnemar
from alignrank.ontologies import load_ontology, read_alignment
from alignrank.ontologies.ontology import Entity, Kind, Label, Ontology
from tests.evaluation.significance.net_correct import net_correct


def by_definition(x: np.ndarray, partitions: list[np.ndarray]) -> dict[str, float]:
    """Return what section 18 defines, written out for one pair's differences x."""
    centre = x - x.mean()

    def v(*chosen: np.ndarray) -> float:
        sums: dict[tuple[int, ...], float] = {}
        for value, key in zip(centre, zip(*chosen, strict=True), strict=True):
            sums[key] = sums.get(key, 0.0) + value
        return sum(total**2 for total in sums.values())

    s, t, *further = partitions
    gains = [v(t) - v(s, t)]
    gains += [v(h) - v(s, h) - v(t, h) + v(s, t, h) for h in further]
    added, degrees = 0.0, np.inf
    for gain, partition in zip(gains, partitions[1:], strict=True):
        w = np.unique(partition, return_counts=True)[1] / len(x)
        if len(w) == len(x):
            continue
        left = 1 - 2 * (w**3).sum() / (w**2).sum() + (w**2).sum()
        added += max(gain, 0) / left if len(w) > 1 else np.inf
        degrees = min(degrees, max(1 / (w**2).sum() - 1, 1))
    flipped = float((np.bincount(s, x) ** 2).sum())
    kept = max(v(s), flipped / 2)
    r1 = np.sqrt(kept / (kept + added)) if kept + added > 1e-9 else 1.0
    u = r1 * abs(x.sum()) / np.sqrt(flipped) if flipped else 0.0
    z = stats.norm.ppf(stats.t.cdf(u, degrees)) if np.isfinite(degrees) else u
    return {
        "source": v(s),
        "added": added,
        "variance": kept + added,
        "shrinkage": r1 * z / u if u else r1,
    }


@given(st.integers(0, 10_000), st.integers(1, 2))
def test_dependence_by_its_definition(seed: int, crossings: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((3, 14)) < 0.6
    number = rng.integers(1, 7, 1 + crossings)  # also a side of a single cluster
    partitions = [rng.integers(0, k, 14) for k in number]
    result = dependence(right, partitions[0], partitions[1:])
    for i, j in ((0, 1), (0, 2), (1, 2)):
        expected = by_definition(right[i].astype(float) - right[j], partitions)
        for name, value in expected.items():
            matrix = getattr(result, name)
            assert matrix[i, j] == matrix[j, i] == pytest.approx(value, abs=1e-6), name


#: Sixty items in four target clusters, of which one differs: alone as sources, and in twelve.
SIXTY = np.arange(60)
VECTORS = [
    (SIXTY < 15, SIXTY < 0, SIXTY, [SIXTY // 15], (15, 11.25, 210), 0.19645, 0.60724),
    (SIXTY < 15, SIXTY < 0, SIXTY % 12, [SIXTY // 15], (21, 2.25, 204), 0.19593, 0.67041),
]
HUNDRED = np.arange(120)
ROW = np.isin(HUNDRED, [0, 1, 5, 9, 14, 22, 31, 40, 55, 70, 88, 101])
COLUMN = np.isin(HUNDRED, [3, 60])
VECTORS += [
    (ROW, COLUMN, HUNDRED // 2, [HUNDRED % 20], (16, 14.3333, 0), 0.91795, 0.01953),
    (ROW, COLUMN, HUNDRED, [], (14, 13.1667, 0), 1.0, 0.01294),
]
LIMITS = [
    (36.5516, -100.0, 100.0),
    (34.0822, -100.0, 100.0),
    (1.1748, 2.07, 16.81),
    (1.0, 2.62, 16.0),
]


@pytest.mark.parametrize(("vector", "limits"), [*zip(VECTORS, LIMITS, strict=True)])
def test_the_vectors_of_sections_18_and_19(
    vector: tuple[np.ndarray, np.ndarray, np.ndarray, list[np.ndarray], Any, float, float],
    limits: tuple[float, float, float],
) -> None:
    row, column, source, crossing, (flipped, of_source, added), shrinkage, p = vector
    right = np.stack([row, column])
    result = crossed_test(right, source, crossing)
    found = result.dependence
    assert found.flipped[0, 1] == flipped
    assert found.source[0, 1] == pytest.approx(of_source, abs=1e-4)
    assert found.added[0, 1] == pytest.approx(added)
    assert found.shrinkage[0, 1] == pytest.approx(shrinkage, abs=1e-5)
    assert result.test.p[0, 1] == pytest.approx(p, abs=1e-5)
    effect, low, high = limits
    counts = net_correct(right, right.shape[1], source, crossing)
    assert counts.design_effect(0.025)[0, 1] == pytest.approx(effect, abs=1e-4)
    of_pair = [100 * limit[0, 1] for limit in counts.limits(0.025)]
    assert of_pair == pytest.approx([low, high], abs=0.01)


def test_one_cluster_on_a_side_decides_nothing() -> None:
    right = np.stack([SIXTY < 40, SIXTY < 0])
    together = 0 * SIXTY
    for source, crossing in ((SIXTY, [together]), (together, [SIXTY]), (together, [together])):
        assert crossed_test(right, source, crossing).test.p[0, 1] == 1
        low, high = net_correct(right, 60, source, crossing).limits(0.025)
        assert (low[0, 1], high[0, 1]) == (-1, 1)


def test_targets_that_are_all_alone_change_nothing() -> None:
    rng = np.random.default_rng(4)
    right = rng.random((4, 60)) < 0.7
    source = SIXTY // 3
    with_targets, without = (crossed_test(right, source, c).test.p for c in ([SIXTY], []))
    np.testing.assert_array_equal(with_targets, without)


def test_a_tail_beyond_all_numbers_is_that_of_a_normal_distribution() -> None:
    t, degrees = np.array([20.0, 60.0]), np.array([2000.0, 2000.0])
    near, far = normal_score(t, degrees)
    assert near == pytest.approx(-stats.norm.ppf(stats.t.sf(20, 2000)))
    assert far == pytest.approx(np.sqrt(2000 * np.log1p(60**2 / 2000)), rel=1e-3)


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=10),
    st.floats(0, 1).filter(lambda r: r == 0 or r > 1e-6),
)
def test_the_shrunk_test_is_the_enumeration_of_all_signs(d: list[int], r: float) -> None:
    signs = np.array(list(product((-1, 1), repeat=len(d))))
    expected = np.mean(np.abs(signs @ d) >= r * abs(sum(d)) - 1e-9)
    assert 10 ** sign_flip(d, shrinkage=r) == pytest.approx(expected, rel=1e-10)


@given(st.integers(0, 10_000))
def test_up_to_ten_clusters_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((3, 20)) < 0.7
    source = np.unique(rng.integers(0, 10, 20), return_inverse=True)[1]
    target = rng.integers(0, 8, 20)
    result = crossed_test(right, source, [target])
    signs = np.array(list(product((-1, 1), repeat=int(source.max()) + 1)))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        x = right[i].astype(float) - right[j]
        d = np.bincount(source, x)
        bound = by_definition(x, [source, target])["shrinkage"] * abs(d.sum())
        expected = np.mean(np.abs(signs @ d) >= bound - 1e-6)
        assert result.test.p[i, j] == pytest.approx(expected, rel=1e-9)
        assert result.test.p[j, i] == result.test.p[i, j]
        assert result.test.advantage[i, j] == d.sum() == -result.test.advantage[j, i]


@given(st.integers(0, 60), st.integers(0, 60))
def test_single_items_give_the_exact_mcnemar_test(b: int, c: int) -> None:
    right = np.array([[1] * b + [0] * c + [1], [0] * b + [1] * c + [1]], dtype=bool)
    alone = np.arange(b + c + 1)
    result = crossed_test(right, alone, [alone])
    expected = float(mcnemar(b, c, "exact").log10_p)
    assert result.test.log10_p[0, 1] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_a_third_system_changes_no_p() -> None:
    rng = np.random.default_rng(5)
    right = rng.random((3, 60)) < 0.7
    source, target = rng.integers(0, 30, (2, 60))
    source = np.unique(source, return_inverse=True)[1]
    alone = crossed_test(right[:2], source, [target]).test.p[0, 1]
    assert crossed_test(right, source, [target]).test.p[0, 1] == alone


@given(st.integers(0, 10_000))
def test_entities_that_only_a_third_system_names_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    source = np.unique(rng.integers(0, 12, 50), return_inverse=True)[1]
    target = rng.integers(0, 10, 50)
    mentioned = np.ones((3, 50), dtype=bool)
    mentioned[:2, 30:] = False  # of these the reference and two systems say nothing
    right = rng.random((3, 50)) < 0.6
    right[:2, 30:] = True
    first = np.unique(source[:30], return_inverse=True)[1]
    alone = crossed_test(right[:2, :30], first, [target[:30]])
    beside = crossed_test(right, source, [target], mentioned)
    for name in ("shrinkage", "variance", "spread", "degrees", "clusters", "items"):
        of_pair, beside_third = (
            getattr(result.dependence, name)[0, 1] for result in (alone, beside)
        )
        assert beside_third == pytest.approx(of_pair, abs=1e-9)
    assert beside.test.p[0, 1] == pytest.approx(alone.test.p[0, 1], rel=1e-6)
    of_two = net_correct(right[:2, :30], 20, first, [target[:30]]).limits(0.05)
    of_three = net_correct(right, 20, source, [target], mentioned=mentioned).limits(0.05)
    for limits, beside_limits in zip(of_two, of_three, strict=True):
        assert limits[0, 1] == pytest.approx(beside_limits[0, 1])


def test_clusters_by_is_a_then_part_of_then_grandparent() -> None:
    ontology = Ontology(
        "",
        {"r": Entity("r", Kind.PROPERTY, (Label("part of"),))},
        parents={"a": ("p", "q"), "b": ("p",), "c": ("q",), "d": ("q",), "p": ("top",)},
        links=(("a", "r", "w"), ("e", "r", "w"), ("f", "r", "w"), ("g", "has_part", "w")),
    )
    clusters = parent_clusters(ontology)
    assert clusters == {
        "a": "p", "b": "p", "c": "q", "d": "q", "e": "part of w", "f": "part of w", "p": "top",
    }  # fmt: skip
    upper = grandparent_clusters(clusters, ontology)
    assert upper["a"] == "top"
    assert upper["c"] == "q"
    assert upper["e"] == "part of w"


def test_only_the_reference_decides_the_target_cluster() -> None:
    clusters = reference_clusters([("a", "y"), ("a", "x"), ("b", "z")], {"x": "X", "y": "Y"})
    assert clusters == {"a": "X", "b": "z"}


def test_head_words_of_labels_and_of_names() -> None:
    labels = (Label("Left_optic nerve"),)
    ontology = Ontology("", {n: Entity(n, Kind.CLASS, labels) for n in ("a#1",)})
    assert head_words(ontology) == {"a#1": "nerve"}
    assert head_words(Ontology("", {"a#OpticNerve": Entity("a#OpticNerve", Kind.CLASS)})) == {
        "a#OpticNerve": "nerve"
    }
    trailing = Entity("a#1", Kind.CLASS, (Label("optic nerve_"),))
    assert head_words(Ontology("", {"a#1": trailing})) == {"a#1": "nerve"}


@given(st.integers(0, 10_000))
def test_the_set_for_the_best_by_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((4, 40)) < rng.uniform(0.3, 0.9, 4)[:, None]
    test = crossed_test(right, np.arange(40)).test
    none = np.zeros((4, 4), dtype=bool)
    for j in range(4):
        best = min(
            test.p[i, j] / 2 if test.advantage[i, j] > 0 else 1.0 for i in range(4) if i != j
        )
        assert best_set(test, none)[j] == (3 * best > 0.05)
    arrow = none.copy()
    arrow[0, 1] = True
    assert not best_set(test, arrow)[1]


def test_equal_systems_are_all_in_the_set() -> None:
    p = np.array([[np.nan, 1.0], [1.0, np.nan]])
    test = PairTest(np.zeros((2, 2)), p, np.log10(p))
    assert best_set(test, np.zeros((2, 2), dtype=bool)).all()


def test_many_systems_take_seconds() -> None:
    rng = np.random.default_rng(1)
    right = rng.random((134, 500)) < rng.uniform(0.5, 0.9, 134)[:, None]
    source = np.unique(rng.integers(0, 150, 500), return_inverse=True)[1]
    start = process_time()
    crossed_test(right, source, [rng.integers(0, 150, 500)])
    assert process_time() - start < 60


def test_anatomys_arrows_of_four_years(oaei: Path) -> None:
    folder = oaei / "anatomy"
    mouse, human = load_ontology(folder / "mouse.owl"), load_ontology(folder / "human.owl")
    reference = read_alignment(folder / "reference.rdf")
    source_clusters, heads = parent_clusters(mouse), head_words(mouse)
    expected = {2016: (50, 49), 2018: (62, 62), 2022: (39, 37), 2023: (27, 26)}
    for year, arrows in expected.items():
        files = sorted((folder / f"systems-{year}").glob("*.rdf"))
        table = incidence({path.stem: read_alignment(path) for path in files}, reference)
        judged = decisions(table, "entity")
        pairs = [
            item[:2] for item, correct in zip(table.items, table.correct, strict=True) if correct
        ]
        target_clusters = reference_clusters(pairs, parent_clusters(human))
        source, target, head = (
            cluster_index(judged.entities, clusters)
            for clusters in (source_clusters, target_clusters, heads)
        )
        assert sum(entity not in source_clusters for entity in judged.entities) <= 10
        start = process_time()
        for crossing, number in zip(([target], [target, head]), arrows, strict=True):
            p = crossed_test(judged.correct, source, crossing).test.p
            adjusted = adjust(p, "bergmann-hommel").values
            assert int((adjusted <= 0.05).sum()) // 2 == number
        assert process_time() - start < 3


def test_few_target_clusters_do_not_bound_the_least_p() -> None:
    right = np.array([[1] * 60, [0] * 15 + [1] * 45], dtype=bool)
    result = dependence(right, np.arange(60), [np.arange(60) // 15])
    r = result.least_shrinkage(result.total)[0, 1]
    assert 10 ** sign_flip(right[0].astype(int) - right[1], shrinkage=r) < 0.05
    one = dependence(right, np.arange(60), [np.zeros(60, dtype=int)])
    assert one.least_shrinkage(one.total)[0, 1] == 0  # of one cluster nothing is known
