"""Clusters of items: how they are made, and the tests that heed them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignrank.evaluation import EvaluationError, compare, compare_counts, detectable, mcnemar
from alignrank.evaluation.comparison.contingency import discordant
from alignrank.evaluation.comparison.settings import AnalysisSettings, EntityClusters
from alignrank.evaluation.significance.clustered import (
    cluster_index,
    clustered_tests,
    parent_clusters,
    read_clusters,
    sign_flip,
)
from alignrank.evaluation.significance.crossed import crossed_test, dependence
from alignrank.evaluation.significance.mcnemar import cochran_q
from alignrank.ontologies import Alignment, Correspondence, Ontology
from tests.evaluation.significance.net_correct import net_correct

# Obuchowski 1998: glands (items) of 21 patients (clusters), judged by PET and SPECT; counts of
# both right, only PET, only SPECT, neither. The published statistic is 2.857 (p = 0.091).
BOTH = [0, 2, 3, 1, 2, 4, 3, 2, 1, 1, 2, 2, 3, 2, 0, 2, 2, 2, 2, 1, 2]
PET = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
SPECT = [2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0]
NEITHER = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]


def thyroids() -> tuple[np.ndarray, np.ndarray]:
    right: list[tuple[int, int]] = []
    cluster: list[int] = []
    for k, counts in enumerate(zip(BOTH, PET, SPECT, NEITHER, strict=True)):
        for outcome, number in zip([(1, 1), (1, 0), (0, 1), (0, 0)], counts, strict=True):
            right += [outcome] * number
            cluster += [k] * number
    return np.array(right, dtype=bool).T, np.array(cluster)


def test_obuchowski_and_durkalski_on_published_data() -> None:
    result = clustered_tests(*thyroids())
    assert result["obuchowski"].p[0, 1] == pytest.approx(0.09097, abs=5e-6)
    sizes = np.sum([BOTH, PET, SPECT, NEITHER], axis=0)
    share = (np.array(PET) - np.array(SPECT)) / sizes
    statistic = share.sum() ** 2 / (share**2).sum()
    z = np.sqrt(statistic)
    durkalski = result["durkalski"]
    assert durkalski.p[0, 1] == pytest.approx(2 * (1 - _phi(z)), rel=1e-9)
    assert durkalski.advantage[0, 1] == pytest.approx(share.sum())


def _phi(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(z))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_sign_flip_is_the_enumeration_of_all_signs(differences: list[int]) -> None:
    observed = abs(sum(differences))
    signs = np.array(list(product((-1, 1), repeat=len(differences))))
    expected = np.mean(np.abs(signs @ differences) >= observed)
    assert 10 ** sign_flip(differences) == pytest.approx(expected, rel=1e-10)


@given(st.integers(0, 700), st.integers(0, 700))
def test_sign_flip_of_single_items_is_the_exact_mcnemar_test(b: int, c: int) -> None:
    expected = float(mcnemar(b, c, "exact").log10_p)
    assert sign_flip([1] * b + [-1] * c) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_sign_flip_agrees_with_random_flips() -> None:
    rng = np.random.default_rng(7)
    differences = rng.integers(-9, 11, 300)
    signs = rng.integers(0, 2, (20_000, 300)) * 2 - 1
    simulated = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert 10 ** sign_flip(differences) == pytest.approx(simulated, abs=0.015)


def test_sign_flip_of_many_large_clusters_neither_underflows_nor_loses_digits() -> None:
    assert sign_flip([5] * 4000) == pytest.approx((1 - 4000) * np.log10(2))
    one_short = sign_flip([5] * 4000 + [-1])  # also the flip of the last alone is as large
    assert one_short == pytest.approx((1 - 4001) * np.log10(2) + np.log10(2))


def test_single_items_have_the_variance_of_independent_ones() -> None:
    rng = np.random.default_rng(1)
    right = rng.random((3, 500)) < 0.7
    result = dependence(right, np.arange(500))
    x = right[0].astype(float) - right[1]
    assert result.spread[0, 1] == pytest.approx(500 * x.var(ddof=1))
    identical = dependence(right[[0, 0]], np.arange(500))
    assert identical.spread[0, 1] == 0
    assert identical.shrinkage[0, 1] == 1
    tests = clustered_tests(right[[0, 0]], np.arange(500)).values()
    assert [test.p[0, 1] for test in tests] == [1, 1, 1]


def test_whole_copies_multiply_the_variance() -> None:
    rng = np.random.default_rng(2)
    once = rng.random((2, 400)) < 0.6
    fourfold, cluster = np.repeat(once, 4, axis=1), np.repeat(np.arange(400), 4)
    result = crossed_test(fourfold, cluster)
    x = fourfold[0].astype(float) - fourfold[1]
    assert result.dependence.spread[0, 1] == pytest.approx(4 * 400 / 399 * 1600 * x.var())
    alone = crossed_test(once, np.arange(400)).test.log10_p[0, 1]
    assert result.test.log10_p[0, 1] == pytest.approx(alone)


def test_shared_answers_do_not_drown_a_difference_in_a_large_cluster() -> None:
    cluster = np.append(np.zeros(100_000, dtype=np.int64), np.arange(1, 200_001))
    right = np.ones((3, len(cluster)), dtype=bool)
    right[2, 0] = False
    for is_right in (True, False):  # whatever a third system answers
        right[0] = is_right
        p = clustered_tests(right, cluster)["durkalski"].p[1, 2]
        assert p == pytest.approx(2 * (1 - _phi(1)), rel=1e-9)


def test_one_cluster_decides_nothing() -> None:
    result = clustered_tests(np.array([[1, 1, 1], [0, 0, 0]], dtype=bool), np.zeros(3, dtype=int))
    assert [t.p[0, 1] for t in result.values()] == [1, 1, pytest.approx(0.3173, abs=1e-4)]


def alignment(*names: str) -> Alignment:
    return Alignment(Correspondence(f"s#{name}", f"t#{name}") for name in names)


def test_compare_takes_clusters() -> None:
    names = [f"{k:02}" for k in range(48)]
    clusters = {f"s#{name}": f"c{int(name) // 8}" for name in names}
    systems = {"good": alignment(*names[8:]), "bad": alignment(*names[:24])}
    reference = alignment(*names)
    settings = AnalysisSettings(views=("ifp",))
    plain = compare(systems, reference, settings)
    robust = compare(systems, reference, replace(settings, clusters=EntityClusters(clusters)))
    assert (plain.test, robust.test) == ("mid-p", "sign-flip")
    assert plain.deciding.edges == (("good", "bad"),)
    assert robust.deciding.edges == ()
    # 8 · (0, 1, 1, 0, 0, 0) less the first cluster: Σ ±8 over 1 + 3 clusters, observed 2 of 4
    assert robust.deciding.chosen.p[0, 1] == pytest.approx(10 / 16)
    np.testing.assert_array_equal(robust.deciding.units.p_independent, plain.deciding.chosen.p)
    assert robust.deciding.units.design_effect is not None
    assert robust.deciding.units.design_effect[0, 1] > 2
    assert "the clusters are independent" in robust.validity
    assert "It takes source entities as independent." not in robust.validity
    for test in ("obuchowski", "durkalski"):
        settings = AnalysisSettings(test=test, clusters=EntityClusters(clusters))
        of_view = compare(systems, reference, settings).views["entity"]
        assert of_view.test == test
        assert of_view.is_clustered
        assert of_view.units.p_independent is not None


def test_cluster_test_without_clusters_is_refused() -> None:
    r = alignment("a")
    with pytest.raises(EvaluationError, match="test 'sign-flip' needs to know which items depend"):
        compare({"x": r, "y": r}, r, AnalysisSettings(test="sign-flip"))


def test_siblings_are_a_cluster() -> None:
    parents = {"a": ("P",), "b": ("P", "Q"), "c": ("Q", "R"), "d": ("R",), "e": ("R",), "f": ()}
    assert parent_clusters(Ontology("", {}, parents=parents)) == {
        "a": "P",
        "b": "P",
        "c": "Q",
        "d": "R",
        "e": "R",
    }


def test_entity_and_cluster_of_the_same_name_are_kept_apart() -> None:
    index = cluster_index(["a", "b", "x"], {"a": "x"})
    assert len(set(index.tolist())) == 3


def test_clusters_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_text("Item\tCluster\n# siblings\n\na#1\tx\na#2\tx\n a#3\ty\n", "utf-8")
    assert read_clusters(path) == {"a#1": "x", "a#2": "x", "a#3": "y"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tx\nb x\n", "line 2: expected an entity, a tab and a cluster, got 'b x'"),
        ("a\tx\na\ty\n", "line 2: a is in two clusters, x and y"),
        ("a\t\n", "line 1: expected"),
        ("", "is empty"),
        ("# siblings\n", "no line gives"),
    ],
)
def test_bad_cluster_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match=message):
        read_clusters(path)
    with pytest.raises(EvaluationError, match="does not exist"):
        read_clusters(tmp_path / "none.tsv")


def test_cochrans_q_keeps_its_level_in_clusters() -> None:
    """Five siblings that share their fate are one case, not five."""
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(30), 5)
    p = []
    for _ in range(200):
        right = np.repeat(rng.random((3, 30)) < 0.7, 5, axis=1)
        effect = net_correct(right, 150, cluster).design_effect(0.025)
        p.append([cochran_q(discordant(right)).p, cochran_q(discordant(right), effect).p])
    heedless, heeding = (np.array(p) <= 0.05).mean(axis=0)
    assert heeding < 0.1 < 0.3 < heedless


def test_a_detectable_difference_is_found_in_clusters_as_often_as_claimed() -> None:
    """Of 60 clusters of three, the share that is for the better is the claimed one."""
    matrix = np.array([[0, 120], [60, 0]])
    (view,) = compare_counts(matrix, ["a", "b"], reference=1000).views.values()
    claimed = detectable(
        replace(view, units=replace(view.units, design_effect=np.full((2, 2), 3.0)))
    ).items[0, 1]
    share = (1 + claimed / 180) / 2
    rng = np.random.default_rng(6)
    signs = 3 * np.where(rng.random((300, 60)) < share, 1, -1)
    found = np.mean([10 ** sign_flip(d) <= 0.05 for d in signs])
    assert 0.68 < found < 0.86  # the exact test finds a little less than mid-p, 80 %
    unclustered = detectable(view).items[0, 1]
    assert claimed == pytest.approx(3**0.5 * unclustered, rel=0.1)
