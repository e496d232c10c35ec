"""Bootstrap intervals: weights as copies, known standard errors, and the frozen errors' trap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from alignrank.evaluation import EvaluationError, Intervals, bootstrap, score
from alignrank.evaluation.comparison.contingency import lined_up
from alignrank.evaluation.credit.credits import Credits, standard, values
from alignrank.evaluation.measures.measure import MEASURES, Context, get_measure
from alignrank.evaluation.measures.threshold_curve import curve
from alignrank.evaluation.uncertainty.score_intervals import (
    credit_intervals,
    design_effects,
    system_intervals,
    wilson,
)
from alignrank.ontologies import Alignment, Correspondence, read_alignment
from alignrank.ontologies.ontology import Entity, Kind, Ontology
from tests.generated import examples

correspondences = st.builds(
    Correspondence,
    st.sampled_from("abcd"),
    st.sampled_from("wxyz"),
    st.just("="),
    st.sampled_from([0.25, 0.5, 1.0]),
)
alignments = st.lists(correspondences, min_size=1, max_size=8).map(Alignment)
counts = st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any)


def copied(alignment, times):
    """Each source entity as often as `times` says, under different names."""
    return Alignment(
        Correspondence(f"{c.entity1}{k}", f"{c.entity2}{k}", c.relation, c.confidence)
        for c in alignment
        for k in range(times["abcd".index(c.entity1)])
    )


@examples(60)
@given(alignments, alignments, counts)
def test_a_weight_is_a_number_of_copies(a, r, times):
    column = {s: i for i, s in enumerate("abcd")}
    weights = np.array([times], dtype=float)
    many_a, many_r = copied(a, times), copied(r, times)
    for name in ("standard", "overall", "jaccard", "f2", "weighted", "weighted-api47", "curve"):
        measure = MEASURES[name]
        got = measure(a, r).resampled(weights, column)[0]
        expected = list(values(measure(many_a, many_r)).values())
        if name == "curve" and not len(many_r):
            continue  # nan, and the best F1 of nothing
        assert got == pytest.approx(expected, nan_ok=True)


def test_auc_is_resampled_with_the_same_universe():
    a = Alignment([Correspondence("a", "x", "=", 0.5), Correspondence("b", "y", "=", 1.0)])
    r = Alignment([Correspondence("a", "x")])
    context = Context(
        Ontology("", {n: Entity(n, Kind.CLASS) for n in "abcd"}),
        Ontology("", {n: Entity(n, Kind.CLASS) for n in "wxyz"}),
    )
    judgement = MEASURES["roc-auc"](a, r, context)
    once = judgement.resampled(np.array([[1.0, 1.0]]), {"a": 0, "b": 1})
    assert once[0, 0] == pytest.approx(values(judgement)["roc_auc"])
    without_wrong = judgement.resampled(np.array([[1.0, 0.0]]), {"a": 0, "b": 1})
    assert without_wrong[0, 0] == 1


def some(n, right):
    reference = Alignment(Correspondence(f"a{i:04}", f"b{i:04}") for i in range(n))
    return reference.where(lambda c: c.entity1 < f"a{right:04}"), reference


def test_standard_error_of_a_share_is_the_binomial_one():
    found, reference = some(400, 300)
    got = bootstrap(standard(found, reference), resamples=4000)
    assert got["recall"].estimate == 0.75
    assert got["recall"].standard_error == pytest.approx((0.75 * 0.25 / 400) ** 0.5, rel=0.05)
    assert got["recall"].low == pytest.approx(0.75 - 1.96 * 0.02165, abs=0.006)
    assert got["precision"] == got["precision"].__class__("precision", 1.0, 1.0, 1.0, 0.0)
    assert (got.units, got.resamples, got.level, got.seed) == (400, 4000, 0.95, 0)
    assert list(got.to_frame()["name"]) == ["precision", "recall", "f1"]


def test_same_seed_same_interval():
    found, reference = some(50, 30)
    one, two = (bootstrap(standard(found, reference), seed=7) for _ in range(2))
    assert one == two
    assert one != bootstrap(standard(found, reference), seed=8)


def test_difference_of_two_systems_is_paired():
    found, reference = some(200, 120)
    better, _ = some(200, 140)
    one, two = standard(better, reference), standard(found, reference)
    got = bootstrap(one, two)["recall"]
    assert got.estimate == pytest.approx(0.1)
    # 20 entities differ, all one way: the standard error is that of a share of .1
    assert got.standard_error == pytest.approx((0.1 * 0.9 / 200) ** 0.5, rel=0.06)
    same = bootstrap(one, one)
    assert all(i.low == i.high == 0 for i in same.intervals)
    with pytest.raises(EvaluationError, match="take the same measure for both"):
        bootstrap(one, curve(found, reference))


def test_clusters_are_resampled_whole():
    found, reference = some(400, 200)
    clusters = {c.entity1: c.entity1[:3] for c in reference}  # a00 to a03: all right or all wrong
    got = bootstrap(standard(found, reference), clusters=clusters)
    assert got.units == 4
    assert got["recall"].standard_error == pytest.approx((0.5 * 0.5 / 4) ** 0.5, rel=0.1)
    alone = bootstrap(standard(found, reference), clusters={"a0000": "a0001"})
    assert alone.units == 400  # a cluster is no entity, even if it bears an entity's name


def test_undefined_resamples_are_counted():
    found = Alignment([Correspondence("a", "x")])
    reference = Alignment([Correspondence("b", "y")])
    got = bootstrap(standard(found, reference), resamples=1000, zero_division="nan")
    assert got["precision"].undefined == pytest.approx(250, abs=60)  # only b was drawn
    assert bootstrap(standard(found, reference), resamples=1000)["precision"].undefined == 0
    few = [
        bootstrap(standard(found, reference), resamples=2, seed=seed, zero_division="nan")
        for seed in range(20)
    ]
    assert {(b["precision"].undefined, np.isnan(b["precision"].low)) for b in few} >= {
        (0, False),
        (1, True),  # a single value has no interval
    }


def test_bad_settings():
    with pytest.raises(EvaluationError, match="resamples 1 must be at least 2"):
        bootstrap(standard(*some(3, 2)), resamples=1)
    with pytest.raises(EvaluationError, match="there is nothing to resample"):
        bootstrap(standard(Alignment(), Alignment()))


def test_resampling_the_reference_alone_would_freeze_the_wrong_ones(oaei):
    folder = oaei / "anatomy"
    reference = read_alignment(folder / "reference.rdf")
    aml = read_alignment(folder / "systems-2016" / "AML.rdf")
    by_entities = bootstrap(standard(aml, reference), resamples=1000)["precision"]
    assert by_entities.standard_error == pytest.approx(0.0056, abs=0.0004)
    rng = np.random.default_rng(0)
    right = np.array([float(c in aml) for c in reference])
    wrong = len(aml) - right.sum()
    hits = rng.multinomial(len(right), np.full(len(right), 1 / len(right)), 1000) @ right
    frozen = (hits / (hits + wrong)).std()
    assert frozen == pytest.approx(0.0003, abs=0.0001)


PAIRS = st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), max_size=5)
NAMES = ("precision", "recall", "f1")


def of(pairs: set[tuple[str, str]]) -> Alignment:
    return Alignment(Correspondence(*pair) for pair in pairs)


def score_intervals(
    found: Alignment, right: Alignment, clusters: dict[str, str] | None = None
) -> Intervals:
    return system_intervals(lined_up({"": found}, right), clusters)[""]


@given(PAIRS, PAIRS)
def test_an_interval_holds_its_score(one: set[tuple[str, str]], two: set[tuple[str, str]]) -> None:
    found, right = of(one), of(two)
    if not one | two:
        with pytest.raises(EvaluationError, match="empty"):
            score_intervals(found, right)
        return
    intervals, scores = score_intervals(found, right), score(found, right).to_dict()
    for name in NAMES:
        interval = intervals[name]
        assert interval.estimate == pytest.approx(scores[name])
        assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
        assert interval.low < interval.high


@pytest.mark.parametrize("clusters", [None, {f"a{k}": f"c{k // 20}" for k in range(300)}])
def test_they_agree_with_the_bootstrap_where_there_is_enough(
    clusters: dict[str, str] | None,
) -> None:
    right = of({(f"a{k}", f"b{k}") for k in range(300)})
    found = of({(f"a{k}", f"b{k + (k // 40) % 2}") for k in range(60, 330)})
    plain = bootstrap(standard(found, right), resamples=4000, clusters=clusters)
    quick = score_intervals(found, right, clusters=clusters)
    assert quick.units == plain.units
    for name in NAMES:
        assert quick[name].standard_error == pytest.approx(plain[name].standard_error, rel=0.06)
        if clusters is None:
            assert quick[name].low == pytest.approx(plain[name].low, abs=0.01)
            assert quick[name].high == pytest.approx(plain[name].high, abs=0.01)


def test_all_of_ten_right_is_not_certain() -> None:
    right = of({(f"a{k}", f"b{k}") for k in range(10)})
    precision = score_intervals(right, right)["precision"]
    t = stats.t.ppf(0.975, 9)
    assert precision.low == pytest.approx(10 / (10 + t**2))
    assert wilson(1.0, 10)[0] == pytest.approx(0.7225, abs=1e-4)  # Wilson 1927
    assert precision.high == 1
    assert wilson(0.5, 0) == (0.0, 1.0)


@given(st.integers(0, 10_000))
def test_clusters_of_partners_add_their_variance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 5, 30)
    right = rng.binomial(marks, rng.choice([0.3, 0.9], 4)[np.arange(30) % 4])
    cluster, partners = np.arange(30) // 2, np.arange(30) % 4
    total, p = marks.sum(), right.sum() / marks.sum()
    e = right - p * marks
    alone, largest_alone = design_effects(p, marks, e, cluster)
    effect, largest = design_effects(p, marks, e, cluster, [partners])
    w = np.bincount(partners, marks) / total
    left = 1 - 2 * (w**3).sum() / (w**2).sum() + (w**2).sum()
    both = (np.bincount(4 * cluster + partners, e) ** 2).sum()
    added = max((np.bincount(partners, e) ** 2).sum() - both, 0) / left / (total * p * (1 - p))
    assert largest == pytest.approx(total * (w**2).sum())
    if alone < largest_alone:
        assert effect == pytest.approx(min(alone + added, largest))


def test_one_cluster_of_partners_says_nothing() -> None:
    marks, e = np.full(40, 2.0), np.tile([1.0, -1.0], 20)
    assert design_effects(0.5, marks, e, np.arange(40), [np.zeros(40, dtype=int)]) == (80, 80)


@given(st.integers(0, 10_000))
def test_the_design_effect_of_marks_by_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    marks = rng.integers(1, 5, 12)
    right = rng.binomial(marks, 0.6)
    cluster = np.unique(rng.integers(0, 5, 12), return_inverse=True)[1]
    total, p = marks.sum(), right.sum() / marks.sum()
    e, v = right - p * marks, p * (1 - p)
    effect, largest_effect = design_effects(p, marks, e, cluster)
    sums = [e[cluster == k].sum() for k in range(cluster.max() + 1)]
    largest = sum(marks[cluster == k].sum() ** 2 for k in range(cluster.max() + 1)) / total
    assert largest_effect == pytest.approx(largest)
    if not 0 < p < 1:
        assert effect == pytest.approx(largest)
        return
    above = v + sum((x * x - m * v) / (m - 1) for x, m in zip(e, marks, strict=True) if m > 1)
    within = np.clip(above / (v + v * sum(m for m in marks if m > 1)), 0, 1)
    first = max(12 / 11 * (e**2).sum(), v * (total + within * (marks * (marks - 1)).sum()))
    above = below = (e**2).mean()
    pairs = 0
    for k, sum_of_cluster in enumerate(sums):
        inside = e[cluster == k]
        pairs += len(inside) * (len(inside) - 1)
        if len(inside) > 1:
            above += (sum_of_cluster**2 - (inside**2).sum()) / (len(inside) - 1)
            below += (inside**2).sum()
    second = first * (1 + np.clip(above / below, 0, 1) * pairs / 12)
    by_cluster = len(sums) / max(len(sums) - 1, 1) * np.square(sums).sum()
    expected = np.clip(max(second, by_cluster) / (total * v), 0.3, largest)
    assert effect == pytest.approx(expected)


@pytest.mark.parametrize(("entities", "least"), [(30, 0.9), (100, 0.93)])
def test_one_to_many_references_are_covered(entities: int, least: float) -> None:
    """The former intervals covered .67 to .88 here."""
    rng = np.random.default_rng(6)
    covered = []
    for _ in range(300):
        sizes = np.minimum(np.ceil(rng.pareto(1.5, entities)), 40).astype(int) + 1
        names = np.repeat(np.arange(entities), sizes)
        fate = np.repeat(rng.beta(3, 1, entities), sizes)
        hit = rng.random(len(names)) < fate
        cells = tuple(Correspondence(f"e{k:03}", str(i)) for i, k in enumerate(names))
        ones = np.ones(len(names))
        earned = Credits(cells, cells, hit * ones, hit * ones, hit * ones, ones)
        recall = credit_intervals(earned)["recall"]
        covered.append(recall.low <= 0.75 <= recall.high)
    assert np.mean(covered) > least


def drawn(rng: np.random.Generator, n: int, answers: float, right: float, size: int) -> Credits:
    """Draw what a system finds on n entities; those of a cluster of this size mostly share it."""
    fate = np.repeat(rng.random(n // size), size)
    fate = np.where(rng.random(n) < (size > 1) * 0.7, fate, rng.random(n))
    correct, found = fate < answers * right, fate < answers
    cells = tuple(Correspondence(f"e{k}", "x") for k in range(n))
    ones = np.ones(n)
    return Credits(cells, cells, correct * ones, correct * ones, found * ones, ones)


def coverage(name: str, *, n: int, runs: int, shares: Sequence[float], size: int = 1) -> float:
    """Mean share of runs in which the interval holds the true value."""
    rng = np.random.default_rng(5)
    clusters = {f"e{k}": str(k // size) for k in range(n)}
    held = []
    for right in shares:
        true = {"precision": right, "f1": 2 * 0.9 * right / 1.9}[name]
        for _ in range(runs):
            interval = credit_intervals(drawn(rng, n, 0.9, right, size), clusters=clusters)[name]
            held.append(interval.low <= true <= interval.high)
    return float(np.mean(held))


@pytest.mark.parametrize("name", ["precision", "f1"])
@pytest.mark.parametrize("n", [12, 40])
def test_small_samples_are_covered(name: str, n: int) -> None:
    """Percentiles of a bootstrap cover .40 to .78 here."""
    assert coverage(name, n=n, runs=60, shares=(0.5, 0.7, 0.8, 0.9, 0.95, 0.99)) > 0.92


def test_clusters_are_heeded() -> None:
    assert coverage("f1", n=240, runs=150, shares=(0.6, 0.8), size=6) > 0.9


def test_unjudged_pairs_are_as_in_the_scores() -> None:
    right = Alignment([Correspondence("a", "x"), Correspondence("b", "y", "?")])
    found = Alignment([Correspondence("a", "x", "<"), Correspondence("b", "y")])
    assert score_intervals(found, right)["precision"].estimate == score(found, right).precision
    assert score_intervals(right, right) == score_intervals(right, right)


@pytest.mark.parametrize("wrong", [0, 15])
@pytest.mark.parametrize("name", ["f0.5", "f2", "overall", "jaccard"])
def test_what_follows_from_the_counts_knows_the_clusters_of_partners(name: str, wrong: int) -> None:
    r = Alignment(Correspondence(f"a{i:02}", f"b{i}") for i in range(60))
    a = r.where(lambda c: int(c.entity1[1:]) >= wrong)
    partners = {f"a{i:02}": str(i // 15) for i in range(60)}
    f1 = credit_intervals(standard(a, r), partners=partners)["f1"]
    got = bootstrap(get_measure(name)(a, r), resamples=50, partners=partners)[name]
    # by as many correct ones as the lower limit of F1 stands for
    correct, found = f1.low * (60 + len(a)) / 2, len(a)
    value = {
        "f0.5": 1.25 * correct / (0.25 * 60 + found),
        "f2": 5 * correct / (4 * 60 + found),
        "overall": (2 * correct - found) / 60,
        "jaccard": correct / (60 + found - correct),
    }[name]
    assert got.low <= value + 1e-9
    assert got.high >= got.estimate > got.low
