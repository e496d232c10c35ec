"""All systems at once: ranks, omnibus tests, critical differences, published numbers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy import integrate, stats

from alignrank.common.errors import EvaluationError
from alignrank.evaluation.multitask import (
    POSTHOC_TESTS,
    ScoreTable,
    aligned_ranks,
    friedman,
    friedman_aligned,
    iman_davenport,
    nemenyi_critical_difference,
    omnibus_tests,
    posthoc,
    quade,
    quade_ranks,
    read_scores,
    task_ranks,
)
from alignrank.evaluation.multitask.posthoc import (
    friedman_of_mean_ranks,
    iman_davenport_of_mean_ranks,
)
from tests.evaluation.multitask.tables import tables
from tests.generated import examples

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "multitask.json").read_text())


@pytest.fixture(scope="session")
def garcia2010(scores) -> ScoreTable:
    return read_scores(scores / "garcia-2010.csv")


# --- published numbers ---------------------------------------------------------------------------


def test_garcia_herrera_ranks_and_omnibus(gh2008):
    golden = GOLDEN["garcia-herrera-2008"]
    assert task_ranks(gh2008.scores).mean(axis=0).round(3).tolist() == golden["mean_ranks"]
    assert round(friedman(gh2008.scores).statistic, 3) == golden["friedman"]
    f = iman_davenport(gh2008.scores)
    assert round(f.statistic, 3) == golden["iman_davenport"][0]
    assert f.p == pytest.approx(golden["iman_davenport"][1], rel=5e-4)
    assert f.df == (4, 116)


def test_garcia_herrera_aligned_and_quade_up_to_what_scmamp_does_otherwise(gh2008):
    """scmamp prints 41.69 and 10.80: ranks of unrounded differences, A by a closed form."""
    values = gh2008.scores
    assert friedman_aligned(values).statistic == pytest.approx(41.728, abs=5e-4)
    assert friedman_aligned(values).p == pytest.approx(1.90e-8, rel=5e-3)
    assert quade(values).statistic == pytest.approx(10.943, abs=5e-4)
    n, k = values.shape
    noisy = stats.rankdata(-(values - values.mean(axis=1, keepdims=True))).reshape(n, k)
    m = n * k
    t = (
        (k - 1)
        * ((noisy.sum(axis=0) ** 2).sum() - k * n**2 / 4 * (m + 1) ** 2)
        / (m * (m + 1) * (2 * m + 1) / 6 - (noisy.sum(axis=1) ** 2).sum() / k)
    )
    assert t == pytest.approx(41.696, abs=5e-4)
    b = (quade_ranks(values).sum(axis=0) ** 2).sum() / n
    a = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    assert (n - 1) * b / (a - b) == pytest.approx(10.80, abs=5e-3)


def test_garcia_2010(garcia2010):
    golden = GOLDEN["garcia-2010"]
    assert task_ranks(garcia2010.scores).mean(axis=0).round(4).tolist() == golden["mean_ranks"]
    assert round(friedman(garcia2010.scores).statistic, 3) == golden["friedman"]
    f = iman_davenport(garcia2010.scores)
    assert round(f.statistic, 3) == golden["iman_davenport"][0]
    assert f.p == pytest.approx(golden["iman_davenport"][1], rel=1e-3)
    assert round(friedman_aligned(garcia2010.scores).statistic, 3) == golden["aligned"]
    assert round(quade(garcia2010.scores).statistic, 3) == golden["quade"]


def test_demsar_from_the_published_ranks():
    golden = GOLDEN["demsar-2006"]
    n = golden["tasks"]
    mean_ranks = np.array(golden["rank_sums"]) / n
    f = iman_davenport_of_mean_ranks(mean_ranks, n)
    assert round(friedman_of_mean_ranks(mean_ranks, n).statistic, 3) == golden["friedman"]
    assert round(f.statistic, 3) == golden["iman_davenport"][0]
    assert round(f.p, 4) == golden["iman_davenport"][1]
    critical = nemenyi_critical_difference(len(mean_ranks), n)
    assert round(critical, 2) == golden["critical_difference"]


@pytest.mark.parametrize("k", [2, 3, 10, 60])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.001])
def test_critical_differences_solve_their_definitions(k, alpha):
    """P(range of k standard normals ≤ q) = k ∫ φ(z) [Φ(z) − Φ(z − q)]^(k−1) dz = 1 − α."""
    unit = math.sqrt(k * (k + 1) / (6 * 10))
    q = nemenyi_critical_difference(k, 10, alpha) / unit * math.sqrt(2)
    inside, _ = integrate.quad(
        lambda z: k * stats.norm.pdf(z) * (stats.norm.cdf(z) - stats.norm.cdf(z - q)) ** (k - 1),
        -9,
        9 + q,
        points=[0, q],
        limit=200,
    )
    assert 1 - inside == pytest.approx(alpha, rel=1e-4)


# --- definitions ---------------------------------------------------------------------------------


@given(table=tables)
@examples(60)
def test_friedman_with_ties_is_scipys(table):
    corrected = friedman(table, tie_correction=True)
    plain = friedman(table)
    if table.shape[1] > 2 and (table.max(axis=1) > table.min(axis=1)).any():
        theirs = stats.friedmanchisquare(*table.T)
        assert corrected.statistic == pytest.approx(theirs.statistic, abs=1e-9)
        assert corrected.p == pytest.approx(theirs.pvalue, abs=1e-9)
    assert plain.statistic <= corrected.statistic + 1e-9
    for test in omnibus_tests(table):
        assert 0 <= test.p <= 1
        assert test.statistic >= -1e-9


@given(table=tables)
@examples(30)
def test_a_change_of_scale_changes_nothing(table):
    for ranks in (task_ranks, aligned_ranks, quade_ranks):
        assert ranks(table).tolist() == ranks(100 * table + 7).tolist()


def test_constant_and_unanimous_tables_have_defined_answers():
    constant = np.full((4, 3), 0.5)
    for test in omnibus_tests(constant):
        assert (test.p, test.statistic) == pytest.approx((1, 0)), test.name
    for name in POSTHOC_TESTS:
        p = posthoc(constant, name).p
        assert (p[~np.eye(3, dtype=bool)] == 1).all(), name
    unanimous = np.array([[0.3, 0.2, 0.1]] * 4) + np.arange(4)[:, None] / 10
    assert iman_davenport(unanimous).statistic == math.inf
    assert iman_davenport(unanimous).p == pytest.approx(1 / 6**3)
    assert quade(unanimous).p == pytest.approx(1 / 6**3)
    assert quade(unanimous * [[1], [1], [1], [2]]).statistic < math.inf, "a task spreads them wider"
    tied = [[0.5, 0.5, 0.1]] * 5  # three orders, as often as all tasks have the first one's
    p = {test.name: test.p for test in omnibus_tests(tied)}
    assert p["Iman–Davenport, corrected for ties"] == pytest.approx(1 / 3**4)
    assert p["Quade"] == pytest.approx(1 / 3**4)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.5, 0.6]], "fewer than two tasks"),
        ([[0.5], [0.6]], "fewer than two systems"),
        ([0.5, 0.6], "shape"),
        ([[0.5, math.nan], [0.1, 0.2]], r"scores\[0, 1\] is nan"),
        ([[0.5, 0.4], [-math.inf, 0.2]], r"scores\[1, 0\] is -inf"),
        ([["a", "b"], ["c", "d"]], "scores must hold numbers"),
        ([[0.5, 0.4], [0.5]], "scores must hold numbers"),
    ],
)
@pytest.mark.parametrize("test", [friedman, iman_davenport, friedman_aligned, quade, posthoc])
def test_bad_scores_are_named(test, scores, message):
    with pytest.raises(EvaluationError, match=message):
        test(scores)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posthoc([[1, 2], [3, 4]], "anova"), "'anova' is unknown: use one of signed-rank"),
        (lambda: nemenyi_critical_difference(1, 5), "systems=1"),
        (lambda: nemenyi_critical_difference(3, 5, 5), "alpha=5"),
        (lambda: nemenyi_critical_difference(3, 0), "tasks=0"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(EvaluationError, match=message):
        call()
